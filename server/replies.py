"""Writes results in protocol form.

The wire is UTF-8, and one string that cannot be encoded would end the connection. Names of files need not be text, so
whatever stands for an undecodable byte becomes U+FFFD here: the form in which it was counted, so no budget changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mcp.types import CallToolResult, ContentBlock, TextContent

from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Iterable


def text_reply(*texts: str, metadata: dict[str, Any] | None = None) -> CallToolResult:
    """Returns a result of text blocks, without structured content.

    Args:
        texts: what the model reads, one block each.
        metadata: what the client may read, sent as `metadata` of the result's `_meta`.
    """
    content: list[ContentBlock] = [TextContent(text=as_unicode(text)) for text in texts]
    return CallToolResult(content=content, _meta=None if metadata is None else {"metadata": encodable(metadata)})


def served_tokens(result: object) -> int:
    """Returns the tokens of what a tool returned: as its metadata say, or of its texts."""
    if not isinstance(result, CallToolResult):
        return 0
    told = cast("dict[str, Any]", (result.meta or {}).get("metadata") or {}).get("tokens_used")
    if isinstance(told, int):
        return told
    return sum(token_counter().count(block.text) for block in result.content if isinstance(block, TextContent))


def as_unicode(text: str) -> str:
    """Returns the text with U+FFFD in place of every surrogate that stands alone."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def encodable(value: object) -> Any:
    """Returns a JSON value whose strings can all be sent."""
    match value:
        case str():
            return as_unicode(value)
        case dict():
            items = cast("dict[str, object]", value).items()
            return {as_unicode(key): encodable(member) for key, member in items}
        case list() | tuple():
            members = cast("list[object]", value)
            return [*members] if _are_ascii(members) else [encodable(member) for member in members]
        case _:
            return value


def _are_ascii(values: Iterable[object]) -> bool:
    """Tells whether all values are ASCII strings, as the thousands of paths of a large repository are; in C."""
    try:
        return all(map(str.isascii, cast("Iterable[str]", values)))
    except TypeError:
        return False
