"""Prints what share of the items inside the calls of Rust's macros stands in our skeletons, and is zoomed byte for byte.

    python -m benchmarks.skeletons.macros DIR… [--syn COMMAND] [--misses]

Two references that share no code with the engine say what stands there: a reader of tokens (`rust_tokens`), and `syn`,
by way of the crate in `rust_reading/` (`cargo build --release` there, and name the program with `--syn`). `syn` finds
only what is Rust; the reader of tokens also what is only written like it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.skeletons.corpus import CorpusError, CorpusFile, files_of
from benchmarks.skeletons.engine import LEVELS, both_levels, language_for
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.presence import SkeletonText, judge
from benchmarks.skeletons.references import Reference, Role
from benchmarks.skeletons.rust_tokens import TokenItem, items_in_macros
from benchmarks.skeletons.tables import share, table
from skeleton import Language
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.outline.outlining import every_definition
from skeleton.zoom.zoomer import Zoomer
from workspace.errors import SymbolNotFoundError
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING

RUST = LANGUAGES["rust"]
CONSTANTS = frozenset(["const", "static"])
_MARK = re.compile(r"⋮ [0-9]+ lines?")


@dataclass(slots=True)
class MacroTally:
    """The counts of one repository.

    Attributes:
        files: with items inside macros.
        items: functions, types, modules and macros that the reader of tokens finds.
        constants: those that it finds; they go at L2.
        shown: by level, the items that are there.
        constants_shown: the constants that are there at L1.
        zoomed: the items and constants that zoom gives byte for byte.
        silent: what is missing at a level, without a mark between its call and it.
        syn, syn_shown: the items that syn finds, and by level those that are there.
        only_tokens, only_syn: the items that one reference finds alone.
        unreadable: files that syn cannot read.
        misses: every fault, for a reader.
        macros: the items by macro.
    """

    files: int = 0
    items: int = 0
    constants: int = 0
    shown: Counter[str] = field(default_factory=Counter[str])
    constants_shown: int = 0
    zoomed: int = 0
    silent: int = 0
    syn: int = 0
    syn_shown: Counter[str] = field(default_factory=Counter[str])
    only_tokens: int = 0
    only_syn: int = 0
    unreadable: int = 0
    misses: list[str] = field(default_factory=list[str])
    macros: Counter[str] = field(default_factory=Counter[str])


def syn_items(command: str, files: Sequence[CorpusFile]) -> Mapping[str, list[tuple[str, str, int]] | None]:
    """The items inside macros that syn finds, as kind, name and line, by file; None for a file that it cannot read."""
    paths = {str(file.absolute): file.path for file in files}
    asked = "\n".join(paths) + "\n"
    done = subprocess.run([command], input=asked, capture_output=True, text=True, check=True)
    found: dict[str, list[tuple[str, str, int]] | None] = {path: [] for path in paths.values()}
    for line in done.stdout.splitlines():
        place, kind, name, number = line.split("\t")
        if kind == "-":
            found[paths[place]] = None
        elif (known := found[paths[place]]) is not None:
            known.append((kind, name.removeprefix("r#"), int(number)))
    return found


def reference_of(kind: str, name: str, line: int) -> Reference:
    """Returns the definition that the measure of presence asks for."""
    role = Role.CONSTANT if kind in CONSTANTS else Role.FUNCTION if kind == "fn" else Role.TYPE
    return Reference(name=name, kind=kind, role=role, line=line)


def measure(folder: Path, syn: str, *, most: int = 0) -> MacroTally:
    """The tally of one repository, a git work tree."""
    files = files_of(folder, RUST, most=most)
    asked: Mapping[str, list[tuple[str, str, int]] | None] = syn_items(syn, files) if syn else {}
    zoomer = Zoomer(CodeIndex(Roots([folder]), encoding=DEFAULT_ENCODING, workers=Workers(0)))
    tally = MacroTally()
    for file in files:
        language = language_for(file.path, file.source)
        items = items_in_macros(file.text)
        found = asked.get(file.path, [])
        tally.unreadable += found is None
        if language is None or not (items or found):
            continue
        tally.files += 1
        levels = both_levels(file.source, language)
        texts = {
            level.value: SkeletonText(levels.at(level).text, levels.at(level).line_numbers, RUST.lexicon)
            for level in LEVELS
        }
        _count(tally, file, items, texts)
        if found:
            _count_syn(tally, file, found, items, texts)
        tally.zoomed += _zoomed(tally, folder, file, items, zoomer, language)
    return tally


def _count(tally: MacroTally, file: CorpusFile, items: Sequence[TokenItem], texts: Mapping[str, SkeletonText]) -> None:
    references = [reference_of(one.kind, one.name, one.line) for one in items]
    tally.macros.update(one.macro for one in items)
    tally.constants += sum(one.kind in CONSTANTS for one in items)
    tally.items += sum(one.kind not in CONSTANTS for one in items)
    for level, text in texts.items():
        for one, verdict in zip(items, judge(references, file.text, text, RUST.lexicon), strict=True):
            is_constant = one.kind in CONSTANTS
            if is_constant and level != LEVELS[0].value:
                continue
            if not verdict.reason:
                tally.constants_shown += is_constant
                tally.shown[level] += not is_constant
                continue
            is_marked = any(
                one.call <= number <= one.line and _MARK.search(line)
                for number, line in zip(text.numbers, text.lines, strict=False)
            )
            tally.silent += not is_marked
            how = "counted" if is_marked else "silent"
            tally.misses.append(f"{level} {how}: {file.path}:{one.line}: {one.kind} {one.name} in {one.macro}!")


def _count_syn(
    tally: MacroTally,
    file: CorpusFile,
    found: Sequence[tuple[str, str, int]],
    items: Sequence[TokenItem],
    texts: Mapping[str, SkeletonText],
) -> None:
    named = [one for one in found if one[0] not in CONSTANTS]
    tally.syn += len(named)
    ours = {(one.name, one.line) for one in items}
    tally.only_syn += sum((name, line) not in ours for _, name, line in named)
    theirs = {(name, line) for _, name, line in found}
    tally.only_tokens += sum((one.name, one.line) not in theirs for one in items if one.kind not in CONSTANTS)
    references = [reference_of(*one) for one in named]
    for level, text in texts.items():
        for (kind, name, line), verdict in zip(named, judge(references, file.text, text, RUST.lexicon), strict=True):
            tally.syn_shown[level] += not verdict.reason
            if verdict.reason:
                tally.misses.append(f"{level} of syn: {file.path}:{line}: {kind} {name}")


def _zoomed(
    tally: MacroTally, folder: Path, file: CorpusFile, items: Sequence[TokenItem], zoomer: Zoomer, language: Language
) -> int:
    """Counts the items of a file that zoom gives with their text as the last of what it gives."""
    path = file.path.partition("/")[2]
    targets = _targets(file, path, language)
    given: dict[str, list[str]] = {}
    count = 0
    for one in items:
        if one.name not in given:
            given[one.name] = _texts_of(targets.get(one.name, ()), folder, zoomer)
        text = file.text[one.start : one.end]
        is_given = any(_ends_with(other, text) for other in given[one.name])
        count += is_given
        if not is_given:
            tally.misses.append(f"zoom: {file.path}:{one.line}: {one.kind} {one.name} in {one.macro}!")
    return count


def _ends_with(given: str, text: str) -> bool:
    """Tells whether a text is the last of what was given, a comment on its last line apart."""
    _, found, after = given.rpartition(text)
    return bool(found) and (not after.strip() or ("\n" not in after.strip() and after.lstrip().startswith("//")))


def _targets(file: CorpusFile, path: str, language: Language) -> Mapping[str, list[str]]:
    """The targets of the definitions of a file, by their names."""
    targets: dict[str, list[str]] = {}
    seen = Counter[str]()
    for one in every_definition(file.source, language):
        seen[one.path] += 1
        targets.setdefault(one.name, []).append(f"{path}::{one.path}~{seen[one.path]}")
    return targets


def _texts_of(targets: Sequence[str], folder: Path, zoomer: Zoomer) -> list[str]:
    """Returns the texts that zoom gives for each of some targets."""
    texts: list[str] = []
    for target in targets:
        try:
            texts += [match.text for match in zoomer.zoom(target, str(folder)).matches]
        except SymbolNotFoundError:
            continue
    return texts


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a git work tree")
    parser.add_argument("--syn", default="", help="the program built from rust_reading/; without it syn is not asked")
    parser.add_argument("--most", type=int, default=0, help="take at most so many files of a repository, evenly spread")
    parser.add_argument("--misses", action="store_true", help="list every fault")
    options = parser.parse_args(arguments)
    plus, bare = (level.value for level in LEVELS)
    rows: list[list[object]] = []
    tallies: list[MacroTally] = []
    try:
        for folder in options.folders:
            tally = measure(folder, options.syn, most=options.most)
            tallies.append(tally)
            every = tally.items + tally.constants
            rows.append(
                [folder.name, tally.files, tally.items, share(tally.shown[plus], tally.items),
                 share(tally.shown[bare], tally.items), tally.constants, share(tally.constants_shown, tally.constants),
                 share(tally.zoomed, every), tally.silent, tally.syn, share(tally.syn_shown[plus], tally.syn),
                 share(tally.syn_shown[bare], tally.syn), tally.only_tokens, tally.only_syn, tally.unreadable]
            )  # fmt: skip
    except CorpusError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(
        table(
            ["repository", "files", "items", "at L1", "at L2", "constants", "at L1 ", "zoomed", "silent", "of syn",
             "at L1  ", "at L2 ", "tokens only", "syn only", "not read"],
            rows,
        )
    )  # fmt: skip
    looked = sum((tally.macros for tally in tallies), Counter[str]())
    print("\nmacros: " + ", ".join(f"{name}! {count}" for name, count in looked.most_common(40)))
    if options.misses:
        for tally in tallies:
            print("\n".join(sorted(tally.misses)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
