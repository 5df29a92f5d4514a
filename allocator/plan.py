"""What a budget buys when a reader has a question: steps, each worth something and each at a price.

Every file offers steps: show a definition's signature, show its body, show the whole skeleton, its docs, the whole file.
The stated utility of a context is the sum over its steps of what each is worth:

    signature of d    need(d)
    body of d         BODY * need(d)
    the rest of a file's skeleton, its docs, its text: the file's need times the row of `RESTS`

A step that is shown in part is worth that part of it: half the lines of a body are half of its worth. So the utility of
a file is concave in the tokens spent on it once its steps are in the order of worth per token (a body that is worth more
per token than its own signature is joined with it: the hull of the multiple-choice knapsack), and the best that any
budget can buy is the longest beginning of *one* list: all steps of all files by worth per token, the last one in part.
The list does not depend on the budget. Therefore more budget never shows less of anything, and what a file gets is
explained by two numbers, its worth and its price, which `Step` keeps.

The price of a step is what it adds: its tokens, its lines' share of the format, and for the first step of a file its
frame. Prices are estimates from `skeleton.weights`; who serves the steps counts the blocks and takes as many as fit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from allocator.render import FormatName
from skeleton import CompressionLevel
from skeleton.weights import MISSING, Weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

BODY = 1.0
"""Worth of a definition's body, in signatures of the same definition."""

SIGNATURE_POWER = 1.0
BODY_POWER = 1.0
"""Prices count with these powers where steps are put in order; below 1 large steps are not put off as far."""

LEAST_NEED = 1e-9
"""Need of a definition that nothing speaks for, relative to the greatest: it comes after all others, but it comes."""

POOL = 12_000
"""Definitions of the files that are looked at, at the least; more when the budget is large."""

MARKER = 6
"""Tokens of a line that counts what is left out."""


SECANT_TRIES = 8
"""Tries that follow the estimates before the search halves what is left."""


class Kind(IntEnum):
    """What a step shows."""

    SIGNATURE = 0
    BODY = 1
    SKELETON = 2
    DOCS = 3
    TEXT = 4


RESTS = {Kind.SKELETON: 0.2, Kind.DOCS: 0.2, Kind.TEXT: 0.2}
"""Worth of what is no definition, in needs of the file."""

LEVEL_OF = {
    Kind.SIGNATURE: CompressionLevel.SKELETON,
    Kind.BODY: CompressionLevel.FULL,
    Kind.SKELETON: CompressionLevel.SKELETON,
    Kind.DOCS: CompressionLevel.SKELETON_PLUS,
    Kind.TEXT: CompressionLevel.FULL,
}
"""The level that a step takes its text from."""


class Step(NamedTuple):
    """One thing that can be shown.

    Attributes:
        rank: worth per token, after which steps are ordered; larger first.
        file: the place of the file.
        place: the place of the definition in the outline, or -1 for what concerns the whole file.
        kind: what is shown.
        worth: what it adds to the utility.
        price: what it adds to the cost, in tokens.
    """

    rank: float
    file: int
    place: int
    kind: Kind
    worth: float
    price: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pricing:
    """What a format adds to text.

    Attributes:
        block: tokens of a block besides its lines and the words of its path.
        line: tokens of each line besides its text.
    """

    block: float
    line: float


PRICING: Mapping[FormatName, Pricing] = MappingProxyType(
    {
        FormatName.PLUS: Pricing(block=40, line=1.0),
        FormatName.COMPACT: Pricing(block=10, line=0.0),
        FormatName.XML: Pricing(block=44, line=0.0),
        FormatName.MARKDOWN: Pricing(block=18, line=0.0),
        FormatName.JSON: Pricing(block=44, line=0.7),
    }
)
"""What every format adds, about."""

NUMBER = 2.2
"""Tokens of a line's number."""


