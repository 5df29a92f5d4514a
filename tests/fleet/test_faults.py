"""Whatever happens to the shared store: the same bytes, one warning at most, and back to normal without a restart."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from tests.fleet.replicas import PATIENT_SECONDS, Replica, conversation
from tests.fleet.servers import Relay, StoreServer, free_port

if TYPE_CHECKING:
    from pathlib import Path

PASSWORD = "correct-horse-battery"
WRONG = "wrong-horse-battery"
SLOW_SECONDS = 5.0


@pytest.fixture(autouse=True)
def _seen(caplog: pytest.LogCaptureFixture) -> None:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    caplog.set_level(logging.INFO, "workspace.shared")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def comes_back(replica: Replica) -> bool:
    """Waits until the store is used again, and tells whether that came true."""
    assert replica.store is not None
    return replica.store._link.breaker.wait_until_closed(PATIENT_SECONDS)  # pyright: ignore[reportPrivateUsage]


def serves_again(root: Path, state: Path, url: str, expected: list[str]) -> bool:
    """Tells whether what is worked out now reaches a cold replica."""
    with Replica(root, state / "writing", url) as writing:
        assert conversation(writing) == expected
        writing.written()
    with Replica(root, state / "reading", url) as reading:
        assert conversation(reading) == expected
        assert reading.store is not None
        return reading.store.statistics().hits > 50


def test_a_store_that_is_down_from_the_start_and_comes_up(
    root: Path, tmp_path: Path, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with StoreServer() as server:
        server.stop()
        with Replica(root, tmp_path / "one", server.tcp_url) as one:
            assert conversation(one) == expected
            assert len(warnings(caplog)) == 1
            assert "ConnectionError" in warnings(caplog)[0]
            server.start()
            assert comes_back(one)
            one.written()  # what could not be written meanwhile
            assert conversation(one) == expected
        assert server.names()
        assert len(warnings(caplog)) == 1


def test_a_wrong_password_is_told_once_and_without_the_password(
    root: Path, tmp_path: Path, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with StoreServer("--requirepass", PASSWORD) as server:
        wrong = server.tcp_url.replace("redis://", f"redis://:{WRONG}@")
        with Replica(root, tmp_path / "one", wrong) as one:
            assert conversation(one) == expected
            assert conversation(one)[1:] == expected[1:]
            assert one.store is not None
            assert WRONG not in repr(one.store.statistics())
        assert len(warnings(caplog)) == 1
        assert "AuthenticationError" in warnings(caplog)[0]
        assert WRONG not in caplog.text
        right = server.tcp_url.replace("redis://", f"redis://:{PASSWORD}@")
        assert serves_again(root, tmp_path, right, expected)


def test_no_call_waits_for_a_slow_store(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with Replica(root, tmp_path / "before", server.url) as before:
        assert conversation(before) == expected
        before.written()
    with Relay(server.port) as relay:
        relay.seconds = SLOW_SECONDS
        with Replica(root, tmp_path / "one", relay.url) as one:
            assert conversation(one) == expected
            assert max(one.waited) < SLOW_SECONDS / 2  # a quarter of a second; the rest is for a machine that is busy
            assert sum(one.waited) < SLOW_SECONDS  # of seven calls: most of them do not even ask
            assert len(warnings(caplog)) == 1
            relay.seconds = 0.0
            assert comes_back(one)
            assert one.engine.records._shelf is not None  # pyright: ignore[reportPrivateUsage]
            one.written()
        assert serves_again(root, tmp_path, relay.url, expected)
    assert len(warnings(caplog)) == 1


def test_a_store_that_is_full_is_still_read_from(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with Replica(root, tmp_path / "before", server.url) as before:
        conversation(before)
        before.written()
    server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    server.ask("CONFIG", "SET", "maxmemory", "1")
    try:
        with Replica(root, tmp_path / "one", server.url) as one:
            assert conversation(one) == expected
            one.zoom("Part5.price")
            assert one.store is not None
            assert one.store.statistics().hits > 50
            one.store.put("snapshot", "abcdef12", b"content", seconds=60)
            one.written()
        assert len(warnings(caplog)) == 1
        assert "OutOfMemoryError" in warnings(caplog)[0]
    finally:
        server.ask("CONFIG", "SET", "maxmemory", "0")
    assert serves_again(root, tmp_path, server.url, expected)
    assert len(warnings(caplog)) == 1


def test_a_store_that_is_flushed_in_the_middle_is_filled_again(
    root: Path, tmp_path: Path, server: StoreServer, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with Replica(root, tmp_path / "one", server.url) as one:
        first, snapshot, _ = one.context()
        one.written()
        server.ask("FLUSHALL")
        assert conversation(one) == expected
        assert first == expected[0]
        assert one.context(since=snapshot)[0]
    server.ask("FLUSHALL")
    assert serves_again(root, tmp_path, server.url, expected)
    assert warnings(caplog) == []


def test_a_store_that_is_restarted_between_two_calls(
    root: Path, tmp_path: Path, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with StoreServer() as server:
        with Replica(root, tmp_path / "one", server.tcp_url) as one:
            assert conversation(one) == expected
            one.written()
            server.stop()
            server.start()
            assert conversation(one)[1:] == expected[1:]
            assert comes_back(one)
            one.context(query="sell")
            one.written()
        assert server.names()
        assert serves_again(root, tmp_path, server.tcp_url, expected)
    assert len(warnings(caplog)) <= 1


@pytest.mark.parametrize("let_through", [0, 1, 700, 5000, 20_000])
def test_a_partition_in_the_middle_of_a_batch(
    root: Path,
    tmp_path: Path,
    server: StoreServer,
    expected: list[str],
    caplog: pytest.LogCaptureFixture,
    let_through: int,
) -> None:
    with Replica(root, tmp_path / "before", server.url) as before:
        conversation(before)
        before.written()
    with Relay(server.port) as relay:
        relay.left = let_through
        with Replica(root, tmp_path / "one", relay.url) as one:
            assert conversation(one) == expected
            relay.left = None
            assert comes_back(one)
            assert conversation(one)[1:] == expected[1:]
            one.written()
    assert len(warnings(caplog)) <= 1


def test_what_was_handed_out_during_an_outage_is_found_by_others_after_it(
    root: Path, tmp_path: Path, expected: list[str]
) -> None:
    with StoreServer() as server:
        server.stop()
        with (
            Replica(root, tmp_path / "one", server.tcp_url) as one,
            Replica(root, tmp_path / "two", server.tcp_url) as two,
        ):
            _, snapshot, _ = one.context()
            server.start()
            assert comes_back(one)
            one.written()
            two.context(query="price")
            assert comes_back(two)
            assert two.context(since=snapshot)[0] == expected[4]


def test_a_host_that_does_not_exist_costs_no_call(
    root: Path, tmp_path: Path, expected: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    for number, url in enumerate([f"redis://127.0.0.1:{free_port()}", "redis://nowhere.invalid", "unix:///nowhere"]):
        with Replica(root, tmp_path / str(number), url) as one:
            assert conversation(one) == expected
    assert len(warnings(caplog)) == 3
