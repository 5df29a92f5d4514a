from __future__ import annotations

from dataclasses import replace

import pytest

from skeleton import skeletons
from skeleton.languages.headers import language_names
from skeleton.languages.queries import Language
from skeleton.levels import CompressionLevel
from skeleton.outline.outlining import outline
from skeleton.proof.proving import Check, prove
from skeleton.render.rendering import render
from tests.skeleton.corpus import Case, corpus_names, read_cases, write_cases

CASES = [case for name in corpus_names() for case in read_cases(name)]


def what_it_gives(case: Case) -> dict[str, str]:
    language = Language.named(case.language)
    source = case.source.encode()
    facts = outline(source, language)
    given = {
        level.value: render(source, facts, language, level).text.decode()
        for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
    }
    given["definitions"] = "\n".join(f"{one.kind} {one.path}" for one in facts.definitions)
    return given


def test_every_language_has_a_corpus_and_every_corpus_a_language() -> None:
    assert corpus_names() == list(language_names())


@pytest.mark.parametrize("name", language_names())
def test_every_query_compiles(name: str) -> None:
    assert Language.named(name).query.pattern_count > 0


@pytest.mark.parametrize("name", corpus_names())
def test_a_corpus_comes_out_as_it_is_written(name: str, request: pytest.FixtureRequest) -> None:
    cases = read_cases(name)
    given = [replace(case, expected=what_it_gives(case)) for case in cases]
    if request.config.getoption("--rewrite-corpus"):
        write_cases(name, given)
        cases = read_cases(name)
    for case, gives in zip(cases, given, strict=True):
        assert gives.expected == case.expected, f"{name}: {case.title}"


@pytest.mark.no_cover
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}: {case.title}")
@pytest.mark.parametrize("level", [CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON])
def test_every_skeleton_of_the_corpus_is_proven(case: Case, level: CompressionLevel) -> None:
    language = Language.named(case.language)
    source = case.source.encode()
    facts = outline(source, language)
    failed = prove(source, facts, render(source, facts, language, level), language, level).failed
    assert failed is Check.NONE or facts.syntax_errors  # what is half written may fall back to a safer level


@pytest.mark.no_cover
@pytest.mark.parametrize("name", corpus_names())
def test_a_source_that_breaks_off_anywhere_is_shown(name: str) -> None:
    source = read_cases(name)[0].source.encode()
    for cut in range(1, len(source), max(7, len(source) // 12)):
        assert skeletons(source[:cut], Language.named(name)).full.text == source[:cut].decode("utf-8", "replace")


def test_a_string_that_breaks_off_is_the_end_of_its_block() -> None:
    source = b'variable "size" {\n  description = "[How](https://example.org/'
    assert skeletons(source, Language.named("hcl")).skeleton.text
