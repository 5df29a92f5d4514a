"""The line of a first look that tells which parts of a repository use which."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.allocator.shop import parts, told
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

PAGES = {"view": "import {api_step0} from '../api/api0'", "api": ""}


def test_packages_that_know_nothing_of_one_another_are_told_by_their_folders(tmp_path: Path) -> None:
    tree = parts("server/", {"web": "from server.store.store1 import store_step1", "store": "import os"})
    tree |= parts("pages/src/", PAGES, ending="js") | {"pages/package.json": "{}"}
    line = told(write_tree(tmp_path / "x", tree), "uses")
    assert set(line.split("; ")) == {"server/web > server/store", "pages/src/view > pages/src/api"}


def test_packages_that_use_one_another_are_not_parted(tmp_path: Path) -> None:
    tree = parts("packages/a/src/", PAGES, ending="js") | {"packages/a/package.json": '{"name": "@x/a"}'}
    for name in "bcd":
        said = {"one": "import {api_step0} from '@x/a'", "two": "import {api_step1} from '@x/a'"}
        tree |= parts(f"packages/{name}/src/", said, ending="js")
        tree[f"packages/{name}/package.json"] = f'{{"name": "@x/{name}"}}'
    assert told(write_tree(tmp_path / "x", tree), "uses") == "packages/b, packages/c, packages/d > packages/a"


@pytest.mark.parametrize("said", ["org.shop.extractor.stream.Stream", "org.shop.R", "org.shop.BuildConfig"])
def test_packages_of_others_that_begin_like_ours_are_not_ours(tmp_path: Path, said: str) -> None:
    tree = parts(
        "src/main/java/org/shop/", {"core": f"import {said};", "plan": "import java.util.List;"}, ending="java"
    )
    tree |= {f"src/main/java/org/shop/Start{number}.java": f"class Start{number} {{}}\n" for number in range(3)}
    assert told(write_tree(tmp_path / "x", tree), "uses") == ""


def test_a_file_of_kotlin_is_known_by_the_name_that_java_calls_it_by(tmp_path: Path) -> None:
    tree = parts("src/main/java/org/shop/", {"core": "import org.shop.plan.DrawKt;", "plan": ""}, ending="java")
    tree["src/main/java/org/shop/plan/Draw.kt"] = "fun draw() {}\n"
    assert told(write_tree(tmp_path / "x", tree), "uses") == "…/shop/core > …/shop/plan"


def test_namespaces_of_php_are_the_folders_that_the_manifest_gives_them_to(tmp_path: Path) -> None:
    tree = {
        f"app/{folder}/{folder}{number}.php": f"<?php\nnamespace Shop\\{folder};\n{said}\nclass {folder}{number} {{ function run() {{}} }}\n"
        for folder, said in {"Http": "use Shop\\Models\\Models1;", "Models": "use Illuminate\\Support\\Str;"}.items()
        for number in range(3)
    }
    tree["composer.json"] = '{"autoload": {"psr-4": {"Shop\\\\": ["app/"], "Broken": 1}}}'
    assert told(write_tree(tmp_path / "x", tree), "uses") == "app/Http > app/Models"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}', "@/api/api0"),
        ('{"compilerOptions": {"paths": {"$lib/*": ["src/*"]}}}', "$lib/api/api0"),
        ('{"compilerOptions": {"baseUrl": ".", "paths": {}}}', "src/api/api0"),
        ('{"compilerOptions": {"baseUrl": "./src"}}', "api/api0"),
    ],
)
def test_paths_that_begin_as_the_settings_of_a_folder_say_are_known_there(
    tmp_path: Path, settings: str, said: str
) -> None:
    tree = parts("pages/src/", {"view": f"import {{step}} from '{said}'", "api": ""}, ending="js")
    tree |= {"pages/tsconfig.json": settings, "pages/package.json": "{}"}
    tree |= parts("server/", {"web": "import os", "store": ""})
    assert told(write_tree(tmp_path / "x", tree), "uses") == "pages/src/view > pages/src/api"


def test_what_go_imports_of_others_is_no_file_that_is_called_so(tmp_path: Path) -> None:
    tree = {
        f"errors/errors{at}.go": 'package errors\n\nimport "errors"\n\nfunc Kit() error { return errors.New("x") }\n'
        for at in range(4)
    }
    tree |= {f"errors{at or ''}.go": f"package shop\n\nfunc Fail{at}() {{}}\n" for at in range(4)}
    tree |= {
        f"web/web{at}.go": 'package web\n\nimport "example.com/shop/errors"\n\nfunc Web() { errors.Kit() }\n'
        for at in range(4)
    }
    tree["go.mod"] = "module example.com/shop\n"
    assert told(write_tree(tmp_path / "x", tree), "uses") == "web > errors"


def test_files_of_csharp_are_of_the_namespace_that_they_say(tmp_path: Path) -> None:
    tree = {
        f"src/{name}/Part{at}.cs": f"using {said};\n\nnamespace Old.{name}\n{{\n    public class {name}{at}\n    {{\n    }}\n}}\n"
        for name, said in {"Core": "System.Text", "Web": "Old.Core"}.items()
        for at in range(4)
    }
    tree |= {f"src/{name}/New.{name}.csproj": "" for name in ("Core", "Web")}
    assert told(write_tree(tmp_path / "x", tree), "uses") == "src/Web > src/Core"


def test_a_file_of_csharp_leaves_out_of_a_namespace_what_its_own_begins_with(tmp_path: Path) -> None:
    tree = {
        f"src/{name}/Part{at}.cs": f"namespace Shop.{name}\n{{\n    using {said};\n\n    public class {name}{at}\n    {{\n    }}\n}}\n"
        for name, said in {"Core": "System.Text", "Web": "Core"}.items()
        for at in range(4)
    }
    tree |= {f"src/{name}/{name}.csproj": "" for name in ("Core", "Web")}
    assert told(write_tree(tmp_path / "x", tree), "uses") == "src/Web > src/Core"


def test_a_project_of_csharp_uses_those_that_it_refers_to(tmp_path: Path) -> None:
    """Of one namespace, its files need no word for what others of it define; `System` is that of no project here."""
    tree = {
        f"{name}/{name.replace('.', '')}{at}.cs": f"using System.Text;\n\nnamespace Shop\n{{\n    class {name.replace('.', '')}{at} {{ }}\n}}\n"
        for name in ("Shop", "Shop.Web")
        for at in range(4)
    }
    tree["Shop/Lacking/Older.cs"] = "namespace System.Text\n{\n    class Rune { }\n}\n"
    refers = '<ProjectReference Include="..\\Shop\\Shop.csproj" />\n<ProjectReference Include="$(Other).csproj" />\n'
    tree |= {"Shop/Shop.csproj": "<Project />\n", "Shop.Web/Shop.Web.csproj": f"<Project>{refers}</Project>\n"}
    assert told(write_tree(tmp_path / "x", tree), "uses") == "Shop.Web > Shop"


def test_a_project_of_gradle_uses_those_that_it_depends_on(tmp_path: Path) -> None:
    """All are of one package, whose names their files use without a word; what tests and tools alone need is not told."""
    tree = {
        f"shop/{name}/src/main/kotlin/shop/{name.title().replace('-', '')}{at}.kt": f"package shop\n\nclass {name.title().replace('-', '')}{at}\n"
        for name in ("shop-core", "shop-web", "shop-desk")
        for at in range(4)
    }
    depends = "dependencies {\n  api(projects.shop.shopCore)\n  testImplementation(projects.shop.shopDesk)\n  writtenBy(projects.shop.shopDesk)\n}\n"
    tree |= {
        "shop/shop-core/build.gradle.kts": "plugins { kotlin }\n",
        "shop/shop-web/build.gradle.kts": depends,
        "shop/shop-desk/build.gradle": "dependencies {\n    implementation project(':shop:shop-core')\n}\n",
    }
    assert told(write_tree(tmp_path / "x", tree), "uses") == "shop/shop-desk, shop/shop-web > shop/shop-core"


def test_a_package_that_comes_with_csharp_is_of_a_project_that_is_called_so(tmp_path: Path) -> None:
    tree = {
        f"{name}/Part{at}.cs": f"using {said};\n\nnamespace {name}\n{{\n    class Part{at} {{ }}\n}}\n"
        for name, said in {"System.Shop": "System.Text", "System.Web": "System.Shop"}.items()
        for at in range(4)
    }
    tree |= {f"{name}/{name}.csproj": "" for name in ("System.Shop", "System.Web")}
    tree["System.Shop/Older.cs"] = "namespace System.Text\n{\n    class Rune { }\n}\n"
    assert told(write_tree(tmp_path / "x", tree), "uses") == "System.Web > System.Shop"


def test_a_name_of_another_language_is_not_what_a_statement_means(tmp_path: Path) -> None:
    tree = {
        f"src/{name}/Part{at}.cs": f"using {said};\n\npublic class {name}{at}\n{{\n}}\n"
        for name, said in {"Core": "Web.ImportLists", "Web": "System.Text"}.items()
        for at in range(4)
    }
    tree |= {f"pages/{at}.js": f"export class ImportLists{at or ''} {{}}\n" for at in range(4)}
    assert told(write_tree(tmp_path / "x", tree), "uses") == ""


def test_pages_whose_package_is_called_like_the_server_are_not_what_the_server_imports(tmp_path: Path) -> None:
    said = "from desk import names\nfrom desk.store.store1 import store_step1"
    tree = parts("desk/", {"web": said, "plan": said, "mail": said, "store": "import os"})
    tree |= {f"pages/view{number}.js": f"export function draw{number}() {{}}\n" for number in range(3)}
    tree["pages/package.json"] = '{"name": "desk"}'
    line = told(write_tree(tmp_path / "x", tree), "uses")
    assert line == "desk/mail, desk/plan, desk/web > desk/store"


def test_a_name_that_a_file_elsewhere_has_too_means_no_part(tmp_path: Path) -> None:
    tree = parts("shop/", {"core": "from shop.core.row_text import Row", "desk": "import os", "aid": "import os"})
    tree |= {"shop/core/row_text.py": "class Row: pass\n", "shop/desk/desk0.py": "def row_text(): pass\n"}
    assert told(write_tree(tmp_path / "x", tree), "uses") == ""
