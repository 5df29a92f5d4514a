"""Outlines of files that are not code: one module a format, one table that says which file is which.

    lines        a line of an outline, and how elisions are written
    trees        the tree of keys and values, read by `brackets` (JSON and what looks like it), folded by `folding`
    json yaml toml markdown …     a format each: `outline_lines(source, level)`
    plain        head and tail of everything else

What `reduce` promises for every content: it does not raise; equal input gives equal output; line numbers are true and
never go down; the text at L2 is not longer than at L1, and at L1 not longer than the source, in bytes; and an outline
that is reduced again never grows. For well-formed files it does not change at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from skeleton.formats import json, markdown, plain, toml, yaml
from skeleton.formats.lines import Line, NotThisFormatError, size, source_lines
from skeleton.levels import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FORMATS", "PLAIN_TEXT", "Line", "Reduction", "TextFormat", "format_of", "reduce"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """A format of files that are not code.

    Attributes:
        name: as in the table of languages, lower case.
        files: patterns of `fnmatch` for the file name in lower case.
        outline_lines: the outline of a text at L1 or L2.
    """

    name: str
    files: tuple[str, ...]
    outline_lines: Callable[[str, CompressionLevel], list[Line]]


class Reduction(NamedTuple):
    """What `reduce` gives.

    Attributes:
        lines: what is shown.
        level: the level that it really has: one that would not save gives way to the one above.
        fell_back: whether the text was not of its format and was outlined as plain text.
    """

    lines: list[Line]
    level: CompressionLevel
    fell_back: bool


PLAIN_TEXT = TextFormat(name="text", files=("*.txt", "*.log", "*.text"), outline_lines=plain.outline_lines)

FORMATS = (
    TextFormat(
        name="markdown",
        files=("*.md", "*.markdown", "*.mdx", "*.mdc", "*.mkd", "*.mdown", "*.qmd", "*.rmd"),
        outline_lines=markdown.outline_lines,
    ),
    TextFormat(
        name="json",
        files=(
            *("*.json", "*.jsonc", "*.json5", "*.jsonl", "*.ndjson", "*.geojson", "*.webmanifest", "*.avsc"),
            *("*.code-workspace", "*.map", "composer.lock", "pipfile.lock", ".babelrc", ".eslintrc", ".prettierrc"),
        ),
        outline_lines=json.outline_lines,
    ),
    TextFormat(
        name="yaml",
        files=("*.yml", "*.yaml", "*.cff", ".clang-format", ".clang-tidy", ".clangd", "pubspec.lock"),
        outline_lines=yaml.outline_lines,
    ),
    TextFormat(
        name="toml",
        files=("*.toml", "cargo.lock", "uv.lock", "poetry.lock", "pipfile", "pdm.lock"),
        outline_lines=toml.outline_lines,
    ),
    PLAIN_TEXT,
)
"""Every format, the first that matches a file name is taken."""


def format_of(path: str, source: bytes = b"") -> TextFormat | None:
    """The format of a file by its name, or, where the name says nothing, by its first bytes; None when neither does."""
    name = path.rpartition("/")[2].lower()
    for text_format in FORMATS:
        if any(fnmatchcase(name, pattern) for pattern in text_format.files):
            return text_format
    if "." in name.strip("."):
        return None
    return next((_BY_NAME[name] for opening, name in _OPENINGS if source.startswith(opening)), None)


_BY_NAME = {text_format.name: text_format for text_format in FORMATS}
_OPENINGS = ((b'{"', "json"), (b'{\n  "', "json"), (b'[{"', "json"), (b"%YAML", "yaml"))
"""First bytes of files without an extension."""


def reduce(text_format: TextFormat, source: bytes, level: CompressionLevel) -> Reduction:
    """A file at a level; never raises on content.

    Args:
        text_format: how to read it.
        source: its text in UTF-8; other bytes are shown as U+FFFD.
        level: L0 gives every line as it is, L3 none.
    """
    full = Reduction(source_lines(source.decode(errors="replace")), CompressionLevel.FULL, fell_back=False)
    if level is CompressionLevel.FULL:
        return full
    if level is CompressionLevel.DROP:
        return Reduction([], level, fell_back=False)
    text = source.decode(errors="replace")
    best = full
    for asked in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
        if asked.depth > level.depth:
            break
        try:
            reduction = Reduction(text_format.outline_lines(text, asked), asked, fell_back=False)
        except NotThisFormatError:
            reduction = Reduction(plain.outline_lines(text, asked), asked, fell_back=True)
        if reduction.lines and size(reduction.lines) < size(best.lines):
            best = reduction
    return best
