"""A repository of many commits that holds what repositories may hold, made in one go by `git fast-import`."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from tests.trees import GIT_ENVIRONMENT, git

if TYPE_CHECKING:
    from pathlib import Path

COMMITS = 50
_SUBMODULE = "1234567890123456789012345678901234567890"
_LARGE = b"x = 1\n" * 800_000


def make_history(folder: Path) -> Path:
    """Makes a bare repository whose branch `main` has fifty commits, each with a tag `r0` to `r49`; returns its folder."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--bare")
    stream = b"".join(_commit(number) for number in range(COMMITS))
    subprocess.run(
        ["git", "fast-import", "--quiet"],
        cwd=folder,
        env={**os.environ, **GIT_ENVIRONMENT},
        input=stream,
        check=True,
        capture_output=True,
    )
    return folder


def _commit(number: int) -> bytes:
    lines = [b"commit refs/heads/main", b"committer A <a@example.org> %d +0000" % (1_700_000_000 + number * 1000)]
    said = f"Change number {number}: parse the settings".encode()
    lines += [b"data %d" % len(said), said]
    tag = [b"reset refs/tags/r%d" % number, b"from refs/heads/main", b""]
    return b"\n".join([*lines, *_changes(number), b"", *tag])


def _changes(number: int) -> list[bytes]:
    """The changes of a commit to the files: something each time, and something odd most times."""
    body = "".join(f"    total += {step}\n" for step in range(number % 7 + 1))
    source = f'"""Settings."""\n\ndef parse(text):\n    """Parse the text."""\n    total = {number}\n{body}    return total\n'
    every = [_file("src/app.py", source.encode()), _file(f"src/part{number % 9}.py", _part(number))]
    return [*every, *_ODD.get(number, [])]


def _part(number: int) -> bytes:
    return f"from src.app import parse\n\n\nclass Part{number}:\n    def load(self, path):\n        return parse(path)\n".encode()


def _file(path: str, content: bytes, mode: str = "100644") -> bytes:
    return b"M %s inline %s\ndata %d\n%s" % (mode.encode(), path.encode(), len(content), content)


_ODD: dict[int, list[bytes]] = {
    1: [
        _file("README.md", b"# A project\n\nIt parses settings.\n"),
        _file("run.sh", b"#!/bin/sh\necho hi\n", "100755"),
    ],
    2: [_file(".gitignore", b"ignored/\n*.log\n"), _file("ignored/kept.py", b"def kept():\n    return 1\n")],
    3: [_file("link.py", b"src/app.py", "120000"), _file("away", b"../elsewhere.py", "120000")],
    4: [
        _file("gone", b"nowhere.py", "120000"),
        _file("abs", b"/etc/passwd", "120000"),
        _file("loop", b"loop", "120000"),
    ],
    5: [_file("folder", b"src", "120000"), _file("back", b"../repo/src/part1.py", "120000")],
    6: [b"M 160000 %s vendored/library" % _SUBMODULE.encode()],
    7: [
        _file(".gitattributes", b"*.bat text eol=crlf\n*.auto text=auto eol=crlf\n*.id ident\ndocs export-ignore\n"),
        _file("go.bat", b"a\nb\n"),
    ],
    8: [
        _file("docs/guide.md", b"# Guide\n\nHow to parse.\n"),
        _file("x.id", b"$Id$\nmore\n"),
        _file("mix.auto", b"a\r\nb\n"),
    ],
    9: [_file("src/.gitattributes", b"*.py text eol=crlf\n")],
    10: [b"D src/.gitattributes"],
    11: [
        _file('"caf\\351.py"', b"def coffee():\n    return 'black'\n"),
        _file('"a\\nb.py"', b"def odd():\n    pass\n"),
    ],
    12: [
        _file("wide.txt", b"text of many\nlines\n"),
        _file("src/.gitattributes", b"*.txt working-tree-encoding=UTF-16LE\n"),
    ],
    13: [_file("src/wide.txt", "grüße an alle\n".encode())],
    14: [b"R src/app.py src/core.py"],
    15: [b"D src/core.py"],
    16: [_file("large.py", _LARGE)],
    17: [_file("large.bat", _LARGE[: 4 << 20])],
    18: [b"D large.py", b"D large.bat"],
    19: [_file(".env", b"TOKEN=abc\n"), _file("conf.py", b'password = "hunter2hunter2Z9"\nname = "x"\n')],
    20: [_file(".contextignore", b"docs/\n"), _file("tests/test_app.py", b"def test_parse():\n    assert True\n")],
    21: [_file("docs/.contextignore", b"!*.md\n")],
    22: [b"D .contextignore"],
    23: [_file("data.bin", bytes(range(256)))],
    24: [_file("latin.py", "# größe\ndef size():\n    return 1\n".encode("latin-1"))],
    25: [_file("CVS/Root", b"hidden\n"), _file("CVS/deep/x.py", b"def hidden():\n    pass\n")],
    26: [b"D run.sh", _file("run.sh/inner.sh", b"#!/bin/sh\n")],
    27: [b"R ignored kept"],
    28: [_file("empty.py", b""), _file("bom.py", b"\xef\xbb\xbfdef marked():\n    return 2\n")],
    30: [b"deleteall", b"D src"],
    31: [_file("again.py", b"def again():\n    return parse_again()\n")],
    33: [_file("src/link.py", b"../again.py", "120000"), _file("chain.py", b"src/link.py", "120000")],
    35: [_file("broken.py", b"def broken(:\n  (((\n")],
    37: [_file("deep/er/and/deeper/x.py", b"class Deep:\n    def er(self):\n        return self\n")],
    39: [b"R deep shallow"],
    41: [_file("a.go", b"package a\n\nfunc Parse(s string) int {\n\treturn len(s)\n}\n")],
    43: [_file("a.rs", b"pub fn parse(s: &str) -> usize {\n    s.len()\n}\n")],
    45: [_file("link.py", b"folder-link/x", "120000"), _file("into", b".git/config", "120000")],
    47: [_file(".gitattributes", b"[attr]dos text eol=crlf\n*.go dos\n")],
}
"""Commit 29 leaves the tree as it was, 30 leaves it nearly empty (`_changes` writes two files first)."""
