"""The engine: builds the context of a path within a budget.

The way of a call: the path is resolved inside the roots, its files are listed, read and ranked, and what
`allocator.assemble` makes of them is returned. A file that cannot be shown costs its own place and never the call: it
counts as dropped, and the reason stands among the problems.
"""

from __future__ import annotations

import os
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from allocator.assemble import assemble
from allocator.bringing import Bringing, indexed
from allocator.fileset import ContextRequest, ContextResult, FileSet
from allocator.known_folders import MOST_FOLDERS, KnownFolders, is_mapped
from allocator.listing import Listing, Listings
from allocator.progress import Progress, Stages
from allocator.question.asking import asked, missed_in_first, other_roots, root_of
from allocator.question.handed import Records
from allocator.question.question import Question, question_of
from allocator.ranking.by_path import foremost, sources
from allocator.requested import requested
from allocator.show.call_files import CallFiles
from allocator.show.formats import FormatName
from allocator.spend.offered import SkeletonMode
from skeleton import CompressionLevel, Definition
from skeleton.index.code_index import CodeIndex
from skeleton.index.records import Aspect
from skeleton.index.workers import Workers
from workspace.cancellation import still_wanted
from workspace.errors import FileChangedError, SymbolNotFoundError, UnreadableFileError
from workspace.files.rescan import RememberedScans
from workspace.files.scan import in_globs, scan
from workspace.git.diff import check_work_tree
from workspace.git.revisions import at_commit, commit_of, is_bare
from workspace.paths import unshown
from workspace.tokens import DEFAULT_ENCODING, parse_budget, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator.listing import Gathered, Likely
    from allocator.profile import Profile
    from workspace.files.scan import Scan
    from workspace.git.diff import Change
    from workspace.roots import Roots
    from workspace.shared.store import SharedStore

TRIES = 3
"""A call is made anew so often when files change while it reads them."""

BARE = (
    "This folder is a repository without a work tree: these are git's own files. Its code is in its commits:"
    " git:FOLDER@REVISION on the command line, repo://NAME of a server that has --repository NAME=FOLDER."
)
"""The note on a bare repository."""

_Answer = TypeVar("_Answer")


