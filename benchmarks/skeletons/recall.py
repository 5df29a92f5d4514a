"""Prints what share of the definitions that an independent parser finds is present in our skeletons.

    python -m benchmarks.skeletons.recall --repos DIR [--language rust …] [--repository tokio …] [--misses DIR]

`benchmarks/README.md` says what each column means and what is not checked.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.skeletons.compiler_reading import CompilerError
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, manifest, repository
from benchmarks.skeletons.ctags_reading import CtagsError, require_ctags
from benchmarks.skeletons.engine import LEVELS
from benchmarks.skeletons.exemptions import REASONS
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry
from benchmarks.skeletons.measure import Miss, Tally, family_of, measure
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.tables import share, table
from workspace.tokens import DEFAULT_ENCODING, token_counter

PLUS, BARE = LEVELS
PYTHON_COUNTS = (
    "files",
    "unparseable",
    "compared",
    "missing",
    "invented",
    "order",
    "signatures",
    "bodies",
    "docstrings",
)


def arguments_parser() -> argparse.ArgumentParser:
    """The options that all scripts of this folder share."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--repos", type=Path, required=True, help="folder in which each repository lies as a folder of its name"
    )
    parser.add_argument("--language", action="append", default=[], help="measure only this language (repeatable)")
    parser.add_argument(
        "--repository", action="append", default=[], help="measure only this repository, by name (repeatable)"
    )
    parser.add_argument("--most", type=int, default=0, help="take at most so many files of a repository, evenly spread")
    parser.add_argument("--ctags", default="ctags", help="the command of Universal Ctags")
    parser.add_argument(
        "--typescript", type=Path, default=Path("node_modules/typescript"), help="folder of the npm package typescript"
    )
    return parser


def chosen(options: argparse.Namespace) -> list[tuple[LanguageEntry, list[str]]]:
    """The languages and repositories that the options name, of those in the manifest.

    Raises:
        CorpusError: a name is not in the manifest.
    """
    languages: list[str] = options.language
    names: list[str] = options.repository
    listed = manifest()
    unknown = [language for language in languages if language not in listed]
    known = {one.rsplit("/", 1)[-1] for repositories in listed.values() for one in repositories}
    unknown += [name for name in names if name not in known]
    if unknown:
        raise CorpusError(f"not in the manifest: {', '.join(unknown)}; languages: {', '.join(listed)}")
    picked = [
        (LANGUAGES[language], [one for one in repositories if not names or one.rsplit("/", 1)[-1] in names])
        for language, repositories in listed.items()
        if not languages or language in languages
    ]
    return [(entry, repositories) for entry, repositories in picked if repositories]


def tally_of(folder: Path, entry: LanguageEntry, options: argparse.Namespace) -> Tally:
    """The tally of one language in one repository."""
    tools = Tools(ctags=options.ctags, typescript=options.typescript)
    families: dict[str, list[CorpusFile]] = defaultdict(list)
    for file in files_of(folder, entry, most=options.most):
        families[family_of(file, entry).name].append(file)
    tally = Tally()
    counter = token_counter()
    for name, files in families.items():
        readings = read_references(files, LANGUAGES[name], tools)
        tally.add(measure(files, readings, LANGUAGES[name], counter.count))
    return tally


