"""Surveys: the facts of definitions beside their names."""

from __future__ import annotations

import pytest

from skeleton.index.survey import Survey, survey_of
from skeleton.languages.sketches import sketch_patterns
from skeleton.sketch.sketching import sketch_of


def _survey(language: str, source: str) -> Survey:
    patterns = sketch_patterns(language)
    assert patterns is not None
    text = source.encode()
    return survey_of(text, sketch_of(text, patterns), language=language, secrets=0)


@pytest.mark.parametrize(
    ("language", "source"),
    [
        (
            "typescript",
            "/**\n * Runs.\n * @deprecated say go\n */\nexport function run() {}\n\nexport function go() {}\n",
        ),
        ("java", "class A {\n  @Deprecated\n  public void run() {}\n\n  public void go() {}\n}\n"),
        ("go", "package a\n\n// run runs.\n//\n// Deprecated: say go.\nfunc run() {}\n\nfunc goes() {}\n"),
        ("rust", '#[deprecated(since = "1")]\npub fn run() {}\n\npub fn go() {}\n'),
        ("csharp", "class A {\n  [Obsolete]\n  public void run() {}\n\n  public void go() {}\n}\n"),
        ("python", "@deprecated('say go')\ndef run(): pass\n\n\ndef go(): pass\n"),
    ],
)
def test_what_nobody_is_to_use_any_more_is_told(language: str, source: str) -> None:
    survey = _survey(language, source)
    told = dict(zip(survey.names, survey.deprecated, strict=True))
    assert [name for name, deprecated in told.items() if deprecated] == ["run"]


def test_a_typedef_is_another_name_of_a_type_or_a_number() -> None:
    survey = _survey(
        "c",
        "typedef struct pool_s pool_t;\ntypedef unsigned long size_n;\ntypedef struct pool_s *pool_p;\n\n"
        "typedef struct {\n} point_t;\n",
    )
    assert survey.aliases == (("pool_s", "pool_t"),)
    kinds = dict(zip(survey.names, survey.kinds, strict=True))
    assert kinds == {"pool_t": "type", "size_n": "value", "pool_p": "type", "point_t": "struct"}


def test_imports_say_names_and_paths_and_nothing_where_a_name_is_too_short_to_tell() -> None:
    survey = _survey("javascript", "const fs = require('fs')\nconst all = require('..')\nconst one = require('./a')\n")
    assert survey.imports == ("..", "./a")


@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("kotlin", "class Client internal constructor(val x: Int) {\n}\n\ninternal class Hidden {\n}\n"),
        ("rust", "pub trait Read: private::Sealed {\n}\n\npub(crate) trait Hidden {\n}\n"),
    ],
)
def test_only_what_stands_before_a_name_hides_it(language: str, source: str) -> None:
    survey = _survey(language, source)
    told = dict(zip(survey.names, survey.hidden, strict=True))
    assert [name for name, hidden in told.items() if hidden] == ["Hidden"]
