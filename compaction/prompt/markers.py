"""The markers of a caller around what may be compressed, and our marks around what was compressed.

`<compress>…</compress>` says what may be compressed (Zipper seed, section 4). Markers pair up like brackets, the
outermost pairs are blocks, and a block loses its markers. Whatever else looks like a marker is text and stays, with a
warning: inside a block (nested), without its counterpart (unclosed), inside a closed code fence, or escaped with a
backslash or by backticks, the way one writes about a marker.

`<compressed>…</compressed>` is the mark on what was compressed already. Dropping tokens is not idempotent: the same text
compressed twice loses twice. So everything that came out smaller goes out between these tags, which cost about eight
tokens, survive being copied into the next prompt, and tell the model that reads them why the text is terse. Marked text
is never compressed again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from compaction.prompt.fences import Span, find_fences
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

OPENING, CLOSING = "<compress>", "</compress>"
MARK_OPENING, MARK_CLOSING = "<compressed>", "</compressed>"

_MARKER = re.compile(r"</?compress>")
_BACKTICKS = re.compile(r"`++")
_MOST_PASSES = 10
_MARK = re.compile(r"</?compressed>")
_COMMENTS = {"yaml": ("# ", ""), "xml": ("<!-- ", " -->")}
"""The beginning and end of a comment of a format, by the name of its adapter."""

_UNMARKED = frozenset({"json"})
"""Formats without comments: what was compressed of them is not known again."""

_PROLOGUES = ("<?xml",)
"""The texts that must come first in a text, so that no comment can."""


class _Found(NamedTuple):
    """Tags of one kind in a text: the outermost pairs, and why the others are none."""

    pairs: list[tuple[Span, Span]]
    others: Counter[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A stretch of a text, with the markers of blocks taken away.

    Attributes:
        compressible: whether it stood between markers.
    """

    text: str
    compressible: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """A text, cut at its markers.

    Attributes:
        blocks: the stretches in order, empty ones left out; joined they are the text without markers.
        warnings: what looks like a marker and stays as text, one sentence for each reason.
    """

    blocks: tuple[Block, ...]
    warnings: tuple[str, ...] = ()

    @property
    def plain(self) -> str:
        """The text without markers."""
        return "".join(block.text for block in self.blocks)


def split_blocks(text: str) -> Marked:
    """Cut a text at its `<compress>` markers, in linear time."""
    if "compress>" not in text:
        return Marked(blocks=(Block(text=text, compressible=False),) if text else ())
    found = _find(text, _MARKER)
    blocks: list[Block] = []
    position = 0
    for opening, closing in found.pairs:
        blocks.append(Block(text=text[position : opening.start], compressible=False))
        blocks.append(Block(text=text[opening.end : closing.start], compressible=True))
        position = closing.end
    blocks.append(Block(text=text[position:], compressible=False))
    return Marked(
        blocks=tuple(block for block in blocks if block.text),
        warnings=tuple(f"{_counted(number)} {reason} and stays as text." for reason, number in found.others.items()),
    )


def marked_spans(text: str) -> tuple[Span, ...]:
    """Return where a text was compressed already, marks included; closed code fences are not looked into."""
    if MARK_CLOSING not in text:
        return ()
    return tuple(
        Span(opening.start - _before(text, opening), closing.end + _behind(text, closing))
        for opening, closing in _find(text, _MARK).pairs
    )


def _before(text: str, opening: Span) -> int:
    """The characters of a comment that begins with an opening mark."""
    return next((len(start) for start, _ in _COMMENTS.values() if text[: opening.start].endswith(start)), 0)


def _behind(text: str, closing: Span) -> int:
    return next((len(end) for _, end in _COMMENTS.values() if end and text.startswith(end, closing.end)), 0)


def is_marked(text: str) -> bool:
    """Return whether all of a text was compressed already."""
    core = text.strip()
    return marked_spans(core) == (Span(0, len(core)),)


