"""Brings the facts of single files that are remembered between calls, looked up for many files at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from allocator.remembered import Remembered
from allocator.show.views import MOST_BLOCKS, MOST_UNITS, FileViews, KnownBlocks, KnownUnits
from skeleton.index.records import Aspect, Definitions, Facts, LevelTexts, skeletons_of
from skeleton.index.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton import Definition, Skeletons
    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile

MOST_WEIGHTS = 4000
"""Files of which it is held in memory what they cost."""

MOST_TEXTS = 200
"""Files whose levels are held in memory for the next question about them."""

LARGEST_TEXT = 1 << 17
"""Bytes beyond which a file's levels are looked up each time."""


class Bringing:
    """The files of calls, with what is known of their contents. Threads may share it.

    Args:
        index: knows them.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._units = KnownUnits(MOST_UNITS)
        self._blocks = KnownBlocks(MOST_BLOCKS)
        self._weights = Remembered[bytes, Weights](MOST_WEIGHTS)
        self._texts = Remembered[bytes, tuple[Facts, "tuple[Definition, ...]", "Skeletons"]](MOST_TEXTS)

    def views(self, file: IndexedFile) -> FileViews:
        """A file of a call, and the ways to show it."""
        return FileViews(file, self._units, self._blocks)

    def weights(self, files: Sequence[FileViews], progress: Progress) -> None:
        """Loads what some files cost in one go, for those of which it is not known yet."""
        missing: list[FileViews] = []
        for file in files:
            if "weights" not in file.__dict__:
                known = self._weights.find(file.file.key)
                if known is None:
                    missing.append(file)
                else:
                    file.weights = known
        loaded = self._index.load(indexed(missing), Aspect.WEIGHTS, Weights, progress=progress)
        for file, file.weights in zip(missing, loaded, strict=True):
            self._weights.keep(file.file.key, file.weights)

    def texts(self, files: Sequence[FileViews], progress: Progress) -> None:
        """Looks the levels of some files up in one go, for those of which they are not known yet."""
        missing: list[FileViews] = []
        for file in files:
            if "skeletons" in file.__dict__:
                continue
            known = self._texts.find(file.file.key)
            if known is None:
                missing.append(file)
            else:
                file.facts, file.definitions, file.skeletons = known
        lacking = indexed(missing)
        texts = self._index.load(lacking, Aspect.LEVELS, LevelTexts, progress=progress)
        outlines = self._index.load(lacking, Aspect.OUTLINE, Definitions, progress=progress)
        facts = self._index.load(lacking, Aspect.FACTS, Facts, progress=progress)
        for file, levels, outline, file.facts in zip(missing, texts, outlines, facts, strict=True):
            file.definitions = outline.definitions
            file.skeletons = skeletons_of(file.facts, levels, outline, lambda file=file: file.source.source)
            if file.file.basics.bytes <= LARGEST_TEXT:
                self._texts.keep(file.file.key, (file.facts, file.definitions, file.skeletons))


def indexed(views: Sequence[FileViews]) -> list[IndexedFile]:
    """The files as the index knows them."""
    return [cast("IndexedFile", view.file) for view in views]
