"""The reach of definitions, as languages say it: they are seen everywhere, in their folder, or in their file.

Three headers of a query file tell it:

    visible            `WIDTH[@KIND,…] REGEX`, repeatable: what it finds in the name of a definition, a line break and the
                       signature behind that, is seen in its `file` or its `folder` alone; only where it stands in one of
                       these kinds, `.` for nothing at all
    offers             a regular expression of what a file lists as for others; its groups hold the names. In a file in
                       which it finds nothing, what stands in nothing is seen everywhere
    seen with type     the kinds of what a type holds that are seen no farther than the type
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from skeleton.languages.headers import QueryFileError, language_name_of, resolved, text_of


class Visible(IntEnum):
    """The places in which a definition can be named."""

    EVERYWHERE = 0
    IN_FOLDER = 1
    IN_FILE = 2


_WIDTHS: Final = {"folder": Visible.IN_FOLDER, "file": Visible.IN_FILE}


class VisibilityRule(NamedTuple):
    """One rule.

    Attributes:
        width: where what it finds is seen.
        places: the kinds of what it may stand in; none for any.
        pattern: is searched for in the name, a line break and the signature.
    """

    width: Visible
    places: frozenset[str]
    pattern: re.Pattern[bytes]

    def holds(self, place: str, text: bytes) -> bool:
        """Tells whether it finds something.

        Args:
            place: the kind of what the definition stands in.
            text: its name, a line break and its signature.
        """
        return (not self.places or place in self.places) and self.pattern.search(text) is not None


class VisibilityRules(NamedTuple):
    """The rules of a language.

    Attributes:
        rules: the first that finds something tells.
        offers: finds what a file lists as for others; None where no file does.
        with_type: the kinds of what is seen no farther than the type that it stands in.
    """

    rules: tuple[VisibilityRule, ...]
    offers: re.Pattern[bytes] | None
    with_type: frozenset[str] = frozenset()


@cache
def visibility_rules(language: str) -> VisibilityRules:
    """Returns the rules of a language, none where it has none. Loads no grammar.

    Args:
        language: its name.

    Raises:
        QueryFileError: a header of it cannot be read.
    """
    header, _ = resolved(language, text_of(language))
    try:
        rules = tuple(map(_rule, header.get("visible", "").splitlines()))
        offers = re.compile(header["offers"].encode(), re.MULTILINE) if "offers" in header else None
    except (KeyError, ValueError, re.error) as error:
        raise QueryFileError(f"{language}.scm: its headers of visibility cannot be read: {error}") from error
    return VisibilityRules(rules, offers, frozenset(header.get("seen with type", "").split()))


def says_private(path: str, signature: bytes, name: str) -> bool:
    """Tells whether a definition says itself, wherever it stands, that only its file sees it.

    Args:
        path: of the file.
        signature: of the definition.
        name: of the definition.
    """
    language = language_name_of(path, b"")
    text = b"\n".join((name.encode(), signature))
    rules = visibility_rules(language).rules if language is not None else ()
    return any(rule.width is Visible.IN_FILE and not rule.places and rule.holds("", text) for rule in rules)


def gives_out(path: str, source: bytes) -> bool:
    """Tells whether a file gives something out, as modules do: in a language where they list it, one that lists nothing is a script.

    Args:
        path: of the file.
        source: of it.
    """
    language = language_name_of(path, b"")
    offers = visibility_rules(language).offers if language is not None else None
    return offers is None or offers.search(source) is not None


def keeps(path: str, source: bytes, signature: bytes, name: str) -> bool:
    """Tells whether a module that lists what it gives out keeps something that stands in nothing to itself.

    Args:
        path: of the file.
        source: of it.
        signature: of the definition.
        name: of the definition.
    """
    language = language_name_of(path, b"")
    rules, offers, _ = visibility_rules(language) if language is not None else VisibilityRules((), None)
    lists = [*offers.finditer(source)] if offers is not None else []
    text = b"\n".join((name.encode(), signature))
    if not lists or not any(rule.width is Visible.IN_FILE and rule.holds(".", text) for rule in rules):
        return False
    words = (re.findall(rb"[\w$]+", group) for found in lists for group in found.groups() if group)
    return not any(name.encode() in each for each in words)


def _rule(line: str) -> VisibilityRule:
    head, _, expression = line.partition(" ")
    width, _, places = head.partition("@")
    return VisibilityRule(
        _WIDTHS[width], frozenset(places.split(",")) if places else frozenset(), re.compile(expression.encode())
    )
