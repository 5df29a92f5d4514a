"""Reads stack traces and logs: the places that they name, the functions that these are in, and what was thrown.

    File "x.py", line 12, in f        at a.b.C.m(C.java:12)        x.go:12        x.cs:line 12        x.rb:12:in 'C#m'

All forms have in common that a name with an ending, or that of a class, stands before the number of a line; nothing else is
asked of a place, so compilers, debuggers, linters, test runners and links to a line are read alike. Where the form of a
line says which function it is in, that is read, too: `_TAILS`, `_HEADS` and `_ABOVE` are the forms, and a line of none of
them says nothing about a function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LAST_FIRST: Final = "most recent call last"
"""The words of a trace whose innermost call comes last."""

_FROM_CAUSE: Final = re.compile(r"The above exception was the direct cause of the following exception")
"""Stands between the trace of a cause and that of what it led to."""

_TO_CAUSE: Final = re.compile(r"^(?P<indent>[ \t]*)(?:Caused by:|\[cause\]:)", re.MULTILINE)
"""Begins the trace of a cause, behind that of what it led to; deeper than the calls is the cause of something else."""

_NUMBERED: Final = re.compile(
    r"\.(?P<ending>\w{1,12})(?:\?\w*)?"
    r"(?:::?(?:line )?(?P<colon>\d{1,7})|\((?P<round>\d{1,7})(?:,\d+)?\)|[\"']?,? (?:on )?line (?P<word>\d{1,7})"
    r"|#L(?P<linked>\d{1,7}))(?!\w)"
)
_RUN: Final = re.compile(r"[^\s\"'`()<>\[\]{},;|=]*")
_CLASS: Final = re.compile(r"(?<![\w./\\:@$-])(?P<name>[A-Z]\w{2,80}):(?P<line>\d{1,5})(?![\w:.])", re.ASCII)
"""The place of a class in a log, `UserService:52`: its file is called as it is."""

_SLASHES: Final = re.compile(r"[\\/]+")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_QUALIFIED: Final = re.compile(r"(?:[\w$]+\.){2,}[\w$<>]+\Z")
_LONGEST_PATH: Final = 300
_LONGEST_LINE: Final = 400

_TAILS: Final = (
    re.compile(r"(?::\d+)?[:,][ \t]*in[ \t]+(?P<name>[\w.<>]{1,200})(?:\([^\n]*\))?[ \t]*\r?\Z"),
    re.compile(r"(?::\d+)?:[ \t]*in[ \t]+(?:function |method |field )?[`'‘](?P<name>[^`'\n]{1,200})['’]"),
    re.compile(r":[ \t](?:anonymous fn/\d+ in )?(?P<name>[\w.]+[?!]?)/\d+[ \t]*\r?\Z"),
)
"""The forms of what follows a place: Python, Ruby and Lua, Elixir."""

_HEADS: Final = (
    re.compile(
        r"(?:^|\s)(?:at|#\d+)\s+(?:async\s+)?(?:new\s+)?(?P<name>[\w$.<>/@~-]{1,300})(?:\s\[as \w+\])?\s*\(\Z", re.ASCII
    ),
    re.compile(r"(?:^|\s)at\s+(?P<name>[\w.<>`+|\[\],]{1,300})\([^()]{0,300}\)\s+in\s", re.ASCII),
    re.compile(r"(?:\sin\s|`|#\d+\s+)(?P<name>[\w:~]{1,300})\s*\([^\n]{0,300}\)\s+at\s+\Z", re.ASCII),
    re.compile(r"#\d+\s+0x[0-9a-f]+\s+in\s+(?P<name>[\w:~]{1,300})(?:\([^()\n]{0,300}\))?\s+\Z", re.ASCII),
)
"""The forms of what stands before a place: the JVM, JavaScript and Dart; .NET; debuggers of C, and its sanitizers."""

_ABOVE: Final = (
    re.compile(
        r"\s*(?:created by )?(?:[\w.@~%-]+/)*[\w%-]+\.(?P<name>(?:\(\*?\w+(?:\[[^\[\]]*\])?\)\.)?[\w.]+)"
        r"(?:\[\.\.\.\])?(?:-fm|-range\d+)?(?:\.func\d+[\w.]*)?(?:\([^\n]*\))?(?: in goroutine \d+)?\s*\Z",
        re.ASCII,
    ),
    re.compile(r"\s*\d+:\s+(?:0x[0-9a-f]+ - )?(?P<name>[\w<][^\n]{0,300})\s*\Z"),
)
"""The forms of the line above one that holds a place and nothing before it but `at`: Go, Rust."""

_ESCAPED: Final = re.compile(r"\\n(?:\\t|  )")
"""The break in a text of several lines that stands on one, as in a log of JSON: the next line of a trace is set in."""

_ESCAPE: Final = re.compile(r"\\([nrt\"\\/])")
_UNESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}

_LINKED: Final = re.compile(r"https?://(?:[^/\s]+/)+?(?P<project>[^/\s]+)/(?:-/)?(?:blob|blame|raw)/[^/\s]+/")
"""The beginning of a link to a file of a project at one of its revisions."""

_LOGGED: Final = re.compile(r".*[|\]:] ")
"""The words that a log puts before each line that somebody prints: `web-1  | `, `May 05 14:42:50 host app[254]: `."""

_OF_COMPILERS: Final = re.compile(r"\d+|func\d+|gowrap\d+|glob|h[0-9a-f]{16}|\{.*\}|cctor")
"""Ends of qualified names that compilers make up, for code that has no name of its own."""

_PIECES_OF_COMPILERS: Final = frozenset({"access", "default", "inlined", "lambda", "static"})
"""Pieces between the `$` of a name likewise."""

_UNNAMED: Final = re.compile(r"<(?!init>)[^<>]*[ :-][^<>]*>|<(?:module|main|lambda|anonymous|clinit|\w+comp|genexpr)>")
"""Code without a name, or the body of something that is no function."""

_OF_TRAIT: Final = re.compile(r"\A<.* as .*>::")
_OF_METHOD: Final = re.compile(r">[bdg]__")
_INSIDE: Final = re.compile(r"<(\w+)>")
_OF_CLOSURE: Final = re.compile(r"\$\d+\.|\$\$?[Ll]ambda|\$anonfun")
_ARGUMENTS: Final = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|`\d+")
_LAST_WORD: Final = re.compile(r"(\w+[?!]?)\W*\Z")
_OF_PROPERTY: Final = re.compile(r"(?:get|set|is)_?([A-Z]\w*)\Z|(?:get|set)_(\w+)\Z")

_THROWN: Final = re.compile(
    r"^[ \t]*(?:Exception in thread \"[^\"\n]*\" |Caused by: |Uncaught |Unhandled exception\. |---> |E +)?"
    r"(?P<qualified>(?:[^\W\d]\w*(?:\.|::|\\|\$))*)(?P<name>[^\W\d]\w*)(?=: |:?[ \t]*\r?$| \()"
    r"|\((?P<in_round>(?:[A-Z]\w*::)*)(?P<last>[A-Z]\w*)\)[ \t]*\r?$",
    re.MULTILINE,
)
_OF_ERRORS: Final = re.compile(r"(?:Error|Exception|Failure|Fault|Warning)\Z")
"""Endings of the names that a trace may say without what they belong to."""

_DUNDER: Final = re.compile(r"\b__\w+__\b")


class Numbered(NamedTuple):
    """A path and a line that a text names."""

    path: str
    line: int
    start: int
    end: int
    """Its place in the text."""


class Frame(NamedTuple):
    """A place that a text names, and what it says beside."""

    parts: tuple[str, ...]
    """Of its path."""
    line: int
    names: frozenset[str]
    """The words beside the path, on the same line."""
    above: frozenset[str]
    """The words of the line above."""
    called: tuple[str, ...] = ()
    """The function that the place is in, in the spellings that its source may have; none where the form says none."""
    said: tuple[int, int] = (0, 0)
    """The place of its name in the text."""
    project: str = ""
    """The project that a link leads to, whose path is a whole one; "" for any other place."""
    line_below: str = ""
    """The next line of the text: Python and others quote there what the line of the place said."""


class Thrown(NamedTuple):
    """A class that a trace says was thrown."""

    parts: tuple[str, ...]
    """Of what its name is qualified by."""
    name: str


def unescaped(text: str) -> str:
    """Gives a text as it was before it was quoted for a log of JSON; any other as it is.

    Args:
        text: a stack trace, a log, or anything.
    """
    if not _ESCAPED.search(text):
        return text
    return _ESCAPE.sub(lambda one: _UNESCAPED.get(one[1], one[1]), text)


def numbered(text: str) -> list[Numbered]:
    """Reads the places that a text names, each once, the innermost call first: of chained exceptions, that of the cause.

    It takes time for the length of the text.

    Args:
        text: a stack trace, a log, or anything.
    """
    places: list[Numbered] = []
    for number in still_wanted(_NUMBERED.finditer(text)):
        at = number.start()
        before = _RUN.match(text[max(0, at - _LONGEST_PATH) : at][::-1])
        start = at - (len(before[0]) if before is not None else 0)
        path = f"{text[start:at]}.{number['ending']}"
        line = int(number["colon"] or number["round"] or number["word"] or number["linked"])
        places.append(Numbered(path, line, start, number.end()))
    classes = still_wanted(_CLASS.finditer(text))
    places += [Numbered(one["name"], int(one["line"]), one.start(), one.end()) for one in classes]
    places.sort(key=lambda place: place.start)
    found: dict[tuple[str, int, str], Numbered] = {}
    for place in still_wanted(_innermost_first(text, places)):
        found.setdefault((place.path, place.line, _in_tail(_tail(text, place))[0]), place)
    return [*found.values()]


def _innermost_first(text: str, places: Sequence[Numbered]) -> Iterator[Numbered]:
    """Yields places in the order of calls, those of causes before those of what they led to."""
    is_last_first = LAST_FIRST in text
    if is_last_first:
        cuts = [cut.start() for cut in _FROM_CAUSE.finditer(text)]
    else:
        depth = _indent_at(text, places[0].start) if places else 0
        cuts = [
            cut.start()
            for cut in _TO_CAUSE.finditer(text)
            if len(cut["indent"]) < max(depth, 1) or text.startswith("[", cut.end("indent"))
        ]
    stretches: list[list[Numbered]] = [[] for _ in range(len(cuts) + 1)]
    at = 0
    for place in places:
        while at < len(cuts) and place.start > cuts[at]:
            at += 1
        stretches[at].append(place)
    for stretch in stretches if is_last_first else reversed(stretches):
        yield from reversed(stretch) if is_last_first else stretch


def frame_at(text: str, place: Numbered) -> Frame:
    """Reads what a text says beside a place that it names.

    Args:
        text: the text.
        place: as `numbered` gives it.
    """
    linked = _LINKED.match(place.path)
    path = place.path[linked.end() :] if linked is not None else place.path
    parts = tuple(part for part in _SLASHES.split(path) if part not in ("", ".", ".."))
    start = text.rfind("\n", max(0, place.start - _LONGEST_LINE), place.start) + 1 or max(
        0, place.start - _LONGEST_LINE
    )
    head = text[start : place.start]
    qualified = _QUALIFIED.search(head[:-1].rstrip()) if head.endswith("(") else None
    if qualified is not None and len(parts) == 1:  # `a.b.C.m(C.java:12)`: the package says in which folder
        parts = (*qualified[0].split(".")[:-2], *parts)
    tail = _tail(text, place)
    above_end = max(0, start - 1)
    above = text[max(0, above_end - _LONGEST_LINE) : above_end].rpartition("\n")[2]
    names = frozenset(_NAME.findall(head)) | frozenset(_NAME.findall(tail))
    called, said = _called(head, tail, above)
    offset = {0: start, 1: place.end, 2: above_end - len(above)}[said[0]]
    return Frame(
        parts,
        place.line,
        names,
        frozenset(_NAME.findall(above)),
        called,
        (offset + said[1], offset + said[2]),
        linked["project"] if linked is not None else "",
        text[place.end : place.end + 2 * _LONGEST_LINE].partition("\n")[2].partition("\n")[0].strip(),
    )


def thrown(text: str) -> list[Thrown]:
    """Reads the classes of what a text says was thrown, each once, in its order.

    Args:
        text: as for `numbered`.
    """
    found: dict[Thrown, None] = {}
    for one in still_wanted(_THROWN.finditer(text)):
        parts = tuple(_NAME.findall(one["qualified"] or one["in_round"] or ""))
        name = one["name"] or one["last"]
        if parts or _OF_ERRORS.search(name):
            found.setdefault(Thrown(parts, name))
    return [*found]


def outside(place: Numbered, shared: int) -> tuple[int, int]:
    """The beginning of a path that says where a machine keeps the files: what stands before its last parts.

    Args:
        place: as `numbered` gives it.
        shared: how many parts are those of a file.
    """
    ends = [one.end() for one in _SLASHES.finditer(place.path)]
    return place.start, place.start + (ends[-shared] if 0 < shared <= len(ends) else 0)


def without_names(text: str, frames: Sequence[Frame], others: Sequence[tuple[int, int]] = ()) -> str:
    """A text with blanks in the place of the functions that some frames name, and of names such as `__call__` near any.

    Args:
        text: the text.
        frames: as `frame_at` gives them.
        others: places of the text that are blank as well, from and to.
    """
    pieces: list[str] = []
    done = 0
    for start, end in sorted({*others, *(frame.said for frame in frames if frame.called)}):
        if start >= done:
            pieces += (text[done:start], " " * (end - start))
            done = end
    return _DUNDER.sub(lambda name: " " * len(name[0]), "".join((*pieces, text[done:]))) if frames else text


def _indent_at(text: str, at: int) -> int:
    """The characters of white space that the line of a place begins with, as far as a line is read."""
    start = text.rfind("\n", max(0, at - _LONGEST_LINE), at) + 1
    return len(text[start:at]) - len(text[start:at].lstrip()) if start or at <= _LONGEST_LINE else 0


def _tail(text: str, place: Numbered) -> str:
    return text[place.end : place.end + _LONGEST_LINE].partition("\n")[0]


def _in_tail(tail: str) -> tuple[str, tuple[int, int]]:
    """The function that the words behind a place name, and where; "" for none."""
    for form in _TAILS:
        if match := form.match(tail):
            return match["name"], match.span("name")
    return "", (0, 0)


def _called(head: str, tail: str, above: str) -> tuple[tuple[str, ...], tuple[int, int, int]]:
    """The spellings of the function that a place is in, and where it stands: in which of the three texts, from, to."""
    name, span = _in_tail(tail)
    if name:
        return _spellings(name), (1, *span)
    for form in _HEADS:
        if match := form.search(head):
            return _spellings(match["name"]), (0, *match.span("name"))
    logged = _LOGGED.match(head)
    start = logged.end() if logged is not None and above.startswith(logged[0]) else 0
    own = head[start:]
    if own.strip() in ("", "at") and own[:1].isspace():
        for form in _ABOVE:
            if match := form.match(above, start):
                return _spellings(match["name"]), (2, *match.span("name"))
    return (), (0, 0, 0)


def _spellings(name: str) -> tuple[str, ...]:
    """Returns what a source may call the function of a name in a trace; nothing where that cannot be told.

    `C.lambda$load$0` and `C.<load>b__0` are of `load`, `C.<init>` and `C..ctor` of `C`, `C.getName` may be a property.
    """
    name = _OF_TRAIT.sub("", name)
    if _UNNAMED.search(name) or _OF_CLOSURE.search(name):
        return ()
    if inside := [one for one in _INSIDE.findall(name) if one != "init"]:
        return (inside[-1],) if _OF_METHOD.search(name) else ()
    segments = [*filter(None, re.split(r"::|[./\\#]", _plain(name)))]
    while segments and _OF_COMPILERS.fullmatch(segments[-1]):
        segments.pop()
    last = segments[-1] if segments else ""
    if last in ("ctor", "<init>"):
        last = segments[-2].rpartition("$")[2] if len(segments) > 1 else ""
    pieces = [piece for piece in last.split("$") if piece]
    words = [one for one in pieces if not one.isdigit() and one not in _PIECES_OF_COMPILERS] or pieces
    match = _LAST_WORD.search(words[0]) if words else None
    if match is None:
        return ()
    own = match[1]
    if (of_property := _OF_PROPERTY.match(own)) and (bare := of_property[1] or of_property[2]):
        return own, bare, bare[:1].lower() + bare[1:]
    return (own,)


def _plain(name: str) -> str:
    """A name without arguments of types and of functions."""
    while (shorter := _ARGUMENTS.sub(lambda one: one[0] if one[0] == "<init>" else "", name)) != name:
        name = shorter
    return name
