r"""Secrets that their shape or their place gives away.

A token of a known vendor holds a run of at least twenty letters, digits, `_` and `-`. Such runs are found by one
translation of the text to two characters and a search, which is many times faster than any expression; the vendors'
patterns are tried around those runs alone, and of them only those whose fixed part occurs there. The few shapes without
such a run (`anywhere` in `redaction.toml`) have fixed parts that are rare in any text.

A private key keeps the lines of its frame. Of its content, as much as lies between them or before the next frame, every
run of base64 goes, whether it stands on lines of its own, in quotes, behind comment marks or on one line with `\n`.
"""

from __future__ import annotations

import base64
import binascii
import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import msgspec

from workspace.cancellation import still_wanted, stop_if_cancelled
from workspace.model import CONTINUED
from workspace.secrets.samples import BREAK, has_digit, is_dense, is_mixed, is_sample, is_wordy
from workspace.secrets.searching import FixedTexts, Searched
from workspace.stepping import matches
from workspace.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = 20
_DENSE_RUN = 5.0
"""Letters of one case in a row, on average: random letters of this length have more one time in a thousand."""

_BEFORE = 64
"""Bytes before a run in which a token may have more of itself: `SG.`, a number and a colon."""

_RUN_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_NARROW: Final = bytes(byte in _RUN_BYTES for byte in range(256))
_WIDE: Final = bytes(byte in _RUN_BYTES + b"+/=.:%~$@" for byte in range(256))
_WORD_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"

_WORD_AHEAD: Final = re.compile(r"\\<([\w-]+)")
_WORD_FIRST: Final = r"\1(?:(?<=\\b\1)|(?<=\\\\n\1))"
"""The word before what stands before it: an expression that begins with a fixed text is tried where that stands alone."""

_KEY_FRAME = re.compile(
    rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?<![^\n])Private-Lines: \d{1,4} ?\r?\n"
)
_KEY_WORDS: Final = (b"private key", b"private-lines: ")
_KEY_END = re.compile(rb"-----END |\nPrivate-MAC:")
_KEY_TEXT = re.compile(rb"\\[nrt]|(?P<secret>[A-Za-z0-9+/=]{2,})")
_KEY_BYTES = 64 << 10
_LEAST_KEY, _SHORT_KEY = 4, 64

_URL: Final = b"://"
_URL_PASSWORD = re.compile(rb"://(?P<user>[^\s:/@\"'<>`]{0,100}):(?P<secret>[^\s/@\"'<>`\\\\()]{3,200})@")
_PORT = 5
_BEARER_WORD: Final = b"bearer"
_BEARER = re.compile(rb"bearer[ \t]{1,4}(?P<secret>[a-z0-9._~+/=-]{16,})")
_BASIC_WORD: Final = b"basic"
_BASIC = re.compile(rb"basic[ \t]{1,4}(?P<secret>[a-z0-9+/]{8,}={0,2})")
_MANIFEST_WORDS: Final = (b"kind:", b"secret")
_MANIFEST = re.compile(rb"kind:(?:(?<![\w-]kind:)|(?<=\\nkind:))[ \t]{0,8}[\"']?Secret\b")
_MANIFEST_VALUE = re.compile(
    BREAK + rb"[\w.-]{1,100}:[ \t]{0,8}[\"']?(?P<secret>[A-Za-z0-9+/]{8,}+={0,2})[\"']?[ \t]{0,8}(?=\r?\n|\\[nr]|\Z)"
)

Secret = tuple[int, int, str]


