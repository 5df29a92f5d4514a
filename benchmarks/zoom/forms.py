"""Zooms to names as people and models write them, and counts those that are understood in one call.

    python -m benchmarks.zoom.forms --repos FOLDER [--repository flask]

`FOLDER` holds the repositories by name; `forms.toml` says what each form names. An answer is right where all that was
meant is shown, the first of it first; of an ambiguous name, where what is meant stands among the first that are listed,
in no more than 2,000 tokens.
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from skeleton.index.code_index import CodeIndex
from skeleton.zoom.zoomer import Zoomer
from workspace.errors import FractalContextError
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.zoom.zoomer import Match, ZoomResult

BUDGET = 20_000
MOST_AMBIGUOUS = 2000
FIRST = 3
"""Of an ambiguous name, what is meant stands among so many."""

FORMS = Path(__file__).with_name("forms.toml")
AMBIGUOUS = "many"


def is_at(match: Match, place: str) -> bool:
    """Tells whether a match is what a place says: `path`, `path:first-last` or `path::Qualified.name`."""
    path, separator, name = place.partition("::")
    if separator:
        qualified = match.title.partition(" ")[2]
        return match.path == path and f".{qualified}".endswith(f".{name}")
    path, separator, lines = place.partition(":")
    if separator:
        return (match.path, f"{match.first_line}-{match.last_line}", match.title) == (path, lines, "")
    return (match.path, match.first_line, match.title) == (path, 1, "")


def is_right(found: ZoomResult, places: Sequence[str]) -> bool:
    """Tells whether an answer is what was meant."""
    *wanted, last = places
    if last != AMBIGUOUS:
        shown = all(any(is_at(match, place) for match in found.matches) for place in places)
        return (
            shown
            and is_at(found.matches[0], places[0])
            and (len(found.matches) == len(places) or found.tokens <= MOST_AMBIGUOUS)
        )
    if found.tokens > MOST_AMBIGUOUS:
        return False
    return all(not place or any(is_at(match, place) for match in found.matches[:FIRST]) for place in wanted)


def main() -> None:
    """Zooms, and prints what is not understood."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--repository")
    asked = parser.parse_args()
    forms: dict[str, dict[str, list[list[str]]]] = tomllib.loads(FORMS.read_text(encoding="utf-8"))
    right = count = 0
    for name, of_repository in forms.items():
        if asked.repository not in (None, name):
            continue
        folder = asked.repos / name
        zoomer = Zoomer(CodeIndex(Roots([folder])))
        for target, *places in of_repository["forms"]:
            count += 1
            try:
                found = zoomer.zoom(target, str(folder), token_budget=BUDGET)
            except FractalContextError as error:
                told = str(error)[:160]
            else:
                if is_right(found, places):
                    right += 1
                    continue
                shown = [f"{match.path}:{match.first_line} {match.title}" for match in found.matches[:FIRST]]
                told = f"{found.tokens} tokens, {len(found.matches)} matches: {shown}"
            print(f"{name}: {target!r} is not {places}: {told}")
    print(f"{right} of {count} forms are understood in one call")


if __name__ == "__main__":
    main()
