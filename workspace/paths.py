r"""Writes paths for readers, and reads them back.

A file name on disk is any run of bytes but `/` and NUL. What leaves this package is text that must survive JSON, a
terminal and a line-based format, so what would not is written as an escape: a byte that is not UTF-8 as `\xff`, a
newline as `\n`, other control and formatting characters as `\u202e`, and a backslash as two. The writing is injective:
two files never share a shown path, and `unshown` gives the name back, so that a path a model read can be sent back.

Where blanks part names, as on a map, those in a name are escaped as well (`as_word`): `my\x20notes.md`.
"""

from __future__ import annotations

import os
import re
import unicodedata

_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONG = {short: char for char, short in _SHORT.items()}
_ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_BLANK = re.compile(r"\s")
_SIGN = re.compile(r"\\(?:\\|x(20|28|7b|7d)|u([0-9a-f]{4}))")
_ESCAPE = re.compile(r"\\(?:([\\nrt])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")


def slashed(path: str) -> str:
    """Return a path of the system with forward slashes, as all paths are told and kept."""
    return path if os.sep == "/" else path.replace(os.sep, "/")


def path_of(name: bytes) -> str:
    """Return a path that git, or our own cache, keeps as bytes, as the system's functions take it.

    On Windows names are text, and bytes that are none are no error of a reader's: they name a file that is not there.
    """
    try:
        return os.fsdecode(name)
    except UnicodeDecodeError:
        return name.decode("utf-8", "surrogateescape")


def shown(path: str) -> str:
    """Return `path`, as the system gives it, in the form that readers see; see the module's text for the escapes."""
    if path.isascii() and path.isprintable() and "\\" not in path:
        return path
    return "".join(_shown_character(character) for character in path)


def unshown(text: str) -> str:
    """Return the path that `shown` writes as `text`; what is no escape of ours stays as it is."""
    return _ESCAPE.sub(_true_character, text)


def as_word(path: str) -> str:
    """Return a shown path with escapes for its blanks: it stands as one word among others."""
    return _BLANK.sub(lambda found: f"\\x{ord(found[0]):02x}" if found[0] == " " else f"\\u{ord(found[0]):04x}", path)


def from_word(text: str) -> str:
    """Return the shown path that `as_word` writes as `text`, with braces and brackets for their escapes; all else stays as it is."""
    return _SIGN.sub(_sign, text) if "\\" in text else text


def _sign(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2]
    character = chr(int(code, 16)) if code else ""
    return character if character and (character in "{}(" or unicodedata.category(character) == "Zs") else escape[0]


def _shown_character(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    if unicodedata.category(character) not in _ESCAPED_CATEGORIES:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python carries a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _true_character(escape: re.Match[str]) -> str:
    short, byte, four, eight = escape.groups()
    if short:
        return _LONG[escape[0]]
    code = int(byte or four or eight, 16)
    if byte and code >= 0x80:
        return chr(0xDC00 + code)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return escape[0]
    return chr(code)
