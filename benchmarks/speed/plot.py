"""A small plot as SVG: one panel for each series, straight axes from zero, so that a line that is straight shows so."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT, MARGIN = 320, 220, 44


def growth_plot(series: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Draws every series over its first numbers, side by side."""
    panels = "".join(
        f'<g transform="translate({place * WIDTH},0)">{_panel(title, points)}</g>'
        for place, (title, points) in enumerate(series.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * len(series)}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>{panels}</svg>\n'
    )


def _panel(title: str, points: Sequence[tuple[float, float]]) -> str:
    right, top = max((x for x, _ in points), default=1.0), max((y for _, y in points), default=1.0)
    bottom = HEIGHT - MARGIN

    def at(x: float, y: float) -> tuple[float, float]:
        return MARGIN + x / right * (WIDTH - MARGIN - 24), bottom - y / top * (bottom - 40)

    placed = [at(x, y) for x, y in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
    straight = at(right, points[-1][1] if points else 0)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f5fa8"/>'
        f'<text x="{x:.1f}" y="{y - 7:.1f}" text-anchor="middle">{value:.3g}</text>'
        f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{_short(files)}</text>'
        for (x, y), (files, value) in zip(placed, points, strict=True)
    )
    return (
        f'<text x="{MARGIN}" y="18" font-weight="bold">{escape(title)}</text>'
        f'<path d="M{MARGIN} 30V{bottom}H{WIDTH - 16}" fill="none" stroke="#444"/>'
        f'<path d="M{MARGIN} {bottom}L{straight[0]:.1f} {straight[1]:.1f}" stroke="#bbb" stroke-dasharray="4 3"/>'
        f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="1.5"/>{dots}'
        f'<text x="{WIDTH / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">files</text>'
    )


def _short(number: float) -> str:
    return f"{number / 1000:.0f}k" if number >= 1000 else f"{number:.0f}"
