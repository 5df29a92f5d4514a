"""Tells how far the definitions of a file can be seen, by the rules of its language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from skeleton.languages.sketches import TOP
from skeleton.languages.visibility import VisibilityRules, Visible, visibility_rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from skeleton.outline.definitions import Definition

_WORD: Final = re.compile(rb"[\w$]+")


def visibilities(language: str, source: bytes, definitions: Sequence[Definition], signatures: Sequence[bytes]) -> bytes:
    """Tells for each definition of a file how far it can be seen, as the number of a `Visible`.

    Args:
        language: the name of its language, or "".
        source: the file.
        definitions: its definitions.
        signatures: the signature of each.
    """
    rules, offers, with_type = visibility_rules(language) if language else VisibilityRules((), None)
    if not rules:
        return bytes(len(definitions))
    listed: set[bytes] = set()
    is_open = False
    if offers is not None:
        found = [*offers.finditer(source)]
        is_open = not found
        listed = {word for match in found for group in match.groups() if group for word in _WORD.findall(group)}
    kinds = {one.path: one.kind for one in definitions}
    kinds[""] = TOP
    told = bytearray()
    widths: dict[str, Visible] = {}
    for one, signature in zip(definitions, signatures, strict=True):
        name, place = one.name.encode(), kinds.get(one.container, "")
        if place == TOP and (is_open or name in listed):
            width = Visible.EVERYWHERE
        else:
            text = b"%b\n%b" % (name, signature)
            width = next((rule.width for rule in rules if rule.holds(place, text)), Visible.EVERYWHERE)
        if one.kind in with_type:
            width = max(width, widths.get(one.container, width))
        told.append(width)
        widths[one.path] = min(width, widths.get(one.path, width))
    return bytes(told)
