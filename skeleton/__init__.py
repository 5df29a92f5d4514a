r"""One file -> its symbols, its folds, its levels.

>>> from skeleton import CompressionLevel, language_of, skeletonize
>>> source = b"def f(x: int) -> int:\n    return x + 1\n"
>>> skeletonize(source, language_of("a.py"), CompressionLevel.SKELETON).text
'def f(x: int) -> int: ...'
"""

from __future__ import annotations

from skeleton.formats import TextFormat
from skeleton.languages import Language
from skeleton.levels import CompressionLevel
from skeleton.members import outline
from skeleton.outline import Definition, Outline
from skeleton.recognition import language_of
from skeleton.skeletonizer import Skeleton, Skeletonizer, SkeletonResult, Skeletons, skeletonize, skeletons

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
    "outline",
    "skeletonize",
    "skeletons",
]
