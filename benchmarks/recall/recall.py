r"""Runs the cases of a half and prints how much of what each commit changed every contender shows.

python -m benchmarks.recall.recall --histories DIR --typescript DIR/node_modules/typescript --half report \
        --aider PYTHON --cache DIR
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import itertools
import json
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import msgspec

from benchmarks.recall.cases import Case, cases_of
from benchmarks.recall.contenders import (
    Expected,
    Served,
    Tree,
    aider,
    bm25,
    bm25_lines,
    informed,
    our_ranking,
    ours,
)
from benchmarks.recall.history import HistoryError, export, locate
from benchmarks.recall.measure import Shown, measured
from benchmarks.skeletons.reading import Tools

MANIFEST = Path(__file__).with_name("repositories.toml")
EXPECTED = Path(__file__).with_name("expected.json")
"""The thoughts of a model on each task, when it had seen its message alone, by the first digits of the commit."""
DIGITS = 12
BUDGETS = (2000, 8000, 20000)
STEADY = frozenset({"bm25", "bm25-lines", "aider"})
"""Contenders that do not change with our code: with a cache they run once for each case, others once for each state of
our code."""
OURS = ("allocator", "skeleton", "workspace")
CASES = 10
"""Commits of each repository."""

Contender = Callable[[Tree, str, Sequence[int]], list[Served]]


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    contenders: dict[str, Contender] = {"ours": ours, "ranking": our_ranking, "bm25": bm25, "bm25-lines": bm25_lines}
    if asked.aider:
        contenders["aider"] = aider(asked.aider)
    else:
        print("aider is left out: name a Python that has it with --aider", file=sys.stderr)
    cases = _cases(asked)
    if asked.expected:
        thoughts = msgspec.json.decode(EXPECTED.read_bytes(), type=dict[str, Expected])
        cases = [case for case in cases if case.commit[:DIGITS] in thoughts]
        expected = {case.message: thoughts[case.commit[:DIGITS]] for case in cases}
        contenders |= {
            "ours+names": informed(expected, names=True, question=False),
            "ours+question": informed(expected, names=False, question=True),
            "ours+both": informed(expected, names=True, question=True),
        }
    if asked.contender:
        contenders = {name: contender for name, contender in contenders.items() if name in asked.contender}
    functions, named = sum(len(case.sources) for case in cases), sum(case.named for case in cases)
    print(f"{len(cases)} commits of {len({case.repository for case in cases})} repositories, {_languages(cases)};")
    print(f"{functions} functions; {named} commits name one of theirs\n")
    turns = Counter[str]()
    rows: list[tuple[Case, str, list[Shown], list[Shown], list[bool]]] = []
    try:
        for number, case in enumerate(cases, 1):
            print(f"\r{number}/{len(cases)} {case.repository} {case.commit[:10]}        ", end="", file=sys.stderr)
            turns[case.repository] += 1
            late = asked.aider_most is not None and turns[case.repository] > asked.aider_most
            rows += _measured(
                case, {name: one for name, one in contenders.items() if not late or name != "aider"}, asked
            )
        print(file=sys.stderr)
    except KeyboardInterrupt:
        print(f"\nstopped: {len({row[0].commit for row in rows})} commits are measured", file=sys.stderr)
    _print(rows, list(contenders))
    common = set[str].intersection(*({row[0].commit for row in rows if row[1] == name} for name in contenders))
    if rows and len(common) < len({row[0].commit for row in rows}):
        print(f"\nThe {len(common)} commits that all of them have:\n")
        _print([row for row in rows if row[0].commit in common], list(contenders))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recall.recall", description=__doc__)
    parser.add_argument("--histories", type=Path, required=True, help="the folder of the repositories")
    parser.add_argument("--typescript", type=Path, default=Tools().typescript, help="the npm package")
    parser.add_argument("--half", choices=["tune", "report", "both", "wide"], default="report")
    parser.add_argument("--repository", action="append", default=[], help="only this one (owner/name)")
    parser.add_argument("--contender", action="append", default=[], help="only this one")
    parser.add_argument(
        "--expected", action="store_true", help="ours besides with what a model expected, where it was asked"
    )
    parser.add_argument("--aider", type=Path, help="a Python that has aider")
    parser.add_argument("--aider-most", type=int, help="run aider on only so many commits of each repository")
    parser.add_argument("--cases", type=int, default=CASES, help="commits of each repository")
    parser.add_argument("--most", type=int, default=CASES, help="run only so many of them")
    parser.add_argument("--cache", type=Path, help="a folder for cases and for results that do not change")
    return parser


def _cases(asked: argparse.Namespace) -> list[Case]:
    manifest = tomllib.loads(MANIFEST.read_text(encoding="utf-8"))
    halves = ["tune", "report"] if asked.half == "both" else [asked.half]
    found: list[list[Case]] = []
    for name in (name for half in halves for name in manifest[half]):
        if asked.repository and name not in asked.repository:
            continue
        try:
            place = locate(asked.histories, name)
        except HistoryError as error:
            print(error, file=sys.stderr)
            continue
        cache = asked.cache / "cases" if asked.cache else None
        tools = Tools(typescript=asked.typescript)
        found.append(cases_of(name, place, tools, most=asked.cases, cache=cache)[: asked.most])
    turns = itertools.zip_longest(*found)  # the first of each repository, then the second: a part of a run is fair
    return [case for turn in turns for case in turn if case]


@functools.cache
def _state() -> str:
    """A digest of our code."""
    here = Path(__file__).parents[2]
    files = sorted(
        file for name in OURS for file in (here / name).rglob("*") if file.suffix in {".py", ".scm", ".toml"}
    )
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def _languages(cases: Sequence[Case]) -> str:
    languages = Counter(language for case in cases for language in {target.language for target in case.sources})
    return ", ".join(f"{language} {count}" for language, count in languages.most_common())


def _measured(
    case: Case, contenders: dict[str, Contender], asked: argparse.Namespace
) -> list[tuple[Case, str, list[Shown], list[Shown], list[bool]]]:
    rows: list[tuple[Case, str, list[Shown], list[Shown], list[bool]]] = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder) / case.repository.rpartition("/")[2], asked.cache / "index" if asked.cache else None)
        for name, contender in contenders.items():
            code = "" if name in STEADY else f"-{_state()}"
            kept = asked.cache / "results" / f"{name}{code}-{case.commit}.json" if asked.cache else None
            if kept and kept.exists():
                sources, tests, over = json.loads(kept.read_text(encoding="utf-8"))
                rows.append((case, name, [Shown(**one) for one in sources], [Shown(**one) for one in tests], over))
                continue
            if not tree.folder.exists():
                export(locate(asked.histories, case.repository), case.parent, tree.folder)
            served = contender(tree, case.message, BUDGETS)
            tested = [target for target in case.targets if target.test]
            sources = [measured(case.sources, one.blocks, tree.text) for one in served]
            tests = [measured(tested, one.blocks, tree.text) for one in served]
            over = [one.tokens > budget for one, budget in zip(served, BUDGETS, strict=True)]
            rows.append((case, name, sources, tests, over))
            if kept:
                kept.parent.mkdir(parents=True, exist_ok=True)
                told = [[asdict(one) for one in sources], [asdict(one) for one in tests], over]
                kept.write_text(json.dumps(told), encoding="utf-8")
    return rows


def _print(rows: Sequence[tuple[Case, str, list[Shown], list[Shown], list[bool]]], names: Sequence[str]) -> None:
    print(
        "| contender | commits | budget | files | shown | in full | named: shown | in full | tests: shown | in full | over |"
    )
    print("|---|" + "--:|" * 10)
    for name in names:
        for place, budget in enumerate(BUDGETS):
            mine = [row for row in rows if row[1] == name]
            apart = [sum((row[2][place] for row in mine if row[0].named == named), Shown()) for named in (False, True)]
            both = apart[0] + apart[1]
            tests = sum((row[3][place] for row in mine), Shown())
            cells = [
                _share(both.files_shown, both.files),
                _share(both.functions_shown, both.functions),
                _share(both.functions_full, both.functions),
                _share(apart[1].functions_shown, apart[1].functions),
                _share(apart[1].functions_full, apart[1].functions),
                _share(tests.functions_shown, tests.functions),
                _share(tests.functions_full, tests.functions),
                str(sum(row[4][place] for row in mine)),
            ]
            print(f"| {name} | {len(mine)} | {budget} | {' | '.join(cells)} |")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


if __name__ == "__main__":
    sys.exit(main())
