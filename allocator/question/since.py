"""Tells what changed since an earlier result, part by part, of what its reader was given.

    definitions   those that are new or read otherwise, whole
    lines         outside of definitions those that came, with the lines around them, and how many went where they stood
    by name       a file of which nothing else is to be shown (definitions went or moved, lines are empty that were not), one
                  that was only renamed, and one that cannot be shown; with what it defined and does not any more:
                  `[REMOVED:gone]`

The record of a result holds digests and no text, so a line that went is counted, and only `changed` shows how it read.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from allocator.question.changed import LARGE, edit_of, gone_from, removed_mark
from allocator.question.handed import LINE_DIGITS, MANY_LINES, Handed, loose_lines
from allocator.show.call_files import in_order, known_files
from allocator.spend.steps import Kind, Wish
from skeleton import CompressionLevel
from workspace.errors import InvalidArgumentError
from workspace.git.diff import Change, ChangeKind
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from allocator.fileset import FileSet
    from allocator.question.handed import Given, Records
    from allocator.show.views import FileViews

MOST_PAIRS = 4_000_000
"""Lines that were times lines that are, up to which it is told line by line what became of them."""


class Since(NamedTuple):
    """The changes since an earlier result.

    Attributes:
        earlier: what of that result is still there.
        files: those of the call, with those alone that are to be shown.
        seen: what became of every file.
        wishes: what is to be shown: signatures and lines first, then texts.
        by_name: what is told by name alone: addresses, each with what became of the file.
        marks: what is to be said of files besides, by their places.
    """

    earlier: Handed
    files: FileSet
    seen: Sequence[Change]
    wishes: Sequence[Wish]
    by_name: Sequence[str]
    marks: Mapping[int, str]


class _New(NamedTuple):
    """The parts of a file that a reader does not have, and what is to be said of it besides."""

    first: Sequence[Wish]
    then: Sequence[Wish]
    mark: str = ""


class _Lines(NamedTuple):
    """The lines of a file outside of definitions that are not as they were.

    Attributes:
        came: their numbers.
        went: the numbers of the lines before which others stood, and how many.
    """

    came: set[int]
    went: dict[int, int]


def since(
    files: FileSet, name: str, earlier: Handed | None, is_meant: Callable[[str], bool], records: Records
) -> Since:
    """Tells how the files are not as an earlier result saw them.

    Args:
        files: all files of the call.
        name: the snapshot of the earlier result.
        earlier: its record; None where there is none.
        is_meant: tells of any address whether the call is about it.
        records: gives the parts of files.

    Raises:
        InvalidArgumentError: there is no record.
    """
    if earlier is None:
        raise InvalidArgumentError(
            f"The snapshot {name!r} is not known, or not any more, or of another root, so what changed since cannot be told. "
            "Call without since for what is there now; its snapshot can be used from then on. changed='worktree' gives what is not committed."
        )
    before, contents = earlier.contents, files.contents
    addresses = [file.address for file in known_files(files.files)]
    differ = [place for place, path in enumerate(addresses) if before.get(path) != contents[path]]
    unread = [path for path in files.left_out if before.get(path) != contents.get(path)]
    there = [*(addresses[place] for place in differ), *unread]
    seen = _moved(there, gone_of(earlier, contents, is_meant), before, contents)
    kinds = {change.path: change.kind for change in seen}
    old_of = {change.path: change.old_path for change in seen if change.old_path}
    given = {path: shown for path, shown in earlier.shown.items() if path in contents}
    given |= {path: earlier.shown[old] for path, old in old_of.items() if old in earlier.shown}
    had = Handed(contents=before, shown=given)
    moved: list[int] = []
    new: list[_New] = []
    by_name: list[str] = []
    for place in differ:
        path = addresses[place]
        if path in old_of:  # its bytes are those that the reader knows under another name
            by_name.append(f"{path} [{kinds[path]}:{old_of[path]}]")
            continue
        found = _new_parts(files.files[place], len(moved), had.shown.get(path), records)
        if found.first:
            moved.append(place)
            new.append(found)
        else:
            by_name.append(f"{path} [{kinds[path]}]" + (f" [{found.mark}]" if found.mark else ""))
    by_name += [f"{path} [{kinds[path]}] {contents[path]}" for path in unread]
    still = {*addresses}.difference(addresses[place] for place in moved)
    kept = {path: CompressionLevel(had.shown[path].level) for path in addresses if path in still and path in had.shown}
    left_out = sorted({*files.left_out, *(still - kept.keys())})
    return Since(
        earlier=had,
        files=replace(files, files=in_order(files.files, moved), kept=kept, left_out=left_out),
        seen=seen,
        wishes=[*(wish for one in new for wish in one.first), *(wish for one in new for wish in one.then)],
        by_name=by_name,
        marks={number: one.mark for number, one in enumerate(new) if one.mark},
    )


def gone_of(earlier: Handed, contents: Mapping[str, str], is_meant: Callable[[str], bool]) -> list[str]:
    """The files that an earlier result saw and that are no more, of those that a call is about.

    Args:
        earlier: the record of that result.
        contents: of the files as they are, by address.
        is_meant: tells of any address whether the call is about it.
    """
    return sorted(path for path in earlier.contents.keys() - contents.keys() if is_meant(path))


def _moved(
    there: Sequence[str], gone: Sequence[str], before: Mapping[str, str], contents: Mapping[str, str]
) -> list[Change]:
    """The changes of files that are not as they were; a new one with the bytes of one that is gone is that one, renamed."""
    olds, news = Counter(before[path] for path in gone), Counter(contents[path] for path in there if path not in before)
    alone = {content for content, number in olds.items() if number == news[content] == 1}
    old_of = {before[path]: path for path in gone if before[path] in alone}

    def change(path: str) -> Change:
        if path in before:
            return Change(path=path, kind=ChangeKind.CHANGED)
        old = old_of.get(contents[path], "")
        return Change(path=path, kind=ChangeKind.RENAMED if old else ChangeKind.NEW, old_path=old)

    deleted = (Change(path=path, kind=ChangeKind.DELETED) for path in gone if before[path] not in alone)
    return [*map(change, there), *deleted]


def _new_parts(file: FileViews, number: int, had: Given | None, records: Records) -> _New:
    """The parts of a changed file that the reader does not have; all of it where he has nothing of it.

    Args:
        file: the file; it learns which of its definitions the reader has.
        number: its place among those that are shown.
        had: what he was given of it.
        records: gives the parts of files.
    """
    parts = records.parts_of(file)
    lines = _new_lines(file, had, parts.lines) if had is not None else None
    if had is None or lines is None:
        return _New([Wish(number, -1, Kind.SKELETON)], [Wish(number, -1, Kind.TEXT)])
    digests = {digest for _, digest in had.definitions}
    file.known = frozenset(place for place, digest in parts.definitions.items() if digest in digests)
    new = [place for place in parts.definitions if place not in file.known]
    first = [Wish(number, place, Kind.SIGNATURE) for place in new]
    if lines.came or lines.went:
        file.removed = {before: (f"{number_of(count, 'line')} went",) for before, count in lines.went.items()}
        edit = edit_of(file, lines.came, {*lines.went})
        file.edits = [*file.edits, edit]
        first.append(Wish(number, len(file.edits) - 1, Kind.LINES, len(edit.lines)))
    gone = gone_from(file, [name for name, _ in had.definitions if name])
    return _New(first, [Wish(number, place, Kind.BODY) for place in new], removed_mark(gone))


def _new_lines(file: FileViews, had: Given, now: str) -> _Lines | None:
    """The lines outside of definitions that are not as they were; None where all of the file is to be shown instead."""
    if not file.definitions and file.weights.tokens[0] <= LARGE:
        return None
    if had.lines == now:
        return _Lines(set(), {})
    if MANY_LINES in had.lines + now:
        return None
    olds, news = _digests(had.lines), _digests(now)
    numbers = loose_lines(file)
    start = next((at for at, (old, new) in enumerate(zip(olds, news, strict=False)) if old != new), None)
    start = min(len(olds), len(news)) if start is None else start
    end = 0
    while end < min(len(olds), len(news)) - start and olds[-1 - end] == news[-1 - end]:
        end += 1
    olds, news = olds[start : len(olds) - end], news[start : len(news) - end]
    if len(olds) * len(news) > MOST_PAIRS:
        return None
    came: set[int] = set()
    went: dict[int, int] = {}
    from difflib import SequenceMatcher  # for what changed alone

    for what, old, old_end, new, new_end in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        came.update(numbers[start + at] for at in range(new, new_end))
        if old_end > old:
            above = numbers[start + new - 1] if start + new else 0
            before = numbers[start + new] if new_end > new else above + 1
            went[before] = went.get(before, 0) + old_end - old
    return _Lines(came, went)


def _digests(lines: str) -> list[str]:
    return [lines[at : at + LINE_DIGITS] for at in range(0, len(lines), LINE_DIGITS)]
