from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from skeleton.index import ahead, gathering
from skeleton.index.ahead import Ahead, Keyed
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.records import Aspect
from skeleton.index.survey import Survey
from skeleton.index.worker import Batch, Found, Task, perform
from skeleton.index.workers import WORTH_STARTING_BYTES, Workers
from tests.trees import write_tree
from workspace.files.scan import scan
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

SURVEY = (int(Aspect.SURVEY),)
PATIENCE_SECONDS = 60
SOURCE = "".join(f"def f{number}(x):\n    return g{number}(x)\n\n" for number in range(3000))
FILES = {f"p/m{number}.py": f"{SOURCE}LAST = {number}\n" for number in range(6)} | {"README.md": "# Six modules\n"}


def keyed(number: int) -> Keyed:
    return Keyed(b"%d" % number, Task(f"m{number}.py", b"def f%d(): pass\n" % number, None, SURVEY))


class HandHere:
    """Works in this process, when it is let."""

    def __init__(self) -> None:
        self.is_ready = threading.Event()
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()
        self.dies = False
        self.is_ended = False
        self.languages = set[str]()

    def wait_until_ready(self) -> None:
        self.is_ready.wait()

    def ask(self, batch: Batch) -> Found:
        self.is_asked.set()
        self.may_answer.wait()
        return perform(batch)[: len(batch.tasks) - self.dies]

    def end(self) -> None:
        self.is_ended = True


class Begun:
    """Work of one hand, what it found, and whether the hand was given back."""

    def __init__(self) -> None:
        self.hand = HandHere()
        self.found: dict[bytes, dict[int, bytes]] = {}
        self.is_back = threading.Event()
        self.work: Ahead[HandHere] = Ahead(
            [self.hand],
            DEFAULT_ENCODING,
            1 << 30,
            found=self.found.update,
            give_back=lambda _: self.is_back.set(),
        )


@pytest.fixture
def begun() -> Generator[Begun]:
    one = Begun()
    yield one
    one.work.end()
    one.hand.is_ready.set()
    one.hand.may_answer.set()


