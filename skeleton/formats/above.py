"""The line that a line of a text stands in: the heading of its section, the key of its mapping, the header of its table.

A passage of a long text is read with them: which `retention:` it is, and of what a paragraph speaks. Lines are read one by
one and nothing is parsed, for a passage is also shown of what is not well formed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ATX: Final = re.compile(r" {0,3}(#{1,6})[ \t]+\S").match
_EQUALS: Final = re.compile(r"(={1,6})[ \t]+\S").match
_FENCE: Final = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})").match
_RULE: Final = re.compile(r"(?:={3,}|-{3,})[ \t]*$").match
_UNDERLINE: Final = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t]*$").match
_TABLE: Final = re.compile(r"\[[^\]]{1,200}\]{1,2}[ \t]*(?:[#;]|$)").match
_KEY: Final = re.compile(
    r"[ \t]*(?:- +)*(?:[^\s#{}\[\]\"'][^:#\n]{0,200}|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'):(?:\s|$)"
).match

ANCHOR: Final = re.compile(r"(?:^|(?<=\s))\{:?[ ]?#([\w:.-]{1,100})[ ]?\}\s{0,80}$")
"""The name that a heading has in addresses, as sites write it behind it."""

_NO_ANCHOR: Final = re.compile(r"[^\w\- ]")

_ASCIIDOC: Final = (".adoc", ".asciidoc")


def is_prose(path: str) -> bool:
    """Tells by its name whether a file is written in paragraphs, under headings."""
    return _reader(path) in (_under_marks, _under_lines, _under_equals)


def above(path: str, lines: Sequence[str]) -> list[int]:
    """Returns for each line the place of the line that it stands in, or -1; none for a format of which that is not known.

    Args:
        path: of the file.
        lines: all of them.
    """
    reader = _reader(path)
    return reader(lines) if reader is not None else []


def section(path: str, lines: Sequence[str], anchor: str) -> tuple[int, int] | None:
    """Returns the first and the last line, from 1 on, of the section that an anchor of a document names; None for no such one.

    Args:
        path: of the document.
        lines: all of them.
        anchor: the heading as links write it, `ownership-rules`, with a number behind it for the second of a name and on;
            or the heading itself.
    """
    inside = above(path, lines) if is_prose(path) else []
    seen: dict[str, int] = {}
    wanted = anchored(anchor)
    for heading in sorted(set(inside) - {-1}):
        name = anchored(lines[heading])
        times = seen[name] = seen.get(name, -1) + 1
        named = ANCHOR.search(lines[heading])
        if wanted in (f"{name}-{times}" if times else name, named[1].lower() if named else name):
            last = heading + 1
            while last < len(lines) and _stands_in(inside, last, heading):
                last += 1
            while not lines[last - 1].strip():
                last -= 1
            return heading + 1, last
    return None


def anchored(heading: str) -> str:
    """Returns a heading as links write it: in lower case, with a hyphen for each blank and no other signs."""
    title = ANCHOR.sub("", heading).strip().strip("#=").strip()
    return _NO_ANCHOR.sub("", title.lower()).replace(" ", "-")


def _stands_in(inside: Sequence[int], line: int, heading: int) -> bool:
    """Tells whether a line stands in the section of a heading."""
    while line > heading:
        line = inside[line]
    return line == heading


def _reader(path: str) -> Callable[[Sequence[str]], list[int]] | None:
    if path.lower().endswith(_ASCIIDOC):
        return _under_equals
    text_format = format_of(path)
    return _READERS.get(text_format.name) if text_format is not None else None


def _by_depths(depths: Sequence[int]) -> list[int]:
    """Returns what each line stands in, given the depth of each heading; 0 stands for a line that is none."""
    found: list[int] = []
    open_: list[tuple[int, int]] = []
    for line, depth in enumerate(depths):
        if depth:
            while open_ and open_[-1][0] >= depth:
                open_.pop()
        found.append(open_[-1][1] if open_ else -1)
        if depth:
            open_.append((depth, line))
    return found


def _under_marks(lines: Sequence[str]) -> list[int]:
    """Of Markdown: `# Title`, or a title above a rule."""
    depths = [0] * len(lines)
    fence = ""
    for line, text in enumerate(lines):
        mark = _FENCE(text)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        elif found := _ATX(text):
            depths[line] = len(found[1])
        elif (
            line
            and _RULE(text)
            and lines[line - 1].strip()
            and not depths[line - 1]
            and not lines[line - 1][:1].isspace()
        ):
            is_paragraph = line > 1 and lines[line - 2].strip()
            depths[line - 1] = 0 if is_paragraph else 1 if text.startswith("=") else 2
    return _by_depths(depths)


def _under_equals(lines: Sequence[str]) -> list[int]:
    """Of AsciiDoc: `== Title`."""
    return _by_depths([len(found[1]) if (found := _EQUALS(text)) else 0 for text in lines])


def _under_lines(lines: Sequence[str]) -> list[int]:
    """Of reStructuredText: a title with a line of marks below it, which are as deep as they come late."""
    depths = [0] * len(lines)
    marks: dict[str, int] = {}
    for line, text in enumerate(lines):
        found = _UNDERLINE(text) if line else None
        title = lines[line - 1].rstrip() if found else ""
        if found and title and not title[0].isspace() and len(text.rstrip()) >= len(title) and not _UNDERLINE(title):
            depths[line - 1] = marks.setdefault(found[1], len(marks) + 1)
    return _by_depths(depths)


def _under_tables(lines: Sequence[str]) -> list[int]:
    """Of TOML and the like: `[table]`."""
    return _by_depths([int(bool(_TABLE(text))) for text in lines])


def _under_keys(lines: Sequence[str]) -> list[int]:
    """Of YAML: the key that is indented less, and of a comment the key right below it.

    Items of a list may be indented as their key is.
    """
    found: list[int] = []
    open_: list[tuple[int, int]] = []
    for line, text in enumerate(lines):
        said = text.strip()
        if not said:
            found.append(open_[-1][1] if open_ else -1)
            continue
        depth = 2 * (len(text) - len(text.lstrip())) + said.startswith("- ")
        while open_ and open_[-1][0] >= depth and not said.startswith("#"):
            open_.pop()
        found.append(next((place for deep, place in reversed(open_) if deep < depth), -1))
        if _KEY(text):
            open_.append((depth, line))
            for told in range(line - 1, -1, -1):
                if not lines[told].lstrip().startswith("#"):
                    break
                found[told] = line
    return found


def _under_brackets(lines: Sequence[str]) -> list[int]:
    """Of JSON: the line that is indented less and opens a bracket."""
    found: list[int] = []
    open_: list[tuple[int, int]] = []
    for line, text in enumerate(lines):
        said = text.strip()
        depth = len(text) - len(text.lstrip())
        while said and open_ and open_[-1][0] >= depth:
            open_.pop()
        found.append(open_[-1][1] if open_ else -1)
        if said.endswith(("{", "[")) and len(said) > 1:
            open_.append((depth, line))
    return found


_READERS: Final = {
    "markdown": _under_marks,
    "restructuredtext": _under_lines,
    "toml": _under_tables,
    "yaml": _under_keys,
    "json": _under_brackets,
}
