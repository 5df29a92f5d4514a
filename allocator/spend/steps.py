"""Steps and their prices: the units in which a budget is spent where a reader has a question.

Every file offers steps: show a definition's signature, show its body, show the whole skeleton, its docs, the whole file.
The stated utility of a context is the sum over its steps of what each is worth:

    signature of d    need(d)
    excerpt of d      EXCERPT * need(d)², where there is a query and the body is long: what is not sure to be meant has
                      its signature first
    body of d         BODY * need(d), or another share of it where the reader's needs say so
    the first step of a file, besides: a share of the file's need, where the reader's needs say so
    the rest of a file's skeleton, its docs, its text: the file's need times the row of `RESTS`

(and never more per token than what it takes for granted). Steps that make sense only together are joined: a body with
its signature where it is worth more per token, the first steps of a file with its frame, as many as make the frame worth
most. That is the concave hull of the multiple-choice knapsack: all steps of all files, sorted by worth per token, make
*one* list, and wherever a joined run of it ends, no other choice of the same price is worth more. What is shown is the
longest beginning of the list that fits, and a part of the next step. The list does not depend on the budget, so the
steps that fit stay when the budget grows, and what a file gets is explained by two numbers, worth and price, which `Step`
keeps. What fills the remainder behind them may move: a larger budget may spend it on the next step. A first look has no
such remainder: its list is in small steps (`allocator.spend.small_steps`).

The price of a step is what it adds: its tokens, its lines' share of the format, and for the first step of a file its
frame. Prices are estimates from `skeleton.index.weights`; who serves the steps counts the blocks and takes as many as fit.
"""

from __future__ import annotations

from collections import defaultdict
from enum import IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from allocator.show.excerpts import LINES
from allocator.spend.constants import NO_CONSTANTS, says_nothing
from skeleton import CompressionLevel
from skeleton.index.weights import MISSING, Weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy import float64
    from numpy.typing import NDArray

    from allocator.show.formats import Pricing
    from allocator.spend.constants import Constant

    _Amount = TypeVar("_Amount", float, NDArray[float64])

BODY = 1.0
"""Worth of a definition's body, in signatures of the same definition."""

LEAST_NEED = 1e-9
"""Need of what nothing speaks for: it comes after all others, but it comes."""

BYTES = 4.5
"""Bytes of code to a token, about. A guess is close rather than high: a file of which too much is expected is rendered in vain."""

CHARACTERS = 3.5
"""Characters of a path to a token, about."""

LINE = 9
"""Tokens of a line, about."""

NAME = 4
"""Tokens of the name of a definition in full, in the header."""

MARKER = 6
"""Tokens of a line that counts what is left out."""

EXCERPT = 0.5
"""Worth of an excerpt of a long definition, in signatures of the same definition, for each need of it."""

LONG = 600
"""Tokens of a body from which on an excerpt is offered."""

MARKS = 3
"""Lines of an excerpt that count what is left out, about."""

LEAST_PRICE = 2 * MARKER
"""Tokens below which the price of a step that shows a definition makes no difference."""


class Kind(IntEnum):
    """The kinds of steps, by what they show."""

    SIGNATURE = 0
    BODY = 1
    SKELETON = 2
    DOCS = 3
    TEXT = 4
    BESIDE = 5
    """Lines that belong to no file."""
    LINES = 6
    """Stretches of a file that changed."""
    EXCERPT = 7
    """Some lines of a long body, those that a query is about."""


RESTS = {Kind.SKELETON: 0.2, Kind.DOCS: 0.2, Kind.TEXT: 0.2}
"""Worth of what is no definition, in needs of the file."""

LEVEL_OF = {
    Kind.SIGNATURE: CompressionLevel.SKELETON,
    Kind.BODY: CompressionLevel.FULL,
    Kind.SKELETON: CompressionLevel.SKELETON,
    Kind.DOCS: CompressionLevel.SKELETON_PLUS,
    Kind.TEXT: CompressionLevel.FULL,
    Kind.LINES: CompressionLevel.FULL,
    Kind.EXCERPT: CompressionLevel.FULL,
}
"""The level that a step takes its text from."""


