"""The tools as a client sees them, over a real pipe and in both eras of the protocol."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp.types import TextContent

from server.app import build_server
from server.settings import read_settings
from tests.server.pipes import ERAS, REPOSITORY, connected
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import CallToolResult

eras = pytest.mark.parametrize("era", ERAS)


def texts(result: CallToolResult) -> list[str]:
    return [block.text for block in result.content if isinstance(block, TextContent)]


def served_tokens(result: CallToolResult) -> int:
    return sum(token_counter().count(text) for text in texts(result))


@eras
async def test_a_client_of_each_era_is_served_at_its_own_version(tree: Path, era: str) -> None:
    async with connected(tree, era=era) as client:
        assert client.protocol_version == era
        assert client.server_info is not None
        assert client.server_info.name == "fractal-context"
        assert [tool.name for tool in (await client.list_tools()).tools] == [
            "get_context",
            "zoom",
            "compact_history",
            "compress",
        ]


@eras
async def test_the_reading_tools_declare_that_they_only_read_and_send_no_structured_content(
    tree: Path, era: str
) -> None:
    async with connected(tree, era=era) as client:
        context, zoom, *_ = (await client.list_tools()).tools
    assert context.meta == {"anthropic/maxResultSizeChars": 500_000}
    for tool in (context, zoom):
        assert tool.title
        assert tool.output_schema is None
        assert tool.annotations is not None
        assert tool.annotations.model_dump(exclude_none=True) == {
            "read_only_hint": True,
            "open_world_hint": False,
        }


@eras
async def test_get_context_gives_the_context_and_its_metadata_as_two_texts(tree: Path, era: str) -> None:
    async with connected(tree, era=era) as client:
        result = await client.call_tool("get_context", {"path": "."})
    assert not result.is_error
    assert result.structured_content is None
    context, metadata = texts(result)
    assert "+++ src/config.py" in context
    assert "class Config:" in context
    assert result.meta is not None
    complete = result.meta["metadata"]
    assert json.loads(metadata)["files_full"] == complete["files_full"]
    shown = [path for paths in complete["compression_summary"].values() for path in paths]
    assert sorted(shown) == sorted(
        ["README.md", "pyproject.toml", "src/config.py", "src/main.py", "src/shape.rs", "tests/test_main.py"]
    )


@pytest.mark.parametrize("budget", [500, 4000, 20_000, "unlimited"])
async def test_a_result_stays_within_its_budget(tree: Path, budget: int | str) -> None:
    async with connected(tree) as client:
        for path in (str(tree), "src", "src/config.py"):
            result = await client.call_tool("get_context", {"path": path, "token_budget": budget})
            assert not result.is_error
            assert result.meta is not None
            assert served_tokens(result) == result.meta["metadata"]["tokens_used"]
            assert budget == "unlimited" or served_tokens(result) <= int(budget)


@pytest.mark.no_cover
async def test_this_repository_is_served_within_the_budget_and_with_most_of_it_used() -> None:
    async with connected(REPOSITORY) as client:
        for path, asked, ceiling in (("server", 500, 500), ("server", "4k", 4000), (".", "20000", 20_000)):
            result = await client.call_tool("get_context", {"path": path, "token_budget": asked})
            assert not result.is_error
            assert 0.95 * ceiling <= served_tokens(result) <= ceiling


@pytest.mark.parametrize("budget", [0, "0", "unlimited"])
async def test_the_ceiling_can_be_lifted(tree: Path, budget: int | str) -> None:
    async with connected(tree, flags=["--default-budget", "64"]) as client:
        limited = await client.call_tool("get_context", {"path": "."})
        result = await client.call_tool("get_context", {"path": ".", "token_budget": budget})
    assert served_tokens(limited) <= 64
    assert served_tokens(result) > 64
    assert result.meta is not None
    assert result.meta["metadata"]["compression_summary"]["L3"] == []


async def test_a_budget_may_be_written_with_a_fraction_of_nothing(tree: Path) -> None:
    async with connected(tree) as client:
        whole, fraction = [
            await client.call_tool("get_context", {"path": ".", "token_budget": budget}) for budget in (300, 300.0)
        ]
        refused = await client.call_tool("zoom", {"target": "main", "token_budget": 300.5})
    assert not fraction.is_error
    assert texts(fraction) == texts(whole)
    assert refused.is_error


async def test_every_argument_of_get_context_reaches_the_engine(tree: Path) -> None:
    arguments: dict[str, Any] = {
        "path": ".",
        "token_budget": "8k",
        "skeleton": "enabled",
        "include": ["src/*.py"],
        "exclude": ["main.py"],
        "min_level": "L2",
        "max_level": "L1",
        "format": "compact",
        "line_numbers": True,
    }
    async with connected(tree) as client:
        result = await client.call_tool("get_context", arguments)
    assert not result.is_error, texts(result)
    assert result.meta is not None
    assert result.meta["metadata"]["token_budget"] == 8000
    shown = result.meta["metadata"]["compression_summary"]
    assert shown["L0"] == []
    assert shown["L1"] + shown["L2"] == ["src/config.py"]
    (body, _) = texts(result)
    assert "self.values[key.strip()]" not in body
    assert "def load" in body
    assert any("13" in line and "def load" in line for line in body.splitlines()), body


async def test_null_counts_as_an_argument_left_out(tree: Path) -> None:
    arguments = {"path": ".", "token_budget": None, "include": None, "format": None, "line_numbers": None}
    async with connected(tree) as client:
        assert texts(await client.call_tool("get_context", arguments)) == texts(
            await client.call_tool("get_context", {"path": "."})
        )


@eras
async def test_zoom_gives_one_text_with_the_exact_source(tree: Path, era: str) -> None:
    source = (tree / "src/config.py").read_text(encoding="utf-8")
    method = source[source.index("    def load") :]
    async with connected(tree, era=era) as client:
        result = await client.call_tool("zoom", {"target": "Config.load", "path": "."})
        assert result.structured_content is None
        (text,) = texts(result)
        assert method.strip() in text
        first = source[: source.index("    def load")].count("\n") + 1
        assert f"src/config.py:{first}-{len(source.splitlines())}" in text.splitlines()[0]
        numbered = await client.call_tool("zoom", {"target": "function=main", "path": ".", "line_numbers": True})
        assert "def main" in texts(numbered)[0]
        assert texts(numbered)[0].splitlines()[1].lstrip().startswith("4")


async def test_a_folder_is_answered_with_its_map_however_it_is_named(tree: Path) -> None:
    (tree / "linked").symlink_to("src")

    async def told(target: str | list[str], budget: int | None = None) -> str:
        result = await client.call_tool("zoom", {"target": target, "token_budget": budget})
        assert budget is None or served_tokens(result) <= budget
        return "\n".join(texts(result))

    async with connected(tree) as client:
        source, tests = await told("src/"), await told("tests/")
        assert "config.py: Config(load)" in source
        for other in ("src", str(tree / "src"), "./src", "linked/", "linked", ["src/"]):
            assert await told(other) == source, other
        assert await told(["src/", "tests"]) == await told("src/, tests/") == source + tests
        assert "config.py: Config(load)" in await told(".")
        both = await told(["src/", "main", "nowhere/"])
        assert both.startswith(source)
        assert "def main" in both
        assert "=== nowhere/: 'nowhere/' is no folder with files here" in both
        assert "part of the map" in await told(["src/", "tests/"], 150)
        assert "zoom 'src/' for its map" in await told("file=src")


async def test_zoom_keeps_to_its_budget(tree: Path) -> None:
    async with connected(tree) as client:
        result = await client.call_tool("zoom", {"target": "class=Config", "path": ".", "token_budget": 64})
    assert not result.is_error
    assert served_tokens(result) <= 64


@eras
async def test_progress_is_sent_and_only_ever_grows(tree: Path, era: str) -> None:
    reports: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert message
        reports.append((progress, total))

    async with connected(tree, era=era) as client:
        await client.call_tool("get_context", {"path": "."}, progress_callback=note)
        await client.call_tool("zoom", {"target": "main", "path": "."})
    assert reports
    assert all(earlier < later for (earlier, _), (later, _) in pairwise(reports))
    assert all(total is not None and progress <= total for progress, total in reports)


@eras
async def test_the_same_server_answers_in_memory(tree: Path, era: str) -> None:
    server = build_server(read_settings(roots=[str(tree)]))
    async with Client(server, mode=ERAS[era]) as client, connected(tree, era=era) as distant:
        for tool, arguments in {
            "get_context": {"path": ".", "token_budget": "4k"},
            "zoom": {"target": "Config.load", "path": "."},
        }.items():
            assert texts(await client.call_tool(tool, arguments)) == texts(await distant.call_tool(tool, arguments))


async def test_the_same_call_gives_the_same_bytes(tree: Path) -> None:
    async with connected(tree) as client:
        first = await client.call_tool("get_context", {"path": ".", "token_budget": 600})
        second = await client.call_tool("get_context", {"path": ".", "token_budget": 600})
    assert texts(first) == texts(second)
