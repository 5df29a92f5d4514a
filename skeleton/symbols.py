"""The symbols of a folder: which files define a name, and which names are like it.

The table holds names and the files that hold them; the definitions themselves are looked up in the index when they are
needed. It follows the files: only what changed since the last call is taken out and put in again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

from skeleton.records import Aspect, Definitions
from skeleton.targets import SymbolTarget, segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from skeleton.index import CodeIndex, IndexedFile, Progress
    from skeleton.outline import Definition

MOST_SUGGESTED: Final = 8
_LIKE_ENOUGH: Final = 70.0
"""Of a hundred: how alike two names must be to be suggested for each other."""

_LONG_ENOUGH: Final = 3
"""Characters that a part of a name must have to suggest the name."""


class SymbolTable:
    """Names and the files that define them.

    Args:
        index: knows the files.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._files: dict[str, IndexedFile] = {}
        self._names: dict[str, tuple[bytes, frozenset[str]]] = {}
        self._holders: dict[str, set[str]] = {}

    def follow(self, files: Sequence[IndexedFile], progress: Progress | None = None) -> None:
        """Takes over a set of files; those that it knew otherwise are looked at again.

        Raises:
            FileChangedError: a file has changed since it was listed.
        """
        current = {file.path: file for file in files}
        for path in self._names.keys() - current.keys():
            self._remove(path)
        new = [file for file in files if self._names.get(file.path, (b"",))[0] != file.key]
        records = self._index.load(new, Aspect.SYMBOLS, Definitions, progress=progress)
        for file, record in zip(new, records, strict=True):
            self._remove(file.path)
            names = frozenset(segments(one.name)[-1] if segments(one.name) else one.name for one in record.definitions)
            self._names[file.path] = (file.key, names)
            for name in names:
                self._holders.setdefault(name, set()).add(file.path)
        self._files = current

    def holders(self, name: str, path: str = "") -> list[IndexedFile]:
        """Returns the files that define a name, by path.

        Args:
            name: without its container.
            path: a file, the end of one's path, or a folder that they must be, or lie in; "" for anywhere.
        """
        paths = self._holders.get(name, set())
        chosen = [one for one in paths if one == path] if path else sorted(paths)
        if path and not chosen:
            chosen = sorted(one for one in paths if one.endswith(f"/{path}") or one.startswith(f"{path}/"))
        return [self._files[one] for one in chosen]

    def file(self, path: str) -> IndexedFile | None:
        """Returns a file by its path."""
        return self._files.get(path)

    @property
    def files(self) -> Mapping[str, IndexedFile]:
        """All files, by path."""
        return self._files

    def definitions(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names, in no order that matters."""
        files = self.holders(target.segments[-1], target.path)
        records = self._index.load(files, Aspect.SYMBOLS, Definitions)
        found: list[tuple[IndexedFile, Definition]] = []
        for file, record in zip(files, records, strict=True):
            named = [one for one in record.definitions if _names(one, target)]
            if target.ordinal:
                named = _numbered(named, target.ordinal)
            found += [(file, one) for one in named]
        return found

    def like(self, name: str, kinds: Iterable[str] = (), limit: int = MOST_SUGGESTED) -> list[str]:
        """Returns targets of definitions with names like one: by their letters, then by a part that they share."""
        wanted = name.lower()
        lowered = {one: one.lower() for one in self._holders}
        near = [
            one
            for one, _, _ in process.extract(wanted, lowered, scorer=fuzz.ratio, score_cutoff=_LIKE_ENOUGH, limit=limit)
        ]
        names = [
            match[2]
            for match in process.extract(wanted, lowered, scorer=fuzz.ratio, score_cutoff=_LIKE_ENOUGH, limit=limit)
        ]
        if len(wanted) >= _LONG_ENOUGH and len(near) < limit:
            names += sorted(
                (one for one, low in lowered.items() if one not in names and _is_part(wanted, low)),
                key=lambda one: (abs(len(one) - len(name)), one),
            )[: limit - len(names)]
        return self._targets(names, frozenset(kinds), limit)

    def starting(self, prefix: str, limit: int) -> list[str]:
        """Returns names that start with some letters, in any case, by name."""
        low = prefix.lower()
        return sorted(
            (one for one in self._holders if one.lower().startswith(low)), key=lambda one: (one.lower(), one)
        )[:limit]

    def _targets(self, names: Sequence[str], kinds: frozenset[str], limit: int) -> list[str]:
        targets: dict[str, None] = {}
        for name in names:
            for file in sorted(self.holders(name), key=lambda one: (one.tier, one.path)):
                (record,) = self._index.load([file], Aspect.SYMBOLS, Definitions)
                for one in record.definitions:
                    if one.name == name and (not kinds or one.kind in kinds):
                        targets[f"symbol={file.path}::{one.path}"] = None
                if len(targets) >= limit:
                    return [*targets][:limit]
        return [*targets]

    def _remove(self, path: str) -> None:
        _, names = self._names.pop(path, (b"", frozenset[str]()))
        for name in names:
            holders = self._holders[name]
            holders.discard(path)
            if not holders:
                del self._holders[name]


def _names(one: Definition, target: SymbolTarget) -> bool:
    parts = segments(one.path)
    return parts[-len(target.segments) :] == target.segments and (not target.kinds or one.kind in target.kinds)


def _numbered(named: Sequence[Definition], ordinal: int) -> list[Definition]:
    """Of each qualified name the one that has the number."""
    seen: dict[str, int] = {}
    chosen: list[Definition] = []
    for one in named:
        seen[one.path] = seen.get(one.path, 0) + 1
        if seen[one.path] == ordinal:
            chosen.append(one)
    return chosen


def _is_part(wanted: str, name: str) -> bool:
    return wanted in name or (len(name) >= _LONG_ENOUGH and name in wanted)
