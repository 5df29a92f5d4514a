"""Queries point at files by paths and by modules."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from allocator.ranking.pointers import LONGEST, MOST_MODULES, MOST_PATHS, Pointers, files_at, files_of_modules


def test_names_of_several_parts_are_modules_and_paths_are_not() -> None:
    read = Pointers.of("`shop.models.Cart` and std::sync::Mutex, not lib/shop.models/x.py or a")
    assert read.modules == ("shop/models/Cart", "std/sync/Mutex")
    assert "lib/shop.models/x.py" in read.paths


def test_files_that_share_most_of_the_end_of_a_path_are_meant() -> None:
    files = ["lib/plot/axes/base.py", "old/axes/base.py", "setup.py", "a/models.py", "b/models.py", "c/setup.py"]
    asked = {
        "/site-packages/plot/axes/base.py": [0],  # begins elsewhere, shares more with one of them
        "models.py": [3, 4],
        "./setup.py": [2, 5],
        "/tmp/build/setup.py": [],  # shares its name alone
        "b/models.py": [4],
        "../b/models.py": [4],
        "nowhere.py": [],
        "/": [],
    }
    assert files_at(files, asked) == {path: places for path, places in asked.items() if places}


def test_a_name_of_a_module_means_its_longest_beginning_that_is_a_file() -> None:
    files = ["src/shop/models/__init__.py", "src/shop/models/base.py", "Cart.java", "web/shop/index.ts", "x"]
    assert files_of_modules(files, ["shop/models/base/Model/save"]) == {1}
    assert files_of_modules(files, ["shop/models/Cart"]) == {0}
    assert files_of_modules(files, ["web/shop"]) == {3}
    assert files_of_modules(files, ["shop", "self/x", "a/Cart"]) == set()


def test_data_is_not_read_as_a_path_or_a_name() -> None:
    assert Pointers.of("a." * LONGEST + "b").modules == ()
    many = Pointers.of(" ".join(f"d{number}/x.py m{number}.n.o" for number in range(2 * MOST_PATHS)))
    assert (len(many.paths), len(many.modules)) == (MOST_PATHS, MOST_MODULES)


@given(st.lists(st.sampled_from(["a", "b", "c", "..", ".", "", "x.py"]), max_size=6).map("/".join), st.data())
def test_the_files_meant_share_the_most_that_any_file_shares(wanted: str, data: st.DataObject) -> None:
    part = st.sampled_from(["a", "b", "c", "x.py"])
    files = data.draw(st.lists(st.lists(part, min_size=1, max_size=4).map("/".join), max_size=6))
    parts = [one for one in wanted.split("/") if one not in {"", ".", ".."}]

    def shared(path: str) -> int:
        ends = [one == other for one, other in zip(reversed(path.split("/")), reversed(parts), strict=False)]
        return int(np.logical_and.accumulate(ends).sum()) if ends else 0

    most = max(map(shared, files), default=0)
    enough = most >= 2 or (most == 1 and len(parts) == 1)
    expected = [place for place, path in enumerate(files) if shared(path) == most] if enough else []
    assert list(files_at(files, [wanted]).get(wanted, [])) == expected
