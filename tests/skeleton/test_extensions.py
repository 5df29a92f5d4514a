"""A function of Kotlin may say itself which type it is a member of, and is called through a value of that type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_whose_calls import told_beside

if TYPE_CHECKING:
    from pathlib import Path

LAMPS = {
    "shop/lamps/Lamps.kt": "package shop.lamps\nopen class Lamp(val watt: Int)\nclass Torch : Lamp(1)\nclass Bell\n"
    "fun Lamp.dim(by: Int): Lamp = Lamp(watt - by)\nfun Lamp.off() = dim(9)\n"
    "fun String.shout(): String = uppercase()\nfun <T> List<T>.second(): T = this[1]\nfun <T : Any> T.label() = toString()\n"
    "fun Bell.ring() {}\nfun Lamp.ring() {}\nfun beside(lamp: Lamp) = lamp.dim(7)\n",
    "shop/Room.kt": "package shop\nimport shop.lamps.Bell\nimport shop.lamps.Lamp\nimport shop.lamps.Torch\nimport shop.lamps.dim\n"
    "import shop.lamps.label\nimport shop.lamps.ring\nimport shop.lamps.second\nimport shop.lamps.shout\n"
    'class Room(private val lamp: Lamp, val torch: Torch, val bell: Bell, val door: Door) {\n  fun a(name: String) = "${name.shout()} x".shout()\n'
    "  fun b() { lamp.dim(1); torch.dim(2); bell.dim(3) }\n"
    "  fun c(all: List<Lamp>) = all.second().dim(4)\n  fun d() = bell.label()\n  fun e() { bell.ring(); lamp?.ring() }\n}\nclass Door\n",
    "shop/Far.kt": "package shop\nfun far(lamp: shop.lamps.Lamp) { lamp.dim(5) }\n",
    "shop/Near.kt": "package shop.lamps\nfun near(lamp: Lamp, other: Any) { lamp.dim(6)\nother.go().dim(7) }\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (
            "Lamp.dim",
            [
                "shop/lamps/Lamps.kt:6 in Lamp.off [same file]",
                "shop/lamps/Lamps.kt:12 in beside [lamp is typed so]",
                "shop/Near.kt:2 in near [lamp is typed so]",
                "shop/Room.kt:12 in Room.b [lamp is typed so]",
                "shop/Room.kt:13 in Room.c [imported]",
                "shop/Near.kt:3 in near [by name]",
            ],
        ),
        ("String.shout", ["shop/Room.kt:11 in Room.a [name is typed so]"]),
        ("List.second", ["shop/Room.kt:13 in Room.c [all is typed so]"]),
        ("T.label", ["shop/Room.kt:14 in Room.d [imported]"]),
        ("Bell.ring", ["shop/Room.kt:15 in Room.e [bell is typed so]"]),
        ("Lamp.ring", ["shop/Room.kt:15 in Room.e [lamp is typed so]"]),
    ],
)
def test_it_is_seen_where_it_is_imported_and_called_through_what_is_of_its_type(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    assert told_beside(tmp_path, LAMPS, target) == expected


def test_its_receiver_may_be_nothing(tmp_path: Path) -> None:
    tree = {
        "a.kt": "class Lamp\nfun Lamp?.lit(): Lamp = this ?: Lamp()\nval Lamp?.watt: Int get() = 1\n"
        "fun Room.Lamp<Int>?.shade(): Int = 2\nfun on(lamp: Lamp?) = lamp.lit().watt\n"
    }
    assert told_beside(tmp_path, tree, "Lamp.lit") == ["a.kt:5 in on [lamp is typed so]"]
    assert told_beside(tmp_path, tree, "Lamp.watt") == ["a.kt:5 in on [lit() is typed so]"]
    assert told_beside(tmp_path, tree, "Lamp.shade") == []


def test_it_is_what_a_caller_calls(tmp_path: Path) -> None:
    found = told_beside(tmp_path, LAMPS, "Room.e", "callees")
    assert found == [
        "shop/lamps/Lamps.kt:10 Bell.ring [bell is typed so]",
        "shop/lamps/Lamps.kt:11 Lamp.ring [lamp is typed so]",
    ]


def test_the_words_that_begin_accessors_call_nothing(tmp_path: Path) -> None:
    texts = {
        "a.kt": "class Shop(private var till: Int) {\n  val open: Int\n    get() = till\n  var shut: Int\n    get() { return get() }\n"
        "    set(value) { till = set(value) }\n  fun get() = 1\n  fun set(x: Int) = x\n}\n"
    }
    assert told_beside(tmp_path, texts, "Shop.get") == ["a.kt:5 in Shop [same class]"]
    assert told_beside(tmp_path, texts, "Shop.set") == ["a.kt:6 in Shop [same class]"]


def test_a_function_that_takes_types_is_one_of_the_type_that_it_names(tmp_path: Path) -> None:
    texts = {
        "a.kt": "class Lamp\nclass Bell\nfun <T : List<Lamp>> Lamp.send(what: T) {}\n"
        "fun a(lamp: Lamp) = lamp.send(1)\nfun b(bell: Bell) = bell.send(2)\n"
    }
    assert told_beside(tmp_path, texts, "Lamp.send") == ["a.kt:4 in a [lamp is typed so]"]
