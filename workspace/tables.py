"""Reads rules that are data: the tables in TOML files beside the code that works by them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
"""Not by `importlib.resources`: to load that takes longer than to read a table."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return what `name`.toml, as in "names/tiers", of this package holds; read once in a process, in some milliseconds."""
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))
