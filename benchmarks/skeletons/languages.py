"""The independent parser of each language, and its settings: all of it is data.

`files` are the endings by which the benchmark itself picks files, so that a file that our engine fails to recognise is
counted as a failure and not left out. `kinds` says what the parser's kinds count as; a kind that is not named is not a
definition for this measure (packages, imports, labels).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.skeletons.references import Role
from benchmarks.skeletons.signatures import Form


class Parser(StrEnum):
    """The parsers that say what a file defines."""

    AST = "Python ast"
    COMPILER = "TypeScript compiler"
    CTAGS = "Universal Ctags"
    KEYWORDS = "keyword reader"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageEntry:
    """The reading of one language.

    Attributes:
        name: as our engine calls it.
        parser: who reads it.
        files: endings of file names.
        lexicon: its comments and strings (`lexing.LEXICONS`).
        ctags: its name in Universal Ctags.
        kinds: what the parser's kinds count as.
        form: how its signatures are delimited; None where no independent reading of them is sound.
        braces: blocks are in `{}`, so that what stands in a function can be told by brackets, else by indentation.
        constants: what marks a field as a constant on its line; constants go at L2, fields stay.
        open_bodies: ends of signatures whose braces hold no statements: accessors, or the type that a function returns.
        sigils: what stands before the names of a kind in the source, but not in the parser's answer.
        late: how a definition starts whose line the parser may give too late.
        scopes: the parser's word for what a definition stands in is sound.
        shares: other languages whose files have the same endings: our engine decides which of them a file is.
    """

    name: str
    parser: Parser
    files: tuple[str, ...]
    lexicon: str
    ctags: str = ""
    kinds: Mapping[str, Role] = field(default_factory=dict[str, Role])
    form: Form | None = None
    braces: bool = True
    constants: str = ""
    open_bodies: str = ""
    sigils: Mapping[str, str] = field(default_factory=dict[str, str])
    late: str = ""
    scopes: bool = True
    shares: tuple[str, ...] = ()


def _kinds(*, function: str = "", type: str = "", member: str = "", constant: str = "") -> dict[str, Role]:  # noqa: A002 - the role's own name
    groups = ((Role.FUNCTION, function), (Role.TYPE, type), (Role.MEMBER, member), (Role.CONSTANT, constant))
    return {kind: role for role, words in groups for kind in words.split()}


_AT = r"@[\w.:]+"
_C_FORM = Form(function_ends=r"\{|;|=(?!=)", type_ends=r"\{|;", to_terminator=True)
_CPP_FORM = Form(
    function_ends=r"\{|;|=(?!=)|(?<!:):(?!:)|\btry\b",
    type_ends=r"\{|;",
    to_terminator=True,
    labels=r"(?:public|private|protected|signals|(?:public |private |protected )?(?:Q_)?(?:slots|SLOTS|SIGNALS))\s*:(?!:)",
)
_C_KINDS = _kinds(
    function="function prototype", type="struct union enum typedef", member="member enumerator", constant="variable"
)
_CPP_KINDS = {**_C_KINDS, **_kinds(type="class namespace alias")}

_ENTRIES = (
    LanguageEntry(name="python", parser=Parser.AST, files=(".py", ".pyi"), lexicon="python"),
    LanguageEntry(
        name="javascript", parser=Parser.COMPILER, files=(".js", ".mjs", ".cjs", ".jsx"), lexicon="javascript"
    ),
    LanguageEntry(name="typescript", parser=Parser.COMPILER, files=(".ts", ".mts", ".cts"), lexicon="javascript"),
    LanguageEntry(name="tsx", parser=Parser.COMPILER, files=(".tsx",), lexicon="javascript"),
    LanguageEntry(name="vue", parser=Parser.COMPILER, files=(".vue",), lexicon="javascript"),
    LanguageEntry(name="svelte", parser=Parser.COMPILER, files=(".svelte",), lexicon="javascript"),
    LanguageEntry(
        name="rust",
        parser=Parser.CTAGS,
        files=(".rs",),
        lexicon="rust",
        ctags="Rust",
        kinds=_kinds(
            function="function method",
            type="implementation enum interface module struct typedef",
            member="enumerator field",
            constant="variable macro",
        ),
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;|=(?!=)", attributes=r"#"),
    ),
    LanguageEntry(
        name="go",
        parser=Parser.CTAGS,
        files=(".go",),
        lexicon="go",
        ctags="Go",
        kinds=_kinds(
            function="func methodSpec",
            type="interface struct type talias",
            member="member anonMember",
            constant="const var",
        ),
        form=Form(function_ends=r"\{", type_ends=r"\{", newline_ends=True, type_braces=r"\b(?:interface|struct)\s*$"),
    ),
    LanguageEntry(
        name="java",
        parser=Parser.CTAGS,
        files=(".java",),
        lexicon="java",
        ctags="Java",
        kinds=_kinds(function="method", type="annotation class enum interface", member="enumConstant field"),
        constants=r"\bstatic\b.*\bfinal\b|\bfinal\b.*\bstatic\b",
        form=Form(function_ends=r"\{|;|\bdefault\b", type_ends=r"\{|;", attributes=_AT),
    ),
    LanguageEntry(
        name="c",
        parser=Parser.CTAGS,
        files=(".c", ".h"),
        lexicon="c",
        ctags="C",
        kinds=_C_KINDS,
        form=_C_FORM,
        shares=("cpp", "objc"),
    ),
    LanguageEntry(
        name="cpp",
        parser=Parser.CTAGS,
        files=(".cpp", ".cc", ".cxx", ".hpp", ".hh", ".h"),
        lexicon="cpp",
        ctags="C++",
        kinds=_CPP_KINDS,
        form=_CPP_FORM,
        shares=("c", "objc"),
    ),
    LanguageEntry(
        name="objc",
        parser=Parser.CTAGS,
        files=(".m", ".h"),
        lexicon="objc",
        late=r"^\s*[-+]\s*\(",
        ctags="ObjectiveC",
        kinds=_kinds(
            function="method class function",
            type="category implementation protocol interface enum struct typedef",
            member="field property",
            constant="var",
        ),
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;|\n[ \t]*[-+@\n]", attributes=r"@optional|@required"),
        shares=("c", "cpp"),
    ),
    LanguageEntry(
        name="csharp",
        parser=Parser.CTAGS,
        files=(".cs",),
        lexicon="csharp",
        ctags="C#",
        kinds=_kinds(
            function="method",
            type="class enum interface struct typedef namespace",
            member="enumerator field property event",
        ),
        form=Form(function_ends=r"\{|;|=>|:\s*(?:base|this)\b", type_ends=r"\{|;", attributes=r"(?=\[)"),
        constants=r"\bconst\b|\bstatic\b.*\breadonly\b",
    ),
    LanguageEntry(
        name="ruby",
        parser=Parser.CTAGS,
        files=(".rb", ".rake", ".gemspec"),
        lexicon="ruby",
        ctags="Ruby",
        kinds=_kinds(
            function="method singletonMethod", type="class module", member="alias accessor", constant="constant"
        ),
        form=Form(function_ends=r";|=(?![=~>])", type_ends=r";", newline_ends=True, after_parameters=True),
        braces=False,
    ),
    LanguageEntry(
        name="php",
        parser=Parser.CTAGS,
        files=(".php",),
        lexicon="php",
        sigils={"variable": "$"},
        ctags="PHP",
        kinds=_kinds(function="function", type="class interface trait", constant="define variable"),
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;", attributes=r"#(?=\[)"),
    ),
    LanguageEntry(
        name="kotlin",
        parser=Parser.CTAGS,
        files=(".kt", ".kts"),
        lexicon="kotlin",
        ctags="Kotlin",
        kinds=_kinds(function="method", type="class interface object typealias", constant="constant variable"),
        form=Form(
            function_ends=r"\{|=(?!=)",
            type_ends=r"\{|=(?!=)",
            newline_ends=True,
            continues=r"[:{=]|where\b",
            attributes=_AT,
        ),
    ),
    LanguageEntry(
        name="swift",
        parser=Parser.KEYWORDS,
        files=(".swift",),
        lexicon="swift",
        open_bodies=r"\bsubscript\b.*$",
        form=Form(
            function_ends=r"\{",
            type_ends=r"\{|=(?!=)",
            newline_ends=True,
            continues=r"->|where\b|\{|throws\b|async\b",
            attributes=_AT,
        ),
    ),
    LanguageEntry(
        name="scala",
        parser=Parser.KEYWORDS,
        files=(".scala",),
        lexicon="scala",
        form=Form(
            function_ends=r"\{|(?<![<>=])=(?![=>])",
            type_ends=r"\{|(?<![<>=])=(?![=>])",
            newline_ends=True,
            continues=r"[:{=]|extends\b|with\b",
            refinements=True,
            attributes=_AT,
        ),
    ),
    LanguageEntry(
        name="dart",
        parser=Parser.KEYWORDS,
        files=(".dart",),
        lexicon="dart",
        form=Form(function_ends=r"\{|;|=>|=(?!=)|(?<!:):(?!:)", type_ends=r"\{|;|=(?!=)", attributes=_AT),
    ),
    LanguageEntry(
        name="zig",
        parser=Parser.KEYWORDS,
        files=(".zig",),
        lexicon="zig",
        open_bodies=r"\)\s*type$",
        form=Form(
            function_ends=r"\{|;",
            type_ends=r"\{|;",
            type_braces=r"\b(?:struct|enum|union|opaque|error)\s*(?:\([^()]*\)\s*)?$",
        ),
    ),
    LanguageEntry(
        name="solidity",
        parser=Parser.KEYWORDS,
        files=(".sol",),
        lexicon="solidity",
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;"),
    ),
    LanguageEntry(
        name="protobuf",
        parser=Parser.CTAGS,
        files=(".proto",),
        lexicon="protobuf",
        ctags="Protobuf",
        kinds=_kinds(function="rpc", type="message service enum group", member="field enumerator oneof"),
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;"),
    ),
    LanguageEntry(
        name="graphql",
        parser=Parser.KEYWORDS,
        files=(".graphql", ".gql", ".graphqls"),
        lexicon="graphql",
        form=Form(function_ends=r"\{", type_ends=r"\{|=", newline_ends=True, continues=r"\{|=|on\b|implements\b|&|@"),
    ),
    LanguageEntry(
        name="hcl",
        parser=Parser.KEYWORDS,
        files=(".tf", ".hcl", ".tfvars"),
        lexicon="hcl",
        form=Form(function_ends=r"\{", type_ends=r"\{", newline_ends=True),
    ),
    LanguageEntry(
        name="bash",
        parser=Parser.CTAGS,
        files=(".sh", ".bash", ".bats"),
        lexicon="bash",
        ctags="Sh",
        kinds=_kinds(function="function"),
        form=Form(function_ends=r"[{;]|\(", type_ends=r"\{", newline_ends=True),
        braces=False,
    ),
    LanguageEntry(
        name="perl",
        parser=Parser.CTAGS,
        files=(".pl", ".pm", ".t"),
        lexicon="perl",
        ctags="Perl",
        kinds=_kinds(function="subroutine", type="package", constant="constant"),
        form=Form(function_ends=r"\{|;", type_ends=r"\{|;"),
    ),
    LanguageEntry(
        name="lua",
        parser=Parser.CTAGS,
        files=(".lua",),
        lexicon="lua",
        ctags="Lua",
        kinds=_kinds(function="function"),
        form=Form(function_ends=r";", type_ends=r";", newline_ends=True, after_parameters=True),
        braces=False,
    ),
    LanguageEntry(
        name="r",
        parser=Parser.CTAGS,
        files=(".R", ".r"),
        lexicon="r",
        scopes=False,
        ctags="R",
        kinds=_kinds(function="function", constant="globalVar vector list dataframe"),
        form=Form(function_ends=r"\{", type_ends=r"\{", newline_ends=True, after_parameters=True),
    ),
    LanguageEntry(
        name="julia",
        parser=Parser.CTAGS,
        files=(".jl",),
        lexicon="julia",
        ctags="Julia",
        kinds=_kinds(function="function macro", type="module struct type", member="field", constant="constant"),
        form=Form(function_ends=r"=(?!=)", type_ends=r"=(?!=)", newline_ends=True, after_parameters=True),
        braces=False,
    ),
    LanguageEntry(
        name="elixir",
        parser=Parser.CTAGS,
        files=(".ex", ".exs"),
        lexicon="elixir",
        ctags="Elixir",
        kinds=_kinds(
            function="macro callback delegate function guard operator test",
            type="implementation module protocol type",
        ),
        form=Form(function_ends=r"\bdo\b|,", type_ends=r"\bdo\b|,|::", newline_ends=True, continues=r"when\b"),
        braces=False,
    ),
    LanguageEntry(
        name="haskell",
        parser=Parser.KEYWORDS,
        files=(".hs",),
        lexicon="haskell",
        braces=False,
    ),
    LanguageEntry(
        name="ocaml",
        parser=Parser.CTAGS,
        files=(".ml", ".mli"),
        lexicon="ocaml",
        ctags="OCaml",
        kinds=_kinds(
            function="function method val",
            type="class module type Exception",
            member="Constructor RecordField",
            constant="var",
        ),
        braces=False,
    ),
    LanguageEntry(
        name="sql",
        parser=Parser.CTAGS,
        files=(".sql",),
        lexicon="sql",
        ctags="SQL",
        kinds=_kinds(function="function procedure trigger", type="table view domain subtype index", member="field"),
        braces=False,
    ),
)

LANGUAGES: Mapping[str, LanguageEntry] = {entry.name: entry for entry in _ENTRIES}
"""Every language of the benchmark, by our engine's name for it."""
