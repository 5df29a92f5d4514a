"""Works out what is read of every file to place it among all others: its sketch, its words and its survey.

No parser and no query is loaded for it where the language of a file has patterns (`skeleton.languages.sketches`), or
where a file is no code and has no definitions; those of other files are those of their outlines, and come from
`skeleton.index.facts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton.index.records import OF_SKETCH, Aspect, Definitions, encoded
from skeleton.index.survey import survey_of
from skeleton.index.terms import terms_of
from skeleton.languages.headers import language_name_of
from skeleton.languages.sketches import SketchPatterns, sketch_patterns
from skeleton.sketch.sketching import sketch_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from skeleton.outline.definitions import Definition


def patterns_for(path: str, source: bytes) -> SketchPatterns | None:
    """Returns the patterns by which the sketch of a file is had; None for what is no code, and for code that takes a parser.

    Args:
        path: the file.
        source: its text.
    """
    name = language_name_of(path, source)
    return None if name is None else sketch_patterns(name)


def takes_parser(path: str, source: bytes) -> bool:
    """Tells whether the sketch of a file takes a parser; the arguments are those of `patterns_for`."""
    name = language_name_of(path, source)
    return name is not None and sketch_patterns(name) is None


def sketched(
    source: bytes, path: str, *, aspects: Collection[Aspect], secrets: int, sketch: Definitions | None = None
) -> dict[Aspect, bytes] | None:
    """Works out some aspects of a file; None where that takes a parser.

    Args:
        source: the file as UTF-8.
        path: the file.
        aspects: what is asked for; the sketch comes with everything.
        sketch: is known already; None where it is not.
        secrets: how many were taken out of the source.

    Returns:
        The aspects, encoded.
    """
    if not OF_SKETCH.issuperset(aspects):
        return None
    name = language_name_of(path, source)
    if name is None:
        definitions = () if sketch is None else sketch.definitions
    elif (patterns := sketch_patterns(name)) is None:
        return None
    else:
        definitions = sketch_of(source, patterns) if sketch is None else sketch.definitions
    found = of_definitions(source, definitions, aspects=aspects, language=name, secrets=secrets)
    return {aspect: encoded(record) for aspect, record in found.items()}


def of_definitions(
    source: bytes,
    definitions: Sequence[Definition],
    *,
    aspects: Collection[Aspect],
    language: str | None,
    secrets: int,
) -> dict[Aspect, object]:
    """Works out the same of a file whose definitions are known.

    Args:
        source: the file as UTF-8.
        definitions: those of its sketch.
        aspects: what is asked for.
        language: the name of its language, "" for one that is not known; None for no code.
        secrets: how many were taken out of it.
    """
    records: dict[Aspect, object] = {Aspect.SKETCH: Definitions(tuple(definitions))}
    if Aspect.TERMS in aspects:
        records[Aspect.TERMS] = terms_of(source, definitions, language or None)
    if Aspect.SURVEY in aspects:
        records[Aspect.SURVEY] = survey_of(source, definitions, language=language, secrets=secrets)
    return records
