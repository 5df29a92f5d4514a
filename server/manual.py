"""The text of `--help` besides the options: examples for each command, and the ways in which a call ends."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from typing import TYPE_CHECKING, NoReturn

from server.versions import distribution_version

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 90
"""Characters of a line of a description."""

EXIT_CODES = "Exit codes: 0 done, 1 the work failed, 2 the call was wrong. Results go to standard output, all else to\nstandard error."

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("fractal-context pack . --budget 8k", "this folder in 8000 tokens"),
        ("fractal-context zoom Config.load src", "the source of one definition"),
        ("fractal-context serve --root ~/project", "an MCP server on standard input and output"),
    ),
    "serve": (
        ("fractal-context serve --root .", "for a client that starts it"),
        ("fractal-context serve --transport streamable-http --port 8808", "on http://127.0.0.1:8808/mcp"),
        ("fractal-context serve --transport streamable-http --host 0.0.0.0 --token-file token", "for other machines"),
    ),
    "pack": (
        ("fractal-context pack src --budget 20k -o context.txt", "to a file"),
        ("fractal-context pack . --include '*.py' --exclude tests/ --max-level L1", "skeletons of some files"),
        ("fractal-context pack . --budget 8k | pbcopy", "to the clipboard; wl-copy, xclip or clip elsewhere"),
        ("fractal-context pack . --json | jq .metadata", "for a program"),
    ),
    "review": (
        ("fractal-context review", "what is not committed yet"),
        ("fractal-context review main...topic --format markdown", "a page that can be posted"),
    ),
    "view": (
        ("fractal-context view", "this folder, in the browser"),
        ("fractal-context view src --budget 4k --query 'where are prices rounded?'", "begin with a question"),
        ("fractal-context view . --no-open --port 8810", "print the address instead"),
    ),
    "index": (
        ("fractal-context index", "everything about this folder, into the cache"),
        ("fractal-context index . --publish s3://bucket/trees", "in CI: for servers and laptops with `published`"),
    ),
    "zoom": (
        ("fractal-context zoom Config.load", "a method, wherever it is"),
        ("fractal-context zoom file=src/a.py:10-40", "lines of a file"),
    ),
    "compact": (
        ("fractal-context compact session.jsonl > shorter.json", "without a model"),
        ("fractal-context compact session.jsonl --report page.html", "see what is kept, in a browser"),
        ("fractal-context compact session.jsonl --prompt", "the instruction for a model's summary"),
    ),
    "compress": (
        ("fractal-context compress prompt.md --rate 0.5", "half of the tokens"),
        ("fractal-context compress request.json --messages --target-tokens 4000", "only marked blocks of messages"),
    ),
    "mirror": (
        ("fractal-context mirror src ../skeleton", "skeletons with comments and docs"),
        ("fractal-context mirror . /tmp/skeleton --level L2 --exclude tests/", "signatures alone"),
    ),
    "setup": (
        ("fractal-context setup", "the clients, and where the configuration of each lies"),
        ("fractal-context setup --client vscode --print", "what would be written"),
        ("fractal-context setup --client claude-code --guidance", "the server, and how its model should use it"),
    ),
    "doctor": (("fractal-context doctor", "what works, and which settings are in force"),),
    "completion": (('eval "$(fractal-context completion bash)"', "in ~/.bashrc; the same for zsh"),),
}
"""For each command, "" for none: calls, and what each is for."""


_REFUSED = re.compile(r"invalid choice: '(?P<given>[^']*)' \(choose from (?P<choices>[^)]*)\)")
"""The words of a parser about an argument that is none of its choices."""


def add_manual(parser: argparse.ArgumentParser, command: str) -> None:
    """Adds the examples of a command, and the exit codes, to the end of its help."""
    examples = EXAMPLES[command]
    width = max(len(call) for call, _ in examples)
    lines = [f"  {call.ljust(width)}  {purpose}" for call, purpose in examples]
    if parser.description:
        parser.description = textwrap.fill(parser.description, WIDTH)
    parser.epilog = "\n".join(["examples:", *lines, "", EXIT_CODES])
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(parser=parser)


class _CommandParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, and where the rest is told, in place of its whole usage."""

    def error(self, message: str) -> NoReturn:
        """Ends the process.

        Raises:
            SystemExit: always, with code 2.
        """
        question = ""
        if refused := _REFUSED.search(message):
            from workspace.slips import meant  # for mistakes alone

            question = meant([refused["given"]], re.findall(r"[^\s,']+", refused["choices"]))
        self.exit(2, f"{self.prog}: {message}.{question} `{self.prog} --help` tells more.\n")


def command_parser(name: str, description: str) -> argparse.ArgumentParser:
    """Returns the parser of a program, whose commands' parsers say in one line too what is wrong."""
    return _CommandParser(prog=name, description=description)


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Returns what a command line says; `add_manual` has told the parser of each command its name.

    Raises:
        SystemExit: it is wrong (code 2), or asks for help or the version (code 0).
    """
    asked, unknown = parser.parse_known_args(arguments)
    if unknown:
        from workspace.slips import meant  # for mistakes alone

        command: argparse.ArgumentParser = asked.parser
        options = re.findall(r"--[\w-]+", command.format_usage())
        question = meant([name.partition("=")[0] for name in unknown if name.startswith("-")], options)
        command.exit(
            2,
            f"{command.prog}: unrecognized arguments: {' '.join(unknown)}.{question}"
            f" `{command.prog} --help` lists all.\n",
        )
    return asked


class VersionAction(argparse.Action):
    """Prints the version, which is looked up only for that."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Prints it and ends the process."""
        del namespace, values, option_string
        sys.stdout.write(f"{parser.prog} {distribution_version() or '(source tree)'}\n")
        parser.exit()
