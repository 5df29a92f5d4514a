"""The sentence in which a package says what it is: that of its manifest, or the first of its README."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from allocator.overview.manifests import sentences_of
from allocator.overview.readme import readme_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 120
"""Characters of such a sentence."""

WRAPPED = 50
"""Characters of a line that may end because it is full, and not because there is no more to say."""

SAYS_NOTHING = frozenset({"a", "an", "and", "for", "library", "module", "of", "package", "project", "the"})
"""Words of a sentence that tell nothing of a package."""

_MADE = re.compile(
    r"\W{0,9}(?:this (?:\w[\w.+-]{0,40} ){1,6}(?:bootstrapped|created|generated|scaffolded) (?:by|from|using|with)\b"
    r"|this template (?:provides|should help)\b|getting started with create react app\b)",
    re.IGNORECASE,
)
"""The beginning of a sentence that a tool writes into the packages that it makes."""

_WORD = re.compile(r"[^\W_]{2,}")
_HEADING = re.compile(r"#+ ")
_NO_PROSE = re.compile(r"\s|[-*+>|] ?|\d+\. |!\[|:::")
"""The beginning of a line that is an item, a quotation or a table."""

_ENDS = re.compile(r"[.!?:][\"')*_`]*$")


def in_short(sentences: Sequence[str], folder: str) -> str:
    """The first sentence of a description; "" where it is too long to be told, or says no more than the path of the folder.

    Args:
        sentences: of the description.
        folder: the path of the package.
    """
    said = next(iter(sentences), "").removesuffix(".")
    return said if len(said) <= LONGEST and not _MADE.match(said) and _adds(said, folder) else ""


def said_in_readme(text: str, folder: str) -> str:
    """The first sentence of a README that says what a package is, or its heading; "" where neither does.

    Args:
        text: the README.
        folder: the path of the package.
    """
    lines = readme_lines(text)
    if any(map(_MADE.match, map(_bare, lines[:2]))):  # the rest is how to use the tool
        return ""
    said = (in_short(sentences_of(one), folder) for one in _paragraphs(lines))
    heading = (in_short([_bare(line)], folder) for line in lines if _HEADING.match(line))
    return next(filter(None, said), "") or next(filter(None, heading), "")


def _bare(line: str) -> str:
    """A line without the mark of a heading."""
    return _HEADING.sub("", line, count=1)


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yields the prose among some lines, with what goes on in the next line."""
    held = ""
    for line in lines:
        is_prose = not _HEADING.match(line) and not _NO_PROSE.match(line)
        if held and not (is_prose and _goes_on(held, line)):
            yield held
            held = ""
        if is_prose:
            held = f"{held} {line}".lstrip()
    if held:
        yield held


def _goes_on(held: str, line: str) -> bool:
    """Tells whether a text goes on in the next line: that begins in the middle of a sentence, or the last one is full."""
    return not _ENDS.search(held) and (line[0].islower() or len(held) >= WRAPPED)


def _adds(said: str, folder: str) -> bool:
    """Tells whether a sentence says more than the path of the folder."""
    return " " in said and bool({*_WORD.findall(said.lower())} - {*_WORD.findall(folder.lower())} - SAYS_NOTHING)
