"""The program where what only POSIX has is not there: modules, functions and signals are taken away before it starts."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fractal_context.own import PACKAGES
from server.clients import CLIENTS
from server.setup import configuration
from tests.trees import git, make_repository
from workspace.addresses import path_at

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
subprocess.Popen.kill = subprocess.Popen.terminate  # as it is there
sys.path[:] = sys.argv.pop(1).split(os.pathsep)
import types
import workspace.files.watching
workspace.files.watching.sys = types.SimpleNamespace(platform="win32")  # what is for Linux alone asks where it is
"""
"""A program that fails where our modules ask for any of it at their import, or in the branch for all systems."""


PAGE = HOME / "docs" / "systems.md"
ASKED_WITH_CARE = frozenset(
    {f"os.{name}" for name in (*FUNCTIONS, "chmod", "kill", "readlink", "symlink", "umask")}
    | {f"signal.{name}" for name in (*SIGNALS, "SIGINT", "SIGTERM", "set_wakeup_fd", "signal")}
    | {"select.select", "socket.AF_UNIX", "socket.socketpair", *MODULES, "ctypes", "mmap", "multiprocessing"}
)
"""The names of what is not on every system, or is another thing on some."""


def asked(source: str) -> set[str]:
    """Returns which of that a module names: as an attribute, as a text that it looks one up by, or at an import."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                found.add(f"{module}.{name}")
            case ast.Attribute(attr="chmod" | "symlink_to" | "hardlink_to" as name):
                found.add(f"os.{name}".removesuffix("_to"))
            case ast.Constant(value=str(text)) if text in FUNCTIONS and len(text) > 4:  # `wait` and `nice` are words
                found.add(f"os.{text}")
            case ast.Constant(value=str(text)) if text in SIGNALS:
                found.add(f"signal.{text}")
            case ast.Constant(value=str(text)) if text.startswith("/proc/"):
                found.add(text)
            case ast.Import(names=names):
                found |= {one.name.partition(".")[0] for one in names}
            case ast.ImportFrom(module=str(module)):
                found.add(module.partition(".")[0])
            case _:
                pass
    return {name for name in found if name in ASKED_WITH_CARE or name.startswith("/proc/")}


def test_the_page_names_every_place_that_asks_for_what_is_not_on_every_system() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sources = [file for package in sorted(PACKAGES) for file in sorted((HOME / package).rglob("*.py"))]
    places = {file: asked(file.read_text(encoding="utf-8")) for file in sources}

    assert sum(1 for names in places.values() if names) > 12
    assert [(file.name, names) for file, names in places.items() if names and file.name not in page] == []
    for name in re.findall(r"`([\w/]+/\w+\.py)`", page):
        assert (HOME / name).is_file() or list(HOME.glob(f"*/{name}")), name


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


def test_every_command_runs(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = tmp_path / "session.jsonl"
    clean = make_repository(tmp_path / "clean", {"shop.py": "def price():\n    return 1\n"})
    said = [("user", "What is the price of a cart?"), ("assistant", "It is a sum. " * 400), ("user", "And the tax?")]
    lines = [json.dumps({"role": role, "content": text}) for role, text in said]
    session.write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("FRACTAL_CONTEXT_STORE_KEY", "k" * 16)
    words = {
        "pack": ["pack", str(project), "--budget", "1k", "--changed", "worktree", "--query", "price of a cart"],
        "zoom": ["zoom", "price", str(project), "--context", "callers"],
        "mirror": ["mirror", str(project), str(tmp_path / "made")],
        "again": ["mirror", str(project), str(tmp_path / "made")],
        "review": ["review", "HEAD", str(project), "--format", "markdown"],
        "report": ["pack", str(project), "--report", str(tmp_path / "report.html")],
        "objects": ["pack", f"git:{project}@HEAD", "--budget", "1k"],
        "elsewhere": ["zoom", "price", project.as_uri()],
        "index": ["index", str(project), "--workers", "1"],
        "publish": ["index", str(clean), "--publish", str(tmp_path / "published")],
        "compact": ["compact", str(session)],
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
    assert "Traceback" not in done.stderr
    assert json.loads(done.stderr.splitlines()[-1]) == dict.fromkeys(words, 0), done.stderr
    assert "def price(cart, tax):" in done.stdout
    assert "+++ shop.py [CHANGED] [+2 -2]" in done.stdout
    assert "What is the price of a cart?" in done.stdout
    assert "def price(cart):" in done.stdout  # of the commit
    assert (tmp_path / "report.html").stat().st_size
    assert list((tmp_path / "published").rglob("*.*"))
    assert (tmp_path / "made/shop.py").read_text().startswith("def price(cart, tax)")


@pytest.mark.long
def test_the_doctor_runs(project: Path) -> None:
    """It reads every grammar, which takes seconds."""
    program = "from server.cli import run\nsys.exit(run(['doctor', '--root', sys.argv[1]]))\n"
    done = started(program, str(project))
    assert done.returncode == 0, done.stderr
    assert "every file is looked at in each call" in done.stdout


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
        "from skeleton.index.worker import _bounded\nfrom skeleton.index.worker_process import _DEATHS, Death\nfrom skeleton.index.workers import worker_count\n"
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
    assert path_at(address) == here
    monkeypatch.setattr("workspace.addresses.IS_WINDOWS", True)
    monkeypatch.setattr("urllib.request.url2pathname", _as_windows)
    assert path_at(address) == there


def _as_windows(url: str) -> str:
    """Returns what `url2pathname` gives there: `nturl2path` is deprecated, and its rules are these."""
    from urllib.parse import unquote

    text = unquote(url)
    if text[2:3] == ":":
        text = text[1:]
    return text.replace("/", "\\")
