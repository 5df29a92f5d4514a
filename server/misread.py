"""Reads once more, or answers with why it is not taken, each line on the wire that is no message.

Whoever sends a request waits for its answer, so each line that the SDK's reader refuses is answered (JSON-RPC 2.0,
section 5.1), with the id of its request where that can be told. Halves of surrogate pairs are taken all the same, as
U+FFFD: clients in JavaScript write such for a text that they cut inside an emoji.
"""

from __future__ import annotations

import json
import logging
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter
from pydantic import ValidationError

from server.replies import encodable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextvars import Context
    from types import TracebackType
    from typing import Self

    from mcp.shared._stream_protocols import ReadStream, WriteStream

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_OF_A_REQUEST = "JSONRPCRequest"


class AnsweredStream:
    """The messages of a client, without what is none: that is answered here.

    Args:
        arriving: messages, and an exception for each line that is none.
        answers: the way back to the client.
    """

    def __init__(self, arriving: ReadStream[SessionMessage | Exception], answers: WriteStream[SessionMessage]) -> None:
        self._arriving = arriving
        self._answers = answers

    @property
    def last_context(self) -> Context | None:
        """The context in which the last message was sent."""
        return getattr(self._arriving, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """Returns the next message; raises what the stream raises that it comes from."""
        while True:
            item = await self._arriving.receive()
            if not isinstance(item, Exception):
                return item
            read = read_again(item)
            if isinstance(read, SessionMessage):
                return read
            await self._refuse(read)

    async def _refuse(self, refusals: Sequence[JSONRPCError]) -> None:
        for refusal in refusals:
            logging.getLogger(__name__).warning("A line of the client is no message: %s", refusal.error.message)
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self._answers.send(SessionMessage(refusal))

    async def aclose(self) -> None:
        """Closes the stream that the messages come from."""
        await self._arriving.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()


def read_again(error: Exception) -> SessionMessage | list[JSONRPCError]:
    """Returns the message that a refused line is for a reader who minds less, or its refusals; none for an empty line."""
    details = error.errors(include_url=False, include_context=False) if isinstance(error, ValidationError) else []
    if not details:
        return [_refusal(None, PARSE_ERROR, "it cannot be read")]
    if details[0]["type"] != "json_invalid":
        return _refusals(details)
    line = str(details[0]["input"])
    if not line.strip():
        return []
    try:
        held = json.loads(line, strict=False)
        if _SURROGATE.search(line):
            return SessionMessage(jsonrpc_message_adapter.validate_python(encodable(held), by_name=False))
    except (ValueError, RecursionError):  # a `ValidationError` is a `ValueError`
        held = None
    return [_refusal(number, PARSE_ERROR, details[0]["msg"]) for number in _numbers(held)]


def _refusals(details: Sequence[Any]) -> list[JSONRPCError]:
    """The refusals of what is JSON and no message: one, or one for each request of a batch."""
    held: object = next((one["input"] for one in details if len(one["loc"]) == 1 or one["type"] == "missing"), None)
    numbers = _numbers(held)
    if isinstance(held, list):
        why = "batches are not taken; send each message on a line of its own"
    else:
        wrong = {str(one["loc"][1]): one["msg"] for one in details if one["loc"][0] == _OF_A_REQUEST and one["loc"][1:]}
        why = "; ".join(f"`{name}`: {words}" for name, words in wrong.items()) or "it is no object"
    return [_refusal(number, INVALID_REQUEST, why) for number in numbers]


def _numbers(held: object) -> list[int | str | None]:
    """The ids of the requests in what a line holds; one of None where none can be told."""
    parts = cast("list[object]", held) if isinstance(held, list) else [held]
    requests = [cast("dict[str, object]", part) for part in parts if isinstance(part, dict) and "method" in part]
    ids = [request.get("id") for request in requests]
    return [one for one in ids if isinstance(one, int | str) and not isinstance(one, bool)] or [None]


def _refusal(number: int | str | None, code: int, why: str) -> JSONRPCError:
    return JSONRPCError(
        jsonrpc="2.0", id=number, error=ErrorData(code=code, message=f"No message of JSON-RPC 2.0: {why}.")
    )
