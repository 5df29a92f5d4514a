"""The `mirror` command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from server.options import setting_options

if TYPE_CHECKING:
    from allocator.mirror import Mirrored
    from allocator.progress import Progress
    from server.settings import Settings

LEVELS = ("L1", "L2")


def add_mirror_command(commands: Any) -> argparse.ArgumentParser:
    """Adds the command to a parser's commands and returns its own parser, without a function to call."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "mirror",
        parents=[setting_options(["root", "no-redact", "time-limit"])],
        help="build a folder of skeletons beside a folder of source",
        description="Builds DST from SRC: files of code become skeletons that keep their comments, other text files are"
        " copied, the relative folders stay. DST is replaced as a whole, if it is empty or an earlier mirror that nobody"
        " has touched; anything else is left as it is. Interrupted, the old DST stays.",
    )
    parser.add_argument("source", metavar="SRC", help="folder of source")
    parser.add_argument("target", metavar="DST", help="folder to build, outside of SRC")
    parser.add_argument("--level", choices=LEVELS, default="L1", help="L2 drops comments and docs too (%(default)s)")
    parser.add_argument("--include", action="append", default=[], metavar="GLOB", help="only these files; repeatable")
    parser.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="not these files; repeatable")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    return parser


def run_mirror(asked: argparse.Namespace, settings: Settings, progress: Progress | None) -> Mirrored:
    """Runs the command for parsed arguments."""
    from allocator.mirror import MirrorLevel, mirror

    return mirror(
        str(Path(asked.source).absolute()),
        asked.target,
        roots=settings.roots,
        level=MirrorLevel(asked.level),
        include=asked.include,
        exclude=asked.exclude,
        redact=not settings.no_redact,
        progress=progress,
    )


def mirrored_as_json(made: Mirrored) -> dict[str, Any]:
    """Returns the result as a JSON value."""
    return msgspec.to_builtins(made)


def mirrored_in_words(made: Mirrored) -> list[str]:
    """Returns the result as lines for a reader."""
    left_out = [
        f"left out: {problem.path} ({problem.kind}{': ' if problem.detail else ''}{problem.detail})"
        for problem in made.problems
    ]
    return [
        *left_out,
        *([f"{made.secrets} secrets were taken out; --no-redact leaves them in."] if made.secrets else []),
        f"{made.skeletons} skeletons, {made.copies} copies. Bytes: {made.bytes_before:,} before, {made.bytes_after:,} after.",
    ]
