"""Section 6: every message of the user, byte for byte, written by code.

    User message 3:
    ````
    the text, unchanged
    ````

The fence is longer than any run of backticks in the text, so the entry can be read back exactly; that is how a second
compaction carries the section over instead of summarising it. Two other kinds of entry exist. A *gap* stands for
messages that were left out for room, and names the archives that hold them. A *standing* entry stands for a message
that was kept in the history itself; its hash lets the next compaction put the message into its old place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, TypeAlias

from compaction.history.envelope import fenced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_LIMIT = 20_000
"""Tokens of section 6 beyond which messages between the first and the newest are left out."""

_VERBATIM = re.compile(r'User message (?P<number>\d{1,9})(?:, in answer to "(?P<asked>[^"\n]*)")?:\n(?P<fence>`{3,})\n')
_EXCERPT = re.compile(
    r"User message (?P<number>\d{1,9}), its head and tail \((?P<characters>\d{1,9}) characters; in full in: (?P<archives>[^\n]*)\):\n"
    r"(?P<fence>`{3,})\n"
)
_GAP = re.compile(
    r"User messages (?P<first>\d{1,9}) to (?P<last>\d{1,9}) are left out here \(about (?P<tokens>\d{1,9}) tokens\); "
    r"in full in: (?P<archives>[^\n]*)\.(?:\n|$)"
)
_STANDING = re.compile(r"User message (?P<number>\d{1,9}) stands in full below \[(?P<digest>[0-9a-f]{16})\]\.(?:\n|$)")
_NO_ARCHIVE = "no archive"
_LARGE, _LEAST_EXCERPT = 0.3, 72
"""The part of the section that one message may take, and the tokens it may have in any case, where not all fit."""

_GAP_COST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Verbatim:
    """A message as it was written.

    Attributes:
        asked: the question that it answers, where it is too short to speak for itself.
    """

    number: int
    text: str
    asked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A message of which there is room for the head and the tail alone.

    Attributes:
        text: both, with a line between them that says what is left out.
        characters: of the whole message.
    """

    number: int
    text: str
    characters: int
    archives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Messages left out for room."""

    first: int
    last: int
    tokens: int
    archives: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A message that was kept where it was."""

    number: int
    digest: str


Entry: TypeAlias = Verbatim | Excerpt | Gap | Standing


