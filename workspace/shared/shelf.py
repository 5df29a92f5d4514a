"""A shelf of records that every replica finds: this machine's shelf, and behind it the shared store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from workspace.shelf import is_name

if TYPE_CHECKING:
    from workspace.shared.store import SharedStore
    from workspace.shelf import Shelf

RECORD_SECONDS: Final = 7 * 86_400
"""After which the store may forget a record."""


class SharedShelf:
    """A shelf whose records other replicas find as well.

    Args:
        name: of the kind of records.
        far: the shared store.
        near: the shelf of this machine; None for none.
    """

    def __init__(self, name: str, far: SharedStore, near: Shelf | None = None) -> None:
        self._name = name
        self._far = far
        self._near = near

    def put(self, name: str, content: bytes) -> None:
        """Keeps a record: it is there for other replicas before this returns, where the store answers in time.

        Raises:
            OSError: the folder or the file of this machine cannot be written.
        """
        self._far.put(self._name, name, content, seconds=RECORD_SECONDS)
        if self._near is not None:
            self._near.put(name, content)

    def get(self, name: str) -> bytes | None:
        """Returns a record; None if there is none of that name, or it does not arrive in time."""
        if not is_name(name):
            return None
        content = None if self._near is None else self._near.get(name)
        return self._far.get(self._name, name) if content is None else content
