"""A commit that is read from git's objects is what a checkout of it is."""

from __future__ import annotations

import os
import pickle
import shutil
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from server.ending import descendants
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.trees import git, make_repository
from tests.workspace.histories import COMMITS, make_history
from workspace.cancellation import CancelToken, cancellable
from workspace.errors import (
    FractalContextError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    TimeLimitError,
)
from workspace.files.scan import scan
from workspace.files.suggest import suggested_paths
from workspace.git.objects import Objects
from workspace.git.repositories import Named, NamedRoots, named_of
from workspace.git.running import Git
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Pair:
    """A bare repository, and a clone of it that is checked out again and again."""

    def __init__(self, folder: Path) -> None:
        self.bare = make_history(folder / "bare.git")
        self.clone = folder / "clone" / "repo"
        self.clone.parent.mkdir()
        git(folder, "clone", "-q", "--no-checkout", str(self.bare), str(self.clone))
        self.roots = NamedRoots([Named(name="team/repo", folder=self.bare)])
        self.index = CodeIndex(self.roots, workers=Workers(0))
        self.of_objects = ContextEngine(self.roots, index=self.index)
        self.of_disk = ContextEngine(Roots([self.clone]))

    def check_out(self, revision: str) -> str:
        """Has the clone hold a revision, and nothing else; returns the path that means the same in the bare one."""
        git(self.clone, "checkout", "-q", "--force", "--detach", revision)
        git(self.clone, "rm", "-q", "-r", "-f", "--cached", "--ignore-unmatch", ".")
        git(self.clone, "clean", "-qfdx")
        git(self.clone, "reset", "-q", "--hard", revision)  # git leaves files as they are whose attributes alone change
        self.of_disk = ContextEngine(Roots([self.clone]))
        return f"repo://team/repo@{revision}"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return Pair(tmp_path_factory.mktemp("pair"))


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except FractalContextError as error:
        return type(error)


def told(engine: ContextEngine, path: str, **asked: object) -> object:
    result = engine.get_context(path, **asked)  # pyright: ignore[reportArgumentType] - any argument
    return result.context, result.summary, result.metadata.as_json()


ODD = (0, 5, 9, 13, 17, 21, 28, 30, 45, 49)
"""Commits after which everything odd has been there once."""


@pytest.mark.parametrize("numbers", [ODD, pytest.param(range(COMMITS), marks=pytest.mark.long)])
def test_commits_of_a_bare_repository_read_as_checkouts_of_them(pair: Pair, numbers: Sequence[int]) -> None:
    for number in numbers:
        path = pair.check_out(f"r{number}")
        since = {"changed": "HEAD~1"} if number and number % 5 == 0 else {}
        for asked in ({"token_budget": 4000}, {"token_budget": 1500, "query": "where are the settings parsed?"}, since):
            assert told(pair.of_objects, path, **asked) == told(pair.of_disk, ".", **asked), (number, asked)
        for target in ("parse", "src/app.py", "Part3.load", "src/part1.py:2-4", "link.py"):
            from_objects = outcome(lambda: Zoomer(pair.index).zoom(target, path, context="callers").text)  # noqa: B023 - called at once
            on_disk = outcome(lambda: Zoomer(pair.of_disk.index).zoom(target, ".", context="callers").text)  # noqa: B023 - as above
            assert from_objects == on_disk, (number, target)


def test_a_folder_inside_a_commit_reads_as_in_a_checkout(pair: Pair) -> None:
    path = pair.check_out("r44")
    for below in ("src", "src/part1.py", "vendored/library", "folder", "link.py", "docs"):
        for asked in ({"token_budget": 900, "query": "parse"}, {"changed": "HEAD~3"}, {"focus": ["Part7"]}):
            from_objects = outcome(lambda: told(pair.of_objects, f"{path}:{below}", **asked))  # noqa: B023 - called at once
            on_disk = outcome(lambda: told(pair.of_disk, below, **asked))  # noqa: B023 - as above
            assert from_objects == on_disk, (below, asked)


def test_what_changed_between_two_commits_is_sent_alone(pair: Pair) -> None:
    first = pair.of_objects.get_context("repo://team/repo@r37", token_budget=3000)
    later = pair.of_objects.get_context("repo://team/repo@r38", since=first.metadata.snapshot)
    assert "src/part2.py" in later.context
    assert "src/part3.py" not in later.context
    whole = pair.of_objects.get_context("repo://team/repo@r38", token_budget=700)
    rest = pair.of_objects.get_context("repo://team/repo@r38", cursor=whole.metadata.next_cursor or "")
    assert rest.metadata.files_full


