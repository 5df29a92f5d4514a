"""Digests of our own code, for the keys of what is kept: what another version worked out is never taken for what this one would."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

DIGEST_BYTES = 16


@cache
def digest_of(place: Path) -> bytes:
    """Returns the digest of a module, or of all modules of a folder, read once in a process.

    Args:
        place: the module's file, or the folder.

    Raises:
        OSError: it cannot be read.
    """
    modules = sorted(place.glob("*.py")) if place.is_dir() else [place]
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for module in modules:
        digest.update(module.read_bytes())
    return digest.digest()
