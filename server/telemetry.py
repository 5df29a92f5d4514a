"""What an operator sees of a server from outside: OpenTelemetry's metrics, through its API, which does nothing by itself.

Who runs the server under an SDK of OpenTelemetry (`opentelemetry-instrument`) says with its own variables where they go: to a
collector, or to a page that Prometheus reads. Nothing of what is asked or answered is in them, only how much and how long.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from opentelemetry import metrics

if TYPE_CHECKING:
    from collections.abc import Generator

    from opentelemetry.metrics import Meter

NAME: Final = "fractal-context"
_SDK: Final = "opentelemetry.sdk"


class Measured:
    """One call on its way.

    Attributes:
        outcome: `ok`, `error` (of who called), `failed` (by a bug), `refused` (by a limit) or `given up` (by the client).
        tokens: of what it returned.
    """

    def __init__(self) -> None:
        self.outcome = "given up"
        self.tokens = 0


class Telemetry:
    """Measures the calls of one server.

    Args:
        tenant: whose it is; "" where there are no tenants.
        meter: takes the measurements; None for that of the process.

    Attributes:
        is_on: whether anybody takes them.
    """

    def __init__(self, tenant: str, meter: Meter | None = None) -> None:
        self.is_on = meter is not None or type(metrics.get_meter_provider()).__module__.startswith(_SDK)
        meter = meter or metrics.get_meter(NAME)
        self._of_all = {"tenant": tenant} if tenant else {}
        self._calls = meter.create_counter("fractal_context.calls", unit="{call}", description="Calls of tools")
        self._seconds = meter.create_histogram(
            "fractal_context.call.duration", unit="s", description="How long they took"
        )
        self._tokens = meter.create_counter("fractal_context.served", unit="{token}", description="What they returned")
        self._under_way = meter.create_up_down_counter(
            "fractal_context.calls.under_way", unit="{call}", description="Calls that are at work"
        )

    @contextmanager
    def measuring(self, tool: str) -> Generator[Measured]:
        """Measures a call of a tool; who makes it says how it ended."""
        call, named = Measured(), self._of_all | {"tool": tool}
        began = time.perf_counter()
        self._under_way.add(1, named)
        try:
            yield call
        finally:
            self._under_way.add(-1, named)
            self._calls.add(1, named | {"outcome": call.outcome})
            self._seconds.record(time.perf_counter() - began, named)
            self._tokens.add(call.tokens, named)
