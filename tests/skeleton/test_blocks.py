"""A bare name in a block of Kotlin may be a member of the object that the block is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

SHOP = {
    "Shop.kt": "open class Base { fun close() {} }\nclass Till : Base() {\n  fun ring(n: Int) = n\n}\nclass Bell {\n  fun ring(n: Int) = n\n}\n"
    "class Door { fun close() {} }\nfun shop(name: String, block: Till.() -> Unit) {}\nfun tower(block: suspend Bell.() -> Unit) {}\n"
    "class Use(val till: Till) {\n  fun a() {\n"
    '    shop("x") { ring(1) }\n'
    "    tower { ring(2) }\n"
    "    till.apply { ring(3) }\n"
    "    with(till) {\n      if (true) { close() }\n    }\n"
    "    Bell().run { shop(name) { ring(4) } }\n"
    "    Bell().run { till.let { ring(5) } }\n"
    "    listOf(1).map { ring(6) }\n"
    "  }\n  fun ring(n: Int) = n\n}\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("Till.ring", ['Shop.kt:13 in Use.a: shop("x") { ring(1) } (also 15, 19) [class around]']),
        ("Bell.ring", ["Shop.kt:14 in Use.a: tower { ring(2) } (also 20) [class around]"]),
        ("Use.ring", ["Shop.kt:21 in Use.a: listOf(1).map { ring(6) } [same class]"]),
        ("Base.close", ["Shop.kt:17 in Use.a: if (true) { close() } [inherited]"]),
        ("Door.close", []),
    ],
)
def test_the_nearest_block_around_whose_object_has_the_member_is_meant(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert beside(desk_of(tmp_path, SHOP), target, "callers")[1:] == expected
