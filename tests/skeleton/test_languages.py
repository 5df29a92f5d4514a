from __future__ import annotations

import pytest

from skeleton import skeletons
from skeleton.languages.headers import QueryFileError, language_name_of, language_names, text_of
from skeleton.languages.queries import Language, code_language_of, compile_language
from skeleton.outline.outlining import every_definition
from tests.skeleton.corpus import corpus_names, read_cases

FUNCTION = "(function_definition name: (identifier) @name body: (block) @body) @definition.function\n"


@pytest.mark.parametrize(
    ("path", "source", "name"),
    [
        ("src/a.py", b"", "python"),
        ("SConstruct", b"", "python"),
        ("lib.RS", b"", "rust"),
        ("bin/tool", b"#!/usr/bin/env python3\n", "python"),
        ("bin/tool", b"#!/usr/bin/env -S python3.12 -u\n", "python"),
        ("bin/tool", b"#!/usr/bin/python\n", "python"),
        ("bin/tool", b"#! /opt/pypy3 -O\n", "python"),
        ("script", b"# -*- mode: python -*-\n", "python"),
        ("script", b"x\n# vim: set ft=python :\n", "python"),
        ("script", b"// -*- rust -*-\n", "rust"),
        ("t/basic.t", b"use strict;\nuse Test::More tests => 1;\n", "perl"),
        ("t/basic.t", b"#!./perl -w\n\nprint qq{1..1\\n};\n", "perl"),
        ("t/basic.t", b"Ships are moored in order:\n\n  $ moor --all\n  use strict;\n", None),
        ("t/basic.t", b"package files are read first;\nprint only their names.\n", None),
        ("script", b"#!", None),
        ("script", b"#!/usr/bin/env\n", None),
        ("script", b"", None),
        ("a.unknown", b"plain\n", None),
    ],
)
def test_a_language_is_found_by_name_shebang_and_modeline(path: str, source: bytes, name: str | None) -> None:
    assert language_name_of(path, source) == name
    found = code_language_of(path, source)
    assert (found.name if found else None) == name


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (b"", "c"),
        (b"struct a { int b; };\n/* class of things */\nint f(void);\n", "c"),
        (b"#include <vector>\n", "cpp"),
        (b"#pragma once\nnamespace a::b {\n}\n", "cpp"),
        (b"class A {\n public:\n  A();\n};\n", "cpp"),
        (b"template <typename T>\nT f();\n", "cpp"),
        (b"inline std::string f();\n", "cpp"),
        (b"std::string f();\n", "cpp"),
        (b"int not_std::string;\n", "c"),
        (b"constexpr int a = 1;\n", "cpp"),
        (b"int is_constexpr, constexpr_b;\n", "c"),
        (b"A& operator=(A);\n", "cpp"),
        (b"int my_operator(int);\n", "c"),
        (b"#import <Foundation/Foundation.h>\n", "objc"),
        (b"@protocol P\n@end\n", "objc"),
    ],
)
def test_a_header_is_of_the_language_that_its_text_speaks(source: bytes, name: str) -> None:
    assert language_name_of("include/a.h", source) == name


def test_a_language_is_loaded_once() -> None:
    assert Language.named("python") is Language.named("python")
    assert "python" in language_names()


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(KeyError, match="python"):
        Language.named("klingon")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("; files: *.x\n", "grammar: NAME"),
        ("; grammar: klingon\n", "no grammar 'klingon'"),
        ("; grammar: python\n; colour: red\n", "unknown header 'colour'"),
        ("; grammar: python\n; fold L1: nothing\n", "not a JSON string"),
        ("; grammar: python\n; fold L1: 3\n", "not a JSON string"),
        ("; grammar: python\n(no_such_node) @import\n", "no_such_node"),
        ("; grammar: python\n(comment) @remark\n", "unknown capture @remark"),
        ("; grammar: python\n" + FUNCTION.replace(".function", ".routine"), "of no known kind"),
        ("; grammar: python\n(function_definition) @definition.function\n", "needs one @definition and a @name"),
        (
            '; grammar: python\n((comment) @keep (#eq? @keep "#") (#set! fold.L1 ""))\n',
            "put it first",
        ),
    ],
)
def test_a_broken_query_file_is_an_error_when_it_loads(text: str, complaint: str) -> None:
    with pytest.raises(QueryFileError, match=complaint):
        compile_language("broken", text)


def test_a_capture_in_a_string_or_a_comment_is_none() -> None:
    text = '; grammar: python\n; @remark\n((comment) @comment (#not-eq? @comment "@remark"))\n'
    assert compile_language("fine", text).plans[0].parts == ("comment",)


@pytest.mark.parametrize("name", ["c", "cpp", "javascript", "objc", "ruby", "tsx", "typescript"])
@pytest.mark.parametrize("step", [90, pytest.param(1, marks=pytest.mark.long)])
def test_a_kind_that_its_parts_tell_need_not_be_asked_for(name: str, step: int) -> None:
    strict = compile_language(name, text_of(name), is_strict=True)
    others = [case for corpus in corpus_names() if corpus != name for case in read_cases(corpus)]
    for case in (*read_cases(name), *others[::step]):  # those of other languages are hostile input
        source = case.source.encode()
        found, expected = every_definition(source, Language.named(name)), every_definition(source, strict)
        assert found == expected
        texts, wanted = skeletons(source, Language.named(name)), skeletons(source, strict)
        assert (texts.plus.text, texts.skeleton.text) == (wanted.plus.text, wanted.skeleton.text)
