"""TOML: its tables one below the other, each with its keys.

Tables of an array beyond the first few are counted (`… 312 more [[package]]`): that is what lock files consist of.
"""

from __future__ import annotations

import re
from functools import partial

from skeleton.formats.brackets import TOML_TOKENS, read_value
from skeleton.formats.folding import Notation, fold
from skeleton.formats.lines import Line, NotThisFormatError, Outliner, marked_count, marker
from skeleton.formats.trees import MAX_KEY, Kind, Node, short_scalar
from skeleton.levels import CompressionLevel

_NOTATION = Notation(colon=" = ", has_sections=True)

_ARRAY_TABLES = {CompressionLevel.SKELETON_PLUS: 3, CompressionLevel.SKELETON: 1}
"""The most tables of one array that are shown, for each level."""

_STATEMENT = re.compile(
    r"""[ \t]*+(?:
        (?P<header>\[\[?[^\n#]*\]\]?)[ \t\r]*(?:\#[^\n]*)?$
      | (?P<key>(?>(?:"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'|[^"'=\n\#\[{])+))=
      | (?P<more>…\ [\d,]+\ more[ ]?(?P<array>\[\[[^\n]*\]\])?)[ \t]*$
    )""",
    re.VERBOSE | re.MULTILINE,
).match


def outliner(source: str) -> Outliner:
    """Tables with keys and values (L1) or keys and types (L2).

    Raises:
        NotThisFormatError: there is neither a table nor a key in it.
    """
    tables = _tables(source)
    if not any(table.text or table.children for table in tables):
        raise NotThisFormatError("no table and no key")
    return partial(_outline_lines, tables)


def _outline_lines(tables: list[Node], level: CompressionLevel) -> list[Line]:
    return fold(_fewer_of_an_array(tables, _ARRAY_TABLES[level]), _NOTATION, level)


def _tables(source: str) -> list[Node]:
    """The tables in their order, the nameless one at the top first; their headers are their texts."""
    table = Node(Kind.MAPPING, 1)
    tables = [table]
    offset, line = 0, 1
    while offset < len(source):
        statement = _STATEMENT(source, offset)
        end = source.find("\n", offset)
        following = len(source) if end < 0 else end + 1
        next_line = line + 1
        if statement and (header := statement["header"]):
            table = Node(Kind.MAPPING, line, line, " ".join(header.split()))
            tables.append(table)
        elif statement and (more := statement["more"]):
            if statement["array"]:
                tables.append(Node(Kind.ABSENT, line, line, more))
            else:
                tables[-1].hidden += marked_count(more)
        elif statement:
            key = short_scalar(" ".join(statement["key"].split()), MAX_KEY)
            reading = read_value(source, TOML_TOKENS, statement.end(), line)
            if reading and reading.node.line == line:
                reading.node.text = reading.node.text.rstrip()
                table.add(key, reading.node)
                end = source.find("\n", reading.offset)
                following = len(source) if end < 0 else end + 1
                next_line = reading.line + 1
        offset, line = following, next_line
    return tables


def _fewer_of_an_array(tables: list[Node], most: int) -> list[Node]:
    """The tables without those of an array beyond the first ones, and without what stands below those."""
    shown: list[Node] = []
    seen: dict[str, int] = {}
    markers: dict[str, Node] = {}
    skipped = ""
    for table in tables:
        header = table.text
        if header.startswith("[["):
            seen[header] = seen.get(header, 0) + 1
            skipped = header[2:-2] if seen[header] > most else ""
            if skipped:
                if header not in markers:
                    markers[header] = Node(Kind.ABSENT, table.line, table.line)
                    shown.append(markers[header])
                markers[header].text = f"{marker(seen[header] - most, 'more')} {header}"
                continue
        elif table.kind is Kind.ABSENT:
            skipped = ""
        if skipped and header.startswith(f"[{skipped}."):
            continue
        shown.append(table)
    return shown
