"""Finds the places where a file uses names and where it only speaks of them: comments and strings, calls, imports.

What the nodes of a grammar are called says what they are: every grammar calls its comments and strings so, its calls
calls. So two queries are made of the names of a grammar's own nodes, and none is written for a language; where all calls are
lists, the query file says which. What is
computed inside a string (`f"{load()}"`) is code again. Imports are what the language's query file captures as such.

A file that is not code speaks of names and uses none.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import tree_sitter

from skeleton.index.records import NO_USES, Uses
from skeleton.languages.queries import Language
from skeleton.outline.depth import DEEPEST, parted
from skeleton.outline.outlining import read_again
from skeleton.outline.parsing import GrammarFailureError, in_time_for, parse, stop_if_late
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PROSE: Final = re.compile(
    r"(?!.*(?:escape_|keyword|concatenated|_get_|key_path|bitstring|_type$|_start$|_end$|_redirect|_expression$"
    r"|comment_statement|string_interpolation|text_interpolation))"
    r".*(?:comment|string|str_lit|heredoc|regex|char(?:acter|list)?(?:_lit.*)?$|haddock|jsx_text|^text$|str_text"
    r"|quoted_content|quoted_word|nowdoc|rune_literal|template_literal|^pod$|data_section)"
    r"|interpolated_string_expression|quoted_attribute_value"
    r"|(?:export|export_type|optional_callbacks)_attribute$|export_clause$|exports$",
    re.IGNORECASE,
)
"""Kinds of nodes that are text to the compiler, or to nobody, or say what a file gives out."""

_COMPUTED: Final = re.compile(
    r"(?!.*(?:escape|regexp|text_|_string|raw_str|_(?:brace|quote|start|end|clause)$))"
    r".*(?:interpolation|substitution|interpolated|(?:^|_)expansion$)",
    re.IGNORECASE,
)
"""Kinds of nodes inside such text that are code."""

_CALL: Final = re.compile(
    r"(?:.*_)?(?:call|invocation|macrocall|new|object_creation|apply|application|message)"
    r"(?:_expression|_statement)?$|command$"
)
_NO_CALL: Final = re.compile(r"preproc_call|(?:kind|type|mixin|class|module)_application|access_call")
_CALLED: Final = (("function", "method"), ("constructor",), ("macro",), ("target",), ("name",), ("type",))
"""Fields of a call that hold what is called; the first of them that the grammar knows for it count."""

_NAME: Final = re.compile(rb"([A-Za-z_\x80-\xff][\w\x80-\xff']*[?!]?)\s*(?:(?:::)?<[^()]*>)?\s*\Z")
"""A name at the end of what is called, of any alphabet."""

_LONGEST: Final = 256
"""Bytes at the end of what is called in which its name stands."""


def uses_of(source: bytes, language: object) -> Uses:
    """Tells code from prose in a file.

    Args:
        source: the file as UTF-8.
        language: what `language_of` says of it.
    """
    if not isinstance(language, Language):
        return NO_USES
    try:
        with in_time_for(source):
            text, tree = parse(source, language)
            kinds = _kinds_of(language)
            prose = _prose(kinds.prose, tree.root_node)
            calls = sorted(_calls(kinds, tree.root_node, text))
            roots = [tree.root_node, *read_again(source, text, tree, language)]
    except GrammarFailureError:
        return NO_USES
    imports = [
        place
        for node in sorted(
            (one for root in roots for one in _captured(language.import_query, root, "import")), key=_by_start
        )
        for place in (node.start_byte, _end_of(node))
    ]
    return Uses(*(array("I", places).tobytes() for places in (prose, calls, imports)))


def _end_of(node: tree_sitter.Node) -> int:
    """The end of a node without the comments at it, which are about what follows."""
    last, is_cut = node, False
    while children := last.children:
        kept = next((one for one in reversed(children) if not one.is_extra), None)
        if kept is None:
            break
        is_cut = is_cut or kept != children[-1]
        last = kept
    return last.end_byte if is_cut else node.end_byte


class _Kinds(NamedTuple):
    """The queries for the kinds of nodes of a grammar; None where it has none of the kind."""

    prose: tree_sitter.Query | None
    calls: tree_sitter.Query | None
    call_kinds: frozenset[str]


@lru_cache(maxsize=64)
def _kinds_of(language: Language) -> _Kinds:
    grammar = language.grammar
    supertypes = frozenset(grammar.supertypes)
    kinds = {
        kind
        for place in range(grammar.node_kind_count)
        if grammar.node_kind_is_named(place)
        and grammar.node_kind_is_visible(place)
        and place not in supertypes
        and (kind := grammar.node_kind_for_id(place))
    }
    computed = {kind for kind in kinds if _COMPUTED.match(kind)}
    prose = {kind for kind in kinds if _PROSE.match(kind)} - computed
    calls = frozenset(kind for kind in kinds if _CALL.match(kind) and not _NO_CALL.match(kind))
    texts = [f"({kind}) @prose" for kind in sorted(prose)] + [f"({kind}) @computed" for kind in sorted(computed)]
    texts += [language.prose] if language.prose else []
    return _Kinds(
        _compiled(grammar, texts),
        _compiled(
            grammar,
            [
                *(pattern for kind in sorted(calls) for pattern in _patterns_of_call(grammar, kind)),
                *([language.calls] if language.calls else []),
            ],
        ),
        calls,
    )


def _patterns_of_call(grammar: tree_sitter.Language, kind: str) -> Iterable[str]:
    """The patterns of what is called: a field where the grammar has one, else the first child."""
    for fields in _CALLED:
        known = [one for field in fields if _compiled(grammar, [one := f"({kind} {field}: (_) @called)"])]
        if known:
            return known
    return [f"({kind} . (_) @called)"]


def _compiled(grammar: tree_sitter.Language, patterns: Sequence[str]) -> tree_sitter.Query | None:
    """A query of patterns; None where there are none, or the grammar knows no such nodes."""
    try:
        return tree_sitter.Query(grammar, "\n".join(patterns)) if patterns else None
    except tree_sitter.QueryError:
        return None


def _captured(query: tree_sitter.Query | None, root: tree_sitter.Node, name: str) -> list[tree_sitter.Node]:
    if query is None:
        return []
    found: list[tree_sitter.Node] = []
    parts = parted(root, DEEPEST)
    for part in parts:
        cursor = tree_sitter.QueryCursor(query)
        if len(parts) > 1:
            stop_if_late()
            cursor.set_max_start_depth(DEEPEST)
        found += cursor.captures(part).get(name, [])
    return found


def _by_start(node: tree_sitter.Node) -> tuple[int, int]:
    return node.start_byte, -node.end_byte


def _prose(query: tree_sitter.Query | None, root: tree_sitter.Node) -> list[int]:
    """The ends of stretches of code and of prose; of nested nodes the innermost says which it is."""
    spans = [
        (node.start_byte, node.end_byte, is_prose)
        for name, is_prose in (("prose", True), ("computed", False))
        for node in _captured(query, root, name)
    ]
    spans.sort(key=lambda span: (span[0], -span[1], span[2]))
    ends: list[int] = []
    around: list[tuple[int, bool]] = []

    def turn(at: int) -> None:
        """From here on it is what the innermost span says."""
        is_prose = bool(around) and around[-1][1]
        if len(ends) % 2 == is_prose:
            return
        if ends and ends[-1] == at:
            ends.pop()
        else:
            ends.append(at)

    for start, end, is_prose in still_wanted(spans):
        while around and around[-1][0] <= start:
            at, _ = around.pop()
            turn(at)
        around.append((end, is_prose))
        turn(start)
    while around:
        at, _ = around.pop()
        turn(at)
    return ends


def _calls(kinds: _Kinds, root: tree_sitter.Node, text: bytes) -> set[int]:
    """Returns the places where the names begin that are called."""
    found = {node.start_byte for node in _captured(kinds.calls, root, "name")}
    for node in still_wanted(_captured(kinds.calls, root, "called")):
        if node.type in kinds.call_kinds:
            continue  # what a call gives is called
        start = max(node.start_byte, node.end_byte - _LONGEST)
        name = _NAME.search(text[start : node.end_byte])
        if name is not None:
            found.add(start + name.start(1))
    return found
