"""The contents of a repository of documents: its chapters by their titles, in the order in which a reader follows them.

A book, a reference or the web site of a framework says that order itself: in a summary (mdBook, GitBook), the `nav` of
`mkdocs.yml`, the sidebar of a configuration (VitePress, Docusaurus and the like) or the `toctree` of an index (Sphinx).
Only what leads to a file that is there is told.
"""

from __future__ import annotations

import re
from posixpath import commonpath, normpath
from typing import TYPE_CHECKING, Final, NamedTuple

from allocator.overview.folders import Sort
from allocator.overview.map_steps import GOES_ON
from workspace.names.documents import is_document, spoken_for
from workspace.paths import as_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from allocator.overview.folders import MapFile

MOST_BYTES: Final = 400_000
"""Bytes of a file that may tell the order."""

MOST_ENTRIES: Final = 600
"""Entries that are read, the first ones."""

MOST_IN_PART: Final = 24
"""Chapters of one part that are told, the first ones."""

LEAST: Final = 3
"""Chapters of contents that are worth telling."""

DOCUMENTS: Final = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".html")
"""Endings of chapters, which ways to them may leave out."""

INDEXES: Final = ("index", "README", "_index")
"""Names of the chapter that a way to a folder means."""

_ITEM: Final = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*+][ \t]+)?\[(?P<title>[^\[\]\n]{1,200})\]\((?P<way>[^()\s]{0,300})\)[ \t]*$"
)
_KEY: Final = re.compile(
    r"^(?P<indent>[ \t]*)-[ \t]+(?:(?P<title>[^:\n]{1,200}):(?:[ \t]+(?P<way>\S{1,300}))?|(?P<bare>[^:\s]{1,300}))[ \t]*$"
)
_NAV: Final = re.compile(r"^nav:[ \t]*$")
_SIDEBAR: Final = re.compile(r"\bsidebars?\b[^\n]{0,200}[:=]", re.IGNORECASE)
_TOKEN: Final = re.compile(
    r"//[^\n]*|/\*(?:[^*]|\*(?!/)){0,2000}\*/"
    r"|(?:(?P<key>\w{1,40})[ \t]*:\s{0,40})?(?P<mark>['\"`])(?P<text>[^'\"`\n]{0,300})(?P=mark)(?P<is_key>[ \t]*:)?"
    r"|(?P<open>[{\[])|(?P<close>[}\]])"
)
_TITLES: Final = ("text", "label", "title")
_WAYS: Final = ("link", "to", "href", "path", "id", "slug")
_TREE: Final = re.compile(r"^[ \t]*\.\. toctree::[ \t]*$")
_OPTION: Final = re.compile(r"^[ \t]+:(?P<name>[\w-]+):[ \t]*(?P<value>.*)$")
_NAMED: Final = re.compile(r"^(?P<title>[^<>\n]{1,200}?)[ \t]*<(?P<way>[^<>\s]{1,300})>$")
_MARKS: Final = re.compile(r"[`*]|\\(?=\W)")


LANDMARKS: Final = ("begin: ", "packages: ")
"""The beginnings of landmarks that count where code is beside the documents."""

MOST_CODE: Final = 2.5
"""Bytes of documents for each of source and configuration from which on a repository is one of documents."""


class Entry(NamedTuple):
    """An entry of contents: how deep it is, what it is called and the way to it as it is written; "" for none."""

    depth: int
    title: str
    way: str


class Chapter(NamedTuple):
    """An entry whose way leads to a file, or nowhere."""

    depth: int
    title: str
    path: str


class Contents(NamedTuple):
    """The path of the file that tells the order of chapters, and these."""

    path: str
    chapters: Sequence[Chapter]


NO_CONTENTS: Final = Contents("", ())


