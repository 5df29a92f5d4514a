"""`compact_history` as a client sees it, in both eras of the protocol, and the `compact` command."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import CreateMessageResult, ErrorData, InputRequiredResult, TextContent

from compaction.history import FormatName, Section
from tests.compaction.history.conversations import User, long_session, used, write
from tests.compaction.history.test_prose_in_results import PAGE, RULE
from tests.server.pipes import ERAS, EXIT_TIMEOUT, environment, forked_command, forked_server

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from mcp.types import CallToolResult

eras = pytest.mark.parametrize("era", ERAS)
_SUMMARY = "\n\n".join(f"{section.heading}\nWords for {section.value}, enough of them." for section in Section)
_HISTORY = write(FormatName.ANTHROPIC, *long_session())


class _Model:
    """A client's model: remembers what it was asked and answers one thing."""

    def __init__(self, text: str | None, stop: str = "endTurn") -> None:
        self.text, self.stop = text, stop
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: Any) -> CreateMessageResult | ErrorData:
        del context
        self.asked.append(params.messages[0].content.text)
        if self.text is None:
            return ErrorData(code=-1, message="the user said no")
        content = TextContent(text=self.text)
        return CreateMessageResult(role="assistant", content=content, model="m", stop_reason=self.stop)


class _Silent(_Model):
    """A client's model that never answers."""

    def __init__(self) -> None:
        super().__init__(None)

    async def __call__(self, context: Any, params: Any) -> CreateMessageResult | ErrorData:
        await super().__call__(context, params)
        await anyio.sleep_forever()
        raise AssertionError("nobody wakes it")


@asynccontextmanager
async def _client(
    root: Path, era: str, model: _Model | None = None, extra: dict[str, str] | None = None
) -> AsyncGenerator[Client]:
    parameters = StdioServerParameters(
        command=sys.executable,
        args=[*forked_server(), "--root", str(root)],
        env=environment({"XDG_STATE_HOME": str(root / "state"), **(extra or {})}),
        cwd=root,
    )
    async with Client(
        stdio_client(parameters), mode=ERAS[era], read_timeout_seconds=EXIT_TIMEOUT, sampling_callback=model
    ) as client:
        yield client


def _result(answer: CallToolResult) -> dict[str, Any]:
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    (block,) = answer.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text) == {
        key: value for key, value in answer.structured_content.items() if key in json.loads(block.text)
    }
    return answer.structured_content


@eras
async def test_the_clients_model_writes_the_summary_where_the_client_declares_sampling(
    tmp_path: Path, era: str
) -> None:
    model = _Model(_SUMMARY)
    async with _client(tmp_path, era, model) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY}))
    assert (made["status"], made["summary_source"]) == ("compacted", "sampling")
    assert "Words for Problem Solving" in made["sections"]["Problem Solving"]
    assert "Never touch the migrations." in made["sections"]["All User Messages"]
    assert len(model.asked) == 1
    assert "Never touch the migrations." in model.asked[0]


async def test_long_prose_in_results_is_shortened_for_the_model_where_that_is_asked(tmp_path: Path) -> None:
    model = _Model(_SUMMARY)
    history = write(FormatName.ANTHROPIC, *long_session(), *used("n", "Fetch", {"url": "x"}, PAGE))
    async with _client(tmp_path, "2026-07-28", model) as client:
        for asked in (False, True):
            arguments = {"messages": history, "dry_run": True, "compress_results": asked}
            assert _result(await client.call_tool("compact_history", arguments))["summary_source"] == "sampling"
            by_hand = _result(await client.call_tool("compact_history", arguments | {"mode": "prompt"}))
            for prompt in (model.asked[-1], by_hand["prompt"]):
                assert (RULE.strip() in prompt) is asked


@eras
@pytest.mark.parametrize("summarizer", ["auto", "sampling"])
async def test_a_client_without_sampling_gets_the_extractive_summary_from_the_same_call(
    tmp_path: Path, era: str, summarizer: str
) -> None:
    async with _client(tmp_path, era) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY, "summarizer": summarizer}))
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")


@eras
async def test_an_answer_that_was_cut_off_is_replaced_or_fails_under_strict(tmp_path: Path, era: str) -> None:
    async with _client(tmp_path, era, _Model(_SUMMARY, stop="maxTokens")) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY}))
        strict = _result(await client.call_tool("compact_history", {"messages": _HISTORY, "strict": True}))
    assert made["summary_source"] == "extractive"
    assert any("cut off" in warning for warning in made["warnings"])
    assert (strict["status"], strict["messages"]) == ("failed_truncated_summary", None)


