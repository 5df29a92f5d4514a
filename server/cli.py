"""The command line: the same engines as the server's, for people and scripts.

Results go to standard output, as UTF-8 wherever the process runs; everything else goes to standard error. Exit codes:
0 done, 1 the work failed, 2 the call was wrong (spec/tools.md, "Command line").

For `pack` and `zoom` the root is the folder that the caller names, unless `--root` says otherwise: whoever types a path
means it. A server is called by a model, so its roots are fixed when it starts.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import shutil
import signal
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from server.history_schemas import HistoryFormat
from server.schemas import MaxLevel, MinLevel, OutputFormat, SkeletonMode
from server.settings import DEFAULT_BUDGET, ROOTS_VARIABLE, read_settings
from server.versions import distribution_version
from server.wording import told
from workspace.errors import FractalContextError, InvalidArgumentError, UnreadableFileError
from workspace.tokens import DEFAULT_ENCODING, parse_budget

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from allocator import ContextMetadata

DONE, FAILED, WRONG_CALL = 0, 1, 2
INTERRUPTED = 128 + signal.SIGINT

COUNTER_INTERVAL = 0.1
"""Seconds between two updates of the progress counter on a terminal."""

CLEAR_LINE = "\r\x1b[2K"


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit code of the process.

    Raises:
        SystemExit: the arguments do not parse (code 2), or they ask for help or the version (code 0).
    """
    asked = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = asked.command
    try:
        return command(asked)
    except FractalContextError as error:
        _say(f"fractal-context: {told(error)}")
        return FAILED if isinstance(error, UnreadableFileError) else WRONG_CALL
    except BrokenPipeError:
        # The reader of the output has left, as `head` does. What Python still holds would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except OSError as error:
        _say(f"fractal-context: {error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fractal-context",
        description="Hands a language model the right part of a code base, inside a hard token budget.",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {distribution_version() or '(source tree)'}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    counting = argparse.ArgumentParser(add_help=False)
    counting.add_argument("--encoding", default=DEFAULT_ENCODING, help="vocabulary to count tokens in (%(default)s)")
    rooted = argparse.ArgumentParser(add_help=False)
    rooted.add_argument(
        "--root", action="append", default=[], metavar="DIR", help="folder that may be read; repeatable"
    )
    shown = argparse.ArgumentParser(add_help=False)
    shown.add_argument("--budget", default=str(DEFAULT_BUDGET), help="tokens: 8000, 8k, unlimited (%(default)s)")
    shown.add_argument("--line-numbers", action="store_true", help="put its true line number before every line")

    serve = commands.add_parser(
        "serve",
        parents=[rooted, counting],
        help="speak MCP on standard input and output",
        description=f"Speaks MCP on standard input and output. Without --root the roots are those of {ROOTS_VARIABLE}"
        f" (separated by {os.pathsep!r}), and without them the working directory.",
    )
    serve.add_argument(
        "--default-budget", default=str(DEFAULT_BUDGET), help="tokens for calls that name no budget (%(default)s)"
    )
    serve.set_defaults(command=_serve)

    pack = commands.add_parser("pack", parents=[shown, rooted, counting], help="print the context of a folder or file")
    pack.add_argument("path", metavar="PATH", help="folder, or one file")
    pack.add_argument("--skeleton", choices=get_args(SkeletonMode), default="auto", help="(%(default)s)")
    pack.add_argument("--include", action="append", default=[], metavar="GLOB", help="only these files; repeatable")
    pack.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="not these files; repeatable")
    pack.add_argument("--min-level", choices=get_args(MinLevel), default="L3", help="least detail (%(default)s)")
    pack.add_argument("--max-level", choices=get_args(MaxLevel), default="L0", help="most detail (%(default)s)")
    pack.add_argument("--format", choices=get_args(OutputFormat), default="plus", help="layout (%(default)s)")
    pack.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the context to FILE")
    pack.add_argument(
        "--metadata",
        action="store_true",
        help="print the complete metadata as JSON instead of the context; with -o, beside it",
    )
    pack.set_defaults(command=_pack)

    zoom = commands.add_parser(
        "zoom", parents=[shown, rooted, counting], help="print a definition, a file or a range of lines"
    )
    zoom.add_argument("target", metavar="TARGET", help="Config.load, src/a.py::main, class=Config, file=src/a.py:10-40")
    zoom.add_argument("path", metavar="PATH", nargs="?", default=".", help="folder or file to look in (%(default)s)")
    zoom.set_defaults(command=_zoom)

    compact = commands.add_parser("compact", parents=[rooted, counting], help="shorten a conversation")
    compact.add_argument("file", metavar="FILE", nargs="?", help="session file, JSON or JSONL")
    compact.add_argument("--restore", metavar="ID", help="print the archived original of an earlier compaction")
    compact.add_argument("--path", metavar="DIR", help="folder that touched files are read from again")
    compact.add_argument("--format", choices=get_args(HistoryFormat), default="auto", help="(%(default)s)")
    compact.add_argument("--output-format", choices=get_args(HistoryFormat), default="auto", help="(%(default)s)")
    compact.add_argument("--target-tokens", type=int, metavar="N", help="the most tokens the result may take")
    compact.add_argument(
        "--keep-tail-tokens", type=int, default=0, metavar="N", help="newest turns to keep as they are"
    )
    compact.add_argument("--summary", type=Path, metavar="FILE", help="your own summary with the nine headings")
    compact.add_argument("--prompt", action="store_true", help="print the instruction for a summary instead")
    compact.add_argument("--no-redact", action="store_true", help="leave secrets as they are")
    compact.add_argument("--dry-run", action="store_true", help="archive nothing")
    compact.add_argument("--report", action="store_true", help="print the whole result instead of the messages")
    compact.set_defaults(command=_compact)

    doctor = commands.add_parser("doctor", parents=[rooted], help="say what works, and what to do about the rest")
    doctor.set_defaults(command=_doctor)
    return parser


