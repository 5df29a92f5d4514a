"""Names as they are declared, and as the documentation and the traces of single languages write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path


DECLARED = {
    "src/loop.h": "void stop(struct loop *of);\nint other(void);\n",
    "src/loop.c": '#include "loop.h"\n\nvoid stop(struct loop *of) {\n    of->stop = 1;\n}\n',
    "engine.go": "package gin\n\ntype Engine struct{}\n\nfunc (engine *Engine) Serve(path string) string {\n\treturn path\n}\n",
    "src/Log/Logger.php": "<?php\nnamespace Log;\nclass Logger {\n    protected function push(array $all): string { return 'a'; }\n    function pop() {}\n}\n",
    "lib/view.js": "function View() {}\nView.prototype.render = function render() {};\nconst shape = (x) => x;\n",
    "lib/base.rb": "module Shop\n  class Common\n    def call(env)\n      env\n    end\n  end\nend\n",
    "harbour.hpp": "namespace yard::inline v1 {\nclass Berth {\n  int size();\n};\n}\n",
    "quay.h": "auto length(void) -> int;\n",
    "Tools.pm": "package Kit::Tools;\nhas [qw(width height)];\nsub fold { 1 }\npackage Kit::Tools::_Guard;\nsub DESTROY { 2 }\n",
    "tokio/loom/mocked.rs": "pub(crate) mod sync {\n    pub(crate) struct Lock;\n}\n",
    "tokio/sync/lock.rs": "pub struct Lock;\n",
}


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ("stop", "src/loop.c:3"),
        ("src/loop.h::stop", "src/loop.h:1"),
        ("other", "src/loop.h:2"),
        ("void stop(struct loop *of)", "src/loop.c:3"),
        ("(*Engine).Serve", "engine.go:5"),
        ("func (engine *Engine) Serve(path string) string", "engine.go:5"),
        ("Log\\Logger::pop", "src/Log/Logger.php:5"),
        ("\\Log\\Logger", "src/Log/Logger.php:3"),
        ("src\\Log\\Logger.php:3-4", "src/Log/Logger.php:3"),
        ("protected function push(array $all): string", "src/Log/Logger.php:4"),
        ("View.prototype.render", "lib/view.js:2"),
        ("const shape", "lib/view.js:3"),
        ("class Shop::Common", "lib/base.rb:2"),
        ("tokio::sync::Lock", "tokio/sync/lock.rs:1"),
        ("Kit::Tools", "Tools.pm:1"),
        ("yard::v1::Berth", "harbour.hpp:2"),
        ("yard::v1::Berth::size", "harbour.hpp:3"),
        ("length", "quay.h:1"),
        ("Kit::Tools::fold", "Tools.pm:3"),
        ("Kit::Tools::height", "Tools.pm:2"),
        ("Kit::Tools::_Guard::DESTROY", "Tools.pm:5"),
    ],
)
def test_names_are_read_as_they_are_declared_and_as_other_languages_write_them(
    tmp_path: Path, target: str, first: str
) -> None:
    match, *_ = Desk(write_tree(tmp_path, DECLARED)).zoom(target).matches
    assert f"{match.path}:{match.first_line}" == first


def test_a_list_may_be_parted_by_semicolons(tmp_path: Path) -> None:
    found = Desk(write_tree(tmp_path, DECLARED)).zoom("Logger.pop; Common.call")
    assert [match.path for match in found.matches] == ["src/Log/Logger.php", "lib/base.rb"]


OTP = {
    "src/shop.erl": "-module(shop).\nprice(undefined) -> 0;\nprice(X) -> X.\n",
    "src/till.erl": "-module(till).\nprice(X) -> shop:price(X).\n-record(lid, {a}).\n",
    "lib/shop.ex": "defmodule Shop.Till do\n  def load!(a), do: a\nend\n",
}


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("shop:price/1", ["src/shop.erl:2", "src/shop.erl:3"]),
        ("fun till:price/1", ["src/till.erl:2"]),
        ("{till, price, 1}", ["src/till.erl:2"]),
        ("in function till:price/1 (src/till.erl, line 2)", ["src/till.erl:2"]),
        ("#lid{}", ["src/till.erl:3"]),
        ("till", ["src/till.erl:1"]),
        ("till:price", ["src/till.erl:2"]),
        ("src/till.erl::price/1", ["src/till.erl:2"]),
        ("Shop.Till.load!/1", ["lib/shop.ex:2"]),
        ("load!/1", ["lib/shop.ex:2"]),
    ],
)
@pytest.mark.parametrize("only_once", [False, True])
def test_a_name_may_have_its_arity_and_a_module_of_erlang(
    tmp_path: Path, target: str, meant: list[str], *, only_once: bool
) -> None:
    root = write_tree(tmp_path, OTP)
    found = Zoomer(CodeIndex(Roots([root]), workers=Workers(0)), only_once=only_once).zoom(target, str(root))
    assert [f"{match.path}:{match.first_line}" for match in found.matches] == meant
