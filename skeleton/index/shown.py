"""Remembers the content with which files were handed out last, so that a zoom can tell that one has changed since."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KIND: Final = 200
"""Of these notes in a shared store; no aspect has it."""

SECONDS: Final = 86_400
"""After which it is forgotten what was handed out."""


class Notes(Protocol):
    """A store in which replicas that serve the same folders note it together: `workspace.shared.store.SharedStore`."""

    def fetch(self, wanted: Sequence[tuple[int, bytes]]) -> dict[tuple[int, bytes], bytes]:
        """Returns the notes of some kinds and keys."""
        ...

    def note(self, entries: Iterable[tuple[int, bytes, bytes]], *, seconds: int) -> None:
        """Keeps notes, each with its kind and key, for some seconds."""
        ...


class Shown:
    """The files that were handed out, by this process or by all replicas. Threads may share it.

    Args:
        notes: where replicas note it together; None for this process alone.
    """

    def __init__(self, notes: Notes | None = None) -> None:
        self._notes = notes
        self._known: dict[str, bytes] = {}

    def note(self, shown: Sequence[tuple[str, bytes]]) -> None:
        """Remembers with which content files were handed out, each by its place and its key."""
        self._known.update(shown)
        if self._notes is not None and shown:
            self._notes.note([(KIND, os.fsencode(place), key) for place, key in shown], seconds=SECONDS)

    def changed(self, shown: Sequence[tuple[str, bytes]]) -> list[bool]:
        """Tells of each file whether it was handed out last with another content; from now on it counts as shown."""
        known = {place: self._known[place] for place, _ in shown if place in self._known}
        if self._notes is not None:
            places = {(KIND, os.fsencode(place)): place for place, _ in shown}
            known |= {places[note]: key for note, key in self._notes.fetch([*places]).items()}
        changed: list[bool] = []
        for place, key in shown:
            changed.append(known.get(place, key) != key)
            known[place] = key
        self.note(shown)
        return changed
