"""The products of a macro stand on no line, and are told from what is written."""

from __future__ import annotations

import pytest

from benchmarks.skeletons.libclang import Named, is_written


@pytest.mark.parametrize(
    ("name", "line", "stands_there"),
    [
        ("size", "  int size() const;", True),
        ("operator bool", "  explicit operator  bool() const;", True),
        ("Panel", "  NO_COPY(Panel);", False),
        ("Panel", "  explicit Panel(int a);", True),
        ("my_object_init", "G_DEFINE_TYPE(MyObject, my_object)", False),
        ("resize", "  int size() const;", False),
    ],
)
def test_a_name_is_written_where_its_line_holds_it_outside_of_a_call_of_a_macro(
    name: str, line: str, stands_there: bool
) -> None:
    assert is_written(Named("FUNCTION_DECL", name, 2), ["", line]) is stands_there
