"""The time that a call waits for the shared store: what it has waited counts, for whatever it asked."""

from __future__ import annotations

import pytest

from workspace.cancellation import CancelToken, cancellable
from workspace.shared.patience import FOR_FACTS, MOST_SECONDS, patience


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
