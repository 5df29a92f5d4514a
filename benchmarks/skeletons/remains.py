"""Prints how many tokens skeletons save, language by language, and what the rest is spent on.

    python -m benchmarks.skeletons.remains --repos DIR [--language rust …] [--most 60]

A language misses the goal (80 % saved at L2, 70 % at L1) where there is little to fold. The table says what stays at
L2, as shares of the tokens of its sources:

    given up        files that are shown in full, because no skeleton of them could be proven
    nothing to run  files without the body of any function: types, constants, declarations
    signatures      lines of functions and methods
    types           lines of all other definitions: types with their fields and members, modules
    imports …       lines outside of definitions

No reference parser is asked: this is about size alone.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

from benchmarks.skeletons import engine
from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of, repository
from benchmarks.skeletons.engine import LEVELS
from benchmarks.skeletons.measure import Count
from benchmarks.skeletons.recall import arguments_parser, chosen
from benchmarks.skeletons.tables import share, table
from skeleton import CompressionLevel, Definition, Skeletons
from skeleton.languages.kinds import CALLABLE
from skeleton.levels import Role
from workspace.tokens import token_counter

GOALS: Final = dict(zip(LEVELS, (0.7, 0.8), strict=True))
"""The share of the tokens that each level is to save, at the least."""

REMAINS: Final = ("given up", "nothing to run", "signatures", "types", "imports and the rest")


def main(arguments: Sequence[str] | None = None) -> int:
    options = arguments_parser().parse_args(arguments)
    count = token_counter().count
    rows: list[list[object]] = []
    try:
        for entry, repositories in chosen(options):
            tokens: Counter[str] = Counter()
            for name in repositories:
                print(f"{entry.name}: {name} …", file=sys.stderr)
                for file in files_of(repository(options.repos, name), entry, most=options.most):
                    tokens += tokens_of(file, count)
            saved = {level: 1 - tokens[level.value] / (tokens["source"] or 1) for level in LEVELS}
            rows.append(
                [
                    entry.name,
                    tokens["source"],
                    *(f"{100 * saved[level]:.1f} %" for level in LEVELS),
                    "yes" if all(saved[level] >= goal for level, goal in GOALS.items()) else "no",
                    *(share(tokens[remain], tokens["source"]) for remain in REMAINS),
                ]
            )
    except CorpusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(table(["language", "tokens", "saved at L1", "saved at L2", "goal", *REMAINS], rows))
    return 0


def tokens_of(file: CorpusFile, count: Count) -> Counter[str]:
    """The tokens of a file, of its levels by their names, and of what its last level keeps."""
    language = engine.language_for(file.path, file.source)
    if language is None:
        return Counter()
    skeletons = engine.both_levels(file.source, language)
    tokens = Counter({"source": count(file.source)})
    tokens.update({level.value: count(skeletons.at(level).text.encode()) for level in LEVELS})
    last = tokens[CompressionLevel.SKELETON.value]
    if skeletons.skeleton.level is CompressionLevel.FULL and skeletons.skeleton.unproven:
        tokens["given up"] = last
    elif skeletons.outline is None or not any(part.role is Role.BODY for part in skeletons.outline.parts):
        tokens["nothing to run"] = last
    else:
        tokens += _by_line(file.source, skeletons, count, last)
    return tokens


def _by_line(source: bytes, skeletons: Skeletons, count: Count, whole: int) -> Counter[str]:
    """The tokens of a skeleton by what its lines say; lines are counted alone, and made to add up to the whole."""
    kinds = _kinds(source, skeletons.full.definitions)
    skeleton = skeletons.skeleton
    found: Counter[str] = Counter()
    for line, number in zip(skeleton.text.split("\n"), skeleton.line_numbers, strict=False):
        found[kinds.get(number, REMAINS[-1])] += count(line.encode() + b"\n")
    total = sum(found.values()) or 1
    return Counter({kind: round(whole * tokens / total) for kind, tokens in found.items()})


def _kinds(source: bytes, definitions: Sequence[Definition]) -> dict[int, str]:
    """Returns the kind of definition that each line of a source belongs to, by its number: the innermost decides."""
    breaks = [match.start() for match in re.finditer(b"\n", source)]
    kinds: dict[int, str] = {}
    for one in definitions:  # by position, the outer before the inner
        kind = "signatures" if one.kind in CALLABLE else "types"
        first, last = bisect_left(breaks, one.start), bisect_left(breaks, one.end)
        kinds.update(dict.fromkeys(range(first + 1, last + 2), kind))
    return kinds


if __name__ == "__main__":
    sys.exit(main())
