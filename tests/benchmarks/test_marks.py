"""The check of marks finds what is false, and takes what a level makes of a line for what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.marks.__main__ import Findings, Reader, check
from benchmarks.marks.served import Served

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = {
    "A.java": "enum A {\n  ONE() { void run() {} },\n  TWO;\n  int size(int a) { return a; }\n}\n",
    "b.h": "enum Kind { first = 0x0, second = 0x1 };\n",
    "C.cs": "class C {\n  public bool Is => true;\n  public int Size { get { return 1; } set { } }\n}\n",
    "e.c": "static void\nsize(\n    /* Given. */\n    int a,\n    /* Taken. */\n    int b) {\n  go();\n}\n",
    "d.sh": "leave() {\n  exit 1\n}\n",
}


def counted(tmp_path: Path, path: str, *lines: str, marks: tuple[str, ...] = ("SKELETON:L2",)) -> Findings:
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = Findings()
    check(Served(path=path, marks=marks, lines=lines), Reader(tmp_path), found)
    return found


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("A.java", "  ONE,"),
        ("A.java", "  int size(int a);"),
        ("b.h", "enum Kind { first, second };"),
        ("C.cs", "  public bool Is { get; }"),
        ("C.cs", "  public int Size { get; set; }"),
        ("d.sh", "leave() { :; }"),
        ("e.c", "static void size(int a, int b);"),
    ],
)
def test_what_a_level_makes_of_a_line_is_no_fault(tmp_path: Path, path: str, line: str) -> None:
    assert counted(tmp_path, path, line).faults == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("A.java", "  THREE,"),
        ("A.java", "  int size(long a);"),
        ("b.h", "enum Kind { first, third };"),
        ("C.cs", "  public bool Was { get; }"),
        ("d.sh", "stay() { :; }"),
    ],
)
def test_a_line_that_the_file_does_not_hold_is_a_fault(tmp_path: Path, path: str, line: str) -> None:
    assert counted(tmp_path, path, line).counts["false lines"] == 1


def test_a_count_that_does_not_add_up_and_an_empty_block_are_faults(tmp_path: Path) -> None:
    found = counted(tmp_path, "A.java", "⋮ 2 definitions", marks=("SKELETON:L2", "SHOWN:1/4"))
    assert (found.counts["false shown"], found.counts["empty frames"]) == (1, 1)
    between = ("  ONE", "⋮ 2 definitions", "  TWO")
    assert counted(tmp_path, "A.java", *between, marks=("SKELETON:L2", "SHOWN:2/3")).counts["false shown"] == 1
    assert counted(tmp_path, "A.java", *between, marks=("SKELETON:L2", "SHOWN:2/5")).counts["false shown"] == 0


def test_a_mark_above_what_could_not_be_read_is_held_against_the_lines_that_follow(tmp_path: Path) -> None:
    mark, lines = "⋮ lines 1-2 as written", ("leave() {", "  exit 1")
    assert counted(tmp_path, "d.sh", mark, *lines, "}").counts["as written"] == 1
    assert counted(tmp_path, "d.sh", mark, *lines, "}").faults == []
    assert counted(tmp_path, "d.sh", mark, lines[0], "⋮ 2 more lines").faults == []
    assert counted(tmp_path, "d.sh", mark, lines[1], lines[0]).counts["false as written"] == 1
    assert counted(tmp_path, "d.sh", mark, "⋮ 2 lines").counts["false as written"] == 1
