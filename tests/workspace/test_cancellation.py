"""Tokens of calls: who looks at them, and what they say."""

from __future__ import annotations

import threading
from contextvars import copy_context

import pytest

from workspace.cancellation import CallCancelledError, CancelToken, cancellable, stop_if_cancelled
from workspace.errors import TimeLimitError
from workspace.tokens import PIECE, token_counter


def test_without_a_call_nothing_is_stopped() -> None:
    stop_if_cancelled()


def test_a_call_goes_on_until_it_is_given_up() -> None:
    token = CancelToken()
    with cancellable(token):
        stop_if_cancelled()
        token.give_up()
        with pytest.raises(CallCancelledError):
            stop_if_cancelled()
    stop_if_cancelled()


def test_what_a_fault_is_caught_with_does_not_catch_the_end_of_a_call() -> None:
    assert not issubclass(CallCancelledError, Exception)


def test_a_call_has_its_time_and_no_more() -> None:
    token = CancelToken(0.0)
    token.stage = "parsing 12 files"
    with pytest.raises(TimeLimitError, match=r"0 seconds \(it was parsing 12 files\)"), cancellable(token):
        stop_if_cancelled()


def test_a_thread_knows_only_the_call_that_it_works_for() -> None:
    token = CancelToken()
    ended: list[bool] = []

    def look() -> None:
        try:
            stop_if_cancelled()
        except CallCancelledError:
            ended.append(True)
        else:
            ended.append(False)

    with cancellable(token):
        token.give_up()
        of_the_call = threading.Thread(target=copy_context().run, args=(look,))
        another = threading.Thread(target=look)
        for thread in (of_the_call, another):
            thread.start()
            thread.join()
    assert ended == [True, False]


def test_a_count_looks_between_pieces() -> None:
    class Looks(CancelToken):
        """Gives up after some looks."""

        left = 3

        def look(self) -> None:
            self.left -= 1
            if not self.left:
                self.give_up()
            super().look()

    token = Looks()
    with pytest.raises(CallCancelledError), cancellable(token):
        token_counter().count("=" * (4 * PIECE))
    assert token.left == 0
