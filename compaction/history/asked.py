"""Tells what the user chose where the agent asked with a tool: such an answer is a decision, though it is no message."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from compaction.history.answers import flat
from compaction.history.excerpts import named
from compaction.history.file_tools import short_name
from compaction.history.once import DETAIL

if TYPE_CHECKING:
    from compaction.history.messages import CallRecord, ToolCall

_TOOLS: Final = frozenset(
    {
        "askuserquestion",
        "askuserquestions",
        "askuser",
        "askquestion",
        "askquestions",
        "question",
        "requestuserinput",
        "userinput",
        "promptuser",
    }
)
_CHOSEN: Final = re.compile(
    r'"(?P<question>(?:(?!"=")[^\n]){1,2000})"="(?P<answer>.{1,4000}?)"(?=, "|\. You can|[.\s]*$|\s)', re.DOTALL
)
_LONGEST_QUESTION, _LONGEST_ANSWER = 180, 600


def asks_user(call: ToolCall) -> bool:
    """Return whether a call asks the user, who answers in the host."""
    return short_name(call.name) in _TOOLS


def chosen(record: CallRecord) -> str:
    """Return the line on what the user answered to a call that asks, a detail for each question; what was answered at all else."""
    text = record.result.text if record.result is not None else ""
    pairs = [
        f"{DETAIL}{flat(found['question'], _LONGEST_QUESTION)} → {flat(found['answer'], _LONGEST_ANSWER)}"
        for found in _CHOSEN.finditer(text)
    ]
    if pairs:
        return "\n".join(("- Asked, the user answered:", *pairs))
    if not text.strip():
        return f"- {named(record)}: what the user answered is not known"
    return f"- {named(record)}: the user answered: {flat(text, _LONGEST_ANSWER)}"
