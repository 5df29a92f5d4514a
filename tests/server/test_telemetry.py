"""What an operator sees of the calls of a server: counts and times, and nothing of what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp import Client
from opentelemetry.metrics import Counter, Histogram, NoOpMeter, UpDownCounter

from server.app import build_server
from server.limits import Limits, Meter
from server.settings import read_settings
from server.telemetry import Telemetry
from tests.server.test_protocol import texts
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

Taken = list[tuple[str, float, dict[str, Any]]]


class _Count(Counter, Histogram, UpDownCounter):
    """An instrument that notes what it is given."""

    def __init__(self, name: str, taken: Taken) -> None:
        self._name = name
        self._taken = taken

    def add(self, amount: float, attributes: Any = None, context: Any = None) -> None:  # noqa: ARG002 - as in the API
        self._taken.append((self._name, amount, dict(attributes)))

    def record(self, amount: float, attributes: Any = None, context: Any = None) -> None:  # noqa: ARG002 - as in the API
        self._taken.append((self._name, amount, dict(attributes)))


class Notes(NoOpMeter):
    """A meter of OpenTelemetry's API that keeps what it takes."""

    def __init__(self) -> None:
        super().__init__("notes")
        self.taken: Taken = []

    def create_counter(self, name: str, *_: Any, **__: Any) -> Counter:
        return _Count(name, self.taken)

    def create_histogram(self, name: str, *_: Any, **__: Any) -> Histogram:
        return _Count(name, self.taken)

    def create_up_down_counter(self, name: str, *_: Any, **__: Any) -> UpDownCounter:
        return _Count(name, self.taken)


async def test_calls_are_measured_by_tool_and_outcome(tree: Path) -> None:
    server = build_server(read_settings(roots=[str(tree)], environ={}))
    notes = Notes()
    server.telemetry = Telemetry("web", notes)
    server.meter = Meter(Limits(calls=4))
    async with Client(server) as client:
        context = await client.call_tool("get_context", {"path": "."})
        zoomed = await client.call_tool("zoom", {"target": "Config.load"})
        await client.call_tool("zoom", {"target": "nothing-like-it"})
        await client.call_tool("no-such-tool", {})
        await client.call_tool("zoom", {"target": "Config.load"})
    named = [(one["tool"], one["outcome"]) for name, _, one in notes.taken if name == "fractal_context.calls"]
    assert named == [
        ("get_context", "ok"),
        ("zoom", "ok"),
        ("zoom", "error"),
        ("unknown", "error"),
        ("zoom", "refused"),
    ]
    assert all(one["tenant"] == "web" for _, _, one in notes.taken)
    assert context.meta is not None
    tokens = [amount for name, amount, _ in notes.taken if name == "fractal_context.served"]
    assert tokens[:2] == [context.meta["metadata"]["tokens_used"], token_counter().count(texts(zoomed)[0])]
    assert sum(amount for name, amount, _ in notes.taken if name.endswith("under_way")) == 0
    assert "Config" not in repr(notes.taken)


async def test_without_an_sdk_nothing_is_counted_for_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[object] = []
    monkeypatch.setattr("server.app.served_tokens", lambda result: counted.append(result) or 0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType] - a recorder
    async with Client(build_server(read_settings(roots=[str(tree)], environ={}))) as client:
        await client.call_tool("zoom", {"target": "Config.load"})
    assert not counted
