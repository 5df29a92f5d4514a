"""Chooses the words of a text to keep, so that it has so many tokens and no more.

The threshold is one for the whole text: the best words stay, wherever they stand, until the tokens are spent. What a
rendered text costs is counted, not added up, because tokens do not respect words; the costs of single words only say
where to look next, so that a handful of counts is enough for most texts. Where they mislead, because each line that a word
opens brings its indentation and its mark with it, the range is halved instead, so that every text is met in the end.

Before the best words come the best words of the lines, as far as half of the tokens go: a plan of which a line is left of
each step is worth more than one that is whole for a few of its steps.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from compaction.prompt.layout import Layout

_CLOSE_ENOUGH = 0.01
_GAP = 0.05
"""The part of the target that may be left before smaller words are looked for."""
_MOST_COUNTS = 10
_MOST_GUESSES = 4
"""Counts that the costs of words may choose; from then on every other count halves what is left of the range."""


def fit(
    layout: Layout,
    order: Sequence[int],
    target: int,
    *,
    count: Callable[[str], int],
) -> str:
    """Return the text with the first words of an order, as many as `target` tokens hold.

    Args:
        layout: the text.
        order: its words, the most needed first.
        target: how many tokens the text may have.
        count: how many tokens a text has.
    """
    whole = count(layout.text)
    if whole <= target or len(order) <= 1:
        return layout.text
    low, best = 1, _rendered(layout, order, 1)
    low_tokens = count(best)
    high, high_tokens = len(order), whole
    spent = [0, *accumulate(_costs(layout, order, count))]
    counts = 0
    while high - low >= 2 and target - low_tokens > max(1, int(target * _CLOSE_ENOUGH)):
        counts += 1
        if counts > _MOST_GUESSES and counts % 2:
            guess = (low + high) // 2
        else:
            slope = (spent[high] - spent[low]) / max(1, high_tokens - low_tokens)
            guess = bisect_right(spent, spent[low] + (target - low_tokens) * slope) - 1
        take = min(max(guess, low + 1), high - 1)
        text = _rendered(layout, order, take)
        tokens = count(text)
        if tokens <= target:
            low, low_tokens, best = take, tokens, text
        else:
            high, high_tokens = take, tokens
    if target - low_tokens > target * _GAP:
        best = _filled(layout, order, low, target, best, spent, count=count)
    return best


def _filled(
    layout: Layout,
    order: Sequence[int],
    taken: int,
    target: int,
    best: str,
    spent: Sequence[int],
    *,
    count: Callable[[str], int],
) -> str:
    """The text with words that come later in the order but are small enough for what the next one leaves."""
    kept = list(order[:taken])
    room, tries = target - count(best), 0
    for place in range(taken + 1, len(order)):
        if room <= target * _CLOSE_ENOUGH or tries == _MOST_COUNTS:
            break
        if spent[place + 1] - spent[place] <= room:
            tries += 1
            text = _rendered(layout, [*kept, order[place]], len(kept) + 1)
            tokens = count(text)
            if tokens <= target:
                kept.append(order[place])
                best, room = text, target - tokens
    return best


def by_score(layout: Layout, scores: Sequence[float], target: int, *, count: Callable[[str], int]) -> list[int]:
    """Return the words of a text, the most needed first: those that hold the lines, then by what they are worth.

    Args:
        layout: the text.
        scores: what each word is worth; of equal ones the first stays.
        target: how many tokens the text will have; half of them may go to holding lines.
        count: how many tokens a text has.
    """
    ranked = sorted(range(len(layout.words)), key=lambda number: (-scores[number], number))
    holders = {
        max(
            (number for number in range(line.first, line.last) if not layout.words[number].clings),
            key=lambda number: (scores[number], -number),
            default=line.first,
        )
        for line in layout.lines
        if line.first < line.last
    }
    candidates = [number for number in ranked if number in holders]
    room = target // 2
    holding: list[int] = []
    for number, cost in zip(candidates, _costs(layout, candidates, count), strict=True):
        if cost < room:
            holding.append(number)
            room -= cost + 1
    held = set(holding)
    return holding + [number for number in ranked if number not in held]


def _rendered(layout: Layout, order: Sequence[int], take: int) -> str:
    kept = [False] * len(layout.words)
    for number in order[:take]:
        kept[number] = True
    return layout.render(kept)


def _costs(layout: Layout, order: Sequence[int], count: Callable[[str], int]) -> list[int]:
    known: dict[str, int] = {}
    costs: list[int] = []
    for number in order:
        word = layout.word(number)
        cost = known.get(word)
        if cost is None:
            cost = known[word] = max(1, count(f" {word}"))
        costs.append(cost)
    return costs
