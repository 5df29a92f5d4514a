"""The prompts that a person picks from a menu, and the completion of arguments of prompts and resources."""

# No postponed annotations here: the signatures of the prompts are evaluated to make their arguments.

from typing import TYPE_CHECKING, Annotated, Any

from mcp.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)
from pydantic import Field

from server.calls import Slots, run_call
from server.replies import as_unicode
from workspace.files.suggest import suggested_paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import MCPServer

    from server.settings import Settings

MAX_COMPLETIONS = 100
"""Values of one completion, as the protocol allows."""

PATH_ARGUMENTS = frozenset({"path"})
SYMBOL_ARGUMENT = "target"

CodePath = Annotated[str, Field(description='Folder to explore, e.g. "src"; the whole root by default')]
Question = Annotated[str, Field(description='What you want to know or do, e.g. "add a retry to the client"')]
ReviewPath = Annotated[str, Field(description='The work tree, e.g. "."')]
Attention = Annotated[str, Field(description='What must not be lost, e.g. "the failing test and why it fails"')]


def explore_code(path: CodePath = ".", question: Question = "") -> str:
    """Get to know a code base within a token budget."""
    aim = f" I want to: {question}" if question else ""
    asked = " and this as `query`" if question else ""
    return (
        f"Get to know the code in `{path}`.{aim}\n\n"
        f'1. Call `get_context` with path "{path}"{asked} to see all of it within the token budget.\n'
        "2. Name the parts that matter and `zoom` into them, definition by definition; do not read whole files.\n"
        "3. Tell me in at most ten sentences how it is built: entry points, the way of a request or a call, where state"
        f" lives, what is tested.{' Then answer my question, and name the definitions you rely on.' if question else ''}"
    )


def review_work_tree(path: ReviewPath = ".") -> str:
    """Review what has changed in a work tree and is not committed yet."""
    return (
        f"Review the uncommitted changes of the work tree in `{path}`.\n\n"
        f'1. Call `get_context` with path "{path}" and `changed` "worktree" to see what the changes touch.\n'
        "2. `zoom` into each changed definition, and into those that call it.\n"
        "3. List what is wrong or risky, most serious first: file, definition, what happens, what to do instead. Say so"
        " where a change has no test. Do not praise, and do not report matters of taste."
    )


def hand_over_conversation(attention: Attention = "") -> str:
    """Shorten this conversation so that another one can go on with the work."""
    asked = f', instructions "{attention}"' if attention else ""
    return (
        "Hand this conversation over to a new one.\n\n"
        f'1. Call `compact_history` with this conversation as `messages` (or its file as `transcript_path`), mode "prompt"'
        f"{asked}.\n"
        "2. Write the summary that the returned prompt asks for, under its nine headings. Leave out no message of mine.\n"
        "3. Call `compact_history` again with the same history and your text as `summary`.\n"
        "4. Give me the resulting messages, and the archive_id under which the original is kept."
    )


def add_prompts(server: "MCPServer[Any]") -> None:
    """Adds the prompts to a server."""
    for prompt, title in (
        (explore_code, "Explore a code base"),
        (review_work_tree, "Review the work tree"),
        (hand_over_conversation, "Hand over a conversation"),
    ):
        server.prompt(title=title, description=prompt.__doc__)(prompt)


def add_completions(server: "MCPServer[Any]", settings: "Settings", symbols: "Callable[[str], list[str]]") -> None:
    """Lets a server complete paths and names of definitions, in prompts and in the templates of resources alike.

    Args:
        server: the server.
        settings: whose roots the paths lie in.
        symbols: gives the names of definitions that start with some letters.
    """
    slots = Slots()

    async def found_in_time(names: "Callable[[], list[str]]") -> list[str]:
        return await run_call(lambda _: names(), report=_unheard, slots=slots, seconds=settings.time_limit)

    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        del ref, context  # the same names mean the same everywhere
        if argument.name in PATH_ARGUMENTS:
            found = await found_in_time(lambda: suggested_paths(argument.value, settings.roots))
        elif argument.name == SYMBOL_ARGUMENT:
            found = await found_in_time(lambda: symbols(argument.value))
        else:
            return None
        values = [as_unicode(path) for path in found[:MAX_COMPLETIONS]]
        return Completion(values=values, total=len(found), has_more=len(found) > len(values))

    server.completion()(complete)


async def _unheard(done: float, total: float, stage: str) -> None:
    """A completion tells nobody how far it is."""
    del done, total, stage
