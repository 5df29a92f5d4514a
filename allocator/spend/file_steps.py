"""The steps of one file, joined as `allocator.spend.steps` says: those that make sense only together, and the first with its frame."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING

from allocator.show.excerpts import LINES, LINES_OF_FILE
from allocator.spend.constants import says_nothing
from allocator.spend.steps import (
    BYTES,
    CHARACTERS,
    DOC,
    FORWARDED,
    LEAST_PRICE,
    LEVEL_OF,
    LONG,
    MARKER,
    MARKS,
    PASSAGES,
    RESTS,
    UNTELLING,
    Kind,
    Offer,
    Step,
    cheapest,
    excerpted,
    in_order,
)
from skeleton import CompressionLevel
from skeleton.index.weights import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from allocator.show.formats import Pricing

_RANK, _KIND_AND_PLACE = itemgetter(0), itemgetter(3, 2)


def steps_of(offers: Iterable[tuple[int, Offer]], pricing: Pricing, *, least: float = 0.0) -> list[Step]:
    """Lists the steps of some files, those that are worth most per token first.

    Args:
        offers: the files, each with its place.
        pricing: what the format adds.
        least: steps that are worth less per token than this are left out.
    """
    return in_order(step for number, offer in offers for step in _StepsOfFile(number, offer, pricing, least).listed())


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
        steps = self._unframed(0.0 if self.offer.never_empty else self.least)  # what is joined with what looks at all
        is_short = not steps or steps[0].rank < self.least  # one that was passed over may come before them
        if is_short and self.offer.opened * self.offer.need >= self.least * self.pricing.block:
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
        price, body = (
            max(LEAST_PRICE, head / BYTES + MARKER + 2 * line),
            max(1.0, (full - head) / BYTES) + self.pricing.name,
        )
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
        return max(need / price, (1 + self.offer.body) * need / (price + self.pricing.name + 1))

    def _parted(self, least: float) -> tuple[list[int], list[int]]:
        """The units that may be worth so much per token, in order; and those that are not."""
        units = sorted(self.needs)
        enough = least * cheapest(self.offer.body, self.pricing.name)
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
            if around not in self.offer.told:
                price += weights.head[around] + weights.head_lines[around] * line
            opened.add(around)
        return price

    def _definition(self, unit: int, price: float, least_inside: dict[int, float]) -> list[Step]:
        """The signature of a definition and its body, joined where the body is worth more per token.

        What holds other definitions is shown in full by their steps; its own adds what is between them, after them all.
        """
        weights, line, need = self.offer.weights, self.pricing.line, self.needs[unit]
        told = need * (UNTELLING if unit in self.offer.untelling else 1.0)
        rank = told / price
        if not self.may_be_full:
            return [Step(rank, self.number, unit, Kind.SIGNATURE, told, price)]
        doc, doc_lines = (weights.doc[unit], weights.doc_lines[unit]) if self.offer.has_query else (0, 0)
        tokens = weights.full[unit] - self.inner_tokens[unit] - doc
        lines = weights.full_lines[unit] - self.inner_lines[unit] - doc_lines
        own = weights.signature[unit] + weights.signature_lines[unit] * line
        body_price = max(1.0, tokens + lines * line - own) + self.pricing.name
        body = self.offer.body * need * (FORWARDED if unit in self.offer.forwarding else 1.0)
        if unit in least_inside:
            body = min(body, least_inside[unit] * body_price)
        body_rank = body / body_price
        if body_rank > rank:
            rank = body_rank = (told + body) / (price + body_price)
        doc_rank = DOC * body_rank if doc_lines else body_rank
        for around in self._around(unit):
            least_inside[around] = min(least_inside.get(around, doc_rank), doc_rank)
        signature = Step(rank, self.number, unit, Kind.SIGNATURE, told, price)
        in_full = Step(body_rank, self.number, unit, Kind.BODY, body, body_price)
        steps = [signature, in_full]
        if self.offer.has_query and not self.inner_lines[unit]:
            price = (tokens / max(1, lines) + line) * LINES + MARKS * (MARKER + line)
            steps = excerpted(need, signature, in_full, price)
        if doc_lines:
            price = doc + doc_lines * line
            steps.append(Step(doc_rank, self.number, unit, Kind.DOC, doc_rank * price, price))
        return steps

    def _rests(self, least: float) -> list[Step]:
        """The steps that show the whole file at a level, each worth no more per token than what it takes for granted."""
        offer, weights, line = self.offer, self.offer.weights, self.pricing.line
        shown = sum(weights.signature) + sum(weights.signature_lines) * line
        shown_in_full = 0.0
        if self.may_be_full:
            tops = [unit for unit in self.needs if weights.parent[unit] == MISSING]
            shown_in_full = sum(weights.full[unit] + weights.full_lines[unit] * line for unit in tops)
        passages = self._passages()
        steps = [] if passages is None else [passages]
        for kind, share in RESTS.items():
            level = LEVEL_OF[kind]
            tokens = weights.tokens[level.depth]
            if kind is not Kind.TEXT and passages is not None and offer.is_plain:
                continue  # the first and the last lines tell less
            if kind is Kind.DOCS and offer.text and not self.needs:
                continue  # all of it is wanted
            if level not in offer.levels or tokens == MISSING or says_nothing(weights, level, offer.levels):
                continue
            whole = tokens + weights.lines[level.depth] * line
            price = max(1.0, whole - (max(shown, shown_in_full) if kind is Kind.TEXT else shown))
            if kind is Kind.TEXT and not self.needs:
                share += offer.text * (1 - share)
            least = min(least, offer.need * share / price)
            steps.append(Step(least, self.number, -1, kind, least * price, price))
            shown = max(shown, whole)
        return steps

    def _passages(self) -> Step | None:
        """The step that shows the lines that a query is about, of a long file without definitions."""
        offer, weights, line = self.offer, self.offer.weights, self.pricing.line
        tokens, lines = weights.tokens[0], weights.lines[0]
        if not offer.has_query or self.needs or not self.may_be_full or tokens < LONG:
            return None
        price = (tokens / max(1, lines) + line) * LINES_OF_FILE + MARKS * (MARKER + line)
        if price > tokens / 2:
            return None
        worth = (PASSAGES + offer.text * (1 - PASSAGES)) * offer.need
        return Step(worth / price, self.number, -1, Kind.EXCERPT, worth, price)

    def _framed(self, steps: list[Step]) -> list[Step]:
        """Has the first steps pay for the frame: as many of them as make it worth most."""
        frame = (self.pricing.block + self.offer.path_length / CHARACTERS) * self.offer.frame
        opened = self.offer.opened * self.offer.need
        worth = best = added = 0.0
        price, joined, gained = frame, 0, 0.0
        for number, step in enumerate(steps, start=1):
            if not added and self._tells(step):
                added = opened
                worth += opened
            worth += step.worth
            price += step.price
            is_last_of_joined = number == len(steps) or steps[number].rank < step.rank or steps[number].place < 0
            if is_last_of_joined and worth / price > best:
                best, joined, gained = worth / price, number, added
        if not joined:
            return steps
        first = steps[0]._replace(price=steps[0].price + frame, worth=steps[0].worth + gained)
        return [Step(best, *step[1:]) for step in (first, *steps[1:joined])] + steps[joined:]

    def _tells(self, step: Step) -> bool:
        """Tells whether a step shows something: a file is opened by it, and by no signature that says nothing."""
        return step.kind is not Kind.SIGNATURE or step.place not in self.offer.untelling
