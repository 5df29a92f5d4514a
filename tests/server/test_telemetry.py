"""An operator sees counts and times of the calls of a server, and nothing of what was asked."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
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


async def test_hits_parsing_and_waiting_are_measured(tree: Path) -> None:
    notes = Notes()
    settings = read_settings(roots=[str(tree)], environ={}, parsers="0", cache="off")
    server = build_server(settings, telemetry=Telemetry("", notes))
    async with Client(server) as client:
        await client.call_tool("get_context", {"path": "."})
        cold = [*notes.taken]
        notes.taken.clear()
        await client.call_tool("get_context", {"path": "."})
    parsed = [amount for name, amount, _ in cold if name == "fractal_context.parsed"]
    assert sum(parsed) >= 1
    assert len(parsed) == len([1 for name, *_ in cold if name == "fractal_context.parse.duration"])
    assert {one["outcome"] for name, _, one in cold if name == "fractal_context.facts"} == {"hit", "miss"}
    assert not [name for name, *_ in notes.taken if name == "fractal_context.parsed"]
    waited = [amount for name, amount, _ in notes.taken if name == "fractal_context.queue.duration"]
    assert len(waited) == 1
    assert waited[0] >= 0
    assert sum(amount for name, amount, _ in (*cold, *notes.taken) if name.endswith("waiting")) == 0


async def test_a_turn_that_never_comes_is_waited_for_no_more() -> None:
    notes = Notes()
    with Telemetry("", notes).measuring("zoom") as call, call.waiting() as turn:
        assert sum(amount for name, amount, _ in notes.taken if name.endswith("waiting")) == 1
    turn.came()
    assert sum(amount for name, amount, _ in notes.taken if name.endswith("waiting")) == 0


def test_prometheus_reads_what_a_server_under_an_sdk_did(tree: Path) -> None:
    """A process of its own, since the SDK is the process's."""
    pytest.importorskip("opentelemetry.exporter.prometheus", reason="the extra `telemetry` is not installed")
    done = subprocess.run([sys.executable, "-c", UNDER_AN_SDK, str(tree)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page, spans = done.stdout.split("SPANS")
    said = {line.split("{")[0] for line in page.splitlines() if line and not line.startswith("#")}
    assert said >= {
        "fractal_context_calls_total",
        "fractal_context_served_total",
        "fractal_context_facts_total",
        "fractal_context_parsed_total",
        "fractal_context_parse_duration_seconds_count",
        "fractal_context_queue_duration_seconds_count",
        "fractal_context_calls_waiting",
    }
    assert 'tool="zoom"' in page
    names = [line.partition(" {")[0] for line in spans.strip().splitlines()]
    assert {"tools/call zoom", "parse"} <= {*names}
    assert "Config" not in done.stdout


UNDER_AN_SDK = """
import sys, anyio
from mcp import Client
from opentelemetry import metrics, trace
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import generate_latest
spans = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(provider)
metrics.set_meter_provider(MeterProvider([PrometheusMetricReader()]))
from server.app import build_server
from server.settings import read_settings

async def ask():
    async with Client(build_server(read_settings(roots=[sys.argv[1]], environ={}, parsers="0", cache="off"))) as client:
        await client.call_tool("zoom", {"target": "Config.load"})

anyio.run(ask)
print(generate_latest().decode())
print("SPANS")
for span in spans.get_finished_spans():
    print(span.name, dict(span.attributes), span.status.description, [dict(e.attributes) for e in span.events])
"""
