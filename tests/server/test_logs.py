"""The log in JSON: a line for each call, and nothing of what was asked or answered."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from server.app import build_server
from server.logs import JsonLines
from server.settings import read_settings

if TYPE_CHECKING:
    from pathlib import Path

SECRET_WORD = "what-nobody-may-read"


def line_of(record: logging.LogRecord) -> dict[str, Any]:
    return json.loads(JsonLines().format(record))


async def test_a_call_is_a_line_without_what_was_asked(tree: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    settings = read_settings(roots=[str(tree)], environ={}, parsers="0", cache="off")
    async with Client(build_server(settings)) as client:
        await client.call_tool("zoom", {"target": "Config.load"})
        await client.call_tool("zoom", {"target": SECRET_WORD})
        await client.call_tool("get_context", {"path": ".", "query": SECRET_WORD})
    lines = [line_of(record) for record in caplog.records]
    calls = [line for line in lines if line["logger"] == "server.telemetry"]
    assert [(line["tool"], line["outcome"]) for line in calls] == [
        ("zoom", "ok"),
        ("zoom", "error"),
        ("get_context", "ok"),
    ]
    assert calls[0]["tokens"] > 0
    assert all(line["seconds"] >= line["waited"] >= 0 for line in calls)
    assert SECRET_WORD not in json.dumps(lines)
    assert "Config" not in json.dumps(lines)


def test_an_error_is_its_class_and_its_places() -> None:
    with pytest.raises(ValueError, match="Expecting value") as caught:
        json.loads(SECRET_WORD)
    error = (caught.type, caught.value, caught.tb)
    line = line_of(logging.LogRecord("server.x", logging.ERROR, __file__, 1, "It failed: %d", (3,), error))
    assert line["message"] == "It failed: 3"
    assert line["error"] == "JSONDecodeError"
    assert line["at"][0].startswith("tests/server/test_logs.py:")
    assert line["at"][-1].endswith(" raw_decode")
    assert SECRET_WORD not in json.dumps(line)


@pytest.mark.parametrize(
    ("logger", "said"), [("mcp.server", "mcp, "), ("uvicorn.error", "Of %s"), ("workspace.shared", "Of it")]
)
def test_what_other_packages_put_into_a_line_is_left_out(logger: str, said: str) -> None:
    record = logging.LogRecord(logger, logging.INFO, __file__, 7, "Of %s", ("it",), None)
    assert line_of(record)["message"].startswith(said)
