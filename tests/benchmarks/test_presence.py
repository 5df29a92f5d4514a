from collections.abc import Sequence

from benchmarks.skeletons.presence import SkeletonText, Verdict, judge, squeezed
from benchmarks.skeletons.python_reading import read_python
from benchmarks.skeletons.references import Reference, Role

SOURCE = (
    "class A:\n    def f(self,\n          a: int = 1,\n          ) -> int:\n        return a\n\n    def f(self): pass\n"
)


def verdicts(source: str, shown: Sequence[tuple[int, str]]) -> list[Verdict]:
    skeleton = SkeletonText("\n".join(line for _, line in shown), [number for number, _ in shown], "python")
    return judge(read_python(source.encode()).references, source, skeleton, "python")


def test_a_definition_shown_on_the_line_that_it_claims_is_present_and_whole() -> None:
    shown = [
        (1, "class A:"),
        (2, "    def f(self,"),
        (3, "  a: int = 1,"),
        (4, "  ) -> int: ..."),
        (7, "  def f(self): ..."),
    ]
    assert [(one.reason, one.whole) for one in verdicts(SOURCE, shown)] == [("", True)] * 3


def test_a_signature_joined_on_one_line_is_whole_without_its_trailing_comma() -> None:
    shown = [(1, "class A:"), (2, "    def f(self, a: int = 1) -> int: ..."), (7, "    def f(self): ...")]
    assert [(one.reason, one.whole) for one in verdicts(SOURCE, shown)] == [("", True)] * 3


def test_a_comma_may_take_the_place_of_a_line_break() -> None:
    source = "function f(a: {\n  b: number\n  c: string\n}) {}\n"
    reference = Reference(name="f", kind="function", role=Role.FUNCTION, line=1, signature=source[:-4], first=1, last=4)
    skeleton = SkeletonText("function f(a: {b: number, c: string});", [1], "javascript")
    assert judge([reference], source, skeleton, "javascript")[0].whole


def test_a_default_that_is_gone_is_not_whole() -> None:
    shown = [(1, "class A:"), (2, "    def f(self, a: int) -> int: ..."), (7, "    def f(self): ...")]
    assert [one.whole for one in verdicts(SOURCE, shown)] == [True, False, True]


def test_two_definitions_of_one_name_need_two_showings() -> None:
    shown = [(1, "class A:"), (2, "    def f(self, a: int = 1) -> int: ...")]
    assert [one.reason for one in verdicts(SOURCE, shown)] == ["", "", "not shown"]


def test_a_name_on_a_line_that_claims_another_line_does_not_count() -> None:
    shown = [(1, "class A:"), (3, "    def f(self, a: int = 1) -> int: ..."), (7, "    def f(self): ...")]
    assert [one.reason for one in verdicts(SOURCE, shown)] == ["", "not shown", ""]


def test_a_member_without_its_class_does_not_count() -> None:
    shown = [(2, "def f(self, a: int = 1) -> int: ..."), (7, "def f(self): ...")]
    assert [one.reason for one in verdicts(SOURCE, shown)] == [
        "not shown",
        "shown without what it stands in",
        "shown without what it stands in",
    ]


def test_a_name_that_a_joined_line_brings_from_below_needs_all_text_in_between() -> None:
    reference = Reference(
        name="f", kind="function", role=Role.FUNCTION, line=2, signature="static int\nf(void)", first=1, last=2
    )
    source = "static int\nf(void)\n{\n}\n"
    good = judge([reference], source, SkeletonText("static int f(void) {}", [1], "c"), "c")
    bad = judge([reference], source, SkeletonText("int f(void) {}", [1], "c"), "c")
    assert [good[0].reason, good[0].whole, bad[0].reason] == ["", True, "not shown"]


def test_a_line_of_a_body_is_a_leak_and_a_placeholder_is_not() -> None:
    reference = Reference(name="f", kind="function", role=Role.FUNCTION, line=1, first=1, last=1, body=(1, 5))
    source = "void f() {\n  a();\n  b();\n  c();\n}\n"
    shown = SkeletonText("void f() {\n  /* ... */\n  b();\n}", [1, 2, 3, 5], "c")
    assert [one.leaked for one in judge([reference], source, shown, "c")] == [1]


def test_a_line_of_a_body_below_a_mark_is_told_and_no_leak() -> None:
    reference = Reference(name="f", kind="function", role=Role.FUNCTION, line=1, first=1, last=1, body=(1, 5))
    source = "void f() {\n  a();\n  b();\n  c();\n}\n"
    shown = SkeletonText("void f() {\n  a();\n⋮ line 3 as written\n  b();\n}", [1, 2, 0, 3, 5], "c")
    assert [(one.leaked, one.told) for one in judge([reference], source, shown, "c")] == [(1, 1)]
    assert shown.lines == ["void f() {", "  a();", "  b();", "}"]


def test_lines_out_of_order_are_seen() -> None:
    assert SkeletonText("a\nb", [1, 2], "c").ordered
    assert not SkeletonText("a\nb", [2, 1], "c").ordered
    assert SkeletonText("a\nb", [1], "c").miscounted


def test_white_space_and_trailing_commas_do_not_count() -> None:
    assert squeezed("f( a,\n  b,\n)") == squeezed("f(a, b)")
