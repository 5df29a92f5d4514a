"""The order in which the things of a map come: its lines, folders, files and names, the most useful for a token first."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING

from allocator.overview.folders import MOST_ALIKE, Sort, families_above, group_of
from allocator.overview.joined import prices_of
from allocator.overview.map_steps import (
    COUNTED,
    FOLDER_RANKS,
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
from skeleton.languages.headers import language_name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from allocator.overview.map_layout import Layout

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
PACKAGE_RANK = 40.0
"""The same of packages with source below that level, the most important first: each is told of before one of them in detail."""
MOST_PACKAGES = 400
"""Tokens of the lines of packages that come so early."""
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
MOST_HEARD = 3
"""Definitions of one name in files of one name that are told as others are; more of them are *echoes*."""
HALF_WAY = 50.0
FALL = 0.7
"""The rate at which the need for definitions falls with their place in the order of importance: `need_at`."""


def need_at(place: float) -> float:
    """The need for the definition at a place of the order of importance; 1 for the first."""
    return (1 + place / HALF_WAY) ** -FALL


class MapOrder:
    """Puts the things of a map in order.

    Args:
        layout: what lies where on it.
        lines: what tells of the whole, before the map.
        urgent: their places in the order in which they are shown as room grows; as they stand where it is not given.
        patient: how many of the last of these wait until each is a small part of what stands there already, in groups: in
            each the first waits before the others.
        count: counts the tokens of lines.
    """

    def __init__(
        self,
        layout: Layout,
        lines: Sequence[str],
        *,
        urgent: Sequence[int],
        patient: Sequence[int],
        count: Callable[[str], int],
    ) -> None:
        self._layout = layout
        self._lines = lines
        self._urgent = urgent or range(len(lines))
        waits = [group for group, size in enumerate(patient) for _ in range(size)]
        self._patient = dict(zip(self._urgent[len(self._urgent) - len(waits) :], waits, strict=True))
        """The lines that wait, each with its group."""
        self._count = count

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
        sources = set(self._layout.order)
        many = sum(step.price for step in files if step.at in sources) > MANY_SOURCES
        steps += self._name_steps({step.at: step.price for step in files}, MOST_NAMES if many else math.inf)
        steps.sort(key=lambda step: -step.rank)
        return with_patience(self._unfolded(steps), self._patient, self._layout.holder)

    def _unfolded(self, steps: Sequence[MapStep]) -> list[MapStep]:
        """The steps, each behind those that are drawn with it anyway: a name behind its file, a file behind its folders."""
        prices = {step[2:]: step.price for step in steps}
        left = Left({number: len(places) for number, places in self._layout.inside.items()}, self._layout.holding)
        listed: dict[tuple[StepKind, int], MapStep] = {}
        opened: set[str] = {""}
        for step in steps:
            things = [(step.kind, step.at)]
            if step.kind is StepKind.NAME:
                things.insert(0, (StepKind.FILE, self._layout.named[step.at].file))
            if step.kind is not StepKind.LINE:
                folder = self._layout.lies_in(*things[0])
                if folder not in opened:
                    opened.add(folder)
                    things[:0] = ((StepKind.FOLDER, number) for number in sorted(self._layout.above(folder)))
            for thing in things:
                if thing not in listed:
                    price = prices.get(thing, 1.0)
                    if thing[0] in COUNTED:
                        price = left.price(price, thing[0], self._layout.holder(*thing)[1])
                    listed[thing] = MapStep(step.rank, price, *thing)
        return list(listed.values())

    def _folder_steps(self) -> list[MapStep]:
        late = {number for crowd in self._layout.crowds for number in crowd[MOST_ALIKE:]}
        usual = [number for number, folder in enumerate(self._layout.folders) if folder.is_told and number not in late]
        top = [number for number in usual if self._layout.folders[number].depth == 0]
        rest = [number for number in usual if self._layout.folders[number].depth > 0]
        foremost = self._layout.foremost
        rest.sort(
            key=lambda number: (
                not self._layout.folders[number].holds_source,
                self._layout.folders[number].depth,
                foremost.get(number, math.inf),
            )
        )
        prices = [self._price(number) for number in range(len(self._layout.folders))]
        steps = [
            MapStep(TOP_FOLDER_RANK - 0.001 * place, prices[number], StepKind.FOLDER, number)
            for place, number in enumerate(top)
        ]
        is_code = {
            number
            for number, file in enumerate(self._layout.files)
            if file.sort is not Sort.TEST and language_name_of(file.path)
        }
        ranks = ranks_of_folders(rest, prices, files=len(self._layout.files), with_code=self._layout.around(is_code))
        packages = sorted(self._layout.packages.intersection(rest), key=lambda number: foremost.get(number, math.inf))
        told = accumulate(prices[number] for number in packages)
        ranks |= {
            number: PACKAGE_RANK - 0.001 * place
            for place, (number, tokens) in enumerate(zip(packages, told, strict=True))
            if tokens <= MOST_PACKAGES
        }
        steps += (MapStep(rank, prices[number], StepKind.FOLDER, number) for number, rank in ranks.items())
        known = {step.at: step.rank for step in steps}
        for crowd in self._layout.crowds:  # each tells less than the one before
            rank = min(FOLDER_RANKS[0], *(known[number] for number in crowd[:MOST_ALIKE])) * MOST_ALIKE
            steps += (
                MapStep(rank / place, prices[number], StepKind.FOLDER, number)
                for place, number in enumerate(crowd[MOST_ALIKE:], MOST_ALIKE + 1)
            )
        return steps

    def _late_files(self, ranks_of_folders: Mapping[int, float]) -> dict[int, float]:
        """The files of crowds but for those of one folder each, with the rank of the last folder: they come after all names."""
        late: dict[int, float] = {}
        for crowd in self._layout.crowds:
            example = max(crowd[:MOST_ALIKE], key=lambda number: len(self._layout.inside[number]))
            places = chain.from_iterable(self._layout.inside[number] for number in crowd if number != example)
            late |= dict.fromkeys(places, ranks_of_folders[crowd[-1]])
        return late

    def _price(self, number: int) -> float:
        """Tokens of a folder's line, or of its name on that of its family, about."""
        folder = self._layout.folders[number]
        if self._layout.is_short(number):
            return tokens_of(folder.counted)
        if folder.family != number:
            return tokens_of(folder.label[len(folder.begins) :])
        return tokens_of(folder.line) + INDENTED

    def _file_steps(self, ranks_of_folders: Mapping[int, float]) -> list[MapStep]:
        """The names of files; those of a family stand for all of the name, once its folders are there."""
        prices = [0.0] * len(self._layout.files)
        highest = [HEAD_RANK] * len(self._layout.files)
        second: set[int] = set()
        for number, places in self._layout.inside.items():
            for place, price in zip(places, prices_of([*map(self._layout.name, places)]), strict=True):
                prices[place] = price
            if number < 0:
                continue
            folder = self._layout.folders[number]
            if folder.family != number or not folder.is_told:
                second.update(places)
            elif families := families_above(self._layout.folders, self._layout.families, number):
                least = min(ranks_of_folders[one] for one in chain.from_iterable(families))
                for place in places:
                    highest[place] = least
        late = self._late_files(ranks_of_folders)
        order = [place for place in self._layout.order if place not in late]
        first = bisect_right(list(accumulate(prices[place] for place in order)), FIRST_FILES)
        ranks = spread([prices[place] for place in order[:first]], FIRST_FILES, FIRST_FILE_RANKS, FILE_RANKS)
        ranks += spread([prices[place] for place in order[first:]], MOST_FILES, FILE_RANKS, FAR_FILE_RANKS)
        steps = [MapStep(rank, prices[place], StepKind.FILE, place) for place, rank in zip(order, ranks, strict=True)]
        least = BEHIND * min(ranks, default=0.0)
        steps += (MapStep(rank, prices[at], StepKind.FILE, at) for at, rank in late.items() if at not in second)
        elsewhere = second.union(self._layout.order, late)
        others = [place for place in range(len(self._layout.files)) if place not in elsewhere]
        others.sort(key=lambda place: group_of(self._layout.files[place]))
        spent = spread([prices[place] for place in others], 1 << 40, *[OTHER_FILE_RANKS] * 2)
        usual = dict(zip(others, spent, strict=True))
        for (deep, _), alike in groupby(others, key=lambda place: group_of(self._layout.files[place])):
            group = [*alike]
            ranks = ranks_of_sort([prices[at] for at in group], [usual[at] for at in group], of_root=not deep)
            steps += (MapStep(rank, prices[at], StepKind.FILE, at) for at, rank in zip(group, ranks, strict=True))
        steps = alike_last(steps, [file.path for file in self._layout.files], least=least)
        return [step if step.rank <= highest[step.at] else step._replace(rank=highest[step.at]) for step in steps]

    def _name_steps(self, prices: Mapping[int, float], most: float) -> list[MapStep]:
        """The names of definitions; what they take beyond so many tokens comes after the names of all source files.

        Args:
            prices: of the names of files, by place: where one says that of a definition, this is named with the file.
            most: so many tokens.
        """
        steps: list[MapStep] = []
        seen: set[tuple[int, str]] = set()
        opened: set[int] = set()
        for place in self._echoes_last():
            one = self._layout.named[place]
            if (one.file, one.name) not in seen:
                seen.add((one.file, one.name))
                price, kind, at = self._saying(place, prices)
                worth = NAME_WORTH * (OWN_VALUES if one.is_own else 1.0)
                rank = worth * (1 + place / HALF_WAY) ** -NAME_FALL / price
                if kind is StepKind.NAME and one.file not in opened:
                    opened.add(one.file)
                    price += FIRST_NAME
                steps.append(MapStep(rank, price, kind, at))
        least, told = 1.0, 0.0
        for number, step in enumerate(steps):  # the order of importance stays, whatever a name costs
            told += step.price
            least = min(least, step.rank * (FAR_NAMES if told > most else 1))
            steps[number] = step._replace(rank=least)
        return steps

    def _echoes_last(self) -> list[int]:
        """The places of the definitions that can be named, the most important first, but for echoes: they come last."""
        heard: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        usual: list[int] = []
        echoes: list[int] = []
        for place, one in enumerate(self._layout.named):
            sound = self._layout.name(one.file), one.container, one.name
            heard[sound] += 1
            (usual if heard[sound] <= MOST_HEARD else echoes).append(place)
        return usual + echoes

    def _saying(self, place: int, prices: Mapping[int, float]) -> tuple[float, StepKind, int]:
        """The step that says the name of a definition: its price, its kind, and which it is."""
        one = self._layout.named[place]
        if (folder := self._layout.told_by_folders.get(place)) is not None:
            return self._price(folder), StepKind.FOLDER, folder
        if one.name in self._layout.namesakes.get(one.file, ()):
            return prices.get(one.file, 1.0), StepKind.FILE, one.file
        return AMONG_NAMES + len(one.name) / CHARACTERS, StepKind.NAME, place
