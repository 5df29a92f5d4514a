"""A call that asks for nothing in particular: the whole folder first, coarse, and finer where it matters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from allocator.overview.about import description
from allocator.overview.first_look import SIGNATURE
from allocator.overview.folders import MapFile, Sort, in_short
from allocator.overview.treemap import Named, StepKind, TreeMap, need_at
from benchmarks.overview.asked import indented
from benchmarks.overview.growing import grown, shown
from skeleton import CompressionLevel
from tests.trees import write_tree
from workspace.errors import PathNotFoundError
from workspace.names.tiers import Tier, tier_of
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from allocator import ContextResult

count = token_counter().count

BUDGETS = (300, 500, 800, 1200, 2000, 3000, 4500, 7000, 10_000)

README = """# Shop

[![badge](https://x/y.svg)](https://x/y)

Sells things to people who asked for `Basket` and nothing else, in many a country.
"""


def module(name: str, *, uses: str = "") -> str:
    """A source file with a type, its methods and two functions."""
    title = name.title()
    called = f"    {uses}()\n" if uses else "    pass\n"
    return (
        f"import os\nimport sys\nfrom typing import Any\n\n\nclass {title}:\n"
        f'    """Holds what {name} needs."""\n\n'
        + "".join(
            f"    def {name}_{verb}(self, value: int) -> int:\n        return value * {len(verb)}\n\n"
            for verb in ("load", "store", "drop")
        )
        + f"\ndef make_{name}(size: int) -> {title}:\n{called}    return {title}()\n\n\ndef _hidden_{name}() -> None:\n    pass\n"
    )


STARTED = module("order", uses="make_basket") + "\n\ndef main():\n    make_order(1)\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    names = ("basket", "order", "payment", "customer", "ledger", "mailer", "parcel", "price", "stock", "voucher")
    tree = {f"src/shop/{name}.py": module(name, uses="make_basket" if name != "basket" else "") for name in names}
    tree |= {f"src/shop/web/{name}_view.py": module(f"{name}_view", uses=f"make_{name}") for name in names}
    tree |= {f"tests/unit/test_{name}.py": f"def test_{name}():\n    assert make_{name}(1)\n" for name in names}
    tree |= {
        "README.md": README,
        "pyproject.toml": '[project]\nname = "shop"\ndescription = "A shop."\nscripts = {shop = "shop.cli:main"}\n',
        "src/shop/cli.py": "from shop.order import make_order\n\n\ndef main() -> None:\n    make_order(1)\n",
        "src/shop/__init__.py": "",
        "docs/guide/start.md": "# Start\n\nMake a `Basket` first.\n",
        "gradlew.bat": "@rem starts gradle\n" * 30,
        "vendor/lib/copy.py": module("basket"),
    }
    return write_tree(tmp_path / "shop", tree)


def overview(folder: Path, budget: int, layout: str = "compact") -> ContextResult:
    return ContextEngine(Roots([folder])).get_context(str(folder), token_budget=budget, format=layout)


def test_it_begins_with_what_the_project_says_it_is_and_where_to_begin(shop: Path) -> None:
    lines = overview(shop, 2000).context.splitlines()
    assert lines[0] == "+++ [OVERVIEW]"
    assert lines[1].startswith("37 files: 22 source")
    assert lines[2] == "pyproject.toml: shop · A shop."
    assert lines[3] == "README.md: # Shop"
    text = "\n".join(lines)
    assert "begin: shop = src/shop/cli.py::main" in text
    assert "main flow: main > make_order; make_order > make_basket" in text
    assert "tests: tests/ (10 files, 10 named like source)" in text
    assert re.search(r"read next: \S+::\S+", text)


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
    write_tree(shop, {"src/shop/page.vue": "<script>\nfunction lone_helper() {}\n</script>\n"})
    text = overview(shop, 3000).context
    assert "page.vue" in text
    assert "lone_helper" not in text


def test_an_entry_point_is_told_once(shop: Path) -> None:
    assert re.search(r"^begin: shop = src/shop/cli\.py::main$", overview(shop, 2000).context, re.MULTILINE)


def test_the_file_in_which_a_package_says_what_it_offers_is_told(shop: Path) -> None:
    assert "exports: " not in overview(shop, 2000).context  # it is empty
    write_tree(shop, {"src/shop/__init__.py": "from shop.basket import Basket\n\n__all__ = ['Basket']\n"})
    assert "\nexports: src/shop/__init__.py\n" in overview(shop, 2000).context


def test_what_to_read_next_are_definitions_that_stand_in_no_other(shop: Path) -> None:
    line = re.search(r"^read next: (.*)$", overview(shop, 2000).context, re.MULTILINE)
    assert line is not None
    assert not [target for target in line[1].split(", ") if "." in target.partition("::")[2]]


def told(folder: Path, line: str) -> str:
    """The rest of a line that tells of the whole; "" where there is none. The folder is made larger than the budget."""
    write_tree(folder, {f"notes/{number}.txt": "One line of many, and none of code.\n" * 200 for number in range(12)})
    found = re.search(rf"^{line}: (.*)$", overview(folder, 3000).context, re.MULTILINE)
    return found[1] if found else ""


def test_a_small_thing_with_a_common_name_is_not_what_to_read_next(shop: Path) -> None:
    calls = {f"src/shop/use{number}.py": f"def use_{number}(held):\n    held.clear()\n" for number in range(5)}
    write_tree(shop, {**calls, "src/shop/tiny.py": "def clear() -> None:\n    pass\n"})
    listed = told(shop, "read next")
    assert "basket.py::" in listed
    assert "tiny.py" not in listed


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


def parts(prefix: str, imports: dict[str, str], *, ending: str = "py") -> dict[str, str]:
    """Folders of three files each, all of which import the same."""
    return {
        f"{prefix}{name}/{name}{number}.{ending}": f"{said}\n\n"
        + {"py": "def {}(): pass\n", "js": "function {}() {{}}\n", "java": "class {} {{}}\n"}[ending].format(
            f"{name}_step{number}"
        )
        for name, said in imports.items()
        for number in range(3)
    }


def test_folders_of_one_package_are_told_with_those_that_they_import(tmp_path: Path) -> None:
    imports = {
        "core": "import os",
        "plan": "from ..core.core1 import core_step1",
        "show": "from shop.core.core2 import core_step2",
        "talk": "from rich import core_step1  # another's\n'''shop.core and shop.plan'''",
    }
    folder = write_tree(tmp_path / "x", parts("shop/", imports))
    assert told(folder, "uses") == "shop/plan, shop/show > shop/core"


def test_packages_are_told_with_those_that_they_import_by_name(tmp_path: Path) -> None:
    imports = {
        "core": "import x from 'vue'",
        "cli": "import {\n  run,\n} from '@shop/core'",
        "web": "const core = require('../cli')\nexport * from '@shop/web2'",
    }
    tree = parts("packages/", imports, ending="js")
    tree |= {f"packages/{name}/package.json": f'{{"name": "@shop/{name}"}}' for name in imports}
    folder = write_tree(tmp_path / "x", tree)
    assert told(folder, "uses") == "packages/cli > packages/core; packages/web > packages/cli"


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
    imports = {"bind": "import com.shop.core.core1;", "core": "import java.util.List;"}
    folder = write_tree(tmp_path / "x", parts("src/main/java/com/shop/", imports, ending="java"))
    assert told(folder, "uses") == "…/shop/bind > …/shop/core"


def test_where_the_whole_has_no_readme_that_of_its_largest_package_is_read(tmp_path: Path) -> None:
    tree = parts("packages/main/lib/", {"core": "import x from 'y'", "plan": "import x from 'y'"}, ending="js")
    tree |= {"packages/main/package.json": '{"name": "main"}', "packages/main/README.md": "Sells things to many.\n"}
    tree |= {"packages/add/package.json": '{"name": "add"}', "packages/add/README.md": "Adds to what is sold.\n"}
    folder = write_tree(tmp_path / "x", tree | {"packages/add/one.js": "function one() {}\n", "package.json": "{}"})
    assert told(folder, "packages/main/README.md") == "Sells things to many."


def test_a_program_that_a_manifest_names_is_told_only_where_its_file_is(tmp_path: Path) -> None:
    tree = {f"lib/part{number}.js": f"export function part_{number}() {{}}\n" for number in range(12)}
    tree["package.json"] = (
        '{"name": "x", "bin": {"gone": "dist/gone.js", "here": "lib/part3.js"}, "exports": [1, null]}'
    )
    assert told(write_tree(tmp_path / "x", tree), "begin") == "here = lib/part3.js"


def test_a_module_called_setup_makes_no_package(tmp_path: Path) -> None:
    tree = parts("shop/", {"core": "import os", "plan": "from ..core.core1 import core_step1"})
    tree |= {"shop/core/setup.py": "def setup(): pass\n", "shop/core/__init__.py": "from .core1 import core_step1\n"}
    folder = write_tree(tmp_path / "x", tree | {"shop/__init__.py": "from .core import core_step1\n"})
    assert told(folder, "exports") == "shop/__init__.py"


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
    tree["lib/all.py"] = "def run_all():\n" + "".join(f"    run_{part}()\n" for part in parts)
    tree["lib/one.py"] = "def run_one():\n    run_part_1()\n" + "".join(f"    # run_{part}()\n" for part in parts)
    assert told(write_tree(tmp_path / "x", tree), "main flow").startswith("run_all > ")


def test_the_program_of_a_small_package_is_not_the_main_flow(tmp_path: Path) -> None:
    tree = {
        f"lib/part{number}.py": f"def run_part{number}():\n    run_part{number + 1}()\n" + "X = 1\n" * 3
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


def test_names_that_say_nothing_are_not_on_the_map(shop: Path) -> None:
    fields = "".join(f"    code_{number} = {number}\n" for number in range(40))
    source = f"T = 1\n__all__ = ['Codes']\n\n\nclass Codes:\n    def __init__(self) -> None:\n        pass\n\n{fields}"
    write_tree(shop, {"src/shop/codes.py": source})
    line = re.search(r"^  codes\.py: (.*)$", overview(shop, 3500).context, re.MULTILINE)
    assert line is not None
    assert re.fullmatch(r"Codes\((code_\d+ ?)+\)", line[1])


def test_every_folder_stands_with_its_counts(shop: Path) -> None:
    text = overview(shop, 2000).context
    for line in ("docs/guide/ 1", "src/shop/ 22", "  web/ 10", "tests/unit/ 10 tests", "vendor/lib/ 1"):
        assert re.search(rf"^{re.escape(line)} ~", text, re.MULTILINE), line


def test_files_are_named_with_what_they_define_the_most_used_first(shop: Path) -> None:
    text = overview(shop, 2000).context
    line = re.search(r"^  basket\.py: .*make_basket.*$", text, re.MULTILINE)
    assert line is not None
    assert "_hidden_basket" not in line[0].partition("make_basket")[0]


@pytest.mark.no_cover
@pytest.mark.parametrize("layout", ["plus", "compact", "xml", "markdown", "json"])
def test_no_budget_is_exceeded_and_nearly_all_of_it_is_used(shop: Path, layout: str) -> None:
    for budget in BUDGETS:
        result = overview(shop, budget, layout)
        assert result.tokens_used == count(result.context) + count(result.summary) <= budget
        if result.metadata.compression_summary[CompressionLevel.DROP] and budget >= 2000:
            assert result.tokens_used >= 0.9 * budget


@pytest.mark.no_cover
def test_a_map_alone_keeps_to_its_budget(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    for budget in range(64, 700, 9):
        result = engine.get_context(str(shop), token_budget=budget, format="compact", summary=False)
        assert result.tokens_used == count(result.context) <= budget


@pytest.mark.no_cover
@pytest.mark.parametrize("budgets", [range(500, 1500, 9), range(1500, 4500, 30)], ids=["small", "all"])
def test_more_budget_never_shows_less(shop: Path, budgets: range) -> None:
    told = grown(shop, ContextEngine(Roots([shop])), budgets)
    assert told.budgets == len(budgets)
    assert not told.breaks
    assert told.least > (0.95 if budgets[0] < 1500 else 0.97)


def test_a_larger_budget_that_shows_less_is_seen() -> None:
    less = "+++ [OVERVIEW]\n9 files: 9 source. Below\nsrc/ 9 ~2k\n  a.py: Apple(core peel)\n  b.py c.py +6\n+++ src/a.py\n3 def core():\n⋮ 4 lines\n"
    more = less.replace("b.py c.py +6", "{b c d}.py +5").replace("+++ src/a", "+++ src/d.py\n1 x = 1\n+++ src/a")
    assert shown(less) < shown(more)
    assert {("src/c.py", ""), ("a.py", "peel"), ("src/a.py", "3")} <= shown(less)
    for gone in ("peel", "c d", "3 def core():", "9 source. "):
        assert not shown(less) <= shown(more.replace(gone, "", 1)), gone


def test_it_is_the_same_each_time_and_from_each_engine(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    first, again = (engine.get_context(str(shop), token_budget=3000) for _ in range(2))
    assert first.context == again.context == overview(shop, 3000, "plus").context


def test_a_change_inside_a_file_leaves_what_comes_before_it_as_it_was(shop: Path) -> None:
    before = overview(shop, 4000).context
    place = shop / "src/shop/web/voucher_view.py"
    place.write_text(place.read_text(encoding="utf-8").replace("value * 4", "value * 5"), encoding="utf-8")
    after = overview(shop, 4000).context
    until = before.find("+++ src/shop/web/voucher_view.py")
    assert before[:until] == after[:until]


@pytest.mark.no_cover
def test_an_engine_that_remembers_answers_after_every_edit_as_a_new_one_does(shop: Path) -> None:
    lasting = ContextEngine(Roots([shop]))
    asked: tuple[dict[str, Any], ...] = (
        {"token_budget": 2000},
        {"token_budget": 2000, "focus": ["make_order"]},
        {"token_budget": 2000, "query": "where is a basket made"},
        {"token_budget": 2000, "include": ["src/"]},
    )

    def answers(engine: ContextEngine) -> list[tuple[str, str]]:
        found = [engine.get_context(str(shop), **arguments) for arguments in asked]
        return [(one.context, one.summary) for one in found]

    edits: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: (shop / "src/shop/order.py").write_text(module("order", uses="make_price")),
        lambda: (shop / "src/shop/stock.py").unlink(),
        lambda: (shop / "src/shop/extra.py").write_text(module("extra", uses="make_order")),
        lambda: (shop / "src/shop/extra.py").rename(shop / "src/shop/web/extra.py"),
        lambda: (shop / "README.md").write_text("# Other\n\nSells nothing.\n"),
    )
    for edit in edits:
        edit()
        assert answers(lasting) == answers(ContextEngine(lasting.roots, index=lasting.index))


def test_no_frame_is_empty_and_no_line_is_cut(shop: Path) -> None:
    source = {line for file in shop.rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines()}
    for budget in BUDGETS:
        blocks = overview(shop, budget).context.split("\n+++ ")[1:]
        for block in blocks:
            _, *lines = block.splitlines()
            assert any(line.strip() and not line.lstrip().startswith("⋮") for line in lines), block
            assert not any(line.endswith("…") and line not in source for line in lines)


def test_the_last_line_says_what_is_not_shown_and_how_to_get_it(shop: Path) -> None:
    assert re.fullmatch(r"⋮ \d+ more files", overview(shop, 600).context.splitlines()[-1])
    result = overview(shop, 2500)
    last = result.context.splitlines()[-1]
    dropped = len(result.metadata.compression_summary[CompressionLevel.DROP])
    assert last.startswith(f"⋮ {dropped} of 37 files are not shown: zoom ")


def test_where_all_files_fit_they_are_shown_in_full_without_a_map(shop: Path) -> None:
    result = overview(shop, 60_000)
    assert result.metadata.files_full == 37
    assert "[OVERVIEW]" not in result.context
    assert not result.context.splitlines()[-1].startswith("⋮")


def test_build_scripts_and_copies_come_after_source(shop: Path) -> None:
    text = overview(shop, 2500).context
    assert "+++ src/shop/" in text
    assert "+++ gradlew.bat" not in text
    assert "+++ vendor/" not in text


def test_a_map_joins_folders_that_hold_nothing_else() -> None:
    files = [
        MapFile("a/b/c/x.py", 360, Sort.SOURCE),
        MapFile("a/b/c/test_x.py", 36, Sort.TEST),
        MapFile("y.py", 4, Sort.SOURCE),
    ]
    tree = TreeMap(files, [Named(0, "", "X"), Named(0, "X", "go")])
    assert tree.text(len(tree.steps)) == "a/b/c/ 2, 1 tests ~110\n  x.py: X(go)\n  test_x.py\ny.py\n"
    assert tree.text(0) == ""


def test_folders_with_source_come_before_those_without() -> None:
    files = [
        MapFile("docs/x.md", 36, Sort.PROSE),
        MapFile("lib/a/notes.md", 36, Sort.PROSE),
        MapFile("lib/b/x.py", 36, Sort.SOURCE),
        MapFile("lib/y.py", 36, Sort.SOURCE),
    ]
    tree = TreeMap(files, [])
    lines = [line.split()[0] for line in tree.text(len(tree.steps)).splitlines()]
    assert [line for line in lines if line.endswith("/")] == ["lib/", "b/", "a/", "docs/"]


def test_what_is_drawn_with_a_step_of_the_map_anyway_is_a_step_before_it() -> None:
    files = [MapFile(f"a/{folder}/x/{name}.py", 100, Sort.SOURCE) for folder in "bcd" for name in "xyz"]
    tree = TreeMap(files, [Named(at, "", f"Name{at}") for at in (7, 0, 3)])
    assert {step.kind for step in tree.steps} == {StepKind.FOLDER, StepKind.FILE, StepKind.NAME}
    assert len(tree.steps) == len({step[2:] for step in tree.steps})
    for count in range(1, len(tree.steps) + 1):
        before, after = (set(indented(tree.text(taken))) for taken in (count - 1, count))
        new = {place for place in after - before if "+" not in place and " " not in place}
        assert len(new) <= 1 or tree.steps[count - 1].kind is StepKind.FOLDER


def test_a_map_counts_the_files_that_it_does_not_name() -> None:
    files = [MapFile(f"a/{name}.py", 100, Sort.SOURCE) for name in "xyz"]
    tree = TreeMap(files, [Named(1, "", "Y")])
    first = [step.kind for step in tree.steps].index(StepKind.NAME) + 1
    assert tree.text(first) == "a/ 3 ~83\n  y.py: Y\n  +2\n"


@pytest.mark.parametrize(("count", "come_first"), [(180, True), (4000, False)])
def test_names_of_tests_stand_together_and_before_signatures_of_most_definitions_where_they_are_few(
    count: int, come_first: bool
) -> None:
    files = [MapFile("lib.py", 100, Sort.SOURCE), *(MapFile(f"t/test_{at}.py", 9, Sort.TEST) for at in range(count))]
    tests = [step for step in TreeMap(files, []).steps if step.kind is StepKind.FILE and step.at]
    assert (tests[-1].rank > need_at(100) / SIGNATURE) is come_first


@pytest.mark.parametrize(("each", "come_first"), [(3, True), (6, False)])
def test_all_folders_come_before_most_names_of_files_unless_files_are_very_many(each: int, come_first: bool) -> None:
    files = [MapFile(f"lib/{at}_part.py", 100, Sort.SOURCE) for at in range(90)]
    files += [MapFile(f"t/case_{at}/in_{at}_{of}.py", 9, Sort.TEST) for at in range(550) for of in range(each)]
    steps = TreeMap(files, []).steps
    last_folder = max(at for at, step in enumerate(steps) if step.kind is StepKind.FOLDER)
    last_source = max(at for at, step in enumerate(steps) if step.kind is StepKind.FILE and step.at < 90)
    assert (last_folder < last_source) is come_first


def test_names_of_all_source_files_come_before_most_of_what_is_defined_where_they_are_many() -> None:
    files = [MapFile(f"lib/part_{at}_of_many.py", 100, Sort.SOURCE) for at in range(2000)]
    tree = TreeMap(files, [Named(at % 100, "", f"name_{at}") for at in range(4000)])
    sources = [at for at, step in enumerate(tree.steps) if step.kind is StepKind.FILE]
    assert sum(step.price for step in tree.steps[: sources[-1]] if step.kind is StepKind.NAME) < 10_000


@pytest.mark.parametrize(
    ("number", "written"), [(7, "7"), (838, "840"), (6249, "6.2k"), (62_490, "62k"), (1_440_000, "1.4M"), (998, "1.0k")]
)
def test_sizes_have_two_digits(number: float, written: str) -> None:
    assert in_short(number) == written


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("package.json", '{"name": "n", "description": "d\\n e"}', "package.json: n · d e"),
        ("Cargo.toml", '[package]\nname = "n"\nversion.workspace = true\n', "Cargo.toml: n"),
        ("go.mod", "module example.com/n\n\ngo 1.22\n", "go.mod: example.com/n"),
        ("pom.xml", "<project><name>n</name><description>d</description></project>", "pom.xml: n · d"),
        ("setup.cfg", "[metadata]\nname = n\n", "setup.cfg: n"),
        ("pyproject.toml", "not toml [", ""),
        ("package.json", "[]", ""),
    ],
)
def test_a_manifest_says_what_the_project_is(path: str, text: str, told: str) -> None:
    assert description(path, text) == told


def test_a_folder_of_the_map_can_be_drawn_by_itself(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    whole = engine.folder_map(str(shop), "src/shop/web/")
    assert whole.splitlines()[1].startswith("src/shop/web/ 10 ~1.")
    assert "make_voucher_view" in whole
    assert "ledger.py" not in whole
    part = engine.folder_map(str(shop), "src/", token_budget=200)
    assert count(part) <= 200
    assert part.splitlines()[-1] == "⋮ part of the map: raise token_budget, or zoom one of its folders"
    with pytest.raises(PathNotFoundError, match="is no folder with files here"):
        engine.folder_map(str(shop), "nowhere/")


def test_without_a_summary_the_whole_budget_is_the_contexts(shop: Path) -> None:
    result = ContextEngine(Roots([shop])).get_context(str(shop), token_budget=2000, summary=False)
    assert result.summary == ""
    assert 1940 <= result.tokens_used == count(result.context) <= 2000


def test_the_source_sets_of_kotlin_tests_are_tests() -> None:
    assert tier_of("okhttp/src/jvmTest/kotlin/okhttp3/AutobahnTester.kt") is Tier.TESTS
    assert tier_of("src/latest/main.kt") is Tier.CORE
