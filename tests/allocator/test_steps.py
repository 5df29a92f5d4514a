from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from allocator.show.formats import FORMATS, FormatName, Pricing
from allocator.spend.ceilings import NOWHERE, SIGNED, Expected, Measured, expected
from allocator.spend.file_steps import steps_of
from allocator.spend.order import prefix
from allocator.spend.steps import (
    BYTES,
    CHARACTERS,
    DOC,
    EXCERPT,
    LEAST_PRICE,
    LONG,
    Kind,
    Offer,
    Step,
    Wish,
    ceiling,
    wished,
)
from skeleton import CompressionLevel
from skeleton.index.weights import MISSING, Weights
from tests.thoroughness import share_of

L0, L1, L2, _ = CompressionLevel
PRICE = Pricing(block=9, line=0.5)


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    """A small file: up to three definitions, the second perhaps inside the first."""
    number = draw(st.integers(0, 3))
    nested = number > 1 and draw(st.booleans())
    signature = [draw(st.integers(1, 40)) for _ in range(number)]
    full = [own + draw(st.integers(0, 300) | st.integers(600, 3000)) for own in signature]
    lines = [draw(st.integers(9, 120)) for _ in range(number)]
    docs = [draw(st.sampled_from([0, 3, 20])) for _ in range(number)]
    if nested:
        full[0] += full[1]
    loose = draw(st.integers(0, 60))
    skeleton = sum(signature) + loose
    plus = skeleton + draw(st.integers(0, 80))
    tops = sum(full) - (full[1] if nested else 0)
    whole = max(plus, tops + loose) + draw(st.integers(0, 100))
    levels = draw(st.sampled_from([{L0, L1, L2}, {L1, L2}, {L2}]))
    return Offer(
        body=draw(st.sampled_from([1.0, 0.3])),
        weights=Weights(
            tokens=(whole, plus if draw(st.booleans()) else MISSING, skeleton),
            lines=(number * 9 + 1, number * 2 + 1, number + 1),
            unit=tuple(range(number)),
            starts=tuple(range(number)),
            parent=tuple(0 if nested and place == 1 else MISSING for place in range(number)),
            signature=tuple(signature),
            signature_lines=(1,) * number,
            head=tuple(max(1, own - 5) for own in signature),
            head_lines=(1,) * number,
            full=tuple(
                own + 9 * sum(docs[place:] if nested and not place else [docs[place]]) for place, own in enumerate(full)
            ),
            full_lines=tuple(
                lines[place] + docs[place] + (lines[1] + docs[1] if nested and place == 0 else 0)
                for place in range(number)
            ),
            doc=tuple(9 * lines for lines in docs),
            doc_lines=tuple(docs),
        ),
        need=draw(st.floats(0.01, 1)),
        needs=[draw(st.floats(0.001, 1)) for _ in range(number)],
        path_length=draw(st.integers(1, 70)),
        levels=frozenset(levels),
        has_query=draw(st.booleans()),
    )


def choices(offer: Offer, steps: list[Step]) -> list[tuple[float, float]]:
    """The price and the worth of every choice of a file's steps that takes nothing without what it takes for granted."""
    frame = PRICE.block + offer.path_length / CHARACTERS
    found: list[tuple[float, float]] = []
    for taken in product((False, True), repeat=len(steps)):
        chosen = [step for step, take in zip(steps, taken, strict=True) if take]
        if all(granted(step, chosen, steps, offer) for step in chosen):
            price = sum(step.price for step in chosen) + frame * (bool(chosen) and steps[0] not in chosen)
            found.append((price, sum(step.worth for step in chosen)))
    return found


def granted(step: Step, chosen: list[Step], steps: list[Step], offer: Offer) -> bool:
    def needed(other: Step) -> bool:
        if step.kind is Kind.TEXT:
            return True
        if step.kind in (Kind.SKELETON, Kind.DOCS):
            return other.kind is Kind.SIGNATURE or (other.kind < step.kind and other.kind is not Kind.BODY)
        if step.kind is Kind.BODY:
            inside = other.place >= 0 and offer.weights.parent[other.place] == step.place
            own = other.place == step.place and other.kind in (Kind.SIGNATURE, Kind.EXCERPT)
            return own or (other.kind in (Kind.BODY, Kind.DOC) and inside)
        if step.kind is Kind.DOC:
            return other.kind is Kind.BODY and other.place == step.place
        if step.kind is Kind.EXCERPT:
            return other.kind is Kind.SIGNATURE and other.place == step.place
        return False

    return all(other in chosen for other in steps if needed(other) and other is not step)


