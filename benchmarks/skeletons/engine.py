"""The only place of the benchmark that calls our engine."""

from __future__ import annotations

from dataclasses import dataclass

import tree_sitter

from skeleton import CompressionLevel, Language, Skeleton, language_of, skeletonize

LEVELS = (CompressionLevel.SKELETON_PLUS, CompressionLevel.SKELETON)
"""The levels that are measured: L1 and L2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skeletons:
    """A file at both levels."""

    plus: Skeleton
    skeleton: Skeleton

    def at(self, level: CompressionLevel) -> Skeleton:
        """The skeleton of a level."""
        return self.plus if level is CompressionLevel.SKELETON_PLUS else self.skeleton


def both_levels(source: bytes, language: Language) -> Skeletons:
    """A file at L1 and L2, proofs included."""
    return Skeletons(
        plus=skeletonize(source, language, CompressionLevel.SKELETON_PLUS),
        skeleton=skeletonize(source, language, CompressionLevel.SKELETON),
    )


def language_for(path: str, source: bytes) -> Language | None:
    """The language that our engine takes a file for."""
    return language_of(path, source)


def parser_for(language: Language) -> tree_sitter.Parser:
    """The bare parser of a language's grammar, without anything of ours."""
    return tree_sitter.Parser(language.grammar)


def parses_cleanly(source: bytes, parser: tree_sitter.Parser) -> bool:
    """The grammar finds no syntax error."""
    return not parser.parse(source).root_node.has_error


def again(skeleton: Skeleton, language: Language, level: CompressionLevel) -> str:
    """A skeleton skeletonized once more."""
    return skeletonize(skeleton.text.encode(), language, level).text
