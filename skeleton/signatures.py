"""Signatures that are spread over several lines, joined on one (level L2 of `spec/skeleton.md`)."""

from __future__ import annotations

import re

from skeleton.outline import Span

_STRINGS = re.compile(
    rb'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`', re.DOTALL
)
_QUOTES = re.compile(rb"[\"'`]")
_CONTINUED = re.compile(rb"[ \t]*\\\r?\n\s*")
_AFTER_OPENER = re.compile(rb"([(\[{<])[ \t\r]*\n\s*")
_BEFORE_CLOSER = re.compile(rb"(,?)[ \t\r]*\n\s*([)\]}>])")
_BREAK = re.compile(rb"[ \t\r]*\n\s*")
_PARAMETERS = re.compile(rb"[\w>\]!]\Z")
_BRACKETS = {b")": b"(", b"]": b"[", b"}": b"{", b">": b"<"}


def on_one_line(source: bytes, start: int, end: int, comments: tuple[Span, ...]) -> bytes:
    """A signature with its comments dropped, white space at line breaks folded and trailing commas dropped.

    A comma that makes a tuple of one stays. A signature that holds a string with a line break is given as it is
    written, comments apart: folding would change the string.
    """
    kept: list[bytes] = []
    for comment_start, comment_end in comments:
        kept.append(source[start:comment_start])
        start = comment_end
    text = b"".join((*kept, source[start:end]))
    if _QUOTES.search(text) and any(b"\n" in match[0] for match in _STRINGS.finditer(text)):
        return text
    text = _CONTINUED.sub(b" ", text)
    text = _AFTER_OPENER.sub(rb"\1", text)
    text = _BEFORE_CLOSER.sub(_close, text)
    before_brace = b" " if text[-1:].isspace() else b""
    return _BREAK.sub(b" ", text).strip().removesuffix(b",") + before_brace


def _close(match: re.Match[bytes]) -> bytes:
    comma, closer = match[1], match[2]
    return closer if not comma or _may_drop_comma(match.string, match.start(), closer) else comma + closer


def _may_drop_comma(text: bytes, comma: int, closer: bytes) -> bool:
    if closer != b")":
        return True
    depth = 0
    for at in range(comma - 1, -1, -1):
        byte = text[at : at + 1]
        if byte in b")]}":
            depth += 1
        elif byte in b"([{":
            if depth == 0:
                return _PARAMETERS.search(text, 0, at) is not None
            depth -= 1
        elif byte == b"," and depth == 0:
            return True
    return False