def test_a_second_commit_costs_its_changed_files_alone(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    index = CodeIndex(pair.roots, workers=Workers(0))
    read: list[str] = []
    true = Objects.read

    def noted(self: Objects, name: str, path: str = "") -> bytes:
        read.append(path)
        return true(self, name, path)

    monkeypatch.setattr(Objects, "read", noted)
    for revision in ("r40", "r42"):
        read.clear()
        index.files(scan(pair.roots.resolve(f"repo://team/repo@{revision}"), roots=pair.roots))
    assert sorted(path for path in read if path.endswith((".py", ".go"))) == [
        *("a.go", "src/app.py", "src/part5.py", "src/part6.py"),
    ]


@pytest.mark.parametrize("base", ["repo://team/repo@r49", "repo://team/repo"])
def test_no_path_leads_out_of_a_commit(pair: Pair, base: str) -> None:
    inside = str(pair.roots.resolve(base))
    for below in ("../../x", "..", "/etc/passwd", "src/../../..", "abs", "away", "a\\..\\..", "~", inside):
        with pytest.raises((OutsideRootsError, PathNotFoundError, InvalidArgumentError)):
            pair.roots.resolve(f"{base}:{below}")
    for path in (
        "/dev/null",
        "/dev/null/revisions",
        f"/dev/null/revisions/{'0' * 16}/{'0' * 40}/repo",
        inside + "/../..",
    ):
        with pytest.raises((OutsideRootsError, PathNotFoundError)):
            pair.roots.resolve(path)


@pytest.mark.parametrize(
    "revision",
    [
        *("--all", "-n1", "", " ", "r1 ", "r1\n", "r1\0", "\x1b[31m", "r1..r2", "r1...r2", "^r1", "main@{yesterday}"),
        *("main^{/Change}", ":/Change", "r1:src", "a" * 201, "\u200br1", "nope", "0" * 40, "refs/heads", "r1^{tree}"),
        *("\udcff", "r1\\", "*", "?", "[a]", "HEAD^{blob}", "--upload-pack=touch x", "r1\u2028"),
    ],
)
def test_what_names_no_commit_is_refused_in_words(pair: Pair, revision: str) -> None:
    with pytest.raises((InvalidArgumentError, PathNotFoundError)) as refused:
        pair.roots.resolve(f"repo://team/repo@{revision}:")
    assert str(pair.bare) not in str(refused.value)
    assert str(refused.value).isprintable()


def test_names_mean_the_commits_that_git_says(pair: Pair) -> None:
    newest = git(pair.bare, "rev-parse", "main").decode().strip()
    for spelling in ("main", "r49", "HEAD", "@", "main~0", "refs/heads/main", newest, newest[:12], "r49^0"):
        assert pair.roots.resolve(f"repo://team/repo@{spelling}") == pair.roots.resolve("repo://team/repo")
    assert pair.roots.resolve("repo://team/repo@main~2") == pair.roots.resolve("repo://team/repo@r47")
    assert pair.roots.resolve(".") == pair.roots.resolve("repo://team/repo")


def test_completion_knows_names_then_revisions_then_paths(pair: Pair) -> None:
    assert suggested_paths("re", pair.roots)[-1] == "repo://team/repo"
    assert suggested_paths("repo://team/repo@r4", pair.roots) == [f"repo://team/repo@r4{n}" for n in "9876543210"] + [
        "repo://team/repo@r4"
    ]
    assert suggested_paths("repo://team/repo@r44:sr", pair.roots) == ["repo://team/repo@r44:src/"]
    assert "repo://team/repo@r44:src/app.py" in suggested_paths("repo://team/repo@r44:src/a", pair.roots)
    assert suggested_paths("repo://other/", pair.roots) == suggested_paths("repo://team/repo@r44:../", pair.roots) == []


# What is damaged, and what a repository may not say


@pytest.fixture
def loose(tmp_path: Path) -> Path:
    """A repository whose objects are files of their own."""
    first, second = b"def first():\n    return 1\n", b"def second():\n    return 2\n"
    return make_repository(tmp_path / "loose", {"a.py": first, "b.py": second, "in/c.py": b"def third(): ...\n"})


def _object(folder: Path, name: str) -> Path:
    found = git(folder, "rev-parse", name).decode().strip()
    return folder / ".git" / "objects" / found[:2] / found[2:]


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_lost_object_costs_its_file_a_word(loose: Path, *, is_damaged: bool) -> None:
    place = _object(loose, "HEAD:a.py")
    place.chmod(0o600)
    if is_damaged:
        place.write_bytes(b"not an object")
    else:
        place.unlink()
    result = ContextEngine(NamedRoots([Named(name="x", folder=loose, revision="HEAD")])).get_context("repo://x")
    assert "def second" in result.context
    assert "def third" in result.context
    assert [problem.path for problem in result.metadata.problems] == ["a.py"]
    assert "object" in result.metadata.problems[0].detail


def test_a_lost_folder_costs_what_lies_in_it(loose: Path) -> None:
    _object(loose, "HEAD:in").unlink()
    result = ContextEngine(NamedRoots([Named(name="x", folder=loose, revision="HEAD")])).get_context(".")
    assert "def first" in result.context
    assert [(problem.path, problem.kind) for problem in result.metadata.problems] == [("in", "unreadable")]


def test_a_commit_without_its_folder_istold(loose: Path) -> None:
    _object(loose, "HEAD^{tree}").unlink()
    roots = NamedRoots([Named(name="x", folder=loose, revision="HEAD")])
    with pytest.raises(FractalContextError, match="cannot be read"):
        ContextEngine(roots).get_context("repo://x")


def test_no_object_stands_for_another(loose: Path) -> None:
    first, second = (git(loose, "rev-parse", f"HEAD:{name}").decode().strip() for name in ("a.py", "b.py"))
    git(loose, "replace", first, second)
    result = ContextEngine(NamedRoots([Named(name="x", folder=loose, revision="HEAD")])).get_context(".")
    assert "def first" in result.context


def test_no_filter_of_a_repository_runs(loose: Path, tmp_path: Path) -> None:
    (loose / ".gitattributes").write_text("*.py filter=evil eol=crlf\n", encoding="utf-8")
    git(loose, "add", "-A")
    git(loose, "commit", "-qm", "filter")
    for kind in ("smudge", "clean", "process"):
        git(loose, "config", f"filter.evil.{kind}", f"touch {tmp_path / 'ran'}")
    git(loose, "config", "filter.evil.required", "true")
    result = ContextEngine(NamedRoots([Named(name="x", folder=loose, revision="HEAD")])).get_context(".")
    assert "def first" in result.context
    assert not (tmp_path / "ran").exists()


def test_objects_of_other_repositories_are_not_read(loose: Path, tmp_path: Path) -> None:
    borrowing = tmp_path / "borrowing"
    git(tmp_path, "clone", "-q", "--shared", str(loose), str(borrowing))
    linked = tmp_path / "linked"
    git(loose, "worktree", "add", "-q", str(linked))
    (tmp_path / "pointing").mkdir()
    (tmp_path / "pointing" / ".git").symlink_to(loose / ".git")
    for folder in (borrowing, linked, tmp_path / "pointing", tmp_path):
        with pytest.raises(InvalidArgumentError):
            NamedRoots([Named(name="x", folder=folder, revision="HEAD")])
    NamedRoots([Named(name="x", folder=linked, revision="HEAD", shared=True)])


def test_a_repository_without_commits_says_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "none.git")
    roots = NamedRoots([named_of(f"none={tmp_path / 'none.git'}")])
    with pytest.raises(PathNotFoundError, match="no commit"):
        ContextEngine(roots).get_context("repo://none")


