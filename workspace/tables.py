"""Rules that are data: the tables in TOML files beside the code that works by them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """Return what `name`.toml of this package holds; read once in a process, which takes some milliseconds."""
    return tomllib.loads(resources.files("workspace").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
