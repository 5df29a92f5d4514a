"""Sketches of sources, as tests ask for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from skeleton.languages.headers import language_names
from skeleton.languages.sketches import sketch_patterns
from skeleton.sketch.sketching import sketch_of

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

SKETCHED = tuple(name for name in language_names() if sketch_patterns(name) is not None)
"""The languages that have patterns."""

SOURCES = {path.stem: path.read_bytes() for path in sorted((Path(__file__).parents[1] / "sketched").iterdir())}
"""Code that is typical of a language, and that is hard to find by its lines."""


def sketch(source: bytes, language: str) -> tuple[Definition, ...]:
    patterns = sketch_patterns(language)
    assert patterns is not None
    return sketch_of(source, patterns)


def spans(language: str, text: str) -> dict[str, str]:
    """The text of each definition, by its qualified name."""
    return {one.path: text[one.start : one.end] for one in sketch(text.encode(), language)}


def beginning(language: str) -> bytes:
    """The line that code of a language begins with, if it does not begin with its file."""
    patterns = sketch_patterns(language)
    return patterns.code + b"\n" if patterns is not None and patterns.code else b""
