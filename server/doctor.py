"""The command `fractal-context doctor`: checks each part that the results depend on, and says what to do about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from compaction.prompt.weights import model_state
from server.options import settings_in_force
from server.settings_table import CONFIG_VARIABLE, PREFIX, SETTINGS
from server.sharing import shared_store
from server.versions import distribution_version, part_versions
from skeleton.index.cache import Cache, cache_folder
from workspace.errors import FractalContextError
from workspace.files.watching import watching_in_words
from workspace.git.running import Git
from workspace.slips import meant
from workspace.tokens import BUNDLED_ENCODINGS, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from server.settings import Settings


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The finding about one part.

    Attributes:
        part: its name.
        works: whether it can be used.
        words: what was found and, where it does not work, what to do.
    """

    part: str
    works: bool
    words: str

    @property
    def mark(self) -> str:
        """The state of the part, in one word and a column's width."""
        return "ok     " if self.works else "BROKEN "

    @property
    def text(self) -> str:
        """The words of the finding, with the name of the part."""
        return f"{self.part}: {self.words}"


def examine(settings: Callable[[], Settings]) -> Iterator[Finding]:
    """Yields the findings as they are made: the product, its parts, git, languages, vocabularies, roots and every setting in force.

    Args:
        settings: reads the settings as a server would; an error of the caller's that it raises becomes a finding.
    """
    yield Finding(part="fractal-context", works=True, words=distribution_version() or "run from its source tree")
    for part, number in part_versions().items():
        yield Finding(part=part, works=bool(number), words=number or "not installed; install fractal-context again")
    yield _git()
    yield _languages()
    yield from map(_vocabulary, BUNDLED_ENCODINGS)
    yield from _settings(settings)
    yield from _slips()


def _git() -> Finding:
    """The finding about git, without which all that is no history works."""
    answer = Git(os.path.realpath(".")).ask("version")
    told = answer.out.decode("utf-8", "replace").strip().removeprefix("git version ")
    without = (
        "folders are read without it; install it for `changed`, `review`, commits and its own rules of ignored files"
    )
    return Finding(part="git", works=True, words=told if told and not answer.status else f"{answer.refusal}; {without}")


def _languages() -> Finding:
    from skeleton.languages.headers import QueryFileError, language_names
    from skeleton.languages.queries import Language

    names = language_names()
    broken: list[str] = []
    for name in names:
        try:
            Language.named(name)
        except QueryFileError as error:
            broken.append(str(error))
    if broken:
        return Finding(part="languages", works=False, words=f"{len(broken)} of {len(names)}: {'; '.join(broken)}")
    languages = [name for name in names if name.rpartition("_")[0] not in names]  # interfaces of OCaml are no other one
    return Finding(
        part="languages", works=bool(names), words=f"{len(languages)} with grammars and queries that fit them"
    )


def _vocabulary(name: str) -> Finding:
    return _tried(f"vocabulary {name}", lambda: f"{token_counter(name).count('one two three')} tokens in three words")


def _model(named: str) -> Finding:
    works, words = model_state(named)
    return Finding(part="model", works=works, words=words)


def _cache(named: str) -> Finding:
    cache = Cache(cache_folder(named))
    held = cache.statistics()
    cache.close()
    if held.path is None:
        words = "off; name a folder in the setting `cache`, or none at all, to keep what was worked out"
    elif held.problem:
        words = f"not used, every call works without it ({held.problem}); see {held.path}"
    else:
        asked = held.hits + held.misses
        rate = f"{held.hits / asked:.0%} of {asked:,} look-ups found" if asked else "nothing looked up yet"
        words = (
            f"{held.path}: {held.size / 1e6:.1f} MB, {held.entries:,} entries for {held.files:,} files, {rate};"
            " doctor --clear-cache empties it"
        )
    return Finding(part="cache", works=not held.problem, words=words)


def _store(settings: Settings) -> list[Finding]:
    try:
        store = shared_store(settings)
    except FractalContextError as error:
        return [Finding(part="store", works=False, words=str(error))]
    if store is None:
        return []
    answers, words = store.examined()
    return [Finding(part="store", works=answers, words=f"{store.address.shown}: {words}")]


def _settings(read: Callable[[], Settings]) -> list[Finding]:
    try:
        settings = read()
    except FractalContextError as error:
        return [Finding(part="settings", works=False, words=str(error))]
    roots = (
        ", ".join([*map(str, settings.roots.paths), *settings.repositories])
        if not settings.tenants
        else (f"those of the tenants in {settings.tenants}")
    )
    without = (
        "none: this folder is too wide to be read without a word; name one with --root, or start in that of a project"
    )
    return [
        _model(settings.model),
        _cache(settings.cache),
        *_store(settings),
        Finding(part="roots", works=bool(roots), words=roots or without),
        *(
            Finding(part="changes", works=True, words=f"{path}: {watching_in_words(path)}")
            for path in settings.roots.paths
        ),
        *(Finding(part="setting", works=True, words=line) for line in settings_in_force(settings)),
    ]


def _slips() -> Iterator[Finding]:
    """Yields the environment variables that nothing reads and that a letter or a word keeps from being settings."""
    known = [name.removeprefix(PREFIX) for name in (CONFIG_VARIABLE, *(row.environment for row in SETTINGS))]
    for name in sorted(os.environ):
        own = name.removeprefix(PREFIX)
        question = meant([own], known) if own != name and own not in known else ""
        if question:
            words = f"{name} is no setting, and nothing reads it.{question.replace('`', f'`{PREFIX}', 1)}"
            yield Finding(part="variable", works=False, words=words)


def _tried(part: str, attempt: Callable[[], str]) -> Finding:
    try:
        return Finding(part=part, works=True, words=attempt())
    except FractalContextError as error:
        return Finding(part=part, works=False, words=str(error))
