"""Comparing trees accepts nothing that the walk refuses, and finds what the walk finds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from skeleton import CompressionLevel, Language
from skeleton.languages.headers import language_names
from skeleton.languages.queries import compile_language
from skeleton.outline.definitions import Outline
from skeleton.outline.outlining import outline_of_tree
from skeleton.outline.parsing import parse
from skeleton.proof.likeness import comparable, likeness
from skeleton.proof.proving import Check, Verdict, prove
from skeleton.render.rendering import Rendered, assembled, render
from tests.skeleton.corpus import read_cases
from tests.skeleton.test_proof import BREAKS, CLASSES, FUNCTIONS, HEADER, SOURCE, broken
from tests.thoroughness import SHARE, is_thorough

LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
ROUNDS = 1
"""Broken skeletons of each way of breaking them, for each case and level."""


def both_ways(
    source: bytes, language: Language, level: CompressionLevel, broken_on_purpose: Rendered | None = None
) -> tuple[Verdict, Verdict]:
    """Returns the results of the proof that may compare trees, and of the one that walks."""
    parsed, tree = parse(source, language)
    facts = outline_of_tree(source, parsed, tree, language)
    compared = comparable(source, parsed, tree.root_node, facts)
    rendered = broken_on_purpose or render(source, facts, language, level)
    return (
        prove(source, facts, rendered, language, level, compared),
        prove(source, facts, rendered, language, level),
    )


def learn(name: str) -> None:
    """Proves the skeletons of a corpus, so that their readings are known."""
    for case in read_cases(name):
        for level in LEVELS:
            both_ways(case.source.encode(), Language.named(name), level)


@pytest.mark.no_cover
@pytest.mark.parametrize("name", language_names())
def test_trees_tell_of_a_corpus_what_the_walk_tells(name: str) -> None:
    learn(name)
    for case in read_cases(name):
        for level in LEVELS:
            compared, walked = both_ways(case.source.encode(), Language.named(name), level)
            assert compared == walked, case.title


def is_accepted_by_its_tree(source: bytes, language: Language, level: CompressionLevel) -> bool:
    parsed, tree = parse(source, language)
    facts = outline_of_tree(source, parsed, tree, language)
    compared = comparable(source, parsed, tree.root_node, facts)
    rendered = render(source, facts, language, level)
    _, shown = parse(rendered.text, language)
    if compared is None or shown.root_node.has_error:
        return False
    alike = likeness(compared, facts.definitions, rendered, shown.root_node, language, level)
    return alike is not None and alike.readings <= language.proven


PLAIN = {
    "python": b"import a\n\n\nclass A(B):\n    '''Doc. More.'''\n\n    x: int\n\n    def f(self, a):\n        '''Doc.\n\n        More.\n"
    b"        '''\n        return a\n",
    "rust": b"use a::b;\n\n/// Doc. More.\npub fn f(a: u8) -> u8 {\n    a + 1\n}\n\nimpl A {\n    fn g(&self) {\n        1\n    }\n}\n",
    "go": b'package a\n\nimport "b"\n\n// F does. More.\nfunc F(a int) int {\n\treturn a\n}\n\ntype T struct {\n\tA int\n}\n',
    "java": b"package a;\n\n/** Doc. More. */\nclass A {\n    @Override\n    public int f(int a) {\n        return a;\n    }\n}\n",
    "typescript": b"import a from 'b'\n\nexport function f(a: number): number {\n  return a\n}\n\nclass A {\n  g() {\n    return 1\n"
    b"  }\n}\n",
    "c": b"#include <a.h>\n\nint f(int a)\n{\n    return a;\n}\n\nstatic void g(void)\n{\n    f(1);\n}\n",
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("level", LEVELS)
def test_plain_code_is_proven_by_its_tree_once_its_readings_are_known(name: str, level: CompressionLevel) -> None:
    both_ways(PLAIN[name], Language.named(name), level)
    if level is CompressionLevel.SKELETON:  # L2 drops docs: what is shown is the same.
        assert both_ways(PLAIN[name], Language.named(name), level)[0][0] is Check.NONE
    assert is_accepted_by_its_tree(PLAIN[name], Language.named(name), level)


def broken_texts(text: bytes, chance: random.Random) -> Iterator[bytes]:
    """A skeleton's text with a line dropped, doubled, moved or put in, a word renamed, a bracket taken away."""
    lines = text.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    yield b"\n".join(lines[:at] + lines[at + 1 :])
    yield b"\n".join([*lines[:at], lines[at], *lines[at:]])
    yield b"\n".join([*lines[:at], b"    leaked = 1;", *lines[at:]])
    moved = [*lines]
    moved[at], moved[other] = lines[other], lines[at]
    yield b"\n".join(moved)
    words = [word for word in text.split() if word.isalpha()]
    if words:
        yield text.replace(chance.choice(words), b"renamed", 1)
    closers = [place for place, byte in enumerate(text) if byte in b"})]"]
    if closers:
        place = chance.choice(closers)
        yield text[:place] + text[place + 1 :]


