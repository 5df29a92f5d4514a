"""Lists the files that a scan of a folder finds."""

from __future__ import annotations

from pathlib import Path

from workspace import (
    Roots,
    Scan,
    scan,
)


def scanned(base: Path, *roots: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> Scan:
    return scan(base, roots=Roots(roots or [base]), include=include, exclude=exclude)


def paths(base: Path, *roots: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
    found = scanned(base, *roots, include=include, exclude=exclude)
    assert not found.problems
    return [file.path for file in found.files]
