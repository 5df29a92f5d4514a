"""The first look at a set of files, for a call without a question: needs by importance, and the map before the files."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from msgspec.structs import replace

from allocator.fileset import Chart
from allocator.overview.about import is_readme
from allocator.overview.folders import MapFile, Sort, headline
from allocator.overview.map_order import need_at
from allocator.overview.portrait import Portrait, Ranked, map_files, named_of
from allocator.overview.treemap import TreeMap
from allocator.show.call_files import known_files
from allocator.show.formats import MORE
from allocator.show.framing import largest
from allocator.spend.ceilings import NOWHERE, Expected, Foremost, Foreseen, Measured, expected, taken
from allocator.spend.needs import MANY, Needs, need_of_unseen
from allocator.spend.steps import Kind, Step, ceiling
from skeleton.names.targets import in_braces
from workspace.errors import PathNotFoundError
from workspace.lazy import lazy
from workspace.paths import as_word, from_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from allocator.fileset import FileSet
    from allocator.show.formats import Pricing
    from allocator.show.views import Count
    from skeleton.index.indexed import IndexedFile

FILE_NEEDS = {Sort.SOURCE: 0.1, Sort.TEST: 0.03, Sort.PROSE: 0.02, Sort.MADE: 0.002}
"""The need for a file besides its definitions: imports, comments, the rest of its text."""

README_NEED = 1.0

DEFINITION_NEEDS = {Sort.SOURCE: 0.01, Sort.TEST: 0.004, Sort.PROSE: 0.002, Sort.MADE: 0.0002}
"""The need for a definition of which nothing else is known."""

BODY = 0.3
"""Worth of a definition's body, in signatures of the same: who looks for the first time wants to know what there is. With
1, as where there is a question, documented names were 90.0 % at 20,000 tokens on `tune`, with 0.4 91.2 %, with this 91.5 %."""

LIFT = 4.0
"""Need for the definitions that are most worth reading, in that of others at their place: the map has names of far more
before a signature, and who looks for the first time wants to see a few of the most important."""

FRAME = 1.8
"""Price of a frame, in what it costs: of a few files more is shown rather than of many a line. With 1, frames, imports and
attributes took 16.5 % of 8,000 tokens of serilog and 15.7 % of monolog's."""


def map_below(listed: Sequence[IndexedFile], known: Portrait, folder: str, prefix: str) -> TreeMap:
    """The map of one folder, or of those that one with braces stands for, as the map writes them: `doc/{a b}/`.

    Args:
        listed: all files, by path.
        known: their portrait.
        folder: relative to where they were listed, or to the root.
        prefix: from the root to where they were listed, as their addresses begin.

    Raises:
        InvalidArgumentError: the braces stand for too many.
        PathNotFoundError: it holds no file; of several, none does. Where some do, lines tell of the others.
    """
    mapped = map_files(listed)
    below = {folder: _inside(mapped, folder, prefix)}
    if not below[folder]:
        below = {one: _inside(mapped, one, prefix) for one in in_braces(folder) or [folder]}
    errors = [
        f"{one!r} is no folder with files here{_meant(mapped, one)}" for one, places in below.items() if not places
    ]
    if len(errors) == len(below):
        raise PathNotFoundError(errors[0])
    inside = {place: number for number, place in enumerate(sorted(set[int]().union(*below.values())))}
    named = [one._replace(file=inside[one.file]) for one in named_of(known) if one.file in inside]
    files = [mapped[place] for place in inside]
    return TreeMap(
        files,
        named,
        lines=(*errors, headline(files)),
        order=[inside[place] for place in known.ranked.sources if place in inside],
    )


def _inside(mapped: Sequence[MapFile], folder: str, prefix: str) -> list[int]:
    """The places of the files in a folder."""
    start = _start(folder)
    begins = f"{start}/" if start not in ("", ".") else ""
    return _beginning(mapped, prefix + begins) or _beginning(mapped, begins)


def _start(folder: str) -> str:
    return from_word(folder.strip()).removeprefix("./").strip("/")


