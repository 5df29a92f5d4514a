"""Names of packages as their manifests say them, and the folders that these mean.

`github.com/shop/till` is the folder of the `go.mod` with that `module`, `@shop/till` that of the `package.json` with that
`name`, and `@till/*` what a `tsconfig.json` says it is.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from skeleton.names.targets import segments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from skeleton.index.indexed import IndexedFile

_MODULE: Final = re.compile(r"^module[ \t]+\"?(?P<name>[^\s\"]+)", re.MULTILINE)
_ALIAS: Final = re.compile(r"\"(?P<name>[^\"\n*]+)/\*\"\s*:\s*\[\s*\"(?P<folder>[^\"\n*]+)/\*\"")
_PATHS: Final = re.compile(r"\"paths\"\s*:\s*\{[^{}]*\}")
_BASE: Final = re.compile(r"\"baseUrl\"\s*:\s*\"(?P<folder>[^\"\n]+)\"")
_MANIFEST: Final = re.compile(r"(?:\A|/)(?:go\.mod|package\.json|[tj]sconfig(?:\.\w+)?\.json)\Z")
_SEPARATORS: Final = (".", "/", "::", "#")


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
    found = {(called, folder) for file in manifests for called, folder in _said(file) if _begins(name, called)}
    longest = max((len(called) for called, _ in found), default=0)
    every = [_meant(name[len(called) :], folder) for called, folder in sorted(found) if len(called) == longest]
    return [one for each in every for one in each]


def _begins(name: str, called: str) -> bool:
    return name == called or (name.startswith(called) and name[len(called) :].startswith(_SEPARATORS))


def _said(file: IndexedFile) -> list[tuple[str, str]]:
    """The packages, or the beginnings of imports, that a manifest names, each with its folder."""
    folder, _, name = file.path.rpartition("/")
    text = file.source.decode("utf-8", "replace")
    if name == "go.mod":
        return [(name, folder) for name in modules_of_go(text)]
    if name == "package.json":
        return [(called, folder)] if (called := _name_in(file.source)) else []
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
