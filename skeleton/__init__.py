r"""One file -> its symbols, its folds, its levels.

>>> from skeleton import CompressionLevel, language_of, skeletonize
>>> source = b"def f(x: int) -> int:\n    return x + 1\n"
>>> skeletonize(source, language_of("a.py"), CompressionLevel.SKELETON).text
'def f(x: int) -> int: ...'
"""

from __future__ import annotations

from skeleton.formats import TextFormat, format_of
from skeleton.languages import Language, code_language_of
from skeleton.levels import CompressionLevel
from skeleton.members import outline
from skeleton.outline import Definition, Outline
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


def language_of(path: str, source: bytes = b"") -> Language | TextFormat | None:
    """What a file is written in: by file name, extension, shebang and modeline; None is plain text.

    Raises:
        QueryFileError: the language's query file is broken.
    """
    return code_language_of(path, source) or format_of(path, source)
