"""Cases from a small real history, and what a text shows of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.recall.cases import Case, Target, cases_of, cleaned
from benchmarks.recall.contenders import Tree, bm25, bm25_lines, our_ranking, ours
from benchmarks.recall.history import HistoryError, blob, commits, export, locate
from benchmarks.recall.measure import Shown, compact_blocks, laid_on, map_blocks, measured
from benchmarks.skeletons.reading import Tools
from tests.trees import git, write_tree

BEFORE = """class Cart:
    def add(self, item):
        self.items.append(item)

    def total(self):
        return sum(item.price for item in self.items)


class Order:
    def total(self):
        return self.cart.total()
"""
AFTER = BEFORE.replace("item.price for", "item.price * item.count for").replace(
    "        self.items.append(item)\n", "        self.items += [item]\n"
)
MESSAGE = "Multiply prices by the number of pieces in a shopping cart (#12)\n\nSigned-off-by: A <a@example.org>\n"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("histories") / "someone+shop" / "repo"
    write_tree(
        folder,
        {
            "shop/cart.py": BEFORE,
            "shop/other.py": "def unrelated():\n    return 1\n",
            "tests/test_cart.py": "def test_add():\n    assert add\n",
        },
    )
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Start the shop with a cart, orders and a few first tests")
    write_tree(folder, {"shop/cart.py": AFTER, "tests/test_cart.py": "def test_add():\n    assert not add\n"})
    git(folder, "commit", "-q", "-am", MESSAGE)
    return folder


def case(repository: Path, cache: Path | None = None) -> Case:
    (found,) = cases_of("someone/shop", repository, Tools(), most=5, cache=cache)
    return found


def test_a_case_has_the_functions_that_the_commit_changed_as_they_were(repository: Path) -> None:
    found = case(repository)
    assert [(one.container, one.name, one.first, one.last, one.test) for one in found.targets] == [
        ("Cart", "add", 2, 3, False),
        ("Cart", "total", 5, 6, False),
        ("", "test_add", 1, 2, True),
    ]
    assert found.message == "Multiply prices by the number of pieces in a shopping cart"
    assert not found.named
    assert [target.name for target in found.sources] == ["add", "total"]


def test_cases_are_kept_and_found_again(repository: Path, tmp_path: Path) -> None:
    assert case(repository, tmp_path) == case(repository, tmp_path) == case(repository)
    assert len(list(tmp_path.iterdir())) == 1


def test_trailers_and_numbers_are_no_part_of_a_message() -> None:
    assert cleaned("Fix it (#3)\n\nReviewed-by: X\nbody\n\nFixes: #4\n") == "Fix it \n\nbody"


def test_a_tree_is_exported_with_its_history_and_without_what_came_later(repository: Path, tmp_path: Path) -> None:
    found = case(repository)
    folder = tmp_path / "tree"
    export(repository, found.parent, folder)
    assert (folder / "shop/cart.py").read_text(encoding="utf-8") == BEFORE
    assert [commit.name for commit in commits(folder, 5)] == []  # the first commit has no parent
    assert git(folder, "rev-parse", "HEAD").decode().strip() == found.parent
    assert git(folder, "status", "--porcelain") == b""


def test_what_git_lacks_is_told_or_none(repository: Path, tmp_path: Path) -> None:
    assert blob(repository, "HEAD", "missing.py") is None
    with pytest.raises(HistoryError, match="clone it there with its history"):
        locate(tmp_path, "someone/else")
    assert locate(repository.parent.parent, "someone/shop") == repository
    with pytest.raises(HistoryError, match="git log failed"):
        commits(tmp_path, 1)


def test_every_contender_serves_blocks_within_the_budget(repository: Path, tmp_path: Path) -> None:
    found = case(repository)
    export(repository, found.parent, tmp_path / "tree")
    tree = Tree(tmp_path / "tree", tmp_path / "cache")
    for contender in (ours, our_ranking, bm25, bm25_lines):
        (served,) = contender(tree, found.message, [1000])
        assert served.tokens <= 1000
        shown = measured(found.sources, served.blocks, tree.text)
        full = 0 if contender is bm25_lines else 2
        assert shown == Shown(files=1, files_shown=1, functions=2, functions_shown=2, functions_full=full)


def target(name: str, line: int, last: int, first: int = 0) -> Target:
    return Target(
        path="cart.py",
        name=name,
        container="",
        language="python",
        line=line,
        first=first or line,
        last=last,
        test=False,
    )


TOTALS = (target("total", 5, 6), target("total", 10, 11))


def shown(block: str) -> list[tuple[int, int]]:
    blocks = compact_blocks(f"+++ cart.py [SKELETON:L2]\n{block}")
    results = [measured([one], blocks, lambda _: BEFORE) for one in TOTALS]
    return [(result.functions_shown, result.functions_full) for result in results]


def test_of_functions_with_one_name_that_one_is_shown_which_stands_at_its_place() -> None:
    assert shown("class Cart:\n    def total(self): ...\n⋮ 2 definitions\n") == [(1, 0), (0, 0)]
    assert shown("⋮ 3 definitions\nclass Order:\n    def total(self): ...\n") == [(0, 0), (1, 0)]


def test_a_function_is_in_full_when_all_its_lines_stand_together() -> None:
    assert shown("class Order:\n    def total(self):\n        return self.cart.total()\n") == [(0, 0), (1, 1)]
    assert shown("class Order:\n    def total(self):\n⋮ 1 more line\n") == [(0, 0), (1, 0)]


def test_a_block_without_the_function_shows_its_file_alone() -> None:
    result = measured(TOTALS, compact_blocks("+++ cart.py [CUT]\nclass Cart:\n"), lambda _: BEFORE)
    assert result == Shown(files=1, files_shown=1, functions=2)
    assert measured(TOTALS, {}, lambda _: BEFORE) == Shown(files=1, functions=2)


def test_a_signature_joined_on_one_line_lies_on_its_first_line() -> None:
    source = ["def long(", "    one,", "    two,", "):", "    return one"]
    assert laid_on(["def long(one, two): ..."], source) == {1: "def long(one, two): ..."}


def test_blocks_of_a_map_are_read() -> None:
    text = "a.py:\n⋮\n│class A:\n│    def f(self):\n⋮\n\nb.py\n\nc.py:\n│x = 1\n"
    assert map_blocks(text) == {"a.py": ["class A:", "    def f(self):"], "b.py": [], "c.py": ["x = 1"]}


def test_lines_that_look_like_headers_are_read_as_they_are() -> None:
    assert compact_blocks("+++ a.py\n\\+++ b\n") == {"a.py": ["+++ b", ""]}
