"""Puts all definitions in one order by their importance to a reader who knows nothing yet, judged by the code alone.

Files that are source, and neither tests nor generated, vote: a file votes for the definitions whose names it holds, but
for those that it cannot mean (`allocator.overview.meanings`). The weight of a definition grows with the
number of files that name it and with their own rank (PageRank over the graph of files and names), with its size, with
the documentation that names it, and where a root of the package names it; it shrinks where many others have the same
name, where it is private, where it stands among tests, where its name is a word that holds sentences together, and the
deeper it lies. `FACTORS` says how much of each. They were chosen on the half `tune`
of `benchmarks/overview`; how lately and how often git saw a file change was tried and added nothing there.
"""

from __future__ import annotations

import re
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from allocator.overview.meanings import Meanings, SurveyedFile
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from skeleton.index.survey import Survey

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

FACTORS: Mapping[str, float] = MappingProxyType(
    {
        "named": 0.8,
        "homonyms": -0.7,
        "rank": 0.3,
        "documented": 0.5,
        "exported": 0.6,
        "hidden": -0.9,
        "depth": -0.4,
        "size": 0.2,
        "value": -0.7,
        "own": -1.0,
        "scope": -1.6,
        "elsewhere": -3.0,
        "plain": -0.8,
        "prose": -1.0,
        "test": -3.0,
        "repeated": -1.0,
        "constructor": -0.6,
        "special": -1.2,
        "deprecated": -0.3,
        "folders": -0.12,
        "crowd": -0.1,
    }
)
"""The amount that each signal adds to the logarithm of a definition's weight."""

READING: Mapping[str, float] = MappingProxyType(
    {
        "named": 0.8,
        "homonyms": -0.9,
        "file": 0.4,
        "documented": 0.5,
        "exported": 0.6,
        "hidden": -0.9,
        "size": 0.5,
        "plain": -1.6,
        "prose": -3.0,
        "test": -3.0,
        "deprecated": -3.0,
        "folders": -0.12,
    }
)
"""Likewise for what is worth reading first: what is large, has a name of its own and stands in a file that much names. By
`FACTORS` alone the first were often small ones with common words for names (`clear`, `from`), which other files hold
because something else is called so."""

MOST_TO_READ = 400
"""Definitions that are put in the order of what to read."""

DAMPING = 0.85
STEPS = 20
MOST_HOMONYMS = 10
"""A name with more definitions than this passes no rank on."""

LEAST_RANK = 0.05
"""Added to the rank that votes bring, so that what has none differs little from what has next to none."""

SCOPES = frozenset({"module", "namespace", "impl", "extension", "package"})
"""Kinds that hold definitions and are none that a reader would look for by name."""

ADDING = frozenset({"impl", "extension"})
"""Those of them that add to a type."""

VALUES = frozenset({"constant", "variable", "field", "property", "member", "value", "enum_member"})
"""Kinds that hold a value; they say less than what can be called or made."""

ROOTS = frozenset({"__init__", "lib", "mod", "index"})
"""Names without ending of the files in which a package says what it offers."""

STARTS = frozenset({"main", "__main__"})
"""Names without ending of the files in which a program starts."""

_WORDS = (
    "a about above after again against all also always am an and any are as at be because been before being below between "
    "both but by can could did do does down during each either else ever every few for from further had has have having "
    "here how i if in into is it its just many may me might more most much must my neither never no none nor not now of off "
    "ok on once only onto or other our out over own same shall should so some such than that the their them then there "
    "these they this those through to too under until up upon us very was we were what when where whether which while who "
    "whom whose why will with within without would yes yet you your"
)
_TYPES = "bool int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t off_t size_t ssize_t time_t"
PROSE = frozenset((*_WORDS.split(), *_TYPES.split()))
"""Words that hold English sentences together, and types of the C library: in most files, whatever a definition is called."""

TESTS = re.compile(r"(?:^|[._])tests?(?:\.|$)")
"""A part of a qualified name that says that it holds the tests of a source file, inside it."""

