"""The tier of a file, by its name: core code comes before configuration, tests and everything else.

The rules are in `tiers.toml`, which says how to extend them. A name decides; the content is asked only whether a program
wrote the file, which makes it OTHER whatever its name.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from workspace.names.rules import NameRules, name_rules
from workspace.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_PACKAGED = re.compile(r"((?:^|/)src/(?:main|[a-z]\w*Main)/(?:java|kotlin|scala|groovy)/)(?:.*/)?")


_ANY_NAME = "code"
"""The name of a file that says nothing."""


class Tier(IntEnum):
    """The tiers, the most important first."""

    CORE = 0
    CONFIG = 1
    TESTS = 2
    OTHER = 3


_OF_STEPS = (Tier.CORE, Tier.CONFIG)
"""The tiers of which a file is OTHER where it is a step that a database has taken: it is code or data by its name."""


class _Names(msgspec.Struct, frozen=True, kw_only=True):
    """The rules about names: the tier of each, and one for what no rule matches."""

    rules: NameRules
    own: re.Pattern[str]
    """Finds the folder of others' code that a file of the project lies in, which its name then says nothing of."""
    tiers: tuple[Tier, ...]
    written_by_hand: tuple[bool, ...]
    step_words: tuple[str, ...]
    """In lower case; where none of them is in a path, it is no step."""
    step: re.Pattern[str]
    """Finds a step that a database has taken; its group `folder` ends where that of all steps does."""


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    """The rules about contents."""

    head_bytes: int
    mark_words: tuple[bytes, ...]
    """In lower case; where none of them is, there is no mark."""
    generated: re.Pattern[bytes]
    emitted_words: tuple[bytes, ...]
    """Without one of them `emitted` finds nothing."""
    emitted: re.Pattern[bytes]
    tail_bytes: int
    tail_word: bytes
    """Without it `mapped` finds nothing."""
    mapped: re.Pattern[bytes]
    long_line_bytes: int


class _Doubtful(msgspec.Struct, frozen=True, kw_only=True):
    """The rule about files whose names say tests, and whose content may say otherwise."""

    names: frozenset[str]
    definitions: re.Pattern[bytes]
    words: tuple[bytes, ...]


def tier_of(path: str, source: bytes = b"", *, is_no_test: bool = False) -> Tier:
    """Return the tier of a file.

    Args:
        path: relative, with forward slashes.
        source: its content, as far as known; empty leaves the decision to the name.
        is_no_test: whether only its folders can say that it is a test, as `is_no_test` tells of its content.
    """
    names = _names()
    if is_no_test:
        folder, slash, name = path.rpartition("/")
        path = f"{folder}{slash}{_ANY_NAME}.{name.rpartition('.')[2]}"
    tier = names.tiers[names.rules.first(_judged(names, path))]
    if tier in _OF_STEPS and folder_of_step(path):
        return Tier.OTHER
    return Tier.OTHER if tier is not Tier.OTHER and source and is_machine_made(source) else tier


def is_no_test(path: str, source: bytes) -> bool:
    """Tell whether a file is called as tests are and, by its content, tests nothing: it defines something else.

    Args:
        path: with forward slashes.
        source: the content.
    """
    rule = _doubtful()
    if path.rpartition("/")[2].lower() not in rule.names or rule.definitions.search(source) is None:
        return False
    lowered = source.lower()
    return not any(map(lowered.__contains__, rule.words))


def _judged(names: _Names, path: str) -> str:
    """Leaves out of a path the folders that say what the code is called, and nothing of what it is for.

    Those that spell a package of the source of a build with Maven or Gradle, as in
    `src/main/java/org/springframework/samples/petclinic/Owner.java`, and those of which a file right in them is a package of
    the project: `deps` in `deps/deps.go`, for code of others has a folder of its own there, `doc` in `doc/man_docs.go`.
    """
    return names.own.sub(r"\1", _PACKAGED.sub(r"\1", path, count=1) if "ain/" in path else path)


def folder_of_step(path: str) -> str:
    """Return the folder of migrations in which a file is a step that a database has taken; "" for any other file.

    Args:
        path: relative, with forward slashes.
    """
    names = _names()
    lowered = path.lower()
    found = names.step.search(path) if any(map(lowered.__contains__, names.step_words)) else None
    return path[: found.end("folder")] if found else ""


def is_written_by_hand(path: str) -> bool:
    """Tell by its name whether people of the project write a file: no lock file, no vendored or generated one.

    Args:
        path: relative, with forward slashes.
    """
    names = _names()
    return names.written_by_hand[names.rules.first(_judged(names, path))]


