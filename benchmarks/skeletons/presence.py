"""Tells whether a definition stands in a skeleton.

A skeleton says of each of its lines which line of the source it shows. A definition is present when a skeleton line
that claims the very line of its name holds the name as a whole word; or when a line claims an earlier line and holds,
white space aside, all source text from that line to the name (a signature joined on one line). Each showing counts
once, so k definitions of one name need k showings, and what a definition stands in must be shown above it.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.skeletons.lexing import blank
from benchmarks.skeletons.placement import word_pattern
from benchmarks.skeletons.references import Reference, Role

_BEFORE_CLOSING = re.compile(r",(?=[)\]}>])")
AS_WRITTEN = re.compile(r"⋮ lines? (?P<first>\d+)(?:-(?P<last>\d+))? as written")
"""The mark above lines that could not be read."""


def squeezed(text: str) -> str:
    """A text without white space, line continuations and commas before closing brackets."""
    return _BEFORE_CLOSING.sub("", re.sub(r"\s+|\\\n", "", text).replace("\\", ""))


def _unseparated(text: str) -> str:
    """A squeezed text without the marks that may take the place of a line break."""
    return text.replace(",", "").replace(";", "")


class SkeletonText:
    """A skeleton as lines with the source lines that they claim, and the lines of the source of which a mark tells."""

    def __init__(self, text: str, numbers: Sequence[int], lexicon: str) -> None:
        lines = text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        self.miscounted = len(numbers) != len(lines)
        rows = list(zip(lines, numbers, strict=False))
        self.lines = [line for line, number in rows if number]
        self.numbers = [number for _, number in rows if number]
        self.told = {
            told
            for line, number in rows
            if not number and (mark := AS_WRITTEN.fullmatch(line))
            for told in range(int(mark["first"]), int(mark["last"] or mark["first"]) + 1)
        }
        self.code = blank("\n".join(self.lines), lexicon, keep_strings=True).split("\n")
        self.ordered = all(one <= other for one, other in zip(self.numbers, self.numbers[1:], strict=False))
        self._by_line: dict[int, list[int]] = defaultdict(list)
        for index, number in enumerate(self.numbers):
            self._by_line[number].append(index)

    def claiming(self, line: int) -> list[int]:
        """Indices of the skeleton lines that claim a source line."""
        return self._by_line.get(line, [])

    def last_before(self, line: int) -> int | None:
        """The index of the last skeleton line that claims this source line or one above."""
        index = bisect.bisect_right(self.numbers, line) - 1
        return index if index >= 0 else None

    def window(self, first: int, last: int, index: int) -> str:
        """The code of all skeleton lines that claim a line of a range, and of the line at an index."""
        indices = {index, *range(bisect.bisect_left(self.numbers, first), bisect.bisect_right(self.numbers, last))}
        return "\n".join(self.code[one] for one in sorted(indices))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on one reference in one skeleton.

    Attributes:
        index: the skeleton line that shows it, or -1.
        reason: why it counts as missing, or "".
        whole: its signature is all there; None where there was nothing to compare.
        leaked: skeleton lines that show lines of its body and of which no mark tells.
        told: skeleton lines that show lines of its body, as a mark above them tells.
    """

    index: int
    reason: str
    whole: bool | None = None
    leaked: int = 0
    told: int = 0


def judge(references: Sequence[Reference], source: str, skeleton: SkeletonText, lexicon: str) -> list[Verdict]:
    """A verdict for each reference, in the same order."""
    code = blank(source, lexicon, keep_strings=True).split("\n")
    used: Counter[tuple[int, str]] = Counter()
    indices = [_showing(reference, code, skeleton, used) for reference in references]
    types = [
        (reference.body, index)
        for reference, index in zip(references, indices, strict=True)
        if reference.role is Role.TYPE and reference.body and not reference.exemption
    ]
    verdicts: list[Verdict] = []
    for reference, index in zip(references, indices, strict=True):
        reason = "" if index >= 0 else "not shown"
        around = [shown for body, shown in types if body[0] < reference.line < body[1]]
        if not reason and any(shown < 0 or shown > index for shown in around):
            reason = "shown without what it stands in"
        whole = None
        if not reason and reference.signature:
            first = min(reference.first, skeleton.numbers[index])
            wanted = squeezed(reference.signature).rstrip(",")
            shown = squeezed(skeleton.window(first, reference.last, index))
            whole = wanted in shown or (reference.spans_lines and _unseparated(wanted) in _unseparated(shown))
        leaked = told = 0
        if reference.role is Role.FUNCTION and reference.body and not reference.exemption:
            leaked, told = _leaks(reference, skeleton)
        verdicts.append(Verdict(index=index, reason=reason, whole=whole, leaked=leaked, told=told))
    return verdicts


def _showing(reference: Reference, code: list[str], skeleton: SkeletonText, used: Counter[tuple[int, str]]) -> int:
    pattern = word_pattern(reference.name)
    for index in skeleton.claiming(reference.line):
        if sum(1 for _ in pattern.finditer(skeleton.lines[index])) > used[index, pattern.pattern]:
            used[index, pattern.pattern] += 1
            return index
    index = skeleton.last_before(reference.line)
    if index is None or skeleton.numbers[index] == reference.line or reference.line > len(code):
        return -1
    if sum(1 for _ in pattern.finditer(skeleton.lines[index])) <= used[index, pattern.pattern]:
        return -1
    match = pattern.search(code[reference.line - 1])
    if not match:
        return -1
    above = "\n".join(code[skeleton.numbers[index] - 1 : reference.line - 1])
    if squeezed(above + "\n" + code[reference.line - 1][: match.end()]) not in squeezed(skeleton.code[index]):
        return -1
    used[index, pattern.pattern] += 1
    return index


def _leaks(reference: Reference, skeleton: SkeletonText) -> tuple[int, int]:
    """Returns how many lines show a body without a mark, and with one."""
    if reference.body is None:
        return 0, 0
    opening, closing = max(reference.body[0], reference.last) + 1, reference.body[1] - 1
    indices = range(bisect.bisect_left(skeleton.numbers, opening), bisect.bisect_right(skeleton.numbers, closing))
    shown = [skeleton.numbers[index] in skeleton.told for index in indices if re.search(r"\w", skeleton.code[index])]
    return shown.count(False), shown.count(True)
