"""Long prose in tool results, shortened by sentences instead of cut in the middle.

A page that a tool has fetched, a document it has read: what matters in them stands anywhere, so to keep the head and the
tail loses it. Prose is told from code and data by its paragraphs; those are left to be cut as before.
"""

from __future__ import annotations

import re

from compaction.prompt.adapters.base import is_prose
from compaction.prompt.model import EngineName

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

    The extractive engine does it, so constraints, numbers and names stay first, code between fences whole, and equal
    texts become equal.
    """
    if not characters or not reads_as_prose(text):
        return text
    from compaction.prompt.engine import CompressionEngine

    # Sentences are whole, so what is asked for is met about; a little less is asked for than there is room.
    rate = min(1.0, _ASKED_FOR * characters / len(text))
    made = CompressionEngine.get_instance().compress_context(text, rate, engine=EngineName.EXTRACTIVE)
    return text if made.text == text else f"{_NOTE}{made.text}"


def reads_as_prose(text: str) -> bool:
    """Return whether most of a text stands in paragraphs that are written for people."""
    prose = sum(len(paragraph) for paragraph in _PARAGRAPHS.split(text) if is_prose(paragraph))
    return prose >= len(text) * _LEAST_SHARE
