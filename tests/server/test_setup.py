"""The command `setup`: what is written into configurations that hold more than the server, and what is left alone."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cli import FAILED, WRONG_CALL, run
from server.clients import CLIENTS, NAME, Syntax, arguments, client_named, entry
from server.commented_json import read_commented, with_member
from server.setup import BEGIN, END, configuration
from workspace.errors import InvalidArgumentError

VSCODE = """\
{
\t// what the team uses
\t"inputs": [],  /* none yet */
\t"servers": {
\t\t"other": { "command": "x", "args": ["-y", "a//b"], }, // keep this one
\t},
\t"unknown": { "deep": [1, 2, { "x": null }] }
}
"""
CODEX = '# mine\nmodel = "o4"\n\n[mcp_servers.other]\ncommand = "x" # keep\n'


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, a project in it in which the test runs, and the command on the path."""
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / NAME).write_text("#!/bin/sh\n")
    (tmp_path / "bin" / NAME).chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.chdir(home / "project")
    return home / "project"


def server_in(path: Path, name: str) -> object:
    client = client_named(name)
    assert client is not None
    text = path.read_text(encoding="utf-8")
    whole = tomllib.loads(text) if client.syntax is Syntax.TOML else json.loads(text)
    return whole[client.key][NAME]


def beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.before-*"))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_each_client_gets_a_file_that_starts_the_server(client: object, project: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    for known in CLIENTS:
        if known is client:
            assert run(["setup", "--client", known.name]) == 0
            path = configuration(known)
            roots = [str(project)] if known.root is None else []
            assert server_in(path, known.name) == entry(known, arguments(known, roots))
            assert beside(path) == []
            assert path.stat().st_mode & 0o077 == 0o777 & ~mask & 0o066
            once = path.read_bytes()
            assert run(["setup", "--client", known.name]) == 0
            assert path.read_bytes() == once
            assert beside(path) == []


def test_all_else_stays_as_it_is_and_as_it_was_is_kept(project: Path) -> None:
    path = project / ".vscode" / "mcp.json"
    path.parent.mkdir()
    path.write_text(VSCODE, encoding="utf-8")
    path.chmod(0o600)

    assert run(["setup", "--client", "vscode"]) == 0

    made = path.read_text(encoding="utf-8")
    assert all(line in made.splitlines() for line in VSCODE.splitlines())
    assert made.count('"fractal-context": {') == 1
    before = read_commented(VSCODE)
    after = read_commented(made)
    assert isinstance(after, dict)
    assert isinstance(before, dict)
    del after["servers"][NAME]
    assert after == before
    (kept,) = beside(path)
    assert kept.read_text(encoding="utf-8") == VSCODE
    assert path.stat().st_mode & 0o777 == 0o600

    assert run(["setup", "--client", "vscode", "--root", str(project)]) == 0
    changed = path.read_text(encoding="utf-8")
    assert str(project) in changed
    assert all(line in changed.splitlines() for line in VSCODE.splitlines())
    assert len(beside(path)) == 2


def test_toml_gets_a_table_at_its_end(project: Path) -> None:
    path = project.parent / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_text(CODEX, encoding="utf-8")

    assert run(["setup", "--client", "codex"]) == 0
    made = path.read_text(encoding="utf-8")
    assert made.startswith(CODEX)
    assert tomllib.loads(made)["mcp_servers"][NAME] == {"command": NAME, "args": ["serve"]}

    assert run(["setup", "--client", "codex", "--root", "."]) == WRONG_CALL  # another entry is the user's
    assert path.read_text(encoding="utf-8") == made


