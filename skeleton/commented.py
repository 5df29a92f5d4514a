"""Renders a file at L1 with every comment and doc outside of bodies; docs inside, as Python has them, are as at L1.

What stands in a folder for people and programs to read, as a mirror of the source does, may say more than what is paid
for by the token. So this text is L1 with the docs and comments left in their places as a reader of source expects them.

It is proven against L1 itself: L1 of this text is L1 of the source. What cannot be proven is given at L1.
"""

from __future__ import annotations

from msgspec.structs import replace

from skeleton.languages.queries import Language
from skeleton.levels import CompressionLevel, Role
from skeleton.outline.outlining import outline
from skeleton.outline.parsing import GrammarFailureError
from skeleton.render.regions import marked
from skeleton.render.rendering import render
from skeleton.render.texts import Skeleton
from skeleton.skeletonizer import skeletonize

_LEFT = frozenset({Role.COMMENT, Role.DOC, Role.MODULE_DOC})


def commented_skeleton(source: bytes, language: Language) -> Skeleton:
    """A file of code at L1, with comments and docs as they are written.

    Args:
        source: the file as UTF-8.
        language: what it is written in.

    Returns:
        The skeleton; at L0 where L1 saves nothing or cannot be proven.
    """
    plain = skeletonize(source, language, CompressionLevel.SKELETON_PLUS)
    if plain.level is not CompressionLevel.SKELETON_PLUS:
        return plain
    try:
        facts = outline(source, language)
        kept = replace(facts, parts=tuple(part for part in facts.parts if part.role not in _LEFT))
        rendered = render(source, kept, language, CompressionLevel.SKELETON_PLUS)
        again = skeletonize(rendered.text, language, CompressionLevel.SKELETON_PLUS)
    except GrammarFailureError:
        return plain
    if again.unmarked != plain.unmarked or (again.syntax_errors and not plain.syntax_errors):
        return plain
    lines = marked(rendered.text, rendered.line_numbers(source), source, facts.as_written)
    return replace(plain, text=lines.text.decode("utf-8", "replace"), line_numbers=lines.numbers)
