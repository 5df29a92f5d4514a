"""The command line as people and scripts run it: real processes, real streams, real exit codes."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from server.cli import INTERRUPTED, WRONG_CALL, command_line, run
from server.completion import SHELLS
from server.doctor import examine
from server.manual import EXAMPLES
from server.pack_command import changes_of
from server.places import place_of
from server.settings import read_settings
from server.terminal import bar
from skeleton.languages.headers import QueryFileError
from skeleton.languages.queries import Language
from tests.server.pipes import EXIT_TIMEOUT, environment, forked_command
from workspace.tokens import token_counter

COMMAND = (sys.executable, "-m", "server")


def cli(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command to its end; from its very beginning where it has variables of its own, or names no command."""
    named = bool(arguments) and not arguments[0].startswith("-")
    return subprocess.run(
        [*(forked_command() if named and not variables else COMMAND), *arguments],
        cwd=cwd,
        env=environment(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )


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
    assert cli("pack", ".", "--query-file", "no such file", cwd=tree).returncode != 0
    assert cli("pack", ".", "--query", "a", "--query-file", "b", cwd=tree).returncode == 2


def test_what_nothing_is_asked_of_is_not_loaded(tree: Path, tmp_path: Path) -> None:
    tell = "import sys; print(*sys.modules, file=sys.stderr)"
    pack = f"import sys; from server.cli import run; run(sys.argv[1:]); {tell}"
    variables = environment({"FRACTAL_CONTEXT_CACHE": str(tmp_path / "cache")})
    nothing, first, again = (
        subprocess.run(
            [sys.executable, "-c", program, "pack", ".", "--budget", "8k"],
            cwd=tree,
            env=variables,
            capture_output=True,
            text=True,
            check=True,
        )
        for program in (tell, pack, pack)
    )
    assert again.stdout == first.stdout
    heavy = {"pydantic", "mcp", "torch", "numpy", "tree_sitter", "tiktoken", "anyio", "xml", "rapidfuzz"}
    heavy |= {"dataclasses", "logging", "difflib", "importlib.resources"}
    assert not heavy & set(again.stderr.split()) - set(nothing.stderr.split())
    assert "tree_sitter" in first.stderr


def test_the_first_zoom_of_a_program_loads_no_vocabulary_and_proves_no_skeleton(tree: Path, tmp_path: Path) -> None:
    program = "import sys; from server.cli import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, "zoom", "main", "."],
        cwd=tree,
        env=environment({"FRACTAL_CONTEXT_CACHE": str(tmp_path / "cache")}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "main" in done.stdout
    assert "tree_sitter" in done.stderr
    assert not {"tiktoken", "numpy", "mcp", "pydantic"} & set(done.stderr.split())


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
    assert b"no ceiling" in done.stderr


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


def test_zoom_prints_the_definition(tree: Path) -> None:
    done = cli("zoom", "Config.load", cwd=tree)
    assert done.returncode == 0
    assert b'"""Reads every value."""' in done.stdout
    assert done.stderr == b""
    elsewhere = cli("zoom", "function=main", str(tree / "src"), "--line-numbers", cwd=tree)
    assert b"def main" in elsewhere.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pack", "nowhere"], "nowhere"),
        (["pack", "nowhere/at/all"], "nowhere"),
        (["pack", ".", "--budget=abc"], "abc"),
        (["pack", ".", "--budget=10"], "64"),
        (["pack", ".", "--budget=-1"], "-1"),
        (["pack", ".", "--format=yaml"], "yaml"),
        (["pack", ".", "--min-level=L9"], "L9"),
        (["pack", ".", "--encoding=klingon"], "o200k_base"),
        (["pack", "..", "--root=."], "--root"),
        (["pack", "a", "b"], "unrecognized"),
        (["zoom", "Confg.load"], "Config.load"),
        (["zoom", "main", "nowhere"], "nowhere"),
        (["unpack", "."], "unpack"),
        (["serve", "--root=nowhere"], "nowhere"),
    ],
)
def test_a_wrong_call_ends_with_code_two_and_a_sentence(tree: Path, arguments: list[str], words: str) -> None:
    done = cli(*arguments, cwd=tree)
    assert done.returncode == 2
    assert done.stdout == b""
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr


@pytest.mark.no_cover
def test_output_is_utf_8_wherever_the_command_runs(tree: Path) -> None:
    (tree / "größe.py").write_text('NAME = "日本"\n', encoding="utf-8")
    assert "größe.py" in cli("pack", ".", cwd=tree, LANG="C", LC_ALL="C").stdout.decode("utf-8")
    for variables in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "POSIX"}):
        done = cli("pack", ".", cwd=tree, **variables)
        assert done.returncode == 0, done.stderr
        assert 'NAME = "日本"' in done.stdout.decode("utf-8")
        wrong = cli("zoom", "größer", cwd=tree, **variables)
        assert wrong.returncode == 2
        assert b"Traceback" not in wrong.stderr