@pytest.mark.parametrize(
    ("client", "broken"),
    [
        ("claude-code", '{"mcpServers": {'),
        ("claude-code", "[]"),
        ("claude-code", '{"mcpServers": []}'),
        ("claude-code", '{"a": 1 "b": 2}'),
        ("claude-code", "{'mcpServers': {}}"),
        ("claude-code", "[" * 100_000),
        ("codex", "model = "),
        ("codex", "mcp_servers = { other = { command = 'x' } }\n"),
        ("codex", "mcp_servers = 3\n"),
    ],
)
def test_what_is_broken_is_left_alone_with_a_word(
    client: str, broken: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = client_named(client)
    assert known is not None
    path = configuration(known)
    path.parent.mkdir(exist_ok=True)
    path.write_text(broken, encoding="utf-8")

    assert run(["setup", "--client", client]) == WRONG_CALL
    assert path.read_text(encoding="utf-8") == broken
    assert beside(path) == []
    assert "was not changed" in capsys.readouterr().err


def test_what_cannot_be_read_or_written_is_told(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".mcp.json").mkdir()
    assert run(["setup", "--client", "claude-code"]) == FAILED
    (project / "opencode.json").write_bytes(b"\xff\xfe{}")
    assert run(["setup", "--client", "opencode"]) == FAILED
    assert (project / "opencode.json").read_bytes() == b"\xff\xfe{}"
    assert run(["setup", "--client", "vscode", "--root", "nowhere"]) == WRONG_CALL
    assert run(["setup", "--client", "claude-desktop", "--guidance"]) == WRONG_CALL
    assert "nowhere" in capsys.readouterr().err
    assert not (project / ".vscode").exists()


def test_print_writes_nothing_and_no_client_names_them(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["setup", "--client", "zed", "--print"]) == 0
    printed = capfd.readouterr().out
    assert "context_servers" in printed
    assert run(["setup"]) == 0
    listed = capfd.readouterr().out
    assert all(client.name in listed for client in CLIENTS)
    assert list(project.iterdir()) == []
    assert list(project.parent.iterdir()) == [project]


def test_a_linked_configuration_stays_a_link(project: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    (project / ".mcp.json").symlink_to(real)

    assert run(["setup", "--client", "claude-code"]) == 0
    assert (project / ".mcp.json").is_symlink()
    assert server_in(real, "claude-code")


def test_guidance_is_added_once_and_only_between_its_marks(project: Path) -> None:
    (project / "AGENTS.md").write_text("# Ours\n\nKeep this.\n", encoding="utf-8")

    assert run(["setup", "--client", "vscode", "--guidance"]) == 0
    once = (project / "AGENTS.md").read_text(encoding="utf-8")
    assert once.startswith("# Ours\n\nKeep this.\n\n" + BEGIN)
    assert "get_context" in once
    (project / "AGENTS.md").write_text(once.replace("Reading code with", "Old:") + "\nAnd this.\n", encoding="utf-8")
    assert run(["setup", "--client", "vscode", "--guidance"]) == 0
    assert (project / "AGENTS.md").read_text(encoding="utf-8") == once + "\nAnd this.\n"
    (project / "AGENTS.md").write_text(once.replace(END, ""), encoding="utf-8")
    assert run(["setup", "--client", "vscode", "--guidance"]) == WRONG_CALL


def test_without_the_command_on_the_path_the_interpreter_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project))
    assert run(["setup", "--client", "claude-code"]) == 0
    assert server_in(project / ".mcp.json", "claude-code") == {
        "command": sys.executable,
        "args": ["-P", "-m", "fractal_context", "serve"],
    }


