"""Rules about file names, read from tables: what `workspace.tiers` and `workspace.secrets` have in common."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Globs:
    beginnings: tuple[str, ...]
    ends: tuple[str, ...]
    others: re.Pattern[str] | None
    lower: bool

    def match(self, name: str) -> bool:
        text = name.lower() if self.lower else name
        return (
            text.endswith(self.ends)
            or text.startswith(self.beginnings)
            or (self.others is not None and self.others.match(text) is not None)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    """A rule that a path matches when any of its lists does; `tiers.toml` explains the lists.

    The many globs with one star, at an end, are kept as plain beginnings and ends: asking an expression of a hundred
    alternatives about each of many thousand files takes seconds.
    """

    folders: frozenset[str]
    folder_patterns: _Globs
    names: frozenset[str]
    extensions: frozenset[str]
    patterns: _Globs

    def matches(self, path: str) -> bool:
        """Tell whether the rule matches a relative path with forward slashes."""
        *folders, name = path.split("/")
        low = name.lower()
        return (
            low in self.names
            or not self.folders.isdisjoint(folder.lower() for folder in folders)
            or any(extension in self.extensions for extension in _extensions(low))
            or self.patterns.match(name)
            or any(self.folder_patterns.match(folder) for folder in folders)
        )


def name_rule(table: Mapping[str, list[str]], *, any_case: bool = False) -> NameRule:
    """Build a rule from its table; `any_case` makes the globs disregard case too."""
    return NameRule(
        folders=frozenset(table.get("folders", ())),
        folder_patterns=_globs(table.get("folder_patterns", ()), any_case=any_case),
        names=frozenset(table.get("names", ())),
        extensions=frozenset(table.get("extensions", ())),
        patterns=_globs(table.get("patterns", ()), any_case=any_case),
    )


def _extensions(name: str) -> Iterable[str]:
    """What follows each dot of a name but a leading one: "a.min.js" gives "min.js" and "js"."""
    at = name.find(".", 1)
    while at >= 0:
        yield name[at + 1 :]
        at = name.find(".", at + 1)


def _globs(globs: Iterable[str], *, any_case: bool) -> _Globs:
    written = [glob.lower() if any_case else glob for glob in globs]
    beginnings: list[str] = []
    ends: list[str] = []
    others: list[str] = []
    for glob in written:
        if glob.startswith("*") and not _WILD.search(glob, 1):
            ends.append(glob[1:])
        elif glob.endswith("*") and not _WILD.search(glob[:-1]):
            beginnings.append(glob[:-1])
        else:
            others.append(fnmatch.translate(glob))
    return _Globs(
        beginnings=tuple(beginnings),
        ends=tuple(ends),
        others=re.compile("|".join(others)) if others else None,
        lower=any_case,
    )
