"""Python's own `ast` as the reference for Python."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from benchmarks.skeletons.exemptions import LOCAL, MAIN
from benchmarks.skeletons.lexing import blank
from benchmarks.skeletons.references import Reading, Reference, Role

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def parse(source: bytes | str) -> ast.Module | str:
    """The tree of a file, or why it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a stray escape in somebody's string is not this benchmark's business
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError) as error:
            return str(error)


def definitions(
    tree: ast.AST, container: tuple[str, ...] = (), exemption: str = ""
) -> Iterator[tuple[Definition, tuple[str, ...], str]]:
    """Every function and class with its container and its exemption; in the order of the file."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node, container, exemption
            inside = exemption or ("" if isinstance(node, ast.ClassDef) else LOCAL)
            yield from definitions(node, (*container, node.name), inside)
        else:
            yield from definitions(node, container, exemption or (MAIN if _is_main(node) else ""))


def _is_main(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)


def read_python(source: bytes) -> Reading:
    """Returns the definitions that `ast` finds in a file."""
    tree = parse(source)
    if isinstance(tree, str):
        return Reading(unreadable=tree)
    text = source.decode("utf-8", "replace")
    lines = text.splitlines()
    found = [_definition(node, container, lines, exemption) for node, container, exemption in definitions(tree)]
    found += _values(tree, (), Role.CONSTANT)
    found += [
        value
        for node, container, exemption in definitions(tree)
        if isinstance(node, ast.ClassDef) and not exemption
        for value in _values(node, (*container, node.name), Role.MEMBER)
    ]
    return Reading(references=tuple(sorted(found, key=lambda one: one.line)))


def _definition(node: Definition, container: tuple[str, ...], lines: list[str], exemption: str) -> Reference:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    opening = node.body[0]
    last = opening.lineno
    if isinstance(opening, Function | ast.ClassDef) and opening.decorator_list:
        last = opening.decorator_list[0].lineno
    signature = [*lines[first - 1 : last - 1], lines[last - 1][: _column(lines[last - 1], opening.col_offset)]]
    text = blank("\n".join(signature), "python", keep_strings=True).rstrip()
    text = text[: text.rfind(":")]
    return Reference(
        name=node.name,
        kind=type(node).__name__,
        role=Role.TYPE if isinstance(node, ast.ClassDef) else Role.FUNCTION,
        line=_name_line(node, lines),
        container=container,
        exemption=exemption,
        signature=text,
        first=first,
        last=first + text.count("\n"),
        body=(node.lineno, (node.end_lineno or node.lineno) + 1) if isinstance(node, ast.ClassDef) else None,
    )


def _column(line: str, column: int) -> int:
    return len(line.encode()[:column].decode("utf-8", "replace"))


def _name_line(node: Definition, lines: list[str]) -> int:
    return next(
        (number for number in range(node.lineno, len(lines) + 1) if node.name in lines[number - 1]), node.lineno
    )


def _values(scope: ast.Module | ast.ClassDef, container: tuple[str, ...], role: Role) -> list[Reference]:
    names: list[tuple[str, int]] = []
    for node in scope.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names += [(target.id, target.lineno) for target in targets if isinstance(target, ast.Name)]
    return [
        Reference(name=name, kind="Assign", role=role, line=line, container=container, first=line, last=line)
        for name, line in names
    ]
