"""Whatever name a zoom takes, a focus takes and means the same by it, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from allocator.question.focus import Aim, aims_of
from allocator.show.views import MOST_UNITS, FileViews, KnownUnits
from skeleton.index.code_index import CodeIndex
from skeleton.index.weights import MISSING
from skeleton.index.workers import Workers
from skeleton.zoom.answers import MOST_WHOLE
from skeleton.zoom.symbols import SymbolTable
from skeleton.zoom.zoomer import Zoomer
from tests.skeleton.test_zoom_forms import FILES
from tests.thoroughness import share_of
from workspace.errors import InvalidArgumentError, OutsideRootsError, PathNotFoundError, SymbolNotFoundError
from workspace.files.scan import scan
from workspace.roots import Roots

MORE = {
    "src/shop/shapes.py": "class Shape:\n    def area(self):\n        return 0\n\n    def area(self, unit):\n        return 1\n",
    "app/server.js": "class Server {\n  listen(port) {\n    return port\n  }\n}\nfunction start() {\n  return 1\n}\n",
    "lib/store.rb": "class Store\n  def size\n    1\n  end\nend\n",
    "Rakefile": "def task\n  1\nend\n",
}


class Desk(NamedTuple):
    """One folder, seen by both."""

    root: Path
    zoomer: Zoomer
    views: list[FileViews]
    table: SymbolTable


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    root = tmp_path_factory.mktemp("desk")
    for name, text in {**FILES, **MORE}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    roots = Roots([root])
    index = CodeIndex(roots, workers=Workers(0))
    files, _ = index.files(scan(root, roots=roots))
    units = KnownUnits(MOST_UNITS)
    return Desk(root, Zoomer(index), [FileViews(file, units) for file in files], SymbolTable(index).following(files))


Told = tuple[str, str, int]
Meant = list[Told] | type[Exception]
"""The path, the kind and name, and the first line of each thing meant; or the error."""

REFUSALS = (SymbolNotFoundError, InvalidArgumentError, PathNotFoundError, OutsideRootsError)


def zoomed(desk: Desk, name: str) -> Meant:
    try:
        found = desk.zoomer.zoom(name, str(desk.root)).matches
    except REFUSALS:
        return ValueError
    return [(match.path, match.title, match.first_line) for match in found[:MOST_WHOLE]]


def focused(desk: Desk, name: str) -> Meant:
    try:
        aims = aims_of([name], desk.views, desk.table, str(desk.root), "")
    except REFUSALS:
        return ValueError
    return [_told(desk, aim) for aim in aims[:MOST_WHOLE]]


def _told(desk: Desk, aim: Aim) -> Told:
    view = desk.views[aim.file]
    if aim.place < 0:
        return view.path, "", 1
    one = view.definitions[aim.place]
    return view.path, f"{one.kind} {one.path}", view.source.source.count(b"\n", 0, one.start) + 1


def are_alike(desk: Desk, seen: Meant, meant: Meant) -> bool:
    """Tells whether both mean the same. What no skeleton shows by itself, a focus shows with its file."""
    if not isinstance(seen, list) or not isinstance(meant, list):
        return seen == meant
    alone = {
        (view.path, f"{one.kind} {one.path}")
        for view in desk.views
        for place, one in enumerate(view.definitions)
        if view.weights.unit[place] != MISSING or view.left_out((place,))
    }
    shown = [told if not told[1] or told[:2] in alone else (told[0], "", 1) for told in seen]
    return list(dict.fromkeys(shown)) == meant


NAMED = [
    *("Cart", "Cart.add", "add", "checkout", "rate", "Lock", "channel", "poll", "Shape.area", "area", "Server.listen"),
    *("start", "Store.size", "Store#size", "size", "task", "_hidden", "bounded", "cart"),
]
FORMS = [
    *("{}", "symbol={}", "function={}", "class={}", "{}()", "{}(a, b)", "`{}`", "def {}", "class {}", "{}~1", "{}~2"),
    *("src/shop/cart.py::{}", "cart.py::{}", "src/shop::{}", "shop.cart.{}", "crate::sync::{}", "self.{}", " {} "),
    *("Rakefile::{}", "Nowhere.{}", "{}x"),
]
PATHS = [
    "src/shop/cart.py",
    "./src/shop/tax.py",
    "cart.py",
    "README.md",
    "Rakefile",
    "shop.tax",
    "module=cart",
    "no.py",
]


@pytest.mark.no_cover
@given(
    st.one_of(
        st.builds(str.format, st.sampled_from(FORMS), st.sampled_from(NAMED)),
        st.sampled_from(PATHS),
        st.text("abcrtCS.:#~=()`/ ", min_size=1, max_size=12),
    )
)
@example("Shape.area~2")
@example("file=src/shop/cart.py")
@settings(max_examples=share_of(375))
def test_a_zoom_and_a_focus_mean_the_same_by_a_name(desk: Desk, name: str) -> None:
    seen, meant = zoomed(desk, name), focused(desk, name)
    if isinstance(meant, list) and len(meant) > 1 and all(not title for _, title, _ in meant):
        return  # a folder or a glob: a zoom shows one thing
    assert are_alike(desk, seen, meant), (name, seen, meant)


def test_every_definition_is_meant_by_its_own_target(desk: Desk) -> None:
    for view in desk.views:
        for one in view.definitions:
            for match in desk.zoomer.zoom(f"{view.path}::{one.path}", str(desk.root)).matches:
                told = (match.path, match.title, match.first_line)
                assert are_alike(desk, [told], focused(desk, match.target))
                assert are_alike(desk, [told], focused(desk, match.target.removeprefix("symbol=")))


@pytest.mark.parametrize("lines", ["src/shop/cart.py:2-3", "cart.py:2-3", "lines=src/shop/cart.py:2"])
def test_lines_mean_the_innermost_definitions_that_they_touch(desk: Desk, lines: str) -> None:
    assert focused(desk, lines) == [("src/shop/cart.py", "method Cart.add", 2)]
    assert [match.first_line for match in desk.zoomer.zoom(lines, str(desk.root)).matches] == [2]
