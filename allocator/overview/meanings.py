"""The names that source files define, each with a number, and those that a file can mean by a word.

A name that is seen in its folder or its file alone is another one than the same name elsewhere: a `client` of one package
of Go is not what other packages call so. Which languages say so, and how, `skeleton.languages.visibility` tells. Code in a
minor language names no definition of the others, and theirs name none of its (`MAIN_SHARE`). What a component of a page is
given (`PROPS`) is meant where the component or the type of it is named as well: else every `title` would be one of its.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from skeleton.languages.headers import language_name_of, reserved_words
from skeleton.languages.kinds import FIELD
from skeleton.languages.visibility import Visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from skeleton.index.survey import Survey
    from workspace.names.tiers import Tier

KIN: Mapping[str, str] = MappingProxyType(
    {
        language: languages[0]
        for languages in (
            ("c", "cpp", "objc", "swift"),
            ("java", "kotlin", "scala", "clojure"),
            ("javascript", "typescript", "tsx", "vue", "svelte"),
            ("ocaml", "ocaml_interface"),
        )
        for language in languages
    }
)
"""The languages whose code names that of others, each with what stands for them all."""

MAIN_SHARE = 6
"""Of the definitions of a main language and its kin there is one in so many of all. A name in code of another says nothing of
a definition in one that is none: of pydantic, in Python and Rust, `get` of a script for the browser was the third of all."""

OF_DATA = frozenset({"sql"})
"""Languages in which tables are told of, minor ones unless most is written in them: what a program calls `name` is no column of a table,
and code that maps rows to objects does not name these either."""

MAIN = ""
"""Stands for all main languages together: what several of them name is important in each (with each by itself,
documented names of pydantic were 58.4 % at 8,000 tokens, with this 64.4 %)."""

OF_PAGES = "javascript"
"""The languages, by what stands for them all, that pages are written in: of these alone a name shares what it says with fields of
its name that few files can mean (with all, documented names of hyper fell by five points at 2,000 tokens)."""

PROPS = "Props"
"""The end of the name of a type whose fields are what a component is given; before it stands the name of the component."""

HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl")
"""Endings of files that others take in whole: what is seen in such a file alone is seen in those too."""


class SurveyedFile(Protocol):
    """A file whose importance can be judged from its path, its tier and its survey."""

    @property
    def path(self) -> str:
        """Relative to the folder that was asked for."""
        ...

    @property
    def address(self) -> str:
        """Relative to the root: what the reader is told."""
        ...

    @property
    def tier(self) -> Tier:
        """The tier that its name puts it in."""
        ...


class Meanings:
    """The meanings of names.

    Args:
        files: all files.
        surveys: of each.
        voters: the places of those whose definitions are numbered.
        foreign: the names that some of them import from packages of others, by their places.

    Attributes:
        minor: the files that are in a language that little of the whole is written in.
        file: for every definition the place of its file.
        place: likewise its place in the sketch of the file.
        name: likewise the number of its name.
        count: how many numbers there are.
        beside: for the numbers of names that are seen everywhere how many fields of pages are called so that are not, where there
            are some.
    """

    def __init__(
        self,
        files: Sequence[SurveyedFile],
        surveys: Sequence[Survey],
        voters: Sequence[int],
        foreign: Mapping[int, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        self._files = files
        self._foreign = foreign
        self._kin = {file: _kin(files[file].path) for file in voters}
        held = Counter[str]()
        for file in voters:
            held[self._kin[file]] += len(surveys[file].names)
        minor = {
            one
            for one, definitions in held.items()
            if one and definitions * (2 if one in OF_DATA else MAIN_SHARE) < held.total()
        }
        self._minor_kin = minor
        self._everywhere: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._near: defaultdict[tuple[str, str | int], dict[str, int]] = defaultdict(dict)
        self.minor = frozenset(file for file in voters if self._kin[file] in minor)
        self._given: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """The fields of what components are given, by name, each with its type and number."""
        narrow = Counter[str]()
        self.count = 0
        self.file: list[int] = []
        self.place: list[int] = []
        self.name: list[int] = []
        self._reserved: defaultdict[str, set[int]] = defaultdict(set)
        reserved = frozenset[str]().union(*(reserved_words(files[file].path) for file in voters))
        for file in voters:
            survey = surveys[file]
            everywhere = self._everywhere[self._kin[file] if self._kin[file] in minor else MAIN]
            is_taken_in = files[file].path.endswith(HEADERS)
            for place, (name, visible) in enumerate(zip(survey.names, survey.visible, strict=True)):
                names = everywhere if not visible or is_taken_in else self._near[self._scope(file, visible)]
                container = survey.containers[place]
                is_field = survey.kinds[place] == FIELD
                if names is everywhere and is_field and container.endswith(PROPS):
                    number = self._given[name].setdefault(container.rpartition(".")[2], self.count)
                else:
                    number = names.setdefault(name, self.count)
                if is_field and self._kin[file] == OF_PAGES and number != everywhere.get(name):
                    narrow[name] += 1
                self.count += number == self.count
                self.file.append(file)
                self.place.append(place)
                self.name.append(number)
                if name in reserved:
                    self._reserved[name].add(number)
        wide = self._everywhere[MAIN]
        self.beside = {wide[name]: fields for name, fields in narrow.items() if name in wide}
        self._no_names: dict[frozenset[str], frozenset[int]] = {}

    def _scope(self, file: int, visible: int) -> tuple[str, str | int]:
        """The part of the code in which a definition of a file is seen."""
        if visible == Visible.IN_FILE:
            return "", file
        return self._kin[file], self._files[file].path.rpartition("/")[0]

    def mentioned(self, file: int, words: Sequence[str]) -> list[int]:
        """The numbers of the names that a file may mean by some words; without definitions, those that are seen everywhere."""
        foreign = self._foreign.get(file)
        found = self._called(file, [word for word in words if word not in foreign] if foreign else words)
        no_names = self._no_names_in(file) if self._reserved and file in self._kin else None
        return [number for number in found if number not in no_names] if no_names else found

    def _no_names_in(self, file: int) -> frozenset[int]:
        """The numbers of the names that are words of the language of a source file."""
        words = reserved_words(self._files[file].path)
        known = self._no_names.get(words)
        if known is None:
            known = self._no_names[words] = frozenset(
                chain.from_iterable(self._reserved.get(word, ()) for word in words)
            )
        return known

    def _called(self, file: int, words: Sequence[str]) -> list[int]:
        """Likewise, where words of its language are taken for names."""
        own = self._kin.get(file)
        given = self._given_to(words, is_code=own is not None)
        if not own:
            wide, scopes = [*self._everywhere.values()], ()
        else:
            wide = [self._everywhere[MAIN], *([self._everywhere[own]] if own in self._minor_kin else [])]
            scopes = (self._scope(file, Visible.IN_FOLDER), self._scope(file, Visible.IN_FILE))
        near = {name: number for scope in scopes if scope in self._near for name, number in self._near[scope].items()}
        found = [*given, *(near[word] for word in words if word in near)]
        for names in wide:
            found += [number for word in words if word not in near and (number := names.get(word)) is not None]
        return found

    def _given_to(self, words: Sequence[str], *, is_code: bool) -> list[int]:
        """The numbers of what components are given, as some words may mean it; in code these name the component or the type, too."""
        if not self._given:
            return []
        held = frozenset(words)
        return [
            number
            for word in words
            for container, number in self._given.get(word, {}).items()
            if not is_code or container in held or container.removesuffix(PROPS) in held
        ]


def _kin(path: str) -> str:
    """Returns what stands for a file's language and those whose code it may name; "" for what is no code."""
    language = language_name_of(path) or ""
    return KIN.get(language, language)
