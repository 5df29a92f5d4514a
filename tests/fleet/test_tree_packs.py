"""Tree packs: what is published of a commit, who believes it, and that who begins with one reads and parses nothing."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from server.cli import run
from server.indexing import open_index
from server.publishing import USUAL_BUDGETS, Adopted, Shelves
from server.settings import Settings, read_settings
from skeleton.index import gathering, known
from skeleton.index.tree_pack import TreePack, TreePackError, secret_of, unpack
from skeleton.zoom.zoomer import Zoomer
from tests.fleet.replicas import project
from tests.trees import git, make_repository
from workspace.errors import InvalidArgumentError
from workspace.files.scan import scan
from workspace.git.work_tree import newest_trees, unchanged
from workspace.tokens import TokenCounter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.index.code_index import CodeIndex

KEY = "a-key-for-tests-only"
CALLS: Sequence[dict[str, Any]] = (
    {"token_budget": 20_000, "format": "compact"},
    {"token_budget": 700},
    {"token_budget": 700, "query": "what is the price of part 7"},
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A committed project. Its files count as left alone for long, which no test can wait for."""
    monkeypatch.setattr(known, "SETTLED_NS", -(10**15))
    monkeypatch.setenv("FRACTAL_CONTEXT_STORE_KEY", KEY)
    return make_repository(project(tmp_path / "project"), {})


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def settings_for(root: Path, state: Path, target: object = "", key: str = KEY) -> Settings:
    environ = {"FRACTAL_CONTEXT_STORE_KEY": key, "FRACTAL_CONTEXT_CACHE": str(state)}
    return read_settings(roots=[str(root)], environ=environ, parsers="0", published=str(target) or None)


def publish(root: Path, state: Path, target: object, *flags: str) -> int:
    return run(["index", str(root), "--publish", str(target), "--parsers", "0", "--cache", str(state), *flags])


def packs_in(target: Path) -> dict[str, Path]:
    return {file.stem: file for file in target.rglob("*.pack")}


def commit(root: Path, path: str, text: str) -> None:
    (root / path).write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", path)


def answers(index: CodeIndex) -> list[str]:
    engine = ContextEngine(index.roots, index=index)
    return [
        *(engine.get_context(".", **call).context for call in CALLS),
        Zoomer(index).zoom("sell_3", ".", token_budget=500).text,
    ]


def answers_alone(root: Path, state: Path) -> list[str]:
    with closing(open_index(settings_for(root, state))) as index:
        return answers(index)


