"""Prints what share of the definitions that libclang and Universal Ctags find in C and C++ stands in our skeletons.

    python -m benchmarks.skeletons.libclang DIR… --clang PYTHON [--most N] [--keep FOLDER] [--misses] [--apart]

`PYTHON` is one that has the package `libclang` (`python -m venv V; V/bin/pip install libclang`). A compiler sees one
branch of every condition and what macros make; ctags sees all branches and none of that. Where they disagree the row
says how often, and `--apart` in which ways, with examples. libclang reads each file in a process of its own, which ends in two minutes at most: a file that takes
longer counts as not read. What it says is kept in the folder of `--keep` by the file and how it was asked, so that a
skeleton that was mended is compared again in seconds; headers that change meanwhile are not seen.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of
from benchmarks.skeletons.ctags_reading import CtagsError
from benchmarks.skeletons.engine import LEVELS, both_levels, language_for
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry
from benchmarks.skeletons.measure import family_of
from benchmarks.skeletons.presence import SkeletonText, judge
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.references import Reference, Role
from benchmarks.skeletons.tables import share, table

_DUMP = Path(__file__).with_name("libclang_dump.py")
_SECONDS: Final = 120
"""The seconds that libclang may read one file."""

_NEAR: Final = 3
_EXAMPLES: Final = 3

_CALL = re.compile(r"\s*([A-Z_][A-Z0-9_]*)\([^()]*\);?\s*")
_FUNCTIONS = re.compile("FUNCTION|METHOD|CONSTRUCTOR|DESTRUCTOR")


class Named(NamedTuple):
    """One definition that libclang finds."""

    kind: str
    name: str
    line: int


class Compiled(NamedTuple):
    """The findings of libclang in one file."""

    definitions: list[Named]
    errors: int


def compiled(python: str, folder: Path, language: str, file: CorpusFile, keep: Path | None) -> Compiled | None:
    """Returns the findings of libclang in a file; None where it does not come back, or not in time."""
    asked = b"\0".join((_DUMP.read_bytes(), language.encode(), file.path.encode(), file.source))
    kept = keep and keep / f"{hashlib.sha256(asked).hexdigest()}.json"
    if kept and kept.is_file():
        said = kept.read_text(encoding="utf-8")
    else:
        command = [python, str(_DUMP), language, str(folder), str(file.absolute)]
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_SECONDS).stdout
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            said = "null"
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(said, encoding="utf-8")
    record = json.loads(said)
    if record is None:
        return None
    return Compiled([Named(*one) for one in record["definitions"]], record["errors"])


def is_written(one: Named, lines: Sequence[str]) -> bool:
    """Tells whether a name stands on the line that it is said to stand on; what a macro makes does not.

    A name that a macro alone on its line is called with, `NO_COPY(Panel);`, is that of what the macro makes.
    """
    text = lines[one.line - 1] if one.line <= len(lines) else ""
    squeezed = one.name.replace(" ", "")
    if (call := _CALL.fullmatch(text)) is not None and call[1] != one.name:
        return False
    return squeezed in text.replace(" ", "") and (
        not one.name.isidentifier() or re.search(rf"\b{squeezed}\b", text) is not None
    )


class Row(NamedTuple):
    """One repository: its cells, its faults, and where the references disagree, by the way they do."""

    cells: Sequence[object]
    misses: list[str]
    apart: dict[tuple[str, str], list[str]]


def way_apart(name: str, line: int, others: set[tuple[str, int]], *, errors: bool) -> str:
    """Returns the way in which one reference does not have what the other finds.

    Args:
        name: its name.
        line: the line that it stands on.
        others: the names and lines of the other reference in the same file.
        errors: libclang met errors in the file.
    """
    lines = [at for other, at in others if other == name]
    if any(abs(at - line) <= _NEAR for at in lines):
        return f"the other finds it up to {_NEAR} lines away"
    if lines:
        return "the other finds the name, elsewhere in the file"
    return "the other does not find the name, in a file with errors" if errors else "the other does not find the name"


def measured(folder: Path, entry: LanguageEntry, options: argparse.Namespace) -> Row:
    """The row of one language in one repository."""
    files = [one for one in files_of(folder, entry, most=options.most) if family_of(one, entry).name == entry.name]
    tags = read_references(files, entry, Tools(ctags=options.ctags))
    total = made = erroneous = unread = both = by_compiler = by_tags = 0
    shown = dict.fromkeys(LEVELS, 0)
    misses: list[str] = []
    apart: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for file, reading in zip(files, tags, strict=True):
        language = language_for(file.path, file.source)
        known = compiled(options.clang, folder, entry.name, file, options.keep)
        if language is None or known is None:
            unread += known is None
            misses += [f"not read by libclang: {file.path}"] if known is None else []
            continue
        erroneous += known.errors > 0
        lines = file.text.split("\n")
        # `typedef union { … } U;` on one line is two definitions to libclang, and one word to a reader
        every = {(one.name.replace(" ", ""), one.line): one for one in known.definitions}
        named = sorted((one for one in every.values() if is_written(one, lines)), key=lambda one: one.line)
        made += len(every) - len(named)
        total += len(named)
        compiler = {(one.name.replace(" ", ""), one.line) for one in named}
        tagged = {(one.name.replace(" ", ""), one.line) for one in reading.references if one.required}
        both += len(compiler & tagged)
        by_compiler += len(compiler - tagged)
        by_tags += len(tagged - compiler)
        for who, own, other in (("libclang", compiler, tagged), ("ctags", tagged, compiler)):
            for name, line in sorted(own - other):
                way = way_apart(name, line, other, errors=known.errors > 0)
                apart[who, way].append(f"{file.path}:{line} {name}")
        references = [
            Reference(
                name=one.name,
                kind=one.kind,
                role=Role.FUNCTION if _FUNCTIONS.search(one.kind) else Role.TYPE,
                line=one.line,
            )
            for one in named
        ]
        skeletons = both_levels(file.source, language)
        for level in LEVELS:
            given = skeletons.at(level)
            text = SkeletonText(given.text, given.line_numbers, entry.lexicon)
            for one, verdict in zip(named, judge(references, file.text, text, entry.lexicon), strict=True):
                shown[level] += not verdict.reason
                if verdict.reason:
                    misses.append(f"{level} {file.path}:{one.line}: {one.kind} {one.name}")
    cells = [
        folder.name, entry.name, len(files), total, *(share(shown[level], total) for level in LEVELS), made, both,
        by_compiler, by_tags, erroneous, unread,
    ]  # fmt: skip
    return Row(cells, misses, apart)


def apart_rows(row: Row) -> list[Sequence[object]]:
    """Returns the ways in which the references disagree in one repository, with how often and evenly spread examples."""
    return [
        [row.cells[0], who, way, len(found), ", ".join(found[:: max(1, len(found) // _EXAMPLES)][:_EXAMPLES])]
        for (who, way), found in sorted(row.apart.items())
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a git work tree")
    parser.add_argument("--clang", required=True, help="a Python that has the package libclang")
    parser.add_argument("--ctags", default="ctags", help="the command of Universal Ctags")
    parser.add_argument("--language", action="append", choices=["c", "cpp"], help="only this one")
    parser.add_argument("--most", type=int, default=0, help="take at most so many files of a repository, evenly spread")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where what libclang says is kept between runs")
    parser.add_argument("--misses", action="store_true", help="list every fault")
    parser.add_argument("--apart", action="store_true", help="tell in which ways the references disagree")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    try:
        for folder in options.folders:
            for name in options.language or ["c", "cpp"]:
                row = measured(folder, LANGUAGES[name], options)
                if row.cells[3]:
                    rows.append(row)
    except (CorpusError, CtagsError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(
        table(
            ["repository", "language", "files", "of libclang", "at L1", "at L2", "made by macros", "of both",
             "libclang only", "ctags only", "files with errors", "not read"],
            [row.cells for row in rows],
        )
    )  # fmt: skip
    if options.apart:
        head = ["repository", "found by", "and", "number", "as"]
        print("\n" + table(head, [one for row in rows for one in apart_rows(row)]))
    if options.misses:
        print("\n".join(one for row in rows for one in row.misses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
