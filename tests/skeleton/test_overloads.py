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
    "till.ex": (
        "defmodule Yard.Till do\n  @type sum :: integer\n  # opens\n  def open(name, key \\\\ nil)\n\n"
        "  def open(nil, _key), do: :error\n  # of (a, b, c)\n"
        '  def open("a, (" <> name, ?() do\n    name\n  end\n\n'
        "  def open(a, [b, c], {d, e}, x: 1, y: 2), do: a\n\n  def left + right, do: left\n\n"
        "  defmacro seal(name, do: block) do\n    block\n  end\nend\n"
        "defimpl Yard.Sail, for: Atom do\n  def hoist(a), do: a\nend\n\n"
        "defimpl Yard.Sail, for: Map do\n  def hoist(a), do: a\nend\n"
    ),
    "many.ex": "defmodule Many do\n"
    + "".join(f"  def clause({one}), do: :a_long_answer_{one}\n" for one in range(300))
    + "end\n",
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


@pytest.mark.parametrize(("target", "shown"), [("Shop.get", "shop.py:5-18"), ("read", "read.ts:1-5")])
def test_overloads_without_bodies_are_one_definition_with_what_they_are_of(
    folder: Path, target: str, shown: str
) -> None:
    text = text_of(folder, target)
    assert text.startswith(f"+++ {shown} ")
    assert text.count("+++ ") == 1
    first, last = map(int, shown.partition(":")[2].split("-"))
    assert text.partition("\n")[2] == "".join(TREE[shown.partition(":")[0]].splitlines(True)[first - 1 : last])


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("Yard.Till.open", ["4-10 function", "12-12 function"]),
        ("Yard.Till.open/1", ["4-10 function"]),
        ("Yard.Till.open/2", ["4-10 function"]),
        ("&Yard.Till.open/4", ["12-12 function"]),
        ("till.ex::Yard.Till.open/4", ["12-12 function"]),
        ("Yard.Till.+/2", ["14-14 function"]),
        ("Yard.Till.sum/0", ["2-2 type"]),
        ("Yard.Till.seal/2", ["16-18 macro"]),
        ("Yard.Sail.hoist", ["21-21 method", "25-25 method"]),
    ],
)
def test_clauses_are_one_function_and_an_arity_chooses_which(folder: Path, target: str, shown: list[str]) -> None:
    lines = text_of(folder, target).splitlines()
    headers = [line.rpartition(" Yard")[0] for line in lines if line.startswith("+++")]
    assert headers == [f"+++ till.ex:{one}" for one in shown]


def test_many_clauses_are_one_definition_and_no_list(folder: Path) -> None:
    text = text_of(folder, "Many.clause/1")
    assert text.startswith("+++ many.ex:2-301 function Many.clause ")
    assert text.count("def clause") == 300


def test_an_arity_that_nothing_has_is_told(folder: Path) -> None:
    assert text_of(folder, "Yard.Till.open/7").startswith(
        "=== none takes as many parameters as 'Yard.Till.open/7' says:\n+++ till.ex:"
    )


def test_a_folder_that_is_called_like_a_definition_is_told(folder: Path) -> None:
    assert text_of(folder, "till").startswith("=== till/ is a folder, too: zoom 'till/' for its map\n+++ cash.py:1-1 ")
    assert text_of(folder, "shop").startswith("+++ ")
