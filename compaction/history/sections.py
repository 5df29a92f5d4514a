"""The nine sections of a summary: their names, their form, and the reader of a model's text.

A model writes headings in many ways: `## 1. Primary Request and Intent`, `**Primary Request:**`, or XML elements. All
are read; what is written is always the same nine headings in the same order, and an empty section says "None".
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from compaction.history.envelope import escape, fenced_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

EMPTY = "None"
LEFT_OUT = "(left out to fit)"
"""The text of a section of which there is something to tell and no room for any of it."""

_HIGH = re.compile(r"^#{1,2} ")


class Section(Enum):
    """The nine sections, in their order."""

    REQUEST = "Primary Request and Intent"
    CONCEPTS = "Key Technical Concepts"
    FILES = "Files and Code Sections"
    ERRORS = "Errors and Fixes"
    SOLVING = "Problem Solving"
    USER_MESSAGES = "All User Messages"
    PENDING = "Pending Tasks"
    CURRENT = "Current Work"
    NEXT = "Optional Next Step"

    @property
    def number(self) -> int:
        """1 to 9."""
        return list(Section).index(self) + 1

    @property
    def heading(self) -> str:
        """The line that opens the section."""
        return f"## {self.number}. {self.value}"


_SHORT_NAMES = {
    Section.REQUEST: ("primary request and intent", "primary request"),
    Section.CONCEPTS: ("key technical concepts", "key concepts"),
    Section.FILES: ("files and code sections", "files and code", "files"),
    Section.ERRORS: ("errors and fixes", "errors"),
    Section.SOLVING: ("problem solving",),
    Section.USER_MESSAGES: ("all user messages", "user messages"),
    Section.PENDING: ("pending tasks",),
    Section.CURRENT: ("current work",),
    Section.NEXT: ("optional next step", "next step", "next steps"),
}
_BY_NAME = {name: section for section, names in _SHORT_NAMES.items() for name in names}
_HEADING = re.compile(
    r"(?:(?P<number>[1-9])[.):]?[ \t]+)?(?P<name>[A-Za-z][A-Za-z ]{3,30}?)[ \t]*(?:(?P<colon>:)[ \t]*(?P<rest>.*))?$"
)
_NUMBERED = re.compile(r"[ \t]{0,3}(?:#{1,4}[ \t]*(?:\*\*)?|\*\*)(?P<number>[1-9])[.):、．][ \t]*[^\W\d]")
_BEHIND_BOLD = re.compile(r"(?::\*\*|\*\*:)[ \t]*(?P<rest>\S.*)$")
_FEW_NAMED = 3
_ELEMENT = re.compile(r"^[ \t]*<(?P<close>/?)(?P<name>[a-z_]{5,40})>[ \t]*(?P<rest>.*)$")


def write(sections: Mapping[Section, str]) -> str:
    """All nine under their headings. Section 6 stands as it is; no other can forge a heading or a tag."""
    parts: list[str] = []
    for section in Section:
        text = sections.get(section, "").strip("\n")
        if section is not Section.USER_MESSAGES:
            text = plain(text)
        parts.append(f"{section.heading}\n{text or EMPTY}")
    return "\n\n".join(parts)


def plain(text: str) -> str:
    """A text that cannot be taken for the structure around it: headings go down to the third level, tags are escaped.

    What is quoted between fences stays as it is, but for a line that is the heading of a section.
    """
    own = {section.heading for section in Section}
    lines = (
        _HIGH.sub("### ", line) if not is_fenced or line.strip() in own else line
        for line, is_fenced in fenced_lines(text)
    )
    return escape("\n".join(lines))


def read_own(body: str) -> dict[Section, str]:
    """The sections of an earlier summary of ours, section 6 included as it stands.

    Headings outside section 6 are never the text's own (see `write`), so the first one found is the true one; those
    after section 6 are looked for from the end, because a user may have quoted a heading.
    """
    starts: dict[Section, int] = {}
    for section in Section:
        line = f"{section.heading}\n"
        late = section.number > Section.USER_MESSAGES.number
        at = body.rfind("\n" + line) + 1 if late else (0 if body.startswith(line) else body.find("\n" + line) + 1)
        if at > 0 or body.startswith(line):
            starts[section] = at
    found: dict[Section, str] = {}
    ordered = sorted(starts.items(), key=lambda item: item[1])
    for (section, start), (_, end) in zip(ordered, [*ordered[1:], (Section.NEXT, len(body))], strict=False):
        text = body[start + len(section.heading) + 1 : end].strip("\n")
        found[section] = "" if text == EMPTY else text
    return found


def read_model(text: str) -> dict[Section, str]:
    """The sections of a text a model wrote; empty when it has no heading that can be known.

    Where no more than two headings are known by their names, as in another language, those that are numbered count.
    """
    named = _read(text, _heading)
    numbered = _read(text, _by_number()) if len(named) < _FEW_NAMED else {}
    return numbered if len(numbered) > len(named) else named


def _read(text: str, heading: Callable[[str], tuple[Section | None, str]]) -> dict[Section, str]:
    """The sections of a text, by what tells the heading of one from another line."""
    found: dict[Section, list[str]] = {}
    current: list[str] | None = None
    in_fence = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            in_fence = not in_fence
        section, rest = (None, line) if in_fence else heading(line)
        if section is not None:
            current = found.setdefault(section, [])
            if rest:
                current.append(rest)
        elif current is not None and rest:
            current.append(line)
        elif current is not None and not line:
            current.append("")
    return {section: _without_none("\n".join(lines).strip()) for section, lines in found.items()}


def _heading(line: str) -> tuple[Section | None, str]:
    element = _ELEMENT.match(line)
    if element is not None:
        name = element["name"].replace("_", " ")
        if name in _BY_NAME:
            rest = element["rest"].removesuffix(f"</{element['name']}>").strip()
            return (None, "") if element["close"] else (_BY_NAME[name], rest)
        return None, line
    stripped = line.strip()
    heading = _HEADING.match(stripped.lstrip("#").replace("**", "").strip())
    if heading is None:
        return None, line
    name = heading["name"].lower()
    section = _BY_NAME.get(name)
    marked = stripped.startswith(("#", "**")) or heading["number"] is not None
    if section is None or not (marked or name == section.value.lower()):
        return None, line
    return section, (heading["rest"] or "").strip()


def _by_number() -> Callable[[str], tuple[Section | None, str]]:
    """Returns what knows headings by their numbers, which rise."""
    last = 0

    def heading(line: str) -> tuple[Section | None, str]:
        nonlocal last
        found = _NUMBERED.match(line)
        if found is None or int(found["number"]) <= last:
            return None, line
        last = int(found["number"])
        rest = _BEHIND_BOLD.search(line)
        return list(Section)[last - 1], rest["rest"] if rest else ""

    return heading


def _without_none(text: str) -> str:
    return "" if text.strip(" .*-_\n").lower() in {"none", "n/a", ""} else text
