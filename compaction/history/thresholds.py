"""Tells when to compact, by three marks below a context window."""

from __future__ import annotations

from dataclasses import dataclass

SUMMARY_RESERVE = 33_000
"""Tokens kept free for writing the summary and for what arrives meanwhile."""

_SHARE = 0.85
_WARN_LEAD = 20_000
_HARD_RESERVE = 23_000
_HARD_LEAD = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Marks in tokens; `warn <= auto <= hard <= window` always.

    Attributes:
        window: the context window of the model.
        warn: tell the user that compaction is near.
        auto: compact now.
        hard: send nothing more before compacting.
    """

    window: int
    warn: int
    auto: int
    hard: int

    def as_json(self) -> dict[str, int]:
        """The marks by name."""
        return {"context_window": self.window, "warn": self.warn, "auto": self.auto, "hard": self.hard}


def thresholds(window: int) -> Thresholds:
    """The marks for a window of so many tokens (at least one)."""
    ceiling = window - SUMMARY_RESERVE
    share = int(_SHARE * window)
    auto = min(share, ceiling) if ceiling > 0 else share
    return Thresholds(
        window=window,
        warn=max(0, auto - _WARN_LEAD),
        auto=auto,
        hard=min(window, max(window - _HARD_RESERVE, auto + _HARD_LEAD)),
    )
