"""Commands at a terminal: progress, colours, and bars that are no wider than it is."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from pathlib import Path

import pytest

from server.terminal import bar
from tests.server.pipes import COMMAND, EXIT_TIMEOUT, cli, environment, forked_command


def received(terminal: int) -> str:
    """All that a terminal receives until the program at its other end has closed it."""
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal ends
        while chunk := os.read(terminal, 65_536):
            shown += chunk
    return shown.decode()


def in_terminal(*arguments: str, cwd: Path, **variables: str) -> str:
    """Runs a command whose output goes to a terminal, and returns what that received."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *arguments], cwd=cwd, env=environment(variables), stdout=theirs, stderr=theirs):
        os.close(theirs)
        shown = received(ours)
    os.close(ours)
    return shown


def test_progress_is_shown_on_a_terminal_and_wiped_away(tree: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "pack", "."], cwd=tree, env=environment(), stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        output, _ = process.communicate(timeout=EXIT_TIMEOUT)
    shown = received(ours)
    os.close(ours)
    assert b"+++ src/config.py" in output
    assert b"\x1b[2K" not in output
    before, _, after = shown.rpartition("\r\x1b[2K")
    assert "/" in before
    assert after.startswith("Files at")


def test_who_starts_a_server_at_a_terminal_is_told_what_it_waits_for(tree: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*forked_command(), "serve"],
        cwd=tree,
        env=environment(),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(theirs)
        assert process.stderr is not None
        assert b"an MCP client is awaited on standard input" in process.stderr.readline()
        os.close(ours)
        assert process.communicate(timeout=EXIT_TIMEOUT) == (b"", b"")
    assert process.returncode == 0


def test_colours_are_for_terminals_that_want_them(tree: Path) -> None:
    wrong = ("pack", "nowhere")
    assert "\x1b[1;31mfractal-context:\x1b[0m" in in_terminal(*wrong, cwd=tree, NO_COLOR="")
    assert "\x1b[1" not in in_terminal(*wrong, cwd=tree, NO_COLOR="1")
    assert b"\x1b[" not in cli(*wrong, cwd=tree).stderr


def test_what_a_file_says_to_a_terminal_does_not_reach_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b'TITLE = "\x1b]0;gone\x07"\t# \r\n')
    assert b'TITLE = "\x1b]0;gone\x07"\t# \r\n' in cli("zoom", "a.py", cwd=tmp_path).stdout
    at_terminal = in_terminal("zoom", "a.py", cwd=tmp_path)
    assert 'TITLE = "\\x1b]0;gone\\x07"\t' in at_terminal
    assert "\x1b]0" not in at_terminal


@pytest.mark.parametrize(("done", "total"), [(0, 0), (0, 10), (5, 10), (10, 10), (11, 10)])
def test_a_bar_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, done: int, total: int) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    line = bar(done, total, "weighing src/" + "a" * 80).removeprefix("\r\x1b[2K")
    assert len(line) == 59
    assert line.count("█") == (24 * min(done, total) // total if total else 0)
