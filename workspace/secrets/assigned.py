r"""Secrets that the name beside them gives away: `DB_PASSWORD=…`, `"clientSecret": "…"`, `setToken("…")`.

The words that end such names are looked for one by one, which for fixed texts is fast; what stands around a word
decides. Before it the name must be one that says "secret" (`api_key`, but not `primary_key` or `public_token`); after it
something must assign, compare, pass or map a value; and the value must be one: no placeholder, no name of a thing, and
without quotes no expression. In code a value without quotes is an expression, but for one inside a longer string
(`"Server=db;Password=…"`). A password is taken at its name's word; a token or key must also look like one, with
letters and digits that are not words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from workspace.secrets.samples import BREAK, has_digit, is_dense, is_mixed, is_sample, is_wordy
from workspace.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_NAME = 80
_LONGEST_VALUE = 256
_SHORTEST = 6
_SHORTEST_KEY = 8
_LONG_WORD = 16
_DOCKER = 10
_INSTRUCTION = re.compile(rb"(?:^|\n|\\n|\")[>+ \t]{0,4}(?:ENV|ARG)[ \t]{1,4}\Z", re.IGNORECASE)

_BEHIND = re.compile(
    rb"(?:[_-]?(?:value|str|string|base64|b64|prod|production|live|staging|dev))?[0-9]{0,2}"
    rb"(?P<closed>\\{0,3}[\"'`]?)\]?"
    rb"(?P<sign>[ \t]{0,8},?(?:\s{1,40}|" + BREAK + rb")\\{0,3}[\"']?value\\{0,3}[\"']?[ \t]{0,8}[:=][ \t]{0,8}"
    rb"|[ \t]{0,20}(?:(?:\?|\[[0-9]{0,4}\]|:[ \t]{0,2}[\w.&<>\[\]?|*']{1,40}|\bstring)?[ \t]{0,20}"
    rb"(?:={1,3}>?|:=|[+?|]{1,2}=)|:{1,2}|<-|->|,|\??\(|>)[ \t]{0,20}|[ \t]{1,20})"
)
_OPENED = re.compile(
    rb"(?:" + BREAK + rb")?(?:(?:new[ \t])?[\w.:]{1,40}(?<!code)\([ \t]{0,4})?"
    rb"(?P<quote>[@$bBrRuULfF]{0,2}\\{0,3}(?:[\"']{3}|[\"'`]))"
)
_PREFIX = b"@$bBrRuULfF"
_UNQUOTED = re.compile(rb"[^\s\"'`<>;,&(){}\[\]\\]{1,256}")
_WHOLE_LINE = re.compile(rb"[^\s\"'`]{1,256}+(?=[ \t]{0,80}(?:#|\r?\n|\Z))")
_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_.-"
_EXPRESSION = re.compile(
    rb"[$%@*!&|~]?[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|[$%@*&!|>][A-Za-z_{(]?[\w.]*\Z|\\"
)
_ENVIRONMENT = re.compile(rb"(?:.*\.)?[A-Z][A-Z0-9_]*\Z")
_NUMBER = re.compile(rb"[\d.]+\Z")
_VERSION = re.compile(rb"[v^~<>=]{0,3}\d{1,4}(?:\.[\dx*]{1,4}){1,3}(?:[-+][\w.]{1,20})?\Z")
_SETTER = re.compile(rb"(?:set|with|use|add)", re.IGNORECASE)
_PHRASE = re.compile(rb"[a-z]{2,12}(?: [a-z]{2,12}){3,24}\Z")
_PATH_OR_URL = re.compile(rb"[a-z][a-z0-9+.-]{1,20}://|\.{0,2}/[\w.-]+/|[A-Za-z]:\\")
_LITERAL = re.compile(rb"(?i:true|false|null|none|nil|yes|no|undefined|inherit|required|optional)\Z")
_ESCAPED = (b"n", b"r", b"t")
_NO_SECRETS = (_PATH_OR_URL, _LITERAL, _VERSION)
_QUOTES = (b'"', b"'", b"`")

Secret = tuple[int, int, str]


class _Words(msgspec.Struct, frozen=True, kw_only=True):
    endings: tuple[tuple[bytes, bytes, str], ...]
    """Each with the shortest of them that stands in it, "pass" in "password", and with the kind of the secret."""
    stems: frozenset[bytes]
    before_key: tuple[bytes, ...]
    public: tuple[bytes, ...]
    code: frozenset[str]


class _Name(msgspec.Struct, frozen=True, kw_only=True):
    """A name that says "secret".

    Attributes:
        start: where it begins.
        word: where the word that says so begins.
        text: up to the word that says so.
        kind: of the secret.
        is_code: whether it stands in a file of code.
    """

    start: int
    word: int
    text: bytes
    kind: str
    is_code: bool


class _Value(msgspec.Struct, frozen=True, kw_only=True):
    """Where a value stands, and how it is written."""

    start: int
    end: int
    quoted: bool = False
    ends_line: bool = False


def named_secrets(source: bytes, extension: str) -> Iterator[Secret]:
    """The values beside names that say "secret": start, end, kind.

    Args:
        source: the text.
        extension: of the file, in lower case and without the dot.
    """
    words = _words()
    lowered = source.lower()
    is_code = extension in words.code
    absent = {stem for stem in words.stems if stem not in lowered}
    for ending, stem, kind in words.endings:
        if stem in absent:
            continue
        for word, match in _assigned(lowered, ending):
            before = lowered[max(0, word - _LONGEST_NAME) : word]
            start = word - len(before) + len(before.rstrip(_NAME))
            start += source[max(0, start - 1) : start] == b"\\" and source[start : start + 1] in _ESCAPED
            if not _says_secret(lowered[start:word], ending, words):
                continue
            name = _Name(start=start, word=word, text=source[start : match.start()], kind=kind, is_code=is_code)
            value = _value(source, match, name)
            if value is not None and _is_secret(source[value.start : value.end], name, value):
                yield value.start, value.end, kind


def _assigned(lowered: bytes, ending: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    """Where a word stands with something behind it that may give it a value, and that."""
    word = lowered.find(ending)
    while word >= 0:
        match = _BEHIND.match(lowered, word + len(ending))
        if match is not None:
            yield word, match
        word = lowered.find(ending, word + 1 if match is None else match.end())


@cache
def _words() -> _Words:
    names = table("secrets/redaction")["names"]
    endings = [(ending, "password") for ending in names["passwords"]]
    endings += [(ending, "secret") for ending in names["secrets"]]
    endings.append(("key", "api-key"))
    stems = {ending: min((stem for stem, _ in endings if stem in ending), key=len) for ending, _ in endings}
    return _Words(
        endings=tuple((ending.encode(), stems[ending].encode(), kind) for ending, kind in endings),
        stems=frozenset(stem.encode() for stem in stems.values()),
        before_key=tuple(word.encode() for word in names["before_key"]),
        public=tuple(word.encode() for word in names["public"]),
        code=frozenset(table("secrets/redaction")["code"]["extensions"]),
    )


def _says_secret(before: bytes, ending: bytes, words: _Words) -> bool:
    if ending == b"key" and not before.rstrip(b"-_.").endswith(words.before_key):
        return False
    if ending in (b"pass", b"salt") and before[-1:] not in b"-_.":  # the end of many a word
        return False
    return not any(map(before.__contains__, words.public))


def _value(source: bytes, match: re.Match[bytes], name: _Name) -> _Value | None:
    """What stands behind a name; None where that is no value."""
    sign = source[slice(*match.span("sign"))].strip()
    opened = _OPENED.match(source, match.end())
    if opened:
        return _quoted(source, opened) if _takes(source, sign, match, name) else None
    if sign.endswith((b",", b"(", b"<-", b"->")):
        return None
    is_flag = name.text.startswith(b"--")
    if not sign and not is_flag and not _is_docker(source, name.start):
        return None
    if name.is_code and not is_flag and not _in_string(source, name.start):
        return _setting_in_code(source, match, name, sign)
    inside = name.is_code or is_flag or source[max(0, name.start - 1) : name.start] in (b";", b"&", b"?", *_QUOTES)
    whole = _WHOLE_LINE.match(source, match.end()) if sign in (b"=", b":") and not inside else None
    value = whole or _UNQUOTED.match(source, match.end())
    if value is None:
        return None
    ends_line = whole is not None or source.startswith((b"\\n", b"\\r"), value.end())
    return _Value(start=value.start(), end=value.end(), ends_line=ends_line)


def _takes(source: bytes, sign: bytes, match: re.Match[bytes], name: _Name) -> bool:
    """Whether what stands before a text in quotes gives it to the name."""
    if sign == b",":  # ("password", "…"): the name is a text of its own
        return bool(match["closed"]) and source[max(0, name.start - 1) : name.start] in _QUOTES
    if sign.endswith(b"(") and name.kind != "password":
        return _SETTER.match(name.text) is not None or name.word == name.start
    return bool(sign) or name.text.lower() != b"pass"


def _quoted(source: bytes, opened: re.Match[bytes]) -> _Value | None:
    """A text in quotes: to the same quote, on the same line, past escaped ones."""
    quote = opened["quote"].lstrip(_PREFIX)
    start = opened.end()
    line = source.find(b"\n", start, start + _LONGEST_VALUE)
    limit = line if line >= 0 else min(len(source), start + _LONGEST_VALUE)
    end = source.find(quote, start, limit)
    while end > start and quote[:1] != b"\\" and source[end - 1 : end] == b"\\" and source[end - 2 : end - 1] != b"\\":
        end = source.find(quote, end + 1, limit)
    return _Value(start=start, end=end, quoted=True) if end > start else None


def _in_string(source: bytes, start: int) -> bool:
    """Whether a place in code is inside a text: an odd number of the same quotes stands before it on its line."""
    if source[max(0, start - 1) : start] in (b";", b"&", b"?"):
        return True
    line = source.rfind(b"\n", max(0, start - _LONGEST_VALUE), start) + 1
    before = source[line or max(0, start - _LONGEST_VALUE) : start]
    escaped = [before.count(b"\\" + quote) for quote in _QUOTES]
    return any((before.count(quote) - inside) % 2 or inside % 2 for quote, inside in zip(_QUOTES, escaped, strict=True))


def _setting_in_code(source: bytes, match: re.Match[bytes], name: _Name, sign: bytes) -> _Value | None:
    """`API_KEY=…` on a line of its own without blanks: a settings file that stands in code as a text of many lines."""
    value = _WHOLE_LINE.match(source, match.end())
    if value is None or source[slice(*match.span("sign"))] != b"=" or not _ENVIRONMENT.match(name.text):
        return None
    is_long = len(value[0]) >= _LONG_WORD and is_mixed(value[0]) and b"(" not in value[0]
    return _Value(start=value.start(), end=value.end(), ends_line=True) if is_long and sign else None


def _is_docker(source: bytes, name_start: int) -> bool:
    return _INSTRUCTION.search(source[max(0, name_start - _DOCKER) : name_start]) is not None


def _is_secret(text: bytes, name: _Name, value: _Value) -> bool:
    if len(text) < _SHORTEST or is_sample(text, words=True) or any(rule.match(text) for rule in _NO_SECRETS):
        return False
    is_line = value.ends_line and not name.is_code
    if not value.quoted and not (is_line and has_digit(text)) and (_EXPRESSION.match(text) or _NUMBER.match(text)):
        return False
    is_setting = bool(_ENVIRONMENT.match(name.text)) and (value.ends_line or (value.quoted and not name.is_code))
    if re.search(rb"\s", text):
        return name.kind == "password" and (is_setting or bool(_PHRASE.match(text)))
    if name.kind == "password":
        return _is_password(text, name, value, is_setting=is_setting or is_line)
    if len(text) < _SHORTEST_KEY or text.isdigit():
        return False
    if is_mixed(text):
        return not is_wordy(text)
    return (is_setting and not is_wordy(text)) or _is_long_word(text) or (len(text) >= _LONG_WORD and is_dense(text))


def _is_password(text: bytes, name: _Name, value: _Value, *, is_setting: bool) -> bool:
    if is_wordy(text) and any(word in text.lower() for word in (b"pass", b"pwd", b"auth", b"login", b"user")):
        return False
    if re.search(rb"[0-9!@#$%^&*+=?~]", text):
        return value.quoted or not name.is_code or not text.isdigit()
    if is_setting:
        return not is_wordy(text)
    return _is_long_word(text)


def _is_long_word(text: bytes) -> bool:
    """Letters without an end, as no name has them."""
    return len(text) >= _LONG_WORD and text.isalpha() and (text.islower() or text.isupper())
