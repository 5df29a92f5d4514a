"""Handles words of a query that occur nowhere: likely slips for known words, and queries of which nothing is known.

A word is known if a file says it, a path or a commit does. One that is not is compared with the words of the repository itself:
the nearest by edit distance (Damerau, 1964: letters left out, added, changed or swapped) take its place where most such
words have one near, as in a sentence with slips of the keys. In one of another language few have, and nothing is put
into the asker's mouth. Nor is it where something new is wanted, `add quic`, which occurs nowhere yet: the nearest is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from allocator.ranking.stems import stem, whole
from allocator.ranking.words import UNTOLD, Kind
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.ranking.arrays import Arrays
    from allocator.ranking.history import History
    from allocator.ranking.words import Query

MOST_COMPARED: Final = 12
"""Words that are compared with those of the repository, the first ones."""

LEAST_LETTERS: Final = 4
"""Of shorter words nothing is said: too much is like them."""
LONG: Final = 8
"""Letters from which on two slips may be in a word, behind its first letter, and not one alone."""

AT_ONCE: Final = 20_000
"""Words that are compared between two looks at whether the call is still wanted."""

TRUST: Final = 0.8
"""The weight of a word that takes another's place, for each that this one weighs."""

_NUMBER: Final = re.compile(r"\d+|0[xX][0-9a-fA-F]+")
"""A number, as also an address in memory is one, which no word is near."""

MOST_TOLD: Final = 8
"""Words that are told of."""
SHORT_QUERY: Final = 40
"""Words of a query up to which slips are looked for, and a context begins with what was not found. The words of a longer one
need not be known here, nor those of an issue or a log, in which few may stand often."""


class Understood(msgspec.Struct, frozen=True, kw_only=True):
    """A query, read with the words of a repository.

    Attributes:
        query: what is looked up.
        unmatched: the words that occur nowhere, as written; numbers only where nothing of the query is known.
        near: for each of those the word of the repository nearest to it, or "".
        corrected: whether the nearest words are looked up in their place.
        is_lost: whether nothing of the query is known.
    """

    query: Query
    unmatched: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    corrected: bool = False
    is_lost: bool = False

    @property
    def note(self) -> str:
        """The note for the reader about them; "" where all is known, or the query is long."""
        if not self.unmatched or not (_may_have_slips(self.query) or self.is_lost):
            return ""
        told = dict(zip(self.unmatched[:MOST_TOLD], self.near, strict=False))
        more = len(self.unmatched) - len(told)
        said = ", ".join(told) + (f" and {more} more" if more else "")
        near = ", ".join(dict.fromkeys(word for word in told.values() if word))
        if self.corrected:
            return f"Nothing here says {said}; read as: {near}."
        hint = f" Did you mean: {near}?" if near else ""
        overview = "; this is the overview" if self.is_lost else ""
        return f"Nothing here says {said}{overview}.{hint}"


def understood(query: Query, arrays: Arrays, history: History) -> Understood:
    """Reads a query with the words of a repository.

    Args:
        query: what is asked for.
        arrays: the files of the repository.
        history: its newest commits.
    """
    said = {part for word, parts in query.words for part in parts if part.isalnum() and word.lower() not in UNTOLD}
    terms = {part: stem(part) for part in said}
    missing = {
        part
        for part, term in terms.items()
        if term not in query.frame and not arrays.knows(term) and not history.knows(term)
    }
    unmatched = [(word, parts) for word, parts in query.words if not missing.isdisjoint(parts)]
    if not unmatched:
        return Understood(query=query)
    plain = [part for word, parts in unmatched if word.isascii() for part in parts if part in missing]
    compared = [*dict.fromkeys(plain)][:MOST_COMPARED] if _may_have_slips(query) else []
    nearest = {part: near for part in compared if (near := _nearest(part, arrays))}
    nearest = _where_all_occurs(nearest, unmatched, arrays)
    in_words = [(word, parts) for word, parts in unmatched if not _NUMBER.fullmatch(word)]
    foreign = len(in_words) - sum(not nearest.keys().isdisjoint(parts) for _, parts in in_words)
    corrected = len(nearest) > foreign and not query.wants_new
    known = [
        (word, part)
        for word, parts in query.words
        for part in parts
        if part not in missing and stem(part) not in query.frame
    ]
    telling = [part for word, part in known if len(part) >= LEAST_LETTERS or not word.islower()]
    is_lost = not telling and not corrected and len(known) <= len(unmatched) and not _names_a_file(query, arrays)
    told = unmatched if is_lost else in_words
    return Understood(
        query=_with(query, nearest) if corrected else query,
        unmatched=tuple(_bare(word) for word, _ in told),
        near=tuple(_in_place(word, parts, nearest) for word, parts in told),
        corrected=corrected,
        is_lost=is_lost,
    )


