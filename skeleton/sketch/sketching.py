"""The sketch of a file: its definitions, found line by line with the patterns of its language, without a parser.

To place a file among a thousand others takes its names and words, and hardly ever a syntax tree: a sketch takes a small
part of the time, and nearly every definition of the outline is in it (`benchmarks/skeletons/sketches.py` prints which
share of each language). What is shown is always an outline; who has both knows a definition by where its name starts.
Where a definition ends is read from braces and from how lines are indented, as people and formatters write them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.kinds import HOLDERS, OF_METHODS
from skeleton.languages.sketches import PASSED_OVER, TOP, Embeds, Inside, Rule, SketchPatterns, sketch_patterns
from skeleton.outline.definitions import Definition, qualified
from skeleton.outline.rows import without_returns
from skeleton.sketch.beginnings import Beginnings
from skeleton.sketch.endings import Endings
from skeleton.sketch.hiding import without_hidden
from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BRACKET_OF_NAME: Final = re.compile(rb"[^()\n;{}]{0,200}\)")
"""The rest of a bracket that a name stands in: `(*name)(…)`, `TEST(suite, name) {…}`."""

_JOINED: Final = re.compile(rb"(?>(?:[^\n\\]|\\\r?\n|\\)*)")
"""The rest of a line, with the lines that a backslash joins to it."""

_ALIAS: Final = re.compile(
    rb"(?<![\w\x80-\xff])[A-Za-z_\x80-\xff][\w\x80-\xff]*+(?=[ \t]*(?:\[[^\]\n]{0,200}\][ \t]*){0,4}[,;])"
)
"""One of several names behind a block."""

_OPENING: Final = re.compile(rb"\s*\{")


class _Open(NamedTuple):
    """A definition that others stand in: where it ends, its qualified name, its kind, and what may stand in it."""

    end: int
    path: str
    kind: str
    inside: Inside


def sketch_of(source: bytes, patterns: SketchPatterns) -> tuple[Definition, ...]:
    """Returns the definitions of a file that its patterns find, in the order of an outline.

    Args:
        source: the file as UTF-8.
        patterns: those of its language.

    Raises:
        CallCancelledError: nobody waits for the call any more.
    """
    source = without_returns(source)
    if patterns.embeds is not None:
        return _embedded(source, patterns.embeds)
    return _Sketch(source, patterns).definitions()


def _embedded(source: bytes, embeds: Embeds) -> tuple[Definition, ...]:
    """Returns the definitions of the code of other languages in a file, by their places in the file."""
    found: list[Definition] = []
    at = 0
    while opening := embeds.pattern.search(source, at):
        stop_if_cancelled()
        language, closing = embeds.kinds[(opening.lastindex or 1) - 1]
        begin = opening.end()
        end = source.find(closing, begin)
        end = len(source) if end < 0 else end
        if language != PASSED_OVER and (patterns := sketch_patterns(language)) is not None:
            found += (_moved(one, begin) for one in sketch_of(source[begin:end], patterns))
        at = end + len(closing)
    return tuple(found)


def _moved(one: Definition, by: int) -> Definition:
    """Returns a definition whose places lie further behind in a text."""
    return one._replace(
        start=one.start + by,
        end=one.end + by,
        signature=one.signature + by,
        body=one.body + by,
        name_start=one.name_start + by,
    )


class _Sketch:
    """One pass over a file. Places are those of the file; its text here begins with one line break more."""

    def __init__(self, source: bytes, patterns: SketchPatterns) -> None:
        self._patterns = patterns
        self._source = b"\n" + source
        comments: dict[int, int] = {}
        self._text = without_hidden(self._source, patterns, comments)
        self._beginnings = Beginnings(self._source, self._text, patterns, comments)
        self._endings = Endings(self._source, self._text, patterns)
        self._known: dict[str, Inside] = {}
        self._found: list[Definition] = []
        self._behind = 0
        """The end of the last definition or of its head: nothing before it stands above the next."""

    def definitions(self) -> tuple[Definition, ...]:
        around = [_Open(len(self._text), "", TOP, self._inside(TOP))]
        at = 0
        while around:
            here = around[-1]
            match = here.inside.pattern.search(self._text, at, here.end)
            if match is None:
                at = max(at, here.end)
                around.pop()
                continue
            stop_if_cancelled()
            at = self._take(match, here.inside.rules[match.lastindex or 0], here, around)
        return tuple(sorted(self._found, key=lambda one: (one.signature, -one.end, one.name_start)))

    def _take(self, match: re.Match[bytes], rule: Rule, here: _Open, around: list[_Open]) -> int:
        """Notes what a pattern found, and returns where the search goes on."""
        kind, indent, name = rule.kind, match[1], rule.names or rule.name
        if kind == PASSED_OVER:
            return self._endings.passed(match.end(), indent, here.end, rule.place or PASSED_OVER)
        if rule.word:
            kind = self._patterns.words[match[rule.word].decode()]
        if kind == "function" and here.kind in OF_METHODS:
            kind = "method"
        signature = match.start() + 1 + len(indent)
        if rule.line:
            body = match.end(rule.line)
            joined = _JOINED.match(self._source, body)
            end = joined.end() if joined else body
        elif rule.rest:
            body, end = match.end(rule.rest), self._endings.stripped(signature, here.end)
        else:
            bracket = _BRACKET_OF_NAME.match(self._text, match.end(name))
            behind = bracket.end() if bracket else match.end(name)
            body, end = self._endings.of(behind, indent, here.end, kind)
            if rule.whole:
                body = end = self._endings.stripped(signature, end)
            if rule.body and match[rule.body] is not None:
                body = self._endings.stripped(signature, min(match.end(rule.body), end))
        start = self._beginnings.of(match.start(), len(indent), self._behind)
        if rule.begin:
            start = signature = match.start(rule.begin)
        if not name:
            return self._named_behind(kind, start, signature, body, end, here, around)
        named, path = self._read(match, name), here.path
        if marks := self._patterns.marks:
            named = named.strip(marks) or named
        if rule.container and match[rule.container]:
            path = qualified(path, self._read(match, rule.container).replace("::", "."))
        first = Definition(kind, named, path, start - 1, end - 1, signature - 1, body - 1, match.start(name) - 1)
        several = [self._named(first, one) for one in self._words(self._text, match, rule.names)]
        self._found += several or [first]
        self._found += self._aliases(first)
        inside = first._replace(kind="member", container=qualified(path, named))
        self._found += (self._named(inside, one) for one in self._words(self._source, match, rule.members))
        if kind in HOLDERS and body < end:
            around.append(_Open(end, qualified(path, named), kind, self._inside(rule.place or kind)))
            opening = _OPENING.match(self._text, body, end)
            self._behind = opening.end() if opening else body
            return self._behind
        self._behind = end
        return max(end, match.end(name))

    def _words(self, text: bytes, match: re.Match[bytes], group: int) -> Iterable[re.Match[bytes]]:
        """Finds the names in what a group matched; none where there is no such group, or it is in no match."""
        if not group or match[group] is None:
            return ()
        return self._patterns.names.finditer(text, *match.span(group))

    def _named(self, one: Definition, word: re.Match[bytes]) -> Definition:
        """Returns a definition as that of one of several names; a member has no more than its name of its own."""
        text, at, until = (
            word[0].decode("utf-8", "replace"),
            word.start() - 1,
            word.end() - 1,
        )  # the text has one byte more
        if one.kind == "member":
            return one._replace(name=text, start=at, end=until, signature=at, body=until, name_start=at)
        if self._patterns.marks and self._source[at : at + 1].decode("latin-1") in self._patterns.marks:
            return one._replace(name=text, body=until, name_start=at - 1)
        return one._replace(name=text, name_start=at)

    def _aliases(self, one: Definition) -> Iterator[Definition]:
        """Gives the other names of a type that stand behind its block, each as that of a type."""
        if not self._patterns.alias.match(self._text, one.signature + 1):
            return
        closing = self._text.rfind(b"}", one.body + 1, one.end + 1)
        for word in _ALIAS.finditer(self._text, max(closing, one.body + 1), one.end + 1):
            if (name := word[0].decode("utf-8", "replace")) != one.name:
                yield one._replace(kind="type", name=name, name_start=word.start() - 1)

    def _named_behind(
        self, kind: str, start: int, signature: int, body: int, end: int, here: _Open, around: list[_Open]
    ) -> int:
        """Notes a definition whose name stands behind its block, if it has one, and returns where the search goes on."""
        closing = self._text.rfind(b"}", body, end)
        name = self._patterns.names.search(self._text, max(closing, body), end)
        path = here.path
        if closing >= 0 and name is not None:
            named = name[0].decode("utf-8", "replace")
            places = (one - 1 for one in (start, end, signature, body, name.start()))
            self._found.append(Definition(kind, named, here.path, *places))
            path = qualified(here.path, named)
        if kind in HOLDERS and body < end:
            around.append(_Open(end, path, kind, self._inside(kind)))
            self._behind = body
            return body
        self._behind = end
        return end

    def _inside(self, kind: str) -> Inside:
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = self._patterns.inside(kind)
        return found

    def _read(self, match: re.Match[bytes], group: int) -> str:
        """Returns what stands in a file where a group matched."""
        return self._source[slice(*match.span(group))].decode("utf-8", "replace")
