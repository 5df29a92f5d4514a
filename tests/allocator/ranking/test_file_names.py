from __future__ import annotations

import pytest

from allocator.ranking.file_names import SHORTENED, FileNames

NAMES = FileNames(("src/auth.py", "src/user_auth.py", "src/certificates/__init__.py", "src/io.c", "Makefile"))


def about(term: str) -> dict[int, float]:
    return {place: share for places, share in NAMES.files.about(term) for place in places.tolist()}


def test_a_file_is_called_by_the_words_of_its_name_and_one_that_stands_for_a_folder_by_those_of_it() -> None:
    assert about("auth") == {0: 1.0, 1: 1.0}
    assert about("makefil") == {4: 1.0}
    assert about("certificat") == {2: 1.0}
    assert NAMES.files.lengths.tolist() == [1, 2, 1, 1, 1]


def test_longer_and_shorter_forms_of_a_word_count_less() -> None:
    assert about("authenticat") == {0: SHORTENED, 1: SHORTENED}
    assert about("cert") == {2: SHORTENED}


def test_a_form_has_three_letters_and_a_third_of_the_word() -> None:
    assert about("iota") == {}
    assert about("authenticationless") == {}
    assert about("sr") == {}


def test_a_file_stands_in_the_folder_right_above_it_or_above_the_one_that_it_stands_for() -> None:
    names = FileNames(("src/parsers/json.py", "src/parsers/urls/mod.rs", "src/parsers/urls/path.rs", "setup.py"))
    assert names.folders.saying("pars").tolist() == [0, 1]
    assert names.folders.saying("url").tolist() == [2]
    assert names.folders.saying("src").tolist() == []
    assert names.folders.lengths.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("private", "public"),
    [
        ("a/_internal/_config.py", "a/config.py"),
        ("a/_ui_impl.py", "a/ui.py"),
        ("src/private/de.rs", "src/de/mod.rs"),
        ("internal/wheel.go", "wheel.go"),
        ("_state.py", "state.py"),
    ],
)
def test_a_private_file_stands_behind_the_public_one_that_is_called_like_it(private: str, public: str) -> None:
    assert FileNames((private, public, "b/config.py")).behind.tolist() == [1.0, 0.0, 0.0]
    assert FileNames((private, "elsewhere/" + public)).behind.tolist() == [0.0, 0.0]


def test_a_name_that_only_looks_private_stands_behind_nothing() -> None:
    assert FileNames(("a/__init__.py", "a/implementation.py", "a/internals_of_x.py", "a/__main__.py")).behind.sum() == 0
    assert FileNames(()).behind.tolist() == []