def mark(text: str, form: str = "") -> str:
    """Return the text between the marks that keep it from being compressed again.

    A text that is all of one format gets them as comments of that format, so that it still parses, and none where the
    format has no comments.

    Marks inside it are taken away, but for those in closed code fences, and white space around it stays outside.
    """
    for _ in range(_MOST_PASSES):
        # Without its mark a line may become a fence, and what is code may change with it.
        stripped = _without_marks(text)
        if stripped == text:
            break
        text = stripped
    core = text.strip()
    if not core:
        return text
    start = text.index(core)
    lead, tail = text[:start], text[start + len(core) :]
    if form in _UNMARKED or (form in _COMMENTS and core.startswith(_PROLOGUES)):
        return text
    if form in _COMMENTS:
        begin, end = _COMMENTS[form]
        return f"{lead}{begin}{MARK_OPENING}{end}\n{core}\n{begin}{MARK_CLOSING}{end}{tail}"
    # Headings, fences and rows keep their lines for themselves, and a tag beside a backtick would be an escaped one.
    line_end = "\n" if "\n" in core or "`" in core or core.endswith("\\") else ""
    return f"{lead}{MARK_OPENING}{line_end}{core}{line_end}{MARK_CLOSING}{tail}"


def _without_marks(text: str) -> str:
    fences = find_fences(text).closed
    kept: list[str] = []
    position = 0
    for tag in matches(_MARK, text):
        if not _is_inside(tag.start(), fences):
            kept.append(text[position : tag.start()])
            position = tag.end()
    return "".join((*kept, text[position:]))


def _find(text: str, tag: re.Pattern[str]) -> _Found:
    fences = find_fences(text).closed
    pairs: list[tuple[Span, Span]] = []
    others: Counter[str] = Counter()
    code = _CodeSpans(text)
    waiting: list[Span] = []
    for match in matches(tag, text):
        span = Span(*match.span())
        if _is_inside(span.start, fences):
            others["stands in a code fence"] += 1
        elif _is_escaped(text, span, code):
            others["is escaped"] += 1
        elif not match[0].startswith("</"):
            waiting.append(span)
        elif not waiting:
            others["closes nothing"] += 1
        else:
            pairs.append((waiting.pop(), span))
    if waiting:
        others["is never closed"] = len(waiting)
    outermost: list[tuple[Span, Span]] = []
    for pair in sorted(pairs):
        if outermost and pair[0].start < outermost[-1][1].start:
            others["is nested in another"] += 2
        else:
            outermost.append(pair)
    return _Found(outermost, others)


def _is_inside(position: int, spans: Sequence[Span]) -> bool:
    place = bisect_right(spans, position, key=lambda span: span.start)
    return place > 0 and position < spans[place - 1].end


def _is_escaped(text: str, span: Span, code: _CodeSpans) -> bool:
    backslashes = span.start
    while backslashes and text[backslashes - 1] == "\\":
        backslashes -= 1
    return (span.start - backslashes) % 2 == 1 or code.holds(span.start)


class _CodeSpans:
    """The code between backticks, line by line, for positions that only ever grow."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_end = -1
        self._spans: list[Span] = []

    def holds(self, position: int) -> bool:
        if position > self._line_end:
            start = self._text.rfind("\n", 0, position) + 1
            end = self._text.find("\n", position)
            self._line_end = len(self._text) if end < 0 else end
            self._spans = _code_spans(self._text[start : self._line_end], start)
        return _is_inside(position, self._spans)


def _code_spans(line: str, start: int) -> list[Span]:
    """The spans of a line as CommonMark has them: a run of backticks, up to the next run of the same length."""
    runs = [Span(*run.span()) for run in matches(_BACKTICKS, line)]
    later: dict[int, list[Span]] = {}
    for run in reversed(runs):
        later.setdefault(run.end - run.start, []).append(run)
    spans: list[Span] = []
    position = 0
    for run in runs:
        same = later[run.end - run.start]
        while same and same[-1].start <= run.start:
            same.pop()
        if run.start >= position and same:
            position = same[-1].end
            spans.append(Span(start + run.start, start + position))
    return spans


def _counted(number: int) -> str:
    return "A marker" if number == 1 else f"Each of {number} markers"
