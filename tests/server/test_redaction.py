"""No planted secret leaves through any tool, at any level and in any format, and what is served says what was taken out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from mcp.types import TextContent

from allocator import ContextEngine
from server.settings import read_settings
from skeleton import CompressionLevel
from skeleton.index import CodeIndex
from skeleton.workers import Workers
from skeleton.zoom import zoom
from tests.server.pipes import connected
from tests.server.test_cli import cli
from tests.workspace.planted import in_code, named_values, private_keys, vendor_tokens
from workspace.cache import Cache
from workspace.errors import InvalidArgumentError
from workspace.model import ProblemKind
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from mcp.types import CallToolResult

TOKEN = vendor_tokens()["github token"]
KEY = private_keys()[0]
CODE = f'''"""Speaks with the service."""

DEFAULT = "{TOKEN}"


class Client:
    """Signs in with `{TOKEN}`."""

    def sign_in(self, token: str = "{TOKEN}") -> str:
        """Returns the token."""
        return token or "{TOKEN}"

    def close(self) -> None:
        """Ends it."""
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "client.py").write_text(CODE)
    (root / "plain.py").write_text('def f():\n    return "nothing to hide"\n')
    (root / "notes.md").write_text(f"# Notes\n\n{KEY.text}\n")
    return root


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Path, list[str]]:
    """A folder with every planted secret in a file of its own, and the secrets."""
    root = tmp_path / "planted"
    values: list[str] = []
    cases = [*private_keys(), *named_values()]
    files = [(case.path, case.text, case.value) for case in cases]
    files += [(*in_code(token), token) for token in vendor_tokens().values()]
    for number, (path, text, value) in enumerate(files):
        file = root / str(number) / path
        file.parent.mkdir(parents=True)
        file.write_text(text)
        values.append(value)
    return root, values


@pytest.mark.parametrize("format", ["plus", "compact", "xml", "markdown", "json"])
@pytest.mark.parametrize("skeleton", ["enabled", "disabled"])
def test_no_planted_secret_is_in_a_context(
    planted: tuple[Path, list[str]],
    format: str,  # noqa: A002 - the argument's name
    skeleton: str,
) -> None:
    root, values = planted

    result = ContextEngine(Roots([root])).get_context(str(root), format=format, skeleton=skeleton)

    assert [value for value in values if value in result.context or value in result.summary] == []
    assert result.context.count("[REDACTED:") >= len(values) * (skeleton == "disabled")
    assert "REDACTED" in result.context


def test_each_file_that_lost_something_is_named_with_how_many(project: Path) -> None:
    result = ContextEngine(Roots([project])).get_context(str(project))

    redacted = {
        problem.path: problem.detail for problem in result.metadata.problems if problem.kind is ProblemKind.REDACTED
    }
    assert redacted == {"client.py": "4 secrets", "notes.md": "1 secret"}
    assert set(result.metadata.compression_summary[CompressionLevel.FULL]) == {"client.py", "notes.md", "plain.py"}


def test_lines_and_digests_stay_those_of_the_disk(project: Path) -> None:
    shown = ContextEngine(Roots([project])).get_context(str(project), line_numbers=True).context
    plain = ContextEngine(Roots([project]), redact=False).get_context(str(project), line_numbers=True).context

    assert "11         return token or " in shown
    assert [line.split(" ", 2)[1] for line in shown.splitlines() if line.startswith("+ ")] == [
        line.split(" ", 2)[1] for line in plain.splitlines() if line.startswith("+ ")
    ]
    assert next(line for line in shown.splitlines() if "[md5:" in line).split("md5:")[1][:8] in plain
    assert TOKEN in plain


def test_a_cache_never_gives_the_one_for_the_other(project: Path, tmp_path: Path) -> None:
    def context(*, redact: bool) -> str:
        roots = Roots([project])
        index = CodeIndex(roots, cache=Cache(tmp_path / "cache"), workers=Workers(0), redact=redact)
        try:
            return ContextEngine(roots, index=index).get_context(str(project), skeleton="enabled").context
        finally:
            index.close()

    hidden, open_, hidden_again, open_again = (context(redact=redact) for redact in (True, False, True, False))

    assert TOKEN not in hidden
    assert TOKEN in open_
    assert (hidden_again, open_again) == (hidden, open_)


@pytest.mark.parametrize("target", ["function=sign_in", "class=Client", "file=client.py", "client.py::Client.sign_in"])
def test_zoom_takes_secrets_out_and_says_so_in_its_header(project: Path, target: str) -> None:
    found = zoom(target, str(project), roots=Roots([project]))

    assert TOKEN not in found.text
    assert found.text.split("\n", 1)[0].endswith("] [REDACTED]")
    assert "[REDACTED:github-token]" in found.text
    assert TOKEN in zoom(target, str(project), roots=Roots([project]), redact=False).text


def test_zoom_says_nothing_where_nothing_was_taken_out(project: Path) -> None:
    for target in ("function=close", "lines=client.py:1-2", "file=plain.py"):
        found = zoom(target, str(project), roots=Roots([project]))
        assert "REDACTED" not in found.text


def test_zoom_into_the_middle_of_a_key_shows_none_of_it(project: Path) -> None:
    found = zoom("lines=notes.md:6-8", str(project), roots=Roots([project]))

    assert "[REDACTED]" in found.text.split("\n", 1)[0]
    assert KEY.value not in found.text


def texts(result: CallToolResult) -> str:
    return "".join(block.text for block in result.content if isinstance(block, TextContent)) + json.dumps(result.meta)


@pytest.mark.parametrize("flags", [[], ["--no-redact"]])
async def test_the_server_redacts_unless_it_was_started_otherwise(project: Path, flags: list[str]) -> None:
    async with connected(project, flags=flags) as client:
        for name, arguments in (
            ("get_context", {"path": "."}),
            ("zoom", {"target": "sign_in", "path": "."}),
        ):
            assert (TOKEN in texts(await client.call_tool(name, arguments))) == bool(flags)


def test_the_commands_redact_unless_told_otherwise(project: Path) -> None:
    for command in (("pack", "."), ("zoom", "Client", ".")):
        plain, opened = cli(*command, cwd=project), cli(*command, "--no-redact", cwd=project)
        assert plain.returncode == opened.returncode == 0
        assert TOKEN.encode() not in plain.stdout + plain.stderr
        assert TOKEN.encode() in opened.stdout


def test_a_file_that_came_with_the_code_may_not_turn_it_off(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "fractal-context.toml").write_text("no-redact = true\n")
    monkeypatch.chdir(project)

    with pytest.raises(InvalidArgumentError, match="may not open a door"):
        read_settings(environ={})
    assert read_settings(config="fractal-context.toml", environ={}).no_redact
    with pytest.raises(InvalidArgumentError, match="true or false"):
        read_settings(
            config=None, environ={"FRACTAL_CONTEXT_NO_REDACT": "perhaps", "FRACTAL_CONTEXT_CONFIG": "/dev/null"}
        )
