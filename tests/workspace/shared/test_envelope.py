"""Values as they lie in a shared store: what was put in comes out, and nothing else."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace.shared.envelope import DEFLATED, MOST_BYTES, opened, sealed

NAME = b"fractal1:open:3:name"


@given(name=st.binary(max_size=80), value=st.binary(max_size=3000), key=st.binary(max_size=32))
def test_what_was_sealed_comes_out(name: bytes, value: bytes, key: bytes) -> None:
    assert opened(name, sealed(name, value, key), key) == value


@pytest.mark.parametrize("value", [b"short", b"a long value that deflates " * 40])
def test_every_changed_byte_and_every_cut_is_a_miss(value: bytes) -> None:
    stored = sealed(NAME, value, b"key")
    for place in range(len(stored)):
        changed = stored[:place] + bytes([stored[place] ^ 1]) + stored[place + 1 :]
        assert opened(NAME, changed, b"key") is None
        assert opened(NAME, stored[:place], b"key") is None
    assert opened(NAME, stored + b"x", b"key") is None


def test_a_value_under_another_name_or_of_another_key_is_a_miss() -> None:
    stored = sealed(NAME, b"value", b"key")
    assert opened(NAME + b"2", stored, b"key") is None
    assert opened(NAME, stored, b"another") is None
    assert opened(NAME, stored, b"") is None
    assert opened(NAME, None, b"key") is None
    assert opened(NAME, 17, b"key") is None


@pytest.mark.parametrize("told", [10, MOST_BYTES, MOST_BYTES + 1])
def test_what_inflates_to_another_length_than_it_tells_is_a_miss(told: int) -> None:
    from workspace.shared.envelope import _digest  # pyright: ignore[reportPrivateUsage] - a forger with the key

    packed = zlib.compress(bytes(1 << 20))
    head = bytes([DEFLATED]) + told.to_bytes(4, "big")
    assert opened(NAME, head + _digest(NAME, head, packed, b"") + packed, b"") is None
