"""The limits of a tenant within a minute, and the way a server is taken out of service."""

from __future__ import annotations

import signal
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.limits import Limits, Meter
from server.settings import read_settings
from tests.server.pipes import EXIT_TIMEOUT, SERVE
from tests.server.test_http import CALL, HEADERS
from tests.server.test_protocol import texts
from tests.server.web import TOKEN, get, listening, post, visiting
from tests.trees import make_repository
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    """A clock that is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_calls_are_counted_and_come_back_with_time() -> None:
    clock = Clock()
    meter = Meter(Limits(calls=3), clock)
    assert [meter.admit() for _ in range(3)] == ["", "", ""]
    assert meter.admit() == "This token may take 3 calls a minute, and has; call again in 20 seconds."
    clock.now = 19.9
    assert meter.admit()
    clock.now = 20.1
    assert meter.admit() == ""
    assert meter.admit()


def test_what_a_call_took_is_taken_from_the_next() -> None:
    clock = Clock()
    meter = Meter(Limits(seconds=6, tokens=600), clock)
    assert meter.admit() == ""
    meter.spend(seconds=1, tokens=900)
    assert "600 tokens" in meter.admit()
    assert "30 seconds" in meter.admit()
    clock.now = 31
    assert meter.admit() == ""
    meter.spend(seconds=10)
    assert "6 seconds a minute" in meter.admit()


@given(st.lists(st.tuples(st.floats(0, 30), st.floats(0, 50)), max_size=60))
def test_no_more_is_admitted_than_a_vessel_and_what_has_run_into_it(steps: list[tuple[float, float]]) -> None:
    clock = Clock()
    meter = Meter(Limits(calls=10, seconds=20), clock)
    admitted = spent = largest = 0.0
    for wait, takes in steps:
        clock.now += wait
        if not meter.admit():
            admitted, spent, largest = admitted + 1, spent + takes, max(largest, takes)
            meter.spend(seconds=takes)
    assert admitted <= 10 + clock.now / 6 + 1e-6
    assert spent <= 20 + clock.now / 3 + largest + 1e-6


def test_without_limits_nothing_is_refused() -> None:
    meter = Meter(Limits())
    meter.spend(seconds=1e9, tokens=1e9)
    assert meter.is_open
    assert meter.admit() == ""


def write_tenant(folder: Path, limits: str) -> Path:
    make_repository(folder / "site", {"page.py": "def page():\n    return 1\n"})
    digest = sha256(TOKEN.encode()).hexdigest()
    text = f'[repositories]\nsite = "site"\n[tenants.a]\ntoken-digests = ["{digest}"]\nrepositories = ["site"]\n'
    (folder / "tenants.toml").write_text(f"{text}limits = {limits}\n", encoding="utf-8")
    return folder / "tenants.toml"


async def test_a_tenant_hears_which_limit_it_has_reached(tmp_path: Path) -> None:
    flags = ["--tenants", str(write_tenant(tmp_path, "{ calls = 2, tokens = 100000 }"))]
    with listening(None, flags=flags, cwd=tmp_path, variables={"FRACTAL_CONTEXT_CACHE": "off"}) as served:
        async with visiting(served, token=TOKEN) as client:
            assert "return 1" in texts(await client.call_tool("zoom", {"target": "page"}))[0]
            assert (await client.read_resource("context://repo://site")).contents
            refused = await client.call_tool("zoom", {"target": "page"})
            assert refused.is_error
            assert "2 calls a minute" in texts(refused)[0]


@pytest.mark.parametrize("limits", ["3", "{ calls = -1 }", '{ calls = "x" }', "{ hours = 3 }"])
def test_limits_that_make_no_sense_are_told_at_the_start(tmp_path: Path, limits: str) -> None:
    with pytest.raises(InvalidArgumentError, match="limits of a"):
        read_settings(environ={}, tenants=str(write_tenant(tmp_path, limits)), transport="streamable-http")


@pytest.mark.no_cover
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_drains_is_not_ready_and_serves_on(tmp_path: Path, workers: str) -> None:
    (tmp_path / "a.py").write_text("a = 1\n", encoding="utf-8")
    with listening(tmp_path, program=SERVE, flags=["--workers", workers, "--drain", "60"]) as served:
        while (answer := get(served.origin + "/ready")).status_code != 200:
            assert answer.json() == {"status": "loading"}
        assert answer.json() == {"status": "ready"}
        served.process.send_signal(signal.SIGTERM)
        while (answer := get(served.origin + "/ready")).status_code == 200:
            pass  # another worker may hear of it a moment later
        assert answer.json() == {"status": "draining"}
        assert get(served.origin + "/health").json() == {"status": "ok"}
        assert post(served.url, json=CALL, headers=HEADERS).status_code == 200
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(timeout=EXIT_TIMEOUT)
        assert served.process.returncode == 0


@pytest.mark.no_cover
def test_a_server_that_has_drained_ends_by_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n", encoding="utf-8")
    with listening(tmp_path, flags=["--drain", "0.2"]) as served:
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(timeout=EXIT_TIMEOUT)
        assert served.process.returncode == 0
