"""The verbatim store: the texts as they were before they were compressed.

"Store full text, compress just in time" (Zipper seed, section 2): a compressed message is for the wire, the original for
the record. The store holds each text that changed, with the place where its compressed form stands and a digest of it,
so that it only ever replaces what it belongs to. It is JSON when it travels.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from compaction.prompt.places import Path
    from compaction.values import Json, JsonObject

_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """One text as it was.

    Attributes:
        message: the index of its message.
        path: where it stands in there.
        digest: SHA-256 of the text that stands there now, in hexadecimal.
        is_marked: whether that text carries our mark, by which it is known in another place as well.
        original: the text as it was, markers included.
    """

    message: int
    path: Path
    digest: str
    is_marked: bool
    original: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbatimStore:
    """The originals of one call, in the order of its messages."""

    entries: tuple[Verbatim, ...] = ()

    def as_json(self) -> JsonObject:
        """Return the store as JSON."""
        return {
            "version": _VERSION,
            "texts": [
                {
                    "message": entry.message,
                    "path": list(entry.path),
                    "digest": entry.digest,
                    "marked": entry.is_marked,
                    "original": entry.original,
                }
                for entry in self.entries
            ],
        }

    @classmethod
    def from_json(cls, given: object) -> VerbatimStore:
        """Return the store that JSON describes.

        Raises:
            InvalidArgumentError: it describes none.
        """
        try:
            fields = cast("Mapping[str, Json]", given)
            if fields["version"] != _VERSION:
                raise InvalidArgumentError(f"The store is of version {fields['version']!r}; {_VERSION} is known here.")
            texts = cast("list[Mapping[str, Json]]", fields["texts"])
            return cls(entries=tuple(_entry(text) for text in texts))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidArgumentError(
                f"This is no store of originals ({type(error).__name__}: {error}); give what `compress` has returned."
            ) from error


def _entry(text: Mapping[str, Json]) -> Verbatim:
    path = tuple(cast("list[str | int]", text["path"]))
    index, original = text["message"], text["original"]
    if not path or not isinstance(index, int) or not isinstance(original, str):
        raise ValueError("a text without its place")
    return Verbatim(
        message=index, path=path, digest=str(text["digest"]), is_marked=bool(text["marked"]), original=original
    )


def digest(text: str) -> str:
    """Return the digest by which a compressed text is known."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
