from __future__ import annotations

import contextlib
import gc
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from skeleton.index.cache import Cache, cache_folder
from skeleton.index.pruning import FULL, size_on_disk
from tests.unprivileged import open_to_everybody, without_rights

if TYPE_CHECKING:
    from collections.abc import Generator

KEY = b"k" * 16
SALT = b"salt"


@contextlib.contextmanager
def opened(folder: Path | None, **options: int) -> Generator[Cache]:
    cache = Cache(folder, **options)
    try:
        yield cache
    finally:
        cache.close()


def file_of(folder: Path) -> Path:
    (path,) = folder.glob("*.sqlite3")
    return path


def test_what_is_written_is_read_again_through_another_store(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as other:
        one.write([(0, KEY, b"value"), (1, KEY, b"")])
        assert other.read(0, [KEY, b"other"]) == {KEY: b"value"}
        assert other.read(1, [KEY]) == {KEY: b""}
        assert other.read(2, [KEY]) == {}
        assert other.problem == ""


def test_a_cache_that_nobody_closed_gives_its_file_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.write([(1, b"key", b"value")])
    connection = cache._connection  # pyright: ignore[reportPrivateUsage] - it is what must not stay open
    assert connection is not None
    assert connection.execute("SELECT 1").fetchone() == (1,)
    del cache
    for thread in threading.enumerate():
        if thread.name == "cache-pruner":  # it holds the cache while it sweeps the folder
            thread.join()
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_more_keys_than_a_statement_takes_are_read_in_pieces() -> None:
    entries = {number.to_bytes(4, "big"): b"%d" % number for number in range(2500)}
    with opened(None) as cache:
        cache.write((0, key, value) for key, value in entries.items())
        assert cache.read(0, list(entries)) == entries
        statistics = cache.statistics()
    assert (statistics.entries, statistics.hits, statistics.misses, statistics.path) == (2500, 2500, 0, None)


def test_stamps_are_those_below_the_folder_and_of_the_salt() -> None:
    with opened(None) as cache:
        cache.write_stamps(SALT, {"/a/b": (b"1", KEY), "/a0": (b"2", KEY), "/a/c/d": (b"3", KEY), "/a": (b"4", KEY)})
        cache.write_stamps(b"else", {"/a/b": (b"5", KEY)})
        assert cache.stamps(SALT, "/a") == {"/a/b": (b"1", KEY), "/a/c/d": (b"3", KEY)}
        cache.forget_stamps(SALT, ["/a/b"])
        assert cache.stamps(SALT, "/a/") == {"/a/c/d": (b"3", KEY)}


def test_a_path_that_is_no_text_is_kept_as_it_is() -> None:
    with opened(None) as cache:
        cache.write_stamps(SALT, {"/a/\udcff": (b"1", KEY)})
        assert cache.stamps(SALT, "/a") == {"/a/\udcff": (b"1", KEY)}


def test_a_damaged_value_counts_as_missing(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value"), (0, b"short", b"x")])
    with contextlib.closing(sqlite3.connect(file_of(tmp_path))) as connection, connection:
        connection.execute("UPDATE entries SET value = x'00000000' || 'other' WHERE key = ?", (KEY,))
        connection.execute("UPDATE entries SET value = x'00' WHERE key = ?", (b"short",))
    with opened(tmp_path) as cache:
        assert cache.read(0, [KEY, b"short"]) == {}


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_moved_aside_and_begun_again(tmp_path: Path, content: bytes) -> None:
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value")])
    path = file_of(tmp_path)
    path.write_bytes(content)
    with opened(tmp_path) as cache:
        assert cache.read(0, [KEY]) == {}
        assert "DatabaseError" in cache.problem
        cache.write([(0, KEY, b"again")])
        assert cache.read(0, [KEY]) == {KEY: b"again"}
    assert path.with_suffix(".damaged").read_bytes() == content


def test_a_file_that_is_cut_while_in_use_costs_no_call(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write([(0, number.to_bytes(4, "big"), b"v" * 5000) for number in range(100)])
    path = file_of(tmp_path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with opened(tmp_path) as cache:
        found = cache.read(0, [number.to_bytes(4, "big") for number in range(100)])
        assert all(value == b"v" * 5000 for value in found.values())
        cache.write([(0, KEY, b"value")])


def test_a_locked_file_is_left_alone(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value")])
    with (
        contextlib.closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as holder,
        opened(tmp_path) as cache,
    ):
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        cache.write([(0, b"new", b"value")])
        assert "locked" in cache.problem
        assert cache.read(0, [KEY]) == {}  # not asked again at once: nobody waits twice


def test_a_file_that_is_free_again_is_no_problem_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skeleton.index.cache._REST_SECONDS", 0.0)
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value")])
        with contextlib.closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            cache.write([(0, b"new", b"value")])
            assert "locked" in cache.statistics().problem  # reading works: what was to be stored did not
        cache.write([(0, b"newer", b"value")])
        assert not cache.statistics().problem


def test_a_folder_that_cannot_be_made_leaves_a_store_in_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with opened(tmp_path / "file" / "cache") as cache:
        cache.write([(0, KEY, b"value")])
        assert cache.read(0, [KEY, b"other"]) == {KEY: b"value"}
        assert cache.held(0, [KEY, b"other"]) == {KEY}
        assert cache.problem
        assert cache.statistics().entries == 0
        assert cache.prune() == 0


def test_a_full_disk_is_a_problem_and_no_error(tmp_path: Path) -> None:
    program = f"""
import resource
from pathlib import Path
from skeleton.index.cache import Cache
cache = Cache(Path({str(tmp_path)!r}), limit_bytes=1_000_000)
cache.write((0, b"%d" % number, b"v" * 5_000) for number in range(20))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
cache.write((1, b"%d" % number, b"v" * 5_000) for number in range(100))
cache.prune()
cache.close()
print(bool(cache.problem), cache.read(1, [b"99"]) == {{b"99": b"v" * 5_000}})
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["True", "True"]


def test_a_cache_that_may_not_be_written_costs_no_call(tmp_path: Path) -> None:
    with opened(tmp_path / "cache", limit_bytes=100_000) as cache:
        cache.write((0, b"%d" % number, b"v" * 5_000) for number in range(10))
    for place in (tmp_path / "cache").iterdir():
        place.chmod(0o444)
    (tmp_path / "cache").chmod(0o555)
    open_to_everybody(tmp_path)
    program = """
from pathlib import Path
from skeleton.index.cache import Cache
def work(folder):
    cache = Cache(Path(folder), limit_bytes=10_000)
    cache.write([(0, b"new", b"value")])
    removed = cache.prune()
    cache.close()
    return f"{removed} {cache.read(0, [b'new'])} {bool(cache.problem)}"
"""
    assert without_rights(program, str(tmp_path / "cache")) == "0 {b'new': b'value'} True"


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time()
    names = [b"%d" % number for number in range(200)]
    with opened(tmp_path, limit_bytes=4_000_000) as cache:
        for hours_ago in (30, 20, 10):
            monkeypatch.setattr(time, "time", lambda hours_ago=hours_ago: now - hours_ago * 3_600)
            cache.write((hours_ago, name, b"v" * 1_500) for name in names)
            cache.write_stamps(SALT, {f"/{hours_ago}": (b"", KEY)})
        monkeypatch.setattr(time, "time", lambda: now)
        assert len(cache.read(30, names)) == len(names)  # the oldest, used now
    with opened(tmp_path, limit_bytes=900_000) as cache:
        assert cache.prune() > 0
        assert size_on_disk(file_of(tmp_path)) < 900_000 * FULL
        assert len(cache.held(30, names)) == len(names)
        assert not cache.held(20, names)
        assert cache.prune() == 0


def test_a_file_is_pruned_by_itself_while_it_is_written(tmp_path: Path) -> None:
    with opened(tmp_path, limit_bytes=1_000_000) as cache:
        for number in range(300):
            cache.write([(0, b"%d" % number, b"v" * 20_000)])
            assert size_on_disk(file_of(tmp_path)) < 1_500_000
        assert cache.problem == ""
        assert cache.read(0, [b"299"])


def test_a_store_in_memory_is_pruned_too() -> None:
    with opened(None, limit_bytes=1_000_000) as cache:
        for number in range(300):
            cache.write([(0, b"%d" % number, b"v" * 20_000)])
        assert 20 < cache.statistics().entries < 50
        assert cache.read(0, [b"299"])


def test_pruning_takes_only_so_long_and_goes_on_the_next_time(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write((0, b"%d" % number, b"v" * 20_000) for number in range(200))
    with opened(tmp_path, limit_bytes=1_000_000) as cache:
        cache.prune(seconds=0)
        left = cache.statistics().entries
        assert 100 < left < 200
        cache.prune()
        assert cache.statistics().entries < left


def test_a_locked_file_is_pruned_later(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write((0, b"%d" % number, b"v" * 20_000) for number in range(100))
    with opened(tmp_path, limit_bytes=1_000_000) as cache:
        with contextlib.closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            assert cache.prune() == 0
        assert cache.prune() > 0


def test_what_other_versions_and_damage_have_left_is_removed_after_a_day(tmp_path: Path) -> None:
    old = [tmp_path / name for name in ("index-1.sqlite3", "index-1.sqlite3-wal", "index-2.damaged")]
    new = tmp_path / "index-99.sqlite3"
    kept = tmp_path / "snapshots"
    for place in (*old, new, kept):
        place.write_bytes(b"")
        os.utime(place, (0, 0) if place != new else None)
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value")])
    assert [place.exists() for place in (*old, new, kept)] == [False, False, False, True, True]


def test_a_process_that_is_killed_while_it_prunes_leaves_a_sound_file(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write((0, b"%d" % number, b"v" * 2_000) for number in range(3000))
    program = f"""
from pathlib import Path
from skeleton.index.cache import Cache
print("ready", flush=True)
Cache(Path({str(tmp_path)!r}), limit_bytes=100_000).prune()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with contextlib.closing(sqlite3.connect(file_of(tmp_path))) as connection:
            while connection.execute("SELECT COUNT(*) FROM entries").fetchone() == (3000,):
                assert process.poll() is None, "it ended without removing anything"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    with opened(tmp_path) as cache:
        found = cache.read(0, [b"%d" % number for number in range(3000)])
        assert cache.problem == ""
        assert 0 < len(found) < 3000
        assert set(found.values()) <= {b"v" * 2_000}
    with contextlib.closing(sqlite3.connect(file_of(tmp_path))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_hits_and_misses_are_counted_over_all_processes(tmp_path: Path) -> None:
    for _ in range(2):
        with opened(tmp_path) as cache:
            cache.write([(0, KEY, b"value")])
            cache.read(0, [KEY, b"one", b"two"])
    with opened(tmp_path) as cache:
        statistics = cache.statistics()
        assert (statistics.hits, statistics.misses) == (2, 4)


def test_clearing_leaves_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as cache:
        cache.write([(0, KEY, b"value")])
        cache.write_stamps(SALT, {"/a/b": (b"1", KEY)})
        cache.clear()
        statistics = cache.statistics()
    assert (statistics.entries, statistics.files) == (0, 0)


@pytest.mark.parametrize(
    ("named", "folder"), [("off", None), ("0", None), ("/tmp/x", Path("/tmp/x")), ("rel", Path.cwd() / "rel")]
)
def test_a_folder_or_off_can_be_named(named: str, folder: Path | None) -> None:
    assert cache_folder(named) == folder


def test_the_users_cache_folder_is_the_default() -> None:
    folder = cache_folder()
    assert folder is not None
    assert folder.name == "fractal-context"
