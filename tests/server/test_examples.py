"""The programs in examples/, run as they are: real servers, real frameworks, and a model on loopback that is scripted."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.server.pipes import EXIT_TIMEOUT, REPOSITORY, environment

EXAMPLES = REPOSITORY / "examples"


def run(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, EXAMPLES / program, *arguments],
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )


@pytest.mark.no_cover
def test_the_official_client_reads_a_folder_and_a_definition() -> None:
    done = run("sdk_client.py", str(EXAMPLES / "shop"), "Cart.total")
    assert done.returncode == 0, done.stderr
    assert "+++ shop/cart.py" in done.stdout
    assert "method Cart.total" in done.stdout
    wrong = run("sdk_client.py", str(EXAMPLES / "shop"), "Cart.totl")
    assert wrong.returncode == 1
    assert "Cart.total" in wrong.stderr


class ScriptedModel(BaseHTTPRequestHandler):
    """A model that zooms into one definition and then says how long its source is."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results = [message for message in asked["messages"] if message["role"] == "tool"]
        arguments = json.dumps({"target": "Price.with_tax", "path": "."})
        call = {"id": "1", "type": "function", "function": {"name": "zoom", "arguments": arguments}}
        message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [call]}
        if results:
            message = {"role": "assistant", "content": f"The tax is added here: {results[0]['content']}"}
        choice = {"index": 0, "message": message, "finish_reason": "stop" if results else "tool_calls"}
        answer = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 0, "model": asked["model"], "choices": [choice]}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Says nothing."""


@pytest.mark.no_cover
def test_an_agent_of_the_agents_sdk_answers_from_the_code() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), ScriptedModel) as model:
        threading.Thread(target=model.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{model.server_address[1]}/v1"
        done = run(
            "agents_sdk.py",
            *(str(EXAMPLES / "shop"), "Where is the tax added?"),
            OPENAI_BASE_URL=address,
            OPENAI_API_KEY="none",
        )
        model.shutdown()
    assert done.returncode == 0, done.stderr
    assert "The tax is added here:" in done.stdout
    assert "self.cents * (100 + rate)" in done.stdout
