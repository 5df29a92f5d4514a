r"""Reads languages, which are data: one query file each, in `skeleton/languages/<name>.scm`.

A query file starts with header comments (`; key: value`) and holds tree-sitter patterns whose captures say what the
nodes *are*; what becomes of them is the level table's business (`skeleton.levels`). Headers:

    grammar            the grammar's name in tree-sitter-language-pack
    inherits           another query file: its headers are the defaults, its patterns come first
    files              patterns of file names, separated by blanks (`*.py SConstruct`); never inherited
    shebang            names of interpreters, separated by blanks (`python python3`); never inherited
    modeline           the names an editor's modeline uses, if not the language's own; never inherited
    content            `PATTERN REGEX`, repeatable: files of these names, another language's otherwise, in whose text, with a
                       line break before it, the expression finds something; one that begins with a fixed text, as with
                       the line break, is searched many times as fast; never inherited
    comments           a regular expression of how a comment begins: none is looked for where it finds nothing. Without it
                       comments are looked for everywhere, and a comment behind the last line is no part of a zoom
    doc comments       how a doc comment starts (`/// /**`), with `_` for a blank and `\n` for a line break; comments that
                       start otherwise document nothing
    module doc         how a doc comment of the whole file starts, if it differs
    fold L1, fold L2   what replaces a body, the white space before it included (JSON string)
    fold statements    what replaces a run of statements (JSON string)
    fold value         what replaces a long initialiser that is not in brackets (JSON string)
    fold inside        what stands between the brackets of a folded initialiser (JSON string)
    items              a regular expression that finds something in tokens that hold definitions or imports; without
                       it none are read again
    heads              the words that begin a definition among tokens, and its kind, separated by blanks (`fn=function`)
    attribute mark     the token before the brackets of an attribute
    fold tokens        what stands for the lines of tokens that are not shown (JSON string, with `%s` for how many lines)
    line mark          what takes the place of a line break that means something (JSON string, a comma by default)
    terminator         the sign that ends a statement, directly behind it or on a line of its own (`;` by default)
    returns            `blanks`: a carriage return before a line break is read as a blank, for the grammar stumbles over it
    block ends         a regular expression of words that may stand between a body and the end of its definition (`end`)
    blank              a regular expression of what the grammar stumbles over, blanked before parsing: its last group,
                       which belongs to the definition that follows unless it starts with `#`, or else its match; may be
                       repeated; what its group `word` matches is read as one word (`_` where it is none), and its group
                       `call`, directly behind it, as empty brackets; other named groups are read as their name
                       (`(?P<enum>…)`), or blanked (`(?P<_>…)`); it may start with the texts of which a source must
                       hold one, or it is not searched at all: `(?#CONSTEXPR|INLINE)…`
    conditions         a regex: a directive of a preprocessor, its first group `if…`, `endif` or what stands between them;
                       conditions with a branch that opens more blocks than it closes are blanked
    read as            `TEXT REGEX` (a JSON string first): the last group of every match is read as blanks and that text
                       at its end, where it is long enough; may be repeated, and comes before `blank`; it may start
                       with the texts of which a source must hold one, too; a last group called `apart` is a body, and
                       no blank of it belongs to the signature before it; of one called `ahead` the text
                       comes first, and its last character goes on to the end
    mends              `TEXT REGEX` as for `read as`, tried in sources with syntax errors alone, behind all others: a source
                       is read so where that leaves fewer of them; may be repeated
    unended            a regular expression of a whole statement whose end the grammar misses where nothing is missing (a
                       macro): from the start of its line to the first character behind it; that is no syntax error
    begins             a regular expression of lines that begin a definition, white space before it included: in a source
                       with syntax errors they are not hidden (`skeleton.outline.resumed`)
    declarators        nodes whose type ends in this word wrap a name: a `@name` is followed down their field of that name
    qualified          nodes of these types qualify a name: their field `name` is it, `scope` its container
    namespace          a regular expression of the statement that says in which namespace all that a file defines is, where that is no
                       definition itself; its group `name` is the namespace
    returned           a regular expression of the statement that says which definition of a file others import as its module;
                       its group `name` is that
    names              a regular expression of a name where code uses it, if that is not just letters, digits and `_`: what else it
                       may hold (`-`, `?`), and what it does not stand behind (`$`) or before (`:` of a label); `\w` stands in
                       brackets, for letters of any script
    uses               words that say how names are used, separated by blanks: the names of the fields of `Naming`, with dashes
                       (`messages`, `types-apart`, `functions-are-methods`, …), each of which says what it means
    addresses          words that stand before a name that is used, each with what it is defined in (`var>variable`); see `Naming`
    marks              the marks behind which a name is that of a member, separated by blanks: `. ::` by default
    tests              a regular expression of a test that stands beside what it tests, in no file of its own: it finds something in
                       the name of a definition around, a line break and its head, attributes included, or, outside of all,
                       in what stands since the last line that is not indented
    lends              a regular expression of the line that begins a block which lends all that stands in it to another type; its
                       first group is the white space before it, at whose depth the block ends (`extension(Stream s) {`)
    gives              a regular expression of the beginning of an expression that names the type of what it gives, its first group (a cast)
    of types           a regular expression that finds before the name of a member that it is one of its type alone (`static`)
    own values         a regular expression that matches behind a variable which is said to be, or made, of a type of the
                       language itself (`: number[]`, ` = {}`), where other types may pass for those that are said
    type parameters    a regular expression that finds the types which a function takes before its name, its first group (`fun <T>`)
    mixes              a word for the languages that use each other's definitions, the language's own name by default; `all` where any may
    calls              a pattern whose `@name` is a name that is called, where no node of the grammar is a call by its kind
    prose              patterns whose `@prose` is a word that is no use of a name, besides texts and comments
    reserved           the words by which the language writes statements: they name nothing, be something called so elsewhere
    name marks         characters around a name that are no part of it (`:` of a Ruby symbol)
    reach              how deep below a scope its members' patterns begin: 1 for its children, 2 (the default) for what is
                       wrapped once (`export`, decorators) …
    empty scope        what an emptied scope needs to parse, the white space before it included (JSON string)
    visible, offers, seen with type: who can see a definition (`skeleton.languages.visibility`)
    sketch …           patterns that find definitions line by line, without the grammar (`skeleton.languages.sketches`)

Captures (any other is an error when the query loads; names that start with `_` are free for predicates):

    @definition.KIND   a definition; KIND is one of `KINDS`
    @name              its name; several names make several definitions of one span, each with its own body
    @first             the word that a definition begins with, where its node begins behind it: `and` of `let f = 1 and g = 2`
    @container         text that names its container where nesting does not (a Go receiver, `Foo` of `Foo::bar`)
    @body              what folds; from the first to the last node captured. Without a definition it folds by itself
    @doc               its doc, where the grammar knows it (a docstring); without a definition it is the file's doc
    @value             its initialiser (what it ends with, `;`, may be captured too); none where its body, scope or shape
                       is a part of that
    @accessors         the accessors of a property: their bodies fold by themselves, what is around them is on one line
                       with the signature at L2
    @after             behind a body the word that begins what belongs to the signature again: `as` of `(…) as Asked`
    @tail              what belongs to its initialiser though it stands after it: the text of a heredoc; without a
                       definition it goes or stays with what stands before it
    @behind            what belongs to the definition before it though it stands beside it: an accessor on lines of its own
    @scope             a node whose children are members: what is neither definition nor import there is a statement;
                       it may be the definition itself, whose signature then ends with its name
    @shape             a node whose children are kept, as the fields of a type; a signature ends where it begins
    @frame             a node that is kept if a definition or an import stands in it, and a statement otherwise
    @call              a call of a macro, in the place of a definition
    @again             in one, what is in brackets: it is read again as members of what the call stands in
    @wrapper           a node around one definition that belongs to it (`export`, decorators, `template<…>`)
    @attribute         a decorator, attribute or annotation that is on lines of its own
    @import            an import, include or package clause
    @keep              anything else that is shown as it is
    @detail            anything else that is shown at L1 and goes at L2, as constants do
    @embedded.LANGUAGE text in another language (its name here): the first pattern that captures it decides
    @rest              the sign at the end of a definition that holds all behind it in what it stands in, up to the next of them:
                       the semicolon of `package Name;`
    @open              a definition that ends with its indentation: comments that a grammar counts in, and that are indented
                       no further than it, stand behind it
    @line              what a line break may end in a signature: the line mark takes its place where lines are joined
    @comment           a comment

A kind may be followed by `~` (`(call_expression~ function: (_) arguments: (_))`) where what the pattern asks of its parts, their
fields or a word, is true of no other kind that can stand there: it is read as `_`. To prove that a kind can have such
parts is what makes a query slow to load (ADR 36). It must hold a capture, or capture itself, and be no root.

Patterns may set, with `#set!`: `fold.L1`, `fold.L2` (as the headers, for this pattern's body), `value.L2` (what takes
the place of `= value` at L2; nothing by default), `name.only` (what other patterns call the same node is no name),
`name.each` (all names make one, with this after each), `name.words` (every word of a name is one). Settings stand before predicates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Final, cast

import msgspec
import tree_sitter
from tree_sitter_language_pack import SupportedLanguage, get_language

from skeleton.languages.headers import (
    HEADER_KEYS,
    QueryFileError,
    comment_start,
    language_name_of,
    languages,
    resolved,
    text_of,
)
from skeleton.languages.plans import Blank, Fold, Plan

KINDS: Final = frozenset(
    [
        "function",
        "method",
        "constructor",
        "class",
        "struct",
        "interface",
        "trait",
        "enum",
        "type",
        "impl",
        "module",
        "macro",
        "constant",
        "field",
        "member",
    ]
)
"""Kinds of definitions. `constant` is dropped at L2; `field` and `member` (of an enum) lose their initialiser there."""

EMBEDDED: Final = "embedded."
"""The prefix of the captures of embedded text; the name of its language follows."""

_SINGLE: Final = frozenset(
    [
        "tail",
        "behind",
        "scope",
        "shape",
        "frame",
        "call",
        "again",
        "wrapper",
        "attribute",
        "import",
        "keep",
        "detail",
        "line",
        "open",
        "comment",
    ]
)
_PARTS: Final = frozenset(["name", "first", "container", "body", "doc", "value", "accessors", "tail", "after", "rest"])


LINES: Final = "⋮ [0-9]+ lines?"
"""The count in a mark for lines that are not shown."""

_TOLD = re.compile(r"(?<=\()\w+~")
"""A kind that what the pattern asks of its parts tells already."""

_CAPTURE = re.compile(r"@([\w.]+)")
_NO_CAPTURE = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*')


_SET_BEHIND = re.compile(r"\(#[\w-]+\?[^()]*\)\s*\(#set!")
"""A setting behind a predicate: the binding (0.26.1) frees that predicate once too often when the query goes."""

_NEEDS = re.compile(rb"\(\?#([^)]*)\)")
_NO_STRUCTURE = re.compile(rb"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]", re.DOTALL)
_GROUP = re.compile(rb"\([^()]*\)")


_WORD: Final = re.compile(rb"\b\w")
_SEMICOLON: Final = ";"


def _ended(terminator: str) -> re.Pattern[bytes]:
    """Returns the end of a statement that stands apart from it: a shell's `&`, what ends it on a line of its own."""
    return re.compile(rb"(?:[ \t]*&|\s*%b)(?=[ \t\r]*$)" % re.escape(terminator.encode()), re.MULTILINE)


