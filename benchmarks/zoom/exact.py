"""Prints what share of the definitions that an independent parser finds `zoom` gives exactly.

    python -m benchmarks.zoom.exact --repos DIR --typescript DIR/node_modules/typescript [--language go …] [--differences OUT]

Each definition is asked for by `symbol=path::Qualified.name`. `benchmarks/README.md` says what each column means.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.skeletons.compiler_reading import CompilerError
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, repository
from benchmarks.skeletons.ctags_reading import CtagsError, require_ctags
from benchmarks.skeletons.engine import language_for, parser_for, parses_cleanly
from benchmarks.skeletons.languages import LANGUAGES, Parser
from benchmarks.skeletons.parser_reading import ParserError, commands
from benchmarks.skeletons.tables import share, table
from benchmarks.zoom.compiler_spans import compiler_spans
from benchmarks.zoom.ctags_spans import ctags_spans
from benchmarks.zoom.parser_spans import parser_spans
from benchmarks.zoom.python_spans import python_spans
from benchmarks.zoom.spans import Span
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Match, Zoomer
from workspace.errors import FractalContextError
from workspace.roots import Roots

REPOSITORIES = (
    ("python", "flask"),
    ("python", "requests"),
    ("python", "pydantic"),
    ("javascript", "express"),
    ("javascript", "axios"),
    ("typescript", "zod"),
    ("go", "gin"),
    ("rust", "ripgrep"),
    ("java", "gson"),
    ("c", "jq"),
    ("cpp", "leveldb"),
    ("csharp", "serilog"),
    ("ruby", "sinatra"),
    ("php", "monolog"),
)


_MORE = (("kotlin", "okhttp"), ("java", "okhttp"), ("csharp", "Newtonsoft.Json"))
"""Those of which a language's own parser is asked alone."""

_COPIED = re.compile(r"/(?:dist|vendor)/|\.min\.js$")
"""The paths of what a program wrote, or was copied in from elsewhere."""


NOT_FOUND = "not found"

EXPLANATIONS: Sequence[tuple[str, str]] = (
    (
        r"also a field or constant of that name",
        "no fault: fields and constants, which ctags is not asked for, bear the same name",
    ),
    (
        r"more is given",
        "no fault: the reference leaves out others of that name (overloads with type parameters, branches of `#if`)",
    ),
    (
        r"in a file with syntax errors",
        "fault of the grammar: a branch of a preprocessor or a macro inside a declaration breaks what is around it",
    ),
    (r"^typescript .* function property ", "fault of the query: a function in `(…) as T` is no definition to it"),
    (r"^csharp not found .* typedef ", "fault of the reference: `using A = B;` is an import"),
    (
        r"^csharp not found .*\b(?:IEnumerable|IFormattable|ISpanFormattable)\b",
        "fault of the reference: it takes the interface of `I.Member` for a type or a container",
    ),
    (r"^csharp begins earlier ", "fault of the reference: it stops at a comment between attributes of several lines"),
    (
        r"^rust (?:elsewhere|ends later) .* implementation ",
        "fault of the reference: it calls an `impl` by a part of its head, or ends it there",
    ),
)
"""The known differences: an expression that finds a listed one, and whose fault it is; the first that fits."""

_HARMLESS = ("also a field", "more is given")
UNEXPLAINED = "not explained"
_UNASKED = frozenset({"field", "constant", "member", "module"})
"""Kinds that ctags is not asked for."""

_REST = re.compile(r"[\s;,)}\]]*(?:(?://|#|/\*).*)?", re.DOTALL)
"""The text that may follow a definition on its last line."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """The counts of one repository."""

    files: int = 0
    unread: int = 0
    definitions: int = 0
    exact: int = 0
    clean: int = 0
    clean_exact: int = 0
    """Of the files that the engine's grammar reads without an error."""
    causes: Counter[str] = field(default_factory=Counter[str])
    listed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def note(self, cause: str, what: str, *, torn: bool = False) -> None:
        """Notes a difference."""
        cause = f"{cause}, in a file with syntax errors" if torn else cause
        self.causes[cause] += 1
        self.listed.append((cause, what))


