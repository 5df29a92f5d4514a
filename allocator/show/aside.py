"""Lines of a context that belong to no file: they stand under a title, framed and weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from allocator.show.formats import Format
    from allocator.show.views import Count


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """Framed lines that belong to no file, and their tokens."""

    text: str
    cost: int


def framed_aside(title: str, text: str, layout: Format, count: Count) -> Aside:
    """Frames lines and counts their tokens; no lines are nothing at all.

    Args:
        title: stands above them.
        text: each line with its break.
        layout: the format.
        count: counts tokens.
    """
    framed = layout.aside(title, text) if text else ""
    return Aside(text=framed, cost=count(layout.cost_text(framed)) if framed else 0)