@pytest.mark.parametrize(
    ("prefix", "words"),
    [
        ("cache/uv/archive-v0/x8Y", ["uvx", NAME, "serve"]),
        ("cache/pipx/ea92", ["pipx", "run", NAME, "serve"]),
        ("project/.venv", [sys.executable, "-P", "-m", "fractal_context", "serve"]),
        ("share/pipx/venvs/fractal-context", [sys.executable, "-P", "-m", "fractal_context", "serve"]),
    ],
)
def test_a_command_that_only_this_shell_finds_is_not_named(
    prefix: str, words: list[str], project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / prefix / "bin"
    own.mkdir(parents=True)
    (tmp_path / "bin" / NAME).rename(own / NAME)
    monkeypatch.setattr("server.setup.sys.prefix", str(tmp_path / prefix))
    monkeypatch.setenv("PATH", str(own))
    record_of_installing(tmp_path, monkeypatch)

    assert run(["setup", "--client", "claude-code"]) == 0
    assert server_in(project / ".mcp.json", "claude-code") == {"command": words[0], "args": words[1:]}


def record_of_installing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str = "", **more: object) -> None:
    """Puts what installers write beside the product first on the path; without an address as from an index."""
    record = tmp_path / "site-packages" / "fractal_context-0.1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: fractal-context\nVersion: 0.1.0\n")
    if url:
        (record / "direct_url.json").write_text(json.dumps({"url": url, **more}))
    monkeypatch.setattr(sys, "path", [str(record.parent), *sys.path])


@pytest.mark.parametrize(
    ("prefix", "url", "more", "words"),
    [
        ("cache/uv/archive-v0/x8Y", "file:///a%20b/clone", {"dir_info": {}}, ["uvx", "--from", "/a b/clone", NAME]),
        (
            "cache/pipx/ea92",
            "https://example.org/x.git",
            {"vcs_info": {"vcs": "git", "commit_id": "c0ffee"}},
            ["pipx", "run", "--spec", "git+https://example.org/x.git@c0ffee", NAME],
        ),
    ],
)
def test_what_ran_from_a_clone_is_started_from_there_again(
    prefix: str,
    url: str,
    more: dict[str, object],
    words: list[str],
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.setup.sys.prefix", str(tmp_path / prefix))
    monkeypatch.setenv("PATH", str(project))
    record_of_installing(tmp_path, monkeypatch, url, **more)

    assert run(["setup", "--client", "claude-code"]) == 0
    made = server_in(project / ".mcp.json", "claude-code")
    assert made == {"command": words[0], "args": [*words[1:], "serve"]}


def test_a_second_project_does_not_push_the_first_out(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = project.parent / ".cursor" / "mcp.json"
    assert run(["setup", "--client", "cursor"]) == 0
    whole = json.loads(path.read_text())
    whole["mcpServers"][NAME] |= {"env": {"FRACTAL_CONTEXT_MODEL": "/m"}}
    whole["mcpServers"][NAME]["args"] += ["--default-budget", "20k"]
    path.write_text(json.dumps(whole))
    second = project.parent / "second"
    second.mkdir()
    monkeypatch.chdir(second)
    capsys.readouterr()

    assert run(["setup", "--client", "cursor"]) == 0
    assert server_in(path, "cursor") == {
        "command": NAME,
        "args": ["serve", "--root", str(second), "--root", str(project), "--default-budget", "20k"],
        "env": {"FRACTAL_CONTEXT_MODEL": "/m"},
    }
    told = capsys.readouterr().err
    assert f"It reads {project} as before" in told
    assert f"a call that names no path means {second}" in told

    assert run(["setup", "--client", "cursor", "--root", "."]) == 0
    told = capsys.readouterr().err
    assert f"It reads {project} no longer" in told
    assert "as before" not in told
    second.rmdir()
    monkeypatch.chdir(project)
    assert run(["setup", "--client", "cursor"]) == 0
    assert str(second) not in path.read_text()
    assert f"{second} is no folder any more" in capsys.readouterr().err


def test_a_home_folder_is_no_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project.parent)
    assert run(["setup", "--client", "cursor"]) == WRONG_CALL
    assert "name the folder to read with --root" in capsys.readouterr().err
    assert not (project.parent / ".cursor").exists()


def test_print_shows_the_entry_alone_even_beside_what_is_broken(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {')
    assert run(["setup", "--client", "claude-code", "--print"]) == 0
    assert '"fractal-context": {' in capfd.readouterr().out
    (project / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"other": {}, NAME: {"command": "x", "args": ["serve"], "env": {"A": "b"}}}})
    )
    assert run(["setup", "--client", "claude-code", "--print"]) == 0
    printed = capfd.readouterr().out
    assert '"A": "b"' in printed
    assert "other" not in printed


