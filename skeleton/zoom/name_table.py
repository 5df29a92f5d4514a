"""The names of a folder: the files that define each, and those that hold it as a word.

The table holds names and the files that hold them; the definitions themselves are looked up in the index when they are
needed. It follows the files: only what changed since the last call is taken out and put in again.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple, Self

from skeleton.formats import holds_code
from skeleton.index.records import Aspect, Definitions, Uses
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import USABLE
from skeleton.names.targets import last_segment
from skeleton.uses.aliases import leads_to
from skeleton.uses.places import known_parts
from skeleton.uses.sites import Sites
from skeleton.uses.words import Words
from skeleton.zoom.exports import module_parts
from workspace.cancellation import still_wanted
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition


class _Known(NamedTuple):
    """The facts of a table: by path each file, its key and its names, and those that code can use; by name the files."""

    files: dict[str, IndexedFile]
    names: dict[str, tuple[bytes, frozenset[str]]]
    usable: dict[str, frozenset[str]]
    holders: dict[str, AbstractSet[str]]
    words: Words


class NameTable:
    """Names and the files that define them. A table never changes, so threads may share it; another follows from it.

    Args:
        index: knows the files.
        known: the facts of it; none by default.
    """

    def __init__(self, index: CodeIndex, known: _Known | None = None) -> None:
        self._index = index
        known = _Known({}, {}, {}, {}, Words(index)) if known is None else known
        self._files, self._names, self._usable, self._holders, self._words = known
        self._listed = [*self._files.values()]
        self._ordered: list[tuple[str, str]] = []
        """Names as they are sorted for completions, in small letters first; empty until they are asked for."""

    def following(self, files: Sequence[IndexedFile], progress: Progress | None = None) -> Self:
        """Returns the table of a set of files; those that this one knows otherwise are looked at again.

        This one is returned where it is of just these files.

        Raises:
            FileChangedError: a file has changed since it was listed.
        """
        current = {file.path: file for file in files}
        changed = [file for file in files if not self._holds(file)]
        gone = [path for path in self._files if path not in current]
        if files and not changed and not gone:
            return self
        return self._edited(changed, gone, progress, order=[*current])

    def edited(self, changed: Sequence[IndexedFile], progress: Progress | None = None) -> Self:
        """Returns the table after some of its files, and no others, have changed. It looks at those alone.

        Args:
            changed: the files as they are now; this table holds others at their paths.
            progress: is told how many are parsed.

        Raises:
            FileChangedError: a file has changed since it was listed.
        """
        new = [file for file in changed if not self._holds(file)]
        return self._edited(new, (), progress, order=()) if new else self

    def has_all(self, files: Sequence[IndexedFile]) -> bool:
        """Tells whether there is a file at the path of each of some files."""
        return all(file.path in self._files for file in files)

    def _edited(
        self,
        changed: Sequence[IndexedFile],
        gone: Sequence[str],
        progress: Progress | None,
        *,
        order: Sequence[str],
    ) -> Self:
        """The table with some files taken out and others put in, or in the place of those at their paths.

        The files come in an order of their paths, or stay in the one they have.
        """
        read = [file for file in changed if self._names.get(file.path, (b"",))[0] != file.key]
        records = self._index.load(read, Aspect.SYMBOLS, Definitions, progress=progress)
        names_of, usable, files = {**self._names}, {**self._usable}, {**self._files}
        taken: dict[str, set[str]] = {}
        added: dict[str, set[str]] = {}
        for path in gone:
            _, names = names_of.pop(path)
            del usable[path], files[path]
            for name in names:
                taken.setdefault(name, set()).add(path)
        for file, record in still_wanted(zip(read, records, strict=True)):
            _, before = names_of.get(file.path, (b"", frozenset[str]()))
            names = frozenset(last_segment(one.name) for one in record.definitions)
            names_of[file.path] = (file.key, names)
            is_code = not holds_code(file.path)  # nothing else can use what a notebook defines
            usable[file.path] = frozenset(one.name for one in record.definitions if is_code and one.kind in USABLE)
            for name in before - names:
                taken.setdefault(name, set()).add(file.path)
            for name in names - before:
                added.setdefault(name, set()).add(file.path)
        holders = {**self._holders}
        for name in still_wanted({**taken, **added}):
            paths = (self._holders.get(name, frozenset[str]()) - taken.get(name, set())) | added.get(name, set())
            if paths:
                holders[name] = paths
            else:
                del holders[name]
        files |= {file.path: file.anew() for file in changed}  # without the texts that were read
        if order:
            files = {path: files[path] for path in order}
        return type(self)(self._index, _Known(files, names_of, usable, holders, self._words))

    def _holds(self, file: IndexedFile) -> bool:
        """Tells whether this is the table of a file as it is now, and it was not touched since."""
        known = self._files.get(file.path)
        return known is not None and known.scanned is file.scanned and known.key == file.key

    @property
    def names(self) -> Iterable[str]:
        """All names that something is defined by."""
        return self._holders

    def at(self, path: str) -> IndexedFile | None:
        """Returns the file at a path."""
        file = self._files.get(path)
        return file.anew() if file is not None else None

    def holders(self, name: str, path: str = "") -> list[IndexedFile]:
        """Returns the files that define a name, by path.

        Args:
            name: without its container.
            path: a file, the end of one's path, or a folder that they must be, or lie in; "" for anywhere.
        """
        paths = self._holders.get(name, frozenset[str]())
        chosen = [one for one in paths if one == path] if path else sorted(paths)
        if path and not chosen:
            chosen = sorted(one for one in paths if one.endswith(f"/{path}") or one.startswith(f"{path}/"))
        return [self._files[one].anew() for one in chosen]

    def usable(self, name: str) -> list[IndexedFile]:
        """Returns the files that define something of a name that code can use: a function, a type, a macro."""
        holders = self._holders.get(last_segment(name), ())
        return [self._files[one].anew() for one in sorted(holders) if name in self._usable[one]]

    def holding(self, name: bytes, progress: Progress | None = None) -> list[IndexedFile]:
        """Returns the files that may hold a name as a word; the others do not.

        Args:
            name: the name, as it is written.
            progress: is told of every file that is read for it, which is done once.

        Raises:
            FileChangedError: a file has changed since it was listed.
        """
        return [file.anew() for file in self._words.holding(name, self._listed, progress)]

    def symbols(self, files: Sequence[IndexedFile]) -> list[tuple[Definition, ...]]:
        """Returns every definition of each of some files, by position."""
        return [record.definitions for record in self._index.load(files, Aspect.SYMBOLS, Definitions)]

    def sites(self, files: Sequence[IndexedFile]) -> Iterator[Sites]:
        """Gives each of some files, in their order, to be asked for the places that use a name."""
        uses = self._index.load(files, Aspect.USES, Uses)
        for file, symbols, found in zip(files, self.symbols(files), uses, strict=True):
            source = file.source
            yield Sites(source, found, symbols, naming_of(file.path, source))

    def modules(self, word: str) -> Sequence[tuple[tuple[str, ...], IndexedFile]]:
        """The files that imports call by a word at the end, each with all the parts; those of "" have no parts."""
        return self._modules.get(word, ())

    def files_of(self, path: str, here: str) -> list[IndexedFile]:
        """The files that an import in another means by a path: `./cart` or `../shop/cart.js`."""
        last = path.rpartition("/")[2]
        spelt = (last, last.rpartition(".")[0], *path.split("/"))
        words = {"", *module_parts(here), *(part.replace("-", "_") for part in spelt)}
        found = {file.path: file for word in words for _, file in self.modules(word) if leads_to(path, here, file.path)}
        return [found[one].anew() for one in sorted(found)]

    @lazy
    def _modules(self) -> dict[str, list[tuple[tuple[str, ...], IndexedFile]]]:
        found: dict[str, list[tuple[tuple[str, ...], IndexedFile]]] = {}
        for file in self._listed:
            parts = module_parts(file.path)
            found.setdefault(parts[-1] if parts else "", []).append((parts, file.anew()))
        return found

    @lazy
    def known_parts(self) -> frozenset[str]:
        """The names of folders and files that an import of something here holds one of."""
        return known_parts(self._files)

    def starting(self, prefix: str, limit: int) -> list[str]:
        """Returns names that start with some letters, in any case, by name."""
        low = prefix.lower()
        if not self._ordered:
            self._ordered = sorted((one.lower(), one) for one in self._holders)
        first = at = bisect_left(self._ordered, (low, ""))
        while at < len(self._ordered) and at - first < limit and self._ordered[at][0].startswith(low):
            at += 1
        return [name for _, name in self._ordered[first:at]]
