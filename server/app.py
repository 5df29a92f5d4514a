"""The MCP server: the two tools with their names, schemas and hints, and the one place where errors become results.

An error is a result that the model reads, never an end of the conversation. A mistake of the caller keeps its own
sentence. Anything else is a bug of ours: the result says so and names the class of the exception alone, because its
text may carry what lies outside the roots; the rest goes to the log.
"""

from __future__ import annotations

import reprlib
import time
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any

from mcp.server.apps import client_supports_apps
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.request_state import RequestStateSecurity
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ToolAnnotations
from pydantic import ValidationError

from server.calls import EngineCrashError
from server.compress import compress_tool
from server.compress_schemas import COMPRESS_DESCRIPTION
from server.declared import DeclaredRoots
from server.history import history_tool
from server.history_schemas import COMPACT_DESCRIPTION, COMPACT_RESULT
from server.limits import Meter
from server.mcp_app import RECORD_URI, UI, read_record, view_extension, without_view
from server.misread import AnsweredStream
from server.patience import patiently
from server.prompts import add_completions, add_prompts
from server.replies import as_unicode, served_tokens
from server.resources import add_resources, whole_of
from server.schemas import CONTEXT_DESCRIPTION, INSTRUCTIONS, ZOOM_DESCRIPTION, published_schema
from server.settings import Transport
from server.telemetry import Telemetry
from server.tools import CodeTools
from server.updates import Silent, Updates, add_updates
from server.versions import DISTRIBUTION, distribution_version
from server.wording import told
from workspace.errors import FractalContextError
from workspace.slips import meant

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable

    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from mcp.types import (
        CallToolResult,
        GetPromptResult,
        InputRequiredResult,
        ListToolsResult,
        PaginatedRequestParams,
        Resource,
    )
    from pydantic import AnyUrl

    from server.settings import Settings
    from server.wire import Wire
    from workspace.roots import Roots

MAX_RESULT_CHARACTERS = 500_000
"""Characters of a result that a client should pass on uncut (`anthropic/maxResultSizeChars`)."""

STORES_LOCALLY = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""Compaction changes nothing of the caller's, but it puts the original into an archive."""

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
"""The hints of a tool that only reads: it destroys nothing and may be repeated (MCP, `ToolAnnotations`)."""


