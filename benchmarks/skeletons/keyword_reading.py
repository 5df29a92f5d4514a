"""A reader of declaration keywords, for the languages that Universal Ctags does not know.

A few regular expressions a language, searched in the text without comments and strings. A keyword that declares is
followed by a name; how its block stands to others is worked out by `placement` from the brackets. Dart has no keyword
for functions: what has a type before its name, or the name of a class of the file, and parameters, is one. This reader
is checked by its tests and by eye, not by authority, and it serves only where no other parser is to be had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.placement import Tag, Text
from benchmarks.skeletons.references import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One way to declare.

    Attributes:
        role: what it declares.
        pattern: finds it; the groups `kind` and `name` are its keyword and its name.
        constructor: the name must be, or start with, the name of a type of the file.
    """

    role: Role
    pattern: re.Pattern[str]
    constructor: bool = False


def _declares(role: Role, pattern: str, *, constructor: bool = False) -> Declaration:
    return Declaration(role=role, pattern=re.compile(pattern, re.MULTILINE), constructor=constructor)


_WORD_BEFORE = r"(?<![\w.`#:@])"
_SWIFT_MODIFIERS = (
    r"(?:@\w+(?:\([^()]*\))?\s+)*(?:(?:public|private|internal|open|fileprivate|package|required|convenience|override"
    r"|nonisolated|static|class|mutating|final|dynamic|isolated)(?:\(\w+\))?\s+)*"
)
_SWIFT_NO_TYPE = r"(?!(?:func|var|let|subscript|override|final|init|private|public|internal|static)\b)"
_SCALA_MODIFIERS = r"(?:(?:private|protected|implicit|final|override|sealed|opaque|lazy)(?:\[\w+\])?\s+)*"
_DART_MODIFIERS = r"(?:(?:external|static|abstract|covariant|late|final|const|factory)\s+)*"
_DART_NO_TYPE = (
    r"(?!(?:return|await|throw|else|new|case|in|is|as|yield|assert|if|for|while|switch|catch|var|import|export|part"
    r"|library|const|final|factory|external|static)\b)"
)
_DART_TYPE = r"[A-Za-z_$][\w.$]*(?:<[^;{}()=]*>)?\??"
_DART_PARAMETERS = r"(?=\s*(?:<[^;{}()]*?>)?\s*\()"

