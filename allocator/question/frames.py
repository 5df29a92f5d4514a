"""The places that a stack trace or a log names: `File "x.py", line 12, in f`, `at a.b.C.m(C.java:12)`, `x.go:12`, `x.cs:line 12`.

All forms have in common that a name with an ending stands before the number of a line; nothing else is asked of them, so
compilers, debuggers, linters and test runners are read alike. Traces come from other machines and other versions: a path is
looked for by its end, and where a definition of the file has the name that the frame gives, it is meant, whatever its lines.
What is not of this folder, a library's or the standard library's, is left out.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from allocator.question.around import Aim, aim_at, touched
from allocator.question.changed import LARGE
from allocator.show.call_files import known_files
from allocator.show.views import Edit
from allocator.spend.steps import Kind, Wish
from skeleton.languages.kinds import CALLABLE, USABLE
from workspace.cancellation import still_wanted
from workspace.paths import slashed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.show.views import FileViews
    from skeleton import Definition

MOST_FRAMES = 40
"""Places that are shown; more are a recursion."""

MOST_WHOLE = 12
"""Definitions that are shown whole; of the others those lines that are named."""

AROUND = 6
"""Lines on either side of one that is named, where what it belongs to is not shown whole."""

MOST_READ = 1000
"""Places of one text that may be of this folder and are looked at."""

LAYOUT = frozenset({"app", "include", "lib", "main", "source", "sources", "src"})
"""Folders that installed code is not in any more."""

SURE = 3
"""Parts at the end of a path that only the same file has in common."""

LAST_FIRST = "most recent call last"
"""The words of a trace whose innermost call comes last."""

_NUMBERED = re.compile(
    r"\.(?P<ending>\w{1,12})(?:\?\w*)?"
    r"(?:::?(?:line )?(?P<colon>\d{1,7})|\((?P<round>\d{1,7})(?:,\d+)?\)|[\"']?,? (?:on )?line (?P<word>\d{1,7}))(?!\w)"
)
_RUN = re.compile(r"[^\s\"'`()<>\[\]{},;|=]*")
_SLASHES = re.compile(r"[\\/]+")
_VERSION = re.compile(r"(?:@|-v?\d).*\Z")
_NAME = re.compile(r"[^\W\d]\w*")
_QUALIFIED = re.compile(r"(?:[\w$]+\.){2,}[\w$<>]+\Z")
_LONGEST_PATH = 300
_LONGEST_LINE = 400


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


def numbered(text: str) -> list[Numbered]:
    """Reads the places that a text names, each once, the innermost call first. It takes time for the length of the text.

    Args:
        text: a stack trace, a log, or anything.
    """
    found: dict[tuple[str, int], Numbered] = {}
    for number in still_wanted(_NUMBERED.finditer(text)):
        at = number.start()
        before = _RUN.match(text[max(0, at - _LONGEST_PATH) : at][::-1])
        start = at - (len(before[0]) if before is not None else 0)
        path = f"{text[start:at]}.{number['ending']}"
        line = int(number["colon"] or number["round"] or number["word"])
        found.setdefault((path, line), Numbered(path, line, start, number.end()))
    places = [*found.values()]
    return places[::-1] if LAST_FIRST in text else places


def frame_at(text: str, place: Numbered) -> Frame:
    """Reads what a text says beside a place that it names.

    Args:
        text: the text.
        place: as `numbered` gives it.
    """
    parts = tuple(part for part in _SLASHES.split(place.path) if part not in ("", ".", ".."))
    start = text.rfind("\n", max(0, place.start - _LONGEST_LINE), place.start) + 1 or max(
        0, place.start - _LONGEST_LINE
    )
    head = text[start : place.start]
    qualified = _QUALIFIED.search(head[:-1].rstrip()) if head.endswith("(") else None
    if qualified is not None and len(parts) == 1:  # `a.b.C.m(C.java:12)`: the package says in which folder
        parts = (*qualified[0].split(".")[:-2], *parts)
    tail = text[place.end : place.end + _LONGEST_LINE].partition("\n")[0]
    above = text[max(0, start - 1 - _LONGEST_LINE) : max(0, start - 1)].rpartition("\n")[2]
    names = frozenset(_NAME.findall(head)) | frozenset(_NAME.findall(tail))
    return Frame(parts, place.line, names, frozenset(_NAME.findall(above)))


def wishes_of_frames(text: str, files: Sequence[FileViews], folder: str) -> list[Wish]:
    """Returns wishes for the places that a text names, the innermost call first, and marks them in the files.

    Args:
        text: what a reader asks.
        files: those of the call.
        folder: the absolute path that theirs are relative to.
    """
    places = numbered(text)
    if not places:
        return []
    by_name: dict[str, list[int]] = {}
    for number, file in enumerate(known_files(files)):
        by_name.setdefault(file.path.rpartition("/")[2], []).append(number)
    folder_name = slashed(folder).rstrip("/").rpartition("/")[2]
    aims: dict[Aim, int] = {}
    known = (place for place in places if _SLASHES.split(place.path)[-1] in by_name)
    for place in still_wanted(islice(known, MOST_READ)):
        frame = frame_at(text, place)
        number = _meant(frame, files, by_name, folder_name)
        if number is not None and (found := _aim(frame, files, number)) is not None:
            aims.setdefault(*found)
        if len(aims) == MOST_FRAMES:
            break
    return [wish for order, (aim, line) in enumerate(aims.items()) for wish in _wishes(aim, line, order, files)]


def _meant(
    frame: Frame, files: Sequence[FileViews], by_name: Mapping[str, Sequence[int]], folder_name: str
) -> int | None:
    """The file that a frame means; None where it is none, or may be one of several."""
    parts = frame.parts
    fits = [
        (_shared(parts, own), not own[: -_shared(parts, own)] or LAYOUT.issuperset(own[: -_shared(parts, own)]), number)
        for number in by_name.get(parts[-1], ())
        for own in (files[number].path.split("/"),)
    ]
    best = max((fit[:2] for fit in fits), default=(0, False))
    numbers = [number for shared, is_rooted, number in fits if (shared, is_rooted) == best]
    if len(numbers) != 1:
        return None
    shared, is_rooted = best
    rest = parts[:-shared]
    is_sure = not rest or shared >= SURE or _VERSION.sub("", rest[-1]) == folder_name
    if is_sure or (is_rooted and shared > 1):
        return numbers[0]
    return numbers[0] if is_rooted and _named(frame, files[numbers[0]]) is not None else None


def _shared(parts: Sequence[str], own: Sequence[str]) -> int:
    """Returns how many parts at the end of two paths are the same, but for the versions of packages."""
    count = 0
    for one, other in zip(reversed(parts), reversed(own), strict=False):
        if one != other and _VERSION.sub("", one) != other:
            break
        count += 1
    return count


def _aim(frame: Frame, files: Sequence[FileViews], number: int) -> tuple[Aim, int] | None:
    """The definition that a frame means, and its line; 0 where the file is another version of what it speaks of."""
    file = files[number]
    if not file.weights.unit:
        return (Aim(number, -1), frame.line) if frame.line <= len(file.lines) else None
    there = next(iter(touched(file, number, (frame.line, frame.line))), Aim(number, -1))
    if there.place >= 0 and file.definitions[there.place].name in frame.names | frame.above:
        return there, frame.line
    named = _named(frame, file)
    if named is not None:
        return aim_at(files, number, named), 0
    return (there, frame.line) if frame.line <= len(file.lines) else None


def _named(frame: Frame, file: FileViews) -> Definition | None:
    """The definition of a file that a frame names: what runs before what is a type, the nearest by its line."""
    for names in (frame.names, frame.above):
        found = [one for one in file.definitions if one.name in names and one.kind in USABLE]
        if found:
            source = file.source.source
            return min(
                found,
                key=lambda one: (
                    one.kind not in CALLABLE,
                    -len(names.intersection(_NAME.findall(one.path))),
                    abs(source.count(b"\n", 0, one.signature) + 1 - frame.line),
                ),
            )
    return None


def _wishes(aim: Aim, line: int, order: int, files: Sequence[FileViews]) -> Iterator[Wish]:
    """The definition with its text; of a large one, and where none is there, the lines around the one that is named."""
    file = files[aim.file]
    tokens = file.weights.full[aim.place] if aim.place >= 0 else file.weights.tokens[0]
    if aim.place >= 0:
        yield Wish(aim.file, aim.place, Kind.SIGNATURE)
    if line and (aim.place < 0 or tokens > LARGE or order >= MOST_WHOLE):
        lines = frozenset(range(max(1, line - AROUND), min(line + AROUND, len(file.lines)) + 1))
        file.edits = [*file.edits, Edit(lines=lines, gaps=frozenset())]
        yield Wish(aim.file, len(file.edits) - 1, Kind.LINES, len(lines))
    if aim.place >= 0 and order < MOST_WHOLE:
        yield Wish(aim.file, aim.place, Kind.BODY)
