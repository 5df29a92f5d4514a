"""Tells, before a walk, whether a definition may stand at the first word of a text that is read again.

Most lines that look as if they began a definition, in a source with syntax errors, begin none: the text that is read from
there begins with something else. What the patterns say of the nodes around its first word is enough to know that, and
the walk over all the rest is spared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tree_sitter

from skeleton.outline.depth import DEEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from skeleton.languages.queries import Language
    from skeleton.outline.captures import Captures, Matches

_MOST_INSIDE: Final = 5000
"""Nodes of a constant, or of what is wrapped, that are looked through."""


def may_begin(root: tree_sitter.Node, language: Language, captures: Captures, word: int) -> bool:
    """Tells whether the walk over a tree might find a definition, other than a constant, that covers the first word.

    It says no where the walk would not find one, and may say yes where it would not either.

    Args:
        root: of the tree.
        language: of the text.
        captures: of the walk.
        word: the first byte of the text that was parsed which is not blank.

    Raises:
        GrammarFailureError: the walk would raise it too.
    """
    around = _around(root, word)
    if around is None or language.embeds:
        return True
    wide: list[tree_sitter.Node] = []
    for node in around:
        captures.count_ahead(node)
        for index, captured in captures.ahead(node, word + 1):
            plan = language.plans[index]
            defined = captured.get(plan.definition, ())
            covers = any(one.start_byte <= word for one in (*defined, *captured.get("first", ())))
            if plan.kind != "constant":
                if covers:
                    return True
                defined = ()
            wide += defined if covers else ()
            wide += (one for one in captured.get("wrapper", ()) if one.start_byte <= word)
    if not wide:
        return False
    end = max(one.end_byte for one in wide)
    first = min((start for node in around for start in _starts(captures.ahead(node, end), language)), default=end)
    return any(one.end_byte > first or _may_hold(one, language) for one in wide)


def _starts(matches: Matches, language: Language) -> Iterator[int]:
    """Yields where the definitions begin that are no constants."""
    for index, captured in matches:
        plan = language.plans[index]
        if plan.kind != "constant":
            yield from (one.start_byte for one in captured.get(plan.definition, ()))


def _around(root: tree_sitter.Node, word: int) -> list[tree_sitter.Node] | None:
    """Returns the nodes that begin with the first word, the outermost first; None for a comment, and for very many."""
    cursor = root.walk()
    around = [root]
    while cursor.goto_first_child_for_byte(word) is not None:
        node = cursor.node
        if node is None or (node.is_extra and not node.is_error) or len(around) == DEEP:  # errors are extras, too
            return None
        around.append(node)
    return around


def _may_hold(node: tree_sitter.Node, language: Language) -> bool:
    """Tells whether a definition other than a constant may stand in a node, at any depth."""
    if node.descendant_count > _MOST_INSIDE:
        return True
    matches = tree_sitter.QueryCursor(language.query).matches(node)
    return any(language.plans[index].kind not in ("", "constant") for index, _ in matches)
