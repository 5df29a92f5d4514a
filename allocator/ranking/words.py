"""Reads a query: the terms that are looked up, each with its weight, and of which kind it is.

Its words are taken apart and stemmed as those of the code are (`allocator.ranking.stems`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from allocator.ranking.languages import languages_in
from allocator.ranking.pointers import Pointers
from allocator.ranking.stems import parts_of, stem, terms_in, whole, words_in
from skeleton.index.terms import LONGEST_WORD
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

REPEATED = 1.0
"""The rate at which repeating a word in a query adds to its weight."""
MOST_TERMS = 128
"""Terms of a query that are looked up, those of most weight first."""
MOST_WORDS = 6_000
"""Different words of a query that are read, the first ones."""
LONGEST_NAME = 256
"""Characters of a word, parts and all, that is read; a longer one is data."""
SUBJECT = 1.0
"""The addition to the weight of a word that stands in the first line."""

_CODE = re.compile(r"`([^`\n]{1,120})`|\b(\w*[a-z0-9]_\w*|_\w+|\w*[a-z][A-Z]\w*|\w{1,120}(?=\())")
"""Code in a text: between grave accents, or names such as prose has none."""


def listed(words: str) -> frozenset[str]:
    """Reads a list of words with blanks between them."""
    return frozenset(words.split())


_COMMON = listed(
    """
    a about also an and are as at be because been being but by can cannot could did do does doing done for from had
    has have having how however i if in instead into is it its just let like may me might must my no nor of on or our
    rather shall she should since so still such than that the their them then there these they this those though thus
    to too upon us very via was we well were what when where whether which while who whom why will with within
    without would yet you your
    """
)
"""English words that say nothing about a subject."""

_TOGETHER = re.compile(r"(?<![^\W\d_])([a-zA-Z]{2,40})[ -](?=([a-zA-Z]{2,40})\b)")
"""Words that stand side by side."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)(?!.*(?:```|~~~))")
_NO_PROSE = re.compile(r"    |\t|>>>|[ \t]*(?:File \"|[-*] \[.\]|\*\*.*\*\*[ \t\r]*$)|#+ ")
"""Beginnings of lines that are code, frames of a stack, or of a form: boxes to tick, headings."""

_ASKS = re.compile(
    r"\s*(?:(?:hi|hello|please|so|and)\W+)?(?:how|where|what|which|who|why|when|can|could|does|do|is|are|explain|find|show"
    r"|tell|describe)\b",
    re.IGNORECASE,
)
_NEAR = r"(?:[^?.\n]|\.(?=\w)){0,80}"
"""Words of one sentence: a full stop inside a name ends none."""

_FOR_USERS = re.compile(
    r"\b(?:who|what|which(?: \w+){0,3}) (?:all )?(?:calls?|uses?|invokes?)\b"
    r"|\bcall(?:ers|er| sites?) of\b|\busages? of\b|\breferences to\b|\b(?:call|us)ed from\b"
    rf"|\bwhere(?: in(?: \w+){{1,3}})? (?:is|are|does|do)\b{_NEAR}\b(?:called|used|invoked)\b(?! by\b)"
    rf"|\bhow (?:is|are)\b{_NEAR}\b(?:called|used|invoked)(?: (?:in|across|throughout)\b|[ \t]*(?:[?.,;\n]|\Z))",
    re.IGNORECASE,
)
"""Questions that ask for what calls something."""

LONGEST_QUESTION = 300
"""Characters of a question; a longer text is an issue, whatever it begins with."""

LONGEST_MESSAGE = 600
"""Characters of a text that says what is to be done; a longer one is an issue, which says much besides."""

LONGEST_SUBJECT = 120
"""Characters of a line that names what a reader looks for."""

LONGEST_TITLE = 1000
"""Characters of a first line that a query is about: what follows in it is its text."""

_CHANGE = listed(
    """
    add adjust allow apply avoid bump change check clarify clean cleanup convert correct create delete deprecate disable
    document drop enable ensure extend fix ignore implement improve include increase introduce make merge migrate move
    optimize preserve prevent provide reduce refactor remove rename replace resolve restore return revert rewrite simplify
    skip suppress switch tweak unify update upgrade use
    """
)
"""Verbs that texts begin with which say what is to be done: those that most commits of the repositories begin with that
the factors of commits were fitted to."""

_MAKING = listed("add adding adds allow create enable implement introduce let make offer provide support")
"""Verbs of texts that ask for what is not there yet."""

