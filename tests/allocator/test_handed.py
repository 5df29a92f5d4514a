"""The parts that a reader was handed before: since and cursor, over real folders."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine, ContextResult
from allocator.question.handed import REMEMBERED, Records
from tests.allocator.config_tree import CONFIG, TREE, block, engine, filler, served
from tests.trees import git, make_repository, write_tree
from workspace.errors import InvalidArgumentError, SymbolNotFoundError
from workspace.git.repositories import Named, NamedRoots
from workspace.model import ProblemKind
from workspace.roots import Roots
from workspace.shelf import Shelf

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
    for query in ("", "parse a helper", "nothing of it"):
        result = own.get_context(str(tmp_path), token_budget=2000, since=snapshot, query=query)
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
    assert "\ne.py [RENAMED:d.py]\n" in result.context
    assert "D = 1" not in result.context, "its bytes are those that were handed out under its old name"
    assert "d.py [DELETED]" not in result.context
    assert result.metadata.as_json()["changes"] == {
        "renamed": ("e.py",),
        "new": ("v.py", "w.py"),  # which of the two was which nobody can tell
        "deleted": ("x/__init__.py", "y/__init__.py"),
    }


def test_a_file_that_was_renamed_is_compared_with_what_was_shown_under_its_old_name(tmp_path: Path) -> None:
    text = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    write_tree(tmp_path, {"d.py": text, "z.py": "Z = 1\n"})
    own = engine(tmp_path)
    first = own.get_context(".").metadata.snapshot
    (tmp_path / "d.py").rename(tmp_path / "e.py")
    second = own.get_context(".", since=first).metadata.snapshot
    (tmp_path / "e.py").write_text(text.replace("return 2", "return 3"), encoding="utf-8")
    told = own.get_context(".", format="compact", since=second).context
    assert "return 3" in told
    assert "return 1" not in told


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
    cursor = engine(tmp_path).get_context(str(tmp_path), token_budget=1500).metadata.next_cursor
    with pytest.raises(InvalidArgumentError, match="of a call about another path; give the path of that call"):
        engine(tmp_path).get_context(str(tmp_path / "src"), cursor=cursor or "")


@pytest.mark.parametrize(
    "asked",
    [
        {"query": "parse the settings of a helper"},
        {"focus": ["Config.load"]},
        {"path": "src"},
        {"path": "src", "include": ["filler_*.py"], "exclude": "filler_0?.py"},
    ],
)
def test_a_cursor_alone_goes_on_with_the_question_in_another_process_too(tmp_path: Path, asked: dict[str, Any]) -> None:
    write_tree(tmp_path / "work", TREE | {"other/more.py": filler(99)})
    first, other = (engine(tmp_path / "work", Records(Shelf(tmp_path / "shelf"))) for _ in range(2))
    arguments: dict[str, Any] = {"path": ".", "token_budget": 1200, **asked}
    cursor = first.get_context(**arguments).metadata.next_cursor
    while cursor:
        alone = other.get_context(".", token_budget=1200, cursor=cursor)
        whole = first.get_context(cursor=cursor, **arguments)
        assert alone.context == whole.context
        assert alone.metadata == whole.metadata
        assert not alone.metadata.problems
        cursor = alone.metadata.next_cursor


@pytest.mark.parametrize("folder", [".", "src"])
def test_a_cursor_alone_goes_on_in_the_root_of_its_first_page(tmp_path: Path, folder: str) -> None:
    for name in ("one", "two"):
        write_tree(tmp_path / name, TREE | {f"src/{name}.py": filler(99)})
    own = ContextEngine(Roots([tmp_path / "one", tmp_path / "two"]))
    place = str(tmp_path / "two" / folder)
    arguments: dict[str, Any] = {"token_budget": 1200, "query": "parse the settings of a helper"}
    cursor = own.get_context(place, **arguments).metadata.next_cursor
    alone = own.get_context(".", token_budget=1200, cursor=cursor)
    assert alone.context == own.get_context(place, cursor=cursor, **arguments).context
    assert "+++ " in alone.context
    with pytest.raises(InvalidArgumentError, match="is not known"):
        own.get_context(str(tmp_path / "one"), token_budget=1200, cursor=cursor)


def test_a_cursor_alone_goes_on_with_the_commit_of_its_first_page(tmp_path: Path) -> None:
    write_tree(tmp_path / "work", TREE)
    make_repository(tmp_path / "work", {"old.py": filler(98)})
    git(tmp_path / "work", "mv", "old.py", "new.py")
    git(tmp_path / "work", "commit", "-q", "-m", "moved")
    own = ContextEngine(NamedRoots([Named(name="it", folder=tmp_path / "work", revision="HEAD")]))
    cursor = own.get_context("repo://it@HEAD~1", token_budget=1200).metadata.next_cursor
    told = ""
    while cursor:
        page = own.get_context(".", token_budget=1200, cursor=cursor)
        assert not page.metadata.problems
        told, cursor = told + page.context, page.metadata.next_cursor
    assert ("+++ old.py" in told, "+++ new.py" in told) == (True, False)


def test_a_cursor_of_what_changed_goes_on_with_what_changed(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    snapshot = own.get_context(".").metadata.snapshot
    edited = [f"src/filler_{number}.py" for number in range(10, 22)]
    for path in edited:
        place = tmp_path / path
        place.write_text(place.read_text(encoding="utf-8").replace("first * ", "first + "), encoding="utf-8")
    page = own.get_context(".", token_budget=700, since=snapshot)
    told = [page.context]
    assert page.metadata.next_cursor
    while cursor := page.metadata.next_cursor:
        page = own.get_context(".", token_budget=700, cursor=cursor)
        told.append(page.context)
    assert sorted(re.findall(r"^\+\+\+ (\S+)", "\n".join(told), re.MULTILINE)) == edited
    with pytest.raises(InvalidArgumentError, match="cannot be combined"):
        own.get_context(".", since=snapshot, cursor=page.metadata.snapshot)


def test_what_is_asked_with_a_cursor_counts_instead(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    cursor = own.get_context(
        ".", token_budget=1200, query="parse the settings", exclude=["main.py"]
    ).metadata.next_cursor
    assert cursor is not None
    page = own.get_context(".", token_budget=1200, cursor=cursor, query="helper_17_c", include=["filler_1*"])
    assert "helper_17_c(first: int, second: int) -> int:\n+     first = first * 0" in page.context
    assert {*re.findall(r"src/\w+\.py", page.context)} <= {f"src/filler_{n}.py" for n in range(10, 20)}


def test_what_was_focused_on_and_shown_is_no_error_behind_it(tmp_path: Path) -> None:
    write_tree(tmp_path, TREE)
    own = engine(tmp_path)
    first = own.get_context(".", token_budget=1200, focus="Config.load")
    assert "+++ src/config.py" in first.context
    since = own.get_context(".", since=first.metadata.snapshot, focus="Config.load")
    assert "+++ src/config.py" not in since.context
    with pytest.raises(SymbolNotFoundError):
        own.get_context(".", since=first.metadata.snapshot, focus="Config.lod")
