"""One file as the index knows it: what shows without parsing is at hand, the rest is looked up when it is asked for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeVar

from skeleton.index.records import Aspect, Basics, Definitions, Facts, LevelTexts, Uses, skeletons_of
from skeleton.index.weights import Weights
from workspace.names.tiers import Tier, tier_of
from workspace.secrets.redaction import RedactedFile, redacted_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.outline.definitions import Definition
    from skeleton.render.texts import Skeletons
    from workspace.files.reading import SourceFile
    from workspace.files.scan import ScannedFile, Stamp


_Record = TypeVar("_Record")


class Source(Protocol):
    """Gives a file what it does not have at hand: `skeleton.index.code_index.CodeIndex`.

    Attributes:
        redact: whether secrets are taken out of what is shown.
    """

    redact: bool

    def load(self, files: Sequence[IndexedFile], aspect: Aspect, record: type[_Record]) -> list[_Record]:
        """Returns one aspect of many files, in their order."""
        ...

    def secrets(self, key: bytes) -> int | None:
        """Returns how many secrets a content holds; None where that is not known."""
        ...

    def note_secrets(self, key: bytes, secrets: int) -> None:
        """Remembers how many secrets a content holds."""
        ...

    def source(self, file: ScannedFile, key: bytes) -> SourceFile:
        """Reads a file that must still have the content of a key."""
        ...


class Entry:
    """The knowledge of one file that lasts between calls."""

    __slots__ = ("basics", "key", "path", "stamp", "tier")

    def __init__(self, path: str, stamp: Stamp | None, key: bytes, basics: Basics) -> None:
        self.path = path
        self.stamp = stamp
        """None where it cannot be trusted."""
        self.key = key
        self.basics = basics
        self.tier = Tier.OTHER if basics.machine_made else tier_of(path, is_no_test=basics.is_no_test)


class IndexedFile:
    """One file of one call: what shows without parsing is at hand, the rest is worked out when it is asked for.

    Attributes:
        path: relative to the folder of the scan.
        address: relative to its root: what callers are told, and may send back.
        scanned: what the scan says of it.
        tier: how important it is before anything else is known.
        basics: what shows without parsing.
        key: stands for the content, the name, and the version of all that works on it.
        wanted: what its call is going to ask for; once it has to be parsed, all of this is worked out together.
    """

    __slots__ = ("_index", "_reading", "_shown", "address", "basics", "key", "path", "scanned", "tier", "wanted")

    def __init__(
        self,
        entry: Entry | IndexedFile,
        scanned: ScannedFile,
        index: Source,
        reading: SourceFile | None = None,
        wanted: frozenset[Aspect] = frozenset(),
    ) -> None:
        self.path = scanned.path
        self.address = scanned.address
        self.tier = entry.tier
        self.basics = entry.basics
        self.key = entry.key
        self.wanted = wanted
        self.scanned = scanned
        self._index = index
        self._reading = reading
        self._shown: RedactedFile | None = None

    def anew(self, wanted: frozenset[Aspect] = frozenset()) -> IndexedFile:
        """The same file for another call: nothing that was read for this one."""
        return IndexedFile(self, self.scanned, self._index, wanted=wanted)

    @property
    def place(self) -> str:
        """The place where it really lies, links followed."""
        return os.fspath(self.scanned.absolute)

    @property
    def as_read(self) -> SourceFile:
        """The file, as it was when the facts were worked out, with all that it holds.

        Raises:
            FileChangedError: the file has changed since.
        """
        if self._reading is None:
            self._reading = self._index.source(self.scanned, self.key)
        return self._reading

    @property
    def shown(self) -> RedactedFile:
        """The file without the secrets that were found in it; raises what `as_read` raises."""
        if self._shown is None:
            index = self._index
            may_hold_secrets = index.redact and index.secrets(self.key) != 0
            self._shown = redacted_file(self.as_read) if may_hold_secrets else RedactedFile(file=self.as_read)
            index.note_secrets(self.key, self._shown.secrets)
        return self._shown

    @property
    def reading(self) -> SourceFile:
        """The same, as a source file."""
        return self.shown.file

    @property
    def source(self) -> bytes:
        """The text as UTF-8; raises what `as_read` raises."""
        return self.reading.source

    @property
    def facts(self) -> Facts:
        """Its numbers and marks; loaded at each call."""
        return self._index.load([self], Aspect.FACTS, Facts)[0]

    @property
    def skeletons(self) -> Skeletons:
        """The file at all its levels; loaded at each call, and raises what `as_read` raises."""
        (texts,) = self._index.load([self], Aspect.LEVELS, LevelTexts)
        return skeletons_of(self.facts, texts, Definitions(self.definitions), lambda: self.source)

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions that a reader can see, by position; loaded at each call."""
        return self._index.load([self], Aspect.OUTLINE, Definitions)[0].definitions

    @property
    def weights(self) -> Weights:
        """Its costs, level by level and definition by definition; loaded at each call."""
        return self._index.load([self], Aspect.WEIGHTS, Weights)[0]

    @property
    def uses(self) -> Uses:
        """The places where names are used in it, and where it is prose; loaded at each call."""
        return self._index.load([self], Aspect.USES, Uses)[0]

    @property
    def symbols(self) -> tuple[Definition, ...]:
        """Every definition, those inside bodies too, by position; loaded at each call."""
        return self._index.load([self], Aspect.SYMBOLS, Definitions)[0].definitions
