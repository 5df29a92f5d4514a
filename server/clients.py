"""The table of the clients that start the server, from which every file for a client is made.

`python -m scripts.clients` writes the files in `clients/` from it, `setup` the configuration of a user. Where each
format is told stands in `tests/server/client_schemas/README.md`.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "fractal-context"
TITLE = "Fractal Context"
SUMMARY = "Hands a model the right part of a code base, within a hard token budget."
PACKAGE_PAGE = "https://pypi.org/project/fractal-context/"
FOLDER = "/absolute/path/to/your/project"
"""Stands in the files for the folder that a reader puts there."""

GUIDANCE = """\
Reading code with fractal-context:

1. Begin with `get_context` and your task in words as `query`: what it is about comes first, in full, and the rest of the
   code base as signatures or by name. Without a task, call it without a query: it shows the whole folder.
2. `zoom` by the names that were shown (`Config.load`, `src/a.py::Config`, `src/a.py:10-40`), several at once as a list.
   `context` "callers" or "tests" shows who uses a definition. Do not read whole files for one definition.
3. Before you review or commit, call `get_context` with `changed` "worktree".
4. Stop searching when you can name the definitions that have to change and what calls them. What a context does not show
   it names or counts: zoom there instead of searching for it again.
"""
"""The advice by which a client's model saves itself time; short, because some clients keep it in view."""


class Syntax(StrEnum):
    """The syntaxes of configurations; JSON of these clients may hold comments and commas before a bracket."""

    JSON = "json"
    TOML = "toml"


class Form(StrEnum):
    """The forms of an entry, by the way in which it names the command to start."""

    PLAIN = "command and args"
    TYPED = "type, command and args"
    LOCAL = "type local, and a list that begins with the command"


class Client(msgspec.Struct, frozen=True, kw_only=True):
    """One client.

    Attributes:
        name: as `setup --client` takes it.
        title: as people call it.
        file: its configuration; relative to the project, or behind `~/` or a variable of the environment.
        elsewhere: the file on another system, by `sys.platform`.
        key: under which the servers stand in it.
        form: how an entry is written.
        root: what stands behind `--root`: the client's own word for the open folder; "" where it starts the server
            in the project or declares it; None where the folder must be written out.
        guidance: the file in the project that the client gives to its model; "" where none is known.
        syntax: what the file is written in.
    """

    name: str
    title: str
    file: str
    key: str
    elsewhere: dict[str, str] = msgspec.field(default_factory=dict[str, str])
    form: Form = Form.PLAIN
    root: str | None = None
    guidance: str = ""
    syntax: Syntax = Syntax.JSON


CLIENTS = (
    Client(
        name="claude-code",
        title="Claude Code",
        file=".mcp.json",
        key="mcpServers",
        root="",
        guidance="CLAUDE.md",
    ),
    Client(
        name="claude-desktop",
        title="Claude Desktop",
        file="~/.config/Claude/claude_desktop_config.json",
        elsewhere={
            "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "$APPDATA/Claude/claude_desktop_config.json",
        },
        key="mcpServers",
    ),
    Client(name="cursor", title="Cursor", file="~/.cursor/mcp.json", key="mcpServers", guidance="AGENTS.md"),
    Client(
        name="vscode",
        title="VS Code",
        file=".vscode/mcp.json",
        key="servers",
        form=Form.TYPED,
        root="${workspaceFolder}",
        guidance="AGENTS.md",
    ),
    Client(
        name="gemini",
        title="Gemini CLI",
        file=".gemini/settings.json",
        key="mcpServers",
        root="",
        guidance="GEMINI.md",
    ),
    Client(
        name="codex",
        title="Codex",
        file="~/.codex/config.toml",
        key="mcp_servers",
        root="",
        guidance="AGENTS.md",
        syntax=Syntax.TOML,
    ),
    Client(
        name="opencode",
        title="opencode",
        file="opencode.json",
        key="mcp",
        form=Form.LOCAL,
        root="",
        guidance="AGENTS.md",
    ),
    Client(
        name="zed",
        title="Zed",
        file="~/.config/zed/settings.json",
        elsewhere={"win32": "$APPDATA/Zed/settings.json"},
        key="context_servers",
        guidance="AGENTS.md",
    ),
)
"""Every client, the ones that work on a project's folder by themselves first."""


def client_named(name: str) -> Client | None:
    """Returns the client of a name; None where there is none."""
    return next((client for client in CLIENTS if client.name == name), None)


def arguments(client: Client, folders: Sequence[str] = ()) -> list[str]:
    """Returns the words behind the command that start the server for a client.

    Args:
        client: whom it serves.
        folders: to read; none leaves it to the client, or to the reader of the file where it has to be written out.
    """
    roots = folders or ([client.root] if client.root else [FOLDER] if client.root is None else [])
    return ["serve", *(word for root in roots for word in ("--root", root))]


def entry(client: Client, words: Sequence[str], command: str = NAME) -> dict[str, object]:
    """Returns what stands under the server's name in a client's configuration.

    Args:
        client: whose it is.
        words: the arguments of the command.
        command: the program.
    """
    match client.form:
        case Form.PLAIN:
            return {"command": command, "args": [*words]}
        case Form.TYPED:
            return {"type": "stdio", "command": command, "args": [*words]}
        case Form.LOCAL:
            return {"type": "local", "command": [command, *words], "enabled": True}


def toml_table(key: str, server: dict[str, object]) -> str:
    """Returns a server as a table of TOML, whose strings and lists are written as JSON writes them.

    Args:
        key: the table of all servers.
        server: the entry.
    """
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in server.items()]
    return "\n".join([f"[{key}.{NAME}]", *lines, ""])