_TASK = re.compile(r"\W*(?:[\w./-]{1,40}(?:\([^()\n]{0,40}\))?!?:\s|([a-z]+)\b)", re.IGNORECASE)
"""The beginning of a line that says what is to be done, `parser: …` or `fix(parser): …`; or the first word of a line."""

_FRAME = listed(
    """
    actually call called calls code come comes decide decided decides define defined defines describe do
    does done exactly explain find finds found function functions get gets give go goes handle handled
    handles happen happened happening happens implement implementation implemented implements inside know
    live lives locate located location look looks made make makes mechanism need needs part parts place
    places project put repo repository responsible show shows take taken takes tell thing things turn turned
    understand use used uses using want way work worked working works
    """
)
"""Words that questions are made of: in the name of a definition they may be its subject, elsewhere they say nothing."""
UNTOLD = listed(
    """
    after again all always any anymore before between both during each either else even every ever few here
    many more most much neither never not now off only other out over own same seem seems some something
    still through too under until up very yet
    """
)
"""Words that no one asks about: they say as little of a subject, in a question and in a report, `it is not sent again`."""

FRAME_WEIGHT = 0.3
"""The weight of such words in a question, for each that another weighs."""

VERB_WEIGHT = 0.6
"""The share of its weight that the verb keeps which a text begins with, and does not say again: it is not what that is about."""

LATER = 0.85
"""The rate at which the words of a question lose weight, one after the other: most begin with what they are about."""
LATEST = 0.3
"""The share of its weight that a word keeps wherever it stands."""

TEST_TERMS = frozenset({"test", "spec"})
"""The words of a query that is about tests."""


