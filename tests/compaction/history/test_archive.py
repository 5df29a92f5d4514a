"""The archive: byte for byte, private, pruned."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest

from compaction.history import (
    Archive,
    CompactionEngine,
    CompactionOptions,
    FormatName,
    Section,
    Status,
    default_archive_path,
)
from tests.compaction.history.conversations import Said, User, long_session, write
from workspace.errors import InvalidArgumentError, PathNotFoundError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "state" / "deep" / "histories.sqlite")


def test_a_session_file_comes_back_byte_for_byte(archive: Archive) -> None:
    lines = [json.dumps(message, indent=None) + "\r\n" for message in write(FormatName.ANTHROPIC, *long_session())]
    raw = b"\xef\xbb\xbf" + "".join(lines).encode() + b"\n\n"
    engine = CompactionEngine(archive=archive)
    result = engine.compact(raw)
    assert result.status is Status.COMPACTED, result.detail
    assert result.archive_id is not None
    assert engine.restore(result.archive_id) == raw
    assert f"archive {result.archive_id}" in str(result.messages)


def test_a_list_of_messages_comes_back_equal_even_with_half_a_surrogate_pair(archive: Archive) -> None:
    history = write(FormatName.GEMINI, User(text="odd \ud83d text"), *long_session())
    engine = CompactionEngine(archive=archive)
    result = engine.compact(history)
    assert result.archive_id is not None
    assert json.loads(engine.restore(result.archive_id).decode("utf-8", "surrogatepass")) == history


def test_two_runs_give_the_same_id_and_keep_one_copy(archive: Archive) -> None:
    engine = CompactionEngine(archive=archive)
    history = write(FormatName.ANTHROPIC, *long_session())
    assert engine.compact(history) == engine.compact(history)


def test_the_archive_is_private_to_its_user(archive: Archive) -> None:
    archive.store(b"x")
    assert stat.S_IMODE(archive.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(archive.path.parent.stat().st_mode) == 0o700


def test_entries_are_pruned_by_age_and_the_one_just_stored_stays(archive: Archive) -> None:
    old = archive.store(b"old", now=0)
    new = archive.store(b"new", now=archive.max_age_seconds + 1)
    assert archive.restore(new) == b"new"
    with pytest.raises(PathNotFoundError, match="pruned"):
        archive.restore(old)
    archive.store(b"old", now=5)
    assert archive.restore(new) == b"new"


def test_entries_are_pruned_by_size_the_oldest_first(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a.sqlite", max_bytes=40)
    names = [archive.store(bytes([65 + number]) * 20, now=number) for number in range(5)]
    assert archive.restore(names[-1]) == b"E" * 20
    with pytest.raises(PathNotFoundError):
        archive.restore(names[0])
    assert Archive(tmp_path / "b.sqlite", max_bytes=1).store(b"larger than all room") is not None


@pytest.mark.parametrize("name", ["", "xyz", "0" * 23, "g" * 24, "../../../../etc/passwd00"])
def test_what_is_no_id_is_refused(archive: Archive, name: str) -> None:
    with pytest.raises(InvalidArgumentError):
        archive.restore(name)


def test_an_archive_that_does_not_exist_yet_holds_nothing(archive: Archive) -> None:
    with pytest.raises(PathNotFoundError):
        archive.restore("0" * 24)
    assert not archive.path.exists()


def test_without_an_archive_nothing_can_be_restored() -> None:
    with pytest.raises(PathNotFoundError, match="No archive"):
        CompactionEngine().restore("0" * 24)


def test_an_archive_that_cannot_be_written_costs_a_warning_not_the_compaction(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    broken = tmp_path / "broken.sqlite"
    broken.write_text("this is no database, although it is long enough to be taken for one " * 20, encoding="utf-8")
    for path in (tmp_path / "file" / "histories.sqlite", broken):
        result = CompactionEngine(archive=Archive(path)).compact(write(FormatName.ANTHROPIC, *long_session()))
        assert result.status is Status.COMPACTED
        assert result.archive_id is None
        assert any("not archived" in warning for warning in result.warnings)


def test_a_dry_run_stores_nothing(archive: Archive) -> None:
    engine = CompactionEngine(archive=archive)
    result = engine.compact(write(FormatName.ANTHROPIC, *long_session()), CompactionOptions(dry_run=True))
    assert (result.status, result.archive_id) == (Status.COMPACTED, None)
    assert not archive.path.exists()


def test_gaps_in_the_users_messages_name_the_archive(archive: Archive) -> None:
    steps = [step for number in range(30) for step in (User(text=f"{number} " + "word " * 1_500), Said(text="ok"))]
    result = CompactionEngine(archive=archive).compact(write(FormatName.MCP, *steps))
    assert f"in full in: {result.archive_id}." in result.sections[Section.USER_MESSAGES]


@pytest.mark.parametrize(
    ("system", "variable"), [("linux", "XDG_STATE_HOME"), ("win32", "LOCALAPPDATA"), ("darwin", "HOME")]
)
def test_the_archive_lies_in_the_users_state_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, variable: str
) -> None:
    monkeypatch.setattr("sys.platform", system)
    monkeypatch.setenv(variable, str(tmp_path))
    path = default_archive_path()
    assert path.is_relative_to(tmp_path)
    assert path.parts[-2:] == ("fractal-context", "histories.sqlite")
