"""The token costs of a file and of its definitions: enough to plan with, without reading the file again.

A budget is planned over all files of a repository, and shown are a few. `Weights` holds what the plan needs of one
file: tokens and lines of each level, and of each definition. It depends on the content and the language alone, never on
the path, and its fields are tuples of numbers and names: `tuple(weights)` can be marshalled, sent to another process and kept in
a cache, and `Weights(*fields)` brings it back.

Tokens are those of text without a frame. Those of a whole level are exact. Those of definitions are counted piece by
piece, so their sums may differ from the count of the whole by a few tokens; who serves text counts it once more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from skeleton.index.forwarding import forwarding
from skeleton.index.units import Unit, Units, runs_in_source, units_of
from skeleton.languages.kinds import NAMED_HOLDERS
from skeleton.levels import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.render.texts import Skeletons
    from workspace.tokens import TokenCounter

MISSING = -1
"""Stands for the tokens of a level that could not be proven, and for the unit of a definition that has none."""


_WORD: Final = re.compile(r"\w")

MAIN: Final = "main"
"""The name of what a program begins with."""


class Weights(NamedTuple):
    """The costs of one file; tokens and lines of text without a frame.

    Attributes:
        tokens: of the levels L0, L1 and L2, the first of the source as it is; `MISSING` where a fold could not be proven,
            0 where nothing is left but a mark that all is folded.
        lines: lines of the same levels.
        unit: for every definition of the outline, by its place, the place of the one that names its unit at L2 (mostly
            itself); `MISSING` where L2 does not show it.
        starts: likewise where its name starts, by which it is found in a sketch.
        parent: for one that names a unit, the place of the one that names the unit around it, or `MISSING`. This and
            all that follows is of L2, by place, and 0 for definitions that name no unit.
        signature: tokens of the unit's own lines.
        signature_lines: how many those are.
        head: tokens of the lines that are shown because of a member: the signature, and what closes the unit.
        head_lines: how many those are.
        full: tokens of the unit's lines in the source, members included.
        full_lines: how many those are.
        doc: tokens of the lines above the unit that only tell of it and may be left out, 0 where they are few.
        doc_lines: how many those are.
        forwarding: the places of those whose bodies only forward (`skeleton.index.forwarding`).
        accessing: likewise of those that only give or take a value.
        mains: the places of those that are called as what a program begins with is in every file.
        holders: the places, kinds and names of types, modules and namespaces that other units stand in.
    """

    tokens: tuple[int, int, int]
    lines: tuple[int, int, int]
    unit: tuple[int, ...]
    starts: tuple[int, ...]
    parent: tuple[int, ...]
    signature: tuple[int, ...]
    signature_lines: tuple[int, ...]
    head: tuple[int, ...]
    head_lines: tuple[int, ...]
    full: tuple[int, ...]
    full_lines: tuple[int, ...]
    doc: tuple[int, ...]
    doc_lines: tuple[int, ...]
    forwarding: tuple[int, ...] = ()
    accessing: tuple[int, ...] = ()
    mains: tuple[int, ...] = ()
    holders: tuple[tuple[int, str, str], ...] = ()


def weights_of(source: bytes, made: Skeletons, counter: TokenCounter) -> Weights:
    """Weighs a file.

    Args:
        source: the file as UTF-8.
        made: its levels.
        counter: of tokens.
    """
    definitions = made.full.definitions
    units = units_of(source, definitions, made.skeleton)
    rows = _split(made.skeleton.text.encode("utf-8", "replace") + b"\n")
    named = [unit.definitions[0] for unit in units.units]
    unit_of = [MISSING] * len(definitions)
    for place, unit in units.of.items():
        unit_of[place] = named[unit]
    own, heads = _own_rows(units)
    lines = _split(source)
    known = dict[bytes, int]()
    full, whole = _full_tokens(lines, units.units, counter, known)

    def counted(text: bytes) -> int:
        """The tokens of a text; what a level shows whole, as most fields, is the same there and in the source."""
        tokens = known.get(text)
        if tokens is None:
            tokens = known[text] = counter.count(text)
        return tokens

    numbers = [[0] * len(definitions) for _ in range(9)]
    for number, unit in enumerate(units.units):
        for column, value in zip(
            numbers,
            (
                named[unit.parent] if unit.parent >= 0 else MISSING,
                counted(b"".join([rows[row] for row in own[number]])),
                len(own[number]),
                counted(b"".join([rows[row] for row in heads[number]]))
                if len(heads[number]) < len(own[number])
                else MISSING,
                len(heads[number]),
                full[number],
                unit.source_last - unit.source_first + 1,
                counted(b"".join(lines[unit.source_first - 1 : unit.source_code - 1])) if unit.long_doc else 0,
                unit.long_doc,
            ),
            strict=True,
        ):
            column[named[number]] = value
    parent, signature, signature_lines, head, head_lines, full_of, full_lines, doc, doc_lines = map(tuple, numbers)
    bodies = {place: full_of[place] - signature[place] for place in named}
    forwarded, accessing = forwarding(source, definitions, bodies)
    return Weights(
        tokens=_telling(level_tokens(whole, made, counter), made),
        lines=(len(made.full.line_numbers), len(made.plus.line_numbers), len(made.skeleton.line_numbers)),
        unit=tuple(unit_of),
        starts=tuple(one.name_start for one in definitions),
        parent=parent,
        signature=signature,
        signature_lines=signature_lines,
        head=tuple(whole if part == MISSING else part for part, whole in zip(head, signature, strict=True)),
        head_lines=head_lines,
        full=full_of,
        full_lines=full_lines,
        doc=doc,
        doc_lines=doc_lines,
        forwarding=forwarded,
        accessing=accessing,
        mains=tuple(place for place in named if definitions[place].name == MAIN),
        holders=tuple(
            (place, definitions[place].kind, definitions[place].name)
            for place in sorted({parent[place] for place in named} - {MISSING})
            if definitions[place].kind in NAMED_HOLDERS
        ),
    )


def _telling(tokens: tuple[int, int, int], made: Skeletons) -> tuple[int, int, int]:
    """The tokens of L0, L1 and L2; none of a skeleton without a word, which is nothing but the mark of a fold."""
    full, plus, skeleton = tokens
    return full, plus if _WORD.search(made.plus.text) else 0, skeleton if _WORD.search(made.skeleton.text) else 0


def level_tokens(whole: int, made: Skeletons, counter: TokenCounter) -> tuple[int, int, int]:
    """The tokens of L0, L1 and L2; a level whose text is that of the one above costs the same.

    Args:
        whole: those of the file.
        made: its levels.
        counter: of tokens.
    """
    found = [whole]
    above = made.full
    for level, skeleton in ((CompressionLevel.SKELETON_PLUS, made.plus), (CompressionLevel.SKELETON, made.skeleton)):
        if skeleton.level is not level and skeleton.unproven:
            found.append(MISSING)
        elif skeleton.text == above.text:
            found.append(next(tokens for tokens in reversed(found) if tokens != MISSING))
        else:
            found.append(counter.count(skeleton.text + "\n") if skeleton.text else 0)
        above = skeleton
    return found[0], found[1], found[2]


def _own_rows(units: Units) -> tuple[list[list[int]], list[list[int]]]:
    """For every unit its own lines, and those of them that are its head."""
    own: list[list[int]] = [[] for _ in units.units]
    heads: list[list[int]] = [[] for _ in units.units]
    for first, end, owner in units.runs:
        if owner >= 0:
            own[owner] += range(first, end)
            heads[owner] += filter(units.units[owner].heads, range(first, end))
    return own, heads


def _full_tokens(
    lines: Sequence[bytes], units: Sequence[Unit], counter: TokenCounter, known: dict[bytes, int]
) -> tuple[list[int], int]:
    """The tokens of every unit in the source, and of all of it: a line is counted once, with the innermost unit around it.

    The texts that were counted are known then.
    """
    runs = [*runs_in_source(units, len(lines))]
    texts = [b"".join(lines[first:end]) for first, end, _ in runs]
    counted, whole = counter.count_neighbours(texts)
    known.update(zip(texts, counted, strict=True))
    own: list[list[int]] = [[] for _ in units]
    for number, run in enumerate(runs):
        if run.owner >= 0:
            own[run.owner].append(number)
    tokens = [
        counted[of[0]] if len(of) == 1 else counter.count(b"".join([texts[number] for number in of])) if of else 0
        for of in own
    ]
    for number in range(len(tokens) - 1, -1, -1):
        if units[number].parent >= 0:
            tokens[units[number].parent] += tokens[number]
    return tokens, whole


def _split(text: bytes) -> list[bytes]:
    """The lines of a text with their line breaks, parted at line feeds alone."""
    lines = [line + b"\n" for line in text.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
