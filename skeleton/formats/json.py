"""JSON, with comments and trailing commas where a file has them; one value after the other in JSON Lines."""

from __future__ import annotations

from functools import partial

from skeleton.formats.brackets import JSON_TOKENS, read_value
from skeleton.formats.folding import Notation, fold
from skeleton.formats.lines import NotThisFormatError, Outliner, marked_count
from skeleton.formats.trees import MAX_CHILDREN, Kind, Node

_NOTATION = Notation(colon=": ")


def outliner(source: str) -> Outliner:
    """Keys and values (L1) or keys and types (L2) to a depth, as `skeleton.formats.folding` writes them.

    Raises:
        NotThisFormatError: the text does not begin with a bracket.
    """
    roots: list[Node] = []
    hidden = 0
    offset, line = 0, 1
    while reading := read_value(source, JSON_TOKENS, offset, line):
        offset, line = reading.offset, reading.line
        if not roots and reading.node.kind is Kind.SCALAR:
            break
        if len(roots) < MAX_CHILDREN:
            roots.append(reading.node)
        else:
            hidden += 1
    if not roots:
        raise NotThisFormatError("no value in brackets")
    last_line = source.rstrip("\n").rpartition("\n")[2]
    if last_line.startswith("… "):
        hidden += marked_count(last_line)
    return partial(fold, roots, _NOTATION, hidden=hidden)
