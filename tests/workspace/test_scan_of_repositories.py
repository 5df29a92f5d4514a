from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.trees import git, make_repository, write_tree
from tests.workspace.scans import paths, scanned
from workspace import (
    ProblemKind,
)
from workspace.git.files import git_list


def test_in_a_work_tree_tracked_and_new_files_are_listed_and_ignored_ones_are_not(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {".gitignore": "*.log\n", "a.py": "", "tracked.log": "", "gone.py": ""})
    write_tree(base, {"new.py": "", "new.log": "", "d/.gitignore": "x\n", "d/x": "", "d/y": ""})
    (base / ".git/info/exclude").write_text("private\n", encoding="utf-8")
    write_tree(base, {"private": ""})
    (base / "gone.py").unlink()
    assert paths(base) == [".gitignore", "a.py", "d/.gitignore", "d/y", "new.py", "tracked.log"]


def test_a_folder_below_the_top_lists_only_itself_even_when_the_top_is_outside(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {".gitignore": "*.log\n", "a.py": "", "sub/b.py": "", "sub/d/c.py": ""})
    write_tree(base, {"sub/new.log": ""})
    assert paths(base / "sub") == ["b.py", "d/c.py"]


def test_contextignore_and_globs_hold_in_a_work_tree_too(tmp_path: Path) -> None:
    base = make_repository(
        tmp_path / "x",
        {
            ".contextignore": "data/\n*.md\n",
            "data/a": "",
            "d/.contextignore": "!keep.md\n",
            "d/keep.md": "",
            "x.md": "",
            "a.py": "",
            "b.py": "",
        },
    )
    assert paths(base, exclude=("b.*",)) == [".contextignore", "a.py", "d/.contextignore", "d/keep.md"]


def test_submodules_and_nested_repositories_are_listed_by_their_own_rules(tmp_path: Path) -> None:
    library = make_repository(tmp_path / "library", {"lib.py": "", ".gitignore": "*.tmp\n"})
    base = make_repository(tmp_path / "x", {"a.py": ""})
    git(base, "submodule", "add", "-q", str(library), "sub")
    git(base, "submodule", "add", "-q", str(library), "empty")
    git(base, "submodule", "deinit", "-q", "-f", "empty")
    make_repository(base / "nested", {"n.py": "", ".gitignore": "*.log\n"})
    write_tree(
        base, {"sub/x.tmp": "", "sub/y.py": "", "nested/x.log": "", "nested/x.tmp": "", ".contextignore": "hidden/\n"}
    )
    make_repository(base / "hidden", {"h.py": ""})
    assert paths(base) == [
        ".contextignore",
        ".gitmodules",
        "a.py",
        "nested/.gitignore",
        "nested/n.py",
        "nested/x.tmp",
        "sub/.gitignore",
        "sub/lib.py",
        "sub/y.py",
    ]


def test_a_plain_folder_of_repositories_lists_each_by_its_own_rules(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_repository(tmp_path / name, {".gitignore": "*.log\n", "a.py": ""})
        write_tree(tmp_path / name, {"x.log": ""})
    assert paths(tmp_path) == ["one/.gitignore", "one/a.py", "two/.gitignore", "two/a.py"]


def test_a_linked_work_tree_is_listed(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {"a.py": ""})
    git(base, "worktree", "add", "-q", "../y")
    assert paths(tmp_path / "y") == ["a.py"]


def test_an_ignored_folder_that_is_asked_for_is_walked(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {".gitignore": "build/\n*.log\n", "a.py": ""})
    write_tree(base, {"build/out.py": "", "build/d/x.log": "", "empty.d/x.log": ""})
    assert paths(base / "build", base) == ["out.py"]
    assert paths(base / "empty.d", base) == []


def test_a_conflicted_file_is_listed_once(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {"a.py": "1\n"})
    git(base, "checkout", "-q", "-b", "other")
    write_tree(base, {"a.py": "2\n"})
    git(base, "commit", "-q", "-am", "2")
    git(base, "checkout", "-q", "main")
    write_tree(base, {"a.py": "3\n"})
    git(base, "commit", "-q", "-am", "3")
    git(base, "merge", "-q", "other", ok=(1,))
    assert paths(base) == ["a.py"]


def test_tracked_files_behind_a_folder_that_became_a_link_are_not_read(tmp_path: Path) -> None:
    write_tree(tmp_path / "outside", {"a.py": "secret"})
    base = make_repository(tmp_path / "x", {"d/a.py": "", "b.py": ""})
    (base / "d/a.py").unlink()
    (base / "d").rmdir()
    (base / "d").symlink_to("../outside")
    found = scanned(base)
    assert [file.path for file in found.files] == ["b.py"]
    assert [(problem.path, problem.kind) for problem in found.problems] == [("d", ProblemKind.OUTSIDE)]


def test_tracked_links_are_treated_like_others(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"real.py": ""})
    (base / "link.py").symlink_to("real.py")
    (base / "out").symlink_to("/etc/passwd")
    found = scanned(make_repository(base, {}))
    assert [file.path for file in found.files] == ["real.py"]
    assert [problem.kind for problem in found.problems] == [ProblemKind.OUTSIDE]


