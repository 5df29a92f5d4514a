"""Comments and strings of many languages, found by regular expressions alone.

A `Lexicon` says what comments and strings look like; `blank` replaces them by spaces, so that what is left can be
searched for brackets and words at the same offsets. This is deliberately not a parser: it knows no grammar, shares
nothing with the engine under test, and is right for everything but the rarest token (a regular expression literal with
an unpaired quote).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_C_STRING = r'"(?:\\.|[^"\\\n])*"?'
_CHARACTER = r"'(?:\\[^\n][^'\n]*|[^'\\\n])'"
_C_COMMENTS = (r"//(?:\\\r?\n|[^\n])*", r"/\*.*?(?:\*/|\Z)")
_TRIPLE = r'"""(?:\\.|.)*?(?:"""|\Z)'
_TRIPLE_RAW = r'"""".*?(?:""""|\Z)|""".*?(?:"""|\Z)'
_SINGLE = r"'(?:\\.|[^'\\])*'?"
_DOUBLE = r'"(?:\\.|[^"\\])*"?'


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The comments and strings of one language: what is not code.

    Attributes:
        comments: regular expressions, tried in order.
        strings: regular expressions, tried in order after the comments.
        nested: opening and closing mark of a comment that nests, where there is one.
        directives: lines that start with `#` belong to a preprocessor: they and all branches but the first are blank.
    """

    comments: tuple[str, ...] = _C_COMMENTS
    strings: tuple[str, ...] = (_C_STRING, _CHARACTER)
    nested: tuple[str, str] | None = None
    directives: bool = False


_SLASHES = (r"//[^\n]*",)
_NESTED_SLASH = ("/*", "*/")

LEXICONS = {
    "c": Lexicon(directives=True),
    "cpp": Lexicon(
        strings=(r'R"(?P<raw>[^()\\\s]{0,16})\(.*?\)(?P=raw)"', _C_STRING, r"(?<![0-9a-fA-F])" + _CHARACTER),
        directives=True,
    ),
    "objc": Lexicon(directives=True),
    "csharp": Lexicon(
        strings=(_TRIPLE_RAW, r'(?:\$@|@\$|@)"(?:""|[^"])*"?', r'\$?"(?:\\.|[^"\\\n])*"?', _CHARACTER), directives=True
    ),
    "java": Lexicon(strings=(_TRIPLE, _C_STRING, _CHARACTER)),
    "go": Lexicon(strings=(r"`[^`]*`?", _C_STRING, _CHARACTER)),
    "rust": Lexicon(
        comments=_SLASHES,
        nested=_NESTED_SLASH,
        strings=(r'\bb?r(?P<raw>#*)".*?"(?P=raw)', r'b?"(?:\\.|[^"\\])*"?', r"b?'(?:\\[^\n][^'\n]*|[^'\\\n])'"),
    ),
    "kotlin": Lexicon(
        comments=_SLASHES, nested=_NESTED_SLASH, strings=(r'""".*?"""+', _C_STRING, _CHARACTER, r"`[^`\n]*`")
    ),
    "swift": Lexicon(
        comments=_SLASHES, nested=_NESTED_SLASH, strings=(r'#"""(?:.*?)"""#', r'#".*?"#', _TRIPLE, _C_STRING)
    ),
    "scala": Lexicon(comments=_SLASHES, nested=_NESTED_SLASH, strings=(r'""".*?"""+', _C_STRING, _CHARACTER)),
    "dart": Lexicon(
        comments=_SLASHES,
        nested=_NESTED_SLASH,
        strings=(r"r?'''.*?'''", r'r?""".*?"""', r"r'[^'\n]*'", r'r"[^"\n]*"', _C_STRING, r"'(?:\\.|[^'\\\n])*'?"),
    ),
    "zig": Lexicon(comments=_SLASHES, strings=(r"\\\\[^\n]*", _C_STRING, _CHARACTER)),
    "solidity": Lexicon(strings=(_C_STRING, r"'(?:\\.|[^'\\\n])*'?")),
    "php": Lexicon(
        comments=(r"//[^\n]*?(?=\?>|\n|\Z)", r"#(?!\[)[^\n]*", r"/\*.*?(?:\*/|\Z)"),
        strings=(r"<<<\s*(?P<quote>['\"]?)(?P<word>\w+)(?P=quote)\r?\n.*?\n\s*(?P=word)\b", _DOUBLE, _SINGLE),
    ),
    "javascript": Lexicon(strings=(r"`(?:\\.|[^`\\])*`?", _C_STRING, r"'(?:\\.|[^'\\\n])*'?")),
    "protobuf": Lexicon(strings=(_C_STRING, r"'(?:\\.|[^'\\\n])*'?")),
    "graphql": Lexicon(comments=(r"#[^\n]*", _TRIPLE), strings=(_C_STRING,)),
    "hcl": Lexicon(
        comments=(r"//[^\n]*", r"#[^\n]*", r"/\*.*?(?:\*/|\Z)"),
        strings=(r"<<-?(?P<word>\w+)\n.*?\n\s*(?P=word)\b", _C_STRING),
    ),
    "bash": Lexicon(
        comments=(r"(?:(?<=\s)|^)#[^\n]*",),
        strings=(r"<<-?\s*(?P<quote>['\"]?)(?P<word>\w+)(?P=quote).*?\n\s*(?P=word)\b", r"\\.", r"'[^']*'?", _DOUBLE),
    ),
    "ruby": Lexicon(comments=(r"(?:(?<=\s)|^)#(?![\w{])[^\n]*", r"^=begin\b.*?^=end\b"), strings=()),
    "perl": Lexicon(comments=(r"(?:(?<=\s)|^)#[^\n]*", r"^=\w.*?(?:^=cut\b|\Z)"), strings=()),
    "lua": Lexicon(
        comments=(r"--\[(?P<level>=*)\[.*?\](?P=level)\]", r"--[^\n]*"),
        strings=(r"\[(?P<equals>=*)\[.*?\](?P=equals)\]", _C_STRING, r"'(?:\\.|[^'\\\n])*'?"),
    ),
    "elixir": Lexicon(comments=(r"#(?!\{)[^\n]*",), strings=(_TRIPLE, r"'''.*?'''", _DOUBLE)),
    "julia": Lexicon(comments=(r"#(?!=)[^\n]*",), nested=("#=", "=#"), strings=(_TRIPLE, _DOUBLE, _CHARACTER)),
    "r": Lexicon(comments=(r"#[^\n]*",), strings=(_DOUBLE, _SINGLE, r"`[^`\n]*`")),
    "haskell": Lexicon(comments=(r"--+(?![!#$%&*+./<=>?@\\^|~:])[^\n]*",), nested=("{-", "-}"), strings=(_C_STRING,)),
    "ocaml": Lexicon(
        comments=(), nested=("(*", "*)"), strings=(_DOUBLE, r"\{(?P<word>\w*)\|.*?\|(?P=word)\}", _CHARACTER)
    ),
    "sql": Lexicon(comments=(r"--[^\n]*", r"/\*.*?(?:\*/|\Z)"), strings=(r"'(?:''|[^'])*'?",)),
    "python": Lexicon(
        comments=(r"#[^\n]*",),
        strings=(_TRIPLE, r"'''(?:\\.|.)*?(?:'''|\Z)", _C_STRING, r"'(?:\\.|[^'\\\n])*'?"),
    ),
}
"""By the name of a language; `languages.LANGUAGES` says which language uses which."""

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w*)(?:\\\r?\n|[^\n])*", re.MULTILINE)
_NEVER = re.compile(r"[ \t]*#[ \t]*if[ \t]+0\b")
_NOT_NEWLINE = re.compile(r"[^\n]")
_NOT_BREAK = re.compile(r"(?!\\\r?\n)[^\n]")


def spaces(text: str) -> str:
    """As many spaces and newlines as the text is long, with its newlines where they were."""
    return _NOT_NEWLINE.sub(" ", text)


@cache
def pattern_of(name: str) -> re.Pattern[str]:
    """One regular expression for all comments and strings of a lexicon."""
    lexicon = LEXICONS[name]
    alternatives = [f"(?P<nested>{re.escape(lexicon.nested[0])})"] if lexicon.nested else []
    alternatives += [f"(?P<comment{number}>{comment})" for number, comment in enumerate(lexicon.comments)]
    alternatives += [f"(?P<string{number}>{string})" for number, string in enumerate(lexicon.strings)]
    return re.compile("|".join(alternatives), re.DOTALL | re.MULTILINE)


def blank(text: str, lexicon: str, *, keep_strings: bool = False, all_branches: bool = False) -> str:
    """The text with its comments and preprocessor lines as spaces; every offset and line stays.

    Without `keep_strings` strings are spaces too, and unless they or `all_branches` are asked for, so are all branches
    of a preprocessor conditional but one.
    """
    pattern, nested = pattern_of(lexicon), LEXICONS[lexicon].nested
    pieces: list[str] = []
    position = 0
    while match := pattern.search(text, position):
        start, end = match.span()
        pieces.append(text[position:start])
        if match.lastgroup == "nested" and nested:
            end = _nested_end(text, start, nested)
        is_string = (match.lastgroup or "").startswith("string")
        if is_string and keep_strings:
            pieces.append(text[start:end])
        elif LEXICONS[lexicon].directives:  # a line that goes on in a comment goes on
            pieces.append(_NOT_BREAK.sub(" ", text[start:end]))
        else:
            pieces.append(spaces(text[start:end]))
        position = end
    pieces.append(text[position:])
    result = "".join(pieces)
    if not LEXICONS[lexicon].directives:
        return result
    return _DIRECTIVE.sub(_blanked, result) if keep_strings or all_branches else _without_directives(result)


def _blanked(match: re.Match[str]) -> str:
    return spaces(match.group())


def _nested_end(text: str, start: int, nested: tuple[str, str]) -> int:
    opening, closing = nested
    depth = 0
    for match in re.compile(f"{re.escape(opening)}|{re.escape(closing)}").finditer(text, start):
        depth += 1 if match.group() == opening else -1
        if depth == 0:
            return match.end()
    return len(text)


def _without_directives(text: str) -> str:
    """Preprocessor lines as spaces, and of alternative branches all but the first (of `#if 0` all but the second)."""
    pieces: list[str] = []
    position = 0
    branches: list[int] = []  # the branch that each open conditional is in; the branch that is read has number 0
    for match in _DIRECTIVE.finditer(text):
        between = text[position : match.start()]
        pieces.append(spaces(between) if any(branches) else between)
        word = match[1]
        if word in {"if", "ifdef", "ifndef"}:
            branches.append(-1 if _NEVER.match(match.group()) else 0)
        elif word in {"else", "elif"} and branches:
            branches[-1] += 1
        elif word == "endif" and branches:
            branches.pop()
        pieces.append(spaces(match.group()))
        position = match.end()
    rest = text[position:]
    pieces.append(spaces(rest) if any(branches) else rest)
    return "".join(pieces)
