from __future__ import annotations

import gc
import weakref

from workspace.collecting import YOUNG, collect_less_often


class Ring:
    def __init__(self) -> None:
        self.itself = self


def test_cycles_are_still_found_but_less_often() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)  # Python's own, whatever ran in this process before
        collect_less_often()
        assert gc.get_threshold() == (YOUNG, 10, 10)
        gc.collect()
        gone: list[bool] = []
        weakref.finalize(Ring(), gone.append, True)  # to ask a weak reference would hold the ring for that moment
        held: list[list[int]] = []
        while not gone:
            held.append([])
            assert len(held) < 50 * YOUNG
        assert len(held) > 700
    finally:
        gc.set_threshold(*before)
