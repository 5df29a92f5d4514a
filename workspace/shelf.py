"""A folder of small records, private to its user: each is one compressed file, and the oldest go first.

Records are written whole under another name and then renamed, so that a reader never meets half of one, and several
processes can share a folder.
"""

from __future__ import annotations

import os
import re
import tempfile
import zlib
from pathlib import Path

MOST_RECORDS = 128
MOST_BYTES = 64 << 20
"""Bytes of one record, decompressed: a larger one is not ours."""

_NAME = re.compile(r"[0-9a-f]{8,64}")


def is_name(text: str) -> bool:
    """Tells whether a text can be the name of a record: hexadecimal digits."""
    return _NAME.fullmatch(text) is not None


class Shelf:
    """A folder of records.

    Args:
        folder: where they lie; it is made when the first one is put there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, name: str, content: bytes) -> None:
        """Keeps a record.

        Args:
            name: hexadecimal digits.
            content: the record.

        Raises:
            OSError: the folder or the file cannot be written.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=self.folder, prefix="new-")
        with os.fdopen(handle, "wb") as file:
            file.write(zlib.compress(content, level=1))
        Path(made).replace(self.folder / name)
        self._prune()

    def get(self, name: str) -> bytes | None:
        """Returns a record; None if there is none of that name, or it is damaged."""
        if not is_name(name):
            return None
        try:
            packed = (self.folder / name).read_bytes()
        except OSError:
            return None
        unpacking = zlib.decompressobj()
        try:
            content = unpacking.decompress(packed, MOST_BYTES)
        except zlib.error:
            return None
        return content if unpacking.eof else None

    def _prune(self) -> None:
        aged: list[tuple[int, Path]] = []
        for file in self.folder.iterdir():
            try:
                aged.append((file.stat().st_mtime_ns, file))
            except FileNotFoundError:
                continue
        for _, file in sorted(aged, reverse=True)[MOST_RECORDS:]:
            file.unlink(missing_ok=True)
