"""Every check of the proof catches what is broken on purpose, and the file falls back with a mark."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton import CompressionLevel, Language, Outline, skeletonize, skeletons
from skeleton.languages.queries import compile_language
from skeleton.outline.outlining import outline
from skeleton.proof.proving import Check, prove
from skeleton.render.rendering import changed, render

PLUS, SKELETON = CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON

HEADER = """\
; grammar: python
; fold L1: {plus}
; fold L2: " ..."
; fold statements: "..."
; fold value: "..."
; empty scope: " ..."
"""
CLASSES = "(class_definition name: (identifier) @name body: (block) @scope) @definition.class\n"
FUNCTIONS = "(function_definition name: (identifier) @name body: (block) @body) @definition.function\n"

SOURCE = b"""\
class A:
    def f(self, a, b=1):
        first = a
        second = b
        return first, second

def g(x):
    y = x
    return y
"""


def broken(patterns: str, plus: str = '" ..."') -> Language:
    return compile_language("broken", HEADER.replace("{plus}", plus) + patterns)


def failed(language: Language, source: bytes = SOURCE, level: CompressionLevel = PLUS) -> Check:
    facts = outline(source, language)
    return prove(source, facts, render(source, facts, language, level), language, level)[0]


def test_a_sound_query_is_proven() -> None:
    language = broken(CLASSES + FUNCTIONS)
    assert failed(language) is Check.NONE
    assert skeletonize(SOURCE, language, PLUS).unproven == ""


BREAKS = [
    pytest.param(Check.SYNTAX, CLASSES + FUNCTIONS, '" (("', id="a placeholder that does not parse"),
    pytest.param(
        Check.DEFINITIONS,
        CLASSES + FUNCTIONS,
        '" ...\\ndef twice(): ..."',
        id="a placeholder that brings a definition",
    ),
    pytest.param(
        Check.BODIES,
        CLASSES + FUNCTIONS.replace("body: (block) @body", "body: (block . (_) @body)"),
        '" ..."',
        id="a body of which only the first statement folds",
    ),
    pytest.param(
        Check.BODIES,
        CLASSES + "(function_definition name: (identifier) @name) @definition.function\n",
        '" ..."',
        id="a body that does not fold at all",
    ),
    pytest.param(
        Check.SIGNATURES,
        CLASSES + "(function_definition name: (identifier) @name parameters: (_) @body body: (_) @body)"
        " @definition.function\n",
        '"(): ..."',
        id="parameters that fold with the body",
    ),
]


@pytest.mark.parametrize(("check", "patterns", "plus"), BREAKS)
def test_what_is_broken_is_caught_and_the_file_falls_back_with_a_mark(check: Check, patterns: str, plus: str) -> None:
    language = broken(patterns, plus)
    assert failed(language) is check
    shown = skeletonize(SOURCE, language, PLUS)
    assert shown.level is CompressionLevel.FULL
    assert shown.text == SOURCE.decode()
    assert shown.unproven == f"L1: {check}"


def test_a_placeholder_that_grows_each_time_is_caught() -> None:
    header = HEADER.replace("{plus}", '" ..."').replace(
        'statements: "..."', 'statements: "import folded\\nfolded(\\n)"'
    )
    language = compile_language("broken", header + "(import_statement) @import\n" + CLASSES + FUNCTIONS)
    source = SOURCE + b"\nprint(1)\nprint(2)\n"
    assert failed(language, source) is Check.FIXED_POINT
    assert skeletonize(source, language, PLUS).unproven == f"L1: {Check.FIXED_POINT}"


def test_l2_falls_back_to_l1_where_that_is_proven() -> None:
    text = HEADER.replace("{plus}", '" ..."').replace('fold L2: " ..."', 'fold L2: " (("')
    language = compile_language("broken", text + CLASSES + FUNCTIONS)
    shown = skeletonize(SOURCE, language, SKELETON)
    assert (shown.level, shown.unproven) == (PLUS, f"L2: {Check.SYNTAX}")
    assert shown.text == skeletonize(SOURCE, language, PLUS).text


def test_a_level_that_does_not_save_is_the_one_above_and_no_fault() -> None:
    types = b"pub struct A {\n    pub x: u8,\n}\n\npub struct B(u8);\n"
    every = skeletons(types, Language.named("rust"))
    assert every.skeleton.unproven == every.plus.unproven == ""
    assert len(every.skeleton.text) <= len(every.plus.text) <= len(every.full.text)
    assert skeletonize(b"", Language.named("rust"), SKELETON).level is CompressionLevel.FULL


def test_a_source_with_errors_of_its_own_is_marked_and_keeps_what_parses() -> None:
    source = SOURCE + b"\ndef h(:\n    return (\n\ndef last(a):\n    b = a\n    return b\n"
    shown = skeletonize(source, Language.named("python"), PLUS)
    assert shown.syntax_errors
    assert {"A", "A.f", "g"} <= set(shown.symbols) or "def g(x)" in shown.text


def test_a_level_that_saves_nothing_is_not_proven() -> None:
    text = HEADER.replace("{plus}", '" ..."').replace('fold L2: " ..."', f'fold L2: " {"(" * 200}"')
    language = compile_language("broken", text + CLASSES + FUNCTIONS)
    assert failed(language, level=SKELETON) is Check.SYNTAX
    shown = skeletonize(SOURCE, language, SKELETON)
    assert (shown.level, shown.unproven) == (PLUS, "")


NOTHING = Outline(definitions=(), parts=(), scopes=(), syntax_errors=False, leaks=(), torn=())
LINES = st.sampled_from(["", " ", "  \t", "a {", "  b", "  }", "}", "end", "    c", "(", ")", "d"])


@given(st.lists(LINES, max_size=14), st.sampled_from([PLUS, SKELETON]))
def test_cleaning_lines_twice_changes_nothing(lines: list[str], level: CompressionLevel) -> None:
    language = Language.named("python")
    once = render("\n".join(lines).encode(), NOTHING, language, level).text
    assert render(once, NOTHING, language, level).text == once
    assert changed(once, NOTHING, language, level) < 0


@given(st.binary(max_size=400))
def test_no_bytes_raise(source: bytes) -> None:
    for name in ("python", "rust"):
        every = skeletons(source, Language.named(name))
        sizes = [len(one.text.encode()) for one in (every.full, every.plus, every.skeleton)]
        assert sizes == sorted(sizes, reverse=True)


STATEMENTS = st.sampled_from(
    [
        "x = 1",
        "import a",
        "class A:\n    '''Doc. More.'''\n    y: int = 2\n    def m(self): return 1",
        "# comment",
        "def f(\n    a,\n    b=(1,),\n):\n    '''Doc'''\n    return a",
        "if x:\n    def g(): pass\nelse:\n    import b",
        "@d(\n    1,  # why\n)\nasync def h(): ...",
        "for i in x:\n    print(i)",
        "class E(A): pass",
        "y = [\n    1,\n]",
        "",
    ]
)


@given(st.lists(STATEMENTS, max_size=8))
def test_every_python_file_is_proven_at_both_levels(statements: list[str]) -> None:
    source = "\n\n".join(statements).encode()
    language = Language.named("python")
    every = skeletons(source, language)
    assert every.plus.unproven == every.skeleton.unproven == ""
    shown = [one.path for one in every.full.definitions]
    assert list(every.plus.symbols) == shown
    for one in (every.plus, every.skeleton):
        assert len(one.line_numbers) == len(one.text.splitlines())
        assert skeletonize(one.text.encode(), language, one.level).text.rstrip() == one.text.rstrip()
