"""A text as lines of words: both engines choose some of them, and the rest is put together again.

An engine decides about words; this module sees to it that what is left still reads as the same text. Each line keeps its
place, its indentation and its mark (`- `, `3. `, `## `, `> `), a run of blank lines stays one run of blank lines, and two
words are never glued: what stood between white space goes on standing between white space. A text of which every word is
kept comes back byte for byte.

A word is what stands between white space, so that `src/a.py`, `Config.load` and `--flag` are kept or dropped whole; the
punctuation behind a word is a word of its own that clings to what stands before it. Scripts that write no spaces between
ideographs have a word for each ideograph, which is how the tokenizers of multilingual models see them.

Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_IDEOGRAPHS = (
    "\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20\U00020000-\U0003fffd"
)
_SPACELESS = re.compile(rf"[{_IDEOGRAPHS}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff]")
_RUN = re.compile(rf"[{_IDEOGRAPHS}]|[^\s{_IDEOGRAPHS}]+")
_PUNCTUATION = ".,;:!?…"
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r|\Z)")
_SPACE = re.compile(r"\s")
_LEAD = re.compile(
    r"[^\S\r\n]*+(?>(?:>[^\S\r\n]*+)*)(?>(?:(?:[-*+•]|[0-9]{1,4}[.)]|#{1,6})[^\S\r\n]++(?>(?:\[[ xX]\][^\S\r\n]++)?))?)"
)


@dataclass(frozen=True, slots=True)
class Word:
    """A half-open range of characters of a text.

    Attributes:
        clings: whether it is punctuation that stands directly behind another word.
    """

    start: int
    end: int
    clings: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text, as ranges of its characters and of its words.

    Attributes:
        start: its first character.
        lead: where its words begin, behind indentation and marks.
        end: the character behind its last, line end included.
        first: the number of its first word.
        last: the number behind that of its last word; a line without words is a blank one.
    """

    start: int
    lead: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A text, cut into lines and words; get one from `lay_out`."""

    text: str
    lines: tuple[Line, ...]
    words: tuple[Word, ...]

    def word(self, number: int) -> str:
        """Return the text of a word."""
        word = self.words[number]
        return self.text[word.start : word.end]

    def render(self, kept: Sequence[bool]) -> str:
        """Return the text with the words that are kept; a line that lost all of its words is gone.

        Args:
            kept: for each word whether it stays.
        """
        body = len(self.lines)
        while body and self.lines[body - 1].first == self.lines[body - 1].last:
            body -= 1
        shown: list[str] = []
        blanks: list[str] = []  # the first run of blank lines since the last line that is shown
        gathering = True
        for line in self.lines[:body]:
            if line.first == line.last:
                if gathering:
                    blanks.append(self.text[line.start : line.end])
                continue
            numbers = [number for number in range(line.first, line.last) if kept[number]]
            if numbers:
                shown += blanks
                shown.append(self._line(line, numbers))
                blanks = []
            gathering = bool(numbers) or (gathering and bool(shown) and not blanks)
        if shown and not self.text.endswith(("\n", "\r")) and body == len(self.lines):
            shown[-1] = shown[-1].rstrip("\r\n")  # the last line of the text had no end, and now another is the last
        return "".join(shown) + "".join(self.text[line.start : line.end] for line in self.lines[body:])

    def _line(self, line: Line, numbers: Sequence[int]) -> str:
        if len(numbers) == line.last - line.first:
            return self.text[line.start : line.end]
        pieces = [self.text[line.start : line.lead]]
        before: int | None = None
        for number in numbers:
            joint = self._joint(before, number)
            if joint is not None:
                pieces += (joint, self.word(number))
                before = number
        if before is None:  # nothing but punctuation is kept of it
            pieces.append(self.word(numbers[0]))
        return "".join(pieces) + self.text[self.words[line.last - 1].end : line.end]

    def _joint(self, before: int | None, number: int) -> str | None:
        """Returns the text between two words of a line that are kept; None where punctuation has nothing to cling to."""
        word = self.words[number]
        if before is None:
            return None if word.clings else ""
        earlier = self.words[before]
        if number == before + 1:
            return self.text[earlier.end : word.start]
        if word.clings:
            return None if earlier.clings else ""
        if _SPACE.search(self.text, earlier.end, word.start):
            return " "
        left, right = self.text[earlier.end - 1], self.text[word.start]
        apart = left.isalnum() and right.isalnum() and not _SPACELESS.match(left) and not _SPACELESS.match(right)
        return " " if apart else ""


def lay_out(text: str) -> Layout:
    """Return the lines and words of a text."""
    lines: list[Line] = []
    words: list[Word] = []
    for found in matches(_LINE, text):
        start, end = found.span()
        if start == end:
            break
        lead = _LEAD.match(text, start, end)
        begin = lead.end() if lead else start
        first = len(words)
        words += _words(text, begin, end)
        lines.append(Line(start, begin, end, first, len(words)))
    return Layout(text, tuple(lines), tuple(words))


def _words(text: str, start: int, end: int) -> Iterator[Word]:
    for run in matches(_RUN, text, start, end):
        core = len(run[0].rstrip(_PUNCTUATION))
        if 0 < core < len(run[0]):
            yield Word(run.start(), run.start() + core, clings=False)
            yield Word(run.start() + core, run.end(), clings=True)
        else:
            yield Word(run.start(), run.end(), clings=False)
