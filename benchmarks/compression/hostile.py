"""Texts that cost a careless reader the square of their length, for each adapter: a name, and the text of a size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

HOSTILE: dict[str, Callable[[int], str]] = {
    "json": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "json strings": lambda size: '["' + '\\"' * (size // 2) + '"]',
    "json, unclosed": lambda size: '{"' + '"' * size + "}",
    "xml": lambda size: "<a>" * (size // 7) + "</a>" * (size // 7),
    "xml, never closed": lambda size: "<a>" * (size // 3) + "</",
    "xml, blanks": lambda size: "<a>" + " " * size + "</a>",
    "xml, comments": lambda size: "<a>" + "<!-- - -->" * (size // 10) + "</a>",
    "yaml": lambda size: "a: b\n" * (size // 5),
    "yaml, nested": lambda size: "a: 1\nb: 2\nc: 3\nd: " + "[" * size,
    "yaml, one key": lambda size: "a: 1\nb: 2\nc: 3\n" + "k" * size,
    "yaml, anchors": lambda size: "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(size // 20)),
    "markdown": lambda size: "# a\n# b\n" + "#" * size,
    "markdown, tables": lambda size: "# a\n# b\n" + "|" * size + "\n" + "|-" * (size // 2),
    "markdown, underlines": lambda size: "a\n=\nb\n=\n" + "- " * size,
    "csv": lambda size: "a,b\n" + '1,"' + '""' * (size // 2),
    "csv, commas": lambda size: "a,b\nc,d\n" + "," * size,
    "diff": lambda size: "--- a\n+++ b\n@@ -1,9 +1,9 @@\n" + " \n" * (size // 2),
    "diff, headers": lambda size: "--- a\n" + "@@ -1,0 +1,0 @@\n" * (size // 16),
    "asciidoc": lambda size: "= A\n:a: b\n----\n----\n" + "a:" * (size // 2),
    "asciidoc, brackets": lambda size: "= A\n" + "[" * size,
    "structured_output": lambda size: "PASS a\n" * 6 + "a." * (size // 2),
    "structured_output, blanks": lambda size: "PASS a\n" * 6 + " " * size + "x",
    "code": lambda size: "```\n" * (size // 4),
    "code, ticks": lambda size: "`" * size,
    "blanks": lambda size: " " * size + "x",
    "lines": lambda size: "\n" * size + "x",
    "markers": lambda size: "<compress>" * (size // 10),
    "backslashes": lambda size: ("\\" * 50 + "<compress>") * (size // 60),
}
