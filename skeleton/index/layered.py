"""Facts that others have worked out, behind the store of this machine: in tree packs, and in a store that replicas share.

What is asked for is looked up near, then in the packs, then far, in one batch; what comes from afar is kept near. What is
worked out is written near, and offered to the others behind the call. Stamps are of this machine and stay here, and so do the facts
that cost less to work out than to ask for (`OF_THIS_MACHINE`); a pack has them, for it lies on the machine.

Counts are looked up one by one, while a text is put together. To ask afar for each would cost a round trip a text, so
what one call has counted travels together, under the key of the first: who makes the same call meets the first, and has
all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from skeleton.index.records import Aspect

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skeleton.index.store import FactStore
    from skeleton.index.tree_pack import TreePack
    from workspace.shared.store import SharedStore

OF_THIS_MACHINE: Final = frozenset({Aspect.BASICS})
"""Aspects that are never asked for afar: who has the content has them."""

COMPANIONS: Final[Mapping[int, tuple[Aspect, ...]]] = {
    Aspect.WEIGHTS: (Aspect.FACTS,),
    Aspect.LEVELS: (Aspect.FACTS, Aspect.OUTLINE),
}
"""The aspects that are asked for next of the same contents, and so brought along."""

_COUNTS = msgspec.msgpack.Decoder(dict[bytes, bytes])


class LayeredFacts:
    """Facts near and far: a `FactStore`.

    Args:
        near: the store of this machine, or of this process.
        far: the one that replicas share; None for none.
        packs: of trees, which are only read.
    """

    def __init__(self, near: FactStore, far: SharedStore | None = None, packs: Sequence[TreePack] = ()) -> None:
        self._near = near
        self._far = far
        self._packs = packs

    @property
    def problem(self) -> str:
        """The reason why it does not work, or ""."""
        return self._near.problem or (self._far.problem if self._far is not None else "")

    @property
    def in_memory(self) -> bool:
        """Tells whether the store ends with the process."""
        return self._far is None and self._near.in_memory

    @property
    def may_be_elsewhere(self) -> bool:
        """Tells whether others may have worked out what this machine has not."""
        return self._far is not None and not self._far.problem

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Returns the values that are stored for some keys, near or far; what is missing or damaged is left out."""
        found = self._near.read(kind, keys)
        for pack in self._packs:
            if missing := [key for key in keys if key not in found]:
                found |= pack.read(kind, missing)
        missing = [key for key in keys if key not in found]
        return found | self._fetched(kind, missing) if missing else found

    def held(self, kind: int, keys: Sequence[bytes]) -> set[bytes]:
        """Returns those of some keys that have a value; values from afar are near from now on."""
        held = self._near.held(kind, keys)
        for pack in self._packs:
            if missing := [key for key in keys if key not in held]:
                held |= pack.held(kind, missing)
        missing = [key for key in keys if key not in held]
        return held | self._fetched(kind, missing).keys() if missing else held

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Stores values here, each with its kind and key, and offers them to the others."""
        written = [*entries]
        self._near.write(written)
        if self._far is not None:
            self._far.offer(_travelling(written))

    def prune(self, *, seconds: float) -> int:
        """Removes what was not used for longest here, where there is too much; afar that is the server's business."""
        return self._near.prune(seconds=seconds)

    def close(self) -> None:
        """Gives back what is open here; the link and the packs are their owners'."""
        self._near.close()

    def _fetched(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        if self._far is None or kind in OF_THIS_MACHINE:
            return {}
        besides = [(int(each), key) for each in COMPANIONS.get(kind, ()) for key in keys]
        fetched = self._far.fetch([*((kind, key) for key in keys), *besides])
        if kind == Aspect.COUNT:
            fetched = {(kind, key): value for key, value in _unpacked(fetched.values()).items()}
        if fetched:
            self._near.write((each, key, value) for (each, key), value in fetched.items())
        return {key: fetched[kind, key] for key in keys if (kind, key) in fetched}


def _travelling(entries: Sequence[tuple[int, bytes, bytes]]) -> list[tuple[int, bytes, bytes]]:
    """Returns those entries that are offered to others: counts together, and nothing that they have themselves."""
    counts = {key: value for kind, key, value in entries if kind == Aspect.COUNT}
    others = [entry for entry in entries if entry[0] != Aspect.COUNT and entry[0] not in OF_THIS_MACHINE]
    if not counts:
        return others
    return [*others, (int(Aspect.COUNT), next(iter(counts)), msgspec.msgpack.encode(counts))]


def _unpacked(bundles: Iterable[bytes]) -> dict[bytes, bytes]:
    """The counts of some that travelled together; one that is not of that form is none."""
    found: dict[bytes, bytes] = {}
    for bundle in bundles:
        try:
            found |= _COUNTS.decode(bundle)
        except msgspec.DecodeError:
            continue
    return found
