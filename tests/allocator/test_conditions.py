"""Conditions of a preprocessor of which nothing is shown."""

from __future__ import annotations

from allocator.show.elision import Selection
from skeleton import CompressionLevel
from tests.allocator.files import file_of

SOURCE = """class Pool {
public:
    int size;
#if defined(FAST)
    void quick(int a);
    void quicker(int a);
#else
    void slow(int a);
#endif
    int used;
    void grow() {
        size += 1;
#ifdef FAST
#endif
    }
};
"""


def lines_of(shown: tuple[str, ...], raised: tuple[str, ...] = ()) -> tuple[str, ...]:
    file = file_of(SOURCE, "pool.cpp")

    def places(names: tuple[str, ...]) -> frozenset[int]:
        return frozenset(place for place, one in enumerate(file.definitions) if one.name in names)

    selection = Selection(shown=places(shown), raised=places(raised))
    return file.selected(CompressionLevel.SKELETON, selection).lines


def test_conditions_between_which_nothing_is_shown_are_counted_with_what_they_hold() -> None:
    lines = lines_of(("Pool", "size", "used"))
    assert lines == (
        "class Pool {",
        "public:",
        "    int size;",
        "⋮ 3 definitions",
        "    int used;",
        "⋮ 1 definition",
        "};",
    )


def test_a_condition_stands_where_something_in_it_is_shown() -> None:
    lines = lines_of(("Pool", "size", "slow"))
    at = lines.index("    void slow(int a);")
    assert lines[at - 3 : at + 2] == ("#if defined(FAST)", "⋮ 2 definitions", "#else", *lines[at : at + 1], "#endif")


def test_conditions_in_what_is_shown_in_full_stand() -> None:
    lines = lines_of(("Pool", "grow"), ("grow",))
    assert lines[-4:-2] == ("#ifdef FAST", "#endif")
    assert "#if defined(FAST)" not in lines
