"""What is worked out once for each content of a file, and then only looked up.

`derive` is a pure function of a file's name, its bytes, and what the salt names (`skeleton.salt`): the engine, the
queries, the grammars and the vocabulary. So its results can be made in another process, kept on disk and shared. They
come as `Aspect`s, encoded apart, because a call needs the small ones of every file and the large ones of few:

    BASICS     what shows without parsing
    FACTS      numbers and marks of the file as a whole
    LEVELS     the texts of both skeletons with their lines and definitions
    OUTLINE    the definitions that a reader can see, as spans of the source
    WEIGHTS    what each level and each definition costs: enough to plan a budget
    TERMS      the words of each definition: what a ranking reads
    SYMBOLS    every definition, those inside bodies too: what zoom can name
"""

from __future__ import annotations

import hashlib
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import msgspec

from skeleton.formats import TextFormat
from skeleton.languages import Language
from skeleton.levels import CompressionLevel
from skeleton.members import every_definition
from skeleton.outline import Definition
from skeleton.parsing import GrammarFailureError
from skeleton.skeletonizer import Skeleton, Skeletons, skeletons
from skeleton.terms import NO_TERMS, terms_of
from skeleton.weights import weights_of
from workspace.redaction import redacted, redactions, secret_count
from workspace.tiers import is_machine_made

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_Record = TypeVar("_Record")


class Aspect(IntEnum):
    """What can be known of a content, each kept and loaded on its own."""

    FACTS = 0
    LEVELS = 1
    OUTLINE = 2
    SYMBOLS = 3
    WEIGHTS = 4
    TERMS = 5
    BASICS = 6


CONTEXT_ASPECTS: Final = frozenset({Aspect.FACTS, Aspect.LEVELS, Aspect.OUTLINE, Aspect.WEIGHTS})
"""What one reading of a file gives at once."""


class Content(NamedTuple):
    """A text file: the bytes on disk, the text as UTF-8 as it may be shown, and how many secrets were taken out of it."""

    raw: bytes
    source: bytes
    secrets: int = 0


class Basics(NamedTuple):
    """What shows of a content without parsing.

    Attributes:
        md5: of the bytes on disk, in hexadecimal digits.
        machine_made: whether a program wrote the file, by its content.
        bytes: of the text as UTF-8.
    """

    md5: str
    machine_made: bool
    bytes: int


class Facts(NamedTuple):
    """The numbers and marks of one content.

    Attributes:
        language: the name of the language or format; "" for plain text.
        lines: of the text at L0, L1 and L2.
        tokens: of the text at L0, without any frame.
        given: the levels really given for L1 and L2.
        unproven: what the first skeleton that was given up failed, or "".
        syntax_errors: the source does not parse cleanly.
        ends_open: the last line has no line break.
        secrets: how many were taken out of the text.
    """

    language: str
    lines: tuple[int, int, int]
    tokens: int
    given: tuple[str, str]
    unproven: tuple[str, str]
    syntax_errors: bool
    ends_open: bool
    secrets: int


class LevelText(NamedTuple):
    """A skeleton as it is kept; `text` is None where it is that of the level above."""

    text: str | None
    line_numbers: tuple[int, ...]
    definitions: tuple[Definition, ...]


class LevelTexts(NamedTuple):
    """Both skeletons of a content."""

    plus: LevelText
    skeleton: LevelText


class Definitions(NamedTuple):
    """A list of definitions."""

    definitions: tuple[Definition, ...]


def content_of(raw: bytes, source: bytes, path: str, *, redact: bool) -> Content:
    """A file as it may be shown: without its secrets, where they are to be taken out."""
    found = redactions(source, path) if redact else ()
    return Content(raw, redacted(source, found) if found else source, secret_count(found))


def basics_of(raw: bytes, source: bytes) -> Basics:
    """What shows of a file without parsing it.

    Args:
        raw: the bytes on disk.
        source: the text as UTF-8.
    """
    return Basics(
        md5=hashlib.md5(raw, usedforsecurity=False).hexdigest(),
        machine_made=is_machine_made(source),
        bytes=len(source),
    )


def encoded(record: object) -> bytes:
    """Writes an aspect; `decoded` reads it."""
    return msgspec.msgpack.encode(record)


