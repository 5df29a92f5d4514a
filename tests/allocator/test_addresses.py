"""The paths of a context are relative to the root, whatever folder was asked for, and work when they are sent back."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

MODULE = '"""Part {0}."""\n\n\ndef part_{0}(number: int) -> int:\n    return helper_{0}(number) + 1\n\n\ndef helper_{0}(number: int) -> int:\n    return number * {0}\n'
HEADER = re.compile(r"^\+\+\+ ([^\s\[]\S*)", re.MULTILINE)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = {f"{place}/mod_{n}.py": MODULE.format(n) for place in ("src/shop", "lib") for n in range(14)}
    return write_tree(tmp_path_factory.mktemp("root"), tree)


@pytest.fixture
def engine(root: Path) -> ContextEngine:
    return ContextEngine(Roots([root]))


def test_headers_metadata_and_map_are_relative_to_the_root(engine: ContextEngine) -> None:
    for path in ("src/shop", "src", "src/shop/mod_3.py"):
        result = engine.get_context(path, format="compact")
        told = HEADER.findall(result.context)
        assert told
        assert all(one.startswith("src/shop/mod_") for one in told)
        paths = [one for listed in result.metadata.compression_summary.values() for one in listed]
        assert sorted(paths) == sorted(told)
    overview = engine.get_context("src/shop", token_budget=600, format="compact").context
    assert "src/shop/ 14" in overview
    assert re.search(r"src/shop/mod_\d+\.py::\w+", overview)


def test_an_address_means_the_same_from_the_folder_and_from_the_root(root: Path, engine: ContextEngine) -> None:
    zoomer = Zoomer(CodeIndex(Roots([root])))
    for path in (".", "src", "src/shop"):
        for target in (
            "src/shop/mod_3.py",
            "src/shop/mod_3.py:4-5",
            "src/shop/mod_3.py::part_3",
            "symbol=src/shop/mod_3.py::part_3",
            "./src/shop/mod_3.py::part_3",
            "file=src/shop/mod_3.py",
        ):
            (match,) = zoomer.zoom(target, path).matches
            assert match.path == "src/shop/mod_3.py", (path, target)
        callers = zoomer.zoom("src/shop/mod_3.py::helper_3", path, context="callers").text
        assert "\nsrc/shop/mod_3.py:5 in part_3" in callers
    for focus in ("src/shop/mod_3.py", "src/shop/mod_3.py::part_3", "src/shop/", "src/shop/mod_3.py:4-5"):
        for path in ("src", "src/shop"):
            context = engine.get_context(path, focus=[focus], token_budget=700, format="compact").context
            assert HEADER.findall(context)[0] == "src/shop/mod_3.py" or focus == "src/shop/"
    assert engine.folder_map("src/shop", "src/shop/") == engine.folder_map("src", "shop/")


def test_a_folder_that_holds_one_of_its_own_name_is_read_from_itself(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"a/a/x.py": "inner = 1\n", "a/x.py": "outer = 1\n"})
    zoomer = Zoomer(CodeIndex(Roots([root])))
    assert [one.path for one in zoomer.zoom("a/x.py", "a").matches] == ["a/a/x.py"]
    assert [one.path for one in zoomer.zoom("a/x.py", ".").matches] == ["a/x.py"]


def test_what_is_not_there_is_told_with_addresses_that_are(root: Path) -> None:
    with pytest.raises(SymbolNotFoundError) as error:
        Zoomer(CodeIndex(Roots([root]))).zoom("part_33", "src/shop")
    assert error.value.suggestions
    assert all("src/shop/mod_" in one for one in error.value.suggestions)


def test_changes_and_snapshots_of_a_folder_speak_of_the_root(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {f"src/shop/mod_{n}.py": MODULE.format(n) for n in range(4)})
    git = ("git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        subprocess.run([*git, *command], check=True)
    engine = ContextEngine(Roots([root]))
    before = engine.get_context("src/shop", format="compact").metadata.snapshot
    (root / "src/shop/mod_0.py").unlink()
    (root / "src/shop/mod_1.py").rename(root / "src/shop/moved.py")
    (root / "src/shop/mod_2.py").write_text(MODULE.format(2).replace("* 2", "* 22"), encoding="utf-8")
    for changed, since in (("worktree", ""), ("", before)):
        result = engine.get_context("src/shop", format="compact", changed=changed, since=since)
        told = HEADER.findall(result.context)
        assert {"src/shop/mod_0.py", "src/shop/mod_2.py"} <= set(told)
        assert all(one.startswith("src/shop/") for one in told)
        assert all(path.startswith("src/shop/") for paths in result.metadata.changes.values() for path in paths)
    assert "src/shop/mod_3.py" not in engine.get_context("src/shop", since=before, format="compact").context
