"""Tells which calls change something that is no file: a booking, an order, an issue, a record of another system.

Such tools are told by their names, which begin with what they do (`update_reservation_flights`, `createIssue`). Tools of files,
of commands and of plans are known elsewhere.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from compaction.history.file_tools import operation_of, touches
from compaction.history.ledger import steps
from compaction.history.outcomes import is_shell

if TYPE_CHECKING:
    from compaction.history.messages import ToolCall

_SERVER: Final = re.compile(r"__|[.:/]")
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_CHANGE_VERBS: Final = (
    "add approve archive assign book buy cancel change charge close create delete disable enable exchange grant insert issue "
    "merge modify order pay place post publish purchase refund register remove rename reschedule reserve resolve return revoke "
    "save schedule send set submit subscribe transfer unassign unsubscribe update upgrade upload upsert"
)
_CHANGES: Final = frozenset(_CHANGE_VERBS.split())
_HOST_WORDS: Final = "agent browser directory file files folder input keys mode mouse plan stdin tab task tasks timeout title todo todos topic window"
_OF_THE_HOST: Final = frozenset(_HOST_WORDS.split())
"""Words of names of tools that change nothing beyond the session, or files."""


def changes_records(call: ToolCall) -> bool:
    """Return whether a call, where it ends well, changes a record somewhere: its name begins with a verb that says so."""
    words = [word.lower() for word in _WORD.findall(_SERVER.split(call.name)[-1])]
    if len(words) < 2 or words[0] not in _CHANGES or not _OF_THE_HOST.isdisjoint(words):
        return False
    is_of_files = operation_of(call) is not None or bool(touches(call))
    return not is_of_files and not is_shell(call.name) and steps(call) is None
