"""Steps and their prices: the units in which a budget is spent where a reader has a question.

Every file offers steps: show a definition's signature, show its body, show the whole skeleton, its docs, the whole file.
The stated utility of a context is the sum over its steps of what each is worth:

    signature of d    need(d), or little of it where it says nothing
    excerpt of d      EXCERPT * need(d)², where there is a query and the body is long: what is not sure to be meant has
                      its signature first
    excerpt of a file without definitions, where it is long: PASSAGES * need of the file
    body of d         BODY * need(d), or another share of it where the reader's needs say so, and little of it where the
                      body only forwards; without the doc above d where that is long and there is a query
    doc of d          DOC of what its body is worth for a token
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

from enum import IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import msgspec

from allocator.show.excerpts import LINES
from allocator.spend.constants import NO_CONSTANTS
from skeleton import CompressionLevel
from skeleton.index.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy import float64
    from numpy.typing import NDArray

    from allocator.show.formats import Pricing
    from allocator.spend.constants import Constant

    _Amount = TypeVar("_Amount", float, NDArray[float64])

BODY = 1.0
"""Worth of a definition's body, in signatures of the same definition."""

FORWARDED = 0.05
"""Worth of a body that only forwards, in bodies of others."""

UNTELLING = 0.05
"""Worth of a signature that says nothing, in signatures of others: `int main()` of an example, whose file says what it is."""

ASKED_BY_NAME = float("inf")
"""The rank of a step that a caller asked for by name: it comes before all that are weighed, and with its doc."""

LEAST_NEED = 1e-9
"""Need of what nothing speaks for: it comes after all others, but it comes."""

BYTES = 4.5
"""Bytes of code to a token, about. A guess is close rather than high: a file of which too much is expected is rendered in vain."""

CHARACTERS = 3.5
"""Characters of a path to a token, about."""

LINE = 9
"""Tokens of a line, about."""

MARKER = 6
"""Tokens of a line that counts what is left out."""

EXCERPT = 0.5
"""Worth of an excerpt of a long definition, in signatures of the same definition, for each need of it."""

PASSAGES = 0.3
"""Worth of the lines of a long text that a query is about, in needs of the file."""

DOC = 0.05
"""Worth of a token of the doc above a definition that stands there in full, in tokens of its body."""

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
    """Some lines of a long body, or of a file without definitions, those that a query is about."""
    DOC = 8
    """The doc above a definition whose body is shown."""


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
    Kind.DOC: CompressionLevel.FULL,
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


_RANK, _FILE = itemgetter(0), itemgetter(1)


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
        has_query: whether a query tells which lines of a body matter, so that definitions may be shown in parts: excerpts of
            long ones, and without the docs above them.
        constants: definitions that signatures alone leave out and that are offered all the same, by place.
        forwarding: definitions whose bodies only forward, by place.
        untelling: those whose signatures say nothing that their file's name does not say, likewise.
        told: those whose signatures are not brought by what stands in them, likewise.
        text: how far what is meant is text rather than code, from 0 to 1.
        is_plain: whether its outline is its first lines and its last, or none that a query could ask for.
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
    has_query: bool = False
    constants: Mapping[int, Constant] = NO_CONSTANTS
    forwarding: frozenset[int] = frozenset()
    untelling: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    text: float = 0.0
    is_plain: bool = False


def cheapest(body: float, name: float) -> float:
    """Tokens per need that the steps of a definition cost at the least, whatever its text.

    That is a marker for its signature, and a name and one token for its body where the two are joined.

    Args:
        body: the worth of the body, in signatures.
        name: tokens of the name of a definition in full.
    """
    return min(MARKER, (MARKER + name + 1) / (1 + body))


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
    return Step(ASKED_BY_NAME, file, place, kind, 1.0, max(1.0, price))


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


def excerpted(need: float, signature: Step, body: Step, price: float, *, least: float = LONG) -> list[Step]:
    """Puts the excerpt of a definition between its signature and its body, where that is long and has a better excerpt.

    What the body adds to it is worth as much for a token as it was: who wants all of it is served no later.

    Args:
        need: for the definition.
        signature: the step of the signature.
        body: that of the body.
        price: tokens of an excerpt without the signature.
        least: tokens of a body from which on there is one.
    """
    worth = EXCERPT * need**2
    rank = worth / price
    if body.price < least or price > body.price / 2 or rank <= body.rank:
        return [signature, body]
    if rank > signature.rank:
        rank = (signature.worth + worth) / (signature.price + price)
        signature = signature._replace(rank=rank)
    left = body.price - price
    return [
        signature,
        Step(rank, body.block, body.place, Kind.EXCERPT, worth, price),
        body._replace(worth=body.rank * left, price=left),
    ]
