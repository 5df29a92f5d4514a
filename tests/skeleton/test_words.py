from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from skeleton.index.code_index import CodeIndex
from skeleton.index.records import Aspect
from skeleton.index.workers import Workers
from skeleton.uses.words import Words
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from skeleton.index.indexed import IndexedFile

FILES = {
    "a.py": "def load():\n    return loader(1)\n",
    "b.py": "def run():\n    load()\n",
    "c.rb": "def value=(v)\n  @value = v\nend\n",
    "d.txt": "größe, x, und load_all\n",
}


def listed(folder: Path, index: CodeIndex) -> list[IndexedFile]:
    files, _ = index.files(scan(folder, roots=index.roots))
    return files


def written(folder: Path) -> CodeIndex:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return CodeIndex(Roots([folder]), workers=Workers(0))


def paths(files: Sequence[IndexedFile]) -> list[str]:
    return [one.path for one in files]


def test_the_files_that_hold_a_word_are_found_and_no_part_of_a_word_is_one(tmp_path: Path) -> None:
    index = written(tmp_path)
    files = listed(tmp_path, index)
    words = Words(index)
    assert paths(words.holding(b"load", files)) == ["a.py", "b.py"]
    assert paths(words.holding(b"load_all", files)) == ["d.txt"]
    assert paths(words.holding(b"value=", files)) == ["c.rb"]
    assert paths(words.holding("größe".encode(), files)) == ["d.txt"]
    assert paths(words.holding(b"nowhere", files)) == []


def test_of_a_name_without_a_word_to_look_for_every_file_may_hold_it(tmp_path: Path) -> None:
    index = written(tmp_path)
    files = listed(tmp_path, index)
    for name in (b"x", b"==", b"w" * 65):
        assert paths(Words(index).holding(name, files)) == [*FILES]


def test_words_that_a_ranking_has_worked_out_say_the_same_as_the_text(tmp_path: Path) -> None:
    index = written(tmp_path)
    files = listed(tmp_path, index)
    names = {word for text in FILES.values() for word in re.findall(rb"\w{2,}", text.encode())}
    by_text = Words(index)
    expected = {name: paths(by_text.holding(name, files)) for name in names}
    index.prepare(files, Aspect.TERMS)
    read: list[str] = []

    def note(done: int, total: int, what: str) -> None:
        del done, total
        read.append(what)

    by_terms = Words(index)
    files = listed(tmp_path, index)
    assert {name: paths(by_terms.holding(name, files, note)) for name in names} == expected
    assert read == []


def test_files_are_read_once_and_again_only_when_they_change(tmp_path: Path) -> None:
    index = written(tmp_path)
    words = Words(index)
    read: list[str] = []

    def note(done: int, total: int, what: str) -> None:
        del done, total
        read.append(what)

    words.holding(b"load", listed(tmp_path, index), note)
    assert read == [f"reading {name}" for name in FILES]
    (tmp_path / "d.txt").write_text("load\n", encoding="utf-8")
    (tmp_path / "b.py").unlink()
    assert paths(words.holding(b"load", listed(tmp_path, index), note)) == ["a.py", "d.txt"]
    assert read[len(FILES) :] == ["reading d.txt"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["load", "loader", "run", "go", "größe", "x", ".", " ", "\n"]), max_size=40))
def test_no_file_that_holds_a_word_is_missed(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    folder = tmp_path_factory.mktemp("words")
    (folder / "a.txt").write_text("".join(pieces) or " ", encoding="utf-8")
    index = CodeIndex(Roots([folder]), workers=Workers(0))
    files = listed(folder, index)
    for name in (b"load", b"loader", b"run", b"go"):
        if re.search(rb"(?<![0-9A-Za-z_\x80-\xff])" + name + rb"(?![0-9A-Za-z_\x80-\xff])", "".join(pieces).encode()):
            assert paths(Words(index).holding(name, files)) == ["a.txt"]
