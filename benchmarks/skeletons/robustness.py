"""Cuts real files at random places and prints what our skeletons keep of what was whole before the cut.

    python -m benchmarks.skeletons.robustness --repos DIR [--files 500] [--seed 1] [--language …]

A cut file is broken from some point on. What stands outside the broken region is told without our engine: for Python,
what `ast` finds in the longest beginning of the cut file that is a program; for other languages, what the reference
parser finds in the cut file and whose own brackets are closed before the cut. Those definitions must all be kept.
Inside a container that the cut left open they are counted apart.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.skeletons import engine
from benchmarks.skeletons.compiler_reading import CompilerError
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, repository
from benchmarks.skeletons.ctags_reading import CtagsError, require_ctags
from benchmarks.skeletons.engine import LEVELS
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry, Parser
from benchmarks.skeletons.measure import family_of
from benchmarks.skeletons.placement import Text
from benchmarks.skeletons.presence import SkeletonText, judge
from benchmarks.skeletons.python_reading import parse, read_python
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.recall import arguments_parser, chosen
from benchmarks.skeletons.references import Reading, Reference
from benchmarks.skeletons.tables import share, table
from skeleton import CompressionLevel


@dataclass(slots=True, kw_only=True)
class Kept:
    """Counts of one language; the lists name what was lost."""

    files: int = 0
    raised: list[str] = field(default_factory=list[str])
    whole: int = 0
    kept: dict[CompressionLevel, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    inside: int = 0
    kept_inside: dict[CompressionLevel, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    fallen: dict[CompressionLevel, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    lost: list[str] = field(default_factory=list[str])


def cut(source: bytes, chance: random.Random) -> bytes:
    """A beginning of a file: at least a tenth of it, at most all but a byte; the cut may split a character."""
    return source[: chance.randint(max(1, len(source) // 10), max(1, len(source) - 1))]


def longest_program(source: bytes) -> bytes:
    """The longest beginning of whole lines that Python parses."""
    lines = source.splitlines(keepends=True)
    while lines:
        program = b"".join(lines)
        if not isinstance(parse(program), str):
            return program
        lines.pop()
    return b""


def closed_before_the_cut(reading: Reading, file: CorpusFile, entry: LanguageEntry) -> list[tuple[Reference, bool]]:
    """The definitions whose own extent the cut did not touch, each with whether its container is closed too."""
    text = Text(file.text, entry)
    open_marks = [
        offset for offset, mark in enumerate(text.code) if mark in "([{" and offset not in text.brackets.partner
    ]
    first_open = text.line_of(open_marks[0]) if open_marks else len(text.starts) + 1
    last_open = text.line_of(open_marks[-1]) if open_marks else len(text.starts) + 1
    cut_line = text.line_of(len(file.text))
    result: list[tuple[Reference, bool]] = []
    for one in reading.references:
        if not one.required or one.unclosed:
            continue
        end = max(one.body[1] if one.body else one.last, one.line)
        if end >= cut_line or (entry.braces and _is_open(one, open_marks, text)):
            continue
        if not entry.braces and not one.body:
            continue  # without brackets only the parser's own word for the end is taken
        if one.line > last_open and not one.body and end + 1 >= cut_line:
            continue
        result.append((one, end < first_open))
    return result


def _is_open(one: Reference, open_marks: Sequence[int], text: Text) -> bool:
    """A bracket that the cut left open starts on a line of the definition."""
    return any(one.first <= text.line_of(mark) <= max(one.last, one.line) for mark in open_marks)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_parser()
    parser.description = (__doc__ or "").splitlines()[0]
    parser.add_argument("--files", type=int, default=500, help="how many files to cut, evenly over the languages")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of files and places")
    parser.add_argument("--lost", type=Path, help="file that lists what was lost and what raised")
    options = parser.parse_args(arguments)
    try:
        require_ctags(options.ctags)
        results = run(options)
    except (CorpusError, CtagsError, CompilerError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    rows: list[list[object]] = []
    for name, kept in results.items():
        rows.append(
            [name, kept.files, len(kept.raised), kept.whole, *(share(kept.kept[level], kept.whole) for level in LEVELS),
             kept.inside, *(share(kept.kept_inside[level], kept.inside) for level in LEVELS),
             *(kept.fallen[level] for level in LEVELS)]
        )  # fmt: skip
    print(
        table(
            ["language", "files", "raised", "closed definitions", "kept at L1", "kept at L2", "in an open container",
             "kept at L1 ", "kept at L2 ", "L1 fell back", "L2 fell back"],
            rows,
        )
    )  # fmt: skip
    if options.lost:
        lines = [line for kept in results.values() for line in (*kept.raised, *kept.lost)]
        options.lost.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def run(options: argparse.Namespace) -> dict[str, Kept]:
    """Cuts and measures what the options ask for; counts by language."""
    chance = random.Random(options.seed)
    pools: dict[str, list[CorpusFile]] = defaultdict(list)
    for entry, repositories in chosen(options):
        for name in repositories:
            for file in files_of(repository(options.repos, name), entry, most=options.most or 200):
                if family_of(file, entry) is entry and engine.language_for(file.path, file.source):
                    pools[entry.name].append(file)
    results: dict[str, Kept] = {}
    remaining = options.files
    for number, (name, pool) in enumerate(pools.items()):
        wanted = remaining // (len(pools) - number)
        files = sorted(chance.sample(pool, min(wanted, len(pool))), key=lambda file: file.path)
        remaining -= len(files)
        results[name] = measure_cut([(file, cut(file.source, chance)) for file in files], LANGUAGES[name], options)
    return results


def measure_cut(files: Sequence[tuple[CorpusFile, bytes]], entry: LanguageEntry, options: argparse.Namespace) -> Kept:
    """Returns the counts of what both levels keep of these cut files."""
    kept = Kept(files=len(files))
    tools = Tools(ctags=options.ctags, typescript=options.typescript)
    with tempfile.TemporaryDirectory() as folder:
        pieces: list[CorpusFile] = []
        for number, (file, source) in enumerate(files):
            place = Path(folder) / f"{number}{file.absolute.suffix}"
            readable = longest_program(source) if entry.parser is Parser.AST else source
            place.write_bytes(readable)
            pieces.append(CorpusFile(absolute=place, path=file.path, source=readable))
        if entry.parser is Parser.AST:
            readings = [read_python(piece.source) for piece in pieces]
        else:
            readings = read_references(pieces, entry, tools, broken=True)
        for (file, source), piece, reading in zip(files, pieces, readings, strict=True):
            _measure_one(file, source, piece, reading, entry, kept)
    return kept


def _measure_one(
    file: CorpusFile, source: bytes, piece: CorpusFile, reading: Reading, entry: LanguageEntry, kept: Kept
) -> None:
    language = engine.language_for(file.path, source) or engine.language_for(file.path, file.source)
    if language is None:
        return
    try:
        skeletons = engine.both_levels(source, language)
    except Exception as error:  # noqa: BLE001 - whatever it raises is the finding
        kept.raised.append(f"{file.path}, cut at byte {len(source)}: {type(error).__name__}: {error}")
        return
    if entry.parser is Parser.AST:
        wanted = [(one, True) for one in reading.references if one.required]
    else:
        wanted = closed_before_the_cut(reading, piece, entry)
    kept.whole += sum(closed for _, closed in wanted)
    kept.inside += sum(not closed for _, closed in wanted)
    text = source.decode("utf-8", "replace")
    for level in LEVELS:
        given = skeletons.at(level)
        kept.fallen[level] += given.level is not level
        skeleton = SkeletonText(given.text, given.line_numbers, entry.lexicon)
        verdicts = judge([one for one, _ in wanted], text, skeleton, entry.lexicon)
        for (one, closed), verdict in zip(wanted, verdicts, strict=True):
            if closed:
                kept.kept[level] += not verdict.reason
            else:
                kept.kept_inside[level] += not verdict.reason
            if verdict.reason:
                where = "closed" if closed else "in an open container"
                kept.lost.append(
                    f"{level} {file.path}:{one.line} ({where}; cut at byte {len(source)}): {one.kind} {one.path}"
                )


if __name__ == "__main__":
    sys.exit(main())
