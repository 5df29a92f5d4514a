"""Reads what a query writes as the code does, a route, a variable of the environment, a key, a message, and finds its files.

A route may be put together: behind `/api/v1` stands `users/:id`. So its ends are looked for, too, where one says what a part
of it stands for: `:id`, `{id}`, or a number. A message may hold values, in whose place the code has `%s`, `{name}` or `#{name}`.
"""

from __future__ import annotations

import re
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from allocator.ranking.integers import distinct
from allocator.ranking.stems import words_in
from allocator.ranking.words import LONGEST_TITLE, Kind
from allocator.spend.needs import OVER_LINES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from allocator.ranking.arrays import Arrays, Longs
    from allocator.ranking.words import Query

MOST_QUOTES: Final = 8
"""Quotes of a query that are looked for, the first ones."""

LEAST_ROUTE: Final = 8
"""Characters of a route of one part: a shorter one may be anything."""

MOST_FILES: Final = 40
"""Files that have the words of a quote …"""

MOST_FILES_OF_SOME: Final = 12
"""… and likewise where it is some of its words alone, or nothing tells that it is one."""

_MARK: Final = "[\"'`]"
_QUOTED: Final = re.compile(r"(?<!\w)(?:\"([^\"\n]{6,120})\"|'([^'\n]{6,120})'|`([^`\n]{6,120})`)(?!\w)")
_VARIABLE: Final = re.compile(r"(?<!\w)_?[A-Z][A-Z0-9]{0,60}(?:_[A-Z0-9]{1,60}){1,20}(?!\w)", re.ASCII)
_KEY: Final = re.compile(r"(?<![\w./-])[a-z][\w-]{0,60}(?:\.[A-Za-z][\w-]{0,60}){1,12}(?![\w/(-])", re.ASCII)
_FLAG: Final = re.compile(r"(?<![\w-])--[a-z][\w-]{1,60}", re.ASCII)
_ROUTE: Final = re.compile(r"(?<![\w.:/*<])(?:/[\w.{}:<>*$-]{1,100}){1,20}", re.ASCII)
_STANDS_FOR: Final = re.compile(r"[:{<$*].*|\d+|(?=\D*\d)[0-9a-fA-F-]{8,}")
"""Parts of a route in whose place something else stands."""


_SAID: Final = re.compile(
    r"^[ \t]*(?:Exception in thread \"[^\"\n]*\" |Caused by: |Uncaught |Unhandled exception\. |---> |E +|\*\* \()?"
    r"(?:(?:[^\W\d][\w.:\\$]*)?(?:Error|Exception|Failure|Fault|Warning)|panic|(?i:fatal error|fatal|error|\[[\w -]{0,40}error\])|what\(\))"
    r"(?: \([^()\n]*\)|\))?:?[ \t](?P<said>[^\n]{6,200})$"
    r"|:in [`'][^'\n]{0,300}': (?P<of_ruby>[^\n]{6,200}) \([A-Z][\w:]*\)$"
    r"|\bpanicked at [^\n]{0,500}:\n(?P<below>[^\n]{6,200})$",
    re.MULTILINE,
)
"""The message of an error, behind its class or a word for it; of Ruby before that, of Rust on the next line."""

MOST_READ: Final = 100
"""Lines of a text that tell of errors and are read, the first ones."""

MOST_SAID: Final = 2
"""Messages of errors that are looked for, the first ones."""

_VALUE: Final = (
    r"(?:%(?:\(\w{1,60}\))?[-+# 0-9.]{0,8}[A-Za-z@]|[#$%]?\{[^{}\n]{0,80}\}|\{\{[^{}\n]{0,80}\}\}|\$\w{1,60})"
)
"""Code that a value of a message stands in the place of."""

_PART: Final = re.compile(r"(?P<before>[^\w\s]*)(?P<inner>\S*\w)(?P<behind>[^\w\s]*)")
_APART: Final = re.compile(r"(\W+)")
LEAST_SAID: Final = 3
"""Words of a message that say which files may hold it."""

LONGEST_MESSAGE: Final = 200
"""Characters of a query that may be a message by itself."""

MOST_TAILS: Final = 3
"""Ends of such a query, each behind a colon, that may be the message: a log says before it when and where."""

_BEGUN: Final = r"(?:[\"'`>]|^\s*[\w.-]{1,60}[ \t]?[:=][ \t])[^\"'`>\n]{0,80}"
"""The code before a message that nothing quotes: the mark that its text begins with, or the key of a table that holds it."""

_TAG: Final = r"</?[A-Za-z][^<>\n]{0,120}>"
"""A mark inside a text, as of a link or of what is bold."""