def test_a_large_result_is_printed_whole_even_where_python_runs_unbuffered(tree: Path) -> None:
    (tree / "large.py").write_text("VALUE = 1  # and a remark\n" * 10_000, encoding="utf-8")
    for variables in ({}, {"PYTHONUNBUFFERED": "1"}):
        done = cli("pack", "large.py", "--budget=unlimited", cwd=tree, **variables)
        assert done.stdout.count(b"VALUE = 1  # and a remark") == 10_000


def test_a_reader_that_leaves_early_is_no_error(tree: Path) -> None:
    (tree / "large.py").write_text("VALUE = 1  # and a remark\n" * 10_000, encoding="utf-8")
    with subprocess.Popen(
        [*COMMAND, "pack", "large.py", "--budget=unlimited"],
        cwd=tree,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=EXIT_TIMEOUT) == 0


def test_progress_is_shown_on_a_terminal_and_wiped_away(tree: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "pack", "."], cwd=tree, env=environment(), stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        output, _ = process.communicate(timeout=EXIT_TIMEOUT)
    shown = b""
    try:
        while chunk := os.read(ours, 65_536):
            shown += chunk
    except OSError:
        pass  # how a terminal ends
    os.close(ours)
    assert b"+++ src/config.py" in output
    assert b"\x1b[2K" not in output
    before, _, after = shown.decode().rpartition("\r\x1b[2K")
    assert "/" in before
    assert after.startswith("Files at")


def test_doctor_says_what_works(tree: Path) -> None:
    done = cli("doctor", "--root", str(tree), cwd=tree)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0, lines
    for part in ("fractal-context", "python", "mcp", "tree-sitter", "languages", "vocabulary o200k_base", "roots"):
        assert any(line.startswith(f"ok      {part}: ") for line in lines), (part, lines)
    assert f"ok      roots: {tree}" in lines
    assert f"ok      setting: root = {tree} (--root)" in lines
    assert any(line.startswith(f"ok      changes: {tree}: ") for line in lines)


def test_doctor_shows_the_cache_and_empties_it(tree: Path) -> None:
    assert cli("pack", str(tree), "--budget", "500", cwd=tree).returncode == 0
    shown = cli("doctor", cwd=tree).stdout.decode()
    assert re.search(r"cache: .*index-\d+\.sqlite3: [\d.]+ MB, [\d,]+ entries for [\d,]+ files", shown)
    emptied = cli("doctor", "--clear-cache", cwd=tree).stdout.decode()
    assert re.search(r"cache: .* 0 entries for 0 files, nothing looked up yet", emptied)


def test_doctor_fails_where_something_does_not_work(tree: Path) -> None:
    done = cli("doctor", "--root", str(tree / "nowhere"), cwd=tree)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[-1].startswith("BROKEN  settings: ")


def test_doctor_names_the_query_that_is_broken(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise QueryFileError(f"{name}.scm: unknown capture @nonsense")

    monkeypatch.setattr(Language, "named", broken)
    (finding,) = (
        finding for finding in examine(lambda: read_settings(roots=[str(tree)])) if finding.part == "languages"
    )
    assert not finding.works
    assert "python.scm: unknown capture" in finding.text


def test_the_installed_command_is_the_same(tree: Path) -> None:
    script = "from server.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "zoom", "Config.load"],
        cwd=tree,
        env=environment(),
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, cli("zoom", "Config.load", cwd=tree).stdout)


def test_the_version_and_the_help_are_told(tree: Path) -> None:
    assert cli("--version", cwd=tree).stdout.startswith(b"fractal-context ")
    told = cli("--help", cwd=tree).stdout
    assert all(command in told for command in (b"serve", b"pack", b"zoom", b"doctor"))


@pytest.mark.no_cover
def test_the_module_serves_when_no_command_is_named(tree: Path) -> None:
    for arguments in ([], ["--root", str(tree)]):
        done = cli(*arguments, cwd=tree)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_command_without_arguments_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run([])
    assert ended.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_output_that_is_lost_at_the_very_end_is_told(tree: Path) -> None:
    late = "import server.__main__ as entry; entry.run = lambda given: print('x') or 0; entry.main()"
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", late, "pack"],
            cwd=tree,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=EXIT_TIMEOUT,
            check=False,
        )
    assert done.returncode != 0
    assert b"No space left" in done.stderr


def test_an_interrupt_ends_the_command_quietly(tree: Path) -> None:
    interrupting = (
        "import signal, sys\n"
        "from allocator import ContextEngine\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background may ignore it
        "ContextEngine.get_context = lambda *given, **named: signal.raise_signal(signal.SIGINT)\n"
        "from server.cli import run\n"
        "sys.exit(run(['pack', '.']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", interrupting],
        cwd=tree,
        env=environment(),
        capture_output=True,
        timeout=EXIT_TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_mirror_builds_a_folder_of_skeletons_and_says_what_it_did(tree: Path, tmp_path: Path) -> None:
    (tree / ".env").write_text("PASSWORD=hunter2\n", encoding="utf-8")
    target = tmp_path / "mirror"
    done = cli("mirror", ".", str(target), "--exclude=tests/", cwd=tree)
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    assert b"3 skeletons, 2 copies." in done.stderr
    assert b"left out: .env (sensitive: " in done.stderr
    assert "self.path = path" not in (target / "src/config.py").read_text(encoding="utf-8")
    again = cli("mirror", ".", str(target), "--level=L2", "--include=src/", "--include=.env", "--json", cwd=tree)
    made = json.loads(again.stdout)
    assert made["skeletons"] == 3
    assert [(one["path"], one["kind"]) for one in made["problems"]] == [(".env", "sensitive")]
    assert not (target / "README.md").exists()
    (target / "mine").write_text("mine", encoding="utf-8")
    refused = cli("mirror", ".", str(target), cwd=tree)
    assert refused.returncode == 2
    assert b"mine" in refused.stderr
    assert cli("mirror", ".", "inside", cwd=tree).returncode == 2


