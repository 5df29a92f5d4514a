"""Calls and trees that are not as they should be: each gets a clear answer, and the next call works."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.pipes import ERAS, connected
from tests.server.test_protocol import served_tokens, texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp import Client

REFUSED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a path outside the roots": ({"path": "/etc"}, ["--root"]),
    "a path that climbs out": ({"path": "../.."}, ["--root"]),
    "a path outside that does not exist": ({"path": "/no/such/folder"}, ["--root"]),
    "a path that is not there": ({"path": "src/nowhere"}, ["src/nowhere"]),
    "an empty path": ({"path": ""}, ["path"]),
    "a path with a null byte": ({"path": "src\0"}, []),
    "a path of the wrong type": ({"path": 7}, ["`path`", "string"]),
    "a negative budget": ({"path": ".", "token_budget": -1}, ["-1"]),
    "a budget too small": ({"path": ".", "token_budget": 10}, ["64"]),
    "a budget that is no number": ({"path": ".", "token_budget": "abc"}, ["abc"]),
    "a budget of the wrong type": ({"path": ".", "token_budget": [8000]}, ["`token_budget`", "[8000]"]),
    "a budget that is true": ({"path": ".", "token_budget": True}, ["`token_budget`", "True"]),
    "an unknown level": ({"path": ".", "min_level": "L9"}, ["`min_level`", "'L3'", "L9"]),
    "a most level of nothing": ({"path": ".", "max_level": "L3"}, ["`max_level`", "'L2'"]),
    "levels that contradict": ({"path": ".", "min_level": "L0", "max_level": "L2"}, ["L0", "L2"]),
    "an unknown format": ({"path": ".", "format": "yaml"}, ["`format`", "'markdown'", "yaml"]),
    "an unknown skeleton mode": ({"path": ".", "skeleton": "maybe"}, ["`skeleton`", "'disabled'"]),
    "globs that are no list": ({"path": ".", "include": 7}, ["`include`", "list"]),
    "globs that are no strings": ({"path": ".", "exclude": [1]}, ["`exclude`", "string"]),
    "line numbers that are no flag": ({"path": ".", "line_numbers": "maybe"}, ["`line_numbers`", "boolean"]),
    "an argument that does not exist": ({"path": ".", "budget": 8000}, ["`budget`. Did you mean `token_budget`?"]),
    "several mistakes at once": ({"path": 7, "format": "yaml"}, ["`path`", "`format`"]),
}

NOT_FOUND: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a name that nothing has": ({"target": "Confg.load", "path": "."}, ["Config.load"]),
    "an empty target": ({"target": "", "path": "."}, []),
    "a file that is not there": ({"target": "file=src/nowhere.py", "path": "."}, ["nowhere.py"]),
    "a file outside the roots": ({"target": "file=/etc/passwd", "path": "."}, []),
    "no target": ({"path": "."}, ["`target`", "required"]),
    "a path outside the roots": ({"target": "main", "path": "/etc"}, ["--root"]),
    "a budget too small": ({"target": "main", "path": ".", "token_budget": 1}, ["64"]),
}


async def refuse(client: Client, tool: str, arguments: dict[str, Any], words: list[str]) -> None:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    (message,) = texts(result)
    assert all(word in message for word in words), message
    assert message.strip()
    assert "Traceback" not in message
    assert "bug" not in message, message
    assert "root:" not in message  # the first line of /etc/passwd
    works = await client.call_tool("get_context", {"path": "src/main.py"})
    assert "def main" in texts(works)[0]


@pytest.mark.parametrize("era", ERAS)
async def test_a_wrong_call_of_get_context_is_refused_with_what_to_do(tree: Path, era: str) -> None:
    async with connected(tree, era=era) as client:
        for arguments, words in REFUSED.values():
            await refuse(client, "get_context", arguments, words)


@pytest.mark.parametrize("era", ERAS)
async def test_a_wrong_call_of_zoom_is_refused_with_what_to_do(tree: Path, era: str) -> None:
    async with connected(tree, era=era) as client:
        for arguments, words in NOT_FOUND.values():
            await refuse(client, "zoom", arguments, words)


async def test_a_path_outside_is_refused_the_same_whether_it_exists_or_not(tree: Path) -> None:
    async with connected(tree) as client:
        there = await client.call_tool("get_context", {"path": "/etc/passwd"})
        missing = await client.call_tool("get_context", {"path": "/etc/passwt"})
    assert texts(there)[0].replace("passwd", "passwt") == texts(missing)[0]


async def test_a_tool_that_does_not_exist_is_refused(tree: Path) -> None:
    async with connected(tree) as client:
        result = await client.call_tool("get_everything", {"path": "."})
    assert result.is_error
    assert texts(result)[0].startswith("There is no tool `get_everything`. There are `get_context`, `zoom`,")


def no_file_at_all(root: Path) -> list[str]:
    (root / "empty").mkdir()
    return ["empty"]


def an_unreadable_file(root: Path) -> list[str]:
    (root / "secret.py").write_text("SECRET = 1\n", encoding="utf-8")
    (root / "secret.py").chmod(0)
    return ["."] if os.geteuid() == 0 else [".", "secret.py"]


def a_huge_file(root: Path) -> list[str]:
    with (root / "huge.py").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    return [".", "huge.py"]


def a_file_with_a_syntax_error(root: Path) -> list[str]:
    (root / "broken.py").write_text("def broken(:\n    return ((\n\nclass Kept:\n    x = 1\n", encoding="utf-8")
    return [".", "broken.py"]


def a_binary_file(root: Path) -> list[str]:
    (root / "image.py").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 64)
    return [".", "image.py"]


def a_pipe(root: Path) -> list[str]:
    os.mkfifo(root / "pipe.py")
    return ["."]


def a_link_that_leads_out(root: Path) -> list[str]:
    (root / "outside.py").symlink_to("/etc/passwd")
    return ["."]


def a_link_to_itself(root: Path) -> list[str]:
    (root / "loop").symlink_to(root / "loop")
    return ["."]


@pytest.mark.parametrize(
    "spoil",
    [
        no_file_at_all,
        an_unreadable_file,
        a_huge_file,
        a_file_with_a_syntax_error,
        a_binary_file,
        a_pipe,
        a_link_that_leads_out,
        a_link_to_itself,
    ],
)
async def test_a_tree_with_a_bad_part_is_answered_and_the_next_call_works(
    tree: Path, spoil: Callable[[Path], list[str]]
) -> None:
    paths = spoil(tree)
    async with connected(tree) as client:
        for path in paths:
            for budget in (500, 4000, 20_000, "unlimited"):
                result = await client.call_tool("get_context", {"path": path, "token_budget": budget})
                assert budget == "unlimited" or served_tokens(result) <= int(budget)
                assert all("bug" not in text for text in texts(result)), texts(result)
                assert all("root:" not in text for text in texts(result))
                if path == ".":
                    assert not result.is_error
                    assert budget == 500 or "def main" in texts(result)[0]
        works = await client.call_tool("zoom", {"target": "main", "path": "."})
        assert "def main" in texts(works)[0]


async def test_one_file_is_a_tree_of_one(tree: Path) -> None:
    async with connected(tree) as client:
        result = await client.call_tool("get_context", {"path": str(tree / "src" / "main.py")})
    assert not result.is_error
    assert result.meta is not None
    assert result.meta["metadata"]["files_full"] == 1
    assert "def unused" in texts(result)[0]
