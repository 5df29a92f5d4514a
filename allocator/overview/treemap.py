"""The map of a folder: its folders with counts, then its files, then their definitions, as many as there is room for.

The map is drawn in steps, the most useful for a token first: a line that tells of the whole, a folder, the name of a
file, the name of a definition. Whoever spends a budget takes a beginning of that list (`MapStep.rank` puts it among the
steps of files), and `text` draws what is taken, in the order of paths, folders with source before those without:

    src/flask/ 24 ~62k
      app.py: Flask(wsgi_app full_dispatch_request), …
      globals.py typing.py +3

A folder stands with the number of all files below it and their tokens, about; tests and generated files are told apart.
A folder that holds nothing but another folder shares its line.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from enum import StrEnum
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from allocator.remembered import Remembered
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_DRAWN = 64
"""Texts of one map that are remembered: calls about the same files look for the largest that fits in the same way."""

BYTES_PER_TOKEN = 3.6
"""Of source text, about; the map tells sizes with two digits and counts nothing."""

INDENT = "  "

HEAD_RANK = 100.0
"""Rank of the first lines: before all that files can offer."""
TOP_FOLDER_RANK = 50.0
FOLDER_RANKS = (0.06, 0.025)
"""Ranks of folders below the first level, from the first to the last."""
FAR_FOLDER_RANKS = (0.016, 0.008)
"""The same where the folders before them take more than `MOST_FOLDERS` tokens."""
MOST_FOLDERS = 5200
MANY_FILES = 3000
"""Files from which on not all folders come before the names of source files."""
MOST_FOLDERS_OF_MANY = 2600
"""The same as `MOST_FOLDERS` for so many files."""
FIRST_FILE_RANKS = (0.03, 0.0225)
"""Ranks of the names of source files, from the most important to the least, while they take `FIRST_FILES` tokens."""
FIRST_FILES = 1600
FILE_RANKS = (0.0225, 0.0185)
"""The same after them."""
FAR_FILE_RANKS = (0.0125, 0.006)
"""The same where the names before them take more than `MOST_FILES` tokens."""
MOST_FILES = 9500
OTHER_FILE_RANKS = (0.0062, 0.003)
"""Ranks of the names of files that are no source: tests, then prose and settings, generated ones last."""
WHOLE_SORT_RANKS = ((1000, (0.0234, 0.0206)), (2400, (0.0118, 0.0092)))
"""The same where the names of all files of a sort take no more than so many tokens: they stand together, or not at all."""
NAME_WORTH = 1.1
"""Worth of a definition's name on the map, in signatures of the same definition: with 0.3 the map named 65 % of what documentation names at 8000 tokens (four repositories of `tune`), with 0.7 76 %, with this 84 %, and still takes half of them."""
HALF_WAY = 50.0
FALL = 0.7
"""The rate at which the need for definitions falls with their place in the order of importance: `need_at`."""


class Sort(StrEnum):
    """The sorts of files that the reader of a map tells apart."""

    SOURCE = "source"
    TEST = "tests"
    PROSE = "other"
    MADE = "generated"


_SORTS = tuple(Sort)


class MapFile(NamedTuple):
    """A file on the map."""

    path: str
    bytes: int
    sort: Sort


class Named(NamedTuple):
    """A definition on the map: its file by place, the qualified name of what it stands in, its name."""

    file: int
    container: str
    name: str


class StepKind(StrEnum):
    """The kinds of things that a step adds to the map."""

    LINE = "line"
    FOLDER = "folder"
    FILE = "file"
    NAME = "name"


class MapStep(NamedTuple):
    """One thing that the map can show: its rank (worth per token), tokens, about, what it is, and which."""

    rank: float
    price: float
    kind: StepKind
    at: int


def need_at(place: float) -> float:
    """The need for the definition at a place of the order of importance; 1 for the first."""
    return (1 + place / HALF_WAY) ** -FALL


class _Folder(msgspec.Struct):
    """A folder: its path, what its line calls it, how deep it is indented, and what is below it."""

    path: str
    label: str
    depth: int
    files: int = 0
    bytes: int = 0
    counts: dict[Sort, int] = msgspec.field(default_factory=dict[Sort, int])

    @property
    def line(self) -> str:
        said = "".join(
            f", {self.counts[sort]} {sort}"
            for sort in (Sort.TEST, Sort.MADE)
            if 0 < self.counts.get(sort, 0) < self.files
        )
        all_of = next((f" {sort}" for sort in (Sort.TEST, Sort.MADE) if self.counts.get(sort, 0) == self.files), "")
        return f"{self.label} {self.files}{all_of}{said} ~{in_short(self.bytes / BYTES_PER_TOKEN)}"