class Language(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One language and everything the engine needs to know of it; compare by identity, look up with `named`."""

    name: str
    grammar: tree_sitter.Language
    query: tree_sitter.Query
    plans: tuple[Plan, ...]
    folds: tuple[Fold, ...]
    doc_comments: tuple[bytes, ...]
    module_doc: tuple[bytes, ...]
    fold_statements: bytes
    fold_inside: bytes
    fold_tokens: bytes
    line_mark: bytes
    empty_scope: bytes
    readings: tuple[tuple[bytes, Blank], ...]
    blanks: tuple[Blank, ...]
    conditions: re.Pattern[bytes] | None
    declarators: str
    qualified: frozenset[str]
    name_marks: str
    reach: int
    begins: re.Pattern[bytes] | None = None
    mends: tuple[tuple[bytes, Blank], ...] = ()
    """Patterns of texts that are read as something else where less of a source is in errors then."""
    unended: re.Pattern[bytes] | None = None
    """A statement whose end the grammar misses where nothing is missing."""
    comment_start: re.Pattern[bytes] | None = None
    """The pattern by which a comment begins; None where the query file gives none: they are looked for everywhere then."""
    word_after_body: re.Pattern[bytes] = _WORD
    """A word behind a body that does not end its block."""
    blanks_returns: bool = False
    """A carriage return before a line break is read as a blank."""
    terminator: bytes = _SEMICOLON.encode()
    ended: re.Pattern[bytes] = _ended(_SEMICOLON)
    """The end of a statement that stands apart from it."""
    comment_query: tree_sitter.Query | None = None
    """The patterns that say what comments are and what ends with its line; None where there are none."""
    import_query: tree_sitter.Query | None = None
    """The patterns that say what imports are; None where there are none."""
    prose: str = ""
    """Patterns whose `@prose` is no use of a name; "" for none."""
    calls: str = ""
    """A pattern whose `@name` is a name that is called; "" where the grammar's own nodes tell."""
    items: re.Pattern[bytes] | None = None
    """A pattern that is found in tokens that hold definitions or imports; None where they are not read again."""
    heads: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """The words that begin a definition among tokens: its kind."""
    attribute_mark: str = ""
    """The token before the brackets of an attribute."""
    count: re.Pattern[bytes] | None = None
    """The mark for lines of tokens that are not shown, without the white space around it."""
    placeholders: frozenset[bytes] = msgspec.field(default_factory=frozenset[bytes])
    """Comments that stand for something folded: they are kept."""
    proven: set[tuple[object, ...]] = msgspec.field(default_factory=set[tuple[object, ...]])
    """The readings of gaps in skeletons (`skeleton.proof.likeness`) that the walk has proven so far."""

    @property
    def embeds(self) -> bool:
        """Tells whether texts of it may hold text in other languages."""
        return any(part.startswith(EMBEDDED) for plan in self.plans for part in plan.parts)

    def is_count(self, text: bytes) -> bool:
        """Tells whether a text is the mark for lines of tokens that are not shown."""
        return self.count is not None and self.count.fullmatch(text) is not None

    @staticmethod
    def named(name: str) -> Language:
        """The language of that name (`"python"`, `"rust"`); raises KeyError with the known names otherwise."""
        if name not in languages().names:
            raise KeyError(f"no language is called {name!r}; known: {', '.join(sorted(languages().names))}")
        return _load(name)


def code_language_of(path: str, source: bytes = b"") -> Language | None:
    """The language of a file, by the rules of `language_name_of`; None where no query file claims it.

    Raises:
        QueryFileError: the language's query file is broken.
    """
    name = language_name_of(path, source)
    return None if name is None else _load(name)


@cache
def _load(name: str) -> Language:
    return compile_language(name, text_of(name))


def compile_language(name: str, text: str, *, is_strict: bool = False) -> Language:
    """The language that a query file's text describes.

    Args:
        name: its name.
        text: the text.
        is_strict: whether kinds that their parts tell are asked for nevertheless, which takes longer and finds the same.

    Raises:
        QueryFileError: a header, capture or kind is unknown, or a pattern does not fit the grammar.
    """
    header, patterns = resolved(name, text)
    patterns = _TOLD.sub((lambda kind: kind[0][:-1]) if is_strict else "_", patterns)
    if "grammar" not in header:
        raise QueryFileError(f"{name}.scm: the header '; grammar: NAME' is missing")
    try:
        grammar = get_language(cast("SupportedLanguage", header["grammar"]))
    except LookupError as error:
        raise QueryFileError(f"{name}.scm: tree-sitter-language-pack has no grammar {header['grammar']!r}") from error
    if _SET_BEHIND.search(_NO_CAPTURE.sub("", patterns)):
        raise QueryFileError(f"{name}.scm: a #set! stands behind a predicate, put it first")
    try:
        query = tree_sitter.Query(grammar, patterns)
    except tree_sitter.QueryError as error:
        raise QueryFileError(f"{name}.scm: {error}") from error
    texts = {key: _json_text(header, key, name) for key in HEADER_KEYS if key.startswith(("fold", "empty"))}
    folds = [Fold(plus=texts["fold L1"], skeleton=texts["fold L2"], value=b"", long_value=texts["fold value"])]
    plans = tuple(_plan(query, patterns, index, folds, name) for index in range(query.pattern_count))
    doc_comments, module_doc = (_doc_marks(header.get(key, "")) for key in ("doc comments", "module doc"))
    marks = {texts["fold statements"].strip(), texts["fold inside"].strip(), texts["fold value"].strip()}
    ends = header.get("block ends", "")
    return Language(
        name=name,
        grammar=grammar,
        query=query,
        plans=plans,
        folds=tuple(folds),
        doc_comments=doc_comments,
        module_doc=module_doc or doc_comments,
        fold_statements=texts["fold statements"],
        fold_inside=texts["fold inside"],
        fold_tokens=texts["fold tokens"],
        line_mark=_json_text(header, "line mark", name) or b",",
        empty_scope=texts["empty scope"],
        readings=tuple(_reading(line, name) for line in header.get("read as", "").splitlines()),
        conditions=re.compile(header["conditions"].encode(), re.MULTILINE) if "conditions" in header else None,
        blanks=tuple(_blank(line.encode()) for line in header.get("blank", "").splitlines()),
        declarators=header.get("declarators", ""),
        qualified=frozenset(header.get("qualified", "").split()),
        name_marks=header.get("name marks", ""),
        reach=int(header.get("reach", "2")),
        begins=re.compile(header["begins"].encode(), re.MULTILINE) if "begins" in header else None,
        mends=tuple(_reading(line, name) for line in header.get("mends", "").splitlines()),
        unended=re.compile(header["unended"].encode()) if "unended" in header else None,
        comment_start=comment_start(header),
        word_after_body=re.compile(rb"(?!\b(?:%b)\b)" % ends.encode() + _WORD.pattern) if ends else _WORD,
        blanks_returns=header.get("returns") == "blanks",
        terminator=header.get("terminator", _SEMICOLON).encode(),
        ended=_ended(header.get("terminator", _SEMICOLON)),
        comment_query=_query_of({"comment", "line"}, grammar, query, patterns, plans),
        import_query=_query_of({"import"}, grammar, query, patterns, plans),
        calls=header.get("calls", ""),
        prose=header.get("prose", ""),
        items=re.compile(header["items"].encode()) if "items" in header else None,
        heads=_heads(header.get("heads", ""), name),
        attribute_mark=header.get("attribute mark", ""),
        count=_count(texts["fold tokens"]),
        placeholders=frozenset(mark for mark in marks if mark),
    )


def _heads(text: str, name: str) -> dict[str, str]:
    heads = dict(pair.split("=", 1) for pair in text.split())
    if unknown := set(heads.values()) - KINDS:
        raise QueryFileError(f"{name}.scm: '; heads: {text}' names no known kind: {', '.join(sorted(unknown))}")
    return heads


def _count(mark: bytes) -> re.Pattern[bytes] | None:
    before, _, after = mark.strip().partition(b"%s")
    return re.compile(re.escape(before) + LINES.encode() + re.escape(after)) if mark else None


def _query_of(
    parts: set[str],
    grammar: tree_sitter.Language,
    query: tree_sitter.Query,
    patterns: str,
    plans: tuple[Plan, ...],
) -> tree_sitter.Query | None:
    """The patterns of a query that say what some parts are, and define nothing; None where there are none."""
    text = patterns.encode()
    wanted = [
        text[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)]
        for index, plan in enumerate(plans)
        if not plan.definition and not parts.isdisjoint(plan.parts)
    ]
    return tree_sitter.Query(grammar, b"\n".join(wanted).decode()) if wanted else None


