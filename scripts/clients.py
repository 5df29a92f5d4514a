"""Writes the files that clients install the server by, from the table of clients and from the project's own files.

python -m scripts.clients               writes clients/
python -m scripts.clients --bundle F    writes the MCP bundle
"""

from __future__ import annotations

import base64
import json
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from server.clients import (
    CLIENTS,
    GUIDANCE,
    NAME,
    PACKAGE_PAGE,
    SUMMARY,
    TITLE,
    Syntax,
    arguments,
    client_named,
    entry,
    toml_table,
)
from server.prompts import explore_code, hand_over_conversation, review_work_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).resolve().parents[1]
CLIENT_FILES = HOME / "clients"
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION: str = PROJECT["version"]
PUBLISHER: str = PROJECT["authors"][0]["name"]
LICENSE: str = PROJECT["license"]
REGISTRY_NAME = f"io.github.{NAME}/{NAME}"
PACKAGES = ("fractal_context", "server", "allocator", "compaction", "skeleton", "workspace")
UVX = ("uvx", [NAME, "serve"])
"""Starts the server where nothing is installed but uv."""

ENTRY = "main.py"
MARKETPLACE = HOME / ".claude-plugin" / "marketplace.json"
"""The place where Claude Code looks for the plugins of a repository."""

_OFFER = "echo '" + json.dumps({"systemMessage": f"/{NAME}:compact keeps every message of yours, word for word."}) + "'"
"""The plugin's words before Claude Code compacts a conversation by itself: what a hook prints as JSON is shown."""

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_COMMANDS = {
    "overview": ("Get to know this code base within a token budget", explore_code),
    "review": ("Review what has changed in the work tree", review_work_tree),
    "compact": ("Hand this conversation over to a new one", hand_over_conversation),
}


def files() -> dict[str, str]:
    """Returns the files in `clients/`, by their paths in it."""
    made = {f"{client.name}.{client.syntax}": _configuration(client.name) for client in CLIENTS}
    command, words = UVX
    server = {NAME: {"command": command, "args": words}}
    about = {"name": NAME, "version": VERSION, "description": SUMMARY}
    made["claude-code/.claude-plugin/plugin.json"] = _json(
        about
        | {"author": {"name": PUBLISHER}, "license": LICENSE, "homepage": PACKAGE_PAGE, "mcpServers": server}
        | {"hooks": {"PreCompact": [{"matcher": "auto", "hooks": [{"type": "command", "command": _OFFER}]}]}}
    )
    made["claude-code/skills/reading-code/SKILL.md"] = (
        "---\nname: reading-code\ndescription: Use when code of a project has to be found, read or reviewed\n---\n\n"
        f"{GUIDANCE}"
    )
    made["gemini/gemini-extension.json"] = _json(about | {"mcpServers": server, "contextFileName": "GEMINI.md"})
    made["gemini/GEMINI.md"] = GUIDANCE
    for name in _COMMANDS:
        summary, typed = _COMMANDS[name][0], _prompt(name, "$ARGUMENTS")
        made[f"claude-code/commands/{name}.md"] = f"---\ndescription: {summary}\n---\n\n{typed}\n"
        prompt = _prompt(name, "{{args}}")
        made[f"gemini/commands/fractal/{name}.toml"] = f'description = "{summary}"\nprompt = """\n{prompt}\n"""\n'
    made["server.json"] = _json(_registry())
    made["links.md"] = _links()
    made["Dockerfile"] = _DOCKERFILE
    return made


def marketplace() -> str:
    """Returns the list of this repository's plugins, which is one."""
    plugin = {"name": NAME, "source": "./clients/claude-code", "description": SUMMARY, "version": VERSION}
    more = {"author": {"name": PUBLISHER}, "homepage": PACKAGE_PAGE, "license": LICENSE}
    return _json({"name": NAME, "owner": {"name": PUBLISHER}, "plugins": [plugin | more]})


def manifest() -> dict[str, object]:
    """Returns the manifest of the MCP bundle: uv makes its environment, and its user picks the folders."""
    started = ["run", "--directory", "${__dirname}", "--no-dev", ENTRY, "serve", "${user_config.folders}"]
    return {
        "manifest_version": "0.4",
        "name": NAME,
        "display_name": TITLE,
        "version": VERSION,
        "description": SUMMARY,
        "author": {"name": PUBLISHER},
        "homepage": PACKAGE_PAGE,
        "server": {"type": "uv", "entry_point": ENTRY, "mcp_config": {"command": "uv", "args": started}},
        "tools_generated": True,
        "prompts_generated": True,
        "keywords": ["code", "context", "skeleton"],
        "license": LICENSE,
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": ">=3.11"}},
        "user_config": {
            "folders": {
                "type": "directory",
                "title": "Folders",
                "description": "What may be read: your projects. Nothing outside is.",
                "multiple": True,
                "required": True,
            }
        },
    }


