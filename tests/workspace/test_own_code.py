from __future__ import annotations

from typing import TYPE_CHECKING

from tests.trees import write_tree
from workspace.own_code import digest_of

if TYPE_CHECKING:
    from pathlib import Path

ROOM = {"__init__.py": "", "first.py": "A = 1\n", "last.py": "Z = 1\n", "notes.md": "# Notes\n"}


def test_a_room_is_another_when_any_of_its_modules_is(tmp_path: Path) -> None:
    rooms = [
        write_tree(tmp_path / str(number), ROOM | changed)
        for number, changed in enumerate(({}, {"notes.md": ""}, {"first.py": "A = 2\n"}, {"last.py": "Z = 2\n"}))
    ]
    same, noted, *others = map(digest_of, rooms)
    assert noted == same
    assert len({same, *others}) == 3


def test_a_module_stands_for_itself_alone(tmp_path: Path) -> None:
    here, there = (write_tree(tmp_path / str(number), ROOM | {"last.py": f"Z = {number}\n"}) for number in range(2))
    assert digest_of(here / "first.py") == digest_of(there / "first.py")
    assert digest_of(here / "last.py") != digest_of(there / "last.py")
