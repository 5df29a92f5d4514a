"""The material that landmarks are found in, and the names by which a reader is told of definitions."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from allocator.overview.importance import is_test
from skeleton.languages.kinds import TYPES
from workspace.lazy import lazy
from workspace.names.tiers import Tier, tier_of
from workspace.paths import as_word

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from allocator.overview.importance import Standing
    from allocator.overview.meanings import SurveyedFile
    from skeleton.index.survey import Survey

TEST_WORDS = re.compile(
    r"^test[_-]?|[_-](?:tests?|spec|unittest|it)$|(?-i:(?<=.)(?:Tests?|Spec|UnitTest|IT)$)", re.IGNORECASE
)
"""The beginning of a name that says that it is that of a test, or the word at its end."""

CALLABLE = frozenset({"function", "method", "constructor"})
"""Kinds of definitions that something calls."""

MAINS = ("main", "Main")
"""Names of functions that start a program."""


class Spot(NamedTuple):
    """A definition: its file and its place there."""

    file: int
    place: int


class Grounds:
    """All that is known of the files.

    Args:
        files: all of them, by path.
        surveys: of each.
        voters: the places of the source files.
        tests: those of the tests.
        standing: what is important.
        source: gives the bytes of the file at a place.
        made: the places of those that programs wrote.
    """

    def __init__(
        self,
        files: Sequence[SurveyedFile],
        surveys: Sequence[Survey],
        *,
        voters: Sequence[int],
        tests: Sequence[int],
        standing: Standing,
        source: Callable[[int], bytes],
        made: Collection[int] = (),
    ) -> None:
        self.files = files
        self.surveys = surveys
        self.voters = voters
        self.tests = tests
        self.standing = standing
        self.source = source
        self.made = made

    @lazy
    def spots(self) -> Mapping[str, Sequence[Spot]]:
        """The definitions of source files by name."""
        found: defaultdict[str, list[Spot]] = defaultdict(list)
        for file in self.voters:
            for place, name in enumerate(self.surveys[file].names):
                found[name].append(Spot(file, place))
        return found

    @lazy
    def places(self) -> Mapping[str, int]:
        """The places of all files by path."""
        return {file.path: place for place, file in enumerate(self.files)}

    @lazy
    def _above(self) -> str:
        """The part of the addresses of all files that their paths leave out."""
        return self.files[0].address.removesuffix(self.files[0].path) if self.files else ""

    def folder(self, path: str) -> str:
        """The address of a folder, as one word."""
        return as_word(self._above + path) if self._above + path else "./"

    def are_beside(self, one: int, other: int) -> bool:
        """Tells whether two files lie in one folder."""
        return self.files[one].path.rpartition("/")[0] == self.files[other].path.rpartition("/")[0]

    def kind(self, spot: Spot) -> str:
        """The kind of a definition."""
        return self.surveys[spot.file].kinds[spot.place]

    def only_groups(self, container: str) -> bool:
        """Tells of what its file does not define, as `Admin` of `class Admin::Page`, whether it only groups: no type is called so."""
        return not any(self.kind(spot) in TYPES for spot in self.spots.get(container.rpartition(".")[2], ()))

    def has_body(self, spot: Spot) -> bool:
        """Tells of a definition whether it is more than declared."""
        survey = self.surveys[spot.file]
        return survey.ends[spot.place] > survey.bodies[spot.place] + 1

    def is_test(self, spot: Spot) -> bool:
        """Tells of a definition of source whether it is a test, or holds tests."""
        survey, place = self.surveys[spot.file], spot.place
        return is_test(survey.containers[place], survey.names[place], survey.kinds[place])

    def target(self, spot: Spot) -> str:
        """The target by which `zoom` knows a definition."""
        survey = self.surveys[spot.file]
        container, name = survey.containers[spot.place], survey.names[spot.place]
        return f"{self.files[spot.file].address}::{f'{container}.{name}' if container else name}"

    def short(self, spot: Spot) -> str:
        """The name of a definition with that of what it stands in."""
        survey = self.surveys[spot.file]
        container = survey.containers[spot.place].rpartition(".")[2]
        return f"{container}.{survey.names[spot.place]}" if container else survey.names[spot.place]


def subject(test: str) -> str:
    """The name of a file of tests without what says in it that it is one, in lower case; "" where nothing does.

    Args:
        test: its path.
    """
    name = test.rpartition("/")[2]
    bare = TEST_WORDS.sub("", stem(name))
    return bare.lower() if bare != stem(name) or tier_of(name) is Tier.TESTS else ""


def stem(path: str) -> str:
    """The name of a file up to its first point."""
    return path.rpartition("/")[2].partition(".")[0]
