"""Reads the markup of a README, be it Markdown, reST, AsciiDoc or HTML: lines of text with marks for links and pictures.

A mark is a control character, and a text that holds one of its own loses it first. Patterns look ahead so and so far and
no farther, or stop at what they began with: the time is in proportion to the text, whatever stands in it.
"""

from __future__ import annotations

import html
import re
from collections import deque
from itertools import takewhile
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LINK, LINKED = "\x01", "\x02"
"""Before and behind the text of a link, on each of its lines."""

PICTURE = "\x03"
"""Stands for a picture, a badge or a table."""

BREAK = "\x04"
"""A line break that the text asks for."""

TITLE = "\x05"
"""Before a heading of HTML, with its level: one digit."""

_LOWEST = "6"
"""The level of a line over what is folded away."""

MOST_READ = 100_000
"""Characters of a README that are looked at."""

_UNTITLED, _TABLE, _TABLED, _FRAME, _FRAMED = "\x06\x07\x08\x0e\x0f"
"""Behind a heading of HTML; around a table of HTML, and around a frame."""

_BRACKET = "\x10"
"""A bracket in code, where it begins no link."""

_MARKS = str.maketrans(
    dict.fromkeys((LINK, LINKED, PICTURE, BREAK, TITLE, _UNTITLED, _TABLE, _TABLED, _FRAME, _FRAMED, _BRACKET), "")
)

_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
_LITERAL = re.compile(r"([ \t]*+)(?:\.\. (?:code|code-block|sourcecode)::.*|(?!\.\. )(.*:):[ \t]*)")
"""A line of reST behind which code stands, indented deeper; of text, what is shown of it."""

_OPTION = re.compile(r"[ \t]+:[\w-]+:")
_PLACE = (
    r"\(\s{0,9}(?:<[^<>\n]{0,300}>|(?:[^()\s]|\([^()\s]{0,300}\))*)"
    r"(?:\s{1,9}(?:\"[^\"]{0,300}\"|'[^']{0,300}'))?\s{0,9}\)"
)
_TOKEN = re.compile(
    r"`(?P<rest>[^`<>]{1,300})<[^<>`\s]{1,600}>`__?"
    r"|`(?P<name>[^`<>]{1,200})`__?(?!\w)"
    r"|(?P<code>(?<!`)`[^`\n]{1,300}`(?!`)|(?<!`)``(?:[^`\n]|`(?!`)){1,300}``(?!`))"
    rf"|(?P<image>!\[(?:[^\[\]]|\[[^\[\]]{{0,100}}\]){{0,300}}\](?:{_PLACE}|\[[^\[\]]{{0,200}}\]))"
    r"|<(?P<address>(?:https?|ftp)://[^<>\s]{1,600})>"
    r"|<(?P<slash>/?)(?P<tag>[A-Za-z][\w-]{0,30})(?P<rest_of_tag>[^<>]{0,600})>"
    r"|<[^<>\s]{1,300}>"
)
_LINK = re.compile(rf"\[([^\[\]]{{0,500}})\](?:{_PLACE}|\[[^\[\]]{{0,200}}\])")
_SHORT = re.compile(r"\[([^\[\]\n!^][^\[\]\n]{1,100})\](?![:(\[])")
_DEFINED = re.compile(r"^ {0,3}\[([^\[\]\n]{1,100})\]:|^[ \t]*\.\. _`?([^`:\n]{1,100})`?:", re.MULTILINE)
"""A line that gives the address of a label: of Markdown, of reST."""

_REFERENCE = re.compile(r"(`{1,2})[^`\n]{1,300}\1|(?<![\w.+-])(?P<label>[^\W_](?:[\w.+-]{0,100}[^\W_])?)_(?!\w)")
"""Code, or a link of reST that is its own label, as `name_` is."""