def test_json_is_printed_for_programs(tree: Path) -> None:
    packed = json.loads(cli("pack", ".", "--budget=2k", "--json", cwd=tree).stdout)
    assert packed["context"].encode() == cli("pack", ".", "--budget=2k", cwd=tree).stdout
    assert packed["metadata"]["token_budget"] == 2000
    assert "def load" in json.loads(cli("zoom", "Config.load", "--json", cwd=tree).stdout)["text"]
    findings = json.loads(cli("doctor", "--json", cwd=tree).stdout)
    assert {"part": "roots", "works": True, "words": str(tree)} in findings


def in_terminal(*arguments: str, cwd: Path, **variables: str) -> str:
    """Runs a command whose output goes to a terminal, and returns what that received."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *arguments], cwd=cwd, env=environment(variables), stdout=theirs, stderr=theirs):
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 65_536):
                shown += chunk
        except OSError:
            pass  # how a terminal ends
    os.close(ours)
    return shown.decode()


def test_colours_are_for_terminals_that_want_them(tree: Path) -> None:
    wrong = ("pack", "nowhere")
    assert "\x1b[1;31mfractal-context:\x1b[0m" in in_terminal(*wrong, cwd=tree, NO_COLOR="")
    assert "\x1b[1" not in in_terminal(*wrong, cwd=tree, NO_COLOR="1")
    assert b"\x1b[" not in cli(*wrong, cwd=tree).stderr


@pytest.mark.parametrize(("done", "total"), [(0, 0), (0, 10), (5, 10), (10, 10), (11, 10)])
def test_a_bar_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch, done: int, total: int) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    line = bar(done, total, "weighing src/" + "a" * 80).removeprefix("\r\x1b[2K")
    assert len(line) == 59
    assert line.count("█") == (24 * min(done, total) // total if total else 0)


COMPLETED = (
    (("pa",), {"pack"}),
    (("pack", "--form"), {"--format"}),
    (("pack", "--format", ""), {"compact", "json", "markdown", "plus", "xml"}),
    (("pack", "--format", "x"), {"xml"}),
    (("pack", "--line-numbers", "--max"), {"--max-level"}),
    (("pack", "sr"), {"src"}),
    (("pack", "--output", "READ"), {"README.md"}),
    (("mirror", "--level", ""), {"L1", "L2"}),
    (("completion", ""), {"bash", "fish", "powershell", "tcsh", "zsh"}),
    (("serve", "--token"), {"--token-file"}),
)
"""The words typed behind the program's name, and those that bash then offers."""


def test_bash_completes_commands_options_choices_and_files(
    tree: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["completion", "bash"]) == 0
    script = capfdbinary.readouterr().out.decode()
    asked = "".join(
        f"COMP_WORDS=({shlex.join(['fractal-context', *words])}) COMP_CWORD={len(words)} COMPREPLY=()\n"
        '_shtab_fractal_context 2>/dev/null\necho "${COMPREPLY[@]}"\n'
        for words, _ in COMPLETED
    )
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{asked}"],
        cwd=tree,
        env=environment({"PATH": os.environ["PATH"]}),
        capture_output=True,
        text=True,
        timeout=EXIT_TIMEOUT,
        check=True,
    )
    assert [{*line.split()} for line in done.stdout.splitlines()] == [offered for _, offered in COMPLETED]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_knows_the_commands(
    capfdbinary: pytest.CaptureFixture[bytes], shell: str
) -> None:
    assert run(["completion", shell]) == 0
    script = capfdbinary.readouterr().out
    assert all(word in script for word in (b"pack", b"mirror", b"max-level"))


def test_every_command_has_a_manual_whose_examples_parse(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = command_line()
    for command, examples in EXAMPLES.items():
        with pytest.raises(SystemExit) as ended:
            run([command, "--help"] if command else ["--help"])
        assert ended.value.code == 0
        told = capsys.readouterr().out
        assert "examples:" in told
        assert "Exit codes: 0 done" in told
        for call, purpose in examples:
            assert call in told
            assert purpose in told
            words = shlex.split(call.removeprefix('eval "$(').removesuffix(')"'))
            plain = list(itertools.takewhile(lambda word: word not in {"|", ">"}, words))
            assert plain[0] == "fractal-context"
            assert parser.parse_args(plain[1:]).command
