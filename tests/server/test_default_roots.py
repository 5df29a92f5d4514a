"""Calls without a path, and servers without a root: the client's folder, or the one the server was started in."""

from __future__ import annotations

import json
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import CreateMessageResult, ListRootsResult, Root, TextContent

from server.app import build_server
from server.cli import WRONG_CALL, run
from server.settings import Settings, Transport, read_settings
from tests.server.pipes import ERAS, RawServer, environment, forked_server
from tests.server.test_protocol import served_tokens, texts
from workspace.errors import InvalidArgumentError, OutsideRootsError
from workspace.roots import UnnamedRoots

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with two projects, in which the test runs."""
    folder = tmp_path / "home"
    for name in ("shop", "bank"):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.py").write_text(f"def open_{name}():\n    return 1\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    return folder


@asynccontextmanager
async def declaring(settings: Settings, *folders: Path | str, era: str = "2025-11-25") -> AsyncGenerator[Client]:
    """Gives a client that declares folders as its roots; `folders` may be changed meanwhile."""
    declared = [folder if isinstance(folder, str) else folder.as_uri() for folder in folders]

    async def roots(context: object) -> ListRootsResult:
        del context
        return ListRootsResult(roots=[Root.model_validate({"uri": uri}) for uri in declared])

    async with Client(build_server(settings), mode=ERAS[era], list_roots_callback=roots) as client:
        yield client


async def told(client: Client, tool: str = "get_context", **arguments: object) -> str:
    return texts(await client.call_tool(tool, dict(arguments)))[0]


@pytest.mark.parametrize("era", ERAS)
async def test_without_a_path_the_first_root_is_meant(home: Path, era: str) -> None:
    settings = read_settings(roots=[str(home / "shop"), str(home / "bank")])
    async with Client(build_server(settings), mode=ERAS[era]) as client:
        assert "+++ shop.py" in await told(client)
        assert "def open_shop" in await told(client, "zoom", target="open_shop")


async def test_the_folder_a_server_is_started_in_needs_no_flag(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "bank")
    async with Client(build_server(read_settings(environ={}))) as client:
        assert "+++ bank.py" in await told(client)
        assert "--root" in await told(client, path=str(home / "shop"))


@pytest.mark.parametrize("folder", [".", "..", "/"])
async def test_a_server_that_is_started_in_a_home_folder_or_above_shows_nothing_of_it(
    home: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    settings = read_settings(environ={})

    assert settings.roots.paths == ()
    async with Client(build_server(settings)) as client:
        for path in (".", str(home), str(home / "shop"), "shop/shop.py", "/etc/passwd"):
            said = await client.call_tool("get_context", {"path": path})
            assert said.is_error
            assert "--root" in texts(said)[0]
            assert "open_shop" not in texts(said)[0]
        zoomed = await client.call_tool("zoom", {"target": "open_shop"})
        assert zoomed.is_error


@pytest.mark.parametrize("era", ERAS)
async def test_the_folders_that_a_client_declares_are_read_instead(home: Path, era: str) -> None:
    async with declaring(read_settings(environ={}), home / "shop", home / "bank", era=era) as client:
        assert "+++ shop.py" in await told(client)
        assert "+++ bank.py" in await told(client, path=str(home / "bank"))
        assert "--root" in await told(client, path=str(home))


@pytest.mark.parametrize("era", ERAS)
async def test_whoever_looks_at_the_first_of_several_roots_learns_of_the_others(home: Path, era: str) -> None:
    line = f"⋮ Other roots, each a `path`: {home / 'bank'}.\n"
    async with declaring(read_settings(environ={}), home / "shop", home / "bank", era=era) as client:
        first = await told(client)
        assert first.startswith(f"{line}+++ shop.py")
        assert (await told(client, query="open")).startswith(line)
        for arguments in ({"path": str(home / "shop")}, {"focus": "open_shop"}, {"path": str(home / "bank")}):
            assert "Other roots" not in await told(client, **arguments)
        missed = await told(client, focus="open_bank")
        assert missed.startswith("focus names 'open_bank', which is no file, glob or symbol here.")
        assert missed.endswith(f" Other roots, each a `path`: {home / 'bank'}.")
        assert "Other roots" not in await told(client, path=str(home / "shop"), focus="open_bank")
        for budget in (64, 500, 520, 600):
            result = await client.call_tool("get_context", {"token_budget": budget})
            assert served_tokens(result) <= budget
        assert "def open_bank" in await told(client, "zoom", target="open_bank")
        assert (await told(client, "zoom", target=".")).endswith(line)
        assert "Other roots" not in await told(client, "zoom", target=".", path=str(home / "shop"))
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        assert listed == ["context://.", f"context://{home / 'bank'}"]
        (content,) = (await client.read_resource(listed[1])).contents
        assert "+++ bank.py" in content.model_dump_json()
    async with declaring(read_settings(environ={}), home / "shop", era=era) as client:
        assert (await told(client)).startswith("+++ shop.py")
        assert [str(one.uri) for one in (await client.list_resources()).resources] == ["context://."]


@pytest.mark.parametrize("era", ERAS)
async def test_a_resource_asks_the_client_as_well(home: Path, era: str) -> None:
    async with declaring(read_settings(environ={}), home / "shop", era=era) as client:
        (content,) = (await client.read_resource("symbol://open_shop")).contents
        assert "def open_shop" in content.model_dump_json()


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_too_wide_is_not_read_because_a_client_declares_it(
    home: Path, era: str, caplog: pytest.LogCaptureFixture
) -> None:
    far = ["https://a.example/"] if era == "2025-11-25" else []  # which clients of the newer one cannot say
    for wide in (home, "file:///", home.parent, *far, "file:///no/such/folder"):
        async with declaring(read_settings(environ={}), wide, era=era) as client:
            assert "--root" in await told(client)
            assert "--root" in await told(client, path=str(home / "shop"))
    assert "is not read" in caplog.text
    async with declaring(read_settings(environ={}), home, home / "bank") as client:
        assert "+++ bank.py" in await told(client)


@pytest.mark.parametrize(
    "result",
    [
        {"roots": [{"uri": "vscode-vfs://github/a/b"}, {"uri": "GOOD"}, {"uri": "https://a.example/"}]},
        {"roots": [{"uri": "GOOD"}, {"uri": "/tmp/x"}, {"uri": "file://[x"}, {"uri": 7}, "/tmp/x", None]},
        {"roots": [{"uri": "https://a.example/"}]},
        {"roots": None},
        {},
    ],
)
def test_roots_that_are_no_folders_of_this_machine_cost_no_call_and_no_other_root(
    home: Path, result: dict[str, Any]
) -> None:
    said = json.loads(json.dumps(result).replace("GOOD", (home / "shop").as_uri()))
    with RawServer(home / "bank", program=[*forked_server()], is_rooted=False) as server:
        server.initialize(roots={})
        call = server.call("get_context")
        asked = server.receive()
        assert asked["method"] == "roots/list"
        server.write((json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}) + "\n").encode())
        shown = server.answer_to(call)["content"][0]["text"]
        assert ("+++ shop.py" if "GOOD" in json.dumps(result) else "+++ bank.py") in shown
        again = server.answer_to(server.call("get_context"))  # the client is asked once
        assert again["content"][0]["text"] == shown
        assert b"Traceback" not in server.rest()


@pytest.mark.parametrize("era", ERAS)
async def test_roots_that_are_named_stand_whatever_a_client_declares(home: Path, era: str) -> None:
    async with declaring(read_settings(roots=[str(home / "shop")], environ={}), home / "bank", era=era) as client:
        assert "+++ shop.py" in await told(client)
        assert "--root" in await told(client, path=str(home / "bank"))


@pytest.mark.parametrize("era", ERAS)
async def test_over_a_pipe_a_client_that_declares_its_folder_needs_no_path(home: Path, era: str) -> None:
    async def roots(context: object) -> ListRootsResult:
        del context
        return ListRootsResult(roots=[Root.model_validate({"uri": (home / "shop").as_uri()})])

    started = StdioServerParameters(
        command=sys.executable, args=[*forked_server()], env=environment({"HOME": str(home)}), cwd=home
    )
    async with Client(stdio_client(started), mode=ERAS[era], list_roots_callback=roots) as client:
        assert "def open_shop" in await told(client, include="shop.py")
        assert "def open_shop" in await told(client, "zoom", target="open_shop")
        assert "--root" in await told(client, path=str(home / "bank"))


async def test_a_history_that_the_clients_model_sums_up_asks_for_the_roots_first(home: Path) -> None:
    asked: list[str] = []

    async def roots(context: object) -> ListRootsResult:
        del context
        asked.append("roots")
        return ListRootsResult(roots=[Root.model_validate({"uri": (home / "shop").as_uri()})])

    async def sample(context: object, params: object) -> CreateMessageResult:
        del context, params
        asked.append("summary")
        return CreateMessageResult(role="assistant", content=TextContent(text="no summary"), model="m")

    messages = [{"role": role, "content": f"{role} {'word ' * 500}"} for role in ("user", "assistant") * 20]
    server = build_server(read_settings(environ={}))
    async with Client(server, list_roots_callback=roots, sampling_callback=sample) as client:
        done = await client.call_tool("compact_history", {"messages": messages, "dry_run": True})
    assert not done.is_error
    assert asked == ["roots", "summary"]


async def test_over_http_nobody_is_asked(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgumentError, match="--root"):
        read_settings(transport=Transport.STREAMABLE_HTTP, environ={})
    monkeypatch.chdir(home / "shop")
    settings = read_settings(transport=Transport.STREAMABLE_HTTP, environ={})
    async with declaring(settings, home / "bank") as client:
        assert "+++ shop.py" in await told(client)
        assert "--root" in await told(client, path=str(home / "bank"))


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_a_client_that_says_its_folders_changed_is_asked_again(home: Path) -> None:
    declared = [home / "shop"]

    async def roots(context: object) -> ListRootsResult:
        del context
        return ListRootsResult(roots=[Root.model_validate({"uri": folder.as_uri()}) for folder in declared])

    server = build_server(read_settings(environ={}))
    async with Client(server, mode="legacy", list_roots_callback=roots) as client:
        assert "+++ shop.py" in await told(client)
        declared[:] = [home / "bank"]
        await client.session.send_roots_list_changed()  # pyright: ignore[reportDeprecated] - clients of that era send it
        while "+++ bank.py" not in await told(client):  # a notification may be read after the call behind it
            pass
        assert "--root" in await told(client, path=str(home / "shop"))


async def test_a_plain_string_stands_for_a_list_of_it(home: Path) -> None:
    async with Client(build_server(read_settings(roots=[str(home)]))) as client:
        assert "bank.py" not in await told(client, include="shop/")
        assert "bank.py" not in await told(client, exclude="bank/")
        assert "bank.py" in await told(client, include="")
        assert "def open_bank" in await told(client, focus="open_bank")
        short = await client.call_tool("compress", {"text": "- a: b\n", "adapters": "yaml", "engine": "none"})
        assert not short.is_error


def test_on_the_command_line_the_folder_one_stands_in_is_meant(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["pack"]) == WRONG_CALL
    assert run(["zoom", "open_shop"]) == WRONG_CALL
    assert b"name the folder" in capfdbinary.readouterr().err
    assert run(["pack", "."]) == 0
    assert b"open_shop" in capfdbinary.readouterr().out
    assert run(["pack", "--root", str(home / "bank")]) == 0
    assert b"+++ bank.py" in capfdbinary.readouterr().out
    monkeypatch.chdir(home / "shop")
    assert run(["pack"]) == 0
    assert b"+++ shop.py" in capfdbinary.readouterr().out


def test_roots_that_nobody_named_refuse_all_until_one_is_declared(home: Path) -> None:
    roots = UnnamedRoots(home)
    with pytest.raises(OutsideRootsError, match="--root"):
        roots.resolve("shop")
    assert not roots.holds_place(str(home / "shop"))
    assert roots.declare([str(home / "nowhere"), "", "a\0b"]) == [str(home / "nowhere"), "", "a\0b"]
    assert roots.paths == ()
    assert roots.declare([str(home / "shop")]) == []
    assert roots.resolve("shop.py") == home / "shop" / "shop.py"
