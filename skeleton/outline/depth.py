"""Splits a deep tree into pieces that a query can be run over one by one.

What a query costs grows with the square of how deep a tree is, because all that it has begun further up stays open.
"""

from __future__ import annotations

from typing import Final

import tree_sitter

DEEP: Final = 200
"""Levels of a tree that a query looks for beginnings in at once; code that people write has fewer."""


DEEPEST: Final = 50_000
"""Levels that a query is ever let into at once: it counts them in 16 bits, and behind those it never comes back."""


def parted(root: tree_sitter.Node, most: int = DEEP) -> list[tree_sitter.Node]:
    """Returns nodes below which all matches begin, none deeper than `most` levels: the root alone for most trees.

    Only what has so many nodes that it could be so deep is walked.
    """
    if root.descendant_count <= most:
        return [root]
    parts = [root]
    for part in parts:
        cursor = part.walk()
        depth, more = 0, True
        while more:
            node = cursor.node
            if depth > most and node is not None:
                parts.append(node)
            elif node is not None and node.descendant_count > most - depth and cursor.goto_first_child():
                depth += 1
                continue
            while not cursor.goto_next_sibling():
                more = cursor.goto_parent()
                depth -= 1
                if not more:
                    break
    return parts
