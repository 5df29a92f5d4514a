"""No secret of the stranger's list leaves through any tool, and none lies in what is kept on disk.

One thing keeps secrets, and is meant to: the archive of `compact_history` holds the original of a conversation, for its
owner alone.
"""

from __future__ import annotations

import json
import os
import random
import stat
import subprocess
from typing import TYPE_CHECKING, Any, get_args

import pytest

from server.choices import OutputFormat
from tests.secrets.made import Made, lookalikes, planted, shown
from tests.secrets.test_strangers_list import SEED
from tests.server.pipes import RawServer, cli
from tests.server.test_redaction import strings
from workspace.names.sensitive import is_sensitive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRETS = planted(random.Random(SEED))
ALIKE = lookalikes(random.Random(SEED))


def written(root: Path, files: list[Made]) -> Path:
    for made in files:
        file = root / made.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(made.raw)
    return root


def given_away(text: str) -> list[str]:
    return [f"seed {SEED}: {made.path}: {values}" for made in SECRETS if (values := shown(made, text))]


def on_disk(folder: Path) -> str:
    """Everything that lies in a folder, as one text in which ASCII is itself; what is UTF-16 counts as well."""
    raw = b"\n".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())
    return raw.decode("latin-1") + raw.replace(b"\0", b"").decode("latin-1")


def conversation(files: list[Made]) -> list[dict[str, Any]]:
    """Files that a tool has read, their paths in the calls."""
    turns: list[dict[str, Any]] = [{"role": "user", "content": "Please read all of it."}]
    for number, made in enumerate(files):
        arguments = json.dumps({"path": made.path, "head": made.text[:400]})
        called = {"id": str(number), "type": "function", "function": {"name": "read_file", "arguments": arguments}}
        turns.append({"role": "assistant", "content": None, "tool_calls": [called]})
        turns.append({"role": "tool", "tool_call_id": str(number), "content": made.text})
        turns.append({"role": "assistant", "content": f"It says:\n\n{made.text}"})
    return turns


def lines_of(made: Made) -> int:
    return max(len(made.text.splitlines()), 1)


def asked(files: list[Made], *, formats: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Requests for some files in every way there is, some of them wrong."""
    whole: dict[str, Any] = {"path": ".", "token_budget": 0}
    calls: list[tuple[str, dict[str, Any]]] = [
        *(("get_context", whole | {"format": one}) for one in formats),
        ("get_context", whole | {"skeleton": "enabled", "max_level": "L1"}),
        ("get_context", whole | {"skeleton": "disabled", "line_numbers": True}),
        ("get_context", {"path": ".", "token_budget": 2000, "query": "password token key secret credential"}),
        ("get_context", whole | {"focus": [files[0].path]}),
        ("get_context", whole | {"format": "yaml"}),
        ("zoom", {"target": "pasword", "path": "."}),
        ("zoom", {"target": f"file={files[0].path}:99999-100000", "path": "."}),
    ]
    for made in files:
        middle = lines_of(made) // 2 + 1
        calls.append(("zoom", {"target": f"file={made.path}", "path": ".", "token_budget": 0}))
        calls.append(("zoom", {"target": f"lines={made.path}:{middle}-{lines_of(made)}", "path": "."}))
    for name, arguments in calls:
        yield "tools/call", {"name": name, "arguments": arguments}
    for more in ({}, {"mode": "prompt"}, {"summarizer": "extractive"}):
        arguments = {"messages": conversation(files[:40]), "path": ".", **more}
        yield "tools/call", {"name": "compact_history", "arguments": arguments}
    for uri in ("context://.", "skeleton://.", "symbol://password", f"context://{files[0].path}"):
        yield "resources/read", {"uri": uri}
    for letters in ("", "s", "pass", "key"):
        template = {"type": "ref/resource", "uri": "symbol://{+target}"}
        yield "completion/complete", {"ref": template, "argument": {"name": "target", "value": letters}}


def all_hidden(root: Path, kept: Path, files: list[Made], formats: tuple[str, ...]) -> None:
    """Asks a real server everything, and looks at every answer, at its log and at what it keeps."""
    with RawServer(root, flags=["--log-level", "debug", "--cache", str(kept / "cache")]) as server:
        server.initialize()
        for method, params in asked(files, formats=formats):
            (answer,) = server.replies([server.send(method, params)])
            assert given_away("\n".join(strings(answer))) == [], (method, str(params)[:300])
        log = server.rest().decode()
    assert given_away(log) == []
    cache = on_disk(kept / "cache")
    assert len(cache) > 10_000
    assert given_away(cache) == []


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what is kept, cache and archive."""
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(kept / "state"))
    return kept


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_nothing_leaves_the_server_and_nothing_lies_in_its_cache(tmp_path: Path, kept: Path) -> None:
    files = random.Random(SEED).sample(SECRETS, 12)

    all_hidden(written(tmp_path / "project", SECRETS), kept, files, formats=("plus",))

    (archive,) = (kept / "state").rglob("histories.sqlite")
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600


def test_no_file_of_the_list_is_hidden_by_its_name_alone() -> None:
    assert [made.path for made in SECRETS if is_sensitive(made.path)] == []


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_a_mirror_and_a_report_hold_none_of_them(tmp_path: Path, kept: Path) -> None:
    root = written(tmp_path / "project", SECRETS)
    transcript = tmp_path / "transcript.json"
    transcript.write_text(json.dumps(conversation(SECRETS[::5])), encoding="utf-8")

    mirrored = cli("mirror", str(root), str(tmp_path / "mirror"), cwd=tmp_path)
    report = cli("compact", str(transcript), "--report", "--dry-run", cwd=tmp_path)

    assert mirrored.returncode == report.returncode == 0, mirrored.stderr + report.stderr
    assert len(list((tmp_path / "mirror").rglob("*"))) > len(SECRETS)
    assert given_away(on_disk(tmp_path / "mirror")) == []
    assert given_away((mirrored.stdout + mirrored.stderr + report.stdout + report.stderr).decode()) == []
    assert not (kept / "state").exists()


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_nothing_leaves_whatever_is_asked_of_whichever_file(tmp_path: Path, kept: Path) -> None:
    all_hidden(written(tmp_path / "project", SECRETS), kept, SECRETS, formats=get_args(OutputFormat))


@pytest.mark.long
def test_what_a_diff_touches_shows_none_of_them(tmp_path: Path, kept: Path) -> None:
    root = written(tmp_path / "project", [made._replace(text="\n", drawn=()) for made in SECRETS])
    identity = {f"GIT_{who}_{what}": "a@b.test" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "begin")):
        subprocess.run(["git", *words], cwd=root, check=True, env={**os.environ, **identity})
    written(root, SECRETS)

    changed = cli("pack", ".", "--changed", "worktree", "--budget", "unlimited", cwd=root)

    assert changed.returncode == 0, changed.stderr
    assert changed.stdout.count(b"[REDACTED:") > len(SECRETS)
    assert given_away((changed.stdout + changed.stderr).decode()) == []


@pytest.mark.long
def test_look_alikes_are_served_to_the_byte(tmp_path: Path) -> None:
    root = written(tmp_path / "project", ALIKE)

    packed = cli("pack", ".", "--skeleton", "disabled", "--budget", "unlimited", "--json", cwd=root)

    context = json.loads(packed.stdout)["context"]
    assert "[REDACTED:" not in context
    for made in ALIKE:
        assert [value for value in made.drawn if value not in context] == [], made.path
