"""Replicas that begin find what is known of a folder as a whole: its words in one value, and its history."""

from __future__ import annotations

import threading
from importlib import import_module
from typing import TYPE_CHECKING

import msgspec
import pytest

from allocator.ranking import entries
from allocator.ranking.corpus import Corpus
from allocator.ranking.entries import packed, unpacked
from server import loading
from server.draining import readiness
from server.settings import read_settings
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.layered import LayeredFacts
from skeleton.index.records import Aspect
from skeleton.index.workers import Workers
from tests.allocator.ranking.code import CodeFile
from tests.fleet.replicas import PATIENT_SECONDS, Replica
from tests.trees import git, make_repository
from workspace.files.scan import scan
from workspace.git import log as git_log
from workspace.git.log import newest
from workspace.roots import Roots
from workspace.shared.address import read_address
from workspace.shared.store import SharedStore

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence
    from pathlib import Path

    from allocator.ranking.corpus import Reading
    from allocator.ranking.entries import Entry
    from tests.fleet.servers import StoreServer
    from workspace.git.log import Log
    from workspace.git.running import Git

QUERY = "what is the price of part 7"
FILES = [
    CodeFile(f"part{number}.py", f"class Part{number}:\n    def price(self):\n        return größe_{number}\n")
    for number in range(20)
]


@pytest.fixture
def store(server: StoreServer) -> Generator[SharedStore]:
    opened = SharedStore(read_address(server.url))
    yield opened
    opened.close()


def known(corpus: Corpus) -> tuple[list[Entry], list[str]]:
    """Returns the entries of all files that a corpus knows, and its words."""
    held = corpus._known  # pyright: ignore[reportPrivateUsage] - what is shared
    return [*held.values()], corpus._vocabulary.words  # pyright: ignore[reportPrivateUsage]


def read_all(places: Sequence[int]) -> list[Reading]:
    return [FILES[place].reading for place in places]