def test_the_configuration_of_a_repository_runs_no_code(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {"a.py": ""})
    ran = tmp_path / "ran"
    hook = write_tree(tmp_path / "hooks", {"hook": f"#!/bin/sh\ntouch '{ran}'\n"}) / "hook"
    hook.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "alias.ls-files", "filter.x.clean"):
        git(base, "config", key, str(hook))
    (base / ".gitattributes").write_text("* filter=x\n", encoding="utf-8")
    assert paths(base) == [".gitattributes", "a.py"]
    assert not ran.exists()


def test_the_environment_of_a_hook_does_not_point_to_another_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", {"o.py": ""})
    base = make_repository(tmp_path / "x", {"a.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    assert paths(base) == ["a.py"]


def test_without_git_a_work_tree_is_walked_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = make_repository(tmp_path / "x", {".gitignore": "*.log\n", "a.py": ""})
    write_tree(base, {"x.log": ""})
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    found = scanned(base)
    assert [file.path for file in found.files] == [".gitignore", "a.py"]
    assert [(problem.path, problem.kind) for problem in found.problems] == [(".", ProblemKind.UNREADABLE)]
    assert "could not be started" in found.problems[0].detail


def test_a_damaged_repository_is_walked_and_that_is_said(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {"a.py": ""})
    (base / ".git/index").write_bytes(b"garbage")
    found = scanned(base)
    assert [file.path for file in found.files] == ["a.py"]
    assert "exit status 128" in found.problems[0].detail
    (tmp_path / ".git").write_text("garbage")  # of that git names the whole path, which is not told
    assert "exit status 128 (git status in the folder says why)" in scanned(tmp_path).problems[0].detail


@pytest.mark.parametrize("name", [b".", b"/"])
def test_a_damaged_index_that_lists_the_folder_itself_comes_to_an_end(tmp_path: Path, name: bytes) -> None:
    base = make_repository(tmp_path / "x", {"a.py": "", "lib/n": "", "n": ""})
    index = base / ".git/index"
    for old in (b"lib/n\0", b"\x01n\0"):
        index.write_bytes(index.read_bytes().replace(old, old.replace(b"n", name)))
    assert paths(base) == ["a.py", "lib/n", "n"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only the superuser can give a folder away")
def test_a_repository_of_a_stranger_is_walked_and_that_is_said(tmp_path: Path) -> None:
    base = make_repository(tmp_path / "x", {"a.py": ""})
    for place in (base, base / ".git"):
        os.chown(place, 12345, 12345)
    found = scanned(base)
    assert [file.path for file in found.files] == ["a.py"]
    assert "safe.directory" in found.problems[0].detail
    assert str(tmp_path) not in found.problems[0].detail


def test_a_folder_that_only_looks_like_a_repository_is_walked(tmp_path: Path) -> None:
    base = write_tree(tmp_path / "x", {"a.py": ""})
    (base / ".git").mkdir()
    assert paths(base) == ["a.py"]


def test_git_is_given_only_so_much_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = write_tree(tmp_path / "bin", {"git": "#!/bin/sh\nexec sleep 60\n"}) / "git"
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
    answer = git_list(str(tmp_path), seconds=0.1)
    assert answer.paths is None
    assert "0.1 seconds" in answer.refusal


def test_what_vanishes_between_list_and_look_is_no_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A git that deletes files after listing them is as real as a race gets without a clock.
    base = make_repository(tmp_path / "x", {"a.py": "", "d/b.py": "", "e/c.py": ""})
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, check=True, text=True).stdout.strip()
    script = f'#!/bin/sh\n"{real}" "$@"\nrm -rf a.py d\nrm -r e && touch e\n'
    racing = write_tree(tmp_path / "bin", {"git": script}) / "git"
    racing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{racing.parent}{os.pathsep}{os.environ['PATH']}")
    assert paths(base) == []
