"""Paths of this machine in `file:` addresses, as editors and clients of the protocol write them."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote, urlsplit

from workspace.windows import IS_WINDOWS

_SCHEME: Final = "file:"


def path_at(address: str) -> str:
    """Return the path of a `file:` address, "" for any other and for one of another machine.

    On Windows a share of another machine is a path like any.
    """
    try:
        parts = urlsplit(address)
    except ValueError:  # brackets that hold no address of a host
        return ""
    if parts.scheme != "file":
        return ""
    near = parts.netloc in {"", "localhost"}
    if not IS_WINDOWS:
        return unquote(parts.path) if near else ""
    from urllib.request import url2pathname  # slow to load

    return url2pathname(parts.path if near else f"//{parts.netloc}{parts.path}")


def as_path(text: str) -> str:
    """Return a path or name that may be written as a `file:` address as it is written without; any other as it is.

    Lines behind it stay: `/a.py#L3` for `file:///a.py#L3`.
    """
    if not text.lower().startswith(_SCHEME):
        return text
    address, mark, lines = text.partition("#")
    path = path_at(address)
    return f"{path}{mark}{lines}" if path else text