@cache
def folders_of_examples() -> frozenset[str]:
    """Return the names, in lower case, of the folders that hold examples.

    The tier of a file tells of those that do not lie among source code, as `org/jsoup/examples/` does.
    """
    return frozenset(
        folder for rule in table("names/tiers")["rule"] if rule.get("examples") for folder in rule["folders"]
    )


def is_machine_made(source: bytes) -> bool:
    """Tell by its content whether a program wrote a file.

    It says so near its beginning, begins as compilers and bundlers do, ends with the place of its sources, or most of it
    is long lines.

    Args:
        source: the content.
    """
    content = _content()
    head = source[: content.head_bytes]
    lowered = head.lower()
    if any(map(lowered.__contains__, content.mark_words)) and content.generated.search(head):
        return True
    if any(map(head.__contains__, content.emitted_words)) and content.emitted.search(head):
        return True
    tail = source[-content.tail_bytes :]
    if content.tail_word in tail and content.mapped.search(tail):
        return True
    return 2 * _in_long_lines(source, content.long_line_bytes) > len(source)


def _in_long_lines(source: bytes, longest_allowed: int) -> int:
    """The bytes in lines that are longer than allowed, without their breaks.

    Where a break stands in the next `longest_allowed` + 1 bytes, all lines up to the last such break are short; so a
    text of short lines costs one look for each `longest_allowed` of its bytes.
    """
    start = total = 0
    while len(source) - start > longest_allowed:
        last = source.rfind(b"\n", start, start + longest_allowed + 1)
        if last < 0:
            end = source.find(b"\n", start + longest_allowed + 1)
            last = end if end >= 0 else len(source)
            total += last - start
        start = last + 1
    return total


@cache
def _names() -> _Names:
    tables = table("names/tiers")
    rules, own = tables["rule"], tables["own"]
    return _Names(
        rules=name_rules(rules),
        own=re.compile("(?i)(^|/)(?:" + "|".join(map(_own, own)) + ")"),
        tiers=(*(Tier[rule["tier"].upper()] for rule in rules), Tier.OTHER),
        written_by_hand=(*(rule.get("written_by_hand", True) for rule in rules), True),
        step_words=(*tables["steps"]["words"],),
        step=re.compile(f"(?i){tables['steps']['path']}"),
    )


@cache
def _content() -> _Content:
    content = table("names/tiers")["content"]
    return _Content(
        head_bytes=content["head_bytes"],
        mark_words=_last_words(content["generated_marks"]),
        generated=_generated(content),
        emitted_words=tuple(word.encode() for word in content["emitted_words"]),
        emitted=re.compile(rf"^[ \t]*(?:{_any_of(content['emitted_lines'])})".encode(), re.MULTILINE),
        tail_bytes=content["tail_bytes"],
        tail_word=content["tail_word"].encode(),
        mapped=_at_the_end(content),
        long_line_bytes=content["long_line_bytes"],
    )


@cache
def _doubtful() -> _Doubtful:
    rule = table("names/tiers")["doubtful"]
    return _Doubtful(
        names=frozenset(rule["names"]),
        definitions=re.compile(rf"^(?:{_any_of(rule['definitions'])})".encode(), re.MULTILINE),
        words=tuple(word.encode() for word in rule["words"]),
    )


def _own(one: Mapping[str, list[str]]) -> str:
    """An expression for one of some folders with a file of the project right in it."""
    return rf"(?:{_any_of(one['folders'])})/(?=[^/]+\.(?:{_any_of(one['extensions'])})\Z)"


def _last_words(marks: Iterable[str]) -> tuple[bytes, ...]:
    """The words that marks end with, but for those that others are a part of: "generated" is that of most."""
    words = {re.split(r"[^a-z]", mark.lower())[-1] for mark in marks}
    return tuple(word.encode() for word in sorted(words) if not any(other in word for other in words - {word}))


def _generated(content: Mapping[str, list[str]]) -> re.Pattern[bytes]:
    starts, marks = _any_of(content["comment_starts"]), _any_of(content["generated_marks"])
    return re.compile(rf"^[ \t]*(?:{starts}).*?(?:{marks})".encode(), re.MULTILINE)


def _at_the_end(content: Mapping[str, Any]) -> re.Pattern[bytes]:
    comment = rf"(?:{_any_of(content['tail_starts'])})[ \t]*{re.escape(content['tail_word'])}[^\s'\"`]+"
    return re.compile(rf"\n[ \t]*{comment}(?:[ \t]*\*/)?\s*\Z".encode())


def _any_of(texts: Iterable[str]) -> str:
    """Returns the pattern that any of some texts matches."""
    return "|".join(map(re.escape, texts))
