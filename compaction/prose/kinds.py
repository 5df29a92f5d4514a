"""Tells the kind of a text: written for people, or source code."""

from __future__ import annotations

import re
from itertools import islice

from workspace.stepping import matches

DETECTED_CHARACTERS = 65_536
"""The characters that a detection looks at, at most: a format shows itself in its first pages, whatever follows."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?)\"'’]*\Z")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEAST_CODE_LINES, _LEAST_CODE_SHARE = 4, 0.3
_STATEMENT = re.compile(
    r"[ \t]*+(?:"
    r"[\])}][\])}]*+[,;]?\s*\Z"  # a bracket closes
    r"|(?:-[ \t]+)?(?:[\w./$-]++|\"[^\"]*\")[ \t]*+:(?:[ \t]+\S+)?\s*\Z"  # a key, with one word at most
    r"|(?:[^\s'\"][^\n]*)?[;{]\s*\Z"  # a statement or a block
    r"|(?:@|#!|#\[|#include\b|//|/\*|\*/|--\s)"  # decorators, attributes, comments
    r"|(?:def|class|if|elif|else|for|while|with|try|except|finally|switch|case|match|async|fn|func|function|sub|do)\b[^.?!]*:\s*\Z"
    r"|(?:import|from|package|use|using|require|return|raise|yield|await|const|let|var|val|pub|fn|func|function|export|"
    r"public|private|protected|static|def|class|struct|enum|interface|type|impl|module|end|echo|print|assert|pass|break|"
    r"continue)\b[^.?!]*(?:\Z|[\w)\]}\"'][^.?!\s]*\Z)"
    r"|[\w.$*&\[\]\"'-]++(?:[ \t]*+:[ \t]*+[\w\[\], .|]++)?[ \t]*+(?:[-+*/|&%^]|:|<<|>>)?=(?!=)\s?\S"  # an assignment
    r"|[\w.$:>-]++[!?]?\([^\n]*\)[,;:]?\s*\Z"  # a call
    r")"
)
_CODE_SIGNS = re.compile(r"```|~~~|&&|\|\||[;{}$\\]|=>|->|::|\(\)|<[/\w]|\s--?\w|\w=\S|^\W*https?://\S+\W*\Z")

_CODE_LINE = re.compile(r"^(?: {4}|\t)|^[ >]{0,8}(?:```|~~~)", re.MULTILINE)
_LONG, _WORDS_TO_A_SIGN = 30, 15
"""Words from which a text may quote code, and those that it must have for each sign of it."""


def is_prose(text: str, *, words: int = 6, characters: int = 0) -> bool:
    """Return whether a value is written for people: enough words, most of them of letters, no signs of code.

    Commands, image names, paths, keys and lists of numbers are none. Text of scripts that set no spaces between words
    counts a word for every two characters.
    """
    if len(text) < characters:
        return False
    found = text.split()
    plain = sum(1 for word in found if _WORD.match(word.lstrip("(\"'“‘[")))
    if _unspaced(text) >= words:
        return True
    return len(found) >= words and plain >= len(found) * 0.7 and _has_few_signs(text, len(found))


def _has_few_signs(text: str, words: int) -> bool:
    """Tell whether a text shows no sign of code; a long one may quote some, where no lines of it are code."""
    if words < _LONG or _CODE_LINE.search(text):
        return _CODE_SIGNS.search(text) is None
    return sum(1 for _ in islice(matches(_CODE_SIGNS, text), words // _WORDS_TO_A_SIGN + 1)) * _WORDS_TO_A_SIGN <= words


def has_words(text: str, least: int) -> bool:
    """Return whether a text has so many words, code or not."""
    return len(text.split(maxsplit=least)) >= least or _unspaced(text) >= least


def _unspaced(text: str) -> int:
    return len(_UNSPACED.findall(text)) // 2


def is_code(text: str) -> bool:
    """Return whether a text without fences is source code.

    Many of its lines read like statements or brackets, and more of them than like sentences: comments and docstrings
    are sentences too, and prose about code has a few statements.
    """
    lines = [line for line in first_page(text).splitlines() if line.strip()]
    if len(lines) < _LEAST_CODE_LINES:
        return False
    statements = sum(1 for line in lines if _STATEMENT.match(line))
    return statements >= len(lines) * _LEAST_CODE_SHARE and statements > sum(1 for line in lines if is_prose(line))


def first_page(content: str) -> str:
    """Return what a detection looks at: whole lines of the first 64 Ki characters, or a part of a line that is longer."""
    if len(content) <= DETECTED_CHARACTERS:
        return content
    page = content[:DETECTED_CHARACTERS]
    return page[: page.rfind("\n") + 1] or page
