"""Prints what libclang finds in C and C++ files; run by a Python that has the package `libclang`.

    python libclang_dump.py LANGUAGE ROOT PATH

One line of JSON: the definitions of the file (kind, name, line) and how many errors the compiler saw. Headers are looked
for in every folder of the root that holds one; what is found nowhere is an error, after which the compiler goes on.
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
_OPTIONS = {
    "cpp": ["-xc++", "-std=c++20"],
    "c": ["-xc", "-std=gnu11", "-include", "stdbool.h"],  # configured headers, which only a build makes, include it
}


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
    """Returns the folders in which the machine's own compiler looks for headers: libclang comes without any."""
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
    language, root, path = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    folders = sorted({str(one.parent) for one in root.rglob("*") if one.suffix in _HEADERS})
    parents = sorted({str(Path(one).parent) for one in folders})
    # behind those of the system: a `stdint.h` that a project keeps for another compiler is not meant
    include = [f"-I{root}", *(option for folder in (*folders, *parents) for option in ("-idirafter", folder))]
    options = _OPTIONS[language]
    unit = cindex.Index.create().parse(
        path,
        [*options, "-ferror-limit=0", "-w", *include, *_of_system(options[0][2:])],
        options=_SKIP_BODIES | _KEEP_GOING,
    )
    found: list[tuple[str, str, int]] = []
    _found(unit.cursor, path, found)
    errors = sum(one.severity >= 3 for one in unit.diagnostics)
    print(json.dumps({"definitions": found, "errors": errors}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
