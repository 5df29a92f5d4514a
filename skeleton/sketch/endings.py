"""The ends of the definitions of a sketch, and of their signatures: by braces, by lines, or by how lines are indented."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from skeleton.languages.kinds import CALLABLE, HOLDERS, OF_METHODS, TYPES
from skeleton.languages.sketches import END_OF_LINE, NEVER, Blocks, SketchPatterns

_MOST_HEAD: Final = 400
"""Brackets of a head that are looked at until it ends."""

_LEAST_MARKS: Final = 10_000
"""Brackets and line breaks of heads and values that are looked at in a file, and one for every four bytes of it."""

_MOST_BRACES: Final = 200_000
"""Braces of a file that are counted where no closing brace stands where the head of a block is indented."""

_MOST_BEHIND: Final = 400
"""Blanks behind the bracket that a pattern ends with, at the most."""

_IS_MARK: Final = rb"(?<![,=/#])|(?<=,)(?=[ \t]*(?:\n|//))|(?<==)(?![=>])"
_IS_COMMENT: Final = rb"(?:(?<=/)/|(?<=#)(?![\[!]))[^\n]*"

_GOES_ON: Final = re.compile(
    rb"[ \t]*(?:[{})\].:?&|+<>*=]|->|where\b|throws\b|as\b|by\b|else\b|satisfies\b|extends\b|implements\b|\Z)"
)
"""The beginning of a line that goes on with the one above it, though it is indented no further."""

_BRACES: Final = re.compile(rb"[{}]")
_ENDS_LINE: Final = re.compile(rb"[ \t]*+[;,)]*+[ \t]*+\n")
_IN_WORD: Final = re.compile(rb"[\w\x80-\xff]\{")
_AFTER_MEMBER: Final = re.compile(rb"\s*(?:[,{]|\.\.\.|#(?!\[))")
_FIRST_LINE: Final = re.compile(rb"\s*\n([ \t]*+)(\S)")
_CODE: Final = re.compile(rb"\n[ \t]*+(?=\S)")
_CLOSING: Final = {b"(": b")", b"[": b"]"}
_CLOSES: Final = re.compile(rb"\n[ \t]*+([)\]}])")
_CALLED: Final = re.compile(rb"\)\s*\Z")
_AFTER_TYPE: Final = re.compile(rb"\s*[|&>]()|[ \t]*(?:\[\]|\{)()|[ \t]*,")
"""Stands behind the braces of a type in a head, which are not those of its block; the comma in a head of a type alone."""

_AFTER_RESULT: Final = re.compile(rb"[ \t]*=(?![=>])")
"""Stands behind the braces of a type that a function gives."""

_ON_LINE: Final = re.compile(rb"\{[^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*){0,9}\}")
"""Braces that close on their line."""

_ARGUMENT: Final = re.compile(rb"[<,|&]\s*\Z")
"""Stands before the braces of a type that is an argument, or one of several."""

_VALUE: Final = re.compile(rb"=\s*\Z")
_FUNCTION: Final = re.compile(rb"=\s*(?:(?:async|static)\s+)?function\b")
_ARROW: Final = re.compile(rb"=>\s*\Z")
_AFTER_BLOCK: Final = re.compile(rb"\s*[;,=.]")
"""Goes on behind a block in the value of a definition, or ends it."""

_NO_BRANCH: Final = frozenset({b"if", b"endif"})
"""Directives of a condition that begin no other branch of it."""

_CLOSED: Final = HOLDERS | CALLABLE
_FIELDS: Final = frozenset({"field", "member"})
_VALUED: Final = _FIELDS | {"constant", "type"}


class Endings:
    """The ends of the definitions of one file, found one after the other; used once.

    Args:
        source: the file, with one line break more in front.
        text: the same without what is hidden.
        patterns: those of its language.
    """

    def __init__(self, source: bytes, text: bytes, patterns: SketchPatterns) -> None:
        self._source = source
        self._text = text
        self._patterns = patterns
        self._marks = _marks(patterns.arrow, comments=all(closing != END_OF_LINE for _, closing in patterns.hides))
        self._marks_left = _LEAST_MARKS + len(text) // 4
        self._braces = _MOST_BRACES
        self._lines: dict[bytes, tuple[int, int]] = {}
        """By the beginning of a line, its line break included: the last search for it, and where that found it."""

    def of(self, at: int, indent: bytes, limit: int, kind: str) -> tuple[int, int]:
        """Returns where the signature of a definition ends, and where it ends itself.

        Args:
            at: the end of its name.
            indent: what its line is indented by.
            limit: where what it stands in ends.
            kind: what it is.
        """
        if self._patterns.blocks is Blocks.INDENTED:
            return self._of_indented(at, indent, limit, kind)
        text, begin, opened, depth = self._text, at, at, 0
        signature = self._signed(at, kind)
        by_lines, arrow = self._patterns.blocks is Blocks.LINES, self._patterns.arrow
        while self._marks_left > 0:
            self._marks_left -= 1
            mark = self._marks.search(text, at, limit)
            if mark is None:
                return self._parted(begin, limit if depth == 0 else self._line_end(begin, limit), signature)
            byte, at = mark[0][:1], mark.end()
            if byte in b"([":
                opened = opened if depth else mark.start()
                depth += 1
            elif byte in b")]}":
                depth -= 1
                if depth < 0:
                    return self._parted(begin, mark.start(), signature)
                if depth == 0 and signature < 0:
                    signature = self._signed(at, kind)
            elif byte == b"{":
                if depth or (kind in CALLABLE and signature != mark.start() and self._is_member(mark.start(), limit)):
                    depth += 1
                    continue
                if signature < 0 and kind not in _FIELDS:
                    short = self._end_of_type(mark.start(), indent, limit, kind) if by_lines else 0
                    if short:
                        at = short
                        continue
                    end = self._end_of_block(mark.start(), indent, limit, kind)
                    if by_lines and self._is_type(mark.start(), end, kind, limit):
                        at = end
                        continue
                    return self.stripped(begin, mark.start()), end + (by_lines and text[end : end + 1] == b";")
                if kind in CALLABLE and not arrow and self._is_of_function(signature, mark.start()):
                    signature = mark.start()
                signature = mark.start() if signature < 0 else signature
                at = self._end_in_value(mark.start(), begin, opened, limit)
                by_statement = by_lines or (arrow and text.startswith(arrow, signature))
                if not by_statement and not (self._patterns.continues or _AFTER_BLOCK).match(text, at, limit):
                    return self._parted(begin, at, signature)
            elif depth == 0:
                if byte == b"#" and kind in CALLABLE and signature < 0 and self._ends_branch(mark.start()):
                    return self._parted(begin, mark.start(), -1)  # its block stands behind the head of another branch
                if byte == b"=" and kind not in TYPES:
                    signature = mark.start() if signature < 0 else signature
                elif byte == b";":
                    return self._parted(begin, at, mark.start() if by_lines and signature < 0 else signature)
                elif byte == b"," and (
                    (kind in _FIELDS and (kind == "member" or not self._patterns.continues))
                    or (by_lines and limit < len(text) and kind not in HOLDERS)
                ):
                    if by_lines and self._is_deeper(at, indent):
                        continue  # it parts what stands in angle brackets
                    return self._parted(begin, mark.start(), signature)
                elif byte == b"\n" and by_lines:
                    if kind in HOLDERS and signature < 0 and (head := self._indents(mark.start(), indent, limit)):
                        return head
                    goes_on = self._goes_on(at, indent, kind)
                    if goes_on < 0:
                        return self._parted(begin, mark.start(), signature)
                    at = goes_on
        return self._parted(begin, self._line_end(begin, limit), signature)

    def _end_of_block(self, brace: int, indent: bytes, limit: int, kind: str) -> int:
        """Returns where a definition ends whose block begins with a brace."""
        # the braces of a type stand anywhere in it
        end = self._counted(brace, limit) if kind == "type" else self._closed(brace, self._block(brace, indent), limit)
        behind = self._patterns.behind.match(self._text, end, limit) if kind in HOLDERS else None
        return behind.end() if behind else end

    def _end_of_type(self, brace: int, indent: bytes, limit: int, kind: str) -> int:
        """Returns where braces in a head end that hold a type, on their line or indented deeper; 0 where they do not."""
        short = _ON_LINE.match(self._text, brace, limit)
        end = short.end() if short else 0
        is_argument = not short and kind in OF_METHODS and _ARGUMENT.search(self._text, max(0, brace - 80), brace)
        if is_argument and len(inner := self._indent(brace)) > len(indent):
            end = min(self._next(b"\n" + inner + b"}", brace) + len(inner) + 2, limit)
        return end if end and self._is_type(brace, end, kind, limit) else 0

    def _end_in_value(self, brace: int, begin: int, opened: int, limit: int) -> int:
        """Returns where a block ends that begins with a brace in a value.

        Args:
            brace: the brace.
            begin: where the name of the definition ends.
            opened: where the last bracket before the brace is opened.
            limit: where what the definition stands in ends.
        """
        if self._patterns.continues:
            return self._counted(brace, limit)
        called = _CALLED.search(self._text, max(begin, brace - 9), brace)
        return self._closed(brace, self._indent(opened if called else brace), limit)

    def _is_of_function(self, value: int, brace: int) -> bool:
        """Tells whether a brace in a value is that of a function that is all of the value."""
        text = self._text
        if text[value : value + 1] != b"=":
            return False
        near = max(value + 1, brace - _MOST_BEHIND)
        return bool(_FUNCTION.match(text, value, brace) or _ARROW.search(text, near, brace))

    def _is_member(self, brace: int, limit: int) -> bool:
        """Tells whether braces hold the value of a member, as of `: member{value}` behind the parameters of a constructor.

        Behind those goes on the list of members, or stands the block; behind a block neither does.
        """
        if not _IN_WORD.match(self._text, brace - 1):
            return False
        end = self._counted(brace, limit)
        return _AFTER_MEMBER.match(self._text, end, limit) is not None

    def _ends_branch(self, at: int) -> bool:
        """Tells whether a directive of a preprocessor ends a branch of a condition and begins the next."""
        directive = self._patterns.conditions.match(self._text, self._text.rfind(b"\n", 0, at) + 1)
        return directive is not None and directive[1] not in _NO_BRANCH

    def _signed(self, at: int, kind: str) -> int:
        """Returns where a signature ends by what stands behind a name or brackets; less than 0 where that does not tell."""
        signed = None if kind in HOLDERS else self._patterns.signature.match(self._text, at)
        return signed.end() if signed else -1

    def _is_type(self, brace: int, end: int, kind: str, limit: int) -> bool:
        """Tells whether braces in a head hold a type, and are not the block of the definition."""
        if kind == "type" and not _VALUE.search(self._text, max(0, brace - 40), brace):
            return True
        if kind in CALLABLE and _AFTER_RESULT.match(self._text, end, limit):
            return True
        after = _AFTER_TYPE.match(self._text, end, limit)
        return after is not None and (after.lastindex is not None or kind in TYPES)

    def _parted(self, begin: int, end: int, signature: int) -> tuple[int, int]:
        """Returns where a signature ends, and the definition: without white space at their ends."""
        end = self.stripped(begin, end)
        return (end if signature < 0 else self.stripped(begin, min(signature, end))), end

    def _block(self, brace: int, indent: bytes) -> bytes:
        """Returns what the closing brace of a block is indented by: as its head, or as the bracket that ends its head."""
        line = _CLOSES.match(self._text, self._text.rfind(b"\n", 0, brace))
        return line[0][1:-1] if line else indent

    def _indent(self, at: int) -> bytes:
        """Returns what the line of a place is indented by."""
        line = self._text.rfind(b"\n", 0, at) + 1
        code = line
        while self._text[code : code + 1] in (b" ", b"\t"):
            code += 1
        return self._text[line:code]

    def _indents(self, line: int, indent: bytes, limit: int) -> tuple[int, int] | None:
        """Returns where a head and its indented block end; None where the head does not end with that line.

        Args:
            line: where a line of the head ends.
            indent: what the definition is indented by.
            limit: where what it stands in ends.
        """
        text = self._text
        begin = text.rfind(b"\n", 0, line) + 1
        head = self._patterns.indents.search(text, begin, min(line + _MOST_BEHIND, limit))
        if head is None or head.start() > line:
            return None
        less = _indented_no_further(len(indent), besides=b"").search(text, line, limit)
        end = self.stripped(line, less.start() if less else limit)
        return self.stripped(begin, head.start()), self._stripped_source(end, limit)

    def _goes_on(self, line: int, indent: bytes, kind: str) -> int:
        """Returns where the next line of code begins that goes on with what was begun above it, indented by so much.

        Args:
            line: where the next line begins.
            indent: what the definition is indented by.
            kind: what it is.

        Returns:
            less than 0 where it does not go on.
        """
        text = self._text
        code = _CODE.search(text, line - 1)
        if code is not None and self._patterns.halves.search(text, max(0, line - 9), line):
            return code.end()
        if code is None or (kind not in HOLDERS and self._patterns.apart.match(text, code.end())):
            return -1
        deeper = code.end() - code.start() - 1 > len(indent)
        if deeper or _GOES_ON.match(text, code.end()):
            return code.end()
        return code.end() if kind in HOLDERS and self._patterns.joins.match(text, code.end()) else -1

    def _is_deeper(self, at: int, indent: bytes) -> bool:
        """Tells whether a line ends at a place, and the next line of code is indented further or closes an angle bracket."""
        code = _CODE.match(self._text, at)
        if code is None:
            return False
        return code.end() - code.start() - 1 > len(indent) or self._text.startswith(b">", code.end())

    def _closed(self, brace: int, indent: bytes, limit: int) -> int:
        """Returns where a block ends that begins with a brace, in a definition that is indented by so much."""
        text = self._text
        line = self._line_end(brace, limit)
        if text.count(b"{", brace, line) <= text.count(b"}", brace, line):
            return self._counted(brace, limit)
        first = _FIRST_LINE.match(text, line, limit)
        if first is not None and len(first[1]) <= len(indent) and first[2] not in b"}#":
            return self._counted(brace, limit)
        end = self._next(b"\n" + indent + b"}", brace)
        if end >= limit:
            return self._counted(brace, limit)
        end += len(indent) + 2
        if text.count(b"{", brace, end) != text.count(b"}", brace, end):
            counted = self._counted(brace, end)  # it may end at the end of a line: `B };`
            return counted if _ENDS_LINE.match(text, counted) else end
        return end

    def _next(self, beginning: bytes, at: int) -> int:
        """Returns where the next line with some beginning is, from a place on; the end of the text where none is."""
        since, found = self._lines.get(beginning, (1, 0))
        if not since <= at <= found:
            found = self._text.find(beginning, at)
            found = len(self._text) if found < 0 else found
            self._lines[beginning] = at, found
        return found

    def _counted(self, brace: int, limit: int) -> int:
        depth = 0
        for mark in _BRACES.finditer(self._text, brace, limit):
            self._braces -= 1
            depth += 1 if mark[0] == b"{" else -1
            if depth == 0:
                return mark.end()
            if self._braces < 0:
                return self._line_end(brace, limit)
        return limit

    def _of_indented(self, at: int, indent: bytes, limit: int, kind: str) -> tuple[int, int]:
        text, depth, head, valued = self._text, 0, at, kind in _VALUED
        signature = 0
        for number, mark in enumerate(self._marks.finditer(text, at, limit)):
            self._marks_left -= 1
            byte = mark[0][:1]
            if byte in b"([{":
                depth += 1
            elif byte in b")]}":
                depth -= 1
                if depth < 0 and kind in _FIELDS:
                    limit = head = mark.start()
                    break
            elif byte == b"=" and depth <= 0 and valued:
                signature = signature or mark.start()
            elif byte == b"\n" and depth <= 0 and text[mark.start() - 1 : mark.start()] != b"\\":
                head = mark.start()
                break
            if number > _MOST_HEAD or self._marks_left < 0:
                head = mark.end()
                break
        else:
            head = limit
        no_further, same = _indented_no_further(len(indent)), b"\n" + indent
        less = no_further.search(text, head, limit)
        end = less.start() if less else limit
        if kind in _FIELDS and (out := _indented_no_further(len(indent) - 1, besides=b"").search(text, head, end)):
            end = out.start()  # a bracket closes what it stands in
        while less and less[0] == same and self._patterns.joins.match(text, less.end(), limit):
            less = no_further.search(text, less.end(), limit)
        if less and less[0] == same and (closing := self._patterns.behind.match(text, less.start(), limit)):
            end = closing.end()
        end = self.stripped(at, end)
        while indent and (line := text.rfind(b"\n", head, end)) >= 0 and _closes(text[line + 1 : end], len(indent)):
            end = self.stripped(at, line)  # what it stands in ends there
        if (kind in CALLABLE or kind in _FIELDS) and text.endswith(b",", at, end):
            end -= 1  # what stands in a list or a table ends before what parts it from the next
        if kind in _CLOSED and self._patterns.behind is NEVER:
            # a comment behind the last line of a block is a part of it
            end = self._stripped_source(end, limit)
        return self.stripped(at, min(signature or head, end)), end

    def _line_end(self, at: int, limit: int) -> int:
        end = self._text.find(b"\n", at, limit)
        return limit if end < 0 else end

    def _stripped_source(self, end: int, limit: int) -> int:
        """Returns the end of the line at a place, with the comment behind it."""
        return end + len(self._source[end : self._line_end(end, limit)].rstrip())

    def stripped(self, at: int, end: int) -> int:
        """Returns the end of a stretch without the white space at its end."""
        return at + len(self._text[at:end].rstrip())

    def passed(self, at: int, indent: bytes, limit: int, kind: str) -> int:
        """Returns where ends what holds no definition: with the bracket that it ends with, or as a definition does.

        Args:
            at: where its pattern ends.
            indent: what its line is indented by.
            limit: where what it stands in ends.
            kind: the one that it ends as.
        """
        begin = self.stripped(max(0, at - _MOST_BEHIND), at) - 1
        bracket = self._text[begin : begin + 1]
        if bracket == b"{":
            return self._closed(begin, indent, limit)
        if bracket in (b"(", b"["):
            closing = self._next(b"\n" + indent + _CLOSING[bracket], at)
            if closing < limit:
                return closing + len(indent) + 2
        return max(self.of(at, indent, limit, kind)[1], at)


@cache
def _marks(arrow: bytes, *, comments: bool) -> re.Pattern[bytes]:
    """Returns what finds the marks by which a head is read: brackets, ends of lines and statements, signs before values.

    It begins with a set of bytes, for which a text is searched several times as fast as for one of many texts.

    Args:
        arrow: a sign before a body, as of `SketchPatterns`.
        comments: finds comments to the end of their lines as well, as nothing has hidden them.
    """
    either = _IS_MARK
    if arrow:
        either += rb"|(?<==)(?=" + re.escape(arrow[1:]) + rb")"
    if comments:
        either += rb"|" + _IS_COMMENT
    return re.compile(rb"[()\[\]{}\n;,=" + (rb"/#" if comments else b"") + rb"](?:" + either + rb")")


def _closes(line: bytes, width: int) -> bool:
    """Tells whether a line begins with a closing bracket that is indented by fewer bytes."""
    bare = line.lstrip(b" \t")
    return bare.startswith((b"}", b")", b"]")) and len(line) - len(bare) < width


_BY_INDENT: Final[dict[tuple[int, bytes], re.Pattern[bytes]]] = {}


def _indented_no_further(width: int, besides: bytes = rb")\]}#") -> re.Pattern[bytes]:
    """The pattern of a line that is indented by no more than so many bytes, and does not begin with one of some bytes.

    Without others these are the brackets that close a head.
    """
    found = _BY_INDENT.get((width, besides))
    if found is None:
        found = re.compile(rb"\n[ \t]{0,%d}(?=[^\s%b])" % (max(0, min(width, 200)), besides))
        if len(_BY_INDENT) < 100:
            _BY_INDENT[width, besides] = found
    return found
