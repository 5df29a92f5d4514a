from __future__ import annotations

import os
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.skeleton.desk import SHOP, Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    pass


@pytest.mark.parametrize("again", range(3))
def test_an_edit_within_the_same_moment_and_of_the_same_size_is_shown(desk: Desk, again: int) -> None:
    for digit in "123456789":
        write_tree(desk.folder, {"shop/price.py": SHOP["shop/price.py"].replace("return one", f"return on{digit}")})
        assert desk.one("tax").text.endswith(f"return on{digit}")


@pytest.mark.parametrize("left_alone", [False, True])
def test_a_file_put_in_its_place_with_its_size_and_its_time_is_shown(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, left_alone: bool
) -> None:
    if left_alone:
        now = time.time_ns()
        monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    place = desk.folder / "shop" / "price.py"
    for digit in "123":
        before = place.stat()
        new = place.with_suffix(".new")
        new.write_bytes(SHOP["shop/price.py"].replace("return one", f"return on{digit}").encode())
        os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
        new.replace(place)
        assert desk.one("tax").text.endswith(f"return on{digit}")
        place.write_bytes(SHOP["shop/price.py"].replace("return one", f"return tw{digit}").encode())
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert desk.one("tax").text.endswith(f"return tw{digit}")


def test_lines_that_move_a_definition_never_give_bytes_at_stale_offsets(desk: Desk) -> None:
    before = desk.one("tax").text
    for lines in range(1, 4):
        write_tree(desk.folder, {"shop/price.py": "#\n" * lines + SHOP["shop/price.py"]})
        match = desk.one("tax")
        assert match.text == before
        assert match.first_line == 5 + lines


def test_a_renamed_definition_is_found_under_its_new_name_alone(desk: Desk) -> None:
    desk.one("tax")
    write_tree(desk.folder, {"shop/price.py": SHOP["shop/price.py"].replace("tax", "levy")})
    assert desk.one("levy").path == "shop/price.py"
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")


def test_a_deleted_moved_or_replaced_file_is_not_remembered(desk: Desk) -> None:
    desk.one("tax")
    (desk.folder / "shop" / "price.py").rename(desk.folder / "shop" / "levies.py")
    assert desk.one("tax").path == "shop/levies.py"
    (desk.folder / "shop" / "levies.py").unlink()
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")
    write_tree(desk.folder, {"new/place.py": "def tax(): ...\n"})
    assert desk.one("tax").path == "new/place.py"
    (desk.folder / "new" / "place.py").unlink()
    (desk.folder / "new" / "place.py").mkdir()
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("tax")


def test_what_came_since_is_found_in_a_folder_that_had_been_left_alone(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    desk.one("tax")
    write_tree(desk.folder, {"shop/more.py": "def tax(): ...\n"})
    assert [match.path for match in desk.zoom("tax").matches] == ["shop/more.py", "shop/price.py"]
    write_tree(desk.folder, {"App.java": SHOP["App.java"].replace("add", "sum")})
    assert desk.one("App.sum").path == "App.java"
    write_tree(desk.folder, {".contextignore": "shop/more.py\n"})
    assert [match.path for match in desk.zoom("tax").matches] == ["shop/price.py"]


def test_what_git_lists_otherwise_is_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(desk.folder), *words], check=True, capture_output=True)

    git("init")
    write_tree(desk.folder, {".gitignore": "main.go\n"})
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)
    with pytest.raises(SymbolNotFoundError):
        desk.zoom("run")
    git("add", "-f", "main.go")
    assert desk.one("run").path == "main.go"


def test_a_file_that_changed_since_it_was_shown_is_said_to_have_changed(desk: Desk) -> None:
    assert "CHANGED" not in desk.zoom("tax").text
    assert "CHANGED" not in desk.zoom("tax").text
    write_tree(desk.folder, {"shop/price.py": "# new\n" + SHOP["shop/price.py"]})
    header = desk.zoom("tax").text.splitlines()[0]
    assert header.startswith("+++ shop/price.py:6-7 function tax [md5:")
    assert header.endswith("] [CHANGED since it was shown]")
    assert "CHANGED" not in desk.zoom("tax").text
