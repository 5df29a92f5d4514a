"""Surveys of files: the least that is read of one to place it among all others, names of definitions and words.

A survey takes one parse and no rendering, so it can be had of every file of a code base. Of text that is no code it holds
the words that stand in code (between backticks, in fenced blocks): what documentation names.
"""

from __future__ import annotations

import re
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple

from skeleton.index.deprecation import is_deprecated, may_deprecate
from skeleton.index.terms import MOST_BYTES
from skeleton.index.visibility import visibilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.outline.definitions import Definition

MOST_SIGNATURE = 400
"""Bytes of a signature that are looked at for the words that say who may use it."""

_WORD = re.compile(rb"[A-Za-z_][0-9A-Za-z_]{2,63}")
_ANY_WORD = re.compile(r"[^\W\d]\w{0,63}")
"""A word of any alphabet."""

_LEAST_WORD = 3
"""Bytes of a word; shorter ones stand for too much."""

_APART = bytes(byte if byte > 127 or re.match(rb"\w", bytes([byte])) else ord(" ") for byte in range(256))
"""For `bytes.translate`: blanks for what is no part of a word in any alphabet."""

_BLOCK_OF_COMMENT = re.compile(
    rb"\s*(?:/\*.*?\*/|<!--.*?-->|\(\*.*?\*\)|\{-.*?-\}|<\?php\b(?:\s*declare\([^)\n]*\)\s*;)?"
    rb"|(?:(?://|\#(?![ \t]*(?:include|if|ifndef|ifdef|define|pragma|import)\b|!?\[)|--|;|%)[^\n]*(?:\n[ \t]*)?)+)",
    re.DOTALL,
)
"""A comment, and likewise what comes before one in a file of PHP or a shell."""
_LICENCE = re.compile(
    rb"copyright|\(c\)|licen[cs]e|spdx-|all rights reserved|warrant|permission|redistribut", re.IGNORECASE
)
"""The words of which one stands in a paragraph that says whose a file is and who may use it."""
_PARAGRAPH_ENDS = re.compile(rb"\n[ \t]*+(?://+|\*|\#+|;+|--|%+)?[ \t\r]*+(?=\n)")

_IN_CODE = re.compile(rb"```.*?```|~~~.*?~~~|`[^`\n]+`", re.DOTALL)
_HIDDEN = re.compile(rb"\b(?:private|fileprivate|internal|protected|pub\s*\((?:crate|super|self|in)\b)")
MOST_ABOVE = 4000
"""Bytes in front of a definition's name that are looked at for such a mark."""

_TYPEDEF = re.compile(rb"typedef\s+(?:struct|union|enum)\s+(\w+)\s+(\w+)\s*;")
"""A typedef of a type that has a name of its own."""

_NUMBER = re.compile(
    rb"typedef\s+(?:(?:const|volatile|unsigned|signed|long|short|int|char|float|double|bool|_Bool|u?int(?:ptr|max|\d+)_t|s?size_t|ptrdiff_t)\s+)+\w+\s*;"
)
"""A typedef of a number."""

_ATTRIBUTE = re.compile(rb"^[ \t]*(?:#!?\[|@|template\b|\[)[^\n]*", re.MULTILINE)
"""A line that is an attribute, an annotation or a decorator, or begins one."""

IMPORTING = 16_000
"""Bytes of a file in which statements are looked for that import."""

MOST_IMPORTED = 2000
"""Bytes between the brackets of a statement that imports."""

_IMPORT = re.compile(
    rb"\n[ \t]*(?=[#aefipru])(?:pub(?:\([^)\n]*\))?[ \t]+)?"
    rb"(?:(?:import|from|use|using|alias|require|require_relative)\b|export[ \t]*(?=[*{])|\#[ \t]*(?:include|import)\b)"
    rb"[^\n;({]*(?:[({][^)}]{0,%d}[)}])?[^\n;]*" % MOST_IMPORTED
)
"""A statement of the languages that import by a word at the beginning of a line."""

_REQUIRED = re.compile(rb"require(\([^)\n]{0,200}\))")
"""A call that imports."""

_MEANT = re.compile(rb"[\w@.][\w./\\:@-]{2,}|(?<=[\"'])\.\.?(?=/?[\"'])")
"""A name or a path in such a statement, the folder of the file and the one above it among these."""


WITH_TYPEDEFS = frozenset({"c", "cpp", "objc"})
"""Languages with typedefs."""


class Survey(NamedTuple):
    """The survey of one file.

    Attributes:
        names: of the definitions of its sketch, in order.
        containers: for each the qualified name of what it stands in, or "".
        kinds: for each its kind; `value` of a typedef of a number.
        hidden: for each 1 where its name, or its signature in front of that, says that it is not for others, else 0.
        visible: for each how far it can be seen, as the number of a `Visible`.
        heads: for each the bytes of its signature, with the attributes above it.
        sizes: for each the bytes of its source.
        bodies, ends: for each where its signature ends, and where it ends itself.
        starts: for each where its name starts.
        words: the identifiers of the file, each once; but for what says above all else whose the file is, which names
            nothing of it.
        imports: for each of its statements that import the names and paths there, with blanks between them.
        deprecated: for each definition 1 where a mark above it says that nobody is to use it any more, else 0.
        aliases: pairs of the name of a type and another that a typedef gives it.
        secrets: how many secrets were taken out of the file.
    """

    names: tuple[str, ...]
    containers: tuple[str, ...]
    kinds: tuple[str, ...]
    hidden: bytes
    visible: bytes
    heads: tuple[int, ...]
    sizes: tuple[int, ...]
    bodies: tuple[int, ...]
    ends: tuple[int, ...]
    starts: tuple[int, ...]
    words: tuple[str, ...]
    imports: tuple[str, ...]
    deprecated: bytes
    aliases: tuple[tuple[str, str], ...]
    secrets: int


