"""The reasons why a definition that a reference parser reports need not stand in a skeleton.

Each reason is given by a rule that looks at the source alone, never at the skeleton: it exempts a definition whether or
not the skeleton shows it. What no rule exempts and the skeleton does not show is a miss, and is listed with its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LOCAL = "local"
VALUE = "value"
BLOCK = "block"
ANONYMOUS = "anonymous"
TEMPLATE = "template"
CALL = "call"
MAIN = "main"
LOOP = "loop"
MISREAD = "misread"

REASONS = {
    LOCAL: "stands in a function's body and is folded with it",
    VALUE: "stands in the initialiser of a constant or in an argument and is folded with it",
    BLOCK: "stands in a block that is handed to a call",
    ANONYMOUS: "is a member of an anonymous class or object, which is an expression",
    TEMPLATE: "stands in the tokens of a macro definition: it is text until the macro is used",
    MAIN: "stands under a script's `if __name__ == '__main__'`, which is folded",
    LOOP: "stands in the body of a script's loop, a statement that is folded: each turn makes it anew",
    CALL: "is a call with a block (a test case, a task), which the reference parser lists like a definition",
    MISREAD: "is no definition: the reference parser took a use for one (the rule says which)",
}
"""The meaning of each exemption; the names are those of `references.Reference.exemption`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadRule:
    """The exemption of the definitions in a `{` block that no reported definition owns.

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
    # a constant of an enum with a body of its own: `NAME {`
    _rule(r"(?:^|\n|,)\s*[A-Z]\w*\s*(?:\([^{}]*\)\s*)?$", ANONYMOUS, "kotlin"),
    _rule(r"(?:->|=>)\s*$", LOCAL, "java kotlin csharp dart scala swift php"),
    _rule(r"\b(?:init|static|get|set|add|remove|finally|else|do|try)\s*$", LOCAL, "java kotlin csharp swift"),
    _rule(r"\b(?:else|yield|try|finally|do|match|catch)\s*$|=>\s*$", LOCAL, "scala"),
    # a block of its own: its `{` starts a line
    _rule(r"(?:^|\n)\s*$", LOCAL, "scala"),
    # an argument in braces: `test("a") {`, `xs.map {`, `val x = lift {`
    _rule(
        r"(?:^|\n)(?![^\n]*\b(?:class|trait|object|enum|extends|with|given|extension|package)\b)[^\n]*[\w)\]=]\s*$",
        BLOCK,
        "scala",
    ),
    # what is computed: `var name: Type {`
    _rule(r"\bvar\s+[^;{}=]*$", LOCAL, "swift"),
    _rule(r"[=(,]\s*(?:\w+\s*)?$", VALUE, "kotlin csharp swift dart scala zig"),
    _rule(r"\b(?:test|comptime)\b[^;{}]*$", LOCAL, "zig"),
    _rule(r"\belse\s+(?:extern\s+|packed\s+)?(?:struct|enum|union|opaque)\s*$", VALUE, "zig"),
    _rule(r"\bfunction\s*\([^{}]*\)\s*$", LOCAL, "r"),
    _rule(r"[(,]\s*$", BLOCK, "r"),
    _rule(r"\bsub\s*(?:\([^()]*\))?\s*$", LOCAL, "perl"),
    _rule(r"^\s*(?:<\?php\s*)?(?:\}\s*)?(?:if|else|elseif|foreach|for|while|try|switch)\b", "", "php"),
    # a function that the reference parser missed, or a statement of one
    _rule(
        r"^(?!.*\b(?:class|struct|interface|enum|record|object|trait|namespace|extension|protocol|union|impl|mod)\b).*"
        r"\)\s*(?:(?:const|noexcept|override|final|async)\s*|throws[\w\s,.]+|where\b.*|->.*)*$",
        LOCAL,
        "java csharp c cpp objc kotlin dart php solidity zig rust swift go",
    ),
)
"""Tried in order; the first that fits decides. Without one the block is transparent: what is in it is required."""


def of_head(head: str, language: str) -> str:
    """The exemption that an unowned block with this head gives to what stands in it, or ""."""
    for rule in HEAD_RULES:
        if (not rule.languages or language in rule.languages) and rule.head.search(head):
            return rule.exemption
    return ""


OPENING_RULES = (
    _rule(r"(?:\bdo\s*(?:\|[^|]*\|)?|\{\s*(?:\|[^|]*\|)?)$", BLOCK, "ruby"),
    _rule(r"[\[(,=]$|\(\s*struct$", VALUE, "ruby lua julia elixir ocaml"),
    _rule(r"^(?!class\b|instance\b)", LOCAL, "haskell"),
    _rule(r"\{$", VALUE, "lua"),
    _rule(r"\bfun\b.*->$", LOCAL, "ocaml"),
    _rule(r"^\s*@test\b.*\{$", BLOCK, "bash"),
    _rule(r"\bfunction\s*\([^()]*\)$", LOCAL, "lua"),
    _rule(r"^\s*quote\b.*\bdo$", TEMPLATE, "elixir"),
    _rule(r"\bdo(?:\s+\w+(?:\s*,\s*\w+)*)?$", BLOCK, "julia"),
    _rule(r"^\s*@\w[\w.]*\b.*\bbegin$", BLOCK, "julia"),
    _rule(r"^\s*(?:test|setup|describe)\b.*\bdo$|\bfn\b.*->$", BLOCK, "elixir"),
)
"""The same for languages without `{}`: what a line that opens a block makes of the definitions in it."""


def of_opening(line: str, language: str) -> str:
    """The exemption that the line above a block gives to what stands in it, or ""."""
    for rule in OPENING_RULES:
        if language in rule.languages and rule.head.search(line):
            return rule.exemption
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TagRule:
    """A tag that is no definition, told by its kind and its text; all patterns that are given must be found.

    Attributes:
        languages: for which.
        kinds: the parser's words; empty: all.
        line: in the source line of the name; `NAME` stands for the name.
        signature: in the signature as it was read; likewise.
        not_in_code: its name is not in the line's code (only in a comment, a string or a preprocessor line).
        not_constructors: a tag that is named like what it stands in is left alone.
        exemption: the reason.
        why: what the tag really is.
    """

    languages: frozenset[str]
    kinds: frozenset[str]
    line: str
    signature: str
    not_in_code: bool
    not_constructors: bool
    exemption: str
    why: str


def _tag_rule(
    languages: str,
    kinds: str,
    exemption: str,
    why: str,
    *,
    line: str = "",
    signature: str = "",
    not_in_code: bool = False,
    not_constructors: bool = False,
) -> TagRule:
    return TagRule(
        not_in_code=not_in_code,
        not_constructors=not_constructors,
        languages=frozenset(languages.split()),
        kinds=frozenset(kinds.split()),
        line=line,
        signature=signature,
        exemption=exemption,
        why=why,
    )


TAG_RULES: tuple[TagRule, ...] = (
    _tag_rule("elixir", "test", CALL, 'a test with a block, `test "adds" do`'),
    _tag_rule("julia", "", TEMPLATE, "a definition that is put together: `@eval function …`", line=r"@eval\b"),
    _tag_rule(
        "lua",
        "function",
        VALUE,
        "the value of a call: `name = wrap(function() … end)`",
        line=r"\bNAME\s*=\s*(?!function\b)[\w.:]*\s*[({]",
    ),
    _tag_rule(
        "lua",
        "function",
        VALUE,
        "an entry of a table by a computed key: `[f()] = function() … end`",
        line=r"\]\s*=\s*function\b",
    ),
    _tag_rule(
        "rust",
        "variable",
        MISREAD,
        "a type in an expression, after a lifetime: `align_of::<&'static Location>()`",
        line=r"^(?!.*(?<!')\b(?:static|const)\b)",
    ),
    _tag_rule(
        "c", "prototype", MISREAD, "a macro call without a type before it: `BIT(multiplex);`", signature=r"^NAME\b"
    ),
    _tag_rule(
        "c cpp objc",
        "prototype function",
        MISREAD,
        "a macro call in capitals: `TEST_BEGIN(name) {`",
        signature=r"^(?=NAME\b)[A-Z][A-Z0-9_]+\b",
    ),
    _tag_rule(
        "c cpp objc",
        "prototype",
        MISREAD,
        "a macro call in a branch of a preprocessor whose text the reading passes over",
        line=r"^\s*(?=NAME\b)[A-Z][A-Z0-9_]+\s*\(",
        signature=r"^$",
    ),
    _tag_rule(
        "c cpp objc",
        "prototype",
        MISREAD,
        "a macro whose name ends in that of a type: `DECLARE_bool_(name);`",
        signature=r"^(?:static\s+|[A-Z]+_API_\s+)?(?=NAME\b)[A-Z]+_\w+_\s*\(",
    ),
    _tag_rule(
        "c cpp objc",
        "prototype",
        MISREAD,
        "an initialiser: `size_t n = COUNT(xs);`",
        line=r"^(?:(?!\bNAME\b).)*=\s*NAME\s*\(",
    ),
    _tag_rule(
        "c cpp objc",
        "prototype",
        MISREAD,
        "a call in an argument: `static_assert(noexcept(f(1)))`",
        line=r"^(?:(?!\bNAME\b).)*\((?!\s*\*)(?:(?!\bNAME\b)[^()]|\([^()]*\))*\bNAME\s*\(",
    ),
    _tag_rule("kotlin", "", MISREAD, "a name that the reference makes up: `<lambda>`, `Companion`", not_in_code=True),
    _tag_rule(
        "csharp java c cpp go rust lua elixir ocaml bash",
        "",
        MISREAD,
        "what looks like a declaration in a string, a comment or a branch that is passed over",
        not_in_code=True,
    ),
    _tag_rule(
        "java",
        "method",
        MISREAD,
        "a constant of an enum with a body of its own: `NAME() {`",
        signature=r"^(?:@\w+(?:\([^()]*\))?\s*)*NAME\s*(?:\(|$)",
        not_constructors=True,
    ),
    _tag_rule(
        "java",
        "method",
        MISREAD,
        "the constructor that a record has by itself: `record Name(int x)`",
        line=r"\brecord\s+NAME\b",
    ),
    _tag_rule("bash", "function", MISREAD, "an array: `name=()`", line=r"\bNAME\+?=\("),
    _tag_rule(
        "protobuf",
        "field enumerator",
        MISREAD,
        "an option of a field: `Enum name = 1 [(option) = {`",
        line=r"^(?!.*\bNAME\s*=\s*-?(?:\d|0x))",
    ),
    _tag_rule("protobuf", "enum", MISREAD, "a field whose type is an enum", line=r"^(?!\s*enum\b)"),
    _tag_rule("ocaml", "function", MISREAD, "`let () = …`, which names nothing", line=r"\b(?:let|and)\s*\(\)\s*="),
    _tag_rule(
        "ocaml",
        "function",
        MISREAD,
        "a value without parameters: `let name = …`",
        line=r"\b(?:let|and)\s+\w+\s*=(?!\s*fun)",
    ),
    _tag_rule(
        "sql",
        "",
        MISREAD,
        "what is changed or used: `ALTER VIEW name`, `GRANT … ON DOMAIN name`, `LATERAL VIEW f(x)`",
        line=r"(?i)^\s*(?:alter|grant|insert|security|lateral|from|select|comment|drop)\b|\blateral\s+view\b|\btype\s+NAME\s+is\b",
    ),
    _tag_rule("sql", "", MISREAD, "what is asked about: `SHOW CREATE TABLE name`", line=r"(?i)^\s*show\s+create\b"),
    _tag_rule(
        "sql",
        "function procedure",
        LOCAL,
        "a procedure in the declarations of a block",
        line=r"(?i)^\s*(?:function|procedure)\b.*",
    ),
    _tag_rule(
        "objc",
        "typedef method class",
        MISREAD,
        "a member of an `NS_ENUM`, or of an `enum` without a name",
        not_in_code=True,
    ),
    _tag_rule("objc", "enum", MISREAD, "an `enum` without that name", line=r"^(?!.*\benum\s+NAME\b)"),
    _tag_rule("objc", "method", MISREAD, "a static variable", line=r"^\s*static\b[^(]*$"),
    _tag_rule(
        "objc",
        "protocol",
        MISREAD,
        "a protocol that is defined elsewhere: `@protocol Name;`",
        line=r"@protocol\s+[\w\s,]+;",
    ),
    _tag_rule("julia", "field", MISREAD, "a field without a type, reported a line further down", not_in_code=True),
    _tag_rule(
        "csharp",
        "method",
        MISREAD,
        "a primary constructor: `class Name(int x) : Base { … }`",
        line=r"\b(?:class|struct|record)\s+NAME\b",
    ),
    _tag_rule(
        "csharp",
        "method",
        MISREAD,
        "a call in an argument: `Write(value.ToString(f))`",
        line=r"^(?:(?!\bNAME\b).)*\((?:(?!\bNAME\b)[^()]|\([^()]*\))*\bNAME\s*\(",
    ),
    _tag_rule("csharp", "method", MISREAD, "a call of what a call gives: `From(x).Run(args)`", line=r"\)\.NAME\s*\("),
    _tag_rule(
        "csharp",
        "method",
        MISREAD,
        "a call, or `base(…)` behind a constructor: no type stands before the name, and it is not that of the class",
        signature=r"^:?\s*(?:\[[^\]]*\]\s*)*(?:(?:return|await|throw|else|new|public|private|protected|internal|static)\s+)*[\w.]*NAME\b",
        not_constructors=True,
    ),
)
"""Each is one known error or habit of a reference parser."""


def of_tag(
    language: str, kind: str, name: str, *, line: str, signature: str, container: tuple[str, ...], in_code: bool
) -> TagRule | None:
    """The rule that exempts a tag by its own text."""
    for rule in TAG_RULES:
        if language not in rule.languages or (rule.kinds and kind not in rule.kinds):
            continue
        if (rule.not_in_code and in_code) or (rule.not_constructors and container[-1:] == (name,)):
            continue
        found = (re.search(rule.line.replace("NAME", re.escape(name)), line) if rule.line else True) and (
            re.search(rule.signature.replace("NAME", re.escape(name)), signature) if rule.signature else True
        )
        if found:
            return rule
    return None
