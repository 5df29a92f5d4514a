"""The short form of the soak: enough calls to see a file or a thread that is left behind at each."""

from __future__ import annotations

from benchmarks.soak.__main__ import soak, verdict


async def test_many_mixed_calls_with_edits_between_them_leave_nothing_open() -> None:
    samples, outcomes = await soak(calls=120, files=8)
    assert sum(outcomes.values()) == 120
    assert outcomes["get_context: answered"]
    assert outcomes["zoom: refused"]
    assert outcomes["compact_history: answered"]
    memory, opened = verdict(samples)
    assert opened <= 2
    assert memory < 1.5
    assert samples[-1].threads <= samples[len(samples) // 4].threads + 4
