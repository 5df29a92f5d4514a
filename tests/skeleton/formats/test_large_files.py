"""Large files: an outline has a size of its own, whatever the size of the file."""

from __future__ import annotations

import json

import pytest

from skeleton.formats import format_of, reductions
from skeleton.formats.lines import size
from skeleton.levels import CompressionLevel

RECORDS = [
    {"id": number, "name": f"user {number}", "tags": ["a", "b"], "at": {"x": 1.5, "y": None}} for number in range(900)
]
NAMES = {f"a rather long key number {number}": f"value {number}" * 9 for number in range(900)}
TREES = {f"key{a}": {f"key{b}": {f"key{c}": [a, b, c] * 9 for c in range(9)} for b in range(9)} for a in range(40)}
LISTS = [[number, [str(number)] * 40] for number in range(500)]

FILES = {
    "records.json": json.dumps(RECORDS, indent=2),
    "records.jsonl": "\n".join(json.dumps(record) for record in RECORDS),
    "names.json": json.dumps(NAMES),
    "trees.json": json.dumps({"deep": TREES, **TREES}),
    "lists.json": json.dumps(LISTS),
    "names.yaml": "\n".join(f"{key}: {value}" for key, value in NAMES.items()),
    "trees.yaml": "\n".join(
        f"{a}:\n" + "\n".join(f"  {b}:\n    - x: 1\n      y: [a, b]\n    - text, with comma" for b in values)
        for a, values in TREES.items()
    ),
    "documents.yaml": "\n---\n".join(f"kind: Service\nspec: {json.dumps(TREES['key1'])}" for _ in range(40)),
    "tables.toml": "\n".join(
        f"[table{a}]\n" + "\n".join(f"{b} = {list(range(30))}" for b in values) for a, values in TREES.items()
    ),
    "names.toml": "\n".join(f'"{key}" = "{value}"' for key, value in NAMES.items()),
    "guide.md": "\n\n".join(
        f"## Section {number}\n\nA sentence about number {number}. Another." for number in range(900)
    ),
    "guide.rst": "\n\n".join(
        f"Section {number}\n-----------\n\nA sentence about it. Another." for number in range(900)
    ),
    "prose.md": "\n\n".join(f"A sentence about number {number}. Another." for number in range(900)),
    "records.xml": "<users>"
    + "".join(f"<user id='{n}'><name>n{n}</name><a><b><c>1</c></b></a></user>\n" for n in range(900))
    + "</users>",
    "wide.xml": "<w>"
    + "".join(
        f"<{a}>" + "".join(f"<{b} attribute='a b c'><x/>text</{b}>" for b in v) + f"</{a}>" for a, v in TREES.items()
    )
    + "</w>",
    "page.html": "\n".join(
        f"<h2>Heading {number}</h2>\n<p>A sentence.</p>\n<div id='d{number}'></div>" for number in range(900)
    ),
    "style.css": "\n".join(f".selector-{number} {{ color: red; --x-{number}: 1px }}" for number in range(900)),
    "wide.csv": "\n".join(",".join(f"column {column}" for column in range(200)) for _ in range(900)),
    "run.log": "\n".join(f"{number} INFO something happened" * 20 for number in range(900)),
    "cells.ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": ("code", "markdown")[n % 2], "source": f"# Cell {n}\na = {n}\nb = {n}\nc = {n}\nd = {n}"}
                for n in range(400)
            ]
        }
    ),
}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", FILES)
def test_an_outline_stays_small_and_does_not_change_when_it_is_made_again(name: str) -> None:
    text_format = format_of(name)
    assert text_format
    at_level = reductions(text_format, FILES[name].encode())
    for level, most in ((CompressionLevel.SKELETON_PLUS, 11_000), (CompressionLevel.SKELETON, 3_500)):
        reduction = at_level[level]
        assert reduction.level is level
        assert not reduction.fell_back
        assert 0 < size(reduction.lines) <= most
        text = "\n".join(line.text for line in reduction.lines)
        again = reductions(text_format, text.encode())[level]
        assert "\n".join(line.text for line in again.lines) == text
