r"""Counts the tokens of `o200k_base` exactly, from the ranks of its tokens alone.

tiktoken's native part builds tables of its own, which takes a process most of a fifth of a second before its first
count; the dict of ranks is there in a tenth of that. Short-lived processes count little, and count it here.

A text is parted into words as tiktoken's expression parts it, and a word is counted by merging its pairs of bytes, the one
of the lowest rank first; each word once, as code says the same words again and again. The standard library's
expressions know no Unicode categories, so in a text that is not ASCII every character is first replaced by one that stands for its
category: a letter, a digit, a blank or a sign. What that cannot tell is refused, and tiktoken counts it:

- characters that the Unicode tables of this Python do not know, and halves of surrogate pairs;
- the long s, which the expression takes for an s in `'s`;
- words of more than `LONGEST` bytes: to merge them pair by pair takes the square of their length.

Source: the expression and the merging are those of tiktoken (`tiktoken_ext/openai_public.py`, `src/lib.rs`; MIT).
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate, pairwise, starmap
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LONGEST: Final = 1000
"""Bytes of a word that is merged here."""

MOST_WORDS: Final = 1 << 16
"""Words whose counts are remembered."""

_BLANKS: Final = frozenset({0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000})
"""Those beyond ASCII that `\\s` of the expression stands for."""

_LONG_S: Final = "\u017f"
_CASELESS: Final = "\x01"
"""Stands for letters without a case, which are part of words of either."""

_MARK: Final = "\x02"
"""Stands for marks, which are the same and signs as well."""

_STANDS_FOR: Final[Mapping[str, str]] = {
    "Lu": "A",
    "Lt": "A",
    "Ll": "a",
    **dict.fromkeys(("Lm", "Lo"), _CASELESS),
    **dict.fromkeys(("Mn", "Mc", "Me"), _MARK),
    **dict.fromkeys(("Nd", "Nl", "No"), "0"),
}
"""The character that stands for each category; a sign, for those that are missing."""

_SIGN: Final = "!"
_UNKNOWN: Final = frozenset({"Cn", "Cs"})


def _words(caseless: str = "", mark: str = "") -> re.Pattern[str]:
    """The expression of `o200k_base` for text of ASCII alone; some of its characters may stand for others."""
    letter = f"A-Za-z{caseless}"
    lower, upper = f"[a-z{caseless}{mark}]", f"[A-Z{caseless}{mark}]"
    word = rf"{upper}*{lower}+|{upper}+" if caseless else rf"{lower}++|{upper}++{lower}*+"
    return re.compile(
        rf"[^\r\n0-9{letter}]?(?:{word})(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?+"
        r"|[0-9]{1,3}+"
        rf"| ?[^\s0-9{letter}]++[\r\n/]*+"
        r"|\s*[\r\n]++|\s+(?!\S)|\s++",
        re.ASCII,
    )


_OF_ASCII: Final = _words()
_OF_REPLACED: Final = _words(_CASELESS, _MARK)
_NO_RANK: Final = 1 << 32


class UncountableError(ValueError):
    """Raised for a text that tiktoken has to count."""


class BytePairCounter:
    """Counts tokens of `o200k_base`. Threads may share it.

    Args:
        tokens: its tokens in the order of their ranks.
    """

    def __init__(self, tokens: Sequence[bytes]) -> None:
        self._counts = _Counts(dict(zip(tokens, range(len(tokens)), strict=True)))
        self._replaced = _Replaced()

    def count(self, text: str) -> int:
        """Returns how many tokens a text is.

        Raises:
            UncountableError: it holds what only tiktoken can count.
        """
        return sum(map(self._counts.__getitem__, self._parted(text)))

    def _parted(self, text: str) -> Iterable[str]:
        if text.isascii():
            return _OF_ASCII.findall(text)
        ends = accumulate(map(len, _OF_REPLACED.findall(text.translate(self._replaced))), initial=0)
        return map(text.__getitem__, starmap(slice, pairwise(ends)))


class _Counts(dict[str, int]):
    """The tokens of words, counted when they are first asked for."""

    def __init__(self, ranks: Mapping[bytes, int]) -> None:
        super().__init__()
        self._ranks = ranks

    def __missing__(self, word: str) -> int:
        encoded = word.encode()
        tokens = 1 if encoded in self._ranks else self._merged(encoded)
        if len(self) >= MOST_WORDS:
            self.clear()
        self[word] = tokens
        return tokens

    def _merged(self, word: bytes) -> int:
        """The parts that are left of a word when no two neighbours are a token together."""
        if len(word) > LONGEST:
            raise UncountableError
        rank = self._ranks.get
        parts = [word[at : at + 1] for at in range(len(word))]
        pairs = [rank(word[at : at + 2], _NO_RANK) for at in range(len(word) - 1)]
        while pairs and (least := min(pairs)) < _NO_RANK:
            at = pairs.index(least)
            parts[at] += parts.pop(at + 1)
            del pairs[at]
            if at:
                pairs[at - 1] = rank(parts[at - 1] + parts[at], _NO_RANK)
            if at < len(pairs):
                pairs[at] = rank(parts[at] + parts[at + 1], _NO_RANK)
        return len(parts)


class _Replaced(dict[int, str]):
    """The stand-ins of characters, found when one is first met: a table for `str.translate`."""

    def __missing__(self, point: int) -> str:
        replacement = self[point] = _replacement(chr(point))
        return replacement


def _replacement(character: str) -> str:
    if character.isascii():
        return _SIGN if character in {_CASELESS, _MARK} else character
    if ord(character) in _BLANKS:
        return "\t"
    category = unicodedata.category(character)
    if category in _UNKNOWN or character == _LONG_S:
        raise UncountableError
    return _STANDS_FOR.get(category, _SIGN)
