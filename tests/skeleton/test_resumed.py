"""In files with syntax errors no level hides a line that begins a definition."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skeleton import CompressionLevel, Language, skeletonize, skeletons
from skeleton.languages.headers import resolved, text_of
from skeleton.languages.queries import compile_language
from skeleton.outline import outlining, resumed
from skeleton.outline.beginning import may_begin
from skeleton.outline.outlining import every_definition, outline
from tests.skeleton.corpus import corpus_names, read_cases

PLUS, SKELETON = CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON

TORN = b"""\
static void first(int a) {
  if (a) {
#if FAST
    go();
  }
#endif
  do {
#ifdef SLOW
  } while (0);
}

int second(int b) { return b; }

static int
third(int c,
      int d) {
  return c;
}

struct pair { int a; };

static void fourth(void) { first(1); }
"""
"""To the grammar of C all this is one function."""


def test_functions_behind_a_torn_body_are_found_again() -> None:
    every = skeletons(TORN, Language.named("c"))
    assert every.full.syntax_errors
    assert [(one.kind, one.path) for one in every.full.definitions] == [
        ("function", "first"),
        ("function", "second"),
        ("function", "third"),
        ("struct", "pair"),
        ("field", "pair.a"),
        ("function", "fourth"),
    ]
    assert every.skeleton.text.split("\n") == [
        "static void first(int a);",
        "int second(int b);",
        "static int third(int c, int d);",
        "struct pair { int a; };",
        "static void fourth(void);",
    ]
    assert list(every.skeleton.line_numbers) == [1, 12, 14, 20, 22]
    assert every.plus.unproven == every.skeleton.unproven == ""


def test_what_is_found_again_can_be_zoomed_and_what_is_torn_ends_before_it() -> None:
    definitions = {one.path: TORN[one.start : one.end] for one in every_definition(TORN, Language.named("c"))}
    assert definitions["fourth"] == b"static void fourth(void) { first(1); }"
    assert definitions["third"].startswith(b"static int\nthird(int c,")
    assert definitions["third"].endswith(b"return c;\n}")
    assert definitions["first"].endswith(b"} while (0);\n}")


def test_what_is_found_again_in_a_class_is_a_member_of_it() -> None:
    source = b"""\
