"""Reads manifests: what a package is called, what it says of itself, what programs it starts and what it offers."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_XML = re.compile(r"<(name|description)>\s*([^<]+?)\s*</", re.DOTALL)
_INI = re.compile(r"^(name|description)\s*=\s*(.+)$", re.MULTILINE)
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


class Manifest(NamedTuple):
    """The facts of a manifest.

    Attributes:
        name, version, description: of its package; "" where it does not say.
        starts: the names of programs and what they start with, a path or `package.module:function`.
        offers: paths of files in which the package says what it offers, the most telling first.
    """

    name: str = ""
    version: str = ""
    description: str = ""
    starts: Mapping[str, str] = {}
    offers: Sequence[str] = ()


def manifest_of(name: str, text: str) -> Manifest:
    """Reads a manifest; one that cannot be read says nothing.

    Args:
        name: of the file, one of `MANIFESTS`.
        text: its content.
    """
    try:
        return _READERS[name](text)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return Manifest()


def _of_pyproject(text: str) -> Manifest:
    table = tomllib.loads(text)
    poetry = _table(_table(table.get("tool")).get("poetry"))
    project = _table(table.get("project")) or poetry
    scripts = _texts(project.get("scripts") or poetry.get("scripts"))
    return _told(project)._replace(starts={name: said.partition("[")[0].strip() for name, said in scripts.items()})


def _of_cargo(text: str) -> Manifest:
    table = tomllib.loads(text)
    binaries = map(_texts, table.get("bin", []))
    library = _texts(table.get("lib")).get("path")
    return _told(_table(table.get("package")))._replace(
        starts={one["name"]: one["path"] for one in binaries if "name" in one and "path" in one},
        offers=(library,) if library else (),
    )


def _of_package(text: str) -> Manifest:
    table = _table(json.loads(text))
    binaries, exports = table.get("bin"), table.get("exports")
    offers = [said for key in ("source", "module", "main") for said in _leaves(table.get(key))]
    return _told(table)._replace(
        starts={"bin": binaries} if isinstance(binaries, str) else _texts(binaries),
        offers=(*offers, *_leaves(_table(exports).get(".", exports))),
    )


def _of_composer(text: str) -> Manifest:
    table = _table(json.loads(text))
    paths = _leaves(table.get("bin"))
    return _told(table)._replace(starts={path.rpartition("/")[2].partition(".")[0]: path for path in paths})


def _of_ini(text: str) -> Manifest:
    return _first_of(_INI.findall(text))


def _of_pom(text: str) -> Manifest:
    return _first_of(_XML.findall(text))


def _of_go(text: str) -> Manifest:
    return _first_of(("name", name) for name in _MODULE.findall(text))


_READERS: Mapping[str, Callable[[str], Manifest]] = {
    "pyproject.toml": _of_pyproject,
    "Cargo.toml": _of_cargo,
    "package.json": _of_package,
    "composer.json": _of_composer,
    "setup.cfg": _of_ini,
    "pom.xml": _of_pom,
    "go.mod": _of_go,
}
MANIFESTS = tuple(_READERS)
"""Names of files that say what a project is, in the order in which they are asked."""


def _told(table: Mapping[str, Any]) -> Manifest:
    """The texts that a table holds of its package."""
    texts = _texts(table)
    return Manifest(texts.get("name", ""), texts.get("version", ""), texts.get("description", ""))


def _first_of(said: Iterable[tuple[str, str]]) -> Manifest:
    """The first text of each name."""
    return _told(dict(reversed([*said])))


def _table(said: Any) -> Mapping[str, Any]:
    """A table; an empty one for what is none."""
    return cast("Mapping[str, Any]", said) if isinstance(said, dict) else {}


def _texts(said: Any) -> dict[str, str]:
    """The entries of a table whose values are texts."""
    return {name: value for name, value in _table(said).items() if isinstance(value, str)}


def _leaves(said: Any) -> Iterator[str]:
    """The texts inside nested tables and lists, in order."""
    if isinstance(said, str):
        yield said
    inner = cast("Sequence[Any]", said) if isinstance(said, list) else _table(said).values()
    for value in inner:
        yield from _leaves(value)
