from __future__ import annotations

import json

from skeleton import language_of, skeletons


def notebook(language: str) -> bytes:
    code = ["import a\n", "def f(x):\n", "    y = x\n", "    return y\n", "print(f(1))"]
    cells: list[dict[str, object]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "Text here. More."]},
        {"cell_type": "code", "metadata": {}, "outputs": [{"data": "x" * 500}], "execution_count": 1, "source": code},
    ]
    metadata = {"kernelspec": {"language": language, "name": "k"}, "language_info": {"name": language}}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1).encode()


def test_the_code_cells_of_a_notebook_are_skeletons_of_the_kernels_language() -> None:
    source = notebook("python")
    every = skeletons(source, language_of("a.ipynb", source))
    assert every.plus.text.endswith("import a\ndef f(x): ...\nprint(f(1))")
    assert every.skeleton.text.endswith("import a\ndef f(x): ...")
    lines = source.decode().split("\n")
    shown = dict(zip(every.plus.text.split("\n"), every.plus.line_numbers, strict=True))
    assert "def f(x):" in lines[shown["def f(x): ..."] - 1]


def test_a_kernel_of_an_unknown_language_shows_the_first_lines_of_its_cells() -> None:
    source = notebook("klingon")
    assert "import a" in skeletons(source, language_of("a.ipynb", source)).plus.text
