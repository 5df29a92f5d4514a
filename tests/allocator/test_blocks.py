"""Blocks of one file: more room never shows less of it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from allocator.ranking.passages import PassageFinder
from allocator.show.excerpts import Excerpts
from allocator.show.formats import FORMATS, FormatName
from allocator.show.framing import Framer, Portion
from allocator.spend.blocks import FileBlock
from allocator.spend.steps import Kind, Step
from skeleton import CompressionLevel
from tests.allocator.files import file_of
from workspace.tokens import token_counter

SOURCE = """import os
from a import b


def first(): return os


def second(): return b


def third(value):
    total = 0
    for one in value:
        total += one
    value.append(total)
    return total
"""


def signature(place: int) -> Step:
    return Step(1.0, 0, place, Kind.SIGNATURE, 1.0, 9.0)


def lines(portion: Portion) -> set[int]:
    """The lines of the file that are shown."""
    return {number for number in portion.view.numbers if number}


@pytest.mark.parametrize("kind", [Kind.BODY, Kind.TEXT])
def test_a_part_of_a_step_shows_all_that_the_steps_before_it_showed(kind: Kind) -> None:
    framer = Framer(FORMATS[FormatName.COMPACT], token_counter().count)
    file = file_of(SOURCE, "src/a.py")
    block = FileBlock(file, framer, list(CompressionLevel)[:3], Excerpts(file, None))
    steps = [signature(place) for place in range(3)]
    before = block.portion(steps)
    assert not before.elided  # the imports cost no more than the mark that says that they are left out
    step = Step(0.5, 0, 2 if kind is Kind.BODY else -1, kind, 1.0, 40.0)
    shown = lines(before)
    whole = block.portion([*steps, step])
    for room in range(before.cost, whole.cost):
        part = block.part(step, steps, room)
        if part is not None and part.cost > before.cost:
            assert part.cost <= room
            assert shown <= lines(part)
            shown = lines(part)
    assert len(shown) > len(lines(before))
    assert shown <= lines(whole)


CLOSED = """class Failure < StandardError # of a call, which is told to whom it may concern
end

class Other
  def name(a) = [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
end
"""


def test_a_part_of_a_body_leaves_off_nothing_that_closes_it() -> None:
    framer = Framer(FORMATS[FormatName.COMPACT], token_counter().count)
    file = file_of(CLOSED, "src/a.rb")
    block = FileBlock(file, framer, list(CompressionLevel)[:3], Excerpts(file, None))
    before = block.portion([signature(0)])
    body = Step(0.5, 0, 0, Kind.BODY, 1.0, 10.0)
    whole = block.portion([signature(0), body])
    parts = [block.part(body, [signature(0)], room) for room in range(before.cost, whole.cost + 9)]
    assert all(lines(before) <= lines(part) for part in parts if part is not None)


DOCUMENTED = """import { one } from './one'
import { two } from './two'

/**
 * Adds.
 *
 * At length, and with much to say of what it does.
 */
export function add(a) {
  return one(a) + two(a)
}

export function other(a) {
  return [one(a), one(a), one(a), two(a), two(a), two(a)]
}
"""


def test_a_doc_comes_whole_or_not_at_all_and_nothing_else_takes_its_room() -> None:
    framer = Framer(FORMATS[FormatName.COMPACT], token_counter().count)
    file = file_of(DOCUMENTED, "src/a.js")
    block = FileBlock(file, framer, list(CompressionLevel)[:3], Excerpts(file, PassageFinder({})))
    body = Step(1.0, 0, 0, Kind.BODY, 1.0, 20.0)
    doc = Step(0.05, 0, 0, Kind.DOC, 1.0, 20.0)
    bare, whole = block.portion([signature(0), body]), block.portion([signature(0), body, doc])
    assert lines(bare) == {9, 10, 11}
    assert lines(whole) == set(range(4, 12))
    assert not any(block.part(doc, [signature(0), body], room) for room in range(bare.cost, whole.cost))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "package", ["a", "a.b.c", "a.b.c.d", "a.b.c.d.e", "org.shop", "org.shop.till", "org.shop.till.lanes"]
)
@pytest.mark.parametrize("last", range(1, 7))
def test_a_skeleton_that_was_shown_whole_stays_when_more_is_asked_for(
    name: FormatName, package: str, last: int
) -> None:
    methods = "checkState()", "close()", "incrementAndCheckState(T increment)", "isClosed()", "isOpen()", "open()"
    members = "".join(f"    /** Some\n * doc. */\n    boolean {method};\n\n" for method in methods)
    file = file_of(
        f"package {package};\n\n/** Breaks. */\npublic interface Breaker<T> {{\n{members}}}\n", "src/Breaker.java"
    )
    framer = Framer(FORMATS[name], token_counter().count)
    block = FileBlock(file, framer, list(CompressionLevel)[:3], Excerpts(file, None))
    steps = [signature(place) for place in (0, *(place for place in range(1, 7) if place != last), last)]
    shown = [lines(block.portion(steps[: count + 1])) for count in range(len(steps))]
    assert all(before <= after for before, after in pairwise(shown))
