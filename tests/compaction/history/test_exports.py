"""Exports of sessions for people to read: those of opencode, Cursor and Claude Code."""

from __future__ import annotations

import pytest

from compaction.history import Section
from compaction.history.exported import read_exported
from compaction.history.screen import read_screen
from compaction.history.session import blocks_of
from tests.compaction.history.sessions import FILLER, compacted

OPENCODE = f"""# Fix the port

**Session ID:** ses_0479aedb7ffe9OLFrqEjxN2OiM
**Created:** 31/07/2026, 20:37:39
**Updated:** 31/07/2026, 22:08:32

---

## User

Use port 5433, never the old one.

---

And keep the name.

---

## Assistant (Build · A Model · 9.2s)

_Thinking:_

I look at the file first.

{FILLER}

**Tool: read**

**Input:**
```json
{{
  "filePath": "/home/ada/shop/README.md"
}}
```

**Output:**
```
1: # Shop
2: ```sh
3: run
4: ```
```

**Tool: edit**

**Input:**
```json
{{
  "filePath": "/home/ada/shop/a.py",
  "oldString": "PORT = 1",
  "newString": "PORT = 5433\\n**Tool: bash**\\n"
}}
```

**Output:**
```
Edit applied successfully.
```

---

## Assistant (Build · A Model · 4.4s)

**Tool: bash**

**Input:**

```json
{{
  "command": "pytest -q"
}}
```

**Output:**

```
FAILED tests/test_a.py::test_x - assert 1 == 2
1 failed, 3 passed in 0.41s

```

**Tool: todowrite**

**Input:**
```json
{{
  "todos": [
    {{"content": "Change the port", "status": "completed"}},
    {{"content": "Mend the test", "status": "pending"}}
  ]
}}
```

**Output:**
```
[]
```

**Tool: read**

**Input:**
```json
{{
  "filePath": "/home/ada/shop/none.py"
}}
```

**Error:**
```
File not found: /home/ada/shop/none.py
```

---

## User

Good. Go on.

---

## Assistant

The test is wrong. Shall I delete it?

---

"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_export_of_opencode_is_read_with_its_calls(end: str) -> None:
    result = compacted(OPENCODE.replace("\n", end).encode())
    told = result.sections[Section.USER_MESSAGES]
    assert "\nUse port 5433, never the old one.\n\n---\n\nAnd keep the name.\n```" in told
    assert told.count("User message") == 2
    assert "`/home/ada/shop/a.py`: edited" in result.sections[Section.FILES]
    errors = result.sections[Section.ERRORS]
    assert "- `pytest -q`: FAILED tests/test_a.py::test_x - assert 1 == 2 / 1 failed, 3 passed in 0.41s" in errors
    assert "- read(/home/ada/shop/none.py): File not found" in errors
    assert result.sections[Section.PENDING] == "- Done already: Change the port\n- [pending] Mend the test"
    assert "Last tests: `pytest -q`: FAILED" in result.sections[Section.CURRENT]
    assert "Wait for the user's answer" in result.sections[Section.NEXT]
    assert "_Thinking" not in result.summary


def test_an_export_of_opencode_without_details_says_that_it_has_none() -> None:
    bare = f"# A\n\n**Session ID:** ses_1\n\n---\n\n## User\n\nGo on.\n\n---\n\n## Assistant\n\n{FILLER}\n\n**Tool: edit**\n\n**Tool: bash**\n\n---\n"
    result = compacted(bare.encode())
    clause = "what tools were given and what they answered is not in an export without details"
    assert result.warnings.count(clause) == 1
    assert result.sections[Section.FILES] == ""


FENCED = "```\nx = 1\n```"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("ok", "It runs:\n\n```sh\nmake\n```"),
        ("ok", f"It runs:\n\n{FENCED}\n\nSo it does."),
        (f"# Page\n\n{FENCED}\n\nmore\n\n```py\ny\n```\n\nend", "It runs."),
        (f"# Page\n\n{FENCED}\n\nend", f"It says:\n\n{FENCED}"),
        ("````md\n```\nx\n```\n````\nend", "```sh\nmake\n```"),
        (f"{FENCED}", ""),
    ],
)
def test_an_answer_of_an_export_ends_where_whole_fences_stand_on_both_its_sides(answer: str, said: str) -> None:
    behind = f"{said}\n\n" if said else ""
    history = (
        '# A\n\n**Session ID:** ses_1\n\n---\n\n## Assistant\n\n**Tool: bash**\n\n**Input:**\n```json\n{"command": "a"}\n```\n'
        f"\n**Output:**\n```\n{answer}\n```\n\n{behind}---\n\n"
    )
    session = read_exported(history)
    assert session is not None
    _, answered, *words = session.messages
    assert blocks_of(answered["content"])[0]["content"] == answer
    assert [blocks_of(message["content"])[0]["text"] for message in words] == ([said] if said else [])
    assert session.unread == []


def test_an_answer_of_an_export_that_may_end_at_two_fences_is_told() -> None:
    history = "# A\n\n**Session ID:** ses_1\n\n---\n\n## Assistant\n\n**Tool: bash**\n\n**Output:**\n```\na\n```\n\nb\n```\n\n---\n\n"
    session = read_exported(history)
    assert session is not None
    assert session.unread == ["where an answer with fences in it ends is not always certain in an export"]


def test_an_export_of_cursor_is_read() -> None:
    history = f"""# Audit
_Exported on 8/13/2026 at 11:26:03 GMT+5 from Cursor (3.15.6)_