def parses(monkeypatch: pytest.MonkeyPatch, index: CodeIndex) -> list[str]:
    """Returns the list that the paths of files come into when facts of them are worked out."""
    parsed: list[str] = []
    made = index._made  # pyright: ignore[reportPrivateUsage] - the one place where facts are worked out

    def noted(files: Sequence[Any], *rest: Any) -> Any:
        parsed.extend(file.path for file in files)
        return made(files, *rest)

    monkeypatch.setattr(index, "_made", noted)
    return parsed


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the list that the paths of files come into when an index reads them."""
    read: list[str] = []
    real = gathering.read_file

    def noted(file: Any, *, roots: Any) -> Any:
        read.append(file.path)
        return real(file, roots=roots)

    monkeypatch.setattr(gathering, "read_file", noted)
    return read


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_who_begins_with_a_pack_reads_and_parses_nothing(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    expected = answers_alone(repository, tmp_path / "alone")
    assert publish(repository, tmp_path / "ci", f"{scheme}{target}") == 0
    with closing(open_index(settings_for(repository, tmp_path / "cold", f"{scheme}{target}"))) as index:
        parsed, read = parses(monkeypatch, index), reads(monkeypatch)
        files, problems = index.files(scan(repository, roots=index.roots))
        assert (len(files), problems, read) == (30, [], [])
        assert answers(index) == expected
        assert parsed == []


@pytest.mark.parametrize("budget", [None, *USUAL_BUDGETS])
def test_the_first_overview_of_who_begins_with_a_pack_counts_nothing(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, budget: int | None
) -> None:
    publish(repository, tmp_path / "ci", target)
    settings = settings_for(repository, tmp_path / "cold", target)
    counted: list[str | bytes] = []
    count = TokenCounter.count

    def noted(counter: TokenCounter, text: str | bytes) -> int:
        counted.append(text)
        return count(counter, text)

    monkeypatch.setattr(TokenCounter, "count", noted)
    monkeypatch.setattr(TokenCounter, "is_loaded", False)  # it is, in this process
    with closing(open_index(settings)) as index:
        engine = ContextEngine(index.roots, index=index)
        asked = budget or settings.default_budget
        for summary in (True, False):
            engine.get_context(str(repository), token_budget=asked, format="compact", summary=summary)
    assert counted == []


def test_a_pack_with_a_changed_byte_is_refused_and_everything_is_worked_out(
    repository: Path, target: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    publish(repository, tmp_path / "ci", target)
    (pack,) = packs_in(target).values()
    sound = pack.read_bytes()
    for place in {0, 7, 8, 20, 39, 40, len(sound) - 1, *range(50, len(sound), len(sound) // 40)}:
        pack.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        with pytest.raises(TreePackError):
            unpack(pack, secret_of(KEY), tmp_path / "facts")
    for cut in (0, 30, 5000, len(sound) - 1):
        pack.write_bytes(sound[:cut])
        with pytest.raises(TreePackError):
            unpack(pack, secret_of(KEY), tmp_path / "facts")
    assert not (tmp_path / "facts").exists()
    assert answers_alone(repository, tmp_path / "alone")
    with closing(open_index(settings_for(repository, tmp_path / "cold", target))) as index:
        assert answers(index) == answers_alone(repository, tmp_path / "alone")
    assert "No tree pack is used" in caplog.text
    pack.write_bytes(sound)
    unpack(pack, secret_of(KEY), tmp_path / "facts")
    with pytest.raises(TreePackError, match="another key"):
        unpack(pack, secret_of(KEY + "2"), tmp_path / "facts")


def test_a_value_that_is_damaged_on_this_machine_is_worked_out_again(
    repository: Path, target: Path, tmp_path: Path
) -> None:
    expected = answers_alone(repository, tmp_path / "alone")
    publish(repository, tmp_path / "ci", target)
    state = tmp_path / "cold"
    for pack in Adopted(settings_for(repository, state, target)):
        pack.close()
    (kept,) = (state / "trees").rglob("*.sqlite3")
    damaged = bytearray(kept.read_bytes())
    for place in range(4096 * 3, len(damaged), 701):
        damaged[place] ^= 0x55
    kept.write_bytes(damaged)
    with closing(open_index(settings_for(repository, state, target))) as index:
        assert answers(index) == expected


def test_another_key_finds_no_pack(repository: Path, target: Path, tmp_path: Path) -> None:
    publish(repository, tmp_path / "ci", target)
    assert len(Adopted(settings_for(repository, tmp_path / "one", target))) == 1
    assert not Adopted(settings_for(repository, tmp_path / "two", target, key=KEY + "2"))


def test_the_pack_of_the_next_commit_holds_the_difference(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(repository, tmp_path / "ci", target)
    commit(repository, "shop/part3.py", "def sell_3(part):\n    return part.price(33)\n")
    publish(repository, tmp_path / "ci", target)
    newest, older = newest_trees(str(repository))
    packs = packs_in(target)
    assert packs.keys() == {newest, older}
    assert packs[newest].stat().st_size < packs[older].stat().st_size / 3
    expected = answers_alone(repository, tmp_path / "alone")
    with closing(open_index(settings_for(repository, tmp_path / "cold", target))) as index:
        parsed, read = parses(monkeypatch, index), reads(monkeypatch)
        index.files(scan(repository, roots=index.roots))
        assert read == []
        assert answers(index) == expected
        assert parsed == []


def test_who_is_ahead_of_what_is_published_works_out_the_difference(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(repository, tmp_path / "ci", target)
    commit(repository, "shop/part3.py", "def sell_3(part):\n    return part.price(33)\n")
    (repository / "shop" / "part4.py").write_text("def sell_4(part):\n    return 4\n", encoding="utf-8")
    expected = answers_alone(repository, tmp_path / "alone")
    with closing(open_index(settings_for(repository, tmp_path / "cold", target))) as index:
        parsed = parses(monkeypatch, index)
        assert answers(index) == expected
        assert set(parsed) == {"shop/part3.py", "shop/part4.py"}


def test_a_pack_that_another_server_has_open_stays_where_the_system_removes_no_such_file(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(repository, tmp_path / "ci", target)
    expected = answers_alone(repository, tmp_path / "alone")

    def refuse(file: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(13, "It is used by another process", str(file))

    monkeypatch.setattr("server.publishing.MOST_KEPT", 0)
    monkeypatch.setattr(Path, "unlink", refuse)
    with closing(open_index(settings_for(repository, tmp_path / "cold", str(target)))) as index:
        parsed = parses(monkeypatch, index)
        assert answers(index) == expected
        assert parsed == []


def test_two_work_trees_cost_the_space_of_one_and_their_differences(
    repository: Path, target: Path, tmp_path: Path
) -> None:
    def space(state: Path) -> int:
        return sum(file.stat().st_size for file in state.rglob("*") if file.is_file())

    publish(repository, tmp_path / "ci", target)
    second = tmp_path / "second"
    git(repository, "worktree", "add", "-q", "-b", "topic", str(second))
    commit(second, "shop/part3.py", "def sell_3(part):\n    return part.price(33)\n")
    publish(second, tmp_path / "ci", target)
    packs = [file.stat().st_size for file in packs_in(target).values()]
    assert sum(packs) < 1.4 * max(packs)
    state = tmp_path / "cold"
    spaces: list[int] = []
    for root in (repository, second):
        with closing(open_index(settings_for(root, state, target))) as index:
            answers(index)
        spaces.append(space(state))
    assert len([*(state / "trees").rglob("*.sqlite3")]) == 2
    assert spaces[1] < spaces[0] * 1.4  # of thirty files: a page of a file is as large as the facts of some


def test_what_is_not_as_it_was_checked_out_is_not_taken_for_it(tmp_path: Path) -> None:
    names = ["same.py", "edited.py", "hinted.py", "skipped.py", "filtered.txt", "encoded.txt", "gone.py", "é ö.py"]
    attributes = "filtered.txt filter=any\nencoded.txt working-tree-encoding=UTF-8\n"
    root = make_repository(
        tmp_path / "project", {**dict.fromkeys(names, "a = 1\n"), ".gitattributes": attributes, "sub/in.py": "b = 2\n"}
    )
    git(root, "update-index", "--assume-unchanged", "hinted.py")
    git(root, "update-index", "--skip-worktree", "skipped.py")
    for name in ("edited.py", "hinted.py", "skipped.py"):
        (root / name).write_text("a = 2\n", encoding="utf-8")
    (root / "gone.py").unlink()
    work = unchanged(str(root))
    assert set(work.contents) == {"same.py", "é ö.py", ".gitattributes", "sub/in.py"}
    assert work.changed == 2  # edited and gone
    assert set(unchanged(str(root / "sub")).contents) == {"in.py"}
    assert unchanged(str(tmp_path)).contents == {}
    assert newest_trees(str(tmp_path)) == []


def test_an_edit_shows_at_once_whatever_the_pack_says(repository: Path, target: Path, tmp_path: Path) -> None:
    publish(repository, tmp_path / "ci", target)
    place = repository / "shop" / "part5.py"
    place.write_text(place.read_text(encoding="utf-8").replace("price(5)", "price(6)"), encoding="utf-8")
    with closing(open_index(settings_for(repository, tmp_path / "cold", target))) as index:
        assert "price(6)" in Zoomer(index).zoom("sell_5", ".", token_budget=500).text
        assert answers(index) == answers_alone(repository, tmp_path / "alone")


def test_what_cannot_be_published_is_told(
    repository: Path, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "ci"
    (repository / "shop" / "part1.py").write_text("edited = True\n", encoding="utf-8")
    assert publish(repository, state, target) == 2
    assert "1 tracked files of" in capfd.readouterr().err
    git(repository, "checkout", "-q", ".")
    assert publish(project(tmp_path / "no-repository"), state, target) == 2
    assert "no git repository" in capfd.readouterr().err
    assert publish(repository, state, "nothing://known") == 2
    assert "no object store" in capfd.readouterr().err
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert publish(repository, state, tmp_path / "file" / "below") == 1
    assert "could not be published" in capfd.readouterr().err
    monkeypatch.delenv("FRACTAL_CONTEXT_STORE_KEY")
    assert publish(repository, state, target) == 2
    assert "FRACTAL_CONTEXT_STORE_KEY" in capfd.readouterr().err
    with pytest.raises(InvalidArgumentError, match="signed"):
        Shelves(read_settings(roots=[str(repository)], environ={}, published=str(target)))
    assert packs_in(target) == {}


def test_the_command_says_what_it_did(
    repository: Path, target: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "ci"
    assert run(["index", str(repository), "--parsers", "0", "--cache", str(state)]) == 0
    assert capfd.readouterr().out == f"{repository}: 30 files are known.\n"
    assert publish(repository, state, target, "--json") == 0
    told = json.loads(capfd.readouterr().out)
    (pack,) = packs_in(target).values()
    assert (told["files"], told["bytes"], told["base"]) == (30, pack.stat().st_size, "")
    unpack(pack, secret_of(KEY), tmp_path / "facts")
    with closing(TreePack(tmp_path / "facts", secret_of(KEY))) as opened:
        assert opened.head.tree == told["tree"] == newest_trees(str(repository))[0]
        assert len(opened.contents()) == 30
    assert publish(repository, state, target) == 0
    assert "was published before" in capfd.readouterr().out
