"""One file is one line of section 3, however calls spell its path."""

from __future__ import annotations

import pytest

from compaction.history import Section
from compaction.history.shell_files import read_files, written_files
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


def test_a_path_from_the_place_of_the_session_and_one_from_home_are_the_file_given_from_the_root_on() -> None:
    files = compacted(
        session(
            *called(1, "Read", {"file_path": "./plan.md"}, "x"),
            *called(2, "Edit", {"file_path": "/Users/ada/shop/plan.md", "old_string": "x", "new_string": "y"}, "ok"),
            *called(3, "Read", {"file_path": "~/shop/src/notes.md"}, "x"),
            *called(4, "Write", {"file_path": "/Users/ada/shop/src/notes.md", "content": "z"}, "ok"),
            said("assistant", FILLER),
        )
    ).sections[Section.FILES]
    assert files.split("\n")[:2] == ["- `./plan.md`: edited, read", "- `/Users/ada/shop/src/notes.md`: written, read"]


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


@pytest.mark.parametrize(
    ("line", "read", "written"),
    [
        ("sed -n '1,220p' src/a.py", ["src/a.py"], []),
        ("nl -ba src/a.py | sed -n '10,30p'", ["src/a.py"], []),
        ("cd /w && head -n 20 a.py b.py", ["/w/a.py", "/w/b.py"], []),
        ("bash -lc 'cat README.md'", ["README.md"], []),
        ("cat gone.py", [], []),
        ("cat a.py 2>/dev/null | head -5", [], []),
        ("cat a.py || echo none", [], []),
        ("if [ -f a.py ]; then cat a.py; echo x > b.py; fi", [], []),
        ("cat /tmp/x.log $F *.py /dev/stdin", [], []),
        ("sed -i -e 's/a/b/' -e 's/c/d/' a.py", [], [("a.py", True)]),
        ("sed -i '' 's/a/b/' a.py", [], [("a.py", True)]),
        ("perl -pi -e 's/a/b/' a.py", [], [("a.py", True)]),
        ("perl -i -pe 's/a/b/' a.py", [], [("a.py", True)]),
        ("cat > a.py <<'EOF'\nx > y\nEOF", [], [("a.py", False)]),
        ("cat <<'EOF' | tee a.py\nx\nEOF", [], [("a.py", False)]),
        ("echo x > locked.py", [], []),
        ("pytest -q | tee out.log", [], []),
        ("npm run dev > server.log 2>&1 &", [], []),
        ("sed 's/a/b/' a.py > /dev/null", [], []),
    ],
)
def test_a_line_reads_what_it_shows_and_writes_what_it_puts_text_into(
    line: str, read: list[str], written: list[tuple[str, bool]]
) -> None:
    answer = "cat: gone.py: No such file or directory\nsh: locked.py: Operation not permitted"
    assert read_files(line, answer) == read
    assert written_files(line, answer) == written


def test_files_that_only_a_shell_touched_are_told() -> None:
    files = compacted(
        session(
            *called(1, "exec_command", {"cmd": "sed -n '1,80p' src/a.py"}, "x"),
            *called(2, "exec_command", {"cmd": "sed -i 's/x/y/' src/a.py"}, ""),
            *called(3, "exec_command", {"cmd": "cat > src/b.py <<'EOF'\nz\nEOF"}, ""),
            *called(4, "exec_command", {"cmd": "cat src/c.py"}, "Process exited with code 1\nno"),
            said("assistant", FILLER),
        )
    ).sections[Section.FILES]
    assert files.split("\n")[:2] == ["- `src/a.py`: edited, read", "- `src/b.py`: written"]
    assert "`src/c.py`: read" not in files


def test_a_path_that_a_shell_gives_from_the_folder_it_went_to_is_the_file_given_from_the_root_on() -> None:
    files = compacted(
        session(
            *called(1, "Bash", {"command": "cd /w/shop && make"}, "ok"),
            *called(2, "Bash", {"command": "cat a.py"}, "x"),
            *(
                message
                for number, name in enumerate(("a.py", "b.py", "c.py"), start=3)
                for message in called(number, "Write", {"file_path": f"/w/shop/{name}", "content": "z"}, "ok")
            ),
            said("assistant", FILLER),
        )
    ).sections[Section.FILES]
    assert files.split("\n")[:4] == [
        "- Folder: `/w/shop/`, of paths without a slash before them",
        "- `a.py`: written, read",
        "- `b.py`: written",
        "- `c.py`: written",
    ]


def test_names_of_files_are_told_once_and_without_the_signs_before_them() -> None:
    read = [
        message
        for number in range(8)
        for message in called(number, "Read", {"file_path": f"src/part_{number}.py"}, "x = 1")
    ]
    words = f"See @docs/plan.md and @scope/three.js, and then:\n\n-a src/ folder with\n\t-data.py\n{FILLER}"
    result = compacted([said("user", words), *read, said("assistant", "Read.")])
    files = result.sections[Section.FILES]
    assert files.count("part_0.py") == 1
    also = files.rpartition("- Also named: ")[2].split(", ")
    assert {"docs/plan.md", "@scope/three.js", "data.py"} <= {*also}
    assert "@docs/plan.md" not in also


def test_no_part_of_a_secret_of_the_user_counts_as_a_name() -> None:
    token = ".".join(
        (
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            "eyJzdWIiOiIxMjM0NTY3ODkwIn0",
            "KsuVoB3ygVSRiJsR0xiGU7Xp0J_uA3WyLoUi6yGzFxs",
        )
    )
    result = compacted([said("user", f"Use the token {token} for `user_id`. {FILLER}"), said("assistant", FILLER)])
    assert "uA3WyLoUi6yGzFxs" not in result.sections[Section.CONCEPTS]
    assert "user_id" in result.sections[Section.CONCEPTS]
