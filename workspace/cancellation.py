"""Lets calls be given up: each has a token, which everything that takes long looks at.

A thread cannot be stopped from outside, so what works in it asks again and again whether it is still wanted. The token of
a call is bound to the context of its thread (`contextvars`), so that no function has to hand it on: `stop_if_cancelled`
costs less than a tenth of a microsecond, and stands in every loop over files, definitions, words, lines and messages, and
in what those loops are made of (reading, counting tokens, asking the cache, waiting for git and for workers).

Between two looks less than a tenth of a second should pass. Native code is not looked into, so it is handed pieces.
What is shared between calls is changed only where nothing can end the call in the middle.
"""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from workspace.errors import TimeLimitError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

_Item = TypeVar("_Item")


class CallCancelledError(BaseException):
    """Raised inside a call that nobody waits for any more.

    It is no `Exception`, so that nothing on the way takes it for a fault that it could mend.
    """


class CancelToken:
    """Says whether a call is still wanted. Written by one thread, read by another.

    Args:
        seconds: the call's limit, from now on; None for none.

    Attributes:
        seconds: the same.
        stage: what the call last said that it was doing; "" before.
        waited: seconds that the call has waited for a store that replicas share (`workspace.shared.patience`).
    """

    __slots__ = ("_is_given_up", "_until", "seconds", "stage", "waited")

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.stage = ""
        self.waited = 0.0
        self._until = math.inf if seconds is None else time.monotonic() + seconds
        self._is_given_up = False

    def give_up(self) -> None:
        """Ends the call the next time that it looks."""
        self._is_given_up = True

    @property
    def is_late(self) -> bool:
        """Tells whether the call has had all its time."""
        return time.monotonic() > self._until

    def look(self) -> None:
        """Goes on if the call is wanted.

        Raises:
            CallCancelledError: it was given up, or has had all its time.
        """
        if self._is_given_up or time.monotonic() > self._until:
            raise CallCancelledError

    def late_error(self) -> TimeLimitError:
        """The error of a call that has had all its time, in words for the caller."""
        during = f" (it was {self.stage})" if self.stage else ""
        return TimeLimitError(
            f"The call was stopped at its limit of {self.seconds:g} seconds{during}. What was worked out is kept where there"
            " is a cache, so calling again goes further; or name a narrower path or `include`, or set a higher --time-limit."
        )


_token: ContextVar[CancelToken | None] = ContextVar("call", default=None)


def current_token() -> CancelToken | None:
    """Returns the token of this thread's call, or None where there is no call."""
    return _token.get()


def stop_if_cancelled() -> None:
    """Goes on if the call of this thread is wanted, or if there is none.

    Raises:
        CallCancelledError: nobody waits for it any more.
    """
    token = _token.get()
    if token is not None:
        token.look()


def still_wanted(items: Iterable[_Item]) -> Iterator[_Item]:
    """Gives the same items, as long as the call of this thread is wanted.

    Raises:
        CallCancelledError: nobody waits for it any more.
    """
    token = _token.get()
    if token is None:
        yield from items
        return
    for item in items:
        token.look()
        yield item


@contextmanager
def cancellable(token: CancelToken) -> Generator[None]:
    """Binds a token to this thread as long as the block runs.

    Raises:
        TimeLimitError: the block took longer than the token allows.
    """
    before = _token.set(token)
    try:
        yield
    except CallCancelledError:
        if token.is_late:
            raise token.late_error() from None
        raise
    finally:
        _token.reset(before)