class TreeMap:
    """The map of some files.

    Args:
        files: by path.
        named: definitions, the most important first; those of files that are not source may be missing.
        lines: what tells of the whole, before the map.
        urgent: their places in the order in which they are shown as room grows; as they stand where it is not given.
        order: the places of the source files, the most important first.
    """

    def __init__(
        self,
        files: Sequence[MapFile],
        named: Sequence[Named],
        *,
        lines: Sequence[str] = (),
        urgent: Sequence[int] = (),
        order: Sequence[int] = (),
    ) -> None:
        self._urgent = urgent or range(len(lines))
        self._files = files
        self._named = named
        self._lines = lines
        self._order = order or [place for place, file in enumerate(files) if file.sort is Sort.SOURCE]
        self._drawn = Remembered[tuple[int, ...], str](MOST_DRAWN)

    @lazy
    def _folders(self) -> list[_Folder]:
        """All folders in the order of the map, those that share a line joined."""
        held: defaultdict[str, list[int]] = defaultdict(list)
        below: dict[str, set[str]] = {"": set()}
        with_source: set[str] = set()
        for place, file in enumerate(self._files):
            folder = file.path.rpartition("/")[0]
            held[folder].append(place)
            around = folder
            while file.sort is Sort.SOURCE and around and around not in with_source:
                with_source.add(around)
                around = around.rpartition("/")[0]
            while folder and folder not in below.setdefault(above := folder.rpartition("/")[0], set()):
                below[above].add(folder)
                below.setdefault(folder, set())
                folder = above
        folders: list[_Folder] = []
        waiting = [("", "", -1)]
        while waiting:
            path, label, depth = waiting.pop()
            inner = sorted(below[path], key=lambda one: (one not in with_source, one), reverse=True)
            if path and len(inner) == 1 and not held[path]:
                waiting.append((inner[0], f"{label}{inner[0].rpartition('/')[2]}/", depth))
                continue
            if path:
                folders.append(_Folder(path=path, label=label, depth=depth))
            waiting += [(one, f"{one.rpartition('/')[2]}/", depth + 1) for one in inner]
        by_path = {folder.path: folder for folder in folders}
        for file in self._files:
            folder = file.path.rpartition("/")[0]
            while folder:
                if (known := by_path.get(folder)) is not None:
                    known.files += 1
                    known.bytes += file.bytes
                    known.counts[file.sort] = known.counts.get(file.sort, 0) + 1
                folder = folder.rpartition("/")[0]
        return folders

    @lazy
    def _folder_lines(self) -> list[str]:
        """The line of each folder, by its number."""
        return [f"{INDENT * folder.depth}{folder.line}" for folder in self._folders]

    @lazy
    def _at(self) -> dict[str, int]:
        """The number of each folder by its path; -1 for the root."""
        return {"": -1} | {folder.path: number for number, folder in enumerate(self._folders)}

    @lazy
    def _inside(self) -> dict[int, list[int]]:
        """The files of each folder by its number."""
        inside: defaultdict[int, list[int]] = defaultdict(list)
        for place, file in enumerate(self._files):
            inside[self._at[file.path.rpartition("/")[0]]].append(place)
        return inside

    @lazy
    def steps(self) -> list[MapStep]:
        """All that the map can show, the most useful for a token first."""
        steps = [
            MapStep(HEAD_RANK - 0.01 * place, tokens_of(self._lines[number]) + 1, StepKind.LINE, number)
            for place, number in enumerate(self._urgent)
        ]
        steps += self._folder_steps()
        steps += self._file_steps()
        steps += self._name_steps()
        steps.sort(key=lambda step: -step.rank)
        return steps

    def _folder_steps(self) -> list[MapStep]:
        top = [number for number, folder in enumerate(self._folders) if folder.depth == 0]
        rest = [number for number, folder in enumerate(self._folders) if folder.depth > 0]
        rest.sort(key=lambda number: (not self._folders[number].counts.get(Sort.SOURCE), self._folders[number].depth))
        prices = [tokens_of(folder.line) + 1 + folder.depth / 2 for folder in self._folders]
        steps = [
            MapStep(TOP_FOLDER_RANK - 0.001 * place, prices[number], StepKind.FOLDER, number)
            for place, number in enumerate(top)
        ]
        most = MOST_FOLDERS if len(self._files) <= MANY_FILES else MOST_FOLDERS_OF_MANY
        ranks = _spread([prices[number] for number in rest], most, FOLDER_RANKS, FAR_FOLDER_RANKS)
        return steps + [
            MapStep(rank, prices[number], StepKind.FOLDER, number) for number, rank in zip(rest, ranks, strict=True)
        ]

    def _file_steps(self) -> list[MapStep]:
        prices = [tokens_of(file.path.rpartition("/")[2]) + 0.7 for file in self._files]
        first = bisect_right(list(accumulate(prices[place] for place in self._order)), FIRST_FILES)
        ranks = _spread([prices[place] for place in self._order[:first]], FIRST_FILES, FIRST_FILE_RANKS, FILE_RANKS)
        ranks += _spread([prices[place] for place in self._order[first:]], MOST_FILES, FILE_RANKS, FAR_FILE_RANKS)
        steps = [
            MapStep(rank, prices[place], StepKind.FILE, place) for place, rank in zip(self._order, ranks, strict=True)
        ]
        source = set(self._order)
        others = [place for place in range(len(self._files)) if place not in source]
        others.sort(key=lambda place: _SORTS.index(self._files[place].sort))
        usual = dict(
            zip(others, _spread([prices[place] for place in others], 1 << 40, *[OTHER_FILE_RANKS] * 2), strict=True)
        )
        for _, alike in groupby(others, key=lambda place: self._files[place].sort):
            steps += self._sort_steps([*alike], prices, usual)
        return steps

    def _sort_steps(
        self, places: Sequence[int], prices: Sequence[float], usual: Mapping[int, float]
    ) -> Iterator[MapStep]:
        """The names of all files of a sort, which are no source."""
        of_sort = [prices[place] for place in places]
        ranks = next(
            (_spread(of_sort, most, near, near) for most, near in WHOLE_SORT_RANKS if sum(of_sort) <= most),
            [usual[place] for place in places],
        )
        return (MapStep(rank, prices[place], StepKind.FILE, place) for place, rank in zip(places, ranks, strict=True))

    def _name_steps(self) -> list[MapStep]:
        steps: list[MapStep] = []
        seen: set[tuple[int, str]] = set()
        for place, one in enumerate(self._named):
            price = tokens_of(one.name) + 1
            if (one.file, one.name) not in seen:
                seen.add((one.file, one.name))
                steps.append(MapStep(NAME_WORTH * need_at(place) / price, price, StepKind.NAME, place))
        least = 1.0
        for number, step in enumerate(steps):  # the order of importance stays, whatever a name costs
            least = min(least, step.rank)
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
        folders = set(taken[StepKind.FOLDER])
        for place in files:
            path = self._files[place].path.rpartition("/")[0]
            while path:
                if path in self._at:
                    folders.add(self._at[path])
                path = path.rpartition("/")[0]
        lines = [line for number, line in enumerate(self._lines) if number in taken[StepKind.LINE]]
        for number in (*sorted(folders), -1):
            depth = 0
            if number >= 0:
                depth = self._folders[number].depth + 1
                lines.append(self._folder_lines[number])
            lines += [f"{INDENT * depth}{line}" for line in self._listed(number, files, names)]
        return "".join(f"{line}\n" for line in lines)

    def _listed(self, folder: int, files: set[int], names: dict[int, list[int]]) -> list[str]:
        """The lines of the files of a folder: those with definitions one by one, the others together."""
        inside = self._inside.get(folder, [])
        shown = [place for place in inside if place in files]
        if not shown:
            return []
        lines = [f"{self._name(place)}: {self._definitions(names[place])}" for place in shown if place in names]
        bare = [self._name(place) for place in shown if place not in names]
        if len(shown) < len(inside):
            bare.append(f"+{len(inside) - len(shown)}")
        return [*lines, " ".join(bare)] if bare else lines

    def _name(self, place: int) -> str:
        return self._files[place].path.rpartition("/")[2]

    def _definitions(self, places: Sequence[int]) -> str:
        """The names of some definitions of a file, those of one container together."""
        members: dict[str, list[str]] = {}
        for place in places:
            one = self._named[place]
            if one.container:
                members.setdefault(one.container, [])
                members[one.container].append(one.name)
            else:
                members.setdefault(one.name, [])
        return ", ".join(f"{name}({' '.join(inner)})" if inner else name for name, inner in members.items())


