"""The newest commits of a folder, from real repositories."""

from __future__ import annotations

from pathlib import Path

from tests.trees import git, write_tree
from workspace.git.log import MOST_PATHS, PastCommit, head_of, past_commits


def commit(folder: Path, message: str, *names: str) -> None:
    write_tree(folder, {name: f"{message} {name}\n" for name in names})
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)


def repository(parent: Path) -> Path:
    folder = write_tree(parent / "repository", {})
    git(folder, "init", "-q")
    commit(folder, "First\n\nwith a body", "a.py", "lib/b.py")
    commit(folder, "Second", "lib/b.py", "lib/größe 1.py")
    return folder


def test_commits_come_newest_first_with_their_files(tmp_path: Path) -> None:
    assert past_commits(str(repository(tmp_path))) == (
        PastCommit(message="Second\n", paths=("lib/b.py", "lib/größe 1.py")),
        PastCommit(message="First\n\nwith a body\n", paths=("a.py", "lib/b.py")),
    )


def test_paths_are_relative_to_the_folder_that_is_asked_for(tmp_path: Path) -> None:
    commits = past_commits(str(repository(tmp_path) / "lib"))
    assert [commit.paths for commit in commits] == [("b.py", "größe 1.py"), ("b.py",)]


def test_only_so_many_commits_are_read(tmp_path: Path) -> None:
    assert len(past_commits(str(repository(tmp_path)), most=1)) == 1


def test_a_commit_that_touches_everything_speaks_for_no_file(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    commit(folder, "Reformat", *(f"f{number}.py" for number in range(MOST_PATHS + 1)))
    assert past_commits(str(folder), most=1) == (PastCommit(message="Reformat\n", paths=()),)


def test_where_there_is_no_repository_or_no_commit_there_is_no_history(tmp_path: Path) -> None:
    assert past_commits(str(tmp_path)) == ()
    assert head_of(str(tmp_path)) == ""
    git(tmp_path, "init", "-q")
    assert past_commits(str(tmp_path)) == ()
    assert head_of(str(tmp_path)) == ""


def test_the_head_is_the_commit_that_is_checked_out(tmp_path: Path) -> None:
    assert head_of(str(repository(tmp_path))) == git(tmp_path / "repository", "rev-parse", "HEAD").decode().strip()


def test_a_git_that_takes_too_long_or_cannot_be_started_gives_no_history(tmp_path: Path) -> None:
    folder = str(repository(tmp_path))
    assert past_commits(folder, seconds=0) == ()
    assert past_commits(str(tmp_path / "missing")) == ()
    assert head_of(str(tmp_path / "missing")) == ""
