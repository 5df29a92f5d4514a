"""The symbols of a folder: what a target names among the definitions of its files, and the names that are like one."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.kinds import CALLABLE, HOLDERS
from skeleton.names.arities import of_arity
from skeleton.names.fitting import (
    as_qualified,
    in_declared,
    in_order,
    module_fit,
    namespace_of,
    size_returned,
    size_within,
)
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
from skeleton.uses.candidates import Candidate
from skeleton.zoom.assigned import assigned
from skeleton.zoom.exports import exported, has_package
from skeleton.zoom.inheriting import another_name, inherited, is_class, levels_above
from skeleton.zoom.name_table import NameTable
from skeleton.zoom.suggesting import MOST_SUGGESTED, targets_like
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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


class SymbolTable(NameTable):
    """The names of a folder, and what targets mean by them. A table never changes, so threads may share it."""

    def definitions(self, target: SymbolTarget) -> list[tuple[IndexedFile, Definition]]:
        """Returns what a target names, as `found` does, without what is to be told of it."""
        return [*self.found(target).pairs]

    def found(self, target: SymbolTarget) -> Found:
        """Returns what a target names, in no order that matters.

        What is called exactly as it is written comes before what is only read alike (`size` and `#size`). In a file or folder that the target names, a definition whose whole qualified name it gives is meant alone.
        A number of parameters behind the name chooses among definitions of it, `load/2`.
        """
        found = self._of_any_arity(target)
        pairs = of_arity(target.name, found.pairs)
        if pairs or not found.pairs:
            return found._replace(pairs=pairs)
        return found._replace(told=found.told or f"none takes as many parameters as {target.name!r} says:")

    def _of_any_arity(self, target: SymbolTarget) -> Found:
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
        if found := self._without_arguments(target) or self._inherited(target):
            return found
        if within:
            return Found(within, f"no {target.name!r} here; this fits a part of what stands before its name:")
        if found := self._in_namespace(target):
            return found
        others = self._as_macro(target) or self._members_of(target)
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
        if not classes:
            return self._by_another_name(target, place, around, name) or self._lent(target, around, name)
        found = inherited(self, classes, name)
        if found is None:
            return self._assigned(classes, around, name) or self._lent(target, around, name)
        also = f" (also {', '.join(found.others)})" if found.others else ""
        owners = " and ".join({f"{one.container}.{name}": 0 for _, one in found.pairs})
        return Found(found.pairs, f"{'.'.join(around)}.{name} is inherited: {owners}{also}")

    def _assigned(
        self, classes: Sequence[tuple[IndexedFile, Definition]], around: Sequence[str], name: str
    ) -> Found | None:
        """Returns the statement that sets a member of some classes first, in a method of theirs or of one above them."""
        for level in ([*classes], *levels_above(self, classes)):
            if found := assigned(level, name):
                owners = " and ".join({one.container: 0 for _, one in found})
                return Found(found, f"{'.'.join(around)}.{name} is declared nowhere; {owners} sets it:")
        return None

    def _by_another_name(self, target: SymbolTarget, place: str, around: Sequence[str], name: str) -> Found | None:
        """Returns the member that a target names of a class by a constant that is another name for it: `Store = Shop`."""
        constants = self._as_it_is(symbol_target("symbol", f"{place}{'::'.join(around)}"))
        others = (
            dict.fromkeys(map(another_name, constants.pairs)) if constants is not None and not constants.told else ()
        )
        for other in filter(None, others):
            for file, one in self._named(symbol_target("class", other)):
                found = self._as_it_is(symbol_target(target.word, f"{file.path}::{one.path}::{name}"))
                if found is not None:
                    return found._replace(told=found.told or f"{'.'.join(around)} is {one.path}:")
        return None

    def _lent(self, target: SymbolTarget, around: Sequence[str], name: str) -> Found | None:
        """Returns the member that a target names of a type which has it from outside: `string.Cut` is `Texts.Cut(this string of)`."""
        if target.path:
            return None
        every = self._named(symbol_target(target.word, name))
        found = [(file, one) for file, one in every if Candidate(file, one).extended.lower() == around[-1].lower()]
        owners = " and ".join({one.path: 0 for _, one in found})
        return Found(found, f"{'.'.join(around)}.{name} stands outside of that type: {owners}") if found else None

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

    def _without_arguments(self, target: SymbolTarget) -> Found | None:
        """Returns what a target names that writes the arguments of types: `Collection<String>.sorted`."""
        plain = _ARGUMENTS.sub("", target.name)
        if plain == target.name or not last_segment(plain).isidentifier():
            return None
        return self._as_it_is(symbol_target(target.word, plain))

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
                    if (size := size_returned(file, parts, one)) and module_fit(file, parts[:-size]) == EXACTLY:
                        fit = EXACTLY + 1  # before what stands elsewhere in the file
                    if fit:
                        fitting.append((fit, file, one))
        best = max((fit for fit, _, _ in fitting), default=0)
        found = [(file, one) for fit, file, one in fitting if fit == best]
        return min(best, EXACTLY), _numbered(found, target.ordinal) if target.ordinal else found

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
        if written and all(file.tier is Tier.TESTS for file, _ in written):  # a title may be spelt so: `Shop::Till`
            dotted = f".{'.'.join(target.segments)}"
            written += [pair for pair in named if pair not in written and f".{pair[1].path}".endswith(dotted)]
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
