"""Lines of a summary, the most needed first."""

from __future__ import annotations

import random

import pytest

from compaction.history import budget
from compaction.history.budget import Line, best_first
from compaction.history.sections import Section
from workspace.cancellation import CallCancelledError, CancelToken, cancellable


def lines(number: int) -> list[Line]:
    chance = random.Random(number)
    return [
        Line(
            section=Section.SOLVING,
            text=chance.choice(["a", "ab", "b"]),
            worth=chance.randrange(4),
            place=(chance.randrange(3), chance.randrange(3)),
            key=str(one),
        )
        for one in range(number)
    ]


@pytest.mark.parametrize("number", [0, 1, 4, 5, 6, 40, 333])
def test_the_order_is_that_of_one_sort(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_SORTED_AT_ONCE", 5)
    offered = lines(number)
    assert best_first(offered) == sorted(offered, key=lambda line: (-line.worth, line.place, len(line.text), line.text))


def test_a_call_can_be_given_up_while_lines_are_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_SORTED_AT_ONCE", 5)
    looks = 0

    class Counting(CancelToken):
        def look(self) -> None:
            nonlocal looks
            looks += 1
            super().look()

    with cancellable(Counting()):
        best_first(lines(50))
    assert looks >= 100  # each line before it is sorted, and each when it is taken
    token = CancelToken()
    token.give_up()
    with cancellable(token), pytest.raises(CallCancelledError):
        best_first(lines(1))
