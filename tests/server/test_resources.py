"""Resources, prompts and completions, as a client of each era sees them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

from server.app import build_server
from server.settings import read_settings
from tests.server.pipes import ERAS
from tests.server.test_protocol import texts

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from mcp.types import GetPromptResult

OUTSIDE = (
    *("context:///etc/passwd", "context://%2Fetc%2Fpasswd", "skeleton://../../etc/passwd", "context://..%2F..%2Fetc"),
    *("context://%2e%2e/%2e%2e/etc/passwd", "context://src%00", "context://..", "context://out/passwd", "context://~"),
    *("skeleton://~root", "symbol://file=/etc/passwd", "symbol://file=out/passwd:1-3", "symbol:///etc/passwd::root"),
    *("symbol://lines=../../../etc/passwd:1-2", "symbol://file=%2Fetc%2Fpasswd", "context://" + "a/" * 3000),
    *("context://%ff%fe", "context://SRC/config.py", "file:///etc/passwd", "context:", "nonsense", "skeleton://out"),
)


eras = pytest.mark.parametrize("era", ERAS)


@asynccontextmanager
async def near(tree: Path, era: str) -> AsyncGenerator[Client]:
    """Gives a client of a server in this process, whose root holds a link that leads out."""
    (tree / "out").symlink_to("/etc")
    async with Client(build_server(read_settings(roots=[str(tree)])), mode=ERAS[era]) as client:
        yield client


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert (content.uri, content.mime_type) == (uri, "text/plain")
    return content.text


@eras
async def test_what_can_be_read_is_listed(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        assert [resource.uri for resource in (await client.list_resources()).resources] == ["context://."]
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == [
            "context://{+path}",
            "skeleton://{+path}",
            "symbol://{+target}",
        ]
        for template in templates:
            assert template.title
            assert "e.g." in (template.description or "")
            assert template.mime_type == "text/plain"


@eras
async def test_a_resource_gives_what_the_tool_gives(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        for uri, tool, arguments in (
            ("context://.", "get_context", {"path": "."}),
            ("context://src", "get_context", {"path": "src"}),
            ("context://src%2Fmain.py", "get_context", {"path": "src/main.py"}),
            ("skeleton://src", "get_context", {"path": "src", "skeleton": "enabled", "max_level": "L1"}),
            ("symbol://Config.load", "zoom", {"target": "Config.load", "path": "."}),
            ("symbol://src/config.py::Config", "zoom", {"target": "src/config.py::Config", "path": "."}),
            ("symbol://class=Config", "zoom", {"target": "class=Config", "path": "."}),
        ):
            assert await read(client, uri) == texts(await client.call_tool(tool, arguments))[0]


@eras
async def test_a_skeleton_holds_no_body(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        text = await read(client, "skeleton://src/config.py")
        assert "def load" in text
        assert "self.values[key.strip()]" not in text


@eras
async def test_no_uri_leads_out_of_the_roots_and_the_next_one_works(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        for uri in OUTSIDE:
            with pytest.raises(MCPError) as refused:
                await client.read_resource(uri)
            assert "root:" not in str(refused.value)
            assert "bug" not in str(refused.value)
            assert "def main" in await read(client, "symbol://main")


@eras
async def test_a_wrong_resource_says_what_would_be_right(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        with pytest.raises(MCPError, match=r"Config\.load"):
            await client.read_resource("symbol://Confg.load")
        with pytest.raises(MCPError, match="does not exist"):
            await client.read_resource("context://src/nowhere")


@eras
async def test_a_mistake_of_the_caller_has_the_code_of_one_and_says_what_there_is(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        for asked, words in (
            (partial(client.get_prompt, "explore_code", {"foo": "x"}), r"`foo`.* `path`, `question`"),
            (partial(client.get_prompt, "nope"), r"`nope`.*`explore_code`"),
            (partial(client.read_resource, "context://src/nowhere"), "src/nowhere"),
            (partial(client.read_resource, "context://"), "path is empty"),
            (partial(client.read_resource, "symbol://src/main.py:9-2"), "no range of lines"),
        ):
            with pytest.raises(MCPError, match=words) as refused:
                await asked()
            assert refused.value.error.code == INVALID_PARAMS, refused.value


def told(result: GetPromptResult) -> str:
    (message,) = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


@eras
async def test_the_prompts_name_tools_and_arguments_that_exist(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["explore_code", "review_work_tree", "hand_over_conversation"]
        tools = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
        for prompt in prompts:
            assert prompt.title
            assert prompt.description
            for argument in prompt.arguments or []:
                assert "e.g." in (argument.description or "")
                assert not argument.required
        explored = told(await client.get_prompt("explore_code", {"path": "src", "question": "Where is the port set?"}))
        assert "`get_context`" in explored
        assert '"src"' in explored
        assert "Where is the port set?" in explored
        assert {"path", "changed", "query"} <= set(tools["get_context"])
        reviewed = told(await client.get_prompt("review_work_tree"))
        assert "`changed`" in reviewed
        handed = told(await client.get_prompt("hand_over_conversation", {"attention": "the failing test"}))
        assert {"messages", "transcript_path", "mode", "instructions", "summary"} <= set(tools["compact_history"])
        assert 'instructions "the failing test"' in handed
        assert "question" not in told(await client.get_prompt("explore_code"))


async def completed(client: Client, typed: str, argument: str = "path") -> list[str]:
    by_prompt = await client.complete(PromptReference(name="explore_code"), {"name": argument, "value": typed})
    by_template = await client.complete(
        ResourceTemplateReference(uri="context://{+path}"), {"name": argument, "value": typed}
    )
    assert by_prompt.completion == by_template.completion
    return by_prompt.completion.values


@eras
async def test_paths_are_completed(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        (tree / ".git").mkdir()
        (tree / ".hidden").mkdir()
        assert await completed(client, "") == ["README.md", "pyproject.toml", "src/", "tests/"]
        assert await completed(client, "s") == ["src/"]
        assert await completed(client, "src/") == ["src/config.py", "src/main.py", "src/shape.rs"]
        assert await completed(client, "./src/c") == ["./src/config.py"]
        assert await completed(client, ".") == [".hidden/"]
        assert await completed(client, "What", "question") == []
        for typed in (
            "/",
            "/etc/",
            "../",
            "../../",
            "~/",
            "src/main.py/",
            "nowhere/",
            "out/",
            "\0",
            "src/\0",
            "a" * 5000,
        ):
            assert await completed(client, typed) == []


@eras
async def test_names_of_definitions_are_completed(tree: Path, era: str) -> None:
    template = ResourceTemplateReference(uri="symbol://{+target}")
    async with near(tree, era) as client:
        for typed, value in (
            ("Conf", "Config"),
            ("conf", "Config"),
            ("Config.l", "Config.load"),
            ("src/config.py::Conf", "src/config.py::Config"),
            ("src/c", "src/config.py"),
        ):
            result = await client.complete(template, {"name": "target", "value": typed})
            assert value in result.completion.values, typed
        assert not (await client.complete(template, {"name": "target", "value": "zzz"})).completion.values


@eras
async def test_a_crowded_folder_is_completed_in_part_and_says_so(tree: Path, era: str) -> None:
    async with near(tree, era) as client:
        for number in range(150):
            (tree / "src" / f"part{number:03}.py").touch()
        result = await client.complete(
            PromptReference(name="explore_code"), {"name": "path", "value": f"{tree}/src/part"}
        )
        assert len(result.completion.values) == 100
        assert result.completion.values[0] == f"{tree}/src/part000.py"
        assert (result.completion.total, result.completion.has_more) == (150, True)