class _Shape(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    starts: frozenset[bytes]
    lowered: frozenset[bytes]
    pattern: bytes
    beside: bytes
    anywhere: bool
    mixed: bool


def shaped_secrets(text: Searched) -> Iterator[Secret]:
    """The secrets that no name is needed for, in no order: start, end, kind."""
    yield from _private_keys(text)
    yield from _tokens(text)
    yield from _in_places(text)


@cache
def fixed_texts_of_shapes() -> frozenset[bytes]:
    """The fixed texts, in lower case, of which those that a text holds must be known before it is searched."""
    tables = _tables()
    gates = {gate for place in tables.places for gate in place.gates}
    return frozenset({_URL, _BEARER_WORD, _BASIC_WORD, *_MANIFEST_WORDS, *_KEY_WORDS, *gates, *tables.gates})


# Private keys


def _private_keys(text: Searched) -> Iterator[Secret]:
    if text.held.isdisjoint(_KEY_WORDS):
        return
    source = text.source
    frames = [frame.end() for frame in matches(_KEY_FRAME, source)]
    for start, following in still_wanted(pairwise([*frames, len(source)])):
        limit = min(start + _KEY_BYTES, following)
        closed = _KEY_END.search(source, start, limit)
        least = 2 if closed else _RUN
        inside = _KEY_TEXT.finditer(source, start, closed.start() if closed else limit)
        runs = [match.span("secret") for match in inside if match["secret"] is not None]
        runs = [(begin, end) for begin, end in runs if end - begin >= least and _is_random(source[begin:end])]
        size = sum(end - begin for begin, end in runs)
        if size < _LEAST_KEY or (size < _SHORT_KEY and is_sample(source[start : runs[-1][1]])):
            continue
        for number, (begin, end) in enumerate(runs):
            yield begin, end, CONTINUED if number else "private-key"


def _is_random(run: bytes) -> bool:
    return len(run) < _RUN or len(set(run)) > 2


# Tokens


class _Place(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    gates: tuple[bytes, ...]
    within: bytes
    pattern: bytes
    mixed: bool
    pair: bool
    settings: bool


class _Tables(msgspec.Struct, frozen=True, kw_only=True):
    shapes: tuple[_Shape, ...]
    gates: frozenset[bytes]
    """Of these, in lower case, a text holds one that has a token which is not around a run, or which has a word beside it."""
    around_runs: FixedTexts
    places: tuple[_Place, ...]
    code: frozenset[str]


@cache
def _tables() -> _Tables:
    rules = table("secrets/redaction")
    places = tuple(
        _Place(
            kind=entry["kind"],
            gates=tuple(gate.encode() for gate in entry["gates"]),
            within=entry.get("within", "").encode(),
            pattern=_WORD_AHEAD.sub(_WORD_FIRST, entry["pattern"]).encode(),
            mixed=entry.get("mixed", False),
            pair=entry.get("pair", False),
            settings=entry.get("settings", False),
        )
        for entry in rules["place"]
    )
    shapes = tuple(
        _Shape(
            kind=entry["kind"],
            starts=frozenset(start.encode() for start in entry["starts"]),
            lowered=frozenset(start.lower().encode() for start in entry["starts"]),
            pattern=entry["pattern"].replace(r"\<", _WORD_START).encode(),
            beside=entry.get("with", "").encode(),
            anywhere=entry.get("anywhere", False),
            mixed=entry.get("mixed", False),
        )
        for entry in rules["shape"]
    )
    near_runs = [start for shape in shapes if not shape.anywhere and not shape.beside for start in shape.starts]
    return _Tables(
        shapes=shapes,
        gates=frozenset(
            [
                *(start for shape in shapes if shape.anywhere for start in shape.lowered),
                *(shape.beside for shape in shapes if shape.beside),
            ]
        ),
        around_runs=FixedTexts(near_runs),
        places=places,
        code=frozenset(rules["code"]["extensions"]),
    )


@cache
def _compiled(pattern: bytes) -> re.Pattern[bytes]:
    """A pattern of the tables; most are never needed, and to compile all of them takes longer than most texts."""
    return re.compile(pattern)


def _tokens(text: Searched) -> Iterator[Secret]:
    source, tables = text.source, _tables()
    windows = [(source[start:end], start, end) for start, end in _windows(source)]
    around_runs = tables.around_runs.held_by(b"\n".join([window for window, _, _ in windows]))
    held = text.held
    if not around_runs and held.isdisjoint(tables.gates):
        return
    whole = [(source, 0, len(source))]
    for shape in tables.shapes:
        if shape.anywhere:
            if not held.isdisjoint(shape.lowered):
                yield from _matching(shape, source, whole)
        elif shape.beside in held if shape.beside else not around_runs.isdisjoint(shape.starts):
            yield from _matching(shape, source, windows)


def _matching(shape: _Shape, source: bytes, parts: list[tuple[bytes, int, int]]) -> Iterator[Secret]:
    """The secrets of one shape, in some parts of a text."""
    expression = _compiled(shape.pattern)
    group = "secret" if "secret" in expression.groupindex else 0
    for part, start, end in still_wanted(parts):
        if not any(map(part.__contains__, shape.starts)):
            continue
        for match in matches(expression, source, start, end):
            value = match[group]
            if is_sample(value) or (shape.mixed and (not is_mixed(value) or is_wordy(value))):
                continue
            yield (*match.span(group), shape.kind)


def _windows(source: bytes) -> list[tuple[int, int]]:
    """Returns the windows in which tokens can be: around the long runs of a token's characters that are not words."""
    narrow, wide = source.translate(_NARROW), source.translate(_WIDE)
    windows: list[tuple[int, int]] = []
    start = narrow.find(b"\1" * _RUN)
    while start >= 0:
        stop_if_cancelled()
        end = _found_or_end(narrow, start)
        if has_digit(run := source[start:end]) or is_dense(run, most=_DENSE_RUN):
            nearest = max(0, start - _BEFORE)
            before = max(nearest, wide.rfind(b"\0", nearest, start) - 1)  # with the sign of an escape before it
            behind = _found_or_end(wide, end)
            if windows and before <= windows[-1][1]:
                windows[-1] = windows[-1][0], behind
            else:
                windows.append((before, behind))
            end = behind
        start = narrow.find(b"\1" * _RUN, end)
    return windows


def _found_or_end(kinds: bytes, start: int) -> int:
    end = kinds.find(b"\0", start)
    return len(kinds) if end < 0 else end


# Places


def _in_places(text: Searched) -> Iterator[Secret]:
    source, lowered, held = text.source, text.lowered, text.held
    tables = _tables()
    is_code = text.extension in tables.code
    if _URL in held:
        for match in matches(_URL_PASSWORD, source):
            secret = match["secret"]
            is_port = secret[:5].isdigit() and len(secret) <= _PORT
            if secret != match["user"] and not is_port and not is_sample(secret, words=True):
                yield (*match.span("secret"), "url-password")
    if _BEARER_WORD in held:
        for match in matches(_BEARER, lowered):
            secret = source[slice(*match.span("secret"))]
            if is_mixed(secret) and not is_wordy(secret) and not is_sample(secret):
                yield (*match.span("secret"), "bearer-token")
    if _BASIC_WORD in held:
        for match in matches(_BASIC, lowered):
            if _is_user_and_password(source[slice(*match.span("secret"))]):
                yield (*match.span("secret"), "basic-auth")
    for place in tables.places:
        if not (place.settings and is_code) and held.issuperset(place.gates):
            yield from _standing(source, lowered, place)
    if held.issuperset(_MANIFEST_WORDS) and next(matches(_MANIFEST, source), None):
        for match in matches(_MANIFEST_VALUE, source):
            if _is_of_manifest(match["secret"]):
                yield (*match.span("secret"), "kubernetes-secret")


def _standing(source: bytes, lowered: bytes, place: _Place) -> Iterator[Secret]:
    """The secrets of one kind of place, in a text that has all its gates."""
    pattern = _compiled(place.pattern)
    spans = (
        (match.span() for match in matches(_compiled(place.within), lowered)) if place.within else ((0, len(source)),)
    )
    for start, end in spans:
        for match in matches(pattern, source, start, end):
            secret = match["secret"]
            if place.mixed and (not is_mixed(secret) or is_wordy(secret)):
                continue
            if _is_user_and_password(secret) if place.pair else not is_sample(secret, words=True):
                yield (*match.span("secret"), place.kind)


def _is_of_manifest(text: bytes) -> bool:
    """Tells whether a value is base64 of a text, or of bytes and looks random; other manifests of a file have words."""
    if is_sample(text) or len(text) % 4:
        return False
    try:
        decoded = base64.b64decode(text, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return len(text) >= _RUN and is_mixed(text) and not is_wordy(text)
    return all(char.isprintable() or char.isspace() for char in decoded)


def _is_user_and_password(text: bytes) -> bool:
    try:
        decoded = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return False
    _, colon, password = decoded.partition(b":")
    return bool(colon) and decoded.isascii() and decoded.decode().isprintable() and not is_sample(password, words=True)