def write_bundle(target: Path) -> None:
    """Writes the MCP bundle: the manifest, our packages and what uv builds them by; the same files give the same bytes.

    Args:
        target: the file, which is replaced.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, content in sorted({**_bundled(), "manifest.json": _json(manifest()).encode()}.items()):
            bundle.writestr(zipfile.ZipInfo(name, _EARLIEST), content, zipfile.ZIP_DEFLATED)


def _bundled() -> dict[str, bytes]:
    found = {name: (HOME / name).read_bytes() for name in ("pyproject.toml", "README.md", "LICENSE")}
    found[ENTRY] = b"from fractal_context.__main__ import main\n\nmain()\n"
    for package in PACKAGES:
        for path in _kept(HOME / package):
            found[path.relative_to(HOME).as_posix()] = path.read_bytes()
    return found


def _kept(package: Path) -> Iterator[Path]:
    return (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def _configuration(name: str) -> str:
    client = client_named(name)
    assert client is not None
    server = entry(client, arguments(client))
    if client.syntax is Syntax.TOML:
        return toml_table(client.key, server)
    return _json({client.key: {NAME: server}})


def _prompt(name: str, typed: str) -> str:
    match name:
        case "overview":
            return explore_code(question=typed)
        case "review":
            return review_work_tree()
        case _:
            return hand_over_conversation(typed)


def _registry() -> dict[str, object]:
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": REGISTRY_NAME,
        "title": TITLE,
        "description": SUMMARY,
        "version": VERSION,
        "websiteUrl": PACKAGE_PAGE,
        "packages": [
            {
                "registryType": "pypi",
                "registryBaseUrl": "https://pypi.org",
                "identifier": NAME,
                "version": VERSION,
                "runtimeHint": UVX[0],
                "transport": {"type": "stdio"},
                "packageArguments": [
                    {"type": "positional", "value": "serve"},
                    {
                        "type": "named",
                        "name": "--root",
                        "description": "A folder that may be read",
                        "format": "filepath",
                        "isRequired": True,
                        "isRepeated": True,
                    },
                ],
            }
        ],
    }


def _links() -> str:
    command, words = UVX
    server = {"command": command, "args": words}
    code = quote(json.dumps({"name": NAME, "type": "stdio"} | server, separators=(",", ":")), safe="")
    cursor = quote(base64.b64encode(json.dumps(server, separators=(",", ":")).encode()).decode(), safe="")
    return (
        "# Install by a link\n\n"
        "Each asks before it adds the server; uv has to be installed.\n\n"
        f"- VS Code: <vscode:mcp/install?{code}>\n"
        f"- Cursor: <cursor://anysphere.cursor-deeplink/mcp/install?name={NAME}&config={cursor}>\n"
    )


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


_DOCKERFILE = """\
# The server in a container that reads one folder and writes nothing. Build it where dist/ lies (make dist), then:
#   docker build -f clients/Dockerfile -t fractal-context .
#   docker run -i --rm --read-only --network none --cap-drop ALL -v "$PWD:/code:ro" --tmpfs /tmp fractal-context
# With --build-arg EXTRA=[llmlingua] it holds torch and llmlingua as well.
FROM python:3.13-slim

ARG EXTRA=""
COPY dist/*.whl /tmp/
# What is installed is the wheel of this commit, by its file: there is no version to choose.
# hadolint ignore=DL3013
RUN set -eu; wheel=$(ls /tmp/*.whl); python -m pip install --no-cache-dir "${wheel}${EXTRA}"; rm /tmp/*.whl; \\
    useradd --create-home --uid 10001 reader

USER 10001
WORKDIR /code
ENV FRACTAL_CONTEXT_CACHE=off
ENTRYPOINT ["fractal-context"]
CMD ["serve", "--root", "/code"]
"""


def main(words: list[str]) -> None:
    """Writes what the command line asks for."""
    if words[:1] == ["--bundle"]:
        write_bundle(Path(words[1]))
        return
    for name, text in files().items():
        (CLIENT_FILES / name).parent.mkdir(parents=True, exist_ok=True)
        (CLIENT_FILES / name).write_text(text, encoding="utf-8")
    MARKETPLACE.parent.mkdir(exist_ok=True)
    MARKETPLACE.write_text(marketplace(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
