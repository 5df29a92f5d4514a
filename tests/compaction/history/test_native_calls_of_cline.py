"""Cline calls in blocks of the API and answers in texts: each answer is one, and what the user says stays the user's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from compaction.history import Section
from compaction.history.messages import pair_calls
from compaction.history.origins import Origin, passages
from compaction.history.outcomes import Ending, ending_of
from compaction.history.transcript import from_bytes, parse
from tests.compaction.history.sessions import FILLER, compacted

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject

_NOT_RUN = "Tool [read_file] was not executed because a tool has already been used in this message."
_SURROUNDINGS = "<environment_details>\n# Current Mode\nACT MODE\n</environment_details>"


def _user(*texts: str) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def _agent(text: str, *calls: tuple[str, JsonObject]) -> JsonObject:
    content: list[Json] = [{"type": "text", "text": text}]
    for place, (name, arguments) in enumerate(calls):
        content.append({"type": "tool_use", "id": f"toolu_{len(text)}_{place}", "name": name, "input": arguments})
    return {"role": "assistant", "content": content}


SESSION: list[JsonObject] = [
    _user("<task>\nFix the timeout.\n</task>", "\n# task_progress RECOMMENDED\n\nInclude a list.", _SURROUNDINGS),
    _agent("I look.", ("read_file", {"path": "src/a.ts"}), ("read_file", {"path": "src/b.ts"})),
    _user(f"[read_file for 'src/a.ts'] Result:\nnever(); // must stay\n{FILLER}", _NOT_RUN, _SURROUNDINGS),
    _agent(
        "I change it.",
        ("write_to_file", {"absolutePath": "/w/src/a.ts", "content": "x", "task_progress": "- [x] Look\n- [ ] Test"}),
    ),
    _user("[write_to_file for '/w/src/a.ts'] Result:\nThe content was successfully saved.", "# TODO LIST UPDATE REQUIRED"),
    _agent("Now I run it: ", ("execute_command", {"command": "npm test"})),
    _user("[execute_command for 'npm test'] Result:\nThe user denied this operation.", _SURROUNDINGS),
    _agent("Which one then?", ("ask_followup_question", {"question": "Should I run vitest?"})),
    _user("[ask_followup_question for 'Should I run vitest?'] Result:\n<answer>\nNo.\n</answer>"),
    _user("[TASK RESUMPTION] It was interrupted.\n\nNew:\n<user_message>\nOnly lint.\n</user_message>", _SURROUNDINGS),
    _agent("It is done so far.", ("attempt_completion", {"result": "The timeout is fixed."})),
]  # fmt: skip


def test_answers_of_cline_to_calls_in_blocks_are_answers_and_nothing_else_is() -> None:
    transcript = parse(from_bytes(json.dumps(SESSION).encode()), None)
    records = pair_calls(transcript.messages).calls
    assert [record.call.name for record in records] == ["read_file", "read_file", "write_to_file", "execute_command"]
    assert [ending_of(record) for record in records] == [Ending.ENDED, Ending.FAILED, Ending.ENDED, Ending.REFUSED]
    users = [p.text for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
    assert [text.strip() for text in users] == ["<task>\nFix the timeout.\n</task>", "No.", "Only lint."]
    sections = compacted(SESSION).sections
    assert "`/w/src/a.ts`: written" in sections[Section.FILES]
    assert "- [pending] Test" in sections[Section.PENDING]
    assert "The timeout is fixed." in sections[Section.CURRENT]
    assert "In flight" not in sections[Section.CURRENT]
    assert "must stay" not in sections[Section.REQUEST]


def test_a_user_who_writes_like_an_answer_to_no_open_call_is_still_the_user() -> None:
    words = "[write_to_file for 'a'] Result:\nwhat does this mean?"
    history = [_user("Hello."), _agent("I look.", ("read_file", {"path": "a"})), _user(words)]
    transcript = parse(from_bytes(json.dumps(history).encode()), None)
    assert words in [p.text for message in transcript.messages for p in passages(message)]
