"""A name behind its package is what the package gives out, wherever that stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.exports import module_parts
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

TREE = {
    "yard/src/lib.rs": "mod task;\npub mod sync;\ncfg_rt! {\n    pub use task::spawn;\n}\npub use sync::{gate::Gate as Door, *};\n",
    "yard/src/task/mod.rs": "cfg_rt! {\n    mod spawn;\n    pub use spawn::spawn;\n}\nmod own;\n",
    "yard/src/task/spawn.rs": "cfg_rt! {\n    /// Starts.\n    pub fn spawn() { here(); }\n}\n",
    "yard/src/task/own.rs": "pub struct Own;\nimpl Own {\n    pub fn spawn(&self) {}\n}\n",
    "yard/src/sync/mod.rs": "pub mod gate;\npub use gate::Latch;\npub use gate::State::*;\n",
    "yard/src/sync/gate.rs": "pub struct Gate;\nimpl Gate {\n    pub fn open(&self) {}\n}\npub struct Latch;\npub enum State {\n    Shut,\n    Wide,\n}\n",
    "yard/src/out/mod.rs": "mod inner;\npub use crate::Door;\npub use self::{\n    inner::{Deep, Deeper},\n};\n",
    "yard/src/out/inner.rs": "pub struct Deep;\n",
    "yard-util/src/lib.rs": "pub fn spawn() {}\nimpl Spare for yard::Latch {}\n",
    "web/src/shop/__init__.py": "from .core.cart import Cart as Cart\nfrom shop.core import total\n",
    "web/src/shop/core/__init__.py": "from .sums import add as total\n",
    "web/src/shop/core/cart.py": "class Cart:\n    def total(self):\n        return 1\n",
    "web/src/shop/core/sums.py": "def add(a):\n    return a\n\n\nclass Cart:\n    pass\n",
    "ui/zed/src/index.ts": 'export * from "./v4/outer.js";\n',
    "ui/zed/src/v4/outer.ts": 'export * from "./schemas.js";\nexport { parse as read } from "./parse.js";\n',
    "ui/zed/src/v4/schemas.ts": "export class Text {\n  size() { return 1; }\n}\n",
    "ui/zed/src/v4/parse.ts": "export function parse() { return 1; }\n",
    "ui/zed/src/v3/old.ts": "export class Text {}\nexport function read() {}\n",
}

GIVEN_OUT = {
    "yard::spawn": "yard/src/task/spawn.rs::spawn",
    "yard::task::spawn": "yard/src/task/spawn.rs::spawn",
    "yard_util::spawn": "yard-util/src/lib.rs::spawn",
    "yard::Door": "yard/src/sync/gate.rs::Gate~1",
    "yard::Door::open": "yard/src/sync/gate.rs::Gate.open",
    "yard::out::Door": "yard/src/sync/gate.rs::Gate~1",
    "yard::out::Deep": "yard/src/out/inner.rs::Deep",
    "yard::Latch": "yard/src/sync/gate.rs::Latch",
    "yard::sync::Shut": "yard/src/sync/gate.rs::State.Shut",
    "yard::Wide": "yard/src/sync/gate.rs::State.Wide",
    "shop.Cart": "web/src/shop/core/cart.py::Cart",
    "shop.Cart.total": "web/src/shop/core/cart.py::Cart.total",
    "shop.total": "web/src/shop/core/sums.py::add",
    "zed.Text": "ui/zed/src/v4/schemas.ts::Text",
    "zed.Text.size": "ui/zed/src/v4/schemas.ts::Text.size",
    "zed.read": "ui/zed/src/v4/parse.ts::parse",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("packages"), TREE)


def zoomer(folder: Path, *, only_once: bool) -> Zoomer:
    return Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)), only_once=only_once)


@pytest.mark.parametrize("only_once", [False, True])
@pytest.mark.parametrize("target", GIVEN_OUT)
def test_a_name_behind_its_package_is_what_the_package_gives_out(folder: Path, target: str, *, only_once: bool) -> None:
    found = zoomer(folder, only_once=only_once).zoom(target, str(folder)).matches
    assert found[0].target == f"symbol={GIVEN_OUT[target]}"
    assert {one.path for one in found} == {found[0].path}


def test_a_package_in_the_folder_itself_is_called_as_the_folder(tmp_path: Path) -> None:
    files = {
        "src/lib.rs": "mod body;\npub use body::Incoming;\n",
        "src/body/mod.rs": "pub struct Incoming;\n",
        "a.rs": "fn b() {}\n",
    }
    within = write_tree(tmp_path / "hyper", files | {"tests/server.rs": "struct Incoming;\n"})
    (found,) = zoomer(within, only_once=False).zoom("hyper::Incoming", str(within)).matches
    assert found.path == "src/body/mod.rs"


@pytest.mark.parametrize("target", ["Other.Cart", "yard::nothing", "shop.Nothing", "zed.old"])
def test_what_no_package_gives_out_is_not_found_there(folder: Path, target: str) -> None:
    with pytest.raises(SymbolNotFoundError):
        zoomer(folder, only_once=False).zoom(f"class={target}", str(folder))


def test_imports_in_a_circle_end(tmp_path: Path) -> None:
    files = {
        "a/__init__.py": "from .b import *\n",
        "a/b/__init__.py": "from .. import *\nfrom a.b.c import *\n",
        "a/b/c.py": "import a.b\n",
    }
    within = write_tree(tmp_path, files | {"d.py": "def run(): ...\n"})
    with pytest.raises(SymbolNotFoundError):
        zoomer(within, only_once=False).zoom("function=a.b.walk", str(within))


def test_a_file_is_called_as_imports_call_it() -> None:
    assert module_parts("tokio-util/src/task/mod.rs") == ("tokio_util", "task")
    assert module_parts("src/flask/__init__.py") == ("flask",)
    assert module_parts("src/lib.rs") == ()
    assert module_parts("lib/axios.js") == ("axios",)
