"""The callees of a Python function, read with Python's own `ast` and nothing of this project.

A call is resolved where the source alone decides it: a name that the module defines or imports from a module of the same
repository (through names that packages hand on), a method of `self` or `cls` by the classes and bases that define it, a
name of an imported module. What needs types is left out.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = ast.Module | ast.ClassDef
MOST_HANDED_ON = 8
"""Modules that may hand a name on."""


class Called(NamedTuple):
    """A definition of a file: its path, the line, and how that line begins."""

    path: str
    line: int
    text: str


class PythonCalls:
    """The calls of one repository.

    Args:
        folder: its work tree.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = cache(self._tree)
        self._imports = cache(self._read_imports)

    def _tree(self, path: str) -> ast.Module:
        """The syntax tree of a file."""
        return ast.parse((self.folder / path).read_text(encoding="utf-8"))

    def span(self, path: str, name: str) -> tuple[int, int]:
        """The first and the last line of a definition, its decorators included; of homonyms the last one's."""
        _, one = self._named(path, name.split("."))
        first = min([one.lineno, *(each.lineno for each in one.decorator_list)])
        return first, one.end_lineno or one.lineno

    def callees(self, path: str, name: str) -> list[Called]:
        """Returns the callees of a function of a file, in the order of the source."""
        around, one = self._named(path, name.split("."))
        found: dict[Called, None] = {}
        for call in ast.walk(one):
            if isinstance(call, ast.Call) and (called := self._called(path, around, one, call.func)) is not None:
                found[called] = None
        return [called for called in found if called.line != one.lineno or called.path != path]

    def _named(self, path: str, parts: list[str]) -> tuple[ast.ClassDef | None, _Function | ast.ClassDef]:
        scope: _Scope = self.tree(path)
        around: ast.ClassDef | None = None
        for part in parts:
            one = _defined(scope, part)
            if one is None:
                raise LookupError(f"{path} does not define {'.'.join(parts)}")
            if part == parts[-1]:
                return around, one
            assert isinstance(one, ast.ClassDef)
            scope = around = one
        raise LookupError(path)

    def _called(
        self, path: str, around: ast.ClassDef | None, one: _Function | ast.ClassDef, func: ast.expr
    ) -> Called | None:
        if isinstance(func, ast.Name):
            return None if func.id in _locals(one) else self._name(path, func.id)
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            if func.value.id in ("self", "cls") and around is not None:
                return self._method(path, around, func.attr, frozenset())
            module = self._imports(path).get(func.value.id)
            if module is not None and not module[1]:
                return self._name(module[0], func.attr)
        return None

    def _name(self, path: str, name: str, depth: int = 0) -> Called | None:
        one = _defined(self.tree(path), name)
        if one is not None:
            return _called(path, one)
        imported = self._imports(path).get(name)
        if imported is None or not imported[1] or depth == MOST_HANDED_ON:
            return None
        return self._name(imported[0], imported[1], depth + 1)

    def _class(self, path: str, name: str, depth: int = 0) -> tuple[str, ast.ClassDef] | None:
        one = _defined(self.tree(path), name)
        if isinstance(one, ast.ClassDef):
            return path, one
        imported = self._imports(path).get(name)
        if imported is None or not imported[1] or depth == MOST_HANDED_ON:
            return None
        return self._class(imported[0], imported[1], depth + 1)

    def _method(self, path: str, around: ast.ClassDef, name: str, seen: frozenset[str]) -> Called | None:
        one = _defined(around, name)
        if one is not None:
            return _called(path, one)
        for base in around.bases:
            bare = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(bare, ast.Name) and bare.id not in seen:
                found = self._class(path, bare.id)
                inherited = self._method(*found, name, seen | {bare.id}) if found is not None else None
                if inherited is not None:
                    return inherited
        return None

    def _read_imports(self, path: str) -> dict[str, tuple[str, str]]:
        """The names that a module imports from this repository: of each the file, and the name there or "" for all of it."""
        found: dict[str, tuple[str, str]] = {}
        for statement in ast.walk(self.tree(path)):
            if isinstance(statement, ast.ImportFrom):
                module = self._file(path, statement.module or "", statement.level)
                for alias in statement.names:
                    inner = self._file(path, f"{statement.module or ''}.{alias.name}".strip("."), statement.level)
                    name = alias.asname or alias.name
                    if inner is not None:
                        found[name] = (inner, "")
                    elif module is not None:
                        found[name] = (module, alias.name)
            elif isinstance(statement, ast.Import):
                for alias in statement.names:
                    module = self._file(path, alias.name, 0)
                    if module is not None and alias.asname:
                        found[alias.asname] = (module, "")
        return found

    def _file(self, path: str, module: str, level: int) -> str | None:
        parts = [part for part in module.split(".") if part]
        roots = [Path(path).parents[level - 1]] if level else [Path(), Path("src")]
        for root in roots:
            place = root.joinpath(*parts)
            for one in (place.with_suffix(".py"), place / "__init__.py"):
                if parts and (self.folder / one).is_file():
                    return one.as_posix()
            if not parts and (self.folder / root / "__init__.py").is_file():
                return (root / "__init__.py").as_posix()
        return None


def _defined(scope: _Scope, name: str) -> _Function | ast.ClassDef | None:
    """Returns the definition of a name in a scope, under conditions too; of overloads and redefinitions the last."""
    found: _Function | ast.ClassDef | None = None
    left: list[ast.stmt] = [*scope.body]
    while left:
        one = left.pop(0)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found = one if one.name == name else found
        elif isinstance(one, ast.If | ast.Try):
            left += [*one.body, *one.orelse]
    return found


def _locals(one: _Function | ast.ClassDef) -> set[str]:
    """The names that a function binds itself, its arguments among them."""
    return (
        {each.arg for each in ast.walk(one) if isinstance(each, ast.arg)}
        | {each.id for each in ast.walk(one) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        | {
            each.name
            for each in ast.walk(one)
            if each is not one and isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        }
    )


def _called(path: str, one: _Function | ast.ClassDef) -> Called:
    word = {ast.FunctionDef: "def", ast.AsyncFunctionDef: "async def", ast.ClassDef: "class"}[type(one)]
    return Called(path, one.lineno, f"{word} {one.name}")
