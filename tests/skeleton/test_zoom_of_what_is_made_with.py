"""Members that a class declares in its head, or in the parameters of its constructor."""

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
