"""Why a definition that a reference parser reports need not stand in a skeleton.

Each reason is given by a rule that looks at the source alone, never at the skeleton: it exempts a definition whether or
not the skeleton shows it. What no rule exempts and the skeleton does not show is a miss, and is listed with its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LOCAL = "local"
VALUE = "value"
ANONYMOUS = "anonymous"
TEMPLATE = "template"
CALL = "call"
MAIN = "main"
MISREAD = "misread"

REASONS = {
    LOCAL: "stands in a function's body and is folded with it",
    VALUE: "stands in the initialiser of a constant or in an argument and is folded with it",
    ANONYMOUS: "is a member of an anonymous class or object, which is an expression",
    TEMPLATE: "stands in the tokens of a macro definition: it is text until the macro is used",
    MAIN: "stands under a script's `if __name__ == '__main__'`, which is folded",
    CALL: "is a call with a block (a test case, a task), which the reference parser lists like a definition",
    MISREAD: "is no definition: the reference parser took a use for one (the rule says which)",
}
"""What each exemption means; the names are those of `references.Reference.exemption`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRule:
    """What a `{` block that no reported definition owns makes of the definitions in it.

    Attributes:
        languages: the languages the rule is for; empty: all.
        head: a regular expression for the end of the text between the statement's start and the `{`.
        exemption: the reason; "" where the block is transparent (a namespace, a conditional at the top level).
    """

    head: re.Pattern[str]
    exemption: str
    languages: frozenset[str] = frozenset()


def _rule(head: str, exemption: str, languages: str = "") -> HeadRule:
    return HeadRule(head=re.compile(head, re.DOTALL), exemption=exemption, languages=frozenset(languages.split()))


HEAD_RULES = (
    _rule(r"\bmacro_rules!\s*\w+\s*$", TEMPLATE, "rust"),
    _rule(r"=>\s*$", TEMPLATE, "rust"),
    _rule(r"\bnew\b[^;{}]*$", ANONYMOUS, "java csharp php dart scala"),
    _rule(r"\bobject\b\s*(?::[^;{}]*)?$", ANONYMOUS, "kotlin"),
    _rule(r"(?:->|=>)\s*$", LOCAL, "java kotlin csharp dart scala swift php"),
    _rule(r"\b(?:init|static|get|set|add|remove|finally|else|do|try)\s*$", LOCAL, "java kotlin csharp swift"),
    _rule(r"[=(,]\s*(?:\w+\s*)?$", VALUE, "kotlin csharp swift dart scala zig"),
    _rule(r"\b(?:test|comptime)\b[^;{}]*$", LOCAL, "zig"),
)
"""Tried in order; the first that fits decides. Without one the block is transparent: what is in it is required."""


def of_head(head: str, language: str) -> str:
    """The exemption that an unowned block with this head gives to what stands in it, or ""."""
    for rule in HEAD_RULES:
        if (not rule.languages or language in rule.languages) and rule.head.search(head):
            return rule.exemption
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRule:
    """A tag that is no definition, told by its kind and the text of its own line."""

    language: str
    kind: str
    line: re.Pattern[str]
    exemption: str


def _name_rule(language: str, kind: str, line: str, exemption: str) -> NameRule:
    return NameRule(language=language, kind=kind, line=re.compile(line), exemption=exemption)


NAME_RULES: tuple[NameRule, ...] = (
    _name_rule("elixir", "test", r"^\s*(?:test|describe)\b", CALL),
    # a type in an expression, after a lifetime: `align_of::<&'static Location>()`
    _name_rule("rust", "variable", r"^(?!.*(?<!')\b(?:static|const)\b)", MISREAD),
)
"""Each is one known error or habit of the reference parser; see `benchmarks/README.md` for the list in words."""


def of_line(language: str, kind: str, line: str) -> str:
    """The exemption that a tag's own line gives it, or ""."""
    for rule in NAME_RULES:
        if rule.language == language and rule.kind == kind and rule.line.search(line):
            return rule.exemption
    return ""
