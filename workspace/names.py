"""Rules about file names, read from tables: what `workspace.tiers` and `workspace.secrets` have in common."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


MOST_REMEMBERED = 4096
"""Folders of which a rule remembers what it says: many files lie in few of them."""

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
    _known_folders: dict[str, bool] = field(default_factory=dict[str, bool], compare=False, repr=False)

    def matches(self, path: str) -> bool:
        """Tell whether the rule matches a relative path with forward slashes."""
        folder, _, name = path.rpartition("/")
        return self._matches_name(name) or self._matches_folder(folder)

    def _matches_name(self, name: str) -> bool:
        low = name.lower()
        return low in self.names or not self.extensions.isdisjoint(_extensions(low)) or self.patterns.match(name)

    def _matches_folder(self, path: str) -> bool:
        known = self._known_folders.get(path)
        if known is None:
            folders = path.split("/")
            known = not self.folders.isdisjoint(folder.lower() for folder in folders) or any(
                self.folder_patterns.match(folder) for folder in folders
            )
            if len(self._known_folders) >= MOST_REMEMBERED:
                self._known_folders.clear()
            self._known_folders[path] = known
        return known


def name_rule(table: Mapping[str, list[str]], *, any_case: bool = False) -> NameRule:
    """Build a rule from its table; `any_case` makes the globs disregard case too."""
    return NameRule(
        folders=frozenset(table.get("folders", ())),
        folder_patterns=_globs(table.get("folder_patterns", ()), any_case=any_case),
        names=frozenset(table.get("names", ())),
        extensions=frozenset(table.get("extensions", ())),
        patterns=_globs(table.get("patterns", ()), any_case=any_case),
    )


def _extensions(name: str) -> list[str]:
    """What follows each dot of a name but a leading one: "a.min.js" gives "min.js" and "js"."""
    parts = name[1:].split(".")
    return [".".join(parts[number:]) for number in range(1, len(parts))]


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