---

**Cursor**

{FILLER}

---

**User**

Never touch `billing.js`.

---

And no **User**

---

**Cursor**

All is done. Shall I go on?

---

**User**

yes do it

"""
    result = compacted(history.encode())
    told = result.sections[Section.USER_MESSAGES]
    assert "\nNever touch `billing.js`.\n\n---\n\nAnd no **User**\n```" in told
    assert 'User message 2, in answer to "Shall I go on?":\n```\nyes do it\n```' in told
    assert "an export of Cursor holds no calls of tools" in result.warnings
    assert result.sections[Section.NEXT].startswith("- Go on with user message 2")


@pytest.mark.parametrize(
    "line",
    ["---", "---\n\n## User", "**Tool: a**\n**Input:**\n```json\n[", "**Tool: a**", '```json\n"', "_Thinking:_", "```"],
)
def test_an_export_that_never_ends_is_read_in_time_for_its_length(line: str) -> None:
    many = f"{line}\n" * 20_000  # the square of that would not end
    head = "# A\n\n**Session ID:** ses_1\n\n---\n\n## Assistant\n\n**Tool: a**\n\n**Input:**\n```json\n"
    assert read_exported(f"{head}{many}") is not None
    assert read_exported(f"# A\n_Exported on 1 from Cursor (1)_\n\n---\n\n**User**\n{many}") is not None


SCREEN = f"""╭─── Claude Code v2.1.112 ──────────────────╮
│          Welcome back Ada!                │
╰───────────────────────────────────────────╯

! ls~
  ⎿  a.py
     README.md

❯ Use port 5433 in a.py, never the old one. And keep the name, because~
  others look it up.

  Thought for 3s (ctrl+o to expand)

⏺ I look at the file first.

  {FILLER}

  Read 1 file (ctrl+o to expand)

⏺ Update(shop/a.py)
  ⎿  Added 1 line, removed 1 line
      1 -PORT = 1
      1 +PORT = 5433

⏺ Bash(cd shop && python -m pytest -q tests/test_a.py
      tests/test_b.py)
  ⎿  Error: Exit code 1
     FAILED tests/test_a.py::test_x - assert 1 == 2
     1 failed, 3 passed in 0.41s
     … +12 lines (ctrl+o to expand)

⏺ Update Todos
  ⎿  ☒ Change the port
     ☐ Mend the test

⏺ Bash(rm -rf build)
  ⎿  No (tell Claude what to do differently)

✻ Brewed for 1m 21s

※ recap: The port was changed. (disable recaps in /config)

❯ Good. Go on.~

⏺ The test is wrong:

  - it asserts nothing

  Shall I delete it?

❯ /exit~
  ⎿  Catch you later!
""".replace("~", " " * 12)


@pytest.mark.parametrize("of_old", [False, True])
def test_what_the_terminal_of_claude_code_shows_is_read(of_old: bool) -> None:
    text = SCREEN.replace("❯ ", "> ").replace("⏺", "●") if of_old else SCREEN
    result = compacted(text.encode())
    told = result.sections[Section.USER_MESSAGES]
    assert "\nUse port 5433 in a.py, never the old one. And keep the name, because\nothers look it up.\n```" in told
    assert told.count("User message") == 2
    assert result.sections[Section.FILES].split("\n")[0] == "- `shop/a.py`: edited"
    tests = "`cd shop && python -m pytest -q tests/test_a.py tests/test_b.py`: Error: Exit code 1 / FAILED"
    assert tests in result.sections[Section.ERRORS]
    assert f"Last tests: {tests}" in result.sections[Section.CURRENT]
    assert "The user refused `rm -rf build`; it was not done." in result.summary
    assert result.sections[Section.PENDING] == "- Done already: Change the port\n- [pending] Mend the test"
    assert "Wait for the user's answer" in result.sections[Section.NEXT]
    assert not [word for word in ("Brewed", "recap", "Catch you", "Thought for") if word in result.summary]
    assert "an export of a terminal holds a part of what tools were given and answered" in result.warnings


def test_no_secret_of_an_export_comes_out() -> None:
    secret = "ghp_" + "0123456789abcdefghijABCDEFGHIJ" + "012345"
    shown = SCREEN.replace("rm -rf build", f"export GH_TOKEN={secret}").replace("1 failed, 3", f"token {secret}, 3")
    assert secret not in compacted(shown.encode()).summary
    exported = OPENCODE.replace('"pytest -q"', f'"GH_TOKEN={secret} pytest -q"').replace("1: # Shop", f"1: {secret}")
    result = compacted(exported.encode())
    assert secret not in result.summary
    assert "[REDACTED:" in result.summary


def test_a_command_that_hands_the_agent_a_prompt_is_a_message() -> None:
    text = SCREEN.replace("❯ Good. Go on.", "❯ /review all")
    assert "\n/review all\n" in compacted(text.encode()).sections[Section.USER_MESSAGES]


@pytest.mark.parametrize("line", ["⏺ Bash(", "⏺ A(a", "  ⎿  a", "❯ a", "  a (ctrl+o", "⏺ Update Todos\n  ⎿  ☐ a", "│"])
def test_a_screen_that_never_ends_is_read_in_time_for_its_length(line: str) -> None:
    many = f"{line}\n" * 20_000  # the square of that would not end
    assert read_screen(f"Claude Code v2.1\n⏺ a\n{many}") is not None
    assert read_screen(f"Claude Code v2.1\n⏺ a\n{many.replace(chr(10), ' ')}") is not None
