"""Reads manifests: what a package is called, what it says of itself, what programs it starts and what it offers."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from skeleton.names.packages import modules_of_go

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_XML = re.compile(r"<(name|description)>\s*+([^<]*[^<\s])\s*</", re.DOTALL)
_PROJECT = re.compile(r"<(Version|Description)>\s{0,99}([^<]{1,2000})</")
_PROPERTY = re.compile(r"[\s;,|-]{0,9}\$\([\w.]{1,99}\)")
"""A value of a project that another file says, and what parts it from the text before."""

_PACKAGE_OF_SWIFT = re.compile(r"\bPackage\(\s{0,99}name:\s{0,9}\"([\w. -]{1,99})\"")
_PRODUCT_OF_SWIFT = re.compile(r"\.(library|executable)\(([^()]{0,2000})\)")
_TARGET_OF_SWIFT = re.compile(
    r"\.([a-z]\w{0,19}?[tT]arget|target|macro|plugin)\(\s{0,99}name:\s{0,9}\"([\w.-]{1,99})\""
)
_PATH_OF_SWIFT = re.compile(r"\bpath:\s{0,9}\"([^\"\n]{1,200})\"")
_QUOTED = re.compile(r"\"([\w.-]{1,99})\"")
SOURCES_OF_SWIFT = "Sources"
"""The folder of the parts of a package of Swift that name no other."""

PROGRAM_OF_SWIFT = "executableTarget"
"""The word for a part of a package of Swift that is a program."""

_MIX = re.compile(
    r"\b(app|description|version):\s*(?::(\w+)|\"([^\"\n]+)\")|^[ \t]*@(description|version)\s+\"([^\"\n]+)\"",
    re.MULTILINE,
)
_GEM = re.compile(r"^[ \t]*\w+\.(name|version|summary)\s*=\s*(?:\"([^\"\n#]+)\"|'([^'\n]+)')", re.MULTILINE)
_NEW_GEM = re.compile(r"\bGem::Specification\.new[ \t(]*[\"']([\w.-]+)[\"']")
_EXECUTABLES = re.compile(r"^[ \t]*\w+\.executables?[ \t]*(?:<<|=)[ \t]*((?:\[|%w|[\"'])[^\]})\n#]*)", re.MULTILINE)
_BINDIR = re.compile(r"^[ \t]*\w+\.bindir[ \t]*=[ \t]*[\"']([\w./-]+)[\"']", re.MULTILINE)
_TEXT = re.compile(r"[\"'({\[]([\w. -]+)(?:[\"')}\]]|$)")
_SENTENCE_ENDS = re.compile(r"(?<=[^.A-Z][.!?])\s+(?=[A-Z])")
_SCRIPT = re.compile(r"^[ \t]*([\w.-]+)[ \t]*=[ \t]*([\w.]+:[\w.]+)", re.MULTILINE)
"""A program of Python, in a list of entry points."""

_SCRIPTS = ("console_scripts", "gui_scripts")
_LISTED = re.compile(r"^\[(console_scripts|gui_scripts)\]([^\[]*)", re.MULTILINE)
_ELSEWHERE = ("attr:", "file:")
"""Beginnings of values of `setup.cfg` that stand in another file."""

LONGEST_SETUP = 100_000
"""Characters of a `setup.py` that is read."""

_INTERNAL = re.compile(r"_|internals?$|private$")
"""A folder that is not for others."""

_RUNNERS = frozenset({"bun", "deno", "node", "nodemon", "ts-node", "ts-node-dev", "tsx"})
"""Programs that run a file of JavaScript."""

_RUN = re.compile(r"\.[cm]?[jt]s$|^\./")
"""The end or the beginning of the path of such a file."""

START = "start"
"""The script of a package of JavaScript that starts it where it is installed."""

_USUAL = ("default", "import", "module", "require")
"""Conditions that hold for most users of a package. In `exports` those that hold for few stand before them."""


class Manifest(NamedTuple):
    """The facts of a manifest.

    Attributes:
        name, version, description: of its package; "" where it does not say.
        starts: the names of programs and what they start with, a path or `package.module:function`.
        offers: paths of files in which the package says what it offers, the most telling first.
        in_parts: whether it offers paths inside it alone, and nothing by its own name.
        inside: for each path inside it that it offers, the paths of files in which it says what that is.
        libraries: paths of the folders that others import by the name of these.
        apart: paths of folders with programs that it does not offer, beside what it does: they show or measure that.
        is_private: whether it is not to be published.
    """

    name: str = ""
    version: str = ""
    description: str = ""
    starts: Mapping[str, str] = {}
    offers: Sequence[str] = ()
    in_parts: bool = False
    inside: Sequence[Sequence[str]] = ()
    libraries: Sequence[str] = ()
    apart: Sequence[str] = ()
    is_private: bool = False

    def sentences(self) -> list[str]:
        """The sentences of the description, each on one line; none where it does not say."""
        return sentences_of(self.description)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each on one line."""
    return [" ".join(one.split()) for one in _SENTENCE_ENDS.split(text.strip()) if one]


