"""Numbers for the definitions of many files, in one array: each row is made when it is asked for.

Of tens of thousands of files a call shows a few dozen, so their rows are never made one and all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from allocator.ranking.arrays import Floats, Longs


class Rows:
    """One row of numbers for each file.

    Args:
        numbers: of all units of all files; the last unit of a file belongs to no row.
        first: where the units of each file begin; one more at the end.
        line_of: for each row its place in `first`.
    """

    def __init__(self, numbers: Floats, first: Longs, line_of: Longs) -> None:
        self.numbers = numbers
        self._first = first
        self._line_of = line_of

    def changed(self, change: Callable[[Floats], Floats]) -> Rows:
        """The same rows of other numbers."""
        return Rows(change(self.numbers), self._first, self._line_of)

    def greatest(self) -> Floats:
        """The greatest number of each row, 0 where it has none; numbers are 0 or more."""
        return self._reduced(np.maximum)

    def sums(self) -> Floats:
        """The sum of each row."""
        return self._reduced(np.add)

    def _reduced(self, by: np.ufunc) -> Floats:
        if not len(self):
            return np.zeros(0)
        numbers = self.numbers.copy()
        numbers[self._first[1:] - 1] = 0.0
        return by.reduceat(numbers, self._first[:-1])[self._line_of]

    def __len__(self) -> int:
        return len(self._line_of)

    def __getitem__(self, index: int) -> Sequence[float]:
        line = self._line_of[index]
        return tuple(self.numbers[self._first[line] : self._first[line + 1] - 1].tolist())

    def __iter__(self) -> Iterator[Sequence[float]]:
        return map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and list(self) == list(other)
