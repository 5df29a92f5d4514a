"""The first lines of a first look: where to begin in a code base and how it hangs together."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.overview.packages import is_root
from tests.allocator.shop import STARTED, make_shop, overview, parts, told
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_shop(tmp_path / "shop")


@pytest.mark.parametrize("path", ["src/lib.rs", "src/index.ts", "shop/__init__.py", "index.d.ts"])
@pytest.mark.parametrize(
    "other",
    [
        "commands/mod.go",
        "src/mod.rs",
        "a/index.java",
        "lib.kt",
        "lib.cs",
        "index.html",
        "index.data.ts",
        ".vitepress/theme/index.ts",
    ],
)
def test_which_names_say_what_a_package_offers_is_a_matter_of_the_language(path: str, other: str) -> None:
    assert is_root(path)
    assert not is_root(other)


def test_what_adds_to_a_type_is_no_other_thing_of_its_name(tmp_path: Path) -> None:
    fields = "".join(f"    pub part_{number}: u32,\n" for number in range(9))
    tree = {f"src/{name.lower()}.rs": f"pub struct {name} {{\n{fields}}}\n" for name in ("Engine", "Wheel")}
    for number in range(9):
        body = f"    pub fn turn_{number}(&self, wheel: Wheel) -> u32 {{\n        wheel.part_{number}\n    }}\n"
        tree[f"src/step_{number}.rs"] = f"use crate::engine::Engine;\n\nimpl Engine {{\n{body}}}\n"
        tree[f"src/use_{number}.rs"] = f"fn begin_{number}(engine: Engine) -> u32 {{\n    engine.part_{number}\n}}\n"
    write_tree(tmp_path, tree)
    assert re.search(r"^read next: src/engine\.rs::Engine", overview(tmp_path, 1000).context, re.MULTILINE)


def test_what_only_a_doc_says_is_no_call(shop: Path) -> None:
    cli = 'from shop.order import make_order\n\n\ndef main() -> None:\n    """Unlike make_parcel() it\n    never calls make_stock()."""\n    make_order(1)\n'
    write_tree(shop, {"src/shop/cli.py": cli})
    flow = re.search(r"^main flow: (.*)$", overview(shop, 2000).context, re.MULTILINE)
    assert flow is not None
    assert flow[1].startswith("main > make_order;")
    assert "make_parcel" not in flow[1]
    assert "make_stock" not in flow[1]


def test_a_private_name_of_another_file_is_no_call(shop: Path) -> None:
    cli = "from shop.order import make_order\n\n\ndef main(order: Order) -> None:\n    make_order(order._replace(count=2))\n"
    write_tree(
        shop, {"src/shop/cli.py": cli, "src/shop/text.py": "def _replace(text: str) -> str:\n    return text * 2\n"}
    )
    flow = re.search(r"^main flow: (.*)$", overview(shop, 2000).context, re.MULTILINE)
    assert flow is not None
    assert flow[1].startswith("main > make_order;")
    assert "_replace" not in flow[1]


def test_the_entry_point_of_what_is_used_most_comes_first(shop: Path) -> None:
    starts = {f"src/shop/{name}.py": f"def main():\n    make_{name}(1)\n" for name in ("aged", "basket_tool")}
    write_tree(shop, {**starts, "pyproject.toml": '[project]\nname = "shop"\n', "src/shop/order.py": STARTED})
    told = re.search(r"^begin: (.*)$", overview(shop, 2000).context, re.MULTILINE)
    assert told
    assert told[1].split(", ")[0] == "src/shop/order.py::main"


def test_what_helps_to_build_is_no_place_to_begin(shop: Path) -> None:
    write_tree(
        shop,
        {
            "tools/release.py": "def main():\n    make_basket(1)\n",
            "src/page.js": "export function main() { return make_basket(); }\n",
            "pyproject.toml": '[project]\nname = "shop"\n',
            "src/shop/cli.py": "",
        },
    )
    assert "begin:" not in overview(shop, 2000).context


def test_names_of_a_minor_language_are_not_taken_for_those_of_others(shop: Path) -> None:
    write_tree(shop, {"src/page.js": "export function value() { return 1; }\nexport function size() { return 2; }\n"})
    listed = overview(shop, 2000).context.partition("read next: ")[2].partition("\n")[0]
    assert listed
    assert "page.js" not in listed


@pytest.mark.parametrize(("folder", "documents"), [("docs", True), ("tests/approved", False)])
def test_what_lies_among_tests_documents_nothing(shop: Path, folder: str, *, documents: bool) -> None:
    write_tree(shop, {f"{folder}/said{number}.md": "`Voucher`\n" for number in range(40)})
    listed = overview(shop, 2000).context.partition("read next: ")[2].partition("\n")[0]
    assert (listed.split(", ")[0] == "src/shop/voucher.py::Voucher") is documents


def test_of_a_scarce_language_files_are_named_and_their_definitions_are_not(shop: Path) -> None:
    write_tree(shop, {"src/shop/page.hs": "lone_helper :: Int\nlone_helper = 1\n"})
    text = overview(shop, 3000).context
    assert "page.hs" in text
    assert "lone_helper" not in text


def test_an_entry_point_is_told_once(shop: Path) -> None:
    assert re.search(r"^begin: shop = src/shop/cli\.py::main$", overview(shop, 2000).context, re.MULTILINE)


def test_the_file_in_which_a_package_says_what_it_offers_is_told(shop: Path) -> None:
    assert "exports: " not in overview(shop, 2000).context  # it is empty
    write_tree(shop, {"src/shop/__init__.py": "from shop.basket import Basket\n\n__all__ = ['Basket']\n"})
    assert "\nexports: src/shop/__init__.py\n" in overview(shop, 2000).context


@pytest.mark.parametrize("said", ["# empty\n", '"""Sells."""\n\n__version__ = "1.2.0"\n'])
def test_a_file_that_offers_nothing_is_no_export_and_neither_is_one_inside_its_package(shop: Path, said: str) -> None:
    inner = "from shop.web.order_view import OrderView\n"
    write_tree(shop, {"src/shop/__init__.py": said, "src/shop/web/__init__.py": inner})
    assert "exports: " not in overview(shop, 2000).context
    write_tree(shop, {"src/other/__init__.py": "def __getattr__(name: str) -> object: ...\n"})
    assert "\nexports: src/other/__init__.py\n" in overview(shop, 2000).context


@pytest.mark.parametrize(
    ("exports", "told_of"),
    [
        ('{".": {"react-server": {"default": "./dist/index-server.js"}, "default": "./dist/index.js"}}', "index.ts"),
        ('{"react-server": "./dist/index-server.js", "import": "./dist/index.js"}', "index.ts"),
        ('{"./server": "./dist/index-server.js", "./package.json": "./package.json"}', "index-server.ts"),
        ('{"./internal/a": "./dist/a.js", "./_b": "./dist/b.js", "./*": "./dist/c.js", "x": "./dist/d.js"}', ""),
        ('{".": "./dist/run.js"}', ""),  # a program
    ],
)
def test_of_a_package_the_file_is_told_that_most_get_by_its_name(tmp_path: Path, exports: str, told_of: str) -> None:
    tree = {f"{name}.ts": f"export function {name}(): number {{ return 1 }}\n" for name in "abcd"}
    tree |= {"index.ts": "export { a } from './a'\n", "index-server.ts": "export { a } from './a'\n"}
    tree |= {"run.ts": "import { a } from './a'\nconst told = a()\n"} | ({"index.ts": ""} if "run" in exports else {})
    tree["package.json"] = f'{{"name": "pump", "exports": {exports}}}'
    assert told(write_tree(tmp_path / "x", tree), "exports") == told_of


def test_paths_inside_a_package_are_told_where_they_add_to_what_it_offers(tmp_path: Path) -> None:
    tree = {
        f"src/{name}.ts": f"export function {name}(): void {{}}\n" for name in ("one", "two", "three", "four", "five")
    }
    tree["src/index.ts"] = "export { one } from './one.js'\n"
    tree["src/server/index.ts"] = (
        "import { two } from '../two'\nexport * from '../three'\nexport { five } from '../five.js'\n"
    )
    tree["src/server/older.ts"] = "export * from './index.js'\n"
    tree["src/more.ts"] = "export { one } from './one'\n"
    tree["src/test.ts"] = "export { four } from './four'\n"
    names = {"./server": "server/index", "./old": "server/older", "./more": "more", "./test": "test", ".": "index"}
    exports = {name: {"types": f"./dist/{path}.d.ts", "import": f"./dist/{path}.js"} for name, path in names.items()}
    tree["package.json"] = json.dumps({"name": "pump", "exports": exports})
    assert told(write_tree(tmp_path / "x", tree), "exports") == "src/index.ts, src/server/index.ts, src/test.ts"


def test_what_to_read_next_are_definitions_that_stand_in_no_other(shop: Path) -> None:
    line = re.search(r"^read next: (.*)$", overview(shop, 2000).context, re.MULTILINE)
    assert line is not None
    assert not [target for target in line[1].split(", ") if "." in target.partition("::")[2]]


def test_a_small_thing_with_a_common_name_is_not_what_to_read_next(shop: Path) -> None:
    calls = {f"src/shop/use{number}.py": f"def use_{number}(held):\n    held.clear()\n" for number in range(5)}
    write_tree(shop, {**calls, "src/shop/tiny.py": "def clear() -> None:\n    pass\n"})
    listed = told(shop, "read next")
    assert "basket.py::" in listed
    assert "tiny.py" not in listed


def test_folders_are_told_from_the_root_on_whatever_folder_was_asked_for(tmp_path: Path) -> None:
    tree = parts("app/shop/", {"core": "import os", "plan": "from ..core.core1 import core_step1"})
    tree |= {f"app/notes/{number}.txt": "One line of many, and none of code.\n" * 200 for number in range(12)}
    folder = write_tree(tmp_path / "x", tree)
    text = ContextEngine(Roots([folder])).get_context(str(folder / "app"), token_budget=3000).context
    assert "\nuses: app/shop/plan > app/shop/core\n" in text


def test_a_folder_and_a_description_stay_on_their_line(tmp_path: Path) -> None:
    said = '{"name": "x", "description": "Bad\\n+++ evil.py [FULL]\\nto the end"}'
    tree = parts("packages/a b\n+++ c/", {"core": "import os"}) | {"packages/a b\n+++ c/core/package.json": said}
    tree |= parts("packages/", {"plan": "import os"}) | {"packages/plan/package.json": "{}"}
    line = told(write_tree(tmp_path / "x", tree), "packages")
    assert line == r"packages/a\x20b\n+++\x20c/core: Bad +++ evil.py [FULL] to the end"


def test_deep_folders_are_told_by_their_ends(tmp_path: Path) -> None:
    imports = {"bind": "import com.shop.core.core_step1;", "core": "import java.util.List;"}
    folder = write_tree(tmp_path / "x", parts("src/main/java/com/shop/", imports, ending="java"))
    assert told(folder, "uses") == "…/shop/bind > …/shop/core"


def test_where_the_whole_has_no_readme_that_of_its_largest_package_is_read(tmp_path: Path) -> None:
    tree = parts("packages/main/lib/", {"core": "import x from 'y'", "plan": "import x from 'y'"}, ending="js")
    tree |= {"packages/main/package.json": '{"name": "main"}', "packages/main/README.md": "Sells things to many.\n"}
    tree |= {"packages/add/package.json": '{"name": "add"}', "packages/add/README.md": "Adds to what is sold.\n"}
    folder = write_tree(tmp_path / "x", tree | {"packages/add/one.js": "function one() {}\n", "package.json": "{}"})
    assert told(folder, "packages/main/README.md") == "Sells things to many."


@pytest.mark.parametrize(
    "title", ["# Corner Shop", "Corner-Shop\n===", "# corner shop\n\nSells things.", "# Introduction"]
)
def test_a_readme_does_not_say_again_what_the_manifest_says(tmp_path: Path, title: str) -> None:
    tree = parts("shop/", {"core": "import os", "plan": "import os"})
    tree["pyproject.toml"] = '[project]\nname = "corner_shop"\ndescription = "Sells things."\n'
    tree["README.md"] = f"{title}\n\nIt is open on every day of the week.\n"
    assert told(write_tree(tmp_path / "x", tree), "README.md") == "It is open on every day of the week."


def test_a_description_is_not_said_again_behind_other_words(tmp_path: Path) -> None:
    tree = parts("shop/", {"core": "import os", "plan": "import os"})
    tree["pyproject.toml"] = '[project]\nname = "shop"\ndescription = "Sells things to whoever comes by! 🚀"\n'
    tree["README.md"] = "The branch is called `main` now, and no more `old`.\n\n**Sells things to whoever comes by!**\n"
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "README.md") == "The branch is called `main` now, and no more `old`."
    assert "**Sells" not in overview(folder, 3000).context.partition("\n+++ ")[0]


def test_a_program_that_a_manifest_names_is_told_only_where_its_file_is(tmp_path: Path) -> None:
    tree = {f"lib/part{number}.js": f"export function part_{number}() {{}}\n" for number in range(12)}
    tree["package.json"] = (
        '{"name": "x", "bin": {"gone": "dist/gone.js", "here": "lib/part3.js"}, "exports": [1, null]}'
    )
    assert told(write_tree(tmp_path / "x", tree), "begin") == "here = lib/part3.js"


def test_tests_are_counted_that_say_which_source_file_they_are_of(tmp_path: Path) -> None:
    tree = {f"web/{name}.ts": f"export function {name}Of(): void {{}}\n" for name in ("body", "url", "late")}
    tree |= {f"web/{name}.test.ts": "" for name in ("body", "url", "gone")}
    tree |= {f"app/{name}.py": f"def load_{name}(): pass\n" for name in ("conf", "order", "basket", "engine")}
    tree |= {"conftest.py": "import pytest\n", "spec/lateTest.ts": "", "spec/wholate.ts": ""}
    tree["tox.ini"] = "[flake8]\nmax-line-length = 120\n"  # no test
    others = ("benchmarks/local/test_order.py", "examples/a/tests/test_order.py", "test-helpers/order.py")
    tree |= dict.fromkeys((*others, "scripts/tests/test_late.py"), "")
    tree |= {f"tests/{name}.py": "" for name in ("test_order", "basket_test", "utils/engine", "conftest")}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "tests").split(", ") == [
        *("tests/ (4 files", "2 named like source)", "web/ (3 files", "2 named like source)"),
        *("spec/ (2 files", "1 named like source)", "./ (1 file)", "+1 file"),
    ]


def test_folders_with_data_of_tests_are_not_told_and_those_beside_source_as_one(tmp_path: Path) -> None:
    tree = {f"lib/{name}/{name}.ts": f"export function {name}Of(): void {{}}\n" for name in "abcde"}
    tree |= {f"lib/{name}/{name}.test.ts": "" for name in "abcde"}
    tree |= {f"kit{number}/tests/test_{number}.py": "" for number in range(4)} | {"kit0/tests/test_4.py": ""}
    tree |= {"fixtures/rules.v4": "*filter\n", "fixtures/rules.v6": "*filter\n"}
    line = told(write_tree(tmp_path / "x", tree), "tests")
    assert line.startswith("beside source (5 files, 5 named like source), kit0/tests/ (2 files), kit1/tests/ (1 file)")
    assert line.endswith(", +1 file")


def test_a_module_called_setup_makes_no_package(tmp_path: Path) -> None:
    tree = parts("shop/", {"core": "import os", "plan": "from ..core.core1 import core_step1"})
    tree |= {"shop/core/setup.py": "def setup(): pass\n", "shop/core/__init__.py": "from .core1 import core_step1\n"}
    folder = write_tree(tmp_path / "x", tree | {"shop/__init__.py": "from .core import core_step1\n"})
    assert told(folder, "exports") == "shop/__init__.py"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("setup.cfg", "[options.entry_points]\nconsole_scripts =\n    shop = shop.core.core1:core_step1\n"),
        ("setup.py", "setup(entry_points={'console_scripts': ['shop = shop.core.core1:core_step1 [all]']})\n"),
        ("setup.py", "SAID = {'gui_scripts': 'shop=shop.core.core1:core_step1'}\nsetup(entry_points=SAID)\n"),
        ("setup.py", "setup(entry_points='[a]\\nb=c:d\\n[console_scripts]\\nshop=shop.core.core1:core_step1')\n"),
    ],
)
def test_programs_that_a_setup_of_python_names_are_where_to_begin(tmp_path: Path, path: str, text: str) -> None:
    folder = write_tree(tmp_path / "x", parts("shop/", {"core": "import os", "plan": "import re"}) | {path: text})
    assert told(folder, "begin") == "shop = shop/core/core1.py::core_step1"


def test_a_program_starts_with_what_its_module_defines_before_what_it_imports(tmp_path: Path) -> None:
    tree = parts("shop/", {"core": "import os", "plan": "import re"})
    tree |= {
        "shop/core/cli.py": "def main(): pass\n",
        "setup.py": "setup(entry_points={'console_scripts': 'shop=shop.run:main'})",
    }
    own = "def main():\n    from shop.core.cli import main as _main\n    _main()\n"
    for number, (run, said) in enumerate(
        {own: "shop/run.py", "from .core.cli import main\n": "shop/core/cli.py"}.items()
    ):
        folder = write_tree(tmp_path / f"x{number}", tree | {"shop/run.py": run})
        assert told(folder, "begin").startswith(f"shop = {said}::main")


@pytest.mark.parametrize(
    ("said", "begun"),
    [
        ("s.executables = all.grep(%r!^exe/!)", "shop-cart = exe/shop-cart"),
        ("s.executables << 'cart'", "cart = bin/cart"),
        ('s.bindir = "exe"\n  s.executables = ["pay", "cart"]', "pay = exe/pay, cart = exe/cart"),
        ("s.executables = %w(cart gone)", "cart = bin/cart"),
        ("s.bindir = 'bin'", "shop-cart = exe/shop-cart"),
    ],
)
def test_a_gem_offers_what_is_called_like_it_and_starts_its_programs(tmp_path: Path, said: str, begun: str) -> None:
    tree = {f"lib/shop/cart/part{at}.rb": f"module Shop\n  class Part{at}\n  end\nend\n" for at in range(4)}
    tree |= {f"{folder}/{name}": "#!/usr/bin/env ruby\nrun\n" for folder in ("bin", "exe") for name in ("cart", "pay")}
    tree |= {"exe/shop-cart": "#!/usr/bin/env ruby\nrun\n", "lib/shop/cart.rb": "require 'shop/cart/part1'\n"}
    tree["shop-cart.gemspec"] = f"Gem::Specification.new do |s|\n  s.name = 'shop-cart'\n  {said}\nend\n"
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "begin") == begun
    assert told(folder, "exports") == "lib/shop/cart.rb"


def test_a_method_called_main_starts_no_program_in_python(tmp_path: Path) -> None:
    tree = {f"lib/part{number}.py": f"class Part{number}:\n    def main(self): pass\n" for number in range(12)}
    assert told(write_tree(tmp_path / "x", tree), "begin") == ""


def test_only_a_main_without_parameters_starts_a_program_in_rust(tmp_path: Path) -> None:
    tree = {f"src/part{number}.rs": f"pub fn part_{number}() {{}}\n" for number in range(12)}
    tree |= {"src/entry.rs": "pub fn main(args: Tokens) -> Tokens { args }\n", "src/bin/run.rs": "fn main() {}\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "src/bin/run.rs::main"


def test_the_main_flow_of_a_library_begins_with_what_reaches_most_of_it(tmp_path: Path) -> None:
    parts = [f"part_{number}" for number in range(8)]
    tree = {f"lib/{part}.py": f"def run_{part}():\n    return {number}\n" for number, part in enumerate(parts)}
    imports = "".join(f"from lib.{part} import run_{part}\n" for part in parts)
    tree["lib/all.py"] = f"{imports}def run_all():\n" + "".join(f"    run_{part}()\n" for part in parts)
    tree["lib/one.py"] = f"{imports}def run_one():\n    run_part_1()\n" + "".join(
        f"    # run_{part}()\n" for part in parts
    )
    assert told(write_tree(tmp_path / "x", tree), "main flow").startswith("run_all > ")


def test_what_stands_before_a_call_tells_which_definition_is_meant(tmp_path: Path) -> None:
    tree = {
        f"src/{part}.rs": f"pub fn scan() -> u8 {{\n    {number}\n}}\n" for number, part in enumerate(["walk", "size"])
    }
    types = "".join(f"pub struct {name};\nimpl {name} {{\n    pub fn parse() {{}}\n}}\n" for name in ("Opts", "Rule"))
    tree |= {
        "src/opts.rs": types,
        "src/exec/mod.rs": "pub fn start() {}\n",
        "src/work.rs": "pub fn start() {}\n",
        "src/main.rs": "fn main() {\n    Opts::parse();\n    walk::scan();\n    exec::start();\n    job.start();\n}\n",
    }
    assert told(write_tree(tmp_path / "x", tree), "main flow") == "main > Opts.parse, scan, start"


def test_a_header_called_index_says_nothing_of_what_a_library_of_c_offers(tmp_path: Path) -> None:
    tree = {f"src/part{number}.c": f'#include "index.h"\nsize_t part_{number}(void) {{}}\n' for number in range(12)}
    tree |= {
        "src/index.h": "typedef unsigned long size_t;\nsize_t index_add(size_t place);\n",
        "src/index.c": "size_t index_add(size_t place) {}\n",
    }
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "exports") == ""
    assert "size_t" not in told(folder, "read next").split(", ")[0]


def test_members_of_what_a_file_of_javascript_exports_are_named_without_it(tmp_path: Path) -> None:
    body = "    this.count += this.add(1, 'order')\n" * 9
    members = "".join(f"  getPart{number} () {{\n{body}  }},\n" for number in range(40))
    tree = {f"lib/part{number}.js": f"module.exports = () => {{\n{body}}}\n" for number in range(40)}
    tree["lib/all.js"] = f"module.exports = {{\n{members}}}\n"
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, r" *all\.js").startswith("getPart10, getPart11, ")
    assert "exports" not in told(folder, "read next")


def test_tests_in_source_and_words_of_prose_come_behind_all_others(tmp_path: Path) -> None:
    checks = "".join(f"    #[test]\n    fn keeps_order_{number}() {{}}\n" for number in range(9))
    calls = "".join(
        f"// {word} keeps_order_1\nfn use_order_{number}() {{ add_order(); }}\n"
        for number, word in enumerate(["with", "from"])
    )
    tree = {f"src/part{number}.rs": calls for number in range(9)}
    tree["src/order.rs"] = (
        "pub struct Order;\nimpl Order {\n    pub fn with() {}\n    pub fn from() {}\n    pub fn count_all() {}\n}\n"
        f"pub fn add_order() {{}}\n#[cfg(test)]\nmod order_tests {{\n{checks}}}\n"
    )
    named = told(write_tree(tmp_path / "x", tree), r" *order\.rs")
    assert re.findall(r"\w+", named)[:5] == ["add_order", "Order", "count_all", "with", "from"]
    assert "keeps_order_1" in named


def test_the_program_of_a_small_package_is_not_the_main_flow(tmp_path: Path) -> None:
    tree = {
        f"lib/part{number}.py": f"from lib.part{number + 1} import run_part{number + 1}\n\n\ndef run_part{number}():\n    run_part{number + 1}()\n"
        + "X = 1\n" * 3
        for number in range(20)
    }
    tree |= {
        "pyproject.toml": '[project]\nname = "x"\n',
        "checker/pyproject.toml": '[project]\nname = "checker"\n',
        "checker/check.py": "def main():\n    check_all()\n\n\ndef check_all():\n    pass\n",
    }
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "main flow").startswith("run_part")
    assert told(folder, "begin") == "checker/check.py::main"


@pytest.mark.parametrize(
    "helping", ["interop/client", "docs_src/first", "testutils", "src/main/scala/org/lib/tutorial"]
)
def test_what_checks_or_explains_a_library_is_neither_its_beginning_nor_its_main_flow(
    tmp_path: Path, helping: str
) -> None:
    calls = [f"run_part{number}()" for number in range(8)]
    imports = "".join(f"from lib.part{number} import run_part{number}\n" for number in range(8))
    each = {f"lib/part{number}.py": f"def run_part{number}():\n    return {number}\n" for number in range(8)}
    few = f"{imports}def run_some():\n    {'; '.join(calls[:6])}\n"
    check = f"{imports}def check_all():\n    {'; '.join(calls)}\ndef main():\n    check_all(); {'; '.join(calls)}\n"
    tree = each | {"lib/some.py": few, f"{helping}/first.py": check}
    tree |= {f"{helping}/case{number}.py": "" for number in range(20)}  # many files, and next to nothing in them
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "begin") == ""
    assert told(folder, "main flow").startswith("run_some > ")


def test_a_module_of_functions_is_read_like_a_type(tmp_path: Path) -> None:
    functions = "\n".join(
        f"  def step_{number}(order, by) do\n    order + by + {number}\n  end\n" for number in range(99)
    )
    write_tree(
        tmp_path,
        {
            "mix.exs": 'defmodule Shop.MixProject do\n  def project, do: [app: :shop, description: "Sells."]\nend\n',
            "lib/shop/order.ex": f"defmodule Shop.Order do\n{functions}end\n",
            "lib/shop/empty.ex": "defmodule Shop.Empty do\n  def none, do: nil\nend\n",
            **{f"test/part_{number}_test.exs": "# none\n" * 40 for number in range(40)},
            "lib/shop/cart.ex": "defmodule Shop.Cart do\n  def sum(order), do: Shop.Order.step_1(order, 2)\nend\n",
        },
    )
    text = overview(tmp_path, 500).context
    assert "mix.exs: shop · Sells." in text
    assert text.partition("read next: ")[2].startswith("lib/shop/order.ex::Shop.Order")
    assert "Shop.Empty" not in text.partition("read next: ")[2].partition("\n")[0]


def test_the_map_names_no_indexer(tmp_path: Path) -> None:
    rows = "\n".join(
        f"    public int Row{number}(int at)\n    {{\n        return at;\n    }}\n" for number in range(60)
    )
    write_tree(
        tmp_path,
        {
            "src/Table.cs": f"class Table\n{{\n    public int this[int at]\n    {{\n        get {{ return at; }}\n    }}\n{rows}}}\n",
            **{f"test/Part{number}Tests.cs": "// none\n" * 40 for number in range(40)},
        },
    )
    named = re.search(r"Table\.cs\((.*)\)", overview(tmp_path, 700).context)
    assert named is not None
    assert "Row1" in named[1]
    assert "this" not in named[1].split()


def test_where_no_program_starts_it_begins_with_what_a_tool_starts_with(tmp_path: Path) -> None:
    roles = {f"roles/{name}/tasks/main.yml": "- name: Copy it\n  copy:\n    src: a\n" for name in ("web", "store")}
    tree = {"site.yml": "---\n- name: All\n  hosts: all\n  roles: [web]\n", "requirements.yml": "- src: a.b\n"}
    tree |= {"lib/stock.rb": "class Stock\nend\n", "config.ru": "run Shop\n", "test/site.yml": "- hosts: all\n"}
    assert told(write_tree(tmp_path / "x", roles | tree), "begin") == "config.ru, site.yml"
