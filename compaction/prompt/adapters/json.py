"""JSON and JSON Lines: keys, numbers, short strings and the layout stay; sentences in strings are shortened in place.

Python's own parser says whether it is JSON; then strings are spliced in the source, so that everything else keeps its
bytes.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from compaction.prompt.adapters.base import NotThisFormatError, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import is_prose
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGER_THAN = 60
_COLON = re.compile(r"[ \t\r\n]*+:")
_STRINGS = json.JSONDecoder(strict=False)


class JsonAdapter:
    """See the module."""

    name = "json"
    is_whole = True

    def detect(self, content: str) -> bool:
        """Return whether it begins and ends like an object or an array."""
        core = content.strip()
        return len(core) > 1 and core[0] in "{[" and core[-1] in "}]"

    def extract_preserved(self, content: str) -> list[str]:
        """Return the JSON with `[…]` for each sentence."""
        return [spliced(content, ((span, '"[…]"') for span, _ in _sentences(content)))]

    def extract_compressible(self, content: str) -> list[str]:
        """Return the strings of more than 60 characters that are prose.

        Raises:
            NotThisFormatError: it is no JSON.
        """
        return [text for _, text in _sentences(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the JSON, and the summary behind it."""
        return "\n".join([*preserved, *([summary] if summary else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the JSON with each of the strings shortened.

        Raises:
            NotThisFormatError: it is no JSON any more.
        """
        spans = [span for span, _ in _sentences(content)]
        written = (json.dumps(text.strip(), ensure_ascii=content.isascii()) for text in summaries)
        made = spliced(content, zip(spans, written, strict=True))
        _check(made)
        return made


def _sentences(content: str) -> list[tuple[Span, str]]:
    _check(content)
    found: list[tuple[Span, str]] = []
    end = 0
    while (start := content.find('"', end)) >= 0:
        stop_if_cancelled()
        value, end = _STRINGS.raw_decode(content, start)
        if len(value) > _LONGER_THAN and not _COLON.match(content, end) and is_prose(value):
            found.append((Span(start, end), value))
    return found


def _check(content: str) -> None:
    try:
        json.loads(content)
    except RecursionError as error:
        raise NotThisFormatError("nested too deeply") from error
    except ValueError as error:
        lines = [line for line in content.split("\n") if line.strip()]
        if len(lines) < 2:
            raise NotThisFormatError(str(error)) from error
        _check_each(lines)


def _check_each(lines: Iterable[str]) -> None:
    try:
        for line in lines:
            json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotThisFormatError(f"neither JSON nor JSON Lines: {error}") from error
