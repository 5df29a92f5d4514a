"""A set of files as a reader sees it who asked for nothing in particular: needs by importance, and the map before them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from msgspec.structs import replace

from allocator.fileset import Chart
from allocator.overview.about import is_readme
from allocator.overview.portrait import Portrait, map_files, named_of
from allocator.overview.treemap import MapFile, Sort, TreeMap, headline, need_at
from allocator.show.formats import MORE
from allocator.show.framing import largest
from allocator.spend.needs import Needs
from allocator.spend.steps import ceiling
from workspace.errors import PathNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.fileset import FileSet
    from allocator.show.formats import Pricing
    from allocator.show.views import Count
    from skeleton.index.indexed import IndexedFile

FILE_NEEDS = {Sort.SOURCE: 0.1, Sort.TEST: 0.03, Sort.PROSE: 0.02, Sort.MADE: 0.002}
"""What is needed of a file besides its definitions: imports, comments, the rest of its text."""

README_NEED = 1.0

DEFINITION_NEEDS = {Sort.SOURCE: 0.01, Sort.TEST: 0.004, Sort.PROSE: 0.002, Sort.MADE: 0.0002}
"""What is needed of a definition of which nothing else is known."""

MANY = 1e9
"""Definitions that a file may have of which nothing is known."""


def map_below(listed: Sequence[IndexedFile], known: Portrait, folder: str, prefix: str) -> TreeMap:
    """The map of one folder.

    Args:
        listed: all files, by path.
        known: their portrait.
        folder: relative to where they were listed, or to the root.
        prefix: from the root to where they were listed, as their addresses begin.

    Raises:
        PathNotFoundError: it holds no file.
    """
    start = folder.strip().removeprefix("./").strip("/")
    begins = f"{start}/" if start not in ("", ".") else ""
    mapped = map_files(listed)
    places = _inside(mapped, prefix + begins) or _inside(mapped, begins)
    inside = {place: number for number, place in enumerate(places)}
    if not inside:
        raise PathNotFoundError(f"{folder!r} is no folder with files here; get_context shows the map of all folders.")
    named = [one._replace(file=inside[one.file]) for one in named_of(known) if one.file in inside]
    files = [mapped[place] for place in inside]
    return TreeMap(
        files,
        named,
        lines=(headline(files),),
        order=[inside[place] for place in known.sources if place in inside],
    )


def _inside(mapped: Sequence[MapFile], begins: str) -> list[int]:
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


def first_look(files: FileSet, listed: Sequence[IndexedFile], known: Portrait, *, with_map: bool = True) -> FileSet:
    """Gives a set of files the needs of a first look.

    Args:
        files: the files of the call.
        listed: all files of the folder, by path; those of the call are among them.
        known: their portrait.
        with_map: whether the map stands before them.
    """
    mapped = map_files(listed)
    at = {file.path: place for place, file in enumerate(listed)}
    needs = [dict[int, float]() for _ in mapped]
    numbers = array("I")
    numbers.frombytes(known.places)
    for number, (file, place) in enumerate(zip(numbers[::2], numbers[1::2], strict=True)):
        needs[file][place] = need_at(number)
    places = [at[file.path] for file in files.files]
    own = [README_NEED if is_readme(listed[place].path) else FILE_NEEDS[mapped[place].sort] for place in places]
    rest = [DEFINITION_NEEDS[mapped[place].sort] for place in places]

    def definitions(index: int) -> Sequence[float]:
        known_of = needs[places[index]]
        return [known_of.get(place, rest[index]) for place in range(len(files.files[index].weights.unit))]

    def ceilings(pricing: Pricing) -> Sequence[float]:
        found: list[float] = []
        for index, place in enumerate(places):
            held = needs[place]
            most = max(held.values(), default=0.0)
            total = sum(held.values()) if held else MANY
            found.append(ceiling(own[index], max(most, rest[index]), total, pricing))
        return found

    order = {place: number for number, place in enumerate(known.sources)}
    needed = Needs(
        order=sorted(range(len(places)), key=lambda index: (order.get(places[index], len(mapped)), index)),
        files=own,
        definitions=definitions,
        ceilings=ceilings,
    )
    if not with_map:
        return replace(files, needs=needed)
    tree = TreeMap(
        mapped,
        named_of(known),
        lines=(headline(mapped), *known.lines),
        urgent=(0, *(place + 1 for place in known.urgent)),
        order=known.sources,
    )

    return replace(
        files, needs=needed, chart=Chart(text=tree.drawn, steps=[(step.rank, step.price) for step in tree.steps])
    )
