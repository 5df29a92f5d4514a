"""The answer to a target that names nothing: where was looked, and what may have been meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from skeleton.zoom.symbols import MOST_SUGGESTED
from skeleton.zoom.targets import line_range, stem
from workspace.errors import SymbolNotFoundError

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_SAID: Final = 120
"""Characters of a name that an error repeats."""

_LIKE_ENOUGH: Final = 80
_LIKE_ENOUGH_FOR_MODULES: Final = 60
"""Of 100, how like a path or a module has to be."""


def not_found(word: str, name: str, suggestions: Sequence[str], *, where: str = "") -> SymbolNotFoundError:
    """Returns the error that nothing has a name.

    Args:
        word: the kind of target: `symbol`, `function`, …
        name: all after it.
        suggestions: targets that exist, closest first.
        where: where was looked, as the end of a clause; "" for all there is.
    """
    hint = (
        f"Did you mean: {', '.join(suggestions)}?"
        if suggestions
        else "No name is close to it; get_context shows what there is."
    )
    if len(name) > _LONGEST_SAID:
        name = f"{name[:_LONGEST_SAID]}…"
    what = "Nothing" if word == "symbol" else f"No {word}"
    return SymbolNotFoundError(f"{what} is called {name!r}{where}. {hint}", suggestions=tuple(suggestions))


def paths_like(name: str, paths: Sequence[str]) -> list[str]:
    """Returns the paths that a name is a slip of, closest first; the names of files are compared where it has no slash."""
    from rapidfuzz import fuzz, process  # serves names that nothing has

    wanted = (line_range(name) or (name,))[0].lower()
    known = [path.lower() if "/" in wanted else path.rpartition("/")[2].lower() for path in paths]
    close = process.extract(wanted, known, scorer=fuzz.ratio, score_cutoff=_LIKE_ENOUGH, limit=MOST_SUGGESTED)
    return [paths[place] for _, _, place in close]


def modules_like(name: str, paths: Sequence[str]) -> list[str]:
    """Returns the paths of the files whose module's name is like one."""
    from rapidfuzz import process  # likewise

    stems = ["/".join(stem(path)) for path in paths]
    wanted = name.replace("::", "/").replace(".", "/")
    close = process.extract(wanted, stems, score_cutoff=_LIKE_ENOUGH_FOR_MODULES, limit=MOST_SUGGESTED)
    return [paths[place] for _, _, place in close]
