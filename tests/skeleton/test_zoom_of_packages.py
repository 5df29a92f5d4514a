"""Packages by the names that imports and manifests give them: the map of their folder, or a file in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from allocator.context import ContextEngine
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

YARD = {
    "packages/till/package.json": '{"name": "@yard/shop-till"}',
    "packages/till/src/count.ts": "export const count = 1;\n",
    "packages/till/src/parts/one.ts": "export const one = 1;\n",
    "crates/scale/Cargo.toml": '[package]\nauthors = ["Ann [at] yard"]\nname = "yard-scale"\n',
    "crates/scale/src/weights.rs": "pub fn weigh() {}\n",
    "go/go.mod": "module example.org/yard/v2\n",
    "go/ledger/ledger.go": "package ledger\n\nfunc Open() {}\n",
    "jvm/pom.xml": "<project><parent><groupId>org.yard</groupId><artifactId>all</artifactId></parent><artifactId>lamps</artifactId></project>\n",
    "jvm/Lamp.java": "class Lamp {}\n",
    "py/pyproject.toml": '[project]\ndynamic = ["version"]\nname = "yard-keys"\n',
    "py/yard_keys/key.py": "def turn():\n    pass\n",
    "app/core/store/build.gradle.kts": "plugins {}\n",
    "app/core/store/Store.kt": "class Store\n",
    "Gemfile": "",
    "rb/boats.gemspec": "Gem::Specification.new do |spec|\n  spec.name = 'yard_boats'\nend\n",
}


@pytest.mark.parametrize(
    ("target", "holds"),
    [
        ("@yard/shop-till", "packages/till/"),
        ("@yard/shop-till/parts", "packages/till/src/parts/"),
        ("yard-scale", "crates/scale/"),
        ("yard_scale", "crates/scale/"),
        ("example.org/yard/v2/ledger", "go/ledger/"),
        ("lamps", "jvm/"),
        ("org.yard:lamps", "jvm/"),
        ("org.yard:lamps:1.2.0", "jvm/"),
        ("yard-keys", "py/"),
        (":app:core:store", "app/core/store/"),
        ("yard_boats", "rb/"),
    ],
)
def test_a_package_by_its_name_is_the_map_of_its_folder(tmp_path: Path, target: str, holds: str) -> None:
    engine = ContextEngine(Roots([write_tree(tmp_path, YARD)]))
    found = Zoomer(engine.index).zoom(target, ".", folder_map=engine.folder_map)
    assert found.text == Zoomer(engine.index).zoom(holds, ".", folder_map=engine.folder_map).text


@pytest.mark.parametrize(
    "target", ["@yard/shop-till/count", "@yard/shop-till/lib/count", "@yard/shop-till/dist/esm/count"]
)
def test_a_module_of_a_package_is_its_file(tmp_path: Path, target: str) -> None:
    engine = ContextEngine(Roots([write_tree(tmp_path, YARD)]))
    (match,) = Zoomer(engine.index).zoom(target, ".", folder_map=engine.folder_map).matches
    assert match.path == "packages/till/src/count.ts"


def test_a_definition_of_a_package_is_no_folder_and_what_no_manifest_names_is_nothing(tmp_path: Path) -> None:
    engine = ContextEngine(Roots([write_tree(tmp_path, YARD)]))
    (match,) = Zoomer(engine.index).zoom("@yard/shop-till.count", ".", folder_map=engine.folder_map).matches
    assert match.path == "packages/till/src/count.ts"
    with pytest.raises(SymbolNotFoundError):
        Zoomer(engine.index).zoom("@yard/shop", ".", folder_map=engine.folder_map)
