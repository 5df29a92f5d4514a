"""The reference of the zoom benchmark: where definitions begin and end, read without the engine."""

from __future__ import annotations

import pytest

from benchmarks.zoom.python_spans import python_spans
from benchmarks.zoom.spans import Lines

PYTHON = '''\
# no doc
@wraps
def outer():  # about it
    """Doc."""
    def inner():
        return 1
        # the end
    return inner  # done


class A:
    x: int = 1; y = 2
'''


def test_python_spans_hold_decorators_and_the_comments_of_a_body_and_nothing_above() -> None:
    spans = python_spans(PYTHON)
    assert not isinstance(spans, str)
    assert [(one.asked, one.first, one.last) for one in spans] == [
        ("outer", 2, 8),
        ("outer.inner", 5, 7),
        ("A", 11, 12),
        ("A.x", 12, 12),
        ("A.y", 12, 12),
    ]
    assert spans[0].text is not None
    assert spans[0].text.endswith("return inner  # done")


def test_what_is_no_python_says_why() -> None:
    assert "invalid syntax" in str(python_spans("def f(:\n"))


@pytest.mark.parametrize(
    ("language", "lexicon", "text", "begins"),
    [
        ("go", "go", "x()\n\n// A.\n// B.\nfunc f() {}\n", "// A."),
        ("go", "go", "x() // of x\nfunc f() {}\n", "func f"),
        ("go", "go", "// Apart.\n\nfunc f() {}\n", "func f"),
        ("c", "c", "/* Of x,\n   long. */\n/* Of f. */\nint f();\n", "/* Of f."),
        ("c", "c", "/* --- */\n/* f   */\n/* --- */\nint f();\n", "/* --- */"),
        ("javascript", "javascript", "/** Doc. */\n// eslint\nfunction f() {}\n", "/** Doc."),
        ("javascript", "javascript", "// no doc\nfunction f() {}\n", "function f"),
    ],
)
def test_doc_comments_directly_above_are_found(language: str, lexicon: str, text: str, begins: str) -> None:
    start = max(text.find("func f"), text.find("int f"), text.find("function f"))
    lines = Lines(text, language, lexicon)
    assert text[lines.with_docs(start) :].startswith(begins)


def test_a_semicolon_and_a_comment_behind_belong_to_a_definition_and_its_indentation_does() -> None:
    text = "a;\n  int x = 1; // one\n  y();\n"
    lines = Lines(text, "c", "c")
    start, end = lines.served(text.index("int"), text.index(";", 3))
    assert text[start:end] == "  int x = 1; // one"
