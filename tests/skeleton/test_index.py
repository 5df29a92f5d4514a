from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from skeleton import skeletons
from skeleton.index import facts, sketched
from skeleton.index.cache import Cache, CacheStatistics
from skeleton.index.code_index import MOST_SECRETS, CodeIndex
from skeleton.index.indexed import IndexedFile
from skeleton.index.records import Aspect, Definitions, Facts
from skeleton.index.survey import Survey
from skeleton.index.terms import Terms
from skeleton.index.weights import weights_of
from skeleton.index.worker_process import Death
from skeleton.index.workers import WORTH_STARTING_BYTES, Workers
from skeleton.recognition import language_of
from tests.trees import write_tree
from workspace.errors import FileChangedError
from workspace.files.scan import scan
from workspace.model import ProblemKind
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from types import FrameType

    from skeleton.index.worker import Task

LONG_AGO = time.time() - 1000
PYTHON = '"""A module."""\n\nLIMIT = 3\n\n\ndef outer(x: int) -> int:\n    """Says it."""\n\n    def inner() -> int:\n        return x\n\n    return inner()\n'
FILES = {"a.py": PYTHON, "b/c.md": "# Title\n\nText.\n", "notes": "plain\n" * 200, "d.py": "def broken(:\n    pass\n"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree", FILES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def statistics(index: CodeIndex) -> CacheStatistics:
    assert isinstance(index.cache, Cache)
    return index.cache.statistics()


@contextlib.contextmanager
def index_over(tree: Path, folder: Path | None = None, workers: int = 0) -> Generator[CodeIndex]:
    known = Cache(folder)
    index = CodeIndex(Roots([tree]), cache=known, stamps=known, workers=Workers(workers))
    try:
        yield index
    finally:
        index.close()


def files_of(index: CodeIndex, tree: Path) -> dict[str, IndexedFile]:
    files, _ = index.files(scan(tree, roots=index.roots))
    return {file.path: file for file in files}


def settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets an hour pass, so that stamps of now can be trusted."""
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 3_600_000_000_000)


def test_facts_and_skeletons_are_those_of_the_file(tree: Path, folder: Path) -> None:
    for _ in range(2):  # worked out, then looked up
        with index_over(tree, folder) as index:
            for path, file in files_of(index, tree).items():
                source = FILES[path].encode()
                direct = skeletons(source, language_of(path, source))
                assert file.source == source
                assert file.skeletons.full == direct.full
                assert file.skeletons.plus == direct.plus
                assert file.skeletons.skeleton == direct.skeleton
                assert file.definitions == direct.full.definitions
                assert file.facts.lines[0] == len(FILES[path].splitlines())
                assert file.weights == weights_of(source, direct, token_counter())
                assert file.facts.tokens == file.weights.tokens


def test_symbols_hold_what_is_local_too(tree: Path) -> None:
    with index_over(tree) as index:
        file = files_of(index, tree)["a.py"]
        assert [one.path for one in file.symbols] == ["LIMIT", "outer", "outer.inner"]
        assert [one.path for one in file.definitions] == ["LIMIT", "outer"]
        assert files_of(index, tree)["notes"].symbols == ()


def test_an_unchanged_file_is_neither_read_nor_parsed_again(
    tree: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    with index_over(tree, folder) as index:
        before = [file.facts for file in files_of(index, tree).values()]
        missed = statistics(index).misses
    said: list[str] = []
    with index_over(tree, folder) as index:
        files, _ = index.files(scan(tree, roots=index.roots), progress=lambda _, __, stage: said.append(stage))
        assert said == []
        assert [file.facts for file in files] == before
        assert statistics(index).misses == missed == len(FILES)


def test_a_moved_file_is_not_parsed_again(tree: Path, folder: Path) -> None:
    with index_over(tree, folder) as index:
        assert files_of(index, tree)["a.py"].definitions
        (tree / "deeper").mkdir()
        (tree / "a.py").rename(tree / "deeper" / "a.py")
        before = statistics(index).misses
        assert files_of(index, tree)["deeper/a.py"].definitions
        assert statistics(index).misses == before


def test_an_edit_of_the_same_size_within_the_same_moment_is_seen(tree: Path, folder: Path) -> None:
    with index_over(tree, folder) as index:
        for digit in "3456":
            (tree / "a.py").write_text(PYTHON.replace("3", digit))
            assert f"LIMIT = {digit}" in files_of(index, tree)["a.py"].source.decode()


def test_an_edit_that_sets_the_time_back_is_seen(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    os.utime(tree / "a.py", (LONG_AGO, LONG_AGO))
    with index_over(tree) as index:
        assert "LIMIT = 3" in files_of(index, tree)["a.py"].source.decode()
        (tree / "a.py").write_text(PYTHON.replace("3", "4"))
        os.utime(tree / "a.py", (LONG_AGO, LONG_AGO))
        assert "LIMIT = 4" in files_of(index, tree)["a.py"].source.decode()


def test_a_stamp_from_the_future_is_not_trusted(tree: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now - 3_600_000_000_000)  # the clock was set back
    said: list[str] = []
    with index_over(tree, folder) as index:
        for _ in range(2):
            said.clear()
            index.files(scan(tree, roots=index.roots), progress=lambda _, __, stage: said.append(stage))
            assert said


def test_a_file_that_changes_before_it_is_shown_is_said_to_have_changed(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    with index_over(tree) as index:
        files_of(index, tree)
        edited, removed = files_of(index, tree)["a.py"], files_of(index, tree)["notes"]
        (tree / "a.py").write_text("def other(): ...\n")
        (tree / "notes").unlink()
        for file in (edited, removed):
            with pytest.raises(FileChangedError, match=file.path):
                _ = file.source


def test_what_the_cache_loses_is_worked_out_again(tree: Path, folder: Path) -> None:
    with index_over(tree, folder) as index:
        file = files_of(index, tree)["a.py"]
        before = file.skeletons
        assert isinstance(index.cache, Cache)
        index.cache.clear()
        assert file.skeletons == before
        index.cache.write([(int(Aspect.OUTLINE), file.key, b"\xc1 no MessagePack")])
        assert file.definitions == before.full.definitions


def test_a_cache_that_fails_leaves_the_answers_as_they_are(tree: Path, folder: Path) -> None:
    folder.write_text("a file in the place of the folder")
    with index_over(tree) as sound, index_over(tree, folder) as failing:
        expected, found = files_of(sound, tree), files_of(failing, tree)
        assert [file.facts for file in found.values()] == [file.facts for file in expected.values()]
        assert [file.skeletons for file in found.values()] == [file.skeletons for file in expected.values()]
        assert failing.cache.problem


def test_what_cannot_be_shown_is_a_problem(tree: Path) -> None:
    write_tree(tree, {".env": "TOKEN=1\n"})
    (tree / "image.bin").write_bytes(b"\x00\x01\x02" * 100)
    with index_over(tree) as index:
        files, problems = index.files(scan(tree, roots=index.roots))
    assert {problem.path: problem.kind for problem in problems} == {
        ".env": ProblemKind.SENSITIVE,
        "image.bin": ProblemKind.BINARY,
    }
    assert [file.path for file in files] == sorted(FILES, key=str.encode)


def test_what_is_no_text_is_read_once_for_all_processes_until_it_changes(
    tree: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(monkeypatch)
    image = tree / "image.bin"
    image.write_bytes(b"\x00\x01\x02" * 100)
    with index_over(tree, folder) as index:
        _, first = index.files(scan(tree, roots=index.roots))
    with monkeypatch.context() as patched, index_over(tree, folder) as index:
        patched.setattr("skeleton.index.gathering.read_file", None)
        files, again = index.files(scan(tree, roots=index.roots))
        assert all(map(index.is_settled, scan(tree, roots=index.roots).files))
    assert again == first
    assert [problem.detail for problem in again] == ["300 bytes"]
    assert [file.path for file in files] == sorted(FILES, key=str.encode)
    image.write_text("plain\n", encoding="utf-8")
    with index_over(tree, folder) as index:
        files, problems = index.files(scan(tree, roots=index.roots))
    assert not problems
    assert "image.bin" in {file.path for file in files}


def test_what_is_no_text_below_a_root_is_remembered_as_well(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    (tree / "b" / "image.bin").write_bytes(b"\x00\x01\x02" * 100)
    with index_over(tree) as index:
        found = scan(tree / "b", roots=index.roots)
        _, problems = index.files(found)
        assert [problem.path for problem in problems] == ["b/image.bin"]
        assert all(map(index.is_settled, found.files))


def test_a_file_in_a_folder_of_credentials_is_a_problem_when_that_folder_is_the_root_too(tmp_path: Path) -> None:
    keys = write_tree(tmp_path / ".ssh", {"work": "-----BEGIN\n"})
    with index_over(keys) as index:
        files, problems = index.files(scan(keys, roots=index.roots))
    assert not files
    assert {problem.path: problem.kind for problem in problems} == {"work": ProblemKind.SENSITIVE}


@pytest.mark.no_cover
def test_workers_make_no_difference(tmp_path: Path) -> None:
    many = {f"m{number}.py": f"# {number}\n" + PYTHON * 60 for number in range(WORTH_STARTING_BYTES // 4000)}
    tree = write_tree(tmp_path / "tree", many)
    with index_over(tree) as alone, index_over(tree, workers=2) as helped:
        mine, theirs = files_of(alone, tree), files_of(helped, tree)
        assert [file.facts for file in mine.values()] == [file.facts for file in theirs.values()]
        assert all(mine[path].skeletons == theirs[path].skeletons for path in many)


def test_files_that_are_gone_are_forgotten(tree: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(monkeypatch)
    with index_over(tree, folder) as index:
        files_of(index, tree)
        assert statistics(index).files == len(FILES)
    (tree / "notes").unlink()
    with index_over(tree, folder) as index:
        files_of(index, tree)
        assert statistics(index).files == len(FILES) - 1


def test_files_are_counted_while_they_are_parsed(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"m{number}.py").write_text(f"def f{number}(): ...\n", encoding="utf-8")
    index = CodeIndex(Roots([tmp_path]), workers=Workers(0))
    files, _ = index.files(scan(tmp_path, roots=index.roots))
    told: list[tuple[int, int, str]] = []

    def note(done: int, total: int, what: str) -> None:
        told.append((done, total, what))

    index.load(files[:1], Aspect.SYMBOLS, Definitions)
    index.load(files, Aspect.SYMBOLS, Definitions, progress=note)
    assert told == [(done, 5, "parsing 4 files") for done in (1, 2, 3, 4)]


@pytest.mark.parametrize("is_damaged", [False, True])
def test_words_are_the_same_whether_the_definitions_were_known_or_not(tree: Path, is_damaged: bool) -> None:
    with index_over(tree) as index:
        files = [*files_of(index, tree).values()]
        asked = index.load(files, Aspect.TERMS, Terms)
    with index_over(tree) as index:
        files = [*files_of(index, tree).values()]
        index.load(files, Aspect.SURVEY, Survey)
        assert index.cache.held(Aspect.SKETCH, [file.key for file in files]) == {file.key for file in files}
        if is_damaged:
            index.cache.write((int(Aspect.SKETCH), file.key, b"\xc1") for file in files)
        assert index.load(files, Aspect.TERMS, Terms) == asked


def test_definitions_that_are_known_are_not_looked_for_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with index_over(tree) as index:
        files = [*files_of(index, tree).values()]
        index.load(files, Aspect.SKETCH, Definitions)
        monkeypatch.setattr(facts, "definitions_of", None)
        monkeypatch.setattr(sketched, "sketch_of", None)
        index.load(files, Aspect.TERMS, Terms)
        index.load(files, Aspect.SURVEY, Survey)


class Dying:
    """Workers that die of everything."""

    memory = 1 << 30

    def perform(self, tasks: Sequence[Task], encoding: str, *, died: Callable[[int, Death], None], **_: object) -> None:
        assert encoding
        for number in range(len(tasks)):
            died(number, Death.CRASH)

    def prepare(self, size: int, encoding: str) -> None:
        """There is nothing to prepare."""

    def foresee(self, encoding: str, languages: Sequence[str]) -> None:
        """There is nothing to foresee."""

    def begin(self, size: int, encoding: str, found: object, languages: Sequence[str] = ()) -> None:
        """There is nobody who could begin."""

    def close(self) -> None:
        """There is nothing to end."""


@pytest.mark.parametrize(("name", "kept"), [("a.py", True), ("a.hs", False)])
def test_a_grammar_that_crashes_takes_no_sketch_away_that_needed_none(tmp_path: Path, name: str, kept: bool) -> None:
    (tmp_path / name).write_text("class A\n", encoding="utf-8")
    with contextlib.closing(CodeIndex(Roots([tmp_path]), workers=Dying())) as index:
        files, _ = index.files(scan(tmp_path, roots=index.roots))
        index.load(files, Aspect.FACTS, Facts)
        assert (not index.cache.held(Aspect.SKETCH, [files[0].key])) is kept
        assert index.load(files, Aspect.SKETCH, Definitions)[0].definitions == ()


def test_secrets_are_known_or_not_whatever_another_thread_notes_meanwhile(tree: Path) -> None:
    key, others = b"asked for", [b"%d" % number for number in range(MOST_SECRETS)]
    answers: set[int | None] = set()
    moment = -1

    def stepwise(frame: FrameType, event: str, _: object) -> Any:
        """Has more contents noted than are remembered, between two steps of the question."""
        nonlocal moment
        frame.f_trace_opcodes = True
        if event == "opcode":
            moment -= 1
            if moment == 0:
                for other in others:
                    index.note_secrets(other, 0)
        return stepwise

    def traced(frame: FrameType, *_: object) -> Any:
        if frame.f_code is not CodeIndex.secrets.__code__:
            return None
        frame.f_trace_opcodes = True
        return stepwise

    with index_over(tree) as index:
        before = sys.gettrace()
        for start in range(1, 200):
            index.note_secrets(key, 7)
            moment = start
            sys.settrace(traced)
            try:
                answers.add(index.secrets(key))
            finally:
                sys.settrace(before)
            if moment > 0:  # the question had fewer steps
                break
    assert moment > 0
    assert answers == {7, None}
