"""The stores that the index needs, as protocols that any store can fulfil.

    FactStore     facts by content: a key digests all that a fact depends on, so it is true on any machine, and a value
                  that was found is never wrong
    StampStore    the contents of this machine's files, told by their stamps; nobody else has a use for them
    Origins       the contents of files, told by where they came from

`skeleton.index.cache.Cache` is both in one SQLite file; `skeleton.index.layered.LayeredFacts` puts one that replicas share
behind it. Which kinds of facts there are is said by
`skeleton.index.records.Aspect` alone; a store keeps numbers and bytes. A store costs nobody a call: none of these methods
raises on what a disk or a network does. It notes that in `problem`, and has nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from workspace.files.scan import Scan


class FactStore(Protocol):
    """Facts by the content that they were worked out from."""

    @property
    def problem(self) -> str:
        """The reason why it does not work, or ""."""
        ...

    @property
    def in_memory(self) -> bool:
        """Tells whether the store ends with the process."""
        ...

    @property
    def may_be_elsewhere(self) -> bool:
        """Tells whether others may have worked out what this machine has not."""
        ...

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values that are stored for some keys; what is missing or damaged is left out."""
        ...

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value."""
        ...

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Stores values, each with its kind and key."""
        ...

    def prune(self, *, seconds: float) -> int:
        """Removes what was not used for longest where there is too much; returns the bytes removed.

        Args:
            seconds: about how long it may take.
        """
        ...

    def close(self) -> None:
        """Gives back what is open; a later call opens it again."""
        ...


class StampStore(Protocol):
    """The contents of files on this machine, told by their stamps."""

    def stamps(self, salt: bytes, folder: str) -> dict[str, tuple[bytes, bytes]]:
        """Returns stamp and key of every file that is known below a folder, by path."""
        ...

    def write_stamps(self, salt: bytes, stamps: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Stores stamp and key of files, by path."""
        ...

    def forget_stamps(self, salt: bytes, paths: Iterable[str]) -> None:
        """Removes what is known of files that are gone."""
        ...

    def close(self) -> None:
        """Gives back what is open; a later call opens it again."""
        ...


class Origins(Protocol):
    """Knows the contents of files by other means than their stamps: `skeleton.index.checkout.Checkout`."""

    def keys(self, found: Scan, *, settled: int) -> dict[str, bytes]:
        """Returns the keys of those files of a scan whose content is known without reading it, by their real places.

        Args:
            found: the scan.
            settled: only of files that were last touched before this time, in nanoseconds.
        """
        ...
