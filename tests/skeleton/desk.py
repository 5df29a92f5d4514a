"""A small shop in several languages, and a zoomer over it that is kept between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer, ZoomResult
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from skeleton.zoom.zoomer import Match

SHOP = {
    "shop/cart.py": "from shop.price import total\n\n\nclass Cart:\n    def sum(self):\n        return total(self.items)\n",
    "shop/price.py": "def total(items):\n    return sum(tax(one) for one in items)\n\n\ndef tax(one):\n    return one\n",
    "tests/test_price.py": "from shop.price import total\n\n\ndef test_total_of_nothing():\n    assert total([]) == 0\n",
    "web/price.ts": "export const show = (cents: number) => format(cents);\nfunction format(cents: number) {\n  return `${cents}`;\n}\n",
    "src/lib.rs": "pub fn outer() -> u8 {\n    inner()\n}\nfn inner() -> u8 {\n    1\n}\n#[test]\nfn checks() {\n    outer();\n}\n",
    "main.go": "package main\n\nfunc main() {\n\trun(1)\n}\n\nfunc run(n int) int {\n\treturn n\n}\n",
    "App.java": "class App {\n  int twice(int n) { return add(n, n); }\n  int add(int a, int b) { return a + b; }\n}\n",
}


class Desk:
    """A folder and a zoomer that is kept between calls, as a server keeps it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.zoomer = Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)))

    def zoom(self, target: str, budget: int | None = None, context: str = "") -> ZoomResult:
        return self.zoomer.zoom(target, str(self.folder), token_budget=budget, context=context)

    def one(self, target: str) -> Match:
        (match,) = self.zoom(target).matches
        return match
