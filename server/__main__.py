"""The entry of the product: `fractal-context COMMAND`, and `python -m server`, which serves when no command is named."""

from __future__ import annotations

import sys

from server.cli import run


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    names_no_command = not arguments or (
        arguments[0].startswith("-") and arguments[0] not in {"-h", "--help", "--version"}
    )
    sys.exit(run(["serve", *arguments] if names_no_command else arguments))
