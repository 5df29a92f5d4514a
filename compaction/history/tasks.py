"""Reads the plan off task tools: lists that are set as a whole, and tasks that are made and changed one by one.

`TodoWrite` and `update_plan` set the whole list, and the newest one counts; an empty one clears it. `TaskCreate` makes a task whose number its
answer tells, and `TaskUpdate` changes one by its number. A call that was refused or failed changes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction.history.answers import failed
from compaction.history.file_tools import short_name
from compaction.history.formats.base import as_text
from compaction.history.ledger import Step, steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from compaction.history.messages import CallRecord

_CREATES = frozenset({"taskcreate", "createtask", "addtask"})
_CHANGES = frozenset({"taskupdate", "updatetask"})
_NUMBER = re.compile(r"#(\d+)|\btask (\d+)\b", re.IGNORECASE)
_KEYS = ("taskId", "task_id", "id")
_PLAN_LINE = re.compile(r"^- \[(?P<status>[\w -]+)\] (?P<text>.+)$", re.MULTILINE)
_GONE = frozenset({"deleted", "removed"})


def planned(calls: Iterable[CallRecord], earlier: str = "") -> tuple[Step, ...]:
    """Return the steps as they stand at the end, those of an earlier summary first.

    Args:
        calls: in the order they were made.
        earlier: the section of an earlier summary on what is pending.
    """
    plan = [Step(text=line["text"], status=line["status"]) for line in _PLAN_LINE.finditer(earlier)]
    numbered: dict[str, Step] = {}
    for record in calls:
        if record.result is not None and failed(record.result):
            continue
        name = short_name(record.call.name)
        arguments = record.call.arguments
        if name in _CREATES:
            text = (
                as_text(arguments.get("subject"))
                or as_text(arguments.get("title"))
                or as_text(arguments.get("description"))
            )
            number = _NUMBER.search(record.result.text if record.result else "")
            key = next((group for group in number.groups() if group), "") if number else str(len(numbered) + 1)
            numbered[key] = Step(text=" ".join(text.split()), status="pending")
        elif name in _CHANGES:
            key = next((str(arguments[key]).lstrip("#") for key in _KEYS if key in arguments), "")
            known = numbered.get(key)
            status = as_text(arguments.get("status"))
            text = as_text(arguments.get("subject"))
            if known is not None:
                numbered[key] = Step(text=" ".join(text.split()) or known.text, status=status or known.status)
            elif text or status:
                numbered[key] = Step(text=" ".join(text.split()) or f"task {key}", status=status or "pending")
        elif (found := steps(record.call)) is not None:
            plan = list(found)
    return (*plan, *(step for step in numbered.values() if step.status not in _GONE))