def _serve(asked: argparse.Namespace) -> int:
    import anyio

    from server.wire import take_standard_streams

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    settings = read_settings(roots=asked.root, default_budget=asked.default_budget, encoding=asked.encoding)
    wire = take_standard_streams()
    # The protocol is imported only now, with the streams safe from whatever an import may print.
    from server.app import build_server

    server = build_server(settings)
    wire.listen()
    anyio.run(server.run_wire, wire)
    return DONE


def _pack(asked: argparse.Namespace) -> int:
    settings = read_settings(roots=asked.root or [_folder_of(asked.path)], encoding=asked.encoding)
    budget = parse_budget(asked.budget)
    from allocator import ContextEngine
    from server.indexing import open_index

    with _progress_counter() as counter, closing(open_index(settings)) as index:
        result = ContextEngine(settings.roots, encoding=settings.encoding, index=index).get_context(
            str(Path(asked.path).absolute()),
            token_budget=budget,
            skeleton=asked.skeleton,
            include=asked.include,
            exclude=asked.exclude,
            min_level=asked.min_level,
            max_level=asked.max_level,
            format=asked.format,
            line_numbers=asked.line_numbers,
            progress=counter,
        )
    if asked.output is not None:
        asked.output.write_bytes(_encoded(result.context))
    if asked.metadata:
        _print(json.dumps(result.metadata.as_json(), ensure_ascii=False, indent=2))
    elif asked.output is None:
        _print(result.context)
    _say(_summary(result.metadata))
    return DONE


def _zoom(asked: argparse.Namespace) -> int:
    settings = read_settings(roots=asked.root or [_folder_of(asked.path)], encoding=asked.encoding)
    budget = parse_budget(asked.budget)
    from skeleton.zoom import zoom

    with _progress_counter() as counter:
        found = zoom(
            os.fsencode(asked.target).decode("utf-8", "replace"),
            str(Path(asked.path).absolute()),
            roots=settings.roots,
            token_budget=budget,
            line_numbers=asked.line_numbers,
            encoding=settings.encoding,
            progress=counter,
        )
    _print(found.text)
    return DONE


