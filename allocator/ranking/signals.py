"""The signals that a ranking mixes: for each unit a number that says how likely the query is about it.

BM25 (Robertson and Zaragoza, 2009) with one length for all fields: a word counts three times where it is the name of a
definition, once above it, in its signature and in its body. The same is taken over whole files. A signal is a number
between 0 and 1, or the logarithm of a place or a size, so that one table of factors (`mix`) serves all code bases. Places
are told among all definitions and, as the words of a query tell files apart better than what is in them, inside each file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from allocator.ranking.defined import defining
from allocator.ranking.documents import told
from allocator.ranking.integers import summed
from allocator.ranking.languages import written_in
from allocator.ranking.pointers import files_at, files_of_modules
from allocator.ranking.words import Kind, rarity_of
from workspace.cancellation import stop_if_cancelled
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from allocator.ranking.arrays import Arrays, Floats, Graph, Longs
    from allocator.ranking.history import History
    from allocator.ranking.words import Query

SATURATION = 1.2
LENGTH_SHARE = 0.75
BELOW_ONE = 1 - 1e-7

FEW = 8
"""Entries are sorted where there are no more than one for so many units; else every unit is counted."""

SPREAD = 0.5
"""The share of a definition's weight that goes on to those it speaks of and that speak of it, at each step."""
STEPS = 2
SEEDS = 256
"""Definitions that spread their weight."""
SEED_SHARPNESS = 4.0
DAMPING = 0.85
IMPORTANCE_STEPS = 12


class Matches(NamedTuple):
    """The scores of the match between units and the words of a query."""

    units: Floats
    """Over all words."""
    subject: Floats
    """Over those of the query's first line."""
    names: Floats
    """Rarity of the words that are in a definition's name, added up."""
    files: Floats
    """Of whole files."""
    code: Floats
    """Over those that the query writes as code."""
    code_names: Floats
    """The rarity of those in a definition's name, added up."""
    said: Floats
    """The share of a definition's name that is among them."""
    subject_files: Floats
    """Of whole files over those of the first line."""
    prose_files: Floats
    """Over those of the prose of an issue."""
    rarest: Floats
    """The rarity of the rarest word of an issue in a definition."""


def matches(arrays: Arrays, query: Query) -> Matches:
    """Matches the words of a query with units and files."""
    units, subject, names, code, code_names, said, rarest = (np.zeros(arrays.units) for _ in range(7))
    files, subject_files, prose_files = (np.zeros(arrays.files) for _ in range(3))
    unit_norm = _norm(arrays.length)
    file_norm = _norm(summed(arrays.file, arrays.length, arrays.files))
    for term in {**query.terms, **query.prose}:
        stop_if_cancelled()
        entries = arrays.entries_of(term, query)
        if not len(entries):
            continue
        places = arrays.entry_unit[entries]
        held, frequency = _totals(places, arrays.entry_weight[entries], arrays.units)
        in_file = summed(arrays.file[held], frequency, arrays.files)
        holding = np.flatnonzero(in_file)
        in_file = in_file[holding]
        file_score = rarity_of(arrays.files, len(holding)) * in_file * (SATURATION + 1) / (in_file + file_norm[holding])
        prose_files[holding] += query.prose.get(term, 0.0) * file_score
        if term not in query.terms:
            continue
        weight = query.terms[term]
        files[holding] += weight * file_score
        rarity = rarity_of(arrays.units, len(held))
        if query.prose:
            rarest[held] = np.maximum(rarest[held], rarity)
        rarity *= weight
        score = rarity * frequency * (SATURATION + 1) / (frequency + unit_norm[held])
        units[held] += score
        if term in query.subject:
            subject[held] += score
            subject_files[holding] += weight * file_score
        named = places[arrays.entry_in_name[entries]] if term not in query.own else places[:0]
        names[named] += rarity  # once for each unit, however often it is among them
        said[named] += 1
        if term in query.code:
            code[held] += score
            code_names[named] += rarity
    if query.kind is Kind.QUESTION:  # what asks for a subject does not ask how it is made, and that is called like it
        made = (arrays.name == arrays.holder) & (arrays.holder >= 0)
        names[made] = said[made] = 0.0
    named = np.flatnonzero(said)
    said[named] = np.minimum(said[named] / arrays.name_stems(named), 1.0)
    return Matches(units, subject, names, files, code, code_names, said, subject_files, prose_files, rarest)


def _totals(places: Longs, weights: NDArray[np.uint16], units: int) -> tuple[Longs, Floats]:
    """The units that are among some places, in order, and what stands at each of them together."""
    if 0 < len(places) * FEW < units:
        # the places of each word are in order, which a stable sort makes use of
        order = np.argsort(places, kind="stable")
        listed = places[order]
        first = np.flatnonzero(np.concatenate(([True], listed[1:] != listed[:-1])))
        return listed[first], np.add.reduceat(weights[order], first, dtype=np.float64)
    totals = summed(places, weights, units)
    held = np.flatnonzero(totals)
    return held, totals[held]


