"""The costs of the tools for a model that only has them at hand, and the engines' acceptance of what they offer."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Annotated, Any, get_args

import pytest
from mcp import Client
from mcp.types import ListToolsResult
from pydantic import BaseModel, Field

from server.app import build_server
from server.schemas import FOR_PROGRAMS, MaxLevel, MinLevel, OutputFormat, SkeletonMode, published_schema
from server.settings import read_settings
from skeleton import CompressionLevel
from tests.server.pipes import environment
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import Tool

TOKENS_OF_ALL_SCHEMAS = 1500


async def listed(root: Path, **settings: Any) -> dict[str, Tool]:
    async with Client(build_server(read_settings(roots=[str(root)], **settings))) as client:
        return {tool.name: tool for tool in (await client.list_tools()).tools}


async def test_all_schemas_together_are_cheap(tree: Path) -> None:
    tools = (await listed(tree)).values()
    sent = ListToolsResult(tools=list(tools)).model_dump_json(by_alias=True, exclude_none=True)
    assert token_counter().count(sent) <= TOKENS_OF_ALL_SCHEMAS


async def test_every_argument_that_is_published_shows_what_to_send(tree: Path) -> None:
    for tool in (await listed(tree)).values():
        assert tool.title
        assert tool.description
        for name, argument in tool.input_schema["properties"].items():
            examples = ("e.g." in argument.get("description", ""), "default" in argument, "enum" in argument)
            assert any(examples) or argument["description"], name
            assert "title" not in argument
            assert "null" not in json.dumps(argument)


async def test_arguments_for_programs_are_taken_and_others_refused(tree: Path) -> None:
    async with Client(build_server(read_settings(roots=[str(tree)]))) as client:
        published = (await listed(tree))["compact_history"].input_schema["properties"]
        assert "trigger" not in published
        history = [{"role": "user", "content": "Hello."}]
        given = {"messages": history, "dry_run": True, "trigger": "auto", "context_window": 100_000}
        taken = await client.call_tool("compact_history", given)
        assert not taken.is_error, taken
        refused = await client.call_tool("compact_history", given | {"triger": "auto"})
        assert refused.is_error
        assert "`triger`" in str(refused.content)
        assert "`trigger`" in str(refused.content)


def test_a_published_schema_says_the_same_in_fewer_words() -> None:
    class Inner(BaseModel):
        title: str
        size: Annotated[int, Field(ge=0, description="In bytes")] = 0

    class Outer(BaseModel):
        inner: Inner
        many: list[Inner] | None = None
        either: int | str | None = None
        mixed: int | list[str] | None = None
        hidden: Annotated[int, FOR_PROGRAMS] = 1

    published = published_schema(Outer.model_json_schema(), defaults={"either": 7})
    inner = {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "size": {"type": "integer", "default": 0, "description": "In bytes"},
        },
        "required": ["title"],
    }
    assert published == {
        "type": "object",
        "properties": {
            "inner": inner,
            "many": {"type": "array", "items": inner},
            "either": {"type": ["integer", "string"], "default": 7},
            "mixed": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]},
        },
        "required": ["inner"],
    }


async def test_the_arguments_are_those_of_the_contract(tree: Path) -> None:
    tools = await listed(tree)
    assert "required" not in tools["get_context"].input_schema
    assert list(tools["get_context"].input_schema["properties"]) == [
        *("path", "token_budget", "skeleton", "query", "names", "focus", "changed", "include", "exclude"),
        *("min_level", "max_level", "format", "line_numbers", "since", "cursor"),
    ]
    assert tools["zoom"].input_schema["required"] == ["target"]
    assert list(tools["zoom"].input_schema["properties"]) == [
        *("target", "path", "token_budget", "line_numbers", "context"),
    ]


async def test_the_default_budget_that_is_shown_is_the_servers(tree: Path) -> None:
    for asked, shown in ((20_000, 20_000), ("8k", 8000), ("unlimited", "unlimited")):
        tools = await listed(tree, default_budget=asked)
        for tool in (tools["get_context"], tools["zoom"]):
            assert tool.input_schema["properties"]["token_budget"]["default"] == shown


@pytest.mark.no_cover
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


async def test_skeletons_are_enabled_where_the_description_says_so(tree: Path) -> None:
    from allocator import ContextEngine

    engine = ContextEngine(Roots([tree]))
    full = {
        (mode, budget): engine.get_context(".", skeleton=mode, token_budget=budget).metadata.files_full
        for mode in ("auto", "enabled")
        for budget in (20_000, None)
    }
    assert full["enabled", 20_000] == full["auto", 20_000] == full["auto", None]
    assert full["enabled", None] < full["auto", None]
    argument = (await listed(tree))["get_context"].input_schema["properties"]["skeleton"]
    assert "enabled: skeletons without a budget too" in argument["description"]


def test_every_mode_and_format_offered_is_one_that_the_engine_takes(tree: Path) -> None:
    from allocator import ContextEngine

    engine = ContextEngine(Roots([tree]))
    for mode in get_args(SkeletonMode):
        for layout in get_args(OutputFormat):
            assert "Config" in engine.get_context(".", token_budget=4000, skeleton=mode, format=layout).context
