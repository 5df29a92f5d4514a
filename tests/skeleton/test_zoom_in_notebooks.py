"""Definitions in the code cells of notebooks: zoom gives their code, not the JSON that holds it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skeleton.cells import definitions_in_cells
from skeleton.formats.json_strings import unquoted
from skeleton.zoom.zoomer import zoom
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

SHOWN = 'def light(wick, says="\\t\\"é\\""):\n    # 🔥\n    return wick\n'
CELL = (
    f"%matplotlib inline\n!pip install wick\nmatch = 1\n\n@cache\n{SHOWN}\nclass Lamp(Base):\n    def on(self): ...\n"
)


def notebook(*cells: str, language: str = "python", indent: int | None = 1, is_one_string: bool = False) -> str:
    found = [
        {"cell_type": "markdown", "source": ["# def light(): in words\n"]},
        *(
            {"cell_type": "code", "outputs": [{"text": ["def light(): no\n"]}], "source": source}
            for source in (cell if is_one_string else cell.splitlines(keepends=True) for cell in cells)
        ),
    ]
    return json.dumps({"cells": found, "metadata": {"kernelspec": {"language": language}}}, indent=indent)


def shown(folder: Path, target: str, *, line_numbers: bool = False) -> tuple[str, str]:
    header, _, text = zoom(target, ".", roots=Roots([folder]), line_numbers=line_numbers).text.partition("\n")
    return header, text


@pytest.mark.parametrize("is_one_string", [False, True])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_function_in_a_cell_is_given_as_the_cell_holds_it(
    tmp_path: Path, indent: int | None, is_one_string: bool
) -> None:
    source = notebook("import x\n", CELL, indent=indent, is_one_string=is_one_string)
    write_tree(tmp_path, {"train.ipynb": source})
    header, text = shown(tmp_path, "light")
    assert text == f"@cache\n{SHOWN}"
    assert header.endswith(" [lines of the notebook's JSON]")
    lines = source.split("\n")
    first, last = map(int, header.split()[1].partition(":")[2].split("-"))
    assert "@cache" in lines[first - 1]
    assert "return wick" in lines[last - 1]
    header, text = shown(tmp_path, "train.ipynb::Lamp.on")
    assert text.strip() == "def on(self): ..."


def test_the_lines_of_a_cell_are_numbered_as_the_file_holds_them(tmp_path: Path) -> None:
    source = notebook(CELL)
    write_tree(tmp_path, {"train.ipynb": source})
    _, text = shown(tmp_path, "light", line_numbers=True)
    lines = source.split("\n")
    for line in text.splitlines():
        number, _, code = line.partition(" ")
        assert json.dumps(code)[1:-1] in lines[int(number) - 1]
    write_tree(tmp_path, {"train.ipynb": notebook(CELL, is_one_string=True)})
    _, text = shown(tmp_path, "light", line_numbers=True)
    assert len({line.partition(" ")[0] for line in text.splitlines()}) == 1


def test_a_cell_of_another_language_is_read_as_that_says(tmp_path: Path) -> None:
    scripts = "%%bash\ngreet() {\n  echo hi\n}\n", "%%time\ndef slow():\n    return 1\n"
    write_tree(tmp_path, {"a.ipynb": notebook(*scripts), "b.ipynb": notebook("f <- function(x) x\n", language="R")})
    assert shown(tmp_path, "greet")[1] == "greet() {\n  echo hi\n}\n"
    assert shown(tmp_path, "slow")[1] == "def slow():\n    return 1\n"
    assert shown(tmp_path, "b.ipynb::f")[1] == "f <- function(x) x\n"


def test_what_a_cell_sets_for_the_next_ones_is_no_symbol(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.ipynb": notebook(CELL)})
    with pytest.raises(SymbolNotFoundError):
        zoom("match", ".", roots=Roots([tmp_path]))


def test_code_that_others_can_use_comes_before_that_of_a_notebook_and_calls_it_alone(tmp_path: Path) -> None:
    used = "def light(wick):\n    return wick\n"
    caller = "from lamp import light\n\ndef evening():\n    return light(1)\n\ndef guess():\n    return fit(1)\n"
    write_tree(tmp_path, {"a/b.ipynb": notebook(CELL, "def fit(x):\n    return x\n"), "lamp.py": used, "z.py": caller})
    found = zoom("light", ".", roots=Roots([tmp_path]))
    assert [match.path for match in found.matches] == ["lamp.py", "a/b.ipynb"]
    assert "a/b.ipynb" not in zoom("evening", ".", roots=Roots([tmp_path]), context="callees").text
    assert "=== no callees of guess found" in zoom("guess", ".", roots=Roots([tmp_path]), context="callees").text
    told = zoom("fit", ".", roots=Roots([tmp_path]), context="callers").text
    assert told.endswith("=== callers of fit not looked for: the calls in a notebook are not read\n")


def test_a_list_of_namesakes_tells_their_signatures_as_code(tmp_path: Path) -> None:
    cells = [f'def fit(\n    x_{number},\n    y="é"):\n    return {number}\n' for number in range(7)]
    write_tree(tmp_path, {"a.ipynb": notebook(*cells)})
    assert 'symbol=a.ipynb::fit~3 (function fit, 4 lines): def fit( x_2, y="é")\n' in shown(tmp_path, "fit")[1]
    assert shown(tmp_path, "a.ipynb::fit~3")[1] == cells[2]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=8), st.booleans())
def test_every_definition_of_a_notebook_is_code_again(words: list[str], is_ascii: bool) -> None:
    lines = [f"# {word}" for word in words]
    cell = "\n".join(["x = 1", *lines, "def f(a):", f"    return {words!r}"])
    cells = {"cells": [{"cell_type": "code", "source": cell.splitlines(keepends=True)}]}
    source = json.dumps(cells, ensure_ascii=is_ascii, indent=1).encode()
    (one,) = [each for each in definitions_in_cells(source) if each.name == "f"]
    held = unquoted(source, one.signature, one.end)
    assert held is not None
    assert held.text == f"def f(a):\n    return {words!r}"
    assert len(held.rows) == held.text.count("\n") + 1


@pytest.mark.parametrize(
    "source", [b"", b"[]", b'{"cells": 3}', b'{"cells": [{"cell_type": "code", "source": ["def f():']
)
def test_a_broken_notebook_is_read_as_far_as_it_goes(source: bytes) -> None:
    assert len(definitions_in_cells(source)) <= 1


def test_what_is_no_string_between_two_places_is_not_taken_for_code() -> None:
    assert unquoted(b'"a", {"b": "c"}', 1, 14) is None
    assert unquoted(b'"a", 1, "c"', 1, 10) is None
