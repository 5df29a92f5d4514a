"""What must be true of adapters for every document: nothing but prose is lost, and the rest still is what it was."""

from __future__ import annotations

import csv
import difflib
import io
import json
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.compression.hostile import HOSTILE
from compaction.prompt import adapters
from compaction.prompt.adapters import (
    CodeAdapter,
    CsvAdapter,
    DiffAdapter,
    FormatAdapter,
    JsonAdapter,
    MarkdownAdapter,
    NotThisFormatError,
    PlacingAdapter,
    StructuredOutputAdapter,
    XmlAdapter,
    YamlAdapter,
    known_adapters,
    named_adapters,
)
from compaction.prompt.adapters.base import DETECTED_CHARACTERS, is_prose
from compaction.prompt.adapting import adapt
from tests.compaction.prompt.compressors import first_sentences, unchanged
from tests.compaction.prompt.test_corpus import CORPUS, read
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_takes_no_more_than_its_length(kind: str) -> None:
    # Anything that grows with the square of this size would run for hours.
    from compaction.prompt.markers import split_blocks

    text = HOSTILE[kind](400_000)
    made, _ = adapt(text, first_sentences)
    no_longer(text, made)
    split_blocks(text)


def test_detection_looks_at_the_first_pages_alone() -> None:
    page = "key: value\n" * (DETECTED_CHARACTERS // 11 + 1)
    adapter = YamlAdapter()
    assert adapter.detect(page + "{{{{" * DETECTED_CHARACTERS)
    assert not adapter.detect("x" * DETECTED_CHARACTERS + "\n" + page)


def test_xml_never_opens_another_file(tmp_path: Any) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    prose = "This text is long enough to be compressed by the adapter if only it were taken. It must not be taken."
    for declaration in (
        f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        f'<!DOCTYPE a [<!ENTITY % x SYSTEM "{secret.as_uri()}"> %x;]>',
    ):
        text = f"{declaration}<a><b>&x; {prose}</b></a>"
        with pytest.raises(NotThisFormatError, match="entities"):
            XmlAdapter().extract_compressible(text)
    text = f'<!DOCTYPE a SYSTEM "{secret.as_uri()}"><a><b>{prose}</b></a>'
    assert XmlAdapter().extract_compressible(text) == [prose]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a short one", False),
        ("This is a sentence that is written for people.", True),
        ("npm run build and then run tests again --coverage", False),
        ("12 34 56 78 90 12 34 56", False),
        ("/usr/bin /usr/lib /etc/ssl /var/log /opt/x /srv", False),
        ("if (a) { return the value of the other one; }", False),
        ("数据库将于星期六凌晨两点至四点进行例行维护", True),
        ("", False),
    ],
)
def test_prose_is_what_is_written_for_people(text: str, expected: bool) -> None:
    assert is_prose(text) is expected


def parsed_rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), strict=True))


PROGRAM = """# Reads the settings. They are in a file that the other program has written for us.
import os

# The limit must never be raised above ten, whatever the people from sales may say about it.
LIMIT = 10


def load(path: str) -> dict[str, str]:
    \"\"\"Reads every value of the file. A value is a string, whatever it may look like.\"\"\"
    values = {}
    for line in open(path):
        key, _, value = line.partition("=")
        values[key.strip()] = value.strip()
    return values
"""


def test_a_program_without_a_fence_stays_as_it_is() -> None:
    assert adapt(PROGRAM, first_sentences) == (PROGRAM, ("code",))
    assert adapt(PROGRAM, first_sentences, keep_fences=False)[0] != PROGRAM
    talk = "We call load(path) here.\n\nIt reads all of the settings.\nThen we go on to the next of them.\nThat is all."
    assert adapt(talk, first_sentences)[1] == ("prose",)


