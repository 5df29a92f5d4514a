from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from workspace.files.rescan import MOST_FOLDERS, RememberedScans
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    base = tmp_path / "project"
    for path, text in {
        "a.py": "a = 1\n",
        "src/b.py": "b = 1\n",
        "src/deep/c.py": "c = 1\n",
        ".gitignore": "*.log\n",
    }.items():
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_text(text)
    settle(base)
    return base


def settle(base: Path) -> None:
    """Has everything look as if it had been left alone for a while."""
    past = time.time() - 60
    for place in (base, *base.rglob("*")):
        os.utime(place, (past, past))


def remembered(tree: Path) -> RememberedScans:
    scans = RememberedScans(Roots([tree]))
    scans.scan(tree)
    scans.scan(tree)
    return scans


def test_a_folder_where_nothing_changed_is_not_listed_anew(tree: Path) -> None:
    scans = remembered(tree)
    assert scans.scan(tree) is scans.scan(tree)
    assert scans.scan(tree) == scan(tree, roots=Roots([tree]))


def test_a_folder_that_is_asked_about_once_is_not_remembered(tree: Path) -> None:
    scans = RememberedScans(Roots([tree]))
    assert scans.scan(tree) is not scans.scan(tree)


CHANGES: dict[str, Callable[[Path], object]] = {
    "a file is edited": lambda base: (base / "a.py").write_text("a = 22\n"),
    "a file comes": lambda base: (base / "src/deep/new.py").write_text("n = 1\n"),
    "a file goes": lambda base: (base / "src/b.py").unlink(),
    "a file is renamed": lambda base: (base / "src/b.py").rename(base / "src/z.py"),
    "a file is replaced": lambda base: (base / "x").write_text("a = 3\n") and (base / "x").replace(base / "a.py"),
    "a folder comes": lambda base: shutil.copytree(base / "src", base / "more"),
    "a folder goes": lambda base: shutil.rmtree(base / "src"),
    "a rule is added": lambda base: (base / ".gitignore").write_text("*.log\nsrc/\n"),
    "a file of rules comes": lambda base: (base / "src/.contextignore").write_text("c.py\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_remembered_is_what_a_new_scan_finds(tree: Path, change: str) -> None:
    scans = remembered(tree)
    CHANGES[change](tree)
    assert scans.scan(tree) == scan(tree, roots=Roots([tree]))
    assert scans.scan(tree) == scan(tree, roots=Roots([tree]))


def test_a_file_alone_is_looked_at_each_time(tree: Path) -> None:
    scans = RememberedScans(Roots([tree]))
    for text in ("a = 5\n", "a = 66\n", "a = 777\n"):
        (tree / "a.py").write_text(text)
        assert [file.size for file in scans.scan(tree / "a.py").files] == [len(text)]


def test_the_folder_that_was_not_asked_about_for_longest_is_forgotten(tree: Path) -> None:
    folders = [tree / f"part_{number}" for number in range(MOST_FOLDERS)]
    for folder in folders:
        folder.mkdir()
    settle(tree)
    scans = remembered(tree)
    before = scans.scan(tree)
    for folder in folders:
        scans.scan(folder)
    assert scans.scan(tree) is not before
