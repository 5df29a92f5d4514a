"""Code cells of notebooks become skeletons by a function of the caller."""

from __future__ import annotations

import json

from skeleton.formats import notebook
from skeleton.formats.lines import Line
from skeleton.levels import CompressionLevel

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "code", "source": ["import os\n", "def light(wick):\n", "    return wick\n"]},
            {"cell_type": "code", "source": ["a = 1\n", "b = 2\n"]},
        ],
        "metadata": {"kernelspec": {"language": "python"}},
    },
    indent=1,
)


def folded(source: str, language: str, level: CompressionLevel) -> list[Line] | None:
    assert language == "python"
    if "def" not in source:
        return None
    lines = source.split("\n")
    return [Line(number, f"{text} ...") for number, text in enumerate(lines, 1) if text.startswith("def")]


def test_a_code_cell_is_shown_as_its_skeleton_with_the_lines_of_the_notebook() -> None:
    lines = notebook.outliner(NOTEBOOK, folded)(CompressionLevel.SKELETON_PLUS)
    assert [line.text for line in lines] == ["# %% python", "def light(wick): ...", "# %%", "a = 1", "b = 2"]
    assert NOTEBOOK.split("\n")[lines[1].number - 1].strip().startswith('"def light')


def test_cells_beyond_the_cap_are_counted() -> None:
    cells = [{"cell_type": "code", "source": f"a = {number}"} for number in range(100)] + [
        {"cell_type": "code", "source": ""}
    ]
    lines = notebook.outliner(json.dumps({"cells": cells}))(CompressionLevel.SKELETON)
    assert lines[-2:] == [Line(1, "# %% [markdown]"), Line(1, "… 60 more")]


def test_a_cell_that_is_no_string_is_empty() -> None:
    assert notebook.outliner('{"cells": [{"cell_type": "code", "source": ["\\q"]}]}')(CompressionLevel.SKELETON) == []
