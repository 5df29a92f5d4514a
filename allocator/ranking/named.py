"""Finds the definitions that a query names: `MemTable::Add`, `SslHandler.unwrap`, `httpBatchLink`.

A name is meant as it is written. What it is qualified by is the type or the module that the definition stands in, or a
folder or file on the way to it. One that several places define means none of them, unless it is all that is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from allocator.ranking.integers import distinct
from allocator.ranking.pointers import module_at
from allocator.ranking.repeats import HEADERS, MOST_BEHIND
from allocator.ranking.stems import whole
from allocator.ranking.words import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.ranking.arrays import Arrays, Floats, Graph, Longs
    from allocator.ranking.words import Query

MOST_MEANT: Final = 3
"""Places that a name may be defined at where a query consists of names: as many as a zoom shows."""

MOST_NAMED: Final = 8
"""Definitions that are named by one query."""

MOST_COMPARED: Final = 500
"""Definitions of one name of which one may be meant; of more it is an everyday word."""

ALONE: Final = 0.5
"""The likelihood that a query of nothing but names is about what it names."""

AMONG_OTHERS: Final = 0.4
"""Likewise of a question that says more. What is to be done changes much beside what its text names."""

BESIDE: Final = 0.2
"""The part of it that goes to what the named definitions speak of, as to what they call, by what else speaks for it."""

USERS: Final = 0.6
"""The part that goes to what speaks of them, where a question asks for that."""


def named(arrays: Arrays, tiers: Longs, query: Query) -> list[int]:
    """Returns the units that a query names, in its order; none for an issue, which tells of much that is beside it.

    Args:
        arrays: the files.
        tiers: of the files.
        query: what is asked for.
    """
    if query.kind is Kind.ISSUE:
        return []
    most = MOST_MEANT if query.points.is_names else 1
    found: dict[int, None] = {}
    for name in query.points.names:
        if len(name) == 1 and whole(name[0]) in query.own:
            continue
        units = _meant(arrays, tiers, name)
        if len({(int(arrays.file[unit]), int(arrays.holder[unit])) for unit in units}) <= most:
            found |= dict.fromkeys(units)
    return [*found][:MOST_NAMED]


def with_named(weights: Floats, units: Sequence[int], graph: Graph, query: Query) -> Floats:
    """Returns the weights of all units, given that a question names some: they are meant, or it is about something else.

    What they call comes with them, or what calls them where the query asks for that.

    Args:
        weights: how likely each is what the query is about by all else; all add up to 1.
        units: those that are named.
        graph: who speaks of whom.
        query: the query.
    """
    if not len(units) or query.kind is not Kind.QUESTION:
        return weights
    share = ALONE if query.points.is_names else AMONG_OTHERS
    meant = np.zeros(len(weights))
    meant[[*units]] = 1 / len(units)
    beside = (graph.back if query.wants_users else graph.forth).step(meant) * np.sqrt(weights)
    part = USERS if query.wants_users else BESIDE
    if spoken := beside.sum():
        meant = (1 - part) * meant + part / spoken * beside
    return (1 - share) * weights + share * meant


def _meant(arrays: Arrays, tiers: Longs, name: Sequence[str]) -> list[int]:
    """The units that a name may mean: those of source before those of tests, those with a body before announcements."""
    *outer, last = name
    number = arrays.vocabulary.number(last)
    if not 0 <= number < len(arrays.spans) - 1:
        return []
    units = arrays.entry_unit[arrays.spans[number] : arrays.spans[number + 1]]
    units = distinct(units[(arrays.name[units] == number) & arrays.is_telling[units] & ~arrays.is_constant[units]])
    units = units[~arrays.is_gathered[arrays.file[units]]]
    if outer:
        holder = arrays.vocabulary.number(outer[-1])
        held = (arrays.holder[units] == holder) & (holder >= 0)
        units = units[held] if held.any() else units[_in_module(arrays, units, outer[-1])]
    elif (free := arrays.parent[units] < 0).any():
        units = units[free]
    if not 0 < len(units) <= MOST_COMPARED:
        return []
    of_tier = tiers[arrays.file[units]]
    units = units[of_tier == of_tier.min()]
    has_body = arrays.size[units] - arrays.head[units] > MOST_BEHIND
    has_body &= [not path.endswith(HEADERS) for path in _paths(arrays, units)]
    return (units[has_body] if has_body.any() else units).tolist()


def _in_module(arrays: Arrays, units: Longs, name: str) -> list[bool]:
    """Tells which of some units stand in no definition, and in a file or a folder of a name."""
    is_free = (arrays.holder[units] < 0).tolist()
    paths = _paths(arrays, units)
    return [free and name in module_at(path).split("/") for free, path in zip(is_free, paths, strict=True)]


def _paths(arrays: Arrays, units: Longs) -> list[str]:
    return [arrays.paths[int(file)] for file in arrays.file[units]]
