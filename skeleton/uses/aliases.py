"""Reads what imports call otherwise than it is called where it is defined.

A name may be renamed (`import make as mk`, `{ helper: h } = require(…)`), or be what a module gives out by default, which
each import calls as it likes: `import run from "./x"`, `run = require("./x")`. Imports are read as text, in any language.
"""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.names.targets import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.outline.definitions import Definition

_WORD: Final = r"[^\W\d][\w$]*"
_RENAMED: Final = re.compile(rf"(?<![\w$])(?P<name>{_WORD})(?:\s+as\s+(?P<alias>{_WORD})|\s*:\s*(?P<field>{_WORD}))")
_BY_DEFAULT: Final = re.compile(
    rf"\bimport\s+(?:type\s+)?(?:\w+\s*,\s*)?(?:(?P<name>{_WORD})\s*(?:,(?:(?!\bimport\b)[^'\"])*)?|\{{(?:(?!\b(?:import|default\s+as)\b)[^'\"])*\bdefault\s+as\s+(?P<listed>{_WORD})(?:(?!\bimport\b)[^'\"])*)"
    r"\bfrom\s*['\"](?P<path>[^'\"\n]+)['\"]"
    rf"|(?<![\w$.])(?P<set>{_WORD})\s*=\s*(?:await\s+import|require)\s*\(\s*['\"](?P<required>[^'\"\n]+)['\"]\s*\)(?!\s*[.(\[])"
)
_DEFAULT: Final = re.compile(rb"\s*export\s+default\b")
_GIVEN: Final = r"(?:\bexport\s+default|\bmodule\.exports\s*=|\bexport\s*=|\bexports\.default\s*=)\s*{0}(?![\w$.(])|\bexport\s*\{{[^}}]*\b{0}\s+as\s+default\b"
_RELATIVE: Final = re.compile(r"""["'](\.{1,2}(?:/[^"'\n]*)?)["']""")
_SCOPED: Final = re.compile(r"""["'](@[\w.-]{1,100}/[\w.-]{1,100})["'/]""")
_POINTS: Final = re.compile(r"\bfrom\s+(\.++)([\w.]*+)\s+import\b")
_ENDING: Final = re.compile(r"\.\w{1,6}\Z")
_ALIKE: Final = 2
"""Parts at the end of a path that is not relative, as of `@/shop/cart`, by which it is known."""


class Imported(NamedTuple):
    """An import of what a module gives out by default.

    Attributes:
        name: the name that it has where it is imported.
        path: the module, as it is written.
    """

    name: str
    path: str


def renamed_in(statement: str) -> Iterator[tuple[str, str]]:
    """Yields the names in an import that it gives another one, each with that."""
    is_required = "require" in statement or "import(" in statement
    for found in _RENAMED.finditer(statement):
        alias = found["alias"] or (found["field"] if is_required else "")
        if alias and found["name"] != "default":
            yield found["name"], alias


def by_default_in(statement: str) -> Iterator[Imported]:
    """Yields what an import takes of modules that give it out by default."""
    for found in _BY_DEFAULT.finditer(statement):
        name = found["name"] or found["listed"] or found["set"]
        yield Imported(name, found["path"] or found["required"])


@lru_cache(maxsize=16_384)
def paths_in(statement: str, name: str) -> tuple[str, ...]:
    """Returns the modules that an import takes a name from, as paths from the file on: `./cart`, `../shop` of `from ..shop import`."""
    if name not in statement:
        return ()
    points = [f"./{'../' * (len(found[1]) - 1)}{found[2].replace('.', '/')}" for found in _POINTS.finditer(statement)]
    return (*(found[1] for found in _RELATIVE.finditer(statement)), *points)


@lru_cache(maxsize=16_384)
def packages_in(statement: str, name: str) -> tuple[str, ...]:
    """Returns the packages with a scope that an import takes a name from: `@fleet/buoy`."""
    return tuple(_SCOPED.findall(statement)) if "@" in statement and name in statement else ()


@lru_cache(maxsize=16_384)
def leads_to(path: str, here: str, other: str) -> bool:
    """Tells whether an import means a file.

    Args:
        path: as the import writes it: `./cart`, `../shop/cart.js`, `@/shop/cart`.
        here: the file with the import.
        other: the file that may be meant.
    """
    own = "/".join(stem(other))
    plain = _ENDING.sub("", path)
    if path.startswith("."):
        folder = here.rpartition("/")[0]
        meant = {posixpath.normpath(posixpath.join(folder, one)) for one in (path, plain)}
        return own in meant or other.rpartition(".")[0] in meant
    return any(f"/{own}".endswith("/" + "/".join(one.split("/")[-_ALIKE:])) and "/" in one for one in (path, plain))


def is_given_by_default(source: bytes, one: Definition) -> bool:
    """Tells whether a file gives out a definition at its top by default."""
    if one.container:
        return False
    if _DEFAULT.match(source, one.signature):
        return True
    name = re.escape(one.name)
    return re.search(_GIVEN.format(name).encode(), source) is not None


def default_of(source: bytes, definitions: Sequence[Definition]) -> Definition | None:
    """The definition that a file gives out by default; None where it gives none out so."""
    return next((one for one in definitions if not one.container and is_given_by_default(source, one)), None)
