"""Finds what stands between prose and is none, where no fence says so: indented code, and tags of HTML alone on their lines.

Code is a run of lines that are indented by four columns or more behind a blank line, and by four more than its words inside
a list item, as CommonMark has it; a run that reads like sentences is indented prose all the same. A line that opens or
closes an element of HTML and says next to nothing else stays, so that no tag loses its partner.

Everything here is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from compaction.prompt.fences import Span, paragraph_span
from compaction.prose.kinds import is_prose
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_ITEM = re.compile(r"[ \t]*+(?:[-*+•]|[0-9]{1,4}[.)])[ \t]++(?=\S)")
_TAG = re.compile(r"<(?P<closes>/?)(?P<name>[A-Za-z][\w-]*+)(?:\s[^<>]*+)?>")
_LONGEST_TAG_LINE = 400
_ALONE = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
"""Elements that have no closing tag."""

_MOST_WORDS = 5
"""Words beside the tags of a line that is kept for them."""

_CODE_INDENT, _TAB = 4, 4


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    indent: int


def find_blocks(text: str) -> tuple[Span, ...]:
    """Return the spans of indented code and of lines of tags in a text without fences, in order, line ends excluded."""
    lines = [_line(text, found.start(), found.end()) for found in matches(_LINE, text)]
    found: list[Span] = []
    base, was_blank, number = 0, True, 0
    while number < len(lines):
        line = lines[number]
        if not line.text:
            was_blank, number = True, number + 1
            continue
        item = _ITEM.match(line.text)
        if was_blank and line.indent < base and item is None:
            base = 0
        last = number
        if was_blank and line.indent >= base + _CODE_INDENT and item is None:
            last = _end_of_code(lines, number, base)
            run = [other.text for other in lines[number : last + 1] if other.text]
            if 2 * sum(map(is_prose, run)) < len(run):
                found.append(_span(lines[number], lines[last]))
        elif item is not None:
            base = line.indent + item.end()
        elif _stands_for_its_tags(line.text):
            found.append(_span(line, line))
        was_blank, number = False, last + 1
    return tuple(found)


def prose_around(text: str, blocks: Sequence[Span]) -> Iterator[Span]:
    """Return the paragraphs around the blocks of a text, without the white space around them but with their indentation."""
    position = 0
    for block in (*blocks, Span(len(text), len(text))):
        piece = text[position : block.start]
        if piece.strip():
            yield paragraph_span(text, position, block.start)
        position = block.end


def _line(text: str, start: int, end: int) -> _Line:
    words = text[start:end].rstrip()
    stripped = words.lstrip(" \t")
    return _Line(start, start + len(words), stripped, len(words[: len(words) - len(stripped)].expandtabs(_TAB)))


def _end_of_code(lines: Sequence[_Line], number: int, base: int) -> int:
    """The last line of the run that begins with a line: blank ones belong to it where it goes on behind them."""
    last = number
    for place in range(number + 1, len(lines)):
        if not lines[place].text:
            continue
        if lines[place].indent < base + _CODE_INDENT:
            break
        last = place
    return last


def _stands_for_its_tags(line: str) -> bool:
    """Tell whether a line begins with a tag and opens or closes an element without its partner, with next to no words beside."""
    if not line.startswith("<") or len(line) > _LONGEST_TAG_LINE or len(_TAG.sub(" ", line).split()) > _MOST_WORDS:
        return False
    depth: Counter[str] = Counter()
    for tag in _TAG.finditer(line):
        name = tag["name"].lower()
        if name not in _ALONE and not tag[0].endswith("/>"):
            depth[name] += -1 if tag["closes"] else 1
    return any(depth.values())


def _span(first: _Line, last: _Line) -> Span:
    return Span(first.start, last.end)
