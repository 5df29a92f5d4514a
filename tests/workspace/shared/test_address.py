"""Addresses of the shared store: what is understood, what is refused, and that no password is told."""

from __future__ import annotations

import pytest

from workspace.shared.address import read_address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://store", "redis://store"),
        ("redis://store:6380/2", "redis://store:6380"),
        ("rediss://user:hunter2@store:6380?ssl_ca_certs=/etc/ca.pem", "rediss://store:6380"),
        ("redis://:hunter2@[::1]:6379", "redis://[::1]:6379"),
        ("unix:///run/valkey.sock?password=hunter2&db=1", "unix:///run/valkey.sock"),
    ],
)
def test_an_address_is_shown_without_its_password(text: str, shown: str) -> None:
    address = read_address(text)
    assert address.url == text
    assert address.shown == shown
    assert "hunter2" not in repr(address)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "store:6379",
        "http://:hunter2@store",
        "redis://",
        "redis://:hunter2@store:many",
        "unix://socket",
        "redis://:hunter2@store?socket_timeout=1000",
        "redis://:hunter2@store?retry_on_timeout=true",
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        read_address(text)
    assert "hunter2" not in str(refused.value)
