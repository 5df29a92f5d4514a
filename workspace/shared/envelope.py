"""A value as it lies in the shared store: compressed, with its length and a digest that binds it to its name.

    1 byte    the form: `PLAIN` or `DEFLATED`
    4 bytes   how many bytes the value has when it is taken out, big endian
    16 bytes  BLAKE2b of the name, the five bytes above and what follows, keyed where the store has a key
    the rest  the value, as it is or deflated

What is cut short, changed, put under another name or sealed with another key is no value: it counts as missing. The
length is known, and bounded, before anything is inflated.
"""

from __future__ import annotations

import hashlib
import hmac
import zlib
from typing import Final

PLAIN: Final = 0
DEFLATED: Final = 1

MOST_BYTES: Final = 64 << 20
"""Of one value, taken out: a larger one is neither put in nor taken out."""

_LENGTH_BYTES: Final = 4
_DIGEST_BYTES: Final = 16
_HEAD_BYTES: Final = 1 + _LENGTH_BYTES
_WORTH_DEFLATING: Final = 64
_LEVEL: Final = 1


def sealed(name: bytes, value: bytes, key: bytes) -> bytes:
    """Returns a value as it is stored under a name.

    Args:
        name: the name.
        value: no more than `MOST_BYTES`.
        key: of the digest, 64 bytes at the most; empty for none.
    """
    packed = zlib.compress(value, _LEVEL) if len(value) >= _WORTH_DEFLATING else value
    form = DEFLATED
    if len(packed) >= len(value):
        form, packed = PLAIN, value
    head = bytes([form]) + len(value).to_bytes(_LENGTH_BYTES, "big")
    return head + _digest(name, head, packed, key) + packed


def opened(name: bytes, stored: object, key: bytes) -> bytes | None:
    """Returns the value that is stored under a name; None where it is not what was put there."""
    if not isinstance(stored, bytes) or len(stored) < _HEAD_BYTES + _DIGEST_BYTES:
        return None
    head, digest = stored[:_HEAD_BYTES], stored[_HEAD_BYTES : _HEAD_BYTES + _DIGEST_BYTES]
    packed = stored[_HEAD_BYTES + _DIGEST_BYTES :]
    if not hmac.compare_digest(digest, _digest(name, head, packed, key)):
        return None
    length = int.from_bytes(head[1:], "big")
    if length > MOST_BYTES:
        return None
    value = packed if head[0] == PLAIN else _inflated(packed, length)
    return value if value is not None and len(value) == length else None


def _inflated(packed: bytes, length: int) -> bytes | None:
    inflating = zlib.decompressobj()
    try:
        value = inflating.decompress(packed, length + 1)
    except zlib.error:
        return None
    return value if inflating.eof and not inflating.unused_data else None


def _digest(name: bytes, head: bytes, packed: bytes, key: bytes) -> bytes:
    digest = hashlib.blake2b(len(name).to_bytes(2, "big") + name + head, digest_size=_DIGEST_BYTES, key=key)
    digest.update(packed)
    return digest.digest()
