"""The headers of query files: the files that are in a language, and what is known of it without its grammar.

Nothing here loads a parser; `skeleton.languages.queries` tells what every header means, and compiles the patterns.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

_QUERY_FILES: Final = Path(__file__).parent
_HEADER = re.compile(r"^; ([a-z][a-zL12 ]*): (.*)$")
_NAME: Final = r"(?<![\w])(?!\d)[\w]+"
"""A name where the query file says nothing of names."""

_MODELINE = re.compile(rb"-\*-\s*(?:.*?mode:\s*)?([\w+#-]+)\s*(?:;.*)?-\*-|\bvim?:.*?\b(?:ft|filetype|syntax)=(\w+)")


class QueryFileError(ValueError):
    """Raised when a language's query file does not load: an unknown capture, kind or header, or a pattern error."""


class Languages(msgspec.Struct, frozen=True, kw_only=True):
    """All languages that have a query file: their names, and the ways from file names, interpreters and modelines to them."""

    names: frozenset[str]
    exact: Mapping[str, str]
    extensions: Mapping[str, str]
    globs: tuple[tuple[str, str], ...]
    contents: tuple[tuple[str, tuple[re.Pattern[bytes], ...], str], ...]
    interpreters: Mapping[str, str]
    modelines: Mapping[str, str]


def language_names() -> tuple[str, ...]:
    """The names of all languages that have a query file, sorted."""
    return tuple(sorted(languages().names))


def language_called(word: str) -> str | None:
    """The name of a language by what people, editors or interpreters call it, in any case: `R`, `C++17`, `python3`; None if unknown."""
    index, low = languages(), word.lower()
    for one in (low, low.rstrip("0123456789.")):
        if found := one if one in index.names else index.interpreters.get(one) or index.modelines.get(one):
            return found
    return None


def language_name_of(path: str, source: bytes = b"") -> str | None:
    """The name of a file's language by file name, extension, shebang and modeline, in that order; None if unknown."""
    base = path.rsplit("/", 1)[-1]
    return _language_name(base, source) if source else _language_by_name(base)


@lru_cache(maxsize=1 << 14)
def _language_by_name(base: str) -> str | None:
    return _language_name(base, b"")


def _language_name(base: str, source: bytes) -> str | None:
    index = languages()
    for pattern, expressions, name in index.contents:
        if fnmatch.fnmatchcase(base, pattern):
            text = b"\n" + source
            if any(expression.search(text) for expression in expressions):
                return name
    if found := index.exact.get(base):
        return found
    parts = base.split(".")
    for start in range(1, len(parts)):
        if found := index.extensions.get(".".join(parts[start:]).lower()):
            return found
    for pattern, name in index.globs:
        if fnmatch.fnmatchcase(base, pattern):
            return name
    return _from_content(index, source)


def languages_by_name(path: str) -> tuple[str, ...]:
    """The names of the languages that a file may be in, as its name tells: what it counts as by default in the first place."""
    base = path.rsplit("/", 1)[-1]
    by_default = language_name_of(path)
    others = (name for pattern, _, name in languages().contents if fnmatch.fnmatchcase(base, pattern))
    return tuple(dict.fromkeys([*([by_default] if by_default else []), *others]))


def _from_content(index: Languages, source: bytes) -> str | None:
    if source.startswith(b"#!"):
        words = source[2 : source.find(b"\n") if b"\n" in source else None][:200].decode("latin-1").split()
        if words and words[0].rsplit("/", 1)[-1] == "env":
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        if words:
            interpreter = words[0].rsplit("/", 1)[-1]
            found = index.interpreters.get(interpreter) or index.interpreters.get(interpreter.rstrip("0123456789."))
            if found:
                return found
    for line in (*source[:1000].split(b"\n", 5)[:5], *source[-1000:].rsplit(b"\n", 5)[-5:]):
        if match := _MODELINE.search(line):
            mode = (match[1] or match[2]).decode("latin-1").lower()
            if found := index.modelines.get(mode):
                return found
    return None


