"""Leaves out of a session file what its host says does not count: what the user took back, and what stands there twice.

Claude Code writes a session as a tree: each line names its parent. Who goes back in a conversation and says something else
gets a second message beside the first, and the first, with all that came of it, was never said for those who go on. A line
that names its parent with the identity of an earlier one, and the same message, is a copy that resuming a session left.

An answer stands in the file where it was given, which may be behind a message that it knows nothing of: it is put before that.
Of calls that run at the same time the first may be answered before the last is written: an answer is put behind its call.

In doubt a line counts: of two messages side by side the first is taken back only where the last line of the session comes
of the second. Answers to parallel calls stand beside each other as well; they are no messages of the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compaction.values import JsonObject

_NO_MESSAGE_OF_THE_USER = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSidechain")


def in_order(lines: Sequence[JsonObject]) -> list[int]:
    """Return the places of lines, those that come of a line above a message of the user, and not of that, before it.

    An answer to a call that stands further down comes right behind that.

    Args:
        lines: in the order of the file.
    """
    places = _behind_calls(lines)
    return [places[place] for place in _before_prompts([lines[place] for place in places])]


def _behind_calls(lines: Sequence[JsonObject]) -> list[int]:
    """The places of lines, answers that come of a line further down right behind it."""
    first: dict[str, int] = {}
    for place, line in enumerate(lines):
        if uuid := as_text(line.get("uuid")):
            first.setdefault(uuid, place)
    waiting: dict[int, list[int]] = {}
    order: list[int] = []
    for place, line in enumerate(lines):
        parent = first.get(_parent(line), place) if _speaks(line) and _answers(line) else place
        if parent > place:
            waiting.setdefault(parent, []).append(place)
            continue
        ready = [place]
        while ready:
            order.append(one := ready.pop())
            ready += reversed(waiting.pop(one, []))
    return order


def _before_prompts(lines: Sequence[JsonObject]) -> list[int]:
    """The places of lines, those that come of a line above a message of the user, and not of that, before it."""
    order: list[int] = []
    at: dict[str, int] = {}
    moved: set[int] = set()
    last_prompt = -1
    for place, line in enumerate(lines):
        parent = at.get(_parent(line), place) if _speaks(line) else place
        is_prompt = _is_prompt(line)
        if is_prompt:
            last_prompt = place
        first = len(order)
        if not is_prompt and (parent < last_prompt or parent in moved):
            behind = range(order.index(parent) + 1, len(order))
            first = next((here for here in behind if _is_prompt(lines[order[here]])), len(order))
        if first < len(order):
            moved.add(place)
        order.insert(first, place)
        if uuid := as_text(line.get("uuid")):
            at.setdefault(uuid, place)
    return order


def standing(lines: Sequence[JsonObject]) -> tuple[list[bool], list[str]]:
    """Tell which lines of a session count, and warn of those that do not.

    Args:
        lines: in the order of the file; those that name no parent all count.
    """
    counts = [True] * len(lines)
    known: dict[str, int] = {}
    for place, line in enumerate(lines):
        if (uuid := as_text(line.get("uuid"))) and "parentUuid" in line:
            first = known.setdefault(uuid, place)
            counts[place] = first == place or lines[first].get("message") != line.get("message")
    copies = counts.count(False)
    back = _taken_back(lines, known)
    for place in back:
        counts[place] = False
    warnings = [f"{copies} lines of the transcript are copies of earlier ones and are left out"] if copies else []
    if back:
        warnings.append(f"{len(back)} lines of the transcript were taken back by the user and are left out")
    return counts, warnings


def _taken_back(lines: Sequence[JsonObject], known: dict[str, int]) -> set[int]:
    """The places of messages that another one took the place of, and of all that came of them."""
    prompts: dict[str, list[int]] = {}
    for place in known.values():
        if _is_prompt(lines[place]):
            prompts.setdefault(_parent(lines[place]), []).append(place)
    if not any(len(beside) > 1 for beside in prompts.values()):
        return set()
    rooted = [line for line in map(lines.__getitem__, known.values()) if _speaks(line) and not _parent(line)]
    if not all(map(_is_prompt, rooted)) or len({as_text(line.get("sessionId")) for line in rooted}) > 1:
        prompts.pop("", None)
    chain = _chain(lines, known)
    back: set[int] = set()
    for beside in prompts.values():
        last = next((place for place in reversed(beside) if place in chain), 0)
        back.update(place for place in beside if place < last and place not in chain)
    gone = {as_text(lines[place].get("uuid")) for place in back}
    for uuid, place in known.items():
        if _parent(lines[place]) in gone:
            gone.add(uuid)
            back.add(place)
    return back


def _chain(lines: Sequence[JsonObject], known: dict[str, int]) -> set[int]:
    """The places of the last line of the conversation and of those that it comes of."""
    chain: set[int] = set()
    place = next((place for place in reversed(known.values()) if _speaks(lines[place])), None)
    while place is not None and place not in chain:
        chain.add(place)
        line = lines[place]
        place = known.get(_parent(line) or as_text(line.get("logicalParentUuid")))
    return chain


def _parent(line: JsonObject) -> str:
    return as_text(line.get("parentUuid"))


def _speaks(line: JsonObject) -> bool:
    return as_text(line.get("type")) in {"user", "assistant"} and line.get("isSidechain") is not True


def _is_prompt(line: JsonObject) -> bool:
    """Tells whether a line is a message that the user wrote."""
    if line.get("type") != "user" or any(line.get(mark) is True for mark in _NO_MESSAGE_OF_THE_USER):
        return False
    return not _answers(line)


def _answers(line: JsonObject) -> bool:
    content = as_list(as_object(line.get("message")).get("content"))
    return any(as_object(block).get("type") == "tool_result" for block in content)
