"""The ways to show a file that the index knows: nothing is read or parsed that the index can answer."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from allocator.views import Count, FileViews
from skeleton.facts import Aspect
from skeleton.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton import Definition, Skeletons
    from skeleton.facts import Facts
    from skeleton.index import CodeIndex, IndexedFile
    from workspace.reading import SourceFile


class LanguageName(NamedTuple):
    """A language, known by its name alone."""

    name: str


class IndexedViews(FileViews):
    """One indexed file and the ways to show it.

    Args:
        file: the file.
        count: counts tokens.
    """

    def __init__(self, file: IndexedFile, count: Count) -> None:
        self.file = file
        self.path = file.path
        self.tier = file.tier
        self._count = count

    @property
    def source(self) -> SourceFile:
        """The file as it was read; raises FileChangedError where it is not that any more."""
        return self.file.reading

    @cached_property
    def facts(self) -> Facts:
        """The file's numbers and marks."""
        return self.file.facts

    @cached_property
    def secrets(self) -> int:
        """How many were taken out of the file."""
        return self.facts.secrets

    @cached_property
    def language(self) -> LanguageName | None:
        """What the file is written in; None for plain text."""
        return LanguageName(self.facts.language) if self.facts.language else None

    @cached_property
    def md5(self) -> str:
        """Of the bytes on disk, in hexadecimal digits."""
        return self.file.basics.md5

    @cached_property
    def original_tokens(self) -> int:
        """Tokens of the whole text."""
        return self.facts.tokens

    @cached_property
    def skeletons(self) -> Skeletons:
        """The file at all its levels."""
        return self.file.skeletons

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions of the file's outline, those that a reader of L1 can see."""
        return self.file.definitions

    @cached_property
    def weights(self) -> Weights:
        """What the file costs, without frames."""
        return self.file.weights


def bring_weights(index: CodeIndex, files: Sequence[FileViews]) -> None:
    """Loads what some files cost in one go, for those of which it is not known yet.

    Args:
        index: knows the files.
        files: indexed ones; others are left as they are.
    """
    missing = [file for file in files if isinstance(file, IndexedViews) and "weights" not in file.__dict__]
    loaded = index.load([file.file for file in missing], Aspect.WEIGHTS, Weights)
    for file, weights in zip(missing, loaded, strict=True):
        file.__dict__["weights"] = weights
