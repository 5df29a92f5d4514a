"""The documentation against the program: every command is run, every output compared, every link followed.

    pytest tests/server/test_docs.py --rewrite-docs

writes what the commands print into the pages; read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from allocator.overview.folders import MOST_APART
from allocator.ranking import words
from compaction.history.envelope import PREFACE, RESUME
from server.cli import command_line
from server.options import settings_table
from server.schemas import INSTRUCTIONS
from server.updates import MOST_FOLLOWED
from skeleton.zoom.answers import MOST_AMBIGUOUS
from tests.server.pipes import EXIT_TIMEOUT, REPOSITORY, environment, forked_command
from tests.trees import git, make_repository
from workspace.git.cloning import Limits

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

DOCS = REPOSITORY / "docs"
PAGES = sorted([*DOCS.glob("*.md"), REPOSITORY / "README.md"])
ALL_PAGES = sorted([*REPOSITORY.glob("*.md"), *DOCS.rglob("*.md"), *REPOSITORY.glob("benchmarks/*.md")])
RUN = re.compile(r"^```sh\n(?P<script>.*?)^```\n(?P<shown>\n```text\n(?P<output>.*?)```\n)?", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!\!)\[[^\]]*\]\(([^)\s]+)\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
MARK = re.compile(r"\[([A-Z][A-Z-]*)(?:\]|:(?!L))")
ROOMS = [
    REPOSITORY / name for name in ("allocator", "compaction", "fractal_context", "server", "skeleton", "workspace")
]
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")

RIDDLE = re.compile(r'^\s*"""(?:What|How|Whether|Why|Where|Who|When) .*', re.MULTILINE)
"""Docstrings that begin as a question does."""

SAID_BY_THEMSELVES = frozenset({"NO-EOL", "OVERVIEW", "ALSO-CHANGED", "NOT-AS-IN-RANGE"})
"""Marks that a model need not be told of before it sees them."""

FOREIGN = frozenset(
    {
        "--from",
        "--plugin-dir",
        "--compress",
        "--cli",
        "--method",
        "--tool-name",
        "--tool-arg",
        "--rewrite-corpus",
        "--repos",
        "--bare",
    }
)
"""Options of other programs that the pages name."""

MORE_IS_READ = frozenset({REPOSITORY / "README.md", DOCS / "compact_history.md"})
"""Pages whose commands read more than the example project holds."""

BESIDES = (
    "git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm first && echo '# more' >> shop/cart.py",
    "fractal-context pack . --budget 300 --metadata > first.json",
    """fractal-context pack . --budget 300 --cursor "$(python3 -c "print(__import__('json').load(open('first.json'))['next_cursor'])")\"""",
    """fractal-context pack . --since "$(python3 -c "print(__import__('json').load(open('first.json'))['snapshot'])")\"""",
    "fractal-context pack . --changed worktree --exclude tests/ --min-level L2 --line-numbers --no-redact --cache off --cache-limit 64 --parsers 0 --parser-memory 200",
    (
        "id=$(fractal-context compact session.jsonl 2>&1 >/dev/null | grep -oE '[0-9a-f]{24}')"
        ' && fractal-context compact --restore "$id" --recall 2-3 --target-tokens 500'
    ),
    (
        'echo a-token-for-tests-only > t && printf \'[repositories]\\n"a" = "."\\n[tenants.a]\\ntoken-files = ["t"]\\nrepositories = ["a"]\\n\''
        " > tenants.toml && fractal-context doctor --tenants tenants.toml --transport streamable-http"
    ),
    "git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm first && FRACTAL_CONTEXT_STORE_KEY=a-key-of-some-length fractal-context index . --publish ../trees --json",
    "! fractal-context index . --ray 127.0.0.1:1",  # where no cluster is, whether Ray is installed or not
    "! fractal-context pack . --watch",  # without a file to write; with one it goes on
    "fractal-context review worktree --format markdown --budget 2k",
    "fractal-context compact session.jsonl --dry-run --compress-results --prompt --format openai_chat",
    "fractal-context compact session.jsonl --dry-run --keep-tail-tokens 100 --output-format gemini --target-tokens 40000",
    "fractal-context compact session.jsonl --dry-run --summary plan.md --report --no-redact",
    (
        "fractal-context doctor --config settings.toml --repository team/shop=. --default-budget 9k --encoding cl100k_base --no-redact --cache cache --cache-limit 64 --published ../trees --parsers 1 --workers 2"
        " --host 127.0.0.1 --port 0 --token-file token --allowed-host a.example --allowed-origin https://a.example"
        " --drain 3 --max-request-bytes 5000 --max-concurrency 5 --request-timeout 5 --time-limit 60 --transport streamable-http --log-level error --log-format json"
        " --summarizer-url http://127.0.0.1:1 --summarizer-model none"
    ),
    """echo '[{"role": "user", "content": "Hello."}]' > chat.json && fractal-context compress chat.json --messages""",
    "fractal-context compress plan.md --model /nowhere",
)
"""Commands that have the options which the pages tell of, but show in no command."""

