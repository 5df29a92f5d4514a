"""Small works on arrays of whole numbers, such as the places of files and definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from allocator.ranking.arrays import Floats, Longs


def sorting(numbers: NDArray[np.integer]) -> Longs:
    """Returns the places of some numbers in their order, of equal ones the first place first.

    Where a number and its place fit into one of 64 bits, these are sorted instead: a fraction of the time.

    Args:
        numbers: 0 or more each.
    """
    bits = len(numbers).bit_length()
    if len(numbers) == 0 or int(numbers.max()) >> (63 - bits):
        return np.argsort(numbers, kind="stable")
    keys = (numbers.astype(np.int64) << bits) | np.arange(len(numbers))
    keys.sort()
    return keys & ((1 << bits) - 1)


def distinct(numbers: Longs) -> Longs:
    """Returns the numbers that occur among some, in order.

    `np.unique` gives the same, and loads numpy's masked arrays for it, which takes a twentieth of a second.
    """
    ordered = np.sort(numbers)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))]


def summed(places: NDArray[np.integer], weights: NDArray[np.generic], count: int) -> Floats:
    """For each of `count` places the sum of what stands at it."""
    return np.bincount(places, weights=weights, minlength=count).astype(np.float64, copy=False)


def ranges(starts: Longs, ends: Longs) -> Longs:
    """All numbers of some half-open ranges, one range after the other."""
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    return np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
