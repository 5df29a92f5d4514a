"""The packages of a first look: what they say of themselves, and which parts of a code base use which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.allocator.shop import parts, told
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path


def test_packages_inside_are_told_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    said = {
        "core": "Keeps orders. It is fast.",
        "cli": "Orders from the command line",
        "web": "The web package",
        "say": "x" * 200,
    }
    tree = {"package.json": '{"name": "shop", "private": true}', "run.js": "export function run() {}\n"}
    for name, text in said.items():
        tree[f"packages/{name}/package.json"] = (
            f'{{"name": "{name}", "main": "./build/start.js", "description": "{text}"}}'
        )
        tree[f"packages/{name}/lib/start.ts"] = "".join(
            f"export function {name}_{verb}(): void {{}}\n" for verb in ("open", "load", "store", "close")
        )
    folder = write_tree(tmp_path / "many", tree)
    assert told(folder, "packages") == "packages/cli: Orders from the command line; packages/core: Keeps orders"
    assert told(folder, "exports") == ", ".join(f"packages/{name}/lib/start.ts" for name in sorted(said))


def test_what_a_program_begins_with_is_no_export(tmp_path: Path) -> None:
    tree = {f"lib/part{number}.js": f"export function part_{number}() {{}}\n" for number in range(12)}
    exports = '{".": "./lib/part4.js", "./run": "./lib/part3.js"}'
    tree["package.json"] = f'{{"name": "x", "bin": {{"run": "lib/part3.js"}}, "exports": {exports}}}'
    folder = write_tree(tmp_path / "x", tree)
    assert (told(folder, "begin"), told(folder, "exports")) == ("run = lib/part3.js", "lib/part4.js")


def test_folders_of_one_package_are_told_with_those_that_they_import(tmp_path: Path) -> None:
    imports = {
        "core": "import os",
        "plan": "from ..core.core1 import core_step1",
        "show": "def late():\n    from shop.core.core2 import core_step2",
        "talk": "from rich import core_step1  # another's\n'''shop.core and shop.plan'''",
    }
    folder = write_tree(tmp_path / "x", parts("shop/", imports))
    assert told(folder, "uses") == "shop/show, shop/plan > shop/core"


def test_a_file_is_meant_before_the_folder_beside_it_that_is_called_the_same(tmp_path: Path) -> None:
    tree = {f"lib/shop/{name}.rb": f"class {name.title()}\nend\n" for name in ("core", "plan", "till")}
    tree |= {f"lib/shop/core/part{at}.rb": f"class Part{at}\nend\n" for at in range(12)}
    tree |= {f"lib/desk/row{at}.rb": f"require_relative '../shop/core'\n\nclass Row{at}\nend\n" for at in range(3)}
    tree |= {
        f"lib/talk/word{at}.rb": f"require_relative '../shop/core/part1'\n\nclass Word{at}\nend\n" for at in range(3)
    }
    assert told(write_tree(tmp_path / "x", tree), "uses") == "lib/desk > lib/shop; lib/talk > lib/shop/core"


def test_a_name_that_settings_of_typescript_give_to_a_file_means_its_part(tmp_path: Path) -> None:
    imports = {
        "core": "import x from 'vue'",
        "cli": "import {\n  run,\n} from '@shop/core'",
        "web": "import y from '@shop/desk/a'",
    }
    tree = parts("libs/", imports, ending="js")
    tree["tsconfig.base.json"] = (
        '{ // names\n"compilerOptions": {"paths": {"@shop/core": ["./libs/core/core1.js"], "@shop/desk/*": ["libs/cli/*"]}}}'
    )
    assert told(write_tree(tmp_path / "x", tree), "uses") == "libs/cli > libs/core; libs/web > libs/cli"


def test_packages_are_told_with_those_that_they_import_by_name(tmp_path: Path) -> None:
    imports = {
        "core": "import x from 'vue'",
        "cli": "import {\n  run,\n} from '@shop/core'",
        "web": "const core = require('../cli')\nexport * from '@shop/web2'\nimport packageJson from '../cli/package.json'",
    }
    tree = parts("packages/", imports, ending="js")
    tree["packages/core/member.js"] = "class Shop {\n  packageJson() {}\n}\n"
    tree |= {f"packages/{name}/package.json": f'{{"name": "@shop/{name}"}}' for name in imports}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "uses") == "packages/cli > packages/core; packages/web > packages/cli"


def test_packages_of_swift_are_imported_by_the_names_in_their_manifests(tmp_path: Path) -> None:
    tree = {
        f"Packages/{folder}/Sources/Part{at}.swift": f"import {said}\n\nstruct {folder}{at} {{\n}}\n"
        for folder, said in (("core", "Foundation"), ("web", "ShopCore"))
        for at in range(4)
    }
    tree |= {
        f"Packages/{folder}/Package.swift": f'let package = Package(\n  name: "Shop{folder.title()}"\n)\n'
        for folder in ("core", "web")
    }
    assert told(write_tree(tmp_path / "x", tree), "uses") == "Packages/web > Packages/core"


def test_packages_of_dart_are_imported_by_their_names_and_offer_a_file_called_so(tmp_path: Path) -> None:
    tree = {
        f"packages/{name}/lib/src/part{at}.dart": f"import 'package:{said}';\n\nclass {name.title()}{at} {{\n  void run{at}() {{}}\n}}\n"
        for name, said in (("shop", "meta/meta.dart"), ("web", "shop/shop.dart"))
        for at in range(4)
    }
    tree |= {f"packages/{name}/lib/{name}.dart": "export 'src/part1.dart';\n" for name in ("shop", "web")}
    tree |= {f"packages/{name}/pubspec.yaml": f"name: {name}\n" for name in ("shop", "web")}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "uses") == "packages/web > packages/shop"
    assert told(folder, "exports") == "packages/shop/lib/shop.dart, packages/web/lib/web.dart"


def test_headers_mean_the_part_that_holds_the_only_one_so_called(tmp_path: Path) -> None:
    said = {"core": '"plan.h"', "show": '"core.h"\n#include "plan.h"', "talk": '"show/one.h"\n#include <stdio.h>'}
    tree = {
        f"lib/{name}/{name}{at}.c": f"#include {one}\nint {name}_step{at}(void) {{ return {at}; }}\n"
        for name, one in said.items()
        for at in range(4)
    }
    tree |= {"lib/core/core.h": "int core_step1(void);\n", "lib/show/one.h": "int show_step1(void);\n"}
    tree |= {f"lib/{name}/plan.h": f"int {name}_planned(void);\n" for name in ("core", "plan")}
    tree["lib/plan/stdio.h"] = "int puts(const char *text);\n"
    assert told(write_tree(tmp_path / "x", tree), "uses") == "lib/show > lib/core; lib/talk > lib/show"


def test_packages_of_kotlin_mean_the_part_whose_folders_spell_them(tmp_path: Path) -> None:
    imports = {"core": "kotlin.io.*", "http": "io.shop.core.*", "web": "io.shop.http.http1\nimport io.shop.core.*"}
    tree = {
        f"shop-{name}/common/src/io/shop/{name}/Part{at}.kt": f"package io.shop.{name}\n\nimport {said}\n\nclass {name}{at}\n"
        for name, said in imports.items()
        for at in range(4)
    }
    tree |= {f"shop-{name}/build.gradle.kts": "" for name in imports}
    assert told(write_tree(tmp_path / "x", tree), "uses") == "shop-http > shop-core; shop-web > shop-core, shop-http"


def test_packages_of_csharp_mean_the_part_whose_project_and_folders_spell_them(tmp_path: Path) -> None:
    imports = {"Core": "System.Text", "Store": "Me.Shop.Core.Orders", "Web": "Me.Shop.Core;\nusing Store"}
    tree = {
        f"src/{name}/Part{at}.cs": f"using {said};\n\npublic class {name}{at}\n{{\n}}\n"
        for name, said in imports.items()
        for at in range(4)
    }
    said = (
        "<Project><PropertyGroup><RootNamespace>Me.Shop.Core</RootNamespace>\n<Description>Keeps\norders.</Description>"
    )
    tree |= {"src/Core/Core.csproj": said, "src/Store/Store.csproj": "", "src/Web/Web.csproj": ""}
    tree["src/Core/Orders/Order.cs"] = "public class Order\n{\n}\n"
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "uses") == "src/Store > src/Core; src/Web > src/Core, src/Store"
    assert told(folder, "packages") == "src/Core: Keeps orders"


def test_paths_of_go_mean_the_folders_of_their_module(tmp_path: Path) -> None:
    imports = {
        "core": '"github.com/other/shop/web"',
        "": '"example.com/me/shop/core"\n\t"example.com/me/shop/web"',
        "web": '"fmt"\n\tcore "example.com/me/shop/core/deep"',
        "tool": '"example.com/me/tool/core"\n\t"example.com/me/shop"',
    }
    tree = {
        f"{name}/part{at}.go".lstrip(
            "/"
        ): f"package {name or 'shop'}\n\nimport (\n\t{said}\n)\n\nfunc Step{at}() {{}}\n"
        for name, said in imports.items()
        for at in range(4)
    }
    tree |= {f"core/deep/deep{at}.go": f"package deep\n\nfunc Deep{at}() {{}}\n" for at in range(2)}
    tree |= {"go.mod": "module example.com/me/shop\n", "tool/go.mod": "module example.com/me/tool\n"}
    assert told(write_tree(tmp_path / "x", tree), "uses") == "./ > core, web; tool > ./; web > core"


def test_a_package_that_requires_what_has_a_short_name_is_told(tmp_path: Path) -> None:
    tree = {
        "package.json": '{"name": "shop", "exports": {".": "./index.js", "./cli": "./cli.js"}}',
        "index.js": "const fs = require('fs')\nexports.open_shop = function open_shop() { return fs }\n",
        "cli.js": "const shop = require('.')\nfunction run_shop() { return shop }\nmodule.exports = run_shop\n",
    }
    tree |= {f"lib/part{at}.js": f"exports.step{at} = function step{at}() {{}}\n" for at in range(12)}
    assert "index.js" in told(write_tree(tmp_path / "x", tree), "exports")


@pytest.mark.parametrize("folder", ["include", "src/include"])
def test_headers_that_others_include_are_told_by_their_folder(tmp_path: Path, folder: str) -> None:
    tree = {f"{folder}/shop/part{at}.h": f"class Part{at} {{\n public:\n  int open(int x);\n}};\n" for at in range(4)}
    tree[f"{folder}/shop/web/page.h"] = "class Page {\n public:\n  int show(int x);\n};\n"
    tree |= {f"src/part{at}.cc": f"int Part{at}::open(int x) {{ return x; }}\n" for at in range(9)}
    assert told(write_tree(tmp_path / "x", tree), "exports") == f"{folder}/shop/"


README = "# Buoy\n\n[![badge](https://x/y.svg)](https://x/y)\n\nMarks where the `water`\nis deep. It floats.\n"


def several(folder: Path) -> Path:
    """Three packages in one folder that says nothing itself: one has a description, one a README, one in another language both."""
    tree = {
        "packages/anchor/pyproject.toml": '[project]\nname = "anchor"\ndescription = "Holds boats."\n',
        "packages/anchor/README.md": "# Anchor\n\nThe heaviest of all anchors.\n",
        "packages/buoy/go.mod": "module example.org/buoy\n",
        "packages/buoy/README.md": README,
        "packages/buoy/main.go": "package main\n\nfunc main() {\n\tFloat()\n}\n",
        "packages/chart/pom.xml": "<project><artifactId>chart</artifactId></project>",
        "packages/chart/README.md": "# Chart, a sample of maps\n",
    }
    tree |= {f"packages/anchor/anchor/part{at}.py": f"def anchor_{at}():\n    return {at}\n" for at in range(30)}
    tree |= {
        f"packages/buoy/part{at}.go": f"package main\n\nfunc Float{at}() int {{ return {at} }}\n" for at in range(30)
    }
    java = "packages/chart/src/main/java/org/sea/samples/chart"
    tree |= {f"{java}/Part{at}.java": f"class Part{at} {{\n    int at() {{ return {at}; }}\n}}\n" for at in range(3)}
    tree[f"{java}/Start.java"] = "class Start {\n    public static void main(String[] args) {\n    }\n}\n"
    return write_tree(folder, tree)


def test_a_package_whose_manifest_says_nothing_is_told_by_its_readme(tmp_path: Path) -> None:
    assert told(several(tmp_path / "x"), "packages") == (
        "packages/buoy: Marks where the `water` is deep; packages/anchor: Holds boats; "
        "packages/chart: Chart, a sample of maps"
    )


def test_no_package_speaks_for_others_that_are_as_large(tmp_path: Path) -> None:
    folder = several(tmp_path / "x")
    assert told(folder, r"packages/\w+/README.md") == ""
    write_tree(folder, {f"packages/anchor/anchor/more{at}.py": f"def more_{at}(): pass\n" for at in range(60)})
    assert told(folder, r"packages/anchor/README.md") == "# Anchor"


def test_programs_begin_in_packages_of_any_language_and_folder(tmp_path: Path) -> None:
    assert told(several(tmp_path / "x"), "begin") == (
        "packages/buoy/main.go::main, packages/chart/src/main/java/org/sea/samples/chart/Start.java::Start.main"
    )
