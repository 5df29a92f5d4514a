"""Prints the syntax tree of a source: `python -m skeleton.languages.tree GRAMMAR < FILE`. For writing queries."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import cast

import tree_sitter
from tree_sitter_language_pack import SupportedLanguage, get_language

_SHOWN = 60


def described(source: bytes, grammar: str) -> Iterator[str]:
    """The named nodes of a source, one a line: fields, types, bytes, and the text of those without children."""
    tree = tree_sitter.Parser(get_language(cast("SupportedLanguage", grammar))).parse(source)
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and node.is_named:
            field = f"{cursor.field_name}: " if cursor.field_name else ""
            text = f" {(node.text or b'')[:_SHOWN]!r}" if not node.named_child_count else ""
            yield f"{'  ' * cursor.depth}{field}{node.type} {node.start_byte}-{node.end_byte}{text}"
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def main(arguments: list[str]) -> int:
    """Reads a source on standard input; returns 2 where the grammar is not named or not known."""
    try:
        (grammar,) = arguments
        for line in described(sys.stdin.buffer.read(), grammar):
            sys.stdout.write(line + "\n")
    except (ValueError, LookupError) as error:
        sys.stderr.write(f"usage: python -m skeleton.languages.tree GRAMMAR < FILE ({error})\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
