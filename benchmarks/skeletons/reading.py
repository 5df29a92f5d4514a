"""One call for all reference parsers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.skeletons.compiler_reading import read_with_compiler
from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.ctags_reading import run_ctags, tags_of
from benchmarks.skeletons.keyword_reading import read_keywords
from benchmarks.skeletons.languages import LanguageEntry, Parser
from benchmarks.skeletons.placement import place
from benchmarks.skeletons.python_reading import read_python
from benchmarks.skeletons.references import Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The places of the reference parsers.

    Attributes:
        ctags: the command of Universal Ctags.
        typescript: the folder of the npm package `typescript`.
    """

    ctags: str = "ctags"
    typescript: Path = Path("node_modules/typescript")


def read_references(
    files: Sequence[CorpusFile], entry: LanguageEntry, tools: Tools, *, broken: bool = False
) -> list[Reading]:
    """Returns the readings of the language's reference parser, file by file.

    Args:
        files: files of one language; they must lie where `absolute` says, with `source` in them.
        entry: the language.
        tools: the parsers' places.
        broken: the files may have syntax errors: take what is found before them, too.
    """
    if not files:
        return []
    match entry.parser:
        case Parser.AST:
            return [read_python(file.source) for file in files]
        case Parser.COMPILER:
            return read_with_compiler(
                [(file.path, file.text) for file in files], entry, tools.typescript, broken=broken
            )
        case Parser.KEYWORDS:
            return [Reading(references=place(read_keywords(file.text, entry), file.text, entry)) for file in files]
        case Parser.CTAGS:
            tags = tags_of(run_ctags([file.absolute for file in files], entry, tools.ctags), entry)
            return [Reading(references=place(tags.get(str(file.absolute), []), file.text, entry)) for file in files]
