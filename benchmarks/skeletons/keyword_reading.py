"""A reader of declaration keywords, for the languages that Universal Ctags does not know.

One regular expression a language, searched in the text without comments and strings. A keyword that declares is
followed by a name; where a block stands in relation to others is worked out by `placement` from its brackets. It finds
what is declared by keyword (functions, types) and, for Dart, what looks like a method in a class; it is checked by eye
and by its tests, not by authority, and it only serves where no other parser is to be had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchmarks.skeletons.languages import LanguageEntry
from benchmarks.skeletons.placement import Tag, Text
from benchmarks.skeletons.references import Role

_PATTERNS: Mapping[str, tuple[tuple[Role, str], ...]] = {
    "swift": (
        (Role.FUNCTION, r"(?<![\w.])(?P<kind>func)\s+(?P<name>`?\w+`?|[^\s\w(<`][^\s\w(]*)"),
        (Role.FUNCTION, r"^[ \t]*(?:@\w+(?:\([^()]*\))?\s+)*(?:(?:public|private|internal|open|fileprivate|package|required|convenience|override|nonisolated|static|class|mutating|final|dynamic|unowned|isolated)(?:\(\w+\))?\s+)*(?P<name>(?P<kind>init|subscript))[?!]?\s*[(<]"),
        (Role.TYPE, r"(?<![\w.`#:])(?P<kind>class|struct|enum|protocol|extension|actor|typealias|associatedtype)\s+(?!func\b|var\b|let\b|subscript\b|override\b|final\b|init\b|private\b|public\b|internal\b)(?P<name>`?[\w.]+`?)"),
    ),
    "scala": (
        (Role.FUNCTION, r"(?<![\w.])(?P<kind>def)\s+(?P<name>[A-Za-z_$][\w$]*|[^\s\w(\[:]+|`[^`]+`)"),
        (Role.TYPE, r"(?<![\w.])(?P<kind>class|trait|object|enum)\s+(?P<name>[A-Za-z_]\w*)"),
        (Role.TYPE, r"^[ \t]*(?:(?:private|protected|implicit|final|override|sealed|opaque|lazy)(?:\[\w+\])?\s+)*(?P<kind>type)\s+(?P<name>[A-Za-z_]\w*)"),
    ),
    "dart": (
        (Role.TYPE, r"^[ \t]*(?:(?:abstract|sealed|final|base|interface|mixin)\s+)*(?P<kind>class|mixin|enum|extension(?:\s+type)?|typedef)\s+(?!class\b|on\b)(?:const\s+)?(?P<name>\w+)"),
        (
            Role.FUNCTION,
            r"^[ \t]*(?:(?:external|static|abstract|covariant|late|final|const|factory)\s+)*"
            r"(?!(?:return|await|throw|else|new|case|in|is|as|yield|assert|if|for|while|switch|catch|var|import|export|part|library)\b)"
            r"(?:(?:[\w.]+(?:<[^;{}()=]*?>)?\??)\s+)?(?P<kind>get\s+|set\s+|operator\s*|)"
            r"(?P<name>(?!(?:return|await|throw|else|new|if|for|while|switch|catch|assert|super|this|get|set|yield|print|expect|test|group|setUp|tearDown|main_)\b)[A-Za-z_$][\w$.]*|[=<>+\-*/%~&|^\[\]]+)"
            r"\s*(?:<[^;{}()]*?>)?\s*(?=\(|=>|\{)",
        ),
    ),
    "zig": (
        (Role.FUNCTION, r"(?<![\w.])(?P<kind>fn)\s+(?P<name>[A-Za-z_]\w*)"),
        (Role.TYPE, r"(?<![\w.])const\s+(?P<name>[A-Za-z_]\w*)\s*(?::[^=;]*)?=\s*(?:extern\s+|packed\s+)?(?P<kind>struct|enum|union|opaque)\b"),
    ),
    "solidity": (
        (Role.FUNCTION, r"(?<![\w.])(?P<kind>function|modifier)\s+(?P<name>[A-Za-z_$][\w$]*)"),
        (Role.FUNCTION, r"^[ \t]*(?P<name>(?P<kind>constructor|receive|fallback))\s*\("),
        (Role.TYPE, r"^[ \t]*(?:abstract\s+)?(?P<kind>contract|interface|library|struct|enum|event|error|type)\s+(?P<name>[A-Za-z_$][\w$]*)"),
    ),
    "graphql": (
        (Role.TYPE, r"^[ \t]*(?:extend\s+)?(?P<kind>type|interface|input|enum|union|scalar|directive)\s+@?(?P<name>[A-Za-z_]\w*)"),
        (Role.FUNCTION, r"^[ \t]*(?P<kind>query|mutation|subscription|fragment)\s+(?P<name>[A-Za-z_]\w*)"),
    ),
    "hcl": (
        (Role.TYPE, r'^(?P<kind>resource|data)[ \t]+"[\w-]+"[ \t]+"(?P<name>[\w-]+)"'),
        (Role.TYPE, r'^(?P<kind>variable|output|module|provider)[ \t]+"(?P<name>[\w-]+)"'),
    ),
}  # fmt: skip

_FIELD = re.compile(r"\s+")


def read_keywords(source: str, entry: LanguageEntry) -> list[Tag]:
    """The declarations of a file, in order."""
    text = Text(source, entry)
    code = text.spoken if entry.name == "hcl" else text.code
    tags: dict[int, Tag] = {}
    for role, pattern in _PATTERNS[entry.name]:
        for match in re.finditer(pattern, code, re.MULTILINE):
            offset = match.start("name")
            kind = _FIELD.sub(" ", match["kind"]).strip() or "method"
            tags.setdefault(
                offset, Tag(name=match["name"], kind=kind, role=role, line=text.line_of(offset), offset=offset)
            )
    return [tags[offset] for offset in sorted(tags)]