def test_what_an_adapter_keeps_and_a_summary_make_a_document() -> None:
    parsers: dict[str, Callable[[str], object]] = {
        "xml": ET.fromstring,
        "yaml": lambda made: list(yaml.safe_load_all(made)),
    }
    for path in sorted(CORPUS.glob("*.txt")):
        adapter = named_adapters([path.stem])[0]
        for entry in read(path):
            try:
                pieces = adapter.extract_compressible(entry.text)
                made = adapter.reconstruct(adapter.extract_preserved(entry.text), "a few -- words")
            except NotThisFormatError:
                continue
            assert "words" in made
            assert adapter.reconstruct(adapter.extract_preserved(entry.text), "").count("few -- words") == 0
            if pieces and path.stem in parsers:
                parsers[path.stem](made)


@pytest.mark.parametrize(
    ("adapter", "text"),
    [
        (YamlAdapter(), "\ufeffa: 1\nb: 2\nc: 3\nd: 4"),
        (YamlAdapter(), "a: 1\nb: 2\nc: 3\nd: " + "[" * 200 + "]" * 200),
        (YamlAdapter(), "just a scalar"),
        (YamlAdapter(), "*alias"),
        (XmlAdapter(), "<a>\ud83d</a>"),
        (CsvAdapter(), "a,b\n1,2\n3,4,5\n"),
        (CsvAdapter(), 'a,b\n1,"2\n3,4\n5,6\n'),
        (CsvAdapter(), "a,b\n\n1,2\n"),
        (CsvAdapter(), "a\nb\nc\n"),
        (DiffAdapter(), "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\nnone\n b\n"),
        (JsonAdapter(), '{"a": 1}\n{"b": '),
        (JsonAdapter(), "[" * 100_000),
    ],
)
def test_what_only_looks_like_a_format_is_refused(adapter: FormatAdapter, text: str) -> None:
    with pytest.raises(NotThisFormatError):
        adapter.extract_compressible(text)


def test_blocks_of_yaml_that_cannot_be_replaced_stay() -> None:
    prose = "This block is long enough to be compressed if only it could be told where it begins and ends in the file."
    for text in (f"a: 1\nb: 2\nc: 3\nd: |2\n   {prose}\n", f"a: 1\nb: 2\nc: 3\nd: &x |\n  {prose}\ne: *x\n"):
        assert adapt(text, first_sentences, [YamlAdapter()])[0] == text


class Fickle:
    """An adapter that finds out too late."""

    name = "fickle"

    def detect(self, content: str) -> bool:
        return bool(content)

    def extract_preserved(self, content: str) -> list[str]:
        raise NotThisFormatError(content)

    def extract_compressible(self, content: str) -> list[str]:
        return [content]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        return "".join((*preserved, summary))


def test_an_adapter_that_gives_up_while_it_writes_leaves_the_text() -> None:
    assert adapt("Some words. More words.", first_sentences, [Fickle()]) == (
        "Some words. More words.",
        ("adapter_reverted:fickle",),
    )


def test_summaries_that_would_break_the_format_are_written_so_that_they_do_not() -> None:
    rude = ['--> ]]> "quoted", \\ # </a> -- x', ""]
    prose = (
        "This sentence is long enough to be taken by each of the adapters that there are in this house. It really is."
    )
    written: list[tuple[FormatAdapter, str, Callable[[str], object]]] = [
        (XmlAdapter(), f"<a><b>{prose} {prose}</b></a>", ET.fromstring),
        (YamlAdapter(), f"a: 1\nb: 2\nc: 3\nd: {prose}", yaml.safe_load),
        (YamlAdapter(), f"a: 1\nb: 2\nc: 3\nd: |\n  {prose}\n  {prose}\n", yaml.safe_load),
        (JsonAdapter(), json.dumps({"a": prose}), json.loads),
        (CsvAdapter(), f"a,b\n1,{prose}\n2,x\n", parsed_rows),
    ]
    for adapter, text, parse in written:
        for answer in rude:

            def say(texts: Any, answer: str = answer) -> list[str]:
                return [answer] * len(texts)

            made, trace = adapt(text, say, [adapter])
            assert trace == (f"adapter:{adapter.name}",)
            assert parse(made)


