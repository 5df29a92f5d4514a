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

from collections.abc import Sequence
from enum import StrEnum

from skeleton.languages.queries import Language
from skeleton.levels import RULES, CompressionLevel, Role, Treatment
from skeleton.outline.definitions import Definition, Outline
from skeleton.outline.members import outline_of_tree
from skeleton.outline.parsing import parse
from skeleton.proof.likeness import Source, likeness
from skeleton.render.rendering import Rendered, stays
from skeleton.render.signatures import bare, rounded


class Check(StrEnum):
    """The checks that can fail; the value is what a reader is told."""

    NONE = ""
    SYNTAX = "the skeleton has a syntax error that the source has not"
    DEFINITIONS = "a definition is missing, doubled or out of order"
    SIGNATURES = "a signature is not whole"
    BODIES = "a body is not folded whole"
    FIXED_POINT = "skeletonizing it again changes it"


_MOST_READINGS = 20_000
"""A language is known by a hundred; no text that is made for it makes the memory grow."""


def prove(
    source: bytes,
    facts: Outline,
    rendered: Rendered,
    language: Language,
    level: CompressionLevel,
    compared: Source | None = None,
) -> tuple[Check, tuple[Definition, ...]]:
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
    parsed, tree = parse(text, language)
    wanted = _shown(facts, level)
    alike = None
    if compared is not None and parsed is text and not tree.root_node.has_error:
        alike = likeness(compared, wanted, rendered, tree.root_node, language, level)
        if alike is not None and alike.readings <= language.proven:
            return Check.NONE, alike.definitions
    again = outline_of_tree(text, parsed, tree, language)
    failed = _walked(source, facts, wanted, text, again, language, level)
    is_proven = failed is Check.NONE and len(language.proven) < _MOST_READINGS
    if is_proven and alike is not None and alike.definitions == again.definitions:
        language.proven.update(alike.readings)
    return failed, again.definitions


def _walked(
    source: bytes,
    facts: Outline,
    wanted: Sequence[Definition],
    text: bytes,
    again: Outline,
    language: Language,
    level: CompressionLevel,
) -> Check:
    """The first check that a text fails whose outline was made as if it were a source."""
    if again.syntax_errors and not facts.syntax_errors:
        return Check.SYNTAX
    shown = _shown(again, level)
    if len(wanted) != len(shown) or any(one[:3] != other[:3] for one, other in zip(wanted, shown, strict=True)):
        return Check.DEFINITIONS
    for one, other in zip(wanted, shown, strict=True):
        given, kept = source[one.signature : one.body], text[other.signature : other.body]
        if given == kept or rounded(given, language) == rounded(kept, language):
            continue
        if bare(source, one, facts, language) != bare(text, other, again, language):
            return Check.SIGNATURES
    if facts.torn:
        return Check.SIGNATURES
    if facts.leaks or again.leaks:
        return Check.BODIES
    if not stays(text, again, language, level):
        return Check.FIXED_POINT
    return Check.NONE


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