def look(waited: Callable[[], object]) -> None:
    """Waits for something to become true."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not waited():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_all_that_was_added_is_worked_out_and_the_worker_given_back(begun: Begun) -> None:
    begun.hand.is_ready.set()
    begun.hand.may_answer.set()
    for number in range(5):
        begun.work.add([keyed(number), keyed(number + 10)])
    begun.work.add([])
    begun.work.close()
    assert begun.is_back.wait(PATIENCE_SECONDS)
    expected = {
        one.key: perform(Batch(DEFAULT_ENCODING, (one.task,)))[0] for one in map(keyed, [*range(5), *range(10, 15)])
    }
    assert begun.found == expected


def test_a_worker_that_is_not_ready_is_given_back_at_once(begun: Begun) -> None:
    begun.work.add([keyed(1)])
    begun.work.end(lambda: pytest.fail("there is nothing to wait for"))
    assert begun.is_back.is_set()
    begun.hand.is_ready.set()
    assert not begun.hand.is_asked.wait(0.05)
    assert not begun.found


def test_what_is_at_work_is_waited_for_and_what_waits_is_not_begun(begun: Begun) -> None:
    begun.hand.is_ready.set()
    for number in range(4):
        begun.work.add([keyed(number)])
    assert begun.hand.is_asked.wait(PATIENCE_SECONDS)
    begun.work.end(begun.hand.may_answer.set)
    assert [*begun.found] == [b"0"]
    assert begun.is_back.is_set()


def test_a_call_that_is_given_up_does_not_wait(begun: Begun) -> None:
    begun.hand.is_ready.set()
    begun.work.add([keyed(1)])
    assert begun.hand.is_asked.wait(PATIENCE_SECONDS)

    def give_up() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun.work.end(give_up)
    begun.hand.may_answer.set()
    assert begun.is_back.wait(PATIENCE_SECONDS)


def test_a_worker_that_dies_is_given_back_with_what_it_found(begun: Begun) -> None:
    begun.hand.dies = True
    begun.hand.is_ready.set()
    begun.hand.may_answer.set()
    begun.work.add([keyed(1), keyed(2)])
    assert begun.is_back.wait(PATIENCE_SECONDS)
    assert begun.hand.is_ended
    assert [*begun.found] == [b"1"]


def test_much_that_waits_is_left_to_the_call(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "MOST_WAITING_BYTES", 20)
    for number in range(5):
        begun.work.add([keyed(number)])
    begun.hand.is_ready.set()
    begun.hand.may_answer.set()
    begun.work.close()
    assert begun.is_back.wait(PATIENCE_SECONDS)
    assert [*begun.found] == [b"0", b"1"]


def test_more_workers_finish_what_was_begun(begun: Begun) -> None:
    begun.hand.is_ready.set()
    more = HandHere()
    more.is_ready.set()
    more.may_answer.set()
    back: list[HandHere] = []
    work = Ahead(
        [begun.hand],
        DEFAULT_ENCODING,
        1 << 30,
        found=begun.found.update,
        give_back=back.append,
        more=lambda: [more],
    )
    work.add([keyed(0)])

    def go_on() -> None:
        if more.is_asked.is_set():
            begun.hand.may_answer.set()

    work.finish([keyed(number) for number in range(9)], go_on)
    assert sorted(begun.found) == [b"%d" % number for number in range(9)]
    look(lambda: len(back) == 2)


def test_where_there_are_no_more_workers_the_call_is_left_to_do_it(begun: Begun) -> None:
    begun.hand.is_ready.set()
    begun.work.add([keyed(0)])
    assert begun.hand.is_asked.wait(PATIENCE_SECONDS)
    begun.work.finish([keyed(number) for number in range(9)], begun.hand.may_answer.set)
    assert [*begun.found] == [b"0"]


def test_workers_that_all_die_leave_the_rest_to_the_call(begun: Begun) -> None:
    more = HandHere()
    for hand in (begun.hand, more):
        hand.dies = True
        hand.is_ready.set()
        hand.may_answer.set()
    work = Ahead(
        [begun.hand], DEFAULT_ENCODING, 1 << 30, found=begun.found.update, give_back=lambda _: None, more=lambda: [more]
    )
    work.finish([keyed(number) for number in range(9)], lambda: None)
    assert not begun.found
    assert begun.hand.is_ended
    assert more.is_ended


def test_a_language_that_nobody_has_loaded_is_begun_with(begun: Begun) -> None:
    begun.hand.languages.add("python")
    aspects = (int(Aspect.FACTS),)
    paths = ["a.py", "b.rb", "c.zig", "d.py"]
    for number, path in enumerate(paths):
        begun.work.add([Keyed(b"%d" % number, Task(path, b"\n", None, aspects))])
    begun.hand.is_ready.set()
    begun.hand.may_answer.set()
    begun.work.close()
    assert begun.is_back.wait(PATIENCE_SECONDS)
    assert [*begun.found] == [b"1", b"2", b"0", b"3"]
    assert begun.hand.languages == {"python", "ruby", "zig"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree", FILES)


@contextlib.contextmanager
def index_over(tree: Path, workers: Workers) -> Generator[CodeIndex]:
    known = Cache(None)
    with contextlib.closing(CodeIndex(Roots([tree]), cache=known, stamps=known, workers=workers)) as index:
        yield index


def surveyed(index: CodeIndex, tree: Path, *, first: Sequence[Aspect] = (), **options: Any) -> list[Survey]:
    found = scan(tree, roots=index.roots)
    files, _ = index.files(
        found, wanted=frozenset({Aspect.FACTS}), likely=lambda: found.files, first=frozenset(first), **options
    )
    return index.load(files, Aspect.SURVEY, Survey)


def test_an_index_finds_the_same_whether_workers_begin_ahead_or_not(tree: Path) -> None:
    with index_over(tree, Workers(0)) as alone, index_over(tree, Workers(1)) as index:
        assert surveyed(index, tree, first=[Aspect.SURVEY]) == surveyed(alone, tree)


def test_workers_begin_while_files_are_read(tree: Path) -> None:
    workers = Workers(1)
    with index_over(tree, workers) as index:
        found = scan(tree, roots=index.roots)
        files, _ = index.files(
            found, wanted=frozenset({Aspect.FACTS}), likely=lambda: found.files[1:], first=frozenset({Aspect.SURVEY})
        )
        look(lambda: len(index.cache.held(Aspect.SURVEY, [file.key for file in files])) == len(files) - 1)
        index.load(files, Aspect.SURVEY, Survey)
        look(workers.processes)


def test_what_a_worker_was_killed_at_is_found_all_the_same(tree: Path) -> None:
    workers = Workers(1)
    workers.prepare(WORTH_STARTING_BYTES, DEFAULT_ENCODING)
    (process,) = workers.processes()

    def kill(done: int, _: int, __: str) -> None:
        if done == len(FILES) - 1:
            os.kill(process, signal.SIGKILL)

    with index_over(tree, Workers(0)) as alone, index_over(tree, workers) as index:
        assert surveyed(index, tree, first=[Aspect.SURVEY], progress=kill) == surveyed(alone, tree)


def test_a_call_that_ends_while_files_are_read_holds_no_worker(tree: Path) -> None:
    workers = Workers(1)

    def give_up(done: int, _: int, __: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with index_over(tree, workers) as index:
        with pytest.raises(KeyboardInterrupt):
            surveyed(index, tree, first=[Aspect.SURVEY], progress=give_up)
        look(workers.processes)
        assert workers.started == 1
        assert len(surveyed(index, tree, first=[Aspect.SURVEY])) == len(FILES)


def test_what_is_known_elsewhere_in_the_tree_is_not_begun_again(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "TOGETHER_FILES", 1)
    with index_over(tree, Workers(1)) as index:
        surveyed(index, tree, first=[Aspect.SURVEY])
        write_tree(tree / "copy", FILES)
        added: list[Keyed] = []

        def add(_: Ahead[Any], tasks: Sequence[Keyed]) -> None:
            added.extend(tasks)

        monkeypatch.setattr(Ahead, "add", add)
        again = scan(tree, roots=index.roots)
        index.files(
            again, wanted=frozenset({Aspect.FACTS}), likely=lambda: again.files, first=frozenset({Aspect.SURVEY})
        )
        assert len(again.files) == 2 * len(FILES)
        assert not added
