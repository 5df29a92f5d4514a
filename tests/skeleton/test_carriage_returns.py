"""Files whose lines end with a carriage return and a line break are shown as those whose lines end with the break alone."""

from __future__ import annotations

import pytest

from skeleton import Skeleton, language_of, skeletons
from skeleton.languages.queries import Language
from skeleton.levels import CompressionLevel
from tests.skeleton.corpus import corpus_names, read_cases
from tests.skeleton.sketching import SOURCES, sketch

LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)


def text_of(skeleton: Skeleton) -> str:
    return "\n".join(line.rstrip("\r") for line in skeleton.text.split("\n"))


def with_returns(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


@pytest.mark.parametrize("name", corpus_names())
def test_carriage_returns_change_no_skeleton(name: str) -> None:
    language = Language.named(name)
    for case in read_cases(name):
        plain = skeletons(case.source.encode(), language)
        returned = skeletons(with_returns(case.source), language)
        assert [one.path for one in returned.full.definitions] == [one.path for one in plain.full.definitions]
        for level in LEVELS:
            one, other = plain.at(level), returned.at(level)
            # A file with returns is longer: a level that does not save in the other may save in it.
            if one.level is other.level:
                assert text_of(other) == text_of(one), case.title


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("build.yml", "name: build\non:\n  push:\n    branches:\n      - main\njobs:\n  test:\n    steps: [a, b]\n"),
        ("a.toml", "# The one.\n[tool.a]\nkey = 1 # one\n\n[tool.b]\nkeys = [\n  1,\n  2,\n]\n"),
        ("a.md", "# Title\n\nText goes on.\nAnd on.\n\n## Part\n\n- one\n- two\n"),
        ("a.css", "a {\n  color: red;\n  border: 0;\n}\n@media print {\n  b {\n    top: 0;\n  }\n}\n"),
        (".options", '{\n  "a": {\n    "b": [1, 2, 3]\n  },\n  "c": "d"\n}\n'),
    ],
)
def test_carriage_returns_change_no_outline(path: str, text: str) -> None:
    plain = skeletons(text.encode(), language_of(path, text.encode()))
    returned = skeletons(with_returns(text), language_of(path, with_returns(text)))
    for level in LEVELS:
        assert text_of(returned.at(level)).rstrip("\n") == plain.at(level).text.rstrip("\n")


def test_a_component_keeps_the_lines_between_its_parts() -> None:
    text = "<script setup>\nconst a = () => 1\n</script>\n\n<template>\n  <p>a</p>\n</template>\n"
    assert text_of(skeletons(with_returns(text), Language.named("vue")).plus) == (
        "<script setup>\nconst a = () => { /* ... */ }\n</script>\n\n<!-- ... -->\n"
    ).rstrip("\n")


def test_lines_of_a_swift_text_that_go_on_end_with_carriage_returns() -> None:
    text = 'struct A {\n  var script: String {\n    """\n    one \\\n    two\n    """\n  }\n\n  func b() {\n    c()\n  }\n}\n'
    found = skeletons(with_returns(text), Language.named("swift"))
    assert [one.path for one in found.full.definitions] == ["A", "A.script", "A.b"]


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_carriage_returns_change_no_sketch(name: str) -> None:
    plain = sketch(SOURCES[name], name)
    returned = sketch(SOURCES[name].replace(b"\n", b"\r\n"), name)
    assert [(one.kind, one.path) for one in returned] == [(one.kind, one.path) for one in plain]
