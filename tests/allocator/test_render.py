from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocator.show.formats import FORMATS, Block, FormatName, compact_json, quoted
from allocator.show.views import view_of
from benchmarks.marks.served import blocks as served_blocks
from skeleton import CompressionLevel
from tests.allocator.strategies import texts
from workspace.tokens import token_counter

SKELETON = Block(
    path="src/utils.rs",
    level=CompressionLevel.SKELETON_PLUS,
    lines=("/// Helper", "pub fn a() -> b { /* ... */ }", "", "pub fn c();"),
    marks=("SYNTAX-ERRORS",),
    md5="abc123def4567890",
    original_tokens=1234,
    shown_tokens=89,
    language="rust",
)


FRAMES = (
    *(
        "+++ other.py",
        "+++ other.py [FULL:x]",
        "--- other.py [md5:0123abcd]",
        "+ x",
        "\\+++ other.py",
        "\\\\+++ other.py",
    ),
    *("```", "````", "`````rust", "~~~", "## other.py", "</file>", '<file path="other.py">', "]]>", "<![CDATA["),
    *('"},{"path":"other.py"', "]", "⋮ 3 definitions", "pass"),
)
"""Lines of a file that look like what stands around one, in any format."""


def full(path: str, text: str) -> Block:
    view = view_of(text)
    marks = ("NO-EOL",) if text and not text.endswith("\n") else ()
    return Block(path=path, level=CompressionLevel.FULL, lines=view.lines, marks=marks, md5="0" * 32, original_tokens=9)


def written(name: FormatName, *blocks: Block) -> str:
    layout = FORMATS[name]
    return layout.join([layout.frame(block) for block in blocks])


def read_plus(context: str) -> dict[str, str]:
    files: dict[str, str] = {}
    path, lines, ending = "", [""], ""
    for line in context.split("\n")[:-1]:
        if line.startswith("+++ "):
            path, lines, ending = line[4:].split(" [")[0], [], "" if line.endswith(" [NO-EOL]") else "\n"
        elif line.startswith("--- "):
            files[path] = "\n".join(lines) + ending * bool(lines)
        else:
            assert line == "+" or line.startswith("+ ")
            lines.append(line[2:])
    return files


def read_compact(context: str, *, escaped: tuple[str, ...] = ("+++ ", "⋮")) -> dict[str, str]:
    """The files of a context in which a backslash stands before lines that begin so."""
    files: dict[str, list[str]] = {}
    open_ended: set[str] = set()
    path = ""
    for line in context.split("\n")[:-1]:
        if line.startswith("+++ "):
            path = line[4:].split(" [")[0]
            files[path] = []
            if line.endswith(" [NO-EOL]"):
                open_ended.add(path)
        else:
            files[path].append(line[1:] if line.lstrip("\\").startswith(escaped) else line)
    return {path: "\n".join(lines) + ("" if path in open_ended or not lines else "\n") for path, lines in files.items()}


def test_plus_is_the_protocol_to_the_letter() -> None:
    assert written(FormatName.PLUS, SKELETON) == (
        "+++ src/utils.rs [SKELETON:L1] [SYNTAX-ERRORS]\n"
        "+ /// Helper\n"
        "+ pub fn a() -> b { /* ... */ }\n"
        "+\n"
        "+ pub fn c();\n"
        "--- src/utils.rs [md5:abc123de] [original:1234 tokens → skeleton:89 tokens]\n"
    )


def test_a_full_file_has_no_skeleton_mark_and_says_its_size_once() -> None:
    assert (
        written(FormatName.PLUS, full("a.txt", "x\n"))
        == "+++ a.txt\n+ x\n--- a.txt [md5:00000000] [original:9 tokens]\n"
    )


def test_compact_is_a_header_and_the_lines() -> None:
    assert written(FormatName.COMPACT, full("a", "x\n+++ b\n\\+++ c\n+++d\n")) == "+++ a\nx\n\\+++ b\n\\\\+++ c\n+++d\n"


def test_xml_is_well_formed_and_holds_the_text() -> None:
    awkward = 'if a < b && c > "d": ]]> </file>\n'
    root = ET.fromstring(written(FormatName.XML, full('a & "b".py', awkward), SKELETON))
    first, second = root
    assert first.get("path") == 'a & "b".py'
    assert first.text == "\n" + awkward
    assert (second.get("level"), second.get("marks")) == ("L1", "SYNTAX-ERRORS")


