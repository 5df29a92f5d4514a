"""The program where what only POSIX has is not there: modules, functions and signals are taken away before it starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.clients import CLIENTS
from server.declared import _folder  # pyright: ignore[reportPrivateUsage]
from server.setup import configuration
from tests.trees import git, make_repository

if TYPE_CHECKING:
    from server.clients import Client

HOME = Path(__file__).resolve().parents[2]
MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "readline", "syslog")
FUNCTIONS = (
    *("killpg", "setsid", "getuid", "geteuid", "getgid", "getegid", "getpgid", "fork", "forkpty", "mkfifo", "mknod"),
    *("chown", "lchown", "fchown", "sysconf", "statvfs", "pread", "pwrite", "sendfile", "nice", "getloadavg"),
    *(
        "sched_getaffinity",
        "sched_setaffinity",
        "posix_spawn",
        "posix_fadvise",
        "memfd_create",
        "wait",
        "wait3",
        "wait4",
    ),
    *("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_DIRECTORY", "WIFSIGNALED", "ctermid", "pipe2"),
)
SIGNALS = ("SIGKILL", "SIGPROF", "SIGALRM", "SIGUSR1", "SIGHUP", "SIGCHLD", "setitimer", "getitimer", "pthread_sigmask")

TAKEN_AWAY = f"""
import asyncio, asyncio.unix_events, http.client, multiprocessing.pool, os, pathlib, shutil, signal, socket, sqlite3, ssl
import subprocess, sys, tempfile, zipfile, urllib.request  # Python's own modules have branches of their own
import builtins
imported, home = builtins.__import__, {str(HOME)!r} + os.sep
def without_posix(name, globals=None, *rest, **more):
    of = (globals or {{}}).get("__file__") or ""
    if name in {MODULES!r} and of.startswith(home) and "site-packages" not in of:
        raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
    return imported(name, globals, *rest, **more)
builtins.__import__ = without_posix  # for our own modules: others ask `sys.platform`, which is what it is
for name in {FUNCTIONS!r}:
    if hasattr(os, name):
        delattr(os, name)
for name in {SIGNALS!r}:
    delattr(signal, name)
sys.path[:] = sys.argv.pop(1).split(os.pathsep)
"""
"""A program that fails where our modules ask for any of it at their import, or in the branch for all systems."""


def started(program: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """A program that begins without POSIX."""
    search = os.pathsep.join([str(HOME), *filter(None, sys.path)])
    command = [sys.executable, "-c", TAKEN_AWAY + program, search, *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = make_repository(tmp_path / "project", {"shop.py": "def price(cart):\n    return sum(cart)\n"})
    (folder / "shop.py").write_text("def price(cart, tax):\n    return sum(cart) + tax\n")
    git(folder, "config", "core.autocrlf", "true")
    return folder


def test_every_command_runs(project: Path, tmp_path: Path) -> None:
    words = {
        "pack": ["pack", str(project), "--budget", "1k", "--changed", "worktree", "--query", "price of a cart"],
        "zoom": ["zoom", "price", str(project), "--context", "callers"],
        "mirror": ["mirror", str(project), str(tmp_path / "made")],
        "again": ["mirror", str(project), str(tmp_path / "made")],
        "compress": ["compress", str(project / "shop.py"), "--engine", "extractive"],
        "setup": ["setup", "--client", "codex", "--print"],
        "completion": ["completion"],
    }
    program = (
        "import json\nfrom fractal_context.__main__ import main\nfrom server.cli import run\n"
        "commands = json.loads(sys.argv[1])\n"
        "print(json.dumps({name: run(words) for name, words in commands.items()}), file=sys.stderr)\n"
    )
    done = started(program, json.dumps(words))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stderr.splitlines()[-1]) == dict.fromkeys(words, 0), done.stderr
    assert "def price(cart, tax):" in done.stdout
    assert "+++ shop.py [CHANGED] [+2 -2]" in done.stdout
    assert (tmp_path / "made/shop.py").read_text().startswith("def price(cart, tax)")


def test_a_server_answers_and_ends_with_all_that_it_started(project: Path) -> None:
    messages = [
        {
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "get_context", "arguments": {"path": "."}}},
    ]
    search = os.pathsep.join([str(HOME), *filter(None, sys.path)])
    program = "sys.argv[1:] = ['serve', '--root', sys.argv[1]]\nfrom fractal_context.__main__ import main\nmain()\n"
    command = [sys.executable, "-c", TAKEN_AWAY + program, search, str(project)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        server.stdin.flush()
        answers: dict[int, dict[str, dict[str, list[dict[str, str]]]]] = {}
        while 2 not in answers and (line := server.stdout.readline()):
            answer = json.loads(line)
            answers[answer.get("id", 0)] = answer
        server.stdin.close()
        assert server.wait(60) == 0, server.stderr.read()
        assert "def price(cart, tax)" in answers[2]["result"]["content"][0]["text"]


def test_a_worker_that_ended_by_itself_did_not_run_out_of_time() -> None:
    program = (
        "from skeleton.index.worker import _bounded\nfrom skeleton.index.workers import _DEATHS, Death, worker_count\n"
        "from server.ending import _KILL\nfrom workspace.memory import bounded_growth, held_bytes\n"
        "with _bounded(1), bounded_growth(1):\n"
        "    print(_DEATHS.get(0, Death.CRASH).name, worker_count() >= 0, _KILL == signal.SIGTERM, held_bytes())"
    )
    done = started(program)
    assert done.stdout.split() == ["CRASH", "True", "True", "0"], done.stderr


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_the_configuration_of_a_client_lies_where_windows_has_it(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("server.setup.sys.platform", "win32")
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    monkeypatch.setenv("HOME", str(tmp_path))
    place = configuration(client)
    monkeypatch.undo()
    assert "APPDATA" not in str(place)
    assert ".config" not in str(place)
    assert place.is_relative_to(tmp_path / "Roaming") == ("win32" in client.elsewhere)


@pytest.mark.parametrize(
    ("address", "here", "there"),
    [
        ("file:///C:/Users/me/project", "/C:/Users/me/project", "C:\\Users\\me\\project"),
        ("file:///c%3A/Users/me/a%20b", "/c:/Users/me/a b", "c:\\Users\\me\\a b"),
        ("file://localhost/C:/a", "/C:/a", "C:\\a"),
        ("file://nas/code/project", "", "\\\\nas\\code\\project"),
        ("http://nas/code", "", ""),
        ("untitled:x", "", ""),
    ],
)
def test_the_folder_that_a_client_declares_is_read_as_the_system_writes_it(
    address: str, here: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _folder(address) == here
    monkeypatch.setattr("server.declared.IS_WINDOWS", True)
    monkeypatch.setattr("server.declared.url2pathname", _as_windows)
    assert _folder(address) == there


def _as_windows(url: str) -> str:
    """Returns what `url2pathname` gives there: `nturl2path` is deprecated, and its rules are these."""
    from urllib.parse import unquote

    text = unquote(url)
    if text[2:3] == ":":
        text = text[1:]
    return text.replace("/", "\\")
