"""The time that a call waits for the shared store: what it has waited counts, for whatever it asked."""

from __future__ import annotations

import threading

import pytest

from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.shared.patience import FOR_FACTS, MOST_SECONDS, came, patience


def test_what_a_call_has_waited_is_taken_from_what_it_may_wait() -> None:
    token = CancelToken()
    with cancellable(token):
        assert patience() == MOST_SECONDS
        token.waited += 0.15
        assert patience() == pytest.approx(MOST_SECONDS - 0.15)
        assert patience(FOR_FACTS) == pytest.approx(FOR_FACTS - 0.15)
        token.waited += 1.0
        assert patience() == 0


def test_two_calls_do_not_share_their_patience() -> None:
    first = CancelToken()
    first.waited = 9.0
    with cancellable(first):
        assert patience() == 0
        with cancellable(CancelToken()):
            assert patience() == MOST_SECONDS
        assert patience() == 0


def test_outside_of_calls_each_question_has_all_of_it() -> None:
    assert patience() == MOST_SECONDS


class _HeldUp(threading.Event):
    """An event whose waiter comes back late, as one does that gets no processor; it comes at the last look."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        super().wait(timeout * 4)
        self.left -= 1
        if not self.left:
            self.set()
        return self.is_set()


def test_time_without_the_processor_is_no_wait_for_the_store() -> None:
    token = CancelToken()
    with cancellable(token):
        assert came(_HeldUp(looks=4), 0.05)
        assert token.waited == pytest.approx(0.04)
        assert not came(_HeldUp(looks=9), 0.05)
        assert token.waited == pytest.approx(0.09)


def test_a_call_that_is_given_up_waits_no_longer() -> None:
    token = CancelToken()
    token.give_up()
    with pytest.raises(CallCancelledError), cancellable(token):
        came(threading.Event(), 60)
