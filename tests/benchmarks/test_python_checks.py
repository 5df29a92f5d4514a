import ast

import pytest

from benchmarks.skeletons.python_checks import PythonFaults, compare
from benchmarks.skeletons.python_reading import read_python
from benchmarks.skeletons.references import Role

SOURCE = '''\
@decorated(
    1,
)
class A(B, metaclass=M):
    """Say what it is. And more."""

    x: int = 1

    @property
    async def f(self, a: int = 1, *, b="c", **rest: str) -> list[int]:
        """Do
        it. Then rest."""
        def inner(): ...
        return [a]

if condition:
    def g(): pass
else:
    def g(): return 1

if __name__ == "__main__":
    def main(): ...
'''
GOOD = '''\
@decorated(1)
class A(B, metaclass=M):
    """Say what it is."""
    x: int = 1
    @property
    async def f(self, a: int = 1, *, b="c", **rest: str) -> list[int]:
        """Do it."""
        ...
if condition:
    def g(): pass
else:
    def g(): ...
'''


def faults(skeleton: str, *, summaries: bool = True) -> PythonFaults:
    return compare(ast.parse(SOURCE), skeleton, summaries=summaries)


def test_a_whole_skeleton_has_no_fault() -> None:
    assert faults(GOOD) == PythonFaults(compared=4)


@pytest.mark.parametrize(
    ("wrong", "right", "field", "told"),
    [
        ("a: int = 2", "a: int = 1", "signatures", "10 A.f: arguments differ"),
        ("a: str = 1", "a: int = 1", "signatures", "10 A.f: arguments differ"),
        (" -> list[int]", "", "signatures", "10 A.f: returns differ"),
        ("    @property\n", "", "signatures", "10 A.f: decorators differ"),
        ("@decorated(1)", "@decorated()", "signatures", "4 A: decorators differ"),
        ("A(B, metaclass=M)", "A(metaclass=M)", "signatures", "4 A: bases differ"),
        ("async def f", "def f", "signatures", "10 A.f: kind differ"),
        ("        ...\n", "        return [a]\n", "bodies", "10 A.f: shows `return [a]`"),
        ("Do it.", "Say what it is.", "docstrings", "10 A.f: docstring 'Say what it is.' is no beginning of its own"),
        ("else:\n    def g(): ...\n", "", "missing", "19 g"),
        ("else:", "else:\n    def h(): ...", "invented", "12 h"),
    ],
)
def test_each_fault_is_told_with_its_line(wrong: str, right: str, field: str, told: str) -> None:
    old, new = (wrong, right) if wrong in GOOD else (right, wrong)
    assert getattr(faults(GOOD.replace(old, new, 1)), field) == [told]


def test_a_docstring_that_stops_with_an_ellipsis_is_a_beginning() -> None:
    assert faults(GOOD.replace("Say what it is.", "Say what…")).docstrings == []


def test_any_docstring_is_a_fault_where_docs_are_dropped() -> None:
    assert len(faults(GOOD, summaries=False).docstrings) == 2


def test_a_skeleton_that_is_no_program_is_told() -> None:
    assert not faults("def f(:").parses


def test_definitions_in_another_order_are_told() -> None:
    source = ast.parse("def a(): ...\ndef b(): ...\n")
    assert compare(source, "def b(): ...\ndef a(): ...\n", summaries=True).order == ["2 b"]


def test_ast_finds_definitions_signatures_and_exemptions() -> None:
    found = read_python(SOURCE.encode()).references
    assert [
        (one.path, one.line, one.first, one.last, one.exemption) for one in found if one.role is not Role.MEMBER
    ] == [
        ("A", 4, 1, 4, ""),
        ("A.f", 10, 9, 10, ""),
        ("A.f.inner", 13, 13, 13, "local"),
        ("g", 17, 17, 17, ""),
        ("g", 19, 19, 19, ""),
        ("main", 22, 22, 22, "main"),
    ]
    assert (
        found[2].signature.lstrip()
        == '@property\n    async def f(self, a: int = 1, *, b="c", **rest: str) -> list[int]'
    )
    assert [one.path for one in found if one.role is Role.MEMBER] == ["A.x"]


def test_what_ast_cannot_read_is_said() -> None:
    assert "invalid syntax" in read_python(b"def f(:").unreadable
