"""The neighbourhood of a definition, in the order in which a reader who named it wants it.

    itself      its signature and those of its members; then the text of each, the members' one by one
    callees     signatures of what its body names
    callers     signatures of what names it
    tests       the same, in tests
    container   signatures of what is defined beside it in the same type, wherever in the folder that stands
    file        signatures of the rest of its file, and what belongs to no definition

Of a file that is named there is the file alone. Every step is small, so a budget of any size holds a beginning of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from allocator.show.call_files import known_files
from allocator.spend.needs import Wish
from allocator.spend.steps import Kind
from skeleton.index.weights import MISSING
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import TYPES
from skeleton.uses.sites import is_tested
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.show.views import FileViews
    from skeleton import Definition
    from skeleton.index.indexed import IndexedFile
    from skeleton.zoom.neighbours import References
    from skeleton.zoom.symbols import SymbolTable

MOST_CALLEES = 60
MOST_CALLERS = 40
MOST_TESTS = 20
"""Definitions of each kind, of which the signatures are shown."""

MOST_BESIDE = 150
"""Definitions of the same type likewise."""

MOST_IN_FILE = 300
"""Definitions of the same file likewise."""

MOST_FILES = 60
"""Files of the same folder in which more of a type is looked for."""

SHORTEST_NAME = 3
"""Characters of a name that is looked for in other definitions: shorter ones are everywhere."""


class Aim(NamedTuple):
    """One thing that is wished for: a whole file, or a definition of it."""

    file: int
    place: int
    """In the outline, or -1 for the whole file."""


class Around(NamedTuple):
    """The wishes around some definitions, and the needs for those nearest to them.

    Attributes:
        wishes: in order.
        near: how much is needed of what stands nearest, by its place, besides its signature.
    """

    wishes: list[Wish]
    near: dict[Aim, float]


SAME_FILE = 1.0
LISTED_FILE = 0.5
SAME_FOLDER = 0.4
NEXT_FOLDER = 0.2
ELSEWHERE = 0.05
"""The need for other files, as a part of that for the files that were named, by what stands in them and their folders."""

CALLEE_NEED = 1.0
CALLER_NEED = 0.4
BESIDE_NEED = 0.1
TEST_NEED = 0.1
"""The part of the need that tests keep among the neighbours of what was named."""


def closeness(found: Around, aims: Sequence[Aim], files: Sequence[FileViews]) -> list[float]:
    """Tells how near every file is to what was named, from 0 to 1.

    Args:
        found: what stands around that.
        aims: what was named.
        files: those of the call.
    """
    own = {aim.file for aim in aims}
    listed = {wish.file for wish in found.wishes}
    folders = {_folder(files[number].path) for number in own}
    next_to = {_folder(folder) for folder in folders}

    def near(number: int, folder: str) -> float:
        if number in own:
            return SAME_FILE
        if number in listed:
            return LISTED_FILE
        if folder in folders:
            return SAME_FOLDER
        return NEXT_FOLDER if folder in next_to or _folder(folder) in folders else ELSEWHERE

    return [near(number, _folder(file.path)) for number, file in enumerate(known_files(files))]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _steps(one: Sequence[str], other: Sequence[str]) -> int:
    """Returns the number of folders that lead from one to another."""
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return len(one) + len(other) - 2 * shared


def aim_at(files: Sequence[FileViews], number: int, one: Definition, *, has_constants: bool = False) -> Aim:
    """Finds a definition in the outline of its file; where it is not shown by itself, the innermost around it that is.

    Args:
        files: those of the call.
        number: the place of its file.
        one: the definition.
        has_constants: whether what signatures alone leave out is shown by itself, too.
    """
    file = files[number]
    units = file.weights.unit
    if has_constants and (
        left_out := file.left_out([place for place, other in enumerate(file.definitions) if other == one])
    ):
        return Aim(number, min(left_out))
    around = [
        (other.end - other.start, place)
        for place, other in enumerate(file.definitions)
        if units[place] != MISSING and other.start <= one.start and one.end <= other.end
    ]
    same = [place for place, other in enumerate(file.definitions) if units[place] != MISSING and other == one]
    place = same[0] if same else min(around, default=(0, -1))[1]
    return Aim(number, units[place] if place >= 0 else -1)


def touched(file: FileViews, number: int, lines: tuple[int, int], *, has_constants: bool = False) -> Iterator[Aim]:
    """Finds the innermost definitions that some lines touch; the file where there are none around them.

    Args:
        file: the file.
        number: its place among those of the call.
        lines: the first and the last, counted from 1.
        has_constants: whether what signatures alone leave out is shown by itself, too.
    """
    first, last = lines
    units = file.units_with_constants if has_constants else file.units_of_skeleton
    hit = {at for at, unit in enumerate(units.units) if first <= unit.source_last and last >= unit.source_first}
    around = {outer for at in hit for outer in units.around(at)}
    innermost = sorted(hit - around)
    for at in innermost:
        yield Aim(number, units.units[at].definitions[0])
    if not innermost:
        yield Aim(number, -1)


def around(aims: Sequence[Aim], files: Sequence[FileViews], table: SymbolTable) -> Around:
    """Puts what is named and what stands around it in order.

    Args:
        aims: what is named.
        files: those of the call.
        table: their symbols.
    """
    return _Around(aims, files, references_of(table)).listed()


def is_of_tests(file: FileViews, place: int) -> bool:
    """Tells whether a definition is one of tests, whether these have files of their own or stand beside what they test.

    Args:
        file: the file.
        place: of the definition in the outline; -1 for what belongs to none.
    """
    if file.tier is Tier.TESTS or place < 0:
        return file.tier is Tier.TESTS
    one, source = file.definitions[place], file.source.source
    around = (each for each in file.definitions if each.start <= one.start and one.end <= each.end)
    return is_tested(source, around, naming_of(file.path, source))


def users(
    groups: Sequence[Sequence[Aim]], files: Sequence[FileViews], table: SymbolTable
) -> list[tuple[list[Aim], list[Aim]]]:
    """Finds what uses some definitions, the nearest first; tests apart. Each file is looked at once for all of them.

    Args:
        groups: the definitions, as often as it is asked.
        files: those of the call.
        table: their symbols.
    """
    references = references_of(table)
    every = _users_of([aim for aims in groups for aim in aims], files, references)
    return [_Around(aims, files, references).users(every) for aims in groups]


def references_of(table: SymbolTable) -> References:
    """The references between symbols, for what is named: a question in words alone needs none of it."""
    from skeleton.zoom.neighbours import References

    return References(table)


def _users_of(
    aims: Sequence[Aim], files: Sequence[FileViews], references: References
) -> dict[Aim, list[tuple[IndexedFile, Definition]]]:
    """Returns the definitions that use each of some others."""
    every = {aim: _pair(aim, files) for aim in aims if aim.place >= 0}
    wanted = {aim: pair for aim, pair in every.items() if len(pair[1].name) >= SHORTEST_NAME}
    return dict(zip(wanted, references.callers([*wanted.values()]), strict=True))


def _pair(aim: Aim, files: Sequence[FileViews]) -> tuple[IndexedFile, Definition]:
    file = files[aim.file]
    return cast("IndexedFile", file.file), file.definitions[aim.place]


def themselves(aims: Sequence[Aim], files: Sequence[FileViews]) -> list[Wish]:
    """Returns the wishes for what is named and nothing else: all signatures first, then the texts.

    Args:
        aims: what is named.
        files: those of the call.
    """
    first = [
        Wish(aim.file, place, Kind.SKELETON if place < 0 else Kind.SIGNATURE)
        for aim in aims
        for place in (aim.place, *_members(files[aim.file], aim.place))
    ]
    then = [
        Wish(aim.file, place, Kind.TEXT if place < 0 else Kind.BODY)
        for aim in aims
        for place in (*_members(files[aim.file], aim.place), aim.place)
    ]
    return [*first, *then]


def _members(file: FileViews, place: int) -> list[int]:
    """The units inside the unit of a definition, in the order of the source."""
    if place < 0:
        return []
    inside: set[int] = {place}
    found: list[int] = []
    for unit, parent in enumerate(file.weights.parent):
        if file.weights.unit[unit] == unit and parent in inside and unit not in inside:
            inside.add(unit)
            found.append(unit)
    return found


class _Around:
    """One pass from what is named outwards; what was listed once is not listed again."""

    def __init__(self, aims: Sequence[Aim], files: Sequence[FileViews], references: References) -> None:
        self.aims = aims
        self.files = files
        self.references = references
        self.places = {file.path: number for number, file in enumerate(known_files(files))}
        self.near: dict[Aim, float] = {}
        self.seen = {*aims, *(Aim(aim.file, place) for aim in aims for place in _members(files[aim.file], aim.place))}
        self.whole = {aim.file for aim in aims if aim.place < 0}

    def listed(self) -> Around:
        """All of it."""
        wishes = themselves(self.aims, self.files)
        named = [aim for aim in self.aims if aim.place >= 0]
        callers, tests = self.users(_users_of(named, self.files, self.references))
        stages = (
            ([callee for aim in named for callee in self._callees(aim)], MOST_CALLEES, CALLEE_NEED),
            (callers, MOST_CALLERS, CALLER_NEED),
            (tests, MOST_TESTS, TEST_NEED),
            ([beside for aim in named for beside in self._beside(aim)], MOST_BESIDE, BESIDE_NEED),
        )
        for found, most, need in stages:
            for one in self._new(found)[:most]:
                self.seen.add(one)
                self.near[one] = need
                wishes.append(Wish(one.file, one.place, Kind.SIGNATURE))
        for number in dict.fromkeys(aim.file for aim in named):
            rest = self._new([Aim(number, place) for place in self._outline(number)])
            wishes += [Wish(number, one.place, Kind.SIGNATURE) for one in rest[:MOST_IN_FILE]]
            if number not in self.whole:
                wishes.append(Wish(number, -1, Kind.SKELETON))
        return Around(wishes, self.near)

    def users(self, every: Mapping[Aim, Sequence[tuple[IndexedFile, Definition]]]) -> tuple[list[Aim], list[Aim]]:
        """Returns the users of what is named, out of `every` user that was found: the nearest first, tests apart."""
        found = self._new([user for aim in self.aims for user in self._found(every.get(aim, ()))])
        found.sort(key=self._distance)
        tests = dict.fromkeys(user for user in found if is_of_tests(self.files[user.file], user.place))
        return [user for user in found if user not in tests], [*tests]

    def _new(self, found: Sequence[Aim]) -> list[Aim]:
        """Returns those that were not listed yet and are in no file that is listed whole."""
        return [one for one in dict.fromkeys(found) if one not in self.seen and one.file not in self.whole]

    def _distance(self, user: Aim) -> tuple[int, int]:
        """Returns how far a file is from those named: by its tier, and by the folders that lead from one to the other."""
        file = self.files[user.file]
        folders = _folder(file.path).split("/")
        steps = min(_steps(folders, _folder(self.files[aim.file].path).split("/")) for aim in self.aims)
        return (0, -1) if user.file in {aim.file for aim in self.aims} else (file.tier, steps)

    def _definition(self, aim: Aim) -> Definition:
        return self.files[aim.file].definitions[aim.place]

    def _callees(self, aim: Aim) -> Iterator[Aim]:
        return self._found(self.references.callees(*_pair(aim, self.files)))

    def _found(self, pairs: Sequence[tuple[IndexedFile, Definition]]) -> Iterator[Aim]:
        for file, one in pairs:
            number = self.places.get(file.path)
            aim = aim_at(self.files, number, one) if number is not None else None
            if aim is not None and aim.place >= 0:
                yield aim

    def _beside(self, aim: Aim) -> Iterator[Aim]:
        """Yields the definitions of the same type, and those in it where it is a type: of its file, then of its folder.

        A file that defines a type of that name itself means another one.
        """
        file, one = self.files[aim.file], self._definition(aim)
        types = {one.container, one.path} if one.kind in TYPES else {one.container}
        types.discard("")
        if not types:
            return
        folder, ending = _folder(file.path), file.path.rpartition(".")[2]
        near = [
            number
            for number, other in enumerate(known_files(self.files))
            if number != aim.file
            and _folder(other.path) == folder
            and other.path.rpartition(".")[2] == ending
            and other.tier is file.tier
        ]
        for number in (aim.file, *near[:MOST_FILES]):
            other = self.files[number]
            if number != aim.file and any(each.path in types and each.kind in TYPES for each in other.definitions):
                continue
            for place, each in enumerate(other.definitions):
                if (each.container in types or each.path in types) and other.weights.unit[place] == place:
                    yield Aim(number, place)

    def _outline(self, number: int) -> list[int]:
        """The units of a file, the outer before the inner."""
        file = self.files[number]
        units = [place for place, unit in enumerate(file.weights.unit) if unit == place]
        return sorted(units, key=lambda place: file.weights.parent[place] != MISSING)
