"""One script of forty calls: the same bytes over every transport, to clients of both eras."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from server.app import build_server
from server.settings import read_settings
from tests.server.pipes import ERAS, connected
from tests.server.web import PATHS, listening, visiting
from tests.thoroughness import SHARE, is_thorough

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Call = tuple[str, dict[str, Any]]

HISTORY: list[dict[str, Any]] = [
    {"role": "user", "content": "Please make load() in src/config.py skip comments."},
    {"role": "assistant", "content": "I will read the file first."},
    {"role": "user", "content": "Then run the tests."},
]

SCRIPT: tuple[Call, ...] = (
    *(("get_context", {"path": path}) for path in (".", "src", "src/config.py", "tests", "README.md")),
    *(("get_context", {"path": ".", "token_budget": budget}) for budget in (64, 200, "500", "1k", 0, "unlimited")),
    *(
        ("get_context", {"path": ".", "token_budget": 600, "format": layout})
        for layout in ("plus", "compact", "xml", "markdown", "json")
    ),
    ("get_context", {"path": ".", "skeleton": "enabled", "max_level": "L1"}),
    ("get_context", {"path": ".", "skeleton": "disabled", "token_budget": 300}),
    ("get_context", {"path": ".", "include": ["*.py"], "exclude": ["tests/"], "line_numbers": True}),
    ("get_context", {"path": "src", "min_level": "L2", "max_level": "L2"}),
    *(
        ("zoom", {"target": target, "path": "."})
        for target in (
            *("Config", "Config.load", "class=Config", "function=main", "struct=Shape", "symbol=src/main.py::unused"),
            *("file=src/main.py", "lines=src/config.py:3-9", "main", "Confg.load"),
        )
    ),
    ("zoom", {"target": "Config", "path": "src", "token_budget": 64}),
    ("zoom", {"target": "pointed", "path": ".", "line_numbers": True}),
    ("get_context", {"path": "/etc"}),
    ("get_context", {"path": "../.."}),
    ("get_context", {"path": "nowhere"}),
    ("get_context", {"path": ".", "format": "yaml"}),
    ("get_context", {}),
    ("zoom", {"target": "main", "path": "/etc"}),
    ("compact_history", {"messages": HISTORY, "dry_run": True, "summarizer": "extractive"}),
    ("compact_history", {}),
)


async def replies(client: Client, script: Sequence[Call]) -> list[str]:
    """Runs a script and returns what came back, but for the server's own stamp."""
    answers: list[str] = []
    for tool, arguments in script:
        result = await client.call_tool(tool, arguments)
        kept = {"metadata": result.meta["metadata"]} if result.meta and "metadata" in result.meta else None
        answers.append(result.model_copy(update={"meta": kept}).model_dump_json())
    return answers


@pytest.mark.no_cover
async def test_forty_calls_give_the_same_bytes_over_every_transport(tree: Path, tmp_path: Path) -> None:
    assert len(SCRIPT) == 40
    async with Client(build_server(read_settings(roots=[str(tree)]))) as client:
        expected = await replies(client, SCRIPT)
    assert sum('"isError":true' in reply.replace(" ", "") or '"is_error":true' in reply for reply in expected) == 7
    async with AsyncExitStack() as stack:
        servers = [stack.enter_context(listening(tree, transport)) for transport in PATHS]
        for place, era in enumerate(ERAS):
            step = 1 if place == 0 or is_thorough() else SHARE  # no call depends on one before it
            visits = [
                Client(build_server(read_settings(roots=[str(tree)])), mode=ERAS[era]),
                connected(tree, era=era),
                *(visiting(served, era=era) for served in servers),
            ]
            for visit in visits:
                async with visit as client:
                    assert client.protocol_version == era
                    assert await replies(client, SCRIPT[::step]) == expected[::step]