namespace house {
class Door {
 public:
  int first() {
    if (a) {
#if A
    }
#endif
#if B
    do {
#endif
  }

  class Lock {
    int key;
  };
};
}
"""
    every = skeletons(source, Language.named("cpp"))
    for one in (every.plus, every.skeleton):
        assert {"class Door {", "  class Lock {", "    int key;"} <= set(one.text.split("\n"))


HIDDEN = [
    pytest.param(
        "sql", b"CREATE TABLE [a].[keys] (\n  id INT IDENTITY (1, 1),\n", [b"CREATE TABLE [a].[keys] ("], id="sql"
    ),
    pytest.param(
        "c",
        b"struct one { int a; };\nmake_list(static, one_, struct one, link)\n\nTEST(adds) {\n  return 1;\n}\n",
        [b"make_list(static, one_, struct one, link)"],
        id="a macro that defines functions",
    ),
    pytest.param(
        "c", b"typedef list_head(item) items;\nstatic int n;\n", [b"typedef list_head(item) items;"], id="typedef"
    ),
]


@pytest.mark.parametrize(("language", "source", "lines"), HIDDEN)
def test_what_cannot_be_read_is_shown_as_it_is(language: str, source: bytes, lines: list[bytes]) -> None:
    every = skeletons(source, Language.named(language))
    for one in (every.plus, every.skeleton):
        for line in lines:
            assert line.decode() in one.text


@pytest.mark.parametrize(("language", "source", "lines"), HIDDEN[:2])
def test_a_file_that_is_not_read_whole_says_so(language: str, source: bytes, lines: list[bytes]) -> None:
    every = skeletons(source, Language.named(language))
    for one in (every.plus, every.skeleton):
        assert one.syntax_errors  # the line above its block says `[SYNTAX-ERRORS]`
        assert [line for line in lines if line.decode() not in one.text] == []


def test_lines_in_strings_and_comments_begin_nothing() -> None:
    source = (
        b'int first(void) {\n  return say("\\\nint second(void) {\\\n");\n/*\nint third(void) {\n*/\n}\nint broken(\n'
    )
    names = [one.name for one in outline(source, Language.named("c")).definitions]
    assert not {"second", "third"} & set(names)


def test_a_body_may_hold_definitions_of_its_own() -> None:
    source = b"def outer():\n  pass\nend\n\ndef other\n  def inner; end\n  1\nend\n\nclass (\n"
    names = [one.name for one in outline(source, Language.named("ruby")).definitions]
    assert "other" in names
    assert "inner" not in names


def test_a_file_without_syntax_errors_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> resumed.Torn:
        raise AssertionError

    monkeypatch.setattr(resumed.Torn, "__init__", never)
    assert outline(b"int f(void) {\n  return g(1);\n}\n", Language.named("c")).definitions


def test_a_file_is_read_again_only_so_often() -> None:
    piece = TORN.split(b"int second")[0]
    source = b"\n".join(piece.replace(b"first", b"f%d" % number) for number in range(3 * resumed.MOST_READINGS))
    shown = skeletonize(source, Language.named("c"), SKELETON).text
    assert all(f"f{number}(int a)" in shown for number in range(3 * resumed.MOST_READINGS))


def test_a_language_without_such_lines_stays_as_it_was() -> None:
    text = "; grammar: c\n(function_definition declarator: (_) @name body: (_) @body) @definition.function\n"
    with_lines = compile_language("beginning", text.replace("c\n", "c\n; begins: ^int\n", 1))
    assert compile_language("plain", text).begins is None
    assert with_lines.begins == re.compile(b"^int", re.MULTILINE)


TEARABLE = [name for name in corpus_names() if "begins" in resolved(name, text_of(name))[0]]


@given(st.sampled_from(TEARABLE), st.floats(0, 1), st.integers(0, 40))
@settings(max_examples=25, deadline=None)
def test_wherever_a_source_is_torn_its_outline_stays_in_order(name: str, place: float, length: int) -> None:
    source = read_cases(name)[0].source.encode()
    at = int(place * len(source))
    torn = source[:at] + source[at + length :]
    facts = outline(torn, Language.named(name))
    for one in facts.definitions:
        assert 0 <= one.start <= one.signature <= one.body <= one.end <= len(torn)
        assert one.signature <= one.name_start <= one.end
    assert [one.signature for one in facts.definitions] == sorted(one.signature for one in facts.definitions)
    for part in facts.parts:
        assert 0 <= part.start <= part.end <= len(torn)
        assert all(0 <= start <= end <= len(torn) for start, end in part.inner)
    assert skeletons(torn, Language.named(name)).full.text == torn.decode("utf-8", "replace")


def test_what_a_call_of_a_macro_swallows_is_found_again() -> None:
    source = b"make_trait( ge, >= )\n    namespace house {\n        constexpr Door( Door const& ) = default;\n    };\n"
    every = skeletons(source, Language.named("cpp"))
    assert "house" in {one.name for one in every.full.definitions}
    for one in (every.plus, every.skeleton):
        assert "namespace house {" in one.text
        assert "⋮" not in one.text


def _always(*_: object) -> bool:
    return True


@pytest.mark.parametrize("name", TEARABLE)
def test_lines_that_begin_nothing_are_known_without_a_walk(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language = Language.named(name)
    assert language.begins is not None
    torn: list[bytes] = []
    for case in read_cases(name)[:4]:
        source = case.source.encode()
        for match in list(language.begins.finditer(source))[:2]:
            torn.append(source[: match.start()] + b"broken ((( {\n" + source[match.start() :])
            torn.append(source[: match.end()] + b" ((( {\n" + source[match.end() :])
    quick = [outline(source, language) for source in torn]
    monkeypatch.setattr(outlining, "may_begin", _always)
    assert quick == [outline(source, language) for source in torn]


def test_what_begins_nothing_is_not_walked_over(monkeypatch: pytest.MonkeyPatch) -> None:
    source = b"int broken(\n{{ (((\n" + b"".join(b"list_%d(static, one, struct two, three)\n" % one for one in range(4))
    said: list[bool] = []

    def heard(*asked: Any) -> bool:
        said.append(may_begin(*asked))
        return said[-1]

    monkeypatch.setattr(outlining, "may_begin", heard)
    assert outline(source, Language.named("c")).syntax_errors
    assert False in said
