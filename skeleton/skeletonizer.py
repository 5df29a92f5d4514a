"""The public face: makes the text of a level from one file's source.

`skeletons` gives both skeleton levels of a file at once, proven; `skeletonize` one level; `Skeletonizer` is the same in
the words of the Fractal Protocol (section 2.2). Nothing here raises on content: what cannot be proven falls back to the
next safer level and says so.
"""

from __future__ import annotations

from typing import Final

import msgspec

from skeleton.formats import PLAIN_TEXT, Line, TextFormat, reductions
from skeleton.languages.headers import language_called
from skeleton.languages.queries import Language
from skeleton.levels import CompressionLevel
from skeleton.outline.cutting import Lines, adds, is_too_much, loses
from skeleton.outline.definitions import Definition, Outline
from skeleton.outline.outlining import outline_of_tree, outline_with_cuts
from skeleton.outline.parsing import GrammarFailureError, in_time_for, parse
from skeleton.proof.likeness import Source, comparable
from skeleton.proof.proving import Check, prove
from skeleton.render.regions import marked
from skeleton.render.rendering import render
from skeleton.render.texts import Skeleton, Skeletons
from workspace.tokens import DEFAULT_ENCODING, token_counter

_MOST_ROUNDS: Final = 6
"""Times that more is cut out of a file until its skeletons can be proven, at most."""

_MOST_AGAIN: Final = 2
"""A file is read at most so many times its own length to find what cannot be proven, …"""

_ALWAYS_BYTES: Final = 1 << 16
"""… and so many bytes besides, …"""

_MOST_BYTES: Final = 250_000
"""… and no more than that in all: files that are larger are not tried."""


LEAST_MINIFIED: Final = 1 << 18
LONGEST_LINES: Final = 500
"""A file of so many bytes is minified where its lines have so many each, on the average: no line of it is worth showing, and
to render all of it takes seconds."""


def skeletons(source: bytes, language: Language | TextFormat | None) -> Skeletons:
    """A file at all its levels.

    Args:
        source: the file as UTF-8; what is not UTF-8 is replaced.
        language: what `language_of` gives; None is plain text.
    """
    if not isinstance(language, Language):
        return _text_skeletons(source, language or PLAIN_TEXT)
    try:
        facts, parsed, compared = _read(source, language)
    except GrammarFailureError as error:
        return _text_skeletons(source, PLAIN_TEXT, unproven=str(error))
    full = Skeleton(
        text=source.decode("utf-8", "replace"),
        level=CompressionLevel.FULL,
        line_numbers=tuple(range(1, _line_count(source) + 1)),
        definitions=facts.definitions,
        syntax_errors=facts.syntax_errors,
        unproven="",
    )
    plus, at = _proven(source, facts, language, CompressionLevel.SKELETON_PLUS, full, compared)
    # Where cuts help, nobody needs to know what becomes of L2 without them.
    if (other := _with_cuts(source, parsed, facts, language, full, at)) is not None:
        return other
    skeleton, at_skeleton = _proven(source, facts, language, CompressionLevel.SKELETON, plus, compared)
    if at < 0 and (other := _with_cuts(source, parsed, facts, language, full, at_skeleton)) is not None:
        return other
    return Skeletons(full=full, plus=plus, skeleton=skeleton, outline=facts)


def _with_cuts(
    source: bytes, parsed: bytes, facts: Outline, language: Language, full: Skeleton, failed_at: int
) -> Skeletons | None:
    """A file whose skeletons can be proven once what they fail at is not read, but shown as it is; None where none can.

    Its definitions stay those of its outline: who asks for them alone does not ask for a proof. Nothing is to be done
    where the place that they fail at is -1.
    """
    if failed_at < 0 or language.begins is None:
        return None
    lines = Lines(source, tuple(match.span() for match in language.begins.finditer(source)))
    left, cut = min(_MOST_AGAIN * len(source) + _ALWAYS_BYTES, _MOST_BYTES), facts.cut
    for _ in range(_MOST_ROUNDS):
        if failed_at < 0 or left < len(source):
            break
        left -= len(source)
        cut = lines.with_cut(cut, failed_at)
        if is_too_much(cut, source):
            return None
        try:
            other = outline_with_cuts(source, parsed, language, cut)
        except GrammarFailureError:
            return None
        if loses(facts, other, cut) or adds(facts, other, cut):
            return None
        plus, failed_at = _proven(source, other, language, CompressionLevel.SKELETON_PLUS, full, None)
        if plus.unproven:
            continue
        skeleton, failed_at = _proven(source, other, language, CompressionLevel.SKELETON, plus, None)
        if not skeleton.unproven:
            return Skeletons(full=full, plus=plus, skeleton=skeleton, outline=other)
    return None


def skeletonize(source: bytes, language: Language | TextFormat | None, level: CompressionLevel) -> Skeleton:
    """A file at one level: L0, L1 or L2 (L3 shows nothing, so its text is empty)."""
    if level is CompressionLevel.DROP:
        return Skeleton(text="", level=level, line_numbers=(), definitions=(), syntax_errors=False, unproven="")
    return skeletons(source, language).at(level)


