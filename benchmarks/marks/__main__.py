"""Prints whether the marks of contexts are true: the served text against the files, with spans by independent parsers.

    python -m benchmarks.marks --repos DIR [--repository NAME …] [--list]

For each repository and format, contexts without and with a question (the subject of the newest commit), at two budgets:

full        names in `[FULL:…]` of which an independent parser (Python's `ast`, Universal Ctags) knows the lines, docs and
            attributes included; false where the block does not hold every one of them; without a reference where the
            parser does not know the name
shown       marks `[SHOWN:n/m]`; false where n and the counts of the lines `⋮` add up to more than m, or where the first or
            the last line is one that counts definitions: it stands between none
as written  marks `⋮ lines 3-9 as written`; false where other lines follow than those of the file
lines       lines of code that are shown; false where the file holds no such text, or where it ends inside a word
frames      blocks; empty where no line says anything
paths       blocks whose path, taken from the folder, is no file
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from allocator import ContextEngine
from benchmarks.marks.served import Served, blocks
from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.languages import LANGUAGES, Parser
from benchmarks.skeletons.presence import AS_WRITTEN
from benchmarks.skeletons.tables import table
from benchmarks.zoom.ctags_spans import ctags_spans
from benchmarks.zoom.python_spans import python_spans
from benchmarks.zoom.spans import DOC_MARKS, Span
from skeleton.languages.queries import Language
from skeleton.recognition import language_of
from workspace.roots import Roots

FORMATS: Final = ("compact", "plus", "xml", "markdown", "json")
BUDGETS: Final = (2000, 8000)
_HIDDEN = re.compile(r"⋮ (?P<number>\d+) (?P<more>more )?(?P<what>definition|line)s?\Z")
_ORDINAL = re.compile(r"(?P<name>.+)~(?P<number>\d+)\Z")
_ACCESSORS = r"(?:(?:private|protected|internal)\s+)*(?:get|set|init|add|remove);"
_FOLDED = re.compile(rf"(?:\s*(?:\{{\s*(?:\.\.\.|⋮|:;|(?:{_ACCESSORS}\s*)+)\s*\}}|\.\.\.|;|⋮|…|\{{\s*\}}|end))+\Z")
_VALUE = re.compile(r"\s*=\s*[^,;{}()\n]+(?=\s*[,}])")
_WITHOUT_VALUE = re.compile(r"(\w+),\Z")
"""A member of an enum, which at L2 has no arguments, no value and no body of its own."""

_FOLD = re.compile(r"\{\s*(?:\.\.\.|⋮)?\s*\}|\.\.\.|⋮")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#|//)(?!\[).*$|/\*(?:[^*]|\*(?!/))*\*/", re.MULTILINE)
_QUOTES = re.compile(r'"""|\'\'\'|/\*\*?|\*/|^\s*(?:///?!?|\*(?=\s)|#+|--)', re.MULTILINE)
_BLANK = re.compile(r"\s+")
_LAST_COMMA = re.compile(r",(?=[)\]}>{])")


