"""No planted secret leaves through any tool, at any level and in any format, and what is served says what was taken out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast, get_args

import pytest
from mcp.types import TextContent

from allocator import ContextEngine
from server.schemas import OutputFormat
from server.settings import read_settings
from skeleton import CompressionLevel
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import zoom
from tests.server.pipes import RawServer, cli, connected
from tests.workspace.planted import CONTAINERS, look_alikes, named_values, private_keys, vendor_tokens
from workspace.errors import InvalidArgumentError
from workspace.model import ProblemKind
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Iterator
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


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder with every planted secret in files of its own, and the secrets; tokens stand in files of every kind."""
    root = tmp_path_factory.mktemp("planted")
    cases = [*private_keys(), *named_values()]
    files = [(case.path, case.text, case.value) for case in cases]
    for token in vendor_tokens().values():
        files += [(*written(token), token) for written in CONTAINERS]
    for number, (path, text, _) in enumerate(files):
        file = root / str(number) / path
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
    return root, list(dict.fromkeys(value for _, _, value in files))


def strings(value: object) -> Iterator[str]:
    """Gives every text in a JSON value."""
    match value:
        case str():
            yield value
        case dict():
            for key, part in cast("dict[str, object]", value).items():
                yield key
                yield from strings(part)
        case list():
            for part in cast("list[object]", value):
                yield from strings(part)
        case _:
            pass


def requests(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Gives requests that read the planted files in every way there is, in every format, and some that are wrong."""
    files = sorted(str(file.relative_to(root)) for file in root.rglob("*") if file.is_file())
    whole: dict[str, Any] = {"path": ".", "token_budget": 0}
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("get_context", whole | {"format": one}) for one in get_args(OutputFormat)),
        *(("get_context", whole | {"skeleton": "enabled", "max_level": level}) for level in ("L1", "L2")),
        ("get_context", whole | {"skeleton": "disabled", "line_numbers": True}),
        ("get_context", {"path": ".", "token_budget": 3000, "query": "password token key secret credential"}),
        ("get_context", whole | {"format": "yaml"}),
        *(("zoom", {"target": f"file={file}", "path": ".", "token_budget": 0}) for file in files[::7]),
        *(("zoom", {"target": target, "path": "."}) for target in ("connect", "conect", "password", "file=0/nowhere")),
    ]
    for name, arguments in calls:
        yield "tools/call", {"name": name, "arguments": arguments}
    results = [
        {"role": "tool", "tool_call_id": str(number), "content": (root / file).read_text(encoding="utf-8")}
        for number, file in enumerate(files[::5])
    ]
    for number, result in enumerate(results):
        called = {"id": str(number), "type": "function", "function": {"name": "read", "arguments": "{}"}}
        turns = [
            {"role": "user", "content": "Please read it."},
            {"role": "assistant", "content": None, "tool_calls": [called]},
            result,
            {"role": "assistant", "content": "I have read it."},
        ]
        if number % 8 == 0:
            for more in ({"mode": "prompt"}, {"summarizer": "extractive"}):
                arguments = {"messages": turns, "dry_run": True, "path": ".", **more}
                yield "tools/call", {"name": "compact_history", "arguments": arguments}
    for uri in (
        "context://.",
        "skeleton://.",
        "symbol://connect",
        "symbol://conect",
        *(f"context://{one}" for one in files[::40]),
    ):
        yield "resources/read", {"uri": uri}
    for letters in ("", "s", "pass", "key"):
        template = {"type": "ref/resource", "uri": "symbol://{+target}"}
        yield "completion/complete", {"ref": template, "argument": {"name": "target", "value": letters}}


@pytest.mark.no_cover
def test_no_planted_secret_leaves_the_server(planted: tuple[Path, list[str]]) -> None:
    root, values = planted
    assert len(values) >= 60
    with RawServer(root, flags=["--log-level", "debug"]) as server:
        server.initialize()
        for method, params in requests(root):
            (answer,) = server.replies([server.send(method, params)])
            text = "\n".join(strings(answer))
            assert [value for value in values if value in text] == [], (method, params)
            if params.get("arguments", {}).get("format") in get_args(OutputFormat):
                assert text.count("[REDACTED:") >= len(values)
        log = server.rest().decode()
    assert [value for value in values if value in log] == []


@pytest.mark.no_cover
def test_look_alikes_stay_readable_through_the_server(tmp_path: Path) -> None:
    cases = look_alikes()
    for number, case in enumerate(cases):
        file = tmp_path / str(number) / case.path
        file.parent.mkdir(parents=True)
        file.write_text(case.text, encoding="utf-8")
    with RawServer(tmp_path) as server:
        server.initialize()
        shown = server.answer_to(server.call("get_context", path=".", token_budget=0, skeleton="disabled"))
        text = "\n".join(strings(shown))
        server.rest()
    assert len(cases) >= 60
    assert sum(case.value in text for case in cases) >= len(cases) - 5


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
        known = Cache(tmp_path / "cache")
        index = CodeIndex(roots, cache=known, stamps=known, workers=Workers(0), redact=redact)
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
