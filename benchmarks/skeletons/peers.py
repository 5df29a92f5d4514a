"""Prints what other skeletonizers keep of the functions that an independent parser finds, next to ours.

    python -m benchmarks.skeletons.peers --repos DIR --repository fastmcp … [--repomix COMMAND] [--grep-ast PYTHON]

A function counts as kept when that file's block in the output holds its name after the word that stands before it in
the source (`def name`, `fn name`, `void name`); k functions of one name need k such places. That asks less than
`recall` does of us: no line number, no place. Its signature counts as whole when all its text, white space and comments aside, stands in the block.

repomix is run with `--compress`. grep-ast is given the true line of every function (its `TreeContext` is asked to show
those lines, as the repository map of aider asks it to): a best case, for it finds nothing by itself.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.skeletons import engine
from benchmarks.skeletons.compiler_reading import CompilerError
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, repository
from benchmarks.skeletons.ctags_reading import CtagsError, require_ctags
from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.lexing import blank
from benchmarks.skeletons.measure import family_of
from benchmarks.skeletons.placement import word_pattern
from benchmarks.skeletons.presence import squeezed
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.recall import arguments_parser, chosen
from benchmarks.skeletons.references import Reading, Reference, Role
from benchmarks.skeletons.tables import share, table
from skeleton import CompressionLevel
from workspace.tokens import token_counter

Blocks = Mapping[str, str]
"""The text that a tool shows of each file, by its path inside the repository."""

_GREP_AST = """
import json, sys
from grep_ast import TreeContext
for line in sys.stdin:
    path, code, lines = json.loads(line)
    try:
        context = TreeContext(path, code, color=False, line_number=False, child_context=False, last_line=False,
                              margin=0, mark_lois=False, loi_pad=0, show_top_of_file_parent_scope=False)
        context.add_lines_of_interest(lines)
        context.add_context()
        print(json.dumps([path, context.format()]))
    except ValueError:
        print(json.dumps([path, None]))
"""


class PeerError(Exception):
    """A peer does not run; the message says what to install."""


@dataclass(slots=True, kw_only=True)
class Score:
    """The part of one language in one repository that a tool kept: numbers of functions, and tokens."""

    files: int = 0
    functions: int = 0
    kept: int = 0
    multi: int = 0
    multi_kept: int = 0
    multi_whole: int = 0
    tokens: int = 0


def run_repomix(command: str, folder: Path, entry: LanguageEntry) -> Blocks:
    """Returns the text that `repomix --compress` shows of each file."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "repomix.xml"
        included = ",".join(f"**/*{ending}" for ending in entry.files)
        arguments = [*command.split(), str(folder), "--compress", "--style", "xml", "--output", str(output), "--quiet"]
        arguments += ["--no-security-check", "--no-git-sort-by-changes", "--include", included]
        try:
            done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        except OSError as error:
            raise PeerError(
                f"{command} does not run ({error}): npm install repomix, and name it with --repomix"
            ) from error
        if done.returncode or not output.is_file():
            raise PeerError(f"{command} failed: {(done.stderr or done.stdout).strip()[-400:]}")
        return repomix_blocks(output.read_text(encoding="utf-8", errors="replace"))


def repomix_blocks(output: str) -> Blocks:
    """The file blocks of repomix's XML style."""
    blocks: dict[str, str] = {}
    for piece in re.split(r'^<file path="', output, flags=re.MULTILINE)[1:]:
        path, _, rest = piece.partition('">\n')
        blocks[path] = re.split(r"^</file>$", rest, maxsplit=1, flags=re.MULTILINE)[0]
    return blocks


def run_grep_ast(python: str, files: Sequence[CorpusFile], readings: Sequence[Reading]) -> Blocks:
    """Returns the text that grep-ast's `TreeContext` shows of each file for the lines of all functions and types."""
    requests = "".join(
        json.dumps([_inner(file), file.text, [one.line - 1 for one in reading.references if one.required]]) + "\n"
        for file, reading in zip(files, readings, strict=True)
    )
    try:
        done = subprocess.run(
            [python, "-c", _GREP_AST], input=requests.encode("utf-8", "replace"), capture_output=True, check=False
        )
    except OSError as error:
        raise PeerError(f"{python} does not run: {error}") from error
    if done.returncode:
        hint = "install grep-ast and 'tree-sitter-language-pack<1' in an environment of their own, and name its python with --grep-ast"
        raise PeerError(f"grep-ast failed: {done.stderr.decode(errors='replace').strip()[-300:]}; {hint}")
    answers: list[tuple[str, str | None]] = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return {path: re.sub(r"^[│⋮█]", "", text, flags=re.MULTILINE) for path, text in answers if text is not None}