KIND_OF = {
    CompressionLevel.SKELETON: Kind.SKELETON,
    CompressionLevel.SKELETON_PLUS: Kind.DOCS,
    CompressionLevel.FULL: Kind.TEXT,
}
"""The step that shows a level."""


class Wish(NamedTuple):
    """A step that a caller asked for by name.

    Attributes:
        file: the place of the file.
        place: the place of the definition in the outline, or -1; of lines, the place among the file's edits.
        kind: what to show of it.
        lines: how many lines that are, of lines.
    """

    file: int
    place: int
    kind: Kind
    lines: int = 0


class Step(NamedTuple):
    """One thing that can be shown.

    Attributes:
        rank: worth per token, after which steps are ordered; larger first.
        block: the place of the file, or of whatever else it shows something of.
        place: the place of the definition in the outline, or -1 for what concerns the whole file.
        kind: what is shown.
        worth: what it adds to the utility.
        price: what it adds to the cost, in tokens.
        limit: tokens that the whole block may cost with it: it shows no more than they hold; 0 for no limit.
    """

    rank: float
    block: int
    place: int
    kind: Kind
    worth: float
    price: float
    limit: int = 0


_RANK, _FILE, _KIND_AND_PLACE = itemgetter(0), itemgetter(1), itemgetter(3, 2)


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One file that can be shown.

    Attributes:
        weights: what it costs.
        need: how much a reader is likely to need the file.
        needs: the same for each definition, by its place in the outline.
        path_length: characters of its path.
        levels: the levels that it may be shown at, of L0, L1 and L2.
        known: definitions that the reader has; with them the whole file is no offer. None where he has nothing of it.
        body: the worth of a definition's body, in signatures of the same definition.
        opened: the worth of the file's standing there at all, in needs of the file.
        frame: what its frame counts for, in frames: more than one where few files, and more of each, are wanted.
        never_empty: whether the signature of what holds definitions comes with that of one of them.
        has_excerpts: whether excerpts of long definitions may be shown.
        constants: definitions that signatures alone leave out and that are offered all the same, by place.
    """

    weights: Weights
    need: float
    needs: Sequence[float]
    path_length: int
    levels: frozenset[CompressionLevel]
    known: frozenset[int] | None = None
    body: float = BODY
    opened: float = 0.0
    frame: float = 1.0
    never_empty: bool = False
    has_excerpts: bool = False
    constants: Mapping[int, Constant] = NO_CONSTANTS


def cheapest(body: float) -> float:
    """Tokens per need that the steps of a definition cost at the least, whatever its text.

    That is a marker for its signature, and a name and one token for its body where the two are joined.

    Args:
        body: the worth of the body, in signatures.
    """
    return min(MARKER, (MARKER + NAME + 1) / (1 + body))


def wished(wish: Wish, offer: Offer, pricing: Pricing) -> Step:
    """Makes a step that comes before all that are weighed; its price is what it costs by itself."""
    file, place, kind = wish.file, wish.place, wish.kind
    weights = offer.weights
    price = pricing.block + offer.path_length / CHARACTERS
    if kind is Kind.LINES:
        price += wish.lines * (LINE + pricing.line)
    elif place in offer.constants:
        signature, full = offer.constants[place]
        price += (signature if kind is Kind.SIGNATURE else full) / BYTES
    elif kind is Kind.EXCERPT:
        price += LINES * (LINE + pricing.line) + MARKS * (MARKER + pricing.line)
    elif kind in RESTS:
        price += weights.tokens[LEVEL_OF[kind].depth] + weights.lines[LEVEL_OF[kind].depth] * pricing.line
    else:
        tokens, lines = (
            (weights.signature, weights.signature_lines)
            if kind is Kind.SIGNATURE
            else (weights.full, weights.full_lines)
        )
        price += tokens[place] + lines[place] * pricing.line
    return Step(float("inf"), file, place, kind, 1.0, max(1.0, price))


def steps_of(offers: Iterable[tuple[int, Offer]], pricing: Pricing, *, least: float = 0.0) -> list[Step]:
    """Lists the steps of some files, those that are worth most per token first.

    Args:
        offers: the files, each with its place.
        pricing: what the format adds.
        least: steps that are worth less per token than this are left out.
    """
    return in_order(step for number, offer in offers for step in _StepsOfFile(number, offer, pricing, least).listed())


def in_order(steps: Iterable[Step]) -> list[Step]:
    """Sorts steps, those that are worth most per token first.

    Args:
        steps: those of one file in their order.
    """
    listed = sorted(steps, key=_FILE)  # both sorts are stable: what is joined stays together
    listed.sort(key=_RANK, reverse=True)
    return listed


def ceiling(
    need: _Amount,
    most: _Amount,
    total: _Amount,
    pricing: Pricing,
    *,
    least_price: float = LEAST_PRICE,
    body: float = BODY,
    opened: float = 0.0,
) -> _Amount:
    """Tells how much a step of a file may be worth per token, before it is known what anything in it costs.

    However cheap definitions are, what is shown first has to pay for the frame. A step that is worth more all the same,
    since it costs less than the least price, counts as worth this much: so the order of all steps can be known before all
    files have been looked at.

    Args:
        need: how much a reader is likely to need the file; an array for as many files.
        most: the same for the definition that he needs most; of a file without any what all of it is worth at the most.
        total: the needs for all definitions together.
        pricing: what the format adds.
        least_price: tokens below which the price of a definition's step makes no difference.
        body: the worth of a body, in signatures.
        opened: the worth of the file's standing there at all, in needs of the file.
    """
    rate = (most + LEAST_NEED) / least_price
    worth = (1 + body) * total + (need + LEAST_NEED) * sum(RESTS.values())
    return rate * worth / (rate * pricing.block + worth) + opened * need / pricing.block


def excerpted(signature: Step, body: Step, price: float, *, least: float = LONG) -> list[Step]:
    """Puts the excerpt of a definition between its signature and its body, where that is long and has a better excerpt.

    What the body adds to it is worth as much for a token as it was: who wants all of it is served no later.

    Args:
        signature: the step of the signature.
        body: that of the body.
        price: tokens of an excerpt without the signature.
        least: tokens of a body from which on there is one.
    """
    need = signature.worth
    worth = EXCERPT * need**2
    rank = worth / price
    if body.price < least or price > body.price / 2 or rank <= body.rank:
        return [signature, body]
    if rank > signature.rank:
        rank = (need + worth) / (signature.price + price)
        signature = signature._replace(rank=rank)
    left = body.price - price
    return [
        signature,
        Step(rank, body.block, body.place, Kind.EXCERPT, worth, price),
        body._replace(worth=body.rank * left, price=left),
    ]


class _StepsOfFile:
    """The steps of one file that are worth the least per token, or more.

    A definition that is needed too little for that, however cheap it may be, is passed over. So are the body of what it
    stands in and all that concerns the whole file, which are worth no more per token than what they take for granted.
    """

    def __init__(self, number: int, offer: Offer, pricing: Pricing, least: float) -> None:
        self.number = number
        self.least = least
        self.offer = offer
        self.pricing = pricing
        self.may_be_full = CompressionLevel.FULL in offer.levels
        self.needs = self._needs()
        self.brought: dict[int, float] = {}
        """The price of the signatures around a unit that its own brings: the unit that is needed most brings them."""
        self.inner_tokens: defaultdict[int, int] = defaultdict(int)
        self.inner_lines: defaultdict[int, int] = defaultdict(int)
        weights = offer.weights
        for unit in self.needs:
            if (around := weights.parent[unit]) != MISSING:
                self.inner_tokens[around] += weights.full[unit]
                self.inner_lines[around] += weights.full_lines[unit]

    def listed(self) -> list[Step]:
        """The steps, in order."""
        steps = self._unframed(self.least)
        if not steps and self.offer.opened * self.offer.need >= self.least * self.pricing.block:
            steps = self._unframed(0.0)  # that the file stands there may be worth it, whatever shows it
        return [step for step in self._paid(self._framed(steps)) if step.rank >= self.least]

    def _unframed(self, least: float) -> list[Step]:
        """The steps that may be worth so much per token, in order, without a frame."""
        steps: list[Step] = []
        opened: set[int] = set()
        signatures: dict[int, float] = {}
        needed, passed_over = self._parted(least)
        for unit in sorted(needed, key=self.needs.__getitem__, reverse=True):
            signatures[unit] = self._signature_price(unit, opened)
            if self._most(unit, signatures[unit]) < least:
                passed_over.append(unit)
        least_inside = {around: 0.0 for unit in passed_over for around in self._around(unit)}
        for unit in sorted(signatures.keys() - passed_over, reverse=True):  # the inner before the outer
            steps += self._definition(unit, signatures[unit], least_inside)
        if self.offer.known is None and not passed_over:
            lowest = min(map(_RANK, steps), default=float("inf"))
            steps += self._rests(lowest) if lowest >= least else ()
        steps += [step for place in self.offer.constants for step in self._constant(place) if step.rank >= least]
        steps.sort(key=_KIND_AND_PLACE)
        steps.sort(key=_RANK, reverse=True)
        return self._filled(steps) if self.offer.never_empty else steps

    def _filled(self, steps: list[Step]) -> list[Step]:
        """Joins the signature of what holds definitions with that of the first of them, where it would stand there empty."""
        at = {step.place: number for number, step in enumerate(steps) if step.kind is Kind.SIGNATURE}
        filled: set[int] = set()
        for place, number in at.items():
            if self.inner_lines[place]:
                continue
            holders = [around for around in self._around(place) if around not in filled]
            filled.update(holders)
            joined = [*(at[around] for around in holders if at.get(around, number) < number), number]
            if len(joined) > 1:
                rank = sum(steps[one].worth for one in joined) / sum(steps[one].price for one in joined)
                for one in joined:
                    steps[one] = steps[one]._replace(rank=rank)
        return sorted(steps, key=_RANK, reverse=True)

    def _constant(self, place: int) -> list[Step]:
        """The steps of a definition that signatures alone leave out, joined where all of it is worth more per token."""
        need, line = self.offer.needs[place], self.pricing.line
        head, full = self.offer.constants[place]
        price, body = max(LEAST_PRICE, head / BYTES + MARKER + 2 * line), max(1.0, (full - head) / BYTES) + NAME
        signature = Step(need / price, self.number, place, Kind.SIGNATURE, need, price)
        if not self.may_be_full:
            return [signature]
        worth = self.offer.body * need
        rank = worth / body
        if rank > signature.rank:
            rank = (need + worth) / (price + body)
            signature = signature._replace(rank=rank)
        return [signature, Step(rank, self.number, place, Kind.BODY, worth, body)]

    def _paid(self, steps: list[Step]) -> list[Step]:
        """Has the step that comes first pay for what its definition stands in, not that of the one that is needed most."""
        if not any(self.brought.values()):
            return steps
        opened: set[int] = set()
        for number, step in enumerate(steps):
            if step.kind is Kind.SIGNATURE and step.place in self.brought:
                more = self._brought(step.place, opened) - self.brought[step.place]
                if more:
                    steps[number] = step._replace(price=max(1.0, step.price + more))
        return steps

    def _most(self, unit: int, price: float) -> float:
        """Returns the most that a step of a definition may be worth per token, given the price of its signature."""
        need = self.needs[unit]
        return max(need / price, (1 + self.offer.body) * need / (price + NAME + 1))

    def _parted(self, least: float) -> tuple[list[int], list[int]]:
        """The units that may be worth so much per token, in order; and those that are not."""
        units = sorted(self.needs)
        enough = least * cheapest(self.offer.body)
        if not enough:
            return units, []
        needed = [unit for unit in units if self.needs[unit] >= enough]
        return needed, [unit for unit in units if self.needs[unit] < enough]

    def _around(self, unit: int) -> Iterator[int]:
        """The units that a unit stands in, the inner first."""
        around = self.offer.weights.parent[unit]
        while around != MISSING:
            yield around
            around = self.offer.weights.parent[around]

    def _needs(self) -> dict[int, float]:
        """The need for each unit that the reader does not have."""
        known, units = self.offer.known or frozenset[int](), self.offer.weights.unit
        needs: dict[int, float] = {}
        for place, need in enumerate(self.offer.needs):
            unit = units[place]
            if unit != MISSING and unit not in known:
                needs[unit] = max(need, needs.get(unit, 0.0))
        return needs

    def _signature_price(self, unit: int, opened: set[int]) -> float:
        """Returns the price of a definition's signature, with those around it that no other has brought."""
        weights, line = self.offer.weights, self.pricing.line
        brought = self.brought[unit] = self._brought(unit, opened)
        return max(1.0, weights.signature[unit] + weights.signature_lines[unit] * line + MARKER + line + brought)

    def _brought(self, unit: int, opened: set[int]) -> float:
        """Returns the price of the signatures around a definition that were not opened yet, and opens them."""
        weights, line = self.offer.weights, self.pricing.line
        price = 0.0
        opened.add(unit)
        for around in self._around(unit):
            if around in opened:
                break
            price += weights.head[around] + weights.head_lines[around] * line
            opened.add(around)
        return price

    def _definition(self, unit: int, price: float, least_inside: dict[int, float]) -> list[Step]:
        """The signature of a definition and its body, joined where the body is worth more per token.

        What holds other definitions is shown in full by their steps; its own adds what is between them, after them all.
        """
        weights, line, need = self.offer.weights, self.pricing.line, self.needs[unit]
        rank = need / price
        if not self.may_be_full:
            return [Step(rank, self.number, unit, Kind.SIGNATURE, need, price)]
        tokens = weights.full[unit] - self.inner_tokens[unit]
        lines = weights.full_lines[unit] - self.inner_lines[unit]
        own = weights.signature[unit] + weights.signature_lines[unit] * line
        body_price = max(1.0, tokens + lines * line - own) + NAME
        body = self.offer.body * need
        if unit in least_inside:
            body = min(body, least_inside[unit] * body_price)
        body_rank = body / body_price
        if body_rank > rank:
            rank = body_rank = (need + body) / (price + body_price)
        for around in self._around(unit):
            least_inside[around] = min(least_inside.get(around, body_rank), body_rank)
        signature = Step(rank, self.number, unit, Kind.SIGNATURE, need, price)
        in_full = Step(body_rank, self.number, unit, Kind.BODY, body, body_price)
        if not self.offer.has_excerpts or self.inner_lines[unit]:
            return [signature, in_full]
        return excerpted(signature, in_full, (tokens / max(1, lines) + line) * LINES + MARKS * (MARKER + line))

    def _rests(self, least: float) -> list[Step]:
        """The steps that show the whole file at a level, each worth no more per token than what it takes for granted."""
        offer, weights, line = self.offer, self.offer.weights, self.pricing.line
        shown = sum(weights.signature) + sum(weights.signature_lines) * line
        shown_in_full = 0.0
        if self.may_be_full:
            tops = [unit for unit in self.needs if weights.parent[unit] == MISSING]
            shown_in_full = sum(weights.full[unit] + weights.full_lines[unit] * line for unit in tops)
        steps: list[Step] = []
        for kind, share in RESTS.items():
            level = LEVEL_OF[kind]
            tokens = weights.tokens[level.depth]
            if level not in offer.levels or tokens == MISSING or says_nothing(weights, level, offer.levels):
                continue
            whole = tokens + weights.lines[level.depth] * line
            price = max(1.0, whole - (max(shown, shown_in_full) if kind is Kind.TEXT else shown))
            least = min(least, offer.need * share / price)
            steps.append(Step(least, self.number, -1, kind, least * price, price))
            shown = max(shown, whole)
        return steps

    def _framed(self, steps: list[Step]) -> list[Step]:
        """Has the first steps pay for the frame: as many of them as make it worth most."""
        frame = (self.pricing.block + self.offer.path_length / CHARACTERS) * self.offer.frame
        opened = self.offer.opened * self.offer.need
        worth, best = opened, 0.0
        price, joined = frame, 0
        for number, step in enumerate(steps, start=1):
            worth += step.worth
            price += step.price
            is_last_of_joined = number == len(steps) or steps[number].rank < step.rank
            if is_last_of_joined and worth / price > best:
                best, joined = worth / price, number
        if not joined:
            return steps
        first = steps[0]._replace(price=steps[0].price + frame, worth=steps[0].worth + opened)
        return [Step(best, *step[1:]) for step in (first, *steps[1:joined])] + steps[joined:]
