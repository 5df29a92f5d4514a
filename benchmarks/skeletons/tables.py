"""Plain Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence


def share(part: float, whole: float) -> str:
    """A percentage; `–` of nothing. It is never rounded up to 100 %."""
    if not whole:
        return "–"
    percent = 100 * part / whole
    return f"{min(percent, 99.99) if part < whole else percent:.2f} %" if part else "0 %"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; columns that hold numbers are set to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max([len(title), *(len(row[column]) for row in cells)]) for column, title in enumerate(head)]
    numeric = [
        all(row[column][:1].isdigit() or row[column] in {"–", ""} for row in cells) for column in range(len(head))
    ]

    def line(row: Sequence[str]) -> str:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        return "| " + " | ".join(padded) + " |"

    rule = (
        "|"
        + "|".join("-" * (width + 1) + (":" if right else "-") for width, right in zip(widths, numeric, strict=True))
        + "|"
    )
    return "\n".join([line(head), rule, *map(line, cells)])
