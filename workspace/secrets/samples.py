"""Samples: placeholders, words and names that stand where a secret could, and are none.

A secret that is shown is worse than an example that is not, so a text counts as a sample only on evidence: a mark that
occurs in examples alone (`${`, or `your-` in what does not look random), one character repeated, an expression that a string is filled with, a
label or a sentence of an interface, or nothing but words from a list in `redaction.toml`.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from workspace.tables import table

_WORD = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_PART = re.compile(rb"[-_./:, ]+")
_WORDY_PART = re.compile(rb"[A-Za-z]?[a-z]{0,13}[0-9]{0,2}|[A-Z]{1,14}[0-9]{0,2}|(?:[A-Z]?[a-z]{2,13}){1,4}|[0-9]{1,4}")
_VARIABLE = re.compile(rb"\$[A-Za-z_]\w*\W?\Z")
_FILLED_IN = re.compile(
    rb"\{(?:[A-Za-z_]{1,80}|[A-Za-z_]\w{0,80}(?:\.[A-Za-z_]\w{0,80}|\[[^\s\[\]{}]{1,80}\]|\([^\s(){}]{0,80}\)){1,6})"
    rb"(?:![ars])?\}\Z"
)
"""An expression in braces that a string takes its text from: `{settings.password}`, `{secrets[0]}`, `{read()}`."""

_LABEL = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+){0,3} ?[*:]\Z")
"""A label of a form: words and a mark that says it has to be filled in, or that the field follows."""

_SENTENCE = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter of a writing that puts no blanks between words, or few: text of an interface is one run there."""
BREAK = rb"(?:(?:\\r)?\\n(?:\",?\r?\n[ \t]{0,20}\")?|\r?\n)[>+ \t]{0,40}"
"""The end of a line and what may stand before the next one, as an expression: also where the text stands escaped in a
string, line by line in a notebook, quoted in a mail or added in a diff."""

_FILLED = re.compile(rb"x{4}|X{4}")
_FILLED_SHARE = 4
"""At least one letter in so many is an x where x stand for a secret; a random one may have four of them in a row."""

_SIGN = re.compile(rb"[!@$^&]|[0-9]\D{0,80}[0-9]")
"""No name of a thing has it: of digits it has one at the most (`password2`)."""
_LONGEST = 80
_RANDOM = 20
_FEW = 2
_SAID = 5
"""So many letters of such a writing are a text that is read, and no password."""
_DIGIT = re.compile(rb"[0-9]")
_LETTER = re.compile(rb"[A-Za-z]")
_DENSE = 3.2
"""Letters of one case in a row, on average: random text has two, words have five."""


def is_sample(value: bytes, *, words: bool = False) -> bool:
    """Tell whether a value only stands for a secret.

    Args:
        value: without quotes.
        words: whether nothing but words for things is a sample too.
    """
    samples = _samples()
    lowered = value.lower()
    letters = lowered.strip(b"-_.+/=")
    if any(mark in lowered for mark in samples.signs) or (value.startswith(b"<") and value.endswith(b">")):
        return True
    if _FILLED.search(value) and lowered.count(b"x") * _FILLED_SHARE >= len(value):
        return True
    looks_random = len(value) >= _RANDOM and is_mixed(value) and not is_wordy(value)
    if not looks_random and any(mark in lowered for mark in samples.marks):
        return True
    if _VARIABLE.match(value) or _FILLED_IN.match(value) or _is_read(value):
        return True
    if len(set(letters[-16:])) <= _FEW and set(letters[-16:]) <= set(b"x0*#.-_?"):
        return True
    if not words or len(value) > _LONGEST or _SIGN.search(value):
        return False
    found = _WORD.findall(value)
    return all(word.lower() in samples.words or (len(word) == 1 and len(found) > 1) for word in found)


def _is_read(value: bytes) -> bool:
    """Tells whether a value is a text of an interface: a label, or words of a writing that has no blanks."""
    if len(value) > 4 * _LONGEST or (value.isascii() and not value.endswith((b"*", b":"))):
        return False
    text = value.decode(errors="replace")
    return _LABEL.match(text) is not None or len(_SENTENCE.findall(text)) >= _SAID


def has_digit(value: bytes) -> bool:
    """Tell whether there is a digit in it."""
    return _DIGIT.search(value) is not None


def is_mixed(value: bytes) -> bool:
    """Tell whether there are letters and digits in it."""
    return _DIGIT.search(value) is not None and _LETTER.search(value) is not None


def is_dense(value: bytes, *, most: float = _DENSE) -> bool:
    """Tell whether its letters change their case too often for words: after fewer letters than `most`, on average."""
    if value.lower() == value or value.upper() == value:
        return False
    words = _WORD.findall(value)
    return sum(map(len, words)) < most * len(words)


def is_wordy(value: bytes) -> bool:
    """Tell whether it reads as words with separators between them: `my-app-tls-v2`, `ERR_TOKEN_2`."""
    parts = _PART.split(value)
    return len(parts) > 1 and all(_WORDY_PART.fullmatch(part) for part in parts)


class _Samples(msgspec.Struct, frozen=True, kw_only=True):
    signs: tuple[bytes, ...]
    marks: tuple[bytes, ...]
    words: frozenset[bytes]


@cache
def _samples() -> _Samples:
    samples: dict[str, list[str]] = table("secrets/redaction")["samples"]
    rows = {name: [entry.encode() for entry in entries] for name, entries in samples.items()}
    return _Samples(signs=tuple(rows["signs"]), marks=tuple(rows["marks"]), words=frozenset(rows["words"]))