def digest(text: str) -> str:
    """Returns the digest by which a standing entry knows its message."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def write(entries: Sequence[Entry]) -> str:
    """The text of the section."""
    return "\n\n".join(_write(entry) for entry in entries)


def _write(entry: Entry) -> str:
    match entry:
        case Verbatim(number=number, text=text, asked=asked):
            question = f', in answer to "{asked}"' if asked else ""
            return f"User message {number}{question}:\n{fenced(text)}"
        case Excerpt(number=number, text=text, characters=characters, archives=archives):
            kept_in = ", ".join(archives) or _NO_ARCHIVE
            head = f"User message {number}, its head and tail ({characters} characters; in full in: {kept_in}):"
            return f"{head}\n{fenced(text)}"
        case Gap(first=first, last=last, tokens=tokens, archives=archives):
            kept_in = ", ".join(archives) or _NO_ARCHIVE
            return f"User messages {first} to {last} are left out here (about {tokens} tokens); in full in: {kept_in}."
        case Standing(number=number, digest=known_by):
            return f"User message {number} stands in full below [{known_by}]."


def read(text: str) -> list[Entry]:
    """The entries of a section written by `write`; what cannot be read ends it."""
    entries: list[Entry] = []
    position = 0
    while position < len(text):
        if (found := _VERBATIM.match(text, position) or _EXCERPT.match(text, position)) is not None:
            end = text.find(f"\n{found['fence']}", found.end() - 1)
            if end < 0:
                break
            number, words = int(found["number"]), text[found.end() : end]
            entries.append(
                Verbatim(number=number, text=words, asked=found["asked"] or "")
                if found.re is _VERBATIM
                else Excerpt(
                    number=number,
                    text=words,
                    characters=int(found["characters"]),
                    archives=_archives(found["archives"]),
                )
            )
            position = end + 1 + len(found["fence"])
        elif (found := _GAP.match(text, position)) is not None:
            first, last, tokens = (int(found[name]) for name in ("first", "last", "tokens"))
            entries.append(Gap(first=first, last=last, tokens=tokens, archives=_archives(found["archives"])))
            position = found.end()
        elif (found := _STANDING.match(text, position)) is not None:
            entries.append(Standing(number=int(found["number"]), digest=found["digest"]))
            position = found.end()
        else:
            break
        while text[position : position + 1] == "\n":
            position += 1
    return entries


def _archives(names: str) -> tuple[str, ...]:
    return () if names == _NO_ARCHIVE else tuple(names.split(", "))


def extend(earlier: Sequence[Entry], new: Sequence[str]) -> list[Entry]:
    """Put new messages after the earlier ones; one that stood below takes its old place again."""
    entries = list(earlier)
    places = {entry.digest: at for at, entry in enumerate(entries) if isinstance(entry, Standing)}
    number = max((entry.last if isinstance(entry, Gap) else entry.number for entry in entries), default=0)
    for text in new:
        at = places.pop(digest(text), None)
        if at is None:
            number += 1
            entries.append(Verbatim(number=number, text=text))
        else:
            standing = entries[at]
            entries[at] = Verbatim(number=standing.last if isinstance(standing, Gap) else standing.number, text=text)
    return [entry for entry in entries if not isinstance(entry, Standing)]


def leave_standing(entries: Sequence[Entry], kept: Sequence[str]) -> list[Entry]:
    """Replace the messages that stay in the history by entries that say so, newest first where two are the same."""
    waiting = [digest(text) for text in kept]
    shown: list[Entry] = []
    for entry in reversed(entries):
        if isinstance(entry, Verbatim) and (known_by := digest(entry.text)) in waiting:
            waiting.remove(known_by)
            shown.append(Standing(number=entry.number, digest=known_by))
        else:
            shown.append(entry)
    return shown[::-1]


def fit(entries: Sequence[Entry], *, limit: int, count: Callable[[str], int], archive_id: str | None) -> list[Entry]:
    """Leave words out until the section takes at most `limit` tokens, or as near to it as can be.

    A message that alone takes a large part of it is shown by its head and its tail. Then the newest that fit are kept, the
    first and the newest always, and every run of messages left out becomes one gap; both name the archives.
    """
    costs = [count(_write(entry)) for entry in entries]
    if sum(costs) <= limit:
        return list(entries)
    share = max(_LEAST_EXCERPT, int(limit * _LARGE))
    shown = [
        _excerpt(entry, share, count, archive_id) if isinstance(entry, Verbatim) and cost > share else entry
        for entry, cost in zip(entries, costs, strict=True)
    ]
    costs = [count(_write(entry)) for entry in shown]
    spoken = [at for at, entry in enumerate(shown) if isinstance(entry, Verbatim | Excerpt)]
    if sum(costs) <= limit or len(spoken) <= 2:
        return shown
    keep = {spoken[0], spoken[-1]}
    room = limit - sum(costs[at] for at in keep) - 60
    for at in reversed(spoken[1:-1]):
        if costs[at] + _GAP_COST <= room:
            keep.add(at)
            room -= costs[at] + (_GAP_COST if at + 1 not in keep else 0)
    fitted: list[Entry] = []
    for at, entry in enumerate(shown):
        if at in keep or isinstance(entry, Standing):
            fitted.append(entry)
            continue
        gap = entry if isinstance(entry, Gap) else _gap(entry, costs[at], archive_id)
        before = fitted[-1] if fitted else None
        fitted[-1:] = [_join(before, gap)] if isinstance(before, Gap) else [*fitted[-1:], gap]
    return fitted


def _gap(entry: Verbatim | Excerpt, tokens: int, archive_id: str | None) -> Gap:
    known = entry.archives if isinstance(entry, Excerpt) else ()
    archives = dict.fromkeys((*known, *((archive_id,) if archive_id else ())))
    return Gap(first=entry.number, last=entry.number, tokens=tokens, archives=tuple(archives))


def _excerpt(entry: Verbatim, tokens: int, count: Callable[[str], int], archive_id: str | None) -> Verbatim | Excerpt:
    """The head and the tail of a message, in about so many tokens; the message itself where that is no longer."""
    whole = len(entry.text)
    kept = max(80, int(whole * tokens / max(1, count(entry.text)) * 0.85))
    head, tail = entry.text[: kept * 3 // 5], entry.text[whole - kept * 2 // 5 :]
    text = f"{head}\n[… {whole - len(head) - len(tail)} characters are left out here …]\n{tail}"
    if len(text) >= whole:
        return entry
    return Excerpt(number=entry.number, text=text, characters=whole, archives=(archive_id,) if archive_id else ())


def _join(before: Gap, after: Gap) -> Gap:
    return Gap(
        first=before.first,
        last=after.last,
        tokens=before.tokens + after.tokens,
        archives=tuple(dict.fromkeys((*before.archives, *after.archives))),
    )
