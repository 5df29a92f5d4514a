"""The soak: enough calls to see a file or a thread that is left behind at each, and, in the long tests, memory that grows."""

from __future__ import annotations

import pytest

from tests.hostile.soak import ALLOWED_GROWTH, soak, verdict
from workspace.files.rescan import MOST_FOLDERS


@pytest.mark.no_cover
async def test_many_mixed_calls_with_edits_between_them_leave_nothing_open() -> None:
    samples, outcomes = await soak(calls=120, files=8)
    assert sum(outcomes.values()) == 120
    assert outcomes["get_context: answered"]
    assert outcomes["zoom: refused"]
    assert outcomes["compact_history: answered"]
    memory, opened = verdict(samples)
    assert opened <= MOST_FOLDERS  # each folder that is asked about again is watched
    assert memory < 1.5
    assert samples[-1].threads <= samples[len(samples) // 4].threads + 4


@pytest.mark.long
async def test_thousands_of_calls_take_no_more_memory_than_hundreds() -> None:
    samples, _ = await soak(calls=4000, files=200)
    memory, opened = verdict(samples)
    assert memory <= ALLOWED_GROWTH
    assert opened <= 0
