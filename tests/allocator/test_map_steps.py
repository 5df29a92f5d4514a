"""The order in which the folders of a map are told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allocator.overview.folders import MOST_ALIKE, MapFile, Sort
from allocator.overview.map_steps import (
    LEAST_BUDGET,
    MANY_FILES,
    MOST_FOLDERS_OF_DATA,
    SHARE,
    MapStep,
    StepKind,
    alike_last,
    ranks_of_folders,
    with_patience,
)
from allocator.overview.treemap import TreeMap

LANGUAGES = ("am-ET", "ar", "de", "de-CH", "fil-PH", "pt-br", "uk", "sr-Latn", "es-419", "it", "fr", "zh_TW", "el")
WORDS = ("app", "api", "cli", "db-all", "uis", "web", "sql", "rpc", "log", "css", "env", "git", "ssh")
PRICE = MOST_FOLDERS_OF_DATA / 5
CODE, DATA = range(20, 30), range(20)


def test_of_many_files_most_folders_without_code_are_told_after_all_with_code() -> None:
    ranks = ranks_of_folders([*DATA, *CODE], [PRICE] * 30, files=MANY_FILES + 1, with_code=CODE)
    assert ranks.keys() == {*DATA, *CODE}
    assert sorted(DATA, key=ranks.__getitem__, reverse=True) == [*DATA]
    last = min(ranks[number] for number in CODE)
    assert [ranks[number] >= last for number in DATA] == [True] * 5 + [False] * 15


def test_of_few_files_all_folders_are_told_in_their_order() -> None:
    numbers = [*DATA, *CODE]
    ranks = ranks_of_folders(numbers, [PRICE] * 30, files=MANY_FILES, with_code=CODE)
    assert sorted(numbers, key=ranks.__getitem__, reverse=True) == numbers


ROOT = StepKind.FOLDER, -1
DEAR = LEAST_BUDGET / 20


def holder(kind: StepKind, at: int) -> tuple[StepKind, int]:
    """Folders stand in the root, a file in the folder of its number, a name in the file of its number."""
    if kind is StepKind.FOLDER:
        return ROOT
    return (StepKind.FOLDER if kind is StepKind.FILE else StepKind.FILE), at


def folders(price: float, rank: float, numbers: range) -> list[MapStep]:
    return [MapStep(rank - 0.0001 * number, price, StepKind.FOLDER, number) for number in numbers]


def test_a_dear_folder_waits_with_its_files_until_it_is_a_small_part_of_what_is_told() -> None:
    first, others = folders(LEAST_BUDGET, 9.0, range(1)), folders(2.0, 2.0, range(2, 300))
    dear = MapStep(3.0, DEAR, StepKind.FOLDER, 1)
    inside = MapStep(2.9, 1.0, StepKind.FILE, 1)
    listed = with_patience([*first, dear, inside, *others], {}, holder)
    at = listed.index(next(step for step in listed if step.price == DEAR))
    assert sum(step.price for step in listed[:at]) >= DEAR * SHARE
    assert sum(step.price for step in listed[: at - 1]) < DEAR * SHARE
    assert listed[at + 1][2:] == inside[2:]


def test_a_folder_that_is_worth_much_more_than_what_follows_waits_for_none_of_it() -> None:
    first, others = folders(LEAST_BUDGET, 99.0, range(1)), folders(2.0, 2.0, range(2, 300))
    dear = MapStep(50.0, DEAR, StepKind.FOLDER, 1)
    assert with_patience([*first, dear, *others], {}, holder)[1][2:] == dear[2:]


_PRICES = st.floats(0.5, 60)


@settings(deadline=None)
@given(st.lists(st.tuples(_PRICES, _PRICES, _PRICES, st.floats(0, 0.5)), min_size=1, max_size=40), st.integers(0, 4))
def test_all_that_waits_is_told_once_and_behind_what_it_stands_in(
    things: list[tuple[float, float, float, float]], lines: int
) -> None:
    steps = [MapStep(100.0 - number, 200.0, StepKind.LINE, number) for number in range(lines)]
    rank = 50.0
    for at, (*prices, fall) in enumerate(things):
        for kind, price in zip((StepKind.FOLDER, StepKind.FILE, StepKind.NAME), prices, strict=True):
            steps.append(MapStep(rank, price, kind, at))
            rank *= 1 - fall
    listed = with_patience(steps, dict.fromkeys(range(1, lines), 0), holder)
    assert sorted(step[1:] for step in listed) == sorted(step[1:] for step in steps)
    assert [step.rank for step in listed] == sorted((step.rank for step in listed), reverse=True)
    places = {(step.kind, step.at): place for place, step in enumerate(listed)}
    assert all(
        places.get(holder(step.kind, step.at), -1) < places[step.kind, step.at]
        for step in listed
        if step.kind != "line"
    )
    told = [step.at for step in listed if step.kind is StepKind.LINE]
    assert told == sorted(told)


def test_folders_of_tests_that_bring_a_source_file_along_come_after_deeper_ones_of_source() -> None:
    tests = [MapFile(f"app/tests/{at}/case.py", 36, Sort.TEST) for at in range(60)]
    files = [MapFile("app/src/a/b/x.py", 36, Sort.SOURCE), MapFile("app/src/y.py", 36, Sort.SOURCE), *tests]
    tree = TreeMap(sorted([*files, MapFile("app/tests/run.py", 36, Sort.SOURCE)]), [])
    drawn = [tree.text(taken).splitlines() for taken in range(len(tree.steps) + 1)]

    def first(begin: str) -> int:
        return next(at for at, lines in enumerate(drawn) if any(line.strip().startswith(begin) for line in lines))

    assert first("a/b/") < first("tests/")


@pytest.mark.parametrize(
    ("names", "is_late"),
    [
        (
            [f"locales/{one}.json" for one in LANGUAGES],
            True,
        ),
        ([f"steps/00{at}_add.rb" for at in range(10, 24)], True),
        ([f"migration/{at % 3}.{at}/0{at}__add.sql" for at in range(14)], True),
        ([f"words/{one}.json" for one in WORDS], False),
    ],
)
def test_files_that_are_one_of_many_by_their_names_come_behind_a_few(names: list[str], is_late: bool) -> None:
    steps = [MapStep(1.0, 1.0, StepKind.FILE, at) for at in range(len(names))]
    ranks = [step.rank for step in alike_last(steps, names, least=0.1)]
    assert ranks[:MOST_ALIKE] == [1.0] * MOST_ALIKE
    assert (ranks[MOST_ALIKE] < 1.0) is is_late
