"""Definitions that many files hold alike are told once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allocator import ContextEngine
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

_BUILD = (
    "def build_config(arguments):\n    if len(arguments) < 3:\n        raise ValueError('not enough arguments')\n"
    "    return arguments[1], arguments[2]\n"
)


def _shown(tmp_path: Path, states: int) -> str:
    tree = {
        f"listings/listing_{at}/main.py": f"{_BUILD}\n\ndef step_{at}(config):\n    return config[{at}] + {at}\n"
        for at in range(states)
    }
    tree |= {f"shop/part_{at}.py": f"def sell_{at}(goods):\n    return goods[{at}] + {at}\n" for at in range(9)}
    root = write_tree(tmp_path / str(states), tree)
    engine = ContextEngine(Roots([str(tmp_path)]))
    return engine.get_context(str(root), token_budget=700, query="build the config of the arguments").context


def test_a_function_that_many_files_hold_alike_is_not_shown_of_each(tmp_path: Path) -> None:
    assert _shown(tmp_path, 2).count("not enough arguments") == 2
    assert _shown(tmp_path, 8).count("not enough arguments") <= 2
