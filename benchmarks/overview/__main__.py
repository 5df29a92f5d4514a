"""Prints what a first look shows, ours and that of others, at the same budgets.

    python -m benchmarks.overview names     --repos DIR … --work PLACE [--group fresh --group report]
    python -m benchmarks.overview work      --repos DIR … --work PLACE
    python -m benchmarks.overview questions --repos DIR … --work PLACE --answers DIR
    python -m benchmarks.overview main      --repos DIR … --work PLACE
    python -m benchmarks.overview flow      --repos DIR … --work PLACE [--group held]
    python -m benchmarks.overview map       --repos DIR … --work PLACE
    python -m benchmarks.overview budgets   --repos DIR … --work PLACE
    python -m benchmarks.overview growing   --repos DIR … --work PLACE
    python -m benchmarks.overview formats   --repos DIR … --work PLACE

`DIR/<name>` are the repositories of `repositories.toml`, for `flow` those of `flows.toml`; several folders may be named. `--work` keeps work trees, caches
and what slow contenders served. `--aider PYTHON` and `--repomix COMMAND` add those two.
"""

from __future__ import annotations

import argparse
import shlex
import statistics
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.overview import contenders, growing, laws, layouts
from benchmarks.overview.asked import Shown, Wanted, cited, documented, later, seen_elsewhere
from benchmarks.overview.flows import BUDGET, flows, share_named
from benchmarks.overview.sources import checkout, known, main_definitions, repositories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

LATER = 200
"""Commits between the base and the newest."""


