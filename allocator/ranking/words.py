"""Words as a ranking compares them: identifiers taken apart, lower case, stemmed; and what a query asks for.

`HTTPServer.load_config` is about `http`, `server`, `load` and `config`; `loading` is about `load`. An identifier of
several parts is also a word of its own (`loadconfig`), which is rare and therefore weighs much: a query that names one
in either spelling finds it. Stemming takes off the common endings of English and nothing else: it has to treat a code
base and a query alike, not to find roots.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

import msgspec

REPEATED = 1.0
"""How fast repeating a word in a query adds to its weight."""
MOST_TERMS = 64
"""Words of a query that are looked up, those of most weight first."""
LEAST_ROOT = 3
"""Letters that are left of a word at the least."""
SUBJECT = 1.0
"""What standing in the first line adds to the weight of a word."""

_WORD = re.compile(r"[0-9A-Za-z_\u0080-\U0010ffff]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]+")
_PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)+|[\w-]+\.[A-Za-z]{1,5}\b")

_COMMON = frozenset(
    _WORD.findall(
        """
        a about also an and are as at be because been being but by can cannot could did do does doing done for from had
        has have having how however i if in instead into is it its just let like may me might must my no nor of on or our
        rather shall she should since so still such than that the their them then there these they this those though thus
        to too upon us very via was we well were what when where whether which while who whom why will with within
        without would yet you your
        """
    )
)
"""English words that say nothing about a subject."""


_ENDINGS = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ations", "ate"), ("ation", "ate"),
    ("ings", ""), ("ators", "ate"), ("ator", "ate"), ("ities", ""), ("ments", "ment"), ("ingly", ""), ("edly", ""),
    ("sses", "ss"), ("ying", "y"), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ity", ""), ("ers", ""), ("ors", ""),
    ("ed", ""), ("er", ""), ("or", ""), ("es", "e"), ("ly", ""), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
"""The endings that a word may lose, each with what takes its place; the first that fits counts."""
_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=200_000)
def stem(part: str) -> str:
    """A word in lower case without its English ending: `loads`, `loading`, `loaded` and `loader` are `load`."""
    for ending, instead in _ENDINGS:
        if part.endswith(ending):
            root = part[: -len(ending)]
            if len(root) >= LEAST_ROOT and _VOWEL.search(root):
                part = root + instead
            break
    if len(part) > LEAST_ROOT and part[-1] == part[-2] and part[-1] not in "aeiouls":
        part = part[:-1]
    return part[:-1] if len(part) > LEAST_ROOT and part[-1] == "e" else part


def terms_in(word: str) -> tuple[str, ...]:
    """What a word or an identifier is about, each term once: the stems of its parts, and the whole if it has several."""
    parts = [part.lower() for part in _PART.findall(word)]
    terms = [stem(part) for part in parts if len(part) > 1 or not part.isascii()]
    if len(parts) > 1:
        terms.append(whole(word))
    return tuple(dict.fromkeys(terms))


def whole(word: str) -> str:
    """An identifier as one term, the same in every spelling."""
    return word.replace("_", "").lower()


def words_in(text: str) -> list[str]:
    """The words of a text, as written."""
    return _WORD.findall(text)


TEST_TERMS = frozenset({"test", "spec"})
"""What a query says that is about tests."""


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for.

    Attributes:
        terms: each with its weight.
        subject: those of the first line.
        paths: what is spelt like a file, or like the end of a path.
    """

    terms: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    subject: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()


def query_of(text: str, *, subject: float = SUBJECT) -> Query:
    """Reads a query: what it repeats, and what its first line says, counts more.

    Args:
        text: in words.
        subject: what standing in the first line adds to the weight of a word.
    """
    first_line, _, _ = text.strip().partition("\n")
    counts: dict[str, int] = {}
    written = [word for word in words_in(text) if len(word) > 1]
    for word in written:
        if word.lower() not in _COMMON:
            for term in terms_in(word):
                counts[term] = counts.get(term, 0) + 1
    first = {term for word in words_in(first_line) for term in terms_in(word)}
    weights = {
        term: 1 + REPEATED * math.log(count) + (subject if term in first else 0.0) for term, count in counts.items()
    }
    return Query(
        terms=dict(sorted(weights.items(), key=lambda item: -item[1])[:MOST_TERMS]),
        subject=frozenset(first),
        paths=tuple(dict.fromkeys(_PATH.findall(text))),
    )
