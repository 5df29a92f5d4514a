"""The begin of the main flow, and the choice among many calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.allocator.test_calls import told

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.__main__:main"\n'
_STEPS = "import sys\n\n\ndef main(given=None):\n" + "".join(f"    do_step_{number}(given)\n" for number in range(12))
WORKER = _STEPS + "".join(f"\n\ndef do_step_{number}(given):\n    return given + {number}\n" for number in range(12))


def test_it_begins_where_the_manifest_says_also_through_an_import(tmp_path: Path) -> None:
    tree = {
        "pyproject.toml": MANIFEST,
        "shop/__init__.py": "",
        "shop/__main__.py": "from desk.cli import main\n\nmain()\n",
        "desk/__init__.py": "",
        "desk/cli.py": (
            "from desk.orders import read_orders, ship_orders\n\n\ndef main():\n    ship_orders(read_orders())\n"
        ),
        "desk/orders.py": (
            "def read_orders():\n    return open_rows(1)\n\n\ndef open_rows(x):\n    return x\n\n\n"
            "def ship_orders(rows):\n    return pack_rows(rows)\n\n\ndef pack_rows(rows):\n    return rows\n"
        ),
        "desk/worker.py": WORKER,
    }
    flow = told(tmp_path, tree)
    assert next(iter(flow)) == "desk/cli.py::main"
    assert flow["desk/cli.py::main"] == ["ship_orders", "read_orders"]
    assert flow["read_orders"] == ["open_rows"]


def test_a_function_written_for_each_system_is_called_as_one(tmp_path: Path) -> None:
    cycle = "#include <app.h>\n\nvoid app_worker_cycle(int x)\n{\n    app_%s_wait(x);\n}\n\nvoid app_%s_wait(int x)\n{\n    x++;\n}\n"
    tree = {
        "src/app.h": "void app_worker_cycle(int x);\n",
        "src/main.c": "#include <app.h>\n\nint main(void)\n{\n    app_worker_cycle(1);\n    return 0;\n}\n",
        "src/os/unix/app_cycle.c": cycle % ("unix", "unix"),
        "src/os/win32/app_cycle.c": cycle % ("win", "win"),
    }
    assert told(tmp_path, tree)["main"] == ["app_worker_cycle"]


def test_of_many_calls_those_are_told_that_lead_on_and_not_the_largest(tmp_path: Path) -> None:
    large = "".join(
        f"def show_part_{number}(x):\n" + "".join(f"    x = x + {line}\n" for line in range(40)) + "    return x\n\n\n"
        for number in range(5)
    )
    body = "".join(f"    show_part_{number}(1)\n" for number in range(5))
    tree = {
        "app/shown.py": large,
        "app/cli.py": (
            f"from app.shown import {', '.join(f'show_part_{number}' for number in range(5))}\n"
            f"from app.engine import run_engine\n\n\ndef main():\n{body}    run_engine(2)\n"
        ),
        "app/engine.py": "from app.store import open_store\n\n\ndef run_engine(x):\n    return open_store(x)\n",
        "app/store.py": "def open_store(x):\n    return read_rows(x)\n\n\ndef read_rows(x):\n    return x\n",
    }
    flow = told(tmp_path, tree)
    assert "run_engine" in flow["main"]
    assert flow["open_store"] == ["read_rows"]


def test_of_what_is_called_the_branch_that_leads_farthest_is_followed_first(tmp_path: Path) -> None:
    checks = [f"check_{number}" for number in range(3)]
    tree = {
        "app/cli.py": (
            f"from app.checks import {', '.join(checks)}\nfrom app.daemon import run_daemon\n\n\n"
            "def main():\n    parse_flags(1)\n\n\ndef parse_flags(x):\n"
            + "".join(f"    {name}(x)\n" for name in checks)
            + "    run_daemon(x)\n"
        ),
        "app/checks.py": "".join(
            f"def {name}(x):\n    return read_{name}(x)\n\n\ndef read_{name}(x):\n    return x\n\n\n" for name in checks
        ),
        "app/daemon.py": "from app.server import serve_all\n\n\ndef run_daemon(x):\n    return serve_all(x)\n",
        "app/server.py": "from app.routes import find_route\n\n\ndef serve_all(x):\n    return find_route(x)\n",
        "app/routes.py": "def find_route(x):\n    return match_path(x)\n\n\ndef match_path(x):\n    return x\n",
    }
    flow = told(tmp_path, tree)
    assert flow["run_daemon"] == ["serve_all"]
    assert flow["serve_all"] == ["find_route"]


@pytest.mark.parametrize("name", ["__str__", "close"])
def test_how_a_value_looks_or_ends_and_what_a_package_keeps_to_itself_begin_no_flow(tmp_path: Path, name: str) -> None:
    calls = "".join(f"        self.show_{number}()\n" for number in range(6))
    shows = "".join(f"\n    def show_{number}(self):\n        return {number}\n" for number in range(6))
    kept = "".join(f"def keep_{number}(x):\n    return keep_{number + 1}(x)\n\n\n" for number in range(6))
    tree = {
        "shop/__init__.py": "from shop.desk import Desk\n",
        "shop/desk.py": (
            f"class Desk:\n    def {name}(self):\n{calls}{shows}\n    def take_order(self, row):\n"
            "        return self.write_row(row)\n\n    def write_row(self, row):\n        return row\n"
        ),
        "shop/_internal/keeping.py": f"from shop.desk import Desk\n\n\n{kept}def keep_6(x):\n    return Desk()\n",
    }
    assert told(tmp_path, tree) == {"Desk.take_order": ["Desk.write_row"]}


def shop_module(functions: dict[str, str]) -> str:
    return "".join(f"def {name}(x):\n    {body}\n    return x\n\n\n" for name, body in functions.items())


def orders_module(*, last: int = 6) -> str:
    """A module of functions each of which calls the next."""
    return shop_module(
        {f"take_order_{at}": f"take_order_{at + 1}(x)" for at in range(last)} | {f"take_order_{last}": "x += 1"}
    )


def test_it_begins_with_what_the_readme_calls(tmp_path: Path) -> None:
    code = shop_module(
        {
            "keep_orders": "check_orders(x)",
            "ship_orders": "pack_orders(x)",
            "check_orders": "x += 1",
            "pack_orders": "x += 2",
        }
    )
    readmes = {f"`keep_orders` keeps. Then:\n\n    {name}(1)\n": name for name in ("keep_orders", "ship_orders")}
    for readme, name in readmes.items():
        flow = told(tmp_path / name, {"shop/orders.py": code, "README.md": f"# Shop\n\n{readme}"})
        assert next(iter(flow)) == name


def test_it_begins_with_what_the_root_of_a_package_holds_itself_or_hands_on(tmp_path: Path) -> None:
    steps = range(8)
    calls = " ".join(f"keep{step}(x);" for step in steps)
    kept = "".join(f"function keep{step}(x) {{ return x + {step} }}\n" for step in steps)
    tree = {
        "package.json": '{"name": "shop", "main": "index.js"}',
        "index.js": "import { readAll } from './lib/read.js'\n\nexport function compile(x) { return readAll(x) }\n",
        "lib/read.js": f"export function readAll(x) {{ {calls} }}\n{kept}",
    }
    for number in range(40):
        members = "".join(f"  step{number}{at}(x) {{ return x + {at} }}\n" for at in range(4))
        other = f"import {{ Part{number - 1} }} from './part{number - 1}.js'\n" if number else ""
        tree[f"lib/part{number}.js"] = f"{other}export class Part{number} {{\n{members}}}\n"
    assert told(tmp_path / "itself", tree)["compile"] == ["readAll"]
    tree["lib/first.js"] = tree["index.js"].replace("./lib/", "./")
    tree["index.js"] = "module.exports = require('./lib/first')\n"
    assert told(tmp_path / "on", tree)["compile"] == ["readAll"]
    tree["index.js"] = "export { compile } from './lib/first.js'\nexport { Part0 } from './lib/part0.js'\n"
    assert told(tmp_path / "name", tree)["compile"] == ["readAll"]


def test_examples_among_the_source_begin_nothing(tmp_path: Path) -> None:
    shop = "src/main/java/org/shop"
    tree = {
        f"{shop}/Shop.java": "public class Shop {\n    public int openAll(int x) {\n        return readRow(x);\n    }\n\n"
        "    int readRow(int x) {\n        return x + 2;\n    }\n}\n",
        f"{shop}/examples/Show.java": "public class Show {\n    public static void main(String[] args) {\n"
        "        new Shop().openAll(1);\n    }\n}\n",
    }
    assert next(iter(told(tmp_path, tree))) == "Shop.openAll"


def test_it_begins_with_what_is_named_after_doing_the_whole_work(tmp_path: Path) -> None:
    code = shop_module({"keep_orders": "check_orders(x)", "execute": "pack_orders(x)", "check_orders": "x += 1"})
    tree = {
        "shop/orders.py": code + shop_module({"pack_orders": "x += 2"}),
        "README.md": "# Shop\n\n`keep_orders` keeps.\n",
    }
    assert next(iter(told(tmp_path, tree))) == "execute"


_PARTS = {
    "lib/shop.h": "class Shop {\n public:\n  int open_all(int x);\n\n private:\n  int clean_all(int x);\n  int read(int x);\n};\n",
    "lib/shop.cc": '#include "shop.h"\n\nint Shop::clean_all(int x) {\n  return open_all(x);\n}\n\n'
    "int Shop::open_all(int x) {\n  return read(x);\n}\n\nint Shop::read(int x) {\n  return x;\n}\n",
}
_OF_RUBY = "class Shop\n  def open_all(x)\n    read_row(x)\n  end\n\n  private\n\n  def clean_all(x)\n    open_all(x)\n  end\n\n  def read_row(x)\n    x\n  end\nend\n"


@pytest.mark.parametrize("tree", [_PARTS, {"lib/shop.rb": _OF_RUBY}])
def test_it_begins_with_nothing_that_stands_in_a_private_part(tmp_path: Path, tree: dict[str, str]) -> None:
    assert next(iter(told(tmp_path, tree))) == "Shop.open_all"


def test_a_tool_beside_headers_for_others_begins_only_what_reaches_far(tmp_path: Path) -> None:
    steps = "".join(f"int step_{number}(int x);\n" for number in range(8))
    bodies = "".join(f"int step_{number}(int x) {{\n  return step_{number + 1}(x);\n}}\n" for number in range(7))
    tree = {
        "include/shop/shop.h": f"int open_shop(int x);\n{steps}",
        "src/shop.c": f'#include "shop/shop.h"\n\nint open_shop(int x) {{\n  return step_0(x);\n}}\n{bodies}int step_7(int x) {{\n  return x;\n}}\n',
        "src/dump.c": '#include "shop/shop.h"\n\nint main(void) {\n  return step_5(1);\n}\n',
    }
    assert next(iter(told(tmp_path, tree))).endswith("::open_shop")


@pytest.mark.parametrize(("package", "flow"), [("shop_desk", ["run"]), ("other", None)])
def test_the_main_flow_goes_into_the_package_that_code_calls_by_its_name(
    tmp_path: Path, package: str, flow: list[str] | None
) -> None:
    calls = "".join(f"    Part{at}::open_part{at}();\n" for at in range(9))
    tree = {
        "Cargo.toml": '[package]\nname = "shop-desk"\n\n[[bin]]\nname = "shop"\npath = "src/main.rs"\n',
        "src/begin.rs": f"pub fn run() {{\n{calls}}}\n",
        "src/main.rs": f"fn main() {{\n    {package}::run();\n}}\n",
        "crates/aid/Cargo.toml": '[package]\nname = "aid"\n',
        "crates/aid/src/main.rs": "fn main() {\n    load_aid();\n}\n\nfn load_aid() {\n    print_aid();\n}\n\nfn print_aid() {}\n",
    }
    tree |= {
        f"src/part{at}.rs": f"pub(crate) struct Part{at} {{}}\n\nimpl Part{at} {{\n    pub(crate) fn open_part{at}() {{}}\n}}\n"
        for at in range(9)
    }
    told_of = told(tmp_path, tree)
    assert told_of.get("src/main.rs::main") == flow
    assert "crates/aid/src/main.rs::main" not in told_of


def test_it_goes_on_behind_an_overload_that_only_calls_another(tmp_path: Path) -> None:
    body = "".join(f"        x = step{at}(x);\n" for at in range(3))
    steps = "".join(f"\n    int step{at}(int x) {{\n        return x + {at};\n    }}\n" for at in range(3))
    code = (
        "public class Shop {\n    public int openAll(int x) {\n        return openAll(x, 1);\n    }\n\n"
        f"    public int openAll(int x, int y) {{\n{body}        return x + y;\n    }}\n{steps}}}\n"
    )
    flow = told(tmp_path, {"src/main/java/org/shop/Shop.java": code})
    assert flow["Shop.openAll"] == ["Shop.step0", "Shop.step1", "Shop.step2"]


def test_a_program_that_comes_to_what_reaches_most_begins_before_that(tmp_path: Path) -> None:
    steps = "".join(f"func openPart{at}() int {{\n\treturn openPart{at + 1}()\n}}\n\n" for at in range(40))
    members = "".join(f"  step{at}(x: Page) {{\n    return x;\n  }}\n" for at in range(9))
    tree = {
        f"ui/src/show{at}.ts": f"import {{ Page }} from './page'\nexport const show{at} = (x: Page) => x.step{at}(x)\n"
        for at in range(9)
    }
    tree |= {
        "go.mod": "module shop\n",
        "ui/package.json": '{"name": "ui"}',
        "ui/src/page.ts": f"export class Page {{\n{members}}}\n",
        "main.go": 'package main\n\nimport "shop/desk"\n\nfunc main() {\n\tserve()\n}\n\nfunc serve() {\n\tdesk.Create()\n}\n',
        "desk/desk.go": f"package desk\n\nfunc Create() int {{\n\treturn openPart0()\n}}\n\n{steps}func openPart40() int {{\n\treturn 1\n}}\n",
    }
    flow = told(tmp_path, tree)
    assert [*flow][:3] == ["main", "serve", "Create"]


@pytest.mark.parametrize(
    "said", ["import { boot } from './boot'\nboot(1)", "run(() =>\n  import('./boot').then(({ boot }) => boot(1)))"]
)
def test_it_begins_with_what_the_file_calls_that_a_script_starts(tmp_path: Path, said: str) -> None:
    members = "".join(f"  step{at}(x) {{ return this.step{at + 1}(x) }}\n" for at in range(9))
    tree = {
        "package.json": '{"scripts": {"start": "node server/index.js"}}',
        "server/index.js": f"{said}\n",
        "server/boot.js": "export function boot(x) { return readAll(x) }\nfunction readAll(x) { return keepAll(x) }\nfunction keepAll(x) {}\n",
        "server/part.js": f"export class Part {{\n{members}  step9(x) {{}}\n}}\n",
    }
    assert next(iter(told(tmp_path, tree))) == "boot"


def test_what_does_the_whole_work_is_told_though_others_lead_farther(tmp_path: Path) -> None:
    calls = "".join(f"    prepare_{at}(1)\n" for at in range(6))
    tree = {
        "shop/cli.py": f"from shop.steps import *\n\n\ndef main():\n{calls}    event_loop(2)\n\n\n"
        + shop_module({"event_loop": "wait_once(x)", "wait_once": "x += 1"}),
        "shop/steps.py": shop_module({f"prepare_{at}": "take_order_0(x)" for at in range(6)}) + orders_module(),
    }
    tree["shop/cli.py"] = tree["shop/cli.py"].replace("*", ", ".join(f"prepare_{at}" for at in range(6)))
    assert "event_loop" in told(tmp_path, tree)["main"]


def test_what_everybody_uses_is_no_step_of_the_flow(tmp_path: Path) -> None:
    said = "from shop.log import log_debug\n\n\n"
    tree = {f"shop/part{at}.py": said + shop_module({f"open_part_{at}": "log_debug(x)"}) for at in range(14)}
    tree["shop/log.py"] = shop_module({"log_debug": "x += 1"})
    tree["shop/cli.py"] = (
        "from shop.log import log_debug\nfrom shop.part0 import open_part_0\n\n\n"
        "def main():\n    log_debug(1)\n    open_part_0(2)\n"
    )
    assert told(tmp_path, tree) == {"main": ["open_part_0"], "open_part_0": ["log_debug"]}


def test_of_types_of_one_name_the_file_is_told_that_it_begins_in(tmp_path: Path) -> None:
    tree = {
        f"shop/{name}/shop.py": f"class Shop:\n    def open_all(self):\n        self.keep_{name}()\n\n"
        f"    def keep_{name}(self):\n        return 1\n"
        for name in ("near", "far")
    }
    assert re.fullmatch(r"shop/(near|far)/shop\.py::Shop\.open_all", next(iter(told(tmp_path, tree))))


def test_a_function_of_go_is_known_in_its_folder_whatever_others_are_called(tmp_path: Path) -> None:
    helping = "".join(f"func HelpWith{at}() int {{\n\treturn {at}\n}}\n\n" for at in range(6))
    tree = {
        "go.mod": "module shop\n",
        "main.go": 'package main\n\nimport "shop/app"\n\nfunc main() {\n\tapp.Start()\n}\n',
        "app/start.go": "package app\n\nfunc Start() {\n\tHelpWith0()\n\tRun()\n}\n",
        "app/app.go": f"package app\n\ntype App struct{{}}\n\nfunc Run() {{\n\tapp, err := NewApp()\n\tapp.Run(err)\n}}\n\n"
        f"func NewApp() (*App, error) {{\n\treturn &App{{}}, nil\n}}\n\nfunc (app *App) Run(err error) {{\n\tHelpWith1()\n}}\n\n{helping}",
        "aid/aid.go": "package aid\n\nfunc Run() {\n\tStep()\n}\n\nfunc Step() {}\n",
    }
    flow = told(tmp_path, tree)
    assert flow["Start"] == ["HelpWith0", "Run"]
    assert flow["Run"] == ["NewApp", "App.Run"]


def test_what_everybody_calls_by_its_folder_is_no_step_of_the_flow(tmp_path: Path) -> None:
    tree = {
        f"part{at}/part{at}.go": f'package part{at}\n\nimport "shop/debug"\n\nfunc OpenPart{at}() int {{\n\tdebug.Log(1)\n\treturn {at}\n}}\n'
        for at in range(14)
    }
    tree |= {
        "go.mod": "module shop\n",
        "debug/debug.go": "package debug\n\nfunc Log(x int) int {\n\treturn Keep(x)\n}\n\nfunc Keep(x int) int {\n\treturn x\n}\n",
        "main.go": 'package main\n\nimport (\n\t"shop/debug"\n\t"shop/part0"\n)\n\nfunc main() {\n\tdebug.Log(1)\n\tpart0.OpenPart0()\n}\n',
    }
    assert told(tmp_path, tree)["main"] == ["OpenPart0"]


def test_where_no_package_is_large_the_flow_is_that_of_those_that_are_told_of(tmp_path: Path) -> None:
    steps = "".join(f"  step{at}(x: number): number {{\n    return this.step{at + 1}(x)\n  }}\n" for at in range(9))
    tree = {
        f"packages/part{at}/src/part{at}.ts": f"export class Part{at} {{\n  openPart{at}(x: number): number {{\n    return this.step0(x)\n  }}\n{steps}"
        "  step9(x: number): number {\n    return x\n  }\n}\n"
        for at in range(20)
    }
    tree |= {f"packages/part{at}/package.json": f'{{"name": "part{at}"}}' for at in range(20)}
    assert "step0" in next(iter(told(tmp_path, tree).values()))[0]


@pytest.mark.parametrize(("mark", "begin"), [("@Deprecated\n    ", "Shop.closeAll"), ("", "Shop.openAll")])
def test_it_does_not_begin_with_what_nobody_is_to_use_any_more(tmp_path: Path, mark: str, begin: str) -> None:
    body = "".join(f"        step{at}(x);\n" for at in range(4))
    steps = "".join(f"\n    private int step{at}(int x) {{\n        return x;\n    }}\n" for at in range(4))
    code = (
        f"public class Shop {{\n    {mark}public int openAll(int x) {{\n{body}        return x;\n    }}\n\n"
        f"    public int closeAll(int x) {{\n        step0(x);\n        return step1(x);\n    }}\n{steps}}}\n"
    )
    assert next(iter(told(tmp_path, {"src/main/java/org/shop/Shop.java": code}))) == begin


def test_what_is_called_as_another_that_is_told_already_is_told_by_its_target(tmp_path: Path) -> None:
    parts = ("tea", "jam", "oil")
    tree = {
        "src/main.rs": "mod drawn;\nmod shelf;\n\nfn main() {\n    drawn::row(1);\n}\n",
        "src/drawn.rs": "use crate::shelf;\n\npub fn row(at: u8) -> u8 {\n    shelf::choose_row(at)\n}\n",
        "src/shelf/mod.rs": (
            "mod jam;\nmod oil;\nmod tea;\n\npub fn choose_row(at: u8) -> u8 {\n    match at {\n"
            + "".join(f"        {number} => {part}::row(at),\n" for number, part in enumerate(parts))
            + "        _ => 0,\n    }\n}\n"
        ),
        **{
            f"src/shelf/{part}.rs": f"pub fn row(at: u8) -> u8 {{\n    weigh_{part}(at)\n}}\n\nfn weigh_{part}(at: u8) -> u8 {{\n    at\n}}\n"
            for part in parts
        },
    }
    flow = told(tmp_path, tree)
    assert flow["main"] == ["row"]
    assert flow["row"] == ["choose_row"]
    (one,) = flow["choose_row"]
    assert re.fullmatch(r"src/shelf/(tea|jam|oil)\.rs::row", one)
    assert flow[one] == [f"weigh_{one[10:13]}"]


def test_a_variant_of_what_is_called_too_is_not_told(tmp_path: Path) -> None:
    body = "    read_rows(x)\n    sort_rows(x)\n"
    tree = {
        "app/cli.py": (
            "from app.work import draw, draw_with_frame, bill_with_tax\n\n\ndef main(x):\n"
            "    draw(x)\n    draw_with_frame(x)\n    bill_with_tax(x)\n\n\nif __name__ == '__main__':\n    main(1)\n"
        ),
        "app/work.py": (
            "from app.rows import read_rows, sort_rows\n\n\n"
            f"def draw(x):\n{body}\n\ndef draw_with_frame(x):\n{body}    return x\n\n\ndef bill_with_tax(x):\n{body}"
        ),
        "app/rows.py": "def read_rows(x):\n    return x\n\n\ndef sort_rows(x):\n    return x\n",
    }
    assert told(tmp_path, tree)["main"] == ["draw", "bill_with_tax"]


def test_what_prepares_the_work_is_not_taken_for_what_does_it(tmp_path: Path) -> None:
    calls = "".join(f"    do_part_{number}(x)\n" for number in range(4))
    parts = "".join(
        f"def do_part_{number}(x):\n    read_rows(x)\n    sort_rows(x)\n    draw_rows(x)\n\n\n" for number in range(4)
    )
    tree = {
        "app/cli.py": (
            "from app.parts import do_part_0, do_part_1, do_part_2, do_part_3\nfrom app.rows import init_main\n\n\n"
            f"def main(x):\n    init_main(x)\n{calls}\n\nif __name__ == '__main__':\n    main(1)\n"
        ),
        "app/parts.py": f"from app.rows import read_rows, sort_rows, draw_rows\n\n\n{parts}",
        "app/rows.py": (
            "def init_main(x):\n    return read_rows(x)\n\n\ndef read_rows(x):\n    return x\n\n\n"
            "def sort_rows(x):\n    return x\n\n\ndef draw_rows(x):\n    return x\n"
        ),
    }
    assert told(tmp_path, tree)["main"] == [f"do_part_{number}" for number in range(4)]


def test_a_program_of_a_package_beside_the_one_worth_reading_comes_behind_that(tmp_path: Path) -> None:
    calls = {at: f"  return {{0}}{at + 1}(x)\n" if at < 4 else "  return x\n" for at in range(5)}
    tree = {
        f"packages/{name}/src/{name}{at}.ts": f"import {{{name}{at + 1}}} from './{name}{at + 1}'\n"
        f"export function {name}{at}(x: number) {{\n{calls[at].format(name)}}}\n"
        for name in ("shop", "plan")
        for at in range(5)
    }
    tree |= {f"packages/shop/src/use{at}.ts": f"export const use{at} = () => shop0({at})\n" for at in range(9)}
    tree |= {
        "packages/shop/package.json": '{"name": "@x/shop", "main": "./dist/index.js"}',
        "packages/shop/src/index.ts": "export { shop0 } from './shop0'\n",
        "packages/plan/package.json": '{"name": "@x/plan", "bin": {"plan": "./dist/cli.js"}}',
        "packages/plan/src/cli.ts": "import { plan0 } from './plan0'\nfunction main() {\n  plan0(1)\n}\n",
    }
    assert next(iter(told(tmp_path / "beside", tree))) == "shop0"
    tree["packages/plan/src/plan3.ts"] = (
        "import {shop0} from '@x/shop'\nexport function plan3(x: number) {\n  return shop0(x)\n}\n"
    )
    assert next(iter(told(tmp_path / "using", tree))) == "main"
