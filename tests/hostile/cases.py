"""Lists of what is sent and planted to hurt a server, for the script of this package and for the tests of security."""

from __future__ import annotations

import json
import os
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

CANARY: Final = "the-canary-that-must-not-sing"
"""Stands in a file beside the root, and must be in no answer."""

ESCAPES: Final = (
    *("..", "../outside", "../outside/canary.py", "src/../../outside"),
    *("/etc/passwd", "//etc/passwd", "/proc/self/environ"),
    *("out", "out/canary.py", "canary.py", "deep/out/canary.py", "loop", "loop/loop", "PROJECT", "SRC/../../OUTSIDE"),
    *("%2e%2e/outside", "..%2foutside%2fcanary.py", "%2fetc%2fpasswd", "..%252foutside", "..\\outside", "..;/outside"),
    *("~", "~root", "~/../outside", "src\0/../../outside", "\0", "a" * 5000, "a/" * 2000, "./" * 2000 + "../outside"),
    *("file:///etc/passwd", "\\\\server\\share", "C:\\Windows", "/dev/zero", "/dev/stdin", "zero"),
    *("\u2025/outside", "\uff0e\uff0e/outside", "src/\u202e..", " ../outside", "../outside ", "\n../outside", ""),
)
"""Paths that lead out of the root of `plant`, or nowhere."""

PATTERNS: Final = (
    *("**/" * 300, "*" * 900, "?" * 1000, "[" * 1000, "[a-" * 300, "!" * 500, "{a,b}" * 200, "\\" * 999),
    *("a*" * 400 + "b", "(a+)+$", "**/*a*a*a*a*a*a*a*a*a*b", "../**", "/etc/**", "//", "\0", "[[:alpha:]]" * 80),
    *("**" * 450, "[!-~]" * 190, "(?:a|a)*" * 200 + "b", "^(([a-z])+.)+[A-Z]([a-z])+$"),
)
"""Globs and regular expressions that some engine takes forever for, and globs that lead out."""

BODIES: Final = (
    b"[" * 1_000_000,
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
    b"\xff\xfe",
    b"",
    b"null",
    b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * 100_000 + b'"}',
)
"""Requests that are no messages."""

