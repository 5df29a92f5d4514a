"""The summarizer behind a URL, against a real HTTP server on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from compaction.history import CompactionEngine, CompactionOptions, Endpoint, FormatName, Section, Status, Summarizer
from tests.compaction.history.conversations import long_session, write

_GOOD = "\n\n".join(f"{section.heading}\nWords for {section.value}, enough of them." for section in Section)
_HISTORY = write(FormatName.OPENAI_CHAT, *long_session())
Answer = Callable[[BaseHTTPRequestHandler], None]


def _reply(text: str, finish: str = "stop") -> bytes:
    return json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": finish}]}
    ).encode()


def _send(body: bytes, status: int = 200, length: int | None = None, headers: dict[str, str] | None = None) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in (headers or {}).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


@contextmanager
def _server(answer: Answer) -> Generator[tuple[str, list[tuple[str, dict[str, str], bytes]]]]:
    seen: list[tuple[str, dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            seen.append((self.path, dict(self.headers), body))
            answer(self)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            del code, size

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1/", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _engine(url: str, timeout: float = 250.0) -> CompactionEngine:
    return CompactionEngine(endpoint=Endpoint(base_url=url, model="small", api_key="k-123", timeout_seconds=timeout))


def test_the_endpoints_summary_is_used_and_asked_for_as_the_api_wants_it() -> None:
    with _server(_send(_reply(_GOOD))) as (url, seen):
        result = _engine(url).compact(_HISTORY)
    assert result.summary_source is Summarizer.ENDPOINT, result.warnings
    assert "Words for Problem Solving" in result.sections[Section.SOLVING]
    ((path, headers, body),) = seen
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer k-123"
    sent = json.loads(body)
    assert sent["model"] == "small"
    assert "Never touch the migrations." in sent["messages"][0]["content"]


def _never(done: threading.Event) -> Answer:
    def answer(_: BaseHTTPRequestHandler) -> None:
        done.wait(30)

    return answer


def _drip(done: threading.Event) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        while not done.wait(0.05):
            try:
                request.wfile.write(b" ")
            except OSError:
                return

    return answer


@pytest.mark.parametrize("slow", [_never, _drip])
def test_an_endpoint_that_does_not_finish_in_time_is_given_up(slow: Callable[[threading.Event], Answer]) -> None:
    done = threading.Event()
    with _server(slow(done)) as (url, _):
        result = _engine(url, timeout=0.3).compact(_HISTORY)
        done.set()
    assert result.summary_source is Summarizer.EXTRACTIVE
    assert any("0.3 seconds" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (_send(b'{"error": "boom"}', status=500), "the server answered 500"),
        (_send(b"slow down", status=429), "the server answered 429: slow down"),
        (_send(b"", status=307, headers={"Location": "http://127.0.0.1:9/"}), "the server answered 307"),
        (_send(b"<html>hello</html>"), "not complete JSON"),
        (_send(_reply(_GOOD)[:50]), "not complete JSON"),
        (_send(_reply(_GOOD)[:50], length=5_000), "the connection failed"),
        (_send(b'{"choices": []}'), "holds no message"),
        (_send(b"[]"), "holds no message"),
        (_send(_reply("")), "it is empty"),
        (_send(_reply("Error: model not loaded")), "it is an error message"),
        (_send(_reply(_GOOD, finish="length")), "it was cut off"),
        (_send(b" " * (5 << 20)), "the answer is larger than"),
    ],
)
def test_an_endpoint_that_gives_no_summary_is_replaced_with_the_reason(answer: Answer, reason: str) -> None:
    with _server(answer) as (url, _):
        result = _engine(url).compact(_HISTORY)
        strict = _engine(url).compact(_HISTORY, CompactionOptions(strict=True))
    assert (result.status, result.summary_source) == (Status.COMPACTED, Summarizer.EXTRACTIVE)
    assert any(reason in warning for warning in result.warnings), result.warnings
    assert strict.status in {Status.FAILED_EMPTY_SUMMARY, Status.FAILED_TRUNCATED_SUMMARY}
    assert "k-123" not in str(result)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "not a url", "ftp://127.0.0.1/"])
def test_an_endpoint_that_is_not_there_is_replaced(url: str) -> None:
    result = _engine(url).compact(_HISTORY)
    assert result.summary_source is Summarizer.EXTRACTIVE
    assert any("the connection failed" in warning for warning in result.warnings)


def test_a_summary_that_is_too_long_is_shortened() -> None:
    long = _GOOD.replace(
        "Words for Problem Solving", "\n".join(f"- fact number {n} that was told" for n in range(6_000))
    )
    history = [*_HISTORY, {"role": "user", "content": "some words " * 30_000}, {"role": "assistant", "content": "ok"}]
    with _server(_send(_reply(long))) as (url, _):
        result = _engine(url).compact(history)
    assert result.summary_source is Summarizer.ENDPOINT
    assert any("is shortened" in warning for warning in result.warnings)


def test_the_hosts_own_summary_is_preferred_to_the_endpoint() -> None:
    with _server(_send(_reply(_GOOD))) as (url, seen):
        result = _engine(url).compact(_HISTORY, CompactionOptions(summary=_GOOD))
    assert (result.summary_source, seen) == (Summarizer.HOST, [])