def read_header(text: str, name: str) -> dict[str, str]:
    """Reads the headers of a query file's text; those that may be repeated are joined by line breaks.

    Raises:
        QueryFileError: a header is not known.
    """
    header: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("; "):
            if line.strip() and not line.startswith(";"):
                break
            continue
        if match := _HEADER.match(line):
            if match[1] not in HEADER_KEYS:
                raise QueryFileError(f"{name}.scm: unknown header {match[1]!r}; known: {', '.join(HEADER_KEYS)}")
            again = header.get(match[1], "") + "\n" if match[1] in REPEATED_KEYS else ""
            header[match[1]] = (again + match[2]).strip()
    return header


OWN_KEYS: Final = ("files", "content", "shebang", "modeline")
HEADER_KEYS: Final = (
    *("grammar", "inherits", *OWN_KEYS, "comments", "doc comments", "module doc", "fold L1", "fold L2"),
    *(
        "fold statements",
        "fold value",
        "fold inside",
        "fold tokens",
        "empty scope",
        "blank",
        "declarators",
        "name marks",
        "names",
        "uses",
        "calls",
        "mixes",
        "qualified",
        "namespace",
        "returned",
        "addresses",
        "tests",
        "lends",
        "gives",
        "type parameters",
        "of types",
        "own values",
        "prose",
        "reserved",
        "marks",
    ),
    *("visible", "offers", "seen with type"),
    *(
        "line mark",
        "reach",
        "read as",
        "begins",
        "block ends",
        "terminator",
        "returns",
        "items",
        "heads",
        "attribute mark",
        "conditions",
    ),
    *("unended", "mends"),
    *("sketch", "sketch words", "sketch hides", "sketch above", "sketch apart", "sketch behind", "sketch joins"),
    *(
        "sketch code",
        "sketch names",
        "sketch signature",
        "sketch continues",
        "sketch arrow",
        "sketch alias",
        "sketch indents",
        "sketch halves",
        "sketch embeds",
        "sketch blocks",
    ),
)
REPEATED_KEYS: Final = ("content", "visible", "blank", "read as", "mends", "sketch", "sketch hides", "sketch embeds")


def text_of(name: str) -> str:
    """Reads the query file of a language."""
    return (_QUERY_FILES / f"{name}.scm").read_text(encoding="utf-8")


def resolved(name: str, text: str) -> tuple[dict[str, str], str]:
    """Returns the headers and the patterns of a query file's text, with those that it inherits.

    Raises:
        QueryFileError: a header is not known.
    """
    header = read_header(text, name)
    parent = header.get("inherits")
    if parent is None:
        return header, text
    inherited, patterns = resolved(parent, text_of(parent))
    defaults = {key: value for key, value in inherited.items() if key not in OWN_KEYS}
    for key in ("blank", "mends"):
        if key in header and key in defaults:
            header[key] = f"{defaults[key]}\n{header[key]}"
    return {**defaults, **header}, patterns + "\n" + text


@cache
def _reserved_in(language: str | None) -> frozenset[str]:
    header = {} if language is None else resolved(language, text_of(language))[0]
    return frozenset(header.get("reserved", "").split())


def reserved_words(path: str) -> frozenset[str]:
    """Returns the words by which the language of a file writes statements; in one of it they name nothing. Loads no grammar."""
    return _reserved_in(language_name_of(path))


def comment_start(header: Mapping[str, str]) -> re.Pattern[bytes] | None:
    """Returns how a comment begins by the headers of a language; None where they do not say."""
    return re.compile(header["comments"].encode(), re.MULTILINE) if "comments" in header else None


def comment_start_of(path: str, source: bytes) -> re.Pattern[bytes] | None:
    """Returns how a comment begins in a file; None where that is not known. Loads no grammar."""
    name = language_name_of(path, source)
    return None if name is None else comment_start(resolved(name, text_of(name))[0])


_MOST_NAMESPACES: Final = 8
_NEAR: Final = 200
"""Bytes in which another statement of a namespace may stand."""


