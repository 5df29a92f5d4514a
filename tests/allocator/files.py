"""Files that need no folder: everything that an index would know is worked out from a text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from allocator.show.views import FileViews
from skeleton import skeletons
from skeleton.index.content import Content
from skeleton.index.facts import derive
from skeleton.index.records import OF_LEVELS, OF_SKETCH, Aspect, Basics, Facts, basics_of, decoded
from skeleton.index.weights import Weights
from skeleton.recognition import language_of
from workspace.files.reading import SourceFile
from workspace.files.scan import Stamp
from workspace.names.tiers import Tier, tier_of
from workspace.tokens import TokenCounter, token_counter

if TYPE_CHECKING:
    from skeleton import Definition, Language, Skeletons, TextFormat


@dataclass
class LooseFile:
    """A file in memory; `language` stands for what its name says, if that is not it."""

    path: str
    raw: bytes
    counter: TokenCounter
    written_in: Language | None = None

    @property
    def address(self) -> str:
        return self.path

    @property
    def tier(self) -> Tier:
        return tier_of(self.path, self.raw)

    @property
    def key(self) -> bytes:
        return self.raw

    @property
    def basics(self) -> Basics:
        return basics_of(self.path, self.raw, self.raw)

    @property
    def reading(self) -> SourceFile:
        stamp = Stamp(mtime_ns=0, size=len(self.raw), inode=0, ctime_ns=0)
        return SourceFile(path=self.path, raw=self.raw, source=self.raw, encoding="utf-8", stamp=stamp)

    @property
    def facts(self) -> Facts:
        return decoded(self._aspects[Aspect.FACTS], Facts)

    @property
    def skeletons(self) -> Skeletons:
        return skeletons(self.raw, self._language)

    @property
    def definitions(self) -> tuple[Definition, ...]:
        return self.skeletons.full.definitions

    @property
    def weights(self) -> Weights:
        return decoded(self._aspects[Aspect.WEIGHTS], Weights)

    @property
    def _language(self) -> Language | TextFormat | None:
        return self.written_in or language_of(self.path, self.raw)

    @cached_property
    def _aspects(self) -> dict[Aspect, bytes]:
        return derive(Content(self.raw, self.raw), self._language, aspects=OF_LEVELS | OF_SKETCH, counter=self.counter)


def file_of(
    text: str, path: str = "src/a.py", *, counter: TokenCounter | None = None, written_in: Language | None = None
) -> FileViews:
    """A file of a text, as an assembly is given it."""
    return FileViews(LooseFile(path, text.encode(), counter or token_counter(), written_in))
