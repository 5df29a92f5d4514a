"""The promises of adapters for every document: nothing but prose is lost, and the rest still is what it was."""

from __future__ import annotations

import csv
import difflib
import io
import json
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from compaction.prompt.adapters import (
    CsvAdapter,
    DiffAdapter,
    JsonAdapter,
    NotThisFormatError,
    PlacingAdapter,
    XmlAdapter,
    YamlAdapter,
    known_adapters,
)
from compaction.prompt.adapting import adapt
from compaction.prose.kinds import is_prose
from tests.compaction.prompt.compressors import first_sentences, unchanged

if TYPE_CHECKING:
    pass

SENTENCES = st.sampled_from(
    [
        "The lock is held in the database, which is the only place that all of them can see. Do not move it.",
        "Wer das Gerät sucht, fragt am besten den Hausmeister, der im zweiten Stock wohnt. Er hat den Schlüssel.",
        'It\'s the "first" of many; see [the others] for more -- and <more> & more of them, too. Never again: no.',
        "数据库将于星期六凌晨两点至四点进行例行维护，期间所有写入操作都会被拒绝，读取操作仍然可以正常使用。请提前保存好自己的工作。",
    ]
)
ATOMS = st.sampled_from(
    ["nginx:1.25", "true", "8080", "", "a b", "npm run build && npm test -- --watch=false --coverage x"]
)
NAMES = st.sampled_from(["name", "image", "port", "note", "about", "x-1", "größe"])
TREES = st.recursive(
    st.one_of(ATOMS, SENTENCES, st.integers(0, 99), st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


def no_longer(text: str, made: str) -> None:
    assert len(made) <= len(text)


def same_but_prose(before: Any, after: Any, *, may_go: bool) -> None:
    """Every key, item and value is still there, but for prose, which may be shorter, or gone where that is allowed."""
    if isinstance(before, dict) and isinstance(after, dict):
        old, new = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
        for key, value in old.items():
            if key in new:
                same_but_prose(value, new[key], may_go=may_go)
            else:
                assert may_go
                assert is_prose(str(value))
        assert set(new) <= set(old)
    elif isinstance(before, list) and isinstance(after, list):
        for one, other in zip(cast("list[Any]", before), cast("list[Any]", after), strict=True):
            same_but_prose(one, other, may_go=may_go)
    elif not (isinstance(before, str) and is_prose(before)):
        assert before == after


@pytest.mark.no_cover
@settings(max_examples=120, deadline=None)
@given(
    st.dictionaries(NAMES, TREES, min_size=3, max_size=5),
    st.sampled_from([None, True, False]),
    st.sampled_from([40, 80, 1000]),
    st.booleans(),
)
def test_yaml_loses_nothing_but_prose(tree: Any, flow: bool | None, width: int, is_unicode: bool) -> None:
    text = yaml.safe_dump(tree, default_flow_style=flow, width=width, allow_unicode=is_unicode)
    made, _ = adapt(text, first_sentences, [YamlAdapter()])
    if not YamlAdapter().detect(text.strip()):
        return
    no_longer(text, made)
    same_but_prose(tree, yaml.safe_load(made), may_go=True)


@settings(max_examples=100, deadline=None)
@given(TREES, st.sampled_from([None, 2]), st.booleans())
def test_json_loses_nothing_at_all_and_its_prose_gets_shorter(tree: Any, indent: int | None, is_ascii: bool) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=is_ascii)
    made, _ = adapt(text, first_sentences, [JsonAdapter()])
    no_longer(text, made)
    if JsonAdapter().detect(text):
        same_but_prose(tree, json.loads(made), may_go=False)


def element(name: str, attributes: dict[str, str], text: str, inner: list[ET.Element]) -> ET.Element:
    made = ET.Element(name, attributes)
    made.text = text
    made.extend(inner)
    return made


TAGS = st.sampled_from(["project", "description", "version", "größe"])
ELEMENTS = st.recursive(
    st.builds(element, TAGS, st.dictionaries(NAMES, ATOMS, max_size=2), st.one_of(ATOMS, SENTENCES), st.just([])),
    lambda inner: st.builds(
        element, TAGS, st.just({}), st.sampled_from(["", "\n  "]), st.lists(inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(ELEMENTS, st.sampled_from(["", '<?xml version="1.0" encoding="ISO-8859-1"?>\n']))
def test_xml_keeps_its_elements_its_attributes_and_its_short_texts(root: ET.Element, declaration: str) -> None:
    text = declaration + ET.tostring(root, encoding="unicode", short_empty_elements=False)
    made, trace = adapt(text, first_sentences, [XmlAdapter()])
    no_longer(text, made)
    assert trace[0].endswith(":xml")
    parsed = ET.fromstring(made.encode("latin-1", "xmlcharrefreplace") if declaration else made)
    for before, after in zip(root.iter(), parsed.iter(), strict=True):
        assert (before.tag, before.attrib) == (after.tag, after.attrib)
        assert after.text in {before.text, before.text or None, "[…]"} or (after.text or "").strip() == "[…]"
        assert after.text != "[…]" or is_prose(before.text or "", characters=100)


ROWS = st.lists(st.lists(st.one_of(ATOMS, SENTENCES), min_size=3, max_size=3), min_size=2, max_size=5)


@settings(max_examples=100, deadline=None)
@given(ROWS, st.sampled_from(",;|\t"), st.sampled_from(["\n", "\r\n"]), st.sampled_from([0, 1]))
def test_csv_keeps_every_row_and_every_cell(rows: list[list[str]], delimiter: str, end: str, quoting: Any) -> None:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows([["id", "a", "b"], *rows])
    text = written.getvalue()
    made, trace = adapt(text, first_sentences, [CsvAdapter()])
    no_longer(text, made)
    if trace == ("adapter:csv",):
        after = list(csv.reader(io.StringIO(made, newline=""), delimiter=delimiter, strict=True))
        same_but_prose([["id", "a", "b"], *rows], after, may_go=False)


LINES = st.lists(st.sampled_from(["alpha", "beta", "--- a", "+++ b", "@@ -1 +1 @@", "", "\tx = 1", "end"]), max_size=25)


@settings(max_examples=100, deadline=None)
@given(LINES, LINES, st.integers(0, 6))
def test_a_diff_keeps_every_header_and_every_changed_line(old: list[str], new: list[str], context: int) -> None:
    lines = list(difflib.unified_diff(old, new, "a/x", "b/x", lineterm="", n=context))
    text = "\n".join(lines)
    made, _ = adapt(text, first_sentences, [DiffAdapter()])
    no_longer(text, made)
    if DiffAdapter().detect(text):
        kept = [line for line in lines if not line.startswith(" ")]
        left = [line for line in made.split("\n") if not line.startswith(" ")]
        assert left == kept


BLOCKS = st.lists(
    st.one_of(
        SENTENCES,
        st.sampled_from(
            ["# One", "## Two", "Three\n===", "| a | b |\n|---|---|\n| 1 | 2 |", "    code = 1", "- item one. And two.",
             "```\nx. y. z.\n```", "---", "[l]: http://x", "<br>", "1. first item of the list. It goes on and on."]
        ),
    ),
    max_size=10,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(BLOCKS)
def test_markdown_keeps_headings_tables_and_code_in_their_order(blocks: list[str]) -> None:
    text = "\n\n".join(blocks)
    made, trace = adapt(text, first_sentences)
    no_longer(text, made)
    if "prose" in trace or "adapter:yaml" in trace:  # fewer than 200 characters around the code, or fewer headings
        return
    kept = [block for block in blocks if block.startswith(("#", "|", "```", "Three", "[l]"))]
    places = [made.find(block) for block in kept]
    assert -1 not in places
    position = 0
    for block in kept:
        position = made.index(block, position) + len(block)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab .:-#|<>/\"'`~{}[],;\n\t\r\\&!@+*1é中\ud83d", max_size=200))
def test_no_text_breaks_an_adapter_or_gets_longer(text: str) -> None:
    for compress in (first_sentences, unchanged):
        no_longer(text, adapt(text, compress)[0])
    for adapter in known_adapters():
        try:
            pieces = adapter.extract_compressible(text)
            assert isinstance(adapter, PlacingAdapter)
            made = adapter.place(text, pieces)
            kept = adapter.extract_preserved(text)
        except NotThisFormatError:
            continue
        assert len(made) <= len(text) or adapter.name == "xml"
        assert isinstance(adapter.reconstruct(kept, "x"), str)
