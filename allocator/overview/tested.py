"""The line of a first look that tells where tests are: the folders of tests, with the number of these."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from allocator.overview.grounds import Grounds, stem, subject
from skeleton.languages.headers import language_name_of
from workspace.names.tiers import Tier, tier_of
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TEST_FOLDERS = 4
BESIDE_SOURCE = "beside source"

TESTING = frozenset({"", "test", "testing", "tests"})
"""Words, in lower case, that say of a folder that it is about tests; "" is one, as of a name that begins with a mark."""

_FOR_TESTS = "common data fixtures helper helpers kit resource resources support testutil testutils util utils"
HELPING_TESTS = frozenset(_FOR_TESTS.split())
"""Words, in lower case, of which the name of a folder is made, beside `TESTING`, that holds what tests need and none of them."""

OF_TESTS = (".bats", ".exp", ".feature", ".phpt", ".robot", ".slt", ".t", ".tcl")
"""Endings of files with tests in languages of which nothing else is known."""


def folders_of_tests(grounds: Grounds) -> list[str]:
    """Returns the folders of tests that hold code, where any do, with the number of tests that are named like a source file.

    Those of examples, of measurements and of scripts are told where there are no others, as is what only helps tests; files
    without code, as the data of tests, count where no folder holds code.
    Where many folders hold tests beside what these test, all of them are told as one; last comes how many files are in others.
    """
    tests = frozenset(grounds.tests)
    sources = {stem(grounds.files[place].path).lower() for place in grounds.voters if place not in tests} - {""}
    code: defaultdict[str, list[bool]] = defaultdict(list)
    others: defaultdict[str, list[bool]] = defaultdict(list)
    for place in [place for place in grounds.tests if _tests_the_rest(grounds.files[place].path)] or grounds.tests:
        path = grounds.files[place].address
        folder = _folder_of_tests(path)
        is_named = subject(path) in sources
        if language_name_of(path) or path.endswith(OF_TESTS):
            code[f"{folder}/"].append(is_named)
        elif _tells_of_tests(folder):  # beside settings of tools
            others[f"{folder}/"].append(is_named)
    held = code or others
    with_source = {grounds.files[place].address.rpartition("/")[0] or "." for place in grounds.voters}
    beside = [folder for folder in with_source.intersection(one[:-1] for one in held) if not _tells_of_tests(folder)]
    if len(beside) > MOST_TEST_FOLDERS:
        held[BESIDE_SOURCE] = [is_named for folder in beside for is_named in held.pop(f"{folder}/")]
    most = sorted(held, key=lambda folder: (-len(held[folder]), folder))
    left = sum(len(held[folder]) for folder in most[MOST_TEST_FOLDERS:])
    told = [
        f"{folder} ({number_of(len(held[folder]), 'file')}"
        + (f", {sum(held[folder])} named like source)" if any(held[folder]) else ")")
        for folder in most[:MOST_TEST_FOLDERS]
    ]
    return [*told, f"+{number_of(left, 'file')}"] if left else told


def _tests_the_rest(path: str) -> bool:
    """Tells of a test by its path whether it tests the project, and neither what stands beside that nor nothing at all.

    In the folder of scripts, or that of examples, there may be one of tests.
    """
    folder, is_named = _folder_of_tests(path), subject(path) != ""
    above, _, name = folder.rpartition("/") if _tells_of_tests(folder) else (folder, "", "")
    words = {*name.lower().replace("_", "-").split("-")} - TESTING
    if words and words <= HELPING_TESTS and not is_named:
        return False
    endings = ("c", path.rpartition(".")[2])
    return _holds_the_project(above, endings) or (
        bool(name) and is_named and _holds_the_project(above.rpartition("/")[0], endings)
    )


def _holds_the_project(folder: str, endings: Iterable[str]) -> bool:
    """Tells of a folder whether it is none of examples, scripts, prose or code of others."""
    around = "" if folder in ("", ".") else f"{folder}/"
    return any(tier_of(f"{around}code.{ending}") is not Tier.OTHER for ending in endings)


def _folder_of_tests(path: str) -> str:
    """The folder of a test down to the one that is called after tests."""
    folders = path.split("/")[:-1]
    end = next((number for number, folder in enumerate(folders, 1) if _tells_of_tests(folder)), len(folders))
    return "/".join(folders[:end]) or "."


def _tells_of_tests(folder: str) -> bool:
    """Tells of a folder, by its path or its own name, whether the last is that of tests."""
    name = folder.rpartition("/")[2].lower()
    return "test" in name or name in ("spec", "specs")
