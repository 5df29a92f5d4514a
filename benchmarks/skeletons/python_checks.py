"""Checks of a Python skeleton with `ast` alone: signatures, bodies, docstrings.

The skeleton is parsed as a program of its own and compared with the source's tree, definition by definition (the k-th
of a qualified name with the k-th): neither the outline nor the line numbers of the engine are consulted.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.skeletons.python_reading import Definition, definitions, parse

Path = tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class PythonFaults:
    """The faults of one skeleton, as sentences that start with the line of the source; empty lists are good.

    Attributes:
        parses: the skeleton is a Python program.
        compared: how many definitions both trees have.
        missing: definitions of the source that the skeleton's tree has not.
        invented: definitions of the skeleton that the source has not.
        order: the definitions that both have come in another order.
        signatures: decorators, arguments, defaults, annotations, bases or type parameters differ.
        bodies: a function's body holds a statement besides its docstring and `...`.
        docstrings: a docstring that is no beginning of the docstring of its definition in the source.
    """

    parses: bool = True
    compared: int = 0
    missing: list[str] = field(default_factory=list[str])
    invented: list[str] = field(default_factory=list[str])
    order: list[str] = field(default_factory=list[str])
    signatures: list[str] = field(default_factory=list[str])
    bodies: list[str] = field(default_factory=list[str])
    docstrings: list[str] = field(default_factory=list[str])


def compare(source: ast.Module, skeleton_text: str, *, summaries: bool) -> PythonFaults:
    """Returns the definitions that a Python skeleton lacks, adds or changes.

    Args:
        source: the tree of the source.
        skeleton_text: the skeleton.
        summaries: docstrings are expected (L1); without, any docstring is a fault.
    """
    tree = parse(skeleton_text)
    if isinstance(tree, str):
        return PythonFaults(parses=False)
    faults = PythonFaults()
    wanted, shown = _by_path(source), _by_path(tree)
    pairs: list[tuple[Path, Definition, Definition]] = []
    for path, nodes in wanted.items():
        others = shown.get(path, [])
        faults.missing += [_told(node, path) for node in nodes[len(others) :]]
        faults.invented += [_told(node, path) for node in others[len(nodes) :]]
        pairs += [(path, node, other) for node, other in zip(nodes, others, strict=False)]
    faults.invented += [_told(node, path) for path, nodes in shown.items() if path not in wanted for node in nodes]
    pairs.sort(key=lambda pair: pair[1].lineno)
    faults.compared = len(pairs)
    for before, after in itertools.pairwise(pairs):
        if before[2].lineno > after[2].lineno:
            faults.order.append(_told(after[1], after[0]))
    for path, node, other in pairs:
        if differences := [part for part in _parts(node) if _parts(node)[part] != _parts(other).get(part)]:
            faults.signatures.append(f"{_told(node, path)}: {', '.join(differences)} differ")
        if not isinstance(node, ast.ClassDef) and (statement := _leak(node.body, other.body)):
            faults.bodies.append(f"{_told(node, path)}: shows `{statement}`")
        if fault := _docstring_fault(node, other, summaries=summaries):
            faults.docstrings.append(f"{_told(node, path)}: {fault}")
    return faults


def _by_path(tree: ast.Module) -> dict[Path, list[Definition]]:
    found: dict[Path, list[Definition]] = defaultdict(list)
    for node, container, exemption in definitions(tree):
        if not exemption:
            found[(*container, node.name)].append(node)
    return found


def _told(node: Definition, path: Path) -> str:
    return f"{node.lineno} {'.'.join(path)}"


def _parts(node: Definition) -> dict[str, str]:
    """The pieces of a signature, dumped; a default, annotation or decorator that differs shows in its piece."""
    pieces: dict[str, ast.AST | Sequence[ast.AST] | None] = {
        "decorators": node.decorator_list,
        "type parameters": getattr(node, "type_params", []),
    }
    if isinstance(node, ast.ClassDef):
        pieces |= {"bases": node.bases, "keywords": node.keywords}
    else:
        pieces |= {"arguments": node.args, "returns": node.returns}
    dumped = {name: _dump(piece) for name, piece in pieces.items()}
    return {**dumped, "kind": type(node).__name__}


def _dump(piece: ast.AST | Sequence[ast.AST] | None) -> str:
    if piece is None:
        return ""
    if isinstance(piece, ast.AST):
        return ast.dump(piece)
    return "; ".join(map(ast.dump, piece))


def _leak(source: list[ast.stmt], shown: list[ast.stmt]) -> str:
    """The first statement of a shown body that is neither a docstring nor `...`; a body of `pass` may stay so."""
    for number, statement in enumerate(shown):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            value = statement.value.value
            if value is ... or (isinstance(value, str) and number == 0):
                continue
        if isinstance(statement, ast.Pass) and len(shown) == len(source) <= 2 and isinstance(source[-1], ast.Pass):
            continue
        return ast.unparse(statement).splitlines()[0]
    return ""


def _docstring_fault(node: Definition, other: Definition, *, summaries: bool) -> str:
    shown = ast.get_docstring(other, clean=False)
    if shown is None:
        return ""
    if not summaries:
        return "has a docstring at a level without docs"
    source = ast.get_docstring(node, clean=False)
    if source is None:
        return "has a docstring that its source has not"
    beginning, whole = _plain(shown).removesuffix("…"), _plain(source)
    return "" if whole.startswith(beginning) else f"docstring {beginning[:60]!r} is no beginning of its own"


def _plain(docstring: str) -> str:
    return re.sub(r"\s+", " ", inspect.cleandoc(docstring)).strip()
