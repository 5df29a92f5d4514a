"""Focus, changed, since and cursor, over real folders and repositories."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine, ContextResult
from allocator.question.handed import REMEMBERED, Records
from skeleton.zoom.zoomer import zoom
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.model import ProblemKind
from workspace.roots import Roots
from workspace.shelf import Shelf
from workspace.tokens import token_counter

count = token_counter().count

_CONFIG = '''import os


class Config:
    """Settings."""

    def load(self, path: str) -> dict[str, int]:
        text = open_it(path)
        return parse_it(text)

    def save(self, path: str) -> None:
        write_it(self, path)


def parse_it(text: str) -> dict[str, int]:
    values = {}
    for line in text.splitlines():
        name, _, value = line.partition("=")
        values[name] = int(value)
    return values
'''
CONFIG = _CONFIG + "".join(
    f"\n\ndef unused_{name}(first: int, second: int) -> int:\n"
    f'    """Does {name}."""\n'
    + "".join(f"    first = first * {line} + second\n" for line in range(20))
    + "    return first\n"
    for name in "abcdefghijkl"
)
MAIN = """from config import Config, parse_it


def main() -> None:
    config = Config()
    config.load("settings.ini")


def again() -> None:
    print(parse_it("a=1"))
"""


def filler(number: int) -> str:
    return "".join(
        f"def helper_{number}_{name}(first: int, second: int) -> int:\n"
        + "".join(f"    first = first * {line} + second\n" for line in range(12))
        + "    return first\n\n\n"
        for name in "abcde"
    )


TREE = {"src/config.py": CONFIG, "src/main.py": MAIN} | {f"src/filler_{n:02}.py": filler(n) for n in range(30)}


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def engine(folder: Path, records: Records | None = None) -> ContextEngine:
    return ContextEngine(Roots([folder]), records=records)


def served(folder: Path, **arguments: Any) -> ContextResult:
    chosen: dict[str, Any] = {"format": "compact", **arguments}
    return engine(folder).get_context(str(folder), **chosen)


def block(result: ContextResult, path: str) -> str:
    """The lines shown of a file, with its header, in the compact format."""
    found = re.search(rf"^\+\+\+ {re.escape(path)}( .*)?\n(?:(?!\+\+\+ ).*\n)*", result.context, re.MULTILINE)
    return found[0] if found else ""


# focus


@pytest.mark.no_cover
def test_a_symbol_in_focus_is_shown_first_and_in_full(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    for name in ("Config.load", "src/config.py::Config.load", "config.py::load", "symbol=Config.load"):
        shown = block(served(tmp_path, token_budget=200, focus=[name]), "src/config.py")
        assert "        text = open_it(path)\n        return parse_it(text)\n" in shown
        assert "[FULL:Config" in shown.partition("\n")[0]


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["src/config.py", "./src/config.py", "config.py", "src/conf*", "**/config.py"])
def test_a_file_in_focus_is_shown_in_full(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=4000, focus=[name])
    assert block(result, "src/config.py") == f"+++ src/config.py\n{CONFIG}"
    assert result.tokens_used <= 4000


def test_a_folder_in_focus_comes_before_the_rest(tmp_path: Path) -> None:
    write_tree(tmp_path, {**TREE, "lib/deep/a.py": filler(77)})
    result = served(tmp_path, token_budget=1000, focus=["lib/"])
    assert block(result, "lib/deep/a.py").partition("\n⋮ ")[0].strip() == f"+++ lib/deep/a.py\n{filler(77)}".strip()


def test_what_uses_a_definition_in_focus_is_shown_as_a_signature(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=400, focus=["parse_it"])
    assert "def again() -> None:" in block(result, "src/main.py")
    assert "def load(self, path: str)" in block(result, "src/config.py")


def test_a_focus_larger_than_the_budget_is_shown_as_far_as_it_goes(tmp_path: Path) -> None:
    write_tree(tmp_path, {**TREE, "src/large.py": "".join(filler(n) for n in range(40, 60))})
    result = served(tmp_path, token_budget=1500, focus=["src/large.py", "src/main.py"])
    header = block(result, "src/large.py").partition("\n")[0]
    assert "[SHOWN:" in header or "[FULL:1-" in header
    assert 0.95 * 1500 <= result.tokens_used <= 1500


def test_a_focus_that_names_nothing_is_refused_with_names_that_exist(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(SymbolNotFoundError, match=r"src/config\.py::Config\.load") as refusal:
        served(tmp_path, token_budget=900, focus=["Config.laod"])
    for name in refusal.value.suggestions:
        assert served(tmp_path, token_budget=900, focus=[name]).tokens_used <= 900
    with pytest.raises(SymbolNotFoundError, match="without focus"):
        served(tmp_path, token_budget=900, focus=["qqqqqqqq::zzzzzzzz"])
    with pytest.raises(InvalidArgumentError, match="at most 100"):
        served(tmp_path, focus=["a"] * 101)


def test_every_name_that_is_shown_in_full_can_be_zoomed(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=1500, focus=["Config.load", "parse_it", "main"])
    names = re.findall(r"^\+\+\+ (\S+) .*\[FULL:([^\]]+)\]", result.context, re.MULTILINE)
    assert {name for _, listed in names for name in listed.split(",")} >= {"Config", "parse_it"}
    for path, listed in names:
        for name in listed.split(","):
            found = zoom(f"{path}::{name}", str(tmp_path), roots=Roots([tmp_path]))
            assert found.matches[0].path == path


# changed


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    write_tree(tmp_path, TREE | {"src/old.py": filler(90), "src/gone.py": "def gone():\n    return 1\n"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path.resolve()


def test_the_definitions_that_a_diff_touches_are_shown_in_full_with_their_callers(repository: Path) -> None:
    write_tree(
        repository,
        {"src/config.py": CONFIG.replace("def parse_it(text: str)", "def parse_it(text: str, strict: bool = False)")},
    )
    result = served(repository, token_budget=360, changed="worktree")
    shown = block(result, "src/config.py")
    assert "[CHANGED] [+1 -1] " in shown
    assert "⋮- def parse_it(text: str) -> dict[str, int]:\ndef parse_it(text: str, strict: bool = False)" in shown
    assert "        values[name] = int(value)\n    return values\n" in shown
    assert "def load(self, path: str)" in shown
    assert "def again() -> None:" in block(result, "src/main.py")


def test_staged_unstaged_new_renamed_and_deleted_files_are_each_shown_rightly(repository: Path) -> None:
    write_tree(repository, {"src/config.py": CONFIG.replace("write_it(self, path)", "write_it(self, path, 1)")})
    git(repository, "add", "src/config.py")
    write_tree(
        repository,
        {"src/main.py": MAIN.replace('"settings.ini"', '"other.ini"'), "src/fresh.py": "def fresh():\n    return 2\n"},
    )
    git(repository, "mv", "src/old.py", "src/moved.py")
    write_tree(repository, {"src/moved.py": filler(90).replace("first * 7", "first * 77")})
    (repository / "src/gone.py").unlink()
    result = served(repository, token_budget=2500, changed="worktree")
    assert "write_it(self, path, 1)" in block(result, "src/config.py")
    assert 'config.load("other.ini")' in block(result, "src/main.py")
    assert block(result, "src/fresh.py") == "+++ src/fresh.py [NEW]\ndef fresh():\n    return 2\n"
    assert block(result, "src/moved.py").startswith("+++ src/moved.py [RENAMED:src/old.py]")
    assert "first * 77" in block(result, "src/moved.py")
    assert block(result, "src/gone.py") == "+++ src/gone.py [DELETED] [REMOVED:gone]\n"
    assert result.metadata.as_json()["changes"] == {
        "new": ("src/fresh.py",),
        "changed": ("src/config.py", "src/main.py"),
        "renamed": ("src/moved.py",),
        "deleted": ("src/gone.py",),
    }


def test_a_range_shows_what_its_commits_touched(repository: Path) -> None:
    write_tree(repository, {"src/main.py": MAIN.replace('"settings.ini"', '"other.ini"')})
    git(repository, "commit", "-q", "-a", "-m", "second")
    for changed in ("HEAD~1", "HEAD~1..HEAD"):
        assert 'config.load("other.ini")' in block(served(repository, token_budget=500, changed=changed), "src/main.py")


def test_only_deleted_files_of_the_narrowed_set_are_told(repository: Path) -> None:
    (repository / "src/gone.py").unlink()
    assert "gone.py" not in served(repository, changed="worktree", exclude=["gone.py"]).context
    assert "gone.py" not in engine(repository).get_context(str(repository / "src/main.py"), changed="worktree").context


def test_changed_without_a_repository_is_refused(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(InvalidArgumentError, match="changed needs a work tree of git"):
        served(tmp_path, changed="worktree")


# since


def test_since_sends_only_what_changed(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    first = own.get_context(str(tmp_path), format="compact")
    snapshot = first.metadata.snapshot
    assert own.get_context(
        str(tmp_path), format="compact", since=snapshot, token_budget=2000
    ).metadata.files_full == len(TREE)
    write_tree(
        tmp_path,
        {"src/config.py": CONFIG.replace("write_it(self, path)", "write_it(self, path, 1)"), "src/b.py": "b = 1\n"},
    )
    (tmp_path / "src/main.py").unlink()
    result = own.get_context(str(tmp_path), format="compact", since=snapshot, token_budget=2000)
    assert result.context == (
        "+++ src/b.py [NEW]\nb = 1\n"
        "+++ src/config.py [SKELETON:L2] [CHANGED] [SHOWN:2/16] [FULL:Config.save]\n"
        "class Config:\n⋮ 1 definition\n"
        "    def save(self, path: str) -> None:\n        write_it(self, path, 1)\n"
        "+++ src/main.py [DELETED]\n"
    )
    assert result.metadata.snapshot != snapshot
    levels = result.metadata.compression_summary
    assert sorted(path for paths in levels.values() for path in paths) == sorted({*TREE, "src/b.py"} - {"src/main.py"})
    assert result.metadata.as_json()["changes"] == {
        "new": ("src/b.py",),
        "changed": ("src/config.py",),
        "deleted": ("src/main.py",),
    }


def test_since_follows_since(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    snapshot = own.get_context(str(tmp_path), token_budget=3000).metadata.snapshot
    for number in range(3):
        write_tree(
            tmp_path, {"src/config.py": CONFIG.replace("write_it(self, path)", f"write_it(self, path, {number})")}
        )
        result = own.get_context(str(tmp_path), token_budget=3000, since=snapshot)
        assert f"write_it(self, path, {number})" in result.context
        assert "parse_it(text)" not in result.context
        snapshot = result.metadata.snapshot
    again = own.get_context(str(tmp_path), token_budget=3000, since=snapshot)
    assert "write_it" not in again.context
    assert again.metadata.snapshot == snapshot


def test_since_takes_changed_definitions_whose_callers_did_not_change(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    snapshot = own.get_context(str(tmp_path), format="compact").metadata.snapshot
    write_tree(tmp_path, {"src/config.py": CONFIG.replace("int(value)", "float(value)")})
    result = own.get_context(str(tmp_path), format="compact", since=snapshot, token_budget=2000)
    assert "float(value)" in block(result, "src/config.py")
    assert "main.py" not in result.context


def test_an_unknown_snapshot_is_refused_with_the_way_on(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(
        InvalidArgumentError, match=r"'0123456789ab' is not known.*Call without since.*changed='worktree'"
    ):
        served(tmp_path, since="0123456789ab")


def test_an_expired_snapshot_is_refused_like_one_that_never_was(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "A = 1\n"})
    own = engine(tmp_path)
    first = own.get_context(str(tmp_path)).metadata.snapshot
    for number in range(REMEMBERED + 1):
        write_tree(tmp_path, {"a.py": f"A = {number + 2}\n"})
        own.get_context(str(tmp_path))
    with pytest.raises(InvalidArgumentError, match="not any more"):
        own.get_context(str(tmp_path), since=first)


def test_that_nothing_changed_since_is_said_so(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE | {"logo.png": b"\x89PNG\0", ".env": "TOKEN=1\n"})
    own = engine(tmp_path)
    snapshot = own.get_context(str(tmp_path), token_budget=2000).metadata.snapshot
    result = own.get_context(str(tmp_path), token_budget=2000, since=snapshot)
    assert result.context == f"⋮ Nothing changed since {snapshot}.\n"


@pytest.mark.no_cover
@pytest.mark.parametrize("budget", [500, 700, 1000, 2000, 8000])
@pytest.mark.parametrize("steered", [False, True])
def test_the_snapshot_and_the_cursor_are_always_told(tmp_path: Path, budget: int, steered: bool) -> None:
    write_tree(tmp_path, TREE)
    result = served(tmp_path, token_budget=budget, query="parse a helper" if steered else "")
    told = json.loads(result.summary)
    assert told["snapshot"] == result.metadata.snapshot
    assert told["next_cursor"] == result.metadata.next_cursor


HALVES = {"README.md": "# Halves\n", "p/a.py": "A = 1\n", "p/deep/c.py": "C = 1\n", "q/b.py": "B = 1\n"}


@pytest.mark.parametrize(
    ("place", "globs", "gone"),
    [
        ("p", {}, ["p/a.py"]),
        ("p/deep", {}, []),
        ("q/b.py", {}, []),
        (".", {"include": ["*.md"]}, []),
        (".", {"include": ["*.py"]}, ["p/a.py"]),
        (".", {"exclude": ["p/"]}, []),
        ("p", {"exclude": ["deep/"]}, ["p/a.py"]),
    ],
)
def test_only_what_a_call_is_about_is_told_to_be_gone(
    tmp_path: Path, place: str, globs: dict[str, list[str]], gone: list[str]
) -> None:
    write_tree(tmp_path, HALVES)
    own = engine(tmp_path)
    snapshot = own.get_context(".").metadata.snapshot
    (tmp_path / "p/a.py").unlink()
    result = own.get_context(place, since=snapshot, **globs)  # pyright: ignore[reportArgumentType] - two lists
    assert re.findall(r"^\+\+\+ (\S+) \[DELETED\]", result.context, re.MULTILINE) == gone


def test_a_snapshot_of_one_folder_calls_nothing_of_it_gone_in_another(tmp_path: Path) -> None:
    write_tree(tmp_path, HALVES)
    own = engine(tmp_path)
    snapshot = own.get_context("p").metadata.snapshot
    assert "DELETED" not in own.get_context("q", since=snapshot).context


def test_a_cursor_counts_no_file_that_the_call_leaves_out_as_changed(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE | {"lib/a.py": filler(99)})
    own = engine(tmp_path)
    cursor = own.get_context(".", token_budget=1500).metadata.next_cursor or ""
    assert not own.get_context("lib", token_budget=1500, cursor=cursor).metadata.problems
    assert not own.get_context(".", token_budget=1500, cursor=cursor, exclude=["lib/"]).metadata.problems


def test_a_snapshot_of_another_root_is_not_known(tmp_path: Path) -> None:
    write_tree(tmp_path / "one", {"secret.py": "A = 1\n"})
    write_tree(tmp_path / "two/inner", {"b.py": "B = 1\n"})
    first, second = (Records(Shelf(tmp_path / "shelf")) for _ in range(2))
    snapshot = engine(tmp_path / "one", first).get_context(".").metadata.snapshot
    for records in (first, second):
        for argument in ("since", "cursor"):
            with pytest.raises(InvalidArgumentError, match="is not known"):
                engine(tmp_path / "two", records).get_context(".", **{argument: snapshot})  # pyright: ignore[reportArgumentType] - one of the two
    assert "Nothing changed" in engine(tmp_path / "one", second).get_context(".", since=snapshot).context


def test_equal_results_of_two_roots_have_one_name_and_each_root_its_own(tmp_path: Path) -> None:
    records = Records()
    for name in ("one", "two"):
        write_tree(tmp_path / name, {"a.py": "A = 1\n"})
    named = {engine(tmp_path / name, records).get_context(".").metadata.snapshot for name in ("one", "two")}
    assert len(named) == 1
    (snapshot,) = named
    for name in ("one", "two"):
        assert "Nothing changed" in engine(tmp_path / name, records).get_context(".", since=snapshot).context


def test_a_file_that_was_only_renamed_since_is_told_to_be(tmp_path: Path) -> None:
    write_tree(tmp_path, {"d.py": "D = 1\n", "x/__init__.py": "", "y/__init__.py": "", "z.py": "Z = 1\n"})
    own = engine(tmp_path)
    snapshot = own.get_context(".").metadata.snapshot
    for old, new in (("d.py", "e.py"), ("x/__init__.py", "v.py"), ("y/__init__.py", "w.py")):
        (tmp_path / old).rename(tmp_path / new)
    result = own.get_context(".", format="compact", since=snapshot)
    assert "+++ e.py [RENAMED:d.py]\n" in result.context
    assert "d.py [DELETED]" not in result.context
    assert result.metadata.as_json()["changes"] == {
        "renamed": ("e.py",),
        "new": ("v.py", "w.py"),  # which of the two was which nobody can tell
        "deleted": ("x/__init__.py", "y/__init__.py"),
    }


def test_a_snapshot_on_a_shelf_is_known_to_another_process(tmp_path: Path) -> None:
    write_tree(tmp_path / "tree", TREE)
    shelves = [Records(Shelf(tmp_path / "shelf")) for _ in range(2)]
    first = engine(tmp_path / "tree", shelves[0]).get_context(str(tmp_path / "tree"))
    result = engine(tmp_path / "tree", shelves[1]).get_context(str(tmp_path / "tree"), since=first.metadata.snapshot)
    assert "+++" not in result.context
    assert not result.metadata.problems


# cursor


def pages(folder: Path, budget: int, **arguments: Any) -> list[ContextResult]:
    own = engine(folder)
    results = [own.get_context(str(folder), token_budget=budget, **arguments)]
    while (cursor := results[-1].metadata.next_cursor) is not None:
        results.append(own.get_context(str(folder), token_budget=budget, cursor=cursor, **arguments))
    return results


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("budget", "arguments"),
    [(1000, {}), (1000, {"query": "where is a helper parsed"}), (3500, {"skeleton": "disabled"})],
)
def test_every_file_appears_exactly_once_over_all_pages(tmp_path: Path, budget: int, arguments: dict[str, str]) -> None:
    write_tree(tmp_path, TREE)
    results = pages(tmp_path, budget, format="compact", **arguments)
    assert len(results) > 1
    shown = [
        path for result in results for path in re.findall(r"^\+\+\+ (?!\[OVERVIEW)(\S+)", result.context, re.MULTILINE)
    ]
    assert sorted(shown) == sorted(TREE)
    assert all(result.tokens_used <= budget for result in results)


@pytest.mark.long
@pytest.mark.parametrize(("budget", "arguments"), [(20_000, {}), (60_000, {"query": "where is a helper parsed"})])
def test_every_file_of_five_thousand_appears_exactly_once(
    tmp_path: Path, budget: int, arguments: dict[str, str]
) -> None:
    names = [f"part_{number % 71:02}/module_{number:04}.py" for number in range(5000)]
    write_tree(tmp_path, {name: f"def helper_{at}(x):\n    return x + {at}\n" for at, name in enumerate(names)})
    results = pages(tmp_path, budget, format="compact", **arguments)
    shown = [
        path for result in results for path in re.findall(r"^\+\+\+ (?!\[OVERVIEW)(\S+)", result.context, re.MULTILINE)
    ]
    assert len(shown) == 5000
    assert sorted(shown) == sorted(names)
    assert all(result.tokens_used <= budget for result in results)
    assert all(result.tokens_used >= 0.95 * budget for result in results[:-1])


def test_a_cursor_of_another_tree_says_so(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    cursor = own.get_context(str(tmp_path), token_budget=1500).metadata.next_cursor
    write_tree(tmp_path, {"src/filler_03.py": filler(99)})
    result = own.get_context(str(tmp_path), token_budget=1500, cursor=cursor or "")
    assert [problem.kind for problem in result.metadata.problems] == [ProblemKind.STALE_CURSOR]
    assert "1 file changed" in result.metadata.problems[0].detail


def test_an_unknown_cursor_is_refused(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    with pytest.raises(InvalidArgumentError, match="call again without it"):
        served(tmp_path, cursor="0123456789ab")
    with pytest.raises(InvalidArgumentError, match="cannot be combined"):
        served(tmp_path, cursor="0123456789ab", since="0123456789ab")


@pytest.mark.parametrize("argument", ["focus", "since", "cursor"])
def test_a_name_longer_than_any_is_refused_and_not_said_again(tmp_path: Path, argument: str) -> None:
    write_tree(tmp_path, TREE)
    given = {argument: ["a" * 1_000_000] if argument == "focus" else "a" * 1_000_000}
    with pytest.raises(InvalidArgumentError) as caught:
        engine(tmp_path).get_context(str(tmp_path), token_budget=1500, **given)  # pyright: ignore[reportArgumentType] - one of the three
    assert len(str(caught.value)) < 200


def test_a_focus_means_what_is_left_of_the_files_of_a_call(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "def load():\n    return 1\n", "b.py": "def load():\n    return 2\n"})
    engine = ContextEngine(Roots([tmp_path]))
    first = engine.get_context(str(tmp_path), token_budget=2000)
    write_tree(tmp_path, {"a.py": "def load():\n    return 3\n"})
    after = engine.get_context(str(tmp_path), token_budget=2000, focus=["load"], since=first.metadata.snapshot)
    assert "return 3" in after.context
    assert "return 2" not in after.context


def test_none_is_as_if_it_were_left_out_and_a_plain_text_is_a_list_of_one(tmp_path: Path) -> None:
    write_tree(tmp_path, {f"src/part_{number}.py": f"def part_{number}():\n    pass\n" for number in range(14)})
    engine = ContextEngine(Roots([tmp_path]))
    none = dict.fromkeys(("query", "focus", "changed", "since", "cursor", "include", "exclude"))

    def context(**given: Any) -> str:
        return engine.get_context(str(tmp_path), token_budget=300, format="compact", **given).context

    assert context(**none) == context()
    assert context(exclude="part_3.py", include=None) == context(exclude=["part_3.py"])
    assert context(focus="src/part_9.py") == context(focus=["src/part_9.py"]) != context()
    assert engine.profile(str(tmp_path), token_budget=300, **none).purchases
