"""The summarizer behind an OpenAI-compatible URL: one request, one answer, a deadline over both.

The client is httpx2, which the MCP library brings along: it verifies certificates with the system's store, follows no
redirect (a key must not be sent on), and reads in pieces, so that a server that drips bytes for ever is stopped by the
deadline and one that floods is stopped by a size. Every way this can go wrong is one `SummarizerError` with a reason.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.formats.base import as_list, as_object, as_text, plain_text
from compaction.history.summary import ModelAnswer

if TYPE_CHECKING:
    from compaction.values import Json

_LARGEST_ANSWER = 4 * 1024 * 1024
_SHOWN_OF_ERROR = 200


class SummarizerError(Exception):
    """A summarizer gave no answer; the message says why, without keys or addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The endpoint that is asked for summaries.

    Attributes:
        base_url: up to and including the version, such as `http://127.0.0.1:8080/v1`.
        api_key: sent as a bearer token, "" for none.
        timeout_seconds: from the first byte sent to the last byte read.
        max_output_tokens: what the model may write.
    """

    base_url: str
    model: str
    api_key: str = ""
    timeout_seconds: float = 120.0
    max_output_tokens: int = 8_000

    def summarize(self, prompt: str) -> ModelAnswer:
        """Ask for a summary.

        Raises:
            SummarizerError: no usable answer came in time.
        """
        body = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": self.max_output_tokens,
            "temperature": 0,
            "stream": False,
        }
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        import httpx2  # costs more to load than the rest of the engine, and most servers have no endpoint

        try:
            return _answer(self._post(json.dumps(body).encode(), headers))
        except httpx2.TimeoutException as error:
            raise SummarizerError(f"no answer within {self.timeout_seconds:g} seconds") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise SummarizerError(f"the connection failed ({type(error).__name__})") from error

    def _post(self, body: bytes, headers: dict[str, str]) -> bytes:
        import httpx2  # as above

        deadline = time.monotonic() + self.timeout_seconds
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        headers = {"Content-Type": "application/json", **headers}
        received = bytearray()
        with (
            httpx2.Client(timeout=self.timeout_seconds, follow_redirects=False) as client,
            client.stream("POST", url, content=body, headers=headers) as response,
        ):
            for piece in response.iter_bytes():
                received += piece
                if time.monotonic() > deadline:
                    raise SummarizerError(f"the answer was not complete within {self.timeout_seconds:g} seconds")
                if len(received) > _LARGEST_ANSWER:
                    raise SummarizerError(f"the answer is larger than {_LARGEST_ANSWER} bytes")
            if not response.is_success:
                said = " ".join(received.decode("utf-8", "replace").split())[:_SHOWN_OF_ERROR]
                raise SummarizerError(f"the server answered {response.status_code}: {said}")
        return bytes(received)


def _answer(raw: bytes) -> ModelAnswer:
    try:
        value: Json = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SummarizerError("the answer is not complete JSON") from error
    choices = as_list(as_object(value).get("choices"))
    choice = as_object(choices[0]) if choices else {}
    message = as_object(choice.get("message"))
    if not message:
        raise SummarizerError("the answer holds no message")
    return ModelAnswer(
        text=plain_text(message.get("content")), truncated=as_text(choice.get("finish_reason")) == "length"
    )
