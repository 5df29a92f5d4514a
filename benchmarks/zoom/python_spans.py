"""Python's own `ast` as the reference for the spans of functions, classes, and the named values of modules and classes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.skeletons.python_reading import definitions, parse
from benchmarks.zoom.spans import Lines, Span

_COMMENT_LINE = re.compile(r"([ \t]*)#")


def python_spans(source: str) -> list[Span] | str:
    """Every definition of a file by position, or why it has none."""
    tree = parse(source)
    if isinstance(tree, str):
        return tree
    lines = Lines(source, "python", "python")
    found: list[Span] = []
    for node, container, _ in definitions(tree):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        end = _with_comments(lines, node.end_lineno or node.lineno, node.col_offset) or _offset(lines, node)
        found.append(lines.span(lines.starts[first - 1], end, node.name, container, type(node).__name__))
        if isinstance(node, ast.ClassDef) and not _is_local(node, tree):
            found += _values(lines, node, (*container, node.name))
    return sorted([*found, *_values(lines, tree, ())], key=lambda one: one.first)


def _is_local(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Tells whether a class stands in a function: its fields are that function's business."""
    functions = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    return any(one.lineno < node.lineno <= (one.end_lineno or 0) for one in functions)


def _offset(lines: Lines, node: ast.stmt) -> int:
    """Returns the end of a node: `ast` counts columns in bytes."""
    last = node.end_lineno or node.lineno
    column = len(lines.line(last).encode()[: node.end_col_offset].decode("utf-8", "replace"))
    return lines.starts[last - 1] + column


def _with_comments(lines: Lines, last: int, column: int) -> int:
    """Past the comment lines below a body that are indented as it is; 0 where there are none."""
    end = 0
    for number in range(last + 1, len(lines.starts) + 1):
        line = lines.line(number)
        comment = _COMMENT_LINE.match(line)
        if comment and len(comment[1]) > column:
            end = lines.starts[number - 1] + len(line.rstrip())
        elif line.strip():
            break
    return end


def _values(lines: Lines, scope: ast.Module | ast.ClassDef, container: tuple[str, ...]) -> Iterator[Span]:
    for node in scope.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        start = lines.starts[node.lineno - 1] + node.col_offset
        for target in targets:
            if isinstance(target, ast.Name):
                yield lines.span(start, _offset(lines, node), target.id, container, type(node).__name__)
