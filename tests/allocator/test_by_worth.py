from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from allocator.progress import Stages
from allocator.ranking.by_query import needs_of
from allocator.ranking.rank import Ranking
from allocator.ranking.rows import Rows
from allocator.ranking.signals import foremost
from allocator.remembered import Remembered
from allocator.show.formats import Pricing
from allocator.spend import by_worth
from allocator.spend.by_worth import ByWorth
from allocator.spend.ceilings import Measured
from allocator.spend.needs import SOFTNESS, Needs, Wish, by_tier
from allocator.spend.steps import Kind, Step
from skeleton import CompressionLevel
from tests.allocator.files import file_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.show.views import FileViews

PRICE = Pricing(block=22, line=0.5)
LEVELS = list(CompressionLevel)[:3]


def module(number: int) -> str:
    """A module of a few functions, some with long bodies."""
    functions = [
        f"def f{number}_{at}(first, second):\n"
        + "".join(f"    first += second * {line}\n" for line in range(at * number))
        for at in range(1, number + 2)
    ]
    return "import os\n\n\n" + "    return first\n\n\n".join([*functions, ""])


FILES = [file_of(module(number), f"src/part/module_{number}.py") for number in range(7)] + [
    file_of("# Notes\n", "a.md")
]
COUNTS = [len(file.weights.unit) for file in FILES]


def ranking_of(weights: Sequence[Sequence[float]]) -> Ranking:
    """A ranking with these weights; the rest of each file weighs a little."""
    rows = [[*row, 0.01] for row in weights]
    first = np.cumsum([0, *map(len, rows)])
    by_file = [sum(row) for row in rows]

    def rows_of(numbers: list[float]) -> Rows:
        return Rows(np.array(numbers, np.float64), first, np.arange(len(rows)))

    return Ranking(
        order=tuple(sorted(range(len(rows)), key=lambda place: -by_file[place])),
        files=tuple(by_file),
        definitions=rows_of([one for row in rows for one in row]),
        heads=rows_of([30.0 + place % 50 for place in range(first[-1])]),
        sizes=rows_of([40.0 + 37 * place % 900 for place in range(first[-1])]),
        around=rows_of([-1.0] * first[-1]),
        starts=rows_of([float(place) for place in range(first[-1])]),
    )


def at_hand(_: Sequence[FileViews]) -> None:
    """Files in memory need not be brought."""


def supply_of(needs: Needs, files: Sequence[FileViews] = FILES, budget: int = 8000) -> ByWorth:
    return ByWorth(
        files,
        needs,
        pricing=PRICE,
        levels=LEVELS,
        budget=budget,
        bring_weights=at_hand,
        bring=at_hand,
        progress=Stages(None, 9),
    )


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    likely = st.sampled_from([0.0, 1e-6, 0.003, 0.1, 1.0])
    return ranking_of([[draw(likely) for _ in range(count)] for count in COUNTS])


@settings(max_examples=40, deadline=None)
@given(rankings(), st.lists(st.integers(1, 3000), min_size=1, max_size=4), st.sampled_from([0, 50, 9000]))
def test_what_is_listed_first_is_the_beginning_of_all_steps(ranking: Ranking, wanted: list[int], ahead: int) -> None:
    everything = supply_of(needs_of(ranking))
    everything.reach(math.inf)
    assert everything.is_all
    some = supply_of(needs_of(ranking))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_worth, "AT_ONCE", 1)
        patch.setattr(by_worth, "AHEAD", ahead)
        for tokens in sorted(wanted):
            some.reach(tokens)
            assert list(some.steps) == list(everything.steps[: len(some.steps)])
            assert some.is_all or sum(step.price for step in some.steps) >= tokens
            assert not some.is_all or len(some.steps) == len(everything.steps)


@pytest.mark.parametrize("tokens", [600, 1000, 2000])
def test_what_was_left_out_is_listed_when_it_is_asked_for_after_the_last_file(
    monkeypatch: pytest.MonkeyPatch, tokens: int
) -> None:
    monkeypatch.setattr(by_worth, "AT_ONCE", 1)
    monkeypatch.setattr(by_worth, "AHEAD", 0)
    needs = needs_of(ranking_of([[1.0, *[1e-6] * (count - 1)] if count else [] for count in COUNTS]))
    needs = replace(needs, measured=None)  # where lengths are known, no file is looked at too many
    everything, some = supply_of(needs), supply_of(needs)
    everything.reach(math.inf)
    some.reach(tokens)
    assert not some.is_all
    some.reach(math.inf)
    assert some.is_all
    assert list(some.steps) == list(everything.steps)


