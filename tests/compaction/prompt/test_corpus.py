"""Real-shaped documents, compressed with a compressor that keeps first sentences.

A file of the corpus belongs to one adapter. An entry is a title, a document, the trace and the result; an entry that is
not changed has no result. `--rewrite-corpus` writes traces and results anew: read the difference before you commit it.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from compaction.prompt.adapters import known_adapters
from compaction.prompt.adapting import adapt
from compaction.prompt.fences import find_fences
from tests.compaction.prompt.compressors import first_sentences

if TYPE_CHECKING:
    from collections.abc import Callable

CORPUS = Path(__file__).parent / "corpus"
TITLE, TRACE = "≡≡≡ ", "≡→ "
LEAST_ENTRIES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    title: str
    text: str
    trace: str
    result: str


def read(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    for part in path.read_bytes().decode("utf-8").split(TITLE)[1:]:
        title, _, rest = part.partition("\n")
        text, _, outcome = rest.partition(TRACE)
        trace, _, result = outcome.partition("\n")
        entries.append(Entry(title=title, text=written(text), trace=trace, result=written(result) or written(text)))
    return entries


def written(text: str) -> str:
    # An entry about line ends shows them; git may not be trusted with the real ones.
    return text.replace("\r\n", "\n").removesuffix("\n")


def source(entry: Entry) -> str:
    return entry.text.replace("\n", "\r\n") if "windows" in entry.title else entry.text


def entries() -> list[Any]:
    return [
        pytest.param(path.stem, entry, id=f"{path.stem}: {entry.title}")
        for path in sorted(CORPUS.glob("*.txt"))
        for entry in read(path)
    ]


def test_every_adapter_has_a_corpus(request: pytest.FixtureRequest) -> None:
    for adapter in known_adapters():
        path = CORPUS / f"{adapter.name}.txt"
        assert len(read(path)) >= LEAST_ENTRIES, path
        if request.config.getoption("--rewrite-corpus"):
            path.write_bytes("".join(rewritten(entry) for entry in read(path)).encode("utf-8"))


def rewritten(entry: Entry) -> str:
    made, trace = adapt(source(entry), first_sentences)
    result = "" if made == source(entry) else f"{written(made)}\n"
    return f"{TITLE}{entry.title}\n{entry.text}\n{TRACE}{', '.join(trace)}\n{result}"


@pytest.mark.parametrize(("name", "entry"), entries())
def test_a_document_is_compressed_as_the_corpus_shows(name: str, entry: Entry) -> None:
    made, trace = adapt(source(entry), first_sentences)
    assert (", ".join(trace), written(made)) == (entry.trace, entry.result)
    assert len(made) <= len(source(entry))
    assert "\r" not in made or made.count("\r") == made.count("\n")


def parsed_yaml(text: str) -> object:
    return list(yaml.safe_load_all(text))


def parsed_json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n")]


def parsed_csv(text: str) -> object:
    for delimiter in ",\t;|":
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            return rows
    raise AssertionError(text)


PARSERS: dict[str, Callable[[str], object]] = {
    "yaml": parsed_yaml,
    "json": parsed_json,
    "csv": parsed_csv,
    "xml": ET.fromstring,
}


@pytest.mark.parametrize(("name", "entry"), entries())
def test_what_was_compressed_still_parses(name: str, entry: Entry) -> None:
    made, trace = adapt(source(entry), first_sentences)
    if trace == (f"adapter:{name}",) and name in PARSERS:
        PARSERS[name](made)


@pytest.mark.parametrize(("name", "entry"), entries())
def test_fenced_code_is_still_there_byte_for_byte(name: str, entry: Entry) -> None:
    text = source(entry)
    made, _ = adapt(text, first_sentences)
    assert [made[slice(*span)] for span in find_fences(made).all] == [
        text[slice(*span)] for span in find_fences(text).all
    ]
