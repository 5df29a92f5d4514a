"""Finds the start and the end of a definition's signature, by brackets alone.

The reference parsers of most languages give a name and a line. This reading adds the rest: from the name forward over
balanced brackets to the first mark that cannot stand in a signature (`{`, `;`, …), backward over the lines that are
attributes only, or, where a type may stand on a line of its own, to the end of the statement before. It stops early
rather than late: what it calls a signature is always part of one, so a text that is missing in a skeleton is a fault.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The delimiters of a language's signatures, as regular expressions that are looked for outside brackets.

    Attributes:
        function_ends: what ends the signature of a function.
        type_ends: what ends the signature of a type.
        newline_ends: the end of a line ends it too …
        continues: … unless what follows starts like this.
        after_parameters: it ends with the first closed `()` group.
        type_braces: a `{` after text that ends like this opens a type and not a body.
        refinements: a `{}` before `=` belongs to a type.
        to_terminator: it starts after the `;`, `{` or `}` before it; else on its name's line.
        labels: a label that may stand before a statement.
        attributes: how an attribute on a line of its own starts; its brackets are left out before it is compared.
    """

    function_ends: str
    type_ends: str
    newline_ends: bool = False
    continues: str = ""
    after_parameters: bool = False
    type_braces: str = ""
    refinements: bool = False
    to_terminator: bool = False
    labels: str = ""
    attributes: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Offsets of a signature, half open and with the white space behind it, and of its body's brackets, if it has both."""

    start: int
    end: int
    body: tuple[int, int] | None
    unclosed: bool


_OPENING, _CLOSING = "([{", ")]}"
_MACRO_LINES = re.compile(r"(?:[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?[ \t]*\n\s*)+")
_REFINED = re.compile(r"\s*=(?![=>])")
_GROUP = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|(?<=\w)<[^<>]*>")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


class Brackets:
    """The bracket pairs of a text without comments and strings."""

    def __init__(self, text: str) -> None:
        self.partner: dict[int, int] = {}
        stack: list[int] = []
        for match in re.finditer(r"[(\[{)\]}]", text):
            mark, offset = match.group(), match.start()
            if mark in _OPENING:
                stack.append(offset)
                continue
            wanted = _OPENING[_CLOSING.index(mark)]
            for depth in range(len(stack) - 1, max(-1, len(stack) - 4), -1):  # forgive what a macro left open
                if text[stack[depth]] == wanted:
                    opening = stack[depth]
                    del stack[depth:]
                    self.partner[opening], self.partner[offset] = offset, opening
                    break
        self.blocks = sorted(
            (opening, closing)
            for opening, closing in self.partner.items()
            if opening < closing and text[opening] == "{"
        )

        self._marks = sorted(self.partner)
        self._around: list[int] = []
        """The offset of the bracket that is open behind each mark, or -1."""
        open_marks: list[int] = []
        for mark in self._marks:
            if self.partner[mark] > mark:
                open_marks.append(mark)
            else:
                while open_marks and open_marks.pop() != self.partner[mark]:
                    pass
            self._around.append(open_marks[-1] if open_marks else -1)

    def innermost(self, offset: int) -> int:
        """The offset of the innermost bracket around an offset, or -1."""
        index = bisect.bisect_left(self._marks, offset) - 1
        return self._around[index] if index >= 0 else -1

    def enclosing(self, offset: int) -> list[tuple[int, int]]:
        """The `{}` blocks around an offset, outermost first."""
        index = bisect.bisect_left(self.blocks, (offset, 0))
        return [block for block in self.blocks[:index] if block[1] > offset]


def extent_of(text: str, brackets: Brackets, name: tuple[int, int], form: Form, *, is_type: bool) -> Extent:
    """The signature around a name (start and end offset) in a text without comments and strings."""
    end, opens = _end(text, brackets, name[1], form, is_type=is_type)
    start = _terminated_start(text, brackets, name[0], form) if form.to_terminator else _line_start(text, name[0])
    if not form.to_terminator and form.attributes:
        start = attributed_start(text, start, form.attributes)
    opening = end
    if not opens and text[end : end + 1] == "=":  # `def f = {` (Scala, Kotlin): the value is the body
        opening = end + 1 + len(text[end + 1 :]) - len(text[end + 1 :].lstrip())
        opens = text[opening : opening + 1] == "{"
    if form.after_parameters and not opens:
        opening = end + len(text[end:]) - len(text[end:].lstrip())
        opens = text[opening : opening + 1] == "{"
    body = (opening, brackets.partner[opening]) if opens and opening in brackets.partner else None
    return Extent(start=start, end=end, body=body, unclosed=opens and body is None)


def _end(text: str, brackets: Brackets, offset: int, form: Form, *, is_type: bool) -> tuple[int, bool]:
    ends = _compiled(form.type_ends if is_type else form.function_ends)
    while offset < len(text):
        mark = text[offset]
        if mark == "{" and not is_type and offset in brackets.partner and _opens_type(text, brackets, offset, form):
            offset = brackets.partner[offset] + 1
            continue
        if ends.match(text, offset):
            return offset, mark == "{"
        if mark == "\n" and form.newline_ends:
            rest = text[offset : offset + 400].lstrip()
            if not (form.continues and _compiled(form.continues).match(rest)):
                return offset, False
        if mark in _CLOSING:
            return offset, False
        if mark in _OPENING:
            if offset not in brackets.partner:
                return offset, False
            offset = brackets.partner[offset]
            if form.after_parameters and mark == "(":
                return offset + 1, False
        offset += 1
    return offset, False


def _opens_type(text: str, brackets: Brackets, offset: int, form: Form) -> bool:
    if form.type_braces and re.search(form.type_braces, text[max(0, offset - 40) : offset]):
        return True
    closing = brackets.partner[offset]
    return form.refinements and _REFINED.match(text, closing + 1) is not None


def _line_start(text: str, offset: int) -> int:
    line = text.rfind("\n", 0, offset) + 1
    cut = max(text.rfind(mark, line, offset) for mark in ";{}")
    start = max(line, cut + 1)
    while start < offset and text[start].isspace():
        start += 1
    return start


def _terminated_start(text: str, brackets: Brackets, offset: int, form: Form) -> int:
    position = offset - 1
    while position >= 0:
        mark = text[position]
        if mark in ";{}":
            break
        if mark in ")]":
            position = brackets.partner.get(position, position)
        elif mark in "([":
            break
        position -= 1
    start = position + 1
    while True:
        while start < offset and text[start].isspace():
            start += 1
        label = _compiled(form.labels).match(text, start, offset) if form.labels else None
        macros = _MACRO_LINES.match(text, start, offset)
        found = label or macros
        if not found:
            return start
        start = found.end()


def attributed_start(text: str, start: int, attributes: str) -> int:
    """Moves up over lines that hold attributes only."""
    attribute = re.compile(f"(?:(?:{attributes})\\s*)+")
    line = text.rfind("\n", 0, start) + 1
    found = start
    top = line
    for _ in range(60):  # lines; a longer attribute does not occur
        if top == 0:
            break
        top = text.rfind("\n", 0, top - 1) + 1
        piece = text[top:line].strip()
        if not piece:
            break
        bare = piece
        while (shorter := _GROUP.sub("", bare)) != bare:
            bare = shorter
        if re.search(r"[()\[\]{}]", bare):
            continue  # inside an attribute's brackets: look further up
        if not attribute.fullmatch(bare) and not (bare == "" and piece.startswith("[")):
            break
        found = top + len(text[top:line]) - len(text[top:line].lstrip())
        line = top
    return found