@settings(max_examples=share_of(90), deadline=None)
@given(st.lists(offers(), min_size=1, max_size=2))
def test_where_a_run_of_steps_ends_no_other_choice_of_the_price_is_worth_more(files: list[Offer]) -> None:
    steps = steps_of(enumerate(files), PRICE)
    each = [choices(offer, [step for step in steps if step.block == number]) for number, offer in enumerate(files)]
    every = [(sum(price for price, _ in pair), sum(worth for _, worth in pair)) for pair in product(*each)]
    price = worth = 0.0
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        price += step.price
        worth += step.worth
        if following is None or following.rank < step.rank:
            assert max(other for cost, other in every if cost <= price + 1e-6) <= worth * (1 + 1e-9)


@settings(deadline=None)
@given(st.lists(offers(), max_size=6))
def test_steps_come_by_worth_per_token_and_each_after_what_it_takes_for_granted(files: list[Offer]) -> None:
    steps = steps_of(enumerate(files), PRICE)
    assert [step.rank for step in steps] == sorted((step.rank for step in steps), reverse=True)
    for place, step in enumerate(steps):
        if step.kind in (Kind.EXCERPT, Kind.BODY, Kind.DOC):
            assert any(
                (other.block, other.place, other.kind) == (step.block, step.place, Kind.SIGNATURE)
                for other in steps[:place]
            )
        assert step.price >= 1
        assert LEVELS[step.kind] in files[step.block].levels


@settings(deadline=None)
@given(offers())
def test_no_step_that_costs_enough_is_worth_more_than_the_ceiling_of_its_file(offer: Offer) -> None:
    dear = replace(
        offer,
        weights=offer.weights._replace(
            signature=tuple(tokens + LEAST_PRICE for tokens in offer.weights.signature),
            full=tuple(tokens + 3 * LEAST_PRICE for tokens in offer.weights.full),
        ),
    )
    most = max(offer.needs, default=offer.need)
    least = ceiling(offer.need, most, sum(offer.needs), PRICE, body=offer.body + EXCERPT)
    assert all(step.rank <= least for step in steps_of([(0, dear)], PRICE))


@settings(deadline=None)
@given(offers())
def test_what_lengths_say_is_no_less_than_what_a_file_turns_out_to_be_worth(offer: Offer) -> None:
    weights, needs = offer.weights, offer.needs
    own = list(weights.full)
    for unit, around in enumerate(weights.parent):
        if around != MISSING:
            own[around] -= weights.full[unit]
    own = [tokens - weights.doc[unit] for unit, tokens in enumerate(own)]
    measured = [
        Measured(needs[place], BYTES * (weights.signature[place] - SIGNED), BYTES * (own[place] - SIGNED), NOWHERE)
        for place, unit in enumerate(weights.unit)
        if unit == place
    ]
    worth = expected(
        math.inf,
        offer.need,
        measured,
        PRICE,
        path_length=offer.path_length,
        body=offer.body,
        in_full=L0 in offer.levels,
        has_query=offer.has_query,
    ).highest
    assert all(step.rank <= worth * (1 + 1e-9) for step in steps_of([(0, offer)], PRICE))


def test_what_stands_inside_a_definition_pays_for_its_signature_once() -> None:
    apart = [Measured(need, 45, 90, NOWHERE) for need in (0.5, 0.25, 0.125)]
    inside = [Measured(0.001, 90, 900, NOWHERE), *(one._replace(around=0) for one in apart)]
    prices = [sorted(step[2] for step in priced(measured).steps) for measured in (apart, inside)]
    around = 90 / BYTES + SIGNED + PRICE.line
    assert sum(prices[1]) - sum(prices[0]) == pytest.approx(around + sum(step[2] for step in priced(inside[:1]).steps))
    assert priced(inside).highest < priced(apart).highest


def priced(measured: list[Measured]) -> Expected:
    return expected(math.inf, 0.5, measured, PRICE, path_length=20)


@settings(deadline=None)
@given(st.lists(offers(), min_size=1, max_size=4), st.floats(0, 1), st.sampled_from([0.0, 2.0, 900.0]), st.booleans())
def test_steps_that_are_worth_too_little_are_left_out_and_no_others_change(
    files: list[Offer], share: float, opened: float, never_empty: bool
) -> None:
    files = [replace(offer, opened=opened, never_empty=never_empty) for offer in files]
    steps = steps_of(enumerate(files), PRICE)
    least = steps[int(share * (len(steps) - 1))].rank if steps else share
    assert steps_of(enumerate(files), PRICE, least=least) == [step for step in steps if step.rank >= least]


def test_a_file_is_opened_by_the_same_step_whatever_is_left_out() -> None:
    weights = of(11, 19)._replace(full=(311, 19), full_lines=(16, 16), tokens=(5000, MISSING, 35))
    needs = [0.04412207198686911, 0.04648362287103864]  # all of the second is cheap, and may look dearer than the first
    offer = Offer(weights=weights, need=0.2, needs=needs, path_length=30, levels=frozenset({L0, L2}), opened=0.5)
    steps = steps_of([(0, offer)], PRICE)
    for least in {step.rank for step in steps}:
        assert steps_of([(0, offer)], PRICE, least=least) == [step for step in steps if step.rank >= least]


