"""The map of a folder: its folders with counts, then its files, then their definitions, as many as there is room for.

The map is drawn in steps, the most useful for a token first: a line that tells of the whole, a folder, the name of a
file, the name of a definition. Whoever spends a budget takes a beginning of that list (`MapStep.rank` puts it among the
steps of files), and `text` draws what is taken, in the order of paths, folders with source before those without. What is
drawn with a step anyway, as the folder of a file, is a step before it, so that each adds no more than a line:

    src/flask/ 24 ~62k
      app.py: Flask(wsgi_app full_dispatch_request), …
      globals.py typing.py +3
    tests/ 30 tests ~80k: conftest.py test_{basic blueprints cli}.py +26 +2 folders

Where anything in a folder is told, the rest of its files and folders is counted. A folder stands with the number of all files below it and their tokens, about; tests and generated files are told apart.
Names that begin and end alike stand in braces (`allocator.overview.joined`), and folders that hold the same on one line,
with what lies in them below (`allocator.overview.folders`). Folders that hold no others, and of which nothing is shown yet, share a line as well, with
their files alone: `utils/ 1 web/ 5`. Of a crowd of folders that look alike a few are named, and one with its files, long
before the others; so are a few of files that are called the same, and of those of one folder that are numbered.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING

from allocator.overview.folders import (
    MOST_ALIKE,
    Folder,
    MapFile,
    Sort,
    crowds_of,
    families_above,
    families_of,
    folders_of,
    group_of,
    together,
)
from allocator.overview.joined import Part, alone, parted, prices_of, written
from allocator.overview.map_steps import (
    COUNTED,
    FOLDER_RANKS,
    GOES_ON,
    Left,
    MapStep,
    StepKind,
    alike_last,
    ranks_of_folders,
    ranks_of_sort,
    spread,
    tokens_of,
    with_patience,
)
from allocator.overview.namesakes import Named, definitions_told, namesakes
from allocator.remembered import Remembered
from skeleton.languages.headers import language_name_of
from workspace.lazy import lazy
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

MOST_DRAWN = 64
"""Texts of one map that are remembered: calls about the same files look for the largest that fits in the same way."""

MOST_TOLD = 4096
"""Folders whose lines are remembered, with what is shown of each: from one text to the next most stay as they are."""

INDENT = "  "

INDENTED = 1
"""Tokens that the line of a folder takes more than others, about: it is indented, and its counts are written in short."""
CHARACTERS = 4.5
"""Characters of a definition's name to a token, about."""
AMONG_NAMES = 0.45
"""Tokens of a name besides, with what parts it from the next."""
FIRST_NAME = 3.6
"""Tokens besides of the first that stands behind the name of a file: it puts that on a line of its own."""

HEAD_RANK = 100.0
"""Rank of the first lines: before all that files can offer."""
TOP_FOLDER_RANK = 50.0
FIRST_FILE_RANKS = (0.04, 0.028)
"""Ranks of the names of source files, from the most important to the least, while they take `FIRST_FILES` tokens."""
FIRST_FILES = 1600
FILE_RANKS = (0.028, 0.019)
"""The same after them."""
FAR_FILE_RANKS = (0.017, 0.013)
"""The same where the names before them take more than `MOST_FILES` tokens."""
MOST_FILES = 9500
BEHIND = 0.99
"""The part that files which look alike have, at the least, of the rank of the last source file: so they are named soon after."""
OTHER_FILE_RANKS = (0.018, 0.012)
"""Ranks of the names of files that are no source: tests, then prose and settings, generated ones last."""
NAME_WORTH = 0.6
"""Worth of the first definition's name on the map, in signatures of the same definition."""
NAME_FALL = 0.45
"""The rate at which that worth falls with a definition's place. With three eighths more, falling at the rate of `FALL`, the
map named 54.1, 79.7 and 91.5 % of what documentation names at 2000, 8000 and 20000 tokens (`tune`), with this 55.2, 82.0
and 96.1 %; of 25 main definitions 11.9 stand with their signature at 8000 tokens then, 12.6 before."""
MOST_NAMES = 7600
"""Tokens of such names that come before the names of all source files, where those take more than `MANY_SOURCES`."""
MANY_SOURCES = 2500
FAR_NAMES = 0.5
"""The part of that worth that the names after them have: less for a token than the last of `FILE_RANKS`."""
OWN_VALUES = 0.25
"""The part of the worth of a name that one has of a value which is not for others."""
HALF_WAY = 50.0
FALL = 0.7
"""The rate at which the need for definitions falls with their place in the order of importance: `need_at`."""


