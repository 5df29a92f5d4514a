r"""Translates a glob of gitignore syntax to a regular expression on bytes, as git's own matcher reads it.

`*` and `?` stop at a slash, `**` between slashes crosses folders, `[...]` knows ranges, negation by `!` or `^`, escapes
and the POSIX classes, and `\` takes the next byte as it is. Git's own corners are kept: a `**` that directly follows the
literal beginning of a pattern counts as one between slashes, and a malformed bracket makes the pattern match nothing.
"""

from __future__ import annotations

import re
import string
from enum import Enum, auto

import msgspec

_LONGEST_PATH = 4096
"""Bytes of a path; a glob that asks for more matches none."""
_GLOB_BYTES = re.compile(rb"[*?\[\\]")
_ASCII = {
    name: frozenset(text.encode())
    for name, text in {
        "alpha": string.ascii_letters,
        "digit": string.digits,
        "alnum": string.ascii_letters + string.digits,
        "lower": string.ascii_lowercase,
        "upper": string.ascii_uppercase,
        "punct": string.punctuation,
        "space": string.whitespace,
        "blank": " \t",
        "xdigit": string.hexdigits,
    }.items()
}
_CLASSES: dict[bytes, frozenset[int]] = {
    **{name.encode(): members for name, members in _ASCII.items()},
    b"cntrl": frozenset([*range(32), 127]),
    b"graph": frozenset(range(33, 127)),
    b"print": frozenset(range(32, 127)),
}


class _Wild(Enum):
    STAR = auto()  # any bytes but a slash
    ANY = auto()  # any bytes, slashes too
    FOLDERS = auto()  # nothing, or any bytes and a slash


class Glob(msgspec.Struct, frozen=True, kw_only=True):
    """A translated glob.

    Attributes:
        regex: what matches a whole path (`re.DOTALL`, anchored at both ends); None when nothing can match.
        literal: the one path that it matches, when there is no wildcard in it.
    """

    regex: bytes | None
    literal: bytes | None


class _MalformedError(ValueError):
    """The glob cannot match anything."""


def translate(pattern: bytes, *, across_folders: bool) -> Glob:
    """Translate a glob.

    Args:
        pattern: the glob, without the `!`, the leading and the trailing slash that say where and to what it applies.
        across_folders: whether it is matched against a path; if not, against one name, where `**` means `*`.
    """
    first_special = _GLOB_BYTES.search(pattern)
    if first_special is None:
        return Glob(regex=re.escape(pattern) + rb"\Z", literal=pattern)
    try:
        parts = _parts(pattern, first_special.start(), across_folders=across_folders)
    except _MalformedError:
        return Glob(regex=None, literal=None)
    if sum(not isinstance(part, _Wild) for part in parts) > _LONGEST_PATH:
        return Glob(regex=None, literal=None)
    return Glob(regex=_regex(parts), literal=None)


def _parts(pattern: bytes, prefix: int, *, across_folders: bool) -> list[bytes | _Wild]:
    """Cut the pattern into wildcards and regular expressions of a fixed length."""
    parts: list[bytes | _Wild] = [re.escape(pattern[:prefix])] if prefix else []
    at, end = prefix, len(pattern)
    while at < end:
        byte = pattern[at : at + 1]
        if byte == b"*":
            stop = at
            while pattern[stop : stop + 1] == b"*":
                stop += 1
            opens = at == prefix or pattern[at - 1 : at] == b"/"
            closes = stop == end or pattern.startswith((b"/", b"\\/"), stop)
            if not (across_folders and stop - at > 1 and opens and closes):
                parts.append(_Wild.STAR)
            elif pattern.startswith(b"/", stop):
                if not parts or parts[-1] is not _Wild.FOLDERS:
                    parts.append(_Wild.FOLDERS)
                stop += 1
            else:
                parts.append(_Wild.ANY)
            at = stop
        elif byte == b"?":
            parts.append(b"[^/]")
            at += 1
        elif byte == b"[":
            members, at = _bracket(pattern, at)
            parts.append(_class(members))
        else:
            at += byte == b"\\"
            if at == end:
                raise _MalformedError
            parts.append(re.escape(pattern[at : at + 1]))
            at += 1
    return parts


def _regex(parts: list[bytes | _Wild]) -> bytes:
    """Join the parts, with every wildcard but the last of its reach in an atomic group; see `workspace.files.ignore`."""
    reaches: list[list[bytes | _Wild]] = [[]]
    for part in parts:
        if part in (_Wild.ANY, _Wild.FOLDERS):
            reaches.append([])
        reaches[-1].append(part)
    written: list[bytes] = []
    for index, reach in enumerate(reaches):
        last = index == len(reaches) - 1
        body = _reach(reach, last=last)
        written.append(body if last or not reach else b"(?>" + body + b")")
    return b"".join(written) + rb"\Z"


def _reach(reach: list[bytes | _Wild], *, last: bool) -> bytes:
    opening = {_Wild.ANY: b".*?", _Wild.FOLDERS: b"(?:.*?/)??"}
    parted: list[list[bytes]] = [[]]
    lead = b""
    for part in reach:
        if part is _Wild.STAR:
            parted.append([])
        elif isinstance(part, _Wild):
            lead = opening[part]
        else:
            parted[-1].append(part)
    runs = [b"".join(run) for run in parted]
    stars = [b"(?>[^/]*?" + run + b")" for run in runs[1:]]
    if last and stars:
        stars[-1] = b"[^/]*" + runs[-1]
    return lead + runs[0] + b"".join(stars)


def _bracket(pattern: bytes, at: int) -> tuple[frozenset[int], int]:
    """Return the bytes that the bracket at `at` matches, and where it ends."""
    at += 1
    negated = pattern[at : at + 1] in {b"!", b"^"}
    at += negated
    members: set[int] = set()
    previous: int | None = None
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        escaped = pattern[at : at + 1] == b"\\"
        byte, at = _byte(pattern, at)
        if byte == ord("[") and not escaped and pattern[at : at + 1] == b":":
            close = pattern.find(b"]", at + 1)
            if close < 0:
                raise _MalformedError
            if close > at + 1 and pattern[close - 1] == ord(":"):
                members |= _named(pattern[at + 1 : close - 1])
                previous, at = None, close + 1
                continue
        if byte == ord("-") and not escaped and previous and pattern[at : at + 1] not in {b"", b"]"}:
            top, at = _byte(pattern, at)
            members.update(range(previous, top + 1))
            previous = None
            continue
        members.add(byte)
        previous = byte
    chosen = frozenset(range(256)) - members if negated else frozenset(members)
    return chosen - {ord("/")}, at + 1


def _byte(pattern: bytes, at: int) -> tuple[int, int]:
    """One byte of a bracket, its escape undone, and where the next begins."""
    at += pattern[at : at + 1] == b"\\"
    if at >= len(pattern):
        raise _MalformedError
    return pattern[at], at + 1


def _named(name: bytes) -> frozenset[int]:
    if name not in _CLASSES:
        raise _MalformedError
    return _CLASSES[name]


def _class(members: frozenset[int]) -> bytes:
    if not members:
        return b"(?!)"
    return b"[" + b"".join(b"\\x%02x" % member for member in sorted(members)) + b"]"
