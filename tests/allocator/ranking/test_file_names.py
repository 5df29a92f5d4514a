from __future__ import annotations

from allocator.ranking.file_names import SHORTENED, FileNames

NAMES = FileNames(("src/auth.py", "src/user_auth.py", "src/certificates/__init__.py", "src/io.c", "Makefile"))


def about(term: str) -> dict[int, float]:
    return {place: share for places, share in NAMES.about(term) for place in places.tolist()}


def test_a_file_is_called_by_the_words_of_its_name_and_one_that_stands_for_a_folder_by_those_of_it() -> None:
    assert about("auth") == {0: 1.0, 1: 1.0}
    assert about("makefil") == {4: 1.0}
    assert about("certificat") == {2: 1.0}
    assert NAMES.lengths.tolist() == [1, 2, 1, 1, 1]


def test_longer_and_shorter_forms_of_a_word_count_less() -> None:
    assert about("authenticat") == {0: SHORTENED, 1: SHORTENED}
    assert about("cert") == {2: SHORTENED}


def test_a_form_has_three_letters_and_a_third_of_the_word() -> None:
    assert about("iota") == {}
    assert about("authenticationless") == {}
    assert about("sr") == {}
