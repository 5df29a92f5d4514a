"""Calls that travel in texts, or in blocks of a host's own, are calls, and what they gave is no word of the user."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import Section
from compaction.history.aider import read_aider
from compaction.history.attached import typed
from compaction.history.specstory import read_specstory
from tests.compaction.history.sessions import FILLER, compacted, said

if TYPE_CHECKING:
    from compaction.values import JsonObject


def tagged(words: str, name: str, **arguments: str) -> JsonObject:
    """A message that calls between tags."""
    body = "".join(f"\n<parameter={key}>{value}</parameter>" for key, value in arguments.items())
    return said("assistant", f"{words}\n\n<function={name}>{body}\n</function>")


def between_tags(head: str) -> list[JsonObject]:
    """A session whose answers begin with a line of the host."""
    return [
        said("user", "Let bytes through."),
        tagged("I look. " + FILLER, "bash", command="python demo.py"),
        said("user", f"{head}Error: 'ascii' codec can't decode byte 0xc3"),
        tagged("", "str_replace_editor", command="str_replace", path="/r/src/a.py", old_str="x", new_str="y\nz"),
        said("user", f"{head}The file /r/src/a.py has been edited."),
        said("user", "Keep the name as it is."),
        tagged("All is well now.", "submit"),
        said("user", f"{head}diff --git a/src/a.py b/src/a.py"),
    ]


@pytest.mark.parametrize("head", ["OBSERVATION:\n", "EXECUTION RESULT of [bash]:\n"])
def test_a_call_between_tags_is_answered_by_the_message_that_says_so(head: str) -> None:
    sections = compacted(between_tags(head)).sections
    told = sections[Section.USER_MESSAGES]
    assert "Keep the name as it is." in told
    assert told.count("User message") == 2
    assert "- `/r/src/a.py`: edited" in sections[Section.FILES]
    assert "can't decode byte 0xc3" in sections[Section.ERRORS]
    assert "Answer: All is well now." in sections[Section.CURRENT]
    assert "has not been answered" not in sections[Section.NEXT]


def test_the_end_of_a_run_answers_the_call_that_hands_the_work_in() -> None:
    history: list[JsonObject] = [
        {"role": "user", "content": "Fix it.\n(Open file: n/a)\n(Current directory: /r)\nbash-$"},
        {"role": "assistant", "content": f"{FILLER}\n```\nopen src/a.py\n```"},
        {"role": "user", "content": "1:x\n(Open file: /r/src/a.py)\n(Current directory: /r)\nbash-$"},
        {"role": "assistant", "content": f"{FILLER}\n```\ninsert 1\ny\nend_of_insert\n```"},
        {"role": "user", "content": "1:y\n(Open file: /r/src/a.py)\n(Current directory: /r)\nbash-$"},
        {"role": "assistant", "content": "It is done.\n```\nsubmit\n```"},
    ]
    run = {"trajectory": [], "history": history, "info": {"exit_status": "submitted"}}
    result = compacted(json.dumps(run).encode())
    assert result.sections[Section.FILES].split("\n")[0] == "- `src/a.py`: edited, read"
    assert "→ exit_status: submitted" in result.sections[Section.CURRENT]
    assert "In flight" not in result.summary
    assert not result.sections[Section.NEXT]


def test_a_prompt_below_an_answer_is_no_part_of_it() -> None:
    call: JsonObject = {"id": "c1", "type": "function", "function": {"name": "insert", "arguments": '{"text": "y"}'}}
    answer = "OBSERVATION:\nInserted.\n(Open file: /r/a.py)\n(Current directory: /r)\nbash-$"
    history: list[JsonObject] = [
        {"role": "user", "content": "Fix it."},
        {"role": "assistant", "content": FILLER, "tool_calls": [call]},
        {"role": "tool", "tool_call_ids": ["c1"], "content": answer},
        {"role": "assistant", "content": "Done."},
    ]
    result = compacted(json.dumps({"trajectory": [], "history": history}).encode())
    assert "- `/r/a.py`: edited" in result.sections[Section.FILES]
    assert "bash-$" not in result.summary


@pytest.mark.parametrize("is_export", [False, True])
def test_the_blocks_of_goose_are_calls_and_answers(is_export: bool) -> None:
    edit: JsonObject = {"name": "developer__text_editor", "arguments": {"command": "write", "path": "/w/a.py"}}
    run: JsonObject = {"name": "developer__shell", "arguments": {"command": "make"}}
    answer: JsonObject = {"status": "success", "value": [{"type": "text", "text": "Successfully wrote to /w/a.py"}]}
    failed: JsonObject = {
        "status": "success",
        "value": {"content": [{"type": "text", "text": "make: *** Error 2"}], "isError": True},
    }
    lines: list[JsonObject] = [
        said("user", "Make it build."),
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": FILLER},
                {"type": "toolRequest", "id": "t1", "toolCall": {"status": "success", "value": edit}},
                {"type": "toolRequest", "id": "t2", "toolCall": {"status": "success", "value": run}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "toolResponse", "id": "t1", "toolResult": answer},
                {"type": "toolResponse", "id": "t2", "toolResult": failed},
            ],
        },
        said("assistant", "It does not build yet."),
    ]
    raw = (
        json.dumps({"id": "s", "conversation": lines})
        if is_export
        else "\n".join(map(json.dumps, [{"working_dir": "/w"}, *lines]))
    )
    result = compacted(raw.encode())
    assert "- `/w/a.py`: written" in result.sections[Section.FILES]
    assert "- `make`: make: *** Error 2" in result.sections[Section.ERRORS]
    assert result.sections[Section.USER_MESSAGES].count("User message") == 1
    assert not result.warnings


def test_the_chat_history_of_aider_is_read() -> None:
    history = f"""