def _blank(line: bytes) -> Blank:
    needs = _NEEDS.match(line)
    expression = line[needs.end() :] if needs else line
    starts_line = expression.startswith(b"^") and not _holds_alternatives(expression)
    return Blank(
        pattern=re.compile(rb"\n" + expression[1:] if starts_line else expression, re.MULTILINE),
        after_break=starts_line,
        needs=tuple(needs[1].split(b"|")) if needs else (),
    )


def _holds_alternatives(expression: bytes) -> bool:
    """Tells whether a regular expression is one of several as a whole; those in groups are none of its own."""
    plain = _NO_STRUCTURE.sub(b"", expression)
    while (inner := _GROUP.sub(b"", plain)) != plain:
        plain = inner
    return b"|" in plain


def _reading(line: str, name: str) -> tuple[bytes, Blank]:
    try:
        text, end = json.JSONDecoder().raw_decode(line)
    except json.JSONDecodeError as error:
        raise QueryFileError(f"{name}.scm: '{line}' does not start with a JSON string: {error}") from error
    return str(text).encode(), _blank(line[end:].strip().encode())


def _doc_marks(listed: str) -> tuple[bytes, ...]:
    """Reads the marks that doc comments start with, the longest first."""
    marks = (mark.replace("_", " ").replace(r"\n", "\n").encode() for mark in listed.split())
    return tuple(sorted(marks, key=len)[::-1])


