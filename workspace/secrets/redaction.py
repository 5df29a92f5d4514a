r"""Finds secrets inside the text of a file and takes them out.

Three things give a secret away: its own shape (`ghp_…`, a private key's frame), the place where it stands (the password
of a URL, the token of an `Authorization` header), and the name beside it (`DB_PASSWORD=…`). Shapes and names are data,
in `redaction.toml`; `shapes` and `assigned` read them, and are loaded when the first text is searched. What
is only random is left alone: hashes, UUIDs and images are text that a reader needs, and nothing tells them from a
nameless secret.

Bytes are replaced inside their lines, so a text keeps its number of lines and everything that counts lines stays true.
A mark says what was there: `[REDACTED:github-token]`. The time is linear in the text, whatever the text is, and most
texts cost no more than a few searches. docs/adr/0007 says why the detector is our own.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from workspace.model import CONTINUED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workspace.files.reading import SourceFile
    from workspace.secrets.searching import FixedTexts


_HOLDS_TEXTS = frozenset({"", "json", "jsonl", "ndjson", "log"})
"""Extensions of files in which whole files stand as strings; a text of which nothing is known may be one."""


class Redaction(NamedTuple):
    """Bytes of a text that are a secret.

    Attributes:
        start, end: the bytes, half open; never across a line break.
        kind: what it is, such as `github-token`; "" where it continues the secret before it.
    """

    start: int
    end: int
    kind: str


def redactions(source: bytes, path: str = "") -> tuple[Redaction, ...]:
    """Finds the secrets of a text.

    A pure function of its arguments, so its result can be kept with the text. Of the path only the extension matters.

    Args:
        source: the text as UTF-8, or as anything that agrees with it on ASCII.
        path: the file; what is in code without quotes is an expression, and elsewhere a value.

    Returns:
        The places, by position; they do not overlap.
    """
    from workspace.secrets.assigned import named_secrets
    from workspace.secrets.columns import tabled_secrets
    from workspace.secrets.searching import Searched
    from workspace.secrets.shapes import shaped_secrets

    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    extension = suffix.lower() if stem else ""
    found: list[Redaction] = []
    for one in _texts_of(source, extension):
        lowered = one.lower()
        text = Searched(source=one, lowered=lowered, extension=extension, held=_fixed_texts().held_by(lowered))
        for secrets in (shaped_secrets(text), named_secrets(text), tabled_secrets(text)):
            found += [Redaction(*secret) for secret in secrets]
    return tuple(_joined(found))


@cache
def _fixed_texts() -> FixedTexts:
    """Those of all rules."""
    from workspace.secrets.assigned import fixed_texts_of_names
    from workspace.secrets.searching import FixedTexts
    from workspace.secrets.shapes import fixed_texts_of_shapes

    return FixedTexts(fixed_texts_of_names() | fixed_texts_of_shapes())


def _texts_of(source: bytes, extension: str) -> tuple[bytes, ...]:
    """The text, and as it is where it stands escaped in strings, as in a log or a call: of the same length, byte for byte."""
    if extension not in _HOLDS_TEXTS or b"\\n" not in source:
        return (source,)
    plain = source.replace(b"\\r\\n", b"  \\n").replace(b"\\n", b" \n").replace(b"\\t", b" \t")
    return source, plain.replace(b"\\\\", b" \\")


def redacted(source: bytes, found: Iterable[Redaction]) -> bytes:
    """The text with a mark in place of each secret; it has as many lines as before."""
    parts: list[bytes] = []
    last = 0
    for start, end, kind in found:
        parts += (source[last:start], _mark(kind))
        last = end
    return b"".join((*parts, source[last:]))


def redact(text: str, path: str = "") -> tuple[str, int]:
    """A text without its secrets, and how many there were."""
    source = text.encode("utf-8", "surrogatepass")
    found = redactions(source, path)
    if not found:
        return text, 0
    return redacted(source, found).decode("utf-8", "surrogatepass"), secret_count(found)


class RedactedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it may be shown.

    Attributes:
        file: its `source` is without secrets; `raw`, and with it the MD5, stays what is on disk.
        secrets: how many were taken out.
        places: where in `source` something was taken out, by position.
    """

    file: SourceFile
    secrets: int = 0
    places: tuple[int, ...] = ()

    def touches(self, start: int, end: int) -> bool:
        """Tells whether something was taken out between two positions of `source`."""
        return any(start <= place <= end for place in self.places)


def redacted_file(file: SourceFile) -> RedactedFile:
    """The file, as it was read, without its secrets."""
    found = redactions(file.source, file.path)
    if not found:
        return RedactedFile(file=file)
    places: list[int] = []
    moved = 0
    for start, end, kind in found:
        places.append(start + moved)
        moved += len(_mark(kind)) - (end - start)
    source = redacted(file.source, found)
    return RedactedFile(file=replace(file, source=source), secrets=secret_count(found), places=tuple(places))


def secret_count(found: Iterable[Redaction]) -> int:
    """The number of secrets: one that goes over several lines counts once."""
    return sum(one.kind != CONTINUED for one in found)


def _mark(kind: str) -> bytes:
    return b"" if kind == CONTINUED else f"[REDACTED:{kind}]".encode()


def _joined(found: list[Redaction]) -> list[Redaction]:
    """Overlapping places become one, of the kind that begins first; at the same place the one found first."""
    joined: list[Redaction] = []
    for one in sorted(found, key=lambda one: one.start):
        if joined and one.start < joined[-1].end:
            joined[-1] = joined[-1]._replace(end=max(one.end, joined[-1].end))
        else:
            joined.append(one)
    return joined
