"""Compares what the patterns of languages find, line by line, with the outlines that parsers give.

    python -m benchmarks.skeletons.sketches FOLDER [FOLDER …] [--missing 20]

For every language with such patterns: definitions of the outlines, which part of them is found at the same name, how
many are found besides (of those of the outlines), for which part of those found the end, the container, the beginning
and the end of the signature are the same, and the processor time of all sketches as a part of that of all outlines.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from skeleton.languages.queries import Language
from skeleton.languages.sketches import sketch_patterns
from skeleton.recognition import language_of
from skeleton.skeletonizer import definitions_of
from skeleton.sketch.sketching import sketch_of
from workspace.files.reading import read_file
from workspace.files.scan import scan
from workspace.model import Problem
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.outline.definitions import Definition

COMPARED = ("end", "container", "start", "body")
LARGEST = 300_000
"""Bytes of a file that is compared."""


def sources(folder: Path) -> Iterator[tuple[str, bytes, Language]]:
    """Gives the source files of a folder whose languages have patterns."""
    roots = Roots([folder])
    for file in scan(folder, roots=roots).files:
        read = read_file(file, roots=roots)
        if isinstance(read, Problem) or len(read.source) > LARGEST:
            continue
        language = language_of(file.path, read.source)
        if isinstance(language, Language) and sketch_patterns(language.name) is not None:
            yield file.path, read.source, language


def differences(
    sketch: Sequence[Definition], outline: Sequence[Definition]
) -> tuple[list[Definition], list[Definition], Counter[str]]:
    """Returns what is missing in a sketch, what it has besides, and how often each place is the same."""
    found = {one.name_start: one for one in sketch}
    real = {one.name_start: one for one in outline}
    same: Counter[str] = Counter()
    for at in found.keys() & real.keys():
        same.update(name for name in COMPARED if getattr(found[at], name) == getattr(real[at], name))
    missing = [one for at, one in real.items() if at not in found]
    return missing, [one for at, one in found.items() if at not in real], same


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="repositories")
    parser.add_argument("--missing", type=int, default=0, metavar="N", help="name so many of each that differ")
    parser.add_argument("--language", default="", help="this language alone")
    asked = parser.parse_args(arguments)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for folder in asked.folders:
        for path, source, language in sources(folder):
            patterns = sketch_patterns(language.name)
            if patterns is None or (asked.language and language.name != asked.language):
                continue
            began = time.process_time()
            sketch = sketch_of(source, patterns)
            between = time.process_time()
            outline = definitions_of(source, language)
            seconds[language.name][0] += between - began
            seconds[language.name][1] += time.process_time() - between
            missing, extra, same = differences(sketch, outline)
            count = counts[language.name]
            count.update(same)
            count.update(outline=len(outline), missing=len(missing), extra=len(extra), bytes=len(source), files=1)
            for word, listed in (("missing", missing), ("extra", extra)):
                for one in listed[: max(0, asked.missing - count[f"named {word}"])]:
                    count[f"named {word}"] += 1
                    line = source.count(b"\n", 0, one.name_start) + 1
                    print(f"{word} {path}:{line} {one.kind} {one.path}")
    print("| language | files | MB | definitions | found | besides | end | container | start | body | time |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, count in sorted(counts.items()):
        all_of, found = max(1, count["outline"]), max(1, count["outline"] - count["missing"])
        cells = " | ".join(f"{count[place] / found:.3f}" for place in COMPARED)
        print(
            f"| {name} | {count['files']} | {count['bytes'] / 1e6:.1f} | {count['outline']} | {found / all_of:.3f} |"
            f" {count['extra'] / all_of:.3f} | {cells} | {seconds[name][0] / max(1e-9, seconds[name][1]):.2f} |"
        )


if __name__ == "__main__":
    main()
