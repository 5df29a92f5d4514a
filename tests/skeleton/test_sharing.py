"""Tasks are shared so that a language of which there is little is loaded by one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton.index.mixture import SCARCE_BYTES, SCARCE_SHARE, main_languages, scarce_languages
from skeleton.index.records import OF_LEVELS, OF_SKETCH
from skeleton.index.sharing import LITTLE_BYTES, WORTH_LOADING_BYTES, Shares, loaded_for
from skeleton.index.worker import Task
from tests.trees import write_tree
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

ONE, OTHER = "one", "other"


def task(path: str, size: int) -> Task:
    return Task(path, b"x" * size, None, ())


def taken_in_turns(shares: Shares, *hands: str) -> dict[str, list[int]]:
    taken: dict[str, list[int]] = {hand: [] for hand in hands}
    while shares:
        for hand in hands:
            if (index := shares.take(hand)) is not None:
                taken[hand].append(index)
    return taken


def test_little_of_a_language_is_taken_by_one_hand() -> None:
    tasks = [task("a.rb", 900), task("b.c", LITTLE_BYTES), *(task(f"{number}.rb", number) for number in range(1, 9))]
    taken = taken_in_turns(Shares(tasks, {ONE: set(), OTHER: set()}), ONE, OTHER)
    assert taken[ONE] == [1]
    assert taken[OTHER] == [0, *range(9, 1, -1)]


def test_all_hands_take_files_of_a_language_that_there_is_much_of() -> None:
    tasks = [task(f"{number}.rb", LITTLE_BYTES // 8) for number in range(8)]
    taken = taken_in_turns(Shares(tasks, {ONE: set(), OTHER: set()}), ONE, OTHER)
    assert len(taken[ONE]) == len(taken[OTHER]) == 4


def test_a_language_goes_where_it_is_loaded() -> None:
    languages = {"ruby"}
    tasks = [task("a.rb", 10), task("b.zig", 9), task("c.rb", 8)]
    shares = Shares(tasks, {ONE: set(), OTHER: languages})
    assert [shares.take(ONE), shares.take(ONE)] == [1, None]
    assert [shares.take(OTHER), shares.take(OTHER), shares.take(OTHER)] == [0, 2, None]
    assert not shares
    assert languages == {"ruby"}


def test_much_that_is_left_to_one_hand_is_worth_another_language() -> None:
    tasks = [task(f"{number}.rb", WORTH_LOADING_BYTES // 2) for number in range(4)]
    shares = Shares(tasks, {ONE: set(), OTHER: set()})
    assert shares.take(ONE) == 0
    assert [shares.take(OTHER), shares.take(OTHER), shares.take(OTHER)] == [1, 2, None]
    assert shares.take(ONE) == 3


def test_it_is_told_whether_a_hand_has_to_load_a_language() -> None:
    tasks = [task("a.rb", 9), task("b.zig", 8), task("c.rb", 7), task("d.txt", 6)]
    shares = Shares(tasks, {ONE: {"zig"}})
    told: list[tuple[int | None, bool]] = []
    while shares:
        told.append((shares.take(ONE), shares.is_loading))
    assert told == [(0, True), (1, False), (2, False), (3, False)]


def test_what_a_hand_leaves_is_there_for_all() -> None:
    tasks = [task("a.rb", 3), task("b.rb", 2), task("c.rb", 1)]
    shares = Shares(tasks, {ONE: set(), OTHER: set()})
    assert shares.take(ONE) == 0
    assert shares.take(OTHER) is None
    shares.put_back([0])
    shares.release(ONE)
    assert sorted(taken_in_turns(shares, OTHER)[OTHER]) == [0, 1, 2]


SOME_TASKS = st.lists(
    st.builds(task, st.sampled_from(["a.rb", "b.c", "c.txt", "d.py"]), st.sampled_from([0, 1, 1 << 16, 1 << 17]))
)


@given(SOME_TASKS, st.lists(st.sampled_from([ONE, OTHER])))
def test_each_task_is_taken_once(tasks: list[Task], order: list[str]) -> None:
    shares = Shares(tasks, {ONE: {"c"}, OTHER: {"c", "python"}})
    taken = [index for hand in order if (index := shares.take(hand)) is not None]
    shares.release(ONE)
    while (index := shares.take(OTHER)) is not None:
        taken.append(index)
    assert sorted(taken) == list(range(len(tasks)))
    assert not shares


@pytest.mark.parametrize(
    ("sizes", "language"),
    [
        ({"a.h": 900}, "c"),
        ({"a.h": 900, "b.c": 9, "d.cc": 8}, "c"),
        ({"a.h": 900, "b.c": 8, "d.cc": 9, "e.h": 9}, "cpp"),
    ],
)
def test_headers_are_in_the_language_of_most_other_files(tmp_path: Path, sizes: dict[str, int], language: str) -> None:
    write_tree(tmp_path, {path: "x" * size for path, size in sizes.items()})
    assert main_languages(scan(tmp_path, roots=Roots([tmp_path])).files) == [language]


def test_what_nobody_has_loaded_comes_first() -> None:
    tasks = [task("a.rb", 900), task("b.zig", 5), task("c.rb", 800), task("notes.md", 2000)]
    shares = Shares(tasks, {ONE: {"ruby"}, OTHER: {"ruby"}})
    assert [shares.take(ONE) for _ in tasks] == [1, 3, 0, 2]


def test_a_sketch_loads_a_language_only_where_there_are_no_patterns_for_it() -> None:
    sketch, levels = tuple(map(int, OF_SKETCH)), tuple(map(int, OF_LEVELS))
    assert [loaded_for(Task(path, b"", None, sketch)) for path in ("a.py", "a.hs", "a.md")] == ["", "haskell", ""]
    assert [loaded_for(Task(path, b"", None, levels)) for path in ("a.py", "a.hs", "a.md")] == ["python", "haskell", ""]


def test_the_bytes_that_are_left_are_told_for_each_hand() -> None:
    shares = Shares([task("a.md", 60), task("b.md", 40)], {ONE: set(), OTHER: set()})
    assert shares.bytes_each == 50
    assert shares.take(ONE) == 0
    assert shares.bytes_each == 20
    shares.put_back([0])
    assert shares.bytes_each == 50


def test_main_languages_are_those_of_much_of_the_bytes(tmp_path: Path) -> None:
    sizes = {"a.py": 500, "b.py": 200, "c.rs": 200, "d.rb": 50, "notes.md": 300}
    write_tree(tmp_path, {path: "x" * size for path, size in sizes.items()})
    files = scan(tmp_path, roots=Roots([tmp_path])).files
    assert main_languages(files) == ["python"]
    assert main_languages([file for file in files if not file.path.endswith("md")]) == ["python", "rust"]
    assert main_languages([]) == []


def test_little_of_a_language_that_nobody_has_loaded_is_left_to_who_loads() -> None:
    tasks = [task("a.rb", 900), task("notes.md", 500), task("b.rb", 800)]
    known: set[str] = set()
    shares = Shares(tasks, {ONE: set(), OTHER: known}, loads=OTHER)
    assert [shares.take(ONE), shares.take(ONE)] == [1, None]
    assert [shares.take(OTHER), shares.take(OTHER), shares.take(OTHER)] == [0, 2, None]
    assert known == {"ruby"}
    much = [task(f"{number}.rb", LITTLE_BYTES // 2) for number in range(4)]
    taken = taken_in_turns(Shares(much, {ONE: set(), OTHER: set()}, loads=OTHER), ONE, OTHER)
    assert len(taken[ONE]) == len(taken[OTHER]) == 2


def test_a_language_is_scarce_where_it_takes_a_parser_and_next_to_nothing_is_in_it() -> None:
    much = ("a.py", 100 * SCARCE_SHARE)
    assert scarce_languages([much, ("b.hs", 90), ("c.sh", 90), ("d.md", 9)]) == {"haskell"}
    assert scarce_languages([much, ("b.hs", 60), ("c.hs", 60)]) == frozenset()
    assert scarce_languages([("a.py", SCARCE_BYTES * 99), ("b.rb", SCARCE_BYTES)]) == frozenset()
    assert scarce_languages([]) == frozenset()
