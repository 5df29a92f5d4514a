"""Splits a deep tree into pieces that a query can be run over one by one, and counts what one costs over a wide one.

What a query costs grows with the square of how deep a tree is, because all that it has begun further up stays open. At
each node without a name it looks for the next one beside it that has one: `((((`, without end, is as many looks for each.
"""

from __future__ import annotations

from typing import Final

import tree_sitter

DEEP: Final = 200
"""Levels of a tree that a query looks for beginnings in at once; code that people write has fewer."""


DEEPEST: Final = 50_000
"""Levels that a query is ever let into at once: it counts them in 16 bits, and behind those it never comes back."""


LONG: Final = 10_000
"""Bytes of text; what is shorter cannot hold enough nodes to matter."""


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


def steps(node: tree_sitter.Node, levels: int) -> int:
    """Returns the looks that a query takes for nodes with a name beside those without.

    Args:
        node: what the query is run over.
        levels: how deep below it the query looks for beginnings.
    """
    taken = run = 0
    for child in node.children:
        if child.is_named:
            taken += run * run
            run = 0
            if levels and child.end_byte - child.start_byte > LONG:
                taken += steps(child, levels - 1)
        else:
            run += 1
    return taken + run * run
