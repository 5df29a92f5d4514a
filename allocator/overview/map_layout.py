"""The layout of a map: its folders, the files in each, and the definitions that the names of these say."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from allocator.overview.folders import Folder, MapFile, Sort, crowds_of, families_of, folders_of
from allocator.overview.joined import Part, parted
from allocator.overview.map_steps import StepKind
from allocator.overview.namesakes import Named, namesakes, told_by_folders
from workspace.lazy import lazy
from workspace.names.manifests import begins_package

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Layout:
    """The folders, files and definitions of a map, and what holds what.

    Args:
        files: by path.
        named: definitions, the most important first; those of files that are not source may be missing.
        order: the places of the source files, the most important first; as they stand where it is not given.
    """

    def __init__(self, files: Sequence[MapFile], named: Sequence[Named], order: Sequence[int] = ()) -> None:
        self.files = files
        self.named = named
        self.order = order or [place for place, file in enumerate(files) if file.sort is Sort.SOURCE]
        self._known_above: dict[str, frozenset[int]] = {}

    @lazy
    def folders(self) -> list[Folder]:
        """All folders in the order of the map."""
        defining = {place for place, file in enumerate(self.files) if file.sort is Sort.SOURCE}
        return folders_of(self.files, defining.union(self.order, (one.file for one in self.named)))

    @lazy
    def at(self) -> dict[str, int]:
        """The number of each folder by its path; -1 for the root."""
        return {"": -1} | {folder.path: number for number, folder in enumerate(self.folders)}

    @lazy
    def foremost(self) -> Mapping[int, int]:
        """For each folder with source the place of the most important file in or below it among all, by its number."""
        found: dict[int, int] = {}
        for rank, place in enumerate(self.order):
            number = self.at[self.lies_in(StepKind.FILE, place)]
            while number >= 0 and number not in found:
                found[number] = rank
                number = self.folders[number].around
        return found

    @lazy
    def packages(self) -> frozenset[int]:
        """The numbers of the folders with source that have a manifest."""
        around = {
            folder for file in self.files for folder, _, name in (file.path.rpartition("/"),) if begins_package(name)
        }
        numbers = (self.at[folder] for folder in around if folder)
        return frozenset(number for number in numbers if self.folders[number].holds_source)

    @lazy
    def holding(self) -> Mapping[int, int]:
        """The count of folders that each holds, by its number."""
        return Counter(folder.around for folder in self.folders if folder.is_told)

    @lazy
    def inside(self) -> dict[int, list[int]]:
        """The files of each folder by its number."""
        inside: defaultdict[int, list[int]] = defaultdict(list)
        for place in range(len(self.files)):
            inside[self.at[self.lies_in(StepKind.FILE, place)]].append(place)
        return inside

    @lazy
    def families(self) -> dict[int, list[int]]:
        """The folders of each family, by the number of its first."""
        return families_of(self.folders)

    @lazy
    def crowds(self) -> list[list[int]]:
        """The crowds of folders of which no definition can be named."""
        told = {one.file for one in self.named}
        bare = {
            number: places
            for number, places in self.inside.items()
            if number >= 0 and told.isdisjoint(places) and self.folders[number].is_told
        }
        return crowds_of(self.folders, {number: [*map(self.name, places)] for number, places in bare.items()})

    @lazy
    def parts(self) -> dict[int, Mapping[str, Part]]:
        """The parts in which the names of the files of each folder are written, by its number."""
        return {number: parted(tuple(map(self.name, places))) for number, places in self.inside.items()}

    @lazy
    def namesakes(self) -> Mapping[int, Sequence[str]]:
        """The definitions whose names the names of files say; the last one's members stand behind the file's name."""
        return namesakes([*map(self.name, range(len(self.files)))], self.named)

    @lazy
    def told_by_folders(self) -> Mapping[int, int]:
        """The numbers of the folders whose names say definitions, by the places of these."""
        told = told_by_folders([file.path for file in self.files], self.named)
        return {place: self.at[folder] for place, folder in told.items() if folder in self.at}

    def holder(self, kind: StepKind, at: int) -> tuple[StepKind, int]:
        """The file that a name stands in, or the folder that a folder or a file lies in."""
        if kind is StepKind.NAME:
            return StepKind.FILE, self.named[at].file
        return StepKind.FOLDER, self.folders[at].around if kind is StepKind.FOLDER else self.at[self.lies_in(kind, at)]

    def lies_in(self, kind: StepKind, at: int) -> str:
        """The path of the folder that a folder or a file lies in."""
        if kind is StepKind.FILE:
            return self.files[at].path.rpartition("/")[0]
        around = self.folders[at].around
        return self.folders[around].path if around >= 0 else ""

    def is_short(self, number: int) -> bool:
        """Tells whether a folder shares a line with others while none of its files is named: it holds no more folders."""
        folder = self.folders[number]
        return folder.depth > 0 and not folder.holds_folders and len(self.families[folder.family]) == 1

    def around(self, files: set[int]) -> set[int]:
        """The folders that some files lie in, whole families."""
        return set[int]().union(*map(self.above, {self.lies_in(StepKind.FILE, place) for place in files}))

    def above(self, folder: str) -> frozenset[int]:
        """The folders that the files of one lie in, with their families."""
        found = self._known_above.get(folder)
        if found is None:
            folders = set[int]()
            path = folder
            while path:
                if path in self.at:
                    folders.update(self.families[self.folders[self.at[path]].family])
                path = path.rpartition("/")[0]
            found = self._known_above[folder] = frozenset(folders)
        return found

    def name(self, place: int) -> str:
        """The name of a file, by its place."""
        return self.files[place].path.rpartition("/")[2]
