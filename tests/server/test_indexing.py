"""The `index` command: what is known is not worked out again, wherever it is worked out."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from server.cli import run
from server.indexing import open_index
from server.publishing import prepared
from server.settings import read_settings
from skeleton.index import known
from skeleton.index.workers import Workers
from tests.trees import git, make_repository

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from skeleton.index.worker import Task

FILES = {f"part{number}.py": f"def part{number}():\n    return {number}\n" for number in range(8)}


class Noting(Workers):
    """Parses here, and notes which files."""

    def __init__(self) -> None:
        super().__init__(0)
        self.parsed: set[str] = set()

    def perform(self, tasks: Sequence[Task], encoding: str, **told: Any) -> None:
        self.parsed |= {task.path for task in tasks}
        super().perform(tasks, encoding, **told)


def parsed(root: Path, cache: Path) -> set[str]:
    settings = read_settings(roots=[str(root)], environ={}, cache=str(cache))
    noting = Noting()
    with closing(open_index(settings, workers=noting)) as index:
        prepared(index, str(root), 2000, None)
    return noting.parsed


def test_only_what_a_commit_changed_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "SETTLED_NS", -(10**15))
    root = make_repository(tmp_path / "project", FILES)
    cache = tmp_path / "cache"
    assert parsed(root, cache) == {*FILES}
    assert not parsed(root, cache)
    (root / "part3.py").write_text("def other():\n    return 3\n", encoding="utf-8")
    (root / "copy.py").write_text(FILES["part5.py"], encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "more")
    assert parsed(root, cache) == {"part3.py", "copy.py"}  # the name of a file is a part of what its facts are of
    git(root, "mv", "part5.py", "copy2.py")
    git(root, "mv", "copy.py", "part5.py")
    git(root, "checkout", "-q", "HEAD~1", "--", "part3.py")
    assert parsed(root, cache) == {"copy2.py"}


def test_it_works_out_the_same_with_so_many_workers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = make_repository(tmp_path / "project", FILES)
    assert run(["index", str(root), "--workers", "2", "--cache", str(tmp_path / "cache")]) == 0
    assert capfd.readouterr().out == f"{root}: 8 files are known.\n"
    assert not parsed(root, tmp_path / "cache")


@pytest.mark.parametrize(("cache", "why"), [("off", "the cache is off"), ("file/cache", "cannot be used")])
def test_what_nothing_would_keep_is_not_worked_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cache: str, why: str
) -> None:
    root = make_repository(tmp_path / "project", FILES)
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    where = cache if cache == "off" else str(tmp_path / cache)
    assert run(["index", str(root), "--cache", where]) == 2
    assert why in capsys.readouterr().err


def test_no_worker_is_no_number_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(["index", "--workers", "0"])
    assert "from 1" in capsys.readouterr().err


def test_without_ray_a_person_hears_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run(["index", str(tmp_path), "--ray", "local"]) == 2
    assert "fractal-context[ray]" in capfd.readouterr().err
