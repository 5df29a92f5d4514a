"""A reader of Rust's tokens that looks inside the calls of macros.

It knows words and brackets and nothing else: no grammar, and no code of the engine. A call that stands in the place of an
item is one of a path, `!` and brackets; inside its brackets, and inside any braces there, a word that declares (`fn`,
`struct`, …) with a name behind it begins an item, which ends with a semicolon or with braces. Bodies of functions are
passed over. So it finds what a compiler would only find by expanding the macro, and at times more: in a macro of a
language of its own, what only looks like an item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.skeletons.lexing import blank

_TOKEN = re.compile(r"'[A-Za-z_]\w*|[A-Za-z_]\w*|::|[{}()\[\];!#$=]|[^\s\w]")
_CLOSES = {"{": "}", "(": ")", "[": "]"}
_DECLARES = frozenset(["fn", "struct", "enum", "union", "trait", "mod", "type", "const", "static"])
_MODIFIES = frozenset(["pub", "const", "async", "unsafe", "extern", "default", "static", "mut", "ref", "crate", "auto"])
_ENDS_WITH_SEMICOLON = frozenset(["const", "static", "type", "use"])
_FOLLOWS = frozenset(["{", "(", "<", ";", ":", "=", "where"])
_WORD = re.compile(r"[A-Za-z_]\w*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenItem:
    """One item inside the call of a macro.

    Attributes:
        kind: the word that declares it.
        name: its name.
        line: the line of its name, from 1 on.
        start: where its first word stands, after attributes and docs, in characters.
        end: where it ends.
        call: the line of the innermost call that it stands in.
        macro: the macro's path.
        is_nested: the call holds it in braces that are no item's.
    """

    kind: str
    name: str
    line: int
    start: int
    end: int
    call: int
    macro: str
    is_nested: bool = False


class _Reader:
    def __init__(self, source: str) -> None:
        self.code = blank(source, "rust")
        self.tokens = [(match[0], match.start()) for match in _TOKEN.finditer(self.code)]
        self.closing = self._closing()

    def _closing(self) -> dict[int, int]:
        """The index of the closing bracket of each opening one."""
        stack: list[int] = []
        closing: dict[int, int] = {}
        for index, (token, _) in enumerate(self.tokens):
            if token in _CLOSES:
                stack.append(index)
            elif stack and token == _CLOSES[self.tokens[stack[-1]][0]]:
                closing[stack.pop()] = index
        return closing

    def line_of(self, offset: int) -> int:
        return self.code.count("\n", 0, offset) + 1

    def text(self, index: int) -> str:
        return self.tokens[index][0] if index < len(self.tokens) else ""

    def items(self, at: int, end: int, call: tuple[str, int] | None, *, is_nested: bool = False) -> Iterator[TokenItem]:
        """The items between two tokens that stand in calls of macros.

        Args:
            at: the first token.
            end: behind the last.
            call: the macro around them and the line of its call; None outside of calls.
            is_nested: they stand in braces that are no item's.
        """
        first = -1
        while at < end:
            token, _ = self.tokens[at]
            if token == "#":
                at += 2 if self.text(at + 1) == "!" else 1
                at = self.closing.get(at, at) + 1
                first = -1
            elif token == "macro_rules" and self.text(at + 1) == "!":
                block = at + 3
                stop = self.closing.get(block, end - 1)
                if call is not None:
                    yield self._item("macro_rules", at + 2, first if first >= 0 else at, stop, call, is_nested)
                at, first = stop + 1, -1
            elif (name := self._called(at, end)) is not None:
                path, block = name
                stop = self.closing.get(block, end - 1)
                yield from self.items(block + 1, stop, (path, self.line_of(self.tokens[at][1])))
                at, first = stop + 1, -1
            elif token in _DECLARES or token == "impl" or token == "use":
                start = first if first >= 0 else at
                stop, block = self._end_of(at, end)
                named = self._name_of(at, stop)
                if call is not None and named >= 0:
                    yield self._item(self._declares(at, stop), named, start, stop, call, is_nested)
                if block >= 0 and self._declares(at, stop) in ("impl", "trait", "mod", "struct", "extern"):
                    yield from self.items(block + 1, self.closing.get(block, end), call, is_nested=is_nested)
                at, first = stop + 1, -1
            elif token == "{" and at in self.closing:
                is_foreign = first >= 0 and self.text(first) in ("extern", "unsafe")
                inner = self.items(at + 1, self.closing[at], call, is_nested=is_nested or not is_foreign)
                if call is not None or is_foreign:
                    yield from inner
                at, first = self.closing[at] + 1, -1
            elif token in _CLOSES:
                at = self.closing.get(at, at) + 1
            else:
                if token in _MODIFIES:
                    first = first if first >= 0 else at
                elif token == ";" or (first >= 0 and token not in ("(", ")")):
                    first = -1
                at += 1

    def _called(self, at: int, end: int) -> tuple[str, int] | None:
        """The path of the macro that is called there, and the token of its opening bracket."""
        if not _WORD.match(self.text(at)) or self.text(at - 1) in (".", "$") or self.text(at) in _MODIFIES:
            return None
        last = at
        while self.text(last + 1) == "::" and _WORD.match(self.text(last + 2)):
            last += 2
        if self.text(last + 1) != "!" or self.text(last + 2) not in _CLOSES or last + 2 >= end:
            return None
        return "".join(self.text(index) for index in range(at, last + 1)), last + 2

    def _declares(self, at: int, stop: int) -> str:
        """The word that says what an item is."""
        words = _DECLARES | _MODIFIES - {"mut", "ref"}
        while at < stop and self.text(at) in _MODIFIES and self.text(at + 1) in words:
            at += 1
        return self.text(at)

    def _name_of(self, at: int, stop: int) -> int:
        """The token of an item's name; -1 for none."""
        while at < stop and self.text(at) in _MODIFIES | _DECLARES:
            at += 1
        previous = self.text(at - 1)
        is_named = _WORD.match(self.text(at)) and (previous in _DECLARES or previous in ("mut", "ref"))
        return at if is_named and self.text(at + 1) in _FOLLOWS and self.text(at) != "_" else -1

    def _end_of(self, at: int, end: int) -> tuple[int, int]:
        """The last token of an item, and the one that opens its braces, or -1."""
        word = self._declares(at, end)
        while at < end:
            token = self.text(at)
            if token == ";":
                return at, -1
            if token == "{" and word not in _ENDS_WITH_SEMICOLON:
                return self.closing.get(at, end - 1), at
            at = self.closing.get(at, at) + 1 if token in _CLOSES else at + 1
        return end - 1, -1

    def _item(
        self,
        kind: str,
        named: int,
        start: int,
        stop: int,
        call: tuple[str, int],
        is_nested: bool,
    ) -> TokenItem:
        name, offset = self.tokens[named]
        last, last_at = self.tokens[min(stop, len(self.tokens) - 1)]
        return TokenItem(
            kind=kind,
            name=name,
            line=self.line_of(offset),
            start=self.tokens[start][1],
            end=last_at + len(last),
            call=call[1],
            macro=call[0],
            is_nested=is_nested,
        )


def items_in_macros(source: str) -> list[TokenItem]:
    """The items inside the calls of macros that stand in the place of items, in order."""
    reader = _Reader(source)
    return list(reader.items(0, len(reader.tokens), None))