def are_chapters(files: Sequence[MapFile], settings: int = 0) -> frozenset[int]:
    """Returns the places of the chapters of a repository of documents: its documents but for what every repository has.

    In one of code, with docs beside it, there are none, nor where no file is there that may tell their order.

    Args:
        files: all files, by path.
        settings: bytes of those that configure something.
    """
    chapters = {
        place: file.bytes
        for place, file in enumerate(files)
        if file.sort is Sort.PROSE and is_document(file.path) and not _is_of_project(file.path)
    }
    source = settings + sum(file.bytes for file in files if file.sort is Sort.SOURCE)
    is_book = (
        len(chapters) >= LEAST
        and spoken_for((files[at].path, size) for at, size in chapters.items()) >= MOST_CODE * source
    )
    return frozenset(chapters) if is_book and any(_reader(file.path) for file in files) else frozenset()


def _is_of_project(path: str) -> bool:
    """Tells whether a document tells of the project and is no chapter: it lies right in it, or in a folder of its host."""
    return "/" not in path or path.startswith(".") or path.rpartition("/")[2].lower().startswith("changelog.")


def contents(paths: Sequence[str], source: Callable[[int], bytes]) -> Contents:
    """Returns the chapters in their order, where a file tells it; else none.

    Args:
        paths: of all files.
        source: gives the bytes of the file at a place.
    """
    there = frozenset(paths)
    best = NO_CONTENTS
    for place in sorted((place for place, path in enumerate(paths) if _reader(path)), key=lambda one: _far(paths[one])):
        path = paths[place]
        if best.path and _far(best.path)[0] < _far(path)[0]:
            break
        reader = _reader(path)
        entries = reader(source(place)[:MOST_BYTES].decode("utf-8", "replace")) if reader else ()
        chapters = [*_found(entries, path, there)]
        if sum(bool(one.path) for one in chapters) > max(LEAST - 1, len(best.chapters)):
            best = Contents(path, chapters)
    return best


def told(found: Contents, above: str = "") -> tuple[list[str], list[str]]:
    """Returns the lines that tell of all parts, and of the chapters of each; they go on as far as there is room.

    Args:
        found: the contents.
        above: what stands before paths in their addresses.
    """
    chapters = found.chapters
    if not chapters:
        return [], []
    folder = commonpath([one.path.rpartition("/")[0] for one in chapters if one.path])
    start = len(folder) + 1 if folder else 0
    least = min(one.depth for one in chapters)
    named = [f"{one.title} = {as_word(one.path[start:])}" if one.path else one.title for one in chapters]
    tops = [place for place, one in enumerate(chapters) if one.depth == least]
    head = f"contents, by {as_word(above + found.path)}" + (f", in {as_word(above + folder)}/" if folder else "")
    parts = [f"{head}: {named[tops[0]]}", *(f"{GOES_ON}; {named[top]}" for top in tops[1:])]
    below: list[str] = []
    for top, end in zip(tops, [*tops[1:], len(chapters)], strict=True):
        inner = [named[place] for place in range(top + 1, end) if chapters[place].path]
        if inner:
            below += [f"in {chapters[top].title}: {inner[0]}", *(f"{GOES_ON}; {one}" for one in inner[1:MOST_IN_PART])]
            below += [f"{GOES_ON}; +{len(inner) - MOST_IN_PART}"] if len(inner) > MOST_IN_PART else []
    return parts, below


def of_documents(marks: Iterable[str]) -> list[str]:
    """Returns those of the landmarks of code that tell something of a repository of documents: its programs and packages.

    Args:
        marks: as `landmarks` gives them.
    """
    kept: list[str] = []
    is_kept = False
    for line in marks:
        is_kept = is_kept if line.startswith(GOES_ON) else line.startswith(LANDMARKS)
        kept += [line] if is_kept else []
    return kept