class ContextEngine:
    """Gives the right part of a folder, at the right level of detail, inside a token budget.

    Args:
        roots: the folders that may be read.
        encoding: the name of the vocabulary that tokens are counted with.
        index: what is known of files; by default one that ends with the engine, without worker processes or a cache
            on disk.
        records: what was handed out, for `since` and `cursor`; by default it ends with the engine.
        redact: whether the index made by default takes secrets out of files; those that are secret by name are never
            shown.
        shared: where replicas that begin find the words of all files of a folder; None for nowhere.

    Raises:
        InvalidArgumentError: the vocabulary is not known.
    """

    def __init__(
        self,
        roots: Roots,
        *,
        encoding: str = DEFAULT_ENCODING,
        index: CodeIndex | None = None,
        records: Records | None = None,
        redact: bool = True,
        shared: SharedStore | None = None,
    ) -> None:
        self.roots = roots
        self.records = records or Records()
        token_counter(encoding)  # raises now where the vocabulary is not known
        self._scans = RememberedScans(roots)
        self.index = index or CodeIndex(roots, encoding=encoding, workers=Workers(0), redact=redact)
        self._listings = Listings(self.index, MOST_FOLDERS)
        self._folders = KnownFolders(self.index, shared)
        self._bringing = Bringing(self.index)

    def get_context(
        self,
        path: str,
        *,
        token_budget: int | str | None = None,
        skeleton: str = SkeletonMode.AUTO,
        include: Sequence[str] | str | None = (),
        exclude: Sequence[str] | str | None = (),
        min_level: str = CompressionLevel.DROP,
        max_level: str = CompressionLevel.FULL,
        format: str = FormatName.PLUS,  # noqa: A002 - the name of the argument in the tool's contract
        line_numbers: bool = False,
        query: str | None = "",
        names: Sequence[str] | str | None = (),
        focus: Sequence[str] | str | None = (),
        changed: str | None = "",
        since: str | None = "",
        cursor: str | None = "",
        summary: bool = True,
        progress: Progress | None = None,
    ) -> ContextResult:
        """Shows the files of a folder, or one file, in at most `token_budget` tokens.

        None for `query`, `names`, `focus`, `changed`, `since`, `cursor`, `include` or `exclude` is as if it were left out, and a
        plain string for one that takes several is a list of one.

        Args:
            path: a folder or a file inside a root.
            token_budget: tokens of everything served, such as `8000`, `"8k"`; None, 0 or `"unlimited"` for no ceiling.
            skeleton: `auto` (skeletons as soon as there is a budget), `enabled` (every file starts as a skeleton; without
                a ceiling it stays one) or `disabled` (a file is full or dropped).
            include: globs in the syntax of `.gitignore` that narrow the set of files.
            exclude: globs that are left out of it.
            min_level: no file goes below this level, `L0` to `L3`.
            max_level: no file is shown in more detail than this, `L0` to `L2`.
            format: `plus`, `compact`, `xml`, `markdown` or `json`.
            line_numbers: starts each line with its number in the source.
            query: what the reader is about to do, in words: an issue, a question.
            names: symbols that the reader expects, exact or not; nothing need be called so.
            focus: paths, globs and symbols (`src/a.py::Config.load`) to show first and in full.
            changed: `worktree`, a revision or a range of git: the definitions that the diff touches become the focus.
            since: the `snapshot` of an earlier result: only what changed since is returned.
            cursor: the `next_cursor` of an earlier result: goes on with the files that it did not show, and with its
                `path`, `query`, `names`, `focus`, `changed`, `include` and `exclude` where this call leaves them out.
            summary: whether a second text says what was done; without it the context may take the whole budget.
            progress: is told the steps done, the steps there are, and what is being done; what it raises ends the call.

        Returns:
            The context, its summary, the complete metadata and the tokens of both texts. The context and the summary
            never cost more than the budget, and at least 95 % of it where there is more to show and a line of it fits.

        Raises:
            InvalidArgumentError: an argument is not of its form.
            BudgetTooSmallError: the budget is below the least one, or `min_level` keeps all files in and they do not
                fit; its `minimum` is the budget that works.
            OutsideRootsError: the path leads out of the roots.
            PathNotFoundError: there is nothing at the path.
            SymbolNotFoundError: a focus names nothing; its suggestions exist.
        """
        request = requested(
            token_budget, skeleton, min_level, max_level, format, line_numbers=line_numbers, summary=summary
        )
        path, question = self._whole(path, question_of(query, names, focus, changed, include, exclude, since, cursor))

        def shown(listing: Listing, wanted: FileSet, stages: Stages) -> ContextResult:
            result = assemble(
                wanted, request, encoding=self.index.encoding, count=self.index.counts.count, stages=stages
            )
            levels = result.metadata.compression_summary.items()
            out = [
                listing.at[address]
                for level, addresses in levels
                if level is not CompressionLevel.DROP
                for address in addresses
            ]
            if not self._scans.confirms(self._place(path, question), (file.scanned for file in out)):
                raise FileChangedError(path)  # unheard; the folder is scanned again
            self.index.shown.note([(file.place, file.key) for file in out])
            return result

        return self._answered(path, question, request, shown, progress)

    def profile(
        self,
        path: str,
        *,
        token_budget: int | str | None = None,
        skeleton: str = SkeletonMode.AUTO,
        include: Sequence[str] | str | None = (),
        exclude: Sequence[str] | str | None = (),
        min_level: str = CompressionLevel.DROP,
        max_level: str = CompressionLevel.FULL,
        format: str = FormatName.PLUS,  # noqa: A002 - as in `get_context`
        line_numbers: bool = False,
        query: str | None = "",
        names: Sequence[str] | str | None = (),
        focus: Sequence[str] | str | None = (),
        changed: str | None = "",
        since: str | None = "",
        cursor: str | None = "",
        most_text: int = 0,
        whole_row: bool = True,
        progress: Progress | None = None,
    ) -> Profile:
        """Tells what a folder costs and what budgets buy of it: at each the levels that `get_context` gives.

        The arguments are those of `get_context`, without a summary, and `most_text`: bytes of source, about, that are
        taken along with their skeletons, the files that are shown first before the others; `whole_row`: whether other
        budgets are bought than the one asked for.

        Raises:
            FractalContextError: as of `get_context`.
        """
        from allocator.profile import profiled  # for reports alone

        request = requested(
            token_budget, skeleton, min_level, max_level, format, line_numbers=line_numbers, summary=False
        )
        path, question = self._whole(path, question_of(query, names, focus, changed, include, exclude, since, cursor))

        def made(_: Listing, wanted: FileSet, stages: Stages) -> Profile:
            return profiled(wanted, request, index=self.index, stages=stages, most_text=most_text, whole_row=whole_row)

        return self._answered(path, question, request, made, progress)

    def _answered(
        self,
        path: str,
        question: Question,
        request: ContextRequest,
        use: Callable[[Listing, FileSet, Stages], _Answer],
        progress: Progress | None,
    ) -> _Answer:
        """Gathers what a question wants of a folder and uses it; anew, a few times, where files change meanwhile."""
        narrowed = question.is_of_some
        for tries_left in reversed(range(TRIES)):
            place = self._place(path, question)
            if question.changed:
                check_work_tree(os.fspath(place if self.roots.is_folder(place) else place.parent))
            found = self._scanned(place, question)
            stages = Stages(progress, len(found.files))
            ask_git = cache(self._folders.ranker(str(found.base)).ask_git) if question.has_query else None
            try:
                files = self._listings.of(
                    found,
                    question.wanted,
                    likely=_likely(request, question),
                    first=_first(request, question),
                    begun=ask_git,
                    progress=stages.indexing,
                    is_kept=not narrowed,
                )
                wanted = asked(
                    self._file_set(files, stages, narrowed=narrowed),
                    replace(question, within=self.roots.address(place), commit=commit_of(os.fspath(place))),
                    folder=str(found.base),
                    prefix=found.prefix,
                    records=self.records,
                    weigh=partial(
                        self._folders.weigh,
                        str(found.base),
                        files,
                        stages,
                        log=ask_git and ask_git(),
                        narrowed=narrowed,
                        breadth=request.breadth,
                    ),
                    overview=partial(self._folders.overview, str(found.base), files, request, stages),
                    symbols=partial(self._folders.symbols, str(found.base), files, stages),
                    before=partial(self._before, str(found.base)),
                    keeps=_kept(place, question, is_folder=self.roots.is_folder(place)),
                )
                if path == "." and (others := other_roots(question, self.roots)):
                    wanted = replace(wanted, note=f"{wanted.note} {others}".lstrip())
                if is_bare(found.base):
                    wanted = replace(wanted, note=f"{wanted.note} {BARE}".lstrip())
                if question.has_query:
                    wanted = replace(wanted, problems=[*wanted.problems, *self._folders.without_history(found)])
                if request.is_free and (wanted.is_lost or not question.is_steered):
                    with_map = not question.cursor
                    wanted = self._folders.first_look(
                        str(found.base), files, request, wanted, stages, with_map=with_map
                    )
                elif not question.cursor and not question.since and is_mapped(files.listing):
                    wanted = replace(wanted, folders=files.listing.folders)
                answer = use(files.listing, wanted, stages)
            except SymbolNotFoundError as error:
                raise (missed_in_first(error, self.roots) if path == "." else error) from None
            except FileChangedError as error:
                if not tries_left:
                    raise UnreadableFileError(
                        f"{error} changed each time it was read; call again when what writes to it has finished."
                    ) from error
            else:
                self.index.counts.keep()
                stages.done()
                return answer
        raise AssertionError("the last try returns or raises")

    def folder_map(
        self, path: str, folder: str, *, token_budget: int | str | None = None, progress: Progress | None = None
    ) -> str:
        """Draws the map of a folder inside another, or of several: their folders, files and what they define.

        Args:
            path: a folder inside a root.
            folder: the folder to draw, relative to `path`; `doc/{a b}/` are two, as the map writes them.
            token_budget: tokens that the map may have; None for all of it.
            progress: as for `get_context`.

        Raises:
            InvalidArgumentError: the budget is not of its form, or the braces stand for too many folders.
            OutsideRootsError: the path leads out of the roots.
            PathNotFoundError: there is nothing at the path, or no file in the folder, in none of several.
        """
        from allocator.overview.first_look import drawn, map_below  # for maps alone
        from allocator.overview.portrait import portrait

        budget = parse_budget(token_budget)
        found = self._scanned(self.roots.resolve(path), Question())
        stages = Stages(progress, len(found.files))
        listed, _ = self.index.files(found, progress=stages.indexing)
        listed.sort(key=lambda file: file.path)
        tree = map_below(listed, portrait(self.index, listed, progress=stages.parsing), folder, found.prefix)
        stages.done()
        return drawn(tree, budget, self.index.counts.count)

    def _whole(self, path: str, question: Question) -> tuple[str, Question]:
        """The path and the question of a call, with what it leaves to the page that its cursor goes on from."""
        if not question.cursor:
            return path, question
        is_left_out = path == "."
        for place in (is_left_out and self.roots.tried) or [self.roots.resolve(path)]:
            within = self.roots.address(place)
            earlier = self.records.find(question.cursor, root_of(os.fspath(place), f"{within}/" if within else ""))
            if earlier is not None:
                there = at_commit(os.fspath(place), earlier.question.commit) if is_left_out else path
                return there, replace(question, within=within).going_on(earlier.question)
        return path, question

    def _place(self, path: str, question: Question) -> Path:
        """The folder or the file that a question is about."""
        place = self.roots.resolve(path)
        goes_on = bool(question.cursor and question.within) and not self.roots.address(place)
        return self.roots.resolve(question.within, base=place) if goes_on else place

    def _scanned(self, place: Path, question: Question) -> Scan:
        if question.is_of_some:
            return scan(place, roots=self.roots, include=question.include, exclude=question.exclude)
        return self._scans.scan(place)

    def _file_set(self, gathered: Gathered, stages: Stages, *, narrowed: bool) -> FileSet:
        """The files of a call, before it is known what they are asked for."""
        listing = gathered.listing
        why = (
            "the include and exclude globs, relative to `path`, leave none"
            if narrowed
            else "the folder is empty or ignore rules leave all out"
        )
        return FileSet(
            files=CallFiles(listing.files, lambda place: self._bringing.views(gathered.own(listing.files[place]))),
            left_out=listing.left_out,
            problems=listing.problems,
            contents=listing.contents,
            nothing=f"No files: {why}.",
            bring_weights=partial(self._bringing.weights, progress=stages.parsing),
            bring_texts=partial(self._bringing.texts, progress=stages.parsing),
            prepare=lambda views: self.index.prepare(indexed(views), progress=stages.parsing),
        )

    def _before(self, folder: str, changes: Sequence[Change]) -> dict[str, tuple[bytes, tuple[Definition, ...]]]:
        """Returns the earlier content and definitions of files that changed, by the paths that they have now."""
        from workspace.git.diff import contents  # for changes alone

        by_place: dict[str, list[str]] = {}
        for change in changes:
            by_place.setdefault(change.submodule, []).append(change.old)
        old: dict[str, bytes] = {}
        for place, hashes in by_place.items():
            old |= contents(str(Path(folder) / unshown(place)) if place else folder, hashes)
        found: dict[str, tuple[bytes, tuple[Definition, ...]]] = {}
        for change in still_wanted(changes):
            raw = old.get(change.old)
            known = self.index.as_it_was(change.old_path or change.path, raw) if raw is not None else None
            if known is not None:
                found[change.path] = known
        return found


def _likely(request: ContextRequest, question: Question) -> Likely:
    """Returns what tells of files which ones a call comes to first, as far as names can tell."""
    if question.has_query:
        return lambda files: files
    return sources if _goes_by_importance(request, question) else foremost


def _first(request: ContextRequest, question: Question) -> frozenset[Aspect]:
    """Returns what a call asks first of all those."""
    if question.has_query:
        return frozenset({Aspect.SKETCH, Aspect.TERMS})
    return frozenset({Aspect.SURVEY} if _goes_by_importance(request, question) else ())


def _goes_by_importance(request: ContextRequest, question: Question) -> bool:
    return request.is_free and not (question.changed or question.since)


def _kept(place: Path, question: Question, *, is_folder: bool) -> Callable[[str], bool]:
    """Tells of any path whether a call about a place is about it."""
    if not is_folder:
        return lambda path: path == place.name
    return in_globs(place, question.include, question.exclude)
