"""The command `fractal-context compress`, and the parts that it shares with the tool.

A file is a text as it stands, or, with `--messages`, JSON: a list of messages or a request that holds one. The result
has the same form. `--store` writes the originals beside it, `--restore` puts them back, byte for byte.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import msgspec

from server.choices import EngineChoice
from workspace.errors import InvalidArgumentError, UnreadableFileError
from workspace.files.opening import Refusal, read_regular

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from compaction.prompt.engine import CompressionEngine
    from compaction.prompt.messages import CompressedMessages
    from compaction.prompt.model import Progress
    from server.settings import Settings
    from workspace.roots import Roots

MAX_PROMPT_BYTES = 64 << 20
_WITH_MODEL = "llmlingua2"
_NO_ENGINE = "engine:none"
"""A decision: a text came back as it was, because there was no engine to shorten it."""

_LIST_KEYS = ("messages", "contents", "input")
_SYSTEM_KEYS = ("system", "instructions", "systemInstruction", "system_instruction")
"""The names under which a request holds a system prompt beside its messages."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """The output of the command.

    Attributes:
        output: for standard output, exactly so.
        summary: lines for standard error.
        warnings: likewise.
        is_done: False where the engine that was asked for by its name could not be used, and the rest is of no use.
    """

    output: bytes
    summary: str
    warnings: tuple[str, ...] = ()
    is_done: bool = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a text, or JSON with --messages")
    parser.add_argument("--messages", action="store_true", help="FILE holds messages; only <compress> blocks change")
    parser.add_argument(
        "--rate", type=float, default=0.5, metavar="PART", help="part of the tokens of prose that stays (%(default)s)"
    )
    parser.add_argument("--target-tokens", type=int, metavar="N", help="tokens to stay, in place of --rate")
    parser.add_argument(
        "--engine",
        choices=get_args(EngineChoice),
        default="auto",
        help="what shortens the prose (%(default)s: llmlingua2 where its model is there, else nothing)",
    )
    parser.add_argument("--compress-code", action="store_true", help="shorten fenced code as well")
    parser.add_argument("--adapter", action="append", metavar="NAME", help="look for this format alone; repeatable")
    parser.add_argument("-o", "--output", type=Path, metavar="OUT", help="write the result to OUT")
    parser.add_argument("--report", action="store_true", help="print the whole result as JSON")
    parser.add_argument("--store", type=Path, metavar="JSON", help="write the originals to this file")
    parser.add_argument("--restore", metavar="JSON", help="put the originals of this store back into FILE instead")


def run_compress(asked: argparse.Namespace, settings: Settings, progress: Progress | None) -> Printed:
    """Compresses a file, or restores one that was.

    Raises:
        InvalidArgumentError: the file is not of the form that was said, or a setting is wrong.
        UnreadableFileError: a file cannot be read.
    """
    text = _read(asked.file, settings.roots)
    given = _messages(text) if asked.messages else text
    if asked.restore is not None:
        return _restored(given, _parsed(_read(asked.restore, settings.roots), "The store"))
    config: dict[str, object] = {
        "rate": asked.rate,
        "target_tokens": asked.target_tokens,
        "engine": asked.engine,
        "preserve_code_blocks": not asked.compress_code,
        "adapters": asked.adapter,
    }
    made = compressed(given if isinstance(given, str) else given.texts, config, progress, model=settings.model)
    if asked.engine == _WITH_MODEL and any(decision.endswith(_NO_ENGINE) for decision in made.trace):
        return Printed(output=b"", summary="", warnings=made.warnings, is_done=False)
    if asked.store is not None:
        asked.store.write_text(json.dumps(made.store.as_json()), encoding="utf-8")
    metrics = cast("dict[str, Any]", made.metrics)
    told = [decision.removeprefix("0: ") for decision in made.trace] if isinstance(given, str) else made.trace
    summary = (
        f"Tokens: {metrics['original_tokens']:,} before, {metrics['compressed_tokens']:,} after"
        f" ({metrics['compression_ratio']:.0%} saved). {', '.join(dict.fromkeys(told)) or 'nothing to do'}."
    )
    if asked.report:
        from dataclasses import replace  # for messages alone

        shown = made if isinstance(given, str) else replace(made, messages=made.messages[: len(given.messages)])
        report = json.dumps(as_json(shown, is_text=isinstance(given, str)), indent=2)
        return Printed(output=f"{report}\n".encode(), summary=summary, warnings=made.warnings)
    output = _encoded(made.messages[0]["content"]) if isinstance(given, str) else given.filled(made.messages)
    return Printed(output=output, summary=summary, warnings=made.warnings)


def compressed(
    given: str | Sequence[Any] | None, config: dict[str, object], progress: Progress | None, *, model: str
) -> CompressedMessages:
    """Returns a text or messages with fewer tokens.

    Raises:
        InvalidArgumentError: a message is no object, or a setting is wrong.
    """
    from compaction.prompt.messages import compress_messages, compress_text
    from compaction.prompt.model import unheard

    engine = _engine(model)
    progress = progress or unheard
    if isinstance(given, str):
        return compress_text(given, config, engine=engine, progress=progress)
    return compress_messages(cast("Sequence[dict[str, Any]]", given), config, engine=engine, progress=progress)


@lru_cache
def _engine(model: str) -> CompressionEngine:
    """Returns the engine of this process for a model, which is loaded when it is first needed."""
    from compaction.prompt.engine import CompressionEngine  # loaded by the first call, not by the handshake

    return CompressionEngine(model=model)


def as_json(made: CompressedMessages, *, is_text: bool) -> dict[str, Any]:
    """Returns the result with the names of the tool contract, without the store."""
    shown: dict[str, Any] = {"text": made.messages[0]["content"]} if is_text else {"messages": made.messages}
    return shown | {"metrics": made.metrics, "warnings": list(made.warnings), "trace": list(made.trace)}


class _MessageFile(msgspec.Struct, frozen=True, kw_only=True):
    """Messages in a file.

    Attributes:
        messages: the list.
        request: the object that holds it, None where the list stands alone.
        key: under which name.
    """

    messages: list[Any]
    request: dict[str, Any] | None = None
    key: str = ""

    @property
    def texts(self) -> list[Any]:
        """The messages, and behind them each system prompt that stands beside them, as a message."""
        request = self.request or {}
        prompts = [(key, request[key]) for key in _SYSTEM_KEYS if request.get(key)]
        return [*self.messages, *({"role": "system", "key": key, "content": _parts(value)} for key, value in prompts)]

    def filled(self, texts: Sequence[Any]) -> bytes:
        """Returns the file with other texts, in the order of its own."""
        messages, prompts = list(texts[: len(self.messages)]), texts[len(self.messages) :]
        if self.request is None:
            return f"{json.dumps(messages, indent=2)}\n".encode()
        beside: dict[str, Any] = {}
        for prompt in prompts:
            given = self.request[prompt["key"]]
            if prompt["content"] != _parts(given):
                now = prompt["content"]
                beside[prompt["key"]] = {**given, "parts": now} if isinstance(given, dict) else now
        return f"{json.dumps(self.request | beside | {self.key: messages}, indent=2)}\n".encode()


def _parts(prompt: Any) -> Any:
    """The texts of a system prompt: those of an object stand under `parts`."""
    return cast("dict[str, Any]", prompt).get("parts") if isinstance(prompt, dict) else prompt


def _messages(text: str) -> _MessageFile:
    value = _parsed(text, "The file")
    if isinstance(value, list):
        return _MessageFile(messages=cast("list[Any]", value))
    if isinstance(value, dict):
        request = cast("dict[str, Any]", value)
        for key in _LIST_KEYS:
            if isinstance(request.get(key), list):
                return _MessageFile(messages=request[key], request=request, key=key)
    raise InvalidArgumentError(f"The file holds no list of messages, alone or under {', '.join(_LIST_KEYS)}.")


def _restored(given: str | _MessageFile, stored: object) -> Printed:
    from compaction.prompt.store import VerbatimStore
    from compaction.prompt.uncompress import uncompress

    store = VerbatimStore.from_json(stored)
    summary = f"Texts restored: {len(store.entries)}."
    if isinstance(given, str):
        (message,) = uncompress([{"role": "user", "content": given}], store)
        return Printed(output=_encoded(message["content"]), summary=summary)
    return Printed(output=given.filled(uncompress(given.texts, store)), summary=summary)


def _parsed(text: str, what: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InvalidArgumentError(f"{what} is not JSON: {error}.") from error
    except RecursionError as error:
        raise InvalidArgumentError(f"{what} is nested too deeply.") from error


def _read(path: str, roots: Roots) -> str:
    opened = read_regular(os.fspath(roots.resolve(str(Path(path).absolute()))), roots=roots, max_bytes=MAX_PROMPT_BYTES)
    if isinstance(opened, Refusal):
        raise UnreadableFileError(f"{Path(path).name} cannot be read: {opened.kind.value} ({opened.detail}).")
    try:
        return opened.raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableFileError(
            f"{Path(path).name} is not UTF-8: {error.reason} at byte {error.start}; only text can be compressed."
        ) from error


def _encoded(text: object) -> bytes:
    return str(text).encode("utf-8", "replace")