OTHER_COMMANDS = frozenset({"make", "pipx", "python3", "uv", "uvx"})
TOKEN = "a-token-for-the-docs\n"


@pytest.fixture
def sandbox(tmp_path: Path) -> Path:
    """A copy of the example project, and what the commands of the pages read besides."""
    shop = tmp_path / "shop"
    shutil.copytree(REPOSITORY / "examples" / "shop", shop, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "fractal-context"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(forked_command())} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return shop


def add_what_is_read(shop: Path) -> None:
    (shop / "src").mkdir()
    (shop / "src" / "config.py").write_text("class Config:\n    def load(self):\n        return {}\n", encoding="utf-8")
    (shop / "plan.md").write_text("# Plan\n\nWe should really look at all of the prices first.\n", encoding="utf-8")
    history = [
        {"role": role, "content": f"{number}. " + "We look at the prices and at the cart. " * 20}
        for number in range(40)
        for role in ("user", "assistant")
    ]
    for name in ("transcript.jsonl", "session.jsonl"):
        (shop / name).write_text("\n".join(json.dumps(turn) for turn in history), encoding="utf-8")
    make_repository(shop, {})
    git(shop, "checkout", "-q", "-b", "topic")
    with (shop / "shop" / "cart.py").open("a", encoding="utf-8") as cart:
        cart.write("\n# of the topic\n")
    git(shop, "commit", "-qam", "more")


def variables(shop: Path) -> dict[str, str]:
    home = shop.parent / "home"
    return environment(
        {
            "PATH": f"{shop.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
        }
    )


def printed(script: str, shop: Path) -> str:
    """Runs a script and returns what it writes to standard output; a server is stopped once it is there."""
    output = ""
    for line in script.splitlines():
        if "--transport" in line or line.startswith("fractal-context view"):
            assert serves(line, shop)
        elif line.split(maxsplit=1)[0] not in OTHER_COMMANDS:
            output += _printed_by(line, shop)
    return output


def _printed_by(line: str, shop: Path) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", line],
        cwd=shop,
        env=variables(shop),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout


def serves(line: str, shop: Path) -> bool:
    """Starts a server as the line says, but for its port, and tells whether it came to listen."""
    (shop / "token").write_text(TOKEN, encoding="utf-8")
    words = [word for word in shlex.split(line) if word != "8808"]
    words = [word for word in words if word not in {"--port", "--no-open"}]
    quietly = ["--no-open"] if words[1] == "view" else []
    command = [*forked_command(), *words[1:], "--port", "0", *quietly]
    with subprocess.Popen(command, cwd=shop, env=variables(shop), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.terminate()
    return "listening on http://" in said or "is shown at http://" in said


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_runs_and_prints_what_the_page_shows(
    page: Path, sandbox: Path, request: pytest.FixtureRequest
) -> None:
    if page in MORE_IS_READ:
        add_what_is_read(sandbox)
    text = page.read_text(encoding="utf-8")
    parts: list[str] = []
    at = 0
    for block in RUN.finditer(text):
        output = printed(block["script"], sandbox)
        if block["shown"] is not None:
            parts += [text[at : block.start("output")], output]
            at = block.end("output")
    written = "".join([*parts, text[at:]])
    if request.config.getoption("--rewrite-docs"):
        page.write_text(written, encoding="utf-8")
    assert text == written


def test_the_table_of_settings_is_the_codes() -> None:
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    assert page.endswith(settings_table())


def parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage] - argparse lists them nowhere else
        choices: object = action.choices  # pyright: ignore[reportUnknownMemberType] - of any kind
        if isinstance(choices, dict):
            for inner in cast("dict[str, argparse.ArgumentParser]", choices).values():
                yield from parsers(inner)