def manifest_of(name: str, text: str) -> Manifest:
    """Reads a manifest; one that cannot be read says nothing.

    Args:
        name: of the file.
        text: its content.
    """
    try:
        return _READERS[sort_of_manifest(name)](text)
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        return Manifest()


def _of_pyproject(text: str) -> Manifest:
    table = tomllib.loads(text)
    poetry = table_in(table_in(table.get("tool")).get("poetry"))
    project = table_in(table.get("project")) or poetry
    scripts = _texts(project.get("scripts") or poetry.get("scripts"))
    return _told(project)._replace(starts={name: said.partition("[")[0].strip() for name, said in scripts.items()})


def _of_cargo(text: str) -> Manifest:
    table = tomllib.loads(text)
    binaries = map(_texts, table.get("bin", []))
    library = _texts(table.get("lib")).get("path")
    package = table_in(table.get("package"))
    return _told(package)._replace(
        starts={one["name"]: one["path"] for one in binaries if "name" in one and "path" in one},
        offers=(library,) if library else (),
        is_private=package.get("publish") in (False, []),
    )


def _of_package(text: str) -> Manifest:
    table = table_in(json.loads(text))
    binaries, exports = table.get("bin"), table.get("exports")
    offers = [said for key in ("source", "module", "main") for said in _leaves(table.get(key))]
    paths = table_in(exports)
    entry = paths.get(".") if any(path.startswith(".") for path in paths) else exports
    started = _started(_texts(table.get("scripts")))
    return _told(table)._replace(
        starts=({"bin": binaries} if isinstance(binaries, str) else _texts(binaries)) | started,
        offers=(*offers, *_leaves(entry)),
        in_parts=entry is None and exports is not None and not offers,
        inside=[[*_leaves(said)] for path, said in paths.items() if _is_inside(path)],
        is_private=table.get("private") is True,
    )


def _started(scripts: Mapping[str, str]) -> dict[str, str]:
    """The file that a script starts a program with, if one does, by the name that is given to that."""
    for said in (scripts.get(START, ""), scripts.get("dev", "")):
        words = said.split()
        runner = next((at for at, word in enumerate(words) if word in _RUNNERS), len(words))
        path = next((word for word in words[runner + 1 :] if _RUN.search(word)), None)
        if path is not None:
            return {START: path}
    return {}


def _is_inside(path: str) -> bool:
    """Tells of a key of `exports` whether it is a path inside the package that others may import."""
    pieces = path.split("/")
    return pieces[0] == "." and len(pieces) > 1 and "*" not in path and not any(_INTERNAL.match(one) for one in pieces)


def _of_composer(text: str) -> Manifest:
    table = table_in(json.loads(text))
    paths = _leaves(table.get("bin"))
    return _told(table)._replace(starts={path.rpartition("/")[2].partition(".")[0]: path for path in paths})


def _of_setup_cfg(text: str) -> Manifest:
    import configparser  # loaded by the first such file

    read = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        read.read_string(text)
    except configparser.Error as error:
        raise ValueError from error
    tables = {name: dict(read[name]) for name in ("metadata", "options.entry_points") if read.has_section(name)}
    said = {key: value for key, value in tables.get("metadata", {}).items() if not value.startswith(_ELSEWHERE)}
    return _told(said)._replace(starts=_python_scripts(tables.get("options.entry_points")))


def _of_setup(text: str) -> Manifest:
    """Reads what is literal in the call of `setup`, and what is named before it; nothing is run."""
    import ast  # loaded by the first such file
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes
            tree = ast.parse(text if len(text) <= LONGEST_SETUP else "")
    except (SyntaxError, MemoryError) as error:
        raise ValueError from error
    named: dict[str, object] = {}

    def value(node: ast.expr) -> object:
        match node:
            case ast.Constant(value=str(said)):
                return said
            case ast.Name(id=name):
                return named.get(name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [value(part) for part in parts]
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                return {said: value(one) for key, one in pairs if key and isinstance(said := value(key), str)}
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first, second = value(left), value(right)
                return first + second if isinstance(first, str) and isinstance(second, str) else None
            case _:
                return None

    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=said):
                named[name] = value(said)
            case _:
                pass
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="setup") | ast.Attribute(attr="setup"), keywords=[_, *_] as said):
                table = {one.arg: value(one.value) for one in said if one.arg}
                return _told(table)._replace(starts=_python_scripts(table.get("entry_points")))
            case _:
                pass
    return Manifest()


def _python_scripts(said: Any) -> Mapping[str, str]:
    """The programs in entry points: a text with sections, or a table of texts with one on a line, or of lists of them."""
    table = table_in(dict(_LISTED.findall(said)) if isinstance(said, str) else said)
    texts = (one for kind in _SCRIPTS for one in _leaves(table.get(kind)))
    return {name: start for one in texts for name, start in _SCRIPT.findall(one)}


