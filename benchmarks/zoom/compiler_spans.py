"""The TypeScript compiler as the reference for the spans of definitions in JavaScript and TypeScript."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from benchmarks.skeletons.compiler_reading import KINDS, ask_compiler
from benchmarks.zoom.spans import Lines, Span

_SCRIPT = Path(__file__).with_name("typescript_spans.cjs")


class _Found(TypedDict):
    name: str
    kind: str
    container: list[str]
    local: bool
    start: int
    end: int


class _Answer(TypedDict):
    errors: int
    spans: list[_Found]


def compiler_spans(texts: Sequence[str], language: str, typescript: Path) -> list[list[Span] | str]:
    """Every definition of each text by position, or why there is none.

    Args:
        texts: the sources.
        language: of all of them.
        typescript: the folder of the npm package `typescript`.

    Raises:
        CompilerError: node or the package is missing, or the script failed.
    """
    requests = [json.dumps({"text": text, "kind": KINDS[language]}) + "\n" for text in texts]
    answers: list[_Answer] = [json.loads(line) for line in ask_compiler(_SCRIPT, requests, typescript)]
    return [_spans(text, answer, language) for text, answer in zip(texts, answers, strict=True)]


def _spans(text: str, answer: _Answer, language: str) -> list[Span] | str:
    if answer["errors"]:
        return f"{answer['errors']} syntax errors"
    lines = Lines(text, language, "javascript")
    units = text.encode("utf-16-le")

    def offset(unit: int) -> int:
        return unit if len(units) == 2 * len(text) else len(units[: 2 * unit].decode("utf-16-le"))

    return [
        replace(
            lines.span(offset(one["start"]), offset(one["end"]), one["name"], tuple(one["container"]), one["kind"]),
            local=one["local"],
        )
        for one in answer["spans"]
    ]
