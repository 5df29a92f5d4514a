from __future__ import annotations

import pytest

from allocator.show.elision import Selection
from allocator.show.groups import groups_of
from skeleton import CompressionLevel
from tests.allocator.files import file_of

L2 = CompressionLevel.SKELETON

GO = """package a

import "io"

type (
\t// lexer reads.
\tlexer struct {
\t\treader io.Reader
\t}

\ttoken struct {
\t\ttext string
\t}
)

type state int

func load() {}
"""

PYTHON = """from typing import TYPE_CHECKING

import sys

class Spider:
    name: str

    def crawl(self) -> int: ...

    if TYPE_CHECKING:
        parse: int
    else:

        def parse(self) -> int: ...

if sys.version_info >= (3, 14):
    def now() -> int: ...
elif sys.version_info >= (3, 13):
    def now() -> float: ...
else:
    def now() -> str: ...
"""

CPP = """class Table {
 public:
  int rows();

 private:
  union {
    int small_;
    struct {
      int low_;
    };
  };
};

enum {
  OPEN = 1,
  CLOSED = 2,
};
"""


def shown(source: str, path: str, *names: str, raised: bool = False) -> list[str]:
    file = file_of(source, path)
    places = frozenset(place for place, one in enumerate(file.definitions) if one.path in names)
    selection = Selection(shown=places, raised=places if raised else frozenset())
    return [line for line in file.selected(L2, selection).lines if not line.startswith("⋮")]


@pytest.mark.parametrize("raised", [False, True])
def test_a_type_of_a_group_stands_in_it(raised: bool) -> None:
    lines = ["\ttoken struct {", "\t\ttext string", "\t}"]
    assert shown(GO, "a.go", "token", "token.text", raised=raised) == ["type (", *lines, ")"]
    assert shown(GO, "a.go", "token.text") == ["type (", *lines, ")"]
    assert shown(GO, "a.go", "state") == ["type state int"]


def test_a_branch_stands_below_its_condition_and_those_before_it() -> None:
    assert shown(PYTHON, "a.py", "Spider.parse")[1:] == [
        "    if TYPE_CHECKING: ...",
        "    else:",
        "        def parse(self) -> int: ...",
    ]
    assert shown(PYTHON, "a.py", "Spider.crawl") == ["class Spider:", "    def crawl(self) -> int: ..."]
    assert [line for line in shown(PYTHON, "a.py", "now") if "def" not in line] == [
        "if sys.version_info >= (3, 14):",
        "elif sys.version_info >= (3, 13):",
        "else:",
    ]


def test_members_without_a_type_of_their_own_stand_in_what_holds_them() -> None:
    assert shown(CPP, "a.cc", "Table.low_") == [
        "class Table {",
        "  union {",
        "    struct {",
        "      int low_;",
        "    };",
        "  };",
        "};",
    ]
    assert shown(CPP, "a.cc", "CLOSED") == ["enum {", "  CLOSED,", "};"]
    assert shown(CPP, "a.cc", "Table.rows") == ["class Table {", " public:", "  int rows();", "};"]


def test_lines_that_hold_nothing_are_no_group() -> None:
    file = file_of("from a import (\n    b,\n)\n\n\ndef f(): ...\n")
    assert groups_of(file.view(L2).lines, file.units(L2)) == {}


def test_a_chain_of_conditions_is_told_by_its_end() -> None:
    branches = "".join(f"elif one == {number}:\n    def f{number}(): ...\n" for number in range(500))
    file = file_of(f"if one:\n    def f(): ...\n{branches}")
    found = groups_of(file.view(L2).lines, file.units(L2))
    assert max(map(len, found.values())) == 9
