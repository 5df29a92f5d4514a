"""Sketches of sources, as tests ask for them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from skeleton.languages.headers import language_names
from skeleton.languages.sketches import sketch_patterns
from skeleton.sketch.sketching import sketch_of
from tests.thoroughness import is_thorough

if TYPE_CHECKING:
    from skeleton.outline.definitions import Definition

SKETCHED = tuple(name for name in language_names() if sketch_patterns(name) is not None)
"""The languages that have patterns."""

SOURCES = {path.stem: path.read_bytes() for path in sorted((Path(__file__).parents[1] / "sketched").iterdir())}
"""Code that is typical of a language, and that is hard to find by its lines."""

MADE_TO_HURT = 200_000 if is_thorough() else 25_000
"""The bytes of a source that is made to hurt."""

MOST_SECONDS = 20 if is_thorough() else 4
"""Of the processor, for a sketch of it: where a search begins anew for each of its lines, or for each quote of a line, it
takes minutes, and a quarter of it ten seconds."""


def seconds_of(source: bytes, language: str) -> float:
    """The seconds of the processor that a sketch takes."""
    began = time.thread_time()
    sketch(source, language)
    return time.thread_time() - began


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
