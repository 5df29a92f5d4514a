"""Changes that the system tells of: every write that has ended is in the next answer, and nothing else is looked at."""

from __future__ import annotations

import ctypes
import logging
import mmap
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.cancellation import CallCancelledError, CancelToken, cancellable
from workspace.files import watching
from workspace.files.rescan import RememberedScan, RememberedScans
from workspace.files.scan import stamp_of
from workspace.files.watching import FolderWatch, UnwatchableError, watching_in_words
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells of changes without a gap"
)

LONG_AGO = 1_700_000_000
LIMIT = Path("/proc/sys/fs/inotify/max_queued_events")
FILES = {f"pkg{number % 7}/mod{number}.py": f"def f{number}():\n    return {number}\n" for number in range(60)}


def settled(folder: Path) -> Path:
    """The folder, as if nobody had touched it for long."""
    for place in (*folder.rglob("*"), folder):
        os.utime(place, (LONG_AGO, LONG_AGO), follow_symlinks=False)
    return folder


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return settled(write_tree(tmp_path / "tree", FILES))


@pytest.fixture
def remembered(tree: Path) -> RememberedScan:
    found = RememberedScan(tree, Roots([tree]))
    assert found.current() is not None
    assert found.is_watched
    return found


def is_current(remembered: RememberedScan) -> bool:
    """Tells whether the scan has the stamp that every file has now."""
    found = remembered.current()
    return found is not None and all(file.stamp == stamp_of(file.absolute.lstat()) for file in found.files)


def test_a_write_that_has_ended_is_in_the_next_answer(tree: Path, remembered: RememberedScan) -> None:
    for number, path in enumerate(FILES):
        (tree / path).write_text("# " * number)
        assert is_current(remembered), path