def pricing_of(name: FormatName, *, line_numbers: bool) -> Pricing:
    """Gives what a format adds to text, with or without the numbers of lines."""
    pricing = PRICING[name]
    return Pricing(block=pricing.block, line=pricing.line + NUMBER) if line_numbers else pricing


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One file that can be shown.

    Attributes:
        weights: what it costs.
        need: how much a reader is likely to need the file.
        needs: the same for each definition, by its place in the outline.
        path_length: characters of its path.
        levels: the levels that it may be shown at, of L0, L1 and L2.
        known: definitions that the reader has; with them the whole file is no offer. None where he has nothing of it.
    """

    weights: Weights
    need: float
    needs: Sequence[float]
    path_length: int
    levels: frozenset[CompressionLevel]
    known: frozenset[int] | None = None


def wished(file: int, place: int, kind: Kind, offer: Offer, pricing: Pricing) -> Step:
    """Makes a step that comes before all that are weighed; its price is what it costs by itself."""
    weights = offer.weights
    price = pricing.block + offer.path_length / 3.5
    if kind in RESTS:
        price += weights.tokens[LEVEL_OF[kind].depth] + weights.lines[LEVEL_OF[kind].depth] * pricing.line
    else:
        tokens, lines = (
            (weights.signature, weights.signature_lines)
            if kind is Kind.SIGNATURE
            else (weights.full, weights.full_lines)
        )
        price += tokens[place] + lines[place] * pricing.line
    return Step(float("inf"), file, place, kind, 1.0, max(1.0, price))


def steps_of(offers: Iterable[tuple[int, Offer]], pricing: Pricing) -> list[Step]:
    """Lists all steps of some files, those that are worth most per token first.

    Args:
        offers: the files, each with its place.
        pricing: what the format adds.
    """
    steps: list[Step] = []
    for number, offer in offers:
        steps += _Steps(number, offer, pricing).listed()
    steps.sort(key=lambda step: (-step.rank, step.file, step.kind > Kind.BODY, step.place, step.kind))
    return steps


class _Steps:
    """The steps of one file."""

    def __init__(self, number: int, offer: Offer, pricing: Pricing) -> None:
        self.number = number
        self.offer = offer
        self.pricing = pricing
        self.steps: list[Step] = []
        self.frame = pricing.block + offer.path_length / 3.5
        self.least_signature = self.least_body = float("inf")
        self.inner_tokens: defaultdict[int, int] = defaultdict(int)
        self.inner_lines: defaultdict[int, int] = defaultdict(int)
        self.least_inside: dict[int, float] = {}

    def listed(self) -> list[Step]:
        weights = self.offer.weights
        known = self.offer.known or frozenset()
        needs: dict[int, float] = {}
        for place, need in enumerate(self.offer.needs):
            unit = weights.unit[place]
            if unit != MISSING and unit not in known:
                needs[unit] = max(need, needs.get(unit, 0.0))
        for unit in needs:
            if (around := weights.parent[unit]) != MISSING:
                self.inner_tokens[around] += weights.full[unit]
                self.inner_lines[around] += weights.full_lines[unit]
        prices: dict[int, float] = {}
        opened: set[int] = set()
        for unit, _ in sorted(needs.items(), key=lambda pair: (-pair[1], pair[0])):
            prices[unit] = self._signature_price(unit, opened)
        for unit in sorted(needs, reverse=True):  # the inner before the outer
            self._definition(unit, needs[unit], prices[unit])
        if self.offer.known is None:
            self._rests(sum(weights.signature), bool(needs))
        return self.steps

    def _signature_price(self, unit: int, opened: set[int]) -> float:
        """What the signature of a definition adds; the most needed one of a file pays for the frame."""
        weights, line = self.offer.weights, self.pricing.line
        price = weights.signature[unit] + weights.signature_lines[unit] * line + MARKER + line
        if not opened:
            price += self.frame
        opened.add(unit)
        around = weights.parent[unit]
        while around != MISSING and around not in opened:
            price += weights.head[around] + weights.head_lines[around] * line
            opened.add(around)
            around = weights.parent[around]
        return price

    def _definition(self, unit: int, need: float, price: float) -> None:
        rank = need / price**SIGNATURE_POWER
        if CompressionLevel.FULL in self.offer.levels:
            rank = self._body(unit, need, (rank, price))
        self.steps.append(Step(rank, self.number, unit, Kind.SIGNATURE, need, price))
        self.least_signature = min(self.least_signature, rank)

    def _body(self, unit: int, need: float, signature: tuple[float, float]) -> float:
        """Adds the step that shows a body; gives the rank of the signature's step, which may be joined with it.

        What holds other definitions is shown in full by their steps; its own adds what is between them, after them all.
        """
        weights, line = self.offer.weights, self.pricing.line
        tokens = weights.full[unit] - self.inner_tokens[unit]
        lines = weights.full_lines[unit] - self.inner_lines[unit]
        rank, price = signature
        own = weights.signature[unit] + weights.signature_lines[unit] * line
        body_price = max(1.0, tokens + lines * line - own)
        body_rank = min(BODY * need / body_price**BODY_POWER, self.least_inside.get(unit, float("inf")))
        if body_rank > rank:
            rank = body_rank = need * (1 + BODY) / (price + body_price)
        self.steps.append(Step(body_rank, self.number, unit, Kind.BODY, BODY * need, body_price))
        self.least_body = min(self.least_body, body_rank)
        around = weights.parent[unit]
        while around != MISSING:
            self.least_inside[around] = min(self.least_inside.get(around, body_rank), body_rank)
            around = weights.parent[around]
        return rank

    def _rests(self, signatures: int, has_definitions: bool) -> None:
        """The steps that show the whole file at a level, each after what it takes for granted."""
        offer, weights, line = self.offer, self.offer.weights, self.pricing.line
        spent = float(signatures) + sum(weights.signature_lines) * line if has_definitions else 0.0
        limit = self.least_signature
        frame = 0.0 if has_definitions else self.frame
        for kind in RESTS:
            level = LEVEL_OF[kind]
            tokens = weights.tokens[level.depth]
            if level not in offer.levels or tokens == MISSING:
                continue
            price = max(1.0, tokens + weights.lines[level.depth] * line - spent) + frame
            spent, frame = max(spent, tokens + weights.lines[level.depth] * line), 0.0
            worth = offer.need * RESTS[kind]
            limit = min(limit, worth / price)
            if kind is Kind.TEXT:
                limit = min(limit, self.least_body)
            self.steps.append(Step(limit, self.number, -1, kind, worth, price))


def prefix(steps: Sequence[Step], cost: Callable[[int], int], room: int) -> int:
    """Finds how many of the first steps fit, with few tries.

    Args:
        steps: in order.
        cost: the exact tokens of so many steps; the more, the larger.
        room: tokens that they may cost.

    Returns:
        A number whose cost fits while that of the next one does not; the number of all steps if all fit.
    """
    estimate = [0.0]
    for step in steps:
        estimate.append(estimate[-1] + step.price)
    fits, too_many, guess = 0, len(steps) + 1, _reach(estimate, room)
    tries = 0
    while too_many - fits > 1:
        guess = min(max(guess, fits + 1), too_many - 1)
        slack = room - cost(guess)
        if slack >= 0:
            fits = guess
        else:
            too_many = guess
        tries += 1
        guess = _reach(estimate, estimate[guess] + slack) if tries < SECANT_TRIES else (fits + too_many) // 2
    return fits


def _reach(estimate: Sequence[float], tokens: float) -> int:
    return bisect_right(estimate, tokens) - 1
