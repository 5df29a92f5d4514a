"""What the tools cost a model that only has them at hand, and whether the engines take what they offer."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, get_args

from mcp import Client

from server.app import build_server
from server.schemas import MaxLevel, MinLevel, OutputFormat, SkeletonMode
from server.settings import read_settings
from skeleton import CompressionLevel
from tests.server.pipes import environment
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import Tool

TOKENS_OF_THE_READING_TOOLS = 1100
TOKENS_OF_ALL_SCHEMAS = 2700


async def listed(root: Path, **settings: Any) -> dict[str, Tool]:
    async with Client(build_server(read_settings(roots=[str(root)], **settings))) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


async def test_all_schemas_together_are_cheap(tree: Path) -> None:
    tools = await listed(tree)
    sent = {name: tool.model_dump(mode="json", by_alias=True, exclude_none=True) for name, tool in tools.items()}
    reading = [sent["get_context"], sent["zoom"]]
    assert token_counter().count(json.dumps(reading)) < TOKENS_OF_THE_READING_TOOLS
    assert token_counter().count(json.dumps(list(sent.values()))) < TOKENS_OF_ALL_SCHEMAS


async def test_every_argument_is_described_and_nothing_else_is_taken(tree: Path) -> None:
    for tool in (await listed(tree)).values():
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False
        for name, argument in tool.input_schema["properties"].items():
            assert argument["description"], name
            assert "title" not in argument
            assert "null" not in json.dumps(argument)


async def test_the_arguments_are_those_of_the_contract(tree: Path) -> None:
    tools = await listed(tree)
    assert tools["get_context"].input_schema["required"] == ["path"]
    assert list(tools["get_context"].input_schema["properties"]) == [
        *("path", "token_budget", "skeleton", "include", "exclude"),
        *("min_level", "max_level", "format", "line_numbers"),
    ]
    assert tools["zoom"].input_schema["required"] == ["target", "path"]
    assert list(tools["zoom"].input_schema["properties"]) == ["target", "path", "token_budget", "line_numbers"]


async def test_the_default_budget_that_is_shown_is_the_servers(tree: Path) -> None:
    for asked, shown in ((20_000, 20_000), ("8k", 8000), ("unlimited", "unlimited")):
        tools = await listed(tree, default_budget=asked)
        for tool in (tools["get_context"], tools["zoom"]):
            assert tool.input_schema["properties"]["token_budget"]["default"] == shown


def test_the_handshake_loads_no_engine(tree: Path) -> None:
    shake_hands = (
        "import anyio, sys\n"
        "from mcp import Client\n"
        "from server.app import build_server\n"
        "from server.settings import read_settings\n"
        "async def main():\n"
        "    async with Client(build_server(read_settings())) as client:\n"
        "        await client.list_tools()\n"
        "anyio.run(main)\n"
        "print([name for name in ('tree_sitter', 'tiktoken', 'allocator', 'skeleton') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", shake_hands], cwd=tree, env=environment(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"[]"


def test_the_levels_offered_are_the_engines() -> None:
    assert list(get_args(MinLevel)) == [level.value for level in CompressionLevel]
    assert list(get_args(MaxLevel)) == [level.value for level in CompressionLevel][:-1]


def test_every_mode_and_format_offered_is_one_that_the_engine_takes(tree: Path) -> None:
    from allocator import ContextEngine

    engine = ContextEngine(Roots([tree]))
    for mode in get_args(SkeletonMode):
        for layout in get_args(OutputFormat):
            assert "Config" in engine.get_context(".", token_budget=4000, skeleton=mode, format=layout).context
