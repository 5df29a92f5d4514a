"""A query and indexed files in, a weighing out: the ranking, fed from the index and from git."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from allocator.ranking import NO_HISTORY, Corpus, History, Reading, rank
from skeleton.records import Aspect, Definitions
from skeleton.terms import Terms
from workspace.gitlog import head_of, past_commits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from allocator.asking import Weighing
    from skeleton.index import CodeIndex, IndexedFile, Progress


class QueryRanker:
    """Ranks the files of one folder, and keeps what it knows of them from query to query. Threads may share it.

    Args:
        folder: its real absolute path.
        index: knows its files.
    """

    def __init__(self, folder: str, index: CodeIndex) -> None:
        self._folder = folder
        self._index = index
        self._corpus = Corpus()
        self._head = ""
        self._history = NO_HISTORY
        self._lock = threading.Lock()

    def weigh(self, files: Sequence[IndexedFile], query: str, *, progress: Progress | None = None) -> Weighing:
        """Ranks files for a query.

        Args:
            files: the files.
            query: the words.
            progress: is told how many files are parsed; what it raises ends the call.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """

        def read(places: Sequence[int]) -> Iterable[Reading]:
            wanted = [files[place] for place in places]
            outlines = self._index.load(wanted, Aspect.OUTLINE, Definitions, progress=progress)
            words = self._index.load(wanted, Aspect.TERMS, Terms, progress=progress)
            return [Reading(outline.definitions, terms) for outline, terms in zip(outlines, words, strict=True)]

        with self._lock:
            found = rank(files, query, read=read, corpus=self._corpus, history=self._current_history())
        return found.order, found.files, found.definitions

    def _current_history(self) -> History:
        head = head_of(self._folder)
        if head != self._head:
            self._head, self._history = head, History(past_commits(self._folder))
        return self._history
