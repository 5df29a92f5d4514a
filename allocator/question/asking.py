"""Turns query, focus, changed, since and cursor of a call into needs, notes and a narrower set of files.

`asked` takes the files of a folder and gives the same set as the question sees it: without what the reader has, with
marks on what changed, and with a need for every file and definition. What is handed out is recorded, so that the next
call can refer to it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from allocator.fileset import FileSet
from allocator.question.around import Aim, Around, around, closeness
from allocator.question.changed import Changed, changed
from allocator.question.focus import aims_of
from allocator.question.handed import DIGITS, Handed, Records
from allocator.question.named import wishes_of_names
from allocator.question.quoted import wishes_of_quotes
from allocator.question.since import Since, gone_of, since
from allocator.show.call_files import in_order, known_files
from allocator.spend.needs import by_tier, nearer
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.git.diff import WORKTREE, Change, ChangeKind, changes
from workspace.git.revisions import is_in_revision, lasting
from workspace.model import Problem, ProblemKind
from workspace.paths import shown, slashed
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from allocator.question.question import Question
    from allocator.show.framing import Portion
    from allocator.show.views import FileViews, KnownFile
    from allocator.spend.needs import Needs
    from skeleton import Definition
    from skeleton.zoom.symbols import SymbolTable
    from workspace.roots import Roots


MOST_ROOTS = 5
"""Other roots that a context names."""

LONGEST_NAME = 100
"""Characters of a snapshot or a cursor, with room for what is spelt wrongly."""

MOST_NAMES = 100
"""Symbols that a reader may expect."""

WORDLESS = "The query has no word that code could say; this is the overview."
"""The note on a query of signs, or of words that every sentence has (`what is this?`)."""


def other_roots(question: Question, roots: Roots) -> str:
    """The line that there are roots beside the first, which is meant where no path is named; "" where there are none."""
    return "" if question.narrows or question.cursor else _others(roots)


def missed_in_first(error: SymbolNotFoundError, roots: Roots) -> SymbolNotFoundError:
    """The error of a focus that nothing in the first root has, where no path is named: what it names may be in another one."""
    others = _others(roots)
    return SymbolNotFoundError(f"{error} {others}", suggestions=error.suggestions) if others else error


def _others(roots: Roots) -> str:
    others = [shown(slashed(os.fspath(one))) for one in roots.tried[1:]]
    more = f" and {len(others) - MOST_ROOTS} more" if len(others) > MOST_ROOTS else ""
    return f"Other roots, each a `path`: {', '.join(others[:MOST_ROOTS])}{more}." if others else ""


def asked(
    files: FileSet,
    question: Question,
    *,
    folder: str,
    prefix: str,
    records: Records,
    weigh: Callable[[Sequence[FileViews], str, str], Needs],
    overview: Callable[[FileSet], Needs],
    symbols: Callable[[], SymbolTable],
    before: Callable[[Sequence[Change]], Mapping[str, tuple[bytes, tuple[Definition, ...]]]],
    keeps: Callable[[str], bool],
) -> FileSet:
    """Gives a set of files as a question sees it.

    Args:
        files: all files of the call.
        question: what it is about.
        folder: the real absolute path that all others are relative to.
        prefix: the folder from its root on, as addresses begin.
        records: what was handed out before.
        weigh: the ranking for a query, in a project of a name.
        overview: what is needed by a reader who asks for nothing in particular.
        symbols: gives the symbols of the files, for names.
        before: gives what changed files were, and what they defined, by their paths.
        keeps: whether a path, from the folder on, is one that the call is about, should it exist.

    Raises:
        InvalidArgumentError: an argument is not of its form, or a snapshot or cursor is not known.
        SymbolNotFoundError: a focus names nothing.
    """
    _refuse_odd(question)
    contents, root = files.contents, root_of(folder, prefix)
    asking = _Asking(question, folder, prefix, root, weigh=weigh, overview=overview, symbols=symbols)

    def is_meant(address: str) -> bool:
        return address.startswith(prefix) and keeps(address.removeprefix(prefix))

    part = asking.narrowed(files, records, is_meant)
    diff = [one for one in changes(folder, question.changed) if keeps(one.path)] if question.changed else []
    seen = [*(part.news.seen if part.news else ()), *(_addressed(change, prefix) for change in diff)]
    _note(part.files.files, seen, part.news.marks if part.news else {})
    unchanged = "" if seen else _unchanged(question)
    said_alone = bool(question.since) or not (question.has_query or question.focus)
    edited, needs, files = Changed([], [], {}), None, part.files
    if question.is_steered:
        edited, needs, files = asking.weighed(part, diff, before, note="" if said_alone else unchanged)
    wished = frozenset(wish.file for wish in needs.wishes) if needs is not None and needs.ends else None

    def hand_out(shown: Sequence[Portion | None]) -> tuple[str, str | None]:
        goes_on = not question.cursor and needs is None  # a first look may hold a map and no file yet
        left = shown.count(None) if wished is None else sum(shown[number] is None for number in wished)
        told = _told_later(part.earlier, contents, files.files, shown) if part.news is not None else contents
        return _handed(part.earlier, told, shown, records, root, question=question, goes_on=goes_on, left=left)

    marks = {prefix + path: mark for path, mark in edited.gone.items()}
    gone = {change.path: marks.get(change.path, "") for change in seen if change.kind is ChangeKind.DELETED}
    by_name = [*(part.news.by_name if part.news else ()), *(prefix + line for line in edited.by_name)]
    if question.cursor:  # the first page told both
        gone, by_name = {}, []
    return replace(
        files,
        needs=needs,
        gone=gone,
        by_name=by_name,
        said=unchanged if said_alone else "",
        changes=_by_kind(seen),
        hand_out=hand_out,
    )


def _refuse_odd(question: Question) -> None:
    """Refuses a question that no call asks.

    Raises:
        InvalidArgumentError: it goes on and asks for news, or names neither as they are given out; it expects too many names.
    """
    if len(question.names) > MOST_NAMES:
        raise InvalidArgumentError(
            f"names holds {len(question.names)} symbols; at most {MOST_NAMES} are allowed. Leave the least likely out."
        )
    if question.since and question.cursor:
        raise InvalidArgumentError("since and cursor cannot be combined: one sends what changed, the other goes on.")
    if max(len(question.since), len(question.cursor)) > LONGEST_NAME:
        raise InvalidArgumentError(
            f"since and cursor take names that get_context gave, of {DIGITS} digits; leave them out."
        )


class _Narrowed(NamedTuple):
    """The files that a question is about.

    Attributes:
        files: without those that the reader has.
        earlier: what was handed out before.
        news: what changed since; None where that is not asked.
        found: what stands around the things that the reader named, and these.
        aims: those things.
    """

    files: FileSet
    earlier: Handed
    news: Since | None
    found: Around
    aims: Sequence[Aim]


class _Asking:
    """One question about the files of a folder.

    Args:
        question: what it is about.
        folder: the real absolute path that all others are relative to.
        prefix: the folder from its root on, as addresses begin.
        root: that root.
        weigh, overview, symbols: as of `asked`.
    """

    def __init__(
        self,
        question: Question,
        folder: str,
        prefix: str,
        root: str,
        *,
        weigh: Callable[[Sequence[FileViews], str, str], Needs],
        overview: Callable[[FileSet], Needs],
        symbols: Callable[[], SymbolTable],
    ) -> None:
        self._question = question
        self._folder = folder
        self._prefix = prefix
        self._root = root
        self._weigh = weigh
        self._overview = overview
        self._symbols = symbols

    def narrowed(self, files: FileSet, records: Records, is_meant: Callable[[str], bool]) -> _Narrowed:
        """Finds what a focus names, and leaves out what the reader has already.

        Args:
            files: all files of the call.
            records: what was handed out before.
            is_meant: whether an address is one that the call is about.
        """
        question, earlier, news = self._question, Handed(contents={}), None
        aims, found = list[Aim](), Around([], {})
        if question.focus:  # of all files: what a reader has already stands beside what he has not
            aims = list(
                dict.fromkeys(aims_of(question.focus, files.files, self._symbols(), self._folder, self._prefix))
            )
            found = around(aims, files.files, self._symbols())
        everything = known_files(files.files)
        if question.cursor:
            earlier, files = _after(files, question.cursor, records.find(question.cursor, self._root), is_meant)
        if question.since:
            news = since(files, question.since, records.find(question.since, self._root), is_meant, records)
            earlier, files = news.earlier, news.files
        if aims and (question.cursor or question.since):
            found, aims = _left_of(found, aims, everything, known_files(files.files))
        return _Narrowed(files, earlier, news, found, aims)

    def weighed(
        self,
        part: _Narrowed,
        diff: Sequence[Change],
        before: Callable[[Sequence[Change]], Mapping[str, tuple[bytes, tuple[Definition, ...]]]],
        *,
        note: str,
    ) -> tuple[Changed, Needs | None, FileSet]:
        """Tells what a reader is likely to need of the files that are left.

        Args:
            part: these files.
            diff: what a diff touches.
            before: as of `asked`.
            note: what the reader is to be told before all else.

        Returns:
            What the diff changes, the needs, and the files in the order of what was named; None for the needs where the
            question finds nothing, and an overview answers it.
        """
        from allocator.question.frames import framed  # for what is asked alone

        question, (files, _, news, found, aims) = self._question, part
        traced = framed(question.query, files.files, self._folder)
        by_query = self._by_query(files, question.with_names(traced.words)) if diff and question.has_query else None
        need = by_query.need if by_query is not None and by_query.has_query else None
        edited = changed(diff, files.files, self._symbols, before, need)
        asked_by_name = [*found.wishes, *traced.wishes, *edited.wishes]
        found = found._replace(wishes=[*asked_by_name, *(news.wishes if news else ())])
        if asked_by_name:
            files, found, aims = _foremost(files, found, aims)
            by_query = None  # of files in another order
        points = bool(found.wishes)
        if question.has_query:
            needs = by_query or self._by_query(files, question.with_names(traced.words))
            found.wishes.extend(wishes_of_names(needs.named, files.files, is_all=needs.is_names))
            found.wishes.extend(wishes_of_quotes(needs.quoted, files.files))
        elif question.focus:
            needs = _near(self._overview(files), found, aims, files.files)
        else:
            needs = by_tier(files.files)
        files = replace(files, note=" ".join(filter(None, (note, needs.note, traced.note))), unmatched=needs.unmatched)
        if needs.cut:
            cut = Problem(path="query", kind=ProblemKind.CUT_QUERY, detail=needs.cut)
            files = replace(files, problems=[*files.problems, cut])
        files = _with_range_told(files, diff, question.changed.strip(), self._prefix)
        is_wordless = question.has_query and not needs.has_query and not needs.is_lost
        if (needs.is_lost or is_wordless) and not (question.narrows or traced.wishes):
            return edited, None, replace(files, is_lost=True, note=files.note or (WORDLESS if is_wordless else ""))
        ends = bool(question.changed) and not (question.has_query or question.focus)
        return edited, replace(needs, wishes=list(dict.fromkeys(found.wishes)), ends=ends, points=points), files

    def _by_query(self, files: FileSet, words: str) -> Needs:
        project = slashed(self._root).rstrip("/").rpartition("/")[2]
        return self._weigh(files.files, words, project)


def root_of(folder: str, prefix: str) -> str:
    """The root that addresses are relative to, where those of a folder begin so; a repository is one at all its commits."""
    depth = prefix.count("/")
    root = os.fspath(Path(folder).parents[depth - 1]) if depth else folder
    return lasting(root) if is_in_revision(root) else root


def _addressed(change: Change, prefix: str) -> Change:
    """A change as the reader is told of it."""
    old = f"{prefix}{change.old_path}" if change.old_path else change.old_path
    return replace(change, path=f"{prefix}{change.path}", old_path=old)


def _unchanged(question: Question) -> str:
    """Returns the note that nothing changed; "" where it was not asked what did."""
    if question.since:  # nothing else is of the call then, whatever it asks
        return f"Nothing changed since {question.since}."
    if question.changed.strip() == WORKTREE:
        return "Nothing changed: the work tree is as the last commit left it."
    if question.changed:
        return f"Nothing changed here in '{question.changed.strip()}'."
    return ""


def _with_range_told(files: FileSet, diff: Sequence[Change], changed: str, prefix: str) -> FileSet:
    """Has a reader told which files of a range are not as they are at its end, in their headers and before all else."""
    moved = [change.path for change in diff if change.has_moved_on]
    if not moved:
        return files
    places = {known.path: place for place, known in enumerate(known_files(files.files))}
    for path in moved:
        if path in places:
            file = files.files[places[path]]
            file.notes = (*file.notes, "NOT-AS-IN-RANGE")
    count = number_of(len(moved), "file")
    detail = f"{count} of {changed} read otherwise on disk, and the disk is what is shown; check out the end of the range first"
    problem = Problem(path=prefix + moved[0], kind=ProblemKind.NOT_AS_IN_RANGE, detail=detail)
    return replace(files, note=f"{detail}. {files.note}".rstrip(), problems=[*files.problems, problem])


def _left_of(
    found: Around, aims: Sequence[Aim], everything: Sequence[KnownFile], left: Sequence[KnownFile]
) -> tuple[Around, list[Aim]]:
    """Those things that were named, and that stand around them, which are in the files that are left."""
    places = {file.address: place for place, file in enumerate(left)}
    moved = {number: places[file.address] for number, file in enumerate(everything) if file.address in places}
    around_left = Around(
        wishes=[wish._replace(file=moved[wish.file]) for wish in found.wishes if wish.file in moved],
        near={Aim(moved[aim.file], aim.place): need for aim, need in found.near.items() if aim.file in moved},
    )
    return around_left, [Aim(moved[aim.file], aim.place) for aim in aims if aim.file in moved]


def _foremost(files: FileSet, found: Around, aims: Sequence[Aim]) -> tuple[FileSet, Around, list[Aim]]:
    """Puts the files of what was named and of what stands around it first, in that order."""
    ordered = dict.fromkeys((*(wish.file for wish in found.wishes), *range(len(files.files))))
    places = {old: new for new, old in enumerate(ordered)}
    moved = Around(
        wishes=[wish._replace(file=places[wish.file]) for wish in found.wishes],
        near={Aim(places[aim.file], aim.place): need for aim, need in found.near.items()},
    )
    files = replace(files, files=in_order(files.files, [*ordered]))
    return files, moved, [Aim(places[aim.file], aim.place) for aim in aims]


def _near(needs: Needs, found: Around, aims: Sequence[Aim], files: Sequence[FileViews]) -> Needs:
    """Returns the needs raised by what stands around the things that the reader named."""
    lifted: dict[int, dict[int, float]] = {}
    for aim, need in found.near.items():
        lifted.setdefault(aim.file, {})[aim.place] = need
    return nearer(needs, closeness(found, aims, files), lifted, files)


def _after(
    files: FileSet, cursor: str, earlier: Handed | None, is_meant: Callable[[str], bool]
) -> tuple[Handed, FileSet]:
    """The files that earlier pages did not show; `is_meant` tells of any address whether the call is about it."""
    if earlier is None:
        raise InvalidArgumentError(
            f"The cursor {cursor!r} is not known, or not any more, or of a call about another path;"
            " give the path of that call, or call again without it."
        )
    known = known_files(files.files)
    left = in_order(files.files, [place for place, file in enumerate(known) if file.address not in earlier.shown])
    problems = list(files.problems)
    if (contents := files.contents) != earlier.contents:
        moved = sum(earlier.contents.get(path) != content for path, content in contents.items())
        moved += len(gone_of(earlier, contents, is_meant))
        detail = f"{number_of(moved, 'file')} changed since the first page; those shown before are not shown again"
        if moved:
            problems.append(Problem(path=cursor, kind=ProblemKind.STALE_CURSOR, detail=detail))
    return earlier, replace(files, files=left, problems=problems)


def _note(files: Sequence[FileViews], seen: Sequence[Change], marks: Mapping[int, str]) -> None:
    by_path = {change.path: change for change in seen}
    for place, known in enumerate(known_files(files) if by_path else ()):
        change = by_path.get(known.address)
        if change is not None:
            old = f":{change.old_path}" if change.old_path else ""
            files[place].notes = tuple(filter(None, (f"{change.kind}{old}", marks.get(place, ""))))


def _by_kind(seen: Sequence[Change]) -> Mapping[str, tuple[str, ...]]:
    kinds = {kind: tuple(change.path for change in seen if change.kind is kind) for kind in ChangeKind}
    return {kind.value.lower(): paths for kind, paths in kinds.items() if paths}


def _told_later(
    earlier: Handed, contents: Mapping[str, str], files: Sequence[FileViews], shown: Sequence[Portion | None]
) -> Mapping[str, str]:
    """The contents that a reader knows of: a changed file that is not shown is to him as it was, and is told the next time."""
    due = {file.address for file, portion in zip(known_files(files), shown, strict=True) if portion is None}
    known = {path: earlier.contents[path] for path in due if path in earlier.contents}
    return {path: held for path, held in contents.items() if path not in due} | known if due else contents


def _handed(
    earlier: Handed,
    contents: Mapping[str, str],
    shown: Sequence[Portion | None],
    records: Records,
    root: str,
    *,
    question: Question,
    goes_on: bool,
    left: int,
) -> tuple[str, str | None]:
    """Records what is handed out; gives its name, and the cursor where something is `left` to show.

    Where no file is shown there is a next page only if this one `goes_on` all the same. With a next page, the record
    holds the question that it goes on with.
    """
    present = [portion for portion in shown if portion is not None]
    now = {portion.file.address: records.given(portion.file, portion.level.value) for portion in present}
    has_more = bool(present or goes_on) and left > 0
    record = Handed(contents=contents, shown={**earlier.shown, **now})
    name = records.keep(replace(record, question=question.lasting) if has_more else record, root)
    return name, name if has_more else None
