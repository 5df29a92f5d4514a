"""Members that a class declares in its head or in the parameters of its constructor, or that its methods set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.languages.headers import language_name_of
from skeleton.languages.queries import Language
from skeleton.outline.outlining import outline
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

HEADS = {
    "User.kt": "data class User(\n    val id: Int,\n    private var theme: Theme = Theme.DARK,\n    plain: Int,\n)\n",
    "Point.cs": "public record Point(int X, int Y);\npublic class Plain(int Z) { }\n",
    "Crate.scala": "case class Crate(width: Int, height: Int)\n",
    "Till.php": "<?php\nclass Till {\n    public function __construct(private readonly Drawer $drawer, int $plain) {}\n}\n",
    "boat.ts": "export class Boat {\n  constructor(private readonly sail: Sail, plain: number, readonly oars = 2) {}\n}\n",
    "Lamp.java": "public record Lamp(int watts, Color color) {\n  int sum(int plain) { return watts; }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("User.id", "val id: Int"),
        ("User.theme", "private var theme: Theme = Theme.DARK"),
        ("Point.Y", "int Y"),
        ("Crate.height", "height: Int"),
        ("Till.drawer", "private readonly Drawer $drawer"),
        ("Till::$drawer", "private readonly Drawer $drawer"),
        ("Boat.sail", "private readonly sail: Sail"),
        ("Boat.oars", "readonly oars = 2"),
        ("Lamp.watts", "int watts"),
    ],
)
def test_what_a_class_is_made_with_and_keeps_is_a_member(tmp_path: Path, target: str, text: str) -> None:
    assert text in Desk(write_tree(tmp_path, HEADS)).one(target).text


@pytest.mark.parametrize("path", HEADS)
def test_it_is_in_no_outline_for_the_signature_shows_it(path: str) -> None:
    source = HEADS[path].encode()
    kinds = [one.kind for one in outline(source, Language.named(language_name_of(path, source) or "")).definitions]
    assert "field" not in kinds


def test_a_parameter_that_nothing_keeps_is_no_member(tmp_path: Path) -> None:
    with pytest.raises(SymbolNotFoundError):
        Desk(write_tree(tmp_path, HEADS)).zoom("plain")


SET = {
    "shop.py": (
        "class Shop:\n    def __init__(self):\n        if self.open == 1:\n            pass\n        self._till: int = 2\n"
        '        self.prices = {\n            "a": f(1),\n        }\n        self.odd = ")("\n\n\nclass Stall(Shop):\n    pass\n'
    ),
    "boat.rb": 'class Boat\n  def row\n    @sail ||= "x"\n    @oars = 2\n  end\nend\n',
    "lamp.js": "class Lamp {\n  constructor() {\n    this.watts = 1;\n    this.#hidden = 2;\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("Shop._till", "        self._till: int = 2"),
        ("Shop.prices", '        self.prices = {\n            "a": f(1),\n        }'),
        ("Stall.prices", '        self.prices = {\n            "a": f(1),\n        }'),
        ("Boat#sail", '    @sail ||= "x"'),
        ("Boat.@oars", "    @oars = 2"),
        ("Lamp.watts", "    this.watts = 1;"),
        ("Lamp.#hidden", "    this.#hidden = 2;"),
    ],
)
def test_what_the_methods_of_a_class_set_is_a_member(tmp_path: Path, target: str, text: str) -> None:
    assert Desk(write_tree(tmp_path, SET)).one(target).text == text


@pytest.mark.parametrize("target", ["Shop.open", "Shop.sail", "Boat.watts"])
def test_what_they_only_read_or_another_class_sets_is_none(tmp_path: Path, target: str) -> None:
    with pytest.raises(SymbolNotFoundError):
        Desk(write_tree(tmp_path, SET)).zoom(target)
