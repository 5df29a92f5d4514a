"""The files of a corpus, each as numbers, and all of them as one value that replicas share.

To read the words of a thousand files and number them takes longer than the rest of a ranking. A replica that knows
nothing of a folder yet asks whether another one has put its files together already: one value, under a digest of all
contents and of the code that makes it. What it gives is what the files themselves would; a value that does not hold
together is none. A process of this machine that begins asks for the last one of the folder likewise (`Together`), and
takes of it what did not change since.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np

from skeleton.index.records import encoded, read_record
from skeleton.languages.kinds import CALLABLE, USABLE
from workspace.own_code import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from skeleton.index.store import FactStore
    from skeleton.outline.definitions import Definition

    Ints = NDArray[np.int32]
    Floats = NDArray[np.float64]

KIND: Final = 201
"""Of these values in a shared store; no aspect has it."""

KIND_HERE: Final = 203
"""Of those of the folders of this machine, in its cache."""

MOST_BYTES: Final = 32 << 20
"""Bytes of a value that is kept for a folder of this machine: that of a hundred megabytes of source or less."""

PART_BYTES: Final = 1 << 20
"""It is kept in parts of so many bytes."""

RENEWED: Final = 10
"""It is made anew when more than one file in so many is not in it as it is."""

LEAST_SHARED: Final = 16
"""Files of which it is worth asking."""

CALLS: Final = 1
"""Of what is a function, a method or the like."""
TELLS: Final = 2
"""Of what its name stands for: not of an implementation, a field, or a line that says where a module is."""
KEEPS: Final = 4
"""Of a constant, which signatures alone leave out."""
TESTS: Final = 8
"""Of a test that stands beside what it tests, and of all in it."""

_ROOM: Final = Path(__file__).parent
"""All modules of it have a say in a value, not this one alone."""

_WHOLE: Final = np.dtype("<i4")


class Entry(NamedTuple):
    """A file, as the corpus knows it; words and names are numbers.

    Attributes:
        units: how many units it has: its definitions, and the rest.
        unit: for each word in a unit the unit.
        word: likewise the word.
        counts: likewise how often the word stands in each place.
        names: for each unit the word that is its name, or -1.
        kinds: likewise what it is, as a sum of `CALLS`, `TELLS`, `KEEPS` and `TESTS`.
        sizes: the bytes of its source.
        heads: those of its signature.
        parents: the unit that it stands in, or -1.
        holders: the word that what it stands in is called by, which may be in another file, or -1.
        starts: where its name starts in the file.
    """

    units: int
    unit: Ints
    word: Ints
    counts: NDArray[np.uint8]
    names: Ints
    kinds: NDArray[np.uint8]
    sizes: Floats
    heads: Floats
    parents: Ints
    holders: Ints
    starts: Ints


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """The entries of some files, one behind the other: arrays as bytes, of whole numbers of 32 bits, the lowest first.

    Attributes:
        words: all words of these files, in the order of their numbers.
        held: for each file its units, and then for each file its entries.
        others: as of `Entry`.
    """

    words: tuple[str, ...]
    held: bytes
    unit: bytes
    word: bytes
    counts: bytes
    names: bytes
    kinds: bytes
    sizes: bytes
    heads: bytes
    parents: bytes
    holders: bytes
    starts: bytes


class _Folder(msgspec.Struct, frozen=True, array_like=True):
    """The value of a folder.

    Attributes:
        files: for each file its path and its key.
        parts: the keys of the parts of what `packed` gives of them.
    """

    files: tuple[tuple[bytes, bytes], ...]
    parts: tuple[bytes, ...]


class Together:
    """The entries of the files of one folder, in the cache of this machine.

    Args:
        cache: keeps them.
        folder: its real absolute path.
    """

    def __init__(self, cache: FactStore, folder: str) -> None:
        self._cache = cache
        self._key = hashlib.blake2b(digest_of(_ROOM) + os.fsencode(folder), digest_size=16).digest()

    def entries(self, numbered: Callable[[Sequence[str]], Sequence[int]]) -> dict[tuple[str, object], Entry]:
        """Returns those that are kept, by the path and the key of their file.

        Args:
            numbered: numbers words.
        """
        kept = read_record(self._cache.read(KIND_HERE, [self._key]).get(self._key), _Folder)
        if kept is None:
            return {}
        parts = self._cache.read(KIND_HERE, kept.parts)
        value = b"".join([parts.get(key, b"") for key in kept.parts])
        entries = unpacked(value, len(kept.files), numbered)
        if entries is None:
            return {}
        return {(os.fsdecode(path), key): entry for (path, key), entry in zip(kept.files, entries, strict=True)}

    def keep(self, files: Iterable[tuple[str, object]], entries: Sequence[Entry], words: Sequence[str]) -> None:
        """Keeps the entries of all files, instead of those that were kept, unless it is very much.

        Args:
            files: for each its path and its key.
            entries: for each the entry.
            words: each word by its number.
        """
        paths = tuple((os.fsencode(path), key) for path, key in files if isinstance(key, bytes))
        value = packed(entries, words)
        if len(value) > MOST_BYTES or len(paths) < len(entries):
            return
        parts = [value[start : start + PART_BYTES] for start in range(0, len(value), PART_BYTES)]
        keys = [hashlib.blake2b(part, key=self._key, digest_size=16).digest() for part in parts]
        kept = [(KIND_HERE, key, part) for key, part in zip(keys, parts, strict=True)]
        self._cache.write([*kept, (KIND_HERE, self._key, encoded(_Folder(paths, tuple(keys))))])


def kind_of(definition: Definition) -> int:
    """Returns what a definition is, as a sum of `CALLS`, `TELLS` and `KEEPS`."""
    is_scope, is_constant = (
        definition.kind == "module" and definition.body < definition.end,
        definition.kind == "constant",
    )
    tells = is_scope or is_constant or definition.kind in USABLE
    return CALLS * (definition.kind in CALLABLE) + TELLS * tells + KEEPS * is_constant


def key_of(files: Iterable[tuple[str, object]]) -> bytes:
    """Returns what stands for some files, each with its path and its key, for as long as this code is what it is."""
    digest = hashlib.blake2b(digest_of(_ROOM), digest_size=16)
    for path, key in files:
        digest.update(f"{path}\0{key!r}\0".encode("utf-8", "surrogateescape"))
    return digest.digest()


def packed(entries: Sequence[Entry], words: Sequence[str]) -> bytes:
    """Returns some entries as one value.

    Args:
        entries: the entries.
        words: each word by its number; more than these files hold are left out.
    """
    word, names = _joined([entry.word for entry in entries]), _joined([entry.names for entry in entries])
    holders = _joined([entry.holders for entry in entries])
    is_used = np.zeros(len(words) + 1, dtype=np.bool_)  # the last is -1, the name of what has none
    is_used[word] = is_used[names] = is_used[holders] = True
    is_used[-1] = False
    used = np.flatnonzero(is_used)
    number = np.full(len(words) + 1, -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    held = [*(entry.units for entry in entries), *(len(entry.word) for entry in entries)]
    return msgspec.msgpack.encode(
        _Packed(
            words=tuple([words[one] for one in used.tolist()]),
            held=_bytes(np.array(held)),
            unit=_bytes(_joined([entry.unit for entry in entries])),
            word=_bytes(number[word]),
            counts=b"".join([entry.counts.tobytes() for entry in entries]),
            names=_bytes(number[names]),
            kinds=b"".join([entry.kinds.tobytes() for entry in entries]),
            sizes=_bytes(_joined([entry.sizes for entry in entries])),
            heads=_bytes(_joined([entry.heads for entry in entries])),
            parents=_bytes(_joined([entry.parents for entry in entries])),
            holders=_bytes(number[holders]),
            starts=_bytes(_joined([entry.starts for entry in entries])),
        )
    )


def unpacked(value: bytes, files: int, numbered: Callable[[Sequence[str]], Sequence[int]]) -> list[Entry] | None:
    """Returns the entries of so many files; None where a value is not what `packed` gives of them.

    Args:
        value: the value.
        files: how many there are.
        numbered: numbers words.
    """
    try:
        found = msgspec.msgpack.decode(value, type=_Packed)
        held, unit, word, names, sizes, heads, parents, holders, starts = (
            np.frombuffer(part, dtype=_WHOLE)
            for part in (
                *(found.held, found.unit, found.word, found.names),
                *(found.sizes, found.heads, found.parents, found.holders, found.starts),
            )
        )
        counts = np.frombuffer(found.counts, dtype=np.uint8).reshape(-1, 4)
    except (msgspec.DecodeError, ValueError):
        return None
    kinds = np.frombuffer(found.kinds, dtype=np.uint8)
    if len(held) != 2 * files or (held < 0).any():
        return None
    units, entries = (np.cumsum(one, dtype=np.int64) for one in (held[:files], held[files:]))
    all_units, all_entries = (int(one[-1]) if files else 0 for one in (units, entries))
    if any(len(one) != all_units for one in (names, kinds, sizes, heads, parents, holders, starts)):
        return None
    if any(len(one) != all_entries for one in (unit, word, counts)) or not held[:files].all():
        return None
    in_file, at_home = np.repeat(held[:files], held[files:]), np.repeat(held[:files], held[:files])
    if not (
        _within(word, 0, len(found.words))
        and _within(names, -1, len(found.words))
        and _within(holders, -1, len(found.words))
        and _within(unit, 0, in_file)
        and _within(parents, -1, at_home)
    ):
        return None
    number = np.array([*numbered(found.words), -1], dtype=np.int32)
    word, names, holders = number[word], number[names], number[holders]
    places = zip((0, *units.tolist()), units.tolist(), (0, *entries.tolist()), entries.tolist(), strict=False)
    as_floats = sizes.astype(np.float64), heads.astype(np.float64)
    return [
        Entry(
            units=end - start,
            unit=unit[first:last],
            word=word[first:last],
            counts=counts[first:last],
            names=names[start:end],
            kinds=kinds[start:end],
            sizes=as_floats[0][start:end],
            heads=as_floats[1][start:end],
            parents=parents[start:end],
            holders=holders[start:end],
            starts=starts[start:end],
        )
        for start, end, first, last in places
    ]


def _within(numbers: Ints, least: int, below: int | Ints) -> bool:
    return bool(((numbers >= least) & (numbers < below)).all())


def _bytes(numbers: NDArray[np.generic]) -> bytes:
    return numbers.astype(_WHOLE).tobytes()


def _joined(parts: Sequence[NDArray[np.generic]]) -> NDArray[np.int64]:
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, dtype=np.int64)
