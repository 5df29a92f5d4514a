r"""Our readers of text formats beside well-kept libraries: `python -m benchmarks.libraries.formats --repos DIR`.

For every format: how long the whole outline at both levels takes us and how long the library alone takes to read the same
text, on real files of `--repos` and on texts made to hurt; how many real files the library refuses (ours refuses none);
and, for headings and keys, how often both see the same. A library that is not installed is said so and left out; any of

    markdown-it-py docutils ruamel.yaml lxml selectolax tinycss2

can be installed beside the project for this. Every reading runs in a process of its own, bounded in time and memory.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.libraries.measuring import Measured, measured
from benchmarks.skeletons.tables import table
from skeleton import CompressionLevel
from skeleton.formats import format_of, reductions

LARGEST = 1 << 19
"""Bytes of the largest real file that is read."""

Reader = Callable[[str], Any]


def ours(path: str) -> Reader:
    """Both outlines of a text, as a pack asks for them."""

    def read(text: str) -> int:
        form = format_of(path, text.encode())
        assert form is not None
        return sum(len(each.lines) for each in reductions(form, text.encode()).values())

    return read


def _markdown_it() -> Reader:
    parser = importlib.import_module("markdown_it").MarkdownIt("commonmark")
    return lambda text: [
        (token.map[0] + 1, int(token.tag[1:])) for token in parser.parse(text) if token.type == "heading_open"
    ]


def _docutils() -> Reader:
    core = importlib.import_module("docutils.core")
    quiet = {"report_level": 5, "halt_level": 6, "file_insertion_enabled": False, "raw_enabled": False}
    return lambda text: len(core.publish_doctree(text, settings_overrides=quiet).children)


def _ruamel() -> Reader:
    yaml = importlib.import_module("ruamel.yaml")

    def read(text: str) -> int:
        reader = yaml.YAML(typ="rt")
        return sum(1 for _ in reader.compose_all(text))

    return read


def _pyyaml() -> Reader:
    yaml: Any = importlib.import_module("yaml")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return lambda text: sum(1 for _ in yaml.compose_all(text, Loader=loader))


def _lxml(kind: str) -> Reader:
    etree = importlib.import_module("lxml.etree")
    if kind == "xml":
        return lambda text: etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False)).tag
    return lambda text: etree.fromstring(text.encode(), etree.HTMLParser()).tag


def _selectolax() -> Reader:
    parser = importlib.import_module("selectolax.lexbor").LexborHTMLParser
    return lambda text: len(parser(text).css("h1,h2,h3"))


def _tinycss2() -> Reader:
    css = importlib.import_module("tinycss2")
    return lambda text: len(css.parse_stylesheet(text))


LIBRARIES: Mapping[str, Mapping[str, Callable[[], Reader]]] = {
    "markdown": {"markdown-it-py": _markdown_it},
    "rst": {"docutils": _docutils},
    "json": {"json": lambda: lambda text: bool(json.loads(text))},
    "toml": {"tomllib": lambda: lambda text: bool(tomllib.loads(text))},
    "yaml": {"ruamel.yaml": _ruamel, "PyYAML (C)": _pyyaml},
    "xml": {"lxml": lambda: _lxml("xml")},
    "html": {"lxml": lambda: _lxml("html"), "selectolax": _selectolax},
    "css": {"tinycss2": _tinycss2},
}

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "markdown": (".md",),
    "rst": (".rst",),
    "json": (".json",),
    "toml": (".toml",),
    "yaml": (".yml", ".yaml"),
    "xml": (".xml", ".csproj", ".svg"),
    "html": (".html",),
    "css": (".css", ".scss"),
}

HOSTILE: Mapping[str, Mapping[str, str]] = {
    "markdown": {
        "20,000 block quotes deep": "> " * 20_000 + "x\n",
        "20,000 list items deep": "- " * 20_000 + "x\n",
        "50,000 open brackets": "[" * 50_000 + "\n",
        "50,000 backticks runs": " ".join("`" * (n % 300 + 1) for n in range(5_000)) + "\n",
        "930 KB of prose": ("# Title\n\n" + "word *emphasis* `code` [link](https://example.org) " * 9 + "\n\n") * 2_000,
    },
    "rst": {
        "20,000 open inline marks": "*a " * 20_000 + "\n",
        "5,000 nested lists": "".join("  " * n + "- x\n\n" for n in range(1_500)),
        "500 KB of prose": ("Title\n=====\n\n" + "word ``code`` *emphasis* " * 12 + "\n\n") * 1_500,
    },
    "json": {
        "100,000 arrays deep": "[" * 100_000 + "]" * 100_000,
        "1 MB of numbers": "[" + ",".join(map(str, range(160_000))) + "]",
    },
    "toml": {
        "20,000 arrays deep": "a = " + "[" * 20_000 + "]" * 20_000 + "\n",
        "20,000 dotted parts": "a" + ".a" * 20_000 + " = 1\n",
        "500 KB of tables": "".join(f"[table.number{n}]\nkey = {n}\n" for n in range(16_000)),
    },
    "yaml": {
        "5,000 flow lists deep": "a: " + "[" * 5_000 + "]" * 5_000 + "\n",
        "1,500 keys deep": "".join(" " * n + "a:\n" for n in range(1_500)),
        "aliases of aliases": "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
        "500 KB of keys": "".join(f"key{n}: value {n}\n" for n in range(25_000)),
    },
    "xml": {
        "100,000 elements deep": "<a>" * 100_000 + "</a>" * 100_000,
        "entities of entities": '<!DOCTYPE a [<!ENTITY b0 "x">'
        + "".join(f'<!ENTITY b{n} "&b{n - 1};&b{n - 1};">' for n in range(1, 30))
        + "]><a>&b29;</a>",
        "1 MB of elements": "<a>" + "<b c='1'>text</b>" * 60_000 + "</a>",
    },
    "html": {
        "100,000 elements deep": "<div>" * 100_000,
        "100,000 open tags": "<" * 100_000,
        "1 MB of elements": "<p class=a>text <b>bold</b>" * 40_000,
    },
    "css": {
        "100,000 blocks deep": "a{" * 100_000,
        "1 MB of rules": "".join(f".rule-{n} {{ color: red; margin: 0 }}\n" for n in range(26_000)),
    },
}


def _real(folder: Path, endings: Sequence[str], most: int) -> Iterator[tuple[Path, str]]:
    found = (path for path in sorted(folder.rglob("*")) if path.suffix in endings and ".git" not in path.parts)
    for path in islice(found, most):
        if path.is_file() and path.stat().st_size <= LARGEST:
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def _all_of(read: Reader) -> Callable[[Sequence[str]], tuple[int, int]]:
    """Reads many texts; gives how many were read and how many refused."""

    def reading(texts: Sequence[str]) -> tuple[int, int]:
        refused = 0
        for text in texts:
            try:
                read(text)
            except (Exception, RecursionError):  # noqa: BLE001 - any way of refusing counts
                refused += 1
        return len(texts), refused

    return reading


def _available(make: Callable[[], Reader]) -> Reader | None:
    try:
        return make()
    except ImportError:
        return None


_OUR_HEADING = re.compile(r"#{1,6} ")


def _headings_agree(texts: Sequence[str], library: Reader) -> tuple[int, int, int]:
    """Of markdown texts: headings that both see on the same line, and those that one sees alone (ours, theirs)."""
    both = mine = theirs = 0
    form = format_of("a.md")
    assert form is not None
    for text in texts:
        outline = form.outliner(text)(CompressionLevel.SKELETON)
        shown = {line.number for line in outline if _OUR_HEADING.match(line.text)}
        seen = {line for line, _ in library(text)}
        both, mine, theirs = both + len(shown & seen), mine + len(shown - seen), theirs + len(seen - shown)
    return both, mine, theirs


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.libraries.formats", description=__doc__)
    parser.add_argument("--repos", type=Path, required=True, help="a folder of repositories")
    parser.add_argument("--most", type=int, default=400, help="real files of each format")
    parser.add_argument("--format", action="append", default=[], choices=[*LIBRARIES], help="only this one")
    asked = parser.parse_args(arguments)
    for name in asked.format or LIBRARIES:
        ending = ENDINGS[name][0]
        readers: dict[str, Reader] = {"ours, both levels": ours(f"a{ending}")}
        for library, make in LIBRARIES[name].items():
            reader = _available(make)
            if reader is None:
                print(f"{library} is not installed")
            else:
                readers[library] = reader
        texts = [text for _, text in _real(asked.repos, ENDINGS[name], asked.most)]
        megabytes = sum(map(len, texts)) / 1e6
        rows: list[list[object]] = []
        for reader_name, reader in readers.items():
            real = measured(_all_of(reader), texts)
            _, refused = real.answer or (0, 0)
            hurt = [measured(reader, text) for text in HOSTILE[name].values()]
            rows.append([reader_name, real.cell, refused if real.outcome == "read" else "–", *map(_cell, hurt)])
        print(f"\n{name}: {len(texts)} real files, {megabytes:.1f} MB; seconds of processor time\n")
        print(table(["reader", "real files", "refused", *HOSTILE[name]], rows))
        if name == "markdown" and "markdown-it-py" in readers:
            both, mine, theirs = _headings_agree(texts, readers["markdown-it-py"])
            print(f"\nheadings on the same line: {both}; seen by us alone {mine}, by markdown-it-py alone {theirs}")
    return 0


def _cell(one: Measured) -> str:
    return f"{one.cell}, {one.megabytes:.0f} MB" if one.outcome == "read" and one.megabytes >= 1 else one.cell


if __name__ == "__main__":
    raise SystemExit(main())
