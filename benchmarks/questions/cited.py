"""Asks SWE-QA's questions, and prints the share of what their answers cite that a context of some budget shows.

    python -m benchmarks.questions.cited --repos DIR --answers DIR --cache DIR [--half tune] [--budget 2000 …]

`--answers` is the folder `Benchmark` of a clone of peng-weihan/SWE-QA-Bench, and `DIR/<name>` are the repositories at its
commits; those that are not there are left out. An answer cites the files that its paths mean, and the definitions in source
that is no test whose names it has in grave accents: those in the files that it cites, where there are any. A file is shown
where it has a block, a definition where its signature stands in that of its file, and in full where all of its lines do. Of
each the mean over the questions is told, in per cent, and how many files a context shows.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from allocator import ContextEngine
from benchmarks.overview.asked import by_last_name, cited_files, known_names, named_in
from benchmarks.overview.sources import known
from benchmarks.recall.measure import compact_blocks
from workspace.names.tiers import Tier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from benchmarks.overview.sources import Known

BUDGETS: Final = (2000, 4000, 8000)

HALVES: Final = {
    "tune": ("astropy", "pylint", "reflex", "sphinx", "streamlink", "xarray"),
    "report": ("flask", "pytest", "requests", "sqlfluff", "sympy"),
}
"""The repositories that something may be learnt from, and those that it is reported on."""


class Place(NamedTuple):
    """A definition, as a context may show it.

    Attributes:
        path: its file.
        opening: the beginning of the line where its name stands.
        lines: its lines, without what they begin and end with.
    """

    path: str
    opening: str
    lines: frozenset[str]


class Asked(NamedTuple):
    """A question, and what its answer cites."""

    question: str
    files: frozenset[str]
    definitions: Sequence[Sequence[Place]]
    """For each name the definitions that it may mean."""


class Seen(NamedTuple):
    """The parts of it that a context shows: a share of each, None where nothing is cited; and how many files it shows at all."""

    files: float | None
    definitions: float | None
    in_full: float | None
    opened: int


def asked(answers: Path, found: Known) -> Iterator[Asked]:
    """Yields the questions whose answers cite anything.

    Args:
        answers: the file of the repository.
        found: its files.
    """
    by_name = by_last_name(file.path for file in found.files)
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for file in found.files:
        if file.tier is Tier.CORE:
            for one in found.definitions(file):
                start = file.source.rfind(b"\n", 0, one.name_start) + 1
                opening = _text(file.source[start : one.name_start + len(one.name.encode())]).strip()
                places[one.name].append(Place(file.path, opening, _lines(_text(file.source[one.start : one.end]))))
    counted = Counter({name: len(ones) for name, ones in places.items()})
    for line in answers.read_text(encoding="utf-8").splitlines():
        told: Mapping[str, str] = json.loads(line)
        files = cited_files(told["answer"], by_name)
        names = sorted(known_names(named_in(told["answer"]), counted))
        if files or names:
            meant = [[one for one in places[name] if one.path in files] or places[name] for name in names]
            yield Asked(told["question"], files, meant)


def seen(context: str, one: Asked) -> Seen:
    """Tells what a context shows of what an answer cites."""
    blocks = {path: (lines, _lines("\n".join(lines))) for path, lines in compact_blocks(context).items()}
    shown = [
        any(place.path in blocks and any(place.opening in line for line in blocks[place.path][0]) for place in places)
        for places in one.definitions
    ]
    full = [
        is_shown and any(place.path in blocks and place.lines <= blocks[place.path][1] for place in places)
        for is_shown, places in zip(shown, one.definitions, strict=True)
    ]
    files = [path in blocks for path in one.files]
    return Seen(*(fmean(held) if held else None for held in (files, shown, full)), opened=len(blocks))


def _text(source: bytes) -> str:
    return source.decode("utf-8", "replace")


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.splitlines()) - {""}


def _row(label: str, found: Mapping[int, Sequence[Seen]]) -> str:
    cells: list[str] = []
    for ones in found.values():
        columns = list(zip(*ones, strict=True))
        known_shares = [[share for share in column if share is not None] for column in columns[:-1]]
        means = [f"{100 * fmean(shares):.1f}" if shares else "-" for shares in known_shares]
        cells.append(f"{' '.join(means)} ({fmean(columns[-1]):.1f})")
    return f"| {label} | {len(next(iter(found.values())))} | {' | '.join(cells)} |"


def main() -> None:
    """Asks, and prints what is shown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--half", choices=[*HALVES], default="tune")
    parser.add_argument("--cache", type=Path, required=True, help="a folder that keeps what is known of contents")
    parser.add_argument("--budget", type=int, action="append", default=[])
    given = parser.parse_args()
    budgets = given.budget or BUDGETS
    print(f"| repository | questions | {' | '.join(f'{budget:,}' for budget in budgets)} |")
    print(f"|---|--:|{'--:|' * len(budgets)}")
    every: dict[int, list[Seen]] = {budget: [] for budget in budgets}
    for name in HALVES[given.half]:
        folder = given.repos / name
        if not folder.is_dir():
            continue
        own: dict[int, list[Seen]] = {budget: [] for budget in budgets}
        with known(folder, given.cache) as found:
            engine = ContextEngine(found.index.roots, index=found.index)
            for one in asked(given.answers / f"{name}.jsonl", found):
                for budget in budgets:
                    result = engine.get_context(str(folder), token_budget=budget, query=one.question, format="compact")
                    own[budget].append(seen(result.context, one))
        print(_row(name, own), flush=True)
        for budget in budgets:
            every[budget] += own[budget]
    print(_row(given.half, every))


if __name__ == "__main__":
    main()
