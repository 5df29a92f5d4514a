"""Tells which errors of a tree are none of its source, and how much is in those that are.

    TEST_CASE("an empty list") {
        EACH_ITEM(print)
        run_with_period(100) {

To a grammar without a preprocessor a semicolon is missing at the end of each of these lines. It goes on as if it were
there, and nothing is read wrongly. A query file says how such lines look (`; unended:`). Trees without errors are never
looked at.

How much of a source is in errors decides between two readings of it (`; mends:`, `skeleton.outline.parsing`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import tree_sitter

from skeleton.languages.queries import Language
from skeleton.outline.loose import error_nodes

_BLANKS: Final = b" \t\r\n\f"


def is_broken(root: tree_sitter.Node, parsed: bytes, language: Language) -> bool:
    """Tells whether a tree holds an error that is one of the source.

    Args:
        root: that of the tree.
        parsed: the text that was parsed.
        language: of it.
    """
    return root.has_error and next(_broken(root, parsed, language), None) is not None


def weight(root: tree_sitter.Node, parsed: bytes, language: Language) -> int:
    """Counts the bytes of a source that are in errors; of what misses its end all are.

    Args:
        root: the root of its tree.
        parsed: what was parsed of it.
        language: of it.
    """
    return sum(_size(node) for node in _broken(root, parsed, language))


def _size(node: tree_sitter.Node) -> int:
    whole = (node.parent or node) if node.is_missing else node
    return 1 + whole.end_byte - whole.start_byte


def _broken(root: tree_sitter.Node, parsed: bytes, language: Language) -> Iterator[tree_sitter.Node]:
    pattern = language.unended
    for node in error_nodes(root):
        place, before = node, node.prev_sibling
        while before is None and (around := place.parent) is not None and around.start_byte == around.end_byte:
            place, before = around, around.prev_sibling  # all that is missing is an empty statement
        while before is not None and before.is_extra:
            before = before.prev_sibling
        if pattern is None or not node.is_missing or before is None:
            yield node
            continue
        start = parsed.rfind(b"\n", 0, before.start_byte) + 1
        end = before.end_byte
        while end < len(parsed) and parsed[end] in _BLANKS:
            end += 1
        if pattern.fullmatch(parsed, start, min(end + 1, len(parsed))) is None:
            yield node
