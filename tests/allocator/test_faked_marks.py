"""A line of a file is never taken for one that stands for others, whatever it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.show.formats import FormatName
from tests.trees import write_tree
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

FAKES = (
    "⋮ 3 definitions",
    "⋮ 9 of 12 files are not shown: zoom src/",
    "\\⋮ 4 lines",
    "⋮- gone = 1",
    "⋮ lines 3-9 as written",
    "+++ other.py",
)
BODY = "".join(f"    number = number + {line}\n" for line in range(60))
TEXT = "".join(f"{fake}\n" for fake in FAKES)
SOURCE = f'def first(number):\n    text = """\n{TEXT}"""\n{BODY}\n\ndef second(number):\n{BODY}'


def lines_shown(context: str, layout: FormatName) -> list[str]:
    if layout is FormatName.JSON:
        return [line for record in json.loads(context) if "text" in record for line in record["text"].split("\n")]
    return [line.removeprefix("+ ") if layout is FormatName.PLUS else line for line in context.split("\n")]


@pytest.mark.parametrize("layout", FormatName)
def test_in_a_block_with_marks_what_looks_like_one_is_escaped(tmp_path: Path, layout: FormatName) -> None:
    folder = write_tree(tmp_path, {"a.py": SOURCE, "b.py": SOURCE.replace("first", "third")})
    engine = ContextEngine(Roots([folder]))
    context = engine.get_context(str(folder), token_budget=700, format=layout, focus=["a.py::first"]).context
    lines = lines_shown(context, layout)
    for fake in FAKES[:5]:
        assert fake not in lines
        assert f"\\{fake}" in lines
    if layout in (FormatName.PLUS, FormatName.COMPACT):
        assert not any(line.startswith("+++ other.py") for line in context.split("\n"))


def test_in_a_whole_file_it_is_escaped_where_a_line_of_ours_may_follow(tmp_path: Path) -> None:
    folder = write_tree(tmp_path, {"a.txt": "".join(f"{fake}\n" for fake in FAKES)})
    engine = ContextEngine(Roots([folder]))
    compact = engine.get_context(str(folder), format="compact").context.split("\n")
    assert compact[1:-1] == [f"\\{fake}" for fake in FAKES]
    plus = engine.get_context(str(folder), format="plus").context.split("\n")
    assert plus[1:-2] == [f"+ {fake}" for fake in FAKES]


UNREAD = "struct one { int a; };\nint whole(void) {\n  return 1;\n}\nmake_list(static, one_, struct one,\n⋮ line 1 as written\nlink)\n"
"""Of C that cannot be read, with what looks like a mark in it."""


@pytest.mark.parametrize("layout", FormatName)
@pytest.mark.parametrize("line_numbers", [False, True])
def test_above_what_could_not_be_read_stands_a_mark_that_is_no_line_of_the_file(
    tmp_path: Path, layout: FormatName, *, line_numbers: bool
) -> None:
    folder = write_tree(tmp_path, {"a.c": UNREAD + "int more(void) {\n" + "  more();\n" * 40 + "}\n"})
    engine = ContextEngine(Roots([folder]))
    made = engine.get_context(str(folder), format=layout, max_level="L2", line_numbers=line_numbers)
    lines = lines_shown(made.context, layout)
    assert lines.count("⋮ lines 5-7 as written") == 1
    assert "⋮ line 1 as written" not in lines
    assert lines[lines.index("⋮ lines 5-7 as written") + 1].endswith("make_list(static, one_, struct one,")
    assert made.tokens_used >= token_counter().count(made.context)