def _meant(mapped: Sequence[MapFile], missed: str) -> str:
    """The rest of a sentence that a folder is not there: those that may be meant."""
    from workspace.slips import folders_meant  # for mistakes alone

    told = folders_meant(_start(missed), [file.path for file in mapped])
    if not told:
        return "; get_context shows the map of all folders."
    return f". Did you mean: {', '.join(as_word(f'{one}/') for one in told)}?"


def _beginning(mapped: Sequence[MapFile], begins: str) -> list[int]:
    return [place for place, file in enumerate(mapped) if file.path.startswith(begins)]


def drawn(tree: TreeMap, budget: int | None, count: Count) -> str:
    """Draws as much of a map as a budget holds; where that is not all, a last line says so.

    Args:
        tree: the map.
        budget: tokens; None for no ceiling.
        count: counts them.
    """
    whole = tree.text(len(tree.steps))
    if budget is None or count(whole) <= budget:
        return whole
    room = budget - count(PART_OF_MAP)
    return tree.text(largest(len(tree.steps), lambda taken: count(tree.text(taken)) <= room)) + PART_OF_MAP


PART_OF_MAP = f"{MORE} part of the map: raise token_budget, or zoom one of its folders\n"


SIGNATURE = 28
"""Tokens below which the price of a definition makes no difference: about what a signature costs with its line. The
smaller, the more files are looked at that nothing is shown of."""


