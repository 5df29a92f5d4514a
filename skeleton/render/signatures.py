"""Joins signatures that are spread over several lines on one, as level L2 shows them."""

from __future__ import annotations

import re

from skeleton.languages.queries import Language
from skeleton.levels import Role
from skeleton.outline.definitions import Definition, Outline, Span

_STRINGS = re.compile(
    rb'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`', re.DOTALL
)
_QUOTES = re.compile(rb"[\"'`]")
_CONTINUED = re.compile(rb"(?:(?<![ \t])[ \t]+)?\\\r?\n\s*")
_AFTER_OPENER = re.compile(rb"([(\[{<])[ \t\r]*\n\s*")
_BEFORE_CLOSER = re.compile(rb"(?<![ \t\r\n])[ \t\r]*\n\s*([)\]}>])")
_TRAILING_COMMA = re.compile(rb",[ \t\r]*\n\s*[)\]}>]")
_PUNCTUATION = re.compile(rb"[()\[\]{},]")
_BREAK = re.compile(rb"(?<![ \t\r])[ \t\r]*\n\s*")
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(?:if|elif|else|endif)", re.MULTILINE)
_INSIDE = frozenset({Role.COMMENT, Role.DOC, Role.FIELD_VALUE, Role.CONSTANT_VALUE, Role.BODY})
_PARAMETERS = re.compile(rb"[\w>\]!]\Z")


def on_one_line(source: bytes, start: int, end: int, comments: tuple[Span, ...], mark: bytes = b",") -> bytes:
    """A signature with its comments dropped, white space at line breaks folded and trailing commas dropped.

    Among the spans of comments may be empty ones: where a mark takes the place of the line break.

    A comma that makes a tuple of one stays. A signature that holds a string with a line break, or a directive
    of a preprocessor, is given as it is written, comments apart: folding would change it.
    """
    kept: list[bytes] = []
    for comment_start, comment_end in comments:
        before = source[start:comment_start]
        kept.append(before.rstrip(b" ") if source.startswith(b" ", comment_end) else before)
        if comment_start == comment_end:
            kept.append(mark)
        start = comment_end
    text = b"".join((*kept, source[start:end]))
    if _QUOTES.search(text) and any(b"\n" in match[0] for match in _STRINGS.finditer(text)):
        return text
    if _CONDITION.search(text):
        return text
    text = _CONTINUED.sub(b" ", text)
    text = _AFTER_OPENER.sub(rb"\1", text)
    if _TRAILING_COMMA.search(text):
        text = _without_trailing_commas(text)
    text = _BEFORE_CLOSER.sub(rb"\1", text)
    before_brace = b" " if text[-1:].isspace() else b""
    text = _BREAK.sub(b" ", text).strip()
    return (text if _is_open(text) else text.removesuffix(b",")) + before_brace


def _is_open(text: bytes) -> bool:
    """Tells whether the text ends inside brackets: a comma at its end separates what follows from what stands before."""
    return text.endswith(b",") and text.count(b"(") + text.count(b"[") > text.count(b")") + text.count(b"]")


def _without_trailing_commas(text: bytes) -> bytes:
    """Drops the comma before a closing bracket on the next line, unless it makes a tuple of one."""
    kept: list[bytes] = []
    done = 0
    open_brackets: list[tuple[int, int]] = []  # where each is, and how many commas it has so far
    for match in _PUNCTUATION.finditer(text):
        at, mark = match.start(), match[0]
        if mark in b"([{":
            open_brackets.append((at, 0))
        elif mark == b",":
            if open_brackets:
                opener, commas = open_brackets[-1]
                open_brackets[-1] = opener, commas + 1
            if _TRAILING_COMMA.match(text, at) and not _makes_a_tuple(text, at, open_brackets):
                kept.append(text[done:at])
                done = at + 1
        elif open_brackets:
            open_brackets.pop()
    kept.append(text[done:])
    return b"".join(kept)


def _makes_a_tuple(text: bytes, comma: int, open_brackets: list[tuple[int, int]]) -> bool:
    following = text[comma + 1 :].lstrip()
    if not following.startswith(b")") or following[1:].lstrip().startswith((b":", b"=>")) or not open_brackets:
        return False
    opener, commas = open_brackets[-1]
    return commas == 1 and _PARAMETERS.search(text, max(0, opener - 1), opener) is None


def bare(source: bytes, definition: Definition, facts: Outline, language: Language) -> bytes:
    """A signature without comments, initialisers and bodies that stand inside it."""
    kept: list[bytes] = []
    at = definition.signature
    for part in facts.parts:
        if part.end <= at or part.start >= definition.body:
            continue
        for start, end in part.inner if part.role is Role.SIGNATURE else ((part.start, part.end),):
            if (part.role is Role.SIGNATURE or part.role in _INSIDE) and at <= start and end <= definition.body:
                kept.append(source[at:start])
                at = end
    kept.append(source[at : definition.body])
    return rounded(b"".join(kept), language)


def rounded(signature: bytes, language: Language) -> bytes:
    """A signature without what joining it on one line may take away, and without the `;` that stands for a body."""
    return signature.translate(None, b" \t\r\n,\\" + language.line_mark).rstrip(b";")
