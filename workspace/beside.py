"""Work of a call that goes on beside it, in a thread of its own, until the call needs what it gives."""

from __future__ import annotations

import threading
from contextvars import copy_context
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from workspace.cancellation import stop_if_cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

_Result = TypeVar("_Result")

_LOOK_SECONDS: Final = 0.05


class Beside(Generic[_Result]):
    """Work that has begun: it belongs to the call that begins it, and ends with it where it looks (`workspace.cancellation`).

    Worth its thread where most of the work is to wait, as for another program.

    Args:
        work: the work.
    """

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work = work
        self._outcome: tuple[_Result] | BaseException | None = None
        self._ended = threading.Event()
        threading.Thread(target=copy_context().run, args=(self._run,), name="beside a call", daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """Tells whether there is an outcome."""
        return self._ended.is_set()

    def outcome(self) -> _Result:
        """Waits for the work and returns what it gives.

        Raises:
            CallCancelledError: the call is not wanted any more.
            Exception: what the work raised.
        """
        while not self._ended.wait(_LOOK_SECONDS):
            stop_if_cancelled()
        if isinstance(self._outcome, tuple):
            return self._outcome[0]
        raise self._outcome or AssertionError("what has ended has an outcome")

    def _run(self) -> None:
        try:
            self._outcome = (self._work(),)
        except BaseException as error:  # noqa: BLE001 - raised again by the call, which waits for it
            self._outcome = error
        finally:
            self._ended.set()
