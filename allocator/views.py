"""The ways to show one file: in full, as a skeleton, and in between.

A `View` is a run of lines with their true numbers. Full text and skeletons are views as they come. Where a whole
step up the levels is too much for a budget, part of a step is taken:

    head     the first lines of a view and a line `⋮ 34 more lines` that counts the rest. The last line before it may
             itself be cut; it then ends in `…` and counts among the rest.
    blend    the first lines of the more detailed of two views, up to some line of the source, then the less detailed
             one. The shape of the whole file stays visible, and no budget is too odd to be used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from allocator.render import MORE, Block, Format
from skeleton import CompressionLevel, Skeletons, language_of, skeletons
from workspace.model import Problem, ProblemKind
from workspace.tiers import Tier, tier_of

if TYPE_CHECKING:
    from workspace.reading import SourceFile

SHORT_LINE = 24
"""Characters of its first line that a head shows at the least."""

CUT = "CUT"
"""The mark of a head."""


class Named(Protocol):
    """What has a name: a language or a format."""

    @property
    def name(self) -> str:
        """The name, in lower case."""
        ...


Count = Callable[[str | bytes], int]
"""Counts the tokens of a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Lines of a file, as they are shown.

    Attributes:
        lines: without their line breaks, and without a frame.
        numbers: the line of the source that each one comes from, counted from 1; 0 for a line that stands for others.
        marks: what a header says about them, without brackets.
        partial: whether it is a head or a blend.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    marks: tuple[str, ...] = ()
    partial: bool = False


