"""Words by number, and which of them are about a term: looked for as text, since most words are about few terms."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, count, islice
from typing import TYPE_CHECKING, NamedTuple

from allocator.ranking.stems import haystack_of, is_inside, needle_of, stems_in, terms_in, words_in
from workspace.cancellation import still_wanted, stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

AT_ONCE = 2000
"""Words that are taken apart between two looks at whether the call is still wanted."""


class Vocabulary:
    """Words and terms by number; it only grows. Threads may share it: its lock is held for the words of one file.

    Attributes:
        words: all words by number; more may be added at the end.
    """

    def __init__(self) -> None:
        self._numbers = defaultdict[str, int](count().__next__)
        self.words: list[str] = []
        self._having: dict[str, tuple[int, tuple[int, ...]]] = {}
        """For terms that were asked for: in how many spellings they were looked for, and the words that are about them."""
        self._spellings: list[_Spelling] = []
        self._paths: dict[str, tuple[str, ...]] = {}
        self._stems: dict[int, int] = {}
        self._spelt = 0
        self._lock = threading.Lock()

    def numbered(self, words: Iterable[str]) -> list[int]:
        """The numbers of some words; a new word is given one."""
        numbers, known = self._numbers, self.words
        with self._lock:
            found = [*map(numbers.__getitem__, words)]
            if new := len(numbers) - len(known):
                known += reversed([*islice(reversed(numbers), new)])
        return found

    def number(self, word: str) -> int:
        """The number of a word; -1 where it has none."""
        return self._numbers.get(word, -1)

    def about(self, path: str) -> tuple[str, ...]:
        """Returns the terms that a path is about."""
        found = self._paths.get(path)
        if found is None:
            found = tuple(dict.fromkeys(term for word in words_in(path) for term in terms_in(word)))
            self._paths[path] = found
        return found

    def stems(self, words: Iterable[int]) -> list[int]:
        """Returns how many stems some words have, 1 at the least."""
        counts = self._stems
        found: list[int] = []
        for word in words:
            stems = counts.get(word)
            if stems is None:
                stems = counts[word] = max(len(stems_in(self.words[word])), 1)
            found.append(stems)
        return found

    def having(self, term: str) -> Sequence[int]:
        """The words that are about a term, in order."""
        self._spell()
        known = self._spellings[:]
        searched, found = self._having.get(term, (0, ()))
        needle = needle_of(term)
        for spelling in still_wanted(known[searched:]):
            found = (*found, *(one for one in spelling.perhaps(needle) if term in terms_in(self.words[one])))
        self._having[term] = len(known), found
        return found

    def _spell(self) -> None:
        """Has all words as text that terms are looked for in."""
        while (start := self._spelt) < len(self.words):
            stop_if_cancelled()
            words = self.words[start : start + AT_ONCE]
            spelling = _Spelling.of(start, words)
            with self._lock:
                if self._spelt == start:  # no other call was faster
                    self._spellings.append(spelling)
                    self._spelt = start + len(words)


class _Spelling(NamedTuple):
    """Some words, one behind the other, as `haystack_of` spells them."""

    start: int
    """The number of the first."""
    text: str
    written: str
    """The same characters as they are written; blanks for words that are longer or shorter in lower case."""
    ends: Sequence[int]
    """For each where the next one starts."""

    @staticmethod
    def of(start: int, words: Sequence[str]) -> _Spelling:
        forms = [f"{word}\n{word.replace('_', '')}\0" if "_" in word else f"{word}\0" for word in words]
        if (written := "".join(forms)).isascii():  # then `haystack_of` makes small letters of it and nothing else
            return _Spelling(start, written.lower(), written, [*accumulate(map(len, forms))])
        lines = [f"{haystack_of(word)}\0" for word in words]
        alike = (one if len(one) == len(line) else " " * len(line) for one, line in zip(forms, lines, strict=True))
        return _Spelling(start, "".join(lines), "".join(alike), [*accumulate(map(len, lines))])

    def perhaps(self, needle: str) -> Sequence[int]:
        """The numbers of the words that may be about a term, in order, and perhaps of others.

        A term is the beginning of a part of a word, or of all of it; no part begins with a small letter behind a letter.
        """
        found: list[int] = []
        at = self.text.find(needle)
        while at >= 0:
            if is_inside(self.written, at):
                at = self.text.find(needle, at + 1)
                continue
            place = bisect_right(self.ends, at)
            found.append(self.start + place)
            at = self.text.find(needle, self.ends[place])
        return found
