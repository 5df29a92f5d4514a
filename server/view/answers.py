"""Answers the questions of the page by the engines: a record, texts, a zoom.

The data of a page is that of a report: `server.report.record` writes it, whether a file or a running program gives it.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from allocator.profile import budgets
from server.report.page import LARGEST, MOST_TEXT, packed_texts
from server.report.record import record
from server.versions import distribution_version
from workspace.tokens import parse_budget

if TYPE_CHECKING:
    from allocator.profile import Profile
    from allocator.progress import Progress
    from server.indexing import Engines

FORMAT = "compact"
"""The format that `get_context` has by default."""


class Question(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of a page.

    Attributes:
        budget: tokens, as a person writes them; "" for the default.
        query: what the reader is about to do.
        focus: what is shown first.
    """

    budget: str = ""
    query: str = ""
    focus: list[str] = []


class TextsOf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page's request for texts: of one file, or, for "", of as many as a report holds."""

    path: str = ""


class Target(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page's request to zoom."""

    target: str


class Answers:
    """The answers about one folder.

    Args:
        engines: answer.
        place: the absolute path of the folder or the file.
        default_budget: tokens where none are named; None for no ceiling.
    """

    def __init__(self, engines: Engines, place: str, default_budget: int | None) -> None:
        self._engines = engines
        self._place = place
        self._default = default_budget

    def record(self, question: Question, progress: Progress) -> dict[str, Any]:
        """Returns the record of a question, and the question as it was understood.

        Raises:
            FractalContextError: as of `ContextEngine.get_context`.
        """
        budget = parse_budget(question.budget) if question.budget else self._default
        profile = self._profile(self._place, question, budget, progress)
        told = [("query", question.query), ("focus", ", ".join(question.focus))]
        made = record(
            profile,
            title=Path(self._place).name or self._place,
            version=distribution_version(),
            question=[(name, value) for name, value in told if value],
        )
        total = sum(file.tokens[0] for file in profile.files)
        stops = [*budgets(total, budget), *([] if budget else [0])]
        asked = msgspec.structs.replace(question, budget="unlimited" if budget is None else str(budget))
        return {"record": {**made, "stops": stops}, "asked": msgspec.to_builtins(asked)}

    def texts(self, asked: TextsOf, progress: Progress) -> dict[str, Any]:
        """Returns the texts of a file, or of as many files as a report holds, by their paths.

        Raises:
            FractalContextError: as of `ContextEngine.get_context`.
        """
        place = asked.path or self._place
        profile = self._profile(place, Question(), None, progress, most_text=MOST_TEXT)
        packed = packed_texts(profile, LARGEST)
        return {"texts": {profile.files[number].path: text for number, text in packed.items()}}

    def zoom(self, asked: Target, progress: Progress) -> dict[str, Any]:
        """Returns the source of what a target names, or the map of a folder, in no more tokens than a call has by default.

        Raises:
            FractalContextError: as of `Zoomer.zoom`.
        """
        found = self._engines.zoomer.zoom(
            asked.target,
            self._place,
            token_budget=self._default,
            folder_map=partial(self._engines.context.folder_map, progress=progress),
            progress=progress,
        )
        return {"text": found.text}

    def _profile(
        self, place: str, question: Question, budget: int | None, progress: Progress, *, most_text: int = 0
    ) -> Profile:
        return self._engines.context.profile(
            place,
            token_budget=budget,
            query=question.query,
            focus=question.focus,
            format=FORMAT,
            most_text=most_text,
            whole_row=False,
            progress=progress,
        )
