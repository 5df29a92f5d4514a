"""The arguments of the tools as models and clients see them: types, defaults and descriptions, in one place.

A model reads all of it at every turn of a conversation, so it is kept to 1500 tokens for all tools together: each
description is a clause, an example (or the default, or the choices) stands for a second one, and `published_schema`
drops what only a generator would miss. What the words of a closed set mean is decided by the engines; here they are
only listed.
"""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field, Strict

from server.choices import MaxLevel, MinLevel, Neighbour, OutputFormat, SkeletonMode


def _listed(value: object) -> object:
    """A plain string where a list is expected stands for a list of it."""
    return ([value] if value else []) if isinstance(value, str) else value


def _whole(value: object) -> object:
    """A float without a fraction stands for its integer, as in JSON Schema: clients in Lua and others write such."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


OneOrMore = BeforeValidator(_listed)
"""Published as a list alone: a model is told one form, and the other is taken."""

TreePath = Annotated[str, Field(description='Folder or file, e.g. "src"')]
TokenBudget = Annotated[
    Annotated[int, Strict()] | str | None,
    BeforeValidator(_whole),
    Field(description='Ceiling, e.g. "8k"; 0 lifts it'),
]
Skeletons = Annotated[
    SkeletonMode, Field(description="enabled: skeletons without a budget too; disabled: files full or left out")
]
Query = Annotated[str, Field(description="Your task in words, e.g. an issue's text")]
Names = Annotated[list[str] | None, OneOrMore, Field(description="Symbols you expect, exact or not")]
Focus = Annotated[
    list[str] | None, OneOrMore, Field(description='Shown first, in full, e.g. ["src/a.py", "Config.load"]')
]
Changed = Annotated[str, Field(description='Show what a diff touches: "worktree", "main..topic"')]
Include = Annotated[list[str] | None, OneOrMore, Field(description='Gitignore globs, e.g. ["src/**/*.py"]')]
Exclude = Annotated[list[str] | None, OneOrMore, Field(description='e.g. ["tests/", "*.lock"]')]
LeastLevel = Annotated[
    MinLevel,
    Field(description="Least detail of a file: L0 full, L1 signatures and docs, L2 signatures, L3 left out"),
]
MostLevel = Annotated[MaxLevel, Field(description="Most detail; L1 gives skeletons only")]
Format = OutputFormat
LineNumbers = bool
Since = Annotated[str, Field(description="A snapshot; gives only what changed since")]
Cursor = Annotated[str, Field(description="A next_cursor; goes on")]
ZoomTarget = Annotated[
    str | list[str],
    Field(description='e.g. "Config.load", "src/a.py::Config", "src/a.py:10-40", "src/"; several as a list'),
]
ZoomPath = Annotated[str, Field(description="Folder or file to look in")]

Beside = Annotated[Neighbour | None, Field(description="Also its call sites, or signatures of what it calls")]

CONTEXT_DESCRIPTION = (
    "Reads a code base within a token budget: what matters most in full, the rest as signatures or by name. Call it first,"
    " with your task as `query` and symbols you guess as `names`, then `zoom`."
)
ZOOM_DESCRIPTION = (
    "Shows the exact source of definitions, files or lines, also of what `get_context` left out; of a folder its map."
)
INSTRUCTIONS = """\
Reading code: call get_context on a folder to see it whole within a token budget, then zoom into single definitions to get\
 their full text. Paths are relative to the root; send them back as they stand. Marks behind a path:
(none) the whole file
[SKELETON:L1] signatures, docs in short, constants; bodies are folded
[SKELETON:L2] signatures
[SHOWN:2/9] definitions shown, of all in the file
[FULL:X] all code of X
[PART] some of its definitions
[CUT] the first lines
[SYNTAX-ERRORS] what the parser could not read is shown as written
[UNPROVEN] a fold could not be proven, so more is shown
[NEW] [CHANGED] [RENAMED:old] [DELETED] [REMOVED:X] what became of the file, or of X; [STILL-NAMES:X] its lines that name X, which is gone
Lines: `⋮ 9 definitions` left out here; `⋮ lines 3-9 as written` follow, which no parser could read; `⋮- x` a removed line; [REDACTED:kind] a secret."""

FOR_PROGRAMS = Field(json_schema_extra={"for programs": True})
"""Marks an argument that a host sets and a model has no reason to: it is taken, and documented, but not published."""

CHECKED_BY_THE_SERVER = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
)
"""Limits that a model need not read: a value beyond them is refused with a sentence that names them."""


def published_schema(schema: dict[str, Any], *, defaults: dict[str, Any]) -> dict[str, Any]:
    """Returns an argument schema as it is sent to clients.

    Args:
        schema: a JSON Schema of an object, as pydantic generates it.
        defaults: the defaults to show, by argument, where the function's own says nothing to a reader.

    Returns:
        The schema in as few tokens as say the same: without generated titles, without null (to leave an argument out
        is shorter), without limits that the server tells itself, with references resolved and a choice of plain types
        as a list of them. Arguments for programs are left out. That other arguments are refused, the server tells.
    """
    definitions: dict[str, Any] = schema.get("$defs", {})
    published: dict[str, Any] = {
        "type": "object",
        "properties": {
            name: _published(argument, definitions) | ({"default": defaults[name]} if name in defaults else {})
            for name, argument in schema["properties"].items()
            if "for programs" not in argument
        },
    }
    return published | ({"required": schema["required"]} if schema.get("required") else {})


def _published(node: Any, definitions: dict[str, Any]) -> Any:
    """Returns a schema, or a part of one, in its short form."""
    if isinstance(node, list):
        return [_published(part, definitions) for part in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    written = cast("dict[str, Any]", node)
    if "$ref" in written:
        written = definitions[written["$ref"].rpartition("/")[2]] | {
            key: value for key, value in written.items() if key != "$ref"
        }
    shown = {
        key: _published(value, definitions)
        for key, value in written.items()
        if key not in CHECKED_BY_THE_SERVER | {"title", "anyOf", "properties"}
        and not (key == "default" and value in (None, ""))
    }
    if "properties" in written:
        members: dict[str, Any] = written["properties"]
        shown["properties"] = {name: _published(member, definitions) for name, member in members.items()}
    choices = [_published(choice, definitions) for choice in written.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) == 1:
        return shown | choices[0]
    if choices and all(set(choice) == {"type"} for choice in choices):
        return shown | {"type": [choice["type"] for choice in choices]}
    return shown | ({"anyOf": choices} if choices else {})
