"""Whose a name is: votes for what is seen in a folder or a file alone come from there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.allocator.shop import overview
from tests.trees import write_tree

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
