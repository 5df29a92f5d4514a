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

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from allocator.overview.folders import together
from allocator.overview.joined import alone, written
from allocator.overview.map_layout import Layout
from allocator.overview.map_order import MapOrder
from allocator.overview.map_steps import GOES_ON, MapStep, StepKind, tokens_of
from allocator.overview.namesakes import definitions_told
from allocator.remembered import Remembered
from workspace.lazy import lazy
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from allocator.overview.folders import MapFile
    from allocator.overview.namesakes import Named

MOST_DRAWN = 64
"""Texts of one map that are remembered: calls about the same files look for the largest that fits in the same way."""

MOST_TOLD = 4096
"""Folders whose lines are remembered, with what is shown of each: from one text to the next most stay as they are."""

INDENT = "  "


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
        self._layout = Layout(files, named, order)
        self._lines = lines
        self._order = MapOrder(self._layout, lines, urgent=urgent, patient=patient, count=count)
        self._drawn = Remembered[tuple[int, ...], str](MOST_DRAWN)
        self._told_of = Remembered[tuple[object, ...], list[str]](MOST_TOLD)

    @lazy
    def steps(self) -> list[MapStep]:
        """All that the map can show, the most useful for a token first."""
        return self._order.steps()

    @lazy
    def _folder_lines(self) -> list[str]:
        """The line of each folder, by its number."""
        return [f"{INDENT * folder.depth}{folder.line}" for folder in self._layout.folders]

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
            names[self._layout.named[place].file].append(place)
        files = taken[StepKind.FILE] | names.keys()
        lines: list[str] = []
        for line in (self._lines[number] for number in sorted(taken[StepKind.LINE])):
            if line.startswith(GOES_ON):
                lines[-1] += line.removeprefix(GOES_ON)
            else:
                lines.append(line)
        told: set[int] = set()
        row = 0  # how deep the folders of the last line are, where more can stand there
        drawn = sorted(self._layout.around(files) | taken[StepKind.FOLDER])
        shown = Counter(self._layout.folders[number].around for number in drawn)
        for number in drawn:
            folder = self._layout.folders[number]
            if folder.family in told:
                continue
            told.add(folder.family)
            if not self._layout.is_short(number) or not files.isdisjoint(self._layout.inside[number]):
                lines += self._told(number, taken[StepKind.FOLDER], files, names, shown[number])
                row = 0
            elif row == folder.depth:
                lines[-1] += f" {folder.counted}"
            else:
                lines.append(f"{INDENT * folder.depth}{folder.counted}")
                row = folder.depth
        lines += self._listed(-1, 1, files, names, shown[-1])
        return "".join(f"{line}\n" for line in lines)

    def _told(
        self, number: int, folders: set[int], files: set[int], names: dict[int, list[int]], inner: int
    ) -> list[str]:
        """The lines of a folder, or of those of its family that are shown: all of them where anything in them is told."""
        first = self._layout.folders[number].family
        family = self._layout.families[first]
        listed = self._listed(first, len(family), files, names, inner)
        if not listed and not inner and len(family) > 1:
            family = [one for one in family if one in folders]
        depth = self._layout.folders[number].depth
        head = self._folder_lines[number] if len(family) == 1 else self._line(family)
        if len(listed) == 1 and not any(place in names for place in self._layout.inside.get(first, ())):
            return [f"{head}: {listed[0]}"]
        return [head, *(f"{INDENT * (depth + 1)}{line}" for line in listed)]

    def _line(self, family: Sequence[int]) -> str:
        told = together([self._layout.folders[number] for number in family])
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
        shown = tuple(place for place in self._layout.inside.get(folder, ()) if place in files)
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
            alone(self._layout.name(place))
            + definitions_told([self._layout.named[one] for one in names[place]], self._layout.namesakes.get(place, ()))
            for place in shown
            if place in names
        ]
        bare = written(
            (self._layout.name(place) for place in shown if place not in names), self._layout.parts.get(folder, {})
        )
        if hidden := len(self._layout.inside.get(folder, ())) - len(shown):
            bare.append(f"+{hidden * alike}")
        if hidden := self._layout.holding.get(folder, 0) - inner:
            bare.append(f"+{number_of(hidden * alike, 'folder')}")
        return [*lines, " ".join(bare)] if bare else lines
