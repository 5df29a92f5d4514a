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
from msgspec.structs import replace

from workspace.cancellation import stop_if_cancelled
from workspace.model import CONTINUED
from workspace.secrets.samples import BREAK, has_digit, is_dense, is_mixed, is_sample, is_wordy
from workspace.secrets.values import (
    QUOTES,
    Value,
    element,
    inside_string,
    on_next_line,
    quoted,
    rest_of_line,
    unquoted,
    whole_spans,
)
from workspace.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workspace.secrets.searching import Searched

_PASSWORD = "password"
_LONGEST_NAME = 80
_SHORTEST = 6
_SHORTEST_KEY = 8
_LONG_WORD = 16
_INSTRUCTION_BYTES = 24
_INSTRUCTION = re.compile(
    rb"(?:^|\n|\\n|\")[>+ \t]{0,4}(?:ENV|ARG|setx|setenv|set(?:[ \t]-[a-z]{1,4}){1,2})[ \t]{1,4}\Z", re.IGNORECASE
)

_BEHIND = re.compile(
    rb"(?:[_-]?(?:value|str|string|base64|b64|data|prod|production|live|staging|dev))?[0-9]{0,2}"
    rb"(?P<closed>\\{0,3}[\"'`]?)\]?"
    rb"(?P<sign>"
    # {"name": "DB_PASSWORD", "value": "…"}
    rb"[ \t]{0,8},?(?:\s{1,40}|" + BREAK + rb")\\{0,3}[\"']?value\\{0,3}[\"']?[ \t]{0,8}[:=][ \t]{0,8}"
    # "db_password": {"value": "…"}, variable "db_password" { default = "…"
    rb"|[ \t]{0,8}[:=]?[ \t]{0,8}\{[^{}]{0,200}?\b(?:value|default)\\{0,3}[\"']?[ \t]{0,8}[:=][ \t]{0,8}"
    # <key>Password</key> <string>…
    rb"|</key>\s{0,40}<string>"
    # public string Password { get; set; } = "…"
    rb"|[ \t]{0,4}\{[ \t]{0,4}get;[^{}\n]{0,40}\}[ \t]{0,4}=[ \t]{0,4}"
    # def password(self) -> str: return "…"
    rb"|\([^()\n]{0,80}\)[^\n{}:=;\"']{0,60}(?:[{:]|=>?)\s{0,60}return[ \t]{1,4}"
    # os.getenv("API_TOKEN") or "…", process.env.API_TOKEN ?? "…"
    rb"|\)?[ \t]{0,4}(?:\|\||\?\?|\?:|or(?=[ \t\"']))[ \t]{0,4}"
    # the password is …
    rb"|[ \t]{1,4}(?:is|was):?[ \t]{1,4}\*{0,2}"
    rb"|[ \t]{0,20}(?:(?:\?|\[[0-9]{0,4}\]|:[ \t]{0,2}(?:[\w.&<>\[\]?|*']{1,40}[ \t]?){1,2}|\bstring)?[ \t]{0,20}"
    rb"(?:={1,3}>?|:=|[+?|]{1,2}=)|:{1,2}|<-|->|,|\??\(|>(?:<!\[cdata\[)?)[ \t]{0,20}|[ \t]{1,20})"
)
_QUOTED_ONLY = (b"return", b"||", b"??", b"?:", b"or")
_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_.-"
_EXPRESSION = re.compile(
    rb"[$%@*!&|~]?[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|[$%@*&!|>][A-Za-z_{(]?[\w.]*\Z|@[({]|\\"
)
_ENVIRONMENT = re.compile(rb"(?:.*\.)?[A-Z][A-Z0-9_]*\Z")
_NUMBER = re.compile(rb"[\d.]+\Z")
_VERSION = re.compile(rb"[v^~<>=]{0,3}\d{1,4}(?:\.[\dx*]{1,4}){1,3}(?:[-+][\w.]{1,20})?\Z")
_SETTER = re.compile(rb"(?:set|with|use|add)", re.IGNORECASE)
_PHRASE = re.compile(rb"[a-z]{2,12}(?: [a-z]{2,12}){3,24}\Z")
_PATH_OR_URL = re.compile(rb"[a-z][a-z0-9+.-]{1,20}://|\.{0,2}/[\w.-]+/|[A-Za-z]:\\")
_FOLDERS = frozenset({b"PWD", b"OLDPWD"})
"""Names that a shell gives to folders; elsewhere, as in a connection string, one is that of a password."""
_IN_FOLDER = re.compile(rb"\$(?:[A-Za-z_]\w{0,80}|\{[A-Za-z_]\w{0,80}\})(?:/[\w./${}-]{0,400})?\Z")
_LITERAL = re.compile(rb"(?i:true|false|null|none|nil|yes|no|undefined|inherit|required|optional);?\Z")
_NUMBERED = re.compile(rb"[A-Za-z][-_]?[0-9]{2,}\Z")
_VERDICT = b"--- "
"""The mark that Go puts before the verdict on a test: `--- PASS: TestV2Keys (0.00s)`."""
_COMMENT = re.compile(rb"(?:\A|\s)(?://|/\*|\*|#|--|;)[^\n]*\Z")
_COMMENT_BYTES = 256
_ESCAPED = (b"n", b"r", b"t")
_TAG = re.compile(rb"[a-z]{2,12}:\"")
"""The beginning of what Go writes behind a field for others to read: `protobuf:"bytes,1,opt"`."""
_RESOURCE = re.compile(rb"[A-Za-z][\w.]*(?:/[\w.]{1,80}){1,6}@\d{4}-\d\d-\d\d(?:-[a-z]{1,20})?\Z")
"""A type of a cloud's resources, with the date of its version."""
_ACTION = re.compile(rb"@?[A-Za-z_]{1,80}#[a-z_]{1,80}\Z|@[A-Za-z]{1,80}\Z")
"""The name of what answers a route (`login#reset_password`), or of the notes beside a text (`@loginPassword`)."""
_NAME_OF_VARIABLE = re.compile(rb"[A-Za-z][A-Za-z0-9]{0,11}(?:_[A-Za-z0-9]{1,12}){1,8}_(?:KEY|SECRET|TOKEN|PASSWORD)\Z")
_IN_SOME_FOLDER = re.compile(rb"\$(?:[A-Z_]{1,80}|\{[A-Za-z_]\w{0,80}\})/[\w./-]{1,400}\.[a-z]{2,5}\Z")
_LISTED = re.compile(rb"[A-Z]{2,40}(?:_[A-Z]{1,40}){0,8}\Z")
"""The name of a variable, where such names stand one behind the other."""
_NO_SECRETS = (_LITERAL, _VERSION, _TAG, _RESOURCE, _ACTION, _NAME_OF_VARIABLE, _IN_SOME_FOLDER)

