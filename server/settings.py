"""What the product is started with: one table, from which everything that names a setting is made.

A setting is a row of `SETTINGS`. Its command line option, its environment variable, its key in `fractal-context.toml`,
its line in `doctor` and its row in `docs/settings.md` are read from there, so none of them can fall behind. The command
line wins over the environment, the environment over the file, the file over the default. Everything is checked once,
when the process starts, so that a wrong value ends it with a sentence that names its source.

The file is the one that `--config` or `FRACTAL_CONTEXT_CONFIG` names, or else `fractal-context.toml` in the working
directory. The latter may have come with a repository that somebody cloned to have it read. So it may not open a door:
settings that say what may be read, who may ask or where text is sent (`guarded`) are refused there.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import tomllib
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from workspace.errors import InvalidArgumentError
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING, parse_budget, token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

PREFIX = "FRACTAL_CONTEXT_"
CONFIG_FILE = "fractal-context.toml"
CONFIG_VARIABLE = PREFIX + "CONFIG"
ROOTS_VARIABLE = PREFIX + "ROOTS"
DEFAULT_BUDGET = 20_000
MIN_TOKEN_CHARACTERS = 16
MAX_PORT = 65_535
MAX_CONFIG_BYTES = 1 << 20
OFF = "off"
"""Stands for no cache where a folder could be named."""

MOST_PARSERS = 7
"""As many as the pool of workers takes; it is not loaded for a number."""

logger = logging.getLogger(__name__)


class Transport(StrEnum):
    """How clients reach the server."""

    STDIO = "stdio"
    SSE = "sse"
    STREAMABLE_HTTP = "streamable-http"


class LogLevel(StrEnum):
    """What is worth a line on standard error."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
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
        number = int(text)
        if number < least or (most is not None and number > most):
            raise ValueError(
                f"a whole number from {least}" + (f" to {most}" if most is not None else "") + " is needed"
            )
        return number

    return read


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
        name="parsers",
        field="parsers",
        default="one for each processor",
        read=_whole(0, MOST_PARSERS),
        metavar="N",
        help="processes that parse source; 0 leaves it to the process itself",
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
        help="within which an HTTP request must have arrived whole",
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
)
"""Every setting, in the order in which people read about them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a server is started with.

    Attributes:
        roots: the folders that calls may read; every path of a caller goes through them.
        default_budget: tokens for a call that names no budget; None lifts the ceiling.
        encoding: the vocabulary that tokens are counted in.
        no_redact: whether secrets inside files stay in what is returned.
        cache: the folder for what was worked out; "" for the user's, `off` for none.
        parsers: processes that parse source; None for one for each processor.
        model: the model of `compress`, a folder or a name; "" for the default.
        transport: how clients reach the server.
        host: the address that HTTP listens on.
        port: its port; 0 for a free one.
        token: the bearer token that HTTP clients must send; "" for none.
        allowed_hosts: Host headers accepted besides those of loopback and of `host`.
        allowed_origins: Origin headers accepted besides those of loopback.
        max_request_bytes: bytes of the largest HTTP request.
        max_concurrency: HTTP connections at one time in each worker.
        request_timeout: seconds within which an HTTP request must have arrived.
        workers: processes that serve streamable HTTP.
        summarizer_url: the endpoint that writes summaries; "" for none.
        summarizer_model: the model asked there.
        summarizer_key: the key sent there.
        log_level: the least of what is logged.
        sources: for each setting that was said, by name, who said it.
    """

    roots: Roots
    default_budget: int | None = DEFAULT_BUDGET
    encoding: str = DEFAULT_ENCODING
    no_redact: bool = False
    cache: str = ""
    parsers: int | None = None
    model: str = ""
    transport: Transport = Transport.STDIO
    host: str = "127.0.0.1"
    port: int = 8808
    token: str = field(default="", repr=False)
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    max_request_bytes: int = 4 << 20
    max_concurrency: int = 512
    request_timeout: int = 30
    workers: int = 1
    summarizer_url: str = ""
    summarizer_model: str = ""
    summarizer_key: str = field(default="", repr=False)
    log_level: LogLevel = LogLevel.WARNING
    sources: Mapping[str, str] = field(default_factory=dict[str, str])


