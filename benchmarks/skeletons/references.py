"""The findings of an independent parser in a file: a flat list of definitions, in one form for all parsers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """The kinds of definitions that the measure tells apart."""

    FUNCTION = "function"
    """A function, method, constructor, macro with parameters: required at L1 and L2."""
    TYPE = "type"
    """A class, interface, struct, enum, trait, type alias, namespace, module: required at L1 and L2."""
    MEMBER = "member"
    """A field, property or enum member: reported apart; the level table keeps it at L1 and L2."""
    CONSTANT = "constant"
    """A constant or variable outside functions: reported apart; the level table keeps it at L1 only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One definition that a reference parser found.

    Attributes:
        name: as the parser gives it.
        kind: the parser's own word (`FunctionDef`, `struct`, …).
        role: what it counts as.
        line: the line of its name, 1-based.
        container: names of what it stands in, outermost first.
        exemption: why it need not be shown (a key of `exemptions.REASONS`), or "" if it must.
        why: what it really is, where a rule about the text of a tag exempts it.
        signature: the source text of its whole signature without comments, "" where it was not read.
        first: the first line of the signature, decorators and attributes included.
        last: the last line of the signature.
        body: the lines of its body's brackets (or its first and last line), where known.
        unclosed: its body's bracket is opened and never closed.
    """

    name: str
    kind: str
    role: Role
    line: int
    container: tuple[str, ...] = ()
    exemption: str = ""
    why: str = ""
    signature: str = ""
    first: int = 0
    last: int = 0
    body: tuple[int, int] | None = None
    unclosed: bool = False

    @property
    def path(self) -> str:
        """The qualified name, for a reader."""
        return ".".join((*self.container, self.name))

    @property
    def required(self) -> bool:
        """It counts for the recall of functions, methods, classes and types."""
        return not self.exemption and self.role in {Role.FUNCTION, Role.TYPE}

    @property
    def spans_lines(self) -> bool:
        """Its signature stands on more than one line."""
        return bool(self.signature) and self.last > self.first


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The findings of a reference parser in one file.

    Attributes:
        references: the definitions, by line.
        unreadable: why the parser could not read the file, or "".
    """

    references: tuple[Reference, ...] = ()
    unreadable: str = ""
