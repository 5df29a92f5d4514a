"""Whose a name is: votes for what is seen in a folder or a file alone come from there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from allocator.overview.meanings import Meanings
from skeleton.index.survey import survey_of
from skeleton.languages.sketches import sketch_patterns
from skeleton.sketch.sketching import sketch_of
from tests.allocator.files import LooseFile
from tests.allocator.shop import overview
from tests.trees import write_tree
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path


def test_a_private_name_has_no_votes_of_other_packages(tmp_path: Path) -> None:
    body = "".join(f"\tsize_{number} := {number}\n" for number in range(30))
    tree = {
        f"part{number}/part.go": f"package part{number}\n\nfunc Part{number}(clientPool int) {{\n{body}}}\n"
        for number in range(20)
    }
    tree["part0/part.go"] += "\nfunc All() {\n\tnet.OpenAll()\n}\n"
    tree["go.mod"] = "module example.com/x\n"
    tree["net/net.go"] = f"package net\n\nfunc clientPool() int {{\n{body}}}\n\nfunc OpenAll() int {{\n{body}}}\n"
    told = re.search(r"^ *net\.go: (.*)$", overview(write_tree(tmp_path / "x", tree), 1000).context, re.MULTILINE)
    assert told is not None
    assert told[1] == "OpenAll, clientPool"


def test_a_struct_is_as_important_as_the_name_that_a_typedef_gives_it(tmp_path: Path) -> None:
    fields = "".join(f"    int field_{number};\n" for number in range(30))
    body = "".join(f"    int size_{number} = {number};\n" for number in range(30))
    tree = {
        f"part{number}.c": f'#include "core.h"\n\nint part_{number}(pool_t *pool, count_t count) {{\n{body}}}\n'
        for number in range(20)
    }
    tree["core.h"] = "typedef struct pool_s pool_t;\ntypedef unsigned long count_t;\n"
    tree["pool.h"] = f"struct pool_s {{\n{fields}}};\n"
    text = overview(write_tree(tmp_path / "x", tree), 1000).context
    assert "read next: pool.h::pool_s" in text
    assert "count_t" not in next(line for line in text.splitlines() if line.startswith("read next: "))


def test_what_nobody_is_to_use_any_more_is_not_read_first(tmp_path: Path) -> None:
    body = "".join(f"    const size{number} = {number};\n" for number in range(30))
    tree = {
        f"part{number}.ts": f"import {{ early, late }} from './both';\n\nexport function part{number}() {{\n{body}}}\n"
        for number in range(20)
    }
    tree["both.ts"] = (
        f"/** @deprecated */\nexport function early() {{\n{body}{body}}}\n\nexport function late() {{\n{body}}}\n"
    )
    assert "read next: both.ts::late" in overview(write_tree(tmp_path / "x", tree), 1000).context


def test_a_word_of_a_language_is_no_vote_for_what_is_called_so(tmp_path: Path) -> None:
    body = "".join(f"  step{number}: number = {number}\n" for number in range(9))
    tree = {
        f"part{number}.ts": f"import {{ Row }} from './row'\n\nexport class Part{number} {{\n  row?: Row\n{body}}}\n"
        for number in range(20)
    }
    tree["row.ts"] = f"export class Row {{\n  from: number = 1\n  total: number = 2\n  class: string = ''\n{body}}}\n"
    tree |= {f"use{number}.ts": "export const rows = (row: Row) => row.total\n" for number in range(3)}
    found = re.search(
        r"^ *row\.ts: Row\(([^)]*)\)", overview(write_tree(tmp_path / "x", tree), 1200).context, re.MULTILINE
    )
    assert found is not None
    assert found[1].split(" ")[0] == "total"


STEPS = "".join(f"  const size{number} = {number}\n" for number in range(30))
DESK = f"export function useTill(x: any) {{\n{STEPS}}}\nexport function useDesk(x: any) {{\n{STEPS}}}\n"


def _first_name(folder: Path, tree: dict[str, str], file: str) -> str:
    """The first name behind that of a file on the map; "" where there is none."""
    text = overview(write_tree(folder / "x", tree), 1200).context
    found = re.search(rf"^ *{re.escape(file)}: (\w+)", text, re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("package", "first"),
    [
        ('"name": "shop", "dependencies": {"tills": "^4.1.0"}', "useDesk"),
        ('"name": "shop", "dependencies": {"tills": "workspace:*"}', "useTill"),
        ('"name": "tills", "devDependencies": {"tills": "^4.1.0"}', "useTill"),
        ('"name": "shop"', "useTill"),
        ('"dependencies": {"tills": ', "useTill"),
    ],
)
def test_what_is_imported_from_a_package_of_others_is_no_vote_for_its_namesake(
    tmp_path: Path, package: str, first: str
) -> None:
    tree = {
        f"part{number}.ts": f"import {{ useTill }} from 'tills/open'\nexport const part{number} = () => useTill()\n"
        for number in range(20)
    }
    tree |= {f"use{number}.ts": f"export const use{number} = () => useDesk()\n" for number in range(3)}
    tree |= {"package.json": f"{{{package}}}", "desk.ts": DESK}
    assert _first_name(tmp_path, tree, "desk.ts") == first


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("from tills import use_till", "use_desk"),
        ("from shop.tills import use_till", "use_till"),
        ("from .tills import use_till", "use_till"),
    ],
)
def test_a_module_of_python_that_no_file_is_called_like_is_of_others(tmp_path: Path, said: str, first: str) -> None:
    body = "".join(f"    size_{number} = {number}\n" for number in range(30))
    tree = {f"shop/part{number}.py": f"{said}\n\nPART{number} = use_till()\n" for number in range(20)}
    tree |= {f"shop/use{number}.py": f"USE{number} = use_desk()\n" for number in range(3)}
    tree["shop/desk.py"] = f"def use_till(x):\n{body}\n\ndef use_desk(x):\n{body}"
    assert _first_name(tmp_path, tree, "desk.py") == first


@pytest.mark.parametrize(("kept", "first"), [("", "size"), ("export ", "rows")])
def test_a_field_has_no_votes_of_files_that_cannot_see_its_type(tmp_path: Path, kept: str, first: str) -> None:
    tree = {f"part{number}.ts": f"export const part{number} = (x: any) => x.rows\n{STEPS}" for number in range(20)}
    tree |= {f"use{number}.ts": f"export const use{number} = (x: any) => x.size\n" for number in range(3)}
    tree["desk.ts"] = f"{kept}interface Near {{\n  rows: number\n}}\nexport interface Wide {{\n  size: number\n}}\n"
    text = overview(write_tree(tmp_path / "x", tree), 1000).context
    found = re.search(r"^ *desk\.ts: \w+\((\w+)\)", text, re.MULTILINE)
    assert found is not None
    assert found[1] == first


@pytest.mark.parametrize(
    ("name", "source", "is_meant"),
    [
        ("TillProps", "const part = (x: any) => x.title\n", False),
        ("TillProps", "const part = <Till title='' />\n", True),
        ("TillProps", "const part: TillProps = { title: '' }\n", True),
        ("TillState", "const part = (x: any) => x.title\n", True),
    ],
)
def test_what_a_component_is_given_is_meant_where_the_component_is_named(
    name: str, source: str, is_meant: bool
) -> None:
    sources = {"till.tsx": f"export interface {name} {{\n  title: string\n}}\n", "part.tsx": source}
    patterns = sketch_patterns("tsx")
    assert patterns is not None
    surveys = [
        survey_of(text.encode(), sketch_of(text.encode(), patterns), language="tsx", secrets=0)
        for text in sources.values()
    ]
    files = [LooseFile(path, text.encode(), token_counter(), None) for path, text in sources.items()]
    meanings = Meanings(files, surveys, (0, 1))
    title = meanings.name[surveys[0].names.index("title")]
    assert (title in meanings.mentioned(1, surveys[1].words)) is is_meant
    assert title in meanings.mentioned(0, surveys[0].words)
