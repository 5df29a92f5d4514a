"""Prints what share of the definitions that a language's own parser finds stands in our skeletons, beside Universal Ctags.

    python -m benchmarks.skeletons.by_parser DIR… --parser java="java benchmarks/skeletons/parsers/JavaReading.java" [--misses]

`parser_reading` says which parsers there are. What stands in bodies is not asked for: neither local types nor the members of
anonymous ones. Where the two references disagree the row says so, and `--misses` lists on what.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of
from benchmarks.skeletons.ctags_reading import CtagsError
from benchmarks.skeletons.engine import LEVELS, both_levels, language_for
from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry
from benchmarks.skeletons.parser_reading import Parsed, ParserError, commands, read_with_parser
from benchmarks.skeletons.presence import SkeletonText, judge
from benchmarks.skeletons.reading import Tools, read_references
from benchmarks.skeletons.references import Reading, Role
from benchmarks.skeletons.tables import share, table

_REQUIRED = frozenset([Role.FUNCTION, Role.TYPE])
_PLUS, _BARE = LEVELS


class Row:
    """The counts of one repository, and what is missing."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.misses: list[str] = []

    def add(self, file: CorpusFile, entry: LanguageEntry, found: list[Parsed] | None, tags: Reading) -> None:
        """Counts one file."""
        self.counts["files"] += 1
        language = language_for(file.path, file.source)
        if found is None or language is None:
            self.counts["not read"] += 1
            self.misses.append(f"not read by the parser: {file.path}")
            return
        self._compare(file, found, tags)
        references = [one.reference for one in found]
        self.counts.update(self._group(one.role) for one in references)
        skeletons = both_levels(file.source, language)
        for level in LEVELS:
            given = skeletons.at(level)
            text = SkeletonText(given.text, given.line_numbers, entry.lexicon)
            for one, verdict in zip(references, judge(references, file.text, text, entry.lexicon), strict=True):
                group = self._group(one.role)
                self.counts[f"{group} {level}"] += not verdict.reason
                if verdict.reason and (group != "constant" or level is _PLUS):
                    self.misses.append(f"{level} {file.path}:{one.line}: {one.kind} {one.path}: {verdict.reason}")

    def _compare(self, file: CorpusFile, found: Sequence[Parsed], tags: Reading) -> None:
        own = {(one.name, one.line) for one in found if one.role in _REQUIRED}
        theirs = {(one.name, one.line) for one in tags.references if one.required}
        self.counts["both"] += len(own & theirs)
        self.counts["own"] += len(own - theirs)
        self.counts["tags"] += len(theirs - own)
        self.misses += [f"parser alone: {file.path}:{line}: {name}" for name, line in sorted(own - theirs)]
        self.misses += [f"ctags alone: {file.path}:{line}: {name}" for name, line in sorted(theirs - own)]

    @staticmethod
    def _group(role: Role) -> str:
        return "required" if role in _REQUIRED else str(role)

    def cells(self) -> list[object]:
        """The cells behind the repository and the language."""
        counts = self.counts
        required, members, constants = counts["required"], counts["member"], counts["constant"]
        return [
            *(counts["files"], required),
            *(share(counts[f"required {level}"], required) for level in LEVELS),
            *(members, *(share(counts[f"member {level}"], members) for level in LEVELS)),
            *(constants, share(counts[f"constant {_PLUS}"], constants)),
            *(counts[which] for which in ("both", "own", "tags", "not read")),
        ]


def measured(folder: Path, entry: LanguageEntry, command: str, options: argparse.Namespace) -> Row:
    """The row of one language in one repository."""
    files = files_of(folder, entry, most=options.most)
    row = Row()
    tags = read_references(files, entry, Tools(ctags=options.ctags))
    for file, found, reading in zip(files, read_with_parser(command, files) if files else [], tags, strict=True):
        row.add(file, entry, found, reading)
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a git work tree")
    parser.add_argument(
        "--parser", action="append", required=True, metavar="LANGUAGE=COMMAND", help="a parser (repeatable)"
    )
    parser.add_argument("--ctags", default="ctags", help="the command of Universal Ctags")
    parser.add_argument("--most", type=int, default=0, help="take at most so many files of a repository, evenly spread")
    parser.add_argument("--misses", action="store_true", help="list what is missing, and where the references disagree")
    options = parser.parse_args(arguments)
    rows: list[tuple[str, str, Row]] = []
    try:
        for language, command in commands(options.parser).items():
            for folder in options.folders:
                row = measured(folder, LANGUAGES[language], command, options)
                if row.counts["required"]:
                    rows.append((folder.name, language, row))
    except (CorpusError, CtagsError, ParserError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(
        table(
            ["repository", "language", "files", "of the parser", "at L1", "at L2", "members", "at L1 ", "at L2 ",
             "constants", " at L1", "of both", "parser only", "ctags only", "not read"],
            [[name, language, *row.cells()] for name, language, row in rows],
        )
    )  # fmt: skip
    if options.misses:
        print("\n".join(one for _, _, row in rows for one in row.misses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
