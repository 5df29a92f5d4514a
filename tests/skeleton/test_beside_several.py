"""Neighbours of several definitions, those that tests alone have, and what inner classes and typed variables say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

JIBS = "".join(f"class Jib{one} {{ int hoist() {{ return {one}; }} }}\n" for one in range(6))
TREE = {
    "src/Mast.java": (
        "import java.util.concurrent.Callable;\n\nclass Mast {\n"
        "  void rise(int to) { }\n\n"
        "  private class Foot implements Stepped {\n    void set() { rise(1); step(); }\n  }\n\n"
        "  void step() { }\n\n"
        "  void run(Callable<Integer> callable, List<RigListener> all) {\n"
        "    callable.call();\n    all.forEach(listener -> add(listener::onRig));\n  }\n\n"
        "  void add(Object one) { }\n}\n"
    ),
    "src/Stepped.java": "interface Stepped {\n  void step();\n}\n",
    "src/RigListener.java": "interface RigListener {\n  void onRig(int to);\n}\n",
    "src/LoggedRig.java": "class LoggedRig implements RigListener {\n  public void onRig(int to) { }\n}\n",
    "src/LoggedCallable.java": "class LoggedCallable {\n  int call() { return 1; }\n}\n",
    "src/Cleat.java": "class Cleat {\n  Cleat(int size) { }\n  int pull() { return haul(); }\n  private int haul() { return 1; }\n}\n",
    "src/Winch.java": "class Winch {\n  int turn() { return haul(); }\n  private int haul() { return 2; }\n  int ease() { return 3; }\n}\n",
    "src/Lead.java": "class Lead {\n  private int lash() { return 1; }\n  int loop() { return 1; }\n}\n",
    "src/Line.java": "class Line {\n  void tie(List<Other> some) { some.get().lash().loop(); }\n}\n",
    "src/Jib.java": JIBS,
    "src/test/WinchTest.java": "class WinchTest {\n  void eases() { new Winch().ease(); new Winch().ease(); }\n}\n",
}


@pytest.fixture(scope="module")
def zoomer(tmp_path_factory: pytest.TempPathFactory) -> Zoomer:
    folder = write_tree(tmp_path_factory.mktemp("several"), TREE)
    return Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)))


def beside(zoomer: Zoomer, target: str, context: str) -> list[str]:
    lines = zoomer.zoom(target, ".", context=context).text.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("==="))
    return lines[first:]


def test_each_of_several_definitions_has_its_callers(zoomer: Zoomer) -> None:
    assert beside(zoomer, "haul", "callers") == [
        "=== callers of Cleat.haul",
        "src/Cleat.java:3 in Cleat.pull: int pull() { return haul(); } [same class]",
        "=== callers of Winch.haul",
        "src/Winch.java:2 in Winch.turn: int turn() { return haul(); } [same class]",
    ]


def test_callers_of_a_list_are_said_not_to_be_looked_for(zoomer: Zoomer) -> None:
    assert beside(zoomer, "hoist", "callers") == ["=== callers not looked for: that takes one definition"]


def test_callers_in_tests_alone_are_told(zoomer: Zoomer) -> None:
    told = "=== no callers of Winch.ease found outside of tests; 2 places in tests: context tests"
    assert beside(zoomer, "Winch.ease", "callers") == [told]


def test_a_class_shows_its_constructors(zoomer: Zoomer) -> None:
    assert [match.title for match in zoomer.zoom("Cleat", ".").matches] == ["class Cleat"]
    assert [match.title for match in zoomer.zoom("Cleat.Cleat", ".").matches] == ["constructor Cleat.Cleat"]


def test_a_member_of_the_class_around_is_meant_where_the_inner_one_has_none(zoomer: Zoomer) -> None:
    _, *lines = beside(zoomer, "Foot.set", "callees")
    assert "src/Mast.java:4 Mast.rise: void rise(int to) [class around]" in lines
    assert "src/Stepped.java:2 Stepped.step: void step(); [inherited]" in lines
    assert not any("Mast.step" in line for line in lines)


def test_a_reference_to_a_method_uses_it(zoomer: Zoomer) -> None:
    _, line = beside(zoomer, "RigListener.onRig", "callers")
    assert line.endswith("all.forEach(listener -> add(listener::onRig)); [likely: listener]")
    _, line = beside(zoomer, "LoggedRig.onRig", "callers")
    assert line.endswith("[through RigListener]")


def test_what_a_variable_is_called_says_nothing_against_its_type(zoomer: Zoomer) -> None:
    assert beside(zoomer, "LoggedCallable.call", "callers") == ["=== no callers of LoggedCallable.call found"]


def test_what_only_its_file_sees_is_meant_nowhere_else(zoomer: Zoomer) -> None:
    assert beside(zoomer, "Lead.lash", "callers") == ["=== no callers of Lead.lash found"]
    _, line = beside(zoomer, "Lead.loop", "callers")
    assert line.endswith("some.get().lash().loop(); } [by name]")


def test_suggestions_stand_in_what_is_written_nearly_so(zoomer: Zoomer) -> None:
    with pytest.raises(SymbolNotFoundError) as told:
        zoomer.zoom("Winchh.hauul", ".")
    assert told.value.suggestions[0] == "symbol=src/Winch.java::Winch.haul"
    with pytest.raises(SymbolNotFoundError) as told:
        zoomer.zoom("Winch.pull", ".")
    assert told.value.suggestions[:2] == ("symbol=src/Winch.java::Winch", "symbol=src/Cleat.java::Cleat.pull")


BESIDE = {
    "a.rs": "pub fn over(n: i32) -> i32 {\n    n\n}\npub fn used() -> i32 {\n    over(4)\n}\n#[cfg(test)]\nmod tests {\n"
    "    fn help() -> i32 { over(2) }\n    #[test]\n    fn halves() {\n        assert_eq!(help(), 2);\n    }\n}\n"
    "#[tokio::test]\nasync fn outside() { over(1); }\n",
    "b.zig": 'pub fn add(n: i32) i32 {\n    return n;\n}\nconst two = add(2);\ntest "adds" {\n    try expect(add(3) == 3);\n}\n'
    "test add {\n    try expect(add(4) == 4);\n}\n",
    "c.erl": "-module(c).\nplus(N) ->\n    N.\nboth(N) ->\n    plus(N).\nplus_test() ->\n    ?assertEqual(3, plus(3)).\n",
    "d.ml": 'let minus a =\n  a - 1\nlet%test "minus" = minus 3 = 2\nlet%test_unit _ = assert (minus 2 = 1)\nlet one = minus 2\n',
    "e.clj": "(ns e)\n(defn times [n]\n  n)\n(defn twice [n]\n  (times n))\n(deftest times-test\n  (is (= 6 (times 6))))\n",
}
"""Tests beside what they test."""


@pytest.mark.parametrize(
    ("target", "callers", "tests"),
    [
        ("over", ["a.rs:5"], ["a.rs:9", "a.rs:16"]),
        ("help", ["a.rs:12"], ["a.rs:12"]),
        ("add", ["b.zig:4"], ["b.zig:6"]),
        ("plus", ["c.erl:5"], ["c.erl:7"]),
        ("d.ml::minus~1", ["d.ml:5"], ["d.ml:3", "d.ml:4"]),
        ("times", ["e.clj:5"], ["e.clj:7"]),
    ],
)
def test_a_test_that_stands_beside_what_it_tests_is_no_caller(
    tmp_path: Path, target: str, callers: list[str], tests: list[str]
) -> None:
    desk = Desk(write_tree(tmp_path, BESIDE))
    assert _places(desk, target, "callers") == callers
    assert _places(desk, target, "tests") == tests


def _places(desk: Desk, target: str, context: str) -> list[str]:
    lines = desk.zoom(target, context=context).text.partition("=== ")[2].splitlines()[1:]
    return [":".join(line.split(" ", 1)[0].split(":")[:2]) for line in lines]
