"""Targets of a first look that are worth reading next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.allocator.shop import overview, told
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path


def test_what_a_declaration_file_groups_is_not_what_to_read_next(tmp_path: Path) -> None:
    functions = "".join(f"  export function step{at}(x: string): Promise<string>\n" for at in range(6))
    tree = {
        "src/deno.d.ts": f"declare namespace Deno {{\n{functions}}}\n",
        "src/shop.ts": "export class Shop {\n  open(x: string) {\n    return Deno.step1(x)\n  }\n}\n",
    }
    tree |= {f"src/part{at}.ts": f"export function part{at}() {{\n  return Deno.step{at}('')\n}}\n" for at in range(6)}
    tree |= {f"docs/{at}.md": "# Text\n\nMore.\n" for at in range(10)}
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert "src/shop.ts::Shop" in listed
    assert "src/deno.d.ts::Deno" not in listed


def test_a_function_that_its_folder_alone_sees_is_read_last(tmp_path: Path) -> None:
    lines = "".join(f"\tx += {number}\n" for number in range(30))
    tree = {"go.mod": "module example.com/shop\n"}
    for number in range(12):
        tree[f"use{number}.go"] = (
            f"package shop\n\nfunc Use{number}(x int) int {{\n\treturn writeRows(x) + ReadRows(x)\n}}\n"
        )
    tree["rows.go"] = f"package shop\n\nfunc writeRows(x int) int {{\n{lines}\treturn x\n}}\n"
    tree["read.go"] = "package shop\n\nfunc ReadRows(x int) int {\n\treturn x\n}\n"
    listed = told(write_tree(tmp_path / "x", tree), "read next")
    assert "ReadRows" in listed
    assert "writeRows" not in listed


def test_what_a_file_of_ruby_only_names_around_a_class_groups_it(tmp_path: Path) -> None:
    body = "".join(f"  def step_{number}(order)\n    order + {number}\n  end\n" for number in range(9))
    tree = {f"app/admin/{name}.rb": f"class Admin::{name.title()}\n{body}end\n" for name in ("page", "basket")}
    tree |= {f"app/use_{number}.rb": f"def use_{number}\n  Admin::Page.new.step_1(2)\nend\n" for number in range(9)}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "read next").startswith("app/admin/page.rb::Admin.Page")
    assert re.search(r"^ +page\.rb: Page\(step_", overview(folder, 3000).context, re.MULTILINE)


def test_of_a_function_of_c_the_declaration_is_no_other_of_its_name(tmp_path: Path) -> None:
    lines = "".join(f"    count += part_{number}(count);\n" for number in range(9))
    body = f"int {{}}(int count) {{{{\n{lines}    return count;\n}}}}\n"
    tree = {
        f"src/part{at}.c": f'#include "all.h"\nint part_{at}(int by) {{ return run_all(by); }}\n' for at in range(9)
    }
    tree |= {f"src/use{at}.c": f"int use_{at}(int by) {{ return load_all(by); }}\n" for at in range(11)}
    tree |= {
        "src/all.h": "int run_all(int count);\n",
        "src/all.c": body.format("run_all"),
        "src/load.c": body.format("load_all"),
    }
    line = told(write_tree(tmp_path / "x", tree), "read next")
    assert line.startswith("src/all.c::run_all, src/load.c::load_all")
    assert "all.h" not in line


def test_what_stands_in_one_of_many_small_packages_is_read_last(tmp_path: Path) -> None:
    body = "".join(f"    pub fn step_{at}(&self) -> u32 {{\n        self.size + {at}\n    }}\n\n" for at in range(12))
    tree = {f"book/part{at}/Cargo.toml": f'[package]\nname = "part{at}"\n' for at in range(60)}
    tree |= {
        f"book/part{at}/src/lib.rs": "pub struct Guess {\n    size: u32,\n}\n\nimpl Guess {\n    pub fn new() {}\n}\n"
        for at in range(60)
    }
    tree |= {"tool/Cargo.toml": '[package]\nname = "tool"\n'}
    tree |= {
        f"tool/src/{name}.rs": f"pub struct {name.title()} {{\n    size: u32,\n}}\n\nimpl {name.title()} {{\n{body}}}\n"
        for name in ("lister", "maker")
    }
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert [target.partition("/")[0] for target in listed] == ["tool", "tool", "book"]


def test_a_step_that_a_database_has_taken_is_not_what_to_read_next(tmp_path: Path) -> None:
    lines = "".join(f"        self.step_{number} = {number}\n" for number in range(30))
    tree = {f"shop/use{at}.py": f"def use_{at}():\n    return Basket(), FixPrice()\n" for at in range(9)}
    tree |= {
        "shop/basket.py": f"class Basket:\n    def run(self):\n{lines}",
        "shop/migrations/0002_fix.py": f"class FixPrice:\n    def run(self):\n{lines * 3}",
    }
    assert told(write_tree(tmp_path / "x", tree), "read next").startswith("shop/basket.py::Basket, ")


def test_a_small_function_that_everybody_calls_is_read_last(tmp_path: Path) -> None:
    body = "".join(f"\tsize{at} := {at}\n" for at in range(30))
    tree = {
        f"part{at}/part{at}.go": f"package part{at}\n\nfunc Open() int {{\n\tdebug.WriteAll(1)\n\treturn {at}\n}}\n"
        for at in range(26)
    }
    tree |= {
        "go.mod": "module shop\n",
        "debug/debug.go": f"package debug\n\nfunc WriteAll(x int) int {{\n{body}\treturn x\n}}\n",
        "desk/desk.go": f"package desk\n\nfunc SellAll(x int) int {{\n{body}\treturn x\n}}\n",
    }
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert "desk/desk.go::SellAll" in listed
    assert listed[0] != "debug/debug.go::WriteAll"


@pytest.mark.parametrize("failures", [("shop/lost.py", "BasketError"), ("shop/errors.py", "Outcome")])
def test_what_tells_of_failures_is_read_behind_all_else(tmp_path: Path, failures: tuple[str, str]) -> None:
    path, name = failures
    body = "".join(f"    def step_{at}(self):\n        return {at}\n\n" for at in range(9))
    tree = {path: f"class {name}(Exception):\n{body}\n\nclass BadOrder({name}):\n{body}"}
    tree["shop/order.py"] = f"class OrderPlan:\n{body}"
    for at in range(9):
        named = "OrderPlan" if at < 3 else at
        tree[f"shop/use{at}.py"] = f"use{at} = ({name}, BadOrder, {named})\n"
    listed = told(write_tree(tmp_path / "x", tree), "read next")
    assert listed == f"shop/order.py::OrderPlan, {path}::{name}"


def test_what_helps_to_build_the_rest_is_read_behind_that(tmp_path: Path) -> None:
    body = "".join(f"    def step_{at}(self):\n        return {at}\n\n" for at in range(9))
    tree = {"shop/order.py": f"class OrderPlan:\n{body}", "build/maker.py": f"class MakerPlan:\n{body}"}
    tree |= {f"shop/use{at}.py": f"use{at} = (MakerPlan, {'OrderPlan' if at < 3 else at})\n" for at in range(9)}
    tree |= {f"shop/more{at}.py": f"class More{at}Plan:\n    at = {at}\n" for at in range(9)}
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert listed[0] == "shop/order.py::OrderPlan"
    assert "build/maker.py::MakerPlan" not in listed


def test_what_programs_name_like_a_column_is_no_table_to_read_next(tmp_path: Path) -> None:
    rows = "".join(f"CREATE TABLE {name} (\n  size INT,\n  price INT\n);\n" for name in ("plans", "goods", "tills"))
    body = "".join(f"    def step_{at}(self, goods):\n        return goods.price\n\n" for at in range(9))
    tree = {"shop/order.py": f"class OrderPlan:\n{body}", "db/schema.sql": rows}
    tree |= {f"shop/use{at}.py": f"def use{at}(plans, goods, tills):\n    return {at}\n" for at in range(9)}
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert listed[0] == "shop/order.py::OrderPlan"
    tree = {path: code for path, code in tree.items() if not path.startswith("shop/use")}
    tree |= {f"db/more{at}.sql": rows.replace("goods", f"more{at}") for at in range(9)}
    assert told(write_tree(tmp_path / "y", tree), "read next").startswith("db/")


@pytest.mark.parametrize(
    ("beside", "is_first"),
    [
        ({"LICENSE": "Free.\n"}, True),
        ({"LICENSE": "Free.\n", "shop/pump/ORIGINAL-PUMP-LICENSE": "Free.\n"}, False),
        ({"shop/pump/LICENSE": "Free.\n"}, True),
        ({"LICENSE": "Free.\n", "shop/pump/license.py": "a = 1\n"}, True),
        ({"LICENSE": "Free.\n", "shop/pump/LICENSE": "", "shop/pump/pyproject.toml": '[project]\nname = "a"\n'}, True),
        ({"LICENSE": "Free.\n", "shop/LICENSE": "Free.\n"}, True),
    ],
)
def test_code_of_others_with_a_license_of_its_own_is_read_last(
    tmp_path: Path, beside: dict[str, str], is_first: bool
) -> None:
    body = "".join(f"    def step_{at}(self):\n        return {at}\n\n" for at in range(9))
    tree = {"shop/pump/pump.py": f"class Pump:\n{body}", "shop/order.py": f"class OrderPlan:\n{body}"}
    tree |= {f"shop/use{at}.py": f"use{at} = (Pump, {'OrderPlan' if at < 3 else at})\n" for at in range(9)}
    first = told(write_tree(tmp_path / "x", tree | beside), "read next").split(", ")[0]
    assert first == ("shop/pump/pump.py::Pump" if is_first else "shop/order.py::OrderPlan")


@pytest.mark.parametrize("mark", ["@RestController\n", ""])
def test_what_answers_a_framework_is_read_second_though_nothing_names_it(tmp_path: Path, mark: str) -> None:
    orders = "".join(f"    int takeOrder{at}(int x) {{\n        return x + {at};\n    }}\n" for at in range(9))
    calls = "".join(f"        x = orders.takeOrder{at}(x);\n" for at in range(9))
    desk = f"{mark}class DeskController {{\n    Orders orders;\n\n    public int sell(int x) {{\n{calls}        return x;\n    }}\n}}\n"
    tree = {"src/Orders.java": f"class Orders {{\n{orders}}}\n", "src/desk/DeskController.java": desk}
    for name in ("Till", "Shelf", "Price"):
        tree[f"src/{name}.java"] = (
            f"class {name} {{\n    Orders orders;\n\n    Till till;\n\n    Shelf shelf;\n{orders.replace('takeOrder', 'keep')}}}\n"
        )
    listed = told(write_tree(tmp_path / "x", tree), "read next").split(", ")
    assert listed[0] == "src/Orders.java::Orders"
    assert (listed[1] == "src/desk/DeskController.java::DeskController") is bool(mark)
