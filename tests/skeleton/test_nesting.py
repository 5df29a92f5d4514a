"""Deep nesting and many homonyms in one file cost no more than their text: no whole is repeated at each level."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from skeleton.languages.queries import Language
from skeleton.outline.definitions import qualified
from skeleton.outline.outlining import every_definition, outline
from skeleton.zoom.answers import Match, fitted
from skeleton.zoom.matches import MOST_BYTES
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.tokens import TokenCounter, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from _typeshed import TraceFunction

NESTED: dict[str, Callable[[int], str]] = {
    "java": lambda deep: "class A { void f() {}\n" * deep + "}" * deep + "\n",
    "rust": lambda deep: "mod a { pub fn f() {}\n" * deep + "}" * deep + "\n",
    "csharp": lambda deep: "namespace A { class C { void F() {} }\n" * deep + "}" * deep + "\n",
    "typescript": lambda deep: "function a() { function f() {}\n" * deep + "}" * deep + "\n",
    "ruby": lambda deep: "module A\ndef f\nend\n" * deep + "end\n" * deep,
    "cpp": lambda deep: "namespace a { void f() {}\n" * deep + "}" * deep + "\n",
    "python": lambda deep: "".join(" " * level + "class A:\n" for level in range(min(deep, 90))) + " " * 90 + "x = 1\n",
}
LONG = "A" * 5000


@pytest.mark.parametrize("language", NESTED)
def test_the_names_of_nested_definitions_take_no_more_room_the_deeper_they_stand(language: str) -> None:
    source = NESTED[language](500).encode()
    definitions = every_definition(source, Language.named(language))
    assert len(definitions) > 80
    assert max(len(one.container) for one in definitions) <= 401


def test_a_long_name_is_not_repeated_in_all_that_it_holds() -> None:
    source = f"class {LONG}:\n" + "".join(f"    def m{number}(self): pass\n" for number in range(100))
    for one in (
        outline(source.encode(), Language.named("python")).definitions,
        every_definition(source.encode(), Language.named("python")),
    ):
        assert one[0].name == LONG
        assert all(len(method.container) == 401 for method in one[1:])


def test_a_qualified_name_is_the_same_whether_it_is_shortened_level_by_level_or_at_once() -> None:
    names = [f"level{number}" for number in range(200)]
    step = ""
    for name in names:
        step = qualified(step, name)
    assert step == qualified("", ".".join(names))
    assert step.startswith("level0.level1.")
    assert step.endswith(".level198.level199")
    assert qualified("a.b", "c") == "a.b.c"
    assert qualified("", "c") == "c"
    assert qualified("a", "") == "a"


def test_every_definition_of_a_deep_nest_can_be_reached(tmp_path: Path) -> None:
    desk = Desk(write_tree(tmp_path, {"A.java": NESTED["java"](300)}))
    matches = desk.zoom("f").matches
    assert [match.first_line for match in matches[:1] + matches[-1:]] == [1, 300]
    assert len({match.target for match in matches}) == 300
    for match in (*matches[:3], *matches[-3:]):
        assert desk.one(match.target).first_line == match.first_line
    whole = f"A.java::{'A.' * 300}f"
    assert {match.first_line for match in desk.zoom(whole).matches} >= {300}


def test_what_is_taken_out_of_files_for_one_name_has_an_end_that_is_said(tmp_path: Path) -> None:
    deep = 1500
    desk = Desk(write_tree(tmp_path, {"A.java": NESTED["java"](deep)}))
    found = desk.zoom("class=A")
    assert sum(len(match.text) for match in found.matches) <= MOST_BYTES
    assert found.text.startswith(f"{deep} definitions are meant; zoom one of them:\n")
    assert found.text.endswith(f"⋮ {deep - 20} more\n")
    assert desk.one(f"class=A.java::{matches_path(deep)}~2").first_line > 200


def matches_path(deep: int) -> str:
    """The qualified name of the innermost class."""
    return f"{qualified('', '.'.join(['A'] * (deep - 1)))}.A"


def steps(work: Callable[[], object]) -> int:
    """Returns the number of lines of Python that some work runs through."""
    count = 0

    def traced(_frame: FrameType, event: str, _argument: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


USERS: dict[str, Callable[[int], str]] = {
    "callers.py": lambda size: (
        "def f(): pass\n" + "".join(f"def user{n}(): pass\n" for n in range(size)) + "f()\n" * size
    ),
    "callees.py": lambda size: (
        "".join(f"def used{n}(): pass\n" for n in range(size))
        + f"def f():\n    {' '.join(f'used{n}();' for n in range(size))}\n"
    ),
    "homonyms.py": lambda size: "def f(): pass\n" * size,
}


@pytest.mark.parametrize(
    ("name", "context"), [("callers.py", "callers"), ("callees.py", "callees"), ("homonyms.py", "")]
)
def test_the_work_of_a_zoom_grows_with_the_file_and_no_faster(tmp_path: Path, name: str, context: str) -> None:
    def worked(size: int) -> int:
        desk = Desk(write_tree(tmp_path / str(size), {name: USERS[name](size)}))
        desk.zoom("f")  # what is worked out once
        return steps(lambda: desk.zoom("f", context=context))

    assert worked(400) < 3 * worked(200)


class _Counting(TokenCounter):
    """Counts tokens, and how many characters it was asked about."""

    asked = 0

    def count(self, text: str | bytes) -> int:
        self.asked += len(text)
        return super().count(text)


def test_fitting_many_neighbours_into_a_budget_does_not_count_them_once_for_each() -> None:
    counter = _Counting(token_counter().encoding)
    match = Match(path="a.py", first_line=1, last_line=1, title="", target="f", text="f()\n", md5="0" * 32)
    notes = [
        "=== callers of f, found by name",
        *(f"a.py:{number} user{number}: def user{number}()" for number in range(2000)),
    ]
    text = fitted([match], counter, 3000, line_numbers=False, notes=notes)
    assert text.endswith(" more\n")
    assert counter.count(text) <= 3000
    assert counter.asked < 30 * len("\n".join(notes))