# aider chat started at 2025-04-07 03:59:01

> Aider v0.81.1~
> Added src/a.py to the chat.~

#### /add src/b.py~

#### Use port 5433.~
#### And keep the name.~

{FILLER}

#### What I change

src/a.py
```python
<<<<<<< SEARCH
PORT = 5432
=======
PORT = 5433
>>>>>>> REPLACE
```

> Tokens: 2.1k sent, 326 received.~
> Applied edit to src/a.py~
> Commit 1a2b3c4 fix: Use port 5433~
> Unable to commit: Cmd('git') failed due to: exit code(128)~
> cmdline: git commit -m style: Run the linter --no-verify -- src/a.py~
> stderr: 'error: gpg failed to sign the data:~
>~
> fatal: failed to write commit object'~
> You can use /undo to undo and discard each aider commit.~

#### /ask why?~

> Aider v0.81.1~

#### why?~

Because.

#### /clear~

src/c.py was not applied.
""".replace("~", "  ")
    result = compacted(history.encode())
    told = result.sections[Section.USER_MESSAGES]
    assert "\nUse port 5433.\nAnd keep the name.\n" in told
    assert "/add" not in told
    assert "What I change" not in told
    assert told.count("why?") == 1
    assert result.sections[Section.FILES].split("\n")[0] == "- `src/a.py`: edited, read"
    assert "Commit 1a2b3c4 fix: Use port 5433" in result.summary
    assert "SEARCH" not in result.summary
    errors = result.sections[Section.ERRORS]
    assert errors.startswith("- `git commit`: stderr: 'error: gpg failed to sign the data:")
    assert "Unable to commit: Cmd('git') failed due to: exit code(128)" in errors
    assert "/undo" not in result.summary
    assert "src/c.py`: edited" not in result.summary


def test_the_plan_of_an_architect_is_not_the_users_and_an_edit_that_fits_nowhere_has_failed() -> None:
    plan = "Replace the default in src/a.py by 5433, and leave everything else in that file as it stands."
    history = f"""
# aider chat started at 2025-04-07 03:59:01

> Model: gpt with architect edit format~

#### Use port 5433.~

{plan}

> src\\b.py~
> Add file to the chat? (Y)es/(N)o [Yes]: y~

{FILLER}

#### {plan}~

I edit it.

> Applied edit to src\\b.py~
> The LLM did not conform to the edit format.~
> https://aider.chat/docs/troubleshooting/edit-errors.html~
> # 1 SEARCH/REPLACE block failed to match!

## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py
<<<<<<< SEARCH
PORT = 1
=======
PORT = 5433
>>>>>>> REPLACE

The SEARCH section must exactly match an existing block of lines including all white space
~
# The other 1 SEARCH/REPLACE block were applied successfully.
Don't re-send them.
Just reply with fixed versions of the block above that failed to match.~

I look at it again.
""".replace("~", "  ")
    result = compacted(history.replace("\n", "\r\n").encode())
    told = result.sections[Section.USER_MESSAGES]
    assert told.count("User message") == 1
    assert "\nUse port 5433.\n" in told
    assert result.sections[Section.FILES].split("\n")[0] == "- `src/b.py`: edited"
    assert "failed to exactly match lines in src/a.py" in result.sections[Section.ERRORS]
    assert "SEARCH section must" not in result.summary
    assert "PORT = 1" not in result.summary


def test_commands_that_the_user_of_aider_lets_not_run_were_not_run() -> None:
    history = f"""
# aider chat started at 2025-12-03 14:43:45

#### Make the folders, and no code yet.~

{FILLER}

> Tokens: 2.7k sent, 195 received.~
> src/a.py~
> Create new file? (Y)es/(N)o [Yes]: y~
> Applied edit to src/a.py~
> Commit bf98f22 chore: create initial structure~
> mkdir data~
> Run shell command? (Y)es/(N)o/(S)kip all/(D)on't ask again [Yes]: n~
> mkdir results~
> touch results/keep~
> Run shell commands? (Y)es/(N)o/(S)kip all/(D)on't ask again [Yes]: n~
> You can use /undo to undo and discard each aider commit.~
""".replace("~", "  ")
    told = compacted(history.encode()).summary
    assert "The user refused `mkdir data`; it was not done." in told
    assert "The user refused `mkdir results touch results/keep`; it was not done." in told


def test_the_markdown_of_specstory_is_read() -> None:
    history = f"""<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-02-24 14:14:29Z

