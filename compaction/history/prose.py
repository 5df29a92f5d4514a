"""Shortens long prose in tool results by sentences instead of cutting it in the middle.

A page that a tool has fetched, a document it has read: what matters in them stands anywhere, so to keep the head and the
tail loses it. Prose is told from code and data by its paragraphs; those are left to be cut as before.
"""

from __future__ import annotations

import re

from compaction.prose.choosing import choose
from compaction.prose.kinds import is_prose

_LEAST_SHARE = 0.6
_ASKED_FOR = 0.9
_PARAGRAPHS = re.compile(r"\n[ \t\r]*+\n")
_NOTE = "[the call completed; its prose is shortened here only to fit]\n"


def no_shorter(text: str, characters: int) -> str:
    """Return the text as it is."""
    del characters
    return text


def shortened_prose(text: str, characters: int) -> str:
    """Return prose in about so many characters, with a note that says so; the text itself where it is no prose.

    Its best sentences are kept whole, rules first, and equal texts become equal.
    """
    if not characters or not reads_as_prose(text):
        return text
    # Sentences are whole, so what is asked for is met about; a little less is asked for than there is room.
    made = choose(text, int(_ASKED_FOR * characters), count=len)
    return text if made == text else f"{_NOTE}{made}"


def reads_as_prose(text: str) -> bool:
    """Return whether most of a text stands in paragraphs that are written for people."""
    prose = sum(len(paragraph) for paragraph in _PARAGRAPHS.split(text) if is_prose(paragraph))
    return prose >= len(text) * _LEAST_SHARE
