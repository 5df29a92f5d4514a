"""The page of a `pack` command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.report.page import MOST_TEXT, report_page
from server.versions import distribution_version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from allocator import ContextEngine

_TOLD = ("query", "names", "focus", "changed", "since", "cursor", "include", "exclude")
"""Arguments of a call that a page tells where they are given."""

_SWITCHES = {"skeleton": "auto", "min_level": "L3", "max_level": "L0", "format": "compact"}
"""Likewise, where they are not as they are by default."""


def write_report(target: Path, engine: ContextEngine, place: str, call: Mapping[str, Any]) -> None:
    """Writes the page that shows what the budget of a call bought.

    Args:
        target: the file.
        engine: answers the call.
        place: the path that it is about.
        call: the arguments of `ContextEngine.get_context`, without a summary.

    Raises:
        FractalContextError: as of `ContextEngine.get_context`.
    """
    profile = engine.profile(place, most_text=MOST_TEXT, **call)
    page = report_page(
        profile, title=Path(place).name or place, version=distribution_version(), question=question_of(call)
    )
    target.write_bytes(page)


def question_of(call: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Lists what a page tells of the arguments of a call, those alone that were given and are not as by default."""
    return list(_question(call))


def _question(call: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in _TOLD:
        value = call.get(name)
        if value:
            yield name, value if isinstance(value, str) else ", ".join(value)
    for name, usual in _SWITCHES.items():
        if call.get(name, usual) != usual:
            yield name.replace("_", "-"), str(call[name])
