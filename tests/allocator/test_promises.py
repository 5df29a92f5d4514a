"""The promises of every call, whatever its arguments: thousands of random ones over small real trees."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from allocator import ContextEngine, ContextResult, FormatName
from skeleton import CompressionLevel
from skeleton.zoom.zoomer import zoom
from tests.allocator.rooms import FRAME, lines_are_too_long
from tests.skeleton.corpus import read_cases
from tests.thoroughness import is_thorough
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.roots import Roots
from workspace.tokens import token_counter

L0, L1, L2, L3 = CompressionLevel
count = token_counter().count

QUERIES = ("", "", "load the configuration of a server", "why does Config.load fail", "parse", "日本 ünïcode ⋮ \x00")
LANGUAGES = {"python": "py", "rust": "rs", "go": "go", "typescript": "ts", "java": "java", "c": "c", "ruby": "rb"}
CALLS = 250
ROUNDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))]
"""Seeds; two of them make enough calls for every day."""


def sources() -> dict[str, str]:
    """One file of each language, from its corpus."""
    return {
        f"{folder}/{language}.{ending}": "\n".join(case.source for case in read_cases(language)[:9])
        for (language, ending), folder in zip(
            LANGUAGES.items(), ("src", "lib", "pkg", "src", "src/main", "core", "tests"), strict=True
        )
    }


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[ContextEngine, list[Path]]:
    """Folders of several kinds and one engine over all of them; the first is a repository with changes."""
    root = tmp_path_factory.mktemp("promises").resolve()
    code = sources()
    some = dict(list(code.items())[:3])
    words = "".join(f"# Part {number}\n\nMany words of prose, and then some.\n\n" for number in range(40))
    odd = {
        "a b.py": "def f(): pass",
        "empty.py": "",
        "long.txt": "one long line " * 400,
        "x/[y].md": words,
        "crlf.c": "int a;\r\n" * 9,
    }
    write_tree(root, {f"code/{path}": text for path, text in code.items()})
    write_tree(
        root,
        {f"mixed/{path}": text for path, text in {**some, **odd, "README.md": words, "logo.png": b"\x89PNG\0"}.items()},
    )
    write_tree(
        root,
        {
            f"many/part_{number:03}.py": f"def f_{number}(x):\n    y = x\n    return y + {number}\n"
            for number in range(60)
        },
    )
    author = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *author, *arguments], cwd=root / "code", check=True, capture_output=True)
    text = code["src/python.py"]
    write_tree(
        root,
        {
            "code/src/python.py": text.replace("return", "return  # now\n        return", 3),
            "code/src/new.py": "def new():\n    return 1\n",
        },
    )
    (root / "code/tests/ruby.rb").unlink()
    return ContextEngine(Roots([root])), [root / name for name in ("code", "mixed", "many")]


def drawn(draws: Random, folder: Path, snapshots: list[str]) -> dict[str, Any]:
    """Arguments of one call, most of them left out."""
    arguments: dict[str, Any] = {"token_budget": draws.choice([draws.randint(64, 700), draws.randint(500, 9000)])}
    offers: dict[str, list[Any]] = {
        "skeleton": ["auto", "enabled", "disabled"],
        "query": list(QUERIES),
        "focus": [["*.py"], ["src/"], ["Config"], ["f_7", "part_003.py"], ["README.md"], ["long.txt", "crlf.c"]],
        "changed": ["worktree", "HEAD"] if folder.name == "code" else [""],
        "include": [["*.py"], ["src/", "*.md"]],
        "exclude": [["*.rs"], ["tests/", "part_0*"]],
        "min_level": ["L3", "L2", "L1"],
        "max_level": ["L0", "L1", "L2"],
        "format": [str(name) for name in FormatName],
        "line_numbers": [True],
        "since": snapshots[-3:] or [""],
    }
    for name, values in offers.items():
        if draws.random() < 0.3:
            arguments[name] = draws.choice(values)
    return arguments


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", ROUNDS)
def test_the_budget_holds_for_two_thousand_random_calls(places: tuple[ContextEngine, list[Path]], seed: int) -> None:
    engine, folders = places
    draws = Random(seed)
    snapshots: list[str] = []
    refused = shown = 0
    for _ in range(CALLS):
        folder = draws.choice(folders)
        arguments = drawn(draws, folder, snapshots)
        budget = arguments["token_budget"]
        try:
            result = engine.get_context(str(folder), **arguments)
        except (InvalidArgumentError, SymbolNotFoundError):
            refused += 1
            continue
        snapshots.append(result.metadata.snapshot)
        assert result.tokens_used == count(result.context) + count(result.summary) <= budget, arguments
        assert count(f"{result.context}\n{result.summary}") <= budget, arguments
        check_levels(result)
        shown += result.metadata.files_full + result.metadata.files_skeleton
        if budget >= 500 and arguments.get("skeleton") != "disabled" and is_limited(result, arguments):
            all_whole = not result.metadata.files_skeleton and budget - result.tokens_used < FRAME
            used = result.tokens_used >= 0.95 * budget or lines_are_too_long(folder.parent, result, budget)
            assert all_whole or used, (folder.name, arguments)
    assert refused < CALLS / 2
    assert shown > CALLS


def check_levels(result: ContextResult) -> None:
    levels = [path for paths in result.metadata.compression_summary.values() for path in paths]
    assert len(levels) == len(set(levels))


def is_limited(result: ContextResult, arguments: dict[str, Any]) -> bool:
    """Tells whether more could have been shown under the arguments."""
    if arguments.get("since") or arguments.get("changed") or arguments.get("max_level", "L0") != "L0":
        return False
    problems = {problem.path for problem in result.metadata.problems}
    summary = result.metadata.compression_summary
    return any(path not in problems for level in (L1, L2, L3) for path in summary[level])


MOST_LOST, MOST_LOST_AT_ONCE = 0.002, 0.1
"""Of the lines that are shown, those that a larger budget may lose: over all budgets, and from one to the next."""

LINE = re.compile(r"(\d+)(?: |$)")


def lines_shown(result: ContextResult) -> dict[str, set[int]]:
    """The lines of every file that a context with line numbers shows, in the compact format; what is about the whole
    tree is of no file."""
    shown: dict[str, set[int]] = {}
    path = ""
    for line in result.context.split("\n"):
        if line.startswith("+++ "):
            path = line[4:].split(" [")[0]
        elif number := LINE.match(line):
            shown.setdefault(path, set()).add(int(number[1]))
    return {path: lines for path, lines in shown.items() if not path.startswith("[")}


@pytest.mark.no_cover
@pytest.mark.parametrize("query", ["load the configuration", "parse a value"])
def test_more_budget_shows_what_less_shows(places: tuple[ContextEngine, list[Path]], query: str) -> None:
    """All but a few lines: what the steps that fit leave goes to later ones, and a larger budget may spend it on the next."""
    engine, folders = places
    lost = seen = 0
    for folder in folders:
        before: dict[str, set[int]] = {}
        for budget in range(1000, 6000, 193 if is_thorough() else 386):
            result = engine.get_context(
                str(folder), token_budget=budget, query=query, format="compact", line_numbers=True
            )
            now = lines_shown(result)
            gone = sum(len(lines - now.get(path, set())) for path, lines in before.items())
            assert gone <= MOST_LOST_AT_ONCE * sum(map(len, before.values())), (folder.name, budget)
            lost, seen = lost + gone, seen + sum(map(len, before.values()))
            before = now
    assert lost <= MOST_LOST * seen


@pytest.mark.no_cover
def test_after_touching_one_file_every_block_before_it_is_unchanged(tmp_path: Path) -> None:
    write_tree(tmp_path, sources())
    asked: list[dict[str, Any]] = [{}, {"query": "load the configuration"}]
    for arguments in asked:
        engine = ContextEngine(Roots([tmp_path]))
        for touched in ("src/typescript.ts", "tests/ruby.rb"):
            before = engine.get_context(str(tmp_path), token_budget=5000, format="compact", **arguments)
            original = (tmp_path / touched).read_text(encoding="utf-8")
            write_tree(tmp_path, {touched: original + "\n"})
            after = engine.get_context(str(tmp_path), token_budget=5000, format="compact", **arguments)
            first, _, _ = before.context.partition(f"+++ {touched}")
            assert first
            assert after.context.startswith(first)
            write_tree(tmp_path, {touched: original})


@pytest.mark.no_cover
def test_every_definition_that_is_shown_in_full_can_be_zoomed_by_that_name(
    places: tuple[ContextEngine, list[Path]],
) -> None:
    engine, (folder, *_) = places
    result = engine.get_context(str(folder), token_budget=5000, query="parse", format="plus")
    named = re.findall(r"^\+\+\+ (\S+) .*\[FULL:([^\]\d][^\]]*)\]", result.context, re.MULTILINE)
    names = [(path, name) for path, listed in named for name in listed.split(",") if not name.startswith("+")]
    assert names
    for path, name in names:
        found = zoom(f"{path}::{name}", str(folder), roots=engine.roots)
        assert {match.path for match in found.matches} == {path}