def main(arguments: Sequence[str] | None = None) -> int:
    parser = arguments_parser()
    parser.add_argument("--misses", type=Path, help="folder for one file a language that lists every miss by cause")
    options = parser.parse_args(arguments)
    rows: list[tuple[str, str, Tally]] = []
    try:
        print(f"References: Python ast, TypeScript compiler, keyword reader, {require_ctags(options.ctags)}.\n")
        for entry, repositories in chosen(options):
            total = Tally()
            for name in repositories:
                print(f"{entry.name}: {name} …", file=sys.stderr)
                tally = tally_of(repository(options.repos, name), entry, options)
                rows.append((entry.name, name, tally))
                total.add(tally)
            if len(repositories) > 1:
                rows.append((entry.name, "all", total))
            if options.misses:
                write_misses(options.misses, entry.name, total)
    except (CorpusError, CtagsError, CompilerError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print_tables(rows)
    return 0


def print_tables(rows: Sequence[tuple[str, str, Tally]]) -> None:
    print("## Functions, methods, classes and types that are present, and signatures that are whole\n")
    print(
        table(
            ["language", "repository", "files", "definitions", "at L1", "at L2", "signatures", "whole at L1", "whole at L2",
             "over lines", "whole at L1 ", "whole at L2 "],
            [
                [language, name, tally.files, tally.required,
                 *(share(tally.levels[level].present, tally.required) for level in LEVELS),
                 tally.levels[PLUS].compared,
                 *(share(tally.levels[level].whole, tally.levels[level].compared) for level in LEVELS),
                 tally.multi, *(share(tally.levels[level].multi_whole, tally.multi) for level in LEVELS)]
                for language, name, tally in rows
            ],
        )
    )  # fmt: skip
    print("\n## What is reported apart: members, constants, and what need not be shown\n")
    print(
        table(
            ["language", "repository", "members", "at L1", "at L2", "constants", "at L1 ", *REASONS, "not read", "not recognised"],
            [
                [language, name, tally.members, *(share(tally.levels[level].members, tally.members) for level in LEVELS),
                 tally.constants, share(tally.levels[PLUS].constants, tally.constants),
                 *(tally.exempt[reason] for reason in REASONS), tally.unreadable, tally.unrecognised]
                for language, name, tally in rows
            ],
        )
    )  # fmt: skip
    print("\n" + "\n".join(f"- {reason}: {meaning}" for reason, meaning in REASONS.items()))
    explained = Counter[tuple[str, str, str]]()
    for language, name, tally in rows:
        if name != "all":
            explained.update({(language, *key): number for key, number in tally.explained.items()})
    print("\n## What the reference lists though it need not be shown, by the rule that says so\n")
    print(table(["language", "reason", "what it is", "number"], [[*key, number] for key, number in _ranked(explained)]))
    print(
        "\n## Proofs, by the bare grammar and by the lines that are claimed (numbers of files; bodies: of functions)\n"
    )
    print(
        table(
            ["language", "repository", "files", "source clean", "L1 clean", "L2 clean", "L1 fixed point", "L2 fixed point",
             "L1 in order", "L2 in order", "L1 bodies shown", "L2 bodies shown", "L1 bodies marked", "L2 bodies marked", "unproven L1 -> L0", "unproven L2 -> L1", "unproven L2 -> L0", "no saving L1 -> L0", "no saving L2 -> L1",
             "no saving L2 -> L0", "grown"],
            [
                [language, name, tally.files, tally.clean, *(tally.levels[level].clean for level in LEVELS),
                 *(tally.levels[level].fixed for level in LEVELS), *(tally.levels[level].ordered for level in LEVELS),
                 *(tally.levels[level].leaked for level in LEVELS), *(tally.levels[level].told for level in LEVELS), *(tally.levels[level].fell_back[f"{cause} {given}"] for cause in ("unproven", "no saving")
                   for level, given in ((PLUS, "L0"), (BARE, "L1"), (BARE, "L0"))), tally.grown]
                for language, name, tally in rows
            ],
        )
    )  # fmt: skip
    print(f"\n## Size in tokens ({DEFAULT_ENCODING})\n")
    print(
        table(
            ["language", "repository", "source", "L1", "L2", "saved at L1", "saved at L2", "mean of files L1", "mean of files L2"],
            [
                [language, name, tally.tokens, *(tally.levels[level].tokens for level in LEVELS),
                 *(share(tally.tokens - tally.levels[level].tokens, tally.tokens) for level in LEVELS),
                 *(share(tally.levels[level].saved, tally.files - tally.unrecognised) for level in LEVELS)]
                for language, name, tally in rows
            ],
        )
    )  # fmt: skip
    python = [(name, tally) for language, name, tally in rows if language == "python"]
    if python:
        print(
            "\n## Python skeletons as programs, by ast alone (numbers of definitions; files: skeletons at that level)\n"
        )
        print(
            table(
                ["repository", "level", *PYTHON_COUNTS],
                [
                    [name, level.value, *(tally.levels[level].python[count] for count in PYTHON_COUNTS)]
                    for name, tally in python
                    for level in LEVELS
                ],
            )
        )
    print("\n## Faults by cause\n")
    causes = Counter(
        (language, miss.level, miss.cause) for language, name, tally in rows if name != "all" for miss in tally.misses
    )
    print(table(["language", "level", "cause", "number"], [[*key, number] for key, number in _ranked(causes)]))


def _ranked(causes: Counter[tuple[str, str, str]]) -> list[tuple[tuple[str, str, str], int]]:
    return sorted(causes.items(), key=lambda item: (item[0][0], -item[1], item[0]))


def write_misses(folder: Path, language: str, tally: Tally) -> None:
    """Every miss of a language in `folder/<language>.txt`, by cause, the most frequent first."""
    folder.mkdir(parents=True, exist_ok=True)
    by_cause: dict[str, list[Miss]] = defaultdict(list)
    for miss in tally.misses:
        by_cause[f"{miss.level} {miss.cause}"].append(miss)
    lines = [f"# {language}: {len(tally.misses)} faults in {tally.files} files\n"]
    for cause, misses in sorted(by_cause.items(), key=lambda item: (-len(item[1]), item[0])):
        lines.append(f"\n## {len(misses)} × {cause}\n")
        lines += sorted(_lines(misses))
    (folder / f"{language}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lines(misses: Iterable[Miss]) -> list[str]:
    return [f"{miss.path}:{miss.line}: {miss.what}" for miss in misses]


if __name__ == "__main__":
    sys.exit(main())
