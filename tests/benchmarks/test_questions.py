from __future__ import annotations

import math

import pytest

from benchmarks.localisation.questions import Subject, is_meant, ndcg, places, recall


def test_places_are_those_of_the_first_file_that_a_path_means() -> None:
    ranked = ["lib/a/store.py", "lib/store.py", "lib/cart.py"]
    assert places(["store.py", "lib/cart.py", "lib/gone.py"], ranked) == (1, 3, 0)
    assert is_meant("src/a.py", "a.py")
    assert is_meant("a.py", "src/a.py")
    assert not is_meant("src/aa.py", "a.py")


@pytest.mark.parametrize(
    ("found", "gain"),
    [
        ((1,), 1.0),
        ((3,), 0.5),
        ((11,), 0.0),
        ((0,), 0.0),
        ((2, 1), 1.0),
        ((1, 0), 1 / (1 + 1 / math.log2(3))),
        ((4, 4), 1 / math.log2(5) / (1 + 1 / math.log2(3))),
        ((), 0.0),
    ],
)
def test_the_gain_is_that_of_each_place_of_what_the_best_order_gives(found: tuple[int, ...], gain: float) -> None:
    assert ndcg(found) == pytest.approx(gain)


def test_recall_is_the_share_of_the_files_that_are_among_the_first() -> None:
    assert recall((1, 6)) == 0.5
    assert recall((5, 2)) == 1.0
    assert recall((0,)) == 0.0


def test_a_repository_is_of_one_half_by_its_name_alone() -> None:
    halves = {
        Subject(name=name, language="x", repository=f"o/{name}", commit="0", folder="").half
        for name in ("alpha", "beta", "gamma", "delta", "epsilon")
    }
    assert halves == {"tune", "report"}
