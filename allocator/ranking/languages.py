"""The languages that a question names, `the Go code`, `in C#`: where several are spoken, files of those are meant.

A language is named where it says in what something is written. In `compile a template to Python` it says what comes out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.ranking.arrays import Floats

LONGEST: Final = 600
"""Characters of a text in which languages are looked for: its beginning."""

_ENDINGS: Final = {
    "C": (".c", ".h"),
    "C#": (".cs", ".csx", ".razor", ".cshtml"),
    "C++": (".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".ipp"),
    "CUDA": (".cu", ".cuh"),
    "Clojure": (".clj", ".cljc", ".cljs"),
    "Dart": (".dart",),
    "Elixir": (".ex", ".exs"),
    "Erlang": (".erl", ".hrl"),
    "F#": (".fs", ".fsi", ".fsx"),
    "GDScript": (".gd",),
    "Go": (".go",),
    "Golang": (".go",),
    "Groovy": (".groovy", ".gradle", ".nf"),
    "Haskell": (".hs",),
    "Java": (".java",),
    "JavaScript": (".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
    "JS": (".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"),
    "Julia": (".jl",),
    "Kotlin": (".kt", ".kts"),
    "Lua": (".lua",),
    "Objective-C": (".m", ".mm", ".h"),
    "Nextflow": (".nf",),
    "Nix": (".nix",),
    "OCaml": (".ml", ".mli"),
    "PHP": (".php",),
    "Perl": (".pl", ".pm"),
    "PowerShell": (".ps1", ".psm1"),
    "Python": (".py", ".pyi", ".pyx"),
    "R": (".R", ".r"),
    "Ruby": (".rb",),
    "Rust": (".rs",),
    "Scala": (".scala", ".sc"),
    "Swift": (".swift",),
    "TypeScript": (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"),
    "TS": (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte"),
    "Zig": (".zig",),
}
"""The endings of the files of a language, by what it is called, as it is written: `go` is a verb."""

_NAME: Final = "|".join(sorted(map(re.escape, _ENDINGS), key=len, reverse=True))
_SAYING: Final = re.compile(
    rf"\b(?i:in|with|using|by) (?:the )?({_NAME})(?=[ \t]{{0,9}}(?:[?!,;:)]|\.(?!\w)|\n|\Z))"
    rf"|\b(?i:the|our|this|its|in|all|of|which|what) ({_NAME}) (?:api|app|application|back ?end|bindings?|client|code|files?|front ?end"
    r"|implementation|library|module|modules|package|packages|part|port|project|sdk|server|side|sources?|version)\b"
)


def languages_in(text: str) -> list[str]:
    """The languages that a text says something to be written in, each once."""
    return [*dict.fromkeys(found[1] or found[2] for found in _SAYING.finditer(text[:LONGEST]))]


def written_in(paths: Sequence[str], languages: Sequence[str]) -> Floats:
    """Returns 1 for each file that is written in one of some languages, by its name; else 0.

    Args:
        paths: of the files.
        languages: as `languages_in` gives them.
    """
    endings = tuple(ending for language in languages for ending in _ENDINGS[language])
    return np.array([path.endswith(endings) for path in paths], dtype=np.float64) if endings else np.zeros(len(paths))
