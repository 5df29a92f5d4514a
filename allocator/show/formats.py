"""The formats of a context: five, each a row of functions.

A `Block` is what is shown of one file. A `Format` writes blocks; the table `FORMATS` holds them all, and nothing else
in the package knows how a format looks. Every block starts with a visible character at the start of a line and ends
with a line break. Tokens do not reach across such a border in the vocabularies at hand, so the cost of a context is
the sum of the costs of its blocks, and a budget can be planned with it. (It is counted again on the whole all the
same.)

    plus       the Fractal Protocol, section 3.4, to the letter: each line after `+ `, an empty line as `+` alone, a
               footer with the first eight digits of the file's MD5 and its size in tokens
    compact    the header line alone, the lines as they are; a line that could be taken for a header gets a backslash
    xml        well-formed: a `<file>` element for each block, its text in CDATA
    markdown   a heading and a fenced code block, its fence longer than any inside
    json       one array of objects, one line each

Above lines that could not be read stands `⋮ lines 3-9 as written` (`skeleton.render.regions`).
A line of a file that begins with `⋮` gets a backslash wherever it could be taken for one that stands for others.
Marks stand in square brackets after the path: `[SKELETON:L1]`; `[PART]` under a small budget, in the place of those that
say how many definitions are shown and which of them in full (`allocator.show.elision`); `[CUT]` when only the head of the skeleton is shown;
`[FULL:1-120]` when a skeleton shows its file's first lines in full, `[L1:1-120]` when it shows them at L1;
`[SYNTAX-ERRORS]` and `[UNPROVEN]` for skeletons that are best efforts; `[NO-EOL]` when a full file does not end with a
line break. Full files are reversible: their text can be had back, byte for byte, from `plus`, `compact`, `markdown` and
`json`. XML has no way to write most control characters and no carriage returns; there they are replaced or folded.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from skeleton import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MD5_DIGITS = 8
"""Hexadecimal digits of a file's MD5 in a frame: enough to see that it changed."""

NUMBER = 2.2
"""Tokens of a line's number, about."""

MORE = "⋮"
"""Starts a line that stands for others, with their number."""


class FormatName(StrEnum):
    """The formats of a context."""

    PLUS = "plus"
    COMPACT = "compact"
    XML = "xml"
    MARKDOWN = "markdown"
    JSON = "json"


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """The part of one file that is shown.

    Attributes:
        path: the file, relative to the root.
        level: the level it counts as.
        lines: the lines shown, without their line breaks.
        marks: what else the header says, without brackets.
        md5: of the bytes on disk, in hexadecimal digits.
        original_tokens: tokens of the file's whole text.
        shown_tokens: tokens of the lines shown, without their frame.
        language: the language's name, or nothing.
    """

    path: str
    level: CompressionLevel
    lines: tuple[str, ...]
    marks: tuple[str, ...] = ()
    md5: str = ""
    original_tokens: int = 0
    shown_tokens: int = 0
    language: str = ""

    @property
    def title(self) -> str:
        """The path and the marks, as they stand in a header."""
        level = () if self.level is CompressionLevel.FULL else (f"SKELETON:{self.level}",)
        return " ".join((quoted(self.path), *(f"[{mark}]" for mark in (*level, *self.marks))))


class Pricing(msgspec.Struct, frozen=True, kw_only=True):
    """The tokens that a format adds to text, about: enough to plan with.

    Attributes:
        block: tokens of a block besides its lines and the words of its path.
        line: tokens of each line besides its text.
        name: tokens of the name of a definition in full, in the header.
    """

    block: float
    line: float
    name: float = 4.0

    def with_numbers(self) -> Pricing:
        """The same where every line starts with its number."""
        return replace(self, line=self.line + NUMBER)


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """The functions that write blocks as one text.

    Attributes:
        frame: writes one block; the result ends with a line break.
        notice: writes a text that stands in for all blocks when there are none.
        aside: writes lines that belong to no file, under a title; the result ends with a line break.
        closing_line: writes one line that stands after all blocks; likewise.
        pricing: what it adds to text, about.
        terse_pricing: the same where headers say as little as may be; None where they always say all.
        opening: stands before the first block.
        separator: stands between two blocks, in place of the line break that ends the first.
        closing: stands after the last block.
        tells_size: whether a block says how many tokens of the file it shows.
        is_open: whether a line of a whole file could be taken for one that stands after all blocks.
    """

    frame: Callable[[Block], str]
    notice: Callable[[str], str]
    aside: Callable[[str, str], str]
    closing_line: Callable[[str], str]
    pricing: Pricing
    terse_pricing: Pricing | None = None
    opening: str = ""
    separator: str = "\n"
    closing: str = ""
    tells_size: bool = False
    is_open: bool = False

    def cost_text(self, framed: str) -> str:
        """The text whose tokens a framed block costs: with what parts it from the next one."""
        return framed[:-1] + self.separator

    def join(self, framed: list[str]) -> str:
        """Puts framed blocks together."""
        if not framed:
            return ""
        return self.opening + self.separator.join(text[:-1] for text in framed) + "\n" + self.closing


def quoted(path: str) -> str:
    """Writes a path so that it stands on one line and is not taken for a mark; most paths stay as they are."""
    return json.dumps(path) if _ODD_PATH.search(path) else path


