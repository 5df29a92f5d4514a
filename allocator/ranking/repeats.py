"""Code that stands twice: files put together or built of others, and prototypes of functions that stand elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from allocator.ranking.integers import distinct
from workspace.names.tiers import Tier, is_written_by_hand

if TYPE_CHECKING:
    from allocator.ranking.arrays import Arrays, Flags, Longs

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
