"""The address of the shared store's server, `redis://`, `rediss://` or `unix://`, and its text without a password."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

import msgspec

SCHEMES: Final = ("redis", "rediss", "unix")
OPTIONS: Final = frozenset(
    {"db", "username", "password", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_cert_reqs", "ssl_check_hostname"}
)
"""The options that may stand behind the question mark; others that the client understands would lift time limits."""


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """An address of a server.

    Attributes:
        url: all of it; it may hold a password.
        shown: what may be printed: the scheme and the place.
    """

    url: str
    shown: str

    def __repr__(self) -> str:
        return f"Address({self.shown!r})"


def read_address(text: str) -> Address:
    """Reads an address.

    Raises:
        ValueError: it is none; the text, which may hold a password, is not repeated.
    """
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError as error:
        raise ValueError("it is no URL: the port must be a number") from error
    if parts.scheme not in SCHEMES:
        raise ValueError("it must begin with redis://, rediss:// (TLS) or unix:// (a socket of this machine)")
    unknown = sorted(parse_qs(parts.query, keep_blank_values=True).keys() - OPTIONS)
    if unknown:
        raise ValueError(f"it has the option {unknown[0]!r}; those that are known are {', '.join(sorted(OPTIONS))}")
    if parts.scheme == "unix":
        if not parts.path.startswith("/"):
            raise ValueError("a unix:// address names the path of a socket: unix:///run/valkey.sock")
        return Address(url=text.strip(), shown=f"unix://{parts.path}")
    if not parts.hostname:
        raise ValueError("it names no host: redis://HOST:6379")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(url=text.strip(), shown=f"{parts.scheme}://{host}{f':{port}' if port else ''}")
