"""Errors are what failed, told with the reason and as often as it did; what a file or a search shows is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import CompactionEngine, CompactionOptions, Section
from compaction.history.answers import excerpt, names_error
from compaction.history.outcomes import is_shell
from tests.compaction.history.sessions import FILLER, called, compacted, said, session

if TYPE_CHECKING:
    from compaction.values import JsonObject


def _errors(*calls: list[JsonObject]) -> str:
    return compacted(session(*(message for call in calls for message in call))).sections[Section.ERRORS]


@pytest.mark.parametrize(
    ("line", "is_error"),
    [
        ("FAILED=0 PASSED=10", False),
        ("FAILED: 0", False),
        ("FAILED=2", True),
        ("FAILED tests/test_a.py::test_x", True),
        ("ImportError handling: ok", False),
        ("INFO no errors found: 0 errors", False),
        ("ValueError: no port", True),
        ("E   KeyError", True),
        ("TypeError [ERR_ARG]: wrong", True),
        ("java.lang.IllegalStateException at Main.java:3", True),
        ('raise ValueError("x")', True),
    ],
)
def test_words_for_errors_are_errors_where_they_say_that_one_happened(line: str, is_error: bool) -> None:
    assert names_error(f"begin\n{line}\nend") is is_error


def test_a_label_is_told_with_the_line_that_it_announces() -> None:
    answer = "ERROR:\n\nNo replacement was performed, old_str `foo` did not appear verbatim.\nLook at the file again.\nThen edit."
    assert excerpt(answer) == "ERROR: No replacement was performed, old_str `foo` did not appear verbatim."
    assert excerpt("Exit code: 1\nWall time: 0.1 seconds\nOutput:\nunused y") == "Exit code: 1 / unused y"


def test_a_failure_that_comes_back_at_another_time_of_day_is_told_once() -> None:
    def push(number: int, code: int) -> list[JsonObject]:
        answer = f"2024/12/13 12:47:0{number} error: push was refused with {code}"
        return [
            said("user", f"Go on {number}."),
            *called(number, "Bash", {"command": "git push"}, answer, is_error=True),
        ]

    assert _errors(push(1, 403), push(2, 403), push(3, 500), push(4, 403)).split("\n") == [
        "- `git push`: 2024/12/13 12:47:03 error: push was refused with 500",
        "- `git push`: 2024/12/13 12:47:04 error: push was refused with 403 (so in 3 exchanges)",
    ]


def test_edits_that_failed_are_told_by_their_reasons_and_counted() -> None:
    missing, twice = (
        "ERROR:\nNo replacement was performed, old_str not found.",
        "ERROR:\nMultiple occurrences of old_str.",
    )
    answers = [missing, twice, missing, missing]
    edits = [
        called(number, "edit_file", {"path": "/w/a.c", "old_str": f"x{number}", "new_str": "y"}, answer, is_error=True)
        for number, answer in enumerate(answers)
    ]
    assert _errors(*edits).split("\n") == [
        "- edit_file(/w/a.c): ERROR: Multiple occurrences of old_str.",
        "- edit_file(/w/a.c): ERROR: No replacement was performed, old_str not found. (3 times)",
    ]


def test_runs_that_went_well_are_not_counted_with_those_that_failed() -> None:
    failed, passed = "FAILED tests/a.py - assert 0\n1 failed in 1s", "4 passed in 1s"
    runs = [called(number, "Bash", {"command": "pytest"}, text) for number, text in enumerate((failed, failed, passed))]
    result = compacted(session(*(message for run in runs for message in run)))
    assert (
        f"{failed.replace(chr(10), ' / ')} The same call later gave: {passed} (2 times)"
        in result.sections[Section.ERRORS]
    )
    assert f"- `pytest` → {passed}\n" in f"{result.summary}\n"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("grep -n iso match.c", "Exit code 1"),
        ("cd src && rg iso", ""),
        ("diff a b", "Exit code 1\n< port = 1\n> port = 2"),
    ],
)
def test_a_search_without_a_hit_is_no_error(command: str, answer: str) -> None:
    assert _errors(called(1, "Bash", {"command": command}, answer, is_error=True)) == ""


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("grep -n iso gone.c", "Exit code 2\ngrep: gone.c: No such file or directory"),
        ("cd gone && grep x y", "Exit code 1\ncd: gone: No such file or directory"),
        ("make && grep x y", "Exit code 1"),
    ],
)
def test_a_search_that_could_not_be_made_is_one(command: str, answer: str) -> None:
    assert command in _errors(called(1, "Bash", {"command": command}, answer, is_error=True))


_PAGES = "class RetryError(Exception):\nraise ValueError: x\n"
_LONG = "\n".join(f"tests/test_{number}.py ....." for number in range(300))
_RUNS = [
    ("sed -n '1,80p' src/errors.py", _PAGES, 0),
    ("cat docs/a.md && git status -sb", "## main\nCONFLICT handling is described\n", 0),
    ("python tools/report.py", "Last month: 3 failed\n", 0),
    ("rg -n absent src", "", 1),
    ("python -m pytest", f"{_LONG}\nFAILED tests/test_z.py::test_pool - assert 0\n3 failed, 2000 passed in 9.1s\n", 1),
    ("cargo fmt --check", "Diff in src/main.rs at line 3:\n", 1),
    ("ruff check . | tail -1", "Found 2 errors.\n", 0),
]


def _codex(*, packed: bool) -> bytes:
    """A rollout of Codex, whose older versions pack an answer with its exit code into JSON."""
    items: list[JsonObject] = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Mend the pool."}]}
    ]
    for number, (line, output, code) in enumerate(_RUNS):
        arguments = json.dumps({"command": ["bash", "-lc", line], "workdir": "/w"})
        answer = f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{output}"
        if packed:
            answer = json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.1}})
        call_id = f"call_{number}"
        items.append({"type": "function_call", "name": "shell", "arguments": arguments, "call_id": call_id})
        items.append({"type": "function_call_output", "call_id": call_id, "output": answer})
    items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Not yet."}]})
    return "\n".join(json.dumps({"type": "response_item", "payload": item}) for item in items).encode()


@pytest.mark.parametrize("packed", [True, False])
def test_sessions_of_codex_are_told_by_their_exit_codes(packed: bool) -> None:
    result = CompactionEngine().compact(_codex(packed=packed), CompactionOptions())
    errors = [line for line in result.sections[Section.ERRORS].split("\n") if line.startswith("- ")]
    assert errors == [
        "- `python -m pytest`: Exit code: 1 / FAILED tests/test_z.py::test_pool - assert 0 / 3 failed, 2000 passed in 9.1s",
        "- `cargo fmt --check`: Exit code: 1 / Diff in src/main.rs at line 3:",
        "- `ruff check . | tail -1`: Found 2 errors.",
    ]
    assert "- `python tools/report.py` → Last month: 3 failed" in result.summary
    assert "- Last tests: `python -m pytest`: Exit code: 1 / FAILED" in result.summary
    assert not [word for word in ("bash -lc", "exit_code", "Wall time", "Exit code: 0") if word in result.summary]


def test_a_models_summary_is_given_errors_and_no_files_that_name_some() -> None:
    calls = [
        *called(1, "Bash", {"command": "cat src/errors.py"}, _PAGES),
        *called(2, "Bash", {"command": "make"}, _PAGES),
    ]
    good = "\n\n".join(f"{section.heading}\nThe build is mended and the port stays." for section in Section)
    result = CompactionEngine().compact(session(*calls, said("assistant", FILLER)), CompactionOptions(summary=good))
    assert "Bash(make): " in result.sections[Section.ERRORS]
    assert "cat src/errors.py" not in result.sections[Section.ERRORS]


_TASKS: list[JsonObject] = [{"content": "A", "status": "completed"}, {"content": "B", "status": "in_progress"}]


def test_a_list_of_tasks_that_was_cleared_is_empty() -> None:
    listed = called(1, "TodoWrite", {"todos": list(_TASKS)}, "Todos have been modified")
    assert "[in_progress] B" in compacted(session(*listed)).sections[Section.PENDING]
    cleared = called(2, "TodoWrite", {"todos": []}, "Todos have been modified")
    assert compacted(session(*listed, *cleared)).sections[Section.PENDING] == "None known"
    refused = called(2, "TodoWrite", {"todos": []}, "The user doesn't want to proceed.", is_error=True)
    other = called(3, "Task", {"description": "look", "files": []}, "Looked.")
    assert "[in_progress] B" in compacted(session(*listed, *refused, *other)).sections[Section.PENDING]


def test_a_call_is_the_same_where_its_arguments_are() -> None:
    def read(number: int, last: int, answer: str, kind: str) -> list[JsonObject]:
        arguments: JsonObject = {
            "path": "/w/cli.pony", "view_range": [100, last], "thought": f"Look {number}.", "impl_source": "oh_aci",
        }  # fmt: skip
        action: JsonObject = {"id": number, "source": "agent", "action": "read", "args": arguments}
        return [action, {"id": number + 1, "source": "agent", "observation": kind, "cause": number, "content": answer}]

    def run(number: int, line: str, code: int) -> list[JsonObject]:
        action: JsonObject = {
            "id": number,
            "source": "agent",
            "action": "run",
            "args": {"command": line, "blocking": True},
        }
        answer: JsonObject = {
            "id": number + 1, "source": "agent", "observation": "run", "cause": number, "content": "",
            "message": f"Command `{line}` executed with exit code {code}.", "extras": {"metadata": {"exit_code": code}},
        }  # fmt: skip
        return [action, answer]

    events: list[JsonObject] = [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "Mend it."}},
        *read(1, 150, "ERROR:\nInvalid `view_range`: [100, 150].", "error"),
        *read(3, -1, "98 env.exitcode(-1)\n99 end", "read"),
        *run(5, "grep -r Absent src", 1),
        *run(7, 'find src -name "*x*"', 0),
        {"id": 9, "source": "agent", "action": "message", "args": {"content": FILLER}},
    ]
    result = compacted(json.dumps(events).encode())
    assert (
        result.sections[Section.ERRORS].split("\n")[0]
        == "- read(/w/cli.pony): ERROR: Invalid `view_range`: [100, 150]."
    )
    assert "later gave" not in result.summary
    assert "executed with" not in result.summary
    assert '- `find src -name "*x*"`\n' in result.summary
    assert "- `grep -r Absent src`\n" in result.sections[Section.SOLVING] + result.sections[Section.CURRENT] + "\n"


_JEST = "PASS src/error.test.ts\n  ✓ renders Error: boom message\nTests:       12 passed, 12 total"
_GO = "--- FAIL: TestX (0.00s)\nFAIL\nFAIL\tpkg/x\t0.002s\nok  \tpkg/y\t0.001s"


@pytest.mark.parametrize(
    ("command", "answer", "is_error"),
    [
        ("npm test", "Tests: 0 failed, 12 passed, 12 total\nError handling suite ok", False),
        ("npx jest src", _JEST, False),
        ("npm test", _JEST.replace("12 passed,", "1 failed, 11 passed,"), True),
        ("npm run lint; npm test", f"src/a.ts:3 error: no-undef\n{_JEST}", True),
        ("go test ./...", _GO, True),
        ("go test ./...", "ok  \tpkg/errors\t0.001s\nError: is printed by a test\nok  \tpkg/y\t0.001s", False),
        ("dotnet test", "Error: logged\nPassed!  - Failed:     0, Passed:     5", False),
        ("dotnet test", "Failed!  - Failed:     2, Passed:     5", True),
        ("rspec", "ValueError: printed\n5 examples, 0 failures", False),
    ],
)
def test_the_counts_of_a_test_run_come_before_its_other_words(command: str, answer: str, is_error: bool) -> None:
    assert (command in _errors(called(1, "Bash", {"command": command}, answer))) is is_error


def test_a_line_that_says_that_it_failed_is_not_told_by_words_of_success() -> None:
    line = 'timeout 30 git commit -m "x" || echo "Commit may be in progress or failed"'
    answer = "Python was not found\n✅ Sync complete\nCommit may be in progress or failed"
    told = _errors(called(1, "Bash", {"command": line}, answer)).split("\n")[0]
    assert told == f"- `{line}`: Commit may be in progress or failed"
    assert _errors(called(1, "Bash", {"command": line}, "[main 1a2b3c4] x\n✅ Sync complete")) == ""
    look = 'ls ~/.tmux.conf 2>/dev/null || echo "No tmux config"'
    assert _errors(called(1, "Bash", {"command": look}, "No tmux config")) == ""


def test_a_line_of_a_file_is_not_told_as_the_answer() -> None:
    hook = called(
        1,
        "Bash",
        {"command": "cat .git/hooks/pre-commit | head -50"},
        '#!/bin/bash\necho "Error: gitleaks is not installed"',
    )
    assert '- `cat .git/hooks/pre-commit | head -50` shows: echo "Error: gitleaks' in compacted(session(*hook)).summary


def test_the_next_step_waits_where_the_user_refused_the_last_calls() -> None:
    plan: JsonObject = {"todos": [{"content": "Write the guide", "status": "pending"}]}
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    calls = [
        *called(1, "TodoWrite", plan, "ok"),
        said("assistant", FILLER),
        said("user", "Sync it."),
        *called(2, "Bash", {"command": "git fetch"}, ""),
        *called(3, "Bash", {"command": "git merge --abort"}, refused, is_error=True),
    ]
    result = compacted(session(*calls))
    assert result.sections[Section.NEXT].startswith("- Wait for the user, who refused the last calls")
    went_on = compacted(session(*calls, *called(4, "Bash", {"command": "git status"}, "On branch main")))
    assert "first open task" in went_on.sections[Section.NEXT]


def test_changes_come_before_failed_looks_of_long_ago() -> None:
    looks = [
        message
        for number in range(60)
        for message in called(
            number,
            "Bash",
            {"command": f"ls /nowhere/{number}"},
            f"Exit code 2\nls: /nowhere/{number}: No such file",
            is_error=True,
        )
    ]
    change = called(90, "Bash", {"command": "systemctl disable sshd"}, "")
    later = [
        message
        for number in range(14)
        for message in (said("user", f"Part {number}."), said("assistant", f"Done {number}."))
    ]
    result = compacted(session(*looks, *change, said("assistant", "Done."), *later), 1_500)
    assert "- `systemctl disable sshd`" in result.sections[Section.SOLVING]


def test_a_line_that_was_told_before_says_which_time_it_is() -> None:
    runs = [message for number in range(3) for message in called(number, "Bash", {"command": "make"}, "built")]
    lines = [line for line in compacted(session(*runs)).summary.split("\n") if line.startswith("- `make`")]
    assert lines == ["- `make` → built", "- `make` → built (call 2 of it)", "- `make` → built (call 3 of it)"]


def test_a_tool_that_is_named_by_nothing_but_words_for_a_shell_is_one() -> None:
    shells = [
        "Bash",
        "shell_command",
        "run_terminal_command_v2",
        "developer__shell",
        "functions.exec_command",
        "executePwsh",
    ]
    assert all(map(is_shell, shells))
    assert not any(map(is_shell, ["run_test", "commander", "terminal_output", "execute_sql", ""]))


def test_an_error_is_told_with_what_the_same_call_gave_in_a_later_exchange() -> None:
    def build(number: int, answer: str, folder: str = "/w/web") -> list[JsonObject]:
        return called(number, "shell_command", {"command": "npm run build", "workdir": folder}, answer)

    failed = build(1, "Exit code: 1\nOutput:\na.vue(3,2): error TS2304: Cannot find name 'x'.")
    asked = said("user", "Now mend it.")
    errors = _errors(
        failed, [said("assistant", "It does not build."), asked], build(2, "Exit code: 0\nOutput:\nbuilt in 2s")
    )
    assert errors.endswith("Cannot find name 'x'. The same call later gave: built in 2s")
    assert "later gave" not in _errors(failed, [asked], build(2, "Exit code: 0\nOutput:\nbuilt in 2s", "/w/docs"))


def test_a_call_that_fails_again_tells_what_it_said_before_where_that_was_another_thing() -> None:
    words = ["No module named 'respx'", "No module named 'respx'", "No module named 'pup'", "cannot import name 'x'"]
    runs = [
        called(number, "Bash", {"command": "pytest -x"}, f"E   ImportError: {said_there}\n1 error in 0.1s")
        for number, said_there in enumerate(words)
    ]
    errors = _errors(*runs)
    assert errors.count("- `pytest -x`") == 1
    assert errors.endswith("(4 times)")
    assert [errors.count(said_there) for said_there in dict.fromkeys(words)] == [1, 1, 1]


def test_an_excerpt_names_the_error_before_the_bars_around_it() -> None:
    run = "\n".join(
        (
            "tests/a.py::TestHandleError::test_404 PASSED [  3%]",
            "collected 0 items / 1 error",
            "____ ERROR collecting tests/b.py ____",
            "E   ModuleNotFoundError: No module named 'respx'",
            "==== 1 failed, 201 passed in 1.52s ====",
        )
    )
    assert excerpt(run).endswith(
        "E   ModuleNotFoundError: No module named 'respx' / ==== 1 failed, 201 passed in 1.52s ===="
    )
    assert "PASSED" not in excerpt(run)
    spawned = "Error: Build failed with 1 error:\nError: spawn EPERM\n    at toJsError (file:///w/error.mjs:48:18)\n    at exec (node:3:1)"
    assert excerpt(spawned) == "Error: Build failed with 1 error: / Error: spawn EPERM"
    shell = "rg : The term 'rg' is not recognized as the name of a cmdlet\n    + CategoryInfo  : ObjectNotFound: (rg:String), NotFoundException"
    assert excerpt(shell) == "rg : The term 'rg' is not recognized as the name of a cmdlet"


def test_the_sides_of_a_diff_are_no_files() -> None:
    diff = "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    told = compacted(session(*called(1, "Bash", {"command": "git diff"}, diff))).sections[Section.FILES]
    assert "a/src/a.py" not in told
    assert "src/a.py" in told


def test_an_answer_of_a_tool_that_gives_its_status_as_error_is_one() -> None:
    limit = '{"status":"error","error":"API error: 429 - Rate limit exceeded"}'
    echo = 'MCP tool \'push\' reported tool error for function call: {"a": "ERROR: x"} with response: 409 Repository is empty'
    packed = '{\n  "message": "Requires authentication",\n  "status": "401"\n}'
    sent = '{"summary": "2 genes are unknown", "ok": false}'
    sandbox = 'execution error: Io(Custom { error: "CreateProcessAsUserW failed: 1312" })'
    errors = _errors(
        called(1, "get_tree", {"id": "1"}, limit),
        called(2, "push", {"id": "2"}, echo, is_error=True),
        called(3, "Bash", {"command": "curl https://api.example/repos"}, packed),
        called(4, "fit", {"id": "4"}, sent),
        called(5, "Bash", {"command": "cat a.py"}, sandbox),
        called(6, "status", {"id": "6"}, '{"ok": true, "error": null, "status": "done", "message": "fine"}'),
        called(7, "Read", {"file_path": "/w/answer.json"}, sent.replace("genes", "cells")),
        called(8, "Bash", {"command": "make -C doc"}, "\x1b[31;1merror: no rule\x1b[0m"),
    )
    assert "Requires authentication" in errors
    assert "2 genes are unknown" in errors
    assert "CreateProcessAsUserW failed" in errors
    assert "fine" not in errors
    assert "cells" not in errors
    assert errors.endswith("- `make -C doc`: error: no rule")
    assert "429 - Rate limit exceeded" in errors
    assert "409 Repository is empty" in errors
    assert "ERROR: x" not in errors
    assert not names_error('--log-level  [choices: "DEBUG", "INFO", "WARN", "ERROR"]')


def test_long_errors_and_calls_in_flight_are_told_to_their_ends() -> None:
    long = f"ERROR: {'x' * 400} name already exists on this account"
    assert _errors(called(1, "create_repository", {"name": "a"}, long, is_error=True)).endswith(
        "exists on this account"
    )
    push: JsonObject = {
        "command": f"git init && git remote add origin https://git.example/{'a' * 150}.git && git push --force"
    }
    call: JsonObject = {"type": "tool_use", "id": "toolu_9", "name": "Bash", "input": push}
    now = compacted(session({"role": "assistant", "content": [call]})).sections[Section.CURRENT]
    assert "git push --force)" in now


@pytest.mark.parametrize(
    ("body", "below", "told"),
    [
        (
            "Output: built",
            "Error: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 145",
            "",
        ),
        ("Stdout: (empty)\nStderr: (empty)", "Error: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1", ""),
        (
            "Output: no rule",
            "Error: (none)\nExit Code: 2\nSignal: 0\nProcess Group PGID: 1",
            "- `make`: Exit code: 2 / no rule",
        ),
        (
            "Output: (empty)",
            "Error: spawn ENOENT\nExit Code: 1\nSignal: 0\nProcess Group PGID: 1",
            "- `make`: Exit code: 1 / Error: spawn ENOENT",
        ),
    ],
)
def test_the_frame_that_gemini_cli_writes_around_what_a_command_said_is_no_error(
    body: str, below: str, told: str
) -> None:
    framed = f"Command: make\nDirectory: (root)\n{body}\n{below}"
    result = compacted(session(*called(1, "run_shell_command", {"command": "make"}, framed), said("assistant", "So.")))
    assert result.sections[Section.ERRORS] == told
    assert "PGID" not in result.summary
    assert "(root)" not in result.summary
    newer = f"{body}\n{below}".replace("Error: (none)\n", "").replace("Signal: 0\n", "")
    again = compacted(session(*called(1, "run_shell_command", {"command": "make"}, newer), said("assistant", "So.")))
    assert again.sections[Section.ERRORS] == told
