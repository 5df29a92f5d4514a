"""Members by another name of their class, and by the type that they are lent to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

YARD = {
    "shop.py": "class Shop:\n    def run(self):\n        return 1\n\n\nStore = Shop\n\n\nclass Stall(Store):\n    pass\n\n\na = b\nb = a\n",
    "till.ts": "export class Till {\n  ring() {\n    return 1;\n  }\n}\n\nexport const Counter = Till;\n",
    "boat.rb": "class Boat\n  def row\n    1\n  end\nend\n\nShip = Boat\n",
    "lamp.hpp": "class Lamp {\n public:\n  int dim();\n};\ntypedef Lamp Light;\nusing Torch = Lamp;\n",
    "Texts.cs": (
        "public static class Texts\n{\n    public static string Cut(this string of, int most) => of;\n"
        "    public static bool Lacks<T>(this Yard.IList<T> all) { return true; }\n"
        "    extension(string of)\n    {\n        public bool IsShort => of.Length < 3;\n    }\n"
        "    extension<T>(ref IPile<T> of)\n    {\n        public bool IsFlat() => true;\n    }\n"
        "    public static string Plain(string of) => of;\n}\n"
    ),
}


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("Store.run", "Shop.run"),
        ("shop.py::Store.run", "Shop.run"),
        ("Stall.run", "Shop.run"),
        ("Counter.ring", "Till.ring"),
        ("Ship#row", "Boat.row"),
        ("Light::dim", "Lamp.dim"),
        ("Torch::dim", "Lamp.dim"),
        ("string.Cut", "Texts.Cut"),
        ("String.Cut(int)", "Texts.Cut"),
        ("IList<T>.Lacks", "Texts.Lacks"),
        ("string.IsShort", "Texts.IsShort"),
        ("IPile.IsFlat", "Texts.IsFlat"),
    ],
)
def test_a_member_by_another_name_of_what_it_stands_in(tmp_path: Path, target: str, meant: str) -> None:
    found = Desk(write_tree(tmp_path, YARD)).zoom(target)
    (match,) = found.matches
    assert match.title.endswith(f" {meant}")


@pytest.mark.parametrize("target", ["a.run", "string.Plain", "IList.IsFlat", "Store.sail"])
def test_what_no_other_name_means_is_nothing(tmp_path: Path, target: str) -> None:
    with pytest.raises(SymbolNotFoundError):
        Desk(write_tree(tmp_path, YARD)).zoom(target)
