"""The blocks of a served text, read as a client would, in each format; nothing of the engine takes part."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

_TITLE = re.compile(r'(?P<path>"(?:[^"\\]|\\.)*"|.*?)(?P<marks>(?: \[[^\]]*\])*)')
_CLOSING = re.compile(r"⋮ (?:[^\n]*\bfiles? (?:is|are) not shown|\d+ more files?\Z)")
_FENCE = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """One block: the path, what stands in brackets behind it, and the lines, without the marks of the format."""

    path: str
    marks: tuple[str, ...]
    lines: tuple[str, ...]

    def mark(self, name: str) -> str:
        """Returns the value of a mark, `5/43` of `SHOWN:5/43`; "" where there is none."""
        return next((mark.partition(":")[2] for mark in self.marks if mark.startswith(f"{name}:")), "")


def blocks(text: str, layout: str) -> Iterator[Served]:
    """The files of a context; what is about the whole tree is passed over.

    Args:
        text: as it was served.
        layout: the format, by its name.

    Raises:
        ValueError: the text is not of that format.
    """
    match layout:
        case "json":
            for record in json.loads(text):
                if "path" in record:
                    marks = (record["level"], *record.get("marks", ()))
                    yield Served(path=record["path"], marks=marks, lines=_lines(record["text"]))
        case "xml":
            for node in ET.fromstring(text).iter("file"):
                marks = re.findall(r"\S+", node.get("marks", ""))
                path = node.get("path", "")
                yield Served(path=path, marks=(node.get("level", ""), *marks), lines=_lines((node.text or "")[1:]))
        case "markdown":
            yield from _fenced(text.split("\n"))
        case "plus":
            yield from _plus(text.split("\n"))
        case _:
            yield from _compact(text.split("\n"))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")[:-1])


def _titled(title: str, lines: list[str]) -> Iterator[Served]:
    found = _TITLE.fullmatch(title)
    if found is None:
        raise ValueError(f"no title: {title!r}")
    path = json.loads(found["path"]) if found["path"].startswith('"') else found["path"]
    if path and not path.startswith("["):
        yield Served(path=path, marks=tuple(re.findall(r"\[([^\]]*)\]", found["marks"])), lines=tuple(lines))


def _compact(lines: list[str]) -> Iterator[Served]:
    title, held = "[]", list[str]()
    for line in lines[:-1]:
        if line.startswith("+++ "):
            yield from _titled(title, held)
            title, held = line[4:], []
        elif not _CLOSING.match(line):
            held.append(line[1:] if re.match(r"\\+\+\+\+ ", line) else line)
    yield from _titled(title, held)


def _plus(lines: list[str]) -> Iterator[Served]:
    title, held = "[]", list[str]()
    for line in lines:
        if line.startswith("+++ "):
            title, held = line[4:], []
        elif line.startswith("--- "):
            yield from _titled(title, held)
        else:
            held.append(line[2:])


def _fenced(lines: list[str]) -> Iterator[Served]:
    title, fence, held = "[]", "", list[str]()
    for line in lines:
        if fence:
            if line == fence:
                yield from _titled(title, held)
                fence, held = "", []
            else:
                held.append(line)
        elif line.startswith("## "):
            title = line[3:]
        elif opened := _FENCE.match(line):
            fence = opened[0]
