"""The engines of a program that people start: over one index, with worker processes and a cache in the user's folder."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from allocator import ContextEngine
from allocator.question.handed import Records
from server.settings import Transport
from server.sharing import shared_store
from skeleton.index.cache import Cache, cache_folder
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from server.settings import Settings
    from server.telemetry import Telemetry
    from skeleton.index.shown import Shown
    from skeleton.index.store import FactStore, Origins
    from skeleton.index.tree_pack import TreePack
    from skeleton.index.workers import Parsers
    from workspace.shared.store import SharedStore


class Engines:
    """The engines that answer `get_context` and `zoom`.

    Args:
        index: knows the files.
        records: knows what was handed out.
        shared: the store that replicas share; None for none.
    """

    def __init__(self, index: CodeIndex, records: Records, shared: SharedStore | None = None) -> None:
        from skeleton.zoom.zoomer import Zoomer  # not for who only packs

        self.index = index
        self.context = ContextEngine(index.roots, encoding=index.encoding, index=index, records=records, shared=shared)
        self.zoomer = Zoomer(index)


def open_index(
    settings: Settings,
    *,
    isolated: bool = False,
    forks: bool = False,
    through: Callable[[FactStore], FactStore] | None = None,
    workers: Parsers | None = None,
) -> CodeIndex:
    """Returns the index for the roots and the vocabulary of some settings.

    Args:
        settings: what the program was started with.
        isolated: let no grammar near this process, which has more to do than this call.
        forks: workers may be forks of this process, which is there for this call alone.
        through: is given the store of facts, and gives the one that the index uses.
        workers: what parses; processes of this program by default.
    """
    near = Cache(cache_folder(settings.cache), limit_bytes=settings.cache_limit << 20)
    store = shared_store(settings)
    packs = _packs(settings)
    facts = near if store is None and not settings.published else _layered(near, store, packs)
    return CodeIndex(
        settings.roots,
        encoding=settings.encoding,
        cache=facts if through is None else through(facts),
        stamps=near,
        workers=parsers_of(settings, isolated=isolated, forks=forks) if workers is None else workers,
        redact=not settings.no_redact,
        shown=None if store is None or settings.transport is Transport.STDIO else _shown_by_all(store),
        origins=_checkout(packs) if settings.published else None,
    )


def open_records(settings: Settings) -> Records:
    """Returns what was handed out before: kept in the folder of the cache, and in the shared store, where there are such."""
    folder = cache_folder(settings.cache)
    store = shared_store(settings)
    near = None if folder is None else Shelf(folder / "snapshots")
    if store is None:
        return Records(near)
    from workspace.shared.shelf import SharedShelf

    return Records(SharedShelf("snapshot", store, near))


def parsers_of(settings: Settings, *, isolated: bool, forks: bool = False) -> Workers:
    """Returns the processes that parse for some settings; all tenants of a process have the same.

    Args:
        settings: what the program was started with.
        isolated: let no grammar near this process, which has more to do than this call.
        forks: as of `open_index`.
    """
    memory = settings.parser_memory << 20
    if settings.tenant:
        return _shared_workers(settings.parsers, isolated=isolated, memory=memory)
    return Workers(settings.parsers, isolated=isolated, memory=memory, forks=forks)


@cache
def _shared_workers(parsers: int | None, *, isolated: bool, memory: int) -> Workers:
    """The workers of a process that serves many tenants: each task brings all that it is about, and leaves nothing."""
    return Workers(parsers, isolated=isolated, memory=memory)


def _packs(settings: Settings) -> Sequence[TreePack]:
    if not settings.published:
        return ()
    from server.publishing import Adopted

    return Adopted(settings)


def _layered(cache: Cache, store: SharedStore | None, packs: Sequence[TreePack]) -> FactStore:
    from skeleton.index.layered import LayeredFacts  # for a fleet alone

    return LayeredFacts(cache, store, packs)


def _checkout(packs: Sequence[TreePack]) -> Origins:
    from skeleton.index.checkout import Checkout

    return Checkout(packs)


def open_engines(settings: Settings, *, isolated: bool = False, telemetry: Telemetry | None = None) -> Engines:
    """Returns the engines of a server; over HTTP those of other replicas have worked out what these begin with.

    Args:
        settings: what the server was started with.
        isolated: as of `open_index`.
        telemetry: measures what they look up and parse; None for nobody.
    """
    shared = None if settings.transport is Transport.STDIO else shared_store(settings)
    parsers = parsers_of(settings, isolated=isolated)
    if telemetry is None:
        index = open_index(settings, workers=parsers)
    else:
        index = open_index(settings, through=telemetry.facts, workers=telemetry.parsers(parsers))
    return Engines(index, open_records(settings), shared)


def _shown_by_all(store: SharedStore) -> Shown:
    """Returns the notes of what any replica handed out. Over pipes one server alone knows what it showed."""
    from skeleton.index.shown import Shown

    return Shown(store)
