"""The resources that an application may put before a model by itself: contexts, skeletons and definitions.

Three templates, each a view of what a tool gives, over the same engines and through the same roots: `context://src`,
`skeleton://src/a.py` and `symbol://Config.load`. The framework refuses NUL and `..` that climb out before an engine sees
them; the roots refuse all else that leads out: absolute paths, which tell several roots apart, and links.
"""

# No postponed annotations here: the signatures of the resources are evaluated by the framework.

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.resources import ResourceSecurity
from mcp.types import Annotations, CallToolResult, Resource, TextContent

from server.replies import as_unicode
from server.tools import CodeTools
from server.wording import told
from workspace.errors import (
    FractalContextError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    SymbolNotFoundError,
)
from workspace.git.repositories import SCHEME, NamedRoots
from workspace.paths import slashed
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from mcp.server.mcpserver import MCPServer

PLAIN = "text/plain"
CONTEXT_URI = "context://{+path}"
SKELETON_URI = "skeleton://{+path}"
SYMBOL_URI = "symbol://{+target}"
FOR_MODELS = Annotations(audience=["assistant"])
WHOLE = Resource(
    uri="context://.",
    name="context",
    title="The code base",
    description="The whole root within the default token budget",
    mime_type=PLAIN,
    annotations=FOR_MODELS,
)
"""The one resource that is listed by its address; the first template serves it."""


ANY_PATH = ResourceSecurity(reject_absolute_paths=False)
"""Every path goes through the roots, and a target is no path alone: `C::load` would be refused as a drive."""

WRONG_ADDRESS = (PathNotFoundError, OutsideRootsError, SymbolNotFoundError, InvalidArgumentError)
"""Mistakes of the caller, which the protocol tells from those of the server (-32602, not -32603)."""


def whole_of(roots: Roots) -> "list[Resource]":
    """Returns the resources that are listed: the whole of each root, or each repository that has a name."""
    if isinstance(roots, NamedRoots):
        return [_whole(f"{SCHEME}{name}", name) for name in roots.names]
    return [WHOLE, *(_whole(slashed(os.fspath(root)), root.name) for root in roots.paths[1:])]


def _whole(path: str, name: str) -> Resource:
    return WHOLE.model_copy(update={"uri": f"context://{quote(path, safe='/:@')}", "name": name, "title": name})


def add_resources(server: "MCPServer[Any]", tools: CodeTools) -> None:
    """Adds the resources to a server, over the engines of its tools."""

    async def context(path: str, ctx: Context[Any, Any]) -> str:
        return await _text(tools.get_context(ctx, path))

    async def skeleton(path: str, ctx: Context[Any, Any]) -> str:
        return await _text(tools.get_context(ctx, path, skeleton="enabled", max_level="L1"))

    async def symbol(target: str, ctx: Context[Any, Any]) -> str:
        return await _text(tools.zoom(ctx, target, "."))

    server.resource(
        CONTEXT_URI,
        name="context of a path",
        title="Context of a folder or file",
        description="A folder or file within the default token budget, e.g. context://src",
        mime_type=PLAIN,
        annotations=FOR_MODELS,
        security=ANY_PATH,
    )(context)
    server.resource(
        SKELETON_URI,
        name="skeleton of a path",
        title="Skeleton of a folder or file",
        description="Signatures, types and docs without bodies, e.g. skeleton://src/a.py",
        mime_type=PLAIN,
        annotations=FOR_MODELS,
        security=ANY_PATH,
    )(skeleton)
    server.resource(
        SYMBOL_URI,
        name="definition",
        title="Source of a definition",
        description="The exact source, e.g. symbol://Config.load or symbol://src/a.py::Config",
        mime_type=PLAIN,
        annotations=FOR_MODELS,
        security=ANY_PATH,
    )(symbol)


async def _text(reply: "Awaitable[CallToolResult]") -> str:
    """Returns the first text of a tool's result.

    Raises:
        ResourceError: the call was wrong; the message says what to do instead.
    """
    try:
        result = await reply
    except FractalContextError as error:
        kind = ResourceNotFoundError if isinstance(error, WRONG_ADDRESS) else ResourceError
        raise kind(as_unicode(told(error))) from error
    (first, *_) = (block for block in result.content if isinstance(block, TextContent))
    return first.text