def spans_of(files: Sequence[CorpusFile], language: str, options: argparse.Namespace) -> list[list[Span] | str]:
    """Returns the spans that the language's reference finds in each file."""
    entry = LANGUAGES[language]
    if language in options.parsers:
        return parser_spans(files, entry, options.parsers[language])
    match entry.parser:
        case Parser.AST:
            return [python_spans(file.text) for file in files]
        case Parser.COMPILER:
            return compiler_spans([file.text for file in files], language, options.typescript)
        case _:
            return ctags_spans(files, entry, options.ctags)


def measure(folder: Path, language: str, options: argparse.Namespace) -> Tally:
    """Asks for every definition of one language in a repository."""
    zoomer = Zoomer(CodeIndex(Roots([folder]), workers=Workers(0), redact=False))
    tally = Tally()
    files = [file for file in files_of(folder, LANGUAGES[language], most=options.most) if not _COPIED.search(file.path)]
    for file, spans in zip(files, spans_of(files, language, options), strict=True):
        tally.files += 1
        before = tally.definitions, tally.exact
        is_clean = _is_clean(file)
        if isinstance(spans, str):
            tally.unread += 1
            continue
        named: dict[tuple[bool, str], list[Span]] = defaultdict(list)
        for span in spans:
            named[span.local, span.asked].append(span)
        path = file.path.partition("/")[2]
        for (local, name), wanted in named.items():
            target, place = (f"symbol={name}", folder / path) if local else (f"symbol={path}::{name}", folder)
            _compare(zoomer, target, place, wanted, file, tally, torn=not is_clean)
        if is_clean:
            tally.clean += tally.definitions - before[0]
            tally.clean_exact += tally.exact - before[1]
    return tally


def _is_clean(file: CorpusFile) -> bool:
    """Tells whether the bare grammar reads a file without an error."""
    language = language_for(file.path, file.source)
    return language is not None and parses_cleanly(file.source, parser_for(language))


def _compare(
    zoomer: Zoomer, target: str, place: Path, wanted: Sequence[Span], file: CorpusFile, tally: Tally, *, torn: bool
) -> None:
    tally.definitions += len(wanted)
    name = f"{file.path} {target}"
    try:
        left = list(zoomer.zoom(target, str(place)).matches)
    except FractalContextError as error:
        for span in wanted:
            tally.note(NOT_FOUND, f"{name} {span.kind} {span.first}-{span.last}: {error}"[:300], torn=torn)
        return
    missed: list[Span] = []
    for span in wanted:
        given = next((match for match in left if _is_exact(span, match, file)), None)
        if given is None:
            missed.append(span)
            continue
        left.remove(given)
        tally.exact += 1
        alone = zoomer.zoom(given.target, str(place)).matches
        if [one.text for one in alone] != [given.text]:
            tally.note("its own target gives something else", f"{name} {given.target}", torn=torn)
    for span in missed:
        near = min(left, key=lambda match: _distance(span, match), default=None)
        cause = NOT_FOUND if near is None else _cause(span, near)
        shown = "" if near is None else f"{near.first_line}-{near.last_line} {near.title}"
        tally.note(cause, f"{name} {span.kind} {span.first}-{span.last}: given {shown}", torn=torn)
    if not missed and left and not wanted[0].local:
        others = all(match.title.split()[0] in _UNASKED for match in left)
        shown = ", ".join(f"{match.first_line}-{match.last_line} {match.title}" for match in left)
        tally.note(
            "also a field or constant of that name" if others else "more is given", f"{name}: {shown}", torn=torn
        )


def _distance(span: Span, match: Match) -> int:
    return abs(match.first_line - span.first) + abs(match.last_line - span.last)


