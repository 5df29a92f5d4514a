"""The order in which the folders of a map are told."""

from __future__ import annotations

from allocator.overview.map_steps import MANY_FILES, MOST_FOLDERS_OF_DATA, ranks_of_folders

PRICE = MOST_FOLDERS_OF_DATA / 5
CODE, DATA = range(20, 30), range(20)


def test_of_many_files_most_folders_without_code_are_told_after_all_with_code() -> None:
    ranks = ranks_of_folders([*DATA, *CODE], [PRICE] * 30, files=MANY_FILES + 1, with_code=CODE)
    assert ranks.keys() == {*DATA, *CODE}
    assert sorted(DATA, key=ranks.__getitem__, reverse=True) == [*DATA]
    last = min(ranks[number] for number in CODE)
    assert [ranks[number] >= last for number in DATA] == [True] * 5 + [False] * 15


def test_of_few_files_all_folders_are_told_in_their_order() -> None:
    numbers = [*DATA, *CODE]
    ranks = ranks_of_folders(numbers, [PRICE] * 30, files=MANY_FILES, with_code=CODE)
    assert sorted(numbers, key=ranks.__getitem__, reverse=True) == numbers
