"""Calls of one engine beside each other: none waits for another that does not get on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from allocator.progress import Progress


@pytest.fixture
def index(tmp_path: Path) -> CodeIndex:
    write_tree(tmp_path, {"a.py": "def first():\n    return 1\n", "b.py": "def second():\n    return first()\n"})
    return CodeIndex(Roots([tmp_path]), workers=Workers(0))


def runs_beside_itself(call: Callable[[Progress | None], object]) -> bool:
    """Tells whether a call is answered while another of its kind is held up in its parsing."""
    held_up, go_on = threading.Event(), threading.Event()

    def hold_up(_: int, __: int, stage: str) -> None:
        if stage.startswith("parsing"):
            held_up.set()
            go_on.wait(60)

    other = threading.Thread(target=call, args=(hold_up,))
    other.start()
    assert held_up.wait(60)
    call(None)
    still_held_up = other.is_alive()
    go_on.set()
    other.join()
    return still_held_up


def test_a_query_does_not_wait_for_another_of_the_same_folder(index: CodeIndex, tmp_path: Path) -> None:
    engine = ContextEngine(index.roots, index=index)
    assert runs_beside_itself(
        lambda progress: engine.get_context(str(tmp_path), token_budget=500, query="first", progress=progress)
    )


def test_a_zoom_does_not_wait_for_another_of_the_same_folder(index: CodeIndex, tmp_path: Path) -> None:
    zoomer = Zoomer(index)
    assert runs_beside_itself(lambda progress: zoomer.zoom("first", str(tmp_path), progress=progress))
