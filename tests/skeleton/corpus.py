"""Corpus files: one per language, cases of a source and what every level makes of it.

================ title of the case
source
---------------- L1
text
---------------- L2
text
---------------- definitions
class Config
method Config.load
function helper.inner (hidden)
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parents[1] / "corpus"
SECTIONS = ("L1", "L2", "definitions")
_TITLE = "=" * 16 + " "
_SECTION = "-" * 16 + " "


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One source and what is expected of it, by section."""

    language: str
    title: str
    source: str
    expected: dict[str, str]


def corpus_names() -> list[str]:
    return sorted(path.stem for path in CORPUS.glob("*.txt"))


def read_cases(language: str) -> list[Case]:
    cases: list[Case] = []
    text = (CORPUS / f"{language}.txt").read_text(encoding="utf-8")
    for block in ("\n" + text).split("\n" + _TITLE)[1:]:
        title, _, rest = block.partition("\n")
        source, *sections = ("\n" + rest).split("\n" + _SECTION)
        expected: dict[str, str] = {}
        for section in sections:
            name, _, body = section.partition("\n")
            expected[name.strip()] = body.strip("\n")
        cases.append(Case(language=language, title=title.strip(), source=source.strip("\n") + "\n", expected=expected))
    return cases


def write_cases(language: str, cases: list[Case]) -> None:
    blocks: list[str] = []
    for case in cases:
        parts = [f"{_TITLE}{case.title}\n{case.source.strip(chr(10))}"]
        parts.extend(f"{_SECTION}{name}\n{case.expected[name]}" for name in SECTIONS)
        blocks.append("\n".join(parts))
    (CORPUS / f"{language}.txt").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