_**User (2026-02-24 14:14:29Z)**_

Use port 5433.

---

And keep the name.

---

_**Agent (claude-opus-4-6 2026-02-24 14:14:32Z)**_

<think><details><summary>Thought Process</summary>
A thought.
</details></think>

{FILLER}

_**Agent (claude-opus-4-6 2026-02-24 14:14:34Z)**_

<tool-use data-tool-type="write" data-tool-name="Edit"><details>
<summary>Tool use: **Edit**</summary>

```text
The file /home/ada/shop/a.py has been updated successfully.
```
</details></tool-use>

_**Agent - sidechain (claude-haiku-4-5 2026-02-24 14:14:35Z)**_

An agent of the agent.

_**Agent (claude-opus-4-6 2026-02-24 14:14:38Z)**_

<tool-use data-tool-type="unknown" data-tool-name="TaskCreate"><details>
<summary>Tool use: **TaskCreate**</summary>
Change the port.
</details></tool-use>

_**Agent (claude-opus-4-6 2026-02-24 14:14:39Z)**_

<tool-use data-tool-type="shell" data-tool-name="Bash"><details>
<summary>Tool use: **Bash**</summary>
Run the tests

`pytest -q`

```text
Exit code 1
_**User (2026-02-24 14:14:40Z)**_
\\```
1 failed in 0.4s
```
</details></tool-use>

_**Agent (claude-opus-4-20250514)**_

**Agent task list:**
- [X] 🔥 Read the settings
- [ ] 🌡️ Write the docs

_**Agent (claude-opus-4-20250514)**_

Tool use: **Bash** Show the log

`cd shop && git log`

Error:

```
The user doesn't want to proceed with this tool use. The tool use was rejected.
```

_**User**_

Good.
"""
    result = compacted(history.encode())
    told = result.sections[Section.USER_MESSAGES]
    assert "\nUse port 5433.\n\n---\n\nAnd keep the name.\n```" in told
    assert "User message 2" in told
    assert "User message 3" not in told
    assert "`/home/ada/shop/a.py`: edited" in result.sections[Section.FILES]
    assert "`pytest -q`: Exit code 1" in result.sections[Section.ERRORS]
    assert result.sections[Section.PENDING] == "- Done already: Read the settings\n- [pending] Write the docs"
    assert "The user refused `cd shop && git log`" in result.summary
    assert "agent of the agent" not in result.summary
    assert "A thought." not in result.summary


def test_lists_and_fences_in_the_answer_of_a_tool_of_specstory_are_its_answer() -> None:
    history = f"""<!-- Generated by SpecStory, Markdown v2.1.0 -->

_**User (2026-02-24 14:14:29Z)**_

Make the release by itself.

---

_**Agent (claude-opus-4-6 2026-02-24 14:14:32Z)**_

{FILLER}

_**Agent (claude-opus-4-6 2026-02-24 14:14:34Z)**_

<tool-use data-tool-type="generic" data-tool-name="Task"><details>
<summary>Tool use: **Task**</summary>
Look at the release
```
The release is made by hand:

```yaml
release: by-hand
```

- [x] Build it
- [ ] Count the hashes (by hand)
The end of the answer: 4 steps failed to run by themselves.
```
</details></tool-use>

_**Agent (claude-opus-4-6 2026-02-24 14:14:35Z)**_

I will change that.
"""
    result = compacted(history.encode())
    assert result.sections[Section.PENDING] == "None known"
    assert "The end of the answer: 4 steps" in result.summary
    assert "by-hand" not in result.sections[Section.FILES]


@pytest.mark.parametrize(
    "line", ["a\n```\n<<<<<<< SEARCH", "```\n<<<<<<< SEARCH\n=======", "<parameter=a>", '<file_content path="a">']
)
def test_what_begins_often_and_never_ends_is_read_in_time_for_its_length(line: str) -> None:
    many = f"{line}\n" * 20_000  # the square of that would not end
    assert read_aider(f"# aider chat started at 2025-04-07 03:59:01\n\n{many}> Applied edit to a\n") is not None
    assert typed(many).strip()


@pytest.mark.parametrize("line", ["<think>", "<details " * 2, "- [ ] `a", "• a: "])
def test_markdown_of_specstory_that_never_ends_is_read_in_time_for_its_length(line: str) -> None:
    many = f"{line}\n" * 20_000
    whole = f'_**Agent**_\n\n<tool-use data-tool-type="a" data-tool-name="b">\n{many}'
    assert (
        read_specstory(f"<!-- Generated by SpecStory -->\n_**User**_\n{many}\n_**Agent**_\n{many}{whole}") is not None
    )
