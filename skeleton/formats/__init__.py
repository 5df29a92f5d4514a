"""Outlines of files that are not code: one module for each format, and one table that gives each file its format.

    lines        a line of an outline, and how elisions are written
    trees        the tree of keys and values, read by `brackets` (JSON and what looks like it), folded by `folding`
    json yaml toml markdown …     a format each: `outliner(source)(level)`
    plain        head and tail of everything else

What `reductions` promises for every content: it does not raise; equal input gives equal output; line numbers are true and
never go down; the text at L2 is not longer than at L1, and at L1 not longer than the source, in bytes; and an outline
that is reduced again never grows. For well-formed files it does not change at all.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from skeleton.formats.lines import Line, NotThisFormatError, Outliner, size, source_lines
from skeleton.levels import CompressionLevel

if TYPE_CHECKING:
    from collections.abc import Callable

    from skeleton.formats.notebook import CellSkeleton

__all__ = ["FORMATS", "PLAIN_TEXT", "Line", "Reduction", "TextFormat", "format_of", "holds_code", "reductions"]


class TextFormat(msgspec.Struct, frozen=True, kw_only=True):
    """A format of files that are not code.

    Attributes:
        name: as in the table of languages, lower case.
        files: the names of its files in lower case; `*.md` stands for all that end so.
        module: the module of this package that outlines it; loaded with the first file of the format.
        holds_code: the outliner takes, as `skeleton_of`, what makes skeletons of the code in the file.
    """

    name: str
    files: tuple[str, ...]
    module: str
    holds_code: bool = False

    @property
    def outliner(self) -> Callable[..., Outliner]:
        """The reader of the format: it reads a text once, and gives its outline at L1 or L2."""
        return import_module(f"skeleton.formats.{self.module}").outliner


class Reduction(NamedTuple):
    """An outline of a text, as `reductions` gives it.

    Attributes:
        lines: what is shown; "" stands for a blank line.
        level: the level that it really has: one that would not save gives way to the one above.
        fell_back: whether the text was not of its format and was outlined as plain text.
    """

    lines: list[Line]
    level: CompressionLevel
    fell_back: bool


PLAIN_TEXT = TextFormat(name="text", files=("*.txt", "*.log", "*.text"), module="plain")

FORMATS = (
    TextFormat(
        name="markdown",
        files=("*.md", "*.markdown", "*.mdx", "*.mdc", "*.mkd", "*.mdown", "*.qmd", "*.rmd"),
        module="markdown",
    ),
    TextFormat(
        name="json",
        files=(
            *("*.json", "*.jsonc", "*.json5", "*.jsonl", "*.ndjson", "*.geojson", "*.webmanifest", "*.avsc"),
            *("*.code-workspace", "*.map", "composer.lock", "pipfile.lock", ".babelrc", ".eslintrc", ".prettierrc"),
        ),
        module="json",
    ),
    TextFormat(
        name="yaml",
        files=("*.yml", "*.yaml", "*.cff", ".clang-format", ".clang-tidy", ".clangd", "pubspec.lock"),
        module="yaml",
    ),
    TextFormat(
        name="toml",
        files=("*.toml", "cargo.lock", "uv.lock", "poetry.lock", "pipfile", "pdm.lock"),
        module="toml",
    ),
    TextFormat(name="restructuredtext", files=("*.rst", "*.rest"), module="rst"),
    TextFormat(name="notebook", files=("*.ipynb",), module="notebook", holds_code=True),
    TextFormat(
        name="html",
        files=(
            *("*.html", "*.htm", "*.xhtml", "*.shtml", "*.jinja", "*.jinja2", "*.j2", "*.hbs", "*.handlebars"),
            *("*.mustache", "*.ejs", "*.erb", "*.twig", "*.njk", "*.liquid", "*.cshtml"),
        ),
        module="html",
    ),
    TextFormat(
        name="xml",
        files=(
            *("*.xml", "*.xsd", "*.xsl", "*.xslt", "*.wsdl", "*.svg", "*.plist", "*.pom", "*.xaml", "*.axml", "*.resx"),
            *("*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj", "*.props", "*.targets", "*.nuspec", "*.config", "*.rss"),
            *("*.atom", "*.xlf", "*.storyboard", "*.xib", "*.iml", "*.ui", "*.kml", "*.gpx"),
        ),
        module="xml",
    ),
    TextFormat(name="css", files=("*.css", "*.scss", "*.less", "*.pcss", "*.postcss"), module="css"),
    TextFormat(name="csv", files=("*.csv", "*.tsv", "*.tab", "*.psv"), module="csv"),
    PLAIN_TEXT,
)
"""Every format, the first that matches a file name is taken."""


def format_of(path: str, source: bytes = b"") -> TextFormat | None:
    """The format of a file by its name, or, where the name says nothing, by its first bytes; None when neither does."""
    name = path.rpartition("/")[2].lower()
    for text_format in FORMATS:
        if name in text_format.files or name.endswith(_ENDINGS[text_format.name]):
            return text_format
    if "." in name.strip("."):
        return None
    return next((_BY_NAME[name] for opening, name in _OPENINGS if source.startswith(opening)), None)


def holds_code(path: str) -> bool:
    """Tells, by its name, whether a file is of a format that holds code in strings of its own."""
    return path.lower().endswith(_ENDINGS_WITH_CODE)


_ENDINGS = {
    text_format.name: tuple(name.removeprefix("*") for name in text_format.files if name.startswith("*"))
    for text_format in FORMATS
}
_ENDINGS_WITH_CODE = tuple(ending for one in FORMATS if one.holds_code for ending in _ENDINGS[one.name])
_BY_NAME = {text_format.name: text_format for text_format in FORMATS}
_OPENINGS = (
    (b'{"', "json"),
    (b'{\n  "', "json"),
    (b'{\r\n  "', "json"),
    (b'[{"', "json"),
    (b"%YAML", "yaml"),
    (b"<?xml", "xml"),
    (b"<!DOCTYPE html", "html"),
)
"""First bytes of files without an extension."""


def reductions(
    text_format: TextFormat, source: bytes, skeleton_of: CellSkeleton | None = None
) -> dict[CompressionLevel, Reduction]:
    """A file at every level, read once; never raises on content.

    Args:
        text_format: how to read it.
        source: its text in UTF-8; other bytes are shown as U+FFFD.
        skeleton_of: makes the skeletons of code, for formats that hold some.
    """
    outliner = (
        partial(text_format.outliner, skeleton_of=skeleton_of) if text_format.holds_code else text_format.outliner
    )
    text = source.decode(errors="replace")
    best = Reduction(source_lines(text), CompressionLevel.FULL, fell_back=False)
    text = text.replace("\r\n", "\n")
    at_level = {CompressionLevel.FULL: best}
    fell_back = False
    try:
        outline = outliner(text)
    except NotThisFormatError:
        outline, fell_back = PLAIN_TEXT.outliner(text), True
    for level in (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON):
        lines = outline(level)
        if lines and size(lines) < size(best.lines):
            best = Reduction(lines, level, fell_back)
        at_level[level] = best
    at_level[CompressionLevel.DROP] = Reduction([], CompressionLevel.DROP, fell_back=False)
    return at_level
