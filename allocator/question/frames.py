"""The meaning of the places that a trace or a log names, in the files of a call, and the order in which they are shown.

Traces come from other machines and other versions: a path is looked for by its end, and where a definition of the file has
the name that the frame gives, it is meant, whatever its lines. Where a frame says which function it is in, and its file has
none of that name, the line is one of another version: nothing of it is shown, and the reader is told. What is not of this
folder, a library's or the standard library's, is left out. A file that was made of another one, `dist/till.js`, leads to
that, `src/till.ts`, where it has the function that the frame says.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from allocator.question.around import Aim, aim_at, touched
from allocator.question.changed import LARGE
from allocator.question.traces import frame_at, numbered, outside, thrown, unescaped, without_names
from allocator.show.call_files import known_files
from allocator.show.views import Edit
from allocator.spend.steps import Kind, Wish
from skeleton.formats import holds_code
from skeleton.languages.kinds import CALLABLE, TYPES, USABLE
from workspace.cancellation import still_wanted
from workspace.paths import slashed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from allocator.question.traces import Frame, Thrown
    from allocator.show.views import FileViews
    from skeleton import Definition
    from skeleton.index.indexed import IndexedFile

MOST_FRAMES = 40
"""Places that are shown; more are a recursion."""

MOST_WHOLE = 12
"""Definitions that are shown whole; of the others those lines that are named."""

AROUND = 6
"""Lines on either side of one that is named, where what it belongs to is not shown whole."""

AROUND_FIRST = 15
"""Likewise, of the innermost call."""

MOST_READ = 1000
"""Places of one text that may be of this folder and are looked at."""

LAYOUT = frozenset({"app", "include", "lib", "main", "source", "sources", "src"})
"""Folders that installed code is not in any more."""

SURE = 3
"""Parts at the end of a path that only the same file has in common."""

SHORTEST_QUOTED = 4
"""Characters of a line of code that tells its place."""

MOST_THROWN = 4
"""Classes of what was thrown that are shown."""

MOST_ALIKE = 8
"""Files of one name that are looked into for a class."""

MOST_MISSING = 3
"""Functions that a reader is told of because they are not here."""

_SLASHES = re.compile(r"[\\/]+")
_OF_ANOTHER = (b".", b">", b":")
"""The marks before a name that something else has."""

_CALLED = re.compile(
    rb"[?!]?\s{0,9}\([^(){};]{0,300}(?:\([^()]{0,300}\)[^(){};]{0,300}){0,9}\)(?!\s{0,300}\{|[ \t]{0,9}(?:[^\W\d]|[:=]|->))"
)
"""The arguments of a call, behind which no body stands."""

_MADE_OF = {".js": (".ts", ".tsx", ".jsx", ".vue", ".svelte"), ".mjs": (".mts", ".ts"), ".cjs": (".cts", ".ts")}
"""Endings of files that compilers make, each with those of what they make them of."""

_MADE_IN = frozenset({"build", "cjs", "dist", "es", "esm", "lib", "out"})
"""Folders that they put them in."""

_OF_FOLDER = frozenset({"__init__", "index", "mod"})
"""Names of files that stand for the folder that they lie in."""

_OF_ERRORS = ("error", "errors", "exception", "exceptions")
"""Names of files that hold the classes of what is thrown, in small letters."""

_VERSION = re.compile(r"(?:@|-v?\d).*\Z")
_NAME = re.compile(r"[^\W\d]\w*")


class Framed(NamedTuple):
    """The outcome of the places that a text names.

    Attributes:
        wishes: what is to be shown, in order.
        note: what the reader is to be told of functions that are not here; "" for nothing.
        words: the text, as it was before a log quoted it, without the names that were found as those of its places, and
            without the folders that these lie in elsewhere.
    """

    wishes: list[Wish]
    note: str
    words: str


UNKNOWN_LINE = 0
"""The line of a definition that is in another version of its file than the one that a frame speaks of."""


def framed(text: str, files: Sequence[FileViews], folder: str) -> Framed:
    """Finds the places that a text names, the innermost call first, and marks them in the files.

    Args:
        text: what a reader asks.
        files: those of the call.
        folder: the absolute path that theirs are relative to.
    """
    text = unescaped(text)
    places = numbered(text)
    if not places:
        return Framed([], "", text)
    by_name: dict[str, list[int]] = {}
    for number, file in enumerate(known_files(files)):
        name = file.path.rpartition("/")[2]
        by_name.setdefault(name, []).append(number)
        if name[:1].isupper():  # it may be called as the class in it is
            by_name.setdefault(name.partition(".")[0], []).append(number)
    folder_name = slashed(folder).rstrip("/").rpartition("/")[2]
    aims: dict[Aim, int] = {}
    found: list[Frame] = []
    lines: set[tuple[int, int]] = set()
    gone: set[tuple[int, tuple[str, ...]]] = set()
    missing: dict[tuple[int, int], str] = {}
    elsewhere: list[tuple[int, int]] = []
    known = (place for place in places if not by_name.keys().isdisjoint(_names_of(_SLASHES.split(place.path)[-1])))
    for place in still_wanted(islice(known, MOST_READ)):
        frame = frame_at(text, place)
        number = _meant(frame, files, by_name, folder_name)
        if number is None:
            if made := _made_of(frame, files, by_name, folder_name):
                aims.setdefault(*made)
                found.append(frame)
            continue
        elsewhere.append(outside(place, _shared(frame.parts, files[number].path.split("/"))))
        frame = _as_quoted(frame, files[number])
        is_gone = (number, frame.called) in gone
        aimed = None if is_gone else _aim(frame, files, number)
        if aimed is not None:
            aims.setdefault(*aimed)
            lines.add((number, frame.line))
        elif frame.called:
            gone.add((number, frame.called))
            missing[number, frame.line] = frame.called[0]
        if aimed is not None or frame.called:
            found.append(frame)
        if len(aims) == MOST_FRAMES:
            break
    names = [f"no {name} in {files[at[0]].address}" for at, name in missing.items() if at not in lines]
    classes = [aim for aim in _classes(thrown(text), files) if aim not in aims] if found else []
    return Framed(_wishes(aims, classes, files), _note([*dict.fromkeys(names)]), without_names(text, found, elsewhere))


def _as_quoted(frame: Frame, file: FileViews) -> Frame:
    """The frame with the line that says here what the trace quotes of it: the nearest, in a function that it names."""
    quoted = frame.line_below
    if len(quoted) < SHORTEST_QUOTED or quoted not in file.skeletons.full.text:
        return frame
    said = [number for number, line in enumerate(file.lines, 1) if quoted in line and line.strip() == quoted]
    if frame.called:
        source = file.source.source
        named = [one for one in cast("IndexedFile", file.file).symbols if one.name in frame.called]
        spans = [tuple(source.count(b"\n", 0, at) + 1 for at in (one.start, one.end)) for one in named]
        said = [number for number in said if any(first <= number <= last for first, last in spans)]
    return frame._replace(line=min(said, key=lambda number: abs(number - frame.line))) if said else frame


def _meant(
    frame: Frame, files: Sequence[FileViews], by_name: Mapping[str, Sequence[int]], folder_name: str
) -> int | None:
    """The file that a frame means; None where it is none, or may be one of several."""
    parts = frame.parts
    named = by_name.get(parts[-1], ())
    if "." not in parts[-1]:  # a class
        return named[0] if len(named) == 1 and frame.line <= len(files[named[0]].lines) else None
    fits = [
        (_shared(parts, own), not own[: -_shared(parts, own)] or LAYOUT.issuperset(own[: -_shared(parts, own)]), number)
        for number in named
        for own in (files[number].path.split("/"),)
    ]
    best = max((fit[:2] for fit in fits), default=(0, False))
    numbers = [number for shared, is_rooted, number in fits if (shared, is_rooted) == best]
    if len(numbers) != 1:
        return None
    shared, is_rooted = best
    rest = parts[:-shared]
    if frame.project:
        is_own = shared >= SURE or _VERSION.sub("", frame.project) == folder_name
        return numbers[0] if is_own and is_rooted and not rest else None
    is_sure = not rest or shared >= SURE or _VERSION.sub("", rest[-1]) == folder_name
    if is_sure or (is_rooted and shared > 1):
        return numbers[0]
    return numbers[0] if is_rooted and _named(frame, files[numbers[0]]) is not None else None


def _names_of(name: str) -> list[str]:
    """The names that a file of a trace may have here: its own, and of what is made by a compiler those of what it is made of."""
    bare, dot, ending = name.rpartition(".")
    return [name, *(f"{bare}{other}" for other in _MADE_OF.get(dot + ending, ()))]


def _made_of(
    frame: Frame, files: Sequence[FileViews], by_name: Mapping[str, Sequence[int]], folder_name: str
) -> tuple[Aim, int] | None:
    """The definition that a frame in a file means which was made of one of these, whatever the line; None for none."""
    *folders, name = frame.parts
    built = max((at for at, folder in enumerate(folders) if folder in _MADE_IN), default=-1)
    rooted = [*folders[:built], "src", *folders[built + 1 :]] if built >= 0 else folders
    for parts in ((*around, other) for other in _names_of(name)[1:] for around in (folders, rooted)):
        there = frame._replace(parts=parts, line=UNKNOWN_LINE)
        number = _meant(there, files, by_name, folder_name) if frame.called else None
        if number is not None and (named := _named(there, files[number])) is not None:
            return aim_at(files, number, named), UNKNOWN_LINE
    return None


def _shared(parts: Sequence[str], own: Sequence[str]) -> int:
    """Returns how many parts at the end of two paths are the same, but for the versions of packages."""
    count = 0
    for one, other in zip(reversed(parts), reversed(own), strict=False):
        if one != other and _VERSION.sub("", one) != other:
            break
        count += 1
    return count


def _aim(frame: Frame, files: Sequence[FileViews], number: int) -> tuple[Aim, int] | None:
    """The definition that a frame means, and its line; None where the file does not have what it names."""
    file = files[number]
    if holds_code(file.path):
        return Aim(number, -1), UNKNOWN_LINE  # a frame counts the lines of a cell
    is_inside = frame.line <= len(file.lines)
    if not file.weights.unit:
        return (Aim(number, -1), frame.line) if is_inside else None
    there = next(iter(touched(file, number, (frame.line, frame.line))), Aim(number, -1))
    names = frozenset(frame.called) or frame.names | frame.above
    if there.place >= 0 and file.definitions[there.place].name in names:
        return there, frame.line
    named = _named(frame, file)
    if named is not None:
        aim = aim_at(files, number, named)
        first, last = (file.source.source.count(b"\n", 0, at) + 1 for at in (named.start, named.end))
        if first <= frame.line <= last:
            return aim, frame.line
        is_itself = aim.place >= 0 and file.definitions[aim.place] == named
        return aim, UNKNOWN_LINE if is_itself else first
    may_be_here = is_inside and (not frame.called or _may_be_defined(frame.called, file))
    return (there, frame.line) if may_be_here else None


def _named(frame: Frame, file: FileViews) -> Definition | None:
    """The definition of a file that a frame names: around its line, or else what runs before what is a type, the nearest.

    Where the frame says which function it is in, those inside of bodies are looked at, too.
    """
    source = file.source.source
    if frame.called:
        every = cast("IndexedFile", file.file).symbols
        choices = [[one for one in every if one.name in frame.called]]
    else:
        choices = [[one for one in file.definitions if one.name in names] for names in (frame.names, frame.above)]

    def distance(one: Definition) -> tuple[bool, int, bool, int, int]:
        first, last = source.count(b"\n", 0, one.start) + 1, source.count(b"\n", 0, one.end) + 1
        is_around = bool(frame.called) and first <= frame.line <= last
        return (
            not is_around,
            last - first if is_around else 0,
            one.kind not in CALLABLE,
            -len(frame.names.intersection(_NAME.findall(one.path))),
            abs(source.count(b"\n", 0, one.signature) + 1 - frame.line),
        )

    for found in choices:
        if usable := [one for one in found if one.kind in USABLE]:
            return min(usable, key=distance)
    return None


def _may_be_defined(names: Sequence[str], file: FileViews) -> bool:
    """Tells whether a text may define a name, in whatever way: it stands there otherwise than as what is called."""
    source = file.source.source
    return any(
        source[max(0, one.start() - 1) : one.start()] not in _OF_ANOTHER and not _CALLED.match(source, one.end())
        for name in names
        for one in re.finditer(rb"(?<!\w)%s(?!\w)" % re.escape(name.encode()), source)
    )


def _classes(classes: Sequence[Thrown], files: Sequence[FileViews]) -> list[Aim]:
    """The definitions of classes that were thrown, of files that are called after them or after what qualifies them."""
    stems: dict[str, list[int]] = {}
    paths = known_files(files) if classes else ()
    for number, file in enumerate(paths):
        parts = _module(file.path)
        if parts:
            stems.setdefault(parts[-1].replace("_", "").lower(), []).append(number)
    aims: dict[Aim, None] = {}
    for one in classes:
        last = one.parts[-1] if one.parts else ""
        by_module = [
            number
            for number in stems.get(last.replace("_", "").lower(), ())
            if last and _module(paths[number].path)[-len(one.parts) :] == one.parts
        ]
        of_errors = [number for stem in _OF_ERRORS for number in stems.get(stem, ())]
        for numbers in (by_module, stems.get(one.name.lower(), ()), of_errors):
            found = [aim for number in numbers[:MOST_ALIKE] if (aim := _type(one, files, number)) is not None]
            if len(found) == 1:
                aims.setdefault(found[0])
                break
    return [*aims][:MOST_THROWN]


def _module(path: str) -> tuple[str, ...]:
    """The parts of a path without its ending, and without a last one that stands for the folder."""
    parts = tuple(path.split("/"))
    stem = parts[-1].partition(".")[0]
    return parts[:-1] if stem in _OF_FOLDER else (*parts[:-1], stem)


def _type(thrown: Thrown, files: Sequence[FileViews], number: int) -> Aim | None:
    """The class of a file that was thrown; of several of its name the one with more of what qualifies it around."""
    found = [one for one in files[number].definitions if one.name == thrown.name and one.kind in TYPES]
    if not found:
        return None
    return aim_at(
        files, number, max(found, key=lambda one: len(frozenset(thrown.parts).intersection(one.path.split("."))))
    )


def _note(missing: Sequence[str]) -> str:
    """Tells a reader which functions of a trace are not here."""
    if not missing:
        return ""
    more = f" and {len(missing) - MOST_MISSING} more" if len(missing) > MOST_MISSING else ""
    return f"The trace may be of another version: {', '.join(missing[:MOST_MISSING])}{more}."


def _wishes(aims: Mapping[Aim, int], classes: Sequence[Aim], files: Sequence[FileViews]) -> list[Wish]:
    """The wishes for what places lead to: the innermost, signatures of the next and lines of large ones, then their texts.

    The texts of large definitions come behind the others, and of more places only signatures and lines are shown.
    """
    ordered = [(aim, line, order) for order, (aim, line) in enumerate(aims.items())]
    near = [one for one in ordered if one[2] < MOST_WHOLE]
    whole = [aim for aim, _, _ in near if aim.place >= 0]
    small = [aim for aim in (*whole[:1], *classes, *whole[1:]) if _tokens(aim, files) <= LARGE]
    large = [aim for aim in whole if _tokens(aim, files) > LARGE]
    first = [Wish(aim.file, aim.place, Kind.BODY) for aim in whole[:1] if aim in small]
    return [
        *(wish for one in near[:1] for wish in _some(*one, files)),
        *first,
        *(Wish(aim.file, aim.place, Kind.SIGNATURE) for aim in classes),
        *(wish for one in near[1:] for wish in _some(*one, files)),
        *(Wish(aim.file, aim.place, Kind.BODY) for aim in (*small, *large) if aim not in whole[:1] or not first),
        *(wish for one in ordered[len(near) :] for wish in _some(*one, files)),
    ]


def _some(aim: Aim, line: int, order: int, files: Sequence[FileViews]) -> Iterator[Wish]:
    """The signature of a definition; of a large one, and where none is there, the lines around the one that is named."""
    file = files[aim.file]
    if aim.place >= 0:
        yield Wish(aim.file, aim.place, Kind.SIGNATURE)
    if not (aim.place < 0 or _tokens(aim, files) > LARGE or order >= MOST_WHOLE):
        return
    if line == UNKNOWN_LINE:
        yield Wish(aim.file, aim.place, Kind.EXCERPT)
        return
    beside = AROUND if order else AROUND_FIRST
    lines = frozenset(range(max(1, line - beside), min(line + beside, len(file.lines)) + 1))
    file.edits = [*file.edits, Edit(lines=lines, gaps=frozenset())]
    yield Wish(aim.file, len(file.edits) - 1, Kind.LINES, len(lines))


def _tokens(aim: Aim, files: Sequence[FileViews]) -> int:
    weights = files[aim.file].weights
    return weights.full[aim.place] if aim.place >= 0 else weights.tokens[0]
