"""The lines `begin` and `tests` of a first look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.allocator.shop import overview, parts, told
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

STEPS = parts("lib/", {"core": "import os", "plan": "from ..core.core1 import core_step1"})


def test_a_program_of_csharp_begins_inside_a_namespace_of_several_names(tmp_path: Path) -> None:
    main = "        public static int Main(string[] args)\n        {\n            return 1;\n        }\n"
    code = f"namespace Shop.Desk\n{{\n    public class Program\n    {{\n{main}    }}\n}}\n"
    nested = f"namespace Shop\n{{\n    public class Outer\n    {{\n        class Inner\n        {{\n{main}        }}\n    }}\n}}\n"
    tree = {"src/Shop.Desk/Program.cs": code, "src/Shop.Desk/Outer.cs": nested}
    tree["src/Shop.Benchmarks/Program.cs"] = code.replace("Desk", "Benchmarks")
    tree |= {f"src/Shop/Part{at}.cs": f"class Part{at}\n{{\n    int Run() {{ return {at}; }}\n}}\n" for at in range(9)}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "src/Shop.Desk/Program.cs::Shop.Desk.Program.Main"


@pytest.mark.parametrize("mark", ["//go:build ignore", "// +build ignore"])
def test_a_file_that_is_no_part_of_its_package_begins_no_program(tmp_path: Path, mark: str) -> None:
    main = "package main\n\nfunc main() {\n\tRunAll()\n}\n"
    tree = {"shop.go": "package shop\n\nfunc RunAll() int {\n\treturn 1\n}\n", "gen.go": f"{mark}\n\n{main}"}
    tree["cmd/shop/main.go"] = main
    assert told(write_tree(tmp_path / "x", tree), "begin") == "cmd/shop/main.go::main"


def test_a_program_of_go_that_writes_a_file_of_the_folder_above_is_no_beginning(tmp_path: Path) -> None:
    main = "package main\n\nfunc main() {\n\tRunAll()\n}\n"
    shop = "package shop\n\n//go:generate go run ./rows -output rows.go\n\nfunc RunAll() int {\n\treturn 1\n}\n"
    tree = {"shop/shop.go": shop} | {f"shop/{folder}/main.go": main for folder in ("row", "rows")}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "shop/row/main.go::main"


def test_a_file_of_c_that_is_a_program_on_request_alone_begins_none(tmp_path: Path) -> None:
    main = "int main(void) {\n\treturn 0;\n}\n"
    tree = {f"src/sum{at}.c": f"int sum_{at}(int x) {{\n\treturn x;\n}}\n" for at in range(9)}
    tree["src/sum0.c"] += f"#ifdef SUM_TEST_MAIN\n#if 1\n#endif\n{main}#endif\n"
    tree |= {
        "src/other.c": f"#ifdef OTHER_TEST\n#endif\n#ifndef NO_MAIN\n{main}#endif\n",
        "src/win.c": f"#if WIN\n{main}#endif\n",
    }
    assert told(write_tree(tmp_path / "x", tree), "begin") == "src/other.c::main, src/win.c::main"


def test_data_beside_tests_is_not_counted_as_tests(tmp_path: Path) -> None:
    tree = STEPS | {f"tests/test_{at}.py": f"def test_{at}():\n    assert core_step{at}()\n" for at in range(3)}
    tree |= {f"tests/data/{at}.json": "{}" for at in range(9)} | {"tests/run.tcl": "test {it starts} {}\n"}
    assert told(write_tree(tmp_path / "x", tree), "tests") == "tests/ (4 files)"


def test_data_is_counted_where_it_is_all_that_there_is(tmp_path: Path) -> None:
    tree = STEPS | {f"tests/{at}.json": "{}" for at in range(9)}
    assert told(write_tree(tmp_path / "x", tree), "tests") == "tests/ (9 files)"


def test_the_pages_that_a_server_serves_begin_too(tmp_path: Path) -> None:
    tree = {f"shop/part{at}.go": f"package shop\n\nfunc RunPart{at}() int {{\n\treturn {at}\n}}\n" for at in range(9)}
    tree |= {f"ui/src/part{at}.js": f"export function part{at}() {{}}\n" for at in range(9)}
    tree |= {f"aid/src/part{at}.js": "" for at in range(9)}
    tree["ui/src/parts/Main.js"] = "export function Main() {}\n"
    for folder in ("ui", "aid"):
        tree |= {f"{folder}/src/index.js": "createRoot(at).render(App)\n", f"{folder}/package.json": "{}"}
    tree |= {"main.go": "package main\n\nfunc main() {\n\tshop.RunPart1()\n}\n", "go.mod": "module shop\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "main.go::main, ui/src/index.js"


def test_the_pages_beside_a_server_in_one_package_begin_too(tmp_path: Path) -> None:
    said = '{"main": "index.js", "scripts": {"start": "node ./build/server/index.js"}}'
    tree = {
        f"{folder}/part{at}.ts": f"export function {folder}{at}() {{}}\n"
        for folder in ("server", "app")
        for at in range(9)
    }
    tree |= {"server/index.ts": "import { server1 } from './part1'\n\nserver1()\n", "package.json": said}
    tree |= {"app/index.tsx": "render(<App />, at)\n", "server/pages/index.tsx": "render(<App />, at)\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "start = server/index.ts, app/index.tsx"


def test_the_program_of_a_small_package_is_told_by_the_name_that_its_manifest_says(tmp_path: Path) -> None:
    tree = {
        f"desk/src/part{at}.rs": "".join(f"pub fn open_{at}_{one}() {{}}\n" for one in range(9)) for at in range(20)
    }
    tree |= {
        "desk/Cargo.toml": '[package]\nname = "desk"\n',
        "load/src/main.rs": "fn main() {\n    load_all();\n}\n\nfn load_all() {}\n",
    }
    tree["load/Cargo.toml"] = '[package]\nname = "load"\n[[bin]]\nname = "desk-load"\npath = "src/main.rs"\n'
    assert told(write_tree(tmp_path / "x", tree), "begin") == "desk-load = load/src/main.rs::main"


def test_a_file_that_is_called_after_building_begins_behind_the_program(tmp_path: Path) -> None:
    main = "package main\n\nfunc main() {\n\tdo_step_1(1)\n}\n"
    tree = STEPS | {"build.go": main, "cmd/shop/main.go": main, "go.mod": "module shop\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "cmd/shop/main.go::main, build.go::main"


@pytest.mark.parametrize("folder", ["shop-test-app", "ShopTestApp", "TestApp"])
def test_an_app_for_tests_begins_nothing(tmp_path: Path, folder: str) -> None:
    main = "fun main() {\n    openAll(1)\n}\n"
    tree = {f"shop/src/main/kotlin/Part{at}.kt": f"class Part{at}\n" for at in range(9)}
    tree |= {"shop/src/main/kotlin/Main.kt": main, f"{folder}/src/main/kotlin/Start.kt": main}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "shop/src/main/kotlin/Main.kt::main"


def test_every_project_of_csharp_begins_and_first_the_one_that_starts_the_others(tmp_path: Path) -> None:
    started = "using A;\n\nvar builder = {}.CreateBuilder(args);\n"
    large = "".join(f"    public int Run{at}(int x) {{ return x + {at}; }}\n" for at in range(90))
    main = "static class Program\n{\n    static void Main(string[] args)\n    {\n        Run(args);\n    }\n}\n"
    tree = {
        f"src/{name}/Program.cs": started.format("WebApplication") for name in ("Basket.API", "Orders.API", "Sales.API")
    }
    tree |= {
        "src/Start/Program.cs": started.format("DistributedApplication"),
        "src/Orders.API/Order.cs": f"class Order\n{{\n{large}}}\n",
        "src/App/Platforms/iOS/Program.cs": main,
    }
    tree |= {
        f"src/{name}/{name}.csproj": "<Project />\n" for name in ("Basket.API", "Orders.API", "Sales.API", "Start")
    }
    begun = told(write_tree(tmp_path / "x", tree), "begin").split(", ")
    assert begun[0] == "src/Start/Program.cs"
    assert set(begun[1:4]) == {f"src/{name}.API/Program.cs" for name in ("Basket", "Orders", "Sales")}
    assert begun[4:] == ["src/App/Platforms/iOS/Program.cs::Program.Main"]


ANDROID = """<application android:theme="@a" android:name=".ShopApp"><activity android:name=".AboutActivity" />
<activity android:exported="true" android:name=".ShopActivity"><action android:name="android.intent.action.MAIN" /></activity>
</application>"""


@pytest.mark.parametrize(
    ("tree", "begin"),
    [
        (
            {
                "manage.py": "import os\n\nif __name__ == '__main__':\n    os.run()\n",
                "shop/__init__.py": "from shop.tasks import app\n\n__all__ = ('app',)\n",
            },
            "manage.py",
        ),
        ({"shop/app.py": "from fastapi import FastAPI\n\napp = FastAPI()\n", "shop/b.py": "B = 1\n"}, "shop/app.py"),
        (
            {
                "src/Web/Program.cs": "using A;\n\nvar builder = WebApplication.CreateBuilder(args);\n",
                "src/Core/Program.cs": "namespace Core;\n\npublic class Program\n{\n    var a = 1;\n}\n",
            },
            "src/Web/Program.cs",
        ),
        (
            {
                "package.json": '{"scripts": {"start": "NODE_ENV=production node --no-warnings src/server.js"}}',
                "src/server.js": "import { shop } from './shop.js'\nshop.listen(1)\n",
                "src/router/index.js": "export function route() {}\n",
            },
            "start = src/server.js",
        ),
        ({"app/page.tsx": "export default function Page() {}\n", "src/b.ts": "let a = 1\n"}, "app/page.tsx"),
        ({"src/main.ts": "import App from './App'\n\ncreateApp(App).mount('#a')\n", "src/a.ts": ""}, "src/main.ts"),
        (
            {"resources/assets/js/app.js": "createApp(App).mount('#a')\n", "app/a.php": "<?php\n"},
            "resources/assets/js/app.js",
        ),
        ({"src/index.tsx": "import App from './App'\n\ncreateRoot(at).render(<App />)\n"}, "src/index.tsx"),
        ({"public/index.php": "<?php\nrequire 'a.php';\n", "app/A.php": "<?php\nclass A {}\n"}, "public/index.php"),
        ({"Shop/ShopApp.swift": "@main\nstruct ShopApp: App {\n    var size = 1\n}\n"}, "Shop/ShopApp.swift"),
        ({"Shop/Macros.swift": "@main\nstruct Macros: CompilerPlugin {\n    let all: [Any] = []\n}\n"}, ""),
        (
            {
                "app/src/main/AndroidManifest.xml": ANDROID,
                "app/src/main/java/a/Shop.kt": "class AboutActivity\nclass ShopActivity {\n    fun onCreate() {}\n}\nclass ShopApp\n",
                "app/src/debug/AndroidManifest.xml": '<application android:name=".DebugApp">',
                "app/src/debug/java/a/Debug.kt": "class DebugApp\n",
            },
            "app/src/main/java/a/Shop.kt::ShopActivity, app/src/main/java/a/Shop.kt::ShopApp",
        ),
    ],
)
def test_a_program_without_a_main_function_begins_where_its_tools_start_it(
    tmp_path: Path, tree: dict[str, str], begin: str
) -> None:
    assert told(write_tree(tmp_path / "x", tree), "begin") == begin
    assert "exports:" not in overview(tmp_path / "x", 2000).context


@pytest.mark.parametrize("folder", ["scripts", "script"])
def test_a_package_of_python_that_is_called_scripts_holds_source(tmp_path: Path, folder: str) -> None:
    tree = STEPS | {
        "shop/__init__.py": "",
        f"shop/{folder}/__init__.py": "",
        "scripts/tidy.py": "def main():\n    pass\n",
    }
    tree[f"shop/{folder}/check.py"] = "from lib.core.core1 import core_step1\n\n\ndef main():\n    core_step1()\n"
    tree[f"shop/{folder}/check_test.py"] = "def test_it():\n    assert main\n"
    tree["pyproject.toml"] = f'[project]\nname = "shop"\nscripts = {{check = "shop.{folder}.check:main"}}\n'
    folder_of_all = write_tree(tmp_path / "x", tree)
    assert told(folder_of_all, "begin") == f"check = shop/{folder}/check.py::main"
    assert "1 file" in told(folder_of_all, "tests")


@pytest.mark.parametrize("folder", ["Shop.Benchmark", "experiments", "helpers/release"])
def test_what_measures_or_tries_begins_nothing(tmp_path: Path, folder: str) -> None:
    main = "package main\n\nfunc main() {\n\tdo_step_1(1)\n}\n"
    tree = STEPS | {f"{folder}/main.go": main, "cmd/shop/main.go": main, "go.mod": "module shop\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "cmd/shop/main.go::main"


def test_a_file_that_measures_what_stands_beside_it_begins_nothing(tmp_path: Path) -> None:
    main = "package main\n\nfunc main() {\n\tdo_step_1(1)\n}\n"
    tree = STEPS | {"cmd/ring/ring_benchmark.go": main, "cmd/shop/main.go": main, "go.mod": "module shop\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "cmd/shop/main.go::main"


def test_helpers_inside_another_folder_are_a_part_of_that(tmp_path: Path) -> None:
    main = "package main\n\nfunc main() {\n\tdo_step_1(1)\n}\n"
    tree = STEPS | {"cmd/helpers/main.go": main, "cmd/shop/main.go": main, "go.mod": "module shop\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "cmd/helpers/main.go::main, cmd/shop/main.go::main"


def test_what_an_interface_of_ocaml_declares_begins_nothing(tmp_path: Path) -> None:
    tree = {f"src/part{at}.ml": f"let open_part{at} x = x + {at}\n" for at in range(9)}
    tree |= {"bin/main.ml": "let main () = Part1.open_part1 1\n", "src/at_exit.mli": "val main : t\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "bin/main.ml::main"


def test_a_program_that_a_tool_wrote_is_no_beginning(tmp_path: Path) -> None:
    code = "// Auto-generated by a tool. Do not edit.\nimport('other')\n"
    tree = {
        f"packages/{name}/src/part{at}.ts": f"export function {name}{at}() {{}}\n" for name in "ab" for at in range(9)
    }
    tree |= {
        f"packages/{name}/package.json": '{"bin": {"aid": "./bin/aid.js", "run": "./dist/run.js"}}' for name in "ab"
    }
    tree |= {f"packages/{name}/bin/aid.js": code for name in "ab"}
    tree |= {"packages/a/dist/run.js": code, "packages/a/src/run.ts": "export function main() {\n  a1()\n}\n"}
    assert told(write_tree(tmp_path / "x", tree), "begin") == "run = packages/a/src/run.ts::main"


MANIFEST_OF_SWIFT = """let package = Package(
  name: "shop",
  products: [
    .library(name: "Shop", targets: ["Shop", "ShopWeb"]),
    .executable(name: "sell", targets: ["Sell"]),
  ],
  targets: [
    .target(name: "Shop"),
    .target(name: "ShopWeb", dependencies: [.target(name: "Shop")], path: "Web"),
    .target(name: "Inner"),
    .executableTarget(name: "Echo", dependencies: ["Shop"]),
    .executableTarget(name: "Try", path: "Trying/It"),
    .executableTarget(name: "Sell", dependencies: ["Shop"]),
    .testTarget(name: "ShopTests"),
  ]
)
"""


def test_programs_of_swift_that_a_library_does_not_offer_only_show_it(tmp_path: Path) -> None:
    main = "@main\nstruct {0} {{\n  static func main() {{\n    shop1()\n  }}\n}}\n"
    tree = {
        f"{folder}/Part{at}.swift": f"public func {folder[-3:].lower()}{at}() {{\n}}\n"
        for folder in ("Sources/Shop", "Web", "Sources/Inner")
        for at in range(9)
    }
    tree |= {f"{folder}/Run.swift": main.format("Run") for folder in ("Sources/Echo", "Trying/It", "Sources/Sell")}
    folder = write_tree(tmp_path / "x", tree | {"Package.swift": MANIFEST_OF_SWIFT})
    assert told(folder, "begin") == "Sources/Sell/Run.swift::Run.main"
    assert told(folder, "exports") == "Sources/Shop/, Web/"
    write_tree(folder, {"Package.swift": MANIFEST_OF_SWIFT.replace(".library(", ".other(")})
    assert told(folder, "begin").count("Run.main") == 3


@pytest.mark.parametrize("settings", ["docusaurus.config.ts", ".vitepress/config.mts"])
def test_a_site_that_documents_the_project_is_no_source(tmp_path: Path, settings: str) -> None:
    tree = {f"src/part{at}.ts": f"export function part{at}() {{}}\n" for at in range(9)}
    tree |= {"www/src/pull.ts": "function main() {\n  part1()\n}\n", "www/src/pull.test.ts": "it('pulls', main)\n"}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "begin") == "www/src/pull.ts::main"
    write_tree(folder, {f"www/{settings}": "export default {}\n"})
    assert told(folder, "begin") == ""
    assert "9 source" in overview(folder, 3000).context.splitlines()[1]


def test_what_stands_beside_tests_in_the_folder_t_helps_them(tmp_path: Path) -> None:
    tree = STEPS | {f"t/unit/test_{at}.py": f"def test_{at}():\n    assert core_step{at}()\n" for at in range(6)}
    tree |= {f"t/smoke/{name}.py": f"def {name}():\n    core_step1()\n" for name in ("main", "tasks")}
    tree |= {f"lib/t/tea{at}.py": f"def tea{at}():\n    core_step1()\n" for at in range(2)}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "begin") == ""
    assert "8 source, 8 tests" in re.sub(r" ~[\d.k]+", "", overview(folder, 3000).context.splitlines()[1])


def test_what_a_server_runs_begins_before_programs_beside_it(tmp_path: Path) -> None:
    main = "def main():\n    fill_rows()\n"
    tree = {f"back/shop/part{at}.py": f"def part_{at}(x):\n    return x + {at}\n" for at in range(9)}
    tree |= {
        "back/shop/serving.py": "from fastapi import FastAPI\n\napp = FastAPI(title='Shop')\n",
        "back/shop/work.py": "from celery import Celery\n\ncelery_app = Celery('shop')\n",
        "back/shop/fill.py": f"{main}\n\ndef fill_rows():\n    part_1(2)\n",
        "back/shop/a/b/deep.py": "app = FastAPI()\n",
        "back/shop/tests_start.py": main,
    }
    assert told(write_tree(tmp_path / "x", tree), "begin").split(", ") == [
        "back/shop/serving.py",
        "back/shop/work.py",
        "back/shop/fill.py::main",
        "back/shop/tests_start.py::main",
    ]


@pytest.mark.parametrize(
    ("folder", "manifest", "is_told"),
    [
        ("shop-desk", '{"name": "shop-desk", "private": true}', True),
        ("website", '{"name": "website"}', False),
        ("shop-desk", "{}", False),
        ("shop-desk", '{"name": "shop-desk", "main": "src/part1.js"}', False),
    ],
)
def test_an_app_that_is_a_package_begins_beside_packages_that_offer_something(
    tmp_path: Path, folder: str, manifest: str, is_told: bool
) -> None:
    tree = {
        f"{place}/src/part{at}.js": f"export function part{at}() {{}}\n"
        for place in ("packages/shop", folder)
        for at in range(9)
    }
    tree["packages/shop/package.json"] = '{"name": "shop", "main": "src/part1.js"}'
    tree[f"{folder}/package.json"] = manifest
    tree[f"{folder}/src/index.js"] = "createRoot(at).render(App)\n"
    assert told(write_tree(tmp_path / "x", tree), "begin") == (f"{folder}/src/index.js" if is_told else "")


def test_the_largest_app_of_android_begins_first(tmp_path: Path) -> None:
    def app(folder: str, title: str, count: int) -> dict[str, str]:
        said = ANDROID.replace(".ShopApp", f".{title}App").replace(".ShopActivity", f".{title}Activity")
        made = f"package a\n\nclass {title}Activity : Activity() {{\n    fun onCreate() {{}}\n}}\n"
        parts = {
            f"{folder}/src/main/kotlin/a/Part{at}.kt": f"package a\n\nfun part{title}{at}() = {at}\n"
            for at in range(count)
        }
        return {
            f"{folder}/src/main/AndroidManifest.xml": said,
            f"{folder}/src/main/kotlin/a/{title}Activity.kt": made,
        } | parts

    tree = app("catalog", "Small", 2) | app("shop", "Large", 9)
    assert told(write_tree(tmp_path / "x", tree), "begin").split(", ") == [
        "shop/src/main/kotlin/a/LargeActivity.kt::LargeActivity",
        "catalog/src/main/kotlin/a/SmallActivity.kt::SmallActivity",
    ]
