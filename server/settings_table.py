"""The table of settings: a row for each, and what reads its value from text.

The command line option of a setting, its environment variable, its key in `fractal-context.toml`, its line in `doctor`
and its row in `docs/settings.md` are made from its row, so none of them can fall behind (`server.settings`).
"""

from __future__ import annotations

import math
import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from workspace.shared.address import read_address
from workspace.tokens import DEFAULT_ENCODING, parse_budget, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "FRACTAL_CONTEXT_"
CONFIG_FILE = "fractal-context.toml"
CONFIG_VARIABLE = PREFIX + "CONFIG"
ROOTS_VARIABLE = PREFIX + "ROOTS"
DEFAULT_BUDGET = 20_000
DEFAULT_TIME_LIMIT = 120.0
"""Seconds of a call."""

LONGEST_TIME_LIMIT = 86_400.0
MIN_TOKEN_CHARACTERS = 16
MAX_PORT = 65_535
MAX_CONFIG_BYTES = 1 << 20
OFF = "off"
"""Stands for no cache where a folder could be named."""

MOST_PARSERS = 7
"""As many as the pool of workers takes; it is not loaded for a number."""

LEAST_CACHE_LIMIT = 16
MOST_CACHE_LIMIT = 1 << 20
"""MiB."""

LEAST_PARSER_MEMORY = 64
"""MiB: enough for the files that people write."""


class Transport(StrEnum):
    """The transports by which clients reach the server."""

    STDIO = "stdio"
    SSE = "sse"
    STREAMABLE_HTTP = "streamable-http"


class LogLevel(StrEnum):
    """The levels of the log: the least that is worth a line on standard error."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogFormat(StrEnum):
    """The forms of a line of the log."""

    TEXT = "text"
    JSON = "json"


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table.

    Attributes:
        name: the key in the file; the option on the command line is the same behind two dashes.
        field: the field of `Settings` that it fills.
        default: its value in words, where nobody says anything.
        read: text to value; raises ValueError or InvalidArgumentError with what would be right.
        metavar: what stands for the value in a help text.
        help: one clause for a reader.
        separator: what separates several values in the environment; "" where there is but one.
        variable: the environment variable; "" for the one that follows from the name.
        flag: whether the option takes no value; elsewhere it is true or false.
        guarded: whether the file of a working directory may not say it.
        secret: whether it is kept off the command line, where other users would see it, and out of every listing.
    """

    name: str
    field: str
    default: str
    read: Callable[[str], object]
    metavar: str
    help: str
    separator: str = ""
    variable: str = ""
    flag: bool = False
    guarded: bool = False
    secret: bool = False

    @property
    def environment(self) -> str:
        """The name of its environment variable."""
        return self.variable or PREFIX + self.name.upper().replace("-", "_")


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or number < least or (most is not None and number > most):
            raise ValueError(
                f"a whole number from {least}" + (f" to {most}" if most is not None else "") + " is needed"
            )
        return number

    return read


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_TIME_LIMIT:  # neither is what is no number
        raise ValueError(f"a number of seconds from 0 (no limit) to {LONGEST_TIME_LIMIT:g} is needed")
    return seconds


def _true(text: str) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in words:
        raise ValueError("true or false is needed")
    return words[text.lower()]


def _encoding(text: str) -> str:
    if text != DEFAULT_ENCODING:
        token_counter(text)  # the default is known to exist, and loading it can wait for the first call
    return text


def _token(text: str) -> str:
    token = text.strip()
    if len(token) < MIN_TOKEN_CHARACTERS or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"at least {MIN_TOKEN_CHARACTERS} printable ASCII characters without spaces are needed")
    return token