def survey_of(source: bytes, definitions: Sequence[Definition], *, language: str | None, secrets: int) -> Survey:
    """Surveys a file.

    Args:
        source: the file as UTF-8.
        definitions: those of its sketch.
        language: the name of its language, "" for one that is not known; None for no code, of which only what stands
            in code counts.
        secrets: how many were taken out of it.
    """
    text = source[:MOST_BYTES]
    if language is None:
        text = b"\n".join(_IN_CODE.findall(text))
    words = _words(text if language is None else _without_licence(text))
    if not definitions:
        return NO_SURVEY._replace(words=words, imports=_imports(text) if language is not None else (), secrets=secrets)
    kinds, names, containers, starts, ends, signatures, bodies, name_starts = zip(*definitions, strict=True)
    heads = tuple(map(sub, bodies, signatures))
    above = (
        0 if start == signature else _attributes(source[start:signature])
        for start, signature in zip(starts, signatures, strict=True)
    )
    texts = [source[at : at + min(head, MOST_SIGNATURE)] for at, head in zip(signatures, heads, strict=True)]
    types = [
        (place, source[starts[place] : ends[place]])
        for place, kind in enumerate(kinds)
        if kind == "type" and ends[place] - starts[place] <= MOST_SIGNATURE and language in WITH_TYPEDEFS
    ]
    numbers = {place for place, text in types if _NUMBER.search(text)}
    return Survey(
        names=names,
        containers=containers,
        kinds=tuple("value" if place in numbers else kind for place, kind in enumerate(kinds)),
        hidden=bytes(
            name.startswith("_") or _HIDDEN.search(text, 0, max(0, start - at)) is not None
            for name, text, start, at in zip(names, texts, name_starts, signatures, strict=True)
        ),
        visible=visibilities(language or "", source, definitions, texts),
        heads=tuple(map(add, heads, above)),
        sizes=tuple(map(sub, ends, starts)),
        bodies=bodies,
        ends=ends,
        starts=name_starts,
        words=words,
        imports=_imports(text),
        deprecated=bytes(_deprecated(source, starts, name_starts)),
        aliases=tuple(
            (found[1].decode(), found[2].decode()) for _, text in types if (found := _TYPEDEF.search(text)) is not None
        ),
        secrets=secrets,
    )


def _deprecated(source: bytes, starts: Sequence[int], names: Sequence[int]) -> list[bool]:
    """Tells of every definition whether a mark in front of its name says that nobody is to use it any more."""
    if not may_deprecate(source):
        return [False] * len(starts)
    return [
        is_deprecated(source, max(start, name - MOST_ABOVE), name) for start, name in zip(starts, names, strict=True)
    ]


def _imports(text: bytes) -> tuple[str, ...]:
    """Returns what statements import, each once and in order."""
    head = b"\n" + text[:IMPORTING]
    found = _IMPORT.findall(head) + (_REQUIRED.findall(head) if b"require(" in head else [])
    said = dict.fromkeys(filter(None, (b" ".join(_MEANT.findall(one)) for one in found)))
    return tuple(one.decode("utf-8", "replace") for one in said)


def _without_licence(text: bytes) -> bytes:
    """Leaves out what the comments above the first statement say of whose the file is, by paragraphs."""
    at, kept = 0, list[bytes]()
    while (comment := _BLOCK_OF_COMMENT.match(text, at)) is not None:
        at = comment.end()
        kept += (part for part in _PARAGRAPH_ENDS.split(comment[0]) if not _LICENCE.search(part))
    return b"\n".join((*kept, text[at:])) if at else text


def _attributes(above: bytes) -> int:
    """Returns the bytes of the attributes in what stands above a signature."""
    return sum(map(len, _ATTRIBUTE.findall(above)))


def _words(text: bytes) -> tuple[str, ...]:
    """Returns the words of a text, each once and in order; only what differs is searched for them."""
    runs = b" ".join(set(text.translate(_APART).split()))
    if runs.isascii():
        words = sorted(set(_WORD.findall(runs)))
        return tuple(b" ".join(words).decode().split(" ")) if words else ()
    # the text may end in the middle of a character
    found = set(_ANY_WORD.findall(runs.decode("utf-8", "replace")))
    return tuple(sorted(word for word in found if len(word.encode()) >= _LEAST_WORD))


NO_SURVEY = Survey((), (), (), b"", b"", (), (), (), (), (), (), (), b"", (), 0)
"""Of a file that nothing was read of."""


class Share(NamedTuple):
    """The share of a definition in its file.

    Attributes:
        own: the bytes of its source that stand in no definition inside it, 1 at the least.
        around: the place of the one that it stands in, or -1.
    """

    own: int
    around: int


def shares_of(survey: Survey) -> list[Share]:
    """Returns for each definition what it takes of its file, and where it stands."""
    own, around = [*survey.sizes], [-1] * len(survey.sizes)
    opened: list[int] = []
    for place, (size, end) in enumerate(zip(survey.sizes, survey.ends, strict=True)):
        while opened and survey.ends[opened[-1]] <= end - size:
            opened.pop()
        if opened:
            own[opened[-1]] -= size
            around[place] = opened[-1]
        opened.append(place)
    return [Share(max(1, size), outer) for size, outer in zip(own, around, strict=True)]
