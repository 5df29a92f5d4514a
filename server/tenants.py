"""Tenants: which repositories a token opens, and nothing else.

A file says it, the one that the setting `tenants` names:

    [repositories]
    "web/shop" = "/srv/git/shop.git"
    "web/site" = { folder = "/srv/git/site.git", revision = "main" }

    [tenants.web]
    token-digests = ["<SHA-256 of the token, in hexadecimal digits>"]
    token-files = ["web.token"]
    repositories = ["web/shop", "web/site"]
    limits = { calls = 300, seconds = 60, tokens = 500000 }

Each tenant has a server of its own inside the process (`server.tenancy`), over settings of its own: its roots hold its
repositories alone, its cache, snapshots and archives lie in a folder of its own, and what it puts into a shared store has
a key of its own. So what belongs to another tenant is not refused: there is no such thing.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec
from msgspec.structs import replace

from server.limits import Limits
from server.settings_table import OFF
from workspace.errors import InvalidArgumentError
from workspace.git.repositories import Named, NamedRoots, is_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.settings import Settings

MOST_BYTES: Final = 4 << 20
_LEAST_CHARACTERS: Final = 16
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_FOLDER_DIGITS: Final = 32


class Tenant(msgspec.Struct, frozen=True, kw_only=True):
    """A tenant, and the repositories that it may read.

    Attributes:
        name: as in the file; it is told to nobody.
        digests: the SHA-256 of each of its tokens.
        repositories: what it may read.
        limits: what it may take within a minute.
    """

    name: str
    digests: tuple[bytes, ...]
    repositories: tuple[Named, ...]
    limits: Limits = Limits()


def folder_of(name: str) -> str:
    """Returns the name of the folder in which what belongs to a tenant is kept."""
    return hashlib.sha256(name.encode()).hexdigest()[:_FOLDER_DIGITS]


def digest_of(token: bytes) -> bytes:
    """Returns what stands for a token in the file and in memory."""
    return hashlib.sha256(token).digest()


def read_tenants(path: str) -> dict[str, Tenant]:
    """Returns the tenants of a file, by name. Paths in it are relative to it.

    Raises:
        InvalidArgumentError: it cannot be read or is not of its form, a repository is not there, or two tenants have the
            same token.
    """
    place = Path(path)
    table = _table(place)
    if unknown := table.keys() - {"repositories", "tenants"}:
        raise InvalidArgumentError(f"{place} names {_quoted(unknown)}; it has the tables repositories and tenants.")
    known = {name: _repository(name, said, place) for name, said in _dict(table, "repositories", place).items()}
    tenants = {name: _tenant(name, said, known, place) for name, said in _dict(table, "tenants", place).items()}
    if not tenants:
        raise InvalidArgumentError(f"{place} names no tenant, so nobody could ask anything; add [tenants.NAME].")
    holders: dict[bytes, str] = {}
    for tenant in tenants.values():
        for digest in tenant.digests:
            if holders.setdefault(digest, tenant.name) != tenant.name:
                raise InvalidArgumentError(f"{place}: {holders[digest]} and {tenant.name} have the same token.")
    return tenants


def settings_of(settings: Settings, tenant: Tenant) -> Settings:
    """Returns the settings that a tenant's server runs with.

    Raises:
        InvalidArgumentError: a repository cannot be read as it has to be.
    """
    from skeleton.index.cache import cache_folder  # the server's, when its first tenant asks

    folder = cache_folder(settings.cache)
    return replace(
        settings,
        roots=NamedRoots(tenant.repositories, is_private=True),
        tenant=tenant.name,
        limits=tenant.limits,
        token="",
        cache=OFF if folder is None else str(folder / "tenants" / folder_of(tenant.name)),
        published="",  # packs are signed with the key of all, and would tell one tenant what another has parsed
        store_key=key_of(settings.store_key.encode(), tenant.name).hex(),
    )


def key_of(key: bytes, name: str) -> bytes:
    """Returns a key for one tenant, made of one for all."""
    return hmac.digest(key, b"fractal-context tenant\0" + name.encode(), "sha256")


def _table(place: Path) -> dict[str, Any]:
    try:
        with place.open("rb") as stream:
            raw = stream.read(MOST_BYTES + 1)
        if len(raw) > MOST_BYTES:
            raise InvalidArgumentError(f"The tenants in {place} are longer than {MOST_BYTES} bytes.")
        return tomllib.loads(raw.decode("utf-8"))
    except OSError as error:
        raise InvalidArgumentError(f"The file of tenants {place} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"The file of tenants {place} is no TOML: {error}.") from error


def _repository(name: str, said: object, place: Path) -> Named:
    known: Mapping[str, object] = cast("dict[str, object]", said) if isinstance(said, dict) else {"folder": said}
    folder, revision = known.get("folder"), known.get("revision", "")
    if (
        not is_name(name)
        or not isinstance(folder, str)
        or not isinstance(revision, str)
        or known.keys() - {"folder", "revision"}
    ):
        raise InvalidArgumentError(
            f'{place}: the repository {name!r} is not of its form; write "team/name" = "FOLDER", or'
            ' { folder = "FOLDER", revision = "main" }.'
        )
    real = (place.parent / Path(folder).expanduser()).resolve()
    if not real.is_dir():
        raise InvalidArgumentError(f"{place}: the folder of {name} does not exist.")
    return Named(name=name, folder=real, revision=revision)


def _tenant(name: str, said: object, known: Mapping[str, Named], place: Path) -> Tenant:
    lists = cast("dict[str, object]", said) if isinstance(said, dict) else {}
    digests, files, names = (
        _texts(lists, key, name, place) for key in ("token-digests", "token-files", "repositories")
    )
    if unknown := lists.keys() - {"token-digests", "token-files", "repositories", "limits"}:
        raise InvalidArgumentError(f"{place}: the tenant {name} has no {_quoted(unknown)}.")
    if missing := [one for one in names if one not in known]:
        raise InvalidArgumentError(f"{place}: {name} may read {_quoted(missing)}, which [repositories] does not name.")
    if not names or not (digests or files):
        raise InvalidArgumentError(f"{place}: the tenant {name} needs repositories, and token-digests or token-files.")
    for digest in digests:
        if not _DIGEST.fullmatch(digest):
            raise InvalidArgumentError(f"{place}: a digest of {name} is no SHA-256 in 64 hexadecimal digits.")
    tokens = [bytes.fromhex(digest) for digest in digests] + [_token(place.parent / one, name, place) for one in files]
    return Tenant(
        name=name,
        digests=tuple(tokens),
        repositories=tuple(known[one] for one in dict.fromkeys(names)),
        limits=_limits(lists.get("limits", {}), name, place),
    )


def _limits(said: object, name: str, place: Path) -> Limits:
    try:
        limits = msgspec.convert(said, Limits)
        is_sound = cast("dict[str, object]", said).keys() <= set(limits.__struct_fields__)
    except msgspec.ValidationError:
        is_sound, limits = False, Limits()
    if not is_sound or min(msgspec.structs.astuple(limits)) < 0:
        raise InvalidArgumentError(
            f"{place}: the limits of {name} are not of their form; write {{ calls = 300, seconds = 60, tokens = 500000 }},"
            " what it may take within a minute."
        )
    return limits


def _token(file: Path, name: str, place: Path) -> bytes:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgumentError(f"{place}: the token file of {name} cannot be read.") from error
    if len(token) < _LEAST_CHARACTERS or not token.isascii() or not token.isprintable() or " " in token:
        raise InvalidArgumentError(
            f"{place}: the token of {name} needs at least {_LEAST_CHARACTERS} printable ASCII characters without spaces."
        )
    return digest_of(token.encode())


def _dict(table: Mapping[str, object], key: str, place: Path) -> dict[str, object]:
    found = table.get(key, {})
    if not isinstance(found, dict):
        raise InvalidArgumentError(f"{place}: {key} is no table.")
    return cast("dict[str, object]", found)


def _texts(lists: Mapping[str, object], key: str, name: str, place: Path) -> list[str]:
    found = lists.get(key, [])
    if not isinstance(found, list) or not all(isinstance(one, str) for one in cast("list[object]", found)):
        raise InvalidArgumentError(f"{place}: {key} of {name} is no list of texts.")
    return cast("list[str]", found)


def _quoted(names: object) -> str:
    return ", ".join(sorted(map(repr, cast("list[str]", names))))