def ours(files: Sequence[CorpusFile], level: CompressionLevel) -> Blocks:
    """Returns the text that we show of each file."""
    blocks: dict[str, str] = {}
    for file in files:
        if language := engine.language_for(file.path, file.source):
            blocks[_inner(file)] = engine.both_levels(file.source, language).at(level).text
    return blocks


def score(files: Sequence[CorpusFile], readings: Sequence[Reading], entry: LanguageEntry, blocks: Blocks) -> Score:
    """Returns the score of the blocks: how much of the references they hold."""
    count = token_counter().count
    result = Score()
    for file, reading in zip(files, readings, strict=True):
        block = blocks.get(_inner(file))
        functions = [one for one in reading.references if one.required and one.role is Role.FUNCTION]
        result.functions += len(functions)
        result.multi += sum(one.spans_lines for one in functions)
        if block is None:
            continue
        result.files += 1
        result.tokens += count(block)
        for one, kept, whole in held(functions, block, entry.lexicon):
            result.kept += kept
            if one.spans_lines:
                result.multi_kept += kept
                result.multi_whole += whole
    return result


def declared(one: Reference) -> re.Pattern[str]:
    """Returns the pattern of a declaration: the word or mark before a function's name in the source, and the name."""
    name = word_pattern(one.name)
    match = name.search(one.signature)
    before = re.search(r"(\w+|[^\w\s])\s*$", one.signature[: match.start()]) if match else None
    return re.compile(re.escape(before[1]) + r"\s*" + name.pattern) if before else name


def held(functions: Sequence[Reference], block: str, lexicon: str) -> list[tuple[Reference, bool, bool]]:
    """For each function whether the block declares it, and whether its signature is whole."""
    text = squeezed(blank(block, lexicon, keep_strings=True))
    used: Counter[str] = Counter()
    result: list[tuple[Reference, bool, bool]] = []
    for one in functions:
        pattern = declared(one)
        found = sum(1 for _ in pattern.finditer(block))
        kept = found > used[pattern.pattern]
        used[pattern.pattern] += 1
        result.append((one, kept, kept and squeezed(one.signature).rstrip(",") in text))
    return result


def _inner(file: CorpusFile) -> str:
    return file.path.partition("/")[2]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_parser()
    parser.description = (__doc__ or "").splitlines()[0]
    parser.add_argument("--repomix", default="npx repomix", help="the command of repomix; empty: leave it out")
    parser.add_argument("--grep-ast", default="", help="a python that has grep-ast; empty: leave it out")
    options = parser.parse_args(arguments)
    rows: list[list[object]] = []
    try:
        require_ctags(options.ctags)
        for entry, repositories in chosen(options):
            for name in repositories:
                print(f"{entry.name}: {name} …", file=sys.stderr)
                folder = repository(options.repos, name)
                files = [file for file in files_of(folder, entry, most=options.most) if family_of(file, entry) is entry]
                readings = read_references(files, entry, Tools(ctags=options.ctags, typescript=options.typescript))
                tools: dict[str, Callable[[], Blocks]] = {}
                for level in engine.LEVELS:
                    tools[f"fractal-context {level.value}"] = lambda level=level, files=files: ours(files, level)
                if options.repomix:
                    tools["repomix --compress"] = lambda folder=folder, entry=entry: run_repomix(
                        options.repomix, folder, entry
                    )
                if options.grep_ast:
                    tools["grep-ast, given the lines"] = lambda files=files, readings=readings: run_grep_ast(
                        options.grep_ast, files, readings
                    )
                for tool, run in tools.items():
                    rows.append([entry.name, name, tool, *_row(score(files, readings, entry, run()))])
    except (CorpusError, CtagsError, CompilerError, PeerError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    head = [
        "language",
        "repository",
        "tool",
        "files shown",
        "functions",
        "kept",
        "over lines",
        "kept ",
        "whole",
        "tokens",
    ]
    print(table(head, rows))
    return 0


def _row(result: Score) -> list[object]:
    return [
        result.files,
        result.functions,
        share(result.kept, result.functions),
        result.multi,
        share(result.multi_kept, result.multi),
        share(result.multi_whole, result.multi),
        result.tokens,
    ]


if __name__ == "__main__":
    sys.exit(main())