async def test_a_client_whose_user_says_no_gets_the_extractive_summary_on_the_older_protocol(tmp_path: Path) -> None:
    async with _client(tmp_path, "2025-11-25", _Model(None)) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY}))
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")


async def test_a_client_whose_model_says_nothing_gets_the_extractive_summary_in_time(tmp_path: Path) -> None:
    seconds, answer, model = 1, None, _Silent()
    while answer is None or answer.is_error:  # a busy machine may take all of the time for what comes before
        assert answer is None or "--time-limit" in str(answer.content)
        seconds, model = 2 * seconds, _Silent()
        limited = {"FRACTAL_CONTEXT_TIME_LIMIT": str(seconds)}
        async with _client(tmp_path, "2025-11-25", model, limited) as client:
            answer = await client.call_tool("compact_history", {"messages": _HISTORY})
    made = _result(answer)
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")
    assert len(model.asked) == 1


async def test_a_refusal_on_the_newest_protocol_ends_that_call_alone(tmp_path: Path) -> None:
    """There the client itself ends the call; the server is well, and another call needs no model."""
    model = _Model(None)
    async with _client(tmp_path, "2026-07-28", model) as client:
        with pytest.raises(MCPError, match="the user said no"):
            await client.call_tool("compact_history", {"messages": _HISTORY})
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY, "summarizer": "extractive"}))
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")
    assert len(model.asked) == 1


@pytest.mark.parametrize("responses", [None, {}])
async def test_a_client_that_comes_again_without_an_answer_gets_the_extractive_summary(
    tmp_path: Path, responses: dict[str, Any] | None
) -> None:
    async with _client(tmp_path, "2026-07-28", _Model(_SUMMARY)) as client:
        arguments = {"messages": _HISTORY, "summarizer": "sampling"}
        asked = await client.session.call_tool("compact_history", arguments, allow_input_required=True)
        assert isinstance(asked, InputRequiredResult)
        made = _result(
            await client.session.call_tool(
                "compact_history", arguments, input_responses=responses, request_state=asked.request_state
            )
        )
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")
    assert any("'sampling' is not available" in warning for warning in made["warnings"])


@eras
@pytest.mark.parametrize("text", ["", "<analysis>hm</analysis>", "Error: overloaded_error"])
async def test_an_answer_that_is_no_summary_is_replaced(tmp_path: Path, era: str, text: str) -> None:
    async with _client(tmp_path, era, _Model(text)) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY}))
    assert (made["status"], made["summary_source"]) == ("compacted", "extractive")
    assert any("cannot be used" in warning for warning in made["warnings"])


@eras
async def test_nobody_is_asked_where_no_summary_is_needed(tmp_path: Path, era: str) -> None:
    model = _Model(_SUMMARY)
    async with _client(tmp_path, era, model) as client:
        calls: list[tuple[dict[str, Any], str]] = [
            ({"messages": _HISTORY, "trigger": "auto"}, "noop_below_threshold"),
            ({"messages": _HISTORY, "mode": "prompt"}, "needs_summary"),
            ({"messages": _HISTORY, "mode": "extract"}, "compacted"),
            ({"messages": _HISTORY, "summary": _SUMMARY}, "compacted"),
            ({"messages": [7]}, "invalid_input"),
        ]
        for arguments, status in calls:
            assert _result(await client.call_tool("compact_history", arguments))["status"] == status
    assert model.asked == []


@eras
async def test_a_session_file_is_compacted_with_its_files_and_comes_back_byte_for_byte(
    tmp_path: Path, era: str
) -> None:
    (tmp_path / "now.py").write_text("content = 'of now'\n", encoding="utf-8")
    steps = [*long_session(), *used("n", "Edit", {"file_path": "now.py"}), User(text="go on \ud83d")]
    raw = "\n".join(json.dumps(message) for message in write(FormatName.ANTHROPIC, *steps)).encode()
    (tmp_path / "session.jsonl").write_bytes(raw)
    async with _client(tmp_path, era) as client:
        made = _result(await client.call_tool("compact_history", {"transcript_path": "session.jsonl", "path": "."}))
        back = _result(await client.call_tool("compact_history", {"archive_id": made["archive_id"]}))
    assert {"path": "now.py", "status": "embedded", "tokens": 6, "level": "L0"} in made["files"]
    assert "content = 'of now'" in json.dumps(made["messages"])
    assert back["original"].encode() == raw


