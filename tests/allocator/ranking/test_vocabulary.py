from __future__ import annotations

from allocator.ranking.vocabulary import Vocabulary


def test_a_word_that_stands_twice_has_one_number_among_the_first_words_too() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.numbered(["load", "save", "load"]) == [0, 1, 0]
    assert vocabulary.words == ["load", "save"]
    assert vocabulary.numbered(("keep", "save")) == [2, 1]


def test_the_first_words_are_numbered_as_they_come() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.numbered(iter(("load", "save"))) == [0, 1]
    assert (vocabulary.number("save"), vocabulary.number("keep")) == (1, -1)
    assert vocabulary.words == ["load", "save"]
