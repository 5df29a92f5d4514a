"""A language's own parser (`benchmarks.skeletons.parser_reading`) as the reference for the spans of definitions."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.parser_reading import Parsed, read_with_parser
from benchmarks.skeletons.references import Role
from benchmarks.zoom.spans import Lines, Span


def parser_spans(files: Sequence[CorpusFile], entry: LanguageEntry, command: str) -> list[list[Span] | str]:
    """The functions and types of each file by position, or why there is none.

    Args:
        files: the files.
        entry: their language.
        command: what runs the parser.

    Raises:
        ParserError: the parser does not run.
    """
    return [
        "not read" if found is None else _spans(file, found, entry)
        for file, found in zip(files, read_with_parser(command, files), strict=True)
    ]


def _spans(file: CorpusFile, found: Sequence[Parsed], entry: LanguageEntry) -> list[Span]:
    lines = Lines(file.text, entry.name, entry.lexicon)
    spans: list[Span] = []
    for one in found:
        if one.role not in (Role.FUNCTION, Role.TYPE):
            continue
        start, end = (len(file.source[:at].decode("utf-8", "replace")) for at in (one.start, one.end))
        spans.append(lines.span(lines.with_docs(start), end, one.name, one.container, one.kind))
    return spans
