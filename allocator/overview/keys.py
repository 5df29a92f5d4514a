"""The key that what is known of a folder is kept under. A question asks for it too, and takes nothing else of an overview."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from workspace.own_code import digest_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.indexed import IndexedFile

_ROOM = Path(__file__).parent


def key_of(files: Sequence[IndexedFile]) -> bytes:
    """Returns what stands for some files and their contents, for as long as this code is what it is.

    Args:
        files: by path.
    """
    digest = hashlib.blake2b(digest_of(_ROOM), digest_size=16)
    for file in files:
        digest.update(file.key + f"{file.path}\0{file.address}\0".encode("utf-8", "surrogateescape"))
    return digest.digest()