def definitions_of(source: bytes, language: Language | TextFormat | None) -> tuple[Definition, ...]:
    """The definitions of a file's outline, without its levels; none where it is not code or cannot be parsed."""
    if not isinstance(language, Language):
        return ()
    try:
        with in_time_for(source):
            return _read(source, language)[0].definitions
    except GrammarFailureError:
        return ()


def _read(source: bytes, language: Language) -> tuple[Outline, bytes, Source | None]:
    """The outline of a source; what was parsed of it; and its tree, if skeletons can be compared with that.

    Raises:
        GrammarFailureError: the grammar does not get to the end of it, or it is minified.
    """
    if len(source) >= LEAST_MINIFIED and len(source) >= LONGEST_LINES * (source.count(b"\n") + 1):
        raise GrammarFailureError("it is minified")
    parsed, tree = parse(source, language)
    facts = outline_of_tree(source, parsed, tree, language)
    return facts, parsed, comparable(source, parsed, tree.root_node, facts)


def _proven(
    source: bytes,
    facts: Outline,
    language: Language,
    level: CompressionLevel,
    above: Skeleton,
    compared: Source | None,
) -> tuple[Skeleton, int]:
    """A file at a level, and where in it stands what could not be proven; -1 for nowhere."""
    rendered = render(source, facts, language, level)
    lines = marked(rendered.text, rendered.line_numbers(source), source, facts.as_written)
    text = lines.text.decode("utf-8", "replace")
    if len(text.encode()) >= len(above.text.encode()):
        return above, -1
    try:
        failed, shown, at = prove(source, facts, rendered, language, level, compared)
    except GrammarFailureError:
        failed, shown, at = Check.SYNTAX, facts.definitions, -1
    if failed is not Check.NONE:
        given_up = Skeleton(
            text=above.text,
            level=above.level,
            line_numbers=above.line_numbers,
            definitions=above.definitions,
            syntax_errors=above.syntax_errors,
            unproven=above.unproven or f"{level}: {failed}",
        )
        return given_up, at
    proven = Skeleton(
        text=text,
        level=level,
        line_numbers=lines.numbers,
        definitions=lines.moved(shown),
        syntax_errors=facts.syntax_errors,
        unproven="",
    )
    return proven, -1


def _text_skeletons(source: bytes, text_format: TextFormat, unproven: str = "") -> Skeletons:
    full = Skeleton(
        text=source.decode("utf-8", "replace"),
        level=CompressionLevel.FULL,
        line_numbers=tuple(range(1, _line_count(source) + 1)),
        definitions=(),
        syntax_errors=False,
        unproven=unproven,
    )
    at_level = reductions(text_format, source, skeleton_of_cell)
    plus, skeleton = (
        full
        if at_level[level].level is CompressionLevel.FULL
        else Skeleton(
            text="\n".join(line.text for line in at_level[level].lines),
            level=at_level[level].level,
            line_numbers=tuple(line.number for line in at_level[level].lines),
            definitions=(),
            syntax_errors=False,
            unproven=unproven,
        )
        for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
    )
    return Skeletons(full=full, plus=plus, skeleton=skeleton, outline=None)


def skeleton_of_cell(code: str, language: str, level: CompressionLevel) -> list[Line] | None:
    """A notebook's code cell at a level, as lines numbered within the cell; None where the language is not known.

    The outline of a notebook is a description, and has marks of its own.
    """
    name = language_called(language)
    if name is None:
        return None
    skeleton = skeletonize(code.encode(), Language.named(name), level)
    texts = skeleton.text.split("\n") if skeleton.text else []
    return [Line(number, text) for number, text in zip(skeleton.line_numbers, texts, strict=False) if number]


def _line_count(source: bytes) -> int:
    return source.count(b"\n") + (not source.endswith(b"\n") and source != b"")


class SkeletonResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `Skeletonizer.skeletonize`; tokens are those of `o200k_base`."""

    content: str
    original_tokens: int
    skeleton_tokens: int
    compression_ratio: float
    """The share of the tokens that is gone: 0.9 where a tenth is left, 0.0 for an empty file."""
    preserved_symbols: tuple[str, ...]


class Skeletonizer:
    r"""Reduces content to a target level.

    >>> from skeleton import CompressionLevel, Skeletonizer
    >>> rust = "fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n"
    >>> Skeletonizer(CompressionLevel.SKELETON).skeletonize(rust, "rust").content
    'fn add(a: u8, b: u8) -> u8;'
    """

    def __init__(self, target_level: CompressionLevel) -> None:
        self._target_level = target_level

    def skeletonize(self, content: str, language: Language | str) -> SkeletonResult:
        """The content at the target level; `language` by name as in `skeleton/languages`.

        Raises:
            KeyError: no language has that name.
        """
        known = Language.named(language) if isinstance(language, str) else language
        skeleton = skeletonize(content.encode(), known, self._target_level)
        count = token_counter(DEFAULT_ENCODING).count
        original, left = count(content), count(skeleton.text)
        return SkeletonResult(
            content=skeleton.text,
            original_tokens=original,
            skeleton_tokens=left,
            compression_ratio=1 - left / original if original else 0.0,
            preserved_symbols=skeleton.symbols,
        )

    def estimate_tokens(self, content: str, language: Language | str) -> int:
        """The tokens of the content at the target level: exact, in spite of the name that the protocol gives it."""
        return self.skeletonize(content, language).skeleton_tokens
