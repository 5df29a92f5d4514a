"""The languages that a set of files is written in, by the files' names and sizes alone: the main ones, and the scarce ones."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from skeleton.languages.headers import languages_by_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workspace.files.scan import ScannedFile

MAIN_SHARE: Final = 6
"""Of a main language of some files is one byte in so many, at the least."""

SCARCE_BYTES: Final = 1 << 17
SCARCE_SHARE: Final = 50
"""Of a scarce language there are fewer bytes than so many, and less than one in so many of all."""


def main_languages(files: Iterable[ScannedFile]) -> list[str]:
    """Returns the names of the languages that much of some files is written in, by their names; most of them in the first."""
    sizes = _sizes((file.path, file.size) for file in files)
    total = sizes.total()
    return [language for language, size in sizes.most_common() if language and size * MAIN_SHARE >= total]


def scarce_languages(files: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Returns the names of the languages that take a parser for sketches and that next to nothing of some files is in.

    Args:
        files: their paths, by which languages are known, and their bytes.
    """
    from skeleton.languages.sketches import sketch_patterns  # for what is new alone

    sizes = _sizes(files)
    most = min(SCARCE_BYTES, sizes.total() // SCARCE_SHARE)
    return frozenset(name for name, size in sizes.items() if name and size < most and sketch_patterns(name) is None)


def _sizes(files: Iterable[tuple[str, int]]) -> Counter[str]:
    """Returns the bytes of each language, by its name; "" stands for what is no code.

    What may be in several, as headers are, counts for the one of them that most of the other files are in.
    """
    sizes: Counter[str] = Counter()
    undecided: Counter[tuple[str, ...]] = Counter()
    for path, size in files:
        names = languages_by_name(path)
        if len(names) > 1:
            undecided[names] += size
        else:
            sizes[names[0] if names else ""] += size
    for name, size in [(max(names, key=sizes.__getitem__), size) for names, size in undecided.items()]:
        sizes[name] += size
    return sizes