def test_what_nothing_is_told_of_is_not_looked_at(
    tree: Path, remembered: RememberedScan, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    lstat = os.lstat
    status = os.stat

    def noted_lstat(path: str) -> os.stat_result:
        looked.append(str(path))
        return lstat(path)

    def noted_stat(path: str) -> os.stat_result:
        looked.append(str(path))
        return status(path)

    monkeypatch.setattr(os, "lstat", noted_lstat)
    monkeypatch.setattr(os, "stat", noted_stat)
    assert remembered.current() is remembered.current()
    assert not [path for path in looked if path.startswith(f"{tree}/pkg")]
    (tree / "pkg1/mod1.py").write_text("x")
    remembered.current()
    assert [path for path in looked if path.startswith(f"{tree}/pkg")] == [f"{tree}/pkg1/mod1.py"]


CHANGES: list[Callable[[Path], object]] = [
    lambda tree: (tree / "pkg1/new.py").write_text("x"),
    lambda tree: (tree / "pkg1/mod1.py").unlink(),
    lambda tree: (tree / "pkg1/mod1.py").rename(tree / "pkg2/mod1.py"),
    lambda tree: (tree / "pkg1/mod1.py").rename(tree / "pkg1/mod8.py"),
    lambda tree: (tree / "pkg1/inner").mkdir(),
    lambda tree: (tree / "pkg1").rename(tree / "pkg9"),
    lambda tree: (tree / ".gitignore").write_text("*.py\n"),
    lambda tree: (tree / "pkg1/link.py").symlink_to("mod1.py"),
]


@pytest.mark.parametrize("change", CHANGES)
def test_names_that_come_or_go_have_the_folder_listed_anew(tree: Path, change: Callable[[Path], object]) -> None:
    scans = RememberedScans(Roots([tree]))
    for _ in range(3):
        scans.scan(tree)
    change(tree)
    assert [file.path for file in scans.scan(tree).files] == [
        file.path for file in RememberedScan(tree, Roots([tree])).scan.files
    ]


def test_rights_and_times_that_change_are_told_of(tree: Path, remembered: RememberedScan) -> None:
    (tree / "pkg1/mod1.py").chmod(0o600)
    os.utime(tree / "pkg2/mod2.py", (LONG_AGO + 5, LONG_AGO + 5))
    os.truncate(tree / "pkg3/mod3.py", 3)
    assert is_current(remembered)


def test_a_file_that_is_written_through_another_name_is_looked_at(tmp_path: Path, tree: Path) -> None:
    os.link(tree / "pkg1/mod1.py", tmp_path / "outside.py")
    settled(tree)
    remembered = RememberedScan(tree, Roots([tree]))
    for number in range(4):
        (tmp_path / "outside.py").write_text("# " * number)
        assert is_current(remembered)


def test_a_full_queue_has_every_file_looked_at_and_says_so(
    tree: Path, remembered: RememberedScan, caplog: pytest.LogCaptureFixture
) -> None:
    most = int(LIMIT.read_text(encoding="ascii"))
    if most > 1 << 17:
        pytest.skip("the queue of this system is very long")
    caplog.set_level(logging.INFO)
    with (tree / "pkg1/mod1.py").open("a") as one, (tree / "pkg2/mod2.py").open("a") as other:
        for _ in range(most // 2 + 100):  # the same change twice in a row is told once
            for file in (one, other):
                file.write("#")
                file.flush()
    (tree / "pkg3/mod3.py").write_text("the change that is lost")
    assert is_current(remembered)
    assert [record.levelname for record in caplog.records if "max_queued_events" in record.message] == ["WARNING"]
    caplog.clear()
    (tree / "pkg4/mod4.py").write_text("heard again")
    assert is_current(remembered)
    assert not caplog.text


class NoRoom:
    """The system when it has no room for one more watch."""

    def __init__(self, opens: bool) -> None:
        self._opens = opens

    def inotify_init1(self, _: int) -> int:
        ctypes.set_errno(0)  # whatever else has failed in this thread
        return os.open(os.devnull, os.O_RDONLY) if self._opens else -1

    def inotify_add_watch(self, *_: object) -> int:
        return -1


@pytest.mark.parametrize(("opens", "limit"), [(False, "max_user_instances"), (True, "max_user_watches")])
def test_where_nothing_can_be_watched_every_file_is_looked_at(
    tree: Path, opens: bool, limit: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watching, "_system", lambda: NoRoom(opens))
    caplog.set_level(logging.INFO)
    remembered = RememberedScan(tree, Roots([tree]))
    for number in range(3):
        (tree / "pkg1/mod1.py").write_text("# " * number)
        assert is_current(remembered)
    assert not remembered.is_watched
    assert [record.levelname for record in caplog.records if limit in record.message] == ["WARNING"]
    assert limit in watching_in_words(tree)
    assert caplog.text.count("is looked at in each call") == 1


@pytest.mark.parametrize(
    ("mounts", "why"),
    [
        ("20 1 0:1 / / rw - ext4 /dev/a rw\n30 20 0:2 / {base} rw - nfs4 host:/a rw\n", "nfs4"),
        ("20 1 0:1 / / rw - ext4 /dev/a rw\n30 20 0:2 / {base}/pkg1 rw - fuse.sshfs a rw\n", "fuse.sshfs"),
        ("20 1 0:1 / / rw - 9p a rw\n", "9p"),
        ("", "unknown"),
    ],
)
def test_what_other_machines_may_write_is_not_watched(
    tree: Path,
    tmp_path: Path,
    mounts: str,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(mounts.format(base=tree))
    monkeypatch.setattr(watching, "_MOUNTS", table)
    with pytest.raises(UnwatchableError, match=why):
        FolderWatch(str(tree), [str(tree)])
    caplog.set_level(logging.INFO)
    assert RememberedScan(tree, Roots([tree])).current() is not None
    assert [record.levelname for record in caplog.records] == ["INFO"]  # nobody has to mend that
    assert why in watching_in_words(tree)


def test_a_mount_beside_the_folder_does_not_matter(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mountinfo"
    odd = str(tree).replace("tree", "tr\\040ee")
    table.write_text(
        f"20 1 0:1 / / rw - ext4 /dev/a rw\n30 20 0:2 / {odd} rw - nfs host rw\n31 20 0:3 / {tree}2 rw - 9p h rw\n"
    )
    monkeypatch.setattr(watching, "_MOUNTS", table)
    FolderWatch(str(tree), [str(tree)]).close()


def test_a_call_that_is_given_up_loses_no_change(tree: Path, remembered: RememberedScan) -> None:
    (tree / "pkg1/mod1.py").write_text("given up")
    token = CancelToken(None)
    token.give_up()
    with pytest.raises(CallCancelledError), cancellable(token):
        remembered.current()
    assert is_current(remembered)


def test_calls_side_by_side_all_see_a_write_that_has_ended(tree: Path, remembered: RememberedScan) -> None:
    start = threading.Barrier(5)

    def look() -> list[bool]:
        seen: list[bool] = []
        for _ in range(25):
            start.wait()
            seen.append(is_current(remembered))
            start.wait()
        return seen

    with ThreadPoolExecutor(4) as threads:
        looking = [threads.submit(look) for _ in range(4)]
        for number in range(25):
            (tree / [*FILES][number % 9]).write_text(f"# {number}" * number)
            start.wait()
            start.wait()
    assert all(all(one.result()) for one in looking)


def test_what_is_written_through_memory_is_in_the_next_answer(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skeleton.index.known.SETTLED_NS", 0)  # as if the files were there for long
    index = CodeIndex(Roots([tree]))
    engine, zoomer = ContextEngine(index.roots, index=index), Zoomer(index)

    def answers(name: str) -> list[bool]:
        context = engine.get_context(str(tree), token_budget=8000, max_level="L1").context
        return [f"def {name}()" in context, f"def {name}()" in zoomer.zoom("pkg1/mod1.py", str(tree)).text]

    for _ in range(4):
        assert answers("f1") == [True, True]
    with (tree / "pkg1/mod1.py").open("r+b") as file, mmap.mmap(file.fileno(), 0) as pages:
        for letter in "gh":
            pages[4] = ord(letter)
            pages.flush()  # so that the system notes the time of the next one as well
            assert answers(f"{letter}1") == [True, True]


def test_a_folder_that_ends_its_watch_is_no_leak(tree: Path) -> None:
    def opened() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone

    RememberedScan(tree, Roots([tree])).current()
    before = opened()
    for _ in range(9):
        remembered = RememberedScan(tree, Roots([tree]))
        remembered.current()
        del remembered
    assert opened() <= before + 1
