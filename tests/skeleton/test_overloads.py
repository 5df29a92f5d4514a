"""Definitions of one name are told apart by their signatures, and those that are one are shown as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.zoom.answers import MOST_WHOLE
from skeleton.zoom.zoomer import zoom
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

OVERLOADS = "".join(f"    @t.overload\n    def get(self, key: K{one}) -> V: ...\n" for one in range(MOST_WHOLE + 1))
TREE = {
    "dock.swift": (
        "public class Dock {\n    func bind(host: String, port: Int) -> Int { 1 }\n    func bind(to other: Dock) -> Int { 2 }\n"
        "    func bind(_ host: [String: Int], port: (Int) -> Int = { $0 }) -> Int { 3 }\n"
        + "".join(f"    func bind(p{one}: Int) {{ }}\n" for one in range(MOST_WHOLE))
        + "}\n"
    ),
    "shop.py": f"import typing as t\n\n\nclass Shop:\n{OVERLOADS}    def get(self, key, default=None):\n        return default\n",
    "read.ts": "export function read(a: string): string;\nexport function read(a: number): number;\nexport function read(a: any) {\n  return a;\n}\n",
    "till/a.py": "def one():\n    return 1\n",
    "cash.py": "till = 1\nshop = 2\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("overloads"), TREE)


def text_of(folder: Path, target: str) -> str:
    return zoom(target, str(folder), roots=Roots([folder])).text


@pytest.mark.parametrize(("labels", "line"), [("host:port:", 2), ("to:", 3), ("_:port:", 4), ("p0:", 5)])
def test_labels_of_arguments_choose_among_overloads(folder: Path, labels: str, line: int) -> None:
    assert text_of(folder, f"Dock.bind({labels})").startswith(f"+++ dock.swift:{line}-{line} method Dock.bind ")


def test_labels_that_nothing_has_are_told(folder: Path) -> None:
    assert text_of(folder, "Dock.bind(from:)").startswith("=== none has the labels of 'Dock.bind(from:)':\n")


def test_a_list_of_overloads_tells_their_signatures(folder: Path) -> None:
    lines = text_of(folder, "Dock.bind").splitlines()
    assert lines[2] == "symbol=dock.swift::Dock.bind~2 (method Dock.bind, 1 line): func bind(to other: Dock) -> Int"


@pytest.mark.parametrize(("target", "shown"), [("Shop.get", MOST_WHOLE + 2), ("read", 3)])
def test_overloads_without_bodies_are_one_definition_with_what_they_are_of(
    folder: Path, target: str, shown: int
) -> None:
    text = text_of(folder, target)
    assert text.startswith("+++ ")
    assert text.count("+++ ") == shown


def test_a_folder_that_is_called_like_a_definition_is_told(folder: Path) -> None:
    assert text_of(folder, "till").startswith("=== till/ is a folder, too: zoom 'till/' for its map\n+++ cash.py:1-1 ")
    assert text_of(folder, "shop").startswith("+++ ")