class Naming(NamedTuple):
    """The names of a language, and what uses them in its code."""

    names: re.Pattern[bytes]
    """A name."""
    mixes: str = ""
    """Stands for the languages that use each other's definitions; "" for one that may be used from any."""
    messages: bool = False
    """The parts of a name may stand apart, in a message: `[shop sell: it for: price]` uses `sell:for:`."""
    clauses: bool = False
    """Several definitions of a qualified name are one, in clauses; there are no overloads."""
    types_apart: bool = False
    """Types are named in declarations alone: in a body the same word is something else."""
    functions_are_methods: bool = False
    """A function may be called as a method."""
    slashes: bool = False
    """A slash stands between a namespace and a name."""
    brackets_group: bool = False
    """An opening bracket behind a name does not call it."""
    folders: bool = False
    """A folder is a module: an import names it by its path, and code by the last part of that; names of files say nothing."""
    bare_members: bool = False
    """A field is used in its class with nothing before it."""
    shapes: bool = False
    """A type is of an interface where it has its methods, and takes in the members of fields with no name of their own."""
    held_members: bool = False
    """A member is used in code through what holds it alone: a name with nothing before it is none."""
    loose_types: bool = False
    """A value may have a type that it does not say it is of: what has the same members."""
    types_imported: bool = False
    """A type of another module is imported where it is used, unless all of that is."""
    overloads: bool = False
    """Definitions of one qualified name may differ by what they take."""
    bare_calls: bool = False
    """A method may be called with nothing behind its name: `Till.new.ring`."""
    spread_modules: bool = False
    """Several files may hold parts of one module, or namespace."""
    lent_objects: bool = False
    """A block may be given an object, whose members are used in it with nothing before them."""
    members_around: bool = False
    """A name alone that is called may be a member of the class around."""
    names_imported: bool = False
    """A name alone is none of another file unless it is imported."""
    one_program: bool = False
    """A name alone means the one function of that name that is seen everywhere."""
    bare_statements: bool = False
    """A call needs no brackets, and the name of a method may end with a mark."""
    function_values: bool = False
    """Much of what is called is a value with a name."""
    kept_handlers: bool = False
    """A package keeps what others call for it in a value: `var root = &Command{Run: func() { serve() }}`."""
    shared_types: bool = False
    """Several names may stand before one type: `to, from *Till`."""
    counted_arguments: bool = False
    """A call passes as many arguments as is taken, no more and no fewer."""
    extensions: bool = False
    """A function may say itself which type it is a member of, outside of that: `fun Lamp.dim()`."""
    mixed_in: bool = False
    """The methods of a module are those of any type that takes it in, and call those of that type with nothing before them."""
    files_are_types: bool = False
    """A file may be a type, whose members stand in nothing: its functions are called as methods."""
    addresses: Mapping[str, str] = MappingProxyType({})
    """The words before a name where it is used, for what it is defined in: `var` for `variable`. Where there are any, nothing
    is used but by its address, in its folder."""
    namespace: re.Pattern[bytes] | None = None
    """The statement that says in which namespace all that a file defines is; its group `name` is that."""
    marks: frozenset[str] = frozenset([".", "::"])
    """The marks behind which a name is that of a member, of what stands before them."""
    returned: re.Pattern[bytes] | None = None
    """The statement that says which of a file's definitions the module is that others import; its group `name` is that."""
    tests: re.Pattern[bytes] | None = None
    """Finds something in a test that stands beside what it tests; None where tests have files of their own."""
    lends: re.Pattern[bytes] | None = None
    """Finds the beginning of a block that lends all that stands in it to another type; its first group is the white space before it."""
    gives: re.Pattern[str] | None = None
    """Matches the beginning of a call that names the type of what it gives; its first group is that."""
    type_parameters: re.Pattern[bytes] | None = None
    """Finds before the name of a function the types that it takes; its first group is those."""
    own_values: str = ""
    """An expression that matches behind a variable which is of a type of the language itself; "" for none."""
    of_types: re.Pattern[bytes] | None = None
    """Finds before the name of a member that it is one of its type, and of no value of that: `static`."""

    @classmethod
    def words(cls) -> tuple[str, ...]:
        """Returns the words of the header `uses`, in the order of the fields that they set."""
        return tuple(name.replace("_", "-") for name, default in cls._field_defaults.items() if default is False)

    def namespace_in(self, source: bytes) -> str:
        """Returns the namespace that a file says its definitions are in, as it is written there; "" where it says none.

        Statements that stand one below the other say it part by part: `package shop` and `package till` are `shop.till`.
        """
        names: list[str] = []
        found = self.namespace.search(source) if self.namespace is not None else None
        while found is not None and self.namespace is not None and len(names) < _MOST_NAMESPACES:
            names.append(found["name"].decode("utf-8", "replace"))
            end = found.end()
            found = self.namespace.search(source, end, end + _NEAR)
            found = found if found is not None and source[end : found.start()].isspace() else None
        return ".".join(names)