@eras
async def test_wrong_calls_are_told_what_to_do(tmp_path: Path, era: str) -> None:
    (tmp_path / "file.txt").write_text("x", encoding="utf-8")
    async with _client(tmp_path, era) as client:
        calls: list[tuple[dict[str, Any], str]] = [
            ({}, "Give either `messages` or `transcript_path`"),
            ({"messages": [], "transcript_path": "x"}, "Give either"),
            ({"transcript_path": "/etc/passwd"}, "--root"),
            ({"transcript_path": "."}, "cannot be read"),
            ({"messages": _HISTORY, "path": "file.txt"}, "name the folder"),
            ({"messages": _HISTORY, "max_files": -1}, "max_files"),
            ({"archive_id": "nonsense"}, "24 hexadecimal digits"),
            ({"archive_id": "0" * 24, "messages": _HISTORY}, "leave `messages` and `transcript_path` out"),
        ]
        for arguments, words in calls:
            answer = await client.call_tool("compact_history", arguments)
            (block,) = answer.content
            assert answer.is_error
            assert isinstance(block, TextContent)
            assert words in block.text


@eras
async def test_the_tool_declares_its_output_and_that_it_destroys_nothing(tmp_path: Path, era: str) -> None:
    async with _client(tmp_path, era) as client:
        tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "compact_history")
    assert tool.output_schema is not None
    assert tool.output_schema["required"] == ["status"]
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.destructive_hint) == (False, False)
    assert "sampled_summary" not in tool.input_schema["properties"]


async def test_an_endpoint_of_the_settings_is_preferred_to_the_clients_model(tmp_path: Path) -> None:
    model = _Model(_SUMMARY)
    extra = {
        "FRACTAL_CONTEXT_SUMMARIZER_URL": "http://127.0.0.1:1/v1",
        "FRACTAL_CONTEXT_SUMMARIZER_MODEL": "small",
    }
    async with _client(tmp_path, "2026-07-28", model, extra) as client:
        made = _result(await client.call_tool("compact_history", {"messages": _HISTORY}))
    assert made["summary_source"] == "extractive"
    assert any("endpoint" in warning for warning in made["warnings"])
    assert model.asked == []


def _run(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    env = environment({"XDG_STATE_HOME": str(root / "state")})
    return subprocess.run(
        [*forked_command(), "compact", *arguments], cwd=root, env=env, capture_output=True, check=False
    )


def test_the_command_compacts_a_session_file_and_restores_it(tmp_path: Path) -> None:
    raw = json.dumps(_HISTORY, indent=1).encode() + b"\n"
    (tmp_path / "session.json").write_bytes(raw)
    made = _run(tmp_path, "session.json", "--path", ".", "--report")
    assert made.returncode == 0, made.stderr
    result = json.loads(made.stdout)
    assert result["status"] == "compacted"
    assert b"compacted. Tokens: " in made.stderr
    assert _run(tmp_path, "--restore", result["archive_id"]).stdout == raw
    assert json.loads(_run(tmp_path, "session.json", "--target-tokens", "1500").stdout)[0]["role"] == "user"
    assert b"## 9. Optional Next Step" in _run(tmp_path, "session.json", "--prompt").stdout


def test_the_commands_exit_code_says_whether_the_call_or_the_work_failed(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('[{"role": "wizard"}]', encoding="utf-8")
    (tmp_path / "short.json").write_text(
        '[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]', encoding="utf-8"
    )
    assert _run(tmp_path, "bad.json").returncode == 2
    assert _run(tmp_path, "short.json").returncode == 1
    assert _run(tmp_path).returncode == 2
    assert _run(tmp_path, "--restore", "0" * 24).returncode == 2
    assert _run(tmp_path, "short.json", "--recall", "1-2").returncode == 2
    assert _run(tmp_path, "short.json", "--summary", "nowhere").returncode == 2
    (tmp_path / "notes").write_bytes(b"\xff\xfe")
    assert b"has none of the nine sections" in _run(tmp_path, "short.json", "--summary", "notes").stderr
