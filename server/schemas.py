"""The arguments of the tools as models and clients see them: types, defaults and descriptions, in one place.

A description is read by a model at every turn of a conversation, so each is one short clause with an example, and
`published_schema` drops what only a generator would miss. What the words of a closed set mean is decided by the
engines; here they are only listed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict

SkeletonMode = Literal["auto", "enabled", "disabled"]
MinLevel = Literal["L0", "L1", "L2", "L3"]
MaxLevel = Literal["L0", "L1", "L2"]
OutputFormat = Literal["plus", "compact", "xml", "markdown", "json"]

TreePath = Annotated[
    str, Field(description='Folder or single file, absolute or relative to the server\'s root. Example: "src"')
]
TokenBudget = Annotated[
    Annotated[int, Strict()] | str | None,
    Field(description='Hard ceiling, in tokens, for the whole result. Examples: 8000, "8k"; 0 or "unlimited" lifts it'),
]
Skeletons = Annotated[
    SkeletonMode,
    Field(
        description="auto: files become skeletons as far as the budget needs it; enabled: skeletons first, then full"
        ' text for what fits; disabled: a file is full or left out. Example: "enabled"'
    ),
]
Include = Annotated[
    list[str] | None,
    Field(description='Only files matching one of these gitignore-style globs. Example: ["src/**/*.py"]'),
]
Exclude = Annotated[
    list[str] | None, Field(description='Leave out files matching any of these globs. Example: ["tests/", "*.lock"]')
]
LeastLevel = Annotated[
    MinLevel,
    Field(
        description="No file is shown in less detail than this. L0 full text, L1 signatures and docs, L2 signatures,"
        ' L3 left out. Example: "L2"'
    ),
]
MostLevel = Annotated[
    MaxLevel, Field(description='No file is shown in more detail than this. Example: "L1" gives skeletons only')
]
Format = Annotated[OutputFormat, Field(description='Layout of the text. "compact" spends the fewest tokens on frames')]
LineNumbers = Annotated[bool, Field(description="Put its true line number before every line. Example: true")]
ZoomTarget = Annotated[
    str,
    Field(
        description='What to show in full. Examples: "Config.load", "src/a.py::Config.load", "class=Config",'
        ' "function=main", "file=src/a.py:10-40"'
    ),
]
ZoomPath = Annotated[
    str, Field(description='Folder or file to look in, absolute or relative to the server\'s root. Example: "."')
]

CONTEXT_DESCRIPTION = (
    "Reads a code base, or a part of it, within a token budget: the most important files in full, others as skeletons"
    " (signatures without bodies), the rest as names. Call it first to get to know code, then `zoom` into what matters."
)
ZOOM_DESCRIPTION = (
    "Shows the exact source of a definition, a file or a range of lines, read from disk now. It reaches everything that"
    " `get_context` shows or leaves out."
)
INSTRUCTIONS = (
    "Reading code: call get_context on a folder to see it whole within a token budget, then zoom into single"
    " definitions to get their full text."
)


def published_schema(schema: dict[str, Any], *, defaults: dict[str, Any]) -> dict[str, Any]:
    """Returns an argument schema as it is sent to clients.

    Args:
        schema: a JSON Schema of an object, as pydantic generates it.
        defaults: the defaults to show, by argument, where the function's own says nothing to a reader.

    Returns:
        The schema without generated titles, and without null: to leave an argument out says the same in fewer tokens.
        It is closed to arguments that it does not name.
    """
    return {
        "type": "object",
        "properties": {
            name: _published(argument) | ({"default": defaults[name]} if name in defaults else {})
            for name, argument in schema["properties"].items()
        },
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def _published(argument: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in argument.items() if key not in {"title", "anyOf"}}
    if shown.get("default", ...) is None:
        del shown["default"]
    types = [choice for choice in argument.get("anyOf", ()) if choice != {"type": "null"}]
    return shown | (types[0] if len(types) == 1 else {"anyOf": types} if types else {})
