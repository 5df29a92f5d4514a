"""Whose a name is where imports rename it, a value comes from another module, or a call says it by what it passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

RUST = {
    "src/main.rs": "mod cmd;\nfn folder() -> u8 { 1 }\n",
    "src/cmd/clean.rs": "use crate::folder;\npub struct Queue { back: Option<u8> }\nimpl Queue {\n    fn back(&mut self) { self.back = None; }\n"
    "    fn next(&mut self) -> u8 { self.back.take();\n    self.back(); folder() }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("folder", ["src/cmd/clean.rs:6 in Queue.next [imported]"]),
        ("Queue.back~2", ["src/cmd/clean.rs:6 in Queue.next [same class]"]),
    ],
)
def test_what_stands_in_the_module_around_is_imported_and_a_field_is_no_method(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, RUST, target) == expected


def told_beside(folder: Path, texts: dict[str, str], target: str, context: str = "callers") -> list[str]:
    """The places that are told beside a definition, each with how it is known."""
    lines = beside(desk_of(folder, texts), target, context)[1:]
    return [f"{line.partition(': ')[0]} [{line.rpartition('[')[2]}" for line in lines]


OVERLOADS = {
    "A.java": "class A {\n  void put(String a) {}\n  void put(int a) {}\n  void put(String a, int... more) {}\n  void put(Function<String, A> f) {}\n"
    '  void put(A other) {}\n  void use(A mine) {\n    put("x" + 1);\n    put(1);\n    put("x", 1, 2);\n    put(s -> mine);\n    put(mine);\n    put(unknown());\n  }\n}\n',
    "b.kt": 'class B {\n  fun put(a: String, f: (Int) -> Int) = 1\n  fun put(a: Int = 3, b: String = "") = 2\n  fun put(f: (Int) -> Int) = 3\n'
    '  fun use() {\n    put("x") { it }\n    put(b = "y")\n    put { it }\n  }\n}\n',
    "c.cpp": "struct C {\n  void put(const std::string &a);\n  void put(int a, int b = 2);\n};\nvoid C::put(const std::string &a) { }\n"
    "void C::put(int a, int b) {}\nvoid use(C &c) {\n  c.put(std::string(a, n));\n  c.put(1);\n}\n",
}
ANOTHER = "[same class, this overload or another]"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("A.put~1", ["A.java:8 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~2", ["A.java:9 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~3", ["A.java:10 in A.use [same class]"]),
        ("A.put~4", ["A.java:11 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("A.put~5", ["A.java:12 in A.use [same class]", f"A.java:13 in A.use {ANOTHER}"]),
        ("B.put~1", ["b.kt:6 in B.use [same class]"]),
        ("B.put~2", ["b.kt:7 in B.use [same class]"]),
        ("B.put~3", ["b.kt:8 in B.use [same class]"]),
        ("c.cpp::C.put~3", ["c.cpp:8 in use [c is typed so]"]),
        ("c.cpp::C.put~4", ["c.cpp:9 in use [c is typed so]"]),
    ],
)
def test_what_a_call_passes_says_which_overload_it_means(tmp_path: Path, target: str, expected: list[str]) -> None:
    assert told_beside(tmp_path, OVERLOADS, target) == expected