def test_files_that_cannot_come_first_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_worth, "AT_ONCE", 1)
    looked_at: list[str] = []

    def tell(_: int, __: int, message: str) -> None:
        looked_at.append(message.removeprefix("skeletonizing "))

    weights = [[1.0 / 10**place] * count for place, count in enumerate(COUNTS)]
    few = ByWorth(
        FILES,
        needs_of(ranking_of(weights)),
        pricing=PRICE,
        levels=LEVELS,
        budget=500,
        bring_weights=at_hand,
        bring=at_hand,
        progress=Stages(tell, len(FILES)),
    )
    few.reach(20)
    assert not few.is_all
    assert 0 < len(looked_at) < len(FILES)


def test_files_of_long_definitions_are_looked_at_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_worth, "AT_ONCE", 1)
    looked_at: list[Sequence[FileViews]] = []
    needs = needs_of(ranking_of([[1.0] * count for count in COUNTS]))

    def measured(file: int) -> list[Measured]:
        length = file % 2 * 9000 + 300
        return [Measured(1.0, length, length, -1)] * COUNTS[file]

    some = ByWorth(
        FILES,
        replace(needs, measured=measured),
        pricing=PRICE,
        levels=LEVELS,
        budget=500,
        bring_weights=looked_at.append,
        bring=at_hand,
        progress=Stages(None, 9),
    )
    some.reach(20)
    assert not some.is_all
    assert {FILES.index(files[0]) % 2 for files in looked_at} == {0}


def test_no_more_files_are_looked_at_than_a_pool_of_definitions_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_worth, "POOL", 10)
    some = supply_of(by_tier(FILES), budget=40)
    some.reach(math.inf)
    assert some.is_all
    assert len({step.block for step in some.steps}) < len(FILES)


def test_what_is_asked_for_by_name_comes_first_and_once() -> None:
    wishes = (Wish(3, 1, Kind.BODY), Wish(5, -1, Kind.TEXT))
    needs = needs_of(ranking_of([[0.5] * count for count in COUNTS]))
    some = supply_of(replace(needs, wishes=wishes))
    some.reach(math.inf)
    assert [(step.block, step.place, step.kind) for step in some.steps[:2]] == [wish[:3] for wish in wishes]
    assert len({step[1:4] for step in some.steps}) == len(some.steps)
    assert [step for step in some.steps if step.block == 5] == [some.steps[1]]


def test_no_files_offer_no_steps() -> None:
    nothing = supply_of(needs_of(ranking_of([])), files=())
    nothing.reach(100)
    assert nothing.is_all
    assert list[Step](nothing.steps) == []


def test_the_greatest_weight_is_a_need_of_one_and_none_is_next_to_none() -> None:
    needs = needs_of(ranking_of([[3.0, 0.0], [9.0, 3.0], []]))
    (first, none), (greatest, second), without = map(needs.definitions, range(3))
    assert greatest == 1
    assert first == second == pytest.approx((1 / 3) ** SOFTNESS)
    assert 0 < none < 1e-6
    assert list(without) == []
    assert 0 < needs_of(ranking_of([[0.0]])).definitions(0)[0] <= 1


def test_files_of_an_earlier_tier_are_needed_more() -> None:
    files = [file_of(module(2), "src/a.py"), file_of(module(2), "tests/test_a.py")]
    needs = by_tier(files)
    first, second = map(needs.definitions, range(2))
    assert set(first) == {1.0}
    assert 0 < second[0] < 1
    ceilings = needs.ceilings(PRICE)
    assert ceilings[0] > ceilings[1] > 0


def test_rows_are_cut_from_one_array() -> None:
    rows = Rows(np.array([1.0, 2.0, 9.0, 9.0, 3.0, 9.0]), np.array([0, 3, 4, 6]), np.array([2, 0, 1]))
    assert list(rows) == [(3.0,), (1.0, 2.0), ()]
    assert rows.greatest().tolist() == [3, 2, 0]
    assert rows.sums().tolist() == [3, 3, 0]
    assert rows.changed(np.negative)[0] == (-3.0,)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=5), max_size=12), st.integers(1, 8))
def test_the_foremost_units_are_those_that_sorting_finds(files: list[list[int]], count: int) -> None:
    values = np.array([float(value) for file in files for value in file])
    first = np.cumsum([0, *map(len, files)])
    least = sorted(values, reverse=True)[:count][-1:] or [0.0]
    assert foremost(values, count, first).tolist() == [at for at, value in enumerate(values) if value >= least[0]]


def test_what_was_learnt_first_is_forgotten_first() -> None:
    known = Remembered[int, str](4)
    for number in range(6):
        known.keep(number, str(number))
    assert [known.find(number) for number in range(6)] == [None, None, "2", "3", "4", "5"]
