r"""Reads names as stack traces, debuggers, compilers and documentation write them.

tsdb.(*Head).Init.func1             the receiver of a method in brackets, code without a name behind it: Go
File "p.py", line 3, in load        a place beside the name: Python; `at a.C.m(C.java:3)`, `at N.C.M(T x) in C.cs:line 3`
<Json<T> as Read>::from             the method of a trait for a type: Rust
Buffer$Cursor, Path.Companion.of    a class inside another, an object beside a class, `OkioKt.of` a file of functions: the JVM
shop/till/Till.open                 a package with slashes: the JVM
N.Till`1.<Open>d__4.MoveNext        the number of type parameters, what the compiler makes of a method, `M:` before a name: .NET
shop.cart:Cart, src/a.py:Cart       one colon: entry points, and editors
push/2, &Shop.push/2                the number of parameters: Elixir
c:Shop.push/2, t:Shop.sum/0         the kind of thing before the name: the documentation of Elixir
'Elixir.Shop':push/2, Shop.@keys    a module as Erlang sees it, an attribute behind its module: Elixir
-[Till open:with:]                  a method as debuggers of Objective-C write it
{shop, open, 1}, #till{}            functions and records in what Erlang prints
instance Show Till, Show Till       the head of an instance: Haskell
Shop.Open.Door.open/1               the member of an implementation of `Shop.Open` for `Door`: Elixir
Builder@where, @inline, operator +  Laravel, Julia, C#
require("shop.till").open           what a module gives: Lua, Node
$script:rate, script:Open           a name behind its scope: PowerShell
var.zone, data.T.name               as Terraform uses what it declares as `variable` and `data`

A reading is a target as `skeleton.names.targets` reads it, with what narrows it down.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.names.targets import without_arity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

    Pair = tuple[IndexedFile, Definition]

_LONGEST: Final = 1000
"""Characters of a name that is looked at."""

_PATH: Final = r"(?P<path>[^\s\"'():]*[^\s\"'():/\\]\.\w{1,8}|[A-Za-z]:[^\s\"'():]+\.\w{1,8})"
_PLACED: Final = tuple(
    re.compile(form.replace("PATH", _PATH))
    for form in (
        r"File \"(?P<path>[^\"]+)\", line (?P<line>\d{1,8})(?:, in (?P<name>\S+))?\Z",
        r"(?:from )?PATH:(?P<line>\d{1,8})(?::\d+)?:? ?:?in (?:`|')?(?P<name>[^\s`']+)'?\Z",
        r"PATH:(?P<line>\d{1,8}): (?P<name>[\w.]+[?!]?/\d+)\Z",
        r"(?:at )?(?:async )?(?:new )?(?:[\w.@-]*/{1,2}(?=[\w.$<>]+ ?\([\w]+\.(?:java|kt|scala|groovy):))?(?P<name>[^\s()]+)(?: \[as \w+\])? ?\((?:package:|[a-z][a-z-]*:/{2,3}(?:[\w.-]+(?::\d+)?/)?)?PATH:(?P<line>\d{1,8})(?::\d+)?\)\Z",
        r"(?:at )?(?P<name>[^\s()]+)\([^()]*\) in (?P<path>.+?):(?:line )?(?P<line>\d{1,8})\Z",
        r"(?:in function |in call from )?(?P<name>[a-z][\w@]*:[\w@']+/\d+) \(PATH, line (?P<line>\d{1,8})\)\Z",
        r"(?P<name>)(?:in )?PATH:line (?P<line>\d{1,8})\Z",
    )
)
"""The forms of a name with the place that it was met at."""

_AT: Final = re.compile(r"at (?:async )?(?:new )?(?=\S+\Z|[^\s()]+\([^()]*\)\Z)")
_NUMBERED_FRAME: Final = re.compile(r"\A#?\d+:? +(?:0x[0-9a-f]+ (?:- |in ))?(?=\S)")
_CLOSURES: Final = re.compile(r"\.<(?:anonymous closure|fn)>(?=[ .]|\Z)")
"""Code without a name in a frame of Dart: `Till.open.<anonymous closure> (package:shop/till.dart:4:2)`."""
_APPLICATION: Final = re.compile(r"\A\(\w+ \d[\w.+-]*\) +")
"""The application before a frame of Elixir: `(ecto 3.12.0) lib/ecto.ex:4: Ecto.open/1`."""
_UNNAMED: Final = re.compile(
    r"(?:\.func\d+(?:\.\d+)*|\.gowrap\d+|-fm|-range\d+)+(?=\Z|\()|::\{\{closure\}\}|::h[0-9a-f]{16}\Z|\.<locals>|\.<(?:lambda|listcomp|genexpr)>\Z"
)
"""Ends that compilers give the names of code without one, behind that of the function around it."""

_OF_GO: Final = re.compile(r"(?P<package>(?:[\w.~%-]+/)*[\w%-]+)\.\(\*?(?P<type>\w+)(?:\[[^\]]*\])?\)")
_OF_TRAIT: Final = re.compile(r"<(?P<type>.+?) as (?P<trait>.+)>::(?P<name>\w+)\Z")
_ARGUMENTS: Final = re.compile(r"(?:::)?<[^<>]*>")
_FACADE: Final = re.compile(r"(?P<before>(?:\w+\.)*)(?:\w+__)?(?P<file>\w+)Kt\.(?P<name>\w+)\Z")
_COMPANION: Final = re.compile(r"\.Companion(?=\.|\Z)")
_MADE: Final = frozenset(["access", "default", "lambda", "static"])
_COLON: Final = re.compile(r"(?P<place>[\w./\\@~-]*\w)(?<!:):(?!:)(?P<name>[^\W\d][\w.:#]*(?:\([^()]*\))?)\Z")
_SLASH: Final = re.compile(r"[/\\]")
_HAS_ENDING: Final = re.compile(r"[/\\]|\.\w{1,6}\Z")
_AT_SIGN: Final = re.compile(r"(?P<class>[\w\\.:]+)@(?P<name>\w+)\Z")
_BINARY: Final = re.compile(r"(?P<package>\w+(?:/\w+)*)/(?P<name>[A-Z][\w$]*[.#]\w+(?:\(.*)?)\Z")
_KIND_OF_NET: Final = re.compile(r"\A[EFMPT]:(?=\w+[.`])")
_MADE_BY_NET: Final = re.compile(r"<>c(?:__DisplayClass\w*)?\.|`{1,2}\d+|(?<=\w)\[[\w, ]+\](?=\(|\Z)")
_WITHIN_NET: Final = re.compile(r"<(?P<method>\w+)>(?:d__\d+(?:`\d+)?(?:\.MoveNext)?|[bg]__[\w|]+)")
_KIND_OF_EXDOC: Final = re.compile(r"\A(?:[cmt]|mix|function|macro|callback|type|module):(?=\w)")
_ANCHOR: Final = re.compile(r"(?<=/\d)#[\w-]*\Z")
_SEEN_BY_ERLANG: Final = re.compile(r"\A:?(?P<quote>['\"]?)Elixir\.(?P<module>[A-Z][\w.]*)(?P=quote):?")
_STRUCT: Final = re.compile(r"\A(?:%(?=[A-Z])|#(?=[a-z]))(?P<name>[\w.]+)(?:\{\})?\Z")
_MESSAGE: Final = re.compile(
    r"\A(?:[-+] ?)?\[?(?P<class>[A-Za-z_]\w*)(?:\(\w*\))? +(?P<selector>\w+(?:(?<=:)|:[\w:]*|(?=\])))\]?\Z"
)
_OF_TUPLE: Final = re.compile(r"\A\{(?P<module>[a-z][\w@]*),[ ]*(?P<name>[a-z][\w@]*),[ ]*(?P<arity>\d{1,3})\}\Z")
_INSTANCE: Final = re.compile(
    r"(?P<word>instance[ \t]+)?(?P<class>[A-Z][\w.']*)[ \t]+(?P<type>[A-Z(\[][\w.'()\[\], ]{0,200}\S|[A-Z])\Z"
)
_REQUIRED: Final = re.compile(
    r"require[ \t]*\(?[ \t]*(?P<quote>[\"'])(?P<module>[\w./@-]+)(?P=quote)[ \t]*\)?[.:](?P<name>\w[\w.:]*)(?:\(.*\))?\Z"
)
_ATTRIBUTE: Final = re.compile(r"(?<=\w)\.@(?=\w+\Z)")
_IN_IMPLEMENTATION: Final = re.compile(
    r"(?P<around>[A-Z]\w*(?:\.[A-Z]\w*){1,12})(?P<member>(?:\.[a-z_]\w*[?!]?(?:/\d+)?)?)\Z"
)
_OPERATOR: Final = re.compile(r"(?P<before>(?:[\w.:]*[.:])?)operator +(?P<sign>[^\w\s]{1,3}|\w+)\Z")
_SCOPED: Final = re.compile(r"\$?(?:\{)?(?:global|local|private|script|using):(?P<name>[\w-]+)\}?\Z", re.IGNORECASE)
_DECLARED_AS: Final = {"var": "variable", "local": "locals"}
"""Words that a use begins with, and those that the definition of what is used begins with."""

_FROM_A_ROOT: Final = re.compile(r"(?P<path>(?:/|[A-Za-z]:[\\/]|\.\.?[\\/])[^:]*\.\w{1,8})::(?P<name>.+)\Z")


class Reading(NamedTuple):
    """One reading of a name.

    Attributes:
        name: a target; "" for what the place alone says.
        path: the file that it stands in, as another machine may call it; "" for any.
        line: a line of that file inside it; 0 for any.
        trait: what it is the implementation of; "" for anything.
        opens: the word that its definition begins with; "" for any.
        of: the type that what it stands in is an implementation for, as the head of that says behind `for:`; "" for any.
        beside: the class that it may stand in by itself, or in an extension of something else; "" where the name says it.
    """

    name: str
    path: str = ""
    line: int = 0
    trait: str = ""
    opens: str = ""
    of: str = ""
    beside: str = ""


@lru_cache(maxsize=256)
def placed(name: str) -> tuple[Reading, ...]:
    """Returns the readings of a name that a place is written beside; none where it is not."""
    name = _APPLICATION.sub("", _NUMBERED_FRAME.sub("", name.strip(), count=1)) if len(name) <= _LONGEST else ""
    if (found := _INSTANCE.match(name)) and found["word"]:
        return (Reading(found["class"], of=found["type"]),)
    name = _CLOSURES.sub("", name)
    for form in _PLACED:
        if found := form.match(name):
            called, path, line = found["name"] or "", found["path"], int(found["line"])
            plain = [called, *(one.name for one in read_otherwise(called))] if called else [""]
            return tuple(Reading(one, path, line) for one in plain)
    return ()


@lru_cache(maxsize=256)
def read_otherwise(name: str) -> tuple[Reading, ...]:
    """Returns the readings of a name that means nothing as it is written, the closest to it first."""
    return tuple(dict.fromkeys(_readings(name.strip()))) if len(name) <= _LONGEST else ()


def _readings(name: str) -> Iterator[Reading]:
    if found := _FROM_A_ROOT.match(name):
        yield Reading(found["name"], found["path"])
        return
    plain = _without_net(_UNNAMED.sub("", _AT.sub("", _NUMBERED_FRAME.sub("", name, count=1))))
    if found := _OF_TRAIT.match(plain):
        of_type = _without_arguments(found["type"]).lstrip("&").strip()
        yield Reading(f"{of_type}::{found['name']}", trait=_without_arguments(found["trait"]).rpartition("::")[2])
        return
    if found := _OF_GO.match(plain):
        plain = f"{found['package']}.{found['type']}{plain[found.end() :]}"
    if found := _FACADE.match(plain):
        yield Reading(f"{found['before']}{found['name']}", path=f"{found['file']}.kt")
    if "$" in plain:
        plain = _without_dollars(plain)
    if found := _BINARY.match(plain):
        plain = f"{found['package'].replace('/', '.')}.{found['name']}"
    if found := _COMPANION.search(plain):
        owner = _COMPANION.sub("", plain)
        yield Reading(owner, beside=plain[: found.start()].rpartition(".")[2] if plain[found.end() :] else "")
        return
    if found := _OPERATOR.match(plain):
        yield from (Reading(f"{found['before']}{one}") for one in (f"operator{found['sign']}", found["sign"]))
    if found := _INSTANCE.match(name):
        yield Reading(found["class"], of=found["type"])
        return
    if found := _SCOPED.match(name):
        yield Reading(found["name"])
        return
    if found := _MESSAGE.match(name):
        yield Reading(f"{found['class']}.{found['selector']}")
        return
    if found := _OF_TUPLE.match(name):
        yield Reading(f"{found['module']}:{found['name']}/{found['arity']}")
        return
    if found := _REQUIRED.match(plain):
        module = ".".join(part for part in re.split(r"[./]+", found["module"]) if part)
        yield Reading(f"{module}.{found['name']}")
        return
    if found := _SEEN_BY_ERLANG.match(plain):
        plain = f"{found['module']}.{plain[found.end() :].lstrip('.')}".rstrip(".")
        yield Reading(plain)
    plain = _STRUCT.sub(r"\g<name>", plain)
    plain = _ATTRIBUTE.sub(".", _ANCHOR.sub("", _KIND_OF_EXDOC.sub("", plain.removeprefix("&"), count=1)))
    if plain != name:
        yield Reading(plain)
    if found := _IN_IMPLEMENTATION.match(plain):
        parts = found["around"].split(".")
        for size in range(1, len(parts)):
            yield Reading(f"{'.'.join(parts[:size])}{found['member']}", of=".".join(parts[size:]))
    plain = without_arity(plain)
    if found := _AT_SIGN.match(plain):
        yield Reading(f"{found['class']}::{found['name']}")
    if found := _COLON.match(plain):
        place, own = found["place"], found["name"]
        if not _SLASH.search(place):
            yield Reading(f"{place}.{own}")
        if _HAS_ENDING.search(place):
            yield Reading(f"{place}::{own}")
    first, _, rest = plain.partition(".")
    if first in _DECLARED_AS and rest:
        yield Reading(f"{_DECLARED_AS[first]}.{rest}")
    if first == "data" and rest.count("."):
        yield Reading(".".join(rest.split(".")[:2]), opens="data")
    if plain != name:
        yield Reading(plain)
    if plain.startswith("@") and plain[1:].isidentifier():
        yield Reading(plain[1:])


def _without_arguments(name: str) -> str:
    while (shorter := _ARGUMENTS.sub("", name)) != name:
        name = shorter
    return name


def _without_net(name: str) -> str:
    """A name of .NET as its source has it: `Till.Open` for ``M:Till`1.Open`` and `Till.<Open>d__4.MoveNext`."""
    return _MADE_BY_NET.sub("", _WITHIN_NET.sub(r"\g<method>", _KIND_OF_NET.sub("", name)))


def _without_dollars(name: str) -> str:
    """A name of the JVM as its source has it: `A.B` for `A$B` and `A$B$1`, `load` for `lambda$load$0`."""
    parts = [
        [one for one in part.split("$") if one and not one.isdigit() and one not in _MADE] or [part]
        for part in name.split(".")
    ]
    return ".".join(piece for part in parts for piece in part)


class Narrowed(NamedTuple):
    """The definitions of a reading, and what is said of them; "" where they are what it says."""

    pairs: list[Pair]
    told: str


def narrowed(pairs: Sequence[Pair], reading: Reading) -> Narrowed:
    """Returns those of some definitions that stand where a reading says, or all, and says that they do not."""
    kept = [*pairs]
    if reading.opens:
        start = reading.opens.encode()
        kept = [(file, one) for file, one in kept if file.source.startswith(start, one.signature)]
    if reading.trait:
        kept = [pair for pair in kept if _implements(pair, reading.trait)]
    if reading.of:
        kept = [pair for pair in kept if _is_for(pair, reading.of)]
    if not reading.path or not kept:
        return Narrowed(kept, "")
    shared = [_shared(file.path, reading.path) for file, _ in kept]
    best = max(shared)
    if not best:
        return Narrowed(kept, f"{reading.path!r} defines nothing called so here; by its name alone:")
    kept = [pair for pair, size in zip(kept, shared, strict=True) if size == best]
    at = [pair for pair in kept if not reading.line or _holds(pair, reading.line)]
    if at:
        inner = (
            {file.path: one.start for file, one in sorted(at, key=lambda pair: pair[1].start)} if reading.line else {}
        )
        return Narrowed([(file, one) for file, one in at if one.start >= inner.get(file.path, 0)], "")
    return Narrowed(kept, f"line {reading.line} of it is elsewhere now; by its name and its file:")


def _shared(path: str, written: str) -> int:
    """The parts at the end that two paths have in common; 0 where the files are not called alike."""
    count = 0
    for own, other in zip(reversed(path.split("/")), reversed(re.split(r"[\\/]+", written)), strict=False):
        if own != other:
            break
        count += 1
    return count


def _holds(pair: Pair, line: int) -> bool:
    file, one = pair
    first = file.source.count(b"\n", 0, one.start) + 1
    return first <= line <= first + file.source.count(b"\n", one.start, one.end)


def _implements(pair: Pair, trait: str) -> bool:
    """Tells whether a definition stands in what says that it implements a trait for a type."""
    file, one = pair
    says = re.compile(rf"\b{re.escape(trait)}\b[^{{]*\bfor\b".encode())
    return any(
        other.kind == "impl"
        and other.start <= one.start < other.end
        and says.search(file.source, other.signature, other.body)
        for other in file.symbols
    )


def _is_for(pair: Pair, of: str) -> bool:
    """Tells whether a definition is, or stands in, an implementation whose head says that it is for a type.

    Elixir says so behind `for:`, Haskell behind the class: `defimpl Open, for: Till do`, `instance Open Till where`.
    """
    file, one = pair
    words = rb"\s+".join(map(re.escape, of.encode().split()))
    says = re.compile(rb"(?<![\w.])(?:\w+\.){0,12}" + words + rb"(?![\w.'])")
    return any(
        other.kind == "impl"
        and other.start <= one.start < other.end
        and says.search(file.source, max(other.signature, other.name_start + len(other.name.encode())), other.body)
        for other in file.symbols
    )
