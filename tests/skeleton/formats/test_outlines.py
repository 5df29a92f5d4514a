"""Files and their outlines, kept in `corpus/*.txt`; `--rewrite-corpus` writes what comes out, to be read in review.

================ file name
source
---------------- L1
true line number and text of every line
---------------- L2
the same
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from skeleton.formats import Reduction, format_of, reductions
from skeleton.levels import CompressionLevel

CORPUS = Path(__file__).parent / "corpus"
LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
TITLE = "=" * 16 + " "
SECTION = "-" * 16 + " "


class Case(NamedTuple):
    name: str
    source: str
    outlines: dict[str, str]


def read_cases(path: Path) -> list[Case]:
    cases: list[Case] = []
    for block in ("\n" + path.read_text(encoding="utf-8")).split("\n" + TITLE)[1:]:
        name, _, rest = block.partition("\n")
        source, *sections = rest.split("\n" + SECTION)
        cases.append(Case(name, source + "\n", dict(section.split("\n", 1) for section in sections)))
    return cases


def shown(reduction: Reduction) -> str:
    head = [f"(falls back to {reduction.level})"] if reduction.fell_back else []
    head += [] if reduction.level in LEVELS else ["(as it is)"]
    lines = [] if head == ["(as it is)"] else [f"{line.number:>4} {line.text}".rstrip() for line in reduction.lines]
    return "\n".join([*head, *lines])


def outlined(case: Case) -> Case:
    text_format = format_of(case.name)
    assert text_format
    at_level = reductions(text_format, case.source.encode())
    return Case(case.name, case.source, {level.value: shown(at_level[level]) for level in LEVELS})


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_file_is_outlined_as_it_is_written_in_the_corpus(path: Path, request: pytest.FixtureRequest) -> None:
    cases = read_cases(path)
    assert cases
    outlines = [outlined(case) for case in cases]
    if request.config.getoption("--rewrite-corpus"):
        blocks = [
            f"{TITLE}{case.name}\n{case.source}"
            + "\n".join(f"{SECTION}{name}\n{text}" for name, text in case.outlines.items())
            for case in outlines
        ]
        path.write_text("\n".join(blocks) + "\n", encoding="utf-8")
    for case, outline in zip(cases, outlines, strict=True):
        assert {name: text.rstrip("\n") for name, text in case.outlines.items()} == outline.outlines
