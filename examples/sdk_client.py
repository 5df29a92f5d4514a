"""Reads a code base through fractal-context with the client of the official MCP SDK.

    python examples/sdk_client.py FOLDER DEFINITION

It starts the server, asks for the folder within 2000 tokens and for the source of one definition, and prints both.
"""

import sys
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.types import TextContent


async def told(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Calls a tool and returns what it says; a wrong call says what to do instead."""
    result = await client.call_tool(tool, arguments)
    texts = [block.text for block in result.content if isinstance(block, TextContent)]
    if result.is_error:
        raise SystemExit(texts[0])
    return texts[0]


async def main(folder: str, definition: str) -> None:
    """Prints the context of a folder, then a definition in full."""
    server = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "fractal_context", "serve", "--root", folder]
    )
    async with Client(stdio_client(server)) as client:
        context = await told(client, "get_context", {"path": ".", "token_budget": "2k"})
        source = await told(client, "zoom", {"target": definition, "path": "."})
    sys.stdout.write(f"{context}\n{source}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    anyio.run(main, *sys.argv[1:])