class Reader:
    """The files of a repository, and where their definitions are by a parser that is not ours."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._spans: dict[str, dict[str, list[Span]]] = {}
        self._texts: dict[str, str] = {}
        self._bare: dict[str, tuple[str, ...]] = {}

    def text(self, path: str) -> str:
        """The text of a file, "" where there is none."""
        if path not in self._texts:
            place = self.root / path
            source = place.read_bytes().decode("utf-8", "replace") if place.is_file() else ""
            self._texts[path] = source.replace("\r\n", "\n")
        return self._texts[path]

    def bare(self, path: str) -> tuple[str, ...]:
        """The text of a file without blanks: with its comments but without their marks, without them, without values."""
        if path not in self._bare:
            text = self.text(path)
            code = _COMMENT.sub("", text)
            self._bare[path] = _bare(text), _bare(code), _bare(_VALUE.sub("", code))
        return self._bare[path]

    def is_code(self, path: str) -> bool:
        """Tells whether the skeleton of a file is made of its own lines; that of a format may be a description."""
        return isinstance(language_of(path, self.text(path).encode()), Language)

    def spans(self, path: str) -> dict[str, list[Span]]:
        """The definitions of a file by their names; none for a language without a reference."""
        if path not in self._spans:
            self._spans[path] = self._read(path)
        return self._spans[path]

    def _read(self, path: str) -> dict[str, list[Span]]:
        source = self.text(path).encode()
        language = language_of(path, source)
        entry = LANGUAGES.get(language.name) if isinstance(language, Language) else None
        named: dict[str, list[Span]] = defaultdict(list)
        if entry is None or entry.name not in DOC_MARKS or entry.parser is Parser.COMPILER:
            return named
        file = CorpusFile(absolute=self.root / path, path=path, source=source)
        found = python_spans(file.text) if entry.parser is Parser.AST else ctags_spans([file], entry, "ctags")[0]
        for span in found if not isinstance(found, str) else ():
            named[span.asked].append(span)
        return named


def _bare(text: str) -> str:
    return _LAST_COMMA.sub("", _BLANK.sub("", _QUOTES.sub("", text)))


class Findings:
    """The counts over some contexts, and the faults in words."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[str] = []

    def note(self, what: str, about: str) -> None:
        """Counts a fault."""
        self.counts[what] += 1
        self.faults.append(f"{what}: {about}")


def check(served: Served, reader: Reader, found: Findings) -> None:
    """Holds one block against its file."""
    found.counts["frames"] += 1
    text = reader.text(served.path)
    if not (reader.root / served.path).is_file():
        found.note("no such path", served.path)
        return
    if not any(line.strip() and not _HIDDEN.match(line.strip()) for line in served.lines):
        found.note("empty frames", served.path)
    _check_counts(served, found)
    _check_names(served, text, reader, found)
    _check_regions(served, text, found)
    _check_lines(served, text, reader, found)


def _check_counts(served: Served, found: Findings) -> None:
    shown = served.mark("SHOWN")
    if not shown:
        return
    found.counts["shown"] += 1
    present, total = map(int, shown.split("/"))
    hidden = sum(
        int(one["number"])
        for line in served.lines
        if (one := _HIDDEN.match(line.strip())) and one["what"] == "definition"
    )
    edges = [one for line in (*served.lines[:1], *served.lines[-1:]) if (one := _HIDDEN.match(line.strip()))]
    if present + hidden > total or any(one["what"] == "definition" for one in edges):
        found.note("false shown", f"{served.path}: {shown}, and {hidden} are said to be hidden")


def _check_names(served: Served, text: str, reader: Reader, found: Findings) -> None:
    lines = text.split("\n")
    held = "\n".join(["", *(line.rstrip() for line in served.lines), ""])
    for name in filter(None, served.mark("FULL").split(",")):
        if name.startswith("+"):
            continue
        if name[0].isdigit():
            first, last = map(int, name.split("-"))
            wanted = [(first, last)]
        else:
            numbered = _ORDINAL.match(name)
            spans = reader.spans(served.path).get(numbered["name"] if numbered else name, [])
            if numbered:
                spans = spans[int(numbered["number"]) - 1 :][:1]
            wanted = [(span.first, span.last) for span in spans]
        found.counts["full" if wanted else "full without a reference"] += 1
        for first, last in wanted:
            whole = "\n".join(["", *(line.rstrip() for line in lines[first - 1 : last]), ""])
            if whole not in held and "[REDACTED:" not in held:
                found.note("false full", f"{served.path}: {name}, lines {first} to {last}")


