"""A table of symbols follows its folder: after an edit it looks at what changed, and says what a new one would say."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.symbols import SymbolTable
from skeleton.zoom.zoomer import Zoomer
from workspace.errors import SymbolNotFoundError
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from skeleton.index.indexed import IndexedFile
    from workspace.files.scan import Scan
    from workspace.model import Problem

NAMES = ("load", "save", "Config", "main", "Config.load")


class Noting(CodeIndex):
    """An index that notes which files it was asked for."""

    looked_up: Sequence[str] = ()

    def files(self, found: Scan, **how: Any) -> tuple[list[IndexedFile], list[Problem]]:
        self.looked_up = [file.path for file in found.files]
        return super().files(found, **how)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose files count as there for long, however new they are."""
    monkeypatch.setattr("skeleton.index.known.SETTLED_NS", 0)
    monkeypatch.setattr("workspace.files.rescan.SETTLED_NS", 0)
    for number in range(6):
        write(tmp_path, number, ["load", f"only{number}"])
    return tmp_path


def write(folder: Path, number: int, names: Sequence[str]) -> None:
    text = "".join(f"def {name}():\n    return {number}\n\n\n" for name in names)
    (folder / f"part{number}.py").write_text(text, encoding="utf-8")


def test_after_an_edit_a_zoom_looks_up_that_file_alone(folder: Path) -> None:
    index = Noting(Roots([folder]), workers=Workers(0))
    zoomer = Zoomer(index)
    for _ in range(3):
        zoomer.zoom("only3", str(folder))
    write(folder, 3, ["other3"])
    assert "def other3" in zoomer.zoom("other3", str(folder)).text
    assert index.looked_up == ["part3.py"]
    with pytest.raises(SymbolNotFoundError):
        zoomer.zoom("only3", str(folder))


def test_a_table_says_after_any_edits_what_a_new_one_says(folder: Path) -> None:
    roots = Roots([folder])
    index = CodeIndex(roots, workers=Workers(0))
    table = SymbolTable(index)
    drawn = random.Random(24)
    for _ in range(60):
        number = drawn.randrange(9)
        if drawn.random() < 0.2:
            (folder / f"part{number}.py").unlink(missing_ok=True)
        else:
            write(folder, number, drawn.sample(["load", "save", "main", f"only{number}"], drawn.randrange(4)))
        files, _ = index.files(scan(folder, roots=roots))
        table, new = table.following(files), SymbolTable(index).following(files)
        for name in (*NAMES, *(f"only{one}" for one in range(9))):
            assert [one.path for one in table.holders(name)] == [one.path for one in new.holders(name)]
            assert [one.path for one in table.usable(name)] == [one.path for one in new.usable(name)]
            assert [one.key for one in table.holding(name.encode())] == [one.key for one in new.holding(name.encode())]
        assert table.starting("", 99) == new.starting("", 99)
        assert [one.path for _, one in table.modules("part1")] == [one.path for _, one in new.modules("part1")]


def test_a_zoomer_that_follows_its_folder_answers_as_a_new_one(folder: Path) -> None:
    lasting = Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)))
    drawn = random.Random(7)

    def answers(zoomer: Zoomer) -> list[str]:
        found: list[str] = []
        for target in (*NAMES, "only1", "part2.py", "file=part4.py"):
            try:
                found.append(zoomer.zoom(target, str(folder)).text.replace(" [CHANGED since it was shown]", ""))
            except Exception as error:  # noqa: BLE001 - any refusal has to be the same
                found.append(str(error))
        return found

    for number in range(16):
        if number % 5 == 4:
            (folder / f"part{drawn.randrange(6)}.py").write_bytes(bytes(range(256)))
        elif number % 5 == 3:
            (folder / f"part{drawn.randrange(6)}.py").unlink(missing_ok=True)
        else:
            write(folder, drawn.randrange(8), drawn.sample(NAMES[:4], 2))
        assert answers(lasting) == answers(Zoomer(CodeIndex(Roots([folder]), workers=Workers(0))))
