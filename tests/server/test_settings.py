"""The sources of each setting: the command line, the environment, the file, the default."""

from __future__ import annotations

import logging
import os
import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from server.indexing import open_index
from server.options import settings_in_force
from server.settings import DEFAULT_BUDGET, SETTINGS, Settings, Transport, is_loopback, read_settings
from server.settings_table import MOST_PARSERS, ROOTS_VARIABLE
from skeleton.index.cache import Cache, cache_folder
from skeleton.index.workers import MOST_WORKERS
from workspace.errors import InvalidArgumentError
from workspace.roots import Roots
from workspace.shared.address import read_address

TOKEN = "a-token-of-some-length"

SAID: dict[str, tuple[str, str, Any]] = {
    "default-budget": ("8k", "9k", 9000),
    "no-redact": ("false", "true", True),
    "encoding": ("o200k_base", "cl100k_base", "cl100k_base"),
    "cache-limit": ("16", "2048", 2048),
    "store": ("redis://a", "unix:///b", read_address("unix:///b")),
    "store-key": (TOKEN, TOKEN + "2", TOKEN + "2"),
    "published": ("/a", "s3://b", "s3://b"),
    "parsers": ("1", "0", 0),
    "parser-memory": ("100", "200", 200),
    "model": ("a", "b", "b"),
    "time-limit": ("5", "0.5", 0.5),
    "transport": ("sse", "streamable-http", Transport.STREAMABLE_HTTP),
    "host": ("127.0.0.2", "127.0.0.3", "127.0.0.3"),
    "port": ("1", "2", 2),
    "token": (TOKEN, TOKEN + "2", TOKEN + "2"),
    "allowed-host": ("a", "b,c", ("b", "c")),
    "allowed-origin": ("https://a", "https://b,https://c", ("https://b", "https://c")),
    "max-request-bytes": ("5000", "6000", 6000),
    "max-concurrency": ("5", "6", 6),
    "request-timeout": ("5", "6", 6),
    "workers": ("1", "2", 2),
    "drain": ("1", "2.5", 2.5),
    "summarizer-url": ("http://a", "http://b", "http://b"),
    "summarizer-model": ("a", "b", "b"),
    "summarizer-key": ("a", "b", "b"),
    "log-level": ("error", "debug", "debug"),
    "log-format": ("text", "json", "json"),
}
"""For every setting that is no path: what the file says, what the environment says, and what that means."""


def test_flags_win_over_the_environment_and_it_over_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flagged, exported, another, here = (tmp_path / name for name in ("flagged", "exported", "another", "here"))
    for folder in (flagged, exported, another, here):
        folder.mkdir()
    monkeypatch.chdir(here)
    environ = {ROOTS_VARIABLE: os.pathsep.join([str(exported), str(another), ""])}
    assert read_settings(roots=[str(flagged)], environ=environ).roots.paths == (flagged,)
    assert read_settings(environ=environ).roots.paths == (exported, another)
    assert read_settings(environ={}).roots.paths == (here,)
    assert read_settings(environ={ROOTS_VARIABLE: ""}).roots.paths == (here,)


def test_the_environment_wins_over_the_file_for_every_setting(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    rows = {row.name: row for row in SETTINGS}
    assert set(SAID) == set(rows) - {"root", "token-file", "cache", "repository", "tenants"}
    lines: list[str] = []
    for name, (filed, _, _) in SAID.items():
        lines.append(f'{name} = ["{filed}"]' if rows[name].separator else f'{name} = "{filed}"')
    path.write_text("\n".join(lines), encoding="utf-8")
    exported = {rows[name].environment: said for name, (_, said, _) in SAID.items()}
    for environ in ({}, exported):
        settings = read_settings(config=str(path), environ=environ, roots=[str(tmp_path)])
        for name, (_, _, meant) in SAID.items():
            assert (getattr(settings, rows[name].field) == meant) is bool(environ) or name == "encoding", name
            assert settings.sources[name] == (rows[name].environment if environ else str(path))


def test_the_command_line_wins_over_the_environment(tmp_path: Path) -> None:
    environ = {"FRACTAL_CONTEXT_PORT": "1", "FRACTAL_CONTEXT_TOKEN": TOKEN}
    (tmp_path / "token").write_text(TOKEN * 2, encoding="utf-8")
    settings = read_settings(
        environ=environ, roots=[str(tmp_path)], port="2", token=str(tmp_path / "token"), allowed_hosts=["a", "b"]
    )
    assert (settings.port, settings.token, settings.allowed_hosts) == (2, TOKEN * 2, ("a", "b"))
    assert settings.sources["port"] == "--port"
    assert settings.sources["token-file"] == "--token-file"


def test_the_table_and_the_fields_agree(tmp_path: Path) -> None:
    defaults = asdict(Settings(roots=Roots([tmp_path])))
    assert {row.field for row in SETTINGS} == set(defaults) - {"sources", "tenant", "limits"}
    for row in SETTINGS:
        if " " not in row.default and row.default != "none":
            assert row.read(row.default) == defaults[row.field], row.name
        assert row.environment.startswith("FRACTAL_CONTEXT_")
        assert not row.help.endswith(".")


def test_paths_in_a_file_are_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "token").write_text(TOKEN, encoding="utf-8")
    (tmp_path / "mine.toml").write_text('root = ["code"]\ntoken-file = "token"\nport = 7\n', encoding="utf-8")
    settings = read_settings(environ={"FRACTAL_CONTEXT_CONFIG": str(tmp_path / "mine.toml")})
    assert settings.roots.paths == (tmp_path / "code",)
    assert (settings.token, settings.port) == (TOKEN, 7)


