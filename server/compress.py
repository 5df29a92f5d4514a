"""The tool `compress`: shortens a text or messages over the protocol.

The originals go with the result where a program finds them and a model does not pay for them: in `_meta`, under `store`.
"""

# No postponed annotations here: the signatures of the tools are evaluated to make their schemas.

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, TextContent

from server.calls import Pulse, Slots, run_call
from server.compress_command import as_json, compressed
from server.compress_schemas import (
    AdapterNames,
    CompressedPrompt,
    Engine,
    MarkedMessages,
    PreserveCode,
    Rate,
    TargetTokens,
    Text,
)
from server.replies import encodable
from server.settings import Settings
from workspace.errors import InvalidArgumentError

if TYPE_CHECKING:
    from compaction.prompt.messages import CompressedMessages


def compress_tool(settings: Settings) -> Callable[..., Any]:
    """Returns the tool function of one server. Nothing is loaded before the first call."""
    slots = Slots()

    async def compress(
        ctx: Context[Any, Any],
        text: Text = None,
        messages: MarkedMessages = None,
        rate: Rate = 0.5,
        target_tokens: TargetTokens = None,
        engine: Engine = "auto",
        preserve_code_blocks: PreserveCode = True,
        adapters: AdapterNames = None,
    ) -> Annotated[CallToolResult, CompressedPrompt]:
        """Returns the compressed text or messages."""

        def work(pulse: Pulse) -> "CompressedMessages":
            if (text is None) == (messages is None):
                raise InvalidArgumentError("Give either `text` or `messages`.")
            config: dict[str, object] = {
                "rate": rate,
                "target_tokens": target_tokens,
                "engine": engine,
                "preserve_code_blocks": preserve_code_blocks,
                "adapters": adapters,
            }
            return compressed(text if messages is None else messages, config, pulse, model=settings.model)

        made = await run_call(work, report=ctx.report_progress, slots=slots, seconds=settings.time_limit)
        shown = encodable(as_json(made, is_text=text is not None))
        block = TextContent(text=json.dumps(shown, ensure_ascii=False))
        store = encodable(made.store.as_json())
        return CallToolResult(content=[block], structured_content=shown, _meta={"store": store})

    return compress
