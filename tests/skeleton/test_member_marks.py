"""Names behind marks that take a member of what stands before them in one language and not in another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.skeleton.test_neighbours import beside, desk_of

if TYPE_CHECKING:
    from pathlib import Path

ARROWS = {
    "A.java": "class A {\n  int total(int x) { return x; }\n  void go(Items l) { l.each(x -> total(x)); }\n}\n",
    "b.kt": "fun sum(x: Int): Int { return x }\nfun pick(x: Int): Int = when (x) {\n    1 -> sum(2)\n    else -> 3\n}\n",
    "c.ex": "defmodule C do\n  def mean(x), do: x\n  def go(l) do\n    map(l, fn x -> mean(x) end)\n  end\nend\n",
    "d.ml": "let area x =\n  x + 1\nlet go l =\n  map (fun x -> area x) l\n",
    "e.hs": "module E where\nsize x = x\nlong l = l\ngo x = case x of\n  1 -> size 2\nboth = size . long\n",
    "f.erl": "-module(f).\nplus(N) ->\n    N.\nboth(N) ->\n    plus(N).\n",
    "g.php": "<?php\nfunction name($x) {\n  return $x;\n}\nfunction greet($x) {\n  return $x . name($x);\n}\n",
    "h.py": "class Wide:\n    pass\n\n\ndef make() -> Wide:\n    return 1\n\n\nfor_all = lambda x:make(x)\n",
}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("A.total", ["A.java:3 in A.go [same class]"]),
        ("sum", ["b.kt:3 in pick [same file]"]),
        ("mean", ["c.ex:4 in C.go [same file]"]),
        ("area", ["d.ml:4 in go [same file]"]),
        ("e.hs::size", ["e.hs:5 in go [same file]", "e.hs:6 in both [same file]"]),
        ("long", ["e.hs:6 in both [same file]"]),
        ("f.erl::plus", ["f.erl:5 in both [same file]"]),
        ("name", ["g.php:6 in greet [same file]"]),
        ("Wide", ["h.py:5 in make [same file]"]),
        ("make", ["h.py:9 [same file]"]),
    ],
)
def test_what_stands_behind_a_mark_that_takes_no_member_is_used_by_itself(
    tmp_path: Path, target: str, expected: list[str]
) -> None:
    lines = beside(desk_of(tmp_path, ARROWS), target, "callers")[1:]
    assert [re.sub(r": .* \[", " [", line) for line in lines] == expected