def _far(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _reader(path: str) -> Callable[[str], Iterable[Entry]] | None:
    """The reader of the order of chapters in a file, by its name; None for one that tells none."""
    name = path.rpartition("/")[2]
    if name in ("SUMMARY.md", "_sidebar.md"):
        return _of_summary
    if name in ("mkdocs.yml", "mkdocs.yaml"):
        return _of_keys
    if (
        name.startswith(("sidebars.", "sidebar."))
        or "/.vitepress/config" in f"/{path}"
        or "/.vuepress/config" in f"/{path}"
    ):
        return _of_sidebar
    return _of_trees if name in ("index.rst", "contents.rst") and path.count("/") < 3 else None


def _of_summary(text: str) -> Iterator[Entry]:
    for line in text.splitlines():
        if found := _ITEM.match(line):
            yield Entry(len(found["indent"].expandtabs(4)), _MARKS.sub("", found["title"]), found["way"])


def _of_keys(text: str) -> Iterator[Entry]:
    is_inside = False
    for line in text.splitlines():
        if is_inside and (found := _KEY.match(line)):
            title, way = (found["title"] or "").strip("\"' "), (found["way"] or found["bare"] or "").strip("\"'")
            yield Entry(len(found["indent"]), title, way)
        elif not line.strip() or line.lstrip().startswith("#"):
            continue
        else:
            is_inside = _NAV.match(line) is not None or (is_inside and line[:1] in " -")


def _of_sidebar(text: str) -> Iterator[Entry]:
    begin = _SIDEBAR.search(text)
    depth, held = 0, [("", "")]
    for token in _TOKEN.finditer(text, begin.end() if begin else 0):
        if token["open"]:
            if any(held[-1]):
                yield Entry(depth, *held[-1])
            held[-1] = "", ""
            held.append(("", ""))
            depth += 1
        elif token["close"]:
            if any(held[-1]):
                yield Entry(depth, *held[-1])
            depth -= 1
            if depth <= 0:
                return
            held.pop()
        elif token["text"] and token["key"] in _TITLES:
            held[-1] = token["text"], held[-1][1]
        elif token["text"] and token["key"] in _WAYS:
            held[-1] = held[-1][0], token["text"]
        elif token["text"] and not token["key"] and not token["is_key"]:
            yield Entry(depth + 1, "", token["text"])


def _of_trees(text: str) -> Iterator[Entry]:
    is_inside = False
    for line in text.splitlines():
        if _TREE.match(line):
            is_inside = True
        elif is_inside and (option := _OPTION.match(line)):
            if option["name"] == "caption":
                yield Entry(0, option["value"].strip(), "")
        elif is_inside and line.strip():
            if not line[:1].isspace():
                is_inside = False
                continue
            said = line.strip()
            named = _NAMED.match(said)
            yield Entry(1, named["title"], named["way"]) if named else Entry(1, "", said)


def _found(entries: Iterable[Entry], path: str, there: frozenset[str]) -> Iterator[Chapter]:
    """The entries that lead to a file, and those above them that lead nowhere; each file once."""
    folder = path.rpartition("/")[0]
    roots = dict.fromkeys((folder, f"{folder}/docs".lstrip("/"), folder.rpartition("/")[0], "src", "docs", ""))
    waiting: list[Chapter] = []
    seen: set[str] = set()
    for entry, _ in zip(entries, range(MOST_ENTRIES), strict=False):
        found = "" if "://" in entry.way or not entry.way else next(_files(entry.way, roots, there), "")
        waiting = [one for one in waiting if one.depth < entry.depth]
        if found and found not in seen:
            yield from waiting
            waiting.clear()
            seen.add(found)
            yield Chapter(entry.depth, entry.title or _spoken(found), found)
        elif not entry.way:
            waiting.append(Chapter(entry.depth, entry.title, ""))


def _files(way: str, roots: Iterable[str], there: frozenset[str]) -> Iterator[str]:
    """The files that a way may lead to."""
    bare = way.partition("#")[0].partition("?")[0].strip("/")
    bare = bare.removesuffix(".html")
    for root in roots:
        start = normpath(f"{root}/{bare}" if root else bare or ".").removeprefix("./")
        ends = ("", *DOCUMENTS, *(f"/{index}{ending}" for index in INDEXES for ending in DOCUMENTS[:4]))
        yield from (f"{start}{end}" for end in ends if f"{start}{end}" in there)


def _spoken(path: str) -> str:
    """The name of a file as words."""
    name = path.rpartition("/")[2]
    if name.partition(".")[0] in INDEXES:
        name = path.rpartition("/")[0].rpartition("/")[2] or name
    return re.sub(r"[-_]+", " ", name.partition(".")[0])
