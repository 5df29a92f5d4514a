from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton import Language, skeletons
from skeleton.render.docs import summary
from skeleton.render.signatures import on_one_line


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ('"""One. Two."""', '"""One."""'),
        ('"""One\n    goes on. Two.\n    """', '"""One goes on."""'),
        ('r"""A \\d. B."""', 'r"""A \\d."""'),
        ("'''It's \"so\"'''", "'''It's \"so\"'''"),
        ('"""Says "hi"\n"""', '"""Says "hi" """'),
        ('"""   """', ""),
        ("/// One. Two.\n/// Three.", "/// One."),
        ("    /// One\n    /// two.", "/// One two."),
        ("//! Inner. More.", "//! Inner."),
        ("/** One. Two. */", "/** One. */"),
        ("/**\n * One\n * two. Three.\n * @param x y\n */", "/** One two. */"),
        ("/*! Doxygen. More. */", "/*! Doxygen. */"),
        ("/* -----------\n * Title. More.\n * --------- */", "/* Title. */"),
        ("/**/", ""),
        ("// One. Two.", "// One."),
        ("# One. Two.", "# One."),
        ("-- | One. Two.", "-- | One."),
        ("--[[ One. Two. ]]", "--[[ One. ]]"),
        ("--[==[ One. Two. ]==]", "--[==[ One. ]==]"),
        ("(* One. Two. *)", "(* One. *)"),
        ("{- | One. Two. -}", "{- | One. -}"),
        ("=begin\nOne. Two.\n=end", "# One."),
        ("=begin\n=end", ""),
        ("# :nodoc:\n# rubocop:disable Style/Foo", ""),
        ("<!-- One. Two. -->", "<!-- One. -->"),
        ("////", ""),
        ("no mark", ""),
    ],
)
def test_a_doc_is_cut_to_its_first_sentence_in_its_own_notation(doc: str, expected: str) -> None:
    assert summary(doc.encode()).decode() == expected
    assert summary(expected.encode()).decode() == expected


MARKS = st.sampled_from(["/// {}", "# {}", "/** {} */", '"""{}"""', "-- {}", "(* {} *)", "//! {}", "// {}\n// {}"])


@given(MARKS, st.text(alphabet="abc .,!?\n'`@:-*/\\", max_size=80))
def test_a_summary_is_its_own_summary(mark: str, text: str) -> None:
    once = summary(mark.replace("{}", text).encode())
    assert b"\n" not in once
    assert summary(once) == once


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("def f(\n    a,\n    b,\n)", "def f(a, b)"),
        ("def f(a,\n      b)", "def f(a, b)"),
        ("def f(\n    a=(\n        1,\n    ),\n)", "def f(a=(1,))"),
        ("def f(\n    a=(\n        1,\n        2,\n    ),\n)", "def f(a=(1, 2))"),
        ("f(\n    [\n        1,\n    ],\n)", "f([1])"),
        ("fn f<\n    T,\n>(\n    a: T,\n) -> R\nwhere\n    T: A,\n", "fn f<T>(a: T) -> R where T: A "),
        ('f(\n    a="x,\n  )",\n)', 'f(\n    a="x,\n  )",\n)'),
        ("f(\n    a=`x\n`,\n)", "f(\n    a=`x\n`,\n)"),
        ("f(\n    a='it', b=\"x\",\n)", "f(a='it', b=\"x\")"),
        ("int \\\n  f(a)", "int f(a)"),
        ("#[derive(\r\n    A,\r\n    B,\r\n)]", "#[derive(A, B)]"),
        ("f(\n  a))\n", "f(a)) "),
    ],
)
def test_a_signature_is_joined_on_one_line(signature: str, expected: str) -> None:
    source = signature.encode()
    assert on_one_line(source, 0, len(source), ()).decode() == expected


def test_comments_in_a_signature_are_dropped() -> None:
    source = b"def f(\n    a,  # the a\n    b,\n    # last\n)"
    comments = tuple((at, source.index(b"\n", at)) for at in (source.index(b"# the"), source.index(b"# last")))
    assert on_one_line(source, 0, len(source), comments) == b"def f(a, b)"


WORDS = st.lists(
    st.sampled_from(["Word", "e.g.", "of", "it.", "@param", "- item", "`a.b`", "…"]), min_size=1, max_size=6
)


@given(st.lists(WORDS, min_size=1, max_size=3), st.lists(WORDS, max_size=3))
def test_a_later_paragraph_changes_nothing(first: list[list[str]], later: list[list[str]]) -> None:
    paragraph = "\n".join(f"// {' '.join(words)}" for words in [["Word"], *first])
    more = "".join(f"\n// {' '.join(words)}" for words in later)
    assert summary(f"{paragraph}\n//{more}".encode()) == summary(paragraph.encode())


def test_each_line_of_a_signature_with_a_condition_says_where_it_comes_from() -> None:
    head = b"template <class A>\n#if OLD\nvoid\n#else\nint\n#endif\n// Why.\na(int one, /* or */ int two) {\n"
    one = skeletons(head + b"  one();\n  two();\n}\n", Language.named("cpp")).skeleton
    assert list(zip(one.line_numbers, one.text.split("\n"), strict=True)) == [
        (1, "template <class A>"),
        (2, "#if OLD"),
        (3, "void"),
        (4, "#else"),
        (5, "int"),
        (6, "#endif"),
        (8, "a(int one, int two);"),
    ]
