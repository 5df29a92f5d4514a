"""Ranks files and their definitions, for a query or without one: an order of files, a weight for every definition.

With a query the weight of a definition is how likely it is what the query is about (`mix`), so a budget is spent best
on what has most of it for a token. A file weighs what its definitions weigh together. Without a query tiers decide,
then entry points, then how much of the code base leads to a file, in coarse steps, so that the order seldom changes
while files only change inside.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from allocator.ranking.by_path import rank_key
from allocator.ranking.corpus import Corpus, RankedFile, Reading
from allocator.ranking.defined import asked_for
from allocator.ranking.forms import with_forms
from allocator.ranking.history import NO_HISTORY, History
from allocator.ranking.integers import summed
from allocator.ranking.mix import likelihoods
from allocator.ranking.named import named, with_named
from allocator.ranking.quotes import held
from allocator.ranking.repeats import built, told_once
from allocator.ranking.rows import Rows
from allocator.ranking.signals import importance, signals
from allocator.ranking.unknown import understood
from allocator.ranking.why import Reasons
from allocator.ranking.words import query_of, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from allocator.ranking.arrays import Arrays, Floats, Longs
    from allocator.ranking.entries import Entry

GATHERED = 0.01
"""The part of its weight that a definition keeps in a file put together or built of others, which is changed in those."""


ANNOUNCED = 0.1
"""The part of its weight that the prototype of a function keeps that stands whole in another file."""

LEAST = 1e-30
"""A weight that is as good as none."""


class Ranking(msgspec.Struct, frozen=True, kw_only=True):
    """The order of files, and the weights of their definitions.

    Attributes:
        order: the places of the files, the most important first.
        files: for each file, by place, its weight, 0 or more.
        definitions: for each file, by place, the weights of its definitions, 0 or more.
        heads: likewise the bytes of their signatures.
        sizes: likewise the bytes of their source, less those of the definitions in them.
        around: likewise the place of what they stand in among those of their file; -1 where that is nothing.
        starts: likewise where their names start.
        asked: likewise how likely it is, from 0 to 1, that the query names it, where it is a constant; None without one.
        named: definitions that the query names, in its order, each by the place of its file and where its name starts.
        is_names: whether the query consists of names.
        quoted: for what the query quotes the ways to say it, each as a pattern of lines and the places of files.
        reasons: tells why a definition has its weight; None without a query.
        cut: what of the query was not looked up, in words; "" where all of it was.
        note: what a reader is to be told of how the query was read; "" for nothing.
        unmatched: its words that occur nowhere, each with the nearest one that does, or "".
        is_lost: whether nothing of it is known.
        terms: what was looked up, each with its weight.
    """

    order: tuple[int, ...]
    files: tuple[float, ...]
    definitions: Rows
    heads: Rows
    sizes: Rows
    around: Rows
    starts: Rows
    asked: Rows | None = None
    named: tuple[tuple[int, int], ...] = ()
    is_names: bool = False
    quoted: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...] = ()
    reasons: Reasons | None = None
    cut: str = ""
    note: str = ""
    unmatched: tuple[tuple[str, str], ...] = ()
    is_lost: bool = False
    terms: Mapping[str, float] = msgspec.field(default_factory=dict[str, float])


def rank(
    files: Sequence[RankedFile],
    query: str = "",
    *,
    read: Callable[[Sequence[int]], Iterable[Reading | Entry]],
    corpus: Corpus | None = None,
    history: History = NO_HISTORY,
    same: object = None,
    is_whole: bool = False,
    project: str = "",
) -> Ranking:
    """Ranks files and their definitions.

    Args:
        files: the files; the same files in another order give the same ranking.
        query: what the reader is about to do, in words; "" ranks by importance alone.
        read: gives definitions and words of the files at some places; asked only for those that the corpus does not
            know.
        corpus: what is known of files from earlier calls; by default nothing.
        history: the newest commits of the repository.
        same: stands for the files: with the same one they are those of the last call of this corpus; None for nothing.
        is_whole: they are all files of a folder.
        project: the name of the project, which says little where it is one of several words; "" for none.
    """
    by_path, listed, line_of, tiers, arrays = (corpus or Corpus()).in_order(files, read, same=same, is_whole=is_whole)
    read_as = understood(with_forms(query_of(query), arrays), arrays, history)
    wanted = within(read_as.query, project)
    if wanted.terms and not read_as.is_lost:
        found = signals(arrays, tiers, wanted, history)
        units = named(arrays, tiers, wanted)
        by_signals = likelihoods(found, wanted)
        weights = with_named(by_signals, units, arrays.graph, wanted)
        lifted = np.log(np.maximum(weights, LEAST) / np.maximum(by_signals, LEAST))
        is_copy = arrays.is_gathered | built(arrays, tiers)
        weights = np.where(is_copy[arrays.file], GATHERED * weights, weights)
        weights = told_once(weights, arrays.twins)
        by_file = summed(arrays.file, weights, arrays.files)
        weights = np.where(arrays.is_announced, ANNOUNCED * weights, weights)
        order = np.argsort(-by_file, kind="stable").tolist()
        reasons = Reasons(arrays, tiers, wanted, history, weights=weights, lifted=lifted, by_path=by_path)
        quoted = held(arrays, wanted, query)
        asked = Rows(asked_for(arrays, tiers, wanted, by_file), arrays.first, line_of)
    else:
        weights = _by_importance(arrays, tiers)
        by_file = summed(arrays.file, weights, arrays.files)
        order = _tiers_first(listed, by_file)
        reasons = asked = None
        units, quoted = [], []
    return Ranking(
        order=tuple(map(by_path.__getitem__, order)),
        files=tuple(by_file[line_of].tolist()),
        definitions=Rows(weights, arrays.first, line_of),
        heads=Rows(arrays.head, arrays.first, line_of),
        sizes=Rows(arrays.own_size, arrays.first, line_of),
        around=Rows(arrays.around, arrays.first, line_of),
        starts=Rows(arrays.start, arrays.first, line_of),
        asked=asked,
        named=tuple((by_path[int(arrays.file[unit])], int(arrays.start[unit])) for unit in units),
        is_names=wanted.points.is_names,
        quoted=tuple(
            tuple((pattern, tuple(map(by_path.__getitem__, places))) for pattern, places in ways) for ways in quoted
        ),
        reasons=reasons,
        cut=wanted.cut,
        note=read_as.note,
        unmatched=tuple(zip(read_as.unmatched, read_as.near, strict=True)),
        is_lost=read_as.is_lost,
        terms=wanted.terms if reasons is not None else {},
    )


def _by_importance(arrays: Arrays, tiers: Longs) -> Floats:
    """Importance, less in later tiers, so that a weight may be compared across them."""
    weights = importance(arrays.graph, arrays.units)
    weights = weights / 2.0 ** tiers[arrays.file]
    return weights / weights.sum() if len(weights) else weights


def _tiers_first(files: Sequence[RankedFile], by_file: Floats) -> list[int]:
    def place(index: int) -> tuple[int, bool, int, int, str]:
        file = files[index]
        tier, no_entry_point, depth, path = rank_key(file.path, file.tier)
        step = -math.floor(math.log2(max(float(by_file[index]), 1e-12)) / 2)
        return tier, no_entry_point, step, depth, path

    return sorted(range(len(files)), key=place)
