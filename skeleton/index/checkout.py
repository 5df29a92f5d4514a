"""Files known by their origin: git says that they are as checked out, and a tree pack knows that content."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from workspace.git.work_tree import unchanged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.tree_pack import Known, TreePack
    from workspace.files.scan import Scan


class Checkout:
    """The contents of work trees, as packs know them: `skeleton.index.store.Origins`.

    Args:
        packs: of trees.
    """

    def __init__(self, packs: Sequence[TreePack]) -> None:
        self._packs = packs

    def keys(self, found: Scan, *, settled: int) -> dict[str, bytes]:
        """Returns the keys of those files of a scan whose content is known without reading it, by their real places.

        A file counts where git holds it for unchanged and it has the size of the content that the pack knows: what a
        checkout makes of line ends or of `$Id$` has another.

        Args:
            found: the scan.
            settled: only of files that were last touched before this time, in nanoseconds: a later write may not show.
        """
        known: dict[bytes, Known] = {}
        for pack in self._packs:
            known |= pack.contents()
        if not known:
            return {}
        names = unchanged(os.fspath(found.base)).contents
        keys: dict[str, bytes] = {}
        for file in found.files:
            name = names.get(file.path)
            content = None if name is None else known.get(content_name(name, os.fspath(file.absolute)))
            is_settled = max(file.stamp.mtime_ns, file.stamp.ctime_ns) <= settled
            if content is not None and content.size == file.size and is_settled:
                keys[os.fspath(file.absolute)] = content.key
        return keys


def content_name(name: bytes, path: str) -> bytes:
    """Returns what a pack knows a content by.

    Args:
        name: of the content in git.
        path: of the file; its last part is in the key of the content as well.
    """
    return name + os.fsencode(path.rpartition("/")[2])
