"""No line stands twice in a new history: what counts as a line, and a text without those that stand elsewhere.

A line counts from `LEAST` characters on, white space made single, where it holds a letter or a figure; a list mark, `Said:`
and `Answer:` do not tell it from another. What is quoted between fences may repeat itself, and has a mark in each gap.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LEAST: Final = 20
DETAIL: Final = "  "
"""How a line begins that tells more of the line above it."""

_LABEL: Final = re.compile(r"(?:[-*+•>] |\d{1,4}[.)] )?(?:Said: |Answer: )?")
_FENCE: Final = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_WORD: Final = re.compile(r"\w")
_BLANKS: Final = re.compile(r"\n{3,}")
_GAP: Final = "…"
_MARK: Final = "({} told elsewhere)"
"""Shorter than a line that counts."""

_ANSWER: Final = "Answer: "
_ITEM: Final = "- "


class _Kind(Enum):
    PROSE = "prose"
    DETAIL = "detail"
    TABLE = "table"
    FENCED = "fenced"


class _Run(NamedTuple):
    """Lines of one kind that stand together."""

    kind: _Kind
    lines: list[str]


def said(line: str) -> str:
    """Return what a line says, equal for lines that say the same; "" for one that does not count."""
    flat = " ".join(line.split())
    return _LABEL.sub("", flat, count=1) if len(flat) >= LEAST and _WORD.search(flat) else ""


def lines_said(text: str) -> list[str]:
    """Return what the lines of a text say, as often as they do."""
    return [words for line in text.split("\n") if (words := said(line))]


def without(text: str, stands: Callable[[str], bool]) -> str:
    """Return a text without the lines that stand elsewhere or before; "" where nothing of it is left.

    Details under a line go without a word; in prose a line in their place tells how many there were. A table or a fenced text
    goes as a whole where all of it stands elsewhere.

    Args:
        text: a line with the details under it, or any prose.
        stands: whether what a line says stands elsewhere.
    """
    every = lines_said(text)
    if len(set(every)) == len(every) and not any(map(stands, every)):
        return text
    lines = text.split("\n")
    if lines[0].startswith(_ITEM) and stands(said(lines[0])):
        return ""
    shown: list[str] = []
    own: set[str] = set()
    says = False
    gone = gap = 0
    for run in _runs(lines, detailed=lines[0].startswith(_ITEM)):
        missing = _gone(run, stands, own)
        for line, is_gone in zip(run.lines, missing, strict=True):
            if not is_gone:
                says = says or _WORD.search(_LABEL.sub("", line, count=1)) is not None
                if gone and line.strip():
                    shown.insert(gap, _MARK.format(gone))
                    gone = 0
                shown.append(line)
            elif run.kind is _Kind.FENCED and not all(missing):
                shown += [_GAP] if shown[-1:] != [_GAP] else []
            elif line.startswith(_ANSWER):
                shown.append(f"{_ANSWER}{_GAP}")
            elif run.kind is not _Kind.DETAIL and said(line):
                gap = gap if gone else len(shown)
                gone += 1
    if gone:
        shown.insert(gap, _MARK.format(gone))
    return _BLANKS.sub("\n\n", "\n".join(shown)).strip("\n") if says else ""


def _runs(lines: Sequence[str], *, detailed: bool) -> Iterator[_Run]:
    """The lines in runs of one kind; a fenced text runs to the fence that closes it."""
    run = _Run(_Kind.PROSE, [])
    fence = ""
    for line in lines:
        opening = _FENCE.match(line)
        kind = (
            _Kind.FENCED if fence or opening
            else _Kind.DETAIL if detailed and line.startswith(DETAIL)
            else _Kind.TABLE if line.lstrip().startswith("|")
            else _Kind.PROSE
        )  # fmt: skip
        if kind is not run.kind or (opening and not fence):
            yield run
            run = _Run(kind, [])
        run.lines.append(line)
        if fence and line.strip() == fence:
            fence = ""
            yield run
            run = _Run(_Kind.PROSE, [])
        elif opening and not fence:
            fence = opening["fence"]
    yield run


def _gone(run: _Run, stands: Callable[[str], bool], own: set[str]) -> list[bool]:
    """Which lines of a run stand elsewhere or before; `own` gains what it says."""
    before = set(own)
    found: list[bool] = []
    for line in run.lines:
        words = said(line)
        repeats = words in (before if run.kind is _Kind.FENCED else own)
        found.append(bool(words) and (repeats or stands(words)))
        if words:
            own.add(words)
    telling = [is_gone for line, is_gone in zip(run.lines, found, strict=True) if said(line)]
    whole = run.kind in {_Kind.FENCED, _Kind.TABLE} and telling and all(telling)
    return [True] * len(found) if whole else found
