"""The newest commits of a folder, from real repositories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.trees import commit_object, git, write_tree
from workspace.git.log import KIND, MOST_PATHS, NO_LOG, Log, PastCommit, newest


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
    assert newest(str(repository(tmp_path))).commits == (
        PastCommit(message="Second\n", paths=("lib/b.py", "lib/größe 1.py")),
        PastCommit(message="First\n\nwith a body\n", paths=("a.py", "lib/b.py")),
    )


def test_paths_are_relative_to_the_folder_that_is_asked_for(tmp_path: Path) -> None:
    log = newest(str(repository(tmp_path) / "lib"))
    assert [commit.paths for commit in log.commits] == [("b.py", "größe 1.py"), ("b.py",)]


def test_only_so_many_commits_are_read(tmp_path: Path) -> None:
    assert len(newest(str(repository(tmp_path)), most=1).commits) == 1


def test_a_commit_that_touches_everything_speaks_for_no_file(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    commit(folder, "Reformat", *(f"f{number}.py" for number in range(MOST_PATHS + 1)))
    assert newest(str(folder), most=1).commits == (PastCommit(message="Reformat\n", paths=()),)


def test_where_there_is_no_repository_or_no_commit_there_is_no_history_and_nothing_wrong(tmp_path: Path) -> None:
    assert newest(str(tmp_path)) == NO_LOG
    git(tmp_path, "init", "-q")
    assert newest(str(tmp_path)) == NO_LOG


def test_what_is_known_is_given_back_while_the_same_commit_is_checked_out(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    known = newest(str(folder))
    assert known.head == git(folder, "rev-parse", "HEAD").decode().strip()
    assert newest(str(folder), known) is known
    commit(folder, "Third", "a.py")
    assert newest(str(folder), known).commits[1:] == known.commits


def test_a_git_that_takes_too_long_or_cannot_be_started_gives_no_history_and_a_reason(tmp_path: Path) -> None:
    folder = str(repository(tmp_path))
    assert newest(folder, seconds=0) == Log(refusal="git took more than 0 seconds")
    assert "could not be started" in newest(str(tmp_path / "missing")).refusal


def test_every_byte_may_stand_in_a_message_and_in_a_name(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    every = bytes(range(1, 256))
    name = bytes(byte for byte in every if byte != 0x2F)
    (folder / "lib" / "").joinpath("x").write_text("x\n")
    Path(str(folder / "lib") + "/" + name.decode("utf-8", "surrogateescape")).write_text("odd\n")
    git(folder, "add", "-A")
    tree = git(folder, "write-tree").decode().strip()
    head = git(folder, "rev-parse", "HEAD").decode().strip()
    for message in (every, b"\x1e", b"\x1fa\x1e\x1f\n:100644 100644 0 0 M", b"before\0after", b""):
        made = commit_object(folder, tree=tree, parent=head, message=message)
        git(folder, "reset", "-q", "--soft", made)
        log = newest(str(folder / "lib"))
        assert log.refusal == ""
        assert log.commits[0].message.rstrip("\n") == message.partition(b"\0")[0].decode("utf-8", "replace").rstrip(
            "\n"
        )
        assert len(log.commits[0].paths) == 2
        assert len(log.commits) == 3


def test_a_name_that_looks_like_the_beginning_of_a_commit_is_a_name(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    parent = git(folder, "rev-parse", "HEAD").decode().strip()
    commit(folder, "Odd", parent, f":100644 100644 {parent} {parent} M")
    log = newest(str(folder))
    assert set(log.commits[0].paths) == {parent, f":100644 100644 {parent} {parent} M"}
    assert [commit.message for commit in log.commits] == ["Odd\n", "Second\n", "First\n\nwith a body\n"]


def test_history_that_is_damaged_is_told_up_to_where_it_breaks_off(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    first = git(folder, "rev-parse", "HEAD~1^{tree}").decode().strip()
    (folder / ".git" / "objects" / first[:2] / first[2:]).unlink()
    log = newest(str(folder))
    assert "exit status" in log.refusal


def test_no_setting_of_a_repository_or_a_user_changes_what_is_told_or_runs(tmp_path: Path) -> None:
    folder = repository(tmp_path)
    told = newest(str(folder))
    trap = f"touch {tmp_path / 'trapped'};"
    for name, value in (
        *(("log.showSignature", "true"), ("gpg.program", trap), ("log.follow", "true"), ("log.date", "nonsense")),
        *(("log.diffMerges", "nonsense"), ("format.pretty", "%s"), ("color.ui", "always"), ("core.pager", trap)),
        *(("diff.noprefix", "true"), ("diff.orderFile", "/nowhere"), ("diff.external", trap), ("log.mailmap", "true")),
        *(
            ("core.quotePath", "true"),
            ("core.fsmonitor", trap),
            ("diff.renames", "copies"),
            ("alias.rev-list", f"!{trap}"),
        ),
        *(("i18n.logOutputEncoding", "UTF-16"), ("log.decorate", "full"), ("diff.algorithm", "nonsense")),
    ):
        git(folder, "config", name, value)
    assert newest(str(folder)) == told
    assert not (tmp_path / "trapped").exists()


class Kept(dict[bytes, bytes]):
    """Keeps logs in memory."""

    def read(self, kind: int, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        assert kind == KIND
        return {key: self[key] for key in keys if key in self}

    def write(self, entries: Iterable[tuple[int, bytes, bytes]]) -> None:
        self.update({key: value for _, key, value in entries})


def test_what_git_told_another_process_of_the_commit_is_not_asked_for_again(tmp_path: Path) -> None:
    folder, kept = repository(tmp_path), Kept()
    told = newest(str(folder), keeping=kept)
    assert told == newest(str(folder))
    (key,) = kept
    kept[key] = kept[key].replace(b"Second", b"Secund")  # so that it shows where it comes from
    assert [one.message[:6] for one in newest(str(folder), keeping=kept).commits] == ["Secund", "First\n"]
    kept[key] = b"\xc1"  # what cannot be read is told anew
    assert newest(str(folder), keeping=kept) == told
    assert newest(str(folder / "lib"), keeping=kept).commits[0].paths == ("b.py", "größe 1.py")
    commit(folder, "Third", "a.py")
    assert [one.message[:6] for one in newest(str(folder), keeping=kept).commits] == ["Third\n", "Second", "First\n"]
