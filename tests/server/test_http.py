"""The server over HTTP: who is let in, what is refused, and how it ends."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from server.ending import descendants
from tests.server.pipes import ERAS, EXIT_TIMEOUT, SERVE, environment, forked_server, gone, misbehaving
from tests.server.test_protocol import texts
from tests.server.web import PATHS, TOKEN, Served, get, listening, options, post, visiting

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

transports = pytest.mark.parametrize("transport", PATHS)
CALL: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("served")
    (root / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def open_server(folder: Path) -> Generator[Served]:
    flags = ["--max-request-bytes", "100000", "--request-timeout", "2", "--allowed-host", "code.example"]
    with listening(folder, program=SERVE, flags=[*flags, "--allowed-origin", "https://app.example"]) as served:
        yield served


@pytest.fixture(scope="module")
def locked_server(folder: Path) -> Generator[Served]:
    variables = {"FRACTAL_CONTEXT_TOKEN": TOKEN}
    with listening(folder, program=SERVE, flags=["--host", "0.0.0.0"], variables=variables) as served:
        yield served


def asked(served: Served, **headers: str) -> httpx2.Response:
    return post(served.url, json=CALL, headers=HEADERS | headers)


@transports
@pytest.mark.parametrize("era", ERAS)
async def test_both_transports_serve_clients_of_both_eras(folder: Path, transport: str, era: str) -> None:
    with listening(folder, transport) as served:
        async with visiting(served, era=era) as client:
            assert client.protocol_version == era
            assert "get_context" in [tool.name for tool in (await client.list_tools()).tools]
            assert "return 1" in texts(await client.call_tool("zoom", {"target": "main", "path": "."}))[0]
            refused = await client.call_tool("get_context", {"path": "/etc"})
            assert refused.is_error
            assert "--root" in texts(refused)[0]


def test_health_is_told_without_a_token(open_server: Served, locked_server: Served) -> None:
    for served in (open_server, locked_server):
        answer = get(served.origin + "/health")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:1"}, 200),
        ({"Host": "code.example"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "localhost@evil.example"}, 421),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Origin": "https://app.example"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_foreign_hosts_and_origins_are_refused(open_server: Served, headers: dict[str, str], status: int) -> None:
    answer = asked(open_server, **headers)
    assert answer.status_code == status
    if status != 200:
        assert f"--allowed-{'host' if status == 421 else 'origin'}" in answer.text
    if "Host" in headers:
        assert get(open_server.origin + "/health", headers=headers).status_code == status


def test_an_allowed_origin_may_ask_from_a_browser(open_server: Served) -> None:
    question = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "mcp-method"}
    answer = options(open_server.url, headers={"Origin": "https://app.example", **question})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://app.example"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Bearer {TOKEN[:-1]}"},
        {"Authorization": f"Basic {TOKEN}"},
        {"X-Authorization": f"Bearer {TOKEN}"},
    ],
)
def test_a_request_without_the_token_is_refused(locked_server: Served, headers: dict[str, str]) -> None:
    refused = asked(locked_server, **headers)
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert TOKEN not in refused.text


async def test_the_token_lets_in(locked_server: Served) -> None:
    assert asked(locked_server, Authorization=f"bearer  {TOKEN}").status_code == 200
    async with visiting(locked_server, token=TOKEN) as client:
        assert (await client.list_tools()).tools


async def test_the_token_of_a_file_lets_in_over_sse(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN + "\n", encoding="utf-8")
    with listening(folder, "sse", flags=["--token-file", str(tmp_path / "token")]) as served:
        assert get(served.url).status_code == 401
        assert post(served.origin + "/messages/", json=CALL).status_code == 401
        async with visiting(served, token=TOKEN) as client:
            assert (await client.list_tools()).tools


def test_an_oversized_request_is_refused_whether_it_says_its_size_or_not(open_server: Served) -> None:
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "' + b"x" * 200_000 + b'"}}'
    assert post(open_server.url, content=body, headers=HEADERS).status_code == 413
    pieces = (body[start : start + 10_000] for start in range(0, len(body), 10_000))
    assert post(open_server.url, content=pieces, headers=HEADERS).status_code == 413
    assert asked(open_server).status_code == 200


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"POST /mcp HT", b""),
        (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{", b"HTTP/1.1 408 "),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /he", b"HTTP/1.1 200 "),
        (b"no HTTP at all\r\n\r\n", b"HTTP/1.1 400 "),
    ],
)
def test_a_client_that_never_finishes_its_request_is_left(open_server: Served, sent: bytes, answer: bytes) -> None:
    with socket.create_connection(("127.0.0.1", open_server.port), timeout=EXIT_TIMEOUT) as client:
        client.sendall(sent)
        received = b""
        while chunk := client.recv(65_536):
            received += chunk
    assert received.startswith(answer)
    assert bool(received) == bool(answer)
    assert asked(open_server).status_code == 200


def test_connections_beyond_the_limit_are_refused_and_the_next_call_works(folder: Path) -> None:
    with listening(folder, flags=["--max-concurrency", "3"]) as served:
        held = [socket.create_connection(("127.0.0.1", served.port), timeout=EXIT_TIMEOUT) for _ in range(3)]
        assert asked(served).status_code == 503
        for connection in held:
            connection.close()
        statuses = {asked(served).status_code for _ in range(3)}
        assert 200 in statuses


@transports
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_server_while_clients_are_connected(
    folder: Path, transport: str, number: signal.Signals
) -> None:
    with listening(folder, transport) as served, httpx2.Client(timeout=EXIT_TIMEOUT) as client:
        if transport == "sse":
            with client.stream("GET", served.url) as events:
                next(events.iter_lines())
                served.process.send_signal(number)
                served.process.wait(timeout=EXIT_TIMEOUT)
        else:
            client.post(served.url, json=CALL, headers=HEADERS)
            served.process.send_signal(number)
            served.process.wait(timeout=EXIT_TIMEOUT)
        assert served.process.returncode == 0
        assert served.process.stderr is not None
        assert "Traceback" not in served.process.stderr.read()


@pytest.mark.no_cover
def test_a_signal_ends_a_server_whose_engine_never_looks_up(folder: Path) -> None:
    call = CALL | {"method": "tools/call", "params": {"name": "get_context", "arguments": {"path": "."}}}
    with listening(folder, program=misbehaving("deaf")) as served:
        with socket.create_connection(("127.0.0.1", served.port), timeout=EXIT_TIMEOUT) as client:
            body = httpx2.Request("POST", served.url, json=call).content
            head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
            head += "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
            client.sendall(head.encode() + b"\r\n" + body)
            assert client.recv(12) == b"HTTP/1.1 200"
            served.process.terminate()
            served.process.wait(timeout=EXIT_TIMEOUT)
        assert served.process.returncode == 0


@pytest.mark.no_cover
async def test_several_workers_serve_one_port_and_end_with_their_parent(folder: Path) -> None:
    for end, era in zip((signal.SIGTERM, signal.SIGKILL), ERAS, strict=True):
        with listening(folder, program=SERVE, flags=["--workers", "2"]) as served:
            async with visiting(served, era=era) as client:
                assert "return 1" in texts(await client.call_tool("zoom", {"target": "main", "path": "."}))[0]
            workers = descendants(served.process.pid)
            assert len(workers) >= 2
            served.process.send_signal(end)
            served.process.wait(timeout=EXIT_TIMEOUT)
            assert gone(workers)
            assert served.process.returncode == (0 if end is signal.SIGTERM else -end)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--host", "0.0.0.0"], "token"),
        (["--transport", "sse", "--workers", "2"], "streamable-http"),
        (["--transport", "carrier-pigeon"], "streamable-http"),
        (["--port", "70000"], "65535"),
        (["--token-file", "nowhere"], "nowhere"),
    ],
)
def test_settings_that_cannot_be_served_end_the_process(folder: Path, flags: list[str], words: str) -> None:
    done = subprocess.run(
        [sys.executable, *forked_server(), "--transport", "streamable-http", "--port", "0", *flags],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        cwd=folder,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_told(open_server: Served, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, *SERVE, "--transport", "streamable-http", "--port", str(open_server.port)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        cwd=folder,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert done.returncode == 2
    assert "--port" in done.stderr