def _json_text(header: Mapping[str, str], key: str, name: str) -> bytes:
    raw = header.get(key, '""')
    try:
        value = json.loads(raw)
    except json.JSONDecodeError as error:
        raise QueryFileError(f"{name}.scm: '; {key}: {raw}' is not a JSON string: {error}") from error
    if not isinstance(value, str):
        raise QueryFileError(f"{name}.scm: '; {key}: {raw}' is not a JSON string")
    return value.encode()


def _plan(query: tree_sitter.Query, text: str, index: int, folds: list[Fold], name: str) -> Plan:
    pattern = text.encode()[query.start_byte_for_pattern(index) : query.end_byte_for_pattern(index)].decode()
    # The binding (0.26) does not tell which captures a pattern holds, so its text does.
    mentioned = _CAPTURE.findall(_NO_CAPTURE.sub("", pattern))
    captured = [capture for capture in dict.fromkeys(mentioned) if not capture.startswith("_")]
    definitions = [capture for capture in captured if capture.startswith("definition.")]
    for capture in captured:
        if capture.startswith(EMBEDDED):
            if capture.removeprefix(EMBEDDED) not in languages().names:
                raise QueryFileError(f"{name}.scm: @{capture} names no known language")
        elif capture not in _SINGLE and capture not in _PARTS and capture not in definitions:
            raise QueryFileError(f"{name}.scm: unknown capture @{capture} in {_shown(pattern)}")
    for capture in definitions:
        if capture.removeprefix("definition.") not in KINDS:
            raise QueryFileError(f"{name}.scm: @{capture} is of no known kind; known: {', '.join(sorted(KINDS))}")
    if len(definitions) > 1 or (definitions and "name" not in captured):
        raise QueryFileError(f"{name}.scm: a definition needs one @definition and a @name: {_shown(pattern)}")
    settings = query.pattern_settings(index)
    fold = Fold(
        plus=str(settings["fold.L1"]).encode() if "fold.L1" in settings else folds[0].plus,
        skeleton=str(settings["fold.L2"]).encode() if "fold.L2" in settings else folds[0].skeleton,
        value=str(settings["value.L2"]).encode() if "value.L2" in settings else b"",
        long_value=str(settings["value.L1"]).encode() if "value.L1" in settings else folds[0].long_value,
    )
    if fold not in folds:
        folds.append(fold)
    at = mentioned.index(definitions[0]) if definitions else 0
    inside = set(mentioned[:at]) - set(mentioned[at:]) - {"first", "container", "doc"}
    return Plan(
        definition=definitions[0] if definitions else "",
        parts=tuple(capture for capture in captured if capture not in (*definitions, "name")),
        kind=definitions[0].removeprefix("definition.") if definitions else "",
        fold=folds.index(fold),
        inside=tuple(capture for capture in captured if capture in inside),
        each=str(settings.get("name.each", "")),
        is_only="name.only" in settings,
        has_words="name.words" in settings,
    )


def _shown(pattern: str) -> str:
    return " ".join(pattern.split())[:100]
