"""Counts how much of the true main flows of repositories the line `main flow` of a first look names."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from benchmarks.overview.sources import HERE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Flows = Mapping[str, Mapping[str, Sequence[str]]]

BUDGET = 8000

_LINE = re.compile(r"^main flow: (.*)$", re.MULTILINE)
_BETWEEN = re.compile(r"[,;>\s]+")


def flows() -> Flows:
    """The definitions of each repository's main flow, by group and name."""
    table = tomllib.loads((HERE / "flows.toml").read_text(encoding="utf-8"))
    return {group: {name: one["flow"] for name, one in held.items()} for group, held in table.items()}


def share_named(text: str, wanted: Sequence[str]) -> float:
    """The share of some definitions that the line of a first look names, by their names or with what they stand in.

    Args:
        text: the first look.
        wanted: the names.
    """
    line = _LINE.search(text)
    told = {one.rpartition("::")[2] for one in _BETWEEN.split(line[1])} if line else set[str]()
    bare = {one.rpartition(".")[2] for one in told}
    return sum(one in (told if "." in one else bare) for one in wanted) / len(wanted)