def _of_pom(text: str) -> Manifest:
    return _first_of(_XML.findall(text))


def _of_swift(text: str) -> Manifest:
    found = _first_of(("name", name) for name in _PACKAGE_OF_SWIFT.findall(text))
    products = [(sort, _QUOTED.findall(said)) for sort, said in _PRODUCT_OF_SWIFT.findall(text)]
    libraries = {name for sort, names in products for name in names if sort == "library"}
    if not libraries:
        return found
    offered = {found.name}.union(*(names for _, names in products))
    targets = [*_TARGET_OF_SWIFT.finditer(text)]
    ends = [one.start() for one in targets[1:]] + [len(text)]
    of_libraries: list[str] = []
    apart: list[str] = []
    for target, end in zip(targets, ends, strict=True):
        path = _PATH_OF_SWIFT.search(text, target.end(), end)
        folder = path[1] if path else f"{SOURCES_OF_SWIFT}/{target[2]}"
        if target[1] == PROGRAM_OF_SWIFT and target[2] not in offered:
            apart.append(folder)
        elif target[1] == "target" and target[2] in libraries:
            of_libraries.append(folder)
    return found._replace(libraries=of_libraries, apart=apart)


def _of_project(text: str) -> Manifest:
    said = ((name.lower(), " ".join(_PROPERTY.sub("", value).split())) for name, value in _PROJECT.findall(text))
    return _first_of((name, value) for name, value in said if value)


def _of_go(text: str) -> Manifest:
    return _first_of(("name", name) for name in modules_of_go(text))


def _of_mix(text: str) -> Manifest:
    said = [[part for part in found if part] for found in _MIX.findall(text)]
    return _first_of(("name" if key == "app" else key, value) for key, value in said)


def _of_gem(text: str) -> Manifest:
    said = [[part for part in found if part] for found in _GEM.findall(text)]
    named = [("name", name) for name in _NEW_GEM.findall(text)]
    found = _first_of((*named, *(("description" if key == "summary" else key, value) for key, value in said)))
    if not found.name:
        return found
    listed = "".join(_EXECUTABLES.findall(text))
    programs = [name for names in _TEXT.findall(listed) for name in names.split()]
    bindir = next(iter(_BINDIR.findall(text)), "bin")
    usual = {found.name: f"exe/{found.name}"}  # where most list what lies there
    return found._replace(
        starts={name: f"{bindir}/{name}" for name in programs} or usual,
        offers=[f"lib/{name}.rb" for name in dict.fromkeys((found.name, found.name.replace("-", "/")))],
    )


def _of_pubspec(text: str) -> Manifest:
    import yaml  # loaded by the first such file

    try:
        found = _told(table_in(yaml.safe_load(text)))
    except yaml.YAMLError as error:
        raise ValueError from error
    return found._replace(offers=[f"lib/{found.name}.dart"]) if found.name else found


_READERS: Mapping[str, Callable[[str], Manifest]] = {
    "pyproject.toml": _of_pyproject,
    "Cargo.toml": _of_cargo,
    "mix.exs": _of_mix,
    ".gemspec": _of_gem,
    "pubspec.yaml": _of_pubspec,
    "package.json": _of_package,
    "composer.json": _of_composer,
    "setup.cfg": _of_setup_cfg,
    "setup.py": _of_setup,
    "pom.xml": _of_pom,
    "go.mod": _of_go,
    "Package.swift": _of_swift,
    ".csproj": _of_project,
}
MANIFESTS = tuple(_READERS)
"""Names, or endings, of files that say what a project is, in the order in which they are asked."""


def sort_of_manifest(name: str) -> str:
    """Returns which of `MANIFESTS` the name of a file is or ends with; "" for none."""
    return name if name in _READERS else next((one for one in MANIFESTS if one[0] == "." and name.endswith(one)), "")


def _told(table: Mapping[str, Any]) -> Manifest:
    """The texts that a table holds of its package."""
    texts = _texts(table)
    return Manifest(texts.get("name", ""), texts.get("version", ""), texts.get("description", ""))


def _first_of(said: Iterable[tuple[str, str]]) -> Manifest:
    """The first text of each name."""
    return _told(dict(reversed([*said])))


def table_in(said: Any) -> Mapping[str, Any]:
    """A table; an empty one for what is none."""
    return cast("Mapping[str, Any]", said) if isinstance(said, dict) else {}


def _texts(said: Any) -> dict[str, str]:
    """The entries of a table whose values are texts."""
    return {name: value for name, value in table_in(said).items() if isinstance(value, str)}


def _leaves(said: Any) -> Iterator[str]:
    """The texts inside nested tables and lists: in order, but what stands under the usual conditions first."""
    if isinstance(said, str):
        yield said
    table = table_in(said)
    usual: dict[str, Any] = {key: table[key] for key in _USUAL if key in table}
    inner = cast("Sequence[Any]", said) if isinstance(said, list) else {**usual, **table}.values()
    for value in inner:
        yield from _leaves(value)