class ContextServer(MCPServer[Any]):
    """An MCP server whose tool errors are sentences for a model, and whose stdio is the process's private wire.

    Attributes:
        declared: what its client says of the user's folders.
        code: its tools over code.
        roots: the folders that its caller may read.
        meter: what its caller may take.
        telemetry: what an operator sees of its calls.
    """

    declared: DeclaredRoots
    code: CodeTools
    roots: Roots
    meter: Meter
    telemetry: Telemetry

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Calls a tool. An argument of null counts as left out.

        Raises:
            ToolError: the call was wrong; the message says what to do instead.
            UnexpectedToolError: the server was wrong; the message says that.
        """
        known = self._tool_manager.get_tool(name) is not None
        with self.telemetry.measuring(name if known else "unknown") as measured:
            if refusal := self.meter.admit():
                measured.outcome = "refused"
                raise ToolError(refusal)
            began = time.monotonic()
            try:
                result = await self._called(name, arguments, context)
            except (ToolError, MCPError) as error:
                measured.outcome = "failed" if isinstance(error, UnexpectedToolError) else "error"
                raise
            finally:
                self.meter.spend(seconds=time.monotonic() - began)
            measured.outcome = "ok"
            if self.telemetry.wants_tokens or not self.meter.is_open:
                measured.tokens = served_tokens(result)
                self.meter.spend(tokens=measured.tokens)
            return result

    async def _called(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None
    ) -> CallToolResult | InputRequiredResult:
        given = {argument: value for argument, value in arguments.items() if value is not None}
        self._refuse_unknown_names(name, given)
        if context is not None:
            question = await self.declared.hear(context)
            if question is not None:
                return question
        try:
            return await patiently(super().call_tool(name, given, context))
        except MCPError:
            # The client's model was asked and would not answer, or not in time: the summary is made without it.
            if name != "compact_history" or given.get("summarizer") == "extractive" or given.get("strict") is True:
                raise
            return await super().call_tool(name, given | {"summarizer": "extractive"}, context)
        except UnexpectedToolError as wrapper:
            error = wrapper.__cause__
            if isinstance(error, FractalContextError):
                raise ToolError(as_unicode(told(error))) from error
            crash = error.__cause__ if isinstance(error, EngineCrashError) else error
            message = (
                f"{name} failed inside the server ({type(crash).__name__}). This is a bug in {DISTRIBUTION}, not in the call;"
                " the server's log holds the details. Another path or a narrower `include` may avoid it."
            )
            raise UnexpectedToolError(message) from error
        except ToolError as wrapper:
            if isinstance(wrapper.__cause__, ValidationError):
                raise ToolError(_explain(name, wrapper.__cause__)) from wrapper.__cause__
            raise

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Reads a resource, or asks the client for its roots first. The record of a view is one that is not listed."""
        if not isinstance(context, Silent) and (
            refusal := self.meter.admit()
        ):  # who follows one does not read it himself
            raise ResourceError(refusal)
        question = await self.declared.hear(context) if context is not None else None
        if question is not None:
            return question
        tool = self._tool_manager.get_tool("get_context")
        if context is not None and tool is not None and str(uri).startswith(RECORD_URI):
            return await read_record(str(uri), tool.fn_metadata.arg_model, self.code, context)
        return await super().read_resource(uri, context)

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Fills in a prompt.

        Raises:
            MCPError: there is no such prompt, or it has no such argument.
        """
        prompts = {prompt.name: prompt for prompt in self._prompt_manager.list_prompts()}
        if name not in prompts:
            raise _wrong(f"There is no prompt {_quoted([name])}. There are {_quoted([*prompts])}.")
        known = [argument.name for argument in prompts[name].arguments or ()]
        if unknown := [argument for argument in arguments or {} if argument not in known]:
            raise _wrong(_unknown_arguments(name, unknown, known))
        return await super().get_prompt(name, arguments, context)

    async def list_resources(self) -> list[Resource]:
        """Returns the resources that have an address of their own."""
        return whole_of(self.roots)

    async def _handle_list_tools(
        self, ctx: ServerRequestContext[Any], params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """Lists the tools. Of a view no client hears that is known not to show any: what is listed costs tokens."""
        listed = await super()._handle_list_tools(ctx, params)
        if ctx.session.client_capabilities is None or client_supports_apps(ctx):
            return listed
        return listed.model_copy(update={"tools": [without_view(tool) for tool in listed.tools]})

    def _refuse_unknown_names(self, name: str, given: dict[str, Any]) -> None:
        tool = self._tool_manager.get_tool(name)
        if tool is None:
            tools = [tool.name for tool in self._tool_manager.list_tools()]
            raise ToolError(f"There is no tool {_quoted([name])}.{meant([name], tools)} There are {_quoted(tools)}.")
        known = list(tool.fn_metadata.arg_model.model_fields)
        unknown = [argument for argument in given if argument not in known]
        if unknown:
            raise ToolError(_unknown_arguments(name, unknown, known))

    async def run_wire(self, wire: Wire) -> None:
        """Serves one client over the wire until its input ends, or nobody reads its output any more."""
        try:
            async with stdio_server(stdin=wire.reader, stdout=wire.writer) as (read_stream, write_stream):
                messages = AnsweredStream(read_stream, write_stream)
                await self._lowlevel_server.run(
                    messages, write_stream, self._lowlevel_server.create_initialization_options()
                )
        except* BrokenPipeError:
            wire.hang_up()


def build_server(
    settings: Settings, *, state_key: bytes | None = None, telemetry: Telemetry | None = None
) -> ContextServer:
    """Returns the server with its tools. No engine is loaded before the first call.

    Args:
        settings: what the server is started with.
        state_key: seals what a client carries from one request of a call to the next; the workers of a server share
            one. None makes one, for a server of one process.
        telemetry: measures its calls; None for what the process has.
    """
    telemetry = telemetry or Telemetry(settings.tenant)
    tools = CodeTools(settings, telemetry)
    budget = settings.default_budget if settings.default_budget is not None else "unlimited"
    declared = DeclaredRoots(settings)

    @asynccontextmanager
    async def running(server: MCPServer[Any]) -> AsyncGenerator[Updates]:
        with closing(Updates(server, settings, declared)) as updates:
            yield updates

    server = ContextServer(
        DISTRIBUTION,
        title="Fractal Context",
        version=distribution_version(),
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        lifespan=running,
        extensions=[view_extension()],
        request_state_security=None if state_key is None else RequestStateSecurity(keys=[state_key]),
        tools=[
            _tool(
                tools.get_context,
                title="Read code within a token budget",
                description=CONTEXT_DESCRIPTION,
                budget=budget,
                meta={"anthropic/maxResultSizeChars": MAX_RESULT_CHARACTERS, "ui": UI},
            ),
            _tool(tools.zoom, title="Show source", description=ZOOM_DESCRIPTION, budget=budget),
            _history_tool(settings),
            _compress_tool(settings),
        ],
    )
    server.code = tools
    server.meter = Meter(settings.limits)
    server.telemetry = telemetry
    server.roots = settings.roots
    server.declared = declared
    declared.follow(server)
    add_resources(server, tools)
    add_updates(server, keeps_connections=settings.transport is not Transport.STREAMABLE_HTTP)
    add_prompts(server)
    add_completions(server, settings, tools.names_starting)
    return server


def _tool(
    function: Callable[..., Any],
    *,
    title: str,
    description: str,
    budget: int | str,
    meta: dict[str, Any] | None = None,
) -> Tool:
    tool = Tool.from_function(
        function,
        title=title,
        description=description,
        annotations=READ_ONLY,
        meta=meta,
        structured_output=False,
    )
    tool.parameters = published_schema(tool.parameters, defaults={"token_budget": budget})
    return tool


def _history_tool(settings: Settings) -> Tool:
    tool = Tool.from_function(
        history_tool(settings),
        title="Compact a conversation",
        description=COMPACT_DESCRIPTION,
        annotations=STORES_LOCALLY,
        meta={"anthropic/maxResultSizeChars": MAX_RESULT_CHARACTERS},
        structured_output=True,
    )
    tool.parameters = published_schema(tool.parameters, defaults={})
    tool.fn_metadata.output_schema = COMPACT_RESULT
    return tool


def _compress_tool(settings: Settings) -> Tool:
    tool = Tool.from_function(
        compress_tool(settings),
        title="Compress a prompt",
        description=COMPRESS_DESCRIPTION,
        annotations=READ_ONLY,
        structured_output=True,
    )
    tool.parameters = published_schema(tool.parameters, defaults={})
    return tool


def _explain(name: str, error: ValidationError) -> str:
    """Returns one line for each argument that is not of its type: its name, what it may be, what came."""
    reasons: dict[str, list[str]] = {}
    came: dict[str, str] = {}
    for detail in error.errors(include_url=False, include_context=False):
        argument = str(detail["loc"][0])
        reasons.setdefault(argument, []).append(detail["msg"])
        if detail["type"] != "missing":
            came[argument] = f" (got {reprlib.repr(detail['input'])})"
    return "\n".join(
        f"{name}: argument `{argument}`: {'; or: '.join(dict.fromkeys(messages))}{came[argument]}."
        if argument in came
        else f"{name}: argument `{argument}` is required."
        for argument, messages in reasons.items()
    )


def _unknown_arguments(name: str, unknown: list[str], known: list[str]) -> str:
    return f"{name} has no argument {_quoted(unknown)}.{meant(unknown, known)} Its arguments are {_quoted(known)}."


def _wrong(message: str) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=as_unicode(message))


def _quoted(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
