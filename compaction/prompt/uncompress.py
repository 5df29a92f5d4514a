"""Puts the originals back, byte for byte."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from compaction.prompt.places import text_at, text_places, with_texts
from compaction.prompt.store import Verbatim, VerbatimStore, digest
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.places import Path
    from compaction.values import JsonObject


def uncompress(messages: Sequence[JsonObject], store: VerbatimStore, *, is_partial: bool = False) -> list[JsonObject]:
    """Return the messages with every text as it was before `compress_messages` gave them and this store.

    Messages may have been added since, and dropped or moved: a text that carries our mark is found again wherever it
    stands. Every other byte stays as it is.

    Args:
        messages: what was compressed.
        store: the store of the same call.
        is_partial: whether texts of the store may be missing, because their messages were dropped.

    Raises:
        InvalidArgumentError: a text of the store is missing, and `is_partial` is false.
    """
    texts: dict[int, dict[Path, str]] = defaultdict(dict)
    moved: list[Verbatim] = []
    for entry in store.entries:
        now = text_at(messages[entry.message], entry.path) if 0 <= entry.message < len(messages) else None
        if now is not None and digest(now) == entry.digest:
            texts[entry.message][entry.path] = entry.original
        else:
            moved.append(entry)
    missing = _find_again(moved, messages, texts) if moved else []
    if missing and not is_partial:
        raise InvalidArgumentError(
            f"{len(missing)} of {len(store.entries)} texts of the store are not in these messages, the first from message "
            f"{missing[0].message}: they were changed or dropped since. Allow that with `is_partial`."
        )
    return [with_texts(message, texts[index]) if index in texts else message for index, message in enumerate(messages)]


def _find_again(
    moved: Sequence[Verbatim], messages: Sequence[JsonObject], texts: dict[int, dict[Path, str]]
) -> list[Verbatim]:
    """Enter what is found elsewhere into `texts`; give back what is not."""
    wanted = {entry.digest for entry in moved if entry.is_marked}
    found: dict[str, deque[tuple[int, Path]]] = defaultdict(deque)
    for index, message in enumerate(messages):
        for path, text in text_places(message):
            if "<compressed>" in text and path not in texts.get(index, {}) and (known := digest(text)) in wanted:
                found[known].append((index, path))
    missing: list[Verbatim] = []
    for entry in moved:
        if entry.is_marked and found[entry.digest]:
            index, path = found[entry.digest].popleft()
            texts[index][path] = entry.original
        else:
            missing.append(entry)
    return missing
