"""Keeps a new history from saying a line twice: tells what counts as a line, and leaves out those told elsewhere.

A line counts from `LEAST` characters on, white space made single, where it holds a letter or a figure; a list mark, `Said:`
and `Answer:` do not tell it from another. What is quoted between fences may repeat itself, and has a mark in each gap.
"""

from __future__ import annotations

import re
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from compaction.history.envelope import fenced_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LEAST: Final = 20
DETAIL: Final = "  "
"""The beginning of a line that tells more of the line above it."""

_LABEL: Final = re.compile(r"(?:[-*+•>] |\d{1,4}[.)] )?(?:Said: |Answer: )?")
_WORD: Final = re.compile(r"\w")
_BLANKS: Final = re.compile(r"\n{3,}")
_GAP: Final = "…"
_MARK: Final = "({} told elsewhere)"
_ABOVE: Final = "… (above)"
_ROW: Final = "| {} |"
"""The text in the place of lines: shorter than a line that counts."""

_ANSWER: Final = "Answer: "
_ITEM: Final = "- "


class _Kind(Enum):
    PROSE = "prose"
    DETAIL = "detail"
    TABLE = "table"
    FENCED = "fenced"


class _Gone(IntEnum):
    """The reasons why a line is not shown."""

    NOT = 0
    ELSEWHERE = 1
    ABOVE = 2


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

    Details under a line go without a word. In prose a line in their place tells how many stand elsewhere, and the first words
    of one that stands above in the same text. A table or a fenced text goes as a whole where all of it stands elsewhere.

    Args:
        text: a line with the details under it, or any prose.
        stands: whether what a line says stands elsewhere.
    """
    every = lines_said(text)
    if len(set(every)) == len(every) and not any(map(stands, every)):
        return text
    is_item = text.startswith(_ITEM)
    if is_item and stands(said(text.partition("\n")[0])):
        return ""
    shown = _Shown()
    own: set[str] = set()
    for run in _runs(text, detailed=is_item):
        missing = _gone(run, stands, own)
        for line, gone in zip(run.lines, missing, strict=True):
            if gone is _Gone.NOT:
                shown.add(line)
            elif run.kind is _Kind.FENCED and not all(missing):
                shown.mark(_GAP)
            elif gone is _Gone.ABOVE and run.kind is not _Kind.DETAIL:
                shown.mark(_above(line, run.kind))
            elif line.startswith(_ANSWER):
                shown.mark(f"{_ANSWER}{_GAP}")
            elif run.kind is not _Kind.DETAIL and said(line):
                shown.skip(_Kind.PROSE if all(missing) else run.kind)
    return shown.text()


def _above(line: str, kind: _Kind) -> str:
    """The first words of a line that stands above, shorter than a line that counts."""
    flat = " ".join(line.strip("| ").split())
    words = f"{flat[: LEAST - len(_ABOVE) - 6].rstrip()}{_ABOVE}"
    indent = line[: len(line) - len(line.lstrip())]
    return _ROW.format(words) if kind is _Kind.TABLE else f"{indent}{words}"


class _Shown:
    """The shown part of a text, and the number of lines of prose to be marked as told elsewhere."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._says = False
        self._skipped = 0
        self._gap = 0
        self._in_table = False

    def add(self, line: str) -> None:
        """Show a line."""
        if line.strip():
            self._settle()
        self._says = self._says or _WORD.search(_LABEL.sub("", line, count=1)) is not None
        self._lines.append(line)

    def mark(self, mark: str) -> None:
        """Show a mark, once where it would stand twice in a row."""
        self._settle()
        if self._lines[-1:] != [mark]:
            self._lines.append(mark)

    def skip(self, kind: _Kind) -> None:
        """Leave a line of prose out."""
        if not self._skipped:
            self._gap, self._in_table = len(self._lines), kind is _Kind.TABLE
        self._skipped += 1

    def text(self) -> str:
        """All of it; "" where nothing but marks is left."""
        self._settle()
        return _BLANKS.sub("\n\n", "\n".join(self._lines)).strip("\n") if self._says else ""

    def _settle(self) -> None:
        if self._skipped:
            mark = _ROW.format(f"{self._skipped} elsewhere") if self._in_table else _MARK.format(self._skipped)
            self._lines.insert(self._gap, mark)
            self._skipped = 0


def _runs(text: str, *, detailed: bool) -> Iterator[_Run]:
    """The lines in runs of one kind."""
    run = _Run(_Kind.PROSE, [])
    for line, is_fenced in fenced_lines(text):
        kind = (
            _Kind.FENCED if is_fenced
            else _Kind.DETAIL if detailed and line.startswith(DETAIL)
            else _Kind.TABLE if line.lstrip().startswith("|")
            else _Kind.PROSE
        )  # fmt: skip
        if kind is not run.kind:
            yield run
            run = _Run(kind, [])
        run.lines.append(line)
    yield run


def _gone(run: _Run, stands: Callable[[str], bool], own: set[str]) -> list[_Gone]:
    """Tells for each line of a run whether it stands elsewhere or before; `own` gains what it says."""
    before = set(own) if run.kind is _Kind.FENCED else own
    found: list[_Gone] = []
    for line in run.lines:
        words = said(line)
        found.append(
            _Gone.NOT
            if not words
            else _Gone.ELSEWHERE
            if stands(words)
            else _Gone.ABOVE
            if words in before
            else _Gone.NOT
        )
        own.update([words] if words else [])
    telling = [gone for line, gone in zip(run.lines, found, strict=True) if said(line)]
    whole = run.kind in {_Kind.FENCED, _Kind.TABLE} and bool(telling) and all(telling)
    return [_Gone.ELSEWHERE] * len(found) if whole else found