def derive(
    content: Content,
    language: Language | TextFormat | None,
    *,
    aspects: Collection[Aspect],
    count: Callable[[str | bytes], int],
) -> dict[Aspect, bytes]:
    """Works out some aspects of a file.

    Args:
        content: the file.
        language: what `language_of` says of it.
        aspects: what is asked for; those of `CONTEXT_ASPECTS` come together.
        count: counts tokens.

    Returns:
        The aspects, encoded; `decoded` reads them.
    """
    found: dict[Aspect, bytes] = {}
    if not CONTEXT_ASPECTS.isdisjoint(aspects):
        levels = skeletons(content.source, language)
        weights = weights_of(content.source, levels, count)
        records = {
            Aspect.FACTS: _facts(content, language, levels, weights.tokens[0]),
            Aspect.WEIGHTS: weights,
            Aspect.LEVELS: _texts(levels),
            Aspect.OUTLINE: Definitions(levels.full.definitions),
        }
        found |= {aspect: encoded(record) for aspect, record in records.items()}
        if Aspect.TERMS in aspects:
            found[Aspect.TERMS] = encoded(terms_of(content.source, levels.full.definitions))
    elif Aspect.TERMS in aspects:
        found[Aspect.TERMS] = encoded(terms_of(content.source, skeletons(content.source, language).full.definitions))
    if Aspect.SYMBOLS in aspects:
        found[Aspect.SYMBOLS] = encoded(Definitions(_symbols(content.source, language)))
    return found


def unreadable_grammar(content: Content, why: str, *, count: Callable[[str | bytes], int]) -> dict[Aspect, bytes]:
    """The aspects of a file whose grammar cannot be let near it: those of plain text, with the reason."""
    plain = derive(content, None, aspects=CONTEXT_ASPECTS, count=count)
    facts = decoded(plain[Aspect.FACTS], Facts)
    plain[Aspect.FACTS] = encoded(facts._replace(unproven=(why, why)))
    plain[Aspect.SYMBOLS] = encoded(Definitions(()))
    plain[Aspect.TERMS] = encoded(NO_TERMS)
    return plain


def decoded(value: bytes, record: type[_Record]) -> _Record:
    """Reads an aspect.

    Raises:
        msgspec.DecodeError: it is not of that form.
    """
    return msgspec.msgpack.decode(value, type=record)


def skeletons_of(facts: Facts, texts: LevelTexts, outline: Definitions, source: Callable[[], bytes]) -> Skeletons:
    """Puts the levels of a file together again from what was kept.

    Args:
        facts: the file's numbers and marks.
        texts: its skeletons.
        outline: its definitions.
        source: gives the text; only called where it is needed.
    """
    full = Skeleton(
        text=source().decode("utf-8", "replace"),
        level=CompressionLevel.FULL,
        line_numbers=tuple(range(1, facts.lines[0] + 1)),
        definitions=outline.definitions,
        syntax_errors=facts.syntax_errors,
        unproven="",
    )
    plus = _level(facts, 0, texts.plus, full)
    return Skeletons(full=full, plus=plus, skeleton=_level(facts, 1, texts.skeleton, plus), outline=None)


def _level(facts: Facts, at: int, kept: LevelText, above: Skeleton) -> Skeleton:
    return Skeleton(
        text=above.text if kept.text is None else kept.text,
        level=CompressionLevel(facts.given[at]),
        line_numbers=above.line_numbers if kept.text is None else kept.line_numbers,
        definitions=above.definitions if kept.text is None else kept.definitions,
        syntax_errors=facts.syntax_errors,
        unproven=facts.unproven[at],
    )


def _facts(content: Content, language: Language | TextFormat | None, levels: Skeletons, tokens: int) -> Facts:
    full, plus, skeleton = levels.full, levels.plus, levels.skeleton
    return Facts(
        language=language.name if language else "",
        lines=(len(full.line_numbers), len(plus.line_numbers), len(skeleton.line_numbers)),
        tokens=tokens,
        given=(plus.level.value, skeleton.level.value),
        unproven=(plus.unproven, skeleton.unproven),
        syntax_errors=full.syntax_errors,
        ends_open=bool(content.source) and not content.source.endswith(b"\n"),
        secrets=content.secrets,
    )


def _texts(levels: Skeletons) -> LevelTexts:
    def kept(skeleton: Skeleton, above: Skeleton) -> LevelText:
        if skeleton.text == above.text:
            return LevelText(None, (), ())
        return LevelText(skeleton.text, skeleton.line_numbers, skeleton.definitions)

    return LevelTexts(kept(levels.plus, levels.full), kept(levels.skeleton, levels.plus))


def _symbols(source: bytes, language: Language | TextFormat | None) -> tuple[Definition, ...]:
    if not isinstance(language, Language):
        return ()
    try:
        return every_definition(source, language)
    except GrammarFailureError:
        return ()  # it has no definitions that could be named; its lines can
