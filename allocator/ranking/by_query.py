"""Ranks indexed files for a query, with what the index and git know of them, and gives the needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from allocator.ranking.corpus import Corpus, Reading
from allocator.ranking.entries import Entry, Together
from allocator.ranking.history import NO_HISTORY, History
from allocator.ranking.outlined import Outlined
from allocator.ranking.passages import PassageFinder
from allocator.ranking.rank import Ranking, rank
from allocator.ranking.words import query_of
from allocator.spend.ceilings import Measured
from allocator.spend.needs import SOFTNESS, TEXT, Needs
from allocator.spend.steps import EXCERPT, LEAST_NEED, ceiling
from skeleton.index.records import Aspect, Definitions
from skeleton.index.terms import Terms
from workspace.beside import Beside
from workspace.git.log import NO_LOG, newest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from allocator.ranking.corpus import RankedFile
    from allocator.show.formats import Pricing
    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile
    from workspace.git.log import Log
    from workspace.shared.store import SharedStore


class Worths(NamedTuple):
    """Worths to a reader with a query, beside that of a definition's signature.

    Attributes:
        body: a definition's body, in signatures of the same definition.
        opened: a file's standing there at all, in needs of the file: who has a question wants to know of every file that
            it may concern before he has all of the first.
    """

    body: float
    opened: float


USUAL = Worths(body=1.0, opened=2.5)
"""Of budgets that hold many files, and much of them."""

SMALL = Worths(body=1.3, opened=6.0)
"""Of small ones: with less they hold many signatures of few files."""


def worths_at(breadth: float) -> Worths:
    """Returns the worths between those of ample budgets, at 0, and of small ones, at 1."""
    return Worths(*(usual + breadth * (small - usual) for usual, small in zip(USUAL, SMALL, strict=True)))


class QueryRanker:
    """Ranks the files of one folder, and keeps what it knows of them from query to query.

    Threads may share it, and none waits for another: what two find out at the same time is kept once.

    Args:
        folder: its real absolute path.
        index: knows its files.
        shared: where replicas that begin find the words of all its files; None for nowhere.
    """

    def __init__(self, folder: str, index: CodeIndex, shared: SharedStore | None = None) -> None:
        self._folder = folder
        self._index = index
        is_kept = not (index.cache.in_memory or index.cache.may_be_elsewhere)
        self._corpus = Corpus(shared, Together(index.cache, folder) if is_kept else None, later=index.later)
        self._history = NO_LOG, NO_HISTORY

    def weigh(
        self,
        files: Sequence[RankedFile],
        query: str,
        *,
        own: Callable[[int], IndexedFile],
        outline: Callable[[int], Sequence[int]],
        log: Beside[Log],
        same: object = None,
        is_whole: bool = False,
        project: str = "",
        breadth: float = 0.0,
        progress: Progress | None = None,
    ) -> Needs:
        """Tells what a reader with a query is likely to need of some files.

        Args:
            files: the files.
            query: the words.
            own: gives the file at a place, to be read.
            outline: gives where the names of its outline start; asked of those that may be shown.
            log: what `ask_git` gave at the beginning of the call.
            same: stands for the files: with the same one they are those of the last call; None for nothing.
            is_whole: they are all files of the folder.
            project: the name of the project.
            breadth: how far many files come before much of one: 0 to 1.
            progress: is told how many files are parsed; what it raises ends the call.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """

        def read(places: Sequence[int]) -> Iterable[Entry]:
            wanted = [own(place) for place in places]
            entries: dict[bytes, Entry] = {}

            def take(key: bytes, sketch: Definitions, terms: Terms) -> None:
                if not entries:
                    history.look_for(query_of(query).terms)  # while workers are at work
                entries[key] = self._corpus.entry(Reading(sketch.definitions, terms))

            self._index.each(wanted, ((Aspect.SKETCH, Definitions), (Aspect.TERMS, Terms)), take, progress=progress)
            return [entries[file.key] for file in wanted]

        history = self._history_of(log.outcome())
        ranking = rank(
            files,
            query,
            read=read,
            corpus=self._corpus,
            history=history,
            same=same,
            is_whole=is_whole,
            project=project,
        )
        return needs_of(ranking, outline, worths_at(breadth))

    @property
    def refusal(self) -> str:
        """The reason why git did not tell all the history of the folder when it was last asked; "" if it did."""
        return self._history[0].refusal

    def ask_git(self) -> Beside[Log]:
        """Begins to ask git for the newest commits, which takes it about as long as to gather the files."""
        known, _ = self._history
        kept = self._index.cache
        return Beside(lambda: newest(self._folder, known, keeping=None if kept.in_memory else kept))

    def _history_of(self, log: Log) -> History:
        known, history = self._history
        if log is not known:
            history = History(log.commits)
            self._history = log, history
        return history


def needs_of(ranking: Ranking, outline: Callable[[int], Sequence[int]] | None = None, worths: Worths = USUAL) -> Needs:
    """Turns the weights of a ranking into needs: the greatest is 1, none is next to none.

    A constant that the query names is needed as much as it is likely to be meant, whatever its weight. Where a file without
    definitions is much likelier to be meant than all definitions, they are needed less, and it as much as they were.

    Args:
        ranking: of files by their sketches.
        outline: gives where the names of the outline of the file at a place start; None where sketches are outlines.
        worths: what the reader gains by bodies and files.
    """
    weights = ranking.definitions
    files = np.array(ranking.files)
    foremost = weights.greatest()
    has_none = foremost == 0
    best = float(foremost.max(initial=0.0))
    greatest = max(best, TEXT * float(files[has_none].max(initial=0.0))) or 1.0
    text = 1 - best / greatest
    opened = worths.opened * (1 - text)  # the outline of a text seldom answers
    least = ranking.asked.numbers if ranking.asked is not None else 0.0
    needs = weights.changed(lambda numbers: np.maximum((numbers / greatest) ** SOFTNESS, np.maximum(least, LEAST_NEED)))
    files /= files.max(initial=0.0) or 1.0

    def ceilings(pricing: Pricing) -> Sequence[float]:
        most = needs.greatest()
        return ceiling(
            files,
            np.where(most > 0, most, files),
            np.where(has_none, text * files, needs.sums()),
            pricing,
            body=worths.body + EXCERPT,
            opened=opened,
        ).tolist()

    def measured(index: int) -> Sequence[Measured]:
        lengths = ranking.heads[index], ranking.sizes[index]
        return [*map(Measured, needs[index], *lengths, map(int, ranking.around[index]))]

    outlined = Outlined(ranking.starts, outline or ranking.starts.__getitem__, needs, ranking.reasons)
    return Needs(
        order=ranking.order,
        files=ranking.files,
        definitions=outlined.needs,
        ceilings=ceilings,
        measured=measured,
        cut=ranking.cut,
        note=ranking.note,
        unmatched=dict(ranking.unmatched),
        is_lost=ranking.is_lost,
        named=outlined.places(ranking.named),
        is_names=ranking.is_names,
        quoted=ranking.quoted,
        reasons=None if ranking.reasons is None else outlined,
        body=worths.body,
        opened=opened,
        text=text,
        passages=PassageFinder(ranking.terms) if ranking.terms else None,
    )
