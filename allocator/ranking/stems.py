"""Words as a ranking compares them: identifiers taken apart, lower case, stemmed.

`HTTPServer.load_config` is about `http`, `server`, `load` and `config`; `loading` is about `load`. An identifier of
several parts is also a word of its own (`loadconfig`), which is rare and therefore weighs much: a query that names one
in either spelling finds it. Stemming takes off the common endings of English and nothing else: it has to treat a code
base and a query alike, not to find roots.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

from skeleton.index.terms import LONGEST_WORD

LEAST_ROOT = 3
"""Letters that are left of a word at the least."""

_WORD = re.compile(r"[0-9A-Za-z_\u0080-\U0010ffff]+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\x00-\x7f]+")

_ENDINGS = (
    ("ization", "ize"), ("ational", "ate"), ("fulness", "ful"), ("iveness", "ive"), ("ations", "ate"), ("ation", "ate"),
    ("ings", ""), ("ators", "ate"), ("ator", "ate"), ("ities", ""), ("ments", "ment"), ("ingly", ""), ("edly", ""),
    ("sses", "ss"), ("ying", "y"), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ity", ""), ("ers", ""), ("ors", ""),
    ("ed", ""), ("er", ""), ("or", ""), ("es", "e"), ("ly", ""), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
"""The endings that a word may lose, each with what takes its place; the first that fits counts."""
_ENDINGS_IN = {
    last: tuple(each for each in _ENDINGS if each[0][-1] == last) for last in {ending[-1] for ending, _ in _ENDINGS}
}
"""The same by their last letter."""
_VOWEL = re.compile("[aeiouy]")
_SMALL = frozenset(string.ascii_lowercase)
_LETTERS = frozenset(string.ascii_letters)


@lru_cache(maxsize=200_000)
def stem(part: str) -> str:
    """A word in lower case without its English ending: `loads`, `loading`, `loaded` and `loader` are `load`."""
    for ending, instead in _ENDINGS_IN.get(part[-1:], ()):
        if part.endswith(ending):
            root = part[: -len(ending)]
            if len(root) >= LEAST_ROOT and _VOWEL.search(root):
                part = root + instead
            break
    if len(part) > LEAST_ROOT and part[-1] == part[-2] and part[-1] not in "aeiouls":
        part = part[:-1]
    return part[:-1] if len(part) > LEAST_ROOT and part[-1] == "e" else part


@lru_cache(maxsize=100_000)
def stems_in(word: str) -> tuple[str, ...]:
    """The stems of the parts of a word or an identifier, each once."""
    return tuple(dict.fromkeys(map(stem, parts_of(word))))


@lru_cache(maxsize=100_000)
def terms_in(word: str) -> tuple[str, ...]:
    """Returns the terms of a word or an identifier, each once: the stems of its parts, and the whole of several.

    What is longer than the longest word of a file stands in none, and is left out.
    """
    if _is_plain(word):
        return stems_in(word)
    terms = [*stems_in(word)]
    if len(one := whole(word)) <= LONGEST_WORD and len(_PART.findall(word)) > 1:
        terms.append(one)
    return tuple(dict.fromkeys(terms))


def needle_of(term: str) -> str:
    """Returns the needle of a term in `haystack_of` a text about it: the term, less a last y, which may be of `ies`."""
    return _one_sigma(term.removesuffix("y"))


def haystack_of(text: str) -> str:
    """A text as `needle_of` finds terms in it.

    Endings are all that a stem loses and only `ies` and `ied` become something else, so what a text is about is spelt in
    it: in lower case, or that without what joins the parts of a name.
    """
    small = _one_sigma(text.lower())
    return f"{small}\n{small.replace('_', '')}" if "_" in small else small


def is_inside(written: str, at: int) -> bool:
    """Tells whether no part of a word begins at a place: a small letter behind a letter goes on with one.

    Args:
        written: the text as it is written.
        at: the place.
    """
    return at > 0 and written[at] in _SMALL and written[at - 1] in _LETTERS


def begins_in(needle: str, haystack: str, written: str) -> bool:
    """Tells whether a needle is in a text where a part of a word may begin.

    Args:
        needle: of a term, by `needle_of`.
        haystack: the text, by `haystack_of`.
        written: the same characters as they are written.
    """
    at = haystack.find(needle)
    while at >= 0 and is_inside(written, at):
        at = haystack.find(needle, at + 1)
    return at >= 0


def _one_sigma(small: str) -> str:
    """Spells the one letter alike that has another small form at the end of a word than inside."""
    return small if small.isascii() else small.replace("ς", "σ")


def parts_of(word: str) -> tuple[str, ...]:
    """The parts of a word or an identifier that say something, in lower case."""
    if _is_plain(word):
        return (word,) if 1 < len(word) <= LONGEST_WORD else ()
    return tuple(
        [
            part
            for part in map(str.lower, _PART.findall(word))
            if (len(part) > 1 or not part.isascii()) and len(part) <= LONGEST_WORD
        ]
    )


def _is_plain(word: str) -> bool:
    """Tells whether a word is its own only part, as most of prose are."""
    return word.isascii() and word.islower() and word.isalpha()


def whole(word: str) -> str:
    """An identifier as one term, the same in every spelling."""
    return word.replace("_", "").lower()


def words_in(text: str) -> list[str]:
    """The words of a text, as written."""
    return _WORD.findall(text)