_ODD_PATH = re.compile(r'[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]|^[\s"]|\s$| \[')
_TAKEN_FOR_HEADER = re.compile(r"\\*\+\+\+ ")
_COUNTS = (MORE, "\\")
_TAKEN_FOR_COUNT = re.compile(rf"\\*{MORE}")
_NOT_IN_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Compiled where it is used: that takes longer than to load this module, and serves one format."""

_FENCE = re.compile(r"`{3,}")


def as_written(line: str) -> str:
    """Writes a line of a file so that it is not taken for one that stands for others."""
    return f"\\{line}" if line.startswith(_COUNTS) and _TAKEN_FOR_COUNT.match(line) else line


def _plain_notice(text: str) -> str:
    return f"{MORE} {text}\n"


def _plain_aside(title: str, text: str) -> str:
    body = "".join(f"\\{line}\n" if _TAKEN_FOR_HEADER.match(line) else f"{line}\n" for line in text.split("\n")[:-1])
    return f"+++ [{title}]\n{body}"


def _plus(block: Block) -> str:
    body = "".join(f"+ {line}\n" if line else "+\n" for line in block.lines)
    size = f"[original:{block.original_tokens} tokens"
    if block.level is not CompressionLevel.FULL:
        size += f" → skeleton:{block.shown_tokens} tokens"
    return f"+++ {block.title}\n{body}--- {quoted(block.path)} [md5:{block.md5[:MD5_DIGITS]}] {size}]\n"


def _compact(block: Block) -> str:
    body = "".join(f"\\{line}\n" if _TAKEN_FOR_HEADER.match(line) else f"{line}\n" for line in block.lines)
    return f"+++ {block.title}\n{body}"


def _xml(block: Block) -> str:
    from xml.sax.saxutils import quoteattr  # brings the network with it, and serves one format

    attributes = {
        "path": block.path,
        "level": block.level.value,
        "marks": " ".join(block.marks),
        "md5": block.md5[:MD5_DIGITS],
        "original": str(block.original_tokens),
    }
    written = "".join(f" {name}={quoteattr(_in_xml(value))}" for name, value in attributes.items() if value)
    body = _in_xml("".join(f"{line}\n" for line in block.lines)).replace("]]>", "]]]]><![CDATA[>")
    return f"<file{written}><![CDATA[\n{body}]]></file>\n"


def _xml_notice(text: str) -> str:
    from xml.sax.saxutils import escape  # as above

    return f"<context>{escape(text)}</context>\n"


def _in_xml(text: str) -> str:
    return re.sub(_NOT_IN_XML, "\N{REPLACEMENT CHARACTER}", text)


def _xml_aside(title: str, text: str) -> str:
    body = _in_xml(text).replace("]]>", "]]]]><![CDATA[>")
    return f"<{title.lower()}><![CDATA[\n{body}]]></{title.lower()}>\n"


def _xml_closing_line(text: str) -> str:
    from xml.sax.saxutils import escape  # as above

    return f"<more>{escape(_in_xml(text))}</more>\n"


def _markdown_aside(title: str, text: str) -> str:
    fence = "`" * max((len(run) + 1 for run in _FENCE.findall(text)), default=3)
    return f"## [{title}]\n{fence}\n{text}{fence}\n"


def _markdown(block: Block) -> str:
    body = "".join(f"{line}\n" for line in block.lines)
    fence = "`" * max((len(run) + 1 for run in _FENCE.findall(body)), default=3)
    return f"## {block.title}\n{fence}{block.language}\n{body}{fence}\n"


def _json(block: Block) -> str:
    marks = {"marks": block.marks} if block.marks else {}
    record = {
        "path": block.path,
        "level": block.level,
        **marks,
        "md5": block.md5[:MD5_DIGITS],
        "original_tokens": block.original_tokens,
        "text": "".join(f"{line}\n" for line in block.lines),
    }
    return compact_json(record) + "\n"


def compact_json(value: object) -> str:
    """Writes JSON in few tokens; what UTF-8 cannot hold, such as a byte of an undecodable path, is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


FORMATS: Mapping[FormatName, Format] = MappingProxyType(
    {
        FormatName.PLUS: Format(
            frame=_plus,
            notice=_plain_notice,
            aside=_plain_aside,
            closing_line=_plain_notice,
            pricing=Pricing(block=52, line=1.0),
            tells_size=True,
        ),
        FormatName.COMPACT: Format(
            frame=_compact,
            notice=_plain_notice,
            aside=_plain_aside,
            closing_line=_plain_notice,
            pricing=Pricing(block=22, line=0.0),
            terse_pricing=Pricing(block=15, line=0.0, name=0.0),
            is_open=True,
        ),
        FormatName.XML: Format(
            frame=_xml,
            pricing=Pricing(block=56, line=0.0),
            notice=_xml_notice,
            aside=_xml_aside,
            closing_line=_xml_closing_line,
            opening="<context>\n",
            closing="</context>\n",
        ),
        FormatName.MARKDOWN: Format(
            frame=_markdown,
            notice=_plain_notice,
            aside=_markdown_aside,
            closing_line=_plain_notice,
            pricing=Pricing(block=30, line=0.0),
            separator="\n\n",
        ),
        FormatName.JSON: Format(
            frame=_json,
            pricing=Pricing(block=56, line=0.7),
            notice=lambda text: compact_json([{"notice": text}]) + "\n",
            aside=lambda title, text: compact_json({title.lower(): text}) + "\n",
            closing_line=lambda text: compact_json({"more": text}) + "\n",
            opening="[\n",
            separator=",\n",
            closing="]\n",
        ),
    }
)
"""Every format by its name."""
