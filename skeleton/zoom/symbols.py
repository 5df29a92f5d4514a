"""The symbols of a folder: the files that define each name, and the names that are like one.

The table holds names and the files that hold them; the definitions themselves are looked up in the index when they are
needed. It follows the files: only what changed since the last call is taken out and put in again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.index.records import Aspect, Definitions, Uses
from skeleton.languages.headers import naming_of
from skeleton.languages.kinds import CALLABLE, HOLDERS, USABLE
from skeleton.names.fitting import as_qualified, in_declared, in_order, module_fit, namespace_of, size_within
from skeleton.names.overloads import labelled
from skeleton.names.packages import behind_package, may_name_a_package, stands_within
from skeleton.names.targets import (
    EXACTLY,
    SymbolTarget,
    declared_name,
    is_member_of,
    last_segment,
    segments,
    stem,
    symbol_target,
    without_call,
)
from skeleton.names.traced import narrowed, placed, read_otherwise
from skeleton.uses.aliases import leads_to
from skeleton.uses.certainty import known_parts
from skeleton.uses.sites import Sites
from skeleton.uses.words import Words
from skeleton.zoom.exports import exported, has_package, module_parts
from skeleton.zoom.inheriting import inherited, is_class
from skeleton.zoom.suggesting import MOST_SUGGESTED, targets_like
from workspace.cancellation import still_wanted
from workspace.lazy import lazy
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from skeleton.index.code_index import CodeIndex, Progress
    from skeleton.index.indexed import IndexedFile
    from skeleton.names.packages import Named
    from skeleton.names.traced import Reading
    from skeleton.outline.definitions import Definition


class Found(NamedTuple):
    """The definitions that a target names, and what is to be told of them where it does not name them in full."""

    pairs: Sequence[tuple[IndexedFile, Definition]] = ()
    told: str = ""


_OF_OTHERS: Final = frozenset(["impl"])
"""Kinds of definitions that add to what another one defines, and bear its name."""

_ARGUMENTS: Final = re.compile(r"(?<=\w)<(?>(?:->|[^<>])*)(?>(?:<(?>(?:->|[^<>])*)>(?>(?:->|[^<>])*))*)>")
"""The arguments of a type, which may be types with arguments."""


class SymbolTable:
    """Names and the files that define them. A table never changes, so threads may share it; another follows from it.

    Args:
        index: knows the files.
    """

    def __init__(self, index: CodeIndex) -> None:
        self._index = index
        self._files: dict[str, IndexedFile] = {}
        self._names: dict[str, tuple[bytes, frozenset[str]]] = {}
        self._usable: dict[str, frozenset[str]] = {}
        self._holders: dict[str, AbstractSet[str]] = {}
        self._words = Words(index)
        self._listed: list[IndexedFile] = []
        self._ordered: list[tuple[str, str]] = []
        """Names as they are sorted for completions, in small letters first; empty until they are asked for."""

    def following(self, files: Sequence[IndexedFile], progress: Progress | None = None) -> SymbolTable:
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

    def edited(self, changed: Sequence[IndexedFile], progress: Progress | None = None) -> SymbolTable:
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
    ) -> SymbolTable:
        """The table with some files taken out and others put in, or in the place of those at their paths.

        The files come in an order of their paths, or stay in the one they have.
        """
        read = [file for file in changed if self._names.get(file.path, (b"",))[0] != file.key]
        records = self._index.load(read, Aspect.SYMBOLS, Definitions, progress=progress)
        table = SymbolTable(self._index)
        table._words = self._words
        table._names, table._usable, table._files = {**self._names}, {**self._usable}, {**self._files}
        taken: dict[str, set[str]] = {}
        added: dict[str, set[str]] = {}
        for path in gone:
            _, names = table._names.pop(path)
            del table._usable[path], table._files[path]
            for name in names:
                taken.setdefault(name, set()).add(path)
        for file, record in still_wanted(zip(read, records, strict=True)):
            _, before = table._names.get(file.path, (b"", frozenset[str]()))
            names = frozenset(last_segment(one.name) for one in record.definitions)
            table._names[file.path] = (file.key, names)
            table._usable[file.path] = frozenset(one.name for one in record.definitions if one.kind in USABLE)
            for name in before - names:
                taken.setdefault(name, set()).add(file.path)
            for name in names - before:
                added.setdefault(name, set()).add(file.path)
        table._holders = {**self._holders}
        for name in still_wanted({**taken, **added}):
            paths = (self._holders.get(name, frozenset[str]()) - taken.get(name, set())) | added.get(name, set())
            if paths:
                table._holders[name] = paths
            else:
                del table._holders[name]
        table._files |= {file.path: file.anew() for file in changed}  # without the texts that were read
        if order:
            table._files = {path: table._files[path] for path in order}
        table._listed = [*table._files.values()]
        return table

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

    def definitions(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names, as `found` does, without what is to be told of it."""
        return [*self.found(target).pairs]

    def found(self, target: SymbolTarget) -> Found:
        """Returns what a target names, in no order that matters.

        What is called exactly as it is written comes before what is only read alike (`size` and `#size`). In a file or folder that the target names, a definition whose whole qualified name it gives is meant alone.
        """
        found = (
            self._read_as(target, placed(target.name)) or self._as_it_is(target) or self._in_package(target) or Found()
        )
        if any(file.tier is not Tier.TESTS for file, _ in found.pairs):
            return found
        other = self._read_as(target, read_otherwise(target.name))  # a title of tests may be spelt so: `push/2`
        return Found([*other.pairs, *found.pairs], other.told) if other is not None else found

    def _read_as(self, target: SymbolTarget, readings: Sequence[Reading]) -> Found | None:
        """Returns what the first reading names that names something."""
        for reading in readings:
            if reading.name and reading.name != target.name:
                wanted = symbol_target(target.word, reading.name)
                found = self._as_it_is(wanted) or self._in_package(wanted)
                beside = self._beside(wanted, reading.beside) if reading.beside and found is not None else []
                pairs, told = narrowed(beside or found.pairs, reading) if found is not None else ([], "")
                if found is not None and pairs:
                    return Found(pairs, told or found.told)
        return None

    def _beside(self, target: SymbolTarget, owner: str) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names in a class, or in what extends something else there: `Path.of` and `Path.String.of`."""
        wanted = (owner, target.segments[-1])
        space = target.segments[: -len(wanted)]
        files = self.holders(target.segments[-1])
        return [
            (file, one)
            for file, definitions in zip(files, self.symbols(files), strict=True)
            for one in definitions
            if last_segment(one.name) == wanted[-1]
            and in_order(wanted, segments(one.path))
            and (not space or namespace_of(file)[-len(space) :] == space)
        ]

    def _as_it_is(self, target: SymbolTarget) -> Found | None:
        """Returns what a target names in the grammar of names."""
        if found := self._in_plain_file(target):
            return Found(found)
        named = self._named(target)
        if _defines(named):
            return Found(named)
        if sure := self._exported(target) or named or self._called(target):
            fitting = labelled(target.name, sure)
            return Found(fitting) if fitting else Found(sure, f"none has the labels of {target.name!r}:")
        fit, within = self._within(target, size_within)
        if fit == EXACTLY:
            return Found(within)
        if found := self._inherited(target):
            return found
        if within:
            return Found(within, f"no {target.name!r} here; this fits a part of what stands before its name:")
        if found := self._in_namespace(target):
            return found
        others = self._as_macro(target) or self._without_arguments(target) or self._members_of(target)
        return Found(others) if others else None

    def behind_package(self, name: str) -> list[Named]:
        """Returns the meanings of a name that begins with that of a package, as its manifest says it."""
        return behind_package(name, (file.anew() for file in self._listed)) if may_name_a_package(name) else []

    def _in_package(self, target: SymbolTarget) -> Found | None:
        """Returns what a target names behind the name of a package: `@shop/till.Cart`, `github.com/shop/till/cart.Add`."""
        for folder, names, package in self.behind_package(without_call(target.name)):
            if not names:
                continue
            parts = tuple(part for part in folder.split("/") if part)
            named = self._named(symbol_target(target.word, ".".join(names)))
            own = [(file, one) for file, one in named if stem(file.path) == parts and segments(one.path) == names]
            if own:
                return Found(own)
            given = exported(self, (*parts, *names)) if parts else None
            if given is not None and stands_within(given[0].path, package):
                return Found([(given[0], one) for one in given[1]])
            inside = [(file, one) for file, one in named if stands_within(file.path, folder)]
            if inside:
                return Found(
                    inside, f"{folder or 'the package'} does not give out {'.'.join(names)} by that name; inside it:"
                )
        return None

    def _inherited(self, target: SymbolTarget) -> Found | None:
        """Returns the member that a target names of a class which has it from one above: `Ordered.get` is `Base.get`."""
        *around, name = segments(without_call(target.qualified))
        if not around or target.ordinal or (target.kinds and target.kinds.isdisjoint(CALLABLE)):
            return None
        place = f"{target.path}::" if target.path else ""
        owner = self._as_it_is(symbol_target("class", f"{place}{'::'.join(around)}"))
        classes = [pair for pair in owner.pairs if is_class(pair)] if owner is not None and not owner.told else []
        found = inherited(self, classes, name) if classes else None
        if found is None:
            return None
        also = f" (also {', '.join(found.others)})" if found.others else ""
        owners = " and ".join({f"{one.container}.{name}": 0 for _, one in found.pairs})
        return Found(found.pairs, f"{'.'.join(around)}.{name} is inherited: {owners}{also}")

    def _in_plain_file(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names in a file whose name looks like a container: `Rakefile::task`."""
        container, separator, rest = target.name.partition("::")
        if not separator or not rest or target.path or container not in self._files:
            return []
        return self._named(symbol_target(target.word, f"./{target.name}"))

    def _called(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names that is written as a call, `load(path)`, or as declared: `void stop(loop *of)`."""
        written = dict.fromkeys((without_call(target.name), declared_name(target.name)))
        tries = (self._named(symbol_target(target.word, plain)) for plain in written if plain not in (target.name, ""))
        return next((found for found in tries if found), list[tuple["IndexedFile", "Definition"]]())

    def _as_macro(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names that is written as the call of a macro: `select!`."""
        plain = without_call(target.name)
        name = plain.removesuffix("!")
        if not name or name == plain or name.endswith("!"):
            return []
        named = self.definitions(symbol_target(target.word, name))
        return [pair for pair in named if pair[1].kind == "macro"] or named

    def _without_arguments(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names that writes the arguments of types: `Collection<String>.sorted`."""
        plain = _ARGUMENTS.sub("", target.name)
        if plain == target.name or not last_segment(plain).isidentifier():
            return []
        return self.definitions(symbol_target(target.word, plain))

    def _members_of(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns the members that a file gives to what it does not define, by position: a target names both.

        So do extensions of Kotlin, methods of Go and C++ whose type stands in another file, and what is so told in a map.
        """
        if not target.path or target.ordinal or (target.kinds and target.kinds.isdisjoint(HOLDERS)):
            return []
        paths = [path for path in (target.path,) if path in self._files]
        paths = paths or sorted(path for path in self._files if path.endswith(f"/{target.path}"))
        files = [self._files[path].anew() for path in paths]
        return [
            (file, one)
            for file, definitions in zip(files, self.symbols(files), strict=True)
            for one in definitions
            if is_member_of(one.container, target)
        ]

    def _exported(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names that a package exports, wherever it stands: `tokio::spawn`."""
        if not may_be_given_out(target):
            return []
        found = exported(self, segments(without_call(target.qualified)))
        if found is None:
            return []
        file, definitions = found
        named = [(file, one) for one in definitions if not target.kinds or one.kind in target.kinds]
        return _numbered(named, target.ordinal) if target.ordinal else named

    def is_given_out_unseen(self, target: SymbolTarget) -> bool:
        """Tells whether a package may give out what a target names, by way of files that are not in this table.

        That is so where the table holds the package, but not what it gives out: it may be called otherwise where it
        is defined, or come with all else of a file.
        """
        if not may_be_given_out(target) or _defines(self._named(target)) or self._exported(target):
            return False
        return has_package(self, segments(without_call(target.qualified)))

    def members_in_module(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns the members in the module that a target names which are called as what it names there: it means none."""
        return self._within(
            target, lambda parts, one, _: int(bool(one.container) and last_segment(one.name) == parts[-1])
        )[1]

    def _within(
        self, target: SymbolTarget, size_of: Callable[[Sequence[str], Definition, Sequence[Definition]], int]
    ) -> tuple[int, list[tuple[IndexedFile, Definition]]]:
        """Returns definitions of a name in the module before it, `flask.app.Flask`: those alone whose module it fits best.

        The fit comes first: `EXACTLY`, 1 for in part, 0 for none.

        Args:
            target: the module and the name.
            size_of: gives the number of parts of the name behind the module, of a definition and all those of its file.
        """
        parts = segments(without_call(target.qualified))
        if target.path or len(parts) < 2:
            return 0, []
        files = self.holders(parts[-1])
        fitting: list[tuple[int, IndexedFile, Definition]] = []
        for file, definitions in zip(files, self.symbols(files), strict=True):
            for one in definitions:
                if last_segment(one.name) == parts[-1] and (not target.kinds or one.kind in target.kinds):
                    size = size_of(parts, one, definitions)
                    fit = module_fit(file, parts[:-size]) if size else 0
                    if fit:
                        fitting.append((fit, file, one))
        best = max((fit for fit, _, _ in fitting), default=0)
        found = [(file, one) for fit, file, one in fitting if fit == best]
        return best, _numbered(found, target.ordinal) if target.ordinal else found

    def _in_namespace(self, target: SymbolTarget) -> Found | None:
        r"""Returns what a target names that writes namespaces with backslashes: `Shop\Till::open`."""
        if "\\" not in target.name:
            return None
        written = target.name.strip("\\").replace("\\", "::")
        return self._as_it_is(symbol_target(target.word, written)) if written.strip(":") else None

    def _named(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        files = self.holders(target.segments[-1], target.path)
        split = cache(segments)  # homonyms may be many, and nested in each other
        every = [
            (file, one, split(one.path))
            for file, definitions in zip(files, self.symbols(files), strict=True)
            for one in definitions
            if last_segment(one.name) == target.segments[-1] and (not target.kinds or one.kind in target.kinds)
        ]
        if declared := [] if target.path else in_declared(every, target.segments):
            return _numbered(declared, target.ordinal) if target.ordinal else declared
        wanted = as_qualified(target.segments)
        size = len(wanted)
        named = [(file, one) for file, one, parts in every if parts[-size:] == wanted]
        named = named or [(file, one) for file, one, parts in every if in_order(wanted, parts)]
        written = [pair for pair in named if f".{pair[1].path}".endswith(f".{target.qualified}")]
        named = written or named
        if target.path:
            named = [pair for pair in named if split(pair[1].path) == target.segments] or named
        return _numbered(named, target.ordinal) if target.ordinal else named

    def like(
        self,
        name: str,
        kinds: Iterable[str] = (),
        path: str = "",
        around: Sequence[str] = (),
        limit: int = MOST_SUGGESTED,
    ) -> list[str]:
        """Returns targets of definitions with names like one: `suggesting.targets_like`."""
        return targets_like(self, name, kinds, path, around, limit)

    def starting(self, prefix: str, limit: int) -> list[str]:
        """Returns names that start with some letters, in any case, by name."""
        low = prefix.lower()
        if not self._ordered:
            self._ordered = sorted((one.lower(), one) for one in self._holders)
        first = at = bisect_left(self._ordered, (low, ""))
        while at < len(self._ordered) and at - first < limit and self._ordered[at][0].startswith(low):
            at += 1
        return [name for _, name in self._ordered[first:at]]


def may_be_given_out(target: SymbolTarget) -> bool:
    """Tells whether a target may name what a package gives out: `tokio::spawn`."""
    return not target.path and len(segments(without_call(target.qualified))) > 1


def _defines(named: Sequence[tuple[IndexedFile, Definition]]) -> bool:
    """Tells whether one of some definitions does more than add to what another defines."""
    return any(one.kind not in _OF_OTHERS for _, one in named)


def _numbered(named: Sequence[tuple[IndexedFile, Definition]], ordinal: int) -> list[tuple[IndexedFile, Definition]]:
    """Of each file and qualified name the one that has the number."""
    seen: Counter[tuple[str, str]] = Counter()
    chosen: list[tuple[IndexedFile, Definition]] = []
    for file, one in named:
        seen[file.path, one.path] += 1
        if seen[file.path, one.path] == ordinal:
            chosen.append((file, one))
    return chosen
