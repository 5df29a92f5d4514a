"""YAML: keys, short values, lists and blocks stay; a long sentence under a key becomes a comment in its place.

Read by libyaml as a stream of events. No object is ever built from it, so a document cannot grow: aliases are not
followed, tags not applied, and nesting deeper than a person would write ends the reading. What the parser does not take
is text to us.

An entry whose value is a sentence of more than 60 characters goes, and its summary stands there as a comment
(format-adapters seed, "YamlAdapter"); but never the last entry of a mapping, nor the one behind the dash of a list item,
because with them the shape would change. A block of prose (`|`, `>`) is shortened where it stands. Commands, image names
and whatever else is no sentence stays at any length. What is written is parsed once more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from compaction.prompt.adapters.base import NotThisFormatError, one_line, spliced
from compaction.prompt.fences import Span
from compaction.prose.kinds import first_page, is_prose
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LEAST_LINES = 4
_LEAST_SHARE = 0.35
_LONGER_THAN = 60
_LEAST_BLOCK = 100
_DEEPEST = 100
_CODE_KEYS = frozenset({
    "run", "script", "scripts", "before_script", "after_script", "command", "commands", "cmd", "args", "entrypoint",
    "shell", "exec", "test", "code", "source", "query", "sql", "template", "pattern", "regex", "if", "when",
})  # fmt: skip
"""Keys whose values are for machines, however much they read like a sentence."""

_KEY_LINE = re.compile(
    r"^[ \t]*+(?>(?:-[ \t]++)?)(?:[\w.$/-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+:(?:[ \t\r]|$)", re.MULTILINE
)
_KEY_FIRST = re.compile(r"(?:---[ \t]*\r?\n)?[\w.-]++:(?:[ \t]|\r?\n)")
_BLOCK_LINE = re.compile(r"^[ \t]*+(?>(?:-[ \t]++)?)[\w.-]++:[ \t]++[|>][-+0-9]?[ \t]*+\r?$", re.MULTILINE)
_COUNTED_LINE = re.compile(r"^[ \t]*+[^\s#]", re.MULTILINE)
_REST_OF_LINE = re.compile(r"[ \t]*+(?:[ \t]#[^\n]*+|\r?)(?=\n|\Z)")
_BLOCK = re.compile(r"[|>][-+]?[ \t]*+(?:#[^\n]*+)?\r?\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passage:
    """A sentence under a key.

    Attributes:
        span: what is replaced: the whole entry, or the lines of a block scalar without their first indentation.
        text: what is to be summarised, with the key where the key goes too.
        indent: of a block scalar, None for an entry.
    """

    span: Span
    text: str
    indent: str | None


@dataclass(slots=True)
class _Level:
    """A mapping or a list that is open."""

    is_block_mapping: bool = False
    is_mapping: bool = False
    key: Any = None
    entries: int = 0
    found: list[_Passage] = field(default_factory=list[_Passage])


class YamlAdapter:
    """See the module."""

    name = "yaml"
    is_whole = True

    def detect(self, content: str) -> bool:
        """Return whether at least 4 lines say something and more than 35 % of them are `key: value`.

        Fewer will do where the first of them is, and a block begins behind another.
        """
        page = first_page(content)
        lines = sum(1 for _ in matches(_COUNTED_LINE, page))
        if lines >= _LEAST_LINES and _KEY_FIRST.match(page) and _BLOCK_LINE.search(page):
            return True
        return lines >= _LEAST_LINES and sum(1 for _ in matches(_KEY_LINE, page)) > lines * _LEAST_SHARE

    def extract_preserved(self, content: str) -> list[str]:
        """Return the lines that stay.

        Raises:
            NotThisFormatError: it is no mapping or list of YAML.
        """
        kept: list[str] = []
        position = 0
        for found in _passages(content):
            end = found.span.end
            if found.indent is None:
                line_start = content.rfind("\n", 0, found.span.start) + 1
                kept.append(content[position:line_start])
                position = content.find("\n", end) + 1 or len(content)
            else:
                kept.append(f"{content[position : found.span.start]}[…]")
                position = end
        return "".join([*kept, content[position:]]).splitlines()

    def extract_compressible(self, content: str) -> list[str]:
        """Return the entries with a sentence for a value, and the blocks of prose.

        Raises:
            NotThisFormatError: it is no mapping or list of YAML.
        """
        return [found.text for found in _passages(content)]

    def reconstruct(self, preserved: list[str], summary: str) -> str:
        """Return the lines that stay, and the summary as a comment behind them."""
        return "\n".join([*preserved, *([_comment(summary)] if summary.strip() else [])])

    def place(self, content: str, summaries: Sequence[str]) -> str:
        """Return the document, each sentence replaced by a comment and each block shortened.

        Raises:
            NotThisFormatError: it is no YAML any more.
        """
        made = spliced(
            content,
            (
                (found.span, _comment(summary) if found.indent is None else _indented(summary, found.indent))
                for found, summary in zip(_passages(content), summaries, strict=True)
            ),
        )
        for _ in _events(made):
            pass
        return made


def _comment(summary: str) -> str:
    return f"# {one_line(summary) or '[…]'}"


def _indented(summary: str, indent: str) -> str:
    lines = [line.strip() for line in summary.splitlines() if line.strip()]
    return f"\n{indent}".join(lines) or "[…]"


def _events(content: str) -> Iterator[Any]:
    import yaml  # loaded by the first document

    if content.startswith("\ufeff"):
        raise NotThisFormatError("a byte order mark, which libyaml does not count")
    depth = 0
    try:
        for event in yaml.parse(content, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > _DEEPEST:
                    raise NotThisFormatError("nested too deeply")
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            yield event
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise NotThisFormatError(str(error)) from error


def _passages(content: str) -> list[_Passage]:
    """The sentences of a document, in order."""
    import yaml

    found: list[_Passage] = []
    levels = [_Level()]
    for event in _events(content):
        if isinstance(event, yaml.CollectionEndEvent):
            ended = levels.pop()
            goes_whole = ended.entries == sum(passage.indent is None for passage in ended.found)
            found += ended.found[1:] if goes_whole and ended.found else ended.found
        elif isinstance(event, (yaml.ScalarEvent, yaml.AliasEvent, yaml.CollectionStartEvent)):
            level = levels[-1]
            if level.is_mapping and level.key is None:
                level.key = event
            elif level.is_mapping:
                level.entries += 1
                if level.is_block_mapping and isinstance(event, yaml.ScalarEvent):
                    level.found += _sentence(content, level.key, event)
                level.key = None
            elif len(levels) == 1 and not isinstance(event, yaml.CollectionStartEvent):
                raise NotThisFormatError("neither a mapping nor a list")
            if isinstance(event, yaml.CollectionStartEvent):
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                levels.append(_Level(is_block_mapping=is_mapping and not event.flow_style, is_mapping=is_mapping))
    return sorted(found, key=lambda passage: passage.span)


def _sentence(content: str, key: Any, value: Any) -> list[_Passage]:
    """The passage of one entry, none where it stays."""
    name = getattr(key, "value", None)
    if not isinstance(name, str) or name.lower() in _CODE_KEYS or key.anchor is not None:
        return []
    if value.style in {"|", ">"}:
        return _block(content, value)
    start, end = key.start_mark.index, value.end_mark.index
    line_start = content.rfind("\n", 0, start) + 1
    if (
        value.anchor is not None
        or value.tag is not None
        or len(value.value) <= _LONGER_THAN
        or not is_prose(value.value)
        or content[line_start:start].strip()
        or not _REST_OF_LINE.match(content, end)
    ):
        return []
    return [_Passage(span=Span(start, end), text=f"{name}: {one_line(value.value)}", indent=None)]


def _block(content: str, value: Any) -> list[_Passage]:
    # The mark of a scalar with an anchor or a tag stands before these, so the header is looked for.
    header = _BLOCK.match(content, value.start_mark.index)
    if header is None or not is_prose(value.value, characters=_LEAST_BLOCK):
        return []
    lines = content[header.end() : value.end_mark.index]
    body = lines.lstrip("\r\n")
    first = header.end() + len(lines) - len(body)
    indent = body[: len(body) - len(body.lstrip(" "))]
    end = first + len(body.rstrip())
    return [_Passage(span=Span(first + len(indent), end), text=value.value.strip(), indent=indent)] if indent else []
