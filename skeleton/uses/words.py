"""An index of the words of a folder's files, by which the users of a name are found without reading all files.

Of each file the words are kept as numbers, eight bytes each: they come from what a ranking has worked out of the file
(`skeleton.index.terms`) where that is at hand, and from its text otherwise. Two words may share a number, so what is found here
is only a reason to look; a file that is not found does not hold the word.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Final
from zlib import crc32

from skeleton.index.records import Aspect
from skeleton.index.terms import LONGEST_WORD, MOST_BYTES, SHORTEST_WORD, WORD, Terms
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile

_NONE: Final = 1 << 32

_AT_ONCE: Final = 512
"""Files whose words are held as text at one time."""


class Words:
    """The words of the files of one folder; it follows them.

    Args:
        index: knows the files.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._known: dict[str, tuple[bytes, array[int]]] = {}
        self._followed: Sequence[IndexedFile] = ()

    def holding(
        self, name: bytes, files: Sequence[IndexedFile], progress: Progress | None = None
    ) -> Sequence[IndexedFile]:
        """Returns the files that may hold a name as a word, in their order.

        Args:
            name: the name, as it is written.
            files: all files of the folder; the same list means the same files.
            progress: is told of every file that is read.

        Raises:
            FileChangedError: a file has changed since it was listed.
        """
        numbers = [crc32(word) for word in WORD.findall(name) if SHORTEST_WORD <= len(word) <= LONGEST_WORD]
        if not numbers:
            return files
        if files is not self._followed:
            self._follow(files, progress)
            self._followed = files
        for number in numbers:
            files = [file for file in files if self._may_hold(file, number)]
        return files

    def _may_hold(self, file: IndexedFile, number: int) -> bool:
        """Tells whether a file may hold a word: yes where nothing is known, as another call followed other files."""
        key, words = self._known.get(file.path, (b"", None))
        return words is None or key != file.key or _holds(words, number)

    def _follow(self, files: Sequence[IndexedFile], progress: Progress | None) -> None:
        known = self._known
        new = [file for file in files if file.path not in known or known[file.path][0] != file.key]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            terms = self._index.held(some, Aspect.TERMS, Terms)
            for number, file in enumerate(still_wanted(some), start):
                found = terms.get(file.key)
                if found is not None and file.basics.bytes <= MOST_BYTES:
                    words = _numbers(word.encode() for word in found.words)
                else:
                    if progress is not None:
                        progress(number, len(new), f"reading {file.path}")
                    words = _numbers({*WORD.findall(file.anew().as_read.source)})
                known[file.path] = (file.key, words)
        if len(known) > len(files):
            here = {file.path for file in files}
            for path in known.keys() - here:
                known.pop(path, None)


def _numbers(words: Iterable[bytes]) -> array[int]:
    """The numbers of words, in order, with one behind them that is none."""
    numbers = sorted({crc32(word) for word in words if SHORTEST_WORD <= len(word) <= LONGEST_WORD})
    return array("Q", [*numbers, _NONE])


def _holds(numbers: array[int], number: int) -> bool:
    return numbers[bisect_left(numbers, number)] == number
