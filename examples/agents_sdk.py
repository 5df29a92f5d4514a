"""Lets an agent of the OpenAI Agents SDK answer a question about a code base through fractal-context.

    pip install openai-agents
    OPENAI_API_KEY=... python examples/agents_sdk.py FOLDER "Where is the tax added?"

`OPENAI_BASE_URL` and `OPENAI_MODEL` name another endpoint that speaks the same API, and its model.
"""

import os
import sys

import anyio
from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI


async def main(folder: str, question: str) -> None:
    """Prints the agent's answer."""
    set_tracing_disabled(True)
    model = OpenAIChatCompletionsModel(os.environ.get("OPENAI_MODEL", "gpt-5-mini"), openai_client=AsyncOpenAI())
    command = {"command": sys.executable, "args": ["-P", "-m", "fractal_context", "serve", "--root", folder]}
    async with MCPServerStdio(params=command, cache_tools_list=True, client_session_timeout_seconds=60) as code:
        agent = Agent(
            name="reader",
            instructions="Answer from the code. Call get_context first, then zoom into what matters.",
            model=model,
            mcp_servers=[code],
        )
        result = await Runner.run(agent, question)
    sys.stdout.write(f"{result.final_output}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    anyio.run(main, *sys.argv[1:])
