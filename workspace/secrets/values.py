r"""Reads the value behind a name as it is written: in quotes, on the rest of a line, on the lines below, in pieces.

One value may stand in several places: a text that is put together of strings (`"…" + "…"`, or strings one below the
other), a line that goes on behind a backslash, a block of YAML. The pieces are judged as one and taken out one by one.
All expressions are bounded, and so is the number of pieces, so the time is linear in the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from workspace.secrets.samples import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterator

QUOTES = (b'"', b"'", b"`")
_LONGEST = 256
"""Bytes of a value that are looked at; one that goes on without a break is a value to its end."""

_MOST_PIECES = 64
_PREFIX = b"@$bBrRuULfF"
_BELOW = rb"(?:[|>][0-9+-]{0,2}[ \t]{0,8})?" + BREAK + rb"(?:-[ \t]{1,4})?"
_OPENED = re.compile(
    rb"(?:" + _BELOW + rb")?(?:(?:new[ \t])?[\w.:]{0,40}(?<!code)\([ \t]{0,4})?(?:\\?" + BREAK + rb")?"
    rb"(?P<quote>[@$bBrRuULfF]{0,2}\\{0,3}(?:[\"']{3}|[\"'`]))"
)
_UNQUOTED = re.compile(rb"[^\s\"'`<>;,&(){}\[\]\\]{1,256}")
_WHOLE_LINE = re.compile(rb"[^\s\"'`]{1,256}+(?=[ \t]{0,80}(?:#|\r?\n|\Z))")
_ELEMENT = re.compile(rb"[^<>\n]{1,256}(?=\s{0,40}(?:</|\]\]>))")
_BLOCK = re.compile(
    rb"[|>][0-9+-]{0,2}[ \t]{0,8}" + BREAK + rb"(?P<secret>[^\s\"'`]{6,256}+)(?=[ \t]{0,80}(?:\r?\n|\Z))"
)
_LIST_OR_LINE = re.compile(
    rb"\r?\n[ \t]{0,40}(?:-[ \t]{1,4})?(?P<secret>[A-Za-z0-9+/_.~!@#$%^&*-]{6,256}+={0,2})(?=[ \t]{0,80}(?:\r?\n|\Z))"
)
_RUN = rb"[A-Za-z0-9+/=_.%~:-]"
_LONG_RUN = re.compile(_RUN + rb"{256}")
_TO_THE_END = re.compile(_RUN + rb"*+")

_PIECE = rb"(?P<secret>[A-Za-z0-9+/=_.~-]{4,256})"
_JOINED = (
    rb"\\{0,3}[\"'`][ \t]{0,8}%s[ \t]{0,8}[bBrRuUfF]?\\{0,3}[\"'`]" + _PIECE + rb"(?=\\{0,3}[\"'`](?![ \t]{0,8}[:=]))"
)
_ADDED = re.compile(_JOINED % (rb"(?:(?:[+&\\]|\.{1,2}|<>)(?:" + BREAK + rb")?|" + BREAK + rb"(?:[+&]|\.{1,2}))"))
_ADDED_OR_BELOW = re.compile(
    _JOINED % (rb"(?:(?:[+&\\]|\.{1,2}|<>)?(?:" + BREAK + rb")?|" + BREAK + rb"(?:[+&]|\.{1,2}))")
)
_BEHIND_BACKSLASH = re.compile(rb"\\\r?\n[ \t]{0,40}" + _PIECE + rb"(?=\\?\s|\Z)")
_LINE_BELOW = re.compile(rb"[ \t]?\r?\n[ \t]{1,40}(?P<secret>[A-Za-z0-9+/=_.~-]{4,256}+)(?=[ \t]{0,8}(?:\r?\n|\Z))")


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """The places of a value, and the way it is written.

    Attributes:
        spans: the pieces of it, each as its first byte and the one behind its last.
        quoted: whether it stands in quotes.
        ends_line: whether its line ends with it.
        in_prose: whether it stands in a sentence or in a comment, where most words are words.
    """

    spans: tuple[tuple[int, int], ...]
    quoted: bool = False
    ends_line: bool = False
    in_prose: bool = False

    def text(self, source: bytes) -> bytes:
        """The value, put together."""
        return b"".join([source[start:end] for start, end in self.spans])


def quoted(source: bytes, start: int, *, is_code: bool) -> Value | None:
    """Reads a text in quotes: to the same quote, on the same line, past escaped ones; with what is added to it.

    Args:
        source: the text.
        start: the byte behind the sign.
        is_code: whether strings one below the other are one.
    """
    opened = _OPENED.match(source, start)
    if opened is None:
        return None
    quote = opened["quote"].lstrip(_PREFIX)
    start = opened.end()
    line = source.find(b"\n", start, start + _LONGEST)
    limit = line if line >= 0 else min(len(source), start + _LONGEST)
    end = source.find(quote, start, limit)
    while end > start and quote[:1] != b"\\" and source[end - 1 : end] == b"\\" and source[end - 2 : end - 1] != b"\\":
        end = source.find(quote, end + 1, limit)
    if end < 0 and _LONG_RUN.match(source, start):
        return Value(spans=((start, start + _LONGEST),), quoted=True)
    if end <= start:
        return None
    spans = ((start, end), *_pieces(_ADDED_OR_BELOW if is_code else _ADDED, source, end))
    return Value(spans=spans, quoted=True)


def unquoted(source: bytes, start: int, *, in_prose: bool = False) -> Value | None:
    """Reads a word up to a blank, a quote or a bracket."""
    match = _UNQUOTED.match(source, start)
    if match is None:
        return None
    end = match.end() - (len(match[0]) - len(match[0].rstrip(b".:")) if in_prose else 0)
    if end <= start:
        return None
    more = () if in_prose else tuple(_pieces(_BEHIND_BACKSLASH, source, end))
    ends_line = source.startswith((b"\\n", b"\\r"), end)
    return Value(spans=((start, end), *more), ends_line=ends_line, in_prose=in_prose)


def rest_of_line(source: bytes, start: int) -> Value | None:
    """Reads a line to its end, where it is one word; with the lines that it goes on in behind a backslash."""
    match = _WHOLE_LINE.match(source, start)
    if match is None:
        return None
    end = match.end()
    goes_on = source[end - 1 : end] == b"\\" and end - start > 1
    end -= goes_on
    more = tuple(_pieces(_BEHIND_BACKSLASH, source, end)) if goes_on else ()
    return Value(spans=((start, end), *more), ends_line=True)


def on_next_line(source: bytes, start: int) -> Value | None:
    """Reads a block of YAML whose lines are words, or the word of the line below, be it the first of a list."""
    block = _BLOCK.match(source, start)
    match = block or _LIST_OR_LINE.match(source, start)
    if match is None:
        return None
    more = tuple(_pieces(_LINE_BELOW, source, match.end())) if block else ()
    return Value(spans=(match.span("secret"), *more), ends_line=True)


def element(source: bytes, start: int) -> Value | None:
    """Reads the text of an XML element, up to its end tag."""
    match = _ELEMENT.match(source, start)
    if match is None:
        return None
    return Value(spans=(match.span(),), ends_line=True)


def whole_spans(source: bytes, value: Value) -> Iterator[tuple[int, int]]:
    """The places of a value; one that was too long to be looked at as a whole goes to its end."""
    for start, end in value.spans:
        longer = _TO_THE_END.match(source, end) if end - start == _LONGEST else None
        yield start, longer.end() if longer else end


def inside_string(source: bytes, start: int) -> bool:
    """Tell whether a place in code is inside a text: an odd number of the same quotes stands before it on its line."""
    if source[max(0, start - 1) : start] in (b";", b"&", b"?"):
        return True
    line = source.rfind(b"\n", max(0, start - _LONGEST), start) + 1
    before = source[line or max(0, start - _LONGEST) : start]
    escaped = [before.count(b"\\" + quote) for quote in QUOTES]
    return any((before.count(quote) - inside) % 2 or inside % 2 for quote, inside in zip(QUOTES, escaped, strict=True))


def _pieces(pattern: re.Pattern[bytes], source: bytes, end: int) -> Iterator[tuple[int, int]]:
    """The pieces that a value goes on in, one behind the other."""
    for _ in range(_MOST_PIECES):
        match = pattern.match(source, end)
        if match is None:
            return
        yield match.span("secret")
        end = match.end("secret")
