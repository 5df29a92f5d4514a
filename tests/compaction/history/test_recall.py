"""The extractive summary keeps what is asked for later, in little room."""

from __future__ import annotations

import pytest

from benchmarks.compaction.recall import measure
from benchmarks.compaction.scenarios import SCENARIOS


@pytest.mark.no_cover
@pytest.mark.parametrize("held_out", [False, True])
def test_nearly_all_questions_are_answered_by_a_quarter_of_the_tokens(held_out: bool) -> None:
    measured = [(scenario, *measure(scenario)) for scenario in SCENARIOS if scenario.held_out is held_out]
    asked = sum(len(scenario.asked) for scenario, *_ in measured)
    missing = sum(len(unanswered) for _, unanswered, *_ in measured)
    assert missing <= asked * 0.05
    assert all(after <= before * 0.25 for _, _, before, after in measured)