_GAP: Final = rf"(?:[\s\"'`+\\{{}}.()&|$/*#]|[A-Za-z](?=[\"'])|{_TAG}){{1,200}}"
"""The code between two words of a text that goes on below, in marks of its own there, or inside a tag."""

_SIGN: Final = {
    "'": r"(?:\\?'|[\u2018\u2019]|&apos;|&#0?39;|&[lr]squo;)",
    '"': r"(?:\\?\"|[\u201c\u201d]|&quot;|&#34;|&[lr]dquo;)",
    "&": r"(?:&amp;|&)",
    "<": r"(?:&lt;|<)",
    ">": r"(?:&gt;|>)",
    "\u2019": r"(?:\\?'|\u2019|&apos;|&#0?39;|&rsquo;)",
    "\u2026": r"(?:\u2026|\.\.\.|&hellip;)",
}
"""The ways in which code writes signs that a screen shows."""

_PIECE: Final = re.compile(r"(\s*)(\w+|[^\w\s])")

LEAST_OVER_LINES: Final = 4
"""Words of a text that may go on below: of fewer every word may stand there by chance."""

MOST_OVER_LINES: Final = 40
"""Words of it that are looked for, the first ones."""

_DONE: Final = r"[.!]?(?:[\"'`<]|\s*$)"
"""The code behind one of few words, which has to be the whole text."""


class Quote(NamedTuple):
    """A way in which lines may say what a query quotes.

    Attributes:
        pattern: of the lines, or of what stands on several (`OVER_LINES`).
        words: that stand in them, as they are written.
        most: files that have the words; in more of them it is nothing that leads anywhere.
    """

    pattern: str
    words: tuple[str, ...]
    most: int = MOST_FILES


def quotes_in(text: str) -> list[tuple[Quote, ...]]:
    """Returns what a text quotes: for each the ways to say it, the first that is found being meant.

    Args:
        text: the query.
    """
    found: dict[str, tuple[Quote, ...]] = {}
    for match in _QUOTED.finditer(text):
        said = next(filter(None, match.groups())).strip()
        if " " in said:
            found[said] = _ways_to_say(said)
    for one in _VARIABLE.findall(text):
        found[one] = (Quote(rf"(?<!\w){one}(?!\w)", (one,)),)
    for one in _KEY.findall(text):
        key = re.escape(one)
        found[one] = (Quote(rf"{_MARK}{key}{_MARK}|^[\s#;]*{key}\s*[:=]", _words(one)),)
    for one in _FLAG.findall(text):
        bare = re.escape(one.removeprefix("--"))
        found[one] = (Quote(rf"{_MARK}{bare}{_MARK}|--{bare}(?![\w-])", _words(one)),)
    for one in _ROUTE.findall(text):
        if ways := tuple(_ends(one)):
            found[one] = ways
    return [*found.values()][:MOST_QUOTES]


def messages_in(text: str) -> list[tuple[Quote, ...]]:
    """Returns what errors said of which a text tells, as a trace has it: for each the ways to say it.

    Args:
        text: the query.
    """
    said = (next(filter(None, match.groups())).strip() for match in islice(_SAID.finditer(text), MOST_READ))
    return [_ways_to_say(one) for one in islice(dict.fromkeys(one for one in said if " " in one), MOST_SAID)]


def bare_messages_in(text: str) -> list[tuple[Quote, ...]]:
    """Returns what a query may say as the code does though nothing around it tells so, as it is or behind a colon.

    Whoever has met a message asks with it and with nothing else. It is one where the code has all of it as a text.

    Args:
        text: the query; only one line can be such a message.
    """
    line = text.strip()
    if "\n" in line or len(line) > LONGEST_MESSAGE:
        return []
    tails = (line.split(": ", count)[count] for count in range(1, min(MOST_TAILS, line.count(": ")) + 1))
    return [_ways_to_mean(one) for one in dict.fromkeys((line, *tails)) if len(_words(one)) > 1]


def _ways_to_mean(message: str) -> tuple[Quote, ...]:
    is_short = len(message.split()) <= LEAST_SAID
    pattern = f"{_BEGUN}{re.escape(message)}{_DONE if is_short else ''}"
    as_it_is = Quote(pattern, _words(message), MOST_FILES_OF_SOME)
    return as_it_is, *_with_values(message, _BEGUN), *_over_lines(message)


def _ways_to_say(message: str) -> tuple[Quote, ...]:
    return (Quote(re.escape(message), _words(message)), *_with_values(message), *_over_lines(message))


