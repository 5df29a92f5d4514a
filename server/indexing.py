"""The index of a program that people start: with worker processes, and a cache in the user's cache folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.settings import Settings
    from skeleton.index import CodeIndex


def open_index(settings: Settings) -> CodeIndex:
    """Returns the index for the roots and the vocabulary of some settings; loads the parsers."""
    from skeleton.index import CodeIndex
    from skeleton.workers import Workers
    from workspace.cache import Cache, cache_folder

    return CodeIndex(settings.roots, encoding=settings.encoding, cache=Cache(cache_folder()), workers=Workers())
