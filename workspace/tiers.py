"""How important a file is, before anything else is known of it (Fractal seed, section 2.3: Core > Config > Tests > Other).

The rules are in `tiers.toml`, which says how to extend them. A name decides; the content is asked only whether a program
wrote the file, which makes it OTHER whatever its name.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, cast

from workspace.names import NameRule, name_rule

if TYPE_CHECKING:
    from collections.abc import Mapping


class Tier(IntEnum):
    """The tiers, the most important first."""

    CORE = 0
    CONFIG = 1
    TESTS = 2
    OTHER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    by_name: tuple[tuple[Tier, NameRule], ...]
    head_bytes: int
    generated: re.Pattern[bytes]
    long_line_bytes: int


def tier_of(path: str, source: bytes = b"") -> Tier:
    """Return the tier of a file.

    Args:
        path: relative, with forward slashes.
        source: its content, as far as known; empty leaves the decision to the name.
    """
    tier = next((tier for tier, rule in _rules().by_name if rule.matches(path)), Tier.OTHER)
    return Tier.OTHER if tier is not Tier.OTHER and source and is_machine_made(source) else tier


def is_machine_made(source: bytes) -> bool:
    """Tell by its content whether a program wrote a file: it says so near its beginning, or most of it is long lines."""
    rules = _rules()
    if rules.generated.search(source[: rules.head_bytes]):
        return True
    lengths = [*map(len, source.split(b"\n"))]
    longest_allowed = rules.long_line_bytes
    return max(lengths) > longest_allowed and 2 * sum(n for n in lengths if n > longest_allowed) > len(source)


@cache
def _rules() -> _Rules:
    text = resources.files("workspace").joinpath("tiers.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    content = cast("Mapping[str, int]", table["content"])
    return _Rules(
        by_name=tuple((Tier[rule["tier"].upper()], name_rule(rule)) for rule in table["rule"]),
        head_bytes=content["head_bytes"],
        generated=_generated(table["content"]),
        long_line_bytes=content["long_line_bytes"],
    )


def _generated(content: Mapping[str, list[str]]) -> re.Pattern[bytes]:
    starts = "|".join(re.escape(start) for start in content["comment_starts"])
    marks = "|".join(re.escape(mark) for mark in content["generated_marks"])
    return re.compile(rf"^[ \t]*(?:{starts}).*?(?:{marks})".encode(), re.MULTILINE)