_DECLARATIONS: Mapping[str, tuple[Declaration, ...]] = {
    "swift": (
        _declares(Role.FUNCTION, _WORD_BEFORE + r"(?P<kind>func)\s+(?P<name>`?\w+`?|[^\s\w(<`][^\s\w(]*)"),
        _declares(Role.FUNCTION, r"^[ \t]*" + _SWIFT_MODIFIERS + r"(?P<name>(?P<kind>init|subscript))[?!]?\s*[(<]"),
        _declares(
            Role.TYPE,
            _WORD_BEFORE + r"(?P<kind>class|struct|enum|protocol|extension|actor|typealias|associatedtype)\s+"
            rf"{_SWIFT_NO_TYPE}(?P<name>`?[\w.]+`?)",
        ),
    ),
    "scala": (
        _declares(Role.FUNCTION, _WORD_BEFORE + r"(?P<kind>def)\s+(?P<name>[A-Za-z_$][\w$]*|[^\s\w(\[:]+|`[^`]+`)"),
        _declares(Role.TYPE, _WORD_BEFORE + r"(?P<kind>class|trait|object|enum)\s+(?P<name>[A-Za-z_]\w*)"),
        _declares(Role.TYPE, r"^[ \t]*" + _SCALA_MODIFIERS + r"(?P<kind>type)\s+(?P<name>[A-Za-z_]\w*)"),
    ),
    "dart": (
        _declares(
            Role.TYPE,
            r"^[ \t]*(?:(?:abstract|sealed|final|base|interface|mixin)\s+)*"
            r"(?P<kind>class|mixin|enum|extension(?:\s+type)?|typedef)\s+(?!(?:class|on)\b)(?:const\s+)?(?P<name>\w+)",
        ),
        _declares(
            Role.FUNCTION,
            rf"^[ \t]*{_DART_MODIFIERS}{_DART_NO_TYPE}{_DART_TYPE}\s+(?P<kind>)(?!(?:get|set|operator|if|for|Function)\b)"
            rf"(?P<name>[A-Za-z_$][\w$]*){_DART_PARAMETERS}",
        ),
        _declares(
            Role.FUNCTION,
            rf"^[ \t]*{_DART_MODIFIERS}(?:{_DART_NO_TYPE}{_DART_TYPE}\s+)?(?P<kind>get|set)\s+"
            r"(?P<name>[A-Za-z_$][\w$]*)\s*(?=\(|=>|\{|async|;)",
        ),
        _declares(
            Role.FUNCTION,
            rf"^[ \t]*{_DART_MODIFIERS}{_DART_NO_TYPE}{_DART_TYPE}\s+(?P<kind>operator)\s*(?P<name>[^\w\s(]+)\s*\(",
        ),
        _declares(
            Role.FUNCTION,
            rf"^[ \t]*{_DART_MODIFIERS}(?P<kind>)(?P<name>[A-Z_$][\w$]*(?:\.[\w$]+)?){_DART_PARAMETERS}",
            constructor=True,
        ),
    ),
    "haskell": (
        _declares(Role.FUNCTION, r"^[ \t]*(?P<kind>)(?P<name>[a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*)*\s*::"),
        _declares(Role.FUNCTION, r"^[ \t]*(?P<kind>)\((?P<name>[^\w\s()\"']+)\)\s*::"),
        _declares(
            Role.TYPE,
            r"^(?P<kind>data|newtype|type|class)\s+(?!(?:instance|role)\b)(?:family\s+)?(?:[^\n]*=>\s*)?(?P<name>[A-Z][\w']*)",
        ),
    ),
    "zig": (
        _declares(Role.FUNCTION, _WORD_BEFORE + r"(?P<kind>fn)\s+(?P<name>[A-Za-z_]\w*)"),
        _declares(
            Role.TYPE,
            _WORD_BEFORE + r"const\s+(?P<name>[A-Za-z_]\w*)\s*(?::[^=;]*)?=\s*(?:extern\s+|packed\s+)?"
            r"(?P<kind>struct|enum|union|opaque)\b",
        ),
    ),
    "solidity": (
        _declares(Role.FUNCTION, _WORD_BEFORE + r"(?P<kind>function|modifier)\s+(?P<name>[A-Za-z_$][\w$]*)"),
        _declares(Role.FUNCTION, r"^[ \t]*(?P<name>(?P<kind>constructor|receive|fallback))\s*\("),
        _declares(
            Role.TYPE,
            r"^[ \t]*(?:abstract\s+)?(?P<kind>contract|interface|library|struct|enum|event|error|type)\s+"
            r"(?P<name>[A-Za-z_$][\w$]*)",
        ),
    ),
    "graphql": (
        _declares(
            Role.TYPE,
            r"^[ \t]*(?:extend\s+)?(?P<kind>type|interface|input|enum|union|scalar|directive)\s+@?(?P<name>[A-Za-z_]\w*)",
        ),
        _declares(Role.FUNCTION, r"^[ \t]*(?P<kind>query|mutation|subscription|fragment)\s+(?P<name>[A-Za-z_]\w*)"),
    ),
    "hcl": (
        _declares(Role.TYPE, r'^(?P<kind>resource|data)[ \t]+"[\w-]+"[ \t]+"(?P<name>[\w-]+)"'),
        _declares(Role.TYPE, r'^(?P<kind>variable|output|module|provider)[ \t]+"(?P<name>[\w-]+)"'),
    ),
}

_NAMES_IN_STRINGS = frozenset({"hcl"})


def _is_call(text: Text, offset: int) -> bool:
    """Tells whether a likely constructor stands in round or square brackets, or behind `=`, `=>` or an operator."""
    around = text.brackets.innermost(offset)
    before = text.code[max(0, offset - 400) : offset].rstrip()
    return (around >= 0 and text.code[around] != "{") or before.endswith(("=", "=>", ":", "?", "&", "|"))


def read_keywords(source: str, entry: LanguageEntry) -> list[Tag]:
    """The declarations of a file, in order."""
    text = Text(source, entry)
    code = text.spoken if entry.name in _NAMES_IN_STRINGS else text.code
    tags: dict[int, Tag] = {}
    types: set[str] = set()
    for declaration in _DECLARATIONS[entry.name]:
        for match in declaration.pattern.finditer(code):
            name, offset = match["name"], match.start("name")
            if declaration.constructor and (name.split(".")[0] not in types or _is_call(text, offset)):
                continue
            if declaration.role is Role.TYPE:
                types.add(name)
            kind = " ".join(match["kind"].split()) or "method"
            line = text.line_of(offset)
            tags.setdefault(offset, Tag(name=name, kind=kind, role=declaration.role, line=line, offset=offset))
    return [tags[offset] for offset in sorted(tags)]
