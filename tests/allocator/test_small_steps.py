"""Steps in an order in which none is much dearer than what stands before it."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from allocator.spend.small_steps import IN_LINES, LEAST_WORTH, LONGEST_WAIT, SHARE, in_small_steps
from allocator.spend.steps import Kind, Step

BESIDE = 9

kinds = st.sampled_from([Kind.SIGNATURE, Kind.SIGNATURE, Kind.BODY, Kind.TEXT])


@st.composite
def lists_of_steps(draw: st.DrawFn) -> list[Step]:
    """Steps of a few blocks and of the one beside them, in order."""
    prices = draw(st.lists(st.tuples(st.integers(0, BESIDE), st.integers(1, 900), kinds), max_size=60))
    return [
        Step(1.0 - place / 100, block, place, Kind.BESIDE if block == BESIDE else kind, 1.0, float(price))
        for place, (block, price, kind) in enumerate(prices)
    ]


def step(place: int, price: float, block: int = BESIDE, kind: Kind = Kind.BESIDE) -> Step:
    return Step(1.0, block, place, kind, 1.0, price)


@given(lists_of_steps(), st.integers(0, 60))
def test_what_is_listed_first_stays_when_more_steps_are_known(steps: list[Step], known: int) -> None:
    everything = in_small_steps(steps, beside=BESIDE, is_all=True)
    some = in_small_steps(steps[:known], beside=BESIDE, is_all=False)
    assert some == everything[: len(some)]
    assert sorted(everything) == sorted(steps)


@given(lists_of_steps())
def test_the_steps_of_a_block_keep_their_order(steps: list[Step]) -> None:
    listed = in_small_steps(steps, beside=BESIDE, is_all=True)
    for block in range(BESIDE + 1):
        assert [one for one in listed if one.block == block] == [one for one in steps if one.block == block]


@given(lists_of_steps())
def test_a_line_is_dearer_than_a_share_of_what_comes_before_it_only_where_it_waited_long(steps: list[Step]) -> None:
    spent = 0.0
    for one in in_small_steps(steps, beside=BESIDE, is_all=False):
        if one.block != BESIDE and one.kind not in IN_LINES and one.price * SHARE > spent:
            assert sum(behind.price for behind in steps[steps.index(one) + 1 :]) > LONGEST_WAIT
        spent += one.price


def test_a_dear_line_waits_for_cheaper_ones_and_what_belongs_to_it_waits_with_it() -> None:
    cheap = [step(place, 10.0) for place in range(60)]
    dear, inside = step(50, 12.0, block=0, kind=Kind.SIGNATURE), step(51, 3.0, block=0, kind=Kind.BODY)
    listed = in_small_steps([*cheap[:5], dear, inside, *cheap[5:]], beside=BESIDE, is_all=True)
    enough = math.ceil(dear.price * SHARE / cheap[0].price)
    assert listed == [*cheap[:enough], dear, inside, *cheap[enough:]]


def test_what_can_be_shown_line_by_line_does_not_wait() -> None:
    long = step(1, 900.0, block=0, kind=Kind.BODY)
    assert in_small_steps([step(0, 10.0), long], beside=BESIDE, is_all=False) == [step(0, 10.0), long]


def test_a_dear_line_does_not_wait_for_what_is_worth_next_to_nothing() -> None:
    dear = step(0, 12.0, block=0, kind=Kind.SIGNATURE)
    worse = [step(place, 5.0)._replace(rank=dear.rank / LEAST_WORTH) for place in range(1, 20)]
    least = step(20, 5.0, block=1, kind=Kind.TEXT)._replace(rank=dear.rank / (LEAST_WORTH + 1))
    assert in_small_steps([dear, *worse, least], beside=BESIDE, is_all=True) == [*worse, dear, least]


def test_where_every_line_is_dear_they_keep_their_order() -> None:
    steps = [step(place, 500.0, block=place, kind=Kind.SIGNATURE) for place in range(BESIDE)]
    assert in_small_steps(steps, beside=BESIDE, is_all=True) == steps
    assert in_small_steps(steps, beside=BESIDE, is_all=False) == []