def _compact(asked: argparse.Namespace) -> int:
    from compaction.history import CompactionOptions, FormatName, Mode, Status
    from server.history import history_engine, read_transcript, restore_root

    engine = history_engine(asked.encoding)
    if asked.restore is not None:
        with open(1, "wb", closefd=False) as output:
            output.write(engine.restore(asked.restore))
        return DONE
    if asked.file is None:
        raise InvalidArgumentError("Name the session file to compact, or --restore ID.")
    folders = [_folder_of(asked.file), *([_folder_of(asked.path)] if asked.path else [])]
    roots = read_settings(roots=asked.root or folders, encoding=asked.encoding).roots
    result = engine.compact(
        read_transcript(str(Path(asked.file).absolute()), roots),
        CompactionOptions(
            format=None if asked.format == "auto" else FormatName(asked.format),
            output_format=None if asked.output_format == "auto" else FormatName(asked.output_format),
            summary=None if asked.summary is None else asked.summary.read_text(encoding="utf-8"),
            mode=Mode.PROMPT if asked.prompt else Mode.COMPACT,
            workspace=restore_root(str(Path(asked.path).absolute()) if asked.path else None, roots),
            target_tokens=asked.target_tokens,
            keep_tail_tokens=asked.keep_tail_tokens,
            redact=not asked.no_redact,
            dry_run=asked.dry_run,
        ),
    )
    for warning in result.warnings:
        _say(f"fractal-context: {warning}")
    if asked.report:
        _print(json.dumps(result.as_json(), indent=2))
    elif result.status is Status.NEEDS_SUMMARY:
        _print(result.prompt)
    elif result.messages is not None:
        _print(json.dumps(result.messages, indent=2))
    archived = f" The original is archived as {result.archive_id}." if result.archive_id else ""
    _say(f"{result.status.value}. Tokens: {result.tokens_before:,} before, {result.tokens_after:,} after.{archived}")
    if result.detail:
        _say(f"fractal-context: {result.detail}")
    if result.status is Status.INVALID_INPUT:
        return WRONG_CALL
    return FAILED if result.status.value.startswith("failed") else DONE


def _doctor(asked: argparse.Namespace) -> int:
    from server.doctor import examine

    findings = examine(roots=asked.root)
    _print("\n".join(finding.line for finding in findings))
    return DONE if all(finding.works for finding in findings) else FAILED


def _folder_of(path: str) -> str:
    """Returns the folder that a path stands for as a root: itself, or the one that holds the file."""
    named = Path(path).absolute()
    return str(named if named.is_dir() else named.parent)


def _summary(metadata: ContextMetadata) -> str:
    levels = ", ".join(f"{level}: {len(paths)}" for level, paths in metadata.compression_summary.items())
    ceiling = "no ceiling" if metadata.token_budget is None else f"of {metadata.token_budget:,}"
    return f"Files at {levels}. Tokens: {metadata.tokens_used:,} {ceiling} ({metadata.encoding})."


@contextmanager
def _progress_counter() -> Generator[Callable[[int, int, str], None] | None]:
    """Gives what shows progress on one line of a terminal, and wipes that line; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    due = time.monotonic()

    def show(done: int, total: int, stage: str) -> None:
        nonlocal due
        if time.monotonic() >= due:
            due = time.monotonic() + COUNTER_INTERVAL
            _say(f"{CLEAR_LINE}{done}/{total} {stage}"[: shutil.get_terminal_size().columns], end="")

    try:
        yield show
    finally:
        _say(CLEAR_LINE, end="")


def _print(text: str) -> None:
    # Not `sys.stdout`: where Python runs unbuffered it writes what a pipe takes at once, and forgets the rest.
    with open(1, "wb", closefd=False) as output:
        output.write(_encoded(text if text.endswith("\n") else text + "\n"))


def _say(text: str, *, end: str = "\n") -> None:
    sys.stderr.write(text + end)
    sys.stderr.flush()


def _encoded(text: str) -> bytes:
    # File names need not be text: their bytes are printed as they are, as other commands print them.
    return text.encode("utf-8", "surrogateescape")
