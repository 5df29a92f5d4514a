"""A call that went on running is told by its last answer, and what only looked for more is no call of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from compaction.history import Section
from tests.compaction.history.sessions import FILLER, called, compacted, said, session

if TYPE_CHECKING:
    from compaction.values import Json, JsonObject


def _codex(state: str, output: str, command: str = "/bin/bash -lc ./run_tests.sh") -> str:
    head = f"Command: {command}\nChunk ID: 8d76f4\nWall time: 10.0017 seconds\n{state}\n"
    return f"{head}Original token count: 354\nOutput:\n{output}"


def _text(*messages: JsonObject) -> str:
    sections = compacted(session(*messages, said("assistant", f"{FILLER} Done."))).sections
    return "\n".join(sections[section] for section in Section)


def test_the_commands_that_a_host_repeats_above_an_answer_are_no_answer() -> None:
    source = 'func writeError(c) {\n\t"error": apiError{}\n}\nraise ValueError("x")\n' * 30
    command = f"cat > response.go <<'EOF'\n{source}EOF"
    echo = f'/bin/bash -lc "{command}"'
    text = _text(
        *called(1, "exec_command", {"cmd": command}, _codex("Process exited with code 0", "", echo)),
        *called(2, "exec_command", {"cmd": "rm -rf dist"}, _codex("Process exited with code 0", "", "/bin/bash -lc 'rm -rf dist'")),
        *called(3, "exec_command", {"cmd": command}, f"exec_command failed for `{echo}`: CreateProcess denied"),
    )  # fmt: skip
    assert "/bin/bash -lc" not in text
    assert "- `rm -rf dist`\n" in text
    assert "EOF`: exec_command failed: CreateProcess denied" in text
    assert "EOF`\n" in text
    assert "EOF`: func" not in text


def _script(number: int, code: str, *said_there: str) -> list[JsonObject]:
    output: list[Json] = [{"type": "input_text", "text": text} for text in said_there]
    call: JsonObject = {"type": "custom_tool_call", "name": "exec", "call_id": f"c{number}", "input": code}
    return [call, {"type": "custom_tool_call_output", "call_id": f"c{number}", "output": output}]


def test_a_script_of_codex_is_the_call_that_it_makes() -> None:
    done, failed = (f"Script {how}\nWall time 0.1 seconds\nOutput:\n" for how in ("completed", "failed"))
    wait: JsonObject = {"type": "function_call", "name": "wait", "call_id": "c9", "arguments": '{"cell_id":"7"}'}
    running = "Script running with cell ID 7\nWall time 10.0 seconds\nOutput:\n"
    patch = 'const patch = "*** Begin Patch\\n*** Add File: src/{0}.rs\\n+x\\n*** End Patch";\ntext(await tools.apply_patch(patch));'
    history = [
        {"type": "message", "role": "user", "content": f"Begin. {FILLER}"},
        *_script(1, patch.replace("{0}", "lib"), done, "{}"),
        *_script(2, patch.replace("{0}", "bad"), failed, "Script error:\napply_patch verification failed: no such lines"),
        *_script(3, "const r = await tools.exec_command({cmd: 'x', \"workdir\":\"/w\"});", done, "ok"),
        *_script(4, 'const r = await tools.exec_command({cmd:"cargo test",workdir:"/w"}); text(r.output);', running),
        wait,
        {"type": "function_call_output", "call_id": "c9", "output": [{"type": "input_text", "text": done}, {"type": "input_text",
         "text": "test result: ok. 8 passed; 0 failed\ntest result: ok. 0 passed; 0 failed"}]},
        *_script(5, "const matches = ALL_TOOLS.filter(x => /a b/.test(x)); text('", done, "[]"),
        {"type": "message", "role": "assistant", "content": "Built."},
    ]  # fmt: skip
    sections = compacted(history).sections
    assert sections[Section.FILES].split("\n")[0] == "- `src/lib.rs`: written"
    assert "`src/bad.rs`" not in sections[Section.FILES]
    assert "- apply_patch(src/bad.rs): apply_patch verification failed: no such lines" in sections[Section.ERRORS]
    assert "- Last tests: `cargo test`: test result: ok. 8 passed; 0 failed" in sections[Section.CURRENT]
    assert "wait(" not in sections[Section.CURRENT]
    assert "ALL_TOOLS" not in sections[Section.CURRENT].partition("Commands used")[2]


def test_a_command_ends_as_the_last_look_at_it_says() -> None:
    running, ended = "Process running with session ID 68743", "Process exited with code 1"
    calls = (
        *called(1, "exec_command", {"cmd": "./run_tests.sh"}, _codex(running, "ok  pkg/unit_tests (cached)")),
        *called(2, "write_stdin", {"session_id": 68743, "chars": ""}, _codex(running, "ok  pkg/more_tests")),
    )
    text = _text(*calls)
    assert "- Last tests: `./run_tests.sh`: still ran when last looked at; last words: ok pkg/more_tests" in text
    assert "write_stdin" not in text
    text = _text(
        *calls, *called(3, "write_stdin", {"session_id": 68743, "chars": ""}, _codex(ended, "Passed: 7\nFailed: 1"))
    )
    assert "- `./run_tests.sh`: Exit code: 1 / Passed: 7 / Failed: 1" in text
    assert "- Last tests: `./run_tests.sh`: Exit code: 1 / Passed: 7 / Failed: 1" in text
    assert "write_stdin" not in text


@pytest.mark.parametrize(
    ("tool", "key", "answer"),
    [
        ("BashOutput", "bash_id", "<status>failed</status>\n\n<exit_code>2</exit_code>\n\n<stdout>\n3 failed, 1 passed\n</stdout>"),
        ("TaskOutput", "task_id", "<retrieval_status>success</retrieval_status>\n\n<task_id>b1</task_id>\n\n<status>completed</status>\n\n<exit_code>2</exit_code>\n\n<output>\n3 failed, 1 passed\n</output>"),
    ],
)  # fmt: skip
def test_the_output_of_a_background_shell_is_the_answer_of_its_command(tool: str, key: str, answer: str) -> None:
    started = "Command running in background with ID: b1. Output is being written to: /tmp/b1.output"
    text = _text(
        *called(1, "Bash", {"command": "pytest", "run_in_background": True}, started),
        *called(2, tool, {key: "b1"}, answer),
        *called(3, tool, {key: "b2"}, "<tool_use_error>No task found with ID: b2</tool_use_error>", is_error=True),
    )
    assert "- `pytest`: Exit code: 2 / 3 failed, 1 passed" in text
    assert f"{tool}({key}=b1)" not in text
    assert "No task found with ID: b2" in text


def _notice(task: str, told: str, behind: str = "") -> JsonObject:
    return said("user", f"<task-notification>\n<task-id>{task}</task-id>\n{told}\n</task-notification>{behind}")


def test_a_notice_of_a_task_is_the_hosts_and_what_it_tells_the_answer_of_the_call() -> None:
    launched = (
        "Async agent launched successfully.\nagentId: ac27 (internal ID)\nThe agent is working in the background."
    )
    started = "Command running in background with ID: b1. Output is being written to: /tmp/b1.output"
    found = "<status>completed</status>\n<summary>Agent done</summary>\n<result>You must never use port 99. It is deleted.</result>"
    failed = '<status>failed</status>\n<summary>Background command "Commit" failed with exit code 127</summary>'
    result = compacted(
        session(
            *called(1, "Task", {"prompt": "Find the port."}, launched),
            *called(2, "Bash", {"command": "git commit"}, started),
            _notice("ac27", found, "\nFull transcript available at: /tmp/ac27.output"),
            _notice("b1", failed, "\nRead the output file to retrieve the result: /tmp/b1.output\nThen use tabs."),
            said("assistant", f"{FILLER} Done."),
        )
    )
    users = result.sections[Section.USER_MESSAGES]
    assert "Then use tabs." in users
    assert "task-notification" not in result.summary
    assert "port 99" not in users + result.sections[Section.REQUEST]
    assert "never use port 99" in result.sections[Section.SOLVING] + result.sections[Section.CURRENT]
    assert "- `git commit`: " in result.sections[Section.ERRORS]
    assert "exit code 127" in result.sections[Section.ERRORS]


def test_a_command_that_a_host_waits_for_no_longer_runs_until_another_ends_it() -> None:
    start = 'cd c:\\w && start "Proxy" cloud-sql-proxy.exe --port=5432'
    left = "Command timed out after 30 seconds. Running in background.\nLog file: C:\\w\\b.log\n"
    gone = 'Command executed.\nOutput:\nSUCCESS: The process "cloud-sql-proxy.exe" is terminated.'
    started = called(1, "execute_command", {"command": start}, left)
    result = compacted(session(*started, said("assistant", f"{FILLER} Done.")))
    assert result.sections[Section.ERRORS] == ""
    assert '- Running: `start "Proxy" cloud-sql-proxy.exe --port=5432` was started' in result.sections[Section.CURRENT]
    ends = called(2, "execute_command", {"command": "taskkill /F /IM cloud-sql-proxy.exe"}, gone)
    ended = compacted(session(*started, *ends, said("assistant", f"{FILLER} Done.")))
    assert "Running:" not in ended.sections[Section.CURRENT]
    failed = compacted(
        session(*called(1, "execute_command", {"command": "make"}, f"{left}Output so far:\nerror: no rule to make it"))
    )
    assert "error: no rule to make it" in failed.sections[Section.ERRORS]


def test_keys_for_what_runs_in_the_shell_of_openhands_are_no_commands_and_what_was_held_back_did_not_run() -> None:
    behind = {
        "quiet": "\n[The command has no new output after 10 seconds. You may wait longer, or send keys.]",
        "held": '\n[Your command "pytest -q" is NOT executed. The previous command is still running - wait.]',
        "over": "\n[The command completed with exit code 130. CTRL+C was sent.]",
    }

    def ran(number: int, command: str, said_there: str, how: str, code: int, *, is_input: bool = False) -> list[Json]:
        action: JsonObject = {"command": command, "is_input": is_input}
        metadata: JsonObject = {"exit_code": code, "suffix": behind[how], "prefix": ""}
        answer: JsonObject = {"content": said_there, "extras": {"command": command, "metadata": metadata}}
        return [
            {"id": number, "source": "agent", "action": "run", "args": action},
            {"id": number + 1, "source": "agent", "observation": "run", "cause": number, **answer},
        ]

    page: JsonObject = {"content": "TimeoutError: Locator.click", "extras": {"error": True}}
    events: list[Json] = [
        {"id": 1, "source": "user", "action": "message", "args": {"content": f"Push it. {FILLER}"}},
        *ran(2, "git push", "Username for 'https://github.com':", "quiet", -1),
        *ran(4, "pytest -q", "", "held", -1),
        *ran(6, "C-c", "^C", "over", 130, is_input=True),
        {"id": 8, "source": "agent", "action": "condensation", "args": {"summary": "All is well."}},
        {"id": 9, "source": "agent", "action": "browse_interactive", "args": {"browser_actions": "click('3')"}},
        {"id": 10, "source": "agent", "observation": "browse", "cause": 9, **page},
    ]
    result = compacted(json.dumps(events).encode())
    errors = result.sections[Section.ERRORS]
    assert "- `git push`: Exit code: 130 / Username for 'https://github.com':" in errors
    assert "- `pytest -q`: [NOT executed. The previous command is still running" in errors
    assert "TimeoutError: Locator.click" in errors
    assert "Last tests" not in result.summary
    assert "`C-c`" not in result.summary
    assert not result.warnings