def _check_regions(served: Served, text: str, found: Findings) -> None:
    lines = text.split("\n")
    for at, line in enumerate(served.lines):
        if not (mark := AS_WRITTEN.fullmatch(line.strip())):
            continue
        found.counts["as written"] += 1
        wanted = [
            one.strip() for one in lines[int(mark["first"]) - 1 : int(mark["last"] or mark["first"])] if one.strip()
        ]
        follow = [one.strip() for one in served.lines[at + 1 :] if one.strip()][: len(wanted)]
        cut = next((place for place, one in enumerate(follow) if _HIDDEN.match(one)), len(follow))
        if not follow[:cut] or (follow[:cut] != wanted[:cut] and "[REDACTED:" not in "".join(follow)):
            found.note("false as written", f"{served.path}: {line.strip()}")


def _check_lines(served: Served, text: str, reader: Reader, found: Findings) -> None:
    if not reader.is_code(served.path):
        return
    known = {line.rstrip() for line in text.split("\n")}
    for line in served.lines:
        if not line.strip() or _HIDDEN.match(line.strip()) or AS_WRITTEN.fullmatch(line.strip()):
            continue
        found.counts["lines"] += 1
        if line.rstrip() in known or "[REDACTED:" in line:
            continue
        if not any(_stands_in(line, bare) for bare in reader.bare(served.path)):
            found.note("false lines", f"{served.path}: {line.strip()[:160]}")
        elif line.rstrip().endswith("…") and _cuts_a_word(line.rstrip()[:-1].strip(), text):
            found.note("cut words", f"{served.path}: {line.strip()[-160:]}")


def _stands_in(line: str, bare: str) -> bool:
    """Tells whether the parts of a line around what is folded in it stand in a text one after the other."""
    at = 0
    for part in map(_bare, _FOLD.split(_FOLDED.sub("", line))):
        found = bare.find(part, at)
        if found < 0:
            member = _WITHOUT_VALUE.fullmatch(line.strip())
            return member is not None and re.search(rf"{member[1]}[(={{]", bare) is not None
        at = found + len(part)
    return True


def _cuts_a_word(said: str, text: str) -> bool:
    """Tells whether the last of some words goes on everywhere that they stand in a text."""
    last = said.rsplit(maxsplit=1)[-1] if said else ""
    return bool(last) and last[-1:].isalnum() and not re.search(rf"{re.escape(last)}(?!\w)", text)


def contexts(root: Path) -> Iterator[tuple[str, str, str]]:
    """The format, what was asked, and the text of each context."""
    engine = ContextEngine(Roots([root]))
    subject = subprocess.run(
        ["git", "-C", str(root), "log", "-1", "--no-merges", "--format=%s"], capture_output=True, text=True, check=True
    ).stdout.strip()
    for layout in FORMATS:
        for budget in BUDGETS:
            for query in ("", subject):
                made = engine.get_context(str(root), token_budget=budget, format=layout, query=query)
                yield layout, f"{budget} {query}".strip(), made.context


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; 1 where something is false."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True, metavar="DIR", help="a folder of repositories")
    parser.add_argument("--repository", action="append", default=[], metavar="NAME", help="only these (repeatable)")
    parser.add_argument("--list", action="store_true", help="every fault, on standard error")
    options = parser.parse_args(arguments)
    names = options.repository or sorted(place.name for place in options.repos.iterdir() if place.is_dir())
    faults = (
        "false full",
        "false shown",
        "false as written",
        "false lines",
        "cut words",
        "empty frames",
        "no such path",
    )
    columns = ("frames", "full", "full without a reference", "shown", "as written", "lines", *faults)
    rows: list[list[object]] = []
    wrong = 0
    for name in names:
        root = (options.repos / name).resolve()
        reader, by_format = Reader(root), defaultdict[str, Findings](Findings)
        for layout, asked, text in contexts(root):
            for served in blocks(text, layout):
                before = len(by_format[layout].faults)
                check(served, reader, by_format[layout])
                for fault in by_format[layout].faults[before:] if options.list else ():
                    print(f"{name} {layout} {asked}: {fault}", file=sys.stderr)
        for layout, found in by_format.items():
            rows.append([name, layout, *(found.counts[column] for column in columns)])
            wrong += sum(found.counts[fault] for fault in faults)
    print(table(["repository", "format", *columns], rows))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
