"""The record that the page is given; `page/src/record.ts` reads it.

Lists stand for objects, and a budget tells only of what is not as under the one before it, so that the page stays small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.report.shell import deflated
from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from allocator.profile import Chosen, LevelLines, Profile, ProfiledText, Purchase

DROPPED = CompressionLevel.DROP.depth

LEAST_SAID = 0.01
"""The amount that a signal adds, below which it is not told."""


def record(profile: Profile, *, title: str, version: str, question: Sequence[tuple[str, str]]) -> dict[str, object]:
    """Returns all that the page is given, without the texts of files.

    Args:
        profile: of the folder.
        title: the folder's name.
        version: of this program.
        question: what was asked, each with its name, in order.
    """
    return {
        "title": title,
        "version": version,
        "encoding": profile.encoding,
        "asked": profile.asked,
        "question": list(question),
        "files": [[file.path, file.language, *file.tokens, ", ".join(file.notes)] for file in profile.files],
        "unread": [[problem.path, problem.kind.value, problem.detail] for problem in profile.problems],
        "budgets": _budgets(profile.purchases),
        "chosen": [_chosen(one) for one in profile.chosen],
        "moreChosen": profile.more_chosen,
        "texts": {},
    }


def packed(text: ProfiledText) -> str:
    """Returns the text of a file, its skeletons and its definitions, compressed and written in Base64."""
    kept = {
        "s": text.source,
        "p": _lines(text.skeletons, CompressionLevel.SKELETON_PLUS),
        "k": _lines(text.skeletons, CompressionLevel.SKELETON),
        "d": [[one.line, one.target, one.name, one.kind] for one in text.definitions],
    }
    return deflated(kept)


def _budgets(purchases: Sequence[Purchase]) -> list[list[object]]:
    before: Mapping[int, tuple[int, int]] = {}
    listed: list[list[object]] = []
    for one in purchases:
        now = {file: (level.depth, cost) for file, (level, cost) in one.shown.items()}
        moved = [
            [file, *now.get(file, (DROPPED, 0))] for file in sorted(now | before) if now.get(file) != before.get(file)
        ]
        listed.append([one.budget or 0, one.tokens_used, moved])
        before = now
    return listed


def _chosen(one: Chosen) -> list[object]:
    parts = [[name, round(added, 2)] for name, added in one.parts if abs(added) >= LEAST_SAID]
    return [
        one.file,
        one.target,
        one.kind,
        one.is_full,
        one.is_named,
        round(one.weight, 5),
        list(one.words),
        parts,
        list(one.callers),
    ]


def _lines(skeletons: Mapping[CompressionLevel, LevelLines], level: CompressionLevel) -> list[object] | None:
    lines = skeletons.get(level)
    return None if lines is None else [lines.text, list(lines.numbers)]