def read_settings(*, config: str | None = None, environ: Mapping[str, str] | None = None, **given: object) -> Settings:
    """Returns the settings for what the command line, the environment and the file say.

    Args:
        config: the file that `--config` names; None leaves it to the environment and the working directory.
        environ: the environment variables; None for this process's.
        given: what the command line says, by the name of the setting's field: text, a number, or several of them where a
            setting takes several. None and the empty list count as nothing said.

    Raises:
        InvalidArgumentError: a value is not of its form, a root is no folder, the file cannot be read or says what it
            may not, or values contradict each other.
    """
    environ = os.environ if environ is None else environ
    said: dict[str, tuple[Setting, list[str], str]] = {}
    for setting, texts, source in (
        *_of_file(config, environ),
        *((row, _split(row, environ.get(row.environment, "")), row.environment) for row in SETTINGS),
        *((row, _texts(given.get(row.field)), f"--{row.name}") for row in SETTINGS if not row.secret),
    ):
        if texts:
            said[setting.field] = (setting, texts, source)
    values: dict[str, Any] = {}
    for field_name, (row, texts, source) in said.items():
        read = [_read(row, text, source) for text in texts]
        values[field_name] = tuple(read) if row.separator else read[-1]
    values["roots"] = _roots(values.get("roots", ()))
    settings = Settings(**values, sources={row.name: source for row, _, source in said.values()})
    _check(settings)
    return settings


def is_loopback(host: str) -> bool:
    """Tells whether an address that is listened on can be reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _of_file(config: str | None, environ: Mapping[str, str]) -> list[tuple[Setting, list[str], str]]:
    named = config or environ.get(CONFIG_VARIABLE, "")
    path = Path(named) if named else Path.cwd() / CONFIG_FILE
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_CONFIG_BYTES + 1)
        if len(raw) > MAX_CONFIG_BYTES:
            raise InvalidArgumentError(f"The settings in {path} are longer than {MAX_CONFIG_BYTES} bytes.")
        table = tomllib.loads(raw.decode("utf-8"))
    except FileNotFoundError:
        if not named:
            return []
        raise InvalidArgumentError(f"The settings file {path} does not exist.") from None
    except OSError as error:
        raise InvalidArgumentError(f"The settings file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"The settings file {path} is no TOML: {error}.") from error
    rows = {row.name: row for row in SETTINGS}
    found: list[tuple[Setting, list[str], str]] = []
    for key, value in table.items():
        if key not in rows:
            raise InvalidArgumentError(
                f"{path} names `{key}`, which is no setting. The settings are {', '.join(rows)}."
            )
        if rows[key].guarded and not named:
            raise InvalidArgumentError(
                f"{path} sets `{key}`. A file that is found in the working directory may not open a door, because it"
                " may have come with the code; if it is yours, name it with --config."
            )
        found.append((rows[key], _relative_to(path.parent, rows[key], _texts(value)), f"{path}"))
    return found


def _relative_to(folder: Path, row: Setting, texts: list[str]) -> list[str]:
    """Paths in a file are relative to it, wherever the process runs."""
    if row.metavar not in {"DIR", "FILE"}:
        return texts
    return [text if text == OFF else str(folder.absolute() / Path(text).expanduser()) for text in texts]


def _split(row: Setting, text: str) -> list[str]:
    if not row.separator:
        return [text] if text else []
    return [part for part in text.split(row.separator) if part]


def _texts(value: object) -> list[str]:
    match value:
        case None:
            return []
        case list() | tuple():
            return [str(part) for part in cast("Sequence[object]", value)]
        case _:
            return [str(value)]


def _read(row: Setting, text: str, source: str) -> object:
    try:
        return row.read(text)
    except ValueError as error:
        shown = "" if row.secret else f" {text!r}"
        raise InvalidArgumentError(f"{source}: the {row.name}{shown} is not usable: {error}.") from error


def _roots(named: Sequence[str]) -> Roots:
    allowed = Roots(named or [Path.cwd()])
    for path in allowed.paths:
        if path == path.parent:
            logger.warning("The root is %s: every file of this machine may be read. Name folders with --root.", path)
    return allowed


def _check(settings: Settings) -> None:
    if settings.transport is Transport.STDIO:
        return
    if not is_loopback(settings.host) and not settings.token:
        raise InvalidArgumentError(
            f"{settings.host} can be reached from other machines, so a bearer token is needed: give one with --token-file"
            f" or {PREFIX}TOKEN, or listen on 127.0.0.1."
        )
    if settings.workers > 1 and settings.transport is not Transport.STREAMABLE_HTTP:
        raise InvalidArgumentError(
            f"--workers {settings.workers} needs --transport {Transport.STREAMABLE_HTTP}: a conversation over"
            f" {settings.transport} lives in one process."
        )