def test_a_file_that_is_read_only_is_left_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / ".mcp.json"
    path.write_text("{}\n")
    path.chmod(0o444)

    assert run(["setup", "--client", "claude-code"]) == FAILED
    assert path.read_text() == "{}\n"
    assert beside(path) == []
    assert "read-only" in capsys.readouterr().err


def test_the_mark_and_the_line_ends_of_other_editors_stay(project: Path) -> None:
    path = project.parent / ".codex" / "config.toml"
    path.parent.mkdir()
    path.write_bytes(b"\xef\xbb\xbf# mine\r\nmodel = 'o4'\r\n")
    (project / "AGENTS.md").write_bytes(b"# Ours\r\n")

    assert run(["setup", "--client", "codex", "--guidance"]) == 0
    made, guided = path.read_bytes(), (project / "AGENTS.md").read_bytes()
    assert made.startswith(b"\xef\xbb\xbf# mine\r\nmodel = 'o4'\r\n")
    assert tomllib.loads(made.decode("utf-8-sig"))["mcp_servers"][NAME]["command"] == NAME
    assert made.count(b"\n") == made.count(b"\r\n")
    assert guided.count(b"\n") == guided.count(b"\r\n") > 5

    assert run(["setup", "--client", "codex", "--guidance"]) == 0
    assert (path.read_bytes(), (project / "AGENTS.md").read_bytes()) == (made, guided)
    assert len(beside(path)) == 1


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"a": {}}', '{"a": {\n  "b": 1\n}}'),
        ('{\n    "x": 1 // one\n}\n', '{\n    "x": 1, // one\n    "a": {\n        "b": 1\n    }\n}\n'),
        ('{\n  "x": 1, // one\n}\n', '{\n  "x": 1, // one\n  "a": {\n    "b": 1\n  }\n}\n'),
        ('{\r\n  "a": {"b": [2], "c": 3}\r\n}', '{\r\n  "a": {"b": 1, "c": 3}\r\n}'),
        ('{ /* { "a": */ }', '{ /* { "a": */\n  "a": {\n    "b": 1\n  }\n}'),
    ],
)
def test_a_member_is_put_where_a_person_would(text: str, made: str) -> None:
    assert with_member(text, ("a", "b"), 1) == made


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    whole=st.dictionaries(st.text(max_size=3), values, max_size=4),
    servers=st.none() | st.dictionaries(st.text(max_size=3), values, max_size=3),
    indent=st.sampled_from([None, 1, 2, 4, "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_any_json_keeps_all_but_the_member(
    whole: dict[str, object], servers: dict[str, object] | None, indent: int | str | None, newline: str
) -> None:
    whole = whole | ({} if servers is None else {"servers": servers})
    if servers is None:
        whole.pop("servers", None)
    text = json.dumps(whole, indent=indent).replace("\n", newline)

    made = with_member(text, ("servers", "ours"), {"command": "x"})

    assert json.loads(made) == whole | {"servers": (servers or {}) | {"ours": {"command": "x"}}}


@given(text=st.text(alphabet='{}[]:,"a1/*\n \\', max_size=40))
def test_what_is_no_json_is_refused_and_never_damaged(text: str) -> None:
    try:
        made = with_member(text, ("servers", "ours"), 1)
    except InvalidArgumentError:
        return
    there = cast("dict[str, object]", read_commented(text) if text.strip() else {})
    after = cast("dict[str, object]", read_commented(made))
    assert {name: value for name, value in after.items() if name != "servers"} == {
        name: value for name, value in there.items() if name != "servers"
    }
