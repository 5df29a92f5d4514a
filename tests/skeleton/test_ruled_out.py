"""Uses that cannot mean a definition, by what is passed or by what stands before the name, and what says whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of
from tests.skeleton.test_results import lines_of

if TYPE_CHECKING:
    from pathlib import Path

COUNTED = (
    "class Till:\n"
    "    def pop(self, key, *more, last=None): ...\n"
    "    def take(self, key=None): ...\n"
    "    @keeps\n"
    "    def make(self): ...\n"
    "    def any(self, **named): ...\n"
    "def use(x, y, **named):\n"
)


@pytest.mark.parametrize(
    ("member", "call", "is_found"),
    [
        ("pop", "x.pop()", False),
        ("pop", "x.pop(1)", True),
        ("pop", "x.pop(1, 2, 3, last=4)", True),
        ("pop", "x.pop(1, first=4)", False),
        ("pop", "x.pop(*y)", True),
        ("pop", "x.pop(key=1)", True),
        ("pop", "named.pop(1)", False),
        ("pop", "named['a'].pop(1)", True),
        ("take", "x.take()", True),
        ("take", "x.take(1, 2)", False),
        ("take", "x.take((1, 2))", True),
        ("take", "x.take(lambda a, b: a)", True),
        ("take", "x.take(f(1, 2))", True),
        ("take", 'x.take("1, 2")', True),
        ("make", "x.make(1, 2)", True),
        ("any", "x.any(a=1, b=2)", True),
        ("any", "x.any(1)", False),
    ],
)
def test_a_call_means_nothing_that_takes_other_arguments(
    tmp_path: Path, member: str, call: str, is_found: bool
) -> None:
    found = beside(desk_of(tmp_path, {"a.py": f"{COUNTED}    {call}\n"}), f"Till.{member}", "callers")[1:]
    assert found == ([f"a.py:8 in use: {call} [by name]"] if is_found else [])


@pytest.mark.parametrize(
    ("call", "is_found"),
    [("x.Ring(1, 2)", True), ("x.Ring(1)", False), ("x.Ring(both())", True), ("x.Ring(y...)", True)],
)
def test_go_counts_arguments_but_those_that_a_call_gives(tmp_path: Path, call: str, is_found: bool) -> None:
    text = (
        f"package p\n\ntype Till struct{{}}\n\nfunc (t *Till) Ring(a, b int) {{}}\n\nfunc use(x any) {{\n\t{call}\n}}\n"
    )
    found = beside(desk_of(tmp_path, {"a.go": text}), "Till.Ring", "callers")[1:]
    assert found == ([f"a.go:8 in use: {call} [by name]"] if is_found else [])


def test_a_value_of_a_type_is_of_none_beside_that(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def ring(self): ...\n"
        "class Till(Base):\n    def ring(self): ...\n"
        "class Bell(Base):\n    def go(self):\n        self.ring()\n"
        "class Small(Bell):\n    def ring(self): ...\n"
        "def use():\n    bell = Bell()\n    bell.ring()\n"
        "def other(one: Base):\n    one.ring()\n"
    )
    desk = desk_of(tmp_path, {"a.py": text})
    through = "[through Base, 1 of 2]"
    assert beside(desk, "Till.ring", "callers")[1:] == [f"a.py:14 in other: one.ring() {through}"]
    assert len(beside(desk, "Small.ring", "callers")[1:]) == 3


PARTS = {
    "Till.cs": "namespace Shop {\n  static partial class Till {\n    static int Take(int n) { return n; }\n  }\n}\n",
    "Till.Rows.cs": "namespace Shop {\n  static partial class Till {\n    class Rows {\n      int Go() { return Take(1); }\n    }\n  }\n}\n",
    "Other.cs": "namespace Other {\n  static partial class Till {\n    class Rows {\n      int Go() { return Take(1); }\n    }\n  }\n}\n",
}


def test_a_class_inside_one_part_of_another_calls_what_stands_in_a_further_part(tmp_path: Path) -> None:
    found = beside(desk_of(tmp_path, PARTS), "Shop.Till.Take", "callers")[1:]
    assert found == ["Till.Rows.cs:4 in Shop.Till.Rows.Go: int Go() { return Take(1); } [class around]"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "Till.cs",
            "class Till {\n  public int Kind(int n) { return n; }\n}\nclass Desk {\n  void Go(object x) { x.Kind(); }\n}\n",
        ),
        (
            "Till.java",
            "class Till {\n  int Kind(int n) { return n; }\n}\nclass Desk {\n  void go() { x().Kind(); }\n}\n",
        ),
    ],
)
def test_arguments_are_counted_where_they_have_to_fit(tmp_path: Path, name: str, text: str) -> None:
    assert beside(desk_of(tmp_path, {name: text}), "Till.Kind", "callers") == ["no callers of Till.Kind found"]
    fitting = beside(desk_of(tmp_path, {name: text.replace(".Kind()", ".Kind(1)")}), "Till.Kind", "callers")
    assert len(fitting) == 2


CASTS = {
    "a.cs": "class Box {\n  public void Done() {}\n}\nclass Lid {\n  public void Done() {}\n}\nclass Desk {\n  void Go(object x) {\n"
    "    (x as Box)?.Done();\n    ((Box)x).Done();\n    (x as Lid).Done();\n    ((Lid) x).Done();\n  }\n}\n",
    "a.ts": "export class Box {\n  Done() {}\n}\nexport class Lid {\n  Done() {}\n}\nexport function go(x: any) {\n  // casts\n"
    "  (x as unknown as Box).Done()\n  (<Box>x).Done()\n  (x as Lid).Done()\n  (x() as Lid<Box>).Done()\n}\n",
    "a.kt": "class Box {\n  fun Done() {}\n}\nclass Lid {\n  fun Done() {}\n}\nfun go(x: Any) {\n  // casts\n"
    "  (x as Box).Done()\n  (x as? Box)?.Done()\n  (x as Lid).Done()\n}\n",
    "a.java": "class Box {\n  void Done() {}\n}\nclass Lid {\n  void Done() {}\n}\nclass Desk { void go(Object x) {\n  // casts\n"
    "  ((Box) x).Done();\n  ((Box) x.get(1)).Done();\n  ((Lid) x).Done();\n} }\n",
    "a.swift": "class Box {\n  func Done() {}\n}\nclass Lid {\n  func Done() {}\n}\nfunc go(x: Any) {\n  // casts\n"
    "  (x as! Box).Done()\n  (x as? Box)?.Done()\n  (x as! Lid).Done()\n}\n",
}


@pytest.mark.parametrize("name", [*CASTS])
def test_brackets_that_say_a_type_say_whose_a_member_is(tmp_path: Path, name: str) -> None:
    desk = desk_of(tmp_path, {name: CASTS[name]})
    assert lines_of(beside(desk, "Box.Done", "callers")[1:]) == ["9, 10 [it is typed so]"]


def test_a_text_that_is_written_out_has_no_member_of_a_class(tmp_path: Path) -> None:
    text = (
        "class Box:\n    def join(self, x): ...\n    def get(self, x): ...\n"
        'def use(x):\n    ", ".join(x)\n    f"{x}".join(x)\n    {1: 2}.get(x)\n'
    )
    desk = desk_of(tmp_path, {"a.py": text})
    assert beside(desk, "Box.join", "callers") == ["no callers of Box.join found"]
    assert beside(desk, "Box.get", "callers") == ["no callers of Box.get found"]
