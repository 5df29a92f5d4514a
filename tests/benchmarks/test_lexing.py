import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.skeletons.lexing import LEXICONS, blank


@pytest.mark.parametrize(
    ("lexicon", "source", "code"),
    [
        ("c", 'a "}" b // }\nc /* {\n */ d', "a     b     \nc     \n    d"),
        ("rust", "x<'a> '}' r#\"}\"# /* /* } */ } */ y", "x<'a>                            y"),
        ("rust", 'fn f() { "\\"}" }', "fn f() {       }"),
        ("go", "a := `}\n}` // {", "a :=   \n       "),
        ("python", "a = '''}\n}''' # }", "a =     \n        "),
        ("lua", "x --[[ } \n ]] y --z", "x        \n    y    "),
        ("php", "a <<<EOT\n}\nEOT; # }\n#[A]", "a       \n \n   ;    \n#[A]"),
        ("csharp", 'a @"}""{" b', "a         b"),
        ("haskell", "a {- {- } -} -} b -- c", "a               b     "),
    ],
)
def test_comments_and_strings_become_spaces(lexicon: str, source: str, code: str) -> None:
    assert blank(source, lexicon) == code


def test_strings_stay_where_they_are_asked_for() -> None:
    assert blank('f("// no") // yes', "c", keep_strings=True) == 'f("// no")       '


def test_of_preprocessor_branches_the_first_is_read() -> None:
    source = "#if A\nint f(\n#elif B\nint g(\n#else\nint h(\n#endif\nint x)"
    assert blank(source, "c").split() == ["int", "f(", "int", "x)"]


def test_of_a_branch_that_never_holds_the_other_is_read() -> None:
    assert blank("#if 0\na\n# if 1\nb\n# endif\n#else\nc\n#endif\nd", "c").split() == ["c", "d"]


def test_a_directive_may_go_on_over_lines() -> None:
    assert blank("#define F(x) \\\n  { x\nint a;", "c").split() == ["int", "a;"]


def test_a_directive_goes_on_over_the_lines_of_a_comment() -> None:
    assert blank("#define F(x) /* one \\\n two */ \\\n  { x\nint a;", "c").split() == ["int", "a;"]


@given(
    st.sampled_from(sorted(LEXICONS)), st.text(alphabet="ab \n\"'`/*#-{}()[]\\=<;|r@$%R", max_size=60), st.booleans()
)
def test_every_offset_and_line_stays(lexicon: str, source: str, keep: bool) -> None:
    result = blank(source, lexicon, keep_strings=keep)
    assert len(result) == len(source)
    assert [offset for offset, mark in enumerate(result) if mark == "\n"] == [
        offset for offset, mark in enumerate(source) if mark == "\n"
    ]
    assert all(mark in {" ", source[offset]} for offset, mark in enumerate(result))
