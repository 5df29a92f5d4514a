r"""Reads the Markdown that hosts export a session to: opencode (`/export`) and Cursor ("Export Chat").

    # Fix the port                                          # Fix the port
                                                            _Exported on 8/13/2026 at 11:26:03 GMT from Cursor (3.1)_
    **Session ID:** ses_0479aedb7f
    **Created:** 31/07/2026, 20:37:39

    ---                                                     ---

    ## User                                                 **User**

    Use port 5433.                                          Use port 5433.

    ---                                                     ---

    ## Assistant (Build · a-model · 3.3s)                   **Cursor**

    **Tool: bash**                                          Done.

    **Input:**
    ```json
    {"command": "pytest -q"}
    ```

    **Output:**
    ```
    1 failed
    ```

An export of opencode may leave out what its tools were given and answered, and one of Cursor never holds its tools.
An answer is written into a fence of three backticks whatever it holds, fences of its own among that; `_end_of_answer` tells
how its end is found.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from compaction.history.formats.base import as_object
from compaction.history.session import Answered, Session, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from compaction.values import JsonObject

_BEGINNING: Final = 4_000
"""Characters among which an export says of what it is one."""

_OF_OPENCODE: Final = re.compile(r"^\*\*Session ID:\*\* ses_", re.MULTILINE)
_OF_CURSOR: Final = re.compile(r"^_Exported on [^\n]{1,100} from Cursor \([^)\n]{1,40}\)_$", re.MULTILINE)
_RULE: Final = r"^(?:---|_{10,100})\n+"
_TURN: Final = re.compile(
    rf"{_RULE}## (?P<who>User|Assistant)(?: \([^\n]{{0,200}}\))?[ \t]{{0,9}}(?=\n|\Z)", re.MULTILINE
)
_TURN_OF_CURSOR: Final = re.compile(rf"{_RULE}\*\*(?P<who>User|Cursor)\*\*[ \t]{{0,9}}(?=\n|\Z)", re.MULTILINE)
_LAST_RULE: Final = re.compile(r"\n(?:---|_{10,100})\s*\Z")
_THINKING: Final = re.compile(r"^_Thinking:_[ \t]{0,9}\n", re.MULTILINE)
_TOOL: Final = re.compile(r"^\*\*Tool: (?P<name>[^*\n]{1,80})\*\*[ \t]{0,9}$", re.MULTILINE)
_GIVEN: Final = re.compile(r"\s{0,9}\*\*Input:\*\*\s{0,9}```json\s{0,9}\n")
_ANSWER: Final = re.compile(r"\s{0,9}(?:```\n)?\s{0,9}\*\*(?P<kind>Output|Error):\*\*\s{0,9}```[^\n]{0,20}\n")
_FENCE: Final = "\n```"
_FENCES: Final = re.compile(r"^[ \t]{0,3}(?P<ticks>`{3,})(?P<word>[^`\n]{0,200})$", re.MULTILINE)
_MOST_ENDS: Final = 40
"""Fences of an answer that are tried as its end."""

_DECODER: Final = json.JSONDecoder()
_NO_DETAILS: Final = "what tools were given and what they answered is not in an export without details"
_UNSURE: Final = "where an answer with fences in it ends is not always certain in an export"
_NO_TOOLS: Final = "an export of Cursor holds no calls of tools"


def read_exported(text: str) -> Session | None:
    """Return the messages of an export of opencode or Cursor; None for any other text."""
    beginning = text[:_BEGINNING]
    if _OF_OPENCODE.search(beginning):
        return _read(text, _TURN)
    if _OF_CURSOR.search(beginning):
        session = _read(text, _TURN_OF_CURSOR)
        session.unread.append(_NO_TOOLS)
        return session
    return None


def _read(text: str, turn: re.Pattern[str]) -> Session:
    session = Session()
    for found, following in pairwise([*turn.finditer(text), None]):
        if found is None:
            continue
        words = _LAST_RULE.sub("", text[found.end() : following.start() if following else len(text)])
        if found["who"] != "User":
            _add(session, words)
        elif typed := words.strip("\n"):
            session.messages.append(said("user", typed))
    return session


def _add(session: Session, words: str) -> None:
    """Adds what an agent says and calls in a turn."""
    tools = [*_tools(words)]
    _say(session, _THINKING.sub("", words[: tools[0].start() if tools else len(words)]))
    for tool, following in pairwise([*tools, None]):
        if tool is None:
            continue
        rest = words[tool.end() : following.start() if following else len(words)]
        call, behind, is_sure = _call(tool["name"], rest)
        if call is not None:
            session.add_calls([call])
        elif _NO_DETAILS not in session.unread:
            session.unread.append(_NO_DETAILS)
        if not is_sure and _UNSURE not in session.unread:
            session.unread.append(_UNSURE)
        _say(session, _THINKING.sub("", behind))


def _say(session: Session, words: str) -> None:
    if words := words.strip():
        session.messages.append(said("assistant", words))


def _tools(words: str) -> Iterator[re.Match[str]]:
    """The headings of tools; none inside what a tool was given or answered, which ends where the next one begins."""
    inside = 0
    for tool in _TOOL.finditer(words):
        if tool.start() >= inside:
            yield tool
            given = _GIVEN.match(words, tool.end())
            inside = _end_of_value(words, given.end()) if given else tool.end()


def _end_of_value(words: str, start: int) -> int:
    try:
        return _DECODER.raw_decode(words, start)[1]
    except (ValueError, RecursionError):
        return start


def _call(name: str, rest: str) -> tuple[Answered | None, str, bool]:
    """The call that stands behind the heading of a tool, None without details; the words behind it; is its end certain?"""
    given: JsonObject = {}
    begun = _GIVEN.match(rest)
    position = 0
    if begun is not None:
        position = _end_of_value(rest, begun.end())
        try:
            given = as_object(json.loads(rest[begun.end() : position]))
        except (ValueError, RecursionError):
            given = {}
        position += len(_FENCE) if rest.startswith(_FENCE, position) else 0
    answer = _ANSWER.match(rest, position)
    if answer is None:
        return (Answered(name, given, "") if begun else None), rest[position:], True
    end, is_sure = _end_of_answer(rest, answer.end())
    behind = rest[end:].removeprefix(_FENCE)
    return Answered(name, given, rest[answer.end() : end], answer["kind"] == "Error"), behind, is_sure


def _end_of_answer(rest: str, start: int) -> tuple[int, bool]:
    """The place of the line break before the fence that ends an answer, and whether no other fence could as well.

    The exporter writes an empty line behind that fence. Of the fences with one, it is the one that leaves whole fences on
    both its sides: those of the answer before it, those of what the agent said behind it. Where several do or none does,
    the last is taken: an agent mostly speaks before its calls.
    """
    thinking = _THINKING.search(rest, start)
    fences = [*_FENCES.finditer(rest, start, thinking.start() if thinking else len(rest))]
    ends = [place for place, fence in enumerate(fences) if fence[0] == "```" and _is_empty(rest, fence.end())]
    if not ends:
        end = rest.rfind(_FENCE, start - 1)
        return (len(rest) if end < 0 else end), not fences
    whole = [
        place
        for place in ends[-_MOST_ENDS:]
        if _are_whole(fences[:place], rest) and _are_whole(fences[place + 1 :], rest)
    ]
    taken = whole[-1] if whole else ends[-1]
    return max(fences[taken].start() - 1, start), len(whole) == 1


def _is_empty(text: str, at: int) -> bool:
    """Tells whether the line behind a line break is empty, or there is none."""
    return not text[at:].strip() if at + 1 >= len(text) else text[at + 1] == "\n"


def _are_whole(fences: Sequence[re.Match[str]], text: str) -> bool:
    """Tells whether some fences open and end each other; one without a word opens nothing where an empty line follows."""
    opened = ""
    for fence in fences:
        if not opened:
            if _is_empty(text, fence.end()) and not fence["word"]:
                return False
            opened = fence["ticks"]
        elif not fence["word"].strip() and len(fence["ticks"]) >= len(opened):
            opened = ""
    return not opened