def view_of(text: str, numbers: tuple[int, ...] | None = None, marks: tuple[str, ...] = ()) -> View:
    """Splits a text into lines, at line feeds alone."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return View(lines=tuple(lines), numbers=numbers or tuple(range(1, len(lines) + 1)), marks=marks)


def head(view: View, lines: int, characters: int = 0) -> View:
    """Shows the first lines of a view, `characters` of the next one, and how many more there are."""
    shown, numbers = view.lines[:lines], view.numbers[:lines]
    if characters:
        shown, numbers = (*shown, view.lines[lines][:characters] + "…"), (*numbers, view.numbers[lines])
    more = _more(len(view.lines) - lines)
    return View(lines=(*shown, more), numbers=(*numbers, 0), marks=(*view.marks, CUT), partial=True)


def blend(base: View, detailed: View, lines: int, name: str, characters: int = 0) -> View:
    """Shows the first lines of the more detailed of two views, then what the other has of the rest of the source.

    Args:
        base: the less detailed view.
        detailed: the more detailed one.
        lines: the number of its lines that are shown.
        name: what the detailed view is called in the mark.
        characters: the number of characters shown of the line after them, if the other view does not show more of it.
    """
    rows, base_rows = _rows(detailed), _rows(base)
    until = whole = max(detailed.numbers[:lines], default=0)
    shown = rows[:lines]
    if characters:
        line, number = rows[lines]
        if all(len(other) <= characters for other, other_number in base_rows if other_number == number):
            shown.append((f"{line[:characters]}…", number))
            until = max(until, number)
    if not shown:
        return base
    rest = [row for row in base_rows if row[1] > until]
    following = min((number for _, number in rest), default=max(detailed.numbers) + 1)
    hidden = [row for row in rows[lines:] if row[1] < following]
    if any(line.strip() for line, _ in hidden):
        shown.append((_more(len(hidden)), 0))
    shown += rest
    return View(
        lines=tuple(line for line, _ in shown),
        numbers=tuple(number for _, number in shown),
        marks=(f"{name}:1-{whole}" if whole else f"{name}:1…", *base.marks),
        partial=True,
    )


def _rows(view: View) -> list[tuple[str, int]]:
    return list(zip(view.lines, view.numbers, strict=True))


def _more(count: int) -> str:
    return f"{MORE} {count} more line{'' if count == 1 else 's'}"


class FileViews:
    """One file and the ways to show it; each is made when it is first asked for.

    Args:
        source: the file, as it was read.
        count: counts tokens.
    """

    def __init__(self, source: SourceFile, count: Count) -> None:
        self.source = source
        self.path = source.path
        self.language: Named | None = language_of(source.path, source.source)
        self.tier: Tier = tier_of(source.path, source.source)
        self._count = count

    @cached_property
    def md5(self) -> str:
        """Of the bytes on disk, in hexadecimal digits."""
        return self.source.md5

    @cached_property
    def original_tokens(self) -> int:
        """Tokens of the whole text."""
        return self._count(self.source.source)

    @cached_property
    def skeletons(self) -> Skeletons:
        """The file at all its levels."""
        return skeletons(self.source.source, language_of(self.path, self.source.source))

    def has(self, level: CompressionLevel) -> bool:
        """Whether the file can be shown at a level: not where a fold could not be proven right.

        Where there is nothing to fold, the text of the level above serves for this one.
        """
        if level is CompressionLevel.FULL:
            return True
        skeleton = self.skeletons.at(level)
        return skeleton.level is level or not skeleton.unproven

    def view(self, level: CompressionLevel) -> View:
        """The lines shown at a level that the file has."""
        if level is CompressionLevel.FULL:
            text = self.source.source.decode("utf-8", errors="replace")
            return view_of(text, marks=("NO-EOL",) if text and not text.endswith("\n") else ())
        skeleton = self.skeletons.at(level)
        said = {"SYNTAX-ERRORS": skeleton.syntax_errors, "UNPROVEN": bool(self.unproven)}
        return view_of(skeleton.text, skeleton.line_numbers, tuple(mark for mark, holds in said.items() if holds))

    @property
    def unproven(self) -> str:
        """What the first skeleton that was given up failed, or nothing."""
        return self.skeletons.plus.unproven or self.skeletons.skeleton.unproven

    def problems(self, level: CompressionLevel) -> list[Problem]:
        """What is wrong with the file as it is shown at a level: nothing for one that is full because all fits."""
        if "skeletons" not in self.__dict__ or level is CompressionLevel.DROP:
            return []
        found: list[Problem] = []
        if self.unproven:
            found.append(Problem(path=self.path, kind=ProblemKind.UNPROVEN, detail=self.unproven))
        if self.skeletons.full.syntax_errors and level is not CompressionLevel.FULL:
            found.append(Problem(path=self.path, kind=ProblemKind.SYNTAX_ERRORS))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """A file as it is shown, framed and weighed.

    Attributes:
        file: the file.
        level: the level it counts as.
        view: the lines shown.
        text: the framed block.
        cost: its tokens.
    """

    file: FileViews
    level: CompressionLevel
    view: View
    text: str
    cost: int

    @property
    def cut(self) -> bool:
        """Whether it is a head."""
        return CUT in self.view.marks

    @property
    def partial(self) -> bool:
        """Whether it is a head or a blend."""
        return self.view.partial


class Framer:
    """Frames and weighs views in one format.

    Args:
        layout: the format.
        count: counts tokens.
        line_numbers: whether each line starts with its number in the source.
    """

    def __init__(self, layout: Format, count: Count, *, line_numbers: bool = False) -> None:
        self.layout = layout
        self.count = count
        self._line_numbers = line_numbers

    def portion(self, file: FileViews, level: CompressionLevel, view: View) -> Portion:
        """Frames a view of a file and counts the tokens of the block."""
        whole = level is CompressionLevel.FULL
        block = Block(
            path=file.path,
            level=level,
            lines=self._numbered(view) if self._line_numbers else view.lines,
            marks=view.marks,
            md5=file.md5,
            original_tokens=file.original_tokens,
            shown_tokens=file.original_tokens if whole else self.count("".join(f"{line}\n" for line in view.lines)),
            language=file.language.name if file.language else "",
        )
        text = self.layout.frame(block)
        return Portion(file=file, level=level, view=view, text=text, cost=self.count(self.layout.cost_text(text)))

    def floor(self, file: FileViews, view: View) -> Portion | None:
        """The smallest head of a view, which counts as L2; None if it shows the view whole."""
        if not view.lines:
            return None
        short = len(view.lines[0]) <= SHORT_LINE
        if short and len(view.lines) == 1:
            return None
        least = head(view, 1) if short else head(view, 0, SHORT_LINE)
        return self.portion(file, CompressionLevel.SKELETON, least)

    def longest_head(self, file: FileViews, view: View, room: int, *, part_of_a_line: bool = False) -> Portion | None:
        """The longest head of a view that costs no more than `room` tokens; None if there is none.

        Args:
            file: the file.
            view: the lines to show.
            room: tokens that the block may cost.
            part_of_a_line: whether the head may end inside a line to use what the whole lines leave.
        """
        best = self.floor(file, view)
        if best is None or best.cost > room:
            return None

        def attempt(lines: int, characters: int = 0) -> bool:
            nonlocal best
            portion = self.portion(file, CompressionLevel.SKELETON, head(view, lines, characters))
            if portion.cost <= room:
                best = portion
            return portion.cost <= room

        lines = largest(len(view.lines) - 1, attempt)
        if part_of_a_line:
            largest(len(view.lines[lines]) - 1, lambda characters: attempt(lines, characters))
        return best

    def widest_blend(
        self, base: Portion, detailed: View, name: str, room: int, *, part_of_a_line: bool = False
    ) -> Portion | None:
        """The blend over a block that shows most and costs no more than `room` tokens; None if there is none.

        Args:
            base: the block.
            detailed: the view that its first lines are taken from.
            name: what that view is called in the mark.
            room: tokens that the new block may cost.
            part_of_a_line: as for `longest_head`.
        """
        best: Portion | None = None

        def attempt(lines: int, characters: int = 0) -> bool:
            nonlocal best
            portion = self.portion(base.file, base.level, blend(base.view, detailed, lines, name, characters))
            if portion.cost <= room:
                best = portion
            return portion.cost <= room

        lines = largest(len(detailed.lines) - 1, attempt)
        if part_of_a_line:
            largest(len(detailed.lines[lines]) - 1, lambda characters: attempt(lines, characters))
        return best

    @staticmethod
    def _numbered(view: View) -> tuple[str, ...]:
        return tuple(
            " ".join(part for part in (str(number or ""), line) if part)
            for line, number in zip(view.lines, view.numbers, strict=True)
        )


def largest(limit: int, fits: Callable[[int], bool]) -> int:
    """Finds the largest number from 1 to `limit` that fits, or 0, with few and small tries.

    Small numbers are tried first, so that where trying costs more the larger the number is, the cost stays close to
    that of the answer. What fits must fit all the more for smaller numbers, or nearly so: the answer itself is always
    one that was tried.
    """
    low, high = 0, 1
    while high <= limit and fits(high):
        low, high = high, high * 2
    high = min(high, limit + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
