"""The floor: what no run can do without that reads, parses with its bare grammar and counts every text file once.

    python -m benchmarks.speed.floor FOLDER

`benchmarks.speed.packs` runs it in a process that has everything loaded, and as a process of its own, with nothing
loaded: what that takes more is what any command pays before it has done anything.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import cast

import tree_sitter
from tree_sitter_language_pack import SupportedLanguage, get_language

from skeleton.languages.headers import language_name_of, resolved, text_of
from workspace.files.reading import read_file
from workspace.files.scan import scan
from workspace.model import Problem
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING, encoding_of


def floor(folder: Path) -> tuple[int, int]:
    """Reads, parses and counts every file once; returns files and bytes."""
    count = encoding_of(DEFAULT_ENCODING).encode_ordinary
    roots = Roots([folder])
    files = size = 0
    for file in scan(folder, roots=roots).files:
        read = read_file(file, roots=roots)
        if isinstance(read, Problem):
            continue
        if (name := language_name_of(file.path, read.source)) is not None:
            _parser(name).parse(read.source)
        count(read.source.decode("utf-8", "replace"))
        files += 1
        size += len(read.source)
    return files, size


@cache
def _parser(name: str) -> tree_sitter.Parser:
    """A parser of the bare grammar of a language: no patterns are loaded for it."""
    header, _ = resolved(name, text_of(name))
    return tree_sitter.Parser(get_language(cast("SupportedLanguage", header["grammar"])))


if __name__ == "__main__":
    floor(Path(sys.argv[1]))