def broken_pieces(rendered: Rendered, level: CompressionLevel, chance: random.Random) -> Iterator[Rendered]:
    """A skeleton put together wrongly, so that it still knows where its pieces come from."""
    pieces = [*rendered.pieces]
    at, other = chance.randrange(len(pieces)), chance.randrange(len(pieces))
    origin, text, verbatim = pieces[at]
    yield assembled(pieces[:at] + pieces[at + 1 :], level)
    swapped = [*pieces]
    swapped[at] = (origin, pieces[other][1], verbatim)
    swapped[other] = (pieces[other][0], text, pieces[other][2])
    yield assembled(swapped, level)
    yield assembled([*pieces[:at], (origin, text + b" leaked(); ", verbatim), *pieces[at + 1 :]], level)
    yield assembled([*pieces[:at], (origin, text + text, verbatim), *pieces[at + 1 :]], level)
    cut = chance.randrange(len(text)) if text else 0
    yield assembled([*pieces[:at], (origin, text[:cut], verbatim), *pieces[at + 1 :]], level)
    if lines := text.count(b"\n"):
        first = text.split(b"\n")
        gone = chance.randrange(lines)
        start = len(b"\n".join(first[:gone])) + 1 if gone else 0
        end = start + len(first[gone]) + 1
        halves = [(origin, text[:start], verbatim), (origin + end, text[end:], verbatim)] if verbatim else []
        yield assembled([*pieces[:at], *halves, *pieces[at + 1 :]], level)


APART = {
    "a name behind a shape that was cut": (
        "c",
        b"/* Doc. */\ntypedef enum {\n    ONE = 1, /* one */\n    TWO = 2,\n} number;\n",
    ),
    "a signature on several lines": ("python", b"def f(\n    a,  # why\n    b=(1,),\n) -> int:\n    return a\n"),
    "a body that is its doc": ("python", b"class A:\n    def f(self):\n        '''Doc. More.'''\n\nx = 1\n"),
    "a class that ends with comments": (
        "python",
        b"class A:\n    def f(self):\n        return 1\n\n    # One.\n    # Two.\n\n\n# ----\n\nx = 1\n",
    ),
    "a class without members": ("python", b"class A(B):\n    '''Doc. More.'''\n\n\nclass C(A):\n    x: int\n"),
    "fields that lose their initialisers": (
        "java",
        b"class A {\n    private int a = 1 + 2;\n    int b;\n    int f() { return a; }\n}\n",
    ),
    "names of one declaration": ("php", b"<?php\nclass A {\n    var $x = 1, $y;\n    function f() { return 1; }\n}\n"),
    "a doc below a licence": (
        "go",
        b"// Copyright\n\n// Package a does.\n// More.\npackage a\n\nfunc f() {\n\tg()\n}\n",
    ),
}


@pytest.mark.parametrize(("name", "text"), APART.values(), ids=APART)
def test_trees_find_definitions_where_the_walk_finds_them(name: str, text: bytes) -> None:
    for _ in range(2):
        for level in LEVELS:
            compared, walked = both_ways(text, Language.named(name), level)
            assert compared == walked


@pytest.mark.no_cover
@pytest.mark.parametrize("name", language_names())
def test_trees_accept_no_broken_skeleton_that_the_walk_refuses(name: str) -> None:
    language, chance = Language.named(name), random.Random(name)
    learn(name)
    for case in read_cases(name)[:: 1 if is_thorough() else SHARE]:
        source = case.source.encode()
        parsed, tree = parse(source, language)
        facts = outline_of_tree(source, parsed, tree, language)
        compared = comparable(source, parsed, tree.root_node, facts)
        if compared is None:
            continue
        for level in LEVELS:
            rendered = render(source, facts, language, level)
            for _ in range(ROUNDS):
                wrong = [replace(rendered, text=text) for text in broken_texts(rendered.text, chance)]
                if rendered.pieces:
                    wrong += broken_pieces(rendered, level, chance)
                for one in wrong:
                    accepted = prove(source, facts, one, language, level, compared)
                    if accepted[0] is Check.NONE:
                        walked = prove(source, facts, one, language, level)
                        assert walked[0] is Check.NONE, (case.title, one.text)
                        assert [found[:3] for found in accepted[1]] == [found[:3] for found in walked[1]]


@pytest.mark.parametrize(("check", "patterns", "plus"), BREAKS)
def test_a_broken_query_is_refused_however_often_it_is_tried(check: Check, patterns: str, plus: str) -> None:
    language = broken(patterns, plus)
    for _ in range(3):
        assert both_ways(SOURCE, language, CompressionLevel.SKELETON_PLUS)[0][0] is check
    assert not language.proven


def test_a_reading_is_known_only_after_the_walk_has_proven_it() -> None:
    language = compile_language("fresh", HEADER.replace("{plus}", '" ..."') + CLASSES + FUNCTIONS)
    assert not is_accepted_by_its_tree(SOURCE, language, CompressionLevel.SKELETON_PLUS)
    both_ways(SOURCE, language, CompressionLevel.SKELETON_PLUS)
    assert is_accepted_by_its_tree(SOURCE, language, CompressionLevel.SKELETON_PLUS)
    assert not is_accepted_by_its_tree(SOURCE, language, CompressionLevel.SKELETON)


def empty(**changes: object) -> Outline:
    nothing = Outline(definitions=(), parts=(), scopes=(), syntax_errors=False, leaks=(), torn=())
    return replace(nothing, **changes)


def test_only_a_source_that_parses_as_it_is_written_is_compared() -> None:
    language = Language.named("python")
    parsed, tree = parse(SOURCE, language)
    assert comparable(SOURCE, parsed, tree.root_node, empty()) is not None
    assert comparable(SOURCE, bytes([*parsed]), tree.root_node, empty()) is None
    assert comparable(SOURCE, parsed, tree.root_node, empty(leaks=("A.f",))) is None
    wrong = SOURCE + b"def (:\n"
    parsed, tree = parse(wrong, language)
    assert comparable(wrong, parsed, tree.root_node, empty()) is None
