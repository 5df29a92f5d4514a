"""One definition while it is being put together from what several patterns capture of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

import tree_sitter

from skeleton.languages.plans import Plan
from skeleton.outline.definitions import Definition, Span

_WORD: Final = re.compile(rb"\S+")


class Found:
    """A definition while it is being put together; its nodes live as long as the tree they come from."""

    body_start = body_end = -1
    doc: tree_sitter.Node | None = None
    value: tree_sitter.Node | None = None
    value_end = tail_end = after = -1
    accessors: tree_sitter.Node | None = None
    scope: tree_sitter.Node | None = None
    shape: tree_sitter.Node | None = None
    container = ""
    """The container that the query gives; then the qualified name of the definition around."""
    first = -1
    """The start of the word before its node that it begins with."""
    core = -1
    """The start after attributes on lines of their own."""
    signature = -1
    signature_end = -1
    name = ""
    holds_rest = False
    """It holds all behind it in what it stands in, up to the next such definition."""
    seen = False
    """A reader of the skeleton can see it."""

    def __init__(self, node: tree_sitter.Node, start: int, end: int, name_span: Span, plan: Plan, pattern: int) -> None:
        self.node = self.outer = node
        self.start = start
        self.end = end
        self.name_start, self.name_end = name_span
        self.kind = plan.kind
        self.fold = plan.fold
        self.pattern = pattern

    @property
    def head_end(self) -> int:
        """The end of what is no body, scope or shape of it, with the blanks there; its own where it has none."""
        node = self.scope or self.shape
        at = self.body_start if self.body_start >= 0 else node.start_byte if node else self.end
        return at if self.name_end <= at <= self.end else self.end

    def as_local(self, body: int) -> Definition:
        """Returns its definition, whose container is still to be found: that its `body` is inverted says so.

        Args:
            body: the end of its signature.
        """
        start = self.first if self.first >= 0 else self.start
        return Definition(self.kind, self.name, self.container, start, self.end, start, ~body, self.name_start)

    @property
    def folds(self) -> bool:
        """It has a body, a scope or a shape."""
        return self.body_start >= 0 or self.scope is not None or self.shape is not None

    @property
    def folds_alone(self) -> bool:
        """It has a body that folds, or one that is a part of the initialiser, which is then no value."""
        if self.value is None or not self.folds:
            return self.body_start >= 0
        node = self.scope or self.shape
        start = self.body_start if self.body_start >= 0 else node.start_byte if node else -1
        return self.value.start_byte <= start < self.value.end_byte


def named_by_words(found: Found, text: bytes, plan: Plan, pattern: int) -> list[Found]:
    """Gives a definition the first word of its name, and returns those that the other words stand for."""
    words = list(_WORD.finditer(text, found.name_start, found.name_end))
    every = [found, *(Found(found.node, found.start, found.end, word.span(), plan, pattern) for word in words[1:])]
    for one, word in zip(every, words, strict=False):
        one.name, (one.name_start, one.name_end) = word[0].decode("utf-8", "replace"), word.span()
    return every[1:]


def widen(new: list[Found], wrappers: list[tuple[tree_sitter.Node, Span]]) -> None:
    """Gives every definition the span of the wrappers around it, inner wrappers first."""
    starts = [found.start for found in new]
    for wrapper, (start, end) in wrappers:
        first = at = bisect_left(starts, start)
        while at < len(new) and new[at].end <= end and (at == first or new[at].node.id == new[first].node.id):
            found = new[at]
            found.outer = wrapper
            found.start, found.end = start, end
            starts[at] = start
            at += 1


def is_torn(captures: dict[str, list[tree_sitter.Node]], start: int, end: int, parts: tuple[str, ...]) -> bool:
    """Tells whether one of the parts that a pattern captures inside the definition that stands there is not inside it.

    A cursor with a limited start depth (tree-sitter 0.26) may go on with a match in the next sibling.
    """
    for part in parts:
        nodes = captures.get(part)
        if nodes and (nodes[0].start_byte < start or nodes[-1].end_byte > end):
            return True
    return False


def by_place(found: Found) -> tuple[int, int, int]:
    """By position; of equal starts the outer first."""
    return found.start, -found.end, found.name_start


def shortest_first(node: tree_sitter.Node) -> int:
    """By length in bytes."""
    return node.end_byte - node.start_byte
