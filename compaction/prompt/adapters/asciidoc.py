"""AsciiDoc: headings, attributes, macros, tables and listings stay; the paragraphs between them are shortened where they stand.

What stands between two lines of the same four signs is kept (a listing, a literal, what is passed through, a comment, a
table) or is prose with a frame (an example, a sidebar, a quotation). A paragraph that is indented behind a blank line is
a literal one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction.prompt.adapters.runs import AdapterOfRuns, lines_in, runs_between
from compaction.prompt.fences import Span, find_fences, outside
from compaction.prose.kinds import first_page
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_SIGNS = 3

_HEADING = re.compile(r"^={1,6}[ \t]+[^\s\"]", re.MULTILINE)
_OF_MARKDOWN = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_SIGN = re.compile(
    r"^(?:={1,6}[ \t]+[^\s\"]"  # a heading; behind three signs and a quote stands a tab of MkDocs
    r"|:!?[\w-]+!?:(?:[ \t]|\r?$)"  # an attribute
    r"|\[[^\]\n]{0,300}\][ \t]*+\r?$"  # attributes of a block, an anchor
    r"|(?:-{4,}+|={4,}+|\.{4,}+|\|={3,}+)[ \t]*+\r?$"  # the frame of a block
    r"|(?:image|include|ifdef|ifndef|ifeval|endif|toc|video|audio)::)",  # a macro
    re.MULTILINE,
)
_FRAME = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|[|,:!]={3,})\Z")
"""A line that begins or ends what is kept as it is."""

_KEPT = re.compile(
    r"={1,6}[ \t]+\S"
    r"|:!?[\w-]+!?:(?:[ \t]|\Z)"
    r"|\[[^\]]{0,300}\]\Z"
    r"|\.[^\s.]"  # the title of a block
    r"|[a-z]+::\S{0,400}\["  # a macro
    r"|(?:={4,}|\*{4,}|_{4,}|--|\+|'{3,}|<{3,})\Z"  # the frame of prose, a line that goes on, a rule
    r"|//"
)
_ITEM = re.compile(
    r"[ \t]*+(?:\*{1,5}|\.{1,5}|-|[0-9]{1,4}\.|<[0-9.]{1,3}>)[ \t]|[ \t]*+[^\n]{1,200}?:{2,4}(?:[ \t]|\Z)"
)


class AsciiDocAdapter(AdapterOfRuns):
    """See the module."""

    name = "asciidoc"
    crosses_fences = True

    def detect(self, content: str) -> bool:
        """Return whether it has a heading of equals signs, no more of Markdown, and at least 3 lines that only AsciiDoc has."""
        page = first_page(content)
        headings = sum(1 for _ in matches(_HEADING, page))
        if not headings or sum(1 for _ in matches(_OF_MARKDOWN, page)) > headings:
            return False
        return sum(1 for _ in matches(_SIGN, page)) >= _LEAST_SIGNS

    def prose(self, content: str) -> list[Span]:
        """Return the paragraphs, lists and the like, each run of them as one."""
        found: list[Span] = []
        for stretch, is_fence in outside(content, find_fences(content).all):
            if not is_fence:
                lines = lines_in(content, stretch)
                found += runs_between(content, lines, _staying([line.text for line in lines]))
        return found


def _staying(lines: Sequence[str]) -> list[bool]:
    stays: list[bool] = []
    frame, was_blank, is_literal = "", True, False
    for line in lines:
        is_indented = line[:1] in {" ", "\t"}
        is_literal = is_indented and (is_literal or was_blank) and not _ITEM.match(line)
        is_frame = _FRAME.match(line) is not None and frame in {"", line}
        stays.append(is_frame or bool(frame) or is_literal or _KEPT.match(line) is not None)
        if is_frame:
            frame = "" if frame else line
        was_blank = not line
    return stays
