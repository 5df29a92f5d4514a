"""The files for clients: they are those that the table makes, keep to their schemas, and start a server that answers."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import anyio
import jsonschema
import pytest
import yaml
from jsonschema.validators import validator_for
from mcp import Client as McpClient
from mcp.client.stdio import StdioServerParameters, stdio_client

from scripts.clients import CLIENT_FILES, HOME, MARKETPLACE, VERSION, files, manifest, marketplace, write_bundle
from server.clients import CLIENTS, FOLDER, NAME, SUMMARY, Form, Syntax
from tests.server.pipes import EXIT_TIMEOUT, environment

SCHEMAS = Path(__file__).with_name("client_schemas")
TOOLS = {"get_context", "zoom", "compact_history", "compress"}
MADE = files()


def schema(name: str) -> dict[str, Any]:
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def checked(value: Any, name: str) -> None:
    rules = schema(name)
    validator_for(rules, default=jsonschema.Draft7Validator)(rules).validate(value)  # pyright: ignore[reportUnknownMemberType] - not typed


def servers() -> dict[str, dict[str, Any]]:
    """Returns the entry of the server in every configuration that is written for a client."""
    found: dict[str, dict[str, Any]] = {}
    for client in CLIENTS:
        text = MADE[f"{client.name}.{client.syntax}"]
        whole = tomllib.loads(text) if client.syntax is Syntax.TOML else json.loads(text)
        assert list(whole) == [client.key]
        found[client.name] = whole[client.key][NAME]
    found["claude-code plugin"] = json.loads(MADE["claude-code/.claude-plugin/plugin.json"])["mcpServers"][NAME]
    found["gemini extension"] = json.loads(MADE["gemini/gemini-extension.json"])["mcpServers"][NAME]
    return found


def links() -> dict[str, dict[str, Any]]:
    """Returns what the install links hold."""
    code, cursor = (str(link) for link in re.findall(r"<((?:vscode|cursor):\S+)>", MADE["links.md"]))
    asked = parse_qs(urlsplit(cursor).query)
    assert asked["name"] == [NAME]
    return {
        "vscode": json.loads(unquote(code.removeprefix("vscode:mcp/install?"))),
        "cursor": json.loads(base64.b64decode(asked["config"][0])),
    }


def test_the_files_in_the_repository_are_those_that_the_table_makes() -> None:
    """Run `python -m scripts.clients` after a change."""
    there = {path.relative_to(CLIENT_FILES).as_posix() for path in CLIENT_FILES.rglob("*") if path.is_file()}

    assert there == set(MADE)
    for name, text in MADE.items():
        assert (CLIENT_FILES / name).read_text(encoding="utf-8") == text, name


def test_the_hook_of_the_plugin_offers_compaction_before_it_happens() -> None:
    plugin = json.loads(MADE["claude-code/.claude-plugin/plugin.json"])
    (matched,) = plugin["hooks"]["PreCompact"]
    assert matched["matcher"] == "auto"
    (hook,) = matched["hooks"]
    said = subprocess.run(["sh", "-c", hook["command"]], capture_output=True, text=True, check=True)
    assert not said.stderr
    offered = json.loads(said.stdout)["systemMessage"]
    name = re.findall(r"/([\w-]+):([\w-]+)", offered)
    assert name == [(plugin["name"], "compact")]
    assert "claude-code/commands/compact.md" in MADE


def test_the_marketplace_lists_the_plugin_that_is_there() -> None:
    assert MARKETPLACE.read_text(encoding="utf-8") == marketplace()
    (plugin,) = json.loads(marketplace())["plugins"]
    there = HOME / plugin["source"] / ".claude-plugin/plugin.json"
    assert json.loads(there.read_text(encoding="utf-8"))["name"] == plugin["name"]


def test_each_file_keeps_to_its_published_schema() -> None:
    checked(json.loads(marketplace()), "claude-code-marketplace")
    checked(manifest(), "mcpb-manifest-0.4")
    checked(json.loads(MADE["server.json"]), "mcp-registry-server-2025-12-11")
    checked(json.loads(MADE["claude-code/.claude-plugin/plugin.json"]), "claude-code-plugin")
    found = servers()
    checked(found["gemini"], "gemini-mcp-server")
    checked(found["gemini extension"], "gemini-mcp-server")
    checked(found["codex"], "codex-mcp-server")


def test_the_schemas_refuse_what_is_wrong() -> None:
    with pytest.raises(jsonschema.ValidationError):
        checked(manifest() | {"server": {"type": "perl"}}, "mcpb-manifest-0.4")
    with pytest.raises(jsonschema.ValidationError):
        checked(json.loads(MADE["server.json"]) | {"description": "x" * 101}, "mcp-registry-server-2025-12-11")
    with pytest.raises(jsonschema.ValidationError):
        checked({"version": VERSION}, "claude-code-plugin")
    with pytest.raises(jsonschema.ValidationError):
        checked({"comand": "x"}, "gemini-mcp-server")
    with pytest.raises(jsonschema.ValidationError):
        checked({"comand": "x"}, "codex-mcp-server")


def test_an_entry_has_the_fields_that_its_client_documents() -> None:
    fields = {
        Form.PLAIN: {"command": str, "args": list},
        Form.TYPED: {"type": str, "command": str, "args": list},
        Form.LOCAL: {"type": str, "command": list, "enabled": bool},
    }
    for client in CLIENTS:
        server = servers()[client.name]
        assert {name: type(value) for name, value in server.items()} == fields[client.form], client.name
    assert links()["vscode"] == {"name": NAME, "type": "stdio", "command": "uvx", "args": [NAME, "serve"]}
    assert links()["cursor"] == {"command": "uvx", "args": [NAME, "serve"]}


def test_commands_and_skills_have_what_their_clients_read() -> None:
    for name in ("overview", "review", "compact"):
        head, _, body = MADE[f"claude-code/commands/{name}.md"].removeprefix("---\n").partition("\n---\n")
        assert yaml.safe_load(head)["description"]
        command = tomllib.loads(MADE[f"gemini/commands/fractal/{name}.toml"])
        assert set(command) == {"description", "prompt"}
        assert any(tool in body and tool in command["prompt"] for tool in TOOLS)
    assert "$ARGUMENTS" in MADE["claude-code/commands/overview.md"]
    assert "{{args}}" in MADE["gemini/commands/fractal/overview.toml"]
    head = yaml.safe_load(MADE["claude-code/skills/reading-code/SKILL.md"].split("---")[1])
    assert set(head) == {"name", "description"}
    extension = json.loads(MADE["gemini/gemini-extension.json"])
    assert set(extension) == {"name", "version", "description", "mcpServers", "contextFileName"}
    assert f"gemini/{extension['contextFileName']}" in MADE
    assert len(SUMMARY) <= 100


def test_the_container_runs_as_nobody_and_is_told_to_write_nothing() -> None:
    lines = MADE["Dockerfile"].splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001"]
    assert lines.index("USER 10001") < next(at for at, line in enumerate(lines) if line.startswith("ENTRYPOINT"))
    assert "--read-only --network none --cap-drop ALL" in MADE["Dockerfile"]
    started = [json.loads(line.split(" ", 1)[1]) for line in lines if line.startswith(("ENTRYPOINT", "CMD"))]
    assert started == [[NAME], ["serve", "--root", "/code"]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project, and beside it what stands for the installed command and for uvx."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "shop.py").write_text("def price():\n    return 1\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    run = f'exec {sys.executable} -m fractal_context "$@"\n'
    for name, script in ((NAME, run), ("uvx", f'[ "$1" = {NAME} ] || exit 9\nshift\n{run}')):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    return folder


async def answers(command: str, words: list[str], project: Path) -> bool:
    """Starts a server as a client does, and tells whether it lists its tools."""
    path = f"{project.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    parameters = StdioServerParameters(command=command, args=words, env=environment({"PATH": path}), cwd=project)
    async with McpClient(stdio_client(parameters), read_timeout_seconds=EXIT_TIMEOUT) as client:
        return {tool.name for tool in (await client.list_tools()).tools} == TOOLS


async def test_each_file_starts_a_server_that_answers(project: Path) -> None:
    started: set[tuple[str, ...]] = set()
    for name, server in (*servers().items(), *links().items()):
        command = server["command"]
        words = [command, *server["args"]] if isinstance(command, str) else command
        words = [str(project) if word in {FOLDER, "${workspaceFolder}"} else word for word in words]
        if tuple(words) not in started:
            assert await answers(words[0], words[1:], project), name
            started.add(tuple(words))
    (package,) = json.loads(MADE["server.json"])["packages"]
    words = [
        package["runtimeHint"],
        package["identifier"],
        *(one.get("value") or one["name"] for one in package["packageArguments"]),
    ]
    assert (*words, str(project)) == ("uvx", NAME, "serve", "--root", str(project))
    assert len(started) == 3


async def test_the_bundle_starts_a_server_where_it_is_unpacked(project: Path, tmp_path: Path) -> None:
    words = unpacked(tmp_path)
    assert words[:5] == ["run", "--directory", str(tmp_path / "unpacked"), "--no-dev", "main.py"]

    program = [str(tmp_path / "unpacked" / "main.py"), *words[5:-1], str(project)]
    assert await answers(sys.executable, program, project)


def unpacked(place: Path) -> list[str]:
    """Unpacks the bundle and returns the arguments of its command, the folder of the bundle put in."""
    for name in ("one.mcpb", "two.mcpb"):
        write_bundle(place / name)
    assert (place / "one.mcpb").read_bytes() == (place / "two.mcpb").read_bytes()
    with zipfile.ZipFile(place / "one.mcpb") as bundle:
        bundle.extractall(place / "unpacked")
    told = json.loads((place / "unpacked" / "manifest.json").read_text(encoding="utf-8"))
    assert (place / "unpacked" / told["server"]["entry_point"]).exists()
    assert (place / "unpacked" / "skeleton" / "languages" / "zig.scm").exists()
    config = told["server"]["mcp_config"]
    assert config["command"] == "uv"
    return [word.replace("${__dirname}", str(place / "unpacked")) for word in config["args"]]


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_the_bundle_starts_by_uv(project: Path, tmp_path: Path) -> None:
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    words = unpacked(tmp_path)
    await anyio.run_process([uv, "sync", "--directory", str(tmp_path / "unpacked"), "--no-dev"])

    assert await answers(uv, [*words[:-1], str(project)], project)


def test_every_file_that_is_bundled_is_kept_by_git() -> None:
    kept = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=HOME, capture_output=True, text=True, check=True
    )
    assert {f"clients/{name}" for name in MADE} <= set(kept.stdout.splitlines())
