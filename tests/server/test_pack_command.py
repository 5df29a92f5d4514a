"""The `pack` command: what it prints, what it writes, what it takes, and what it watches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.cli import FAILED, INTERRUPTED, WRONG_CALL, command_line, run
from server.pack_command import changes_of
from server.places import place_of
from tests.server.pipes import EXIT_TIMEOUT, cli, environment, forked_command
from workspace.tokens import token_counter


def test_pack_prints_the_context_and_says_on_standard_error_what_it_holds(tree: Path) -> None:
    done = cli("pack", ".", "--budget", "8k", cwd=tree)
    assert done.returncode == 0
    assert b"+++ src/config.py" in done.stdout
    assert token_counter().count(done.stdout) <= 8000
    (summary,) = done.stderr.decode().splitlines()
    assert "of 8,000" in summary
    assert "L0: 6" in summary


def test_what_the_text_counts_and_what_is_said_of_it_are_the_same_number(tree: Path) -> None:
    (tree / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tree / ".env").write_text("KEY=1\n", encoding="utf-8")
    for number in range(12):
        (tree / f"notes{number}.txt").write_text("A note.\n", encoding="utf-8")
    done = cli("pack", ".", "--budget", "150", cwd=tree)
    assert b"\n18 files: " in done.stdout
    assert "L3: 18; not read: 2. " in done.stderr.decode()


@pytest.mark.parametrize(
    "words",
    [
        ["pack", ".", "-o", "{}"],
        ["pack", ".", "--report", "{}"],
        ["compress", "README.md", "-o", "{}"],
        ["compress", "README.md", "--store", "{}"],
        ["compact", "README.md", "--report", "{}"],
    ],
    ids=lambda words: f"{words[0]} {words[2]}",
)
def test_a_file_that_cannot_be_written_is_told_before_the_work(
    tree: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tree)
    (tree / "locked").mkdir(mode=0o555)
    monkeypatch.setattr("server.cli.asked_settings", None)  # what every work begins with
    monkeypatch.setattr("server.places.asked_settings", None)
    told = {
        "src": "'src' cannot be written: it is a folder. Name a file in it.",
        "nowhere/a.txt": f"'nowhere/a.txt' cannot be written: '{tree}/nowhere' is no folder. Make it first, or name another file.",
        "locked/a.txt": "'locked/a.txt' cannot be written: permission denied. Name a file elsewhere, or change who may write there.",
    }
    for place, why in told.items():
        if place != "locked/a.txt" or not os.access(tree / "locked", os.W_OK):
            assert run([word.format(place) for word in words]) == FAILED
            assert capsys.readouterr().err == f"fractal-context: {why}\n"


def test_a_file_that_an_earlier_pack_wrote_is_none_of_the_next(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    for _ in range(2):
        assert run(["pack", ".", "-o", "src/context of it.txt"]) == 0
        made = (tree / "src" / "context of it.txt").read_text("utf-8")
        assert "+++ src/config.py" in made
        assert "context of it" not in made
    assert run(["pack", "src/config.py", "-o", "src/config.py"]) == WRONG_CALL
    assert "class Config" in (tree / "src" / "config.py").read_text("utf-8")


def test_a_query_is_read_from_standard_input_or_a_file(tree: Path, tmp_path: Path) -> None:
    text = "where is the frobnicator loaded?\n" + "a line of a log\n" * 5000
    (tmp_path / "issue.txt").write_text(text, encoding="utf-8")
    from_file = cli("pack", ".", "--budget", "1k", "--query-file", str(tmp_path / "issue.txt"), "--json", cwd=tree)
    from_input = subprocess.run(
        [*forked_command(), "pack", ".", "--budget", "1k", "--query", "-", "--json"],
        cwd=tree,
        env=environment({}),
        input=text.encode(),
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    for done in (from_file, from_input):
        assert done.returncode == 0, done.stderr
        assert "frobnicator" in json.loads(done.stdout)["metadata"]["unmatched"]
    missing = cli("pack", ".", "--query-file", "no such file", cwd=tree)
    assert missing.returncode == WRONG_CALL
    assert missing.stderr == b"fractal-context: 'no such file' cannot be read: No such file or directory.\n"
    (tmp_path / "issue.txt").write_text(" \n", encoding="utf-8")
    empty = cli("pack", ".", "--query-file", str(tmp_path / "issue.txt"), cwd=tree)
    assert empty.returncode == WRONG_CALL
    assert b"The query is empty: the file of --query-file holds no word." in empty.stderr
    assert cli("pack", ".", "--query", "a", "--query-file", "b", cwd=tree).returncode == 2


def test_pack_takes_every_argument_of_the_tool(tree: Path) -> None:
    done = cli(
        *("pack", str(tree), "--budget=4000", "--skeleton=enabled", "--include=src/*.py", "--include=*.rs"),
        *("--exclude=main.py", "--min-level=L2", "--max-level=L1", "--format=compact", "--line-numbers"),
        *("--encoding=cl100k_base", "--metadata"),
        cwd=tree,
    )
    assert done.returncode == 0, done.stderr
    metadata = json.loads(done.stdout)
    shown = metadata["compression_summary"]
    assert shown["L0"] == []
    assert sorted(shown["L1"] + shown["L2"]) == ["src/config.py", "src/shape.rs"]
    assert metadata["encoding"] == "cl100k_base"
    assert metadata["token_budget"] == 4000


def test_pack_of_one_file_needs_no_root(tree: Path) -> None:
    done = cli("pack", "../src/main.py", "--budget=unlimited", cwd=tree / "src")
    assert done.returncode == 0
    assert b"def unused" in done.stdout
    assert b", no ceiling (" in done.stderr


def test_an_address_of_a_file_is_the_file_unless_a_repository_lies_there(
    tree: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for path, words in ((f"file://{tree}/src", "+++ config.py"), (f"file://{tree}/src/config.py", "class Config")):
        assert run(["pack", path]) == 0
        assert words in capfd.readouterr().out
    (tree / "src" / ".git").mkdir()
    assert run(["pack", f"file://{tree}/src"]) == FAILED
    assert "fetched" in capfd.readouterr().err


def test_pack_writes_to_a_file_and_gives_the_metadata_beside_it(tree: Path, tmp_path: Path) -> None:
    printed = cli("pack", ".", cwd=tree)
    done = cli("pack", ".", "-o", str(tmp_path / "context.txt"), "--metadata", cwd=tree)
    assert done.returncode == 0
    assert (tmp_path / "context.txt").read_bytes().rstrip(b"\n") == printed.stdout.rstrip(b"\n")
    assert json.loads(done.stdout)["files_full"] == 6
    silent = cli("pack", ".", "-o", str(tmp_path / "again.txt"), cwd=tree)
    assert silent.stdout == b""
    assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "context.txt").read_bytes()


def test_a_packed_file_is_kept_current_as_long_as_it_is_watched(tree: Path) -> None:
    output = tree / "context.txt"
    command = [*forked_command(), "pack", str(tree), "-o", str(output), "--watch"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment()) as process:

        def wait_for(words: str) -> None:
            while not output.exists() or words not in output.read_text("utf-8"):
                assert process.poll() is None
                time.sleep(0.05)  # another process writes it, and nothing tells when

        wait_for("+++ ")
        for number in range(3):
            (tree / "edited.py").write_text(f"class Edited{number}:\n    pass\n", encoding="utf-8")
            wait_for(f"Edited{number}")
        assert "+++ context.txt" not in output.read_text("utf-8")
        process.send_signal(signal.SIGINT)
        assert process.wait(EXIT_TIMEOUT) == INTERRUPTED
    assert not output.with_name(".context.txt.new").exists()


def test_what_a_watching_command_writes_itself_is_no_change(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [tree / name for name in ("context.txt", "re[p]ort.html", "src/messages of it.log")]
    own[2].touch()
    asked = command_line().parse_args(["pack", str(tree), "-o", str(own[0]), "--report", str(own[1]), "--watch"])
    steps = iter([*own, *own, tree / "edited.py"])
    written: list[Path] = []

    def look(_: float) -> None:
        written.append(next(steps))
        with written[-1].open("a") as file:
            file.write("text\n")

    monkeypatch.setattr("server.pack_command.time", SimpleNamespace(sleep=look))
    errors = os.dup(2)
    try:
        with own[2].open("a") as messages:
            os.dup2(messages.fileno(), 2)
            changes = changes_of(asked, *place_of(asked))
    finally:
        os.dup2(errors, 2)
        os.close(errors)
    next(changes)
    assert written == [*own, *own, tree / "edited.py"]
    assert {"/context.txt", "/src/messages\\ of\\ it.log", "/re\\[p\\]ort.html"} <= set(asked.exclude)
    done = cli("pack", str(tree), *(f"--exclude={glob}" for glob in asked.exclude), cwd=tmp_path)
    assert b"+++ edited.py" in done.stdout
    assert not [one.name for one in own if one.name.encode() in done.stdout]


def test_nothing_can_be_watched_without_a_file_to_write(tree: Path) -> None:
    assert run(["pack", str(tree), "--watch"]) == WRONG_CALL


def test_a_file_that_cannot_be_written_is_a_failure(tree: Path) -> None:
    done = cli("pack", ".", "-o", str(tree / "nowhere" / "context.txt"), cwd=tree)
    assert done.returncode == 1
    assert b"context.txt" in done.stderr
    assert b"Traceback" not in done.stderr