_CONTENTS = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}\.)[ \t]*\[[^\]\n]*\]\(#[^)\n]*\)[ \t]*$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
WHOLE_LINK = re.compile(f"{LINK}[^{LINK}{LINKED}]*{LINKED}")
"""The text of a link, between its marks."""

_HEADING = re.compile(f"{TITLE}(\\d)([^{TITLE}{_UNTITLED}]{{0,2000}}){_UNTITLED}")
_BOX = re.compile(
    f"{_TABLE}[^{_TABLE}{_TABLED}]*{_TABLED}|{_FRAME}[^{_FRAME}{_FRAMED}]*{PICTURE}[^{_FRAME}{_FRAMED}]*{_FRAMED}"
)
_LEFT = re.compile(f"[{_UNTITLED}{_TABLE}{_TABLED}{_FRAME}{_FRAMED}]")

_PARAGRAPHS = frozenset(
    [
        "p",
        "div",
        "center",
        "section",
        "article",
        "header",
        "footer",
        "details",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "figure",
    ]
)
_PICTURES = frozenset({"img", "picture", "source", "video", "svg", "iframe"})
_PAIRS = {"table": (_TABLE, _TABLED), "figcaption": (_TABLE, _TABLED), "kbd": (_FRAME, _FRAMED)}
_EMPTY = {"br": BREAK, "hr": "\n\n---\n\n", "li": "\n- "}


class Passage(NamedTuple):
    """A part of a README: the lines of code as they are, but for what all are indented; those of others with marks."""

    is_code: bool
    lines: list[str]


def passages(text: str, *, strict: bool = True) -> Iterator[Passage]:
    """Parts a README into code and text, without comments and tags.

    Args:
        text: the file.
        strict: leave out tables, and what stands in one frame with a picture.
    """
    text = _without_comments(text[:MOST_READ].translate(_MARKS))
    defined = frozenset(label.casefold() for labels in _DEFINED.findall(text) for label in labels if label)
    fence = ""
    lines: list[str] = []
    left = deque(text.splitlines())
    while left:
        line = left.popleft()
        bare = line.strip()
        begins = _FENCE.match(bare)
        if begins and begins[1][0] == "~" and lines and lines[-1].strip():
            begins = None  # a heading of reST
        if fence and bare.startswith(fence) and not bare.strip(fence[0]):
            yield Passage(is_code=True, lines=lines)
            fence, lines = "", []
        elif begins and not fence:
            yield Passage(is_code=False, lines=_marked("\n".join(lines), defined, strict=strict))
            fence, lines = begins[1], []
        elif not fence and "::" in bare and (says := _LITERAL.fullmatch(line)) and (code := _literal(says[1], left)):
            lines.append(says[2] or "")
            yield Passage(is_code=False, lines=_marked("\n".join(lines), defined, strict=strict))
            yield Passage(is_code=True, lines=code)
            lines = []
        else:
            lines.append(line)
    yield (
        Passage(is_code=True, lines=lines)
        if fence
        else Passage(is_code=False, lines=_marked("\n".join(lines), defined, strict=strict))
    )


def _literal(indent: str, left: deque[str]) -> list[str]:
    """Takes the lines of code behind a line of reST from those that are left, if there are any.

    Args:
        indent: of the line that says that code follows.
        left: the lines behind it.
    """
    code = [*takewhile(lambda line: not line.strip() or len(line) - len(line.lstrip()) > len(indent), left)]
    text = dedent("\n".join(code[sum(1 for _ in takewhile(_OPTION.match, code)) :])).strip("\n")
    if not text:
        return []
    for _ in code:
        left.popleft()
    return text.split("\n")


def _without_comments(text: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        parts.append(text[at:start])
        at = end + 3
    return "".join((*parts, text[at:]))


def _marked(text: str, defined: frozenset[str], *, strict: bool) -> list[str]:
    """Returns the lines of a text with marks.

    Args:
        text: without code that is fenced.
        defined: the labels of links whose addresses stand elsewhere, case folded.
        strict: see `passages`.
    """
    text = _TOKEN.sub(_token, _ROW.sub(PICTURE, _CONTENTS.sub("", text)))
    for _ in range(2):  # a link may stand around another
        text = _LINK.sub(lambda found: _linked(found[1]), text)
    text = _SHORT.sub(lambda found: _short(found, defined), text)
    if defined:
        text = _REFERENCE.sub(lambda found: _reference(found, defined), text)
    for _ in range(3 if strict else 0):  # so deep are tables in tables
        text = _BOX.sub(f"\n\n{PICTURE}\n\n", text)
    text = _HEADING.sub(lambda found: f"\n\n{TITLE}{found[1]} {' '.join(found[2].split())}\n\n", _each_line(text))
    return html.unescape(_LEFT.sub("", text).replace(_BRACKET, "[")).splitlines()


def _token(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0].replace("[", _BRACKET)
    if found["image"]:
        return PICTURE
    if text := found["rest"] or found["name"] or found["address"]:
        return LINK + text.strip() + LINKED
    tag = (found["tag"] or "").lower()
    return _tag(tag, found["rest_of_tag"] or "", closes=bool(found["slash"]))


def _tag(tag: str, attributes: str, *, closes: bool) -> str:
    """Returns what stands for a tag of HTML: nothing for one that only says how its text looks."""
    if tag in _PAIRS:
        return _PAIRS[tag][closes]
    if tag in _PARAGRAPHS:
        return "\n\n"
    if tag == "a":
        return LINKED if closes else LINK if "href" in attributes.lower() else ""
    if len(tag) == 2 and tag[0] == "h" and tag[1].isdecimal():
        return _UNTITLED if closes else TITLE + tag[1]
    if tag == "summary":
        return _UNTITLED if closes else TITLE + _LOWEST
    if closes:
        return ""
    return PICTURE if tag in _PICTURES else _EMPTY.get(tag, "")


def _linked(text: str) -> str:
    text = text.replace(LINK, "").replace(LINKED, "")
    if text.strip(PICTURE + " \n"):
        return LINK + text + LINKED
    return PICTURE if PICTURE in text else ""


def _short(found: re.Match[str], defined: frozenset[str]) -> str:
    """Returns the text of a link that is its own label; one that is nowhere defined keeps its brackets."""
    return LINK + (found[1] if found[1].casefold() in defined else found[0]) + LINKED


def _reference(found: re.Match[str], defined: frozenset[str]) -> str:
    """Returns the text of a link of reST; code, and a name that is nowhere defined, as it is."""
    label = found["label"] or ""
    return LINK + label + LINKED if label.casefold() in defined else found[0]


def _each_line(text: str) -> str:
    """Marks each line of a link that goes over several."""
    return WHOLE_LINK.sub(lambda found: found[0].replace("\n", f"{LINKED}\n{LINK}"), text)
