from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from workspace.errors import InvalidArgumentError
from workspace.git.diff import Change, ChangeKind, Removed, changes, contents

NEW, CHANGED, RENAMED, DELETED = ChangeKind


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    tmp_path /= "repository"
    tmp_path.mkdir()
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/a.py").write_text("a\nb\nc\nd\n", encoding="utf-8")
    (tmp_path / "old.py").write_text("one\ntwo\nthree\nfour\n", encoding="utf-8")
    (tmp_path / "gone.py").write_text("gone\n", encoding="utf-8")
    (tmp_path / "st.py").write_text("staged\n", encoding="utf-8")
    (tmp_path / 'odd "é\t.py').write_text("odd\n", encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path.resolve()


def found(folder: Path, changed: str = "worktree") -> dict[str, Change]:
    """The changes without what was there before."""
    return {change.path: replace(change, removed=(), old="") for change in changes(str(folder), changed)}


def test_staged_unstaged_new_renamed_and_deleted_files_are_each_seen(repository: Path) -> None:
    (repository / "sub/a.py").write_text("a\nB\nc\nd\ne\n", encoding="utf-8")
    git(repository, "mv", "old.py", "new.py")
    (repository / "gone.py").unlink()
    (repository / "st.py").write_text("staged 2\n", encoding="utf-8")
    git(repository, "add", "st.py")
    (repository / "st.py").write_text("staged 2\nunstaged\n", encoding="utf-8")
    (repository / "added.py").write_text("added\n", encoding="utf-8")
    git(repository, "add", "added.py")
    (repository / "untracked.py").write_text("new\n", encoding="utf-8")
    (repository / 'odd "é\t.py').write_text("odder\n", encoding="utf-8")
    assert found(repository) == {
        "added.py": Change(path="added.py", kind=NEW),
        "gone.py": Change(path="gone.py", kind=DELETED),
        "new.py": Change(path="new.py", kind=RENAMED, old_path="old.py"),
        'odd "é\\t.py': Change(path='odd "é\\t.py', kind=CHANGED, lines=((1, 1),)),
        "st.py": Change(path="st.py", kind=CHANGED, lines=((1, 2),)),
        "sub/a.py": Change(path="sub/a.py", kind=CHANGED, lines=((2, 2), (5, 5))),
        "untracked.py": Change(path="untracked.py", kind=NEW),
    }


def test_what_was_there_before_is_told_by_its_lines_and_can_be_read(repository: Path) -> None:
    (repository / "sub/a.py").write_text("a\nB\nd\n", encoding="utf-8")
    (repository / "gone.py").unlink()
    listed = {change.path: change for change in changes(str(repository), "worktree")}
    assert listed["sub/a.py"].removed == (Removed(before=2, first=2, lines=2),)
    assert listed["sub/a.py"].amount == 3
    old = contents(str(repository), [change.old for change in listed.values()])
    assert old[listed["sub/a.py"].old] == b"a\nb\nc\nd\n"
    assert old[listed["gone.py"].old] == b"gone\n"
    assert contents(str(repository), ["0" * 40, listed["gone.py"].old]) == {listed["gone.py"].old: b"gone\n"}
    assert contents(str(repository), []) == {}


def test_lines_that_went_lie_before_those_that_the_work_tree_has_now(repository: Path) -> None:
    (repository / "sub/a.py").write_text("a\nc\nd\n", encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "second")
    (repository / "sub/a.py").write_text("new\nnewer\na\nc\nd\n", encoding="utf-8")
    (change,) = changes(str(repository), "HEAD~1..HEAD")
    assert change.removed == (Removed(before=4, first=2, lines=1),)


def test_a_folder_sees_its_own_changes_with_its_own_paths(repository: Path) -> None:
    (repository / "sub/a.py").write_text("a\nc\nd\n", encoding="utf-8")
    (repository / "st.py").write_text("x\n", encoding="utf-8")
    assert found(repository / "sub") == {"a.py": Change(path="a.py", kind=CHANGED, lines=((2, 1),))}


def test_a_revision_is_compared_with_the_work_tree(repository: Path) -> None:
    (repository / "st.py").write_text("second\n", encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "second")
    assert found(repository) == {}
    assert set(found(repository, "HEAD~1")) == {"st.py"}


def test_the_lines_of_a_range_are_those_of_the_work_tree_now(repository: Path) -> None:
    (repository / "sub/a.py").write_text("a\nb\nc\nD\n", encoding="utf-8")
    git(repository, "commit", "-q", "-a", "-m", "second")
    git(repository, "branch", "topic")
    (repository / "sub/a.py").write_text("above\nabove\na\nb\nc\nD\nbelow\n", encoding="utf-8")
    for named in ("HEAD~1..HEAD", "HEAD~1..", "main~1...topic"):
        assert found(repository, named) == {
            "sub/a.py": Change(path="sub/a.py", kind=CHANGED, lines=((6, 6),), has_moved_on=True)
        }


def test_a_repository_without_a_commit_has_only_new_files(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").write_text("a\n", encoding="utf-8")
    git(tmp_path, "add", "a.py")
    (tmp_path / "b.py").write_text("b\n", encoding="utf-8")
    assert {change.kind for change in found(tmp_path).values()} == {NEW}
    assert set(found(tmp_path)) == {"a.py", "b.py"}


@pytest.mark.parametrize(
    "hostile", ["--output=stolen", "-p", "nope", "HEAD..nope", "", "a b", "HEAD\0", "x" * 300, "--help.."]
)
def test_what_names_no_commit_is_refused(repository: Path, hostile: str) -> None:
    with pytest.raises(InvalidArgumentError, match="changed names no commit"):
        changes(str(repository), hostile)
    assert not (repository / "stolen").exists()


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"changed needs a work tree of git.*Without git, since tells"):
        changes(str(tmp_path), "worktree")


def test_without_git_it_is_told_what_to_install(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository))
    with pytest.raises(InvalidArgumentError, match=r"could not be started.*Install git, or put its folder"):
        changes(str(repository), "worktree")


