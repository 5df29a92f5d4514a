"""A folder with settings that are read, and much else; ways to ask about it."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING, Any

from allocator import ContextEngine
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult
    from allocator.question.handed import Records

_CONFIG = '''import os


class Config:
    """Settings."""

    def load(self, path: str) -> dict[str, int]:
        text = open_it(path)
        return parse_it(text)

    def save(self, path: str) -> None:
        write_it(self, path)


def parse_it(text: str) -> dict[str, int]:
    values = {}
    for line in text.splitlines():
        name, _, value = line.partition("=")
        values[name] = int(value)
    return values
'''
CONFIG = _CONFIG + "".join(
    f"\n\ndef unused_{name}(first: int, second: int) -> int:\n"
    f'    """Does {name}."""\n'
    + "".join(f"    first = first * {line} + second\n" for line in range(20))
    + "    return first\n"
    for name in "abcdefghijkl"
)
MAIN = """from config import Config, parse_it


def main() -> None:
    config = Config()
    config.load("settings.ini")


def again() -> None:
    print(parse_it("a=1"))
"""


def filler(number: int) -> str:
    return "".join(
        f"def helper_{number}_{name}(first: int, second: int) -> int:\n"
        + "".join(f"    first = first * {line} + second\n" for line in range(12))
        + "    return first\n\n\n"
        for name in "abcde"
    )


TREE = {"src/config.py": CONFIG, "src/main.py": MAIN} | {f"src/filler_{n:02}.py": filler(n) for n in range(30)}


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def engine(folder: Path, records: Records | None = None) -> ContextEngine:
    return ContextEngine(Roots([folder]), records=records)


def served(folder: Path, **arguments: Any) -> ContextResult:
    chosen: dict[str, Any] = {"format": "compact", **arguments}
    return engine(folder).get_context(str(folder), **chosen)


def block(result: ContextResult, path: str) -> str:
    """The lines shown of a file, with its header, in the compact format."""
    found = re.search(rf"^\+\+\+ {re.escape(path)}( .*)?\n(?:(?!\+\+\+ ).*\n)*", result.context, re.MULTILINE)
    return found[0] if found else ""
