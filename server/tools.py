"""The two tools as clients call them: they take arguments and return content blocks.

A tool hands its arguments to an engine in a worker thread and puts the result into protocol form. Several clients hide
every text block from the model as soon as a result carries structured content, so neither tool sends any: the context
and its metadata are two text blocks, and the complete metadata rides in the result's `_meta`.
"""

# No postponed annotations here: the signatures of the tools are evaluated to make their schemas.

import threading
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult

from server.calls import Pulse, Slots, run_call
from server.replies import text_reply
from server.schemas import (
    Beside,
    Changed,
    Cursor,
    Exclude,
    Focus,
    Format,
    Include,
    LeastLevel,
    LineNumbers,
    MostLevel,
    Names,
    Query,
    Since,
    Skeletons,
    TokenBudget,
    TreePath,
    ZoomPath,
    ZoomTarget,
)
from server.settings import Settings
from workspace.git.repositories import SCHEME, NamedRoots
from workspace.tokens import parse_budget

if TYPE_CHECKING:
    from allocator import ContextResult
    from server.indexing import Engines
    from server.telemetry import Telemetry


MOST_NAMES = 1000
"""Names looked up for a completion; a client is told how many there are, and shown fewer."""


class CodeTools:
    """`get_context` and `zoom` over the roots of one server."""

    def __init__(self, settings: Settings, telemetry: "Telemetry") -> None:
        self._settings = settings
        self._telemetry = telemetry
        self._slots = Slots()
        self._slots_of_zoom = Slots()  # of their own: a definition is soon found, and waits for no context
        self._engine_lock = threading.Lock()
        self._loaded: Engines | None = None

    async def get_context(
        self,
        ctx: Context[Any, Any],
        path: TreePath = ".",
        token_budget: TokenBudget = None,
        skeleton: Skeletons = "auto",
        query: Query = "",
        names: Names = None,
        focus: Focus = None,
        changed: Changed = "",
        include: Include = None,
        exclude: Exclude = None,
        min_level: LeastLevel = "L3",
        max_level: MostLevel = "L0",
        format: Format = "compact",  # noqa: A002 - the argument's public name
        line_numbers: LineNumbers = False,
        since: Since = "",
        cursor: Cursor = "",
    ) -> CallToolResult:
        """Returns the context of a folder or a file within a token budget."""
        budget = self._ceiling(token_budget)

        def work(pulse: Pulse) -> "ContextResult":
            return self._engines().context.get_context(
                path,
                token_budget=budget,
                skeleton=skeleton,
                query=query,
                names=names or (),
                focus=focus or (),
                changed=changed,
                include=include or (),
                exclude=exclude or (),
                min_level=min_level,
                max_level=max_level,
                format=format,
                line_numbers=line_numbers,
                since=since,
                cursor=cursor,
                progress=pulse,
            )

        result = await run_call(work, report=ctx.report_progress, slots=self._slots, seconds=self._settings.time_limit)
        texts = [result.context, result.summary] if result.summary else [result.context]
        return text_reply(*texts, metadata=result.metadata.as_json())

    async def record(self, ctx: Context[Any, Any], call: "dict[str, Any]") -> str:
        """Returns the record of a report, as JSON, for the arguments of `get_context` that were given."""
        from server.report.command import question_of
        from server.report.page import LARGEST, MOST_TEXT, packed_texts
        from server.report.record import record
        from server.report.shell import as_json
        from server.versions import distribution_version

        given = {name: value for name, value in call.items() if value is not None}
        path = given.pop("path", ".")
        budget = self._ceiling(given.pop("token_budget", None))
        rest: dict[str, Any] = {"format": "compact", **given}

        def work(pulse: Pulse) -> str:
            profile = self._engines().context.profile(
                path, token_budget=budget, most_text=MOST_TEXT, progress=pulse, **rest
            )
            place = self._settings.roots.resolve(path)
            told = record(profile, title=place.name, version=distribution_version(), question=question_of(given))
            texts = packed_texts(profile, LARGEST - len(as_json(told)))
            return as_json({**told, "texts": texts})

        return await run_call(work, report=ctx.report_progress, slots=self._slots, seconds=self._settings.time_limit)

    async def zoom(
        self,
        ctx: Context[Any, Any],
        target: ZoomTarget,
        path: ZoomPath = ".",
        token_budget: TokenBudget = None,
        line_numbers: LineNumbers = False,
        context: Beside = None,
    ) -> CallToolResult:
        """Returns the full text of a definition, a file or a range of lines."""
        budget = self._ceiling(token_budget)

        def work(pulse: Pulse) -> str:
            engines = self._engines()
            found = engines.zoomer.zoom(
                target,
                path,
                token_budget=budget,
                line_numbers=line_numbers,
                context=context or "",
                folder_map=partial(engines.context.folder_map, progress=pulse),
                progress=pulse,
            )
            return found.text

        text = await run_call(
            work, report=ctx.report_progress, slots=self._slots_of_zoom, seconds=self._settings.time_limit
        )
        return text_reply(text)

    def names_starting(self, letters: str) -> list[str]:
        """Returns targets that begin with some letters, in the roots or, where those have names, in the first."""
        roots = self._settings.roots
        places = [f"{SCHEME}{roots.names[0]}"] if isinstance(roots, NamedRoots) and roots.names else roots.tried
        found = [self._engines().zoomer.completions(letters, str(place), limit=MOST_NAMES) for place in places]
        return sorted({*chain(*found)})[:MOST_NAMES] if len(found) > 1 else [*chain(*found)]

    def _ceiling(self, asked: int | str | None) -> int | None:
        return self._settings.default_budget if asked is None else parse_budget(asked)

    def _engines(self) -> "Engines":
        from server.indexing import open_engines  # the parsers: loaded by the first call, not by the handshake

        with self._engine_lock:
            if self._loaded is None:
                self._loaded = open_engines(self._settings, isolated=True, telemetry=self._telemetry)
            return self._loaded