_SNIPPETS: Final[Mapping[str, Callable[[int], str]]] = {
    "(": lambda times: "(" * times,
    "{": lambda times: "{" * times,
    "[": lambda times: "[" * times,
    "indented": lambda times: "".join(" " * deep + "if x:\n" for deep in range(min(times, 1500))),
    "begin": lambda times: "begin " * times,
    "do": lambda times: "do\n" * times,
    "class": lambda times: "class A {\n" * times,
    "<div>": lambda times: "<div>" * times,
    "'\"": lambda times: "'\"" * times,
    "#if": lambda times: "#if a\n" * times,
    "a<": lambda times: "a<" * times,
    "/*": lambda times: "/* " * times,
    "x": lambda times: "x " * times * 10,
    '"${': lambda times: '"${' * times,
    "- ": lambda times: "- " * times,
    "> ": lambda times: "> " * times,
    "&a": lambda times: "".join(f"a{one}: &a{one} [*a{one - 1},*a{one - 1}]\n" for one in range(1, times // 10)),
}
"""Texts that grammars and formats choke on, by what is repeated."""


def snippets(times: int) -> Generator[tuple[str, str]]:
    """Gives texts that grammars and formats choke on: what is repeated, and the text."""
    for name, made in _SNIPPETS.items():
        yield name, made(times)


def calls_with(path: str) -> Generator[tuple[str, dict[str, Any], bool]]:
    """Gives calls that hold a path in each argument that takes one: the tool, the arguments, whether it must be refused.

    A name that is searched for, and a filter, may find nothing instead.
    """
    yield "get_context", {"path": path, "token_budget": 500}, True
    yield "zoom", {"target": "CANARY", "path": path}, True
    for target in (f"file={path}", f"lines={path}:1-2", f"{path}::CANARY"):
        yield "zoom", {"target": target, "path": "src"}, True
    yield "compact_history", {"transcript_path": path, "dry_run": True}, bool(path)
    yield "compact_history", {"archive_id": path}, True
    history = [{"role": "user", "content": f"See {path}"}]
    yield "compact_history", {"messages": history, "dry_run": True, "path": path}, False
    small: dict[str, Any] = {"path": "src", "token_budget": 500}
    yield "get_context", small | {"changed": path}, bool(path)
    yield "get_context", small | {"focus": [path], "include": [path]}, False
    yield "get_context", small | {"since": path, "exclude": [path]}, False
    yield "get_context", small | {"cursor": path}, bool(path)


def uris_with(path: str) -> tuple[str, ...]:
    """Returns the addresses of resources that hold a path."""
    return (f"context://{path}", f"skeleton://{path}", f"symbol://file={path}", f"symbol://{path}::CANARY")


def plant(home: Path) -> Path:
    """Makes a root full of links, a pipe and a socket, beside a folder that nobody may see, and returns it."""
    outside, root = home / "outside", home / "project"
    for folder in (outside, root / "src", root / "deep"):
        folder.mkdir(parents=True)
    (outside / "canary.py").write_text(f"CANARY = '{CANARY}'\n", encoding="utf-8")
    (root / "src" / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    (root / "out").symlink_to(outside)
    (root / "deep" / "out").symlink_to(outside)
    (root / "canary.py").symlink_to(outside / "canary.py")
    (root / "loop").symlink_to(root / "loop")
    (root / "zero").symlink_to("/dev/zero")
    os.mkfifo(root / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(root, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/socket.py")  # the path itself may be longer than a socket's may be
        os.close(here)
    return root


def set_traps(folder: Path, *, size: int = 1_000_000) -> None:
    """Fills a new folder with files that are made to exhaust whoever reads them.

    Args:
        folder: where; it is made.
        size: bytes of the long lines; the depth of what is nested is a tenth of it. The JSON is always as deep, and the
            line of plain text as long, as the default says.
    """
    folder.mkdir()
    deep = size // 10
    laughs = "".join(f"<!ENTITY a{one} '&a{one - 1};&a{one - 1};'>" for one in range(1, 60))
    texts = {
        "deep.json": "[" * 100_000 + "]" * 100_000,
        "keys.json": '{"a":' * 100_000 + "1" + "}" * 100_000,
        "deep.yaml": "[" * deep,
        "aliases.yaml": "a0: &a0 [x]\n"
        + "".join(f"a{one}: &a{one} [*a{one - 1}, *a{one - 1}]\n" for one in range(1, 60)),
        "deep.toml": "a = " + "[" * deep,
        "deep.py": "x = " + "(" * deep + "1" + ")" * deep + "\n",
        "deep.html": "<div>" * deep,
        "entities.xml": f"<!DOCTYPE x [<!ENTITY a0 'ha'>{laughs}]><x>&a59;</x>",
        "deep.md": "> " * deep + "\n" + "* " * deep + "\n" + "[" * deep,
        "wide.csv": "a," * deep + "\n" + "1," * deep,
        "deep.ipynb": json.dumps(
            {"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": "(" * deep}]}
        ),
        "line.js": "f(" * (size // 2),
        "line.txt": "a" * 1_000_000,
        "line.json": '{"a": "' + "b" * size + '"}',
        "spaces.py": " " * size + "x\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "sparse.py").open("wb") as file:
        file.truncate(50 << 30)


@contextmanager
def swapping(place: Path, outside: Path) -> Generator[None]:
    """Replaces a file by a link that leads out, and back, as fast as it can."""
    stop = threading.Event()

    def swap() -> None:
        file, link = place.with_suffix(".file"), place.with_suffix(".link")
        while not stop.is_set():
            file.write_text("def shown():\n    return 2\n", encoding="utf-8")
            file.replace(place)
            link.symlink_to(outside)
            link.replace(place)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        place.unlink()
