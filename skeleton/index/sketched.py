"""Works out what is read of every file to place it among all others: its sketch, its words and its survey.

No parser and no query is loaded for it where the language of a file has patterns (`skeleton.languages.sketches`); the
definitions of other files are those of their outlines, and come from `skeleton.index.facts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton.index.records import OF_SKETCH, Aspect, Definitions, encoded
from skeleton.index.survey import survey_of
from skeleton.index.terms import terms_of
from skeleton.languages.headers import language_name_of
from skeleton.languages.sketches import SketchPatterns, sketch_patterns
from skeleton.outline.sketch import sketch_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from skeleton.outline.definitions import Definition


def patterns_for(path: str, source: bytes, aspects: Collection[Aspect]) -> SketchPatterns | None:
    """Returns the patterns by which all that is asked for can be had of a file; None where it takes a parser.

    Args:
        path: the file.
        source: its text.
        aspects: what is asked for.
    """
    if not OF_SKETCH.issuperset(aspects):
        return None
    name = language_name_of(path, source)
    return sketch_patterns(name) if name is not None else None


def sketched(
    source: bytes, patterns: SketchPatterns, *, aspects: Collection[Aspect], sketch: Definitions | None = None
) -> dict[Aspect, bytes]:
    """Works out some of these aspects of source code.

    Args:
        source: the file as UTF-8.
        patterns: those of its language.
        aspects: what is asked for; the sketch comes with everything.
        sketch: is known already; None where it is not.

    Returns:
        The aspects, encoded.
    """
    definitions = sketch_of(source, patterns) if sketch is None else sketch.definitions
    found = of_definitions(source, definitions, aspects=aspects, is_code=True)
    return {aspect: encoded(record) for aspect, record in found.items()}


def of_definitions(
    source: bytes, definitions: Sequence[Definition], *, aspects: Collection[Aspect], is_code: bool
) -> dict[Aspect, object]:
    """Works out the same of a file whose definitions are known.

    Args:
        source: the file as UTF-8.
        definitions: those of its sketch.
        aspects: what is asked for.
        is_code: whether it is code.
    """
    records: dict[Aspect, object] = {Aspect.SKETCH: Definitions(tuple(definitions))}
    if Aspect.TERMS in aspects:
        records[Aspect.TERMS] = terms_of(source, definitions)
    if Aspect.SURVEY in aspects:
        records[Aspect.SURVEY] = survey_of(source, definitions, is_code=is_code)
    return records
