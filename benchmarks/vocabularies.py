"""The bundled vocabularies in the form that tiktoken keeps them in, for peers that count with it and may not fetch them."""

from __future__ import annotations

import base64
import hashlib
import importlib
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from workspace.tokens import BUNDLED_ENCODINGS, bundled_vocabulary

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

CACHE_SETTING: Final = "TIKTOKEN_CACHE_DIR"


@contextmanager
def tiktoken_cache(encodings: Sequence[str] = BUNDLED_ENCODINGS) -> Generator[Path]:
    """Gives a folder for `TIKTOKEN_CACHE_DIR` that holds some vocabularies, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as name:
        for encoding in encodings:
            url, expected_hash = _place(encoding)
            tokens = bundled_vocabulary(encoding, expected_hash)
            lines = [b"%s %d\n" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens)]
            Path(name, hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest()).write_bytes(b"".join(lines))
        yield Path(name)


def _place(encoding: str) -> tuple[str, str]:
    """Returns the place from which tiktoken would fetch a vocabulary, and the SHA-256 that it wants of it."""
    asked: list[tuple[str, str]] = []

    def noted(url: str, expected_hash: str) -> dict[bytes, int]:
        asked.append((url, expected_hash))
        return {}

    definitions = importlib.import_module("tiktoken_ext.openai_public").__dict__
    load, definitions["load_tiktoken_bpe"] = definitions["load_tiktoken_bpe"], noted
    try:
        definitions["ENCODING_CONSTRUCTORS"][encoding]()
    finally:
        definitions["load_tiktoken_bpe"] = load
    return asked[0]
