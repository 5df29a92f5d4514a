"""Finds the paths and the names that may be meant by one that nothing has: they are a letter or two away."""

from __future__ import annotations

import os
from difflib import SequenceMatcher, get_close_matches
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

_LIKE_ENOUGH: Final = 0.66
"""The part of two names that has to be the same for one to be a slip of the other."""

_STEMS_LIKE: Final = 0.6
"""The same of the names without their endings, which may make up for all else: of `nope.jsonl` and `a-p.json`."""

_SAME_NAME: Final = 0.8
"""The part of two names of options or arguments that has to be the same."""

_MOST_LIKELY: Final = 3
_MOST_ENTRIES: Final = 20_000
"""Entries of one folder that are looked at."""


def near(missed: Path, holds: Callable[[Path], bool]) -> Path | None:
    """Returns the place whose path differs from a missed one in one name, and in that by little; None where there is none.

    Args:
        missed: a real absolute path at which nothing is.
        holds: tells whether a place may be read. Nothing else is looked at, and names that begin with a dot are told
            only to who wrote one.
    """
    below: list[str] = []
    wrong, folder = missed.name, missed.parent
    while holds(folder) and not folder.is_dir():
        below.insert(0, wrong)
        wrong, folder = folder.name, folder.parent
    try:
        with os.scandir(folder if holds(folder) else "") as entries:
            names = [entry.name for entry in islice(entries, _MOST_ENTRIES)]
    except OSError:
        return None
    told = [name for name in names if wrong.startswith(".") or not name.startswith(".")]
    cases = {name.casefold(): name for name in told}
    likely = get_close_matches(wrong.casefold(), cases, n=_MOST_LIKELY, cutoff=_LIKE_ENOUGH)
    for like in (name for name in likely if _alike(wrong.casefold(), name)):
        close = cases[like]
        found = folder.joinpath(close, *below)
        return found if found.exists() else folder / close
    return None


def folders_meant(missed: str, paths: Iterable[str], *, nearly: bool = True) -> list[str]:
    """Returns the folders that may be meant by one that holds no file, those of one rule alone.

    The first rule that finds any decides: their paths end as the missed one does, or are it in other letters, or are
    spelt nearly so.

    Args:
        missed: its path, without a slash at its end.
        paths: of all files.
        nearly: whether the last rule is asked.
    """
    folders = {path[:slash] for path in paths for slash in range(len(path)) if path[slash] == "/"}
    ends = [one for one in folders if f"/{one}".endswith(f"/{missed}")]
    if ends:
        return sorted(ends, key=lambda one: (one.count("/"), one))[:_MOST_LIKELY]
    cases = {one.casefold(): one for one in sorted(folders)}
    plain = missed.casefold()
    if plain in cases:
        return [cases[plain]]
    return [cases[one] for one in get_close_matches(plain, cases, n=_MOST_LIKELY)] if nearly else []


def meant(wrong: Iterable[str], names: Iterable[str]) -> str:
    """Returns a question, after a blank, that tells of what names some wrong ones may be slips; "" where of none.

    Args:
        wrong: the names that were written.
        names: those that there are.
    """
    there = {_plain(name): name for name in names}
    close: dict[str, None] = {}
    for one in map(_plain, wrong):
        longer = [name for name in there if {*one.split("_")} < {*name.split("_")}]
        for name in longer[:1] or get_close_matches(one, there, n=1, cutoff=_SAME_NAME):
            close[f"`{there[name]}`"] = None
    return f" Did you mean {', '.join(close)}?" if close else ""


def _plain(name: str) -> str:
    return name.strip("-").replace("-", "_").casefold()


def _alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, PurePath(one).stem, PurePath(other).stem).ratio() >= _STEMS_LIKE
