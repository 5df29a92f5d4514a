"""The content of a file, as facts are worked out of it."""

from __future__ import annotations

from typing import NamedTuple

from workspace.secrets.redaction import redacted, redactions, secret_count


class Content(NamedTuple):
    """A text file: the bytes on disk, the text as UTF-8 as it may be shown, and how many secrets were taken out of it."""

    raw: bytes
    source: bytes
    secrets: int = 0


def content_of(raw: bytes, source: bytes, path: str, *, redact: bool) -> Content:
    """A file as it may be shown: without its secrets, where they are to be taken out."""
    found = redactions(source, path) if redact else ()
    return Content(raw, redacted(source, found) if found else source, secret_count(found))