def test_a_replica_that_begins_reads_the_words_of_no_file(
    root: Path, tmp_path: Path, server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Replica(root, tmp_path / "alone") as alone, Replica(root, tmp_path / "first", server.url) as first:
        expected = alone.context(query=QUERY)
        assert first.context(query=QUERY) == expected
        first.written()
        read: list[object] = []
        entry = Corpus.entry

        def noted(corpus: Corpus, reading: Reading) -> Entry:
            read.append(reading)
            return entry(corpus, reading)

        monkeypatch.setattr(Corpus, "entry", noted)
        with Replica(root, tmp_path / "second", server.url) as second:
            assert second.context(query=QUERY) == expected
            assert read == []
            place = root / "shop" / "part7.py"
            place.write_text(place.read_text(encoding="utf-8") + "\n\ndef price_now(): ...\n", encoding="utf-8")
            assert second.context(query=QUERY) == alone.context(query=QUERY)
            assert len(read) == 2  # of the one file, by each of the two


def test_a_part_of_a_folder_is_neither_asked_for_nor_kept(
    root: Path, tmp_path: Path, server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    key_of = entries.key_of

    def noted(files: Iterable[tuple[str, object]]) -> bytes:
        asked.append(files)
        return key_of(files)

    monkeypatch.setattr("allocator.ranking.corpus.key_of", noted)
    with Replica(root, tmp_path / "one", server.url) as one:
        one.context(query=QUERY, include=["*.py"])
        assert asked == []


def test_what_is_taken_out_is_what_was_put_in() -> None:
    corpus, another = Corpus(), Corpus()
    corpus.arrays(FILES, read_all)
    another.arrays(FILES[9:12], lambda places: [FILES[9:12][place].reading for place in places])  # numbers of its own
    put_in, words = known(corpus)
    numbered = another._vocabulary.numbered  # pyright: ignore[reportPrivateUsage]
    taken_out = unpacked(packed(put_in, words), len(FILES), numbered)
    assert taken_out is not None
    others = known(another)[1]
    for before, after in zip(put_in, taken_out, strict=True):
        assert after.units == before.units
        assert [others[one] for one in after.word.tolist()] == [words[one] for one in before.word.tolist()]
        assert [one >= 0 and others[one] for one in after.names.tolist()] == [
            one >= 0 and words[one] for one in before.names.tolist()
        ]
        for one, other in zip(
            (after.unit, after.counts, after.kinds, after.sizes, after.heads, after.parents),
            (before.unit, before.counts, before.kinds, before.sizes, before.heads, before.parents),
            strict=True,
        ):
            assert one.tolist() == other.tolist()


@pytest.mark.parametrize("damage", ["cut", "longer", "lower", "higher", "no array", "other files", "other type"])
def test_a_value_that_does_not_hold_together_is_none(damage: str) -> None:
    corpus = Corpus()
    corpus.arrays(FILES, read_all)
    entries, words = known(corpus)
    sound = msgspec.msgpack.decode(packed(entries, words))

    def is_refused(parts: object, files: int = len(FILES)) -> bool:
        return unpacked(msgspec.msgpack.encode(parts), files, Corpus()._vocabulary.numbered) is None  # pyright: ignore[reportPrivateUsage]

    assert not is_refused(sound)
    match damage:
        case "other files":
            assert is_refused(sound, len(FILES) + 1)
            assert is_refused(sound, 0)
        case "other type":
            assert is_refused({"words": []})
            assert is_refused(b"entries")
        case _:
            numbers = (1, 2, 3, 9)  # what is held, units, words, parents
            for at in numbers if damage in {"lower", "higher"} else range(1, 10):
                part: bytes = sound[at]
                changed = {
                    "cut": part[:-4],
                    "longer": part + part[:4],
                    "lower": b"\xf0\xff\xff\xff" + part[4:],
                    "higher": b"\xff\xff\xff\x7f" + part[4:],
                    "no array": part[:-1],
                }[damage]
                assert is_refused([*sound[:at], changed, *sound[at + 1 :]]), at


def test_git_tells_a_history_once(tmp_path: Path, store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_repository(tmp_path / "first", {"a.py": "a = 1\n", "lib/b.py": "b = 1\n"})
    git(tmp_path, "clone", "-q", str(first), "second")
    git(tmp_path, "clone", "-q", "--depth=1", first.as_uri(), "shallow")
    expected = newest(str(first))
    assert expected.commits
    keeping = LayeredFacts(Cache(None), store)
    assert newest(str(first), keeping=keeping) == expected
    assert store.flush(PATIENT_SECONDS)
    told: list[str] = []
    tell = git_log._told  # pyright: ignore[reportPrivateUsage] - what has git tell

    def noted(git: Git, head: str, path: str, relative: str, most: int) -> Log:
        told.append(git.folder)
        return tell(git, head, path, relative, most)

    monkeypatch.setattr(git_log, "_told", noted)
    keeping = LayeredFacts(Cache(None), store)  # of another replica
    assert newest(str(tmp_path / "second"), keeping=keeping) == expected
    assert told == []
    inside = newest(str(first / "lib"), keeping=keeping)  # paths are told from there on
    assert [one.paths for one in inside.commits] == [("b.py",)]
    newest(str(tmp_path / "shallow"), keeping=keeping)
    assert told == [str(first / "lib"), str(tmp_path / "shallow")]
    git(first, "commit", "-q", "--allow-empty", "-m", "more")
    assert newest(str(first), expected, keeping=keeping).head != expected.head


def test_no_worker_starts_for_what_others_know(root: Path, tmp_path: Path, server: StoreServer) -> None:
    with Replica(root, tmp_path / "first", server.url) as first:
        first.context()
        first.written()
        store = first.store
        assert store is not None
        workers = Workers(1, isolated=True)
        facts = LayeredFacts(Cache(tmp_path / "second"), store)
        index = CodeIndex(Roots([root]), cache=facts, stamps=Cache(None), workers=workers)
        index.files(scan(root, roots=index.roots), wanted=frozenset({Aspect.FACTS}))
        assert workers.started == 0


def test_a_server_is_ready_when_it_has_loaded_what_calls_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_load, loaded = threading.Event(), list[str]()

    def load(name: str) -> None:
        assert may_load.wait(PATIENT_SECONDS)
        loaded.append(import_module(name).__name__)

    monkeypatch.setattr(loading, "import_module", load)
    loading.load_soon(read_settings(roots=[str(tmp_path)], environ={}))
    assert (readiness().status_code, readiness().body) == (503, b'{"status":"loading"}')
    may_load.set()
    while loading.is_loading():
        pass  # it ends by itself
    assert readiness().status_code == 200
    assert loaded == [*loading.MODULES]


def test_what_cannot_be_loaded_before_is_no_reason_to_stay_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loading, "MODULES", ("nothing.of.this.name",))
    loading.load_soon(read_settings(roots=[str(tmp_path)], environ={}))
    while loading.is_loading():
        pass  # as above
    assert readiness().status_code == 200
    assert "ModuleNotFoundError" in caplog.text
