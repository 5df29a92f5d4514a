"""Exchanges in their places: where each stands in a summary, and how much its lines are worth for being new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from compaction.history.carried import LAST
from compaction.history.sections import Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.history.exchanges import Exchange

_RECENT: Final = 12
"""Exchanges, the newest, whose details are worth most."""

_UNANSWERED, _ANSWERED = 1.0, 0.4
"""The further worth of the newest steps of the last exchange while it has no answer, and when it has one."""

_STEP_WORTH, _STEP_DECAY = 42.0, 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """An exchange in its place.

    Attributes:
        recency: 1 for the newest, 0 from `_RECENT` exchanges on.
        newest: how much more its newest steps are worth.
    """

    exchange: Exchange
    number: int
    section: Section
    heading: str
    recency: float
    newest: float

    @property
    def base(self) -> tuple[float, ...]:
        """The place at which its lines begin in their section."""
        return 1, self.number

    def step_worth(self, later: int) -> float:
        """Returns the further worth of a step for being one of the last: `later` steps of its kind came after it."""
        return self.newest * _STEP_WORTH * _STEP_DECAY**later


def chapters(exchanges: Sequence[Exchange]) -> list[Chapter]:
    """Return the exchanges with their places, oldest first; the last one is current work."""
    return [_chapter(exchange, number, len(exchanges) - 1) for number, exchange in enumerate(exchanges)]


def _chapter(exchange: Exchange, number: int, last: int) -> Chapter:
    who = _who(exchange.requests)
    if number == last:
        heading = f"{LAST}{f', {who}' if who else ''}"
    else:
        heading = f"### {who[:1].upper()}{who[1:]}" if who else "### Before"
    return Chapter(
        exchange=exchange,
        number=number,
        section=Section.CURRENT if number == last else Section.SOLVING,
        heading=heading,
        recency=max(0.0, 1.0 - (last - number) / _RECENT),
        newest=0.0 if number != last else _ANSWERED if exchange.answer else _UNANSWERED,
    )


def _who(requests: Sequence[int]) -> str:
    if not requests:
        return ""
    if len(requests) == 1:
        return f"user message {requests[0]}"
    return f"user messages {requests[0]} to {requests[-1]}"
