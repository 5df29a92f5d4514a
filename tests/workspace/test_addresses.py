"""The addresses of other people's repositories."""

from __future__ import annotations

import pytest

from workspace.errors import InvalidArgumentError
from workspace.git.cloning import Address, address_of


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("github:a/b", ("https://github.com/a/b.git", "")),
        ("github:a/b.git@v1.0", ("https://github.com/a/b.git", "v1.0")),
        ("github:a/b.c@feature/x", ("https://github.com/a/b.c.git", "feature/x")),
        ("https://host.example/a/b", ("https://host.example/a/b", "")),
        ("https://host.example/a/b.git@0123abc", ("https://host.example/a/b.git", "0123abc")),
        ("http://127.0.0.1:8080/a@main", ("http://127.0.0.1:8080/a", "main")),
        ("file:///srv/a@main", ("file:///srv/a", "main")),
    ],
)
def test_an_address_says_where_and_which(text: str, address: tuple[str, str]) -> None:
    assert address_of(text) == Address(*address)


@pytest.mark.parametrize(
    "text",
    [
        "github:a",
        "github:a/b/c",
        "github:a/b@--upload-pack=x",
        "github:a/b@x..y",
        "github:a/b@x:y",
        "github:a/b@+x",
        "https://user:secret@host.example/a",
        "http://host.example/a",
        "https://host.example/a b",
        "https://",
        "file://",
        "https://host.example/a@",
        "https://host.example/a@^x",
        "https://host.example/a\x1b[31m",
        "https://host.example/a\u202eb",
        "http://[::1/a",
        "http://127.0.0.1:port/a",
        "http://127.0.0.1:99999/a",
        f"https://host.example/{'a' * 5000}",
        "http://127.0.0.1@host.example/a",
        "http://2130706433/a",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgumentError) as refused:
        address_of(text)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("last", "name"),
    [
        ("shop.git", "shop"),
        (".", "repository"),
        ("..", "repository"),
        (".git", "repository"),
        ("con", "repository"),
        ("a\\..\\..\\b", "a-..-..-b"),
        ("a:b", "a-b"),
        ("%2e%2e", "-2e-2e"),
        ("shop.", "shop"),
    ],
)
def test_its_folder_has_a_name_that_any_system_takes(last: str, name: str) -> None:
    assert address_of(f"https://host.example/a/{last}").name == name