Secret = tuple[int, int, str]


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The words of names that say "secret"."""

    endings: tuple[tuple[bytes, str], ...]
    """Each with the kind of the secret."""
    settings: tuple[tuple[bytes, str], ...]
    """Those that are looked for in what is no code alone."""
    whole: frozenset[bytes]
    before_key: tuple[bytes, ...]
    public: tuple[bytes, ...]
    code: frozenset[str]


class Name(msgspec.Struct, frozen=True, kw_only=True):
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


def named_secrets(text: Searched) -> Iterator[Secret]:
    """The values beside names that say "secret": start, end, kind."""
    words = words_of_names()
    source, lowered = text.source, text.lowered
    is_code = text.extension in words.code
    for ending, kind in words.endings if is_code else words.endings + words.settings:
        if ending not in text.held:
            continue
        taken = 0
        for word, match in _assigned(lowered, ending):
            if word < taken:
                continue
            before = lowered[max(0, word - _LONGEST_NAME) : word]
            start = word - len(before) + len(before.rstrip(_NAME))
            start += source[max(0, start - 1) : start] == b"\\" and source[start : start + 1] in _ESCAPED
            if ending == b"pass" and before.endswith(_VERDICT):
                continue
            if not says_secret(lowered[start:word], ending, words, preceding=before):
                continue
            name = Name(start=start, word=word, text=source[start : match.start()], kind=kind, is_code=is_code)
            value = _value(source, match, name)
            if value is not None and is_secret(value.text(source), name, value):
                for number, (begin, end) in enumerate(whole_spans(source, value)):
                    yield begin, end, CONTINUED if number else kind
                    taken = end


def _assigned(lowered: bytes, ending: bytes) -> Iterator[tuple[int, re.Match[bytes]]]:
    """Yields the places of a word with something behind it that may give it a value, and the match of that."""
    word = lowered.find(ending)
    while word >= 0:
        stop_if_cancelled()
        match = _BEHIND.match(lowered, word + len(ending))
        if match is not None:
            yield word, match
        word = lowered.find(ending, word + len(ending))


@cache
def fixed_texts_of_names() -> frozenset[bytes]:
    """The words of which those that a text holds must be known before it is searched."""
    words = words_of_names()
    return frozenset(word for word, _ in words.endings + words.settings)


@cache
def words_of_names() -> Words:
    """The tables, read once."""
    names = table("secrets/redaction")["names"]
    endings = [(ending, _PASSWORD) for ending in names["passwords"]]
    endings += [(ending, "secret") for ending in names["secrets"]]
    endings.append(("key", "api-key"))
    return Words(
        endings=tuple((ending.encode(), kind) for ending, kind in endings),
        settings=tuple((word.encode(), _PASSWORD) for word in names["settings"]),
        whole=frozenset(word.encode() for word in names["whole"]),
        before_key=tuple(word.encode() for word in names["before_key"]),
        public=tuple(word.encode() for word in names["public"]),
        code=frozenset(table("secrets/redaction")["code"]["extensions"]),
    )


def says_secret(before: bytes, ending: bytes, words: Words, *, preceding: bytes = b"") -> bool:
    """Tell whether a name says "secret".

    Args:
        before: the name in lower case, up to the word that it ends with.
        ending: that word.
        words: the tables.
        preceding: what stands before the word, the name and more: `the api key` is a name of two words.
    """
    if ending == b"key" and not (before or preceding).rstrip(b"-_. ").endswith(words.before_key):
        return False
    if ending in words.whole and before[-1:] not in b"-_.":
        return False
    return not any(map(before.__contains__, words.public))


def _value(source: bytes, match: re.Match[bytes], name: Name) -> Value | None:
    """Returns the value behind a name; None where that is no value."""
    sign = source[slice(*match.span("sign"))].strip().lower()
    is_prose = sign.startswith((b"is", b"was"))
    in_comment = name.is_code and _in_comment(source, name.start)
    if is_prose and name.is_code and not in_comment:
        return None
    value = quoted(source, match.end(), is_code=name.is_code)
    if value is not None:
        takes = _takes(source, sign, match, name) and not _is_listed(value.text(source), sign, match, name)
        return replace(value, in_prose=is_prose) if takes else None
    if sign.endswith((b",", b"(", b"<-", b"->", *_QUOTED_ONLY)) or _asks_whether_set(source, match, name):
        return None
    is_flag = name.text.startswith(b"-")
    if not sign and not is_flag and not _is_instruction(source, name.start):
        return None
    if sign == b">" or sign.endswith((b"<string>", b"[cdata[")):
        return element(source, match.end())
    in_string = name.is_code and not is_flag and inside_string(source, name.start)
    if in_comment and not in_string:
        return unquoted(source, match.end(), in_prose=True)
    if name.is_code and not is_flag and not in_string:
        return _setting_in_code(source, match, name, sign)
    inside = name.is_code or is_flag or source[max(0, name.start - 1) : name.start] in (b";", b"&", b"?", *QUOTES)
    below = on_next_line(source, match.end()) if sign == b":" and not name.is_code else None
    if below is not None:
        return below
    if inside or sign not in (b"=", b":"):
        return unquoted(source, match.end(), in_prose=is_prose)
    return rest_of_line(source, match.end()) or unquoted(source, match.end())


def _takes(source: bytes, sign: bytes, match: re.Match[bytes], name: Name) -> bool:
    """Tells whether what stands before a text in quotes gives it to the name."""
    if sign == b",":  # ("password", "…"): the name is a text of its own
        return bool(match["closed"]) and source[max(0, name.start - 1) : name.start] in QUOTES
    if sign.endswith(b"(") and name.kind != _PASSWORD:
        return _SETTER.match(name.text) is not None or name.word == name.start
    return bool(sign) or name.text.lower() != b"pass"


def _is_listed(text: bytes, sign: bytes, match: re.Match[bytes], name: Name) -> bool:
    """Tells whether two names of variables stand one behind the other: `"OLDPWD" "OPTIND"`, `PGPASSWORD`, `PGHOST`."""
    return sign in (b"", b",") and bool(match["closed"]) and bool(_LISTED.match(name.text) and _LISTED.match(text))


def _asks_whether_set(source: bytes, match: re.Match[bytes], name: Name) -> bool:
    """Tells whether what follows stands in for a variable of a shell that is set, or complains of one that is not."""
    follows = source[match.end() : match.end() + 1]
    return follows in (b"+", b"?") and source[max(0, name.start - 2) : name.start] == b"${"


def _in_comment(source: bytes, start: int) -> bool:
    """Tells whether a place in code is behind a comment mark on its line."""
    line = max(source.rfind(b"\n", 0, start) + 1, start - _COMMENT_BYTES)
    return _COMMENT.search(source[line:start]) is not None


def _setting_in_code(source: bytes, match: re.Match[bytes], name: Name, sign: bytes) -> Value | None:
    """`API_KEY=…` on a line of its own without blanks: a settings file that stands in code as a text of many lines."""
    value = rest_of_line(source, match.end())
    if value is None or source[slice(*match.span("sign"))] != b"=" or not _ENVIRONMENT.match(name.text):
        return None
    text = value.text(source)
    is_long = len(text) >= _LONG_WORD and is_mixed(text) and b"(" not in text
    return value if is_long and sign else None


def _is_instruction(source: bytes, name_start: int) -> bool:
    """Tells whether what stands before a name sets it without a sign: `ENV` in a Dockerfile, `setx` in a batch file."""
    return _INSTRUCTION.search(source[max(0, name_start - _INSTRUCTION_BYTES) : name_start]) is not None


def is_secret(text: bytes, name: Name, value: Value) -> bool:
    """Tell whether a value is what its name says."""
    text = text if value.quoted else text.rstrip(b")],;") or text
    if len(text) < _SHORTEST or is_sample(text, words=True) or any(rule.match(text) for rule in _NO_SECRETS):
        return False
    if _PATH_OR_URL.match(text) and not (text.startswith(b"/") and is_dense(text) and has_digit(text)):
        return False  # base64 may begin like a path, but no path changes its case so often
    if name.text in _FOLDERS and _IN_FOLDER.match(text):
        return False
    if value.in_prose and not _stands_out(text, name):
        return False
    is_line = value.ends_line and not name.is_code
    if not value.quoted and not (is_line and has_digit(text)) and (_EXPRESSION.match(text) or _NUMBER.match(text)):
        return False
    is_setting = bool(_ENVIRONMENT.match(name.text)) and (value.ends_line or (value.quoted and not name.is_code))
    if re.search(rb"\s", text):
        return name.kind == _PASSWORD and (is_setting or bool(_PHRASE.match(text)))
    if name.kind == _PASSWORD:
        return _is_password(text, name, value, is_setting=is_setting or is_line)
    if len(text) < _SHORTEST_KEY or text.isdigit():
        return False
    if is_mixed(text):
        return not is_wordy(text)
    return (is_setting and not is_wordy(text)) or _is_long_word(text) or (len(text) >= _LONG_WORD and is_dense(text))


def _stands_out(text: bytes, name: Name) -> bool:
    """Tells whether a word of a sentence or a comment can be a secret at all."""
    least = _SHORTEST_KEY if name.kind == _PASSWORD else _LONG_WORD
    return len(text) >= least and is_mixed(text) and (not is_wordy(text) or _NUMBERED.search(text) is not None)


def _is_password(text: bytes, name: Name, value: Value, *, is_setting: bool) -> bool:
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
