"""The only place of the benchmark that calls our engine."""

from __future__ import annotations

import tree_sitter

from skeleton import CompressionLevel, Language, Skeleton, Skeletons, language_of, skeletonize, skeletons

LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
"""The levels that are measured: L1 and L2."""


def both_levels(source: bytes, language: Language) -> Skeletons:
    """A file at L1 and L2, outline and proofs included."""
    return skeletons(source, language)


def language_for(path: str, source: bytes) -> Language | None:
    """The programming language that our engine takes a file for; None for text."""
    language = language_of(path, source)
    return language if isinstance(language, Language) else None


def parser_for(language: Language) -> tree_sitter.Parser:
    """The bare parser of a language's grammar, without anything of ours."""
    return tree_sitter.Parser(language.grammar)


def parses_cleanly(source: bytes, parser: tree_sitter.Parser) -> bool:
    """The grammar finds no syntax error; a text without a line break at its end is given one, as grammars expect."""
    return not parser.parse(source if source.endswith(b"\n") else source + b"\n").root_node.has_error


def again(skeleton: Skeleton, language: Language) -> str:
    """A skeleton without marks, skeletonized once more at the level that it really is of, without marks."""
    return skeletonize(skeleton.unmarked.encode(), language, skeleton.level).unmarked