def rarity_of(total: int, holding: int) -> float:
    """Returns how much a word tells that so many of all hold, as BM25 has it: the more, the fewer they are."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


class Kind(StrEnum):
    """The kinds of queries, each with factors of its own."""

    PLAIN = "plain"
    """It says what is to be done, as the message of a commit does."""
    ISSUE = "issue"
    """It is as long as an issue, a report or a log."""
    QUESTION = "question"
    """It asks, or it names what is looked for: a symbol, or a subject in a few words."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """The query, read.

    Attributes:
        terms: each with its weight.
        frame: those that questions and reports are made of: they count in names alone.
        own: those of the name of the project, where it says something else as well: they count in no names.
        words: the first of its words that say something and are no longer than one of a file, as written, each with its
            parts in lower case.
        together: its words that stand side by side and may be one in the code, in lower case; of an issue none.
        subject: those of the first line.
        code: those of what is written as code.
        prose: of an issue those of its first line and of what is neither code nor of a form, each with its weight there.
        points: where it points by itself.
        kind: what it is like.
        cut: what of it is not looked up, in words; "" where all of it is.
        wants_new: whether it says that something is to be there that is not yet.
        wants_users: whether it asks for what calls, or uses, what it names.
        languages: those that it says what it asks for to be written in.
    """

    terms: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    frame: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    together: tuple[tuple[str, str], ...] = ()
    subject: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    prose: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    points: Pointers = Pointers()
    kind: Kind = Kind.PLAIN
    cut: str = ""
    wants_new: bool = False
    wants_users: bool = False
    languages: tuple[str, ...] = ()

    @property
    def naming(self) -> Mapping[str, float]:
        """The terms that names of things and of files may be about, each with its weight."""
        return {term: weight for term, weight in self.terms.items() if term not in self.own} if self.own else self.terms

    @property
    def asks_for_tests(self) -> bool:
        """Tells whether it is about tests."""
        return not TEST_TERMS.isdisjoint(self.terms)


def query_of(text: str, *, subject: float = SUBJECT, later: float = LATER, kind: Kind | None = None) -> Query:
    """Reads a query: what it repeats, and what its first line says, counts more. Takes time in proportion to its length.

    Args:
        text: in words.
        subject: what standing in the first line adds to the weight of a word.
        later: of the part of its weight that a word of a question may lose, what is left of it one word later.
        kind: the kind that it is read as; by default what it looks like.
    """
    kind = kind or _kind_of(text)
    read = _read(text, kind, subject=subject, later=later)
    written, kept, first, frame, code = read.written, read.kept, read.first, read.frame, read.code
    prose: dict[str, float] = {}
    if kind is Kind.ISSUE:
        prose = _foremost(_weights(_counted(_prose_of(text))[1], first, frame, subject), frozenset())
    words = (
        (word, parts_of(word))
        for word in islice(written, MOST_WORDS)
        if len(word) <= LONGEST_WORD and word.lower() not in _COMMON
    )
    looked_up = (each for each in words if any(stem(part) in kept for part in each[1]))
    return Query(
        terms=kept,
        frame=frame,
        words=tuple(islice(looked_up, MOST_TERMS)),
        together=() if kind is Kind.ISSUE else _together_in(text, kept),
        subject=first - frame,
        code=code & kept.keys(),
        prose=prose,
        points=Pointers.of(text),
        kind=kind,
        cut=_cut(len(written), read.terms),
        wants_new=_wants_new(text),
        wants_users=kind is Kind.QUESTION and _FOR_USERS.search(text) is not None,
        languages=tuple(languages_in(text)) if kind is Kind.QUESTION else (),
    )


class _Read(NamedTuple):
    """The words of a text and their terms, with those that are looked up."""

    written: Counter[str]
    kept: dict[str, float]
    """The terms that are looked up, each with its weight."""
    first: frozenset[str]
    """The terms of its first line."""
    frame: frozenset[str]
    code: frozenset[str]
    terms: int
    """The number of all its terms."""


def _read(text: str, kind: Kind, *, subject: float = SUBJECT, later: float = LATER) -> _Read:
    """Reads the words of a text; arguments are those of `query_of`."""
    first_line, _, _ = text.strip()[:LONGEST_TITLE].partition("\n")
    written, counts = _counted(text)
    frame = _frame_of(text, written, kind)
    first = frozenset(term for word in {*words_in(first_line)} if len(word) <= LONGEST_NAME for term in terms_in(word))
    weights = _weights(counts, first, frame, subject)
    if (verb := _verb_of(text)) in first and counts.get(verb) == 1 and len(counts) > 1:
        weights[verb] *= VERB_WEIGHT
    if kind is Kind.QUESTION:
        weights = _less_later(weights, written, later)
    code = _code_of(text)
    return _Read(written, _foremost(weights, code), first, frame, code, len(weights))


def within(query: Query, project: str) -> Query:
    """Reads a query as one about a project: that its name is part of a name tells nothing where a question says more.

    Args:
        query: the query.
        project: the name of the project, in any spelling; "" for none.
    """
    name = whole(project.replace("-", "_").replace(".", "_"))
    own = {term for word, _ in query.words if whole(word) == name for term in terms_in(word)}
    others = {term for word, _ in query.words if whole(word) != name for term in terms_in(word)}
    if not own or others <= query.frame or query.kind is not Kind.QUESTION:
        return query
    own -= others
    terms = {term: weight for term, weight in query.terms.items() if term not in own or term == name}
    return replace(query, terms=terms, own=frozenset(own))


def _weights(
    counts: Mapping[str, int], first: AbstractSet[str], frame: AbstractSet[str], subject: float
) -> dict[str, float]:
    """Returns the weight of each term, given how often it is there, those of the first line and those of a question's frame."""
    return {
        term: (1 + REPEATED * math.log(count) + (subject if term in first else 0.0))
        * (FRAME_WEIGHT if term in frame else 1.0)
        for term, count in counts.items()
    }


def _foremost(weights: Mapping[str, float], code: AbstractSet[str]) -> dict[str, float]:
    """The terms that are looked up: those of most weight, and of equal ones those of code."""
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0] not in code))[:MOST_TERMS])


def _kind_of(text: str) -> Kind:
    if len(text) > LONGEST_MESSAGE:
        return Kind.ISSUE
    line = text.strip()
    if len(text) <= LONGEST_QUESTION and _ASKS.match(text):
        return Kind.QUESTION
    if "\n" in line or len(line) > LONGEST_SUBJECT or _says_what_to_do(line):
        return Kind.PLAIN
    return Kind.QUESTION


def _says_what_to_do(line: str) -> bool:
    """Tells whether a line of several words begins as that of a commit does, `fix …`, `Fixed …` or `parser: …`."""
    if " " not in line or not (match := _TASK.match(line)):
        return False
    if not (first := match[1]):
        return True
    word = first.lower()
    return not _CHANGE.isdisjoint({word, *(word.removesuffix(ending) for ending in ("s", "d", "es", "ed"))})


def _wants_new(text: str) -> bool:
    """Tells whether a text begins with a verb that says that something is to be there that is not yet: `parser: add …`."""
    return _opening_of(text) in _MAKING


