"""Attacks on a running server: nothing outside the roots leaves, nothing hangs or falls over, and the next call works."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from mcp.shared.exceptions import MCPError

from tests.server.pipes import RawServer
from tests.server.web import TOKEN, Served, listening, visiting

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from mcp import Client

CANARY = "the-canary-that-must-not-sing"
PATIENCE = 60
"""Seconds after which a call counts as hanging: six times what one may take on a machine with nothing else to do."""

HEADERS = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"}

ESCAPES = (
    *(
        "..",
        "../outside",
        "../outside/canary.py",
        "src/../../outside",
        "/etc/passwd",
        "//etc/passwd",
        "/proc/self/environ",
    ),
    *("out", "out/canary.py", "canary.py", "deep/out/canary.py", "loop", "loop/loop", "PROJECT", "SRC/../../OUTSIDE"),
    *("%2e%2e/outside", "..%2foutside%2fcanary.py", "%2fetc%2fpasswd", "..%252foutside", "..\\outside", "..;/outside"),
    *("~", "~root", "~/../outside", "src\0/../../outside", "\0", "a" * 5000, "a/" * 2000, "./" * 2000 + "../outside"),
    *(
        "file:///etc/passwd",
        "\\\\server\\share",
        "C:\\Windows",
        "/dev/zero",
        "/dev/stdin",
        "zero",
    ),
    *("\u2025/outside", "\uff0e\uff0e/outside", "src/\u202e..", " ../outside", "../outside ", "\n../outside", ""),
)

BOMBS = (
    *(
        "**/" * 300,
        "*" * 900,
        "?" * 1000,
        "[" * 1000,
        "[a-" * 300,
        "!" * 500,
        "{a,b}" * 200,
        "\\" * 999,
        "a*" * 400 + "b",
    ),
    *(
        "(a+)+$",
        "**/*a*a*a*a*a*a*a*a*a*b",
        "../**",
        "/etc/**",
        "//",
        "\0",
        "[[:alpha:]]" * 80,
        "**" * 450,
        "[!-~]" * 190,
    ),
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root full of traps, beside a folder that nobody may see."""
    home = tmp_path_factory.mktemp("hostile")
    outside, root = home / "outside", home / "project"
    for folder in (outside, root / "src", root / "deep"):
        folder.mkdir(parents=True)
    (outside / "canary.py").write_text(f"CANARY = '{CANARY}'\n", encoding="utf-8")
    (root / "src" / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    (root / "out").symlink_to(outside)
    (root / "deep" / "out").symlink_to(outside)
    (root / "canary.py").symlink_to(outside / "canary.py")
    (root / "loop").symlink_to(root / "loop")
    (root / "zero").symlink_to("/dev/zero")
    os.mkfifo(root / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(root, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/socket.py")  # the path itself may be longer than a socket's may be
        os.close(here)
    return root


@pytest.fixture(scope="module")
def served(hostile: Path) -> Generator[Served]:
    with listening(hostile, variables={"FRACTAL_CONTEXT_TOKEN": TOKEN}) as server:
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


async def test_no_path_of_any_argument_leads_out(served: Served) -> None:
    async with visiting(served, token=TOKEN) as client:
        for path in ESCAPES:
            assert "is_error=True" in await told(client, "get_context", {"path": path, "token_budget": 500})
            assert "is_error=True" in await told(client, "zoom", {"target": "CANARY", "path": path})
            for target in (f"file={path}", f"lines={path}:1-2", f"{path}::CANARY"):
                assert "is_error=True" in await told(client, "zoom", {"target": target, "path": "src"})
            history = {"messages": [{"role": "user", "content": f"See {path}"}], "dry_run": True, "path": path}
            await told(client, "compact_history", history)
            await told(client, "compact_history", {"transcript_path": path, "dry_run": True})
        assert await works(client)


async def test_no_resource_leads_out(served: Served) -> None:
    async with visiting(served, token=TOKEN) as client:
        for path in ESCAPES[:-1]:  # without a path a template is not matched at all
            for uri in (f"context://{path}", f"skeleton://{path}", f"symbol://file={path}", f"symbol://{path}::CANARY"):
                with anyio.fail_after(PATIENCE), pytest.raises(MCPError) as refused:
                    await client.read_resource(uri)
                assert CANARY not in str(refused.value)
        assert await works(client)


async def test_no_pattern_leads_out_or_takes_forever(served: Served) -> None:
    async with visiting(served, token=TOKEN) as client:
        for pattern in BOMBS:
            for argument in ("include", "exclude"):
                await told(client, "get_context", {"path": "src", argument: [pattern], "token_budget": 500})
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


def set_traps(folder: Path, deep: int = 100_000) -> None:
    """Fills a new folder with files that are made to exhaust whoever reads them."""
    folder.mkdir()
    (folder / "deep.json").write_text("[" * deep + "]" * deep, encoding="utf-8")
    (folder / "keys.json").write_text('{"a":' * deep + "1" + "}" * deep, encoding="utf-8")
    (folder / "deep.yaml").write_text("[" * deep, encoding="utf-8")
    (folder / "deep.py").write_text("x = " + "(" * deep + "1" + ")" * deep + "\n", encoding="utf-8")
    (folder / "deep.html").write_text("<div>" * deep, encoding="utf-8")
    (folder / "deep.md").write_text("> " * deep + "\n" + "* " * deep + "\n" + "[" * deep, encoding="utf-8")
    (folder / "line.js").write_text("f(" * 500_000, encoding="utf-8")
    (folder / "line.txt").write_text("a" * 1_000_000, encoding="utf-8")
    (folder / "spaces.py").write_text(" " * 1_000_000 + "x\n", encoding="utf-8")
    with (folder / "sparse.py").open("wb") as file:
        file.truncate(50 << 30)


async def test_files_made_to_exhaust_a_reader_are_shown_within_the_time(served: Served, hostile: Path) -> None:
    set_traps(hostile / "nested")
    async with visiting(served, token=TOKEN) as client:
        for file in sorted((hostile / "nested").iterdir()):
            await told(client, "get_context", {"path": f"nested/{file.name}", "token_budget": 1000})
        await told(client, "zoom", {"target": "file=nested/line.txt", "path": ".", "token_budget": 1000})
        await told(client, "get_context", {"path": ".", "token_budget": 2000})
        assert await works(client)
    shutil.rmtree(hostile / "nested")


@contextmanager
def swapping(place: Path, outside: Path) -> Generator[None]:
    """Replaces a file by a link that leads out, and back, as fast as it can."""
    stop = threading.Event()

    def swap() -> None:
        file, link = place.with_suffix(".file"), place.with_suffix(".link")
        while not stop.is_set():
            file.write_text("def shown():\n    return 2\n", encoding="utf-8")
            file.replace(place)
            link.symlink_to(outside)
            link.replace(place)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        place.unlink()


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


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '
        + b'{"a":' * 100_000
        + b"1"
        + b"}" * 100_000
        + b"}",
        b"\xff\xfe",
        b"",
        b"null",
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"a" * 100_000 + b'"}',
    ],
)
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
