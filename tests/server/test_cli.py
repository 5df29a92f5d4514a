"""The command line as people and scripts run it: real processes, real streams, real exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from server.cli import run
from tests.server.pipes import COMMAND, EXIT_TIMEOUT, cli, environment


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


def printed_and_loaded(cache: Path, folder: Path, *arguments: str) -> tuple[str, set[str]]:
    """Returns the text that a program prints, and the modules that it has loaded then."""
    program = "import sys; from server.cli import run; run(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=environment({"FRACTAL_CONTEXT_CACHE": str(cache)}),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout, set(done.stderr.split())


def test_a_question_loads_nothing_of_a_first_look_and_no_masked_arrays(tree: Path, tmp_path: Path) -> None:
    printed, loaded = printed_and_loaded(tmp_path / "cache", tree, "pack", ".", "--query", "where Config loads a value")
    assert "load" in printed
    assert "allocator.ranking.rank" in loaded
    assert not {"numpy.ma", "allocator.overview.portrait", "skeleton.zoom.neighbours"} & loaded


def test_the_first_zoom_of_a_program_loads_no_vocabulary_and_proves_no_skeleton(tree: Path, tmp_path: Path) -> None:
    printed, loaded = printed_and_loaded(tmp_path / "cache", tree, "zoom", "main", ".")
    assert "main" in printed
    assert "tree_sitter" in loaded
    assert not {"tiktoken", "numpy", "mcp", "pydantic"} & loaded


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
        (["pack", "a", "--buget=5"], "--buget=5. Did you mean `--budget`?"),
        (["zoom", "Confg.load"], "Config.load"),
        (["zoom", "main", "nowhere"], "nowhere"),
        (["unpack", "."], "unpack"),
        (["mirrror", "."], "Did you mean `mirror`? `fractal-context --help` tells more."),
        (["pack", ".", "--format=markdwn"], "Did you mean `markdown`? `fractal-context pack --help` tells more."),
        (["mirror", "."], "required: DST. `fractal-context mirror --help` tells more."),
        (["serve", "--root=nowhere"], "nowhere"),
    ],
)
def test_a_wrong_call_ends_with_code_two_and_a_sentence(tree: Path, arguments: list[str], words: str) -> None:
    done = cli(*arguments, cwd=tree)
    assert done.returncode == 2
    assert done.stdout == b""
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 1, "what is wrong is not to be looked for below a usage"


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
