"""Attacks on a running server: nothing outside the roots leaves, nothing hangs or falls over, and the next call works."""

from __future__ import annotations

import json
import shutil
import socket
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest

from tests.hostile.cases import (
    BODIES,
    CANARY,
    ESCAPES,
    PATTERNS,
    calls_with,
    plant,
    set_traps,
    swapping,
    uris_with,
)
from tests.server.pipes import SERVE, RawServer
from tests.server.web import TOKEN, Served, listening, visiting

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from mcp import Client

PATIENCE = 200
"""Seconds after which a call counts as hanging: far more than any takes, however much else the machine does."""

HEADERS = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root full of traps, beside a folder that nobody may see."""
    return plant(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def served(hostile: Path) -> Generator[Served]:
    with listening(hostile, program=SERVE, variables={"FRACTAL_CONTEXT_TOKEN": TOKEN}) as server:
        yield server
        server.process.terminate()
        assert server.process.stderr is not None
        log = server.process.stderr.read()
        assert CANARY not in log
        assert TOKEN not in log


async def told(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Returns everything that a call gives, within the time that a call may take."""
    with anyio.fail_after(PATIENCE):
        text = str(await client.call_tool(tool, arguments))
    assert CANARY not in text, (tool, arguments)
    assert "root:x:" not in text
    assert "is a bug in" not in text, text
    return text


async def works(client: Client) -> bool:
    return "return 1" in await told(client, "zoom", {"target": "main", "path": "src"})


def is_harmless(answer: dict[str, Any]) -> str:
    """Returns what an answer says, which is nothing of what stands outside, and no bug."""
    text = json.dumps(answer)
    for word in (CANARY, "root:x:", "is a bug in"):
        assert word not in text, answer
    return text


def test_no_path_of_any_argument_leads_out(hostile: Path) -> None:
    with RawServer(hostile) as server:
        server.initialize()
        for path in ESCAPES:
            calls = list(calls_with(path))
            numbers = [server.call(tool, **arguments) for tool, arguments, _ in calls]
            for (tool, arguments, refused), answer in zip(calls, server.replies(numbers), strict=True):
                is_harmless(answer)
                assert answer["result"].get("isError", False) or not refused, (tool, arguments)
        assert "return 1" in is_harmless(server.answer_to(server.call("zoom", target="main", path="src")))
        errors = server.rest()
    assert CANARY.encode() not in errors
    assert b"Traceback" not in errors


def test_no_resource_leads_out(hostile: Path) -> None:
    with RawServer(hostile) as server:
        server.initialize()
        for path in ESCAPES[:-1]:  # without a path a template is not matched at all
            numbers = [server.send("resources/read", {"uri": uri}) for uri in uris_with(path)]
            for answer in server.replies(numbers):
                is_harmless(answer)
                assert "error" in answer, (path, answer)
        assert "return 1" in is_harmless(server.answer_to(server.call("zoom", target="main", path="src")))
        server.rest()


async def test_no_pattern_leads_out_or_takes_forever(served: Served) -> None:
    async with visiting(served, token=TOKEN) as client:
        for pattern in PATTERNS:
            filters = {"include": [pattern], "exclude": [pattern], "focus": [pattern], "query": pattern}
            await told(client, "get_context", {"path": ".", "token_budget": 500, **filters})
            await told(client, "zoom", {"target": pattern, "path": "src"})
        await told(client, "get_context", {"path": "src", "include": ["*"] * 5000})
        assert await works(client)


async def test_pipes_sockets_devices_and_links_are_named_and_not_opened(served: Served, hostile: Path) -> None:
    async with visiting(served, token=TOKEN) as client:
        listed = await told(client, "get_context", {"path": "."})
        for name in ("pipe.py", "socket.py"):
            assert "not a regular file" in await told(client, "get_context", {"path": name})
            assert "is_error=True" in await told(client, "zoom", {"target": f"file={name}", "path": "."})
        assert await works(client)
    for name in ("pipe.py", "socket.py", "canary.py", "loop", "zero"):
        assert name in listed


async def test_files_made_to_exhaust_a_reader_are_shown_within_the_time(served: Served, hostile: Path) -> None:
    set_traps(hostile / "nested", size=60_000)
    async with visiting(served, token=TOKEN) as client:
        for file in sorted((hostile / "nested").iterdir()):
            await told(client, "get_context", {"path": f"nested/{file.name}", "token_budget": 1000})
        await told(client, "zoom", {"target": "file=nested/line.txt", "path": ".", "token_budget": 1000})
        await told(client, "get_context", {"path": ".", "token_budget": 2000})
        assert await works(client)
    shutil.rmtree(hostile / "nested")


async def test_a_link_that_is_swapped_in_during_a_call_leads_nowhere(served: Served, hostile: Path) -> None:
    (hostile / "swap").mkdir()
    with swapping(hostile / "swap" / "a.py", hostile.parent / "outside" / "canary.py"):
        async with visiting(served, token=TOKEN) as client:
            for _ in range(10):
                await told(client, "get_context", {"path": "swap"})
                await told(client, "get_context", {"path": "swap/a.py"})
                await told(client, "zoom", {"target": "file=swap/a.py", "path": "."})
                await told(client, "zoom", {"target": "CANARY", "path": "swap"})
            assert await works(client)


def memory(served: Served) -> int:
    """Returns the bytes that the server process holds."""
    with open(f"/proc/{served.process.pid}/status", encoding="ascii") as status:  # noqa: PTH123 - no file of ours
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmRSS:"))


async def test_two_hundred_calls_at_once_are_all_answered(served: Served) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "zoom", "arguments": {"target": "main", "path": "src"}},
    }
    answers: list[httpx2.Response] = []
    limits = httpx2.Limits(max_connections=200)
    async with visiting(served, token=TOKEN) as client:
        assert await works(client)
        before = memory(served)
        async with httpx2.AsyncClient(headers=HEADERS, timeout=120, limits=limits) as http:

            async def ask() -> None:
                answers.append(await http.post(served.url, json=call))

            async with anyio.create_task_group() as tasks:
                for _ in range(200):
                    tasks.start_soon(ask)
        assert [answer.status_code for answer in answers] == [200] * 200
        assert all("return 1" in answer.text for answer in answers)
        assert memory(served) - before < 200 << 20
        assert await works(client)


async def test_fifty_clients_that_never_finish_keep_nobody_out(served: Served) -> None:
    held = [socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) for _ in range(50)]
    for number, connection in enumerate(held):
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"[: 10 + number])
    async with visiting(served, token=TOKEN) as client:
        assert await works(client)
    for connection in held:
        connection.close()


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
async def test_requests_that_are_no_messages_are_refused(served: Served, body: bytes) -> None:
    headers = HEADERS | {"Content-Type": "application/json"}
    assert httpx2.post(served.url, content=body, headers=headers, timeout=PATIENCE).status_code < 500
    async with visiting(served, token=TOKEN) as client:
        assert await works(client)


def test_over_a_pipe_too_a_message_made_to_exhaust_the_reader_does_not_end_the_conversation(hostile: Path) -> None:
    with RawServer(hostile) as server:
        server.initialize()
        server.write(b"[" * 1_000_000 + b"\n")
        server.write(b'{"jsonrpc": "2.0", "id": 77, "method": "ping", "params": ' + b'{"a":' * 50_000 + b"\n")
        huge = server.call("zoom", target="a" * 5_000_000, path="src")
        assert server.answer_to(huge)["isError"] is True
        result = server.answer_to(server.call("zoom", target="main", path="src"))
        assert "return 1" in result["content"][0]["text"]
        server.rest()