class Look:
    """The parts of a first look at some files that are the same whatever it is asked for. Threads may share it.

    Args:
        listed: all files of a folder, by path.
        ranked: their definitions.
        count: counts the tokens of lines.

    Attributes:
        known: their portrait; to be set before the map is asked for.
        mapped: the files as a map knows them.
        at: the place of each file by its path.
        own: what is needed of each file besides its definitions.
        rest: what is needed of those of its definitions of which nothing else is known.
        rank: the place of each file in the order of importance.
    """

    known: Portrait

    def __init__(self, listed: Sequence[IndexedFile], ranked: Ranked, count: Count) -> None:
        self._ranked = ranked
        self._count = count
        self.mapped = map_files(listed)
        self.at = {file.path: place for place, file in enumerate(listed)}
        self.own = [
            README_NEED if is_readme(file.path) else FILE_NEEDS[mapped.sort]
            for file, mapped in zip(listed, self.mapped, strict=True)
        ]
        first = {place: number for number, place in enumerate(ranked.sources)}
        self.rank = [first.get(place, len(self.mapped)) for place in range(len(self.mapped))]
        self._ceilings: dict[Pricing, Sequence[float]] = {}
        self._of_map: tuple[int, Sequence[Step]] = -1, ()

    @lazy
    def _lifted(self) -> Mapping[int, float]:
        """The need for the definitions that are most worth reading."""
        return {number: LIFT * need_at(place) for place, number in enumerate(self._ranked.to_read)}

    def _need_of(self, number: int) -> float:
        """The need for a definition by its place in the order of importance; what is most worth reading is lifted."""
        return max(need_at(number), self._lifted.get(number, 0.0))

    @lazy
    def needs(self) -> Sequence[Mapping[int, float]]:
        """Returns the needs for the definitions of each file, by where their names start, as far as they are known."""
        needs = [dict[int, float]() for _ in self.mapped]
        numbers = array("I")
        numbers.frombytes(self._ranked.places)
        for number, (file, start) in enumerate(zip(numbers[::2], numbers[1::2], strict=True)):
            needs[file][start] = self._need_of(number)
        return needs

    @lazy
    def rest(self) -> Sequence[float]:
        """The need for a definition of each file that the portrait does not know: less than the mean of those it knows."""
        return [
            max(DEFINITION_NEEDS[file.sort], need_of_unseen(known.values(), otherwise=0.0))
            for file, known in zip(self.mapped, self.needs, strict=True)
        ]

    @lazy
    def _numbers(self) -> Sequence[Sequence[int]]:
        """For each file the places of its definitions among all, those that something is known of."""
        numbers = [list[int]() for _ in self.mapped]
        places = array("I")
        places.frombytes(self._ranked.places)
        for number, file in enumerate(places[::2]):
            numbers[file].append(number)
        return numbers

    @lazy
    def _lengths(self) -> Sequence[int]:
        lengths = array("i")
        lengths.frombytes(self._ranked.lengths)
        return lengths

    def measured(self, place: int) -> Sequence[Measured]:
        """Returns the definitions of a file that something is known of, with their lengths."""
        numbers = self._numbers[place]
        lengths = [self._lengths[3 * number : 3 * number + 3] for number in numbers]
        at = {number: index for index, number in enumerate(numbers)}
        return [
            Measured(self._need_of(number), head, own, at.get(around, NOWHERE))
            for number, (head, own, around) in zip(numbers, lengths, strict=True)
        ]

    @lazy
    def tree(self) -> TreeMap:
        """The map of all files, with what is told of the whole."""
        return TreeMap(
            self.mapped,
            named_of(self.known),
            lines=(headline(self.mapped), *self.known.lines),
            urgent=(0, *(place + 1 for place in self.known.urgent)),
            patient=self.known.patient,
            order=self._ranked.sources,
            count=self._count,
        )

    def steps(self, block: int) -> Sequence[Step]:
        """The steps of the map, for its place among the blocks; kept for the next call."""
        at, steps = self._of_map
        if at != block:
            told = enumerate(self.tree.steps)
            steps = [Step(one.rank, block, place, Kind.BESIDE, one.rank * one.price, one.price) for place, one in told]
            self._of_map = block, steps
        return steps

    def ceilings(self, pricing: Pricing) -> Sequence[float]:
        """Tells for every file what no step of it is worth more than per token, given what a format adds."""
        found = self._ceilings.get(pricing)
        if found is None:
            found = self._ceilings[pricing] = [
                ceiling(own, max(*held.values(), rest), sum(held.values()), pricing, least_price=SIGNATURE, body=BODY)
                if held
                else ceiling(own, rest, MANY, pricing, least_price=SIGNATURE, body=BODY)
                for own, rest, held in zip(self.own, self.rest, self.needs, strict=True)
            ]
        return found

    def foremost(self, pricing: Pricing, tokens: float) -> list[int]:
        """Returns the places of the files that are looked at first, until what they show is foreseen to take so many tokens."""
        ceilings, greatest, found = [*self.ceilings(pricing)], max(self.own, default=1.0), dict[int, Expected]()

        def closer(place: int) -> float:
            found[place] = expected(
                ceilings[place],
                self.own[place] / greatest,
                self.measured(place),
                pricing,
                path_length=len(self.mapped[place].path),
                body=BODY,
            )
            return found[place].highest

        left = Foremost(sorted(range(len(self.rank)), key=self.rank.__getitem__), ceilings, closer)
        return taken(left, Foreseen(()), found, tokens)


def first_look(files: FileSet, look: Look, *, with_map: bool = True) -> FileSet:
    """Gives a set of files the needs of a first look.

    Args:
        files: the files of the call.
        look: at all files of the folder; those of the call are among them.
        with_map: whether the map stands before them.
    """
    places = [look.at[file.path] for file in known_files(files.files)]

    def definitions(index: int) -> Sequence[float]:
        known_of, rest = look.needs[places[index]], look.rest[places[index]]
        return [known_of.get(start, rest) for start in files.files[index].weights.starts]

    def ceilings(pricing: Pricing) -> Sequence[float]:
        of_all = look.ceilings(pricing)
        return [of_all[place] for place in places]

    ranks = [look.rank[place] for place in places]
    needed = Needs(
        order=sorted(range(len(places)), key=ranks.__getitem__),
        files=[look.own[place] for place in places],
        definitions=definitions,
        ceilings=ceilings,
        measured=lambda index: look.measured(places[index]),
        body=BODY,
        frame=FRAME,
        never_empty=True,
    )
    if not with_map:
        return replace(files, needs=needed)
    return replace(files, needs=needed, chart=Chart(text=look.tree.drawn, steps=look.steps))