def _token_file(text: str) -> str:
    try:
        return _token(Path(text).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ValueError(f"the file cannot be read: {reason}") from error


def _store_key(text: str) -> str:
    if len(text.strip()) < MIN_TOKEN_CHARACTERS:
        raise ValueError(f"at least {MIN_TOKEN_CHARACTERS} characters are needed")
    return text.strip()


def _one_of(choices: type[StrEnum]) -> Callable[[str], StrEnum]:
    def read(text: str) -> StrEnum:
        try:
            return choices(text)
        except ValueError as error:
            raise ValueError(f"it must be one of: {', '.join(choices)}") from error

    return read


SETTINGS = (
    Setting(
        name="root",
        field="roots",
        default="the working directory",
        read=str,
        metavar="DIR",
        help="folder that may be read; repeatable",
        separator=os.pathsep,
        variable=ROOTS_VARIABLE,
        guarded=True,
    ),
    Setting(
        name="repository",
        field="repositories",
        default="none",
        read=str,
        metavar="NAME=DIR",
        help="repository that is asked for as repo://NAME@REVISION; DIR@REVISION says what is read where none is; repeatable",
        separator=os.pathsep,
        guarded=True,
    ),
    Setting(
        name="default-budget",
        field="default_budget",
        default=str(DEFAULT_BUDGET),
        read=parse_budget,
        metavar="TOKENS",
        help="tokens for calls that name no budget: 8000, 8k, unlimited",
    ),
    Setting(
        name="encoding",
        field="encoding",
        default=DEFAULT_ENCODING,
        read=_encoding,
        metavar="NAME",
        help="vocabulary that tokens are counted in",
    ),
    Setting(
        name="no-redact",
        field="no_redact",
        default="false",
        read=_true,
        metavar="",
        help="leave secrets inside files as they are",
        flag=True,
        guarded=True,
    ),
    Setting(
        name="cache",
        field="cache",
        default="the user's cache folder",
        read=str,
        metavar="DIR",
        help="folder for what was worked out; `off` keeps it in memory",
        guarded=True,
    ),
    Setting(
        name="cache-limit",
        field="cache_limit",
        default="1024",
        read=_whole(LEAST_CACHE_LIMIT, MOST_CACHE_LIMIT),
        metavar="MIB",
        help="MiB that the cache's file may take; above that, what was not used for longest is removed",
        guarded=True,
    ),
    Setting(
        name="store",
        field="store",
        default="none",
        read=read_address,
        metavar="URL",
        help="server that replicas share what was worked out on: redis://, rediss:// or unix:// (docs/fleet.md)",
        guarded=True,
        secret=True,
    ),
    Setting(
        name="store-key",
        field="store_key",
        default="none",
        read=_store_key,
        metavar="KEY",
        help="what names and values in that store are keyed with, and tree packs signed; the same on all replicas",
        guarded=True,
        secret=True,
    ),
    Setting(
        name="published",
        field="published",
        default="none",
        read=str,
        metavar="TARGET",
        help="folder or object store that `index --publish` writes to, to begin with what lies there (docs/fleet.md)",
        guarded=True,
    ),
    Setting(
        name="parsers",
        field="parsers",
        default="one for each processor",
        read=_whole(0, MOST_PARSERS),
        metavar="N",
        help="processes that parse source; 0 leaves it to the process itself",
        guarded=True,
    ),
    Setting(
        name="parser-memory",
        field="parser_memory",
        default="1024",
        read=_whole(LEAST_PARSER_MEMORY),
        metavar="MIB",
        help="MiB that the work on one file may take; a file that needs more is shown as text",
        guarded=True,
    ),
    Setting(
        name="model",
        field="model",
        default="LLMLingua-2's multilingual BERT",
        read=str,
        metavar="MODEL",
        help="model of compress: its folder, or its name on the hub",
        guarded=True,
    ),
    Setting(
        name="time-limit",
        field="time_limit",
        default=f"{DEFAULT_TIME_LIMIT:g}",
        read=_seconds,
        metavar="SECONDS",
        help="seconds that a call may take, and as many that it may wait for its turn, before it is stopped; 0: no limit",
        guarded=True,
    ),
    Setting(
        name="transport",
        field="transport",
        default=Transport.STDIO.value,
        read=_one_of(Transport),
        metavar="NAME",
        help=f"how clients reach the server: {', '.join(Transport)}",
        guarded=True,
    ),
    Setting(
        name="host",
        field="host",
        default="127.0.0.1",
        read=str,
        metavar="ADDRESS",
        help="address to listen on; beyond loopback a token is needed",
        guarded=True,
    ),
    Setting(
        name="port",
        field="port",
        default="8808",
        read=_whole(0, MAX_PORT),
        metavar="N",
        help="port to listen on; 0 takes a free one, which is told on standard error",
        guarded=True,
    ),
    Setting(
        name="token-file",
        field="token",
        default="none",
        read=_token_file,
        metavar="FILE",
        help="file with the bearer token that HTTP clients must send",
        guarded=True,
    ),
    Setting(
        name="token",
        field="token",
        default="none",
        read=_token,
        metavar="TOKEN",
        help="the bearer token itself",
        guarded=True,
        secret=True,
    ),
    Setting(
        name="tenants",
        field="tenants",
        default="none",
        read=str,
        metavar="FILE",
        help="file that says which repositories each token opens over HTTP (docs/fleet.md)",
        guarded=True,
    ),
    Setting(
        name="allowed-host",
        field="allowed_hosts",
        default="loopback names and the address listened on",
        read=str,
        metavar="HOST",
        help="Host header to accept besides, `name` or `name:*` for any port; repeatable",
        separator=",",
        guarded=True,
    ),
    Setting(
        name="allowed-origin",
        field="allowed_origins",
        default="http at loopback names",
        read=str,
        metavar="ORIGIN",
        help="Origin header to accept besides, such as https://app.example; repeatable",
        separator=",",
        guarded=True,
    ),
    Setting(
        name="max-request-bytes",
        field="max_request_bytes",
        default=str(4 << 20),
        read=_whole(1024),
        metavar="N",
        help="larger HTTP requests are refused",
        guarded=True,
    ),
    Setting(
        name="max-concurrency",
        field="max_concurrency",
        default="512",
        read=_whole(1),
        metavar="N",
        help="HTTP connections at one time in each worker; further ones are refused",
        guarded=True,
    ),
    Setting(
        name="request-timeout",
        field="request_timeout",
        default="30",
        read=_whole(1),
        metavar="SECONDS",
        help="seconds within which an HTTP request must have arrived whole",
        guarded=True,
    ),
    Setting(
        name="drain",
        field="drain",
        default="0",
        read=_seconds,
        metavar="SECONDS",
        help="seconds that a server over HTTP serves on after SIGTERM, while /ready tells a balancer to send nobody",
        guarded=True,
    ),
    Setting(
        name="workers",
        field="workers",
        default="1",
        read=_whole(1, 64),
        metavar="N",
        help="processes that serve streamable HTTP",
        guarded=True,
    ),
    Setting(
        name="summarizer-url",
        field="summarizer_url",
        default="none",
        read=str,
        metavar="URL",
        help="endpoint of the model that writes summaries for compact_history",
        guarded=True,
    ),
    Setting(
        name="summarizer-model",
        field="summarizer_model",
        default="none",
        read=str,
        metavar="NAME",
        help="name of that model",
        guarded=True,
    ),
    Setting(
        name="summarizer-key",
        field="summarizer_key",
        default="none",
        read=str,
        metavar="KEY",
        help="key of that endpoint",
        guarded=True,
        secret=True,
    ),
    Setting(
        name="log-level",
        field="log_level",
        default=LogLevel.WARNING.value,
        read=_one_of(LogLevel),
        metavar="NAME",
        help=f"least of what is written to standard error: {', '.join(LogLevel)}",
    ),
    Setting(
        name="log-format",
        field="log_format",
        default=LogFormat.TEXT.value,
        read=_one_of(LogFormat),
        metavar="NAME",
        help="form of its lines: text, or json, which holds nothing of what is asked and answered",
    ),
)
"""Every setting, in the order in which people read about them."""