def test_the_cache_can_be_moved_and_turned_off(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    for said, folder in (('"kept"', tmp_path / "kept"), ('"~"', Path.home()), ('"off"', None)):
        mine.write_text(f"cache = {said}\n", encoding="utf-8")
        settings = read_settings(config=str(mine), environ={})
        assert cache_folder(settings.cache) == folder
        environ = {"FRACTAL_CONTEXT_CACHE": str(tmp_path / "elsewhere")}
        settings = read_settings(config=str(mine), environ=environ)
        assert cache_folder(settings.cache) == tmp_path / "elsewhere"
        assert cache_folder(read_settings(environ=environ, cache="off").cache) is None


def test_how_many_parsers_is_the_pools_to_say(tmp_path: Path) -> None:
    assert MOST_PARSERS == MOST_WORKERS
    roots = [str(tmp_path)]
    for parsers in (0, 2):
        settings = read_settings(roots=roots, environ={"FRACTAL_CONTEXT_PARSERS": str(parsers)})
        assert settings.parsers == parsers
    with pytest.raises(InvalidArgumentError, match="from 0 to 7"):
        read_settings(roots=roots, parsers="8")


def test_a_file_in_the_working_directory_may_not_open_a_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "fractal-context.toml"
    path.write_text('default-budget = "9k"\n', encoding="utf-8")
    assert read_settings(environ={}).default_budget == 9000
    for door in (
        'root = ["/"]',
        'host = "0.0.0.0"',
        'token = "0123456789abcdef"',
        'cache = "/somewhere/else"',
        "parsers = 0",
        'model = "a-model-of-mine"',
        'allowed-origin = ["https://evil.example"]',
        'summarizer-url = "https://evil.example"',
    ):
        path.write_text(door, encoding="utf-8")
        with pytest.raises(InvalidArgumentError, match="--config"):
            read_settings(environ={})
    assert read_settings(environ={}, config=str(path)).summarizer_url == "https://evil.example"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rot = 1", "`rot`, which is no setting. Did you mean `root`?"),
        ("default-budget = [", "no TOML"),
        ("default-budget = 'much'", "'much'"),
        ("default-budget = 7", "64"),
        ("log-level = 'loud'", "debug, info"),
        ("encoding = 'klingon'", "o200k_base"),
        ("#" * 2_000_000, "longer"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match=words.replace("[", r"\[")):
        read_settings(config=str(path), environ={})


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="does not exist"):
        read_settings(config=str(tmp_path / "nowhere.toml"), environ={})
    with pytest.raises(InvalidArgumentError, match="cannot be read"):
        read_settings(config=str(tmp_path), environ={})


def test_the_budget_may_be_given_in_every_form_of_a_call(tmp_path: Path) -> None:
    roots = [str(tmp_path)]
    assert read_settings(roots=roots).default_budget == DEFAULT_BUDGET
    assert read_settings(roots=roots, default_budget="8k").default_budget == 8000
    assert read_settings(roots=roots, default_budget="unlimited").default_budget is None


def test_wrong_settings_are_refused_when_the_server_starts(tmp_path: Path) -> None:
    roots = [str(tmp_path)]
    with pytest.raises(InvalidArgumentError):
        read_settings(roots=[str(tmp_path / "nowhere")])
    with pytest.raises(InvalidArgumentError, match=r"--default-budget: .*the least is 64"):
        read_settings(roots=roots, default_budget=10)
    with pytest.raises(InvalidArgumentError, match="o200k_base"):
        read_settings(roots=roots, encoding="klingon")
    with pytest.raises(InvalidArgumentError, match="FRACTAL_CONTEXT_WORKERS: the workers '0'"):
        read_settings(roots=roots, environ={"FRACTAL_CONTEXT_WORKERS": "0"})
    with pytest.raises(
        InvalidArgumentError, match="--port: the port 'x' is not usable: a whole number from 0 to 65535"
    ):
        read_settings(roots=roots, port="x")
    with pytest.raises(InvalidArgumentError, match="'soon' is not usable: a number of seconds"):
        read_settings(roots=roots, time_limit="soon")
    (tmp_path / "binary").write_bytes(b"\xff" * 99)
    for token_file in ("nowhere", "binary"):
        with pytest.raises(InvalidArgumentError, match="cannot be read"):
            read_settings(roots=roots, token=str(tmp_path / token_file))


