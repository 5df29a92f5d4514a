"""Files that are named after what they define: the map says their names once, and all of it can still be zoomed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from allocator.overview.folders import MapFile, Sort
from allocator.overview.map_steps import StepKind
from allocator.overview.namesakes import Named, namesakes
from allocator.overview.treemap import TreeMap
from benchmarks.overview.asked import indented
from benchmarks.overview.growing import grown, shown
from skeleton.zoom.zoomer import Zoomer
from tests.allocator.shop import make_shop, overview
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COLLECTION = """<?php
namespace Shop\\Sums;
class Collection {
    public function implode(string $glue): string { return $glue; }
    public function unique(): self { return $this; }
}
"""


def drawn(*named: Named, names: tuple[str, ...] = ("Collection.php", "Other.php")) -> list[str]:
    tree = TreeMap([MapFile(f"src/{name}", 360, Sort.SOURCE) for name in names], named)
    return tree.text(len(tree.steps)).splitlines()[1:]


def test_what_a_file_is_named_after_is_told_by_its_name() -> None:
    own = Named(0, "", "Collection"), Named(0, "Collection", "implode"), Named(0, "Collection", "unique")
    assert drawn(*own, Named(1, "", "Other")) == ["  Collection.php(implode unique)", "  Other.php"]
    assert drawn(*own[:2], Named(0, "", "helper")) == ["  Collection.php(implode): helper", "  Other.php"]
    assert drawn(own[0], Named(0, "", "helper")) == ["  Collection.php: helper", "  Other.php"]
    assert drawn(own[1]) == ["  Collection.php(implode)", "  Other.php"]  # one that is defined elsewhere


def test_files_of_which_nothing_else_is_told_are_written_together() -> None:
    names = ("UserFailed.php", "UserLogin.php", "UserLogout.php")
    defined = [Named(at, "", name.partition(".")[0]) for at, name in enumerate(names)]
    tree = TreeMap([MapFile(f"src/{name}", 360, Sort.SOURCE) for name in names], defined)
    assert tree.text(len(tree.steps)) == "src/ 3 ~300: User{Failed Login Logout}.php\n"
    assert not [step for step in tree.steps if step.kind is StepKind.NAME]


def test_a_file_comes_when_its_namesake_is_due() -> None:
    files = [MapFile(f"src/Part{at}.kt", 360, Sort.SOURCE) for at in range(40)]
    named = [Named(30, "", "Part30"), Named(20, "", "Part20"), Named(10, "", "helper")]
    steps = TreeMap(files, named).steps
    assert [step.at for step in steps if step.kind is StepKind.FILE][:3] == [30, 20, 10]


@pytest.mark.parametrize(
    ("name", "named", "said"),
    [
        ("Collection.php", ["Collection"], ["Collection"]),
        ("Mapper.Reader.cs", ["Mapper", "Mapper.Reader"], ["Mapper", "Reader"]),
        ("Mapper.Async.cs", ["Mapper", "Mapper.Read"], ["Mapper"]),
        ("Mapper.Reader.cs", ["Other", "Other.Reader"], None),
        ("assemble.py", ["assemble"], None),
        ("Collection.php", ["collection"], None),
        ("LICENSE", ["LICENSE"], None),
        (".Env.php", ["Env"], ["Env"]),
    ],
)
def test_a_name_says_what_it_spells(name: str, named: list[str], said: list[str] | None) -> None:
    parts = (one.rpartition(".") for one in named)
    assert namesakes([name], [Named(0, container, last) for container, _, last in parts]).get(0) == said


def test_what_stands_in_what_the_name_says_is_told_with_it() -> None:
    named = Named(0, "", "Mapper"), Named(0, "Mapper", "Reader"), Named(0, "Reader", "read"), Named(0, "Mapper", "map")
    assert drawn(*named, names=("Mapper.Reader.cs",)) == ["  Mapper.Reader.cs(read): Mapper(map)"]


def test_a_constructor_is_told_by_the_name_of_its_file() -> None:
    named = Named(0, "Collection", "Collection"), Named(0, "", "Collection"), Named(0, "Collection", "implode")
    assert drawn(*named)[0] == "  Collection.php(implode)"


def in_folders(paths: Sequence[str], *named: Named) -> list[str]:
    tree = TreeMap([MapFile(path, 360, Sort.SOURCE) for path in paths], named)
    places = (at for at, step in enumerate(tree.steps) if step.kind in {StepKind.FOLDER, StepKind.NAME})
    return tree.drawn(places).splitlines()[1:]


def test_what_a_folder_is_named_after_is_told_by_its_name() -> None:
    paths = [f"src/{name}/index.ts" for name in ("addDays", "addHours", "max", "minOf")]
    own = Named(0, "", "addDays"), Named(1, "", "addHours"), Named(2, "", "max"), Named(3, "", "least")
    *_, least = told = in_folders(paths, *own)
    assert told[:2] == ["  addDays/ 1 addHours/ 1", "  max/ 1 ~100"]  # a word tells it beside three of them alone
    assert least == "    index.ts: least"
    third = Named(3, "", "minOf")
    assert in_folders(paths, *own[:3], third) == ["  addDays/ 1 addHours/ 1 max/ 1 minOf/ 1"]
    assert in_folders(paths, *own[:3], third, Named(3, "minOf", "smallest"))[-1] == "    index.ts: minOf(smallest)"
    assert in_folders(["src/addDays/sum.ts", "src/b/b.ts"], own[0])[-2:] == ["    sum.ts: addDays", "  b/ 1"]


def test_a_folder_comes_when_what_it_is_named_after_is_due() -> None:
    files = [MapFile(f"src/deep/addPart{at}/index.ts", 360, Sort.SOURCE) for at in range(900)]
    named = [Named(700, "", "addPart700"), Named(400, "", "addPart400")]
    tree = TreeMap(files, named)
    assert {step.kind for step in tree.steps[:4]} == {StepKind.FOLDER}
    assert tree.text(3) == "src/deep/ 900 ~90k: +898 folders\n  addPart400/ 1 addPart700/ 1\n"


def test_of_definitions_that_are_called_alike_in_files_that_are_a_few_are_named_before_all_others() -> None:
    files = [MapFile(f"src/l{at:02}/texts.ts", 360, Sort.SOURCE) for at in range(20)]
    named = [Named(at, "", "words") for at in range(20)] + [Named(0, "", "last")]
    tree = TreeMap(files, named)
    told = [tree.steps[at].at for at, step in enumerate(tree.steps) if step.kind is StepKind.NAME]
    assert told == [0, 1, 2, 20, *range(3, 20)]


def test_a_reader_of_the_map_finds_such_a_file_and_what_it_defines() -> None:
    line = "src/ 2 ~200\n  Collection.php(implode unique): helper\n"
    assert indented(line) == {"src/", "src/Collection.php"}
    told = shown(f"+++ [OVERVIEW]\n{line}")
    assert {("Collection.php", name) for name in ("implode", "unique", "helper")} <= told
    assert shown(f"+++ [OVERVIEW]\n{line.replace('(implode unique)', '')}") < told


def test_whatever_such_a_line_names_can_be_zoomed(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"src/Collection.php": COLLECTION, "src/other.php": "<?php\nfunction other() {}\n" * 9})
    engine = ContextEngine(Roots([root]))
    headline, *lines = engine.folder_map(str(root), "src/").splitlines()
    assert "file(members of its namesake): definitions(members)" in headline
    assert "  Collection.php(implode unique)" in lines or "  Collection.php(unique implode)" in lines
    zoomer = Zoomer(engine.index)
    for target in ("src/Collection.php", "src/Collection.php::Collection.implode", "Collection.unique", "Collection"):
        assert "function" in zoomer.zoom(target, str(root)).text, target


@pytest.mark.no_cover
def test_more_budget_never_shows_less_of_such_files(tmp_path: Path) -> None:
    body = "".join(f"    public function get{{0}}{at}(): int {{{{ return {at}; }}}}\n" for at in range(9))
    tree = {
        f"src/{part}/{part}{at}.php": f"<?php\nclass {part}{at} {{\n{body.format(part)}}}\n"
        for part in ("User", "Order", "Price")
        for at in range(12)
    }
    root = write_tree(tmp_path, tree)
    told = grown(root, ContextEngine(Roots([root])), range(500, 3000, 25))
    assert not told.breaks
    assert told.least > 0.95


def test_a_namespace_that_many_files_share_is_named_once(tmp_path: Path) -> None:
    classes = {
        f"src/Part{at}.cs": f"namespace Shop.Sums\n{{\n    public class Part{at}\n    {{\n        public int Sum() => {at};\n    }}\n}}\n"
        for at in range(12)
    }
    root = write_tree(tmp_path, classes)
    text = ContextEngine(Roots([root])).folder_map(str(root), "src/")
    assert text.count("Shop.Sums") == 1
    assert text.count(".cs(Sum)") >= 11


def test_private_values_come_after_what_is_for_others(tmp_path: Path) -> None:
    members = "".join(f"    def refill_{number}(self) -> None: ...\n" for number in range(12))
    shop = make_shop(tmp_path / "shop")
    write_tree(shop, {"src/shop/depot.py": f"class Depot:\n    _places: int = 0\n    _room: int = 0\n\n{members}"})
    text = overview(shop, 2000).context
    line = re.search(r"^  depot\.py.*$", text, re.MULTILINE)
    assert line is not None
    assert line[0].endswith("refill_9 _places _room)")


def test_many_values_of_one_file_come_after_the_names_of_the_others(tmp_path: Path) -> None:
    names = [f"SHOP_SIZE_{number}" for number in range(40)]
    used = "".join(f"    print({name})\n" for name in names)
    tree = {"src/shop/sizes.py": "".join(f"{name} = {at}\n" for at, name in enumerate(names))}
    tree |= {
        f"src/shop/use_{at}.py": f"from shop.sizes import *\n\n\ndef use_{at}_rarely():\n{used}" for at in range(9)
    }
    shop = write_tree(make_shop(tmp_path / "shop"), tree)
    found = [
        (set(re.findall(r"SHOP_SIZE_\d+", text)), set(re.findall(r"use_\d_rarely", text)))
        for text in (overview(shop, budget).context for budget in range(600, 2400, 100))
    ]
    assert any(len(uses) == 9 for _, uses in found)
    assert all(len(sizes) <= 24 for sizes, uses in found if len(uses) < 9)
    assert len(found[-1][0]) == 40


def test_what_is_implemented_for_types_of_others_is_named_after_all_that_is_defined(tmp_path: Path) -> None:
    used = "use crate::reading::Read;\npub fn of(one: Vec<u8>) -> Vec<u8> { one }\n"
    source = "pub trait Read {}\nimpl Read for Vec<u8> {}\npub struct Own;\nimpl Read for Own {}\npub fn rarely_called() {}\n"
    others = {f"src/shop/used_{number}.rs": used for number in range(6)}
    shop = make_shop(tmp_path / "shop")
    write_tree(shop, {"src/shop/reading.rs": source} | others)
    (line,) = re.findall(r"^  reading\.rs: (.*)$", overview(shop, 2500).context, re.MULTILINE)
    assert line == "Read, rarely_called, Own, Vec"


def test_members_of_objects_of_javascript_are_named_with_these(tmp_path: Path) -> None:
    keys = "export const shopKeys = {\n  list: (at) => [at],\n  detail: (at) => [at, 1],\n};\n"
    shop = make_shop(tmp_path / "shop")
    store = keys.replace("shopKeys", "store") + "export function openStore() {\n  return store.list(1);\n}\n"
    write_tree(shop, {"src/pages/useShop.ts": keys, "src/pages/store.ts": store})
    text = overview(shop, 3000).context
    assert re.search(r"^ +useShop\.ts: shopKeys\((?:list detail|detail list)\)$", text, re.MULTILINE)
    assert not re.search(r"^ +\w+\.ts: (?:list|detail)\b", text, re.MULTILINE)


def test_fields_of_a_type_without_a_name_come_after_all_that_others_can_name(tmp_path: Path) -> None:
    rows = "static const struct {\n\tconst char *file;\n\tint count;\n} rows[] = { { 0, 1 } };\n"
    functions = "".join(f"static int open_row_{at}(int x) {{\n\treturn x;\n}}\n" for at in range(9))
    shop = make_shop(tmp_path / "shop")
    used = {f"src/use{at}.c": f"int use_{at}(int file, int count) {{ return file + count; }}\n" for at in range(60)}
    write_tree(shop, {"src/rows.c": rows + functions} | used)
    (line,) = re.findall(r"^ +rows\.c: (.*)$", overview(shop, 3000).context, re.MULTILINE)
    assert line.endswith("open_row_8, file, count")
