"""Shows an operator a server from outside: OpenTelemetry's metrics and spans, and a line of the log for each call.

Metrics and spans go through OpenTelemetry's API, which does nothing by itself. Who runs the server under an SDK
(`opentelemetry-instrument`) says with its own variables where they go: to a collector, or to a page that Prometheus reads.
Nothing of what is asked or answered is in them, or in the line, only how much and how long.
"""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import msgspec
from opentelemetry import metrics, trace

if TYPE_CHECKING:
    from collections.abc import Generator

    from opentelemetry.metrics import Counter, Histogram, Meter, UpDownCounter

    from skeleton.index.store import FactStore
    from skeleton.index.workers import Parsers

NAME: Final = "fractal-context"
_SDK: Final = "opentelemetry.sdk"
_LOG: Final = logging.getLogger(__name__)
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""The bounds of what is told of a distribution of times; those of the API are meant for milliseconds."""


class Instruments(msgspec.Struct, frozen=True, kw_only=True):
    """Measures a server.

    Attributes:
        calls: of tools, that ended.
        call_seconds: that they took.
        served: tokens that they returned.
        under_way: calls that have begun.
        waiting: those of them that wait for their turn.
        queue_seconds: that they waited.
        facts: that were asked for.
        parsed: files.
        parse_seconds: that parsing took.
    """

    calls: Counter
    call_seconds: Histogram
    served: Counter
    under_way: UpDownCounter
    waiting: UpDownCounter
    queue_seconds: Histogram
    facts: Counter
    parsed: Counter
    parse_seconds: Histogram


class Measured:
    """One call on its way.

    Args:
        telemetry: of the server.
        named: the attributes of the call.

    Attributes:
        outcome: `ok`, `error` (of who called), `failed` (by a bug), `refused` (by a limit) or `given up` (by the client).
        tokens: of what it returned.
        waited: seconds that it waited for its turn.
    """

    def __init__(self, telemetry: Telemetry, named: dict[str, str]) -> None:
        self.outcome = "given up"
        self.tokens = 0
        self.waited = 0.0
        self._telemetry = telemetry
        self._named = named

    @contextmanager
    def waiting(self) -> Generator[Turn]:
        """Measures how long the call waits for its turn; whoever gives it one says so."""
        turn = Turn(self)
        self._telemetry.instruments.waiting.add(1, self._named)
        try:
            yield turn
        finally:
            turn.came()

    def has_waited(self, seconds: float) -> None:
        """Notes that the turn of the call has come, or never will."""
        self.waited = seconds
        self._telemetry.instruments.waiting.add(-1, self._named)
        self._telemetry.instruments.queue_seconds.record(seconds, self._named)


class Turn:
    """The turn of one call, which comes once. Several threads may say that it has come."""

    def __init__(self, call: Measured) -> None:
        self._began = time.perf_counter()
        self._waits = [call]

    def came(self) -> None:
        """Ends the waiting."""
        try:
            call = self._waits.pop()
        except IndexError:
            return
        call.has_waited(time.perf_counter() - self._began)


under_way: ContextVar[Measured | None] = ContextVar("under_way", default=None)
"""The call that this task works for."""


class Telemetry:
    """Measures the calls of one server.

    Args:
        tenant: whose it is; "" where there are no tenants.
        meter: takes the measurements; None for that of the process.

    Attributes:
        is_on: whether anybody takes them.
        instruments: what measures.
    """

    def __init__(self, tenant: str, meter: Meter | None = None) -> None:
        self.is_on = meter is not None or type(metrics.get_meter_provider()).__module__.startswith(_SDK)
        meter = meter or metrics.get_meter(NAME)
        self._of_all = {"tenant": tenant} if tenant else {}
        self._tracer = trace.get_tracer(NAME)
        self.instruments = Instruments(
            calls=meter.create_counter("fractal_context.calls", unit="{call}", description="Calls of tools"),
            call_seconds=meter.create_histogram(
                "fractal_context.call.duration",
                unit="s",
                description="How long they took",
                explicit_bucket_boundaries_advisory=_SECONDS,
            ),
            served=meter.create_counter("fractal_context.served", unit="{token}", description="What they returned"),
            under_way=meter.create_up_down_counter(
                "fractal_context.calls.under_way", unit="{call}", description="Calls that are at work, or wait"
            ),
            waiting=meter.create_up_down_counter(
                "fractal_context.calls.waiting", unit="{call}", description="Calls that wait for their turn"
            ),
            queue_seconds=meter.create_histogram(
                "fractal_context.queue.duration",
                unit="s",
                description="How long calls waited for their turn",
                explicit_bucket_boundaries_advisory=_SECONDS,
            ),
            facts=meter.create_counter(
                "fractal_context.facts", unit="{fact}", description="Facts that were asked for, known before or not"
            ),
            parsed=meter.create_counter("fractal_context.parsed", unit="{file}", description="Files that were parsed"),
            parse_seconds=meter.create_histogram(
                "fractal_context.parse.duration",
                unit="s",
                description="How long a call waited for files to be parsed together",
                explicit_bucket_boundaries_advisory=_SECONDS,
            ),
        )

    def facts(self, store: FactStore) -> FactStore:
        """Returns a store of facts whose hits are counted, where anybody takes the numbers."""
        from server.measured import MeasuredFacts  # with the engines, by the first call

        return MeasuredFacts(store, self.instruments, self._of_all) if self.is_on else store

    def parsers(self, parsers: Parsers) -> Parsers:
        """Returns what parses, measured."""
        from server.measured import MeasuredParsers  # with the engines, by the first call

        return MeasuredParsers(parsers, self.instruments, self._of_all, self._tracer)

    @property
    def wants_tokens(self) -> bool:
        """Tells whether anybody is told of the tokens that calls return."""
        return self.is_on or _LOG.isEnabledFor(logging.INFO)

    @contextmanager
    def measuring(self, tool: str) -> Generator[Measured]:
        """Measures a call of a tool; who makes it says how it ended."""
        named = self._of_all | {"tool": tool}
        call = Measured(self, named)
        began = time.perf_counter()
        self.instruments.under_way.add(1, named)
        bound = under_way.set(call)
        try:
            yield call
        finally:
            under_way.reset(bound)
            seconds = time.perf_counter() - began
            self.instruments.under_way.add(-1, named)
            self.instruments.calls.add(1, named | {"outcome": call.outcome})
            self.instruments.call_seconds.record(seconds, named)
            self.instruments.served.add(call.tokens, named)
            told = named | {
                "outcome": call.outcome,
                "seconds": round(seconds, 4),
                "waited": round(call.waited, 4),
                "tokens": call.tokens,
            }
            _LOG.info("%s: %s", tool, call.outcome, extra={"told": told})