def _verb_of(text: str) -> str:
    """The stem of the verb that a text begins with which says what is to be done, `Add a limit`; "" for none."""
    return stem(word) if (word := _opening_of(text)) in _CHANGE else ""


def _opening_of(text: str) -> str:
    """The first word of a text, or the first behind what it is to be done in, in lower case; "" for none."""
    if not (match := _TASK.match(text)):
        return ""
    return (match[1] or text[match.end() :].lstrip().partition(" ")[0]).lower()


def _code_of(text: str) -> frozenset[str]:
    """The terms of what is written as code in a text."""
    spans = dict.fromkeys(quoted or name for quoted, name in _CODE.findall(text))
    words = dict.fromkeys(word for span in spans for word in words_in(span) if 1 < len(word) <= LONGEST_NAME)
    return frozenset(
        term for word in islice(words, MOST_WORDS) if word.lower() not in _COMMON for term in terms_in(word)
    )


def foremost_terms(text: str) -> frozenset[str]:
    """The terms that `query_of` reads in a text, without what each weighs."""
    stop_if_cancelled()
    written = dict.fromkeys([word for word in words_in(text) if 1 < len(word) <= LONGEST_NAME])
    terms = frozenset(chain.from_iterable(map(_terms_said, islice(written, MOST_WORDS))))
    return terms if len(terms) <= MOST_TERMS else frozenset(_read(text, Kind.PLAIN).kept)


@lru_cache(maxsize=100_000)
def _terms_said(word: str) -> tuple[str, ...]:
    """The terms of a word that says something; none of another."""
    return () if word.lower() in _COMMON else terms_in(word)


def _counted(text: str) -> tuple[Counter[str], dict[str, int]]:
    """Returns how often a text has its words, and the terms of those that say something."""
    stop_if_cancelled()
    written = Counter([word for word in words_in(text) if 1 < len(word) <= LONGEST_NAME])
    counts: dict[str, int] = {}
    for word, times in islice(written.items(), MOST_WORDS):
        for term in _terms_said(word):
            counts[term] = counts.get(term, 0) + times
    return written, counts


def _prose_of(text: str) -> str:
    """Returns the first line of an issue, and what else of it is neither code nor of a form."""
    first, *others = _COMMENT.sub(" ", text.strip()).split("\n")
    lines = [first]
    is_fenced = False
    for line in others:
        if _FENCE.match(line):
            is_fenced = not is_fenced
        elif not is_fenced and not _NO_PROSE.match(line):
            lines.append(line)
    return "\n".join(lines)


def _frame_of(text: str, written: Iterable[str], kind: Kind) -> frozenset[str]:
    """The terms of a question that say nothing about its subject, unless it has no other."""
    asks = len(text) <= LONGEST_QUESTION and _ASKS.match(text) is not None
    untold = (_FRAME if asks else frozenset[str]()) | (UNTOLD if kind is Kind.QUESTION else frozenset[str]())
    asked = [word.lower() for word in written if word.lower() not in _COMMON]
    frame = {term for word in asked if word in untold for term in terms_in(word)}
    subject = {term for word in asked if word not in untold for term in terms_in(word)}
    return frozenset(frame - subject) if subject else frozenset()


def _together_in(text: str, kept: Mapping[str, float]) -> tuple[tuple[str, str], ...]:
    """The words of a text that stand side by side and are both looked up, in lower case, each two once."""
    pairs = ((first.lower(), second.lower()) for first, second in _TOGETHER.findall(text))
    return tuple(dict.fromkeys(pair for pair in pairs if all(stem(word) in kept for word in pair)))


def _less_later(weights: dict[str, float], written: Iterable[str], later: float) -> dict[str, float]:
    """The weights of the terms of a question, less the later they stand."""
    said = (word for word in written if word.lower() not in _COMMON)
    place_of: dict[str, int] = {}
    for place, word in enumerate(said):
        for term in terms_in(word):
            place_of.setdefault(term, place)
    return {term: weight * (LATEST + (1 - LATEST) * later ** place_of[term]) for term, weight in weights.items()}


def _cut(words: int, terms: int) -> str:
    """Returns what part of a query is not looked up, in words; "" where all of it is."""
    if words > MOST_WORDS:
        return f"only the first {MOST_WORDS:,} of {words:,} different words are read, and {MOST_TERMS} terms looked up"
    return f"the {MOST_TERMS} terms of most weight of {terms:,} are looked up" if terms > MOST_TERMS else ""
