r"""Counts the tokens of `o200k_base` exactly, from the ranks of its tokens alone.

tiktoken's native part builds tables of its own, which takes a process most of a fifth of a second before its first
count. Short-lived processes count little, and count it here: they look tokens up in the file of the vocabulary itself, by an
index that is bundled with it (`PackedTokens`). Who counts more words than that is worth has them in a dict, which takes a
twentieth of a second to build.

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
import sys
import unicodedata
from array import array
from itertools import accumulate, pairwise, starmap
from typing import TYPE_CHECKING, Final, Protocol
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

LONGEST: Final = 1000
"""Bytes of a word that is merged here."""

MOST_WORDS: Final = 1 << 16
"""Words whose counts are remembered."""

FEW_WORDS: Final = 6000
"""Words that are looked up in the file of the vocabulary before its tokens are put into a dict."""

BUCKETS: Final = 1 << 16
"""Lists that the index of a vocabulary parts its tokens into, by their checksums."""

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
        rf"[^\r\n0-9{letter}]?(?:{word})(?>(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?)"
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


class Ranks(Protocol):
    """Tells of a text whether it is a token, and which of two tokens has the lower rank."""

    def get(self, token: bytes, default: int, /) -> int:
        """Returns a number that is the greater, the higher the rank of a token is; the default for what is none."""
        ...


def ranks_of(tokens: Sequence[bytes]) -> dict[bytes, int]:
    """Returns the ranks of tokens in their order.

    Args:
        tokens: all of a vocabulary.
    """
    return dict(zip(tokens, range(len(tokens)), strict=True))


class PackedTokens:
    """The tokens of a vocabulary as they lie in its file: nothing is loaded, and each is looked up where it is.

    A list of texts in MessagePack is the header of the list and then for each text its own header and itself, so where a
    text starts stands for its rank.

    Args:
        content: the file, tokens of less than 256 bytes in the order of their ranks.
        index: what `index_of` gives for it.
    """

    def __init__(self, content: bytes, index: bytes) -> None:
        numbers = array("I")
        numbers.frombytes(index)
        if sys.byteorder == "big":
            numbers.byteswap()
        self._content = content
        self._numbers = numbers
        self._headers = [b"\xc4" + bytes([size]) for size in range(256)]

    def get(self, token: bytes, default: int, /) -> int:
        """As that of `Ranks`."""
        if len(token) >= len(self._headers):
            return default
        numbers, bucket, text = self._numbers, crc32(token) % BUCKETS, self._headers[len(token)] + token
        begins = self._content.startswith
        for at in numbers[numbers[bucket] : numbers[bucket + 1]]:
            if begins(text, at):
                return at
        return default


def index_of(tokens: Sequence[bytes], begin: int) -> bytes:
    """Returns the index of a vocabulary.

    It is numbers of 32 bits, the lowest byte first: where each list begins in it and the last one ends, then the lists,
    which hold where in the file of the vocabulary each token begins.

    Args:
        tokens: all of them, in the order of their ranks; each of less than 256 bytes.
        begin: the bytes of the file before the first.
    """
    lists: list[list[int]] = [[] for _ in range(BUCKETS)]
    for token in tokens:
        lists[crc32(token) % BUCKETS].append(begin)
        begin += 2 + len(token)
    numbers = array("I", accumulate(map(len, lists), initial=BUCKETS + 1))
    for held in lists:
        numbers.extend(held)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


class BytePairCounter:
    """Counts tokens of `o200k_base`. Threads may share it.

    Args:
        ranks: of its tokens.
        many: gives ranks that are quicker to look up, once many words were counted; None where these are.
    """

    def __init__(self, ranks: Ranks, many: Callable[[], Ranks] | None = None) -> None:
        self._counts = _Counts(ranks, many)
        self._replaced = _Replaced()

    def count(self, text: str) -> int:
        """Returns how many tokens a text is.

        Raises:
            UncountableError: it holds what only tiktoken can count.
        """
        return sum(map(self._counts.__getitem__, self._parted(text)))

    def expect_many(self) -> None:
        """Has many words be counted quickly from now on."""
        self._counts.expect_many()

    def _parted(self, text: str) -> Iterable[str]:
        if text.isascii():
            return _OF_ASCII.findall(text)
        ends = accumulate(map(len, _OF_REPLACED.findall(text.translate(self._replaced))), initial=0)
        return map(text.__getitem__, starmap(slice, pairwise(ends)))


class _Counts(dict[str, int]):
    """The tokens of words, counted when they are first asked for."""

    def __init__(self, ranks: Ranks, many: Callable[[], Ranks] | None) -> None:
        super().__init__()
        self._ranks = ranks
        self._many = many
        self._few = FEW_WORDS

    def expect_many(self) -> None:
        many, self._many = self._many, None
        if many is not None:
            self._ranks = many()

    def __missing__(self, word: str) -> int:
        if self._many is not None:
            self._few -= 1
            if self._few < 0:
                self.expect_many()
        encoded = word.encode()
        tokens = 1 if self._ranks.get(encoded, _NO_RANK) != _NO_RANK else self._merged(encoded)
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
