"""Attributes that are worked out when they are first asked for.

`functools.cached_property` of Python 3.11 holds one lock for each attribute of a class while it works one out, for all
objects of the class: a call that parses a file in there would keep every other call waiting. This one holds none; where
two threads ask at the same time, both work it out, and one of the two equal values stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property as lazy
else:

    class lazy:  # noqa: N801 - it stands where a decorator does
        """Makes a method an attribute that is worked out once for each object, which needs a `__dict__`."""

        def __init__(self, work: Callable[[Any], Any]) -> None:
            self._work = work
            self.__doc__ = work.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self._name = name

        def __get__(self, owner: Any, kind: type | None = None) -> Any:
            if owner is None:
                return self
            value = owner.__dict__[self._name] = self._work(owner)
            return value


__all__ = ["lazy"]
