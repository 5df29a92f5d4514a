"""Blanks the conditions of a preprocessor that tear a block apart, so that a source is read as if there were none.

    #ifdef __MVS__
        if (thread.id != 0) {
    #else
        if (thread != 0) {
    #endif
            join(thread);
        }

To a grammar without a preprocessor two blocks open here and one ends, so the rest of the file is a part of this function.
Where a branch opens another number of blocks than it closes, the directives are blanked, and the one behind it closes
what it opened, or opens what it closed: all branches stand behind each other, and what is in none of them goes on with
the last. Everything that the file defines is still there, at its place. Of such a condition a skeleton may show the first
directive without the others, so one that belongs to no other is blanked as well.

    #if SUBSET
        if (set->extended) {
    #endif
            adjust(set);
    #if SUBSET
        }
    #endif

Of two conditions without another branch that say the same, the first of which opens in a body what the second closes, the
directives are blanked too.

    if (error == RESET
    #if WINDOWS
        || error == ABORTED
    #endif
        )

What a branch begins with or ends with may need what stands before the condition, or behind it: an operator, an `else`, the
items of a list, a label. The directives of such a condition are blanked, and all branches stand behind each other.

    #ifdef __cplusplus
    extern "C" {
    #endif
    int add(int a);
    #ifdef __cplusplus
    }
    #endif

What opens and closes a block of declarations in two conditions is blanked, for such a block holds them as the file does.

    bool opt_retain =
    #ifdef RETAIN
        true
    #else
        false
    #endif
        ;

Of a condition between values the first branch is read, and the others are blanked with the directives: a value defines
nothing. A branch that is a value with its `=` is read without its directives.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Final

_QUIET: Final = re.compile(
    rb'//[^\n]*|/\*(?:.*?\*/|.*+)|\\.|"(?>(?:[^"\\\n]|\\.)*)"|\'(?>(?:[^\'\\\n]|\\.)*)\''
    rb"|^[ \t]*+#(?>(?:[^\n\\]|\\\r?\n|\\)*)",
    re.DOTALL | re.MULTILINE,
)
"""Texts whose brackets do not count: comments, strings, directives. Whatever the source, one pass reads them."""

_BRACKET: Final = re.compile(rb"[{}]")
_VISIBLE: Final = re.compile(rb"[^\r\n]")
_INDENTED: Final = re.compile(rb"[ \t]*(?:\r?\n[ \t]*)*\r?\n[ \t]+\S")
"""The start of an indented branch, which stands in a body; what opens `extern "C"` is not indented."""

_BLANKS: Final = b" \t\r\n\f\v"
_BEGINS_VALUE: Final = re.compile(rb"\s*=(?!=)")
_COMPARING: Final = (b"=", b"<", b">", b"!")
_IS_VALUE: Final = re.compile(rb"\s*+[^;\s][^;]*+(?>(?P<end>;)?)\s*+")
"""The start of a branch that is a value with its `=`; what makes another operator of one; a branch that is a value."""

_HEAD: Final = re.compile(
    rb"\n(?:[ \t]+(?=[A-Za-z_][\w:<>,]*+[ \t*&]++[A-Za-z_~]))?(?!(?:else|return|case|if|while|for|switch|do|throw|delete|goto)\b)"
    rb"(?=[A-Za-z_])(?>[^()=]*)(?<=[\w*&])\((?s:.*)\)()(?=\s)"
)
"""The head of a function, from the beginning of a line on, where it is indented with a word before its name; behind its last
bracket a group."""

_ENDS_WITH_HEAD: Final = re.compile(rb"\)(?=\s)[ \t]*(?://[^\n]*|/\*[^\n]*\*/)?\s*\Z")
_NO_HEAD: Final = (b";", b"{", b"}", b"#")
"""Stands in no head."""

_BLOCK: Final = re.compile(rb"\s*[{;]")
_MOST_HEAD: Final = 500
"""Bytes at the end of a branch in which its head stands."""

_GOES_ON: Final = re.compile(
    rb"\s*+(?>(?:/\*(?>(?:[^*]|\*(?!/))*)\*/\s*+|//[^\n]*+\s*+)*)"
    rb"(?:\|\||&&|,|[?:](?!:)|<<|\.|->|(?:\}\s*+)?else\b|(?:final|override|noexcept)\b|\"|\[\w+\]\s*+=(?!=))"
)
"""The start of a branch that goes on with what stands before it."""

_BREAKS_OFF: Final = re.compile(
    rb"(?:\belse|\|\||&&|\n[ \t]*+(?!(?:public|private|protected|default|signals|slots)\b)[A-Za-z_]\w*+[ \t]*+:)"
    rb"[ \t]*+(?://[^\n]*+|/\*[^\n]*\*/)?\s*+\Z"
)
"""The end of a branch that needs what stands behind it."""

_OPENS_LINKAGE: Final = re.compile(rb'\s*+(?P<start>extern\s++"C"\s*+\{)\s*+\Z')
_CLOSES_LINKAGE: Final = re.compile(rb"\s*+(?P<end>\}[^\n]*+)")

_OPENS_ITEM: Final = re.compile(rb"\s*+(?:\w++[({]|\{)")
_ENDS_ITEM: Final = re.compile(rb",\s*+\Z")
_MOST_END: Final = 200
"""Bytes at the end of a branch in which its last word stands."""

_REMARK: Final = re.compile(rb"//|/\*")
_OPENS: Final = b"if"
_CLOSES: Final = b"endif"
_ONE_SIDE: Final = 2
"""The directives of a condition without `#else`."""


def untorn(text: bytes, conditions: re.Pattern[bytes]) -> bytes:
    """Returns the text, as long as before, with conditions of one kind blanked: those that tear a block apart.

    Args:
        text: what is to be parsed.
        conditions: a directive, whole; its first group says which: `if…`, `endif`, or anything between the two.
    """
    directives = list(conditions.finditer(text))
    if not _may_be_torn(text, directives):
        return text
    blocks = _Blocks(text)
    changed = bytearray(text)
    mended: list[tuple[int, int]] = []
    for condition in _conditions([one for one in directives if blocks.holds(one)]):
        if len(condition) == 1:
            changed[condition[0].start() : condition[0].end()] = _blanked(condition[0][0], 0)
            continue
        starts = [one.start() for one in condition]
        depths = [blocks.opened(one.end(), other.start()) for one, other in pairwise(condition)]
        inside = 0
        while mended and mended[-1][0] > starts[0]:
            at, by = mended.pop()
            inside += by
            depths[bisect_left(starts, at) - 1] += by
        if len(condition) > _ONE_SIDE and any(depths):
            for directive, depth in zip(condition, (0, *depths[:-1], 0), strict=True):
                changed[directive.start() : directive.end()] = _blanked(directive[0], depth)
            inside -= sum(depths[:-1])
        if inside:
            mended.append((starts[0], inside))
    for start, end, last in _around_values(text, directives, blocks):
        changed[start:end] = _VISIBLE.sub(b" ", text[start : end - len(last)]) + last
    for condition, ends in _around_heads(text, directives, blocks):
        for directive in condition:
            blank = (
                b" " if directive is condition[-1] else b"\f"
            )  # the last stands in a signature, the others in nothing
            changed[directive.start() : directive.end()] = _VISIBLE.sub(blank, directive[0])
        for end in ends:
            changed[end : end + 1] = b";"
    for start, end in _linkages(text, directives, blocks):
        changed[start:end] = _VISIBLE.sub(b" ", text[start:end])
    for directive in (*_halves(text, directives, blocks), *_parts(text, changed, directives, blocks)):
        changed[directive.start() : directive.end()] = _blanked(directive[0], 0)
    read = bytes(changed)
    return text if read == text else read


def _may_be_torn(text: bytes, directives: Sequence[re.Match[bytes]]) -> bool:
    """Tells whether a directive stands alone or a branch holds more brackets of one kind than of the other, in any text."""
    between = (text[one.end() : other.start()] for one, other in pairwise(directives))
    opened = list(accumulate((piece.count(b"{") - piece.count(b"}") for piece in between), initial=0))
    places = {one.start(): place for place, one in enumerate(directives)}
    for condition in _conditions(directives):
        depths = [opened[places[one.start()]] for one in condition]
        is_open = any(one != other for one, other in pairwise(depths))
        if len(condition) == 1 or (is_open and (len(condition) > _ONE_SIDE or _is_in_body(text, condition))):
            return True
        if _BEGINS_VALUE.match(text, condition[0].end()) or _is_before_value(text, condition[0].start()):
            return True
        if _BLOCK.match(text, condition[-1].end()) or _is_part(text, condition):
            return True
        if is_open and _OPENS_LINKAGE.match(text, condition[0].end(), condition[1].start()):
            return True
    return False


def _linkages(text: bytes, directives: Sequence[re.Match[bytes]], blocks: _Blocks) -> Iterator[tuple[int, int]]:
    """Yields what opens a block of declarations in a condition, and what closes it in another."""
    opening: list[tuple[int, int]] = []
    conditions = _conditions([one for one in directives if blocks.holds(one)])
    for condition in sorted(conditions, key=lambda one: one[0].start()):
        if len(condition) != _ONE_SIDE:
            continue
        branch = condition[0].end(), condition[1].start()
        depth = blocks.opened(*branch)
        if depth == 1 and (opens := _OPENS_LINKAGE.match(text, *branch)):
            opening.append(opens.span("start"))
        elif depth == -1 and opening and (closes := _CLOSES_LINKAGE.match(text, *branch)):
            yield from (opening.pop(), closes.span("end"))


def _is_part(text: bytes, condition: Sequence[re.Match[bytes]]) -> bool:
    """Tells whether a branch of a condition goes on with what stands before it, or with it what stands behind."""
    branches = [(one.end(), other.start()) for one, other in pairwise(condition)]
    if any(_GOES_ON.match(text, *span) for span in branches):
        return True
    ends = [(max(start, end - _MOST_END), end) for start, end in branches]
    if any(_BREAKS_OFF.search(text, *span) for span in ends):
        return True
    items = zip(branches, ends, strict=True)
    return all(_OPENS_ITEM.match(text, *span) and _ENDS_ITEM.search(text, *end) for span, end in items)


def _parts(
    text: bytes, changed: bytearray, directives: Sequence[re.Match[bytes]], blocks: _Blocks
) -> Iterator[re.Match[bytes]]:
    """Yields the directives, as yet unchanged, of each condition whose branches are nothing of their own."""
    for condition in _conditions([one for one in directives if blocks.holds(one)]):
        is_changed = any(not changed.startswith(one[0], one.start()) for one in condition)
        if len(condition) >= _ONE_SIDE and not is_changed and _is_part(text, condition):
            yield from condition


def _is_in_body(text: bytes, condition: Sequence[re.Match[bytes]]) -> bool:
    """Tells whether what stands in the first branch of a condition is indented."""
    return _INDENTED.match(text, condition[0].end(), condition[1].start()) is not None


def _around_values(
    text: bytes, directives: Sequence[re.Match[bytes]], blocks: _Blocks
) -> Iterator[tuple[int, int, bytes]]:
    """Yields what is not read of each condition between values, in which no other stands, and what ends it."""
    directives = [one for one in directives if blocks.holds(one)]
    places = {one.start(): place for place, one in enumerate(directives)}
    for condition in _conditions(directives):
        first, last = condition[0], condition[-1]
        if places[last.start()] - places[first.start()] != len(condition) - 1 or len(condition) < _ONE_SIDE:
            continue
        inside = [(one.end(), other.start()) for one, other in pairwise(condition)]
        if _BEGINS_VALUE.match(text, *inside[0]):
            if len(condition) == _ONE_SIDE:
                yield *first.span(), b""
                yield *last.span(), b""
        elif _is_before_value(text, first.start()):
            values = [_IS_VALUE.fullmatch(text, *span) for span in inside]
            ends = [match.start("end") for match in values if match is not None]
            is_alike = len(ends) == len(values) and len({end < 0 for end in ends}) == 1
            if is_alike and not any(blocks.opened(*span) for span in inside):
                yield *first.span(), b""
                yield (ends[0], last.end(), b";") if ends[0] >= 0 else (condition[1].start(), last.end(), b"")


def _around_heads(
    text: bytes, directives: Sequence[re.Match[bytes]], blocks: _Blocks
) -> Iterator[tuple[Sequence[re.Match[bytes]], list[int]]]:
    """Yields each condition between the heads of functions that share a block, and the ends of all heads but the last."""
    for condition in _conditions([one for one in directives if blocks.holds(one)]):
        if len(condition) <= _ONE_SIDE or not _BLOCK.match(text, condition[-1].end()):
            continue
        ends = [_end_of_head(text, one.end(), other.start()) for one, other in pairwise(condition)]
        if min(ends) >= 0:
            yield condition, ends[:-1]


def _end_of_head(text: bytes, start: int, end: int) -> int:
    """Returns where the head of a function ends that a branch ends with; -1 where it ends with none."""
    start = max(start, end - _MOST_HEAD)
    start = max(start, *(text.rfind(sign, start, end) for sign in _NO_HEAD))
    closing = _ENDS_WITH_HEAD.search(text, start, end)
    head = _HEAD.search(text, start, closing.start() + 2) if closing else None
    return head.end(1) if head else -1


def _is_before_value(text: bytes, at: int) -> bool:
    """Tells whether what stands before a place ends with the `=` of an initialiser or assignment."""
    while at > 0 and text[at - 1] in _BLANKS:
        at -= 1
    return text[at - 1 : at] == b"=" and text[at - 2 : at - 1] not in _COMPARING


def _halves(text: bytes, directives: Sequence[re.Match[bytes]], blocks: _Blocks) -> Iterator[re.Match[bytes]]:
    """Yields the directives of each two conditions that say the same, one of which opens what the other closes."""
    opening: list[tuple[Sequence[re.Match[bytes]], int]] = []
    conditions = _conditions([one for one in directives if blocks.holds(one)])
    for condition in sorted(conditions, key=lambda one: one[0].start()):
        if len(condition) != _ONE_SIDE or not _is_in_body(text, condition):
            continue
        depth = blocks.opened(condition[0].end(), condition[1].start())
        if depth > 0:
            opening.append((condition, depth))
        elif depth < 0 and opening and opening[-1][1] == -depth and _says(opening[-1][0]) == _says(condition):
            yield from (*opening.pop()[0], *condition)


def _says(condition: Sequence[re.Match[bytes]]) -> bytes:
    """Returns the first directive of a condition without a comment behind it and white space at its ends."""
    return _REMARK.split(condition[0][0], maxsplit=1)[0].strip()


def _conditions(directives: Sequence[re.Match[bytes]]) -> Iterator[Sequence[re.Match[bytes]]]:
    """Yields the directives of each condition, inner ones first; one that belongs to no other stands alone."""
    around: list[list[re.Match[bytes]]] = []
    for directive in directives:
        if directive[1].startswith(_OPENS):
            around.append([directive])
        elif not around:
            yield [directive]
        else:
            around[-1].append(directive)
            if directive[1] == _CLOSES:
                yield around.pop()
    yield from ([directives[0]] for directives in around)


class _Blocks:
    """The brackets of a text that are code, and its directives, counted in one pass.

    Args:
        text: of which it is asked.
    """

    def __init__(self, text: bytes) -> None:
        self._directives = set[int]()
        self._brackets: list[int] = []
        done = 0
        kinds: list[int] = []
        for quiet in (*_QUIET.finditer(text), None):
            start = len(text) if quiet is None else quiet.start()
            for bracket in _BRACKET.finditer(text, done, start):
                self._brackets.append(bracket.start())
                kinds.append(1 if bracket[0] == b"{" else -1)
            if quiet is not None:
                done = quiet.end()
                self._directives.add(start)
        self._opened = list(accumulate(kinds, initial=0))

    def holds(self, directive: re.Match[bytes]) -> bool:
        """Tells whether a directive is one, and not a line of a comment."""
        return directive.start() in self._directives

    def opened(self, start: int, end: int) -> int:
        """Returns the blocks that a stretch opens and does not close; negative where it closes more than it opens."""
        return self._opened[bisect_left(self._brackets, end)] - self._opened[bisect_left(self._brackets, start)]


def _blanked(directive: bytes, depth: int) -> bytes:
    """Returns a directive as blanks that end in what closes so many blocks, or opens so many."""
    brackets = (b"}" if depth > 0 else b"{") * abs(depth)
    blanks = _VISIBLE.sub(b" ", directive)
    last = len(blanks) - (blanks.rfind(b"\n") + 1)
    return blanks[: len(blanks) - len(brackets)] + brackets if len(brackets) <= last else blanks
