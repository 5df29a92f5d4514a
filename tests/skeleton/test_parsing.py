from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton import CompressionLevel, Language, skeletons
from skeleton.languages.queries import compile_language
from skeleton.outline import parsing
from skeleton.outline.outlining import outline
from skeleton.outline.parsing import GrammarFailureError, in_time_for, parse
from skeleton.skeletonizer import definitions_of
from skeleton.zoom.zoomer import zoom
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

BOMB = b"lost() { :; }\n" + b"<div>" * 30_000
"""Text on which the grammar of Bash takes time that grows with the square of its length."""


@pytest.fixture(autouse=True)
def _a_fast_machine(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    monkeypatch.setattr(parsing, "_LEAST_SECONDS", 0.2)
    monkeypatch.setattr(parsing, "_SECONDS_PER_MEGABYTE", 2.0)


def test_a_parse_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(GrammarFailureError, match="bash"):
        parse(BOMB, Language.named("bash"))


def test_texts_nested_deeper_than_a_scanner_keeps_do_not_end_the_process() -> None:
    kotlin = Language.named("kotlin")
    with pytest.raises(GrammarFailureError, match="nested"):
        parse(b"fun f() = " + b'"${' * 5000 + b"\n", kotlin)
    parse(b"fun f() = " + b'"${a}" + ' * 5000 + b'""\n', kotlin)


@pytest.mark.parametrize("opened", [b"a<" * 30_000, b"a.b<" * 10_000, b"a<b." * 10_000, (b"a<" * 1500 + b";") * 20])
def test_a_text_that_a_parser_would_guess_at_for_gigabytes_is_not_handed_to_it(opened: bytes) -> None:
    csharp = Language.named("csharp")
    with pytest.raises(GrammarFailureError, match="stand behind each other"):
        parse(opened, csharp)
    parse(b"class A { bool f(int a) => " + b"a < 1 && " * 3000 + b"a<b<c<d>>>.e << a << b; }\n", csharp)


@pytest.mark.parametrize("name", ["cpp", "java", "typescript", "csharp"])
def test_many_types_with_arguments_are_parsed(name: str) -> None:
    _, tree = parse(b"class A { Map<String, List<B>> f; Map<K, V> g; };\n" * 1500, Language.named(name))
    assert tree.root_node.child_count >= 1500


def test_a_minified_file_is_text_with_a_mark_and_one_with_lines_is_not() -> None:
    function = b"function f(a){return a+1}"
    text = b"\n".join([function * 400] * 30)
    minified = skeletons(text, Language.named("javascript"))
    assert (minified.plus.unproven, minified.full.definitions) == ("it is minified", ())
    assert definitions_of(text, Language.named("javascript")) == ()
    written = skeletons(b"\n".join([function] * 12_000), Language.named("javascript"))
    assert (written.plus.unproven, len(written.full.definitions)) == ("", 12_000)


def test_a_file_whose_grammar_fails_is_plain_text_with_a_mark() -> None:
    every = skeletons(BOMB, Language.named("bash"))
    assert every.full.text == BOMB.decode()
    assert every.full.unproven == "the bash grammar took too long"
    assert every.skeleton.level in CompressionLevel


def test_zoom_passes_over_a_file_whose_grammar_fails(tmp_path: Path) -> None:
    (tmp_path / "bomb.sh").write_bytes(BOMB)
    (tmp_path / "fine.sh").write_text("found() { lost; }\n", encoding="utf-8")
    roots = Roots([tmp_path])
    assert zoom("found", str(tmp_path), roots=roots).matches[0].path == "fine.sh"
    with pytest.raises(SymbolNotFoundError):
        zoom("lost", str(tmp_path), roots=roots)


def test_a_tree_that_a_query_would_take_too_long_for_is_given_up() -> None:
    for bomb in (b"(" * 60_000, b"class A:\n  x = 1\n" + b"(" * 60_000):
        with pytest.raises(GrammarFailureError, match="the python grammar makes nothing of it"):
            outline(bomb + b"\n", Language.named("python"))
    assert outline(b"x = [" + b"1, " * 60_000 + b"]\n", Language.named("python")).definitions


def test_all_the_pieces_of_a_file_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_FILE_SECONDS", 0.2)
    python = Language.named("python")
    with in_time_for(b""):
        parse(b"x = 1\n", python)
        with pytest.raises(GrammarFailureError):
            parse(BOMB, Language.named("bash"))
        with pytest.raises(GrammarFailureError, match="the file took too long"):
            parse(b"x = 1\n", python)
    parse(b"x = 1\n", python)


def test_a_file_of_more_members_than_there_is_time_for_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_FILE_SECONDS", 0.1)
    monkeypatch.setattr(parsing, "_SECONDS_PER_MEGABYTE", 0.0)
    with in_time_for(b""), pytest.raises(GrammarFailureError):
        outline(b"x = 1\n" * 40_000, Language.named("python"))


def test_large_sources_are_read_in_chunks() -> None:
    source = b"".join(b"def f%d(a):\n    return a\n" % number for number in range(5000))
    assert parse(source, Language.named("python"))[1].root_node.named_child_count == 5000


def test_bytes_that_are_no_utf_8_do_not_crash_a_predicate() -> None:
    source = b'ALIVE = "\xff\xfe"\nfunction f()\n  return 1\n  -- more\nend\n'
    every = skeletons(source, Language.named("lua"))
    assert every.plus.symbols == ("ALIVE", "f")
    assert "\ufffd" in every.plus.text


def test_the_text_of_a_long_node_is_whole() -> None:
    source = b"".join(b"name%d = '" % number + b"x" * 1000 * number + b"'\n" for number in range(20))
    _, tree = parse(source, Language.named("python"))
    assert [node.text for node in tree.root_node.named_children] == source.splitlines()


def test_what_a_blank_needs_decides_whether_it_is_searched() -> None:
    text = "; grammar: c\n; blank: (?#LOUD|QUIET)^([A-Z]+) (?=int)\n(comment) @comment\n"
    language = compile_language("needing", text)
    assert language.blanks[0].needs == (b"LOUD", b"QUIET")
    assert parse(b"LOUD int a;\nAPI int b;\n", language)[0] == b"     int a;\n    int b;\n"
    assert parse(b"API int b;\n", language)[0] == b"API int b;\n"


def test_what_a_reading_needs_decides_whether_it_is_searched() -> None:
    text = '; grammar: c\n; read as: "int" (?#(*)^(?:static )?([a-z_]+)(?= [(])\n(comment) @comment\n'
    language = compile_language("reading", text)
    assert parse(b"some_t (*a)(void);\nstatic other_t (b);\n", language)[0] == (
        b"   int (*a)(void);\nstatic     int (b);\n"
    )
    assert parse(b"some_t (a);\n", language)[0] == b"some_t (a);\n"


BLANK = r"^[ ]*((?:[A-Z]+\s+)+)(?=[a-z])"
ALTERNATIVES = r"^([A-Z]+)|b (B)"


@given(st.lists(st.sampled_from([b"A", b"BC", b"a", b" ", b"\n", b"\n\n", b"b B"]), max_size=20).map(b"".join))
def test_a_blank_that_starts_a_line_is_found_as_if_it_were_searched_everywhere(source: bytes) -> None:
    def spaces(match: re.Match[bytes]) -> bytes:
        start, end = match.span(match.lastindex or 0)
        blank = re.sub(rb"[^\n]", b" ", source[start:end])
        return source[match.start() : start] + blank + source[end : match.end()]

    for expression in (BLANK, ALTERNATIVES):
        language = compile_language("blanking", f"; grammar: c\n; blank: {expression}\n(comment) @comment\n")
        assert parse(source, language)[0] == re.sub(expression.encode(), spaces, source, flags=re.MULTILINE)
