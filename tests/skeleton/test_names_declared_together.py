"""Several names of one declaration: outline, sketch and zoom know each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.languages.queries import Language
from skeleton.outline.outlining import outline
from tests.skeleton.desk import Desk
from tests.skeleton.sketching import sketch
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

TOGETHER = {
    "till.go": (
        "go",
        "package till\n\nconst Low, High = 1, 2\n\nconst (\n\tLeft, Right = 1, 2\n\tFirst, Last int = 3, 4\n)\n\nvar (\n\tin, out string\n)\n",
        ["Low", "High", "Left", "Right", "First", "Last", "in", "out"],
    ),
    "till.py": (
        "python",
        "low = high = 1\n(left, right) = 1, 2\n[first, last] = 1, 2\nhead, *tail = [1]\none, (two, three) = 1, (2, 3)\n",
        ["low", "high", "left", "right", "first", "last", "head", "tail", "one", "two", "three"],
    ),
    "till.swift": (
        "swift",
        "let (low, high) = (1, 2)\nvar first, last: Int\nstruct Till {\n  var left, right: Int\n}\n",
        ["low", "high", "first", "last", "Till", "left", "right"],
    ),
}


@pytest.mark.parametrize("path", TOGETHER)
def test_every_name_of_a_declaration_is_known(tmp_path: Path, path: str) -> None:
    language, text, names = TOGETHER[path]
    assert [one.name for one in outline(text.encode(), Language.named(language)).definitions] == names
    assert [one.name for one in sketch(text.encode(), language)] == names
    desk = Desk(write_tree(tmp_path, {path: text}))
    assert all(f"{name}" in desk.one(name).text for name in names)


def test_names_that_are_taken_out_of_an_object_may_have_a_default() -> None:
    text = "export const { low, high: most = 3, ...rest } = given();\n"
    names = [one.name for one in outline(text.encode(), Language.named("typescript")).definitions]
    assert names == ["low", "most", "rest"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("till.rs", "fn count() {\n    const MOST: u8 = 3;\n    let OTHER = 1;\n}\n"),
        ("till.c", "void count(void)\n{\n#define MOST 3\n    int other = 1, N = 2;\n}\n"),
        ("till.js", "function count() {\n  const MOST = 3;\n  const other = 1;\n}\n"),
    ],
)
def test_a_constant_in_a_body_is_known_by_its_capitals(tmp_path: Path, path: str, text: str) -> None:
    desk = Desk(write_tree(tmp_path, {path: text}))
    assert "MOST" in desk.one("MOST").text
    for name in ("other", "OTHER", "N"):
        with pytest.raises(SymbolNotFoundError):
            desk.zoom(name)