@pytest.mark.parametrize(
    ("name", "value", "why"), [("default-budget", "1", "the least is 64"), ("encoding", "nope", "no known encoding")]
)
def test_a_setting_that_is_not_usable_says_who_set_it(tmp_path: Path, name: str, value: str, why: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'{name} = "{value}"\n', encoding="utf-8")
    variable = f"FRACTAL_CONTEXT_{name.upper().replace('-', '_')}"
    settings: list[tuple[dict[str, Any], str]] = [
        ({"config": str(file), "environ": {}}, str(file)),
        ({"environ": {variable: value}}, variable),
        ({name.replace("-", "_"): value, "environ": {}}, f"--{name}"),
    ]
    for given, source in settings:
        with pytest.raises(InvalidArgumentError) as refused:
            read_settings(**given)
        told = str(refused.value)
        assert told.startswith(f"{source}: the {name} '{value}' is not usable: ")
        assert why in told


def test_a_weak_token_is_refused_without_being_told(tmp_path: Path) -> None:
    for token in ("hunter2", "has spaces in its middle", "ümlaut-ümlaut-ümlaut"):
        with pytest.raises(InvalidArgumentError, match="16 printable") as refused:
            read_settings(roots=[str(tmp_path)], environ={"FRACTAL_CONTEXT_TOKEN": token})
        assert token not in str(refused.value)


@pytest.mark.parametrize("url", ["store:6379", "http://:hunter2@store", "redis://:hunter2@store?socket_timeout=99"])
def test_an_address_of_a_store_that_is_none_is_refused_without_being_told(tmp_path: Path, url: str) -> None:
    with pytest.raises(InvalidArgumentError, match="FRACTAL_CONTEXT_STORE: the store is not usable") as refused:
        read_settings(roots=[str(tmp_path)], environ={"FRACTAL_CONTEXT_STORE": url})
    assert "hunter2" not in str(refused.value)


def test_secrets_are_in_no_listing(tmp_path: Path) -> None:
    environ = {
        "FRACTAL_CONTEXT_TOKEN": TOKEN,
        "FRACTAL_CONTEXT_SUMMARIZER_KEY": "key-of-mine",
        "FRACTAL_CONTEXT_STORE": "redis://:hunter2@store",
        "FRACTAL_CONTEXT_STORE_KEY": "a-key-that-is-long-enough",
    }
    settings = read_settings(roots=[str(tmp_path)], environ=environ)
    listing = "\n".join([*settings_in_force(settings), repr(settings)])
    assert TOKEN not in listing
    assert "key-of-mine" not in listing
    assert "hunter2" not in listing
    assert "a-key-that-is-long-enough" not in listing
    assert "token = set, and not shown (FRACTAL_CONTEXT_TOKEN)" in listing


def test_every_setting_in_force_is_listed_with_its_source(tmp_path: Path) -> None:
    settings = read_settings(
        roots=[str(tmp_path)],
        default_budget="unlimited",
        allowed_hosts=["a", "b"],
        environ={"FRACTAL_CONTEXT_PORT": "5"},
    )
    listing = settings_in_force(settings)
    assert f"root = {tmp_path} (--root)" in listing
    assert "default-budget = unlimited (--default-budget)" in listing
    assert "allowed-host = a, b (--allowed-host)" in listing
    assert "port = 5 (FRACTAL_CONTEXT_PORT)" in listing
    assert "transport = stdio (default)" in listing


@pytest.mark.parametrize(
    ("host", "local"),
    [
        *((host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "192.168.0.1", "example.org", "")),
    ],
)
def test_only_loopback_needs_no_token(tmp_path: Path, host: str, local: bool) -> None:
    assert is_loopback(host) is local
    environ = {"FRACTAL_CONTEXT_TRANSPORT": "sse", "FRACTAL_CONTEXT_TOKEN": TOKEN}
    assert read_settings(roots=[str(tmp_path)], host=host, environ=environ).host == host
    if not local:
        with pytest.raises(InvalidArgumentError, match="--token-file"):
            read_settings(roots=[str(tmp_path)], host=host, environ={"FRACTAL_CONTEXT_TRANSPORT": "sse"})


def test_a_root_of_everything_is_allowed_but_not_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        settings = read_settings(roots=["/"])
    assert settings.roots.paths == (Path("/"),)
    assert "every file" in caplog.text


@pytest.mark.parametrize("wrong", ["15", "1048577", "-1", "1.5", "1 GB", ""])
def test_a_limit_of_the_cache_that_makes_no_sense_is_refused(wrong: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cache-limit"):
        read_settings(roots=[str(tmp_path)], cache_limit=wrong, environ={})


def test_the_limit_of_the_cache_is_that_of_its_file(tmp_path: Path) -> None:
    environ = {"FRACTAL_CONTEXT_CACHE": str(tmp_path), "FRACTAL_CONTEXT_CACHE_LIMIT": "16"}
    index = open_index(read_settings(roots=[str(tmp_path)], environ=environ))
    with closing(index):
        assert isinstance(index.cache, Cache)
        content = random.Random(7)
        for number in range(24):
            index.cache.write([(1, number.to_bytes(8, "big"), content.randbytes(1 << 20))])
        index.cache.prune()
        assert 0 < index.cache.statistics().size <= 16 << 20
