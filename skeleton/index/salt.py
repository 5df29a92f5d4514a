"""The salt: one digest of all that facts depend on beside the content of a file.

Whatever can change a result is in it: the code and the queries of this package and of `workspace`, the versions of the parser and its
grammars, the vocabulary that tokens are counted with, and whether secrets are taken out. So what an older version worked out is never taken for what
this one would, and nobody has to remember to raise a number.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib import util
from pathlib import Path
from typing import Final

from workspace.memory import SHARE_BYTES

SALT_BYTES: Final = 8
KEY_BYTES: Final = 16

_NATIVE: Final = ("tree_sitter", "tree_sitter_language_pack", "tiktoken")
_ENDINGS: Final = (".py", ".scm", ".toml")
_TOP: Final = Path(__file__).parents[2]
_PACKAGES: Final = (_TOP / "skeleton", _TOP / "workspace")


@cache
def salt(encoding: str, *, redact: bool = True, memory: int = SHARE_BYTES) -> bytes:
    """Returns the digest for one vocabulary, with or without secrets, the same in every process of one installation.

    Args:
        encoding: the vocabulary.
        redact: whether secrets are taken out.
        memory: bytes that the work on one file may take.
    """
    digest = hashlib.blake2b(f"{encoding} {redact} {memory}".encode(), digest_size=SALT_BYTES)
    for name in _NATIVE:
        digest.update(f"{name} {_installed(name)}\n".encode())
    for package in _PACKAGES:
        for folder, folders, names in os.walk(package):
            folders.sort()
            for name in sorted(names):
                if name.endswith(_ENDINGS):
                    digest.update(Path(folder, name).read_bytes())
    return digest.digest()


def _installed(name: str) -> str:
    """The version of a package, by the folder that says so beside it: nothing is imported, and nothing heavy asked."""
    spec = util.find_spec(name)
    places = {Path(place).parent for place in (spec.submodule_search_locations or () if spec is not None else ())}
    found = {entry.name for place in places for entry in place.iterdir() if entry.name.startswith(f"{name}-")}
    if not found:
        from importlib import metadata

        return metadata.version(name)
    return " ".join(sorted(found))


def content_key(raw: bytes, path: str, salted: bytes) -> bytes:
    """Returns the key of a file's content.

    Args:
        raw: the bytes on disk.
        path: where the file lies; its name, which may decide the language, is part of the key, its folder is not.
        salted: what `salt` gives.
    """
    digest = hashlib.blake2b(raw, digest_size=KEY_BYTES, key=salted)
    digest.update(b"\0" + os.fsencode(path.rpartition("/")[2]))
    return digest.digest()
