"""Files that define what a question names: `FileWatcher` by its name, `a file watcher` by what that may be called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from allocator.ranking.integers import distinct
from allocator.ranking.stems import whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from allocator.ranking.arrays import Arrays, Floats, Longs
    from allocator.ranking.words import Query

MOST_WORDS: Final = 40
"""Words of a question that may be names, the first ones."""
MOST_TOGETHER: Final = 4
"""Words that may be one name together."""
MOST_OF_A_NAME: Final = 5
"""Constants of one name, one of which may be meant; of more none is."""

LIKELY: Final = 0.2
"""The share that a file has of the weight of the greatest which a question is about in any case."""


def defining(arrays: Arrays, query: Query) -> Floats:
    """Returns for each file the greatest share that it has in the definitions of one name in a question: 1 has all of it."""
    share = np.zeros(arrays.files)
    for name in dict.fromkeys(_names_in(query)):
        if whole(name) not in query.own and len(units := _called(arrays, name)):
            files = distinct(arrays.file[units])
            share[files] = np.maximum(share[files], 1 / len(files))
    return share


def asked_for(arrays: Arrays, tiers: Longs, query: Query, by_file: Floats) -> Floats:
    """Returns for each unit how likely a question names it, where it is a constant: one of several shares the name.

    Those of source come before those of tests. A word in capitals among others may be short for something, as HTTP is: it
    is the name of a constant in those files alone that the question is about in any case.

    Args:
        arrays: the files.
        tiers: of the files.
        query: the question.
        by_file: the weight of each file.
    """
    share = np.zeros(arrays.units)
    short = (
        {word for word, _ in query.words if word.isalpha() and word.isupper()} if len(query.words) > 1 else set[str]()
    )
    for name in dict.fromkeys(_names_in(query)):
        units = _called(arrays, name)
        units = units[arrays.is_constant[units]]
        if name in short:
            units = units[by_file[arrays.file[units]] >= LIKELY * by_file.max(initial=0.0)]
        if len(units):
            of_tier = tiers[arrays.file[units]]
            units = units[of_tier == of_tier.min()]
            share[units] = np.maximum(share[units], 1 / len(units) if len(units) <= MOST_OF_A_NAME else 0.0)
    return share


def _called(arrays: Arrays, name: str) -> Longs:
    """The definitions with a name; those that stand in no other one, where there are any."""
    number = arrays.vocabulary.number(name)
    if not 0 <= number < len(arrays.spans) - 1:
        return np.zeros(0, np.int64)
    units = arrays.entry_unit[arrays.spans[number] : arrays.spans[number + 1]]
    units = units[(arrays.name[units] == number) & arrays.is_telling[units]]
    outer = units[arrays.parent[units] < 0]
    return outer if len(outer) else units


def _names_in(query: Query) -> Iterator[str]:
    """Yields what may be a name: a word that is written as one, and words that stand together in all spellings."""
    words = query.words[:MOST_WORDS]
    for word, _ in words:
        if len(words) == 1 or (len(word) > 2 and (word != word.lower() or "_" in word)):
            yield word
    parts = [(word if len(of_word) == 1 else part, part) for word, of_word in words for part in of_word]
    for start in range(len(parts)):
        for end in range(start + 1 if len(words) == 1 else start + 2, min(start + MOST_TOGETHER, len(parts)) + 1):
            yield from _spellings(parts[start:end])


def _spellings(parts: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yields the spellings of words as one name, with the last one in the singular too.

    Args:
        parts: the words, each as written and in lower case.
    """
    written, small = [one for one, _ in parts], [one for _, one in parts]
    for cut in (0, 1) if small[-1].endswith("s") else (0,):
        ends = [len(one) for one in small[:-1]] + [len(small[-1]) - cut]
        low = [one[:end] for one, end in zip(small, ends, strict=True)]
        titled = [one.capitalize() for one in low]
        yield "".join(titled)
        yield "".join(one[:1].upper() + one[1:end] for one, end in zip(written, ends, strict=True))
        yield low[0] + "".join(titled[1:])
        yield "_".join(low)
        yield "".join(low)
        yield "_".join(low).upper()
