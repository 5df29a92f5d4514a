"""Jupyter notebooks: Markdown cells as Markdown, code cells by the language of the kernel, no outputs.

The outline is written in the percent format (`# %%` begins a code cell, `# %% [markdown]` one of text), which editors
and language models know, and which is read here as well, so an outline can be read again. How a code cell becomes a
skeleton is the caller's business (`CellSkeleton`): this package knows no programming language. Without one, or when it
has nothing to say, a cell shows its first lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from skeleton.formats import markdown
from skeleton.formats.brackets import JSON_TOKENS, read_value
from skeleton.formats.lines import MARKER, Line, NotThisFormatError, Outliner, cut, marked_count, marker
from skeleton.formats.trees import Kind, Node
from skeleton.levels import CompressionLevel

CellSkeleton = Callable[[str, str, CompressionLevel], "list[Line] | None"]
"""Makes the skeleton of a code cell from its source, the name of its language and a level.

Line numbers are those of the cell, 1-based. None when the language is not known.
"""

_FIRST_LINES = {CompressionLevel.SKELETON_PLUS: 3, CompressionLevel.SKELETON: 1}
"""Lines that are shown of a code cell without a skeleton."""

_MOST_CELLS = {CompressionLevel.SKELETON_PLUS: 80, CompressionLevel.SKELETON: 40}
_LINE_WIDTH = 160
_PERCENT = re.compile(r"(?:#|//|--) %%(?P<markdown> \[markdown\])?(?: (?P<language>\w+))?[ \t\r]*$").match
_MARKER_LINE = re.compile(rf"{MARKER.pattern}$").match
_UNLIMITED = 1 << 60
_RUNNER = re.compile(r"%%(?:script\s+)?(\w+)").match
"""The word that the first line of a cell begins with which says what runs it: `%%bash`, `%%script perl`, `%%time`."""


class _Cell(NamedTuple):
    is_markdown: bool
    language: str
    lines: list[Line]


class CodeCell(NamedTuple):
    """A code cell, as it lies in the JSON of its notebook.

    Attributes:
        kernel: the name of the language of the kernel.
        runner: what the first line says that runs the cell, maybe a language; "" where it says nothing.
        strings: the JSON strings that its text is cut into, each as it is written with its quotes, and the character of
            the notebook that it begins with.
    """

    kernel: str
    runner: str
    strings: list[tuple[str, int]]


def outliner(source: str, skeleton_of: CellSkeleton | None = None) -> Outliner:
    """The cells of a notebook, Markdown at the same level as a Markdown file.

    Args:
        source: the JSON of the notebook, or the percent format.
        skeleton_of: makes the skeletons of code cells.

    Raises:
        NotThisFormatError: it is neither.
    """
    cells = _percent_cells(source) if _PERCENT(source.partition("\n")[0]) else _json_cells(source)
    return partial(_outline_lines, cells, skeleton_of)


def _percent_cells(source: str) -> list[_Cell]:
    cells: list[_Cell] = []
    language = ""
    for number, text in enumerate(source.split("\n"), 1):
        if opening := _PERCENT(text):
            language = opening["language"] or language
            cells.append(_Cell(bool(opening["markdown"]), language, []))
        else:
            cells[-1].lines.append(Line(number, text))
    return cells


def code_cells(source: str) -> list[CodeCell]:
    """The code cells of the JSON of a notebook; none of what is written otherwise."""
    try:
        kernel, cells = _nodes(source)
    except NotThisFormatError:
        return []
    found: list[CodeCell] = []
    for cell in cells:
        if _string(_child(cell, "cell_type")) == "code":
            text = _source_node(cell)
            pieces = [piece for _, piece in text.children] if text.kind is Kind.SEQUENCE else [text]
            strings = [(piece.text, piece.start) for piece in pieces if piece.text.startswith('"')]
            runner = _RUNNER(_string(pieces[0])) if pieces else None
            found.append(CodeCell(kernel, runner[1] if runner else "", strings))
    return found


def _json_cells(source: str) -> list[_Cell]:
    kernel, cells = _nodes(source)
    return [_Cell(_string(_child(cell, "cell_type")) != "code", kernel, _source(_source_node(cell))) for cell in cells]


def _nodes(source: str) -> tuple[str, list[Node]]:
    """The name of the kernel's language, and the cells.

    Raises:
        NotThisFormatError: there are no cells.
    """
    reading = read_value(source, JSON_TOKENS, 0, 1, most=_UNLIMITED)
    notebook = reading.node if reading else Node(Kind.ABSENT, 1)
    sheets = _child(notebook, "worksheets")  # the third version of the format
    cells = _child(sheets.children[0][1] if sheets.children else notebook, "cells")
    if cells.kind is not Kind.SEQUENCE:
        raise NotThisFormatError("no cells")
    metadata = _child(notebook, "metadata")
    language = _string(_child(_child(metadata, "kernelspec"), "language"))
    language = language or _string(_child(_child(metadata, "language_info"), "name")) or "python"
    return language, [cell for _, cell in cells.children]


def _source_node(cell: Node) -> Node:
    source = _child(cell, "source")
    return source if source.line else _child(cell, "input")


def _child(node: Node, key: str) -> Node:
    return next((child for name, child in node.children if name == f'"{key}"'), Node(Kind.ABSENT, 0))


def _string(node: Node) -> str:
    """Returns the text of a JSON string; "" for anything else."""
    if not node.text.startswith('"'):
        return ""
    try:
        return str(json.loads(node.text, strict=False))
    except ValueError:
        return ""


def _source(node: Node) -> list[Line]:
    """The lines of a cell, each with the line of the notebook that it stands on."""
    pieces = [child for _, child in node.children] if node.kind is Kind.SEQUENCE else [node]
    lines: list[Line] = []
    for piece in pieces:
        lines += [Line(piece.line, text) for text in _string(piece).removesuffix("\n").split("\n")]
    return lines


def _outline_lines(cells: list[_Cell], skeleton_of: CellSkeleton | None, level: CompressionLevel) -> list[Line]:
    lines: list[Line] = []
    language = ""
    shown = hidden = 0
    number = 1
    for cell in cells:
        text = "".join(line.text for line in cell.lines).strip()
        if shown == _MOST_CELLS[level] or _MARKER_LINE(text):
            number = cell.lines[0].number if cell.lines and not hidden else number
            hidden += marked_count(text) if _MARKER_LINE(text) else text != ""
            continue
        written = _markdown(cell, level) if cell.is_markdown else _code(cell, skeleton_of, level)
        if not written:
            continue
        shown += 1
        opening = "# %% [markdown]" if cell.is_markdown else "# %%"
        if not cell.is_markdown and cell.language != language:
            language = cell.language
            opening = f"# %% {language}"
        lines += [Line(written[0].number, opening), *written]
    if hidden:
        number = max(number, lines[-1].number if lines else 1)
        lines += [Line(number, "# %% [markdown]"), Line(number, marker(hidden, "more"))]
    return lines


def _markdown(cell: _Cell, level: CompressionLevel) -> list[Line]:
    text = "\n".join(line.text for line in cell.lines)
    if not text.strip():
        return []
    lines = markdown.outliner(text)(level)
    if level is CompressionLevel.SKELETON:
        lines = [line for line in lines if line.text.startswith("#")]
    return [Line(cell.lines[line.number - 1].number, line.text) for line in lines]


def _code(cell: _Cell, skeleton_of: CellSkeleton | None, level: CompressionLevel) -> list[Line]:
    if skeleton_of and (skeleton := skeleton_of("\n".join(line.text for line in cell.lines), cell.language, level)):
        return [Line(cell.lines[line.number - 1].number, line.text) for line in skeleton]
    lines = [line for line in cell.lines if line.text.strip()]
    hidden = 0
    if lines and lines[-1].text.startswith("… "):
        hidden = marked_count(lines.pop().text)
    shown = [Line(line.number, cut(line.text.rstrip(), _LINE_WIDTH)) for line in lines[: _FIRST_LINES[level]]]
    if hidden := hidden + len(lines) - len(shown):
        shown.append(Line(shown[-1].number if shown else cell.lines[0].number, marker(hidden, "lines")))
    return shown
