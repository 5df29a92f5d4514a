"""Definitions of files that are in the middle of a merge, or of being written: zoom gives them to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.zoom.zoomer import zoom
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

BEGIN = (
    "class Cart:\n    def total(self, rate):\n        s = 0\n        for x in self.items:\n            s += x.price\n"
)
MERGE = "<<<<<<< HEAD\n        if rate != 0:\n=======\n        if rate > 1:\n>>>>>>> x\n            s *= rate\n"
UNCLOSED = "        y = foo(s,\n        if rate:\n            s *= rate\n"
END = "        self.log(s)\n        return s\n"
OTHER = "\n    def other(self):\n        return 1\n"
TAIL = "\ndef tail():\n    return 2\n"


@pytest.mark.parametrize("middle", [MERGE, UNCLOSED])
def test_a_definition_that_cannot_be_parsed_whole_is_given_to_its_end_and_marked(tmp_path: Path, middle: str) -> None:
    source = BEGIN + middle + END + OTHER + TAIL
    write_tree(tmp_path, {"a.py": source})
    for name, text in (
        ("Cart", BEGIN + middle + END + OTHER),
        ("Cart.total", (BEGIN + middle + END).removeprefix("class Cart:\n")),
    ):
        header, _, shown = zoom(name, ".", roots=Roots([tmp_path])).text.partition("\n")
        assert f"{shown.rstrip()}\n" == text
        assert header.endswith(" [SYNTAX-ERRORS]")
        first = source[: source.index(text)].count("\n") + 1
        last = first + text.count("\n") - 1
        assert header.startswith(f"+++ a.py:{first}-{last} ")


def test_definitions_that_end_where_the_parser_says_are_given_as_they_are(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": BEGIN + MERGE + END + OTHER + TAIL, "b.c": "int f(void) {\n}\n  int g;\nint h( {\n"})
    for name, text in (("tail", TAIL.lstrip()), ("f", "int f(void) {\n}\n")):
        header, _, shown = zoom(name, ".", roots=Roots([tmp_path])).text.partition("\n")
        assert f"{shown.rstrip()}\n" == text
        assert "SYNTAX-ERRORS" not in header


CART = "export class Cart {\n  total(rate: number) {\n    let s = 0;\n"
HALVES = "<<<<<<< HEAD\n    if (rate != 0) {\n=======\n    if (rate > 1) {\n>>>>>>> x\n      s *= rate;\n    }\n"
REST = "    return s;\n  }\n  other() { return 1; }\n}\nexport function tail() { return 2; }\n"


@pytest.mark.parametrize(("name", "lines"), [("Cart", "1-14"), ("Cart.total", "2-12"), ("Cart.other", "13-13")])
def test_a_name_where_its_file_cannot_be_parsed_leads_to_its_lines(tmp_path: Path, name: str, lines: str) -> None:
    write_tree(tmp_path, {"b.ts": CART + HALVES + REST, "a.ts": f"{CART}    return s;\n  }}\n}}\n"})
    with pytest.raises(SymbolNotFoundError, match=r"as far as b\.ts can be parsed, which has syntax errors") as missed:
        zoom(f"b.ts::{name}", ".", roots=Roots([tmp_path]))
    assert missed.value.suggestions == (f"file=b.ts:{lines}",)
    assert zoom(f"file=b.ts:{lines}", ".", roots=Roots([tmp_path])).text.startswith(f"+++ b.ts:{lines} ")
    for other in ("a.ts::Cart.other", "b.ts::Cart.nothing"):
        with pytest.raises(SymbolNotFoundError) as missed:
            zoom(other, ".", roots=Roots([tmp_path]))
        assert "syntax errors" not in str(missed.value)


NOTEBOOK = """{
 "cells": [
  {
   "cell_type": "code",
   "source": [
    "import a\\n",
    "def fit(data):\\n",
    "    return a.fit(data)"
   ]
  }
 ],
 "metadata": {"language_info": {"name": "klingon"}}, "nbformat": 4
}
"""
PAGE = "# Shop\n\nInstall it first.\n\n## Install\n\nRun make.\n\n### By hand\n\nCopy it.\n\n## Use\n\nBuy.\n"


@pytest.mark.parametrize(
    ("target", "lines", "shown"),
    [
        ("a.ipynb::fit", "7-8", '    "def fit(data):'),
        ("a.md::Install", "5-7", "## Install"),
        ("a.md::Copy", "11-11", "Copy"),
    ],
)
def test_a_name_in_a_file_that_defines_nothing_leads_to_the_lines_that_hold_it(
    tmp_path: Path, target: str, lines: str, shown: str
) -> None:
    write_tree(tmp_path, {"a.ipynb": NOTEBOOK, "a.md": PAGE})
    path = target.partition("::")[0]
    with pytest.raises(SymbolNotFoundError, match=rf": {path} defines no names, but these lines hold it\.") as missed:
        zoom(target, ".", roots=Roots([tmp_path]))
    assert missed.value.suggestions == (f"file={path}:{lines}",)
    header, _, text = zoom(missed.value.suggestions[0], ".", roots=Roots([tmp_path])).text.partition("\n")
    assert header.startswith(f"+++ {path}:{lines} ")
    assert text.startswith(shown)
    with pytest.raises(SymbolNotFoundError) as missed:
        zoom(f"{path}::nothing", ".", roots=Roots([tmp_path]))
    assert "defines no names" not in str(missed.value)
