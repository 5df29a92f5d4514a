"""The settings that the product is started with: one table, from which everything that names a setting is made.

A setting is a row of `SETTINGS` (`server.settings_table`). Its command line option, its environment variable, its key in
`fractal-context.toml`, its line in `doctor` and its row in `docs/settings.md` are read from there. The command line wins
over the environment, the environment over the file, the file over the default. Everything is checked once, when the
process starts, so that a wrong value ends it with a sentence that names its source.

The file is the one that `--config` or `FRACTAL_CONTEXT_CONFIG` names, or else `fractal-context.toml` in the working
directory. The latter may have come with a repository that somebody cloned to have it read. So it may not open a door:
settings that say what may be read, who may ask or where text is sent (`guarded`) are refused there.
"""

from __future__ import annotations

import ipaddress
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from server.limits import Limits
from server.settings_table import (
    CONFIG_FILE,
    CONFIG_VARIABLE,
    DEFAULT_BUDGET,
    DEFAULT_TIME_LIMIT,
    MAX_CONFIG_BYTES,
    OFF,
    PREFIX,
    SETTINGS,
    LogFormat,
    LogLevel,
    Setting,
    Transport,
)
from workspace.errors import InvalidArgumentError
from workspace.memory import SHARE_BYTES
from workspace.roots import Roots, UnnamedRoots
from workspace.tokens import DEFAULT_ENCODING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from workspace.shared.address import Address

_SECRET = frozenset(row.field for row in SETTINGS if row.secret)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a server.

    Attributes:
        roots: the folders that calls may read; every path of a caller goes through them. None named: `UnnamedRoots`.
        repositories: those of them that are asked for by names, as they were said.
        default_budget: tokens for a call that names no budget; None lifts the ceiling.
        encoding: the vocabulary that tokens are counted in.
        no_redact: whether secrets inside files stay in what is returned.
        cache: the folder for what was worked out; "" for the user's, `off` for none.
        cache_limit: MiB that the cache's file may take.
        store: the server that replicas share; None for none.
        store_key: what names and values there are keyed with, and tree packs signed; "" for nothing.
        published: the folder or the object store of tree packs; "" for none.
        parsers: processes that parse source; None for one for each processor.
        parser_memory: MiB of memory that the work on one file may take.
        model: the model of `compress`, a folder or a name; "" for the default.
        time_limit: seconds that a call may take once its turn has come, and wait for it; 0 for no limit.
        transport: how clients reach the server.
        host: the address that HTTP listens on.
        port: its port; 0 for a free one.
        token: the bearer token that HTTP clients must send; "" for none.
        tenants: the file that says which repositories each token opens; "" for none.
        tenant: whose server this is; "" where there are no tenants.
        allowed_hosts: Host headers accepted besides those of loopback and of `host`.
        allowed_origins: Origin headers accepted besides those of loopback.
        max_request_bytes: bytes of the largest HTTP request.
        max_concurrency: HTTP connections at one time in each worker.
        request_timeout: seconds within which an HTTP request must have arrived.
        drain: seconds that a server over HTTP serves on after it was told to stop.
        limits: what a tenant may take within a minute.
        workers: processes that serve streamable HTTP.
        summarizer_url: the endpoint that writes summaries; "" for none.
        summarizer_model: the model asked there.
        summarizer_key: the key sent there.
        log_level: the least of what is logged.
        log_format: the form of its lines.
        sources: for each setting that was said, by name, who said it.
    """

    roots: Roots
    repositories: tuple[str, ...] = ()
    default_budget: int | None = DEFAULT_BUDGET
    encoding: str = DEFAULT_ENCODING
    no_redact: bool = False
    cache: str = ""
    cache_limit: int = 1024
    store: Address | None = None
    store_key: str = ""
    published: str = ""
    parsers: int | None = None
    parser_memory: int = SHARE_BYTES >> 20
    model: str = ""
    time_limit: float = DEFAULT_TIME_LIMIT
    transport: Transport = Transport.STDIO
    host: str = "127.0.0.1"
    port: int = 8808
    token: str = ""
    tenants: str = ""
    tenant: str = ""
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    max_request_bytes: int = 4 << 20
    max_concurrency: int = 512
    request_timeout: int = 30
    drain: float = 0
    limits: Limits = Limits()
    workers: int = 1
    summarizer_url: str = ""
    summarizer_model: str = ""
    summarizer_key: str = ""
    log_level: LogLevel = LogLevel.WARNING
    log_format: LogFormat = LogFormat.TEXT
    sources: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])

    def __repr__(self) -> str:
        shown = (f"{name}={getattr(self, name)!r}" for name in self.__struct_fields__ if name not in _SECRET)
        return f"Settings({', '.join(shown)})"


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
    values["roots"] = _roots(values.get("roots", ()), values.get("repositories", ()))
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
            from workspace.slips import meant  # for mistakes alone

            raise InvalidArgumentError(
                f"{path} names `{key}`, which is no setting.{meant([key], rows)} The settings are {', '.join(rows)}."
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
    if row.metavar == "NAME=DIR":
        parted = [text.partition("=") for text in texts]
        return [f"{name}{sign}{folder.absolute() / Path(place).expanduser()}" for name, sign, place in parted]
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
    except (ValueError, InvalidArgumentError) as error:
        shown = "" if row.secret else f" {text!r}"
        why = str(error).removesuffix(".")
        raise InvalidArgumentError(f"{source}: the {row.name}{shown} is not usable: {why}.") from error


def _roots(named: Sequence[str], repositories: Sequence[str]) -> Roots:
    if repositories:
        from workspace.git.repositories import NamedRoots, named_of  # few have names

        return NamedRoots([named_of(text) for text in repositories], named)
    allowed = Roots(named) if named else UnnamedRoots(Path.cwd())
    for path in allowed.paths:
        if path == path.parent:
            import logging  # a command that has nothing to tell does without

            logging.getLogger(__name__).warning(
                "The root is %s: every file of this machine may be read. Name folders with --root.", path
            )
    return allowed


def _check(settings: Settings) -> None:
    if settings.tenants:
        _check_tenants(settings)
    if settings.transport is Transport.STDIO:
        return
    if not settings.roots.paths and not settings.repositories and not settings.tenants:
        raise InvalidArgumentError(
            f"A server over {settings.transport} needs --root and a folder: it was started in a folder that is too wide to be"
            " read without a word."
        )
    if not is_loopback(settings.host) and not settings.token and not settings.tenants:
        raise InvalidArgumentError(
            f"{settings.host} can be reached from other machines, so a bearer token is needed: give one with --token-file"
            f" or {PREFIX}TOKEN, or listen on 127.0.0.1."
        )
    if settings.workers > 1 and settings.transport is not Transport.STREAMABLE_HTTP:
        raise InvalidArgumentError(
            f"--workers {settings.workers} needs --transport {Transport.STREAMABLE_HTTP}: a conversation over"
            f" {settings.transport} lives in one process."
        )


def _check_tenants(settings: Settings) -> None:
    """Reads the file once before anybody asks, so that what is wrong in it is told to who starts the server."""
    from server.tenants import read_tenants, settings_of  # few servers have tenants

    if settings.transport is Transport.STDIO:
        raise InvalidArgumentError(
            f"--tenants needs --transport {Transport.STREAMABLE_HTTP}: over {settings.transport} nobody sends a token."
        )
    if settings.token or settings.repositories or "root" in settings.sources:
        raise InvalidArgumentError(
            "--tenants says who may read what: leave --root, --repository and the token of the server itself out."
        )
    for tenant in read_tenants(settings.tenants).values():
        settings_of(settings, tenant)