def test_the_first_adapter_that_detects_a_text_takes_it() -> None:
    text = "# a\n\n" + "Words of the first section, which are many. More.\n\n" * 5 + "# b\n\nx"
    assert adapt(text, first_sentences, [MarkdownAdapter(), CodeAdapter()])[1] == ("adapter:markdown",)
    fenced = "```\nx\n```\n" + text
    assert adapt(fenced, first_sentences, [CodeAdapter(), MarkdownAdapter()], keep_fences=False)[1] == ("adapter:code",)


def test_without_fences_kept_their_code_is_prose_like_any_other() -> None:
    text = "```\nOne sentence of the code. And another one of it.\n```\nProse after it. More prose after it."
    assert adapt(text, first_sentences, keep_fences=False) == ("```\nOne sentence of the code.", ("prose",))
    markdown = "# a\n\n" + text + "\n\n# b\n\n" + "Words and words and words. " * 6
    made, trace = adapt(markdown, first_sentences, keep_fences=False)
    assert trace == ("adapter:markdown",)
    assert "another one" not in made
    direct = MarkdownAdapter()
    assert "another one" in direct.place(markdown, first_sentences(direct.extract_compressible(markdown)))


def test_marked_text_between_and_around_fences_stays() -> None:
    marked = "<compressed>Few words.\n```\ncode\n```\nMore.</compressed>"
    text = f"A sentence here. Another.\n{marked}\nA sentence there. Another.\n```\nopen fence\n<compressed>x</compressed>\nrest"
    made, trace = adapt(text, first_sentences)
    assert made == f"A sentence here.\n{marked}\nA sentence there.\n```\nopen fence\n<compressed>x</compressed>\nrest"
    assert trace == ("prose", "marked", "prose", "fence", "marked", "fence")


def test_a_compressor_that_loses_a_text_is_told_so() -> None:
    def lose(texts: Any) -> list[str]:
        return []

    with pytest.raises(ValueError, match="1 texts were to be compressed, 0 came back"):
        adapt("Some words here.", lose)


def test_the_order_of_the_adapters_is_fixed() -> None:
    built_in = [type(adapter) for adapter in known_adapters()]
    assert built_in == [
        *(JsonAdapter, XmlAdapter, DiffAdapter, CsvAdapter),
        *(StructuredOutputAdapter, YamlAdapter, MarkdownAdapter, CodeAdapter),
    ]
    assert CodeAdapter not in [type(adapter) for adapter in known_adapters(keep_fences=False)]
    names = [adapter.name for adapter in known_adapters()]
    assert len(set(names)) == len(names)
    assert all(isinstance(adapter, FormatAdapter) for adapter in known_adapters())
    assert all(one != other for one, other in pairwise(names))


def test_adapters_are_found_by_name() -> None:
    assert [type(adapter) for adapter in named_adapters(["yaml", "json"])] == [YamlAdapter, JsonAdapter]
    assert named_adapters(["code"], keep_fences=False) == ()
    with pytest.raises(InvalidArgumentError, match="There is no adapter 'toml'; there are code, csv, diff"):
        named_adapters(["toml"])


PLUGIN = """
class Shouting:
    name = "shouting"
    def detect(self, content): return content.isupper()
    def extract_preserved(self, content): return ["LOUD"]
    def extract_compressible(self, content): return []
    def reconstruct(self, preserved, summary): return preserved[0] + summary
ready = Shouting()
broken = "nothing"
"""


def test_adapters_of_other_packages_are_asked_first_and_broken_ones_left_out(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "shouting_plugin.py").write_text(PLUGIN, encoding="utf-8")
    folder = tmp_path / "shouting_plugin-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting-plugin\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(
        f"[{adapters.ENTRY_POINTS}]\na = shouting_plugin:Shouting\nb = shouting_plugin:broken\n"
        "c = shouting_plugin:missing\nd = shouting_plugin:ready\ne = no_such_plugin:x\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    adapters.installed_adapters.cache_clear()
    try:
        assert [adapter.name for adapter in known_adapters()][:3] == ["shouting", "shouting", "json"]
        assert adapt("THIS IS LOUD", first_sentences) == ("LOUD", ("adapter:shouting",))
        assert [record.args[0] for record in caplog.records if isinstance(record.args, tuple)] == ["b", "c", "e"]
    finally:
        adapters.installed_adapters.cache_clear()