class Signals(Mapping[str, "Floats"]):
    """Signals by name: most queries ask for some of them alone.

    Args:
        made: works each of them out.
    """

    def __init__(self, made: Mapping[str, Callable[[], Floats]]) -> None:
        self._made = made

    def __getitem__(self, name: str) -> Floats:
        return self._made[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def signals(arrays: Arrays, tiers: Longs, query: Query, history: History) -> Mapping[str, Floats]:
    """All signals of all units, by name; each is worked out when it is asked for.

    Args:
        arrays: the files.
        tiers: of the files.
        query: what is asked.
        history: the newest commits of the repository.
    """
    of_file, defined = arrays.file, arrays.is_definition
    found = matches(arrays, query)
    paths = arrays.paths
    crowd = np.sqrt(summed(of_file, found.units**2, arrays.files))
    around = np.where(arrays.parent >= 0, found.names[arrays.parent], 0.0)
    about = history.about(query, arrays.place_of)
    own = np.where(defined, found.units, 0.0)
    seeds = np.zeros(arrays.units)
    chosen = foremost(own, SEEDS, arrays.first)
    seeds[chosen] = own[chosen] ** SEED_SHARPNESS
    spread = personalised(arrays.graph, seeds)
    module = np.zeros(arrays.files)
    module[[*files_of_modules(paths, query.points.modules)]] = 1.0
    made: dict[str, Callable[[], Floats]] = {
        "match": lambda: _scaled(found.units),
        "place": lambda: _places(found.units, arrays.by_place),
        "subject": lambda: _scaled(found.subject),
        "name": lambda: _scaled(found.names),
        "container": lambda: _scaled(around),
        "file_place": lambda: _places(found.files, arrays.by_place)[of_file],
        "file_best": lambda: _scaled(_best(found.units, arrays))[of_file],
        "file_crowd": lambda: _scaled(crowd)[of_file],
        "file_units": lambda: arrays.log_units[of_file],
        "subject_place": lambda: _places(found.subject_files, arrays.by_place)[of_file],
        "prose_place": lambda: _places(found.prose_files, arrays.by_place)[of_file],
        "prose_path": lambda: _places(_path_matches(arrays, query.prose), arrays.by_place)[of_file],
        "rarest": lambda: _scaled(found.rarest),
        "path": lambda: _scaled(_path_matches(arrays, query.naming))[of_file],
        "mentioned": lambda: mentioned(paths, query.points.paths)[of_file],
        "module": lambda: module[of_file],
        "code": lambda: _scaled(found.code),
        "code_name": lambda: _scaled(found.code_names),
        "code_file": lambda: _scaled(_best(found.code, arrays))[of_file],
        "name_file": lambda: _scaled(_best(found.names, arrays))[of_file],
        "called": lambda: _called(arrays, query)[of_file],
        "named_file": lambda: _scaled(_best(found.names * found.said, arrays))[of_file],
        "folder": lambda: _in_folders(arrays, query)[of_file],
        "package": lambda: arrays.packages.said(query)[of_file],
        "language": lambda: written_in(paths, query.languages)[of_file],
        "located": lambda: _located(arrays, query)[of_file],
        "defined": lambda: defining(arrays, query)[of_file],
        "told": lambda: told(arrays, tiers)[of_file],
        "behind": lambda: arrays.file_names.behind[of_file],
        "graph": lambda: _scaled(np.log1p(1000 * spread)),
        "history_place": lambda: _places(about, arrays.by_place)[of_file],
        "history": lambda: np.sqrt(_scaled(about))[of_file],
        "recent": lambda: history.recency(arrays.place_of)[of_file],
        "test": lambda: ((tiers == Tier.TESTS)[of_file] | arrays.is_test).astype(np.float64),
        "other": lambda: (tiers == Tier.OTHER)[of_file].astype(np.float64),
        "callable": lambda: arrays.is_callable.astype(np.float64),
        "size": lambda: arrays.log_size,
        "match_inside": lambda: _places_inside(own, arrays),
        "graph_inside": lambda: _places_inside(np.where(defined, spread, 0.0), arrays),
        "name_inside": lambda: _places_inside(np.where(defined, found.names, 0.0), arrays),
        "rest": lambda: (~defined).astype(np.float64),
    }
    return Signals(made)


def personalised(graph: Graph, seeds: Floats) -> Floats:
    """PageRank that starts anew at the seeds (Page and others, 1999), over edges in both directions.

    Args:
        graph: who speaks of whom.
        seeds: for each unit how likely a walk starts there, of any scale.

    Returns:
        For each unit how likely a walk is there after `STEPS` steps.
    """
    total = seeds.sum()
    start = seeds / total if total else seeds
    here = start
    for _ in range(STEPS):
        here = SPREAD / 2 * (graph.forth.step(here) + graph.back.step(here)) + (1 - SPREAD) * start
    return here


def foremost(values: Floats, count: int, first: Longs) -> Longs:
    """The units with the greatest values: so many, and all that equal the least of them, in order.

    Args:
        values: of all units.
        count: how many, 1 or more.
        first: where the units of each file begin; one more at the end.
    """
    chosen = np.arange(len(values))
    if len(first) > count:  # as many as there are files are at least what the best of so many files have
        best = np.maximum.reduceat(values, first[:-1])
        chosen = np.flatnonzero(values >= np.partition(best, -count)[-count])
    if len(chosen) > count:
        held = values[chosen]
        chosen = chosen[held >= np.partition(held, -count)[-count]]
    return chosen


def importance(graph: Graph, units: int) -> Floats:
    """PageRank without a query: how often a walk along references comes to each unit; 1 is the mean."""
    here = np.full(units, 1.0)
    for _ in range(IMPORTANCE_STEPS):
        here = 1 - DAMPING + DAMPING * graph.forth.step(here)
    return here


def mentioned(paths: Sequence[str], wanted: Iterable[str]) -> Floats:
    """1 for files that paths in a query mean, else 0."""
    found = np.zeros(len(paths))
    for places in files_at(paths, wanted).values():
        found[places] = 1.0
    return found


def _best(values: Floats, arrays: Arrays) -> Floats:
    """The greatest value of the units of each file."""
    return np.maximum.reduceat(values, arrays.first[:-1]) if arrays.files else np.zeros(0)


def _path_matches(arrays: Arrays, terms: Mapping[str, float]) -> Floats:
    """The rarity of those of some words that are in a path, each times its weight, added up."""
    score = np.zeros(arrays.files)
    for term, weight in terms.items():
        if (places := arrays.paths_with.get(term)) is not None:
            score[places] += weight * rarity_of(arrays.files, len(places))
    return score


def _called(arrays: Arrays, query: Query) -> Floats:
    """For each file how much of a query its name says, times how much of its name that says."""
    rarity, said = np.zeros(arrays.files), np.zeros(arrays.files)
    names = arrays.file_names.files
    for term, weight in query.naming.items():
        for places, share in names.about(term):
            rarity[places] += share * weight * rarity_of(arrays.files, len(places))
            said[places] += share
    return _scaled(rarity) * np.minimum(said / names.lengths, 1.0)


def _in_folders(arrays: Arrays, query: Query) -> Floats:
    """The same of the name of the folder that it stands in, as it is written there."""
    rarity, said = np.zeros(arrays.files), np.zeros(arrays.files)
    names = arrays.file_names.folders
    for term, weight in query.naming.items():
        if len(places := names.saying(term)):
            rarity[places] += weight * rarity_of(arrays.files, len(places))
            said[places] += 1
    return _scaled(rarity) * np.minimum(said / names.lengths, 1.0)


def _located(arrays: Arrays, query: Query) -> Floats:
    """For each file the share of its name that a query says, times that of the name of its folder: `Http/Response.php`."""
    shares = np.zeros((2, arrays.files))
    names = arrays.file_names.files, arrays.file_names.folders
    for term in query.naming:
        for said, of in zip(shares, names, strict=True):
            for places, share in of.about(term):
                said[places] += share
    by_name, by_folder = (np.minimum(said / of.lengths, 1.0) for said, of in zip(shares, names, strict=True))
    return by_name * by_folder


def _norm(lengths: Floats) -> Floats:
    return SATURATION * (
        1 - LENGTH_SHARE + LENGTH_SHARE * lengths / max(float(lengths.sum()) / max(len(lengths), 1), 1.0)
    )


def _scaled(values: Floats) -> Floats:
    most = float(values.max(initial=0.0))
    return values / most if most else values


def _places(values: Floats, by_place: Floats) -> Floats:
    """Returns the worth of each value's place, the largest value first. Equals are placed by position."""
    held = values != 0
    some = np.flatnonzero(held)
    worth = np.empty(len(values))
    worth[some[np.argsort(-values[some], kind="stable")]] = by_place[: len(some)]
    worth[~held] = by_place[len(some) : len(values)]
    return worth


def _places_inside(values: Floats, arrays: Arrays) -> Floats:
    """The same among the units of each file. Values are 0 or more."""
    held = values != 0
    some = np.flatnonzero(held)
    # one key for both, the file and what is less than 1: nearly in order, which a stable sort makes good use of
    some = some[np.argsort(arrays.file[some] - BELOW_ONE * _scaled(values[some]), kind="stable")]
    before = np.cumsum(held) - held
    inside = before - before[arrays.first[:-1]][arrays.file]
    place = np.empty(len(values), dtype=np.int64)
    place[some] = inside[held]
    counts = np.bincount(arrays.file[some], minlength=arrays.files)
    place[~held] = (counts[arrays.file] + arrays.number_inside - inside)[~held]
    return arrays.by_place[place]