@settings(deadline=None)
@given(offers(), st.floats(0.01, 0.99))
def test_of_two_files_alike_the_one_needed_less_never_comes_first(offer: Offer, share: float) -> None:
    less = replace(offer, need=offer.need * share, needs=[need * share for need in offer.needs])
    taken: set[tuple[int, int, Kind]] = set()
    for step in steps_of([(0, less), (1, offer)], PRICE):
        assert step.block == 1 or (1, step.place, step.kind) in taken
        taken.add((step.block, step.place, step.kind))


LEVELS = {
    Kind.SIGNATURE: L2,
    Kind.EXCERPT: L0,
    Kind.BODY: L0,
    Kind.DOC: L0,
    Kind.SKELETON: L2,
    Kind.DOCS: L1,
    Kind.TEXT: L0,
}


@given(
    st.lists(st.integers(1, 40), max_size=60),
    st.integers(0, 900),
    st.lists(st.integers(0, 60), min_size=60, max_size=60),
)
def test_the_longest_beginning_that_fits_is_found_however_wrong_the_prices_are(
    exact: list[int], room: int, prices: list[int]
) -> None:
    steps = [Step(1.0, 0, place, Kind.SIGNATURE, 1.0, float(prices[place])) for place in range(len(exact))]
    asked: list[int] = []

    def cost(taken: int) -> int:
        asked.append(taken)
        return sum(exact[:taken])

    taken = prefix(steps, cost, room)
    assert sum(exact[:taken]) <= room
    assert taken == len(exact) or sum(exact[: taken + 1]) > room
    assert len(asked) <= 20


def test_many_signatures_share_one_frame() -> None:
    """Two files of the same worth: the one whose definitions are together in a file is shown first."""
    alone = Offer(weights=of(20), need=0.1, needs=[0.5], path_length=30, levels=frozenset({L0, L1, L2}))
    together = Offer(
        weights=of(20, 20, 20), need=0.1, needs=[0.45, 0.45, 0.45], path_length=30, levels=frozenset({L0, L1, L2})
    )
    steps = steps_of([(0, alone), (1, together)], PRICE)
    assert [step.block for step in steps if step.kind is Kind.SIGNATURE] == [1, 1, 1, 0]


def test_what_comes_first_pays_for_what_it_stands_in_though_another_is_needed_more() -> None:
    """A type of a long head; the method that is needed more is long, so the other comes first and shows the type."""
    weights = of(90, 10, 200)._replace(parent=(MISSING, 0, 0), head=(70, 10, 200))
    offer = Offer(weights=weights, need=0.0, needs=[0.0, 0.5, 0.6], path_length=7, levels=frozenset({L2}))
    prices = {step.place: step.price for step in steps_of([(0, offer)], PRICE) if step.kind is Kind.SIGNATURE}
    alone = replace(offer, weights=weights._replace(parent=(MISSING,) * 3))
    bare = {step.place: step.price for step in steps_of([(0, alone)], PRICE) if step.kind is Kind.SIGNATURE}
    assert prices[1] == pytest.approx(bare[1] + 70.5)
    assert prices[2] == pytest.approx(bare[2])


def of(*signatures: int) -> Weights:
    number = len(signatures)
    return Weights(
        tokens=(900 * number, sum(signatures) + 50, sum(signatures) + 5),
        lines=(90, 9, 3),
        unit=tuple(range(number)),
        starts=tuple(range(number)),
        parent=(MISSING,) * number,
        signature=signatures,
        signature_lines=(1,) * number,
        head=signatures,
        head_lines=(1,) * number,
        full=(800,) * number,
        full_lines=(30,) * number,
        doc=(0,) * number,
        doc_lines=(0,) * number,
    )


def excerpt_of(full: int, lines: int, *, need: float = 1.0) -> list[Kind]:
    """The kinds of the steps of a file that is one definition, in order."""
    weights = of(20)._replace(full=(full,), full_lines=(lines,), tokens=(full + 9, 70, 25))
    offer = Offer(
        weights=weights, need=0.1, needs=[need], path_length=9, levels=frozenset({L0, L1, L2}), has_query=True
    )
    return [step.kind for step in steps_of([(0, offer)], PRICE) if step.place == 0]


def test_an_excerpt_comes_between_a_signature_and_a_long_body() -> None:
    assert excerpt_of(LONG + 200, 90) == [Kind.SIGNATURE, Kind.EXCERPT, Kind.BODY]
    assert excerpt_of(LONG - 100, 90) == [Kind.SIGNATURE, Kind.BODY]


