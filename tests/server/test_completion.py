"""Shells complete the command line, and each command has a manual."""

from __future__ import annotations

import itertools
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from server.cli import command_line, run
from server.completion import SHELLS
from server.manual import EXAMPLES
from tests.server.pipes import EXIT_TIMEOUT, environment

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