def need_at(place: float) -> float:
    """The need for the definition at a place of the order of importance; 1 for the first."""
    return (1 + place / HALF_WAY) ** -FALL


class TreeMap:
    """The map of some files.

    Args:
        files: by path.
        named: definitions, the most important first; those of files that are not source may be missing.
        lines: what tells of the whole, before the map.
        urgent: their places in the order in which they are shown as room grows; as they stand where it is not given.
        patient: how many of the last of these wait until each is a small part of what stands there already, in groups: in
            each the first waits before the others.
        order: the places of the source files, the most important first.
        count: counts the tokens of lines; an estimate by default.
    """

    def __init__(
        self,
        files: Sequence[MapFile],
        named: Sequence[Named],
        *,
        lines: Sequence[str] = (),
        urgent: Sequence[int] = (),
        patient: Sequence[int] = (),
        order: Sequence[int] = (),
        count: Callable[[str], int] = tokens_of,
    ) -> None:
        self._urgent = urgent or range(len(lines))
        waits = [group for group, size in enumerate(patient) for _ in range(size)]
        self._patient = dict(zip(self._urgent[len(self._urgent) - len(waits) :], waits, strict=True))
        """The lines that wait, each with its group."""
        self._files = files
        self._named = named
        self._lines = lines
        self._count = count
        self._order = order or [place for place, file in enumerate(files) if file.sort is Sort.SOURCE]
        self._known_above: dict[str, frozenset[int]] = {}
        self._drawn = Remembered[tuple[int, ...], str](MOST_DRAWN)
        self._told_of = Remembered[tuple[object, ...], list[str]](MOST_TOLD)

    @lazy
    def _folders(self) -> list[Folder]:
        """All folders in the order of the map."""
        defining = {place for place, file in enumerate(self._files) if file.sort is Sort.SOURCE}
        return folders_of(self._files, defining.union(self._order, (one.file for one in self._named)))

    @lazy
    def _folder_lines(self) -> list[str]:
        """The line of each folder, by its number."""
        return [f"{INDENT * folder.depth}{folder.line}" for folder in self._folders]

    @lazy
    def _at(self) -> dict[str, int]:
        """The number of each folder by its path; -1 for the root."""
        return {"": -1} | {folder.path: number for number, folder in enumerate(self._folders)}

    @lazy
    def _holding(self) -> Mapping[int, int]:
        """The count of folders that each holds, by its number."""
        return Counter(folder.around for folder in self._folders if folder.is_told)

    @lazy
    def _inside(self) -> dict[int, list[int]]:
        """The files of each folder by its number."""
        inside: defaultdict[int, list[int]] = defaultdict(list)
        for place, file in enumerate(self._files):
            inside[self._at[file.path.rpartition("/")[0]]].append(place)
        return inside

    @lazy
    def _families(self) -> dict[int, list[int]]:
        """The folders of each family, by the number of its first."""
        return families_of(self._folders)

    @lazy
    def _crowds(self) -> list[list[int]]:
        """The crowds of folders of which no definition can be named."""
        told = {one.file for one in self._named}
        bare = {
            number: places
            for number, places in self._inside.items()
            if number >= 0 and told.isdisjoint(places) and self._folders[number].is_told
        }
        return crowds_of(self._folders, {number: [*map(self._name, places)] for number, places in bare.items()})

    @lazy
    def _parts(self) -> dict[int, Mapping[str, Part]]:
        """The parts in which the names of the files of each folder are written, by its number."""
        return {number: parted(tuple(map(self._name, places))) for number, places in self._inside.items()}

    @lazy
    def _namesakes(self) -> Mapping[int, Sequence[str]]:
        """The definitions whose names the names of files say; the last one's members stand behind the file's name."""
        return namesakes([*map(self._name, range(len(self._files)))], self._named)

    @lazy
    def steps(self) -> list[MapStep]:
        """All that the map can show, the most useful for a token first."""
        steps = [
            MapStep(HEAD_RANK - 0.01 * place, self._count(f"{self._lines[number]}\n"), StepKind.LINE, number)
            for place, number in enumerate(self._urgent)
        ]
        folders = self._folder_steps()
        steps += folders
        files = self._file_steps({step.at: step.rank for step in folders})
        steps += files
        sources = set(self._order)
        many = sum(step.price for step in files if step.at in sources) > MANY_SOURCES
        steps += self._name_steps({step.at: step.price for step in files}, MOST_NAMES if many else math.inf)
        steps.sort(key=lambda step: -step.rank)
        return with_patience(self._unfolded(steps), self._patient, self._holder)

    def _unfolded(self, steps: Sequence[MapStep]) -> list[MapStep]:
        """The steps, each behind those that are drawn with it anyway: a name behind its file, a file behind its folders."""
        prices = {step[2:]: step.price for step in steps}
        left = Left({number: len(places) for number, places in self._inside.items()}, self._holding)
        listed: dict[tuple[StepKind, int], MapStep] = {}
        opened: set[str] = {""}
        for step in steps:
            things = [(step.kind, step.at)]
            if step.kind is StepKind.NAME:
                things.insert(0, (StepKind.FILE, self._named[step.at].file))
            if step.kind in (StepKind.NAME, StepKind.FILE):
                place = things[0][1]
                folder = self._files[place].path.rpartition("/")[0]
                if folder not in opened:
                    opened.add(folder)
                    things[:0] = ((StepKind.FOLDER, number) for number in sorted(self._around({place})))
            for thing in things:
                if thing not in listed:
                    price = prices.get(thing, 1.0)
                    if thing[0] in COUNTED:
                        price = left.price(price, thing[0], self._holder(*thing)[1])
                    listed[thing] = MapStep(step.rank, price, *thing)
        return list(listed.values())

    def _holder(self, kind: StepKind, at: int) -> tuple[StepKind, int]:
        """The file that a name stands in, or the folder that a folder or a file lies in."""
        if kind is StepKind.NAME:
            return StepKind.FILE, self._named[at].file
        folder = (
            self._folders[at].around if kind is StepKind.FOLDER else self._at[self._files[at].path.rpartition("/")[0]]
        )
        return StepKind.FOLDER, folder

    def _folder_steps(self) -> list[MapStep]:
        late = {number for crowd in self._crowds for number in crowd[MOST_ALIKE:]}
        usual = [number for number, folder in enumerate(self._folders) if folder.is_told and number not in late]
        top = [number for number in usual if self._folders[number].depth == 0]
        rest = [number for number in usual if self._folders[number].depth > 0]
        rest.sort(key=lambda number: (not self._folders[number].holds_source, self._folders[number].depth))
        prices = [self._price(number) for number in range(len(self._folders))]
        steps = [
            MapStep(TOP_FOLDER_RANK - 0.001 * place, prices[number], StepKind.FOLDER, number)
            for place, number in enumerate(top)
        ]
        is_code = {
            number
            for number, file in enumerate(self._files)
            if file.sort is not Sort.TEST and language_name_of(file.path)
        }
        ranks = ranks_of_folders(rest, prices, files=len(self._files), with_code=self._around(is_code))
        steps += (MapStep(rank, prices[number], StepKind.FOLDER, number) for number, rank in ranks.items())
        known = {step.at: step.rank for step in steps}
        for crowd in self._crowds:  # each tells less than the one before
            rank = min(FOLDER_RANKS[0], *(known[number] for number in crowd[:MOST_ALIKE])) * MOST_ALIKE
            steps += (
                MapStep(rank / place, prices[number], StepKind.FOLDER, number)
                for place, number in enumerate(crowd[MOST_ALIKE:], MOST_ALIKE + 1)
            )
        return steps

    def _late_files(self, ranks_of_folders: Mapping[int, float]) -> dict[int, float]:
        """The files of crowds but for those of one folder each, with the rank of the last folder: they come after all names."""
        late: dict[int, float] = {}
        for crowd in self._crowds:
            example = max(crowd[:MOST_ALIKE], key=lambda number: len(self._inside[number]))
            places = chain.from_iterable(self._inside[number] for number in crowd if number != example)
            late |= dict.fromkeys(places, ranks_of_folders[crowd[-1]])
        return late

    def _is_short(self, number: int) -> bool:
        """Tells whether a folder shares a line with others while none of its files is named: it holds no more folders."""
        folder = self._folders[number]
        return folder.depth > 0 and not folder.holds_folders and len(self._families[folder.family]) == 1

    def _price(self, number: int) -> float:
        """Tokens of a folder's line, or of its name on that of its family, about."""
        folder = self._folders[number]
        if self._is_short(number):
            return tokens_of(folder.counted)
        if folder.family != number:
            return tokens_of(folder.label[len(folder.begins) :])
        return tokens_of(folder.line) + INDENTED

    def _file_steps(self, ranks_of_folders: Mapping[int, float]) -> list[MapStep]:
        """The names of files; those of a family stand for all of the name, once its folders are there."""
        prices = [0.0] * len(self._files)
        highest = [HEAD_RANK] * len(self._files)
        second: set[int] = set()
        for number, places in self._inside.items():
            for place, price in zip(places, prices_of([*map(self._name, places)]), strict=True):
                prices[place] = price
            if number < 0:
                continue
            folder = self._folders[number]
            if folder.family != number or not folder.is_told:
                second.update(places)
            elif families := families_above(self._folders, self._families, number):
                least = min(ranks_of_folders[one] for one in chain.from_iterable(families))
                for place in places:
                    highest[place] = least
        late = self._late_files(ranks_of_folders)
        order = [place for place in self._order if place not in late]
        first = bisect_right(list(accumulate(prices[place] for place in order)), FIRST_FILES)
        ranks = spread([prices[place] for place in order[:first]], FIRST_FILES, FIRST_FILE_RANKS, FILE_RANKS)
        ranks += spread([prices[place] for place in order[first:]], MOST_FILES, FILE_RANKS, FAR_FILE_RANKS)
        steps = [MapStep(rank, prices[place], StepKind.FILE, place) for place, rank in zip(order, ranks, strict=True)]
        least = BEHIND * min(ranks, default=0.0)
        steps += (MapStep(rank, prices[at], StepKind.FILE, at) for at, rank in late.items() if at not in second)
        elsewhere = second.union(self._order, late)
        others = [place for place in range(len(self._files)) if place not in elsewhere]
        others.sort(key=lambda place: group_of(self._files[place]))
        spent = spread([prices[place] for place in others], 1 << 40, *[OTHER_FILE_RANKS] * 2)
        usual = dict(zip(others, spent, strict=True))
        for (deep, _), alike in groupby(others, key=lambda place: group_of(self._files[place])):
            group = [*alike]
            ranks = ranks_of_sort([prices[at] for at in group], [usual[at] for at in group], of_root=not deep)
            steps += (MapStep(rank, prices[at], StepKind.FILE, at) for at, rank in zip(group, ranks, strict=True))
        steps = alike_last(steps, [file.path for file in self._files], least=least)
        return [step if step.rank <= highest[step.at] else step._replace(rank=highest[step.at]) for step in steps]

    def _name_steps(self, prices: Mapping[int, float], most: float) -> list[MapStep]:
        """The names of definitions; what they take beyond so many tokens comes after the names of all source files.

        Args:
            prices: of the names of files, by place: where one says that of a definition, it is named with the file.
            most: so many tokens.
        """
        steps: list[MapStep] = []
        seen: set[tuple[int, str]] = set()
        opened: set[int] = set()
        for place, one in enumerate(self._named):
            if (one.file, one.name) not in seen:
                seen.add((one.file, one.name))
                told_by_file = one.name in self._namesakes.get(one.file, ())
                price = prices.get(one.file, 1.0) if told_by_file else AMONG_NAMES + len(one.name) / CHARACTERS
                worth = NAME_WORTH * (OWN_VALUES if one.is_own else 1.0)
                rank = worth * (1 + place / HALF_WAY) ** -NAME_FALL / price
                if told_by_file:
                    steps.append(MapStep(rank, price, StepKind.FILE, one.file))
                else:
                    first = 0.0 if one.file in opened else FIRST_NAME
                    opened.add(one.file)
                    steps.append(MapStep(rank, price + first, StepKind.NAME, place))
        least, told = 1.0, 0.0
        for number, step in enumerate(steps):  # the order of importance stays, whatever a name costs
            told += step.price
            least = min(least, step.rank * (FAR_NAMES if told > most else 1))
            steps[number] = step._replace(rank=least)
        return steps

    def text(self, count: int) -> str:
        """Draws the first so many steps; ends with a line break, or is empty."""
        return self.drawn(range(count))

    def drawn(self, places: Iterable[int]) -> str:
        """Draws some steps, by their places; each line ends with a break."""
        chosen = tuple(places)
        text = self._drawn.find(chosen)
        if text is None:
            text = self._draw(chosen)
            self._drawn.keep(chosen, text)
        return text

    def _draw(self, places: Sequence[int]) -> str:
        steps = [self.steps[place] for place in places]
        taken: dict[StepKind, set[int]] = {kind: set() for kind in StepKind}
        for step in steps:
            taken[step.kind].add(step.at)
        names: defaultdict[int, list[int]] = defaultdict(list)
        for place in sorted(taken[StepKind.NAME]):
            names[self._named[place].file].append(place)
        files = taken[StepKind.FILE] | names.keys()
        lines: list[str] = []
        for line in (self._lines[number] for number in sorted(taken[StepKind.LINE])):
            if line.startswith(GOES_ON):
                lines[-1] += line.removeprefix(GOES_ON)
            else:
                lines.append(line)
        told: set[int] = set()
        row = 0  # how deep the folders of the last line are, where more can stand there
        drawn = sorted(self._around(files) | taken[StepKind.FOLDER])
        shown = Counter(self._folders[number].around for number in drawn)
        for number in drawn:
            folder = self._folders[number]
            if folder.family in told:
                continue
            told.add(folder.family)
            if not self._is_short(number) or not files.isdisjoint(self._inside[number]):
                lines += self._told(number, taken[StepKind.FOLDER], files, names, shown[number])
                row = 0
            elif row == folder.depth:
                lines[-1] += f" {folder.counted}"
            else:
                lines.append(f"{INDENT * folder.depth}{folder.counted}")
                row = folder.depth
        lines += self._listed(-1, 1, files, names, shown[-1])
        return "".join(f"{line}\n" for line in lines)

    def _around(self, files: set[int]) -> set[int]:
        """The folders that some files lie in, whole families."""
        return set[int]().union(*map(self._above, {self._files[place].path.rpartition("/")[0] for place in files}))

    def _above(self, folder: str) -> frozenset[int]:
        """The folders that the files of one lie in, with their families."""
        found = self._known_above.get(folder)
        if found is None:
            folders = set[int]()
            path = folder
            while path:
                if path in self._at:
                    folders.update(self._families[self._folders[self._at[path]].family])
                path = path.rpartition("/")[0]
            found = self._known_above[folder] = frozenset(folders)
        return found

    def _told(
        self, number: int, folders: set[int], files: set[int], names: dict[int, list[int]], inner: int
    ) -> list[str]:
        """The lines of a folder, or of those of its family that are shown: all of them where anything in them is told."""
        first = self._folders[number].family
        family = self._families[first]
        listed = self._listed(first, len(family), files, names, inner)
        if not listed and not inner and len(family) > 1:
            family = [one for one in family if one in folders]
        depth = self._folders[number].depth
        head = self._folder_lines[number] if len(family) == 1 else self._line(family)
        if len(listed) == 1 and not any(place in names for place in self._inside.get(first, ())):
            return [f"{head}: {listed[0]}"]
        return [head, *(f"{INDENT * (depth + 1)}{line}" for line in listed)]

    def _line(self, family: Sequence[int]) -> str:
        told = together([self._folders[number] for number in family])
        return f"{INDENT * told.depth}{told.line}"

    def _listed(self, folder: int, alike: int, files: set[int], names: dict[int, list[int]], inner: int) -> list[str]:
        """The lines of the files of a folder: those with definitions one by one, the others together.

        Args:
            folder: its number.
            alike: folders that hold files of the same names, itself among them.
            files: the places of those that are shown.
            names: the definitions that are shown of each.
            inner: how many of the folders in it are shown.
        """
        shown = tuple(place for place in self._inside.get(folder, ()) if place in files)
        if not shown and not inner:
            return []
        told = (folder, alike, inner, shown, tuple((place, tuple(names[place])) for place in shown if place in names))
        lines = self._told_of.find(told)
        if lines is None:
            lines = self._lines_of(folder, alike, shown, names, inner)
            self._told_of.keep(told, lines)
        return lines

    def _lines_of(
        self, folder: int, alike: int, shown: Sequence[int], names: Mapping[int, list[int]], inner: int
    ) -> list[str]:
        lines = [
            alone(self._name(place))
            + definitions_told([self._named[one] for one in names[place]], self._namesakes.get(place, ()))
            for place in shown
            if place in names
        ]
        bare = written((self._name(place) for place in shown if place not in names), self._parts.get(folder, {}))
        if hidden := len(self._inside.get(folder, ())) - len(shown):
            bare.append(f"+{hidden * alike}")
        if hidden := self._holding.get(folder, 0) - inner:
            bare.append(f"+{number_of(hidden * alike, 'folder')}")
        return [*lines, " ".join(bare)] if bare else lines

    def _name(self, place: int) -> str:
        return self._files[place].path.rpartition("/")[2]
