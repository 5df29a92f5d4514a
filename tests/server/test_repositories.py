"""Repositories that are asked for by names, through the server and the command line."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from mcp import Client
from mcp.types import PromptReference, TextResourceContents

from server.app import build_server
from server.cli import WRONG_CALL
from server.settings import read_settings
from tests.server.pipes import ERAS, cli
from tests.server.test_protocol import texts
from tests.trees import git, make_repository

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A bare repository of two commits."""
    work = make_repository(tmp_path / "work", {"src/shop.py": "def price():\n    return 1\n", "README.md": "# Shop\n"})
    git(work, "tag", "v1")
    (work / "src" / "shop.py").write_text(
        "def price():\n    return 2\n\n\ndef tax():\n    return 3\n", encoding="utf-8"
    )
    git(work, "commit", "-qam", "taxes")
    git(tmp_path, "clone", "-q", "--bare", str(work), "shop.git")
    return tmp_path / "shop.git"


@asynccontextmanager
async def near(era: str, *repositories: str) -> AsyncGenerator[Client]:
    settings = read_settings(repositories=repositories, environ={}, cache="off")
    async with Client(build_server(settings), mode=ERAS[era]) as client:
        yield client


@eras
async def test_every_tool_and_resource_reads_a_commit(shop: Path, era: str) -> None:
    async with near(era, f"team/shop={shop}") as client:
        now = texts(await client.call_tool("get_context", {"path": "."}))[0]
        assert "def tax" in now
        assert texts(await client.call_tool("get_context", {"path": "repo://team/shop"}))[0] == now
        before = texts(await client.call_tool("get_context", {"path": "repo://team/shop@v1"}))[0]
        assert "return 1" in before
        assert "tax" not in before
        zoomed = await client.call_tool("zoom", {"target": "price", "path": "repo://team/shop@v1:src"})
        assert "return 1" in texts(zoomed)[0]
        diff = await client.call_tool("get_context", {"path": "repo://team/shop", "changed": "v1"})
        assert "[CHANGED]" in texts(diff)[0]
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        assert listed == ["context://repo://team/shop"]
        for uri in (*listed, "context://repo%3A%2F%2Fteam%2Fshop"):
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert content.text == now
        (skeleton,) = (await client.read_resource("skeleton://repo://team/shop@v1:src/shop.py")).contents
        assert isinstance(skeleton, TextResourceContents)
        assert "def price" in skeleton.text
        reference = PromptReference(name="explore_code")
        for typed, wanted in (("rep", "repo://team/shop"), ("repo://team/shop@v", "repo://team/shop@v1")):
            done = await client.complete(reference, {"name": "path", "value": typed})
            assert wanted in done.completion.values


@eras
async def test_of_several_repositories_one_has_to_be_named(shop: Path, era: str) -> None:
    async with near(era, f"team/shop={shop}", f"team/old={shop}@v1") as client:
        refused = await client.call_tool("get_context", {"path": "."})
        assert refused.is_error
        assert "repo://team/shop, repo://team/old" in texts(refused)[0]
        assert "return 1" in texts(await client.call_tool("get_context", {"path": "repo://team/old"}))[0]
        absent = await client.call_tool("get_context", {"path": "repo://team/none"})
        assert texts(absent)[0].startswith("'repo://team/none' names no repository that may be read")
        restored = await client.call_tool("compact_history", {"messages": [], "path": "repo://team/old"})
        assert "from a folder" in texts(restored)[0]


def test_a_commit_is_packed_and_looked_into_from_the_command_line(shop: Path) -> None:
    for spelling in (
        f"git:{shop}@v1",
        "git:shop.git@v1",
        "git:work@HEAD~1",
        "git:work/.git@v1",
        "git:work@v1:src/shop.py",
    ):
        packed = cli("pack", spelling, "--cache", "off", cwd=shop.parent)
        assert b"return 1" in packed.stdout
    assert b"return 1" in cli("zoom", "price", "git:work@v1:src", "--cache", "off", cwd=shop.parent).stdout
    for wrong in ("git:nowhere@v1", "git:work@-x", "git:work@v9", "git:/@v9"):
        refused = cli("pack", wrong, "--cache", "off", cwd=shop.parent)
        assert refused.returncode == WRONG_CALL
        assert refused.stderr.count(b"\n") == 1
    assert b" / is in no repository of git" in refused.stderr


def test_repositories_are_named_in_the_environment_and_in_a_file(shop: Path, tmp_path: Path) -> None:
    said = os.pathsep.join((f"a={shop}", f"b={shop}@v1"))
    assert read_settings(environ={"FRACTAL_CONTEXT_REPOSITORY": said}).repositories == tuple(said.split(os.pathsep))
    (tmp_path / "mine.toml").write_text('repository = ["team/shop=shop.git"]\n', encoding="utf-8")
    settings = read_settings(config=str(tmp_path / "mine.toml"), environ={})
    assert settings.roots.resolve("repo://team/shop@v1") == settings.roots.resolve("repo://team/shop@v1")