def test_of_few_long_lines_and_of_what_is_hardly_needed_there_is_no_excerpt() -> None:
    assert excerpt_of(LONG + 200, 12) == [Kind.SIGNATURE, Kind.BODY]
    assert excerpt_of(LONG + 200, 90, need=0.01) == [Kind.SIGNATURE, Kind.BODY]


def test_the_doc_above_a_definition_comes_long_after_its_body_where_there_is_a_query() -> None:
    weights = of(20, 30)._replace(doc=(300, 0), doc_lines=(14, 0))
    offer = Offer(weights=weights, need=0.1, needs=[1, 0.5], path_length=9, levels=frozenset({L0, L1, L2}))
    whole, parted = (steps_of([(0, replace(offer, has_query=one))], PRICE) for one in (False, True))
    body, doc = (
        next(step for step in parted if (step.place, step.kind) == (0, kind)) for kind in (Kind.BODY, Kind.DOC)
    )
    assert Kind.DOC not in {step.kind for step in whole}
    assert doc.rank == pytest.approx(DOC * body.rank)
    assert doc.price == 300 + 14 * PRICE.line
    assert body.price + doc.price == pytest.approx(
        next(step.price for step in whole if (step.place, step.kind) == (0, Kind.BODY))
    )
    assert parted.index(doc) > max(parted.index(step) for step in parted if step.kind is Kind.BODY)


def test_what_the_reader_has_is_no_offer() -> None:
    offer = Offer(
        weights=of(20, 30), need=1, needs=[1, 1], path_length=9, levels=frozenset({L0, L1, L2}), known=frozenset({0})
    )
    assert {(step.place, step.kind) for step in steps_of([(0, offer)], PRICE)} == {(1, Kind.SIGNATURE), (1, Kind.BODY)}


def test_a_wish_costs_what_it_is() -> None:
    offer = Offer(weights=of(20, 30), need=1, needs=(), path_length=35, levels=frozenset({L0, L1, L2}))
    assert wished(Wish(0, 1, Kind.SIGNATURE), offer, PRICE).price == 9 + 10 + 30 + 0.5
    assert wished(Wish(0, 1, Kind.BODY), offer, PRICE).price == 9 + 10 + 800 + 15
    assert wished(Wish(0, -1, Kind.TEXT), offer, PRICE).price == 9 + 10 + 1800 + 45
    assert wished(Wish(0, 0, Kind.LINES, lines=4), offer, PRICE).price == 9 + 10 + 4 * 9.5


@pytest.mark.parametrize("name", FormatName)
def test_every_format_has_its_prices(name: FormatName) -> None:
    pricing = FORMATS[name].pricing
    assert pricing.with_numbers().line > pricing.line >= 0 < pricing.block


def test_what_holds_definitions_comes_with_one_of_them_where_it_may_not_be_empty() -> None:
    weights = Weights(
        tokens=(900, MISSING, 90),
        lines=(60, MISSING, 8),
        unit=(0, 1, 2),
        starts=(0, 1, 2),
        parent=(MISSING, 0, 0),
        signature=(10, 20, 20),
        signature_lines=(1, 1, 1),
        head=(10, 20, 20),
        head_lines=(1, 1, 1),
        full=(600, 200, 200),
        full_lines=(40, 14, 14),
        doc=(0, 0, 0),
        doc_lines=(0, 0, 0),
    )
    offer = Offer(
        weights=weights, need=1.0, needs=[1.0, 0.2, 0.1], path_length=20, levels=frozenset({L0, L1, L2}), body=0.3
    )
    alone, filled = (steps_of([(0, replace(offer, never_empty=one))], PRICE) for one in (False, True))
    assert [step.place for step in alone[:2]] == [step.place for step in filled[:2]] == [0, 1]
    assert alone[0].rank > alone[1].rank
    assert filled[0].rank == filled[1].rank
    assert sum(step.worth for step in alone) == pytest.approx(sum(step.worth for step in filled))


def test_a_frame_that_counts_for_more_is_paid_for_by_more() -> None:
    weights = Weights(
        tokens=(900, MISSING, 90),
        lines=(60, MISSING, 8),
        unit=(0,),
        starts=(0,),
        parent=(MISSING,),
        signature=(20,),
        signature_lines=(1,),
        head=(20,),
        head_lines=(1,),
        full=(200,),
        full_lines=(14,),
        doc=(0,),
        doc_lines=(0,),
    )
    offer = Offer(weights=weights, need=1.0, needs=[1.0], path_length=20, levels=frozenset({L0, L1, L2}))
    once, twice = (steps_of([(0, replace(offer, frame=one))], PRICE) for one in (1.0, 2.0))
    assert twice[0].price == pytest.approx(once[0].price + PRICE.block + 20 / CHARACTERS)
    assert twice[0].rank < once[0].rank