def _may_have_slips(query: Query) -> bool:
    return len(query.words) <= SHORT_QUERY and query.kind is not Kind.ISSUE


def _nearest(part: str, arrays: Arrays) -> str:
    """The word of the repository that is nearest to one, the most frequent of those equally near; "" for none."""
    from rapidfuzz import process  # serves words that nobody wrote
    from rapidfuzz.distance import OSA

    if len(part) < LEAST_LETTERS or not part.isalpha():
        return ""
    most = 1 if len(part) < LONG else 2
    words = arrays.plain_words
    alike: list[tuple[str, float]] = []
    for start in range(0, len(words.listed), AT_ONCE):
        stop_if_cancelled()
        found = process.extract(
            part, words.listed[start : start + AT_ONCE], scorer=OSA.distance, score_cutoff=most, limit=None
        )
        alike += [(word, distance) for word, distance, _ in found]
    return min(
        (one for one in alike if len(one[0]) >= LEAST_LETTERS - 1 and _may_be_slip_for(part, *one)),
        key=lambda one: (one[1], one[0][0] != part[0], -words.counts[one[0]], one[0]),
        default=("", 0.0),
    )[0]


def _may_be_slip_for(part: str, word: str, distance: float) -> bool:
    """Tells whether one may be a slip for another by how they begin: `wired` is none for `tired`, `ession` is one for `session`."""
    if part[0] == word[0]:
        return True
    return distance <= 1 and (len(part) != len(word) or part[:2] == word[1::-1])


def _where_all_occurs(
    nearest: dict[str, str], unmatched: Sequence[tuple[str, Sequence[str]]], arrays: Arrays
) -> dict[str, str]:
    """The nearest words without those that would make of parts of an identifier one that occurs nowhere."""
    corrected = [(whole(_in_place(word, parts, nearest)), parts) for word, parts in unmatched if len(parts) > 1]
    made_up = {part for name, parts in corrected if name and not arrays.knows(name) for part in parts}
    return {part: near for part, near in nearest.items() if part not in made_up}


def _with(query: Query, nearest: dict[str, str]) -> Query:
    """A query with the nearest words in the place of those that occur nowhere."""
    terms = dict(query.terms)
    subject = set(query.subject)
    for word, parts in query.words:
        if nearest.keys().isdisjoint(parts):
            continue
        instead = [nearest.get(part, part) for part in parts]
        new = [stem(part) for part in instead]
        old = [stem(part) for part in parts]
        if len(parts) > 1:
            new.append(whole("".join(instead)))
            old.append(whole(word))
        for before, after in zip(old, new, strict=True):
            if before != after:
                weight = TRUST * query.terms.get(before, 1.0)
                terms[after] = max(terms.get(after, 0.0), weight)
                if before in subject:
                    subject.add(after)
    return replace(query, terms=terms, subject=frozenset(subject))


def _in_place(word: str, parts: Sequence[str], nearest: dict[str, str]) -> str:
    """A word with the nearest ones in the place of its parts; "" where there are none."""
    if nearest.keys().isdisjoint(parts):
        return ""
    instead = word.lower()
    for part in parts:
        instead = instead.replace(part, nearest.get(part, part), 1)
    return instead


def _bare(word: str) -> str:
    """A word without the signs of other scripts around it: quotes, question marks."""
    first = next((at for at, letter in enumerate(word) if letter.isalnum() or letter == "_"), 0)
    last = next((at for at, letter in enumerate(reversed(word)) if letter.isalnum() or letter == "_"), 0)
    return word[first : len(word) - last]


def _names_a_file(query: Query, arrays: Arrays) -> bool:
    ends = {path.strip("./") for path in query.points.paths}
    return bool(ends) and any(path in ends or path.rpartition("/")[2] in ends for path in arrays.paths)
