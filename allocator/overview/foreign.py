"""The names that source files import from packages of others: there they mean those, whatever is called so here.

`import { useMemo } from "react"` is no word for the project's own `useMemo`. Of JavaScript and TypeScript it is what the
manifest of a package says that it depends on, and what none here is called; of Python what no file and no folder is called.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, cast

from allocator.overview.manifests import table_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from allocator.overview.meanings import SurveyedFile
    from skeleton.index.survey import Survey

MANIFEST = "package.json"
"""The manifest that says on what code of JavaScript depends."""

OF_MANIFEST = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte")
"""Endings of files that import by the names in it."""

OF_FILES = (".py", ".pyi")
"""Endings of files that import by the names of files and folders."""

_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_HERE = ("workspace:", "file:", "link:", "portal:")
"""Beginnings of versions of what a dependency is here."""

_OF_RUNTIME = "node:"
"""The beginning of the names of modules that come with the runtime."""

_NO_NAMES = frozenset({"type", "typeof", "as", "import", "from"})
"""Words of statements that name nothing."""


def imported_from_others(
    files: Sequence[SurveyedFile],
    surveys: Sequence[Survey],
    voters: Iterable[int],
    source: Callable[[int], bytes],
) -> dict[int, frozenset[str]]:
    """Returns the names that source files import from packages of others, by the places of the files; none of most.

    Args:
        files: all files.
        surveys: of each.
        voters: the places of the source files.
        source: gives the content of a file by its place; manifests are read.
    """
    by_manifest = [place for place in voters if files[place].path.endswith(OF_MANIFEST)]
    by_files = [place for place in voters if files[place].path.endswith(OF_FILES)]
    others = _depended_on(files, source) if by_manifest else frozenset[str]()
    found: dict[int, frozenset[str]] = {}
    for place in by_manifest if others else ():
        found[place] = _names(_of_script(surveys[place].imports), lambda module: _is_of_others(module, others))
    if by_files:
        here = {part for file in files if file.path.endswith(OF_FILES) for part in _parts(file.path)}
        for place in by_files:
            found[place] = _names(_of_python(surveys[place].imports), lambda module: module not in here)
    return {place: own for place, names in found.items() if (own := names.difference(surveys[place].names))}


def _depended_on(files: Sequence[SurveyedFile], source: Callable[[int], bytes]) -> frozenset[str]:
    """The names of the packages that manifests of JavaScript say they depend on, but for those that are here."""
    named, here = set[str](), set[str]()
    for place, file in enumerate(files):
        if file.path.rpartition("/")[2] != MANIFEST:
            continue
        try:
            table = table_in(json.loads(source(place)))
        except (ValueError, RecursionError):
            continue
        here.add(str(table.get("name")))
        for key in _DEPENDENCIES:
            for name, version in table_in(table.get(key)).items():
                (here if str(cast("object", version)).startswith(_HERE) else named).add(name)
    return frozenset(named - here)


def _is_of_others(module: str, others: frozenset[str]) -> bool:
    """Tells of what a statement of JavaScript imports from whether it is a package of others, or a file of one."""
    scope, _, rest = module.partition("/")
    package = f"{scope}/{rest.partition('/')[0]}" if scope.startswith("@") else scope
    return package in others or module.startswith(_OF_RUNTIME)


def _of_script(imports: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The modules that statements of JavaScript import, each with the names from there, between blanks."""
    for said in imports:
        names, _, module = said.rpartition(" ")
        yield module, names


def _of_python(imports: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Likewise of Python, each with the outermost package; what begins with a point is of the package itself."""
    for said in imports:
        word, _, rest = said.partition(" ")
        module, _, names = rest.partition(" import ")
        if word == "from" and not module.startswith("."):
            yield module.partition(".")[0], names
        elif word == "import":
            yield from ((one.partition(".")[0], "") for one in rest.split(" "))


def _names(statements: Iterable[tuple[str, str]], is_of_others: Callable[[str], bool]) -> frozenset[str]:
    said = (f"{names} {module}".split(" ") for module, names in statements if is_of_others(module))
    return frozenset(chain.from_iterable(said)) - _NO_NAMES


def _parts(path: str) -> Iterator[str]:
    """The names of the folders of a path, and of the file without its ending."""
    *folders, name = path.split("/")
    yield from folders
    yield name.partition(".")[0]
