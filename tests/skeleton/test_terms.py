"""The words of a file: every word once, for the innermost definition around it, in its place."""

from __future__ import annotations

import marshal
import re
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton.index.survey import survey_of
from skeleton.index.terms import LONGEST_WORD, MOST_BYTES, Place, Terms, terms_of
from skeleton.languages.queries import Language
from skeleton.outline.definitions import Definition
from skeleton.outline.outlining import outline

PYTHON = b'''import os

class Config:
    """Settings of a run."""

    # Reads it.
    @staticmethod
    def load(path: str) -> Config:
        return os.read(path, path)

    def save(self): ...
'''


def counted(terms: Terms) -> dict[tuple[int, str], tuple[int, ...]]:
    units, indices = array("I", terms.units), array("I", terms.indices)
    return {
        (unit, terms.words[index]): tuple(terms.counts[4 * entry : 4 * entry + 4])
        for entry, (unit, index) in enumerate(zip(units, indices, strict=True))
    }


def in_place(terms: Terms, unit: int, place: Place) -> set[str]:
    return {word for (of, word), counts in counted(terms).items() if of == unit and counts[place]}


def definitions_of(source: bytes, language: str) -> tuple[Definition, ...]:
    return outline(source, Language.named(language)).definitions


def test_words_count_for_the_innermost_definition_in_the_place_where_they_stand() -> None:
    definitions = definitions_of(PYTHON, "python")
    terms = terms_of(PYTHON, definitions)
    config, load, save = (
        next(unit for unit, definition in enumerate(definitions) if definition.name == name)
        for name in ("Config", "load", "save")
    )
    assert in_place(terms, config, Place.NAME) == {"Config"}
    assert in_place(terms, config, Place.BODY) == {"Settings", "of", "run", "Reads", "it"}
    assert in_place(terms, load, Place.DOC) == {"staticmethod"}
    assert in_place(terms, load, Place.SIGNATURE) == {"def", "load", "path", "str", "Config"}
    assert counted(terms)[load, "path"] == (0, 0, 1, 2)
    assert in_place(terms, save, Place.SIGNATURE) == {"def", "save", "self"}
    assert in_place(terms, len(definitions), Place.BODY) == {"import", "os"}


def test_a_file_without_definitions_is_one_unit() -> None:
    terms = terms_of(b"# Title\n\nsome words, some more\n", ())
    assert counted(terms) == {
        (0, "Title"): (0, 0, 0, 1),
        (0, "some"): (0, 0, 0, 2),
        (0, "words"): (0, 0, 0, 1),
        (0, "more"): (0, 0, 0, 1),
    }


def test_an_empty_file_has_no_terms() -> None:
    assert terms_of(b"", ()) == Terms((), b"", b"", b"")


RUST = b"""pub fn dim() {}

#[cfg(test)]
mod tests {
    use super::*;
    fn lamp() -> Lamp { Lamp }
    #[test]
    fn dims() { dim(); }
}

/// Testing nothing.
pub fn test_bed() {}
"""


def test_tests_beside_what_they_test_are_told_with_all_that_stands_in_them() -> None:
    definitions = definitions_of(RUST, "rust")
    terms = terms_of(RUST, definitions, "rust")
    told = {one.name for one, is_test in zip(definitions, terms.tests, strict=True) if is_test}
    assert [one.name for one in definitions] == ["dim", "tests", "lamp", "dims", "test_bed"]
    assert told == {"tests", "lamp", "dims"}
    assert terms_of(PYTHON, definitions_of(PYTHON, "python"), "python").tests == b""


def test_a_survey_has_the_words_of_any_script_and_is_not_harmed_by_half_a_character() -> None:
    def words(text: bytes) -> tuple[str, ...]:
        return survey_of(text, (), language="", secrets=0).words

    assert words("int größe = länge(straße2, é, né); // ab “quoted”… π\n你好()".encode()) == (
        *("größe", "int", "länge", "né", "quoted", "straße2", "你好"),
    )
    assert words(b"load(x, ab, _go, 2nd_one)") == ("_go", "load", "nd_one")
    assert words(b" " * (MOST_BYTES - 5) + "größe".encode()) == ("grö",)


@pytest.mark.parametrize(
    ("language", "source"),
    [
        (
            "go",
            "// Package a reads.\n\n// Copyright 2020 The Hugo Authors\n// Licensed to Hugo\n\n// Reader\npackage a\n",
        ),
        (
            "c",
            "/* Reader\n *\n * Copyright (c) Hugo\n *\n * Without Hugo, no warranty\n *\n * Package\n */\n\n#include <a>\nint a;\n",
        ),
        ("php", "<?php declare(strict_types=1);\n\n/*\n * (c) Hugo\n */\n\nclass Reader extends Package {}\n"),
        ("python", "#!/bin/sh\n# SPDX-License-Identifier: Hugo\nReader = Package\n# Licensed\n"),
    ],
)
def test_whose_a_file_is_names_nothing_of_it(language: str, source: str) -> None:
    words = survey_of(source.encode(), (), language=language, secrets=0).words
    assert "Hugo" not in words
    assert {"Reader", "Package"} <= {*words}


def test_letters_of_any_script_make_words() -> None:
    assert terms_of("größe 設定 x".encode(), ()).words == ("größe", "設定")


def test_digests_and_counts_beyond_a_byte_are_bounded() -> None:
    terms = terms_of(b"word " * 300 + b"a" * (LONGEST_WORD + 1), ())
    assert counted(terms) == {(0, "word"): (0, 0, 0, 255)}


def test_what_stands_beyond_the_bytes_that_are_read_is_left_out_but_names_are_kept() -> None:
    source = b"# " + b"x" * MOST_BYTES + b"\ndef late(): pass\n"
    terms = terms_of(source, definitions_of(source, "python"))
    assert counted(terms) == {(0, "late"): (1, 0, 0, 0)}


def test_terms_can_be_marshalled() -> None:
    terms = terms_of(PYTHON, definitions_of(PYTHON, "python"))
    assert Terms(*marshal.loads(marshal.dumps(tuple(terms)))) == terms


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "(", "{", "}", "\n", " "]), max_size=60), st.data())
def test_no_word_is_lost_or_counted_twice_whatever_the_spans(pieces: list[str], data: st.DataObject) -> None:
    source = " ".join(pieces).encode()
    edges = data.draw(
        st.lists(
            st.tuples(*[st.integers(0, len(source))] * 4).map(lambda four: tuple(sorted(four))), max_size=6, unique=True
        )
    )
    gaps = sorted({match.start() for match in re.finditer(rb" ", source)} | {0, len(source)})
    definitions: list[Definition] = []
    for four in sorted(edges, key=lambda four: (four[0], -four[3])):
        start, signature, body, end = (min(gaps, key=lambda gap: abs(gap - edge)) for edge in four)
        definitions.append(Definition("function", "name", "", start, end, signature, body, start))
    terms = terms_of(source, definitions)
    total = dict.fromkeys(set(terms.words), 0)
    for (_, word), counts in counted(terms).items():
        total[word] += sum(counts[1:])
    expected = {word: source.split().count(word.encode()) for word in total if word != "name"}
    assert {word: count for word, count in total.items() if word != "name"} == expected
