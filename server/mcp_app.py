"""The page of a report inside an MCP client: the view of `get_context`, by the extension MCP Apps (SEP-1865).

The tool names a `ui://` resource that a host of the extension shows beside a result. The page asks its host for the
record of the same arguments, which is a resource too, and listed nowhere. A client without the extension is sent the
same bytes as if there were none of this: the result of the tool knows nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp.server.apps import Apps
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import ValidationError

from server.replies import as_unicode
from server.wording import told
from workspace.errors import FractalContextError

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.types import Tool
    from pydantic import BaseModel

    from server.tools import CodeTools

VIEW_URI = "ui://fractal-context/view.html"
RECORD_URI = "ui://fractal-context/record?"
UI = {"resourceUri": VIEW_URI}
"""The part of the tool's definition that names its view, as `_meta.ui`."""


def view_extension() -> Apps:
    """Returns the extension with its one resource, the page."""
    from server.report.shell import app_page

    apps = Apps()
    apps.add_html_resource(
        VIEW_URI,
        app_page().decode("utf-8"),
        name="view of a context",
        title="What the budget bought",
        description="A map of the files by tokens and level, with a slider for the budget",
        prefers_border=True,
    )
    return apps


def without_view(tool: Tool) -> Tool:
    """Returns a tool's definition that names no view."""
    return tool.model_copy(
        update={"meta": {name: value for name, value in (tool.meta or {}).items() if name != "ui"} or None}
    )


async def read_record(
    uri: str, arguments: type[BaseModel], tools: CodeTools, context: Context[Any, Any]
) -> list[ReadResourceContents]:
    """Returns the record of the arguments that an address of a record holds.

    Args:
        uri: the address.
        arguments: the model of the tool's arguments.
        tools: answer.
        context: of the request.

    Raises:
        ResourceError: the arguments are wrong; the message says what to do instead.
    """
    try:
        given = arguments.model_validate_json(unquote(uri.removeprefix(RECORD_URI)))
        record = await tools.record(context, {name: getattr(given, name) for name in given.model_fields_set})
    except (FractalContextError, ValidationError) as error:
        message = told(error) if isinstance(error, FractalContextError) else str(error)
        raise ResourceError(as_unicode(message)) from error
    return [ReadResourceContents(content=record, mime_type="application/json")]
