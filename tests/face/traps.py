"""A project that is a trap: its packages have our names and those of what we need, and tell when they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fractal_context.own import PACKAGES

if TYPE_CHECKING:
    from pathlib import Path

NAMES = (*sorted(PACKAGES - {"fractal_context"}), "tests", "tiktoken", "msgspec", "mcp", "logging", "multiprocessing")
TRAP = "from pathlib import Path\n\nPath(__file__).with_name('was-imported').write_text(__name__)\nraise RuntimeError\n"


def trapped_project(root: Path) -> Path:
    """Makes the project in a new folder and returns it; there is enough source in it for worker processes."""
    for name in NAMES:
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").write_text(TRAP)
        (root / name / "__main__.py").write_text(TRAP)
    steps = "".join(
        f"def step_{number}(value: int) -> int:\n    return value + {number}\n\n\n" for number in range(100)
    )
    body = f"{steps}{'# a long remark' * 40_000}\n"
    for number in range(2):
        (root / f"steps_{number}.py").write_text(body)
    return root


def imported(project: Path) -> list[str]:
    """Returns the marks that imports have left, by their paths."""
    return [str(mark.relative_to(project)) for mark in project.rglob("was-imported")]
