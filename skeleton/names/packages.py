"""Names of packages as their manifests say them, and the folders that these mean.

`github.com/shop/till` is the folder of the `go.mod` with that `module`, `@shop/till` that of the `package.json` with that
`name`, `shop_till` that of the crate `shop-till`, `org.shop:till` that of the artifact, and `@till/*` what a `tsconfig.json`
says it is.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from skeleton.names.targets import segments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skeleton.index.indexed import IndexedFile

_MODULE: Final = re.compile(r"^module[ \t]+\"?(?P<name>[^\s\"]+)", re.MULTILINE)
_ALIAS: Final = re.compile(r"\"(?P<name>[^\"\n*]+)/\*\"\s*:\s*\[\s*\"(?P<folder>[^\"\n*]+)/\*\"")
_PATHS: Final = re.compile(r"\"paths\"\s*:\s*\{[^{}]*\}")
_BASE: Final = re.compile(r"\"baseUrl\"\s*:\s*\"(?P<folder>[^\"\n]+)\"")
_MANIFEST: Final = re.compile(r"(?:\A|/)(?:go\.mod|package\.json|[tj]sconfig(?:\.\w+)?\.json)\Z")
_SEPARATORS: Final = (".", "/", "::", "#")

_IN_TABLE: Final = re.compile(
    r"^\[(?:package|project|tool\.poetry)\][^\n]*\n(?:(?!\[)[^\n]*\n){0,60}?name[ \t]*=[ \t]*[\"'](?P<name>[^\"'\n]+)",
    re.MULTILINE,
)
_PARENT: Final = re.compile(r"<parent>.{0,4000}?</parent>|<dependenc.*|<build>.*", re.DOTALL)
_ARTIFACT: Final = re.compile(r"<artifactId>\s*(?P<name>[^<\s]+)\s*</artifactId>")
_GROUP: Final = re.compile(r"<groupId>\s*(?P<name>[^<\s]+)\s*</groupId>")
_PUB: Final = re.compile(r"^name:\s*[\"']?(?P<name>[\w-]+)", re.MULTILINE)
_MIX: Final = re.compile(r"\bapp:\s*:(?P<name>\w+)")
_GEM: Final = re.compile(r"\.name\s*=\s*[\"'](?P<name>[^\"'\n]+)")
_OTHERS: Final = {
    "Cargo.toml": _IN_TABLE,
    "pyproject.toml": _IN_TABLE,
    "pubspec.yaml": _PUB,
    "mix.exs": _MIX,
}
"""Manifests whose name for their package begins no name of a definition, and where it stands in them."""

_VERSION: Final = re.compile(r":[\d.]+\Z")
_BUILT: Final = re.compile(r"\A(?:build|dist|lib|out)/(?:(?:cjs|esm)/)?")
"""Folders that hold what is built of the sources, by whose names imports reach these."""

_ARITY: Final = re.compile(r"/\d{1,3}\Z")


class _Package(msgspec.Struct):
    """The part of a `package.json` that names its package."""

    name: str = ""


class Named(NamedTuple):
    """A name behind that of a package.

    Attributes:
        folder: the folder, or the file without its ending, that it is looked for in; "" for that of all files.
        names: the parts of the name there; none where the package, or a module of it, is all that is named.
        package: the folder of the package itself.
    """

    folder: str
    names: tuple[str, ...]
    package: str


def may_name_a_package(name: str) -> bool:
    """Tells whether a name may begin with that of a package which its manifest says."""
    return "/" in name or name.startswith("@")


def stands_within(path: str, folder: str) -> bool:
    """Tells whether a file stands in a folder, or below it."""
    return not folder or path.startswith(f"{folder}/")


def is_manifest(path: str) -> bool:
    """Tells whether a file may say what a package is called."""
    return _MANIFEST.search(path) is not None


def says_a_package(path: str) -> bool:
    """Tells whether a file may say that its folder is a package, in any language."""
    name = path.rpartition("/")[2]
    return is_manifest(path) or name in _OTHERS or name in ("pom.xml", "composer.json") or name.endswith(".gemspec")


def may_only_name_a_package(name: str) -> bool:
    """Tells whether a name that is no path can hardly be that of a definition: `@shop/till`, `github.com/shop/till`."""
    return may_name_a_package(name) and not _ARITY.search(name) and not re.search(r"::|[\s()\[\]#>]", name)


def places_of_package(name: str, manifests: Iterable[tuple[str, bytes]]) -> list[str]:
    """Returns the paths that the name of a package, or of what lies in it, may stand for, the likeliest first.

    Args:
        name: as imports and manifests write it: `@shop/till/src`, `shop_till`, `org.shop:till`, `:core:data`.
        manifests: paths and contents of files that say what a package is called.

    Returns:
        Paths from the folder of all files on, which need not exist; `.` for that folder.
    """
    plain = _VERSION.sub("", name.strip()).rstrip("/")
    if plain.startswith(":"):
        return [plain.strip(":").replace(":", "/")]
    found = [
        (called, folder)
        for path, source in manifests
        for called, folder in _called(path, source)
        if plain == called or plain.startswith(f"{called}/")
    ]
    found.sort(key=lambda one: (-len(one[0]), one[1].count("/"), one[1]))
    places: list[str] = []
    for called, folder in found:
        rest = plain[len(called) :].strip("/")
        inside = (rest, f"src/{rest}", f"lib/{rest}", _BUILT.sub("src/", rest)) if rest else ("",)
        places += ("/".join(part for part in (folder, one) if part) or "." for one in inside)
    return list(dict.fromkeys(places))


def _called(path: str, source: bytes) -> Sequence[tuple[str, str]]:
    """The names of the package that a manifest says its folder is, each with the folder."""
    folder, _, name = path.rpartition("/")
    if is_manifest(path):
        return _said(path, source)
    if name == "composer.json":
        return [(called, folder)] if (called := _name_in(source)) else []
    text = source.decode("utf-8", "replace")
    if name == "pom.xml":
        own = _PARENT.sub("", text)
        artifact, group = _ARTIFACT.search(own), _GROUP.search(own) or _GROUP.search(text)
        if artifact is None:
            return []
        named = artifact["name"]
        return [(named, folder), *([(f"{group['name']}:{named}", folder)] if group is not None else ())]
    pattern = _OTHERS.get(name, _GEM)
    found = pattern.search(text)
    if found is None:
        return []
    return [(one, folder) for one in dict.fromkeys((found["name"], found["name"].replace("-", "_")))]


def modules_of_go(manifest: str) -> list[str]:
    """Returns the modules that a `go.mod` names: one, or none."""
    return [found["name"] for found in _MODULE.finditer(manifest)]


def behind_package(name: str, files: Iterable[IndexedFile]) -> list[Named]:
    """Returns the meanings of a name that begins with that of a package; none where it begins with none.

    Args:
        name: as imports and traces write it: `github.com/shop/till/cart.Add`, `@shop/till.Cart`.
        files: the manifests among them are read.
    """
    manifests = [file for file in files if is_manifest(file.path)]
    found = {
        (called, folder)
        for file in manifests
        for called, folder in _said(file.path, file.source)
        if _begins(name, called)
    }
    longest = max((len(called) for called, _ in found), default=0)
    every = [_meant(name[len(called) :], folder) for called, folder in sorted(found) if len(called) == longest]
    return [one for each in every for one in each]


def _begins(name: str, called: str) -> bool:
    return name == called or (name.startswith(called) and name[len(called) :].startswith(_SEPARATORS))


def _said(path: str, source: bytes) -> list[tuple[str, str]]:
    """The packages, or the beginnings of imports, that a manifest names, each with its folder."""
    folder, _, name = path.rpartition("/")
    text = source.decode("utf-8", "replace")
    if name == "go.mod":
        return [(name, folder) for name in modules_of_go(text)]
    if name == "package.json":
        return [(called, folder)] if (called := _name_in(source)) else []
    base = _BASE.search(text)
    start = posixpath.join(folder, base["folder"] if base is not None else "")
    return [
        (found["name"], "" if (meant := posixpath.normpath(posixpath.join(start, found["folder"]))) == "." else meant)
        for paths in _PATHS.findall(text)
        for found in _ALIAS.finditer(paths)
    ]


def _name_in(manifest: bytes) -> str:
    """The name that a `package.json` gives its package; "" where it gives none or cannot be read."""
    try:
        return msgspec.json.decode(manifest, type=_Package).name
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def _meant(rest: str, package: str) -> list[Named]:
    """The meanings of what stands behind the name of a package: what it gives out, or what a module in it has."""
    if not rest.startswith("/"):
        return [Named(package, segments(rest), package)]
    *folders, last = rest.strip("/").split("/")
    module, separator, names = last.partition("::" if "::" in last else ".")
    folder = "/".join(part for part in (package, *folders, module) if part)
    if separator and names:
        return [Named(folder, segments(names), package)]
    outer = "/".join(part for part in (package, *folders) if part)
    return [Named(folder, (), package), Named(outer, (last,), package)]
