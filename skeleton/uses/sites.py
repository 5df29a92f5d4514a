"""Finds the places of a file that use a name: in code, never in a comment or a string, and what stands before them.

`skeleton.index.uses` says where code is and what is called; here a name is looked for in it. What stands before a name
tells whose it is: `self.load`, `Config.load`, `config::load`, or nothing.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.languages.kinds import CALLABLE, HOLDERS, MEMBERS, USABLE
from skeleton.names.targets import segments
from skeleton.outline.definitions import head_of
from skeleton.uses.aliases import by_default_in, packages_in, paths_in, renamed_in
from skeleton.uses.chains import types_before
from skeleton.uses.messages import messages_in
from workspace.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from skeleton.index.records import Uses
    from skeleton.languages.headers import Naming
    from skeleton.outline.definitions import Definition
    from skeleton.uses.aliases import Imported
    from skeleton.uses.messages import Message

_IN_WORD: Final = re.compile(rb"\w")
_IN_IMPORT: Final = re.compile(r"[^\W\d]\w*")
_QUOTED: Final = re.compile(r"""["'<]([^"'<>]*)["'>]""")
_FOLDER: Final = re.compile(r"""(?:(?!import\b)(?<![\w.])(?P<name>[\w.]+)[ \t]+)?["`](?P<path>[^"`\n]+)["`]""")
_VERSION: Final = re.compile(r"v\d+")
"""The last part of a path that names no folder, but a version: `a/tsdb/v2`."""

_LISTED: Final = re.compile(r"[{(,]|\bimport\b(?=.*\bfrom\b)|(?<=\w )import\b", re.DOTALL)
_LIBRARIES: Final = re.compile(r"\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]")
_CHAIN: Final = re.compile(r"(?<!\w)(?<!\w[.\\])(?<!\w::)(?:\w++(?:\.|::|\\))+\Z")
_GROUP: Final = re.compile(r"(?P<path>(?:(?<!\w)(?<!\w::)\w{1,200}::(?:\w{1,200}::)*)?)\{|\}")
"""A bracket around what an import takes from one path, which stands before it: `path::{self, Path}`."""

_IMPORT_WORDS: Final = frozenset(
    [
        "alias",
        "as",
        "const",
        "export",
        "extern",
        "from",
        "import",
        "include",
        "let",
        "open",
        "package",
        "pub",
        "refer",
        "require",
        "static",
        "type",
        "use",
        "using",
        "var",
    ]
)
_FOLLOWED_BY_CALL: Final = re.compile(rb"[!?]?[ \t]*(?:::)?(?:<[^<>()\n]{0,80}>)?\(")
_RECEIVER: Final = re.compile(
    rb"(?:(?P<parts>[\w$@]+(?>(?:(?:[?!&]{0,2}\.|->|::)[\w$@]+)*))|(?P<above>super)\(\)|(?P<other>[)\]}>\"'?!]))"
    rb"(?P<apart>\s*)[?!&]{0,2}(?P<mark>\.|->|::)(?P<behind>\s*)\Z|(?P<last>[\w$@]+)(?P<colon>:)\Z"
)
_MADE: Final = re.compile(
    rb"(?:(?P<new>\bnew\s+)|(?<![\w.$:>)]))(?P<type>(?:\w+(?:\.|::))*[A-Z]\w*)(?:<[^<>()]*>)?\s*\Z"
)
"""The type of a new value, before the bracket with what it is made from."""

_TYPE_BEFORE: Final = re.compile(rb"(?<![\w.:])(?:\w{1,80}(?:\.|::)){0,9}[A-Z]\w{0,80}\Z")
_IN_IT: Final = re.compile(rb"\s*::\s*\w")
_PASSED: Final = re.compile(rb"@selector\(\s*\Z")
"""Before the name of a method that is passed on; whose it is, is not said."""

_NAMESPACE: Final = re.compile(rb"([\w\x80-\xff.*+!?<>=$&%|-]+)/\Z")
_SELECTOR: Final = re.compile(rb"[\w:]+")

_MARKS: Final = re.compile(r"[?!&]{0,2}(\.|->|::)")
_HOLDING: Final = USABLE | {"module"}
"""Kinds of definitions that a place is said to stand in."""

_DEEPEST: Final = 8
"""Definitions around a place that are told, the innermost."""

_ENDS_OF_MARKS: Final = (b".", b">", b":")

_STATEMENTS: Final = frozenset([b"catch", b"elif", b"else", b"for", b"if", b"return", b"switch", b"while"])
"""Words that are no names where they stand alone, though a grammar that stumbles may say that something is called so."""

_UNINDENTED: Final = re.compile(rb"^\S", re.MULTILINE)
_WINDOW: Final = 160
"""Bytes before a name in which what it is a member of stands."""

UNKNOWN: Final = ""
"""Stands for a receiver, or the beginning of one, that is no name: what a call gave, an index."""


class Site(NamedTuple):
    """A place where a name is used."""

    at: int
    called: bool
    receiver: tuple[str, ...]
    """The parts of what it is taken from: `("self", "app")` of `self.app.load`; empty for a bare name."""
    around: tuple[Definition, ...]
    """The definitions that it stands in, the outermost first."""
    owner: str
    """The name of the class around it, or of what its method is a member of; "" for none."""

    @property
    def user(self) -> Definition | None:
        """The innermost definition that it stands in and that code can use; a module is none."""
        return next((one for one in reversed(self.around) if one.kind in USABLE), None)


def is_tested(source: bytes, around: Iterable[Definition], naming: Naming) -> bool:
    """Tells whether what stands in some definitions stands in a test, in a file that holds other code, too.

    Args:
        source: the file as UTF-8.
        around: the definitions.
        naming: how its code uses names.
    """
    finds = naming.tests
    return finds is not None and any(finds.search(head_of(source, one)) for one in around)


class Sites:
    """One file, asked for the places that use a name.

    Args:
        source: the file as UTF-8.
        uses: what stands where in it.
        definitions: all its definitions, by position.
        naming: how its code uses names.

    Attributes:
        naming: the same.
        statements: its imports, as they are written.
        begins: where these begin.
    """

    def __init__(self, source: bytes, uses: Uses, definitions: Sequence[Definition], naming: Naming) -> None:
        self.source = source
        self.naming = naming
        self.definitions = definitions
        self._prose = numbers_of(uses.prose)
        self._calls = frozenset(numbers_of(uses.calls))
        imports = numbers_of(uses.imports)
        self._imports = imports
        self.begins = imports[::2]
        self._names = frozenset(one.name_start for one in definitions)
        self._holding = [one for one in definitions if one.kind in _HOLDING]
        self._renamed: dict[str, bool] = {}
        self._origins: dict[str, list[frozenset[str]]] = {}
        self.statements = [
            source[start:end].decode("utf-8", "replace") for start, end in zip(imports[::2], imports[1::2], strict=True)
        ]

    def of(self, name: bytes) -> Iterator[Site]:
        """The places that use a name, in order; where it is defined or imported it is not used."""
        is_plain = self.naming.names.fullmatch(name) is not None  # an operator is not, nor what is called by a text
        places = [
            at
            for at in _words(name.partition(b":")[0] if self.naming.messages else name, self.source)
            if self._is_use(at) and self._used_at(at, name, is_plain=is_plain)
        ]
        for at, around in zip(places, self._around(places), strict=True):
            yield self._site(at, at + len(name), around)

    def _used_at(self, at: int, name: bytes, *, is_plain: bool) -> bool:
        """Tells whether the text of a name, or of its first part, is all of the name that is used there."""
        messages, parts = self._messages
        if at in parts:
            return at in messages and messages[at].name == name
        if self._is_passed(at):
            return self._name(at, at) == name
        if not is_plain:
            return self.source.startswith(name, at)
        found = self.naming.names.match(self.source, at)
        return found is not None and found.end() == at + len(name)

    def inside(self, ones: Sequence[Definition]) -> dict[bytes, list[Site]]:
        """The names that definitions use in their bodies, or call in their heads, in order, with the places where they do.

        What is said of a type in its head is all that stands there for it: `type Till = Drawer | Box`.
        """
        messages, parts = self._messages
        found: dict[bytes, list[Site]] = {}
        places = [
            match.span()
            for one in ones
            for match in self.naming.names.finditer(self.source, one.name_start, one.end)
            if (match.start() >= one.body or match.start() in self._calls or one.kind == "type")
            and self._is_use(match.start())
            and (match.start() in messages or match.start() not in parts)
        ]
        for (at, end), around in zip(places, self._around([at for at, _ in places]), strict=True):
            name, site = self._name(at, end), self._site(at, end, around)
            if name not in _STATEMENTS or site.receiver:
                found.setdefault(name, []).append(site)
        return found

    def _name(self, at: int, end: int) -> bytes:
        """The name that is used where a word stands."""
        messages, _ = self._messages
        if at in messages:
            return messages[at].name
        passed = _SELECTOR.match(self.source, at) if self._is_passed(at) else None
        return self.source[at:end] if passed is None else passed[0]

    def _is_passed(self, at: int) -> bool:
        """Tells whether the name of a method stands there that is passed on."""
        return self.naming.messages and _PASSED.search(self.source, max(0, at - _WINDOW), at) is not None

    @lazy
    def _messages(self) -> tuple[dict[int, Message], frozenset[int]]:
        """The messages by the places where their names begin, and the places of all parts of names."""
        if not self.naming.messages:
            return {}, frozenset()
        return messages_in(self.source, self._calls, lambda at: not self.is_prose(at))

    def is_tested_at(self, at: int, around: Sequence[Definition]) -> bool:
        """Tells whether a place stands in a test, in a file that holds other code, too.

        Args:
            at: the place.
            around: the definitions that it stands in.
        """
        finds = self.naming.tests
        if finds is None or around:
            return is_tested(self.source, around, self.naming)
        start = self._unindented[bisect_right(self._unindented, at) - 1]
        return finds.search(self.source[start : self.source.find(b"\n", at)]) is not None

    @lazy
    def _unindented(self) -> list[int]:
        """The beginnings of lines that are not indented, and of the source."""
        return [0, *(found.start() for found in _UNINDENTED.finditer(self.source))]

    def folders(self, name: str) -> list[tuple[str, ...]]:
        """The paths of the folders that imports call by a name, where folders are modules: `("a", "tsdb")` of `"a/tsdb"`."""
        return [path for bound, path in self._folders if name in bound]

    @lazy
    def _folders(self) -> list[tuple[frozenset[str], tuple[str, ...]]]:
        """The folders that are imported, each with what code may call it by: the name it is given, or words of its last part."""
        found = (match for one in self.statements for match in _FOLDER.finditer(one)) if self.naming.folders else ()
        paths = ((match["name"], tuple(part for part in match["path"].split("/") if part)) for match in found)
        named = ((name, path[:-1] if len(path) > 1 and _VERSION.fullmatch(path[-1]) else path) for name, path in paths)
        return [(frozenset([name] if name else _IN_IMPORT.findall(path[-1])), path) for name, path in named if path]

    def importing(self, name: str) -> list[frozenset[str]]:
        """For each import that names something, the words that say where it comes from; what it says itself if none do."""
        if self.naming.folders:
            return [frozenset(_IN_IMPORT.findall("/".join(path))) for path in self.folders(name)]
        if name not in self._origins:
            statements = (part for one in self.statements if name in one for part in _parts(one))
            self._origins[name] = [words for part in statements if (words := origin(part, name))]
        return self._origins[name]

    def paths(self, name: str) -> list[str]:
        """The modules that imports take a name from, as paths from the file on."""
        return [path for one in self.statements for part in _parts(one) for path in paths_in(part, name)]

    def packages(self, name: str) -> list[str]:
        """The packages with a scope that imports take a name from."""
        return [each for one in self.statements for part in _parts(one) for each in packages_in(part, name)]

    def is_renamed(self, name: str) -> bool:
        """Tells whether an import gives something the name that is called otherwise where it is defined: `x as name`."""
        if name not in self._renamed:
            renaming = re.compile(rf"\bas\s+{re.escape(name)}(?![\w-])")
            self._renamed[name] = any(renaming.search(one) is not None for one in self.statements)
        return self._renamed[name]

    def aliases(self, name: str) -> list[tuple[str, frozenset[str]]]:
        """The other names that imports give what is called by a name, each with the words that say where it comes from."""
        return [(alias, origin(part, name, alias)) for one, alias, part in self._renamings if one == name]

    def behind(self, alias: str) -> list[tuple[str, frozenset[str]]]:
        """The names, where it is defined, of that which imports call by another, each with the words that say where it comes from."""
        return [(name, origin(part, name, alias)) for name, one, part in self._renamings if one == alias]

    def original(self, name: str) -> str:
        """The name, where it is defined, of that which an import calls by another; the same of all else."""
        return next((one for one, alias, _ in self._renamings if alias == name), name)

    @lazy
    def _renamings(self) -> list[tuple[str, str, str]]:
        """The names that imports give another one, that, and the import."""
        parts = (part for one in self.statements for part in _parts(one))
        return [(name, alias, part) for part in parts for name, alias in renamed_in(part) if name != alias]

    @lazy
    def by_default(self) -> list[Imported]:
        """The imports of that which modules give out by default."""
        return [found for one in self.statements for found in by_default_in(one)]

    def imported_at(self, name: bytes) -> list[int]:
        """The places of imports that hold a name as a word."""
        return [at for at in _words(name, self.source) if bisect_right(self._imports, at) % 2]

    def code(self, start: int, end: int) -> str:
        """A part of the source, with blanks in the place of comments and strings."""
        text = bytearray(self.source[start:end])
        first = bisect_right(self._prose, start) // 2 * 2
        for place in range(first, len(self._prose), 2):
            begin, close = self._prose[place] - start, self._prose[place + 1] - start
            if begin >= len(text):
                break
            begin, close = max(begin, 0), min(close, len(text))
            text[begin:close] = b" " * (close - begin)
        return text.decode("utf-8", "replace")

    @lazy
    def outside(self) -> str:
        """The code that stands in no function and no type: what a script does."""
        parts: list[str] = []
        at = 0
        for one in self.definitions:
            if one.end > at and (one.kind in HOLDERS or one.kind in CALLABLE):
                parts.append(self.code(at, max(at, one.start)))
                at = one.end
        return "\n".join((*parts, self.code(at, len(self.source))))

    def _is_use(self, at: int) -> bool:
        if at in self._names or bisect_right(self._imports, at) % 2:
            return False
        return at in self._calls or not self.is_prose(at)

    def is_prose(self, at: int) -> bool:
        """Tells whether a place is in a comment or a string."""
        return bisect_right(self._prose, at) % 2 == 1

    def _site(self, at: int, end: int, around: tuple[Definition, ...]) -> Site:
        messages, _ = self._messages
        if at in messages or self._is_passed(at):
            receiver = (messages[at].receiver if at in messages else ()) or (UNKNOWN,)
            return Site(at, True, receiver, around, _class_around(around))
        called = at in self._calls or (
            not self.naming.brackets_group and _FOLLOWED_BY_CALL.match(self.source, end) is not None
        )
        return Site(at, called, self._receiver(at), around, _class_around(around))

    def _receiver(self, at: int) -> tuple[str, ...]:
        if self.naming.slashes and self.source[at - 1 : at] == b"/":
            space = _NAMESPACE.search(self.source, max(0, at - _WINDOW), at)
            return tuple(space[1].decode("utf-8", "replace").split(".")) if space else (UNKNOWN,)
        if at == 0 or self.source[at - 1] not in b".>: \t\n":
            return ()
        first = max(0, at - _WINDOW)
        before = self.source[first:at]
        mark = before.rstrip()
        if not mark.endswith(_ENDS_OF_MARKS) or self.is_prose(first + len(mark) - 1):
            return ()  # the comment above may end with a point
        found = _RECEIVER.search(before)
        if found is None or (found["mark"] or found["colon"]).decode() not in self.naming.marks:
            return ()
        if found["last"]:
            return (found["last"].decode("utf-8", "replace"),)
        if found["apart"] and found["behind"][:1].isspace() and found["mark"] == b".":
            return ()  # it joins two functions
        if found["above"]:
            return ("super",)
        if found["other"] == b">":  # of a type, behind what it holds
            named = _TYPE_BEFORE.search(before, 0, types_before(before, found.end("other")))
            return (UNKNOWN,) if named is None else tuple(_MARKS.split(named[0].decode("utf-8", "replace"))[::2])
        if found["other"]:
            made = _made_before(before[: found.end("other")]) if found["other"] == b")" else None
            return (UNKNOWN,) if made is None else tuple(_MARKS.split(made["type"].decode("utf-8", "replace"))[::2])
        parts, is_all = self._parts_of(found["parts"].decode("utf-8", "replace"))
        start = found.start()
        return (UNKNOWN, *parts) if is_all and start and before[start - 1] in b".:>)]" else parts

    def stands_behind(self, site: Site, mark: bytes) -> bool:
        """Tells whether a mark stands right before a use."""
        return self.source.endswith(mark, 0, site.at)

    def qualifies(self, site: Site, name: str) -> bool:
        """Tells whether a name stands before the mark of what is in it, as those of types and modules do: `Price::of`."""
        end = site.at + len(name.encode())
        if self.naming.slashes:
            return self.source.startswith(b"/", end)
        return _IN_IT.match(self.source, end) is not None

    def is_made_at(self, site: Site) -> bool:
        """Tells whether a name is that of a member of a new value: `new Cart(1).add`."""
        before = self.source[max(0, site.at - _WINDOW) : site.at].rstrip(b" \t\n.->?!:")
        made = _made_before(before) if before.endswith(b")") else None
        return made is not None and made["new"] is not None

    def _parts_of(self, receiver: str) -> tuple[tuple[str, ...], bool]:
        """The parts of a receiver behind the last mark in it that takes no member, and whether these are all."""
        parts = _MARKS.split(receiver)
        other = max(
            (place for place, mark in enumerate(parts) if place % 2 and mark not in self.naming.marks), default=-1
        )
        return tuple(parts[other + 1 :: 2]), other < 0

    def _around(self, places: Iterable[int]) -> Iterator[tuple[Definition, ...]]:
        """For each place, in order, the definitions that it stands in: modules, and what code can use."""
        around: list[Definition] = []
        begun = 0
        for at in places:
            while begun < len(self._holding) and self._holding[begun].start <= at:
                one = self._holding[begun]
                while around and around[-1].end <= one.start:
                    around.pop()
                around.append(one)
                begun += 1
            while around and around[-1].end <= at:
                around.pop()
            yield tuple(one for one in around[-_DEEPEST:] if at < one.end)


def _words(name: bytes, source: bytes) -> Iterator[int]:
    """The places where a name stands as a word."""
    ends = re.compile(re.escape(name) + rb"(?!\w)")  # it begins with the name's bytes: those are looked for at once
    for match in ends.finditer(source):
        at = match.start()
        if not at or not _IN_WORD.match(source, at - 1):
            yield at


def _made_before(text: bytes) -> re.Match[bytes] | None:
    """Finds the type of a new value, `new Cart(1)` or `Cart(1)`, at the end of a text, which is a closing bracket."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ord(")")) - (text[at] == ord("("))
        if not depth:
            return _MADE.search(text, 0, at)
    return None


def _class_around(around: Sequence[Definition]) -> str:
    """The name of the innermost class of those around a place, or of what its method is a member of; "" for none."""
    for one in reversed(around):
        if one.kind in HOLDERS:
            return segments(one.name)[-1] if segments(one.name) else one.name
        extends = one.kind in CALLABLE and all(other.path != one.container for other in around)
        if one.container and (one.kind in MEMBERS or extends):
            return segments(one.container)[-1]
    return ""


def numbers_of(packed: bytes) -> array[int]:
    """Reads an array of `Uses`."""
    numbers = array("I")
    numbers.frombytes(packed)
    return numbers


def _parts(statement: str) -> Iterable[str]:
    """An import statement, or, where each line of it names a file, its lines; of a Lisp, what stands in square brackets."""
    if statement.startswith("("):
        return _LIBRARIES.findall(statement) or (statement,)
    lines = statement.splitlines()
    return lines if sum(('"' in line) or ("'" in line) for line in lines) > 1 else (statement,)


@lru_cache(maxsize=4096)
def origin(statement: str, name: str, alias: str = "") -> frozenset[str]:
    """The words of an import that say where a name comes from; the name itself where nothing else does (`import name`).

    These are `a` and `b` of `from a.b import name`, of `use a::{b::name}` and of `import { name } from "a/b"`; of what is
    called by an alias there, those before that place: `name`, too, in `from name import name as alias`.
    """
    renamed = rf"(?=\s*(?:\bas\b|:)\s*{re.escape(alias)}(?![\w-]))" if alias else ""
    places = [*re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-]){renamed}", statement)]
    if not places:
        return frozenset()
    quoted = _QUOTED.findall(statement)
    head = statement[: places[-1].start()]  # a module may be called so, too: `from shop.till import till`
    if quoted:
        words = _IN_IMPORT.findall(" ".join(quoted).replace("-", "_"))  # as the parts of paths are compared
    else:
        before = _LISTED.split(head, maxsplit=1)[0]
        chain = _CHAIN.search(head)
        around: list[str] = []
        for group in _GROUP.finditer(head):
            around = around[:-1] if group["path"] is None else [*around, group["path"]]
        words = _IN_IMPORT.findall(f"{before} {' '.join(around)} {chain[0] if chain else ''}")
    return frozenset(words) - _IMPORT_WORDS or frozenset([name])