def test_nothing_that_the_repository_names_is_run(repository: Path) -> None:
    trap = f"touch {repository / 'trapped'}"
    for name, value in (
        *(("filter.trap.clean", f"{trap}; cat"), ("filter.trap.process", trap), ("filter.trap.required", "true")),
        *(("diff.external", trap), ("diff.trap.textconv", f"{trap}; cat"), ("diff.trap.command", trap)),
        *(("core.fsmonitor", trap), ("core.pager", trap)),
    ):
        git(repository, "config", name, value)
    (repository / ".gitattributes").write_text("*.py filter=trap diff=trap\n", encoding="utf-8")
    (repository / "st.py").write_text("changed\n", encoding="utf-8")
    assert set(found(repository)) == {".gitattributes", "st.py"}
    assert not (repository / "trapped").exists()


def test_an_old_git_runs_nothing_that_the_repository_names(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before 2.31 git took no settings from variables; what it is told must be told otherwise."""
    real = shutil.which("git")
    program = tmp_path / "old" / "git"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--version) echo "git version 2.30.9"; exit;; esac\n'
        f'unset GIT_CONFIG_COUNT $(env | sed -n "s/^\\(GIT_CONFIG_[KV][A-Z]*_[0-9]*\\)=.*/\\1/p")\nexec {real} "$@"\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    trap = f"touch {repository / 'trapped'}; cat"
    for name in ("core.fsmonitor", "filter.trap.clean", "filter.trap.smudge"):
        git(repository, "config", name, trap)
    (repository / ".gitattributes").write_text("*.py filter=trap\n", encoding="utf-8")
    (repository / "st.py").write_text("changed\n", encoding="utf-8")
    (repository / "trapped").unlink(missing_ok=True)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert set(found(repository)) == {".gitattributes", "st.py"}
    assert not (repository / "trapped").exists()
    with (repository / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write(f'[filter "a=b"]\n\tclean = {trap}\n')
    (repository / ".gitattributes").write_text("*.py filter=a=b\n", encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match=r"git 2\.31"):
        found(repository)
    assert not (repository / "trapped").exists()
    monkeypatch.undo()
    assert set(found(repository)) == {".gitattributes", "st.py"}
    assert not (repository / "trapped").exists()


@pytest.fixture
def with_submodule(repository: Path, tmp_path: Path) -> Path:
    library = tmp_path / "library"
    library.mkdir()
    git(library, "init", "-q", "-b", "main")
    (library / "a.py").write_text("a\nb\n", encoding="utf-8")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    git(repository, "commit", "-q", "-m", "with library")
    return repository


def test_what_changed_inside_of_a_submodule_is_seen(with_submodule: Path) -> None:
    assert found(with_submodule) == {}
    (with_submodule / "lib/a.py").write_text("a\nB\n", encoding="utf-8")
    (with_submodule / "lib/new.py").write_text("new\n", encoding="utf-8")
    edited = Change(path="lib/a.py", kind=CHANGED, lines=((2, 2),), submodule="lib")
    new = Change(path="lib/new.py", kind=NEW, submodule="lib")
    assert found(with_submodule) == {"lib/a.py": edited, "lib/new.py": new}
    listed = {change.path: change for change in changes(str(with_submodule), "worktree")}
    assert contents(str(with_submodule / "lib"), [listed["lib/a.py"].old]) == {listed["lib/a.py"].old: b"a\nb\n"}
    git(with_submodule / "lib", "add", "-A")
    git(with_submodule / "lib", "commit", "-q", "-m", "second")
    assert found(with_submodule) == {
        "lib": Change(path="lib", kind=CHANGED),
        "lib/a.py": edited,
        "lib/new.py": new,
    }
    git(with_submodule, "add", "lib")
    git(with_submodule, "commit", "-q", "-m", "moved")
    assert found(with_submodule) == {}
    assert found(with_submodule, "HEAD~1..HEAD") == {"lib": Change(path="lib", kind=CHANGED)}


def test_nothing_that_a_submodule_names_is_run(with_submodule: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    inner = with_submodule / "lib"
    git(inner, "config", "filter.x.clean", f"touch {mark}; cat")
    git(inner, "config", "core.fsmonitor", f"touch {mark}; false")
    git(with_submodule, "config", "diff.submodule", "diff")
    (inner / ".gitattributes").write_text("* filter=x\n", encoding="utf-8")
    (inner / "a.py").write_text("a\nB\n", encoding="utf-8")
    assert "lib/a.py" in found(with_submodule)
    assert not mark.exists()


def test_files_of_a_range_that_read_otherwise_on_disk_are_marked(repository: Path) -> None:
    git(repository, "checkout", "-q", "-b", "topic")
    (repository / "sub/a.py").write_text("a\nB\nc\nd\n", encoding="utf-8")
    (repository / "old.py").write_text("1\ntwo\nthree\nfour\n", encoding="utf-8")
    git(repository, "commit", "-q", "-am", "second")
    assert not any(change.has_moved_on for change in changes(str(repository), "main..topic"))
    (repository / "sub/a.py").touch()
    (repository / "old.py").write_text("1\ntwo\nthree\nfour\nfive\n", encoding="utf-8")
    moved = {change.path for change in changes(str(repository), "main..topic") if change.has_moved_on}
    assert moved == {"old.py"}
    git(repository, "checkout", "-q", "-f", "main")
    assert all(change.has_moved_on for change in changes(str(repository), "main..topic"))


def test_what_git_complains_of_is_told(repository: Path) -> None:
    with (repository / ".git/config").open("a", encoding="utf-8") as config:
        config.write("[broken\n")
    with pytest.raises(InvalidArgumentError, match=r"bad config line \d+ in file .*Mend what git says"):
        changes(str(repository), "worktree")


def test_a_complaint_that_names_a_place_outside_is_not_told(repository: Path, tmp_path: Path) -> None:
    git(repository, "config", "include.path", str(tmp_path / "secret"))
    (tmp_path / "secret").write_text("[broken\n", encoding="utf-8")
    with pytest.raises(InvalidArgumentError) as raised:
        changes(str(repository), "worktree")
    assert "secret" not in str(raised.value)


def test_a_revision_that_a_shallow_clone_lacks_is_said_to_be_so(repository: Path, tmp_path: Path) -> None:
    git(repository, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{repository}", "shallow")
    with pytest.raises(InvalidArgumentError, match="This clone is shallow"):
        changes(str(tmp_path / "shallow"), "HEAD~1")
