"""The source files that help to build, check, measure and explain the others, by the folders that they lie in, or by their names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from allocator.overview.tested import TESTING
from workspace.names.tiers import folders_of_examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from allocator.overview.grounds import Grounds
    from allocator.overview.packages import Packages

_HELPERS = (
    "bench benchmark benchmarks build ci cmake conformance contrib development devtools eng experiments fuzz fuzzers fuzzing hack "
    "integration interop misc perf playground playgrounds sandbox smoke snippets stress support testing testkit testutil testutils "
    "tool tools types util utils xtask"
)
HELPERS = frozenset(_HELPERS.split())
"""Folders, in lower case, of what helps to build, check, measure and write the rest; beside them are those of examples."""

OUTERMOST = frozenset({"dev", "helpers", "maint"})
"""Likewise those that do so where they lie in no other folder: inside a package they hold a part of it."""

_WORDS = re.compile(r"[-_.]|(?<=[a-z0-9])(?=[A-Z])")

_MEASURES = re.compile(r"_(?:bench(?:mark)?s?|fuzz(?:er)?|perf)\.\w+\Z")
"""The end of the name of a file, in lower case, that measures or tries what stands beside it."""


LEAST_AT_HOME = 100
"""A package of another language that holds fewer than one in so many definitions only helps the rest."""


def helping(grounds: Grounds, packages: Packages) -> frozenset[int]:
    """Returns the source files that help to build, test or explain the others: where they start is no place to begin.

    Folders that hold most of all definitions, or of those of their package, help nothing, whatever they are called; nor does
    a package because it is written in another language than the rest.

    Args:
        grounds: the files.
        packages: those of the files.
    """
    apart = HELPERS | folders_of_examples()
    minor = grounds.standing.minor
    found: set[int] = set()
    at_home: set[int] = set()
    defined = {file: len(grounds.surveys[file].names) for file in grounds.voters}
    total = sum(defined.values())
    for package in packages.largest:
        inside = [file for file in package.sources if _is_apart(grounds.files[file].path, apart)]
        is_most = 2 * sum(defined[file] for file in inside) > package.share
        if not (is_most and package.folder) or _is_apart(f"{package.folder}/", apart):
            found.update(inside)
        others = sum(defined[file] for file in package.sources if file in minor)
        if package.folder and 2 * others > package.share and package.share * LEAST_AT_HOME >= total:
            at_home.update(package.sources)
    is_most = 2 * sum(defined[file] for file in found) > total
    return minor - at_home if is_most else (minor - at_home) | found


def _is_apart(path: str, apart: frozenset[str]) -> bool:
    """Tells whether a file lies in a folder of what helps, or measures what stands beside it."""
    outermost, _, below = path.lower().partition("/")
    is_outermost = bool(below) and outermost in OUTERMOST
    return is_outermost or not apart.isdisjoint(_words_of(path)) or _MEASURES.search(path.lower()) is not None


def _words_of(path: str) -> Iterator[str]:
    """The names of the folders of a path, and what their words say: `benchmarks` of `Shop.Benchmarks/`, `testing` of `shop-test-app/` and `TestApp/`."""
    for folder in path.split("/")[:-1]:
        plain = folder.lower()
        yield from (plain, plain.rpartition(".")[2])
        if not TESTING.isdisjoint(filter(None, _WORDS.sub(" ", folder).lower().split())):
            yield "testing"