def naming_of(path: str, source: bytes) -> Naming:
    """Returns how the code of a file uses names. Loads no grammar."""
    return naming_in(language_name_of(path, source))


@cache
def naming_in(language: str | None) -> Naming:
    """Returns how code in a language uses names; None for no code, or for a language that is not known."""
    header = {} if language is None else resolved(language, text_of(language))[0]
    names = re.compile(header.get("names", _NAME).replace(r"\w", r"\w\x80-\xff").encode())
    uses = header.get("uses", "").split()
    mixes = header.get("mixes", language or "all")
    space = header.get("namespace")
    namespace = re.compile(space.encode(), re.MULTILINE) if space is not None else None
    addresses = dict(word.split(">") for word in header.get("addresses", "").split())
    return Naming(
        names,
        "" if mixes == "all" else mixes,
        *(word in uses for word in Naming.words()),
        addresses=addresses,
        namespace=namespace,
        marks=frozenset(header.get("marks", ". ::").split()),
        returned=re.compile(header["returned"].encode(), re.MULTILINE) if "returned" in header else None,
        tests=re.compile(header["tests"].encode(), re.MULTILINE) if "tests" in header else None,
        lends=re.compile(header["lends"].encode(), re.MULTILINE) if "lends" in header else None,
        gives=re.compile(header["gives"]) if "gives" in header else None,
        type_parameters=re.compile(header["type parameters"].encode()) if "type parameters" in header else None,
        own_values=header.get("own values", ""),
        of_types=re.compile(header["of types"].encode()) if "of types" in header else None,
    )


@cache
def languages() -> Languages:
    """Reads the headers of all query files; once in a process."""
    exact: dict[str, str] = {}
    extensions: dict[str, str] = {}
    globs: list[tuple[str, str]] = []
    contents: dict[tuple[str, str], list[re.Pattern[bytes]]] = {}
    interpreters: dict[str, str] = {}
    modelines: dict[str, str] = {}
    names = sorted(entry.name.removesuffix(".scm") for entry in _QUERY_FILES.iterdir() if entry.name.endswith(".scm"))
    for name in names:
        header = read_header(text_of(name), name)
        for pattern in header.get("files", "").split():
            if not re.search(r"[*?\[]", pattern):
                exact[pattern] = name
            elif re.fullmatch(r"\*\.[^*?\[]+", pattern):
                extensions[pattern[2:].lower()] = name
            else:
                globs.append((pattern, name))
        for line in header.get("content", "").splitlines():
            pattern, _, expression = line.partition(" ")
            contents.setdefault((pattern, name), []).append(re.compile(expression.encode(), re.MULTILINE))
        interpreters.update(dict.fromkeys(header.get("shebang", "").split(), name))
        modelines.update(dict.fromkeys((name, *header.get("modeline", "").split()), name))
    return Languages(
        names=frozenset(names),
        exact=exact,
        extensions=extensions,
        globs=tuple(globs),
        contents=tuple((pattern, tuple(expressions), name) for (pattern, name), expressions in contents.items()),
        interpreters=interpreters,
        modelines=modelines,
    )
