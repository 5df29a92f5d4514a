"""Markdown: headings, tables, links and code stay; the paragraphs under each heading are shortened under that heading.

reStructuredText has the same shape, and lines of its own that stay: titles under other signs, directives and targets.

Blocks are told apart line by line. What stands between two things that stay is one piece, however many paragraphs it
has, so that a summary speaks of what its heading names and the best sentences of a section compete with each other.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from compaction.prompt.adapters.runs import AdapterOfRuns, lines_in, runs_between
from compaction.prompt.fences import find_fences, outside
from compaction.prose.kinds import first_page, is_code
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.prompt.fences import Span

_LEAST_HEADINGS = 2
_LEAST_CHARACTERS = 200

_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|\r?$)", re.MULTILINE)
_UNDERLINE = re.compile(r" {0,3}(?:=++|-{2,}+)[ \t]*+\Z")
_ADORNED = re.compile(r"(?:~+|\^+|\"+|'+|\++|\*+|#+|`+)[ \t]*\Z")
"""A line under a title that is as long as that: reStructuredText takes more signs than Markdown."""

_LITERAL = re.compile(
    r"[ \t]*+(?:\.\.[ \t]+(?:code-block|code|sourcecode|parsed-literal|doctest|testcode|math)::|(?!\.\.[ \t])[^\n]*::\Z)"
)
"""A line behind which what is indented deeper is code in reStructuredText, by however little."""

_LEAST_ADORNED = 3
_RULE = re.compile(r" {0,3}(?:(?>(?:\*[ \t]*+){3,})|(?>(?:-[ \t]*+){3,})|(?>(?:_[ \t]*+){3,}))\Z")
_SEPARATOR = re.compile(r"[ \t]*+\|?[ \t]*+:?-+:?[ \t]*+(?>(?:\|[ \t]*+:?-*+:?[ \t]*+)+)\Z")
_ITEM = re.compile(r"[ \t]*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|\Z)")
_KEPT = re.compile(
    r" {0,3}(?:#{1,6}(?:[ \t]|\Z)"  # a heading
    r"|\|"  # a row of a table
    r"|\[[^\]]++\]:[ \t]*+\S"  # the target of a link
    r"|</?[A-Za-z!]|<!--"  # HTML
    r"|\[?!\["  # an image or a badge
    r"|\.\.[ \t]+\S)"  # a directive, a target or a comment of reStructuredText
    r"|[ \t]{0,40}(?:===[!+]?[ \t]+\"|(?:!!!|\?\?\?\+?)[ \t]+\w)"  # a tab or a frame of MkDocs
)


class MarkdownAdapter(AdapterOfRuns):
    """See the module.

    Attributes:
        keep_fences: whether fenced code stays; it is prose like any other otherwise.
        keep_tables: whether the rows of tables stay; they are chosen among the sentences otherwise.
    """

    name = "markdown"
    crosses_fences = True

    def __init__(self, *, keep_fences: bool = True, keep_tables: bool = True) -> None:
        self.keep_fences = keep_fences
        self.keep_tables = keep_tables

    def detect(self, content: str) -> bool:
        """Return whether it has at least 200 characters and 2 headings, and is no program with comments."""
        if len(content) < _LEAST_CHARACTERS:
            return False
        page = first_page(content)
        headings = sum(1 for _ in islice(matches(_HEADING, page), _LEAST_HEADINGS))
        return (headings >= _LEAST_HEADINGS or _underlined(page) + headings >= _LEAST_HEADINGS) and not is_code(page)

    def prose(self, content: str) -> list[Span]:
        """Return the paragraphs, lists and the like, each run of them as one."""
        fences = find_fences(content).all if self.keep_fences else ()
        found: list[Span] = []
        for stretch, is_fence in outside(content, fences):
            if not is_fence:
                lines = lines_in(content, stretch)
                stays = _staying(
                    [line.text for line in lines], is_beginning=stretch.start == 0, keep_tables=self.keep_tables
                )
                found += runs_between(content, lines, stays)
        return found


def _underlined(page: str) -> int:
    """Returns the number of headings that are marked by a line under them."""
    lines = page.splitlines()
    return sum(
        1 for above, line in pairwise(lines) if _underlines(line, above) and _is_text(above) and not _RULE.match(above)
    )


def _is_text(line: str) -> bool:
    return bool(line.strip()) and not _KEPT.match(line) and not _ITEM.match(line)


def _staying(lines: Sequence[str], *, is_beginning: bool, keep_tables: bool) -> list[bool]:
    stays = [
        bool(_KEPT.match(line) or _RULE.match(line)) and (keep_tables or not line.lstrip().startswith("|"))
        for line in lines
    ]
    if is_beginning and lines and lines[0] == "---":
        closing = next((place for place, line in enumerate(lines[1:], start=1) if line in {"---", "..."}), 0)
        stays[: closing + 1] = [True] * (closing + 1)
    in_list = was_blank = in_code = False
    in_table = False
    literal = _LiteralBlocks()
    for place, line in enumerate(lines):
        if place and lines[place - 1].strip() and not stays[place - 1] and _underlines(line, lines[place - 1]):
            stays[place - 1] = stays[place] = True
        in_table = "|" in line and (in_table or _heads_table(lines, place))
        is_indented = line.startswith(("    ", "\t"))
        in_code = is_indented and (in_code or (was_blank and not in_list))
        if (in_table and keep_tables) or in_code or literal.holds(line):
            stays[place] = True
        if line:
            in_list = bool(_ITEM.match(line)) or (in_list and (is_indented or not was_blank))
        was_blank = not line
    return stays


class _LiteralBlocks:
    """The literal blocks of reStructuredText in lines that are asked for one by one."""

    def __init__(self) -> None:
        self._indent = -1

    def holds(self, line: str) -> bool:
        """Return whether the next line is code."""
        if not line:
            return False
        indent = len(line) - len(line.lstrip())
        is_held = 0 <= self._indent < indent
        if not is_held:
            self._indent = indent if _LITERAL.match(line) else -1
        return is_held


def _underlines(line: str, title: str) -> bool:
    return _UNDERLINE.match(line) is not None or (
        _LEAST_ADORNED <= len(title.rstrip()) <= len(line.rstrip()) and _ADORNED.match(line) is not None
    )


def _heads_table(lines: Sequence[str], place: int) -> bool:
    return place + 1 < len(lines) and "|" in lines[place + 1] and _SEPARATOR.match(lines[place + 1]) is not None
