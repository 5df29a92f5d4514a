"""The folders that were asked about, with what is known of each for the next call: how it ranks, its symbols, its map.

It is worked out of the files of a call where it is not known of the same files yet. Nothing is bought here.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

from allocator.remembered import Remembered
from allocator.show.call_files import known_files
from allocator.spend.needs import by_tier
from skeleton.index.records import Aspect
from workspace.arrays import load_arrays
from workspace.files.scan import addressed
from workspace.model import Problem, ProblemKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.fileset import ContextRequest, FileSet
    from allocator.listing import Gathered, Listing
    from allocator.overview.first_look import Look
    from allocator.overview.portrait import Ranked
    from allocator.progress import Stages
    from allocator.ranking.by_query import QueryRanker
    from allocator.show.views import FileViews
    from allocator.spend.needs import Needs
    from skeleton.index.code_index import CodeIndex
    from skeleton.index.indexed import IndexedFile
    from skeleton.zoom.symbols import SymbolTable
    from workspace.beside import Beside
    from workspace.files.scan import Scan
    from workspace.git.log import Log
    from workspace.shared.store import SharedStore

MOST_FOLDERS = 4
"""Folders whose words are held in memory; the one that was not asked about for longest is forgotten."""

LEAST_MAPPED = 12
"""Files of which a map is made; of fewer every one has a block of its own soon enough."""

BEGUN = 0.15
"""About the part of the budget that goes to definitions, and not to the map: files that it takes are begun with early."""


class KnownFolders:
    """Rankers, symbols and first looks of folders between calls. Threads may share it.

    Args:
        index: knows the files in them.
        shared: where replicas that begin find the words of all files of a folder; None for nowhere.
    """

    def __init__(self, index: CodeIndex, shared: SharedStore | None) -> None:
        self._index = index
        self._shared = shared
        self._rankers: dict[str, QueryRanker] = {}
        self._tables = Remembered[str, tuple["Listing | None", "SymbolTable"]](MOST_FOLDERS)
        self._looks = Remembered[str, tuple[bytes, "Look"]](MOST_FOLDERS)
        self._lock = threading.Lock()

    def first_look(
        self, folder: str, files: Gathered, request: ContextRequest, wanted: FileSet, stages: Stages, *, with_map: bool
    ) -> FileSet:
        """Weighs the files for a reader who asked for nothing in particular."""
        from allocator.overview.first_look import first_look  # as what it is made of: a question needs none of it

        listing = files.listing
        if not is_mapped(listing):
            return wanted
        known, look = self._looks.find(folder) or (b"", None)
        if look is None or known != listing.key:
            look = self._looked(files, request, stages)
            self._looks.keep(folder, (listing.key, look))
        return first_look(wanted, look, with_map=with_map)

    def _looked(self, files: Gathered, request: ContextRequest, stages: Stages) -> Look:
        """Looks at a folder for the first time; workers begin with what will be shown while the map is made."""
        from allocator.overview.first_look import Look
        from allocator.overview.portrait import portrait

        own = [files.own(file) for file in files.listing.by_path]
        look: Look | None = None

        def begin(ranked: Ranked) -> None:
            nonlocal look
            look = Look(own, ranked, self._index.counts.count)
            first = look.foremost(request.pricing(), BEGUN * (request.token_budget or 0))
            self._index.begin([own[place] for place in first], Aspect.WEIGHTS)

        known = portrait(self._index, own, key=files.listing.key, ranked=begin, progress=stages.parsing)
        look = look or Look(own, known.ranked, self._index.counts.count)
        look.known = known
        return look

    def weigh(
        self,
        folder: str,
        gathered: Gathered,
        stages: Stages,
        files: Sequence[FileViews],
        query: str,
        project: str,
        *,
        log: Beside[Log] | None,
        narrowed: bool,
        breadth: float,
    ) -> Needs:
        """Ranks files for a query; without one they are in their order already."""
        if log is None:
            return by_tier(files)

        def own(place: int) -> IndexedFile:
            return cast("IndexedFile", files[place].file)

        def outline(place: int) -> Sequence[int]:
            return files[place].weights.starts

        known = known_files(files)
        is_all = known is gathered.listing.files
        same = gathered.listing if gathered.listing.is_shared and is_all else None
        return self.ranker(folder).weigh(
            known,
            query,
            own=own,
            outline=outline,
            log=log,
            same=same,
            is_whole=is_all and not narrowed,
            project=project,
            breadth=breadth,
            progress=stages.parsing,
        )

    def symbols(self, folder: str, files: Gathered, stages: Stages) -> SymbolTable:
        """The symbols of the files of a call; what is known of the folder's from earlier calls is not looked up again."""
        from skeleton.zoom.symbols import SymbolTable  # for names alone

        listing, table = self._tables.find(folder) or (None, SymbolTable(self._index))
        if listing is None or listing is not files.listing:
            table = table.following([*map(files.own, files.listing.files)], stages.parsing)
            self._tables.keep(folder, (files.listing if files.listing.is_shared else None, table))
        return table

    def overview(self, folder: str, listed: Gathered, request: ContextRequest, stages: Stages, files: FileSet) -> Needs:
        """Returns the needs of a reader who asks for nothing in particular; by tiers alone where levels are prescribed."""
        if not (request.is_free and is_mapped(listed.listing)):
            return by_tier(files.files)
        return self.first_look(folder, listed, request, files, stages, with_map=False).needs or by_tier(files.files)

    def without_history(self, found: Scan) -> list[Problem]:
        """Returns the problem that git does not tell the history of a folder, unless its listing says so already."""
        refusal = self.ranker(str(found.base)).refusal
        if not refusal or any(problem.detail.startswith(refusal) for problem in found.problems):
            return []
        detail = f"{refusal}; files are ranked without what the history of commits says"
        return [Problem(path=addressed(found.prefix, "."), kind=ProblemKind.UNREADABLE, detail=detail)]

    def ranker(self, folder: str) -> QueryRanker:
        """Returns what ranks the files of a folder for queries; the one that was made for an earlier call, if it is held."""
        load_arrays()  # for queries alone
        from allocator.ranking.by_query import QueryRanker

        with self._lock:
            ranker = self._rankers.pop(folder, None) or QueryRanker(folder, self._index, self._shared)
            self._rankers[folder] = ranker
            while len(self._rankers) > MOST_FOLDERS:
                del self._rankers[next(iter(self._rankers))]
            return ranker


def is_mapped(listing: Listing) -> bool:
    """Tells whether there are files enough for a map."""
    return len(listing.files) >= LEAST_MAPPED
