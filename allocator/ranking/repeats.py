"""Code that stands twice: files put together or built of others, what many files hold alike, and prototypes of functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from allocator.ranking.integers import distinct
from workspace.names.tiers import Tier, is_written_by_hand

if TYPE_CHECKING:
    from allocator.ranking.arrays import Arrays, Flags, Floats, Longs

LEAST_TOLD = 40
"""Bytes of a definition from which on its name and length tell it from others."""
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inc")
"""Endings of files that announce what others hold."""
MOST_BEHIND = 4
"""Bytes behind the signature of what has no body."""
LEAST_GATHERED = 50
"""Definitions of a file that may be put together of others."""
LEAST_SOURCES = 4
"""Files that it is put together of."""
MOSTLY = 0.7
"""The share of its definitions that stand in those, too."""
LEAST_BUILT = 8
"""Functions of a file that may be built of others."""
LEAST_TWIN = 80
"""Bytes of a definition from which on it is worth saying once only, though several files hold it …"""
LEAST_TWINS = 3
"""… so many at the least."""
REPEATED = 0.05
"""The part of its weight that such a definition keeps where another that is the same weighs more."""

_MIXED = 1_000_003
"""A prime by which numbers are mixed into one."""

_NUMBERED = re.compile(r"\$\d+\Z")
"""The end of a name that a bundler has told from another."""


def gathered(arrays: Arrays) -> Flags:
    """Tells for each file whether it is put together of others, as single headers and bundles are.

    Most of what it defines is defined with the same name and length in several others, none of which holds more than
    half of it.

    Args:
        arrays: the files.
    """
    found = np.zeros(arrays.files, dtype=np.bool_)
    told = np.flatnonzero(arrays.is_definition & (arrays.name >= 0) & (arrays.size >= LEAST_TOLD))
    keys = arrays.name[told].astype(np.int64) << 32 | arrays.size[told].astype(np.int64)
    _, key = np.unique(keys, return_inverse=True)
    key, file = np.divmod(distinct(key * arrays.files + arrays.file[told]), max(1, arrays.files))
    shared = np.bincount(key)[key] > 1 if len(key) else np.zeros(0, np.bool_)
    own = np.bincount(file, minlength=arrays.files)
    also = np.bincount(file[shared], minlength=arrays.files)
    for place in np.flatnonzero((own >= LEAST_GATHERED) & (also >= MOSTLY * own)).tolist():
        from_smaller = np.isin(key, key[file == place]) & (own[file] <= own[place] / 2)
        counts = np.bincount(file[from_smaller], minlength=arrays.files)
        covered = len(distinct(key[from_smaller]))
        found[place] = covered >= MOSTLY * own[place] and np.count_nonzero(counts) >= LEAST_SOURCES
    return found


def built(arrays: Arrays, tiers: Longs) -> Flags:
    """Tells for each file whether it is built of others, as the bundles of `dist/` are.

    Nobody writes it, and most of its functions are called like some that somebody has written.

    Args:
        arrays: the files.
        tiers: of the files.
    """
    found = np.zeros(arrays.files, dtype=np.bool_)
    named = arrays.is_callable & (arrays.name >= 0)
    counts = np.bincount(arrays.file[named], minlength=arrays.files)
    places = np.flatnonzero((tiers == Tier.OTHER) & (counts >= LEAST_BUILT)).tolist()
    made = [place for place in places if not is_written_by_hand(arrays.paths[place])]
    if not made:
        return found
    found[made] = True
    written = np.zeros(len(arrays.words), dtype=np.bool_)
    written[arrays.name[named & ~found[arrays.file]]] = True
    for place in made:
        units = slice(arrays.first[place], arrays.first[place + 1])
        names: list[int] = arrays.name[units][named[units]].tolist()
        plain = (arrays.vocabulary.number(_NUMBERED.sub("", arrays.words[name])) for name in names)
        known = sum(1 for number in plain if 0 <= number < len(written) and written[number])
        found[place] = known >= MOSTLY * len(names)
    return found


def announced(arrays: Arrays) -> Flags:
    """Tells for each unit whether it only announces a function that another file holds, as the prototypes of headers do.

    Args:
        arrays: the files.
    """
    found = np.zeros(arrays.units, dtype=np.bool_)
    headers = np.array([path.endswith(HEADERS) for path in arrays.paths], dtype=np.bool_)
    named = arrays.is_callable & (arrays.name >= 0)
    bare = arrays.size - arrays.head <= MOST_BEHIND
    held = np.zeros(len(arrays.words), dtype=np.bool_)
    held[arrays.name[named & ~bare]] = True
    places = np.flatnonzero(named & bare & (arrays.parent < 0) & headers[arrays.file])
    found[places] = held[arrays.name[places]]
    return found


def twins(arrays: Arrays) -> Longs:
    """Tells for each unit to which group of definitions it belongs that are the same, as those in the states of an example.

    They have the same name, the same length, the same signature's length and as many words.

    Args:
        arrays: the files.

    Returns:
        the number of the group, for each unit; -1 for what stands once or twice.
    """
    found = np.full(arrays.units, -1, dtype=np.int64)
    told = np.flatnonzero(arrays.is_definition & (arrays.name >= 0) & (arrays.size >= LEAST_TWIN))
    key = np.zeros(len(told), dtype=np.int64)
    for sign in (arrays.name, arrays.size, arrays.head, arrays.length):
        key = key * _MIXED + sign[told].astype(np.int64)
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begins = np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))
    counts = np.diff(begins, append=len(told))
    many = np.repeat(counts >= LEAST_TWINS, counts)
    found[told[order[many]]] = np.repeat(np.arange(len(begins)), counts)[many]
    return found


def told_once(weights: Floats, groups: Longs) -> Floats:
    """The weights with what stands in many files told by the one that weighs most.

    Args:
        weights: of all units.
        groups: for each the group of those that are the same, as of `twins`.
    """
    units = np.flatnonzero((groups >= 0) & (weights > 0))
    if not len(units):
        return weights
    order = units[np.lexsort((-weights[units], groups[units]))]
    is_later = np.diff(groups[order], prepend=-1) == 0
    changed = weights.copy()
    changed[order[is_later]] *= REPEATED
    return changed