def test_every_option_that_a_page_names_exists() -> None:
    known = {option for parser in parsers(command_line()) for option in parser._option_string_actions}  # pyright: ignore[reportPrivateUsage] - as above
    for page in PAGES:
        for option in OPTION.findall(page.read_text(encoding="utf-8")):
            assert option in known | FOREIGN, (page.name, option)


def test_every_option_that_a_page_names_is_run(sandbox: Path) -> None:
    add_what_is_read(sandbox)
    (sandbox / "token").write_text(TOKEN, encoding="utf-8")
    (sandbox / "settings.toml").write_text('root = ["."]\n', encoding="utf-8")
    for line in BESIDES:
        _printed_by(line, sandbox)
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    shown = [block["script"] for page in pages for block in RUN.finditer(page)]
    run = {option for text in (*BESIDES, *shown) for option in OPTION.findall(text)}
    assert {option for page in pages for option in OPTION.findall(page)} <= run | FOREIGN


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), (page.name, link)
        assert not anchor or anchor in anchors(target), (page.name, link)


def test_every_page_is_listed_and_the_readme_is_short() -> None:
    listed = (DOCS / "README.md").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert page.name == "README.md" or f"]({page.name})" in listed
    assert len((REPOSITORY / "README.md").read_text(encoding="utf-8").splitlines()) < 200


def test_every_place_and_every_test_that_the_architecture_names_is_there() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 8
    for place, name in named:
        assert re.search(
            rf"^(?:async )?def {name}\(", (REPOSITORY / place).read_text(encoding="utf-8"), re.MULTILINE
        ), name
    rows = re.findall(r"^\| ((?:`[\w/.*]+`(?:, )?)+) \|", text, re.MULTILINE)
    assert len(rows) > 30
    for row in rows:
        folder = "."
        for place in re.findall(r"`([\w/.*]+)`", row):
            if "/" in place:
                folder = place if place.endswith("/") else place.rpartition("/")[0]
                assert any(REPOSITORY.glob(place.rstrip("/"))), place
            else:
                assert (REPOSITORY / folder / place).exists() or (REPOSITORY / folder).with_name(place).exists(), place


