"""`compress` as a client sees it, in both eras of the protocol, and the `compress` command."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from mcp.types import TextContent

from compaction.prompt.markers import is_marked, split_blocks
from compaction.prompt.store import VerbatimStore
from compaction.prompt.uncompress import uncompress
from compaction.prompt.weights import MODEL_VARIABLE
from server.cli import run
from tests.server.pipes import EXIT_TIMEOUT, RawServer, connected, environment, forked_command
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import CallToolResult

eras = pytest.mark.parametrize("era", ["2026-07-28", "2025-11-25"])
TOKENS_OF_THE_SCHEMA = 300

CODE = "```python\nfor row in rows:  # Never touch this. Not even a blank.\n    print(row)\n```"
PLAN = (
    "The weather was fine on the day when we met, and everybody was in a good mood for once. "
    "We talked for a long while about this and that, as one does on such a day in the spring. "
    "The port must stay 5433, because the other database listens on 5432. "
    "There was also some talk about the canteen, whose soup is said to have been better once. "
    "Somebody told the story of the broken elevator again, which everybody knows by heart by now. "
    "Never run the migration twice: `migrate.py` deletes what it finds in /var/lib/billing. "
    "In the end we all went home rather late, quite happy about how the day had turned out for us."
)
YAML = f"name: billing\nimage: nginx:1.25\nreplicas: 3\ndescription: '{PLAN}'\nport: 5433\n"


def _result(answer: CallToolResult) -> dict[str, Any]:
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    (block,) = answer.content
    assert isinstance(block, TextContent)
    assert json.loads(block.text) == answer.structured_content
    return answer.structured_content


def _count(text: str) -> int:
    return token_counter().count(text)


@eras
async def test_a_text_comes_back_shorter_with_its_constraints_and_its_code(tree: Path, era: str) -> None:
    text = f"{PLAN}\n\n{CODE}\n"
    async with connected(tree, era=era) as client:
        answer = await client.call_tool("compress", {"text": text, "engine": "extractive"})
        made = _result(answer)
        again = _result(await client.call_tool("compress", {"text": made["text"], "engine": "extractive"}))
    assert _count(made["text"]) < _count(text) * 0.8
    assert CODE in made["text"]
    assert "5433" in made["text"]
    assert "Never run the migration twice" in made["text"]
    assert not all(word in made["text"] for word in ("weather", "canteen", "elevator"))
    assert is_marked(made["text"])
    assert again["text"] == made["text"]
    assert made["metrics"]["compressed_tokens"] == _count(made["text"].strip())
    assert "0: fence" in made["trace"]
    assert answer.meta is not None
    store = VerbatimStore.from_json(answer.meta["store"])
    assert uncompress([{"role": "user", "content": made["text"]}], store) == [{"role": "user", "content": text}]


@eras
async def test_without_a_model_the_default_engine_leaves_the_text_as_it_is_told_to(
    tree: Path, era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(tree / "no-model"))
    async with connected(tree, era=era) as client:
        made = _result(await client.call_tool("compress", {"text": PLAN}))
        (tool,) = (one for one in (await client.list_tools()).tools if one.name == "compress")
    assert made["text"] == PLAN
    (warning,) = made["warnings"]
    assert "engine=extractive" in warning
    assert "auto: unchanged without a model" in tool.input_schema["properties"]["engine"]["description"]


@eras
async def test_messages_change_between_their_markers_alone(tree: Path, era: str) -> None:
    marked = f"Do as I say, never otherwise.\n<compress>\n{PLAN}\n</compress>\n# Your Task\nBuild it."
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": marked},
        {"role": "user", "content": [{"type": "text", "text": marked}, {"type": "text", "text": PLAN}]},
    ]
    async with connected(tree, era=era) as client:
        answer = await client.call_tool("compress", {"messages": messages, "engine": "extractive", "rate": 0.4})
        off = _result(await client.call_tool("compress", {"messages": messages, "engine": "none"}))
    made = _result(answer)
    assert "text" not in made
    system, user = made["messages"]
    assert system["content"] == split_blocks(marked).plain
    assert user["content"][1] == messages[1]["content"][1]
    shorter = user["content"][0]["text"]
    assert shorter.startswith("Do as I say, never otherwise.\n\n<compressed>")
    assert shorter.endswith("</compressed>\n\n# Your Task\nBuild it.")
    assert list(made["metrics"]) == [
        *("original_tokens", "compressed_tokens", "compression_ratio", "compression_time_ms"),
    ]
    assert answer.meta is not None
    assert uncompress(made["messages"], VerbatimStore.from_json(answer.meta["store"])) == messages
    assert [message["content"] for message in off["messages"]] == [
        split_blocks(marked).plain,
        [{"type": "text", "text": split_blocks(marked).plain}, {"type": "text", "text": PLAN}],
    ]


async def test_formats_are_adapted_and_adapters_can_be_named(tree: Path) -> None:
    async with connected(tree) as client:
        made = _result(await client.call_tool("compress", {"text": YAML, "engine": "extractive"}))
        named = _result(
            await client.call_tool("compress", {"text": YAML, "engine": "extractive", "adapters": ["json"]})
        )
    assert "0: adapter:yaml" in made["trace"]
    assert "image: nginx:1.25\nreplicas: 3\n# " in made["text"]
    assert "0: code" in named["trace"]


async def test_no_engine_gives_the_text_back(tree: Path) -> None:
    async with connected(tree) as client:
        none = _result(await client.call_tool("compress", {"text": PLAN, "engine": "none"}))
    assert (none["text"], none["warnings"]) == (PLAN, [])


@eras
async def test_wrong_calls_are_told_what_to_do(tree: Path, era: str) -> None:
    calls: list[tuple[dict[str, Any], str]] = [
        ({}, "Give either `text` or `messages`."),
        ({"text": "a", "messages": []}, "Give either `text` or `messages`."),
        ({"text": PLAN, "rate": 0}, "rate is 0"),
        ({"text": PLAN, "rate": 7}, "rate is 7"),
        ({"text": PLAN, "target_tokens": -5}, "target_tokens is -5"),
        ({"text": PLAN, "engine": "gzip"}, "engine"),
        ({"text": PLAN, "adapters": ["toml"]}, "there are asciidoc, code, csv"),
        ({"messages": ["x"]}, "Message 0 is str"),
        ({"messages": "x"}, "messages"),
        ({"text": PLAN, "speed": 3}, "has no argument `speed`"),
    ]
    async with connected(tree, era=era) as client:
        for arguments, words in calls:
            answer = await client.call_tool("compress", arguments)
            (block,) = answer.content
            assert answer.is_error, arguments
            assert isinstance(block, TextContent)
            assert words in block.text


async def test_the_tool_says_what_it_gives_and_costs_little(tree: Path) -> None:
    async with connected(tree) as client:
        tool = next(tool for tool in (await client.list_tools()).tools if tool.name == "compress")
    sent = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert _count(json.dumps(sent)) < TOKENS_OF_THE_SCHEMA
    assert tool.output_schema is not None
    assert set(tool.output_schema["properties"]) == {"text", "messages", "metrics", "warnings", "trace"}
    assert tool.annotations is not None
    assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
    assert list(tool.input_schema["properties"]) == [
        *("text", "messages", "rate", "target_tokens", "engine", "preserve_code_blocks", "adapters"),
    ]


def test_progress_is_told_and_a_cancelled_call_leaves_the_server_working(tree: Path) -> None:
    messages = [{"role": "user", "content": f"<compress>{PLAN * 20}</compress>"}] * 60
    with RawServer(tree) as server:
        server.initialize()
        number = server.call("compress", token="t", messages=messages, engine="extractive")
        seen: list[dict[str, Any]] = []
        while True:
            message = server.receive()
            if message.get("method") == "notifications/progress":
                seen.append(message["params"])
                break
            assert message.get("id") != number, "the call ended before it said anything"
        server.send("notifications/cancelled", {"requestId": number, "reason": "enough"}, request=False)
        small = server.call("compress", text=PLAN, engine="extractive")
        assert server.answer_to(small)["structuredContent"]["metrics"]["original_tokens"] == _count(PLAN)
    assert seen[0]["progressToken"] == "t"
    assert seen[0]["message"]


def _run(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*forked_command(), "compress", *arguments],
        cwd=root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )


def test_the_command_compresses_a_file_and_restores_it_byte_for_byte(tmp_path: Path) -> None:
    raw = f"\r\n{PLAN}\r\n\r\n{CODE}\r\n  é 中\n\n".encode()
    (tmp_path / "plan.md").write_bytes(raw)
    done = _run(tmp_path, "plan.md", "--engine", "extractive", "--store", "store.json", "-o", "short.md")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    short = (tmp_path / "short.md").read_bytes()
    assert len(short) < len(raw)
    assert b"saved). engine:extractive" in done.stderr
    back = _run(tmp_path, "short.md", "--restore", "store.json")
    assert back.stdout == raw
    again = _run(tmp_path, "short.md", "--engine", "extractive")
    assert again.stdout == short
    assert _run(tmp_path, "plan.md", "--engine", "none").stdout == raw


@pytest.mark.parametrize("as_messages", [False, True])
def test_an_engine_that_is_asked_for_by_name_and_cannot_be_used_is_a_failure(tmp_path: Path, as_messages: bool) -> None:
    messages = [{"role": "user", "content": f"Go.<compress>{PLAN}</compress>"}]
    (tmp_path / "plan").write_text(json.dumps(messages) if as_messages else PLAN, encoding="utf-8")
    given = ("plan", *(["--messages"] if as_messages else []), "--model", str(tmp_path / "none"))
    out = ("-o", "short", "--store", "store.json")
    done = _run(tmp_path, *given, "--engine", "llmlingua2", *out)
    assert (done.returncode, done.stdout, b"Nothing was compressed" in done.stderr) == (1, b"", True)
    assert not (tmp_path / "short").exists()
    assert not (tmp_path / "store.json").exists()
    assert _run(tmp_path, *given, "--engine", "auto", *out).returncode == 0
    (tmp_path / "plan").write_text("[]" if as_messages else "Short.", encoding="utf-8")
    assert _run(tmp_path, *given, "--engine", "llmlingua2", *out).returncode == 0


@pytest.mark.parametrize(
    ("key", "prompt", "bare"),
    [
        ("system", [{"type": "text", "text": "<compress>Be kind.</compress>"}], [{"type": "text", "text": "Be kind."}]),
        ("system", "<compress>Be kind.</compress>", "Be kind."),
        (
            "systemInstruction",
            {"parts": [{"text": "<compress>Be kind.</compress>"}]},
            {"parts": [{"text": "Be kind."}]},
        ),
        ("instructions", "<compress>Be kind.</compress>", "Be kind."),
        ("system_instruction", {"text": 7}, {"text": 7}),
    ],
)
def test_a_system_prompt_beside_the_messages_loses_its_markers_and_nothing_else(
    tmp_path: Path, key: str, prompt: object, bare: object
) -> None:
    given = {key: prompt, "messages": [{"role": "user", "content": f"Go.<compress>{PLAN}</compress>"}], "model": "m"}
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    done = _run(tmp_path, "given.json", "--messages", "--engine", "extractive", "--store", "store.json")
    made = json.loads(done.stdout)
    assert (made[key], made["model"], len(made["messages"])) == (bare, "m", 1)
    (tmp_path / "made.json").write_bytes(done.stdout)
    assert json.loads(_run(tmp_path, "made.json", "--messages", "--restore", "store.json").stdout) == given
    report = json.loads(_run(tmp_path, "given.json", "--messages", "--engine", "extractive", "--report").stdout)
    assert report["messages"] == made["messages"]


def test_the_command_takes_messages_alone_or_in_a_request(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"Go.<compress>{PLAN}</compress>"}]
    for given in (messages, {"model": "m", "messages": messages}, {"contents": [{"parts": [{"text": PLAN}]}]}):
        (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
        done = _run(tmp_path, "given.json", "--messages", "--engine", "extractive", "--store", "store.json")
        assert done.returncode == 0, done.stderr
        (tmp_path / "made.json").write_bytes(done.stdout)
        assert json.loads(_run(tmp_path, "made.json", "--messages", "--restore", "store.json").stdout) == given
    assert b"No text is marked" in done.stderr
    report = json.loads(_run(tmp_path, "given.json", "--engine", "extractive", "--report").stdout)
    assert set(report) == {"text", "metrics", "warnings", "trace"}


def test_the_command_says_what_is_wrong_and_whose_fault_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "text").write_text("a", encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    (tmp_path / "object.json").write_text('{"a": 1}', encoding="utf-8")
    calls: list[tuple[tuple[str, ...], int, str]] = [
        (("missing",), 2, "does not exist"),
        (("bytes",), 1, "not UTF-8"),
        ((".",), 1, "cannot be read"),
        (("text", "--rate", "0"), 2, "rate is 0"),
        (("text", "--adapter", "toml"), 2, "no adapter 'toml'"),
        (("text", "--messages"), 2, "not JSON"),
        (("deep.json", "--messages"), 2, "nested too deeply"),
        (("object.json", "--messages"), 2, "no list of messages"),
        (("text", "--restore", "object.json"), 2, "no store of originals"),
    ]
    for arguments, code, words in calls:
        assert run(["compress", *arguments]) == code
        output, errors = capfd.readouterr()
        assert (output, words in errors) == ("", True), (arguments, errors)
