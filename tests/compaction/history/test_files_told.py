"""One file is one line of section 3, however calls spell its path."""

from __future__ import annotations

import pytest

from compaction.history import Section
from tests.compaction.history.sessions import FILLER, called, compacted, said, session


@pytest.mark.parametrize(
    ("told", "workdir"),
    [
        ("", "/w/shop"),
        ("<environment_context>\n  <cwd>/w/shop</cwd>\n</environment_context>", ""),
        ("<environment_details>\n# Current Working Directory (/w/shop) Files\n</environment_details>", ""),
    ],
)
def test_a_path_from_the_root_and_one_from_the_folder_of_the_work_are_one_file(told: str, workdir: str) -> None:
    files = compacted(
        [
            *([said("user", told)] if told else []),
            *session(
                *called(1, "read_file", {"path": "src/a.py"}, "x"),
                *called(2, "edit_file", {"path": "/w/shop/src/a.py", "old_str": "x", "new_str": "y"}, "ok"),
                *called(3, "exec_command", {"cmd": "make", "workdir": workdir}, "ok"),
                *called(4, "write_file", {"path": "/w/other/src/a.py", "content": "z"}, "ok"),
                said("assistant", FILLER),
            ),
        ]
    ).sections[Section.FILES]
    assert files.split("\n")[:2] == ["- `src/a.py`: edited, read", "- `/w/other/src/a.py`: written"]


def test_a_path_that_could_be_in_two_folders_stays_as_it_is_spelled() -> None:
    files = compacted(
        session(
            *called(1, "read_file", {"path": "a.py"}, "x"),
            *called(2, "exec_command", {"cmd": "rm /w/one/a.py", "workdir": "/w/one"}, "ok"),
            *called(3, "exec_command", {"cmd": "rm /w/two/a.py", "workdir": "/w/two"}, "ok"),
            said("assistant", FILLER),
        )
    ).sections[Section.FILES]
    assert files.split("\n")[:3] == ["- `a.py`: read", "- `/w/one/a.py`: deleted", "- `/w/two/a.py`: deleted"]


def test_a_file_of_windows_is_one_however_its_slashes_stand() -> None:
    told = "<environment_details>\n# Current Working Directory (c:/w/Shop) Files\n</environment_details>"
    files = compacted(
        [
            said("user", told),
            *session(
                *called(1, "read_file", {"path": "src/a.py"}, "x"),
                *called(2, "write_to_file", {"path": "C:\\w\\shop\\src\\a.py", "content": "y"}, "ok"),
                *called(3, "write_to_file", {"path": "c:/w/other/b.py", "content": "z"}, "ok"),
                *called(4, "edit_file", {"path": "c:\\w\\other\\b.py", "old_str": "z", "new_str": "y"}, "ok"),
                said("assistant", FILLER),
            ),
        ]
    ).sections[Section.FILES]
    assert files.split("\n")[:2] == ["- `src/a.py`: written, read", "- `c:/w/other/b.py`: written, edited"]
