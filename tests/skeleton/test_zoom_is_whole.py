"""A definition is zoomed with all that makes it one, in languages where that stands beside its node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.zoom.zoomer import zoom
from tests.skeleton.desk import Desk
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

OCAML = """\
(** Adds. *)
let add x y = x + y

module M = struct
  (** Of f. *)
  let rec f x = g x

  (** Of g. *)
  and g y = f y
end
"""

LUA = "M.commands = {\n  --- Tells.\n  health = function()\n    check()\n  end,\n}\n"

CSHARP = "class A {\n  public void One() { }\n  public\n#if X\n  override\n#endif\n  void Two() { }\n}\n"
ELIXIR = """\
defmodule W do
  @doc "A button."
  attr :type, :string
  slot :inner_block

  def button(assigns) do
    x
  end
end
"""

KOTLIN = """\
class Dock {
  var coats: Int = 0
    get() = field
    // kept
    @Synchronized set(value) {
      field = value
    }

  val gate: Int
    get() = 1

  val other: Int
}

private var rigs = 0
  private set

/** Says. */
val String.isLong: Boolean
  get() = length > 10
"""

SOURCES = {"a.ml": OCAML, "a.lua": LUA, "a.cs": CSHARP, "a.ex": ELIXIR, "a.kt": KOTLIN}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("shelf"), SOURCES)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("a.ml::add", "(** Adds. *)\nlet add x y = x + y"),
        ("a.ml::f", "  (** Of f. *)\n  let rec f x = g x"),
        ("a.ml::g", "  (** Of g. *)\n  and g y = f y"),
        ("a.ml::M", OCAML[OCAML.index("module") :].rstrip()),
        ("M.commands.health", "  --- Tells.\n  health = function()\n    check()\n  end"),
        ("a.cs::One", "  public void One() { }"),
        ("a.cs::Two", "  public\n#if X\n  override\n#endif\n  void Two() { }"),
        ("Dock.coats", KOTLIN[KOTLIN.index("  var coats") : KOTLIN.index("\n\n  val gate")]),
        ("Dock.gate", "  val gate: Int\n    get() = 1"),
        ("Dock.other", "  val other: Int"),
        ("a.kt::rigs", "private var rigs = 0\n  private set"),
        ("a.kt::isLong", "/** Says. */\nval String.isLong: Boolean\n  get() = length > 10"),
        ("a.ex::button", ELIXIR[ELIXIR.index("  @doc") :].removesuffix("\nend\n")),
    ],
)
def test_a_definition_is_zoomed_whole(shelf: Path, target: str, text: str) -> None:
    assert Desk(shelf).one(target).text == text


def test_a_title_of_tests_takes_the_place_of_nothing_that_is_called_so(tmp_path: Path) -> None:
    tree = {
        "lib/shop.rb": "module Shop\n  class Till\n    def open; end\n  end\nend\n",
        "spec/shop_spec.rb": 'describe Shop do\n  describe "Shop::Till" do\n  end\n  describe "Shop::Till#open" do\n  end\nend\n',
    }
    write_tree(tmp_path, tree)

    def shown(target: str) -> list[tuple[str, str]]:
        return [(match.path, match.title) for match in zoom(target, str(tmp_path), roots=Roots([tmp_path])).matches]

    title = ("spec/shop_spec.rb", "module Shop.Shop::Till")
    assert shown("Shop::Till") == [("lib/shop.rb", "class Shop.Till"), title]
    assert shown("Shop.Till") == [("lib/shop.rb", "class Shop.Till")]
    assert shown("Shop::Till#open")[0] == ("lib/shop.rb", "method Shop.Till.open")