OUTDATED = re.compile(r"(?i)(?:^|/)(?:deprec|defunct)[^/]*(?:/|$)")
"""A file or folder of what nobody is to use any more, by its name."""

NO_BODY = 1
"""Bytes behind the signature of a scope that holds nothing here: `mod proto;` says that there is a file."""

WITHOUT_ROOTS = (".go", ".java", ".kt", ".cs", ".swift", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m")
"""Endings of files of languages in which no name of a file says what a package offers."""

NEAR_ROOT = 3
"""Folders above a root of a package, at the most."""


class Standing(NamedTuple):
    """The outcome of the votes: the definitions in the order of importance, and the ranks of the files.

    Attributes:
        file: for every definition of the files that vote the place of its file, the most important definition first.
        place: likewise its place in the sketch of the file.
        rank: for every file the rank that votes bring it; 1 is the mean of those that vote.
        minor: the files that vote in a language that little of the whole is written in.
        to_read: the file and the place of the definitions that are most worth reading, the first the most.
        reading: all of them by that, each by its number among those that `file` and `place` tell of.
    """

    file: Ints
    place: Ints
    rank: Floats
    minor: frozenset[int]
    to_read: Sequence[tuple[int, int]]
    reading: Ints

    def by_reading(self) -> Iterator[tuple[int, int]]:
        """Yields the file and the place of all definitions, those most worth reading first."""
        yield from zip(self.file[self.reading].tolist(), self.place[self.reading].tolist(), strict=True)

    def with_last(self, files: Collection[int]) -> Standing:
        """Returns the same with the definitions of some files behind all others."""
        is_last = np.isin(self.file, np.array([*files], dtype=np.int64))
        order = np.argsort(is_last, kind="stable")
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        reading = number[self.reading]
        return self._replace(
            file=self.file[order],
            place=self.place[order],
            to_read=sorted(self.to_read, key=lambda one: one[0] in files),
            reading=reading[np.argsort(is_last[order][reading], kind="stable")],
        )

    def foremost(self, count: int) -> list[tuple[int, int]]:
        """The file and the place of the first so many definitions."""
        files: list[int] = self.file[:count].tolist()
        places: list[int] = self.place[:count].tolist()
        return list(zip(files, places, strict=True))


def standing(
    files: Sequence[SurveyedFile],
    surveys: Sequence[Survey],
    voters: Sequence[int],
    foreign: Mapping[int, frozenset[str]] = MappingProxyType({}),
) -> Standing:
    """Puts definitions in order.

    Args:
        files: all files.
        surveys: of each; of files that are neither source nor prose an empty one.
        voters: the places of those that vote and whose definitions are put in order.
        foreign: the names that some of them import from packages of others, by their places: no vote for what is called so here.
    """
    meanings = Meanings(files, surveys, voters, foreign)
    count = meanings.count
    definer, named = np.array(meanings.file, dtype=np.int64), np.array(meanings.name, dtype=np.int64)
    others = 1.0 - _adds_to_others(surveys, voters)
    homonyms = np.bincount(named, weights=others, minlength=count).astype(np.float64)
    homonyms[[*meanings.beside]] += [*meanings.beside.values()]
    voter, word = _mentions(surveys, voters, meanings)
    occurs = np.bincount(word, minlength=count).astype(np.float64)
    edges = _edges(voter, word, definer, named, homonyms, occurs)
    rank = _rank(edges, voters, len(files))
    voted = np.bincount(word, weights=rank[voter], minlength=count) if len(word) else np.zeros(count)
    prose = [place for place, file in enumerate(files) if file.tier is Tier.OTHER and not surveys[place].names]
    _, told = _mentions(surveys, prose, meanings)
    documented = np.bincount(told, minlength=count).astype(np.float64)
    _, offered = _mentions(surveys, _roots(files, voters), meanings)
    exported = np.bincount(offered, minlength=count) > 0
    signals = {
        "named": np.log(occurs + 1)[named],
        "homonyms": np.log(np.maximum(homonyms, 1.0))[named],
        "rank": np.log(voted + LEAST_RANK)[named],
        "documented": np.log1p(documented)[named],
        "exported": exported[named].astype(np.float64),
        "file": np.log(rank + LEAST_RANK)[definer],
    } | _own_signals(files, surveys, voters)
    score = _weighed(signals, FACTORS)
    known_by = _known_by(surveys, voters, meanings)
    most = np.maximum(occurs, occurs[known_by])
    made = np.bincount(named, weights=others * (1.0 - signals["declared"]), minlength=count)
    alike = np.where(made > 0, made, homonyms)
    met = signals | {"named": np.log(most + 1)[named], "homonyms": np.log(np.maximum(alike, 1.0))[named]}
    reading = np.argsort(-np.round(_weighed(met, READING), 6), kind="stable")
    score += FACTORS["repeated"] * np.log1p(_before(named, score))
    order = np.argsort(-np.round(score, 6), kind="stable")
    place = np.array(meanings.place, dtype=np.int64)
    files_to_read: list[int] = definer[reading[:MOST_TO_READ]].tolist()
    places_to_read: list[int] = place[reading[:MOST_TO_READ]].tolist()
    to_read = list(zip(files_to_read, places_to_read, strict=True))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return Standing(definer[order], place[order], rank, meanings.minor, to_read, number[reading])


def _adds_to_others(surveys: Sequence[Survey], voters: Sequence[int]) -> Floats:
    """Tells of every definition whether it adds to what is defined elsewhere, as `impl T`: that is no other thing called so."""
    return _told(kind in ADDING for file in voters for kind in surveys[file].kinds)


def _known_by(surveys: Sequence[Survey], voters: Sequence[int], meanings: Meanings) -> Ints:
    """For the number of every name that of the alias by which others know the type, or itself."""
    known_by = np.arange(meanings.count)
    for file in voters:
        for name, alias in surveys[file].aliases:
            for own, other in zip(*(meanings.mentioned(file, (one,)) for one in (name, alias)), strict=False):
                known_by[own] = other
    return known_by


def _weighed(signals: Mapping[str, Floats], factors: Mapping[str, float]) -> Floats:
    """The sum of the signals that have a factor."""
    count = len(next(iter(signals.values())))
    return sum((signal * factors.get(name, 0.0) for name, signal in signals.items()), np.zeros(count))


def _before(named: Ints, score: Floats) -> Floats:
    """For every definition how many of the same name have a better score."""
    order = np.lexsort((np.arange(len(named)), -np.round(score, 6), named))
    begins = np.flatnonzero(np.diff(named[order], prepend=-1))
    counts = np.diff(begins, append=len(named))
    before = np.zeros(len(named))
    before[order] = np.arange(len(named)) - np.repeat(begins, counts)
    return before


def _mentions(surveys: Sequence[Survey], files: Iterable[int], meanings: Meanings) -> tuple[Ints, Ints]:
    """Pairs of a file and the number of a name that it holds.

    Args:
        surveys: of all files.
        files: those that are looked at.
        meanings: the names.
    """
    file_of: list[int] = []
    word_of: list[int] = []
    for file in files:
        held = meanings.mentioned(file, surveys[file].words)
        file_of += [file] * len(held)
        word_of += held
    return np.array(file_of, dtype=np.int64), np.array(word_of, dtype=np.int64)


def _edges(
    voter: Ints, word: Ints, definer: Ints, named: Ints, homonyms: Floats, occurs: Floats
) -> tuple[Ints, Ints, Floats]:
    """An edge from each file to each other that defines a name which it holds; rare names of one meaning weigh most."""
    usable = homonyms[word] <= MOST_HOMONYMS if len(word) else np.zeros(0, dtype=np.bool_)
    voter, word = voter[usable], word[usable]
    by_name = np.argsort(named, kind="stable")
    starts = np.searchsorted(named[by_name], np.arange(len(homonyms) + 1))
    counts = (starts[word + 1] - starts[word]) if len(word) else np.zeros(0, dtype=np.int64)
    begin = np.repeat(voter, counts)
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    end = definer[by_name][np.repeat(starts[word], counts) + within] if len(begin) else begin
    weight = np.repeat(1.0 / (np.maximum(homonyms[word], 1.0) * np.sqrt(np.maximum(occurs[word], 1.0))), counts)
    other = begin != end
    return begin[other], end[other], weight[other]


def _rank(edges: tuple[Ints, Ints, Floats], voters: Sequence[int], files: int) -> Floats:
    """PageRank of the files; 1 is the mean of those that vote."""
    begin, end, weight = edges
    start = np.zeros(files)
    start[list(voters)] = 1.0
    leaving = np.bincount(begin, weights=weight, minlength=files)
    share = weight / leaving[begin] if len(begin) else weight
    here = start
    for _ in range(STEPS):
        arrived = np.bincount(end, weights=here[begin] * share, minlength=files)
        lost = (start.sum() - arrived.sum()) / max(1, len(voters))
        here = (1 - DAMPING) * start + DAMPING * (arrived + lost * start)
    return here


def _roots(files: Sequence[SurveyedFile], voters: Sequence[int]) -> list[int]:
    """The voting files in which a package says what it offers, or uses it first."""
    return [place for place in voters if files[place].path.count("/") <= NEAR_ROOT and _is_root(files[place].path)]


def _is_root(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    own = name.partition(".")[0]
    return own in STARTS or (own in ROOTS and not name.endswith(WITHOUT_ROOTS))


def _own_signals(files: Sequence[SurveyedFile], surveys: Sequence[Survey], voters: Sequence[int]) -> dict[str, Floats]:
    """Returns the signals that definitions give of themselves, whoever names them; and which functions are only declared."""
    own = [surveys[file] for file in voters]
    counts = [len(survey.names) for survey in own]
    kinds = [kind for survey in own for kind in survey.kinds]
    names = [name for survey in own for name in survey.names]
    bodies, ends = _numbers(survey.bodies for survey in own), _numbers(survey.ends for survey in own)
    scopes, values = _told(kind in SCOPES for kind in kinds), _told(kind in VALUES for kind in kinds)
    hidden = np.frombuffer(b"".join(survey.hidden for survey in own), np.uint8).astype(np.float64)
    return {
        "hidden": hidden,
        "depth": _told("." in container for survey in own for container in survey.containers),
        "size": np.log1p(_numbers(survey.sizes for survey in own)),
        "value": values,
        "own": hidden * values,
        "scope": scopes,
        "elsewhere": scopes * (bodies + NO_BODY >= ends),
        "declared": np.array([kind == "function" for kind in kinds], dtype=np.float64) * (bodies + NO_BODY >= ends),
        "plain": _told(name.isalpha() and name.islower() for name in names),
        "prose": _told(name.lower() in PROSE for name in names),
        "test": _told(
            is_test(container, name, kind)
            for survey in own
            for container, name, kind in zip(survey.containers, survey.names, survey.kinds, strict=True)
        ),
        "constructor": _told(kind == "constructor" for kind in kinds),
        "special": _told(name.startswith("__") for name in names),
        "deprecated": np.maximum(
            np.frombuffer(b"".join(survey.deprecated for survey in own), np.uint8).astype(np.float64),
            np.repeat(_told(OUTDATED.search(files[file].path) is not None for file in voters), counts),
        ),
        "folders": np.repeat([float(files[file].path.count("/")) for file in voters], counts),
        "crowd": np.repeat(np.log1p(np.array(counts, dtype=np.float64)), counts),
    }


def is_test(container: str, name: str, kind: str) -> bool:
    """Tells whether a definition stands in what is called after tests, or is that itself."""
    return TESTS.search(container) is not None or (kind in SCOPES and TESTS.search(name) is not None)


def _numbers(of_files: Iterable[Iterable[int]]) -> Floats:
    return np.array([*chain.from_iterable(of_files)], dtype=np.float64)


def _told(facts: Iterable[bool]) -> Floats:
    """Returns 1 for what is true of a definition and 0 for what is not."""
    return np.array([*facts], dtype=np.float64)
