"""A shop to look at: source files that use one another, tests, prose and a copy of others' code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from allocator import ContextEngine
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult

README = """# Shop

[![badge](https://x/y.svg)](https://x/y)

Sells things to people who asked for `Basket` and nothing else, in many a country.
"""


def module(name: str, *, uses: str = "") -> str:
    """A source file with a type, its methods and two functions."""
    title = name.title()
    called = f"    {uses}()\n" if uses else "    pass\n"
    used = f"from shop.{uses.removeprefix('make_')} import {uses}\n" if uses else ""
    return (
        f"import os\nimport sys\nfrom typing import Any\n{used}\n\nclass {title}:\n"
        f'    """Holds what {name} needs."""\n\n'
        + "".join(
            f"    def {name}_{verb}(self, value: int) -> int:\n        return value * {len(verb)}\n\n"
            for verb in ("load", "store", "drop")
        )
        + f"\ndef make_{name}(size: int) -> {title}:\n{called}    return {title}()\n\n\ndef _hidden_{name}() -> None:\n    pass\n"
    )


STARTED = module("order", uses="make_basket") + "\n\ndef main():\n    make_order(1)\n"


def make_shop(folder: Path) -> Path:
    """Makes the folder of the shop."""
    names = ("basket", "order", "payment", "customer", "ledger", "mailer", "parcel", "price", "stock", "voucher")
    tree = {f"src/shop/{name}.py": module(name, uses="make_basket" if name != "basket" else "") for name in names}
    tree |= {f"src/shop/web/{name}_view.py": module(f"{name}_view", uses=f"make_{name}") for name in names}
    tree |= {f"tests/unit/test_{name}.py": f"def test_{name}():\n    assert make_{name}(1)\n" for name in names}
    tree |= {
        "README.md": README,
        "pyproject.toml": '[project]\nname = "shop"\ndescription = "A shop."\nscripts = {shop = "shop.cli:main"}\n',
        "src/shop/cli.py": "from shop.order import make_order\n\n\ndef main() -> None:\n    make_order(1)\n",
        "src/shop/__init__.py": "",
        "docs/guide/start.md": "# Start\n\nMake a `Basket` first.\n",
        "gradlew.bat": "@rem starts gradle\n" * 30,
        "vendor/lib/copy.py": module("basket"),
    }
    return write_tree(folder, tree)


def overview(folder: Path, budget: int, layout: str = "compact") -> ContextResult:
    return ContextEngine(Roots([folder])).get_context(str(folder), token_budget=budget, format=layout)


def told(folder: Path, line: str) -> str:
    """The rest of a line that tells of the whole; "" where there is none. The folder is made larger than the budget."""
    write_tree(folder, {f"notes/{number}.txt": "One line of many, and none of code.\n" * 200 for number in range(12)})
    found = re.search(rf"^{line}: (.*)$", overview(folder, 3000).context, re.MULTILINE)
    return found[1] if found else ""


def parts(prefix: str, imports: dict[str, str], *, ending: str = "py") -> dict[str, str]:
    """Folders of three files each, all of which import the same."""
    return {
        f"{prefix}{name}/{name}{number}.{ending}": f"{said}\n\n"
        + {"py": "def {}(): pass\n", "js": "function {}() {{}}\n", "java": "class {} {{}}\n"}[ending].format(
            f"{name}_step{number}"
        )
        for name, said in imports.items()
        for number in range(3)
    }
