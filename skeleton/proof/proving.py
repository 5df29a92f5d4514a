"""Proves a skeleton before anyone is shown it.

Five things are asked of it. A skeleton (1) has no syntax error that its source does not have, (2) holds
every definition of the source, once, in the same order and with its full signature, (3) holds no statement of a folded
body, (4) is shorter than its source, and (5) skeletonizing it again changes nothing. Check 4 is no fault: a file of
types alone has nothing to fold, and a level that does not save is not used.

Every skeleton is parsed. Then its tree is compared with that of its source (`skeleton.proof.likeness`), which costs half as
much as a walk. Where the two differ in what they should not, or something in the skeleton is read as it was never proven to
be right, the skeleton is walked as if it were a source, and the two outlines are compared; only this can refuse it, and
what it has proven once is known (ADR 11).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from skeleton.languages.queries import Language
from skeleton.levels import RULES, CompressionLevel, Role, Treatment
from skeleton.outline.definitions import Definition, Outline, Span
from skeleton.outline.outlining import outline_of_tree, outline_with_cuts
from skeleton.outline.parsing import as_read, parse
from skeleton.outline.rows import line_starts
from skeleton.proof.likeness import Source, likeness
from skeleton.render.rendering import Rendered, changed
from skeleton.render.signatures import bare, rounded


class Check(StrEnum):
    """The checks that can fail; the value is what a reader is told."""

    NONE = ""
    SYNTAX = "the skeleton has a syntax error that the source has not"
    DEFINITIONS = "a definition is missing, doubled or out of order"
    SIGNATURES = "a signature is not whole"
    BODIES = "a body is not folded whole"
    FIXED_POINT = "skeletonizing it again changes it"


class Verdict(NamedTuple):
    """The result of a proof."""

    failed: Check
    """The first check that failed, or `Check.NONE`."""
    definitions: tuple[Definition, ...]
    """Those of the text."""
    at: int = -1
    """The place in the source of what failed; -1 where nothing did, or nobody knows."""


_MOST_READINGS = 20_000
"""A language is known by a hundred; no text that is made for it makes the memory grow."""


def prove(
    source: bytes,
    facts: Outline,
    rendered: Rendered,
    language: Language,
    level: CompressionLevel,
    compared: Source | None = None,
) -> Verdict:
    """The first check that the text of a level fails, or `Check.NONE`; and the definitions of that text.

    Args:
        source: the file, as UTF-8.
        facts: the outline of the source.
        rendered: what `render` made of it at the level.
        language: of both.
        level: L1 or L2.
        compared: the tree of the source, where the text may be proven by comparing trees; else it is walked.
    """
    text = rendered.text
    wanted = _shown(facts, level)
    if cut := _moved(facts.cut, rendered, source):
        again = outline_with_cuts(text, as_read(text, language), language, cut)
        failed, at = _walked(source, facts, wanted, rendered, again, language, level)
        return Verdict(failed, again.definitions, at)
    parsed, tree = parse(text, language)
    alike = None
    if compared is not None and parsed is text and not tree.root_node.has_error:
        alike = likeness(compared, wanted, rendered, tree.root_node, language, level)
        if alike is not None and alike.readings <= language.proven:
            return Verdict(Check.NONE, alike.definitions)
    again = outline_of_tree(text, parsed, tree, language, cuts=False)
    failed, at = _walked(source, facts, wanted, rendered, again, language, level)
    is_proven = failed is Check.NONE and len(language.proven) < _MOST_READINGS
    if is_proven and alike is not None and alike.definitions == again.definitions:
        language.proven.update(alike.readings)
    return Verdict(failed, again.definitions, at)


def _moved(cut: Sequence[Span], rendered: Rendered, source: bytes) -> tuple[Span, ...]:
    """Returns the lines of a skeleton that were cut out of its source before it was read."""
    if not cut:
        return ()
    text, numbers = rendered.text, rendered.line_numbers(source)
    starts = [*line_starts(text), len(text)]
    moved: list[Span] = []
    for start, end in cut:
        first, last = source.count(b"\n", 0, start) + 1, source.count(b"\n", 0, max(start, end - 1)) + 1
        at, behind = bisect_left(numbers, first), bisect_right(numbers, last)
        if at < behind:
            moved.append((starts[at], starts[behind]))
    return tuple(moved)


def _walked(
    source: bytes,
    facts: Outline,
    wanted: Sequence[Definition],
    rendered: Rendered,
    again: Outline,
    language: Language,
    level: CompressionLevel,
) -> tuple[Check, int]:
    """The first check that a text fails whose outline was made as if it were a source, and where in the source."""
    text, shown = rendered.text, _shown(again, level)
    if again.syntax_errors and not facts.syntax_errors and text.strip():  # nothing at all is an error to some grammars
        return Check.SYNTAX, -1
    for one, other in zip(wanted, shown, strict=False):
        if one[:3] != other[:3]:
            return Check.DEFINITIONS, one.name_start
    if len(wanted) != len(shown):
        behind = wanted[len(shown)] if len(wanted) > len(shown) else wanted[-1] if wanted else None
        return Check.DEFINITIONS, behind.name_start if behind else -1
    for one, other in zip(wanted, shown, strict=True):
        given, kept = source[one.signature : one.body], text[other.signature : other.body]
        if given == kept or rounded(given, language) == rounded(kept, language):
            continue
        if bare(source, one, facts, language) != bare(text, other, again, language):
            return Check.SIGNATURES, one.name_start
    if facts.torn:
        return Check.SIGNATURES, _place_of(facts.torn, wanted)
    if facts.leaks or again.leaks:
        return Check.BODIES, _place_of(facts.leaks or again.leaks, wanted)
    changes = changed(text, again, language, level)
    if changes >= 0:
        numbers = rendered.line_numbers(source)
        row = min(text.count(b"\n", 0, changes), len(numbers) - 1)
        return Check.FIXED_POINT, _line_start(source, numbers[row]) if row >= 0 else -1
    return Check.NONE, -1


def _place_of(paths: Sequence[str], definitions: Sequence[Definition]) -> int:
    """Returns the place of the first definition of one of these qualified names; -1 where none is."""
    return next((one.name_start for one in definitions if one.path in paths), -1)


def _line_start(source: bytes, number: int) -> int:
    at = 0
    for _ in range(number - 1):
        at = source.find(b"\n", at) + 1
    return at


def _shown(facts: Outline, level: CompressionLevel) -> Sequence[Definition]:
    """The definitions that a reader of the level can see: those not in a constant where constants are dropped."""
    if RULES[level][Role.CONSTANT] is not Treatment.DROP:
        return facts.definitions
    dropped = [part for part in facts.parts if part.role is Role.CONSTANT]
    if not dropped:
        return facts.definitions
    shown: list[Definition] = []
    at = until = 0
    for one in facts.definitions:
        while at < len(dropped) and dropped[at].start <= one.signature:
            until = max(until, dropped[at].end)
            at += 1
        if one.signature >= until:
            shown.append(one)
    return shown
