from __future__ import annotations

import marshal

import pytest

from skeleton import Language, skeletons
from skeleton.index.weights import MISSING, Weights, weights_of
from tests.skeleton.corpus import corpus_names, read_cases
from workspace.tokens import token_counter

counter = token_counter()
count = counter.count

SOURCE = b'''import os


class Config:
    """Settings."""

    def load(self, path: str) -> dict[str, int]:
        text = path
        return parse(text)

    def save(self) -> None:
        write(self)


def parse(text: str) -> dict[str, int]:
    return {}
'''


def weighed(source: bytes, language: str = "python") -> Weights:
    return weights_of(source, skeletons(source, Language.named(language)), counter)


def test_levels_weigh_what_their_text_counts() -> None:
    made = skeletons(SOURCE, Language.named("python"))
    weights = weighed(SOURCE)
    assert weights.tokens == (count(SOURCE), count(made.plus.text + "\n"), count(made.skeleton.text + "\n"))
    assert weights.lines == (16, 10, 6)


def test_definitions_weigh_what_their_lines_count() -> None:
    weights = weighed(SOURCE)
    lines = SOURCE.decode().splitlines(keepends=True)
    assert weights.unit == (0, 1, 2, 3)
    assert weights.parent == (MISSING, 0, 0, MISSING)
    assert weights.signature[1] == count("    def load(self, path: str) -> dict[str, int]: ...\n")
    assert weights.head[0] == weights.signature[0] == count("class Config:\n")
    assert weights.full[3] == count("".join(lines[14:16]))
    assert weights.full_lines == (9, 3, 2, 2)
    assert abs(weights.full[0] - count("".join(lines[3:12]))) <= 2


def test_a_container_with_fields_has_a_head_that_costs_less() -> None:
    weights = weighed(b"struct Config {\n    int a;\n    int b;\n    int c;\n};\n", "c")
    assert weights.head_lines[0] <= weights.signature_lines[0]
    assert weights.head[0] <= weights.signature[0]


def test_a_file_without_definitions_has_its_levels_alone() -> None:
    weights = weights_of(b"# Title\n\nWords.\n", skeletons(b"# Title\n\nWords.\n", None), counter)
    assert weights.unit == ()
    assert weights.tokens[0] == count("# Title\n\nWords.\n")


@pytest.mark.no_cover
@pytest.mark.parametrize("language", corpus_names())
def test_weights_are_plain_and_add_up_in_every_language(language: str) -> None:
    for case in read_cases(language):
        source = case.source.encode()
        made = skeletons(source, Language.named(language))
        weights = weights_of(source, made, counter)
        assert Weights(*marshal.loads(marshal.dumps(tuple(weights)))) == weights
        assert {len(column) for column in weights[2:10]} == {len(made.full.definitions)}
        top = [place for place, unit in enumerate(weights.unit) if unit == place and weights.parent[place] == MISSING]
        assert sum(weights.full[place] for place in top) <= weights.tokens[0] * 1.1 + 8
        assert sum(weights.signature) <= max(weights.tokens) * 1.1 + 8


def test_the_doc_above_a_definition_is_weighed_by_itself_where_it_is_long() -> None:
    source = "".join(
        [
            "/** Adds. */\nfunction add(a) {\n  return a;\n}\n",
            "/**\n * Takes away.\n *\n * And says so at length.\n */\nfunction take(a) {\n  return -a;\n}\n",
        ]
    ).encode()
    weights = weighed(source, "javascript")
    assert weights.doc_lines == (0, 5)
    assert weights.doc == (0, count("".join(source.decode().splitlines(keepends=True)[4:9])))
    assert weights.full_lines == (4, 8)


def test_a_level_without_a_word_weighs_nothing() -> None:
    source = b"(function () {\n  one();\n  two();\n  three(function () { return 3; });\n})();\n"
    assert weighed(source, "javascript").tokens[1:] == (0, 0)


def test_the_beginning_of_a_program_is_told_by_its_name() -> None:
    assert weighed(b"int other(void) { return 1; }\nint main(void) { return other(); }\n", "c").mains == (1,)
