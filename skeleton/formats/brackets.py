"""Reads what is written in brackets: JSON whole, and the inline values of YAML and TOML.

One regular expression cuts the text into tokens, one loop with a stack of its own makes nodes of them. It reads more
than the formats allow (comments, trailing commas, bare words, missing brackets at the end, keys without a value), because
files in the wild hold it and because the outlines themselves do: `{"a", "b": string, … 12 more}`.

The grammars of tree-sitter are not used for these formats on purpose: those of YAML and Markdown end the whole process
with a segmentation fault on deeply nested input, that of XML needs quadratic time, and none can read its own outline.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skeleton.formats.lines import MARKER, marked_count
from skeleton.formats.trees import MAX_CHILDREN, MAX_DEPTH, MAX_KEY, Kind, Node, short_scalar

_MARKER = rf"(?P<marker>{MARKER.pattern.replace('?P<count>', '?:')})"


def _tokens(*, comment: str, colon: str, string: str, plain: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?P<newline>\n[ \t\r]*)
          | (?P<string>{string})
          | (?P<comma>,)
          | (?P<colon>{colon})
          | (?P<open>[\[{{])
          | (?P<close>[\]}}])
          | (?P<comment>{comment})
          | {_MARKER.replace(" ", "[ ]")}
          | (?P<plain>{plain})""",
        re.VERBOSE,
    )


JSON_TOKENS = _tokens(
    comment=r"//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?",
    colon=":",
    string=r""" "[^"\\\n]*(?:\\.[^"\\\n]*)*"? | '[^'\\\n]*(?:\\.[^'\\\n]*)*'? """,
    plain=r"[^\s,:\[\]{}\"'/…]+|\S",
)
YAML_TOKENS = _tokens(
    comment=r"(?<=\s)\#[^\n]*",
    colon=r":(?=[\s,\[\]{}\"']|\Z)",
    string=r""" "[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\Z) | '[^']*(?:''[^']*)*(?:'|\Z) """,
    plain=r"[^\s,\[\]{}](?:[^\s,\[\]{}:]|:(?![\s,\[\]{}]|\Z)|[ \t]+(?![\s\#:,\[\]{}…]))*",
)
TOML_TOKENS = _tokens(
    comment=r"\#[^\n]*",
    colon="=",
    string=r"""\"{3}[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*(?:\"{3,5}|\Z) | '{3}[^']*(?:'{1,2}(?!')[^']*)*(?:'{3,5}|\Z)
             | "[^"\\\n]*(?:\\.[^"\\\n]*)*"? | '[^'\n]*'? """,
    plain=r"[^\s,=\[\]{}\"'\#…]+(?:[ ]\d[^\s,=\[\]{}\"'\#]*)?|\S",
)


class Reading(NamedTuple):
    """A value that `read_value` found.

    Attributes:
        node: the value.
        offset: where the text goes on after it.
        line: the line of that place.
        closed: whether all of its brackets are closed.
    """

    node: Node
    offset: int
    line: int
    closed: bool


def read_value(
    source: str, tokens: re.Pattern[str], offset: int, line: int, *, most: int = MAX_CHILDREN
) -> Reading | None:
    """The first value of a text from an offset on, in time linear in its length; None when there is none.

    Args:
        source: the text.
        tokens: the tokens of its format.
        offset: where to begin.
        line: the 1-based line of that place.
        most: how many children of one container are kept.
    """
    stack: list[Node] = []
    keys: list[tuple[str, int]] = []
    has_colon = False
    skipped = 0
    root: Node | None = None
    properties: Node | None = None  # an anchor or tag of YAML: a value may follow
    for match in tokens.finditer(source, offset):
        kind = match.lastgroup
        if kind == "newline":
            line += 1
        elif kind == "comment":
            line += match[0].count("\n")
        elif skipped:
            skipped += (kind == "open") - (kind == "close")
            line += match[0].count("\n") if kind == "string" else 0
        elif kind == "open":
            kind_of_node = Kind.MAPPING if match[0] == "{" else Kind.SEQUENCE
            if properties and len(stack) < MAX_DEPTH:  # `&anchor {…}`: the node is there already
                properties.kind = kind_of_node
                stack.append(properties)
                properties = None
                continue
            node = Node(kind_of_node, line)
            if not stack:
                root = node
                stack.append(node)
                continue
            taken = _attach(stack[-1], node, keys, most)
            has_colon = False
            if taken and len(stack) < MAX_DEPTH:
                stack.append(node)
            else:
                skipped = 1
        elif not stack:
            if kind in ("string", "plain"):
                end = line + match[0].count("\n")
                return Reading(Node(Kind.SCALAR, line, end, match[0].rstrip()), match.end(), end, closed=True)
        elif kind == "close":
            top = stack.pop()
            _flush(top, keys, line, most)
            has_colon = False
            top.end = line
            if not stack:
                return Reading(top, match.end(), line, closed=True)
            properties = None
        elif kind == "colon":
            has_colon = True
            properties = None
        elif kind == "comma":
            has_colon = False
            properties = None
        elif kind == "marker":
            stack[-1].hidden += marked_count(match[0])
        else:
            text = match[0].rstrip()
            if stack[-1].kind is Kind.MAPPING and not has_colon:
                keys.append((short_scalar(text, MAX_KEY), line))
                if len(keys) > _MAX_BARE_KEYS:
                    keys.pop()
                    stack[-1].hidden += 1
            else:
                scalar = Node(Kind.SCALAR, line, line, text, start=match.start())
                if _attach(stack[-1], scalar, keys, most) and text[0] in "&!":
                    properties = scalar
                has_colon = False
            line += match[0].count("\n")
    for node in stack:
        node.end = line
    return None if root is None else Reading(root, len(source), line, closed=False)


_MAX_BARE_KEYS = 64


def _attach(parent: Node, child: Node, keys: list[tuple[str, int]], most: int) -> bool:
    """Puts a child under the keys that wait for a value."""
    key = ", ".join(text for text, _ in keys)
    if keys:
        child.line = keys[0][1]
    keys.clear()
    return parent.add(key if parent.kind is Kind.MAPPING else "", child, most)


def _flush(parent: Node, keys: list[tuple[str, int]], line: int, most: int) -> None:
    """Keys that never got a value are a child without one."""
    if keys:
        _attach(parent, Node(Kind.ABSENT, line, line), keys, most)
