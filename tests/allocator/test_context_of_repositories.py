"""Contexts of repositories that stand in the way: what git says, runs or does not say costs detail, never the call."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from allocator import ContextEngine
from tests.trees import commit_object, git, make_repository, write_tree
from workspace.errors import InvalidArgumentError
from workspace.git.log import newest
from workspace.roots import Roots

if TYPE_CHECKING:
    from allocator import ContextResult

FILES = {"a.py": "def first():\n    return 1\n", "lib/b.py": "def second():\n    return 2\n"}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "x", FILES)


def asked(base: Path, *, query: str = "", changed: str = "") -> ContextResult:
    return ContextEngine(Roots([base])).get_context(".", token_budget=4000, query=query, changed=changed)


def problems(result: ContextResult) -> list[str]:
    listed = cast("list[dict[str, str]]", result.metadata.as_json()["problems"])
    return [problem["detail"] for problem in listed]


def in_the_place_of_git(tmp_path: Path, script: str, patch: pytest.MonkeyPatch) -> None:
    program = write_tree(tmp_path / "bin", {"git": f"#!/bin/sh\n{script}\n"}) / "git"
    program.chmod(0o755)
    patch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("message", [b"a\x1eb", b"\x1f\x1e\x1f", bytes(range(1, 256)), b"a\0b", b""])
def test_a_query_stands_every_byte_of_a_message(base: Path, message: bytes) -> None:
    tree = git(base, "write-tree").decode().strip()
    git(base, "reset", "-q", "--soft", commit_object(base, tree=tree, message=message))
    result = asked(base, query="the second one")
    assert "def second" in result.context
    assert problems(result) == []


def test_a_history_that_cannot_be_read_is_one_problem_and_no_more(base: Path) -> None:
    head = git(base, "rev-parse", "HEAD").decode().strip()
    (base / ".git/objects" / head[:2] / head[2:]).unlink()
    result = asked(base, query="the second one")
    assert "def second" in result.context
    (detail,) = problems(result)
    assert "ranked without" in detail
    with pytest.raises(InvalidArgumentError, match="it cannot compare"):
        asked(base, changed="worktree")


def test_a_git_that_hangs_is_one_problem_and_gone_with_what_it_started(
    tmp_path: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_place_of_git(tmp_path, f"sleep 600 & echo $! >> '{tmp_path}/started'; wait", monkeypatch)
    record = write_tree(tmp_path, {"started": ""}) / "started"
    seconds = 0.1
    while not record.read_text():  # a machine that does much else may take all of the time to begin
        seconds *= 2
        monkeypatch.setattr("workspace.files.listing.GIT_SECONDS", seconds)
        monkeypatch.setattr(newest, "__kwdefaults__", {"most": 10, "seconds": seconds})
        result = asked(base, query="the second one")
        assert "def second" in result.context
        (detail,) = problems(result)
        assert f"git took more than {seconds} seconds" in detail
    assert not any(b"sleep" in command_of(process) for process in record.read_text().split())


def command_of(process: str) -> bytes:
    """The command line of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_git_that_is_in_the_folder_itself_is_never_run(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trapped = base / "trapped"
    program = write_tree(base, {"git": f"#!/bin/sh\ntouch '{trapped}'\n"}) / "git"
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    asked(base, query="second", changed="worktree")
    assert not trapped.exists()


def test_the_variables_of_git_change_no_answer(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(base, {"a.py": "def first():\n    return 11\n"})
    told = asked(base, query="second", changed="worktree").context
    trap = f"touch {tmp_path / 'trapped'};"
    for name, value in {
        "GIT_EXTERNAL_DIFF": trap,
        "GIT_PAGER": trap,
        "GIT_TRACE": "1",
        "GIT_TRACE_SETUP": str(tmp_path / "trapped"),
        "GIT_DIFF_OPTS": "--unified=5",
        "GIT_CONFIG_COUNT": "nonsense",
        "GIT_CONFIG_PARAMETERS": "'nonsense",
        "GIT_DISCOVERY_ACROSS_FILESYSTEM": "nonsense",
        "GIT_DEFAULT_HASH": "nonsense",
        "GIT_NOTES_REF": "nonsense",
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1",
        "GIT_REDIRECT_STDOUT": "/dev/null",
        "GIT_ATTR_SOURCE": "nonsense",
        "GIT_REF_PARANOIA": "nonsense",
    }.items():
        monkeypatch.setenv(name, value)
    assert asked(base, query="second", changed="worktree").context == told
    assert not (tmp_path / "trapped").exists()


def test_a_folder_that_is_trusted_by_the_environment_is_trusted(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid():
        pytest.skip("only the superuser can give a folder away")
    for place in (base, base / ".git"):
        os.chown(place, 12345, 12345)
    write_tree(base, {"a.py": "def first():\n    return 11\n"})
    result = asked(base, query="second")
    assert len(problems(result)) == 1  # the listing says it, and the history does not say it again
    with pytest.raises(InvalidArgumentError, match=r"safe\.directory"):
        asked(base, changed="worktree")
    for name, value in {"COUNT": "1", "KEY_0": "safe.directory", "VALUE_0": str(base)}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert problems(asked(base, query="second", changed="worktree")) == []


def test_what_a_clone_left_behind_is_not_fetched(tmp_path: Path, base: Path) -> None:
    git(base, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=tree:0", "--no-checkout", f"file://{base}", str(clone))
    write_tree(clone, FILES)
    trap = write_tree(tmp_path, {"trap": f"#!/bin/sh\ntouch {tmp_path / 'trapped'}\n"}) / "trap"
    trap.chmod(0o755)
    git(clone, "config", "remote.origin.uploadpack", str(trap))
    git(clone, "config", "protocol.file.allow", "always")
    result = asked(clone, query="the second one")
    assert "def second" in result.context
    with pytest.raises(InvalidArgumentError):
        asked(clone, changed="HEAD")
    assert not (tmp_path / "trapped").exists()


def test_files_that_were_only_touched_have_not_changed(base: Path) -> None:
    os.utime(base / "a.py", (time.time() + 5, time.time() + 5))
    (base / "lib/b.py").chmod(0o755)
    assert asked(base, changed="worktree").metadata.as_json()["changes"] == {"changed": ("lib/b.py",)}


@pytest.mark.parametrize("pointer", [b"gitdir: a\0b\n", b"gitdir: " + b"x" * 100_000, b"\xff\xfe", b""])
def test_a_file_in_the_place_of_a_repository_is_no_crash(tmp_path: Path, pointer: bytes) -> None:
    base = write_tree(tmp_path / "x", {**FILES, ".git": pointer})
    engine = ContextEngine(Roots([base]))
    for _ in range(3):
        assert "def second" in engine.get_context(".", query="second").context


def test_a_pipe_in_the_place_of_a_repository_is_not_waited_for(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", FILES)
    os.mkfifo(base / ".git")
    engine = ContextEngine(Roots([base]))
    for _ in range(3):
        assert "def second" in engine.get_context(".", query="second").context
