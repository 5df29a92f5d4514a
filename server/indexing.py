"""The engines of a program that people start: over one index, with worker processes and a cache in the user's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allocator import ContextEngine
from allocator.question.handed import Records
from skeleton.index.cache import Cache, cache_folder
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.shelf import Shelf

if TYPE_CHECKING:
    from server.settings import Settings


class Engines:
    """What `get_context` and `zoom` are answered by.

    Args:
        index: knows the files.
        records: knows what was handed out.
    """

    def __init__(self, index: CodeIndex, records: Records) -> None:
        from skeleton.zoom.zoomer import Zoomer  # not for who only packs

        self.index = index
        self.context = ContextEngine(index.roots, encoding=index.encoding, index=index, records=records)
        self.zoomer = Zoomer(index)


def open_index(settings: Settings, *, isolated: bool = False) -> CodeIndex:
    """Returns the index for the roots and the vocabulary of some settings.

    Args:
        settings: what the program was started with.
        isolated: let no grammar near this process, which has more to do than this call.
    """
    cache = Cache(cache_folder(settings.cache), limit_bytes=settings.cache_limit << 20)
    return CodeIndex(
        settings.roots,
        encoding=settings.encoding,
        cache=cache,
        stamps=cache,
        workers=Workers(settings.parsers, isolated=isolated, memory=settings.parser_memory << 20),
        redact=not settings.no_redact,
    )


def open_records(settings: Settings) -> Records:
    """Returns what was handed out before, kept in the folder of the cache where there is one."""
    folder = cache_folder(settings.cache)
    return Records(Shelf(folder / "snapshots") if folder is not None else None)
