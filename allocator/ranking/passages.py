"""Finds the lines of a long definition that a query is about: its passages, the best first.

A line counts for the words of the query that it holds, each by its weight and the more the fewer lines of the definition
hold it; lines near it count for some of that. The best line is taken with those around it, then the best that is left,
until nothing speaks for another. A word that stands on many lines tells none from another and counts for none.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from allocator.ranking.stems import terms_in, words_in
from allocator.ranking.words import LONGEST_NAME, rarity_of
from allocator.show.excerpts import Passages
from skeleton.formats.above import above, is_prose
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

NEAR = 5
"""Lines on either side that a line with a word of the query speaks for, the nearer the more."""

AROUND = 2
"""Lines on either side of the best one that are taken with it."""

CONTINUED = 3
"""Lines beyond them that are taken at the most, where a statement goes on."""

OF_PARAGRAPH = 6
"""Lines of a paragraph on either side of the best one that are taken with it."""

INSIDE = 0.5
"""The share of what a heading or a key says that each line under it counts for."""

GOES_ON = (",", "(", "[", "=", "+", "&", "|", "\\")
"""The ends of lines whose statement goes on below, in nearly all languages."""

EVERYWHERE = 3
"""A word that stands on more lines than one in so many counts for none."""

MOST_LINES = 5000
"""Lines that are read, the first ones: a longer definition is a table."""

MOST_CHARACTERS = 400_000
"""Characters of them, likewise."""


class PassageFinder:
    """Finds the passages that one query is about.

    Args:
        terms: its terms, each with its weight.
    """

    def __init__(self, terms: Mapping[str, float]) -> None:
        self._terms = terms
        self._known: dict[str, tuple[tuple[str, float], ...]] = {}
        """The terms of the query that words are about, and how much each says of its word."""

    def __call__(self, body: Sequence[str], path: str = "") -> Passages:
        """Puts the lines of a body in order: those of its passages, the best first, then the lines nearest to them.

        Args:
            body: its lines.
            path: where it stands; words that this says tell no line from another, unless there are no others.
        """
        stop_if_cancelled()
        said = {term for word in words_in(path) for term, _ in self._about(word)}
        near = _spread(self._scores(body, said), len(body)) or _spread(self._scores(body), len(body))
        around = above(path, body)
        near = _lifted(near, around) if near and around else near
        passage = _paragraph if is_prose(path) else _passage
        said = [bool(line.strip()) for line in body]
        order: dict[int, None] = {}
        for best in sorted(near, key=lambda line: (-near[line], line)):
            if said[best] and best not in order:
                order.update((line, None) for line in passage(best, body) if said[line])
        telling = len(order)
        distance = _distances(order, len(body))
        rest = (line for line in range(len(body)) if said[line] and line not in order)
        return Passages(order=(*order, *sorted(rest, key=distance.__getitem__)), telling=telling, above=around)

    def _scores(self, body: Sequence[str], said: Collection[str] = ()) -> dict[int, float]:
        """Returns how much the words of each line say, by its place, without those that say nothing or were said."""
        lines_with: defaultdict[str, dict[int, float]] = defaultdict(dict)
        read = 0
        for line, text in enumerate(body[:MOST_LINES]):
            read += len(text)
            if read > MOST_CHARACTERS:
                break
            for word in words_in(text):
                for term, share in self._about(word):
                    lines_with[term][line] = max(share, lines_with[term].get(line, 0.0))
        scores: defaultdict[int, float] = defaultdict(float)
        for term, weight in self._terms.items():
            lines = {} if term in said else lines_with.get(term, {})
            if len(lines) * EVERYWHERE <= len(body):
                worth = weight * rarity_of(len(body), len(lines))
                for line, share in lines.items():
                    scores[line] += worth * share
        return scores

    def _about(self, word: str) -> tuple[tuple[str, float], ...]:
        """The terms of the query that a word is about; each says the less of it the more there are."""
        found = self._known.get(word)
        if found is None:
            terms = terms_in(word) if len(word) <= LONGEST_NAME else ()
            share = len(terms) ** -0.5 if terms else 0.0
            found = self._known[word] = tuple((term, share) for term in terms if term in self._terms)
        return found


def _spread(scores: Mapping[int, float], count: int) -> dict[int, float]:
    """Has each of so many lines count for what those near it say, too."""
    near: defaultdict[int, float] = defaultdict(float)
    for line in sorted(scores):
        for other in range(max(0, line - NEAR), min(line + NEAR + 1, count)):
            near[other] += scores[line] * (1 - abs(other - line) / (NEAR + 1))
    return near


def _passage(best: int, body: Sequence[str]) -> Iterator[int]:
    """A line and those around it; where one of them stands in the middle of a statement, as far as a line tells, a few more."""
    first, last = max(0, best - AROUND), min(best + AROUND, len(body) - 1)
    for _ in range(CONTINUED):
        first -= first > 0 and body[first - 1].rstrip().endswith(GOES_ON)
        last += last + 1 < len(body) and body[last].rstrip().endswith(GOES_ON)
    yield from sorted(range(first, last + 1), key=lambda line: (abs(line - best), line))


def _paragraph(best: int, body: Sequence[str]) -> Iterator[int]:
    """A line of prose and the rest of its paragraph; with one that nothing but a blank line follows what comes next."""
    first = last = best
    while first > 0 and best - first < OF_PARAGRAPH and body[first - 1].strip() and not _is_heading(body[first]):
        first -= 1
    if _is_heading(body[best]):
        while last + 1 < len(body) and last - best < OF_PARAGRAPH and not body[last + 1].strip():
            last += 1
        last = min(last + 1, len(body) - 1)
    while last + 1 < len(body) and last - best < OF_PARAGRAPH and body[last + 1].strip():
        last += 1
    yield from sorted(range(first, last + 1), key=lambda line: (abs(line - best), line))


def _is_heading(line: str) -> bool:
    return line.startswith(("#", "=="))


def _lifted(near: Mapping[int, float], around: Sequence[int]) -> dict[int, float]:
    """Has each line count for some of what the lines say that it stands in: a section is about what its heading says."""
    lifted: dict[int, float] = {}
    for line, outer in enumerate(around):
        score = near.get(line, 0.0) + (INSIDE * lifted.get(outer, 0.0) if outer >= 0 else 0.0)
        if score:
            lifted[line] = score
    return lifted


def _distances(lines: Iterable[int], count: int) -> list[int]:
    """For each of so many lines how far it is from the nearest of some."""
    found = [count] * count
    for line in lines:
        found[line] = 0
    for line in range(1, count):
        found[line] = min(found[line], found[line - 1] + 1)
    for line in range(count - 2, -1, -1):
        found[line] = min(found[line], found[line + 1] + 1)
    return found
