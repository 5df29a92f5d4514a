"""Adapters, one case after another: what they refuse, what they leave, how one is chosen for a text."""

from __future__ import annotations

import csv
import io
import json
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from benchmarks.compression.hostile import HOSTILE
from compaction.prompt import adapters
from compaction.prompt.adapters import (
    AsciiDocAdapter,
    CodeAdapter,
    CsvAdapter,
    DiffAdapter,
    FormatAdapter,
    JsonAdapter,
    MarkdownAdapter,
    NotThisFormatError,
    StructuredOutputAdapter,
    XmlAdapter,
    YamlAdapter,
    known_adapters,
    named_adapters,
)
from compaction.prompt.adapting import adapt
from compaction.prose.kinds import DETECTED_CHARACTERS, is_prose
from tests.compaction.prompt.compressors import first_sentences
from tests.compaction.prompt.test_corpus import CORPUS, read
from tests.thoroughness import share_of
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_takes_no_more_than_its_length(kind: str) -> None:
    # Anything that grows with the square of this size would run for hours.
    from compaction.prompt.markers import split_blocks

    text = HOSTILE[kind](share_of(400_000))
    made, _ = adapt(text, first_sentences)
    assert len(made) <= len(text)
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


def test_a_string_of_json_may_be_longer_than_any_step_of_a_search() -> None:
    long = 'It says "yes" here, and it goes on. ' * 9_000
    other = "A sentence that is long enough to be shortened stands behind it. More of it."
    text = json.dumps([{"a": long}, other])
    made, trace = adapt(text, first_sentences, [JsonAdapter()])
    assert trace == ("adapter:json",)
    assert json.loads(made)[0]["a"] == 'It says "yes" here, and it goes on.'


def test_the_first_adapter_that_detects_a_text_takes_it() -> None:
    text = "# a\n\n" + "Words of the first section, which are many. More.\n\n" * 5 + "# b\n\nx"
    assert adapt(text, first_sentences, [MarkdownAdapter(), CodeAdapter()])[1] == ("adapter:markdown",)
    fenced = "```\nx\n```\n" + text
    assert adapt(fenced, first_sentences, [CodeAdapter(), MarkdownAdapter()], keep_fences=False)[1] == ("adapter:code",)


def test_fences_inside_a_diff_or_a_block_of_yaml_are_content() -> None:
    context = "".join(f" line {n}\n" for n in range(8))
    diff = f"--- a/x.md\n+++ b/x.md\n@@ -1,12 +1,12 @@\n ```\n{context}-old\n+new\n ```\n one. two.\n"
    made, trace = adapt(diff, first_sentences)
    assert trace == ("adapter:diff",)
    assert "-old\n+new\n" in made
    block = "name: form\nkind: issue\nbody: |\n  Tell us. What is it about?\n\n  ```py\n  run(it)\n  ```\nabout: "
    long = "This sentence is long enough to be summarised by the adapter of YAML. That is all that it is for."
    made, trace = adapt(block + long, first_sentences)
    assert trace == ("adapter:yaml",)
    assert "  ```py\n  run(it)\n  ```\n# about" in made
    listed = "- First. More of it.\n  ```sh\n  ls\n  ```\n- Then. More of it."
    assert adapt(listed, first_sentences)[1] == ("prose", "fence", "prose")


def test_what_is_nearly_a_format_of_keys_is_kept_like_code() -> None:
    template = "kind: {{ kind }}\nspec:\n  name: {{ name }}\n  replicas: {{ n }}\n  on:\n    a: b\n    c: d\n    e: f\n"
    assert adapt(template, first_sentences)[0] == template
    commented = '{\n  // the compiler\n  "a": 1,\n  "b": true,\n  "c": "x",\n  "d": [1]\n}'
    made, trace = adapt(commented, first_sentences)
    assert (made, trace[-1]) == (commented, "code")


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
        *(StructuredOutputAdapter, YamlAdapter, AsciiDocAdapter, MarkdownAdapter, CodeAdapter),
    ]
    assert CodeAdapter not in [type(adapter) for adapter in known_adapters(keep_fences=False)]
    names = [adapter.name for adapter in known_adapters()]
    assert len(set(names)) == len(names)
    assert all(isinstance(adapter, FormatAdapter) for adapter in known_adapters())
    assert all(one != other for one, other in pairwise(names))


def test_adapters_are_found_by_name() -> None:
    assert [type(adapter) for adapter in named_adapters(["yaml", "json"])] == [YamlAdapter, JsonAdapter]
    assert named_adapters(["code"], keep_fences=False) == ()
    with pytest.raises(InvalidArgumentError, match="There is no adapter 'toml'; there are asciidoc, code, csv, diff"):
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
