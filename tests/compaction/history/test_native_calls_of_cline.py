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


def test_what_cline_writes_around_words_of_the_user_is_not_theirs() -> None:
    question = "## Phase 1\n\nDone: `a.ts`.\n\nShall I go on?"
    history: list[JsonObject] = [
        _user("<task>\nMove the storage.\n</task>", _SURROUNDINGS),
        _agent("I look.", ("use_subagents", {"prompt_1": "Look at it."})),
        _user("[subagents] Result:\nTotal: 1\nThe storage is in a.ts, never in b.ts.", _SURROUNDINGS),
        _agent("One thing.", ("ask_followup_question", {"question": question})),
        _user(f"[ask_followup_question for '{question}'] Result:\n<answer>\nGo on.\n</answer>", _SURROUNDINGS),
        _agent("The end.", ("attempt_completion", {"result": "All is moved."})),
        _user(
            "[attempt_completion] Result: Done",
            "The user has provided feedback on the results. Consider their input to continue the task, and then attempt "
            "completion again.",
            "<feedback>\nNo migrations are necessary.\n</feedback>",
            _SURROUNDINGS,
        ),
        _agent("Fine.", ("plan_mode_respond", {"response": "This is the plan."})),
        _user(
            "[plan_mode_respond] Result:\n[The user has switched to ACT MODE, so you may now proceed with the task.]"
        ),
        _agent("I begin."),
        _user(
            "New instructions for task continuation:\n<user_message>\nDo not touch the old project.\n</user_message>"
        ),
        _agent("I will not.", ("execute_command", {"command": "rmdir /s /q dist && del /f old.txt"})),
        _user("[execute_command for 'rmdir /s /q dist'] Result:\nCommand executed successfully (exit code 0).", FILLER),
    ]
    transcript = parse(from_bytes(json.dumps(history).encode()), None)
    users = [p.text.strip() for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
    assert users[:-1] == [
        "<task>\nMove the storage.\n</task>",
        "Go on.",
        "No migrations are necessary.",
        "Do not touch the old project.",
    ]
    files = compacted(history).sections[Section.FILES]
    assert "/s" not in files
    assert "/q" not in files
    assert "/f`" not in files


def test_the_command_that_closing_words_bring_along_is_a_call_and_what_it_gave_no_words_of_the_user() -> None:
    gave = "Command failed with exit code 1.\nOutput:\nError: listen EADDRINUSE: address already in use :::9002"
    again = "New instructions for task continuation:\n<user_message>\nUse port 9003.\n</user_message>"
    history: list[JsonObject] = [
        _user("<task>\nStart the shop.\n</task>", FILLER, _SURROUNDINGS),
        _agent("The end.", ("attempt_completion", {"result": "It is ready.", "command": "npm run dev"})),
        _user("[attempt_completion] Result: Done", gave, "<feedback>\nUse port 9003.\n</feedback>", again, _SURROUNDINGS),
        _agent("I change the port.", ("write_to_file", {"path": "a.json", "content": "9003"})),
        _user("[write_to_file for 'a.json'] Result:\nThe content was successfully saved."),
    ]  # fmt: skip
    transcript = parse(from_bytes(json.dumps(history).encode()), None)
    users = [p.text.strip() for message in transcript.messages for p in passages(message) if p.origin is Origin.USER]
    assert [text for text in users if "Use port" in text or "EADDRINUSE" in text] == ["Use port 9003."]
    sections = compacted(history).sections
    assert "- `npm run dev`: Command failed with exit code 1" in sections[Section.ERRORS]
    assert "It is ready." in sections[Section.SOLVING]


def test_what_the_host_says_of_an_exit_code_is_no_answer_of_the_command() -> None:
    gave = "Command executed successfully (exit code 0).\nOutput:\nadded 9 packages in 6s"
    failed = "Command failed with exit code 1.\nOutput:\nnpm error ERESOLVE could not resolve"
    history: list[JsonObject] = [
        _user("<task>\nInstall both.\n</task>", FILLER, _SURROUNDINGS),
        _agent("I install one.", ("execute_command", {"command": "npm install bcryptjs"})),
        _user(f"[execute_command for 'npm install bcryptjs'] Result:\n{gave}", _SURROUNDINGS),
        _agent("And the other one.", ("execute_command", {"command": "npm install next"})),
        _user(f"[execute_command for 'npm install next'] Result:\n{failed}", _SURROUNDINGS),
        _agent("I have done what I can.", ("attempt_completion", {"result": "One of them is installed."})),
    ]
    sections = compacted(history).sections
    assert "- `npm install bcryptjs` → added 9 packages in 6s" in sections[Section.CURRENT]
    assert "Command failed with exit code 1. / npm error ERESOLVE could not resolve" in sections[Section.ERRORS]


def test_what_the_panel_shows_is_read_where_nothing_else_is_at_hand() -> None:
    shown = [
        ("say", "text", f"Fix the port. {FILLER}"),
        ("ask", "tool", '{"tool":"editedExistingFile","path":"src/a.py","diff":"+PORT = 5433"}'),
        ("say", "api_req_started", '{"request":"[replace_in_file for src/a.py] Result: saved"}'),
        ("ask", "tool", '{"tool":"newFileCreated","path":"src/b.py","content":"x"}'),
        ("say", "api_req_started", '{"request":"[write_to_file] Result: The user denied this operation."}'),
        ("ask", "command", "pytest -q"),
        ("say", "command_output", "E  ValueError: no port"),
        ("say", "tool", '{"tool":"searchFiles","path":"src","regex":"PORT","content":"Found 1 result."}'),
        ("say", "task_progress", "- [x] Change it\n- [ ] Test it"),
        ("ask", "command", "git push"),
        ("say", "user_feedback", "Never push."),
        ("say", "completion_result", "The port is 5433."),
    ]
    panel = [{"ts": at, "type": way, way: kind, "text": text} for at, (way, kind, text) in enumerate(shown)]
    result = compacted(json.dumps(panel).encode())
    assert "User message 2" in result.sections[Section.USER_MESSAGES]
    assert "Never push." in result.sections[Section.USER_MESSAGES]
    assert "`src/a.py`: edited" in result.sections[Section.FILES]
    assert "src/b.py`: written" not in result.sections[Section.FILES]
    assert "ValueError: no port" in result.sections[Section.ERRORS]
    assert "searchFiles(path=src; regex=PORT) → Found 1 result." in result.summary
    assert "[pending] Test it" in result.sections[Section.PENDING]
    assert "The port is 5433." in result.summary


def test_images_that_the_user_puts_into_a_panel_are_kept() -> None:
    picture = "data:image/png;base64,aGVsbG8="
    panel = [
        {"ts": 0, "type": "say", "say": "text", "text": f"Fix the port. {FILLER * 40}"},
        {"ts": 1, "type": "say", "say": "completion_result", "text": "Done."},
        {"ts": 2, "type": "say", "say": "user_feedback", "text": "", "images": [picture, "a.png"]},
    ]
    result = compacted(json.dumps(panel).encode())
    assert [image.label.partition(": ")[2] for image in result.images] == ["user-provided image"]
    assert json.dumps(result.messages).count("aGVsbG8=") == 1