def _spread(prices: Sequence[float], most: float, near: tuple[float, float], far: tuple[float, float]) -> list[float]:
    """Ranks that fall from one end of a range to the other; of a second range once the prices come to more than `most`."""
    ranks: list[float] = []
    total, spent = sum(prices), 0.0
    for price in prices:
        spent += price
        if spent <= most:
            ranks.append(near[0] - (near[0] - near[1]) * spent / max(1.0, min(total, most)))
        else:
            ranks.append(far[0] - (far[0] - far[1]) * (spent - most) / max(1.0, total - most))
    return ranks


def tokens_of(text: str) -> float:
    """Tokens of a few words, about."""
    return 0.6 + len(text.strip()) / 3.6


def in_short(number: float) -> str:
    """A number with two digits: `850`, `6.2k`, `62k`, `1.4M`."""
    for unit, suffix in ((1e6, "M"), (1e3, "k")):
        if number >= 0.995 * unit:
            return f"{number / unit:.1f}{suffix}" if number < 9.95 * unit else f"{number / unit:.0f}{suffix}"
    return str(round(number, -1 if number >= 100 else 0)).partition(".")[0]


def headline(files: Sequence[MapFile]) -> str:
    """Tells in one line of how many files a map is, and how to read it."""
    counts = {sort: [file.bytes for file in files if file.sort is sort] for sort in Sort}
    told = ", ".join(
        f"{len(sizes)} {sort} ~{in_short(sum(sizes) / BYTES_PER_TOKEN)}" for sort, sizes in counts.items() if sizes
    )
    return (
        f"{len(files)} files: {told} tokens. Below: folder/ files ~tokens; file: definitions(members); +n more files."
    )
