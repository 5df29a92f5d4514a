"""Checks that every gap of a skeleton holds only the text that the level table puts there.

The parts of an outline say what goes; the gaps between the stretches of a skeleton that are verbatim are what went. The
two must agree to the byte, white space around what is dropped apart; and what was put in the place of a part must be
what would be put there again, the next time.
"""

from __future__ import annotations

from skeleton.languages.queries import Language
from skeleton.levels import LONG_VALUE, CompressionLevel, Role, in_place_of
from skeleton.outline.definitions import Outline, Part
from skeleton.proof.positions import Positions
from skeleton.render.docs import summary

_OPENERS = (b"{", b"(", b"[")
_GONE_AT_L2 = frozenset({Role.DOC, Role.MODULE_DOC, Role.COMMENT, Role.CONSTANT, Role.STATEMENTS})


class _OtherwiseError(Exception):
    """Raised where something else stands than what the level table puts there."""


def are_as_ruled(
    source: bytes, outline: Outline, positions: Positions, language: Language, level: CompressionLevel
) -> bool:
    """Tells whether every part that went left the gap, and what stands in it, that the level rules; False in any doubt.

    Args:
        source: the file.
        outline: its outline, all of it of one language.
        positions: where it stands in the skeleton.
        language: of the file.
        level: L1 or L2.
    """
    walk = _Fillings(source, outline, positions, language)
    put = walk.at_plus if level is CompressionLevel.SKELETON_PLUS else walk.at_skeleton
    try:
        for part in outline.parts:
            if part[0] >= walk.cursor:
                put(part)
        walk.leave()
    except _OtherwiseError:
        return False
    return walk.fillings == len(positions.replaced)


class _Fillings:
    """One pass over parts and gaps; used once.

    Attributes:
        cursor: the end of the last part that went.
        fillings: how many texts that were put in were met so far.
    """

    def __init__(self, source: bytes, outline: Outline, positions: Positions, language: Language) -> None:
        self.cursor = 0
        self.fillings = 0
        self._source = source
        self._replaced = positions.replaced
        self._folds = language.folds
        self._statements = language.fold_statements
        self._empty = language.empty_scope
        self._scopes = {scope.start for scope in outline.scopes}
        self._positions = positions
        self._gaps = iter(positions.gaps)
        self._start = self._end = self._reached = 0
        self._is_loose = True
        """Lets the part that was last met in the gap take the white space around it along."""
        self._is_scope = False

    def leave(self) -> None:
        """Goes past the gaps that are left."""
        while self._next():
            pass

    def at_plus(self, part: Part) -> None:
        """A part that L1 may have replaced or dropped."""
        start, end, role, fold, inner, _ = part
        replaced = self._replaced
        if role is Role.BODY:
            if inner and (doc := replaced.get(inner[0][0])) is not None:
                doc_start, doc_end = inner[0]
                indent = b"\n" + self._source[self._source.rfind(b"\n", 0, doc_start) + 1 : doc_start]
                self._check_doc(doc.removeprefix(indent))
                if not doc.startswith(indent) or replaced.get(doc_end) != indent + self._folds[fold].plus.lstrip():
                    raise _OtherwiseError
                self.fillings += 2
                self._went(start, end)
            else:
                self._filled(start, end, in_place_of(self._source[start:end], self._folds[fold].plus))
        elif role is Role.DOC or role is Role.MODULE_DOC:
            if (doc := replaced.get(start)) is None:
                self._went(start, end, is_loose=True)
            else:
                self._check_doc(doc)
                self.fillings += 1
                self._went(start, end)
                if start > self._start:
                    self._check_line(start)
        elif role is Role.COMMENT:
            self._went(start, end, is_loose=True)
        elif role is Role.STATEMENTS:
            if start in replaced:
                self._filled(start, end, self._statements)
        elif role is Role.CONSTANT_VALUE or role is Role.FIELD_VALUE:
            start, end = inner[0]
            if (value := replaced.get(start)) is not None:
                if len(value) > LONG_VALUE or b"\n" in value:
                    raise _OtherwiseError
                self.fillings += 1
                self._went(start, end)

    def at_skeleton(self, part: Part) -> None:
        """A part that L2 has replaced or dropped."""
        start, end, role, fold, _, _ = part
        if role is Role.BODY:
            self._filled(start, end, in_place_of(self._source[start:end], self._folds[fold].skeleton))
        elif role in _GONE_AT_L2:
            self._went(start, end, is_loose=True)
        elif role is Role.SIGNATURE:
            text = self._replaced.get(start)
            if text is None or b"\n" in text:
                raise _OtherwiseError
            self.fillings += 1
            self._went(start, end)
        else:
            self._filled(start, end, self._folds[fold].value)

    def _check_doc(self, doc: bytes) -> None:
        """Checks that the text for a doc is one line, its own summary, and lets a blank line below it stay."""
        if b"\n" in doc or doc.endswith(_OPENERS) or summary(doc) != doc:
            raise _OtherwiseError

    def _check_line(self, start: int) -> None:
        """Checks that a doc before which something was dropped begins its line."""
        text, shown = self._positions.text, self._positions.start(start)
        if text[text.rfind(b"\n", 0, shown) + 1 : shown].strip():
            raise _OtherwiseError

    def _filled(self, start: int, end: int, text: bytes) -> None:
        """A part that one text stands for, perhaps an empty one."""
        if self._replaced.get(start, b"") != text:
            raise _OtherwiseError
        self.fillings += bool(text)
        self._went(start, end)

    def _went(self, start: int, end: int, *, is_loose: bool = False) -> None:
        """A part is gone: all of it is in a gap, which holds nothing before it but other parts and white space."""
        while end > self._end or start >= self._end > 0:
            if end == start or not self._next():
                raise _OtherwiseError
        if start < self._start:
            raise _OtherwiseError
        if not self._is_scope and start > self._reached:
            self._check_blank(start, is_loose=is_loose)
        self._is_loose = is_loose
        self._reached = self.cursor = end

    def _next(self) -> bool:
        """Goes on to the next gap; whether there is one."""
        if self._reached < self._end and not self._is_scope:
            self._check_blank(self._end, is_loose=False)
        gap = next(self._gaps, None)
        if gap is None:
            return False
        start, self._end, _, _ = gap
        self._start = self._reached = start
        self._is_loose = self._is_scope = False
        if start in self._scopes and (filling := self._replaced.get(start)) is not None:
            self._is_scope = filling.rstrip(b"\n") == self._empty
            self.fillings += self._is_scope
        return True

    def _check_blank(self, end: int, *, is_loose: bool) -> None:
        if not (is_loose or self._is_loose) or self._source[self._reached : end].strip():
            raise _OtherwiseError
