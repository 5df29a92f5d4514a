r"""Skeletons of single files: their definitions, their folds, their text at each level.

>>> from skeleton import CompressionLevel, language_of, skeletonize
>>> source = b"def f(x: int) -> int:\n    return x + 1\n"
>>> skeletonize(source, language_of("a.py"), CompressionLevel.SKELETON).text
'def f(x: int) -> int: ...'

The names are loaded when they are first asked for: who finds all that is wanted in the cache needs no parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from skeleton.levels import CompressionLevel

if TYPE_CHECKING:
    from skeleton.formats import TextFormat
    from skeleton.languages.queries import Language
    from skeleton.outline.definitions import Definition, Outline
    from skeleton.recognition import language_of
    from skeleton.render.texts import Skeleton, Skeletons
    from skeleton.skeletonizer import Skeletonizer, SkeletonResult, skeletonize, skeletons

__all__ = [
    "CompressionLevel",
    "Definition",
    "Language",
    "Outline",
    "Skeleton",
    "SkeletonResult",
    "Skeletonizer",
    "Skeletons",
    "TextFormat",
    "language_of",
    "skeletonize",
    "skeletons",
]

_PLACES = {
    "Definition": "outline.definitions",
    "Language": "languages.queries",
    "Outline": "outline.definitions",
    "Skeleton": "render.texts",
    "SkeletonResult": "skeletonizer",
    "Skeletonizer": "skeletonizer",
    "Skeletons": "render.texts",
    "TextFormat": "formats",
    "language_of": "recognition",
    "skeletonize": "skeletonizer",
    "skeletons": "skeletonizer",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'skeleton' has no attribute {name!r}", name=name, obj=None)
    return getattr(import_module(f"skeleton.{_PLACES[name]}"), name)