def test_a_folder_with_a_name_is_read_as_it_is_and_its_commits_as_they_were(loose: Path) -> None:
    roots = NamedRoots([named_of(f"team/loose={loose}")])
    (loose / "a.py").write_text("def newer(): ...\n", encoding="utf-8")
    engine = ContextEngine(roots)
    assert "def newer" in engine.get_context("repo://team/loose").context
    assert "def first" in engine.get_context("repo://team/loose@HEAD").context
    assert "def newer" not in engine.get_context("repo://team/loose@HEAD:a.py").context


def test_names_are_checked_when_they_are_given(tmp_path: Path) -> None:
    for text in (
        "x",
        "=x",
        "x=",
        f"../x={tmp_path}",
        f"x y={tmp_path}",
        f"x@y={tmp_path}",
        "x=/nowhere",
        f"-x={tmp_path}",
    ):
        with pytest.raises(InvalidArgumentError):
            named_of(text)
    assert named_of(f"x={tmp_path}@v1").revision == "v1"
    with pytest.raises(InvalidArgumentError, match="Two"):
        NamedRoots([named_of(f"x={tmp_path}"), named_of(f"x={tmp_path}")])


def test_roots_with_names_reach_another_process(pair: Pair) -> None:
    roots = pickle.loads(pickle.dumps(pair.roots))
    assert roots.resolve("repo://team/repo@r3") == pair.roots.resolve("repo://team/repo@r3")


def test_a_call_ends_where_git_does_not_answer(loose: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true = shutil.which("git")
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"
    slow.write_text(
        f'#!/bin/sh\ncase "$*" in *"cat-file --batch") sleep 60;; *) exec {true} "$@";; esac\n', encoding="utf-8"
    )
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    before = set(descendants(os.getpid()))
    roots = NamedRoots([Named(name="x", folder=loose, revision="HEAD")])
    with pytest.raises(TimeLimitError), cancellable(CancelToken(0.3)):
        ContextEngine(roots).get_context("repo://x")
    with pytest.raises(TimeLimitError), cancellable(CancelToken(0.3)):
        Objects(Git(str(loose)), "slow").read("0" * 40)
    assert set(descendants(os.getpid())) <= before


def test_a_commit_that_a_shallow_clone_lacks_is_said_to_be_so(tmp_path: Path) -> None:
    make_repository(tmp_path / "whole", {"a.py": "A = 1\n"})
    git(tmp_path / "whole", "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path}/whole", "shallow")
    for name, says in (("whole", False), ("shallow", True)):
        roots = NamedRoots([Named(name="it", folder=tmp_path / name)])
        with pytest.raises(PathNotFoundError) as caught:
            roots.resolve("repo://it@HEAD~2")
        assert ("This clone is shallow" in str(caught.value)) is says
    assert roots.resolve("repo://it@HEAD")
