"""The words of a folder, put together for the next process of this machine."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from allocator.ranking import entries
from allocator.ranking.entries import KIND_HERE
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from skeleton.index.indexed import IndexedFile

FILES = {
    f"src/part{number}.py": f"def open_part_{number}(door):\n    return door.turn({number})\n" for number in range(30)
}
QUERY = "which part opens the door"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree", FILES)


class Asked:
    """The answer of a process that begins, and the files whose words it read one by one."""

    def __init__(self, tree: Path, folder: Path | None, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: set[str] = set()
        each = CodeIndex.each

        def noting(index: CodeIndex, files: Sequence[IndexedFile], *others: Any, **more: Any) -> Any:
            self.read.update(file.path for file in files)
            return each(index, files, *others, **more)

        store = Cache(folder)
        index = CodeIndex(Roots([tree]), cache=store, stamps=store, workers=Workers(0))
        with monkeypatch.context() as patched, closing(index):
            patched.setattr(CodeIndex, "each", noting)
            engine = ContextEngine(index.roots, index=index)
            self.text = engine.get_context(str(tree), token_budget=2000, query=QUERY).context


def test_the_next_process_reads_no_words_file_by_file(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Asked(tree, tmp_path / "cache", monkeypatch)
    assert first.read == set(FILES)
    second = Asked(tree, tmp_path / "cache", monkeypatch)
    assert second.read == set()
    assert second.text == first.text == Asked(tree, None, monkeypatch).text


def test_only_what_changed_is_read_and_much_of_it_is_kept_anew(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Asked(tree, tmp_path / "cache", monkeypatch)
    write_tree(tree, {"src/part3.py": "def open_the_door():\n    pass\n"})
    for _ in range(2):  # one of thirty is not worth keeping them all anew
        changed = Asked(tree, tmp_path / "cache", monkeypatch)
        assert changed.read == {"src/part3.py"}
        assert changed.text == Asked(tree, None, monkeypatch).text
    write_tree(tree, {f"src/part{number}.py": f"def close_{number}():\n    pass\n" for number in range(4)})
    assert Asked(tree, tmp_path / "cache", monkeypatch).read == {f"src/part{number}.py" for number in range(4)}
    again = Asked(tree, tmp_path / "cache", monkeypatch)
    assert again.read == set()
    assert again.text == Asked(tree, None, monkeypatch).text


def test_files_that_are_gone_are_in_no_answer(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Asked(tree, tmp_path / "cache", monkeypatch)
    for number in range(5):
        (tree / f"src/part{number}.py").unlink()
    left = Asked(tree, tmp_path / "cache", monkeypatch)
    assert left.read == set()
    assert left.text == Asked(tree, None, monkeypatch).text


@pytest.mark.parametrize("damage", [b"", b"\x93", b"\xff" * 40])
def test_a_value_that_does_not_hold_together_is_none(
    damage: bytes, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Asked(tree, tmp_path / "cache", monkeypatch)
    write = Cache.write

    def damaging(cache: Cache, rows: Any) -> None:
        write(cache, [(kind, key, damage if kind == KIND_HERE else value) for kind, key, value in rows])

    with monkeypatch.context() as patched:
        patched.setattr(Cache, "write", damaging)
        Asked(tree, tmp_path / "other", monkeypatch)
    again = Asked(tree, tmp_path / "other", monkeypatch)
    assert again.read == set(FILES)
    assert again.text == first.text


def test_a_part_that_is_missing_is_as_if_nothing_were_kept(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "PART_BYTES", 1000)
    first = Asked(tree, tmp_path / "cache", monkeypatch)
    assert Asked(tree, tmp_path / "cache", monkeypatch).read == set()
    read = Cache.read

    def lacking(cache: Cache, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return read(cache, kind, keys[1:] if kind == KIND_HERE and len(keys) > 1 else keys)

    monkeypatch.setattr(Cache, "read", lacking)
    again = Asked(tree, tmp_path / "cache", monkeypatch)
    assert again.read == set(FILES)
    assert again.text == first.text


def test_very_much_is_not_kept(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MOST_BYTES", 1000)
    Asked(tree, tmp_path / "cache", monkeypatch)
    assert Asked(tree, tmp_path / "cache", monkeypatch).read == set(FILES)
