"""The names that a conversation works with, ranked by how soon they will be needed again.

What an agent names next is what it named last: each time a name stands in what a call was given, in what was said or in an
answer counts, and counts half as much for each `_HALF` calls that came after. A name is an identifier of several parts
(`user_id`, `parseLine`, `HttpClient`, `MAX_SIZE`), which no prose spells by accident, or the name of a file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from itertools import filterfalse
from math import log2
from typing import TYPE_CHECKING, Final

from compaction.history.code_shown import ASIDE
from compaction.history.messages import Side, Text
from compaction.history.origins import Origin, passages
from workspace.cancellation import still_wanted
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.history.messages import CallRecord, Message
    from compaction.history.redaction import Redactor
    from compaction.values import Json

_IDENTIFIER: Final = re.compile(
    r"\b(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|(?<![\s>]<)(?<![\s>]</)(?<!^<)(?<!^</)"
    r"[A-Za-z][A-Za-z0-9]*_\w*[A-Za-z]\w*)\b(?!\.\d)",
    re.MULTILINE,
)
"""No tag around a text, and no part of a name that goes on behind a dot with a figure."""

_STATUSES: Final = frozenset({"in_progress", "not_started"})
"""The words of task tools that look like names."""

_NO_NAME: Final = re.compile(
    r"\w*(?i:redact)|[A-Z\d]+$|(?=[A-Za-z]*\d)(?!\w*[a-z]{3})[A-Za-z\d]+$|[A-Za-z]*(?:\d+[A-Za-z]+){2,}\d+[A-Za-z]*$"
)
"""Marks of what was taken out, and keys and digests: all in capitals, or with figures among letters that make no word."""

_CHANGED: Final = re.compile(
    r"^ \S[^\n|]{0,400}\| +(?:\d+ ?[+-]*|Bin [^\n]*)$|^ (?:(?:create|delete) mode|rename) [^\n]+$", re.MULTILINE
)
"""Lines of git on the files that came with a pull or a commit, which nobody has named."""

_OF_A_DIFF: Final = re.compile(r"^diff --git [^\n]+$|(?<=^--- )a/|(?<=^\+\+\+ )b/", re.MULTILINE)
"""The letters that a diff adds to the names of its files."""

_OUR_ADVICE: Final = re.compile(r"\bcall `[^`\n]+`", re.IGNORECASE)
"""The tool that restored files name for what is not shown of them."""

_FILE: Final = re.compile(r"(?<![\w@/.])(?<![\w-]-)(?!-)(?:[\w.@-]+/)*[\w@-][\w.@-]*\.[a-z]{1,5}(?![\w./-])")
"""No dash that a list's item begins with is a part of a name."""

_PACKAGES = ".js"
"""The end of names of packages, whose first letter may be an `@`; before another name it mentions a file to the agent."""

_EXTENSIONS: Final = frozenset((
    "py", "pyi", "ts", "tsx", "js", "jsx", "mjs", "cjs", "rs", "go", "java", "kt", "kts", "rb", "c", "h", "cc",
    "cpp", "hpp", "cs", "php", "swift", "scala", "clj", "ex", "exs", "erl", "hs", "ml", "sql", "toml", "yml",
    "yaml", "json", "jsonl", "md", "mdx", "rst", "txt", "sh", "bash", "zsh", "ps1", "tf", "proto", "css", "scss",
    "html", "vue", "svelte", "mod", "sum", "lock", "cfg", "ini", "xml", "gradle", "lua", "r", "jl", "dart", "zig",
))  # fmt: skip
_HALF: Final = 20.0
_FLOOR: Final = 0.02
"""The least weight of a use of a name, however long ago it was."""

_REMEMBERED: Final = int(_HALF * log2(1 / _FLOOR))
"""Calls, the newest, in whose answers names are looked for: those of older ones would count the least."""

_ANSWERED: Final = 0.2
"""The weight of a name that only stands in a tool's answer."""

_GIVEN, _SEEN = 20_000, 6_000
"""Characters of a text and of an answer in which names are looked for, half of them at each end."""

_LONGEST: Final = 60


def names_in_play(
    messages: Sequence[Message], calls: Sequence[CallRecord], redactor: Redactor
) -> tuple[list[str], list[str]]:
    """Return the identifiers and the files that a conversation names, those that will be needed first at the front.

    Args:
        messages: what is summarised.
        calls: the calls in it, in order.
        redactor: takes secrets out of the user's words, so that no part of one counts as a name.
    """
    made = [record.turn for record in calls]
    identifiers: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for turn, share, text in still_wanted(_texts(messages, calls, redactor)):
        later = len(made) - bisect_right(made, turn)
        worth = share * max(_FLOOR, 0.5 ** (later / _HALF))
        for name in filterfalse(_NO_NAME.match, _found(_IDENTIFIER, text) - _STATUSES):
            identifiers[name] += worth  # pyright: ignore[reportArgumentType] - a Counter adds floats as well
        for name in {_mentioned(name) for name in _found(_FILE, text)}:
            if name.rpartition(".")[2] in _EXTENSIONS:
                files[name] += worth  # pyright: ignore[reportArgumentType]
    return _ranked(identifiers), _ranked(files)


def _texts(
    messages: Sequence[Message], calls: Sequence[CallRecord], redactor: Redactor
) -> Iterator[tuple[int, float, str]]:
    for message in messages:
        if message.side is not Side.SYSTEM and not message.injected:
            for share, text in _spoken(message):
                given = _ends(text, _GIVEN)
                yield message.index, share, given if message.side is Side.ASSISTANT else redactor(given)[0]
    for later, record in enumerate(reversed(calls)):
        yield record.turn, 1.0, _ends("\n".join(_strings(record.call.arguments)), _GIVEN)
        if record.result is not None and later < _REMEMBERED:
            text = ASIDE.sub("", _CHANGED.sub("", _ends(record.result.text, _SEEN)))
            yield record.turn, _ANSWERED, _OF_A_DIFF.sub("", text) if "\n+++ b/" in text else text


def _spoken(message: Message) -> Iterator[tuple[float, str]]:
    """The words of a message, with the weight of the names in them: restored files are an answer, a host's words are no one's."""
    if message.side is Side.ASSISTANT:
        yield from ((1.0, block.text) for block in message.blocks if isinstance(block, Text))
    for passage in passages(message):
        if passage.origin is Origin.EARLIER_ATTACHMENTS:
            yield _ANSWERED, _OUR_ADVICE.sub("", passage.text)
        elif passage.origin is not Origin.HOST:
            yield 1.0, passage.text


def _strings(value: Json) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _strings(item)
        case list():
            for item in value:
                yield from _strings(item)
        case _:
            return


def _ends(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]}\n{text[-most // 2 :]}"


def _found(pattern: re.Pattern[str], text: str) -> set[str]:
    return {name for match in matches(pattern, text) if 3 < len(name := match[0]) <= _LONGEST}


def _mentioned(name: str) -> str:
    """The name of a file without the sign by which a user mentions it."""
    return name if name.endswith(_PACKAGES) else name.removeprefix("@")


def _ranked(counted: Counter[str]) -> list[str]:
    return [name for name, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))]
