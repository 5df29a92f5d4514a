"""The bytes on the wire in stdio mode, and the end of a server process."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.pipes import (
    EXIT_TIMEOUT,
    MISBEHAVING,
    SERVE,
    RawServer,
    at_work,
    environment,
    forked_server,
    gone,
    misbehaving,
)

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

signals = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])


def error_text(result: dict[str, Any]) -> str:
    assert result["isError"] is True, result
    assert "structuredContent" not in result
    return "\n".join(block["text"] for block in result["content"])


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("wire")
    (root / "src").mkdir()
    (root / "src" / "main.py").write_text("def main():\n    return 1\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def talking(place: Path) -> Generator[RawServer]:
    """A server that several tests speak with; every byte that it writes is checked, the last ones at the end."""
    with RawServer(place, program=SERVE) as server:
        server.initialize()
        yield server
        server.rest()
        assert server.process.returncode == 0


def test_nothing_but_protocol_is_on_standard_output(talking: RawServer) -> None:
    talking.answer_to(talking.send("tools/list"))
    result = talking.answer_to(talking.call("get_context", token="p", path="."))
    assert len(result["content"]) == 2
    assert "structuredContent" not in result
    talking.answer_to(talking.call("zoom", target="main", path="."))


def test_whatever_the_engine_prints_goes_to_standard_error(tree: Path) -> None:
    with RawServer(tree, program=misbehaving("noisy")) as server:
        server.initialize()
        server.answer_to(server.call("get_context", path="."))
        server.answer_to(server.call("get_context", path="."))
        errors = server.rest()
    for noise in (b"a stray print", b"bytes on descriptor 1", b"a child that prints", b"left in the buffer"):
        assert errors.count(noise) == 2


def test_lines_that_are_no_messages_do_not_end_the_conversation(talking: RawServer) -> None:
    for line in (b"\n", b"nonsense\n", b"\xff\xfe\n", b"[]\n", b'{"jsonrpc": "2.0", "id": 99, "method": 7}\n'):
        talking.write(line)
    (result,) = talking.replies([talking.call("zoom", target="main", path=".")])
    assert "def main" in result["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("line", "numbers", "code", "words"),
    [
        (b"nonsense", [None], -32700, "Invalid JSON"),
        (b"\xff\xfe", [None], -32700, "Invalid JSON"),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"a\tb"}}', [7], -32700, "control character"),
        (b'{"jsonrpc":"2.0","id":"a","method":7}', ["a"], -32600, "`method`"),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', [7], -32600, "`jsonrpc`: Input should be '2.0'"),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}', [7], -32600, "`params`"),
        (
            b'{"jsonrpc":"2.0","id":7}',
            [None],
            -32600,
            "`method`",
        ),  # it may be an answer to a request of the server's own
        (b"7", [None], -32600, "no object"),
        (b"[]", [None], -32600, "batches"),
        (
            b'[{"jsonrpc":"2.0","id":7,"method":"ping"},{"jsonrpc":"2.0","id":8,"method":"ping"}]',
            [7, 8],
            -32600,
            "batches",
        ),
    ],
)
def test_who_sends_what_is_no_message_is_told(
    talking: RawServer, line: bytes, numbers: list[int | str | None], code: int, words: str
) -> None:
    talking.write(line + b"\n")
    answers = [talking.receive() for _ in numbers]
    assert [answer["id"] for answer in answers] == numbers
    assert all(answer["error"]["code"] == code and words in answer["error"]["message"] for answer in answers), answers


def test_an_empty_line_is_not_answered(talking: RawServer) -> None:
    talking.write(b"\n \n")
    assert talking.answer_to(talking.send("ping")) == {}


@pytest.mark.parametrize("cut", [r"main\ud83d", r"\udc00main", r"main \\ud83d \ud83d"])
def test_a_text_that_is_cut_inside_an_emoji_is_answered(talking: RawServer, cut: str) -> None:
    arguments = f'{{"query":"{cut}"}}'
    call = f'{{"jsonrpc":"2.0","id":"cut","method":"tools/call","params":{{"name":"get_context","arguments":{arguments}}}}}'
    talking.write(call.encode() + b"\n")
    (answer,) = talking.replies(["cut"])
    assert "def main" in answer["result"]["content"][0]["text"]


def test_text_beyond_ascii_arrives_whole(place: Path, talking: RawServer) -> None:
    (place / "src" / "größe.py").write_text('NAME = "日本 \U0001f600"\n', encoding="utf-8")
    result = talking.answer_to(talking.call("get_context", path="src/größe.py"))
    assert '"日本 \U0001f600"' in result["content"][0]["text"]


def test_a_large_answer_arrives_whole(place: Path, talking: RawServer) -> None:
    (place / "large.py").write_text("VALUE = 1  # and a remark\n" * 10_000, encoding="utf-8")
    result = talking.answer_to(talking.call("get_context", path="large.py", token_budget="unlimited"))
    assert result["content"][0]["text"].count("VALUE = 1  # and a remark") == 10_000


def test_a_file_name_that_is_no_text_is_served(place: Path, talking: RawServer) -> None:
    path = bytes(place / "src") + b"/caf\xe9.py"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes no bytes
        file.write("ANSWER = 42\n")
    result = talking.answer_to(talking.call("get_context", path="src"))
    assert "ANSWER = 42" in result["content"][0]["text"]


def test_a_bug_in_the_engine_is_an_answer_that_keeps_its_secrets(tree: Path) -> None:
    for mischief, exception in (("crashing", "KeyError"), ("panicking", "PanicError")):
        with RawServer(tree, program=misbehaving(mischief)) as server:
            server.initialize()
            words = error_text(server.answer_to(server.call("get_context", path=".")))
            assert "bug" in words
            assert exception in words
            assert "outside" not in words
            assert "Traceback" not in words
            result = server.answer_to(server.call("zoom", target="main", path="."))
            assert "def main" in result["content"][0]["text"]
            errors = server.rest()
        assert b"Traceback" in errors
        assert exception.encode() in errors


def test_a_long_call_neither_holds_up_others_nor_outlives_its_cancellation(tree: Path) -> None:
    with RawServer(tree, program=misbehaving("endless")) as server:
        server.initialize()
        endless = server.call("get_context", token="t", path=".")
        progress = server.receive()
        assert progress["method"] == "notifications/progress"
        assert progress["params"]["progressToken"] == "t"
        assert "def main" in server.answer_to(server.call("zoom", target="main", path="."))["content"][0]["text"]
        server.send("notifications/cancelled", {"requestId": endless, "reason": "enough"}, request=False)
        server.error_line_with("the engine has stopped")
        assert server.answer_to(server.send("ping")) == {}
        server.rest()
        assert server.process.returncode == 0


@pytest.mark.no_cover
@signals
def test_a_signal_ends_an_idle_server(tree: Path, number: signal.Signals) -> None:
    with RawServer(tree, program=SERVE) as server:
        server.initialize()
        server.process.send_signal(number)
        assert server.process.wait(timeout=EXIT_TIMEOUT) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == b""


@signals
def test_a_signal_ends_a_server_that_is_at_work(tree: Path, number: signal.Signals) -> None:
    with RawServer(tree, program=misbehaving("endless")) as server:
        server.initialize()
        server.call("get_context", token="t", path=".")
        server.receive()
        server.process.send_signal(number)
        assert server.process.wait(timeout=EXIT_TIMEOUT) == 0
        server.error_line_with("the engine has stopped")


def test_the_end_of_input_ends_a_server_that_is_at_work(tree: Path) -> None:
    with RawServer(tree, program=misbehaving("endless")) as server:
        server.initialize()
        server.call("get_context", token="t", path=".")
        server.receive()
        assert b"the engine has stopped" in server.rest()
        assert server.process.returncode == 0


@pytest.mark.no_cover
def test_the_end_of_input_ends_a_server_whose_engine_never_looks_up(tree: Path) -> None:
    with RawServer(tree, program=misbehaving("deaf")) as server:
        server.initialize()
        server.call("get_context", token="t", path=".")
        server.receive()
        server.rest()
        assert server.process.returncode == 0


@pytest.mark.no_cover
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGINT], ids=["end of input", "SIGTERM", "SIGINT"])
def test_whatever_the_server_has_started_ends_with_it(tree: Path, number: signal.Signals | None) -> None:
    with RawServer(tree, program=(*MISBEHAVING, "breeding")) as server:
        server.initialize()
        server.call("get_context", path=".")
        children = [int(word) for word in server.error_line_with("children: ").split()[1:]]
        assert all(at_work(child) for child in children)
        if number is None:
            server.hang_up()
        else:
            server.process.send_signal(number)
        assert server.process.wait(timeout=EXIT_TIMEOUT) == 0
        assert gone(children)


@pytest.mark.no_cover
def test_the_server_and_what_it_has_started_end_when_the_client_dies(tree: Path) -> None:
    dying = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from tests.server.pipes import MISBEHAVING, RawServer\n"
        "server = RawServer(Path.cwd(), program=(*MISBEHAVING, 'breeding'))\n"
        "server.initialize()\n"
        "server.call('get_context', path='.')\n"
        "print(server.process.pid, *server.error_line_with('children: ').split()[1:], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    client = subprocess.run(
        [sys.executable, "-c", dying],
        capture_output=True,
        env=environment(),
        cwd=tree,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert client.returncode == -signal.SIGKILL, client.stderr
    processes = [int(word) for word in client.stdout.split()]
    assert len(processes) == 3
    assert gone(processes)


@pytest.mark.no_cover
def test_a_client_that_reads_nothing_cannot_keep_the_server_alive(tree: Path) -> None:
    (tree / "large.py").write_text("VALUE = 1  # and a remark\n" * 10_000, encoding="utf-8")
    with RawServer(tree, program=SERVE) as server:
        server.initialize()
        server.call("get_context", path="large.py", token_budget="unlimited")
        assert server.process.stdout is not None
        assert server.process.stdout.read(1)  # the answer has begun, and fills the pipe
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=EXIT_TIMEOUT) == 0


@pytest.mark.no_cover
def test_a_server_started_without_standard_streams_ends_at_once(tree: Path) -> None:
    close = "import os, sys; [os.close(n) for n in (0, 1, 2)]; os.execv(sys.argv[1], sys.argv[1:])"
    ended = subprocess.run(
        [sys.executable, "-c", close, sys.executable, *SERVE, "--root", str(tree)],
        env=environment(),
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert ended.returncode == 0


def test_a_wrong_flag_ends_the_process_before_it_serves(tree: Path) -> None:
    for flags in (["--root", str(tree / "nowhere")], ["--default-budget", "much"], ["--encoding", "klingon"]):
        ended = subprocess.run(
            [sys.executable, *forked_server(), *flags],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            cwd=tree,
            timeout=EXIT_TIMEOUT,
            check=False,
        )
        assert ended.returncode == 2
        assert ended.stdout == b""
        assert ended.stderr.startswith(b"fractal-context: ")
        assert len(ended.stderr.splitlines()) == 1
