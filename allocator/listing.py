"""The facts known of a folder's files, shared by all calls for as long as no file changes.

A file that changes, or that may change again unseen because it was touched a moment ago, is looked up anew, and the
others stay as they are.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec.structs import replace

from allocator.overview.keys import key_of
from allocator.question.handed import Contents
from allocator.ranking.by_path import ranked
from allocator.remembered import Remembered
from allocator.show.places import folders_of
from workspace.lazy import lazy
from workspace.model import Problem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping, Sequence

    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.index.records import Aspect
    from workspace.files.scan import Scan, ScannedFile

    _Slot = IndexedFile | Problem
    Likely = Callable[[Sequence[ScannedFile]], Sequence[ScannedFile]]


class Listing:
    """The files of one scan, as the index knows them. Nothing is read through them: a call takes them anew.

    Args:
        found: the scan.
        slots: for each of its files what the index knows of it, or why it cannot be shown.
        loose: the places of those that have to be looked up in each call.
        is_shared: whether other calls take their files from it too.

    Attributes:
        files: those that can be shown, the most important first.
        problems: what is wrong with others.
        left_out: their paths.
    """

    def __init__(self, found: Scan, slots: Sequence[_Slot], loose: frozenset[int], *, is_shared: bool) -> None:
        self.found = found
        self.slots = slots
        self.loose = loose
        self.is_shared = is_shared
        listed = [slot for slot in slots if not isinstance(slot, Problem)]
        self.files: Sequence[IndexedFile] = ranked(listed, lambda file: (file.path, file.tier))
        self.problems = (*found.problems, *(slot for slot in slots if isinstance(slot, Problem)))
        self.left_out = sorted({problem.path for problem in self.problems})

    @lazy
    def contents(self) -> Mapping[str, str]:
        """For every path the MD5 of its bytes, or the reason why it was not read."""
        contents = Contents({problem.path: problem.kind.value for problem in self.problems})
        contents.update((file.address, file.basics.md5) for file in self.files)
        return contents

    @lazy
    def key(self) -> bytes:
        """Stands for all files and their contents."""
        return key_of(self.by_path)

    @lazy
    def addresses(self) -> tuple[str, ...]:
        """The address of each file."""
        return tuple([file.address for file in self.files])

    @lazy
    def at(self) -> Mapping[str, IndexedFile]:
        """The files by their addresses."""
        return dict(zip(self.addresses, self.files, strict=True))

    @lazy
    def by_path(self) -> Sequence[IndexedFile]:
        """The files in the order of their paths."""
        return sorted(self.files, key=lambda file: file.path)

    def stands_for(self, other: Listing) -> bool:
        """Tells whether this says of every file what another one of the same scan says."""
        if self.found is not other.found or self.loose != other.loose:
            return False
        return all(map(_is_alike, self.slots, other.slots))

    def folders(self) -> Counter[str]:
        """The number of files in each folder."""
        return self._folders

    @lazy
    def _folders(self) -> Counter[str]:
        return folders_of(self.addresses)


class Gathered(NamedTuple):
    """The files of one call.

    Attributes:
        listing: what is known of them.
        wanted: what the call is going to ask for.
        fresh: those that were looked up for this call, by their paths, with what was read of them.
    """

    listing: Listing
    wanted: frozenset[Aspect]
    fresh: Mapping[str, IndexedFile]

    def own(self, file: IndexedFile) -> IndexedFile:
        """A file of the listing, for this call alone."""
        return self.fresh.get(file.path) or file.anew(self.wanted)


class Listings:
    """The listings of folders that are asked about again and again. Threads may share it.

    Of a folder that is asked about once nothing is kept.

    Args:
        index: knows the files.
        most: folders whose listings are held.
    """

    def __init__(self, index: CodeIndex, most: int) -> None:
        self._index = index
        self._known = Remembered[str, tuple[int, Listing | None]](most)

    def of(
        self,
        found: Scan,
        wanted: frozenset[Aspect],
        *,
        likely: Likely,
        first: frozenset[Aspect],
        begun: Callable[[], object] | None = None,
        progress: Progress,
        is_kept: bool,
    ) -> Gathered:
        """Gives the listing of a scan, for one call.

        Args:
            found: the scan; one of a folder that did not change shares its files with the one before.
            wanted: what the call is going to ask for.
            likely: says of files that are new which ones it is going to be asked of.
            first: what it will ask of those first.
            begun: is called where files are read, when workers have begun.
            progress: is told of every file that is read.
            is_kept: whether the folder may be asked about again.
        """
        folder = os.fspath(found.base)
        losses = self._index.losses
        known_at, known = self._known.find(folder) or (-1, None)
        if known is None or known_at != losses or not _is_of(known, found):
            was_asked = is_kept and self._known.find(folder) is not None
            listing, fresh = self._listed(
                found, [None] * len(found.files), wanted, likely, first, begun, progress, is_kept=was_asked
            )
        elif known.found is found and not known.loose:
            listing, fresh = known, {}
        else:
            slots = [
                slot if file is before and number not in known.loose else None
                for number, (slot, file, before) in enumerate(
                    zip(known.slots, found.files, known.found.files, strict=True)
                )
            ]
            listing, fresh = self._listed(found, slots, wanted, likely, first, begun, progress, is_kept=True)
            listing = known if known.stands_for(listing) else listing
        if is_kept:
            self._known.keep(folder, (losses, listing if listing.is_shared else None))

        return Gathered(listing, wanted, fresh)

    def _listed(
        self,
        found: Scan,
        slots: list[_Slot | None],
        wanted: frozenset[Aspect],
        likely: Likely,
        first: frozenset[Aspect],
        begun: Callable[[], object] | None,
        progress: Progress,
        *,
        is_kept: bool,
    ) -> tuple[Listing, Mapping[str, IndexedFile]]:
        """Has the index fill the slots that are empty; gives the files that were looked up for it, by their paths."""
        new = [number for number, slot in enumerate(slots) if slot is None]
        part = found if len(new) == len(slots) else replace(found, files=tuple(found.files[number] for number in new))
        files, unread = self._index.files(
            part,
            wanted=wanted,
            likely=partial(likely, part.files),
            first=first,
            begun=begun,
            progress=progress,
        )
        by_scan, problems = {id(file.scanned): file for file in files}, iter(unread)
        loose: set[int] = set()
        for number in new:
            file = by_scan.get(id(found.files[number]))
            if file is None:
                slots[number] = next(problems)
            else:
                slots[number] = file.anew() if is_kept else file
            if is_kept and not self._index.is_settled(found.files[number]):
                loose.add(number)
        filled = cast("list[_Slot]", slots)
        return Listing(found, filled, frozenset(loose), is_shared=is_kept), {file.path: file for file in files}


def _is_alike(one: _Slot, other: _Slot) -> bool:
    if one is other:
        return True
    if isinstance(one, Problem) or isinstance(other, Problem):
        return one == other
    return one.key == other.key


def _is_of(known: Listing, found: Scan) -> bool:
    """Tells whether a scan may share files with the one of a listing."""
    return known.found.prefix == found.prefix and len(known.slots) == len(found.files)