def test_every_module_of_a_room_that_the_architecture_lists_by_files_is_named_there() -> None:
    text = (REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8")
    modules: set[str] = set()
    for places, told in re.findall(r"^\| (`[^|]*) \| ([^|]*) \|$", text, re.MULTILINE):
        room = ""
        for place in re.findall(r"`([\w/.*]+)`", places):
            room = place.rpartition("/")[0] or room
            modules.add(f"{room}/{place.rpartition('/')[2]}")
        modules |= {f"{room}/{name}" for name in re.findall(r"`(\w+\.py)`", told)}
    by_files = {module.rpartition("/")[0] for module in modules if module.endswith(".py")}
    assert len(by_files) > 20
    there = {
        path.relative_to(REPOSITORY).as_posix()
        for floor in ("workspace", "skeleton", "allocator")
        for path in (REPOSITORY / floor).rglob("*.py")
        if path.parent.relative_to(REPOSITORY).as_posix() in by_files and path.name != "__init__.py"
    }
    assert len(there) > 150
    assert sorted(there - modules) == []


def configurations() -> Iterator[dict[str, Any]]:
    texts = [(REPOSITORY / "mcp.json.example").read_text(encoding="utf-8")]
    for page in PAGES:
        texts += re.findall(r"^```json\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for text in texts:
        for kind, servers in json.loads(text).items():
            if kind in {"mcpServers", "servers", "context_servers"}:
                yield from servers.values()


@pytest.mark.no_cover
async def test_every_configuration_of_a_client_starts_the_server(sandbox: Path) -> None:
    found = list(configurations())
    assert len(found) >= 7
    program = sandbox.parent / "bin" / "fractal-context"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m server "$@"\n', encoding="utf-8")
    started: set[str] = set()
    for configuration in found:
        if "url" in configuration:
            assert configuration["url"] == "http://127.0.0.1:8808/mcp"
            continue
        arguments = [
            re.sub(r"/absolute/path/to/your/project|\$\{workspaceFolder\}", str(sandbox), word)
            for word in configuration["args"]
        ]
        if str(arguments) in started:
            continue
        started.add(str(arguments))
        given = {name: value for name, value in variables(sandbox).items() if name in {"PATH", "HOME", "PYTHONPATH"}}
        parameters = StdioServerParameters(
            command=configuration["command"], args=arguments, env=given | configuration.get("env", {}), cwd=sandbox
        )
        async with Client(stdio_client(parameters), read_timeout_seconds=EXIT_TIMEOUT) as client:
            result = await client.call_tool("zoom", {"target": "Cart.total", "path": "."})
            assert not result.is_error, configuration
    assert len(started) >= 3


def test_each_mark_that_a_file_may_have_stands_in_the_legend_and_in_the_instructions() -> None:
    page = (DOCS / "get_context.md").read_text(encoding="utf-8")
    table = page.partition("## What the marks say")[2].partition("Among the lines:")[0]
    told = set(MARK.findall(table))
    places = [*(REPOSITORY / "allocator").rglob("*.py"), *(REPOSITORY / "workspace" / "git").glob("*.py")]
    code = "".join(place.read_text(encoding="utf-8") for place in places)
    assert set(re.findall(r"\b_mark_of\(.([A-Z-]+)", code)) <= told
    for mark in told:
        assert mark.lower() in code.lower(), f"nothing gives [{mark}]"
    assert set(MARK.findall(INSTRUCTIONS)) - {"REDACTED"} == told - SAID_BY_THEMSELVES


def test_limits_and_lines_that_the_pages_tell_are_those_of_the_code() -> None:
    fetched = Limits()
    told = {
        "security.md": [
            f"the first {words.MOST_WORDS:,} different words are read and {words.MOST_TERMS} terms looked up",
            f"At most {fetched.fetched >> 20} MiB are fetched within {fetched.seconds:.0f} seconds",
            f"a commit of more than {fetched.files:,} files",
            f"One object takes at most {fetched.piece >> 20} MiB of memory",
        ],
        "get_context.md": [
            f"Of more than {MOST_APART} folders of one folder that look alike",
            f"A text of more than {words.LONGEST_MESSAGE} characters is read as an issue",
        ],
        "zoom.md": [f"more than {MOST_AMBIGUOUS:,} characters of several"],
        "clients.md": [f"Up to {MOST_FOLLOWED} addresses"],
        "compact_history.md": [PREFACE, RESUME],
    }
    for page, sentences in told.items():
        text = (DOCS / page).read_text(encoding="utf-8")
        assert [one for one in sentences if one not in text] == []


def test_docstrings_say_what_a_thing_is_or_does() -> None:
    rooms = (place for place in REPOSITORY.iterdir() if (place / "__init__.py").is_file())
    riddles = [
        f"{file.relative_to(REPOSITORY)}: {found[0].strip()}"
        for room in rooms
        for file in room.rglob("*.py")
        for found in RIDDLE.finditer(file.read_text(encoding="utf-8"))
    ]
    assert riddles == []


def test_no_pattern_holds_a_group_that_python_3_11_2_reads_wrongly() -> None:
    """A possessive group whose last turn fails half-way goes on from there in it: an atomic group says the same."""
    places = [place for room in ROOMS for ending in ("py", "scm", "toml") for place in room.rglob(f"*.{ending}")]
    found = [
        f"{place.relative_to(REPOSITORY)}: {line.strip()}"
        for place in places
        for line in place.read_text(encoding="utf-8").splitlines()
        if POSSESSIVE_GROUP.search(line)
    ]
    assert len(places) > 300
    assert found == []
