"""The log of a server, on standard error: lines for people, or a JSON object for each, for programs.

A line in JSON holds nothing of what is asked and answered: no path, text or argument of a call. Of an error it has the class and
the places in the code that it went through, not its message, which may quote a file. A call is a line of its own at the
level `info`: its tool, how it ended, and what it took.
"""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from opentelemetry import trace

from server.settings import LogFormat

if TYPE_CHECKING:
    from types import TracebackType

    from server.settings import Settings

_TELL_CONTENT: Final = ("mcp", "sse_starlette", "httpx", "httpcore")
"""The loggers whose messages hold what clients ask and are answered; no log of tenants or in JSON has these."""

_OWN: Final = frozenset({"fractal_context", "server", "allocator", "compaction", "skeleton", "workspace"})
_TOP: Final = Path(__file__).parents[1]


def log_to_standard_error(settings: Settings) -> None:
    """Sets up the log of this process as the settings say; where it is set up already, as under a test, it stays."""
    is_json = settings.log_format is LogFormat.JSON
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if is_json else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    if settings.tenants or is_json:
        for name in _TELL_CONTENT:
            logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))


class JsonLines(logging.Formatter):
    """A JSON object for each line of a log.

    Its members are `time`, `level`, `logger` and `message`; those of a call; `error` and `at`, the places from the outer
    to the inner; and `trace_id` and `span_id`, where the line belongs to a span. What other packages say is told by their
    pattern, without what they put into it, or by its place in their code alone.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        line |= getattr(record, "told", {})
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "at": _places(record.exc_info[2])}
        span = trace.get_current_span().get_span_context()
        if span.is_valid:
            line |= {"trace_id": trace.format_trace_id(span.trace_id), "span_id": trace.format_span_id(span.span_id)}
        return msgspec.json.encode(line).decode()


def _message(record: logging.LogRecord) -> str:
    """Returns the words of a line, without what another package may have put into it."""
    package = record.name.partition(".")[0]
    if package in _OWN:
        return record.getMessage()
    return f"{package}, {record.filename}:{record.lineno}" if package in _TELL_CONTENT else str(record.msg)


def _places(trail: TracebackType | None) -> list[str]:
    """The places that an error went through, by module names rather than by where this machine keeps them."""
    return [f"{_named(Path(frame.filename))}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trail)]


def _named(file: Path) -> str:
    if file.is_relative_to(_TOP):
        file = file.relative_to(_TOP)
    parts = file.parts
    installed = max(
        (number for number, part in enumerate(parts) if part in {"site-packages", "dist-packages"}), default=-1
    )
    return "/".join(parts[installed + 1 :]) if installed >= 0 or not file.is_absolute() else file.name
