"""Whatever name a context shows can be zoomed: on every line, in every header, in all formats.

A name that stands on a line leads to definitions of that name in that file; with the names of what it stands in, it leads
to the one of that line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from allocator import ContextEngine, FormatName
from skeleton import Definition
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.skeleton.corpus import read_cases
from tests.thoroughness import SHARE, is_thorough
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, PathNotFoundError, SymbolNotFoundError
from workspace.files.scan import scan
from workspace.roots import Roots

HERE = Path(__file__).parents[2]

ENDINGS = {
    "python": "py", "rust": "rs", "go": "go", "typescript": "ts", "java": "java", "c": "c", "cpp": "cpp", "ruby": "rb",
    "csharp": "cs", "php": "php", "kotlin": "kt", "javascript": "js", "swift": "swift", "scala": "scala",
    "elixir": "ex", "lua": "lua", "bash": "sh", "haskell": "hs",
}  # fmt: skip
CALLS: list[dict[str, Any]] = [
    {"token_budget": 1000, "query": "parse a value"},
    {"token_budget": 4000, "query": "load the configuration of a server"},
    {"token_budget": 12000, "query": "why does Config.load fail"},
    {"token_budget": 4500},
    {"token_budget": 9000, "skeleton": "enabled"},
    {"token_budget": 2500, "focus": ["Config", "helper"]},
    {"token_budget": 6000, "max_level": "L1"},
    {"token_budget": None, "skeleton": "enabled", "max_level": "L2"},
]


def blocks(text: str, layout: FormatName) -> Iterator[tuple[str, str, list[str]]]:
    """Path, marks and lines of every block of a context."""
    if layout is FormatName.JSON:
        for one in json.loads(text):
            if "path" not in one:
                continue  # the line that says how many files are not shown
            yield one["path"], " ".join(f"[{mark}]" for mark in one.get("marks", ())), one["text"].split("\n")
    elif layout is FormatName.XML:
        for one in ET.fromstring(text).iter("file"):
            marks = " ".join(f"[{mark}]" for mark in re.split(" (?=[A-Z-]{2,}(?::| |$))", one.get("marks", "")))
            yield one.attrib["path"], marks, (one.text or "").split("\n")
    else:
        start = {"markdown": "## "}.get(layout, r"\+\+\+ ")
        parts = re.split(rf"(?m)^{start}(.+)$", text)
        for title, body in zip(parts[1::2], parts[2::2], strict=True):
            quoted = re.match(r'"(?:[^"\\]|\\.)*"', title)
            path = json.loads(quoted[0]) if quoted else title.partition(" [")[0]
            lines = [line.removeprefix("+ ") for line in body.split("\n")]
            yield path, title.removeprefix(quoted[0] if quoted else path), lines


def shown(text: str, layout: FormatName) -> tuple[dict[str, dict[int, str]], set[tuple[str, str]]]:
    """The numbered lines of every file, and the names that headers say are there in full."""
    lines: dict[str, dict[int, str]] = {}
    full: set[tuple[str, str]] = set()
    for path, marks, body in blocks(text, layout):
        numbered = (re.match(r"(\d+) (.*)", line) for line in body)
        lines.setdefault(path, {}).update({int(one[1]): one[2] for one in numbered if one})
        for listed in re.findall(r"\[FULL:([^\]\d][^\]]*)\]", marks):
            full |= {(path, name) for name in listed.split(",") if not name.startswith("+")}
    return lines, full


def visible(definitions: tuple[Definition, ...], source: bytes, lines: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """The line of each definition whose name stands on a line that is shown of its signature, and its qualified name; its
    bare name, for any line."""
    for one in definitions:
        first = source.count(b"\n", 0, one.signature) + 1
        last = source.count(b"\n", 0, one.name_start) + 1
        name = one.name.rpartition(".")[2] or one.name
        if name and any(name in lines.get(number, "") for number in range(first, last + 1)):
            yield last, one.path
            yield 0, one.name


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Everyday and odd code of many languages, and files below names that have to be written with care."""
    root = tmp_path_factory.mktemp("shown").resolve()
    for language, ending in ENDINGS.items():
        write_tree(root, {f"src/{language}/code.{ending}": "\n".join(case.source for case in read_cases(language))})
    write_tree(root, {'odd/a "b" [c].py': "class Config:\n    def load(self):\n        return 1\n" * 9})
    return Reader(root)


class Reader:
    """Calls for contexts of one folder, and zooms into what they show.

    Args:
        folder: the folder, which is a root.
    """

    def __init__(self, folder: Path) -> None:
        index = CodeIndex(Roots([folder]), workers=Workers(0))
        self.folder = str(folder)
        self.files = index.files(scan(folder, roots=index.roots))[0]
        self.engine, self.zoomer = ContextEngine(index.roots, index=index), Zoomer(index)
        self.known: dict[tuple[str, int, str], str] = {}

    def unreachable(self, layout: FormatName, call: Mapping[str, Any]) -> tuple[int, list[str]]:
        """Returns the number of definitions that a call shows, and the targets that lead to something else."""
        result = self.engine.get_context(self.folder, format=layout, line_numbers=True, **call)
        lines, full = shown(result.context, layout)
        wanted = {
            (file.path, at, name)
            for file in self.files
            if file.path in lines
            for at, name in visible(file.definitions, file.source, lines[file.path])
        }
        wanted |= {(path, 0, name) for path, name in full}
        self.known |= {one: self.missed(*one) for one in wanted if one not in self.known}
        return len(wanted), sorted(filter(None, map(self.known.__getitem__, wanted)))

    def missed(self, path: str, line: int, name: str) -> str:
        """Returns the fault of the target of a name in a file, or nothing; line 0 is any."""
        target = f"{path}::{name}"
        try:
            matches = self.zoomer.zoom(target, self.folder).matches
        except (SymbolNotFoundError, InvalidArgumentError, PathNotFoundError) as error:
            return f"{target}: {error}"
        found = [one for one in matches if one.path == path and (not line or one.first_line <= line <= one.last_line)]
        return "" if found else f"{target} is not the one of line {line}"


STEP = 1 if is_thorough() else SHARE
"""Of the calls in other formats than that which is served, one in so many is made each time."""


@pytest.mark.no_cover
@pytest.mark.parametrize("layout", FormatName)
def test_every_definition_that_is_visible_can_be_zoomed_by_the_name_it_is_shown_under(
    tree: Reader, layout: FormatName
) -> None:
    for call in CALLS if layout is FormatName.COMPACT else CALLS[::STEP]:
        names, missed = tree.unreachable(layout, call)
        assert names > 10, call
        assert not missed, call


@pytest.mark.no_cover
@pytest.mark.parametrize("folder", [HERE / "allocator", pytest.param(HERE, marks=pytest.mark.long)])
def test_every_definition_of_this_repository_that_is_visible_can_be_zoomed(folder: Path) -> None:
    here = Reader(folder)
    for call in CALLS[:5]:
        names, missed = here.unreachable(FormatName.COMPACT, call)
        assert names > 10, call
        assert not missed, call
