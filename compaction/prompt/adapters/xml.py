"""XML: tags, attributes, versions and ids stay; long texts and comments are summarised in comments.

Read by expat, the parser of the standard library, which here declares no entities of a document and follows no reference
out of it: a document that declares any is taken for plain text. A long text becomes `[…]` where it stood and its summary
a comment behind the root element (format-adapters seed, "XmlAdapter"); where there are several, each names its element.
A long comment is shortened where it stands. What is written is parsed once more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from compaction.prompt.adapters.base import NotThisFormatError, core_span, one_line, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import is_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_WORDS, _LEAST_CHARACTERS = 6, 100
_PLACEHOLDER = "[…]"
_BEGINNING = re.compile(r"\s*+<(?:\?xml\b|!--|[A-Za-z])")
_CLOSING_TAG = re.compile(r"</[A-Za-z]")
_DASHES = re.compile(r"-(?=-)|-\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A long text or comment.

    Attributes:
        span: what is replaced, in characters.
        text: its words, references resolved, white space single.
        element: the element it stands in.
    """

    span: Span
    text: str
    element: str
    is_comment: bool


class XmlAdapter:
    """See the module."""

    name = "xml"
    is_whole = True
    verifies = True

    def detect(self, content: str) -> bool:
        """Return whether it begins with an XML declaration, a comment or a tag and has a closing tag."""
        return _BEGINNING.match(content) is not None and _CLOSING_TAG.search(content) is not None

    def extract_preserved(self, content: str) -> list[str]:
        """Return the skeleton: `[…]` for each long text, no long comments.

        Raises:
            NotThisFormatError: it is not well-formed, or declares entities.
        """
        return [
            spliced(content, [(found.span, "" if found.is_comment else _PLACEHOLDER) for found in _passages(content)])
        ]

    def extract_compressible(self, content: str) -> list[str]:
        """Return the texts and comments of at least 6 words and 100 characters.

        Raises:
            NotThisFormatError: it is not well-formed, or declares entities.
        """
        return [found.text for found in _passages(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the skeleton, and the summary in a comment behind it."""
        return "\n".join([*preserved, *([_comment(summary)] if summary.strip() else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the document, long comments shortened, long texts summarised behind the root element.

        Raises:
            NotThisFormatError: it is not well-formed any more.
        """
        passages = _passages(content)
        several = sum(not found.is_comment for found in passages) > 1
        replaced: list[tuple[Span, str]] = []
        behind: list[str] = []
        for found, summary in zip(passages, summaries, strict=True):
            if found.is_comment:
                replaced.append((found.span, _comment(summary)))
                continue
            comment = _comment(f"{found.element}: {summary}" if several else summary) if summary.strip() else ""
            if len(_PLACEHOLDER) + len(comment) < found.span.end - found.span.start:
                replaced.append((found.span, _PLACEHOLDER))
                behind.append(comment)
        made = "\n".join([spliced(content, replaced), *filter(None, behind)])
        _passages(made)
        return made


def _comment(summary: str) -> str:
    return f"<!-- {_DASHES.sub('- ', one_line(summary)).strip()} -->"


def _passages(content: str) -> list[_Passage]:
    return _Reader(content).read()


class _Reader:
    """Collects the long texts of one document while expat reads it; offsets of expat are bytes."""

    def __init__(self, content: str) -> None:
        self._content = content
        try:
            self._raw = content.encode("utf-8")
        except UnicodeEncodeError as error:
            raise NotThisFormatError("characters that stand alone") from error
        self._characters = _Offsets(content, self._raw)
        self._open: list[str] = []
        self._text: list[str] = []
        self._text_start = -1
        self._found: list[_Passage] = []
        parser = self._parser = expat.ParserCreate("utf-8")
        parser.buffer_text = False
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters_come
        parser.CommentHandler = self._comment
        parser.StartCdataSectionHandler = self._cut
        parser.EndCdataSectionHandler = self._cut
        parser.ProcessingInstructionHandler = self._instruction
        parser.EntityDeclHandler = self._refuse

    def read(self) -> list[_Passage]:
        try:
            self._parser.Parse(self._raw, True)
        except expat.ExpatError as error:
            raise NotThisFormatError(str(error)) from error
        return self._found

    def _refuse(self, *declaration: object) -> NoReturn:
        del declaration
        raise NotThisFormatError("it declares entities")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        self._cut()
        self._open.append(name)

    def _end(self, name: str) -> None:
        del name
        self._cut()
        self._open.pop()

    def _instruction(self, target: str, content: str) -> None:
        del target, content
        self._cut()

    def _characters_come(self, text: str) -> None:
        if self._text_start < 0:
            self._text_start = self._parser.CurrentByteIndex
        self._text.append(text)

    def _comment(self, text: str) -> None:
        self._cut()
        start = self._parser.CurrentByteIndex
        words = one_line(text)
        if is_prose(words, words=_LEAST_WORDS, characters=_LEAST_CHARACTERS):
            begin = self._characters.at(start)
            span = Span(begin, self._content.index("-->", begin + len("<!--")) + len("-->"))
            self._found.append(_Passage(span=span, text=words, element="", is_comment=True))

    def _cut(self) -> None:
        if self._text_start >= 0:
            words = one_line("".join(self._text))
            if is_prose(words, words=_LEAST_WORDS, characters=_LEAST_CHARACTERS):
                span = core_span(
                    self._content,
                    self._characters.at(self._text_start),
                    self._characters.at(self._parser.CurrentByteIndex),
                )
                self._found.append(_Passage(span=span, text=words, element=self._open[-1], is_comment=False))
        self._text.clear()
        self._text_start = -1


class _Offsets:
    """Bytes of UTF-8 -> characters, for offsets that only ever grow."""

    def __init__(self, content: str, raw: bytes) -> None:
        self._raw = None if content.isascii() else raw
        self._bytes = 0
        self._position = 0

    def at(self, offset: int) -> int:
        """Return the character that begins at a byte."""
        if self._raw is None:
            return offset
        self._position += len(self._raw[self._bytes : offset].decode("utf-8"))
        self._bytes = offset
        return self._position
