"""Works out the facts of a file's content; each content is done once, and then only looked up.

`derive` is a pure function of a file's name, its bytes, and what the salt names (`skeleton.index.salt`): the engine, the
queries, the grammars and the vocabulary. So its results can be made in another process, kept on disk and shared. They
come as aspects (`skeleton.index.records`), encoded apart, because a call needs the small ones of every file and the large
ones of few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton.cells import definitions_in_cells
from skeleton.index.records import (
    NO_USES,
    OF_LEVELS,
    OF_SKETCH,
    Aspect,
    Definitions,
    Facts,
    LevelText,
    LevelTexts,
    decoded,
    encoded,
)
from skeleton.index.sketched import of_definitions
from skeleton.index.survey import survey_of
from skeleton.index.uses import uses_of
from skeleton.index.weights import level_tokens, weights_of
from skeleton.languages.queries import Language
from skeleton.languages.sketches import sketch_patterns
from skeleton.outline.outlining import every_definition
from skeleton.outline.parsing import GrammarFailureError, in_time_for
from skeleton.skeletonizer import definitions_of, skeletons
from skeleton.sketch.sketching import sketch_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from skeleton.formats import TextFormat
    from skeleton.index.content import Content
    from skeleton.outline.definitions import Definition
    from skeleton.render.texts import Skeleton, Skeletons
    from workspace.tokens import TokenCounter


def derive(
    content: Content,
    language: Language | TextFormat | None,
    *,
    aspects: Collection[Aspect],
    counter: TokenCounter,
    sketch: Definitions | None = None,
) -> dict[Aspect, bytes]:
    """Works out some aspects of a file, in one parse at most where neither symbols nor uses are among them.

    Args:
        content: the file.
        language: what `language_of` says of it.
        aspects: what is asked for; facts, levels and the outline come together, and the sketch with what speaks of it.
        counter: of tokens.
        sketch: the file's sketch, where it is known already.

    Returns:
        The aspects, encoded; `decoded` reads them.
    """
    records: dict[Aspect, object] = {}
    aspects = {*aspects}
    patterns = sketch_patterns(language.name) if isinstance(language, Language) else None
    definitions: tuple[Definition, ...] | None = None
    if not OF_LEVELS.isdisjoint(aspects):
        with in_time_for(content.source):
            levels = skeletons(content.source, language)
        definitions = levels.full.definitions
        if isinstance(language, Language) and levels.outline is None and patterns is None:
            aspects |= OF_SKETCH  # what an earlier, luckier reading found is not to be believed beside it
            sketch = None
        records[Aspect.LEVELS], records[Aspect.OUTLINE] = _texts(levels), Definitions(definitions)
        if Aspect.WEIGHTS in aspects:
            weights = records[Aspect.WEIGHTS] = weights_of(content.source, levels, counter)
            tokens = weights.tokens
        else:
            tokens = level_tokens(counter.count(content.source), levels, counter)
        records[Aspect.FACTS] = _facts(content, language, levels, tokens)
    elif Aspect.OUTLINE in aspects:
        definitions = definitions_of(content.source, language)
        records[Aspect.OUTLINE] = Definitions(definitions)
    if not OF_SKETCH.isdisjoint(aspects):
        if sketch is not None:
            found = sketch.definitions
        elif patterns is not None:
            found = sketch_of(content.source, patterns)
        else:
            found = definitions_of(content.source, language) if definitions is None else definitions
        records |= of_definitions(
            content.source, found, aspects=aspects, language=_code_language(language), secrets=content.secrets
        )
    if Aspect.SYMBOLS in aspects:
        records[Aspect.SYMBOLS] = Definitions(_symbols(content.source, language))
    if Aspect.USES in aspects:
        records[Aspect.USES] = uses_of(content.source, language)
    return {aspect: encoded(record) for aspect, record in records.items()}


def _code_language(language: Language | TextFormat | None) -> str | None:
    """The name of a language; None for a format of text, or nothing."""
    return language.name if isinstance(language, Language) else None


def unreadable_grammar(content: Content, why: str, *, counter: TokenCounter) -> dict[Aspect, bytes]:
    """The aspects of a file whose grammar cannot be let near it: those of plain text, with the reason."""
    plain = derive(content, None, aspects=OF_SKETCH | OF_LEVELS, counter=counter)
    facts = decoded(plain[Aspect.FACTS], Facts)
    plain[Aspect.FACTS] = encoded(facts._replace(unproven=(why, why)))
    plain[Aspect.SYMBOLS] = encoded(Definitions(()))
    plain[Aspect.SURVEY] = encoded(survey_of(content.source, (), language="", secrets=content.secrets))
    plain[Aspect.USES] = encoded(NO_USES)
    return plain


def _facts(
    content: Content, language: Language | TextFormat | None, levels: Skeletons, tokens: tuple[int, int, int]
) -> Facts:
    full, plus, skeleton = levels.full, levels.plus, levels.skeleton
    return Facts(
        language=language.name if language else "",
        lines=(len(full.line_numbers), len(plus.line_numbers), len(skeleton.line_numbers)),
        tokens=tokens,
        given=(plus.level.value, skeleton.level.value),
        unproven=(plus.unproven, skeleton.unproven),
        syntax_errors=full.syntax_errors,
        secrets=content.secrets,
    )


def _texts(levels: Skeletons) -> LevelTexts:
    def kept(skeleton: Skeleton, above: Skeleton) -> LevelText:
        if skeleton.text == above.text:
            return LevelText(None, (), ())
        return LevelText(skeleton.text, skeleton.line_numbers, skeleton.definitions)

    return LevelTexts(kept(levels.plus, levels.full), kept(levels.skeleton, levels.plus))


def _symbols(source: bytes, language: Language | TextFormat | None) -> tuple[Definition, ...]:
    if language is None or not (isinstance(language, Language) or language.holds_code):
        return ()
    try:
        with in_time_for(source):
            return (
                every_definition(source, language) if isinstance(language, Language) else definitions_in_cells(source)
            )
    except GrammarFailureError:
        return ()  # it has no definitions that could be named; its lines can