def held(arrays: Arrays, query: Query, text: str) -> list[list[tuple[str, list[int]]]]:
    """Returns for what a query quotes the ways to say it, each as a pattern of lines with the files that have its words.

    Args:
        arrays: the files.
        query: the query.
        text: as it was written; of an issue its first line counts alone, for the rest quotes much that is beside it, and
            what errors said.
    """
    said = messages_in(text)
    if query.kind is Kind.ISSUE:
        text = text.strip()[:LONGEST_TITLE].partition("\n")[0]
    found = [
        [(way.pattern, _holding(arrays, way)) for way in ways]
        for ways in (*said, *bare_messages_in(text), *quotes_in(text))
    ]
    return [ways for ways in ([way for way in ways if way[1]] for ways in found) if ways]


def _ends(route: str) -> Iterator[Quote]:
    """Yields a route, and what of it may stand in one place, the longest first."""
    parts = [part for part in route.split("/") if part]
    stands_for = [_STANDS_FOR.fullmatch(part) is not None for part in parts]
    for first in range(len(parts)):
        fixed = [part for part, other in zip(parts[first:], stands_for[first:], strict=True) if not other]
        if not fixed or (first and not any(stands_for[first:])) or (len(parts) == 1 and len(route) < LEAST_ROUTE):
            return
        said = [
            r"[^/\s\"'`]+" if other else re.escape(part)
            for part, other in zip(parts[first:], stands_for[first:], strict=True)
        ]
        yield Quote(rf"(?<![\w/])/?{'/'.join(said)}(?![\w/-])", _words(" ".join(fixed)))


def _with_values(message: str, begun: str = "") -> Iterator[Quote]:
    """Yields the ways to say a message of which some parts are values; two parts side by side are as they are written.

    Args:
        message: the text.
        begun: what stands before it.
    """
    parts = [part for part in _PART.finditer(message) if part["inner"]]
    if len(parts) <= LEAST_SAID:
        return
    ways = r"\s".join(
        f"{re.escape(part['before'])}{_inner(part['inner'])}{re.escape(part['behind'])}" for part in parts
    )
    plain = [re.escape(part[0]) for part in parts]
    pairs = "|".join(rf"{one}\s{other}" for one, other in pairwise(plain))
    half = max(LEAST_SAID, (len(parts) + 1) // 2)
    for some in (parts[:half], parts[-half:]):
        if words := tuple(word for word in _words(" ".join(part[0] for part in some)) if not word.isdecimal()):
            yield Quote(rf"^(?=.*(?:{pairs})).*{begun}{ways}", words, MOST_FILES_OF_SOME)


def _over_lines(message: str) -> Iterator[Quote]:
    """Yields the way to say a message in which lines end, as texts of pages and long strings do, or tags stand.

    Args:
        message: the text, as a screen shows it.
    """
    words = tuple(word for word in _words(message) if not word.isdecimal())
    if len(words) < LEAST_OVER_LINES:
        return
    found = [*islice(_PIECE.finditer(message), MOST_OVER_LINES)]
    said = [
        _inner(one) if one.isdecimal() else _SIGN.get(one, re.escape(one))
        for _, one in map(re.Match[str].groups, found)
    ]
    between = [_GAP if piece[1] else f"(?:{_TAG})?" for piece in found]
    pattern = said[0] + "".join(chain.from_iterable(zip(between[1:], said[1:], strict=True)))
    yield Quote(f"{OVER_LINES}{pattern}", words, MOST_FILES_OF_SOME)


def _inner(text: str) -> str:
    """A pattern of what a message says in one place: as it is, or with a value for it or for a part of it."""
    parts = _APART.split(text)
    every = "".join(f"(?:{re.escape(one)}|{_VALUE})" if one.isalnum() else re.escape(one) for one in parts)
    return f"(?:{every}|{_VALUE})"


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in words_in(text) if len(word) > 1)


def _holding(arrays: Arrays, way: Quote) -> list[int]:
    """The places of the files that have all words of a quote, as they are written; none where there are many.

    Of many, those that define something: the texts of an application stand in the files of all its languages.
    """
    files: Longs | None = None
    for word in way.words:
        number = arrays.vocabulary.number(word)
        if not 0 <= number < len(arrays.spans) - 1:
            return []
        units = arrays.entry_unit[arrays.spans[number] : arrays.spans[number + 1]]
        having = distinct(arrays.file[units])
        files = having if files is None else np.intersect1d(files, having, assume_unique=True)
    if files is not None and len(files) > way.most:
        files = files[arrays.first[files + 1] - arrays.first[files] > 1]
    return [] if files is None or len(files) > way.most else files.tolist()
