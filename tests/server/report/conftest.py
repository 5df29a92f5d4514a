"""A browser, a small repository with odd names, and its page."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import msgspec
import pytest

from allocator import ContextEngine
from server.report.page import MOST_TEXT, report_page
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUERY = "load the settings of </script> & <b>'\"</b>"
HOSTILE = "</script><script>window.taken = 1</script><!-- <img src=x onerror='window.taken = 1'>"
ODD = (
    "<script>window.taken=1</script>.py",
    "odd/\"quotes' & <img src=x onerror=window.taken=1>.py",
    "odd/🦊 fox.py",
    "odd/\u202egnp.py",
    "odd/שלום.py",
)


def module(number: int) -> str:
    functions = "".join(
        f'def step_{number}_{n}(value: int) -> int:\n    """Takes step {n} of {number}."""\n'
        + "".join(f"    value = value * {line} + {n}\n" for line in range(30))
        + "    return value\n\n\n"
        for n in range(3)
    )
    return f'"""Module {number}: {HOSTILE}"""\n\n\n{functions}'


SETTINGS = '''"""Where the settings live."""


class Settings:
    """The command that starts the program."""

    def load(self, path: str) -> dict[str, str]:
        """Reads the settings."""
        found = {}
        for line in open(path):
            name, _, value = line.partition("=")
            found[name] = value
        return found


def start() -> None:
    """Loads the settings, and starts."""
    print(Settings().load("settings"))
'''


class Shown(msgspec.Struct, frozen=True):
    """A repository, its engine and its page."""

    folder: Path
    engine: ContextEngine
    page: Path


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    folder = tmp_path_factory.mktemp("report").resolve() / "a <b>project"
    write_tree(folder, {f"src/part_{number % 4}/module_{number}.py": module(number) for number in range(20)})
    write_tree(folder, {path: module(100 + number) for number, path in enumerate(ODD)})
    write_tree(folder, {"src/settings.py": SETTINGS, "README.md": f"# Project\n\n{HOSTILE}\n"})
    roots = Roots([folder])
    engine = ContextEngine(roots, index=CodeIndex(roots, workers=Workers(0)))
    profile = engine.profile(str(folder), token_budget=2500, query=QUERY, format="compact", most_text=MOST_TEXT)
    page = folder.parent / "report.html"
    page.write_bytes(report_page(profile, title=folder.name, version="1", question=[("query", QUERY)]))
    return Shown(folder, engine, page)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        try:
            opened = driver.chromium.launch(executable_path=CHROMIUM)
        except playwright.Error as error:
            pytest.skip(f"Chromium does not start here: {error}")
        yield opened
        opened.close()
