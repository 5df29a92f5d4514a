"""Gives back a part of an archived history, by the numbers of the user's messages, within a budget.

A summary names the archive and numbers what the user said; whoever needs the details of one exchange asks for its number
and gets what was said, called and answered there, as it was, shortened only where the budget is too small.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction.history.options import CompactionOptions
from compaction.history.prompt import slimmed
from compaction.history.redaction import without_secrets
from compaction.history.survey import survey
from compaction.history.transcript import from_bytes, parse
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from compaction.history.redaction import Redactor

RECALL_TOKENS = 8_000
_WANTED = re.compile(r"\s*(?P<first>\d{1,6})\s*(?:-\s*(?P<last>\d{1,6})\s*)?$")


def recalled(content: bytes, wanted: str, *, limit: int, count: Callable[[str], int], redactor: Redactor) -> str:
    """Return what was said and done at some of the user's messages.

    Args:
        content: the archived history.
        wanted: the number of a user message, or two with a dash between them, as section 6 counts them.
        limit: the tokens that the answer may have, about.
        count: how many tokens a text has.
        redactor: takes secrets out.

    Raises:
        InvalidArgumentError: it is no number or range, or the history has no such message.
        MalformedHistoryError: the content is no history.
    """
    found = _WANTED.match(wanted)
    if found is None:
        raise InvalidArgumentError(f"recall is {wanted!r}; give the number of a user message, such as 3, or 3-5.")
    first, last = int(found["first"]), int(found["last"] or found["first"])
    transcript = without_secrets(parse(from_bytes(content), None), redactor)
    exchanges = survey(transcript, CompactionOptions(), count).exchanges
    chosen = [place for place, exchange in enumerate(exchanges) if any(first <= n <= last for n in exchange.requests)]
    if not chosen:
        numbers = [number for exchange in exchanges for number in exchange.requests]
        known = f"it has {min(numbers)} to {max(numbers)}" if numbers else "it has none"
        raise InvalidArgumentError(f"The archived history has no user message {wanted.strip()}; {known}.")
    begin = exchanges[chosen[0]].first
    end = exchanges[chosen[-1] + 1].first if chosen[-1] + 1 < len(exchanges) else len(transcript.messages)
    return slimmed(transcript.messages[begin:end], limit, count)
