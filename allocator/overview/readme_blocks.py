"""Parts the beginning of a README into blocks: headings, paragraphs, items, code, and what is left out of it."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.markup import BREAK, LINK, LINKED, PICTURE, TITLE, passages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_LINE = 4000
"""Characters of a line that anybody wrote to be read."""

_RULE = re.compile(r"[\s=\-~^*_#|:.\"'`+>]*")
_UNDERLINE = re.compile(r"={2,}|-{2,}|~{4,}|\^{4,}|\*{4,}|\+{4,}|#{4,}|\"{4,}|'{4,}|:{4,}|\.{4,}")
_COLUMNS = re.compile(r"(?=[^|]*\|)(?=[^-]*-)[\s|:-]+")
_DIRECTIVE = re.compile(
    r"\s*\.\.(?: |[ \t]*$)|\s{0,3}\[[^\]]+\]:|\s+:\w+:|:[\w!-]+:(?:\s|$)|\w+::[^\s\[]*\[(?>.*\])\W*$"
)
_NOTED = re.compile(r"[ \t]*(?:\.\.(?: (?!.*::)|[ \t]*$)|:[\w !-]{1,60}:(?:\s|$))")
"""A field of reST, or a comment, which may begin below its two points, with what is indented deeper below it."""

_DRAWN = re.compile(r"\s*\.\. (?:\|[^|]+\| )?(?:image|figure)::|image::")
_HEADING = re.compile(r"(#{1,6}|={1,6})\s+\S")
ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)]) (?=\S)")
"""The beginning of an item of a list."""

WORD = re.compile(r"[^\W_]+")
_MARKS = re.compile(f"[{LINK}{LINKED}{PICTURE}]|{TITLE}\\d")


class Kind(Enum):
    """The kind of a block."""

    HEADING = auto()
    TEXT = auto()
    ITEM = auto()
    CODE = auto()
    RULE = auto()
    SHOWN = auto()
    """A picture or a table."""

    NOTHING = auto()
    """All that is left out."""


class Block(NamedTuple):
    """A heading, a paragraph, an item, code.

    Attributes:
        kind: which of these.
        lines: with marks, but for code.
        level: of a heading, 1 for the whole; of an item how far it is indented.
        opens_section: whether a heading is one of the README and not of a block of HTML inside it.
    """

    kind: Kind
    lines: tuple[str, ...] = ()
    level: int = 0
    opens_section: bool = True


GONE = Block(Kind.NOTHING)
READ = (Kind.TEXT, Kind.ITEM, Kind.CODE)
"""The kinds of what says something, but for headings."""


def blocks_of(text: str, *, strict: bool) -> list[Block]:
    """Parts a README into blocks.

    Args:
        text: the file.
        strict: leave out tables, and what stands in one frame with a picture.
    """
    blocks: list[Block] = []
    for is_code, lines in passages(text, strict=strict):
        if is_code:
            blocks.append(Block(Kind.CODE, tuple(line.rstrip() for line in lines if line.strip())))
        else:
            blocks += _of_text(lines)
    return blocks


def _of_text(lines: Sequence[str]) -> Iterator[Block]:
    """Parts text into blocks."""
    held: list[str] = []
    indent = 0

    def ended() -> Iterator[Block]:
        if held:
            is_item = ITEM.match(held[0])
            yield Block(Kind.ITEM if is_item else Kind.TEXT, tuple(held), indent)
            held.clear()

    at = -1
    while (at := at + 1) < len(lines):
        line = lines[at]
        end = BREAK if line.rstrip().endswith(BREAK) else ""
        marked = " ".join(line.replace(BREAK, " ").split())
        bare = unmarked(marked)
        kind = _kind_of(line, marked, bare)
        if kind is Kind.HEADING and _goes_on(lines, at):
            kind = Kind.TEXT  # a comment, in which every line begins so
        if kind is Kind.RULE and len(held) == 1 and _underlines(bare, held[0]):
            yield Block(Kind.HEADING, (held.pop(),), {"=": 1, "-": 2}.get(bare[0], 3))
        elif kind is Kind.HEADING:
            yield from ended()
            yield _heading(marked, bare)
        elif "|" in bare and _COLUMNS.fullmatch(lines[at + 1] if at + 1 < len(lines) else ""):
            yield from ended()
            yield Block(Kind.SHOWN)
            while at + 1 < len(lines) and "|" in lines[at + 1]:
                at += 1
        elif kind is not Kind.TEXT:
            yield from ended()
            if kind is not None:
                yield Block(kind)
            while at + 1 < len(lines) and _NOTED.match(line) and _is_below(line, lines[at + 1]):
                at += 1
        else:
            if ITEM.match(bare) or (held and bare.startswith(">") != held[0].startswith(">")):
                yield from ended()
            indent = indent if held else len(line) - len(line.lstrip())
            held.append(marked + end)
    yield from ended()


def _kind_of(line: str, marked: str, bare: str) -> Kind | None:
    """Tells what a line is by itself; text where it may be a part of something, None where it stands for nothing."""
    if PICTURE in marked and not WORD.search(bare):
        return Kind.SHOWN
    if _DIRECTIVE.match(line):
        return Kind.SHOWN if _DRAWN.match(line) else None
    if _RULE.fullmatch(bare):
        return Kind.RULE if len(bare) > 1 else None
    if len(bare) > MOST_LINE:
        return Kind.NOTHING
    return Kind.HEADING if marked.startswith(TITLE) or _HEADING.match(bare) else Kind.TEXT


def _is_below(line: str, following: str) -> bool:
    """Tells whether a line is indented deeper than the one above it."""
    return len(line) - len(line.lstrip()) < len(following) - len(following.lstrip()) < len(following)


def _goes_on(lines: Sequence[str], at: int) -> bool:
    """Tells whether a line that looks like a heading stands next to another of its sort."""
    sort = lines[at].partition(" ")[0]
    return sort[:1] == "#" and any(
        line.startswith(sort + " ") for line in (*lines[max(at - 1, 0) : at], *lines[at + 1 : at + 2])
    )


def _heading(marked: str, bare: str) -> Block:
    if marked.startswith(TITLE):
        return Block(Kind.HEADING, (marked[2:].strip(),), int(marked[1]), opens_section=False)
    return Block(Kind.HEADING, (marked,), len(bare) - len(bare.lstrip(bare[0])))


def _underlines(rule: str, title: str) -> bool:
    """Tells whether a rule below a line makes it a heading, as Markdown has it and as reST does."""
    bare = unmarked(title)
    is_title = _UNDERLINE.fullmatch(rule) and not bare.startswith((">", "[")) and not ITEM.match(bare)
    return bool(is_title) and (rule[0] in "=-" or len(rule) >= len(bare))


def unmarked(marked: str) -> str:
    """Returns a line without marks."""
    return " ".join(_MARKS.sub("", marked).replace(BREAK, "").split())
