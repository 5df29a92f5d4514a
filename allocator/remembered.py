"""A bounded cache of values that calls share."""

from __future__ import annotations

from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Remembered(Generic[_Key, _Value]):
    """Values by key, no more than so many: when they are, those that were learnt first are forgotten.

    Threads may share it: what two of them find out at the same time is kept once.

    Args:
        most: how many values are held at the most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[_Key, _Value] = {}

    def find(self, key: _Key) -> _Value | None:
        """Returns what is known, or None."""
        return self._known.get(key)

    def keep(self, key: _Key, value: _Value) -> None:
        """Remembers a value."""
        if len(self._known) >= self._most and key not in self._known:
            self._known = dict(list(self._known.items())[self._most // 2 :])
        self._known[key] = value