def _is_exact(span: Span, match: Match, file: CorpusFile) -> bool:
    if (span.first, span.last) != (match.first_line, match.last_line):
        return False
    if span.text is not None:
        return span.text == match.text
    lines = "\n".join(file.text.split("\n")[span.first - 1 : span.last])
    before, found, behind = lines.partition(match.text)
    # Without columns a definition that shares a line with others is told by what is left of its lines.
    return bool(found) and not before.strip() and _REST.fullmatch(behind) is not None


def _cause(span: Span, near: Match) -> str:
    if (span.first, span.last) == (near.first_line, near.last_line):
        return "same lines, other columns"
    if span.last == near.last_line:
        return "begins earlier" if near.first_line < span.first else "begins later"
    if span.first == near.first_line:
        return "ends later" if near.last_line > span.last else "ends earlier"
    return "elsewhere"


def explained(rows: Sequence[tuple[str, str, Tally]]) -> list[list[object]]:
    """Returns the number of differences of each explanation, and of the definitions among them not given exactly."""
    counts: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for language, _, tally in rows:
        for cause, what in tally.listed:
            line = f"{language} {cause} {what}"
            words = next((words for pattern, words in EXPLANATIONS if re.search(pattern, line)), UNEXPLAINED)
            counts[words] += 1
            lost[words] += not cause.startswith(_HARMLESS)
    return [[words, number, lost[words]] for words, number in counts.most_common()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repos", type=Path, required=True, help="folder in which each repository lies by its name")
    parser.add_argument("--language", action="append", default=[], help="measure only this language (repeatable)")
    parser.add_argument("--repository", action="append", default=[], help="measure only this repository (repeatable)")
    parser.add_argument("--most", type=int, default=0, help="take at most so many files of a repository, evenly spread")
    parser.add_argument("--ctags", default="ctags", help="the command of Universal Ctags")
    parser.add_argument(
        "--typescript", type=Path, default=Path("node_modules/typescript"), help="folder of the npm package"
    )
    parser.add_argument("--differences", type=Path, help="file that lists every difference by cause")
    parser.add_argument(
        "--parser",
        action="append",
        default=[],
        metavar="LANGUAGE=COMMAND",
        help="ask a language's own parser in the place of ctags (repeatable; see benchmarks/skeletons/parser_reading.py)",
    )
    options = parser.parse_args(arguments)
    rows: list[tuple[str, str, Tally]] = []
    try:
        options.parsers = commands(options.parser)
        own = "".join(f", of {language} its own parser" for language in options.parsers)
        print(f"References: Python ast, TypeScript compiler, {require_ctags(options.ctags)}{own}.\n")
        for language, name in (*REPOSITORIES, *(one for one in _MORE if one[0] in options.parsers)):
            if (options.language and language not in options.language) or (
                options.repository and name not in options.repository
            ):
                continue
            print(f"{language}: {name} …", file=sys.stderr)
            rows.append((language, name, measure(repository(options.repos, name), language, options)))
    except (CorpusError, CtagsError, CompilerError, ParserError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    head = ["language", "repository", "files", "unread", "definitions", "exact", "share"]
    print(
        table(
            [*head, "in files read without error", "exact ", "share "],
            [
                [
                    *(language, name, tally.files, tally.unread, tally.definitions, tally.exact),
                    *(share(tally.exact, tally.definitions), tally.clean, tally.clean_exact),
                    share(tally.clean_exact, tally.clean),
                ]
                for language, name, tally in rows
            ],
        )
    )
    print()
    causes = [
        [language, name, cause, number]
        for language, name, tally in rows
        for cause, number in tally.causes.most_common()
    ]
    print(table(["language", "repository", "difference", "number"], causes))
    print()
    print(table(["explanation", "differences", "definitions concerned"], explained(rows)))
    if options.differences:
        with options.differences.open("w", encoding="utf-8") as out:
            for language, name, tally in rows:
                for cause, what in sorted(tally.listed):
                    out.write(f"{language} {name} [{cause}] {what}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
