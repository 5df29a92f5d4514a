"""The files of one call, each made when it is asked for, as a call shows a few dozen of thousands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from allocator.show.views import FileViews

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from allocator.show.views import KnownFile


class CallFiles(Sequence[FileViews]):
    """Files that are made one by one.

    Args:
        known: what is known of each before it is made.
        make: makes the one at a place of these.
    """

    def __init__(self, known: Sequence[KnownFile], make: Callable[[int], FileViews]) -> None:
        self.known = known
        self._make = make
        self._made: dict[int, FileViews] = {}

    def in_order(self, order: Sequence[int]) -> CallFiles:
        """The same files at other places, or some of them.

        Args:
            order: for each place the one that its file has here.
        """
        return CallFiles([self.known[place] for place in order], lambda place: self[order[place]])

    def __len__(self) -> int:
        return len(self.known)

    @overload
    def __getitem__(self, place: int) -> FileViews: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[FileViews]: ...
    def __getitem__(self, place: int | slice) -> FileViews | Sequence[FileViews]:
        if isinstance(place, slice):
            return self.in_order(range(len(self))[place])
        view = self._made.get(place)
        if view is None:
            view = self._made[place] = self._make(place)
        return view

    def __iter__(self) -> Iterator[FileViews]:
        return map(self.__getitem__, range(len(self)))


def known_files(files: Sequence[FileViews]) -> Sequence[KnownFile]:
    """Returns the known facts of the files of a call, without making the files."""
    return files.known if isinstance(files, CallFiles) else [file.file for file in files]


def in_order(files: Sequence[FileViews], order: Sequence[int]) -> Sequence[FileViews]:
    """The files of a call at other places, or some of them, by which none is made.

    Args:
        files: the files.
        order: for each place the one that its file has among them.
    """
    return files.in_order(order) if isinstance(files, CallFiles) else [files[place] for place in order]