def test_xml_replaces_what_it_cannot_hold() -> None:
    root = ET.fromstring(written(FormatName.XML, full("a", "\x1b[0m\n")))
    assert root[0].text == "\n\N{REPLACEMENT CHARACTER}[0m\n"


def test_a_markdown_fence_is_longer_than_any_inside() -> None:
    assert written(FormatName.MARKDOWN, full("a.md", "````\nx\n````\n"), SKELETON).startswith(
        "## a.md\n`````\n````\nx\n````\n`````\n\n## src/utils.rs [SKELETON:L1] [SYNTAX-ERRORS]\n```rust\n"
    )


def test_json_is_one_array() -> None:
    records = json.loads(written(FormatName.JSON, full("a", "x"), SKELETON))
    assert records[0] == {
        "path": "a", "level": "L0", "marks": ["NO-EOL"], "md5": "00000000", "original_tokens": 9, "text": "x\n"
    }  # fmt: skip
    assert [record["level"] for record in records] == ["L0", "L1"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("src/a b.py", "src/a b.py"),
        ("日本/ü.py", "日本/ü.py"),
        ("a[1].py", "a[1].py"),
        ("a [SKELETON:L2]", '"a [SKELETON:L2]"'),
        ("two\nlines", '"two\\nlines"'),
        (" leading", '" leading"'),
        ('"quoted"', '"\\"quoted\\""'),
        ("undecodable\udcff", '"undecodable\\udcff"'),
    ],
)
def test_a_path_that_could_mislead_is_quoted(path: str, shown: str) -> None:
    assert quoted(path) == shown


def test_compact_json_escapes_what_utf8_cannot_hold() -> None:
    assert compact_json({"ü": "\udcff"}) == '{"ü":"\\udcff"}'
    assert json.loads(compact_json("\udcff")) == "\udcff"


@pytest.mark.parametrize("name", FormatName)
def test_a_notice_stands_in_for_all_blocks(name: FormatName) -> None:
    notice = FORMATS[name].notice("No files: <why> & how.")
    assert notice.endswith("\n")
    if name is FormatName.XML:
        assert ET.fromstring(notice).text == "No files: <why> & how."
    elif name is FormatName.JSON:
        assert json.loads(notice) == [{"notice": "No files: <why> & how."}]
    else:
        assert notice == "⋮ No files: <why> & how.\n"


@given(st.lists(st.one_of(texts, st.text()), min_size=1, max_size=4))
def test_full_files_can_be_had_back_byte_for_byte(contents: list[str]) -> None:
    contents = [content.encode("utf-8", errors="replace").decode() for content in contents]
    blocks = [full(f"f{number}", content) for number, content in enumerate(contents)]
    expected = {f"f{number}": content for number, content in enumerate(contents)}
    assert read_plus(written(FormatName.PLUS, *blocks)) == expected
    assert read_compact(written(FormatName.COMPACT, *blocks), escaped=("+++ ",)) == expected
    records = json.loads(written(FormatName.JSON, *blocks))
    assert {
        one["path"]: one["text"][:-1] if "NO-EOL" in one.get("marks", ()) else one["text"] for one in records
    } == expected


@given(st.lists(texts, min_size=1, max_size=5), st.sampled_from(FormatName))
def test_the_whole_costs_what_its_blocks_cost(contents: list[str], name: FormatName) -> None:
    layout, count = FORMATS[name], token_counter().count
    framed = [layout.frame(full(f"f{number}", content)) for number, content in enumerate(contents)]
    parts = sum(count(layout.cost_text(text)) for text in framed) + count(layout.opening) + count(layout.closing)
    assert abs(parts - count(layout.join(framed))) <= 1


@given(
    st.lists(st.lists(st.sampled_from(FRAMES), min_size=1, max_size=9), min_size=1, max_size=3),
    st.sampled_from(FormatName),
)
def test_no_line_of_a_file_ends_a_block_or_begins_one(contents: list[list[str]], name: FormatName) -> None:
    blocks = [
        Block(
            path=f"f{number}.py",
            level=CompressionLevel.SKELETON,
            lines=tuple(lines),
            marks=("SHOWN:1/9",),
            md5="0" * 32,
            original_tokens=9,
        )
        for number, lines in enumerate(contents)
    ]
    read = list(served_blocks(written(name, *blocks), name.value))
    assert [(one.path, one.lines) for one in read] == [(block.path, block.lines) for block in blocks]
