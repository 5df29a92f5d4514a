"""Rules about file names, read from tables: what `workspace.tiers` and `workspace.secrets` have in common."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    """A rule that a path matches when any of its lists does; `tiers.toml` explains the lists."""

    folders: frozenset[str]
    folder_patterns: re.Pattern[str] | None
    names: frozenset[str]
    extensions: frozenset[str]
    patterns: re.Pattern[str] | None

    def matches(self, path: str) -> bool:
        """Tell whether the rule matches a relative path with forward slashes."""
        *folders, name = path.split("/")
        low = name.lower()
        return (
            low in self.names
            or not self.folders.isdisjoint(folder.lower() for folder in folders)
            or any(extension in self.extensions for extension in _extensions(low))
            or (self.patterns is not None and self.patterns.match(name) is not None)
            or (self.folder_patterns is not None and any(self.folder_patterns.match(folder) for folder in folders))
        )


def name_rule(table: Mapping[str, list[str]], *, any_case: bool = False) -> NameRule:
    """Build a rule from its table; `any_case` makes the globs disregard case too."""
    flags = re.IGNORECASE if any_case else re.NOFLAG
    return NameRule(
        folders=frozenset(table.get("folders", ())),
        folder_patterns=_any_of(table.get("folder_patterns", ()), flags),
        names=frozenset(table.get("names", ())),
        extensions=frozenset(table.get("extensions", ())),
        patterns=_any_of(table.get("patterns", ()), flags),
    )


def _extensions(name: str) -> Iterable[str]:
    """What follows each dot of a name but a leading one: "a.min.js" gives "min.js" and "js"."""
    at = name.find(".", 1)
    while at >= 0:
        yield name[at + 1 :]
        at = name.find(".", at + 1)


def _any_of(globs: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str] | None:
    joined = "|".join(fnmatch.translate(glob) for glob in globs)
    return re.compile(joined, flags) if joined else None
