"""Rules about file names, read from tables: what `workspace.names.tiers` and `workspace.names.sensitive` have in common.

Rules are asked in their order, and the first that matches decides. The answer is that of the first rule that matches the
name, or of the first that matches a folder, whichever comes first; so all rules are kept together and asked once. Names,
extensions and folders are looked up. The many globs with one star, at an end, or one at both, are plain beginnings, ends
and insides: asking an expression of a hundred alternatives about each of many thousand files takes seconds.
"""

from __future__ import annotations

import fnmatch
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Table = Mapping[str, list[str]]


MOST_REMEMBERED = 4096
"""Folders of which rules remember what they say, and their names: many files lie in few of them."""

_WILD = re.compile(r"[*?\[]")
_GROUP = "rule_"


class _Globs(msgspec.Struct, frozen=True, kw_only=True):
    """The globs of some rules, each with the number of its rule."""

    beginnings: Mapping[str, int]
    any_beginning: tuple[str, ...]
    ends: Mapping[str, int]
    any_end: tuple[str, ...]
    insides: tuple[tuple[str, int], ...]
    others: re.Pattern[str] | None
    """An expression with one group for each rule, in their order; its name is `_GROUP` and the number of the rule."""
    lower: bool

    def first(self, name: str, found: int) -> int:
        """The first rule that matches a name, `found` where that comes before it."""
        text = name.lower() if self.lower else name
        if text.startswith(self.any_beginning):
            found = min(found, *(rule for beginning, rule in self.beginnings.items() if text.startswith(beginning)))
        if text.endswith(self.any_end):
            found = min(found, *(rule for end, rule in self.ends.items() if text.endswith(end)))
        for inside, rule in self.insides:
            if inside in text:
                found = min(found, rule)
        if self.others is not None and (match := self.others.match(text)) and match.lastgroup:
            found = min(found, int(match.lastgroup.removeprefix(_GROUP)))
        return found


class NameRules(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Rules in their order, each matching a path when any of its lists does; `tiers.toml` explains the lists.

    Attributes:
        count: how many rules there are.
    """

    count: int
    folders: Mapping[str, int]
    folder_paths: tuple[tuple[str, int], ...]
    """Each between slashes, in lower case."""
    folder_globs: _Globs
    names: Mapping[str, int]
    extensions: Mapping[str, int]
    name_globs: _Globs
    _known_folders: dict[str, int] = msgspec.field(default_factory=dict[str, int])

    def first(self, path: str) -> int:
        """Return the number of the first rule that matches a relative path with forward slashes; `count` if none does."""
        folder, _, name = path.rpartition("/")
        return min(self._first_of_name(name), self._first_of_folder(folder))

    def _first_of_name(self, name: str) -> int:
        low = name.lower()
        found = self.names.get(low, self.count)
        dot = low.find(".", 1)
        while dot >= 0:  # "a.min.js" has the extensions "min.js" and "js", ".env" has none
            found = min(found, self.extensions.get(low[dot + 1 :], found))
            dot = low.find(".", dot + 1)
        return self.name_globs.first(name, found)

    def _first_of_folder(self, path: str) -> int:
        known = self._known_folders.get(path)
        if known is None:
            known = min(map(self._first_of_one, path.split("/")))
            around = f"/{path.lower()}/" if self.folder_paths and "/" in path else ""
            known = self._remembered(path, min([known, *(rule for one, rule in self.folder_paths if one in around)]))
        return known

    def _first_of_one(self, folder: str) -> int:
        known = self._known_folders.get(folder)  # a name is a path of one folder
        if known is None:
            named = self.folders.get(folder.lower(), self.count)
            known = self._remembered(folder, self.folder_globs.first(folder, named))
        return known

    def _remembered(self, path: str, first: int) -> int:
        if len(self._known_folders) >= MOST_REMEMBERED:
            self._known_folders.clear()
        self._known_folders[path] = first
        return first


def name_rules(tables: Sequence[Table], *, any_case: bool = False) -> NameRules:
    """Build rules from their tables, the first first; `any_case` makes the globs disregard case too."""
    return NameRules(
        count=len(tables),
        folders=_firsts(tables, "folders"),
        folder_paths=tuple((f"/{path}/", rule) for path, rule in _firsts(tables, "folder_paths").items()),
        folder_globs=_globs(tables, "folder_patterns", any_case=any_case),
        names=_firsts(tables, "names"),
        extensions=_firsts(tables, "extensions"),
        name_globs=_globs(tables, "patterns", any_case=any_case),
    )


def _firsts(tables: Sequence[Table], key: str) -> dict[str, int]:
    """The first rule that lists each entry of a list."""
    found: dict[str, int] = {}
    for number, table in enumerate(tables):
        for entry in table.get(key, ()):
            found.setdefault(entry, number)
    return found


def _globs(tables: Sequence[Table], key: str, *, any_case: bool) -> _Globs:
    beginnings: dict[str, int] = {}
    ends: dict[str, int] = {}
    insides: dict[str, int] = {}
    others: dict[int, list[str]] = {}
    for glob, number in _firsts(tables, key).items():
        text = glob.lower() if any_case else glob
        fixed = text.strip("*")
        if _WILD.search(fixed) or text not in (f"*{fixed}*", f"*{fixed}", f"{fixed}*"):
            others.setdefault(number, []).append(fnmatch.translate(text))
        elif text == f"*{fixed}":
            ends.setdefault(fixed, number)
        else:
            (beginnings if text == f"{fixed}*" else insides).setdefault(fixed, number)
    groups = [f"(?P<{_GROUP}{number}>{'|'.join(expressions)})" for number, expressions in sorted(others.items())]
    return _Globs(
        beginnings=beginnings,
        any_beginning=tuple(beginnings),
        ends=ends,
        any_end=tuple(ends),
        insides=tuple(insides.items()),
        others=re.compile("|".join(groups)) if groups else None,
        lower=any_case,
    )
