"""Prints what libclang finds in C and C++ files; run by a Python that has the package `libclang`.

    python libclang_dump.py ROOT < paths

One line of JSON for each file: its path, its definitions (kind, name, line) and how many errors the compiler saw. Headers
are looked for in every folder of the root that holds one; what is found nowhere is an error, after which the compiler
goes on.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_SKIP_BODIES, _KEEP_GOING = 0x40, 0x200
_FUNCTIONS = frozenset(
    ["FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "FUNCTION_TEMPLATE", "CONVERSION_FUNCTION"]
)
_TYPES = frozenset(["STRUCT_DECL", "UNION_DECL", "ENUM_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "NAMESPACE"])
_ALIASES = frozenset(["TYPEDEF_DECL", "TYPE_ALIAS_DECL"])
_HEADERS = frozenset([".h", ".hh", ".hpp", ".hxx"])
_CPP = frozenset([".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"])


def _found(cursor: Any, path: str, into: list[tuple[str, str, int]]) -> None:
    for child in cursor.get_children():
        place = child.location
        if place.file is None or place.file.name != path:
            continue
        kind = child.kind.name
        name = child.spelling.partition("<")[0] if kind == "CONSTRUCTOR" else child.spelling
        is_type = kind in _TYPES and (kind == "NAMESPACE" or child.is_definition())
        if name and "(" not in name and (kind in _FUNCTIONS or is_type or kind in _ALIASES):
            into.append((kind, name, place.line))
        if kind in _TYPES or kind in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):
            _found(child, path, into)


def _of_system(language: str) -> list[str]:
    """Where the machine's own compiler looks for headers: libclang comes without any."""
    command = ["c++", "-E", "-v", f"-x{language}", "/dev/null"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    except (OSError, subprocess.CalledProcessError):
        return []
    folders = (
        told.partition("search starts here:\n#include <...> search starts here:\n")[2] or told.partition("<...>")[2]
    )
    return [f"-isystem{line.strip()}" for line in folders.splitlines() if line.startswith(" /")]


def main() -> int:
    cindex = importlib.import_module("clang.cindex")
    root = Path(sys.argv[1])
    folders = sorted({str(one.parent) for one in root.rglob("*") if one.suffix in _HEADERS})
    parents = sorted({str(Path(one).parent) for one in folders})
    include = [f"-I{folder}" for folder in (str(root), *folders, *parents)]
    is_cpp = any(one.suffix in _CPP for one in root.rglob("*"))
    system = {language: _of_system(language) for language in ("c", "c++")}
    index = cindex.Index.create()
    for line in sys.stdin:
        path = line.rstrip("\n")
        as_cpp = Path(path).suffix in _CPP or (is_cpp and Path(path).suffix == ".h")
        language = ["-xc++", "-std=c++20"] if as_cpp else ["-xc", "-std=gnu11"]
        unit = index.parse(
            path,
            [*language, "-ferror-limit=0", "-w", *include, *system[language[0][2:]]],
            options=_SKIP_BODIES | _KEEP_GOING,
        )
        found: list[tuple[str, str, int]] = []
        _found(unit.cursor, path, found)
        errors = sum(one.severity >= 3 for one in unit.diagnostics)
        print(json.dumps({"path": path, "definitions": found, "errors": errors}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
