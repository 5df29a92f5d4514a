"""The shared store on a real server: who finds what, what is believed, and what it costs to ask."""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING

import pytest

from skeleton.index.cache import Cache
from skeleton.index.layered import LayeredFacts
from skeleton.index.records import Aspect
from tests.fleet.replicas import PATIENT_SECONDS, Replica, conversation
from workspace.errors import PathNotFoundError
from workspace.shared.address import read_address
from workspace.shared.store import FACT_SECONDS, SharedStore

if TYPE_CHECKING:
    from collections.abc import Generator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.fleet.servers import StoreServer

KEYS = [hashlib.blake2b(b"%d" % number, digest_size=16).digest() for number in range(3000)]


@pytest.fixture
def store(server: StoreServer) -> Generator[SharedStore]:
    opened = SharedStore(read_address(server.url))
    yield opened
    opened.close()


def other(server: StoreServer, key: bytes = b"") -> AbstractContextManager[SharedStore]:
    from contextlib import closing

    return closing(SharedStore(read_address(server.url), key))


def test_what_one_process_offers_another_finds_in_few_round_trips(store: SharedStore, server: StoreServer) -> None:
    values = {key: key * 40 for key in KEYS}
    store.offer((3, key, value) for key, value in values.items())
    assert store.flush(PATIENT_SECONDS)
    assert store.statistics().round_trips < 20
    with other(server) as reader:
        assert reader.fetch([(3, key) for key in KEYS]) == {(3, key): value for key, value in values.items()}
        assert reader.fetch([(4, key) for key in KEYS[:5]]) == {}
        assert reader.statistics().round_trips < 30


def test_over_a_port_as_over_a_socket(store: SharedStore, server: StoreServer) -> None:
    store.put("snapshot", "abcdef12", b"content", seconds=60)
    reader = SharedStore(read_address(server.tcp_url))
    assert reader.get("snapshot", "abcdef12") == b"content"
    assert reader.get("archive", "abcdef12") is None
    reader.close()


def test_names_tell_nothing_and_every_value_ends(store: SharedStore, server: StoreServer) -> None:
    store.offer([(3, b"a key that is known", b"value")])
    store.put("snapshot", "abcdef12", b"content", seconds=60)
    assert store.flush(PATIENT_SECONDS)
    names = server.names()
    assert len(names) == 2
    for name in names:
        assert name.startswith(b"fractal1:open:")
        assert b"known" not in name
        assert b"abcdef12" not in name
        left = int(server.ask("TTL", name).strip(b":\r\n"))
        assert 0 < left <= (60 if b":snapshot:" in name else FACT_SECONDS)


def test_nobody_finds_or_forges_what_has_another_key(server: StoreServer) -> None:
    with other(server, b"a key of one tenant") as one, other(server, b"a key of another") as another:
        one.put("archive", "abcdef12", b"private", seconds=60)
        assert one.get("archive", "abcdef12") == b"private"
        with other(server) as keyless:
            assert another.get("archive", "abcdef12") is None
            assert keyless.get("archive", "abcdef12") is None
        (name,) = server.names()
        another.put("archive", "abcdef12", b"forged!", seconds=60)
        (forged,) = set(server.names()) - {name}
        server.ask("COPY", forged, name, "REPLACE")
        assert one.get("archive", "abcdef12") is None
        assert one.statistics().damaged == 1


def test_stores_of_several_keys_use_the_connections_of_one(server: StoreServer) -> None:
    before = {*threading.enumerate()}
    with other(server, b"a key of one tenant") as one:
        others = [SharedStore(one.address, b"%d" % number, beside=one) for number in range(20)]
        for number, store in enumerate(others):
            store.put("archive", "abcdef12", b"%d" % number, seconds=60)
        assert [store.get("archive", "abcdef12") for store in others] == [b"%d" % number for number in range(20)]
        assert one.get("archive", "abcdef12") is None
        assert len({*threading.enumerate()} - before) == 5


@pytest.mark.parametrize("damage", ["cut", "changed", "swapped", "of another type", "gone"])
def test_a_damaged_value_is_a_miss_and_is_worked_out_again(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str], damage: str
) -> None:
    with Replica(root, tmp_path / "first", server.url) as first:
        assert conversation(first) == expected
        first.written()
    names = server.names()
    for name, another in zip(names, names[1:] + names[:1], strict=True):
        match damage:
            case "cut":
                server.ask("SET", name, b"fractal")
            case "changed":
                server.ask("SETRANGE", name, "21", b"\xfe")
            case "swapped":
                server.ask("COPY", another, name, "REPLACE")
            case "of another type":
                server.ask("DEL", name)
                server.ask("LPUSH", name, b"x")
            case _:
                server.ask("DEL", name)
    with Replica(root, tmp_path / "second", server.url) as second:
        assert conversation(second) == expected


def test_a_cold_replica_finds_what_another_worked_out_and_parses_nothing(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Replica(root, tmp_path / "first", server.url) as first:
        assert conversation(first) == expected
        first.written()
    with Replica(root, tmp_path / "second", server.url) as second:
        monkeypatch.setattr(second.index, "_made", None)  # what works out facts
        assert conversation(second) == expected
        assert second.store is not None
        statistics = second.store.statistics()
        assert statistics.hits > 100
        assert statistics.damaged == 0
        assert statistics.round_trips <= 6 * 7  # of seven calls over thirty files


def test_what_one_replica_hands_out_the_other_goes_on_with(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str]
) -> None:
    with (
        Replica(root, tmp_path / "first", server.url) as first,
        Replica(root, tmp_path / "second", server.url) as second,
    ):
        assert conversation(first, after=second) == expected


def test_a_zoom_tells_what_changed_since_the_other_replica_showed_it(
    root: Path, tmp_path: Path, server: StoreServer
) -> None:
    with (
        Replica(root, tmp_path / "first", server.url) as first,
        Replica(root, tmp_path / "second", server.url) as second,
    ):
        first.context(query="sell part 3")
        place = root / "shop" / "part3.py"
        place.write_text(place.read_text(encoding="utf-8") + "\n\ndef more():\n    return 1\n", encoding="utf-8")
        assert "CHANGED since it was shown" in second.zoom("sell_3")
        assert "CHANGED since it was shown" not in first.zoom("sell_3")


def test_an_archive_is_restored_by_another_replica(root: Path, tmp_path: Path, server: StoreServer) -> None:
    history = b'[{"role": "user", "content": "Hello."}]' * 1000
    with (
        Replica(root, tmp_path / "first", server.url) as first,
        Replica(root, tmp_path / "second", server.url) as second,
    ):
        name = first.archive.store(history)
        assert second.archive.restore(name) == history
        with pytest.raises(PathNotFoundError):
            second.archive.restore("0" * 24)


def test_counts_of_a_call_travel_together_and_basics_stay(tmp_path: Path, server: StoreServer) -> None:
    counts = [(int(Aspect.COUNT), key, b"\0\0\0\7") for key in KEYS[:90]]
    with other(server) as far:
        LayeredFacts(Cache(tmp_path / "first"), far).write([*counts, (int(Aspect.BASICS), KEYS[0], b"basics")])
        assert far.flush(PATIENT_SECONDS)
    assert len(server.names()) == 1
    with other(server) as far:
        facts = LayeredFacts(Cache(tmp_path / "second"), far)
        for _, key, value in counts:
            assert facts.read(Aspect.COUNT, [key]) == {key: value}
        assert far.statistics().round_trips == 1
        assert facts.read(Aspect.BASICS, [KEYS[0]]) == {}
