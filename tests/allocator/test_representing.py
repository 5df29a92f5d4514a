"""A repository of many packages: each is told of before one of them is told in detail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from allocator.overview.folders import MapFile, Sort
from allocator.overview.map_steps import StepKind
from allocator.overview.treemap import TreeMap
from tests.allocator.shop import overview
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ("anchor", "buoy", "compass", "dinghy", "ensign", "fender")


def package(name: str, *, private: bool = False) -> str:
    return f'{{"name": "@fleet/{name}", "private": {str(private).lower()}}}'


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """One large package whose names all others use, six small ones, and a try of each that is not published."""
    tree = {"package.json": '{"name": "root", "private": true}', "packages/hull/package.json": package("hull")}
    for at in range(40):
        body = "".join(f"    const step{line} = value + {line}\n" for line in range(6))
        names = "".join(
            f"export function plank{at}{part}(value) {{\n{body}    return value\n}}\n\n" for part in ("Left", "Right")
        )
        tree[f"packages/hull/src/plank{at}.ts"] = names
    used = "".join(f"import {{ plank{at}Left, plank{at}Right }} from '@fleet/hull'\n" for at in range(40))
    for name in SMALL:
        title = name.capitalize()
        tree[f"packages/{name}/package.json"] = package(name)
        tree[f"packages/{name}/src/index.ts"] = (
            f"{used}\nexport function make{title}(value) {{\n    return value\n}}\n\n"
            f"export function mend{title}(value) {{\n    return value\n}}\n"
        )
        tree[f"attempts/{name}/package.json"] = package(f"try-{name}", private=True)
        tree[f"attempts/{name}/src/start.ts"] = (
            f"{used}\nexport function voyage(value) {{\n    return plank1Left(value)\n}}\n"
        )
    return write_tree(tmp_path / "fleet", tree)


def test_every_package_is_told_of_by_one_of_its_names_before_the_largest_in_detail(fleet: Path) -> None:
    text = overview(fleet, 600).context
    assert all(f"make{name.capitalize()}" in text or f"mend{name.capitalize()}" in text for name in SMALL)
    assert len(set(re.findall(r"plank\d+(?:Left|Right)", text))) < 12


def test_what_is_not_published_comes_after_what_is(fleet: Path) -> None:
    assert all("voyage" not in overview(fleet, budget).context for budget in (600, 800, 1000))
    assert "voyage" in overview(fleet, 12_000).context


def test_the_folders_of_packages_come_before_what_lies_in_one_of_them() -> None:
    paths = [
        path
        for name in ("anchor", "buoy", "compass")
        for path in (f"crates/{name}/Cargo.toml", *(f"crates/{name}/src/part{at}.rs" for at in range(5)))
    ]
    files = [MapFile(path, 1000, Sort.SOURCE if path.endswith(".rs") else Sort.PROSE) for path in paths]
    last = [place for place, path in enumerate(paths) if "compass" in path and path.endswith(".rs")]
    tree = TreeMap(files, [], order=[*last, *(place for place in range(len(paths)) if place not in last)])
    lines = [tree.text(count).splitlines() for count in range(1, 5)]
    assert [one.kind for one in tree.steps[:4]] == [StepKind.FOLDER] * 4
    assert [len(drawn) for drawn in lines] == [1, 2, 3, 4]
    assert "compass/" in lines[1][1]
    assert [line.strip().partition("/")[0] for line in lines[3][1:]] == ["anchor", "buoy", "compass"]


def test_folders_come_by_what_is_most_important_in_them() -> None:
    paths = [f"src/{name}/part{at}.py" for name in ("anchor", "buoy", "compass") for at in range(3)]
    files = [MapFile(path, 1000, Sort.SOURCE) for path in paths]
    tree = TreeMap(files, [], order=[*reversed(range(len(paths)))])
    folders = [step for step in tree.steps if step.kind is StepKind.FOLDER]
    assert "compass/" in tree.text(2)
    assert "anchor/" not in tree.text(len(folders) - 1)
