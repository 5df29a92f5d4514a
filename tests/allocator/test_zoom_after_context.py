"""Zooms into files that a context has shown: both work over one index, as in a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from skeleton.zoom.zoomer import Match

FILES = {"a.py": "def load():\n    return 1\n", "b.py": "def save():\n    return 2\n"}


class Desk:
    """A context engine and a zoomer over one index."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_tree(folder, FILES)
        index = CodeIndex(Roots([folder]), workers=Workers(0))
        self.engine = ContextEngine(index.roots, index=index)
        self.zoomer = Zoomer(index)

    def one(self, target: str) -> Match:
        (match,) = self.zoomer.zoom(target, str(self.folder)).matches
        return match


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_file_that_changed_after_a_context_is_said_to_have_changed(desk: Desk) -> None:
    desk.engine.get_context(str(desk.folder))
    (desk.folder / "a.py").write_text("def load():\n    return 3\n", encoding="utf-8")
    assert desk.one("load").changed
    assert desk.one("load").text == "def load():\n    return 3"
    assert not desk.one("save").changed


def test_lines_of_a_file_that_changed_after_a_context_are_said_to_have_changed(desk: Desk) -> None:
    desk.engine.get_context(str(desk.folder))
    (desk.folder / "a.py").write_text("def load():\n    return 3\n", encoding="utf-8")
    assert "[CHANGED since it was shown]" in desk.zoomer.zoom("file=a.py:2", str(desk.folder)).text
    assert "CHANGED" not in desk.zoomer.zoom("file=b.py", str(desk.folder)).text


def test_a_file_that_moved_after_a_context_is_shown_where_it_is_now(desk: Desk) -> None:
    desk.engine.get_context(str(desk.folder))
    (desk.folder / "a.py").rename(desk.folder / "c.py")
    assert desk.one("load").path == "c.py"


def test_a_file_that_no_context_has_shown_has_not_changed(desk: Desk) -> None:
    desk.engine.get_context(str(desk.folder), include=["b.py"])
    (desk.folder / "a.py").write_text("def load():\n    return 3\n", encoding="utf-8")
    assert not desk.one("load").changed
