"""Orders files without a query: the first is shown first, and loses its detail last.

Files come tier by tier (Core, Config, Tests, Other: the Fractal Protocol, section 2.3). Within a tier those come first
that a newcomer opens first: entry points, then what lies near the root, then by name. The order depends on the paths
and tiers alone. It is the same from call to call while files only change inside, so a served context changes as late
as it can and a reader's prompt cache holds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from skeleton.languages.headers import language_name_of
from workspace.names.tiers import Tier, tier_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workspace.files.scan import ScannedFile

FORESEEN = 24
"""About so many files are parsed for a call whose files come by their paths."""

ENTRY_POINTS = frozenset(
    {
        "__init__",
        "__main__",
        "app",
        "application",
        "asgi",
        "cli",
        "cmd",
        "index",
        "lib",
        "main",
        "manage",
        "mod",
        "program",
        "server",
        "wsgi",
    }
)
"""Names, without ending and in lower case, of the files that others are reached from."""

MOST_KEYS = 1 << 15
"""Files whose places are remembered: the same ones are put in order by every call."""

_Ranked = TypeVar("_Ranked")


@lru_cache(MOST_KEYS)
def rank_key(path: str, tier: Tier) -> tuple[int, bool, int, str]:
    """Gives the place of one file among all: smaller sorts first and is more important.

    Args:
        path: the file, relative to the folder that was asked for, with forward slashes.
        tier: the file's tier.
    """
    folders, _, name = path.rpartition("/")
    stem = name.partition(".")[0].lower()
    depth = folders.count("/") + 1 if folders else 0
    return int(tier), stem not in ENTRY_POINTS, depth, path


def ranked(files: Iterable[_Ranked], place: Callable[[_Ranked], tuple[str, Tier]]) -> list[_Ranked]:
    """Sorts files, the most important first.

    Args:
        files: any records of files.
        place: gives the path and the tier of one of them.
    """
    return sorted(files, key=lambda file: rank_key(*place(file)))


def foremost(files: Sequence[ScannedFile]) -> Sequence[ScannedFile]:
    """The files that a call without a query comes to first, as far as names can tell."""
    return ranked(files, lambda file: (file.path, tier_of(file.path)))[:FORESEEN]


def sources(files: Sequence[ScannedFile]) -> Sequence[ScannedFile]:
    """The files that are surveyed for a first look, as far as names can tell: source, but for what is in scarce languages."""
    from skeleton.index.mixture import scarce_languages  # where files are new alone

    core = [file for file in files if tier_of(file.path) is Tier.CORE]
    scarce = scarce_languages((file.path, file.size) for file in core)
    return [file for file in core if language_name_of(file.path) not in scarce] if scarce else core
