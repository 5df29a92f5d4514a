from __future__ import annotations

import subprocess
import sys

from skeleton.languages.tree import described


def test_a_tree_is_printed_with_its_fields() -> None:
    assert list(described(b"f()\n", "python")) == [
        "module 0-4",
        "  call 0-3",
        "    function: identifier 0-1 b'f'",
        "    arguments: argument_list 1-3 b'()'",
    ]


def test_the_command_reads_standard_input_and_knows_its_grammars() -> None:
    command = [sys.executable, "-m", "skeleton.languages.tree"]
    printed = subprocess.run([*command, "python"], input=b"x = 1\n", capture_output=True, check=True)
    assert printed.stdout.decode().splitlines()[1].strip().startswith("assignment 0-5")
    refused = subprocess.run([*command, "klingon"], input=b"", capture_output=True, check=False)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"usage" in refused.stderr