class Bench:
    """The contenders and the places of one run."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.work: Path = asked.work
        self.repos: Sequence[Path] = asked.repos
        self.aider: str = asked.aider
        self.repomix: Sequence[str] = shlex.split(asked.repomix)
        self.only: Sequence[str] = asked.only
        self.answers: Path | None = asked.answers
        self.groups: Sequence[str] = asked.group
        self.names: Sequence[str] = asked.repository or repositories(*(asked.group or ("fresh", "report")))

    def source(self, name: str) -> Path:
        """The repository of a name."""
        found = next((place / name for place in self.repos if (place / name).is_dir()), None)
        if found is None:
            raise SystemExit(
                f"{name} is in no folder of --repos: clone it there, or name groups or repositories without it"
            )
        return found

    def tree(self, name: str, revision: str = "HEAD", *, prose: bool = True, label: str = "whole") -> Path:
        """A work tree of a repository."""
        place = self.work / "trees" / label
        place.mkdir(parents=True, exist_ok=True)
        return checkout(self.source(name), place / name, revision, prose=prose)

    def texts(self, folder: Path, budgets: Sequence[int]) -> Mapping[str, Mapping[int, str]]:
        """Returns the texts that every contender serves of a folder."""
        cache = self.work / "cache"
        kept = contenders.Remembered(self.work / "served")
        quick = {
            "ours": partial(contenders.ours, folder, budgets, cache=cache),
            "occurrence": partial(contenders.occurrence, folder, budgets, cache=cache),
            "tree": partial(contenders.tree, folder, budgets, cache=cache),
        }
        slow: dict[str, Callable[[], Mapping[int, str]]] = {}
        if self.aider:
            slow["aider"] = partial(contenders.aider, folder, budgets, cache=cache, python=self.aider)
        if self.repomix:
            slow["repomix"] = partial(contenders.repomix, folder, budgets, command=self.repomix)
        served = {name: serve() for name, serve in quick.items() if not self.only or name in self.only}
        for name, serve in slow.items():
            if not self.only or name in self.only:
                served[name] = kept.ask(name, folder, budgets, serve)
        return served


def names(bench: Bench) -> None:
    """The share of documented definitions that is shown; the documentation is not packed.

    The second table counts those alone that are seen outside their folder: a page that says `timeout` means no private
    field of that name.
    """
    budgets = (2000, 8000, 20000)
    table, seen_table = Table(budgets), Table(budgets)
    for name in bench.names:
        folder = bench.tree(name, prose=False, label="code")
        with known(folder, bench.work / "cache") as found:
            wanted = documented(bench.tree(name), found)
            paths = [file.path for file in found.files]
            seen = wanted.names & seen_elsewhere(found)
        for contender, texts in bench.texts(folder, budgets).items():
            shown = [Shown(texts[budget], paths) for budget in budgets]
            for one, names in ((table, wanted.names), (seen_table, seen)):
                shares = [text.names(names) / max(1, len(names)) for text in shown]
                one.add(contender, f"{name} ({len(names)})", shares)
    table.print()
    print("\nOf these, the names that are seen outside their folders:\n")
    seen_table.print()


def work(bench: Bench) -> None:
    """The share of later touched source files and definitions at a commit of the past."""
    table = Table(("files 8000", "definitions 8000"))
    for name in bench.names:
        source = bench.source(name)
        newest, base = laws.git(source, "rev-list", "--first-parent", f"-n{LATER + 1}", "HEAD").split()[:: LATER or 1]
        folder = bench.tree(name, base, label="past")
        with known(folder, bench.work / "cache") as found:
            wanted = later(source, found, base, newest)
            paths = [file.path for file in found.files]
        if wanted.paths:
            for contender, texts in bench.texts(folder, (8000,)).items():
                table.add(
                    contender, f"{name} ({len(wanted.paths)}, {len(wanted.names)})", _both(texts[8000], paths, wanted)
                )
    table.print()


def questions(bench: Bench) -> None:
    """Of what answers of SWE-QA cite, what the overview names and shows."""
    if bench.answers is None:
        raise SystemExit("questions needs --answers")
    budgets = (8000, 20000)
    table = Table([f"{what} {budget}" for budget in budgets for what in ("files", "definitions")])
    for answers in sorted(bench.answers.glob("*.jsonl")):
        name = answers.stem
        if not any((place / name).is_dir() for place in bench.repos):
            continue
        folder = bench.source(name)
        with known(folder, bench.work / "cache") as found:
            wanted = cited(answers, found)
            paths = [file.path for file in found.files]
        for contender, texts in bench.texts(folder, budgets).items():
            shares: list[float] = []
            for budget in budgets:
                each = [_both(texts[budget], paths, one) for one in wanted]
                shares += [statistics.fmean(column) for column in zip(*each, strict=True)]
            table.add(contender, f"{name} ({len(wanted)})", shares)
    table.print()


def _both(text: str, paths: Sequence[str], wanted: Wanted) -> list[float]:
    shown = Shown(text, paths)
    return [
        shown.files(wanted.paths) / max(1, len(wanted.paths)),
        shown.names(wanted.names) / max(1, len(wanted.names)),
    ]


def main_ones(bench: Bench) -> None:
    """Prints how many of the 25 main definitions are shown, by name, and with their signature line."""
    table = Table(("named of 25", "with signature"), percent=False)
    for name, wanted in main_definitions().items():
        folder = bench.tree(name)
        with known(folder, bench.work / "cache") as found:
            lines = laws.signature_lines(found, wanted)
            paths = [file.path for file in found.files]
        for contender, texts in bench.texts(folder, (8000,)).items():
            text = laws.without_prose(texts[8000])
            held = {laws.bare(line) for line in text.splitlines()}
            signed = sum(any(line in held for line in lines[one]) for one in wanted)
            table.add(contender, name, [float(Shown(text, paths).names(wanted)), float(signed)])
    table.print()


def main_flows(bench: Bench) -> None:
    """Prints how much of the true main flow is named, by group."""
    for group, held in flows().items():
        if bench.groups and group not in bench.groups:
            continue
        table = Table((BUDGET,))
        for name, wanted in held.items():
            folder = bench.tree(name)
            text = contenders.ours(folder, (BUDGET,), cache=bench.work / "cache")[BUDGET]
            table.add("ours", f"{name} ({len(wanted)})", [share_named(text, wanted)])
        print(f"\n`{group}`:\n")
        table.print()


class Table:
    """Rows of shares by contender and repository, and their means."""

    def __init__(self, columns: Iterable[object], *, percent: bool = True) -> None:
        self._columns = [str(column) for column in columns]
        self._rows: dict[str, dict[str, Sequence[float]]] = {}
        self._percent = percent

    def add(self, contender: str, name: str, shares: Sequence[float]) -> None:
        """Adds what one contender shows of one repository."""
        self._rows.setdefault(contender, {})[name] = shares

    def print(self) -> None:
        """Prints all of it as Markdown."""
        contenders_ = list(self._rows)
        head = [f"{contender} {column}" for contender in contenders_ for column in self._columns]
        print("| repository |", " | ".join(head), "|")
        print("|---|" + "---:|" * len(head))
        for name in self._rows[contenders_[0]] if contenders_ else ():
            self._row(name, [self._rows[contender][name] for contender in contenders_])
        means = [
            [statistics.fmean(column) for column in zip(*rows.values(), strict=True)] for rows in self._rows.values()
        ]
        self._row("mean", means)

    def _row(self, name: str, shares: Sequence[Sequence[float]]) -> None:
        form = "{:.1%}" if self._percent else "{:.1f}"
        print(f"| {name} |", " | ".join(form.format(share) for each in shares for share in each), "|", flush=True)


PARTS: Mapping[str, Callable[[Bench], None]] = {
    "names": names,
    "work": work,
    "questions": questions,
    "main": main_ones,
    "flow": main_flows,
    "map": laws.map_of,
    "budgets": laws.budgets_of,
    "growing": growing.growth_of,
    "formats": layouts.layouts_of,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument(
        "--repos", type=Path, action="append", required=True, metavar="DIR", help="folder of repositories"
    )
    parser.add_argument("--work", type=Path, required=True, metavar="PLACE", help="where work trees and caches lie")
    parser.add_argument(
        "--group", action="append", default=[], help="one of repositories.toml, or of flows.toml; repeatable"
    )
    parser.add_argument("--repository", action="append", default=[], help="one of them; repeatable")
    parser.add_argument("--only", action="append", default=[], help="a contender; repeatable")
    parser.add_argument("--answers", type=Path, metavar="DIR", help="the folder Benchmark of SWE-QA-Bench")
    parser.add_argument("--aider", default="", metavar="PYTHON", help="an interpreter that can import aider")
    parser.add_argument("--repomix", default="", metavar="COMMAND", help="how repomix is started")
    asked = parser.parse_args(arguments)
    PARTS[asked.part](Bench(asked))


if __name__ == "__main__":
    main()
