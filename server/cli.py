"""The command line: the same engines as the server's, for people and scripts.

Results go to standard output, as UTF-8 wherever the process runs; everything else goes to standard error. Exit codes:
0 done, 1 the work failed, 2 the call was wrong.

For `pack` and `zoom` the root is the folder that the caller names, unless `--root` says otherwise: whoever types a path
means it. Without a path it is the first root, or the working directory where that is no home folder. A server is called
by a model, so its roots are fixed when it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

import msgspec

from server.choices import HistoryFormat, Neighbour
from server.completion import SHELLS, completion_script
from server.compress_command import add_arguments as add_compress_arguments
from server.compress_command import run_compress
from server.index_command import add_index_command
from server.manual import VersionAction, add_manual, command_parser, parsed
from server.mirroring import add_mirror_command, mirrored_as_json, mirrored_in_words, run_mirror
from server.options import asked_settings, setting_options
from server.pack_command import add_pack_command, changes_of, leave_own_out, packed, written
from server.places import expect_writable, folder_of, place_of, text_of
from server.review_command import add_review_command, reviewed
from server.settings import Transport
from server.setup import add_setup_command
from server.terminal import Colour, coloured, harmless, in_time
from server.view.command import add_view_command, run_view
from server.wording import told
from workspace.collecting import collect_less_often
from workspace.errors import (
    FractalContextError,
    InvalidArgumentError,
    RepositoryFetchError,
    TimeLimitError,
    UnreadableFileError,
)
from workspace.paths import shown
from workspace.tokens import parse_budget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from allocator import ContextMetadata
    from server.doctor import Finding

DONE, FAILED, WRONG_CALL = 0, 1, 2
INTERRUPTED = 128 + signal.SIGINT

STANDARD_OUTPUT = "-"
"""In the place of a file."""

_PRUNING_SECONDS = 1.0
"""The seconds that a command that has given its answer may go on pruning the cache, should it be too large."""


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit code of the process.

    Raises:
        SystemExit: the arguments do not parse (code 2), or they ask for help or the version (code 0).
    """
    asked = parsed(command_line(), arguments)
    collect_less_often()
    command: Callable[[argparse.Namespace], int] = asked.command
    try:
        return command(asked)
    except FractalContextError as error:
        _say(f"{coloured('fractal-context:', Colour.BAD, sys.stderr)} {told(error)}")
        return FAILED if isinstance(error, UnreadableFileError | RepositoryFetchError | TimeLimitError) else WRONG_CALL
    except BrokenPipeError:
        # The reader of the output has left, as `head` does. What Python still holds would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except OSError as error:
        name = str(cast("object", error.filename) or "")
        place = f"{name if name.isprintable() else shown(name)}: " if name else ""
        _say(f"fractal-context: {place}{error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if (sharing := sys.modules.get("server.sharing")) is not None:  # not loaded for a command that shares nothing
            sharing.close_shared()


def command_line() -> argparse.ArgumentParser:
    """Returns the parser of the whole command line; what it reads has the function to call as `command`."""
    parser = command_parser(
        "fractal-context", "Hands a language model the right part of a code base, inside a hard token budget."
    )
    parser.add_argument("--version", action=VersionAction, nargs=0, help="show program's version number and exit")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    reading = setting_options(
        [
            "root",
            "repository",
            "encoding",
            "no-redact",
            "cache",
            "cache-limit",
            "published",
            "parsers",
            "parser-memory",
            "time-limit",
        ]
    )
    shown = argparse.ArgumentParser(add_help=False)
    shown.add_argument("--budget", metavar="TOKENS", help="tokens: 8000, 8k, unlimited (the default budget)")
    shown.add_argument("--json", action="store_true", help="print a JSON object, for programs")
    shown.add_argument("--line-numbers", action="store_true", help="put its true line number before every line")

    serve = commands.add_parser(
        "serve",
        parents=[setting_options()],
        help="serve MCP clients, on standard input and output or over HTTP",
        description="Serves MCP clients. Every setting can be said on the command line, in the environment or in a file;"
        " the command line wins, and `doctor` shows what is in force.",
    )
    serve.add_argument("folders", metavar="DIR", nargs="*", help="folder that may be read, as --root says it")
    serve.set_defaults(command=_serve)

    add_pack_command(commands, [shown, reading]).set_defaults(command=_pack)
    add_review_command(commands, [shown, reading]).set_defaults(command=_review)
    add_view_command(commands, [reading]).set_defaults(command=_view)

    add_index_command(commands).set_defaults(command=_index)

    zoom = commands.add_parser("zoom", parents=[shown, reading], help="print a definition, a file or a range of lines")
    zoom.add_argument(
        "target",
        metavar="TARGET",
        help="Config.load, src/a.py::main, class=Config, src/a.py:10-40, src/ for its map; 'Config, main' are two",
    )
    zoom.add_argument("path", metavar="PATH", nargs="?", help="folder or file to look in (the first root)")
    zoom.add_argument(
        "--context",
        choices=get_args(Neighbour),
        help="what to show beside it: lines that call it, signatures of what it calls, tests",
    )
    zoom.set_defaults(command=_zoom)

    compact = commands.add_parser(
        "compact",
        parents=[
            setting_options(["root", "encoding", "no-redact", "time-limit", "summarizer-url", "summarizer-model"])
        ],
        help="shorten a conversation",
    )
    compact.add_argument("file", metavar="FILE", nargs="?", help="session file, JSON or JSONL")
    compact.add_argument("--restore", metavar="ID", help="print the archived original of an earlier compaction")
    compact.add_argument(
        "--recall", metavar="N-M", help="with --restore: what was said and done at these user messages"
    )
    compact.add_argument("--path", metavar="DIR", help="folder that touched files are read from again")
    compact.add_argument(
        "--format", choices=get_args(HistoryFormat), default="auto", help="what FILE is written in (%(default)s)"
    )
    compact.add_argument(
        "--output-format",
        choices=get_args(HistoryFormat),
        default="auto",
        help="what the result is written in (%(default)s: as FILE)",
    )
    compact.add_argument("--target-tokens", type=int, metavar="N", help="the most tokens the result may take")
    compact.add_argument(
        "--keep-tail-tokens", type=int, default=0, metavar="N", help="newest turns to keep as they are"
    )
    compact.add_argument("--summary", type=Path, metavar="FILE", help="your own summary with the nine headings")
    compact.add_argument("--prompt", action="store_true", help="print the instruction for a summary instead")
    compact.add_argument(
        "--compress-results", action="store_true", help="shorten long prose in tool results for the --prompt"
    )
    compact.add_argument("--dry-run", action="store_true", help="archive nothing")
    compact.add_argument(
        "--report",
        nargs="?",
        const=STANDARD_OUTPUT,
        metavar="PAGE",
        help="write a page that shows the conversation before and after, one file for any browser, instead of the"
        " messages; without PAGE, or for -, print the whole result as JSON",
    )
    compact.set_defaults(command=_compact)

    compress = commands.add_parser(
        "compress", parents=[setting_options(["root", "model", "time-limit"])], help="shorten the prose of a prompt"
    )
    add_compress_arguments(compress)
    compress.set_defaults(command=_compress)

    add_mirror_command(commands).set_defaults(command=_mirror)

    add_setup_command(commands).set_defaults(command=_setup)

    doctor = commands.add_parser(
        "doctor", parents=[setting_options()], help="say what works, and what to do about the rest"
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument("--clear-cache", action="store_true", help="empty the cache first")
    doctor.set_defaults(command=_doctor)

    completion = commands.add_parser("completion", help="print what lets a shell complete the command line")
    completion.add_argument("shell", nargs="?", choices=SHELLS, default="bash", help="which shell (%(default)s)")
    completion.set_defaults(command=_completion)
    add_manual(parser, "")
    for name, command in commands.choices.items():
        add_manual(command, name)
    return parser


def _serve(asked: argparse.Namespace) -> int:
    from server.logs import log_to_standard_error  # no other command logs but on the way to a failure

    asked.setting_roots = [*(asked.setting_roots or ()), *asked.folders]
    settings = asked_settings(asked)
    log_to_standard_error(settings)
    if settings.transport is not Transport.STDIO:
        from server.http import serve_http

        serve_http(settings)
        return DONE
    import anyio

    from server.wire import take_standard_streams

    if sys.stdin.isatty():
        _say(
            "fractal-context: an MCP client is awaited on standard input, where a terminal is; Ctrl-C ends this."
            " `fractal-context setup` writes the server into a client's configuration, --help lists what else there is."
        )
    wire = take_standard_streams()
    # The protocol is imported only now, with the streams safe from whatever an import may print.
    from server.app import build_server

    server = build_server(settings)
    wire.listen()
    anyio.run(server.run_wire, wire)
    return DONE


def _pack(asked: argparse.Namespace) -> int:
    expect_writable(asked.output, asked.report)
    settings, place = place_of(asked)
    leave_own_out(asked, settings, place)
    from allocator import ContextEngine
    from server.indexing import open_index, open_records

    # Looked at before the first is made, so that a change in the meantime is seen.
    changes = changes_of(asked, settings, place) if asked.watch else None
    with closing(open_index(settings, forks=True)) as index:
        records = open_records(settings)
        engine = ContextEngine(settings.roots, encoding=settings.encoding, index=index, records=records)
        with in_time(settings.time_limit) as counter:
            result = packed(asked, settings, place, engine, counter)
        output: Path | None = asked.output
        if output is not None:
            output.write_bytes(_encoded(result.context))
        for _ in changes or ():
            assert output is not None  # `changes_of` asks for one
            with in_time(settings.time_limit) as counter:
                result = packed(asked, settings, place, engine, counter)
            written(output, _encoded(result.context))
            _say(_summary(result.metadata))
    if asked.json:
        _print(
            json.dumps({"context": result.context, "metadata": result.metadata.as_json()}, ensure_ascii=False, indent=2)
        )
    elif asked.metadata:
        _print(json.dumps(result.metadata.as_json(), ensure_ascii=False, indent=2))
    elif asked.output is None and asked.report is None:
        _print(result.context)
    _say(_summary(result.metadata))
    index.cache.prune(seconds=_PRUNING_SECONDS)
    return DONE


def _review(asked: argparse.Namespace) -> int:
    settings, place = place_of(asked)
    from server.indexing import open_index

    with in_time(settings.time_limit) as counter, closing(open_index(settings, forks=True)) as index:
        text, result = reviewed(asked, settings, place, index, counter)
    if asked.json:
        _print(json.dumps({"context": text, "metadata": result.metadata.as_json()}, ensure_ascii=False, indent=2))
    else:
        _print(text)
    _say(_summary(result.metadata))
    index.cache.prune(seconds=_PRUNING_SECONDS)
    return DONE


def _view(asked: argparse.Namespace) -> int:
    run_view(asked)
    return DONE


def _index(asked: argparse.Namespace) -> int:
    from server.index_command import run_index

    settings = asked_settings(asked, roots=[str(Path(folder).absolute()) for folder in asked.folders])
    with in_time(0) as counter:
        for line in run_index(asked, settings, counter):
            _print(line)
    return DONE


def _zoom(asked: argparse.Namespace) -> int:
    settings, place = place_of(asked)
    budget = settings.default_budget if asked.budget is None else parse_budget(asked.budget)
    from server.indexing import open_index
    from skeleton.zoom.zoomer import Zoomer

    target = os.fsencode(asked.target).decode("utf-8", "replace")
    with in_time(settings.time_limit) as counter, closing(open_index(settings, forks=True)) as index:

        def folder_map(path: str, folder: str, /, *, token_budget: int | None) -> str:
            from allocator import ContextEngine  # for folders alone

            engine = ContextEngine(settings.roots, encoding=settings.encoding, index=index)
            return engine.folder_map(path, folder, token_budget=token_budget, progress=counter)

        found = Zoomer(index, only_once=True).zoom(
            target,
            place,
            token_budget=budget,
            line_numbers=asked.line_numbers,
            context=asked.context or "",
            folder_map=folder_map,
            progress=counter,
        )
    _print(json.dumps({"text": found.text}, ensure_ascii=False, indent=2) if asked.json else found.text)
    index.cache.prune(seconds=_PRUNING_SECONDS)
    return DONE


def _compact(asked: argparse.Namespace) -> int:
    from compaction.history import Status
    from server.history import compaction_options, history_engine, read_transcript

    page = None if asked.report in {None, STANDARD_OUTPUT} else Path(asked.report)
    expect_writable(page)
    folders = [folder_of(path) for path in (asked.file, asked.path) if path]
    settings = asked_settings(asked, roots=folders)
    engine = history_engine(settings)
    if asked.restore is not None:
        tokens, redacts = asked.target_tokens, not settings.no_redact
        with open(1, "wb", closefd=False) as output:
            if asked.recall is None:
                output.write(engine.restore(asked.restore))
            else:
                part = engine.recall(asked.restore, asked.recall, tokens=tokens, redact_secrets=redacts)
                output.write(f"{part}\n".encode())
        return DONE
    if asked.recall is not None:
        raise InvalidArgumentError("--recall reads from an archived original; name its ID with --restore.")
    if asked.file is None:
        raise InvalidArgumentError("Name the session file to compact, or --restore ID.")
    if page is not None and page.exists() and page.samefile(asked.file):
        raise InvalidArgumentError(f"{page} is the session file itself; name another file for the page of --report.")
    options = compaction_options(
        settings,
        input_format=asked.format,
        output_format=asked.output_format,
        summary=None if asked.summary is None else text_of(asked.summary),
        mode="prompt" if asked.prompt else "compact",
        path=str(Path(asked.path).absolute()) if asked.path else None,
        target_tokens=asked.target_tokens,
        keep_tail_tokens=asked.keep_tail_tokens,
        dry_run=asked.dry_run,
        compress_results=asked.compress_results,
    )
    with in_time(settings.time_limit):
        history = read_transcript(str(Path(asked.file).absolute()), settings.roots)
        if page is None:
            result, account = engine.compact(history, options), None
        else:
            result, account = engine.compact_with_account(history, options)
    for warning in result.warnings:
        _say(f"fractal-context: {warning}")
    if page is not None and account is not None:
        from server.report.compaction import write_page

        write_page(page, result, account, Path(asked.file).name, settings.encoding)
    elif asked.report == STANDARD_OUTPUT:
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


def _compress(asked: argparse.Namespace) -> int:
    expect_writable(asked.output, asked.store)
    folders = [folder_of(path) for path in (asked.file, asked.restore) if path]
    settings = asked_settings(asked, roots=folders)
    with in_time(settings.time_limit) as counter:
        made = run_compress(asked, settings, counter)
    for warning in made.warnings:
        _say(f"fractal-context: {warning}")
    if not made.is_done:
        return FAILED
    if asked.output is not None:
        asked.output.write_bytes(made.output)
    else:
        with open(1, "wb", closefd=False) as output:
            output.write(made.output)
    _say(made.summary)
    return DONE


def _mirror(asked: argparse.Namespace) -> int:
    settings = asked_settings(asked, roots=[str(Path(asked.source).absolute())])
    with in_time(settings.time_limit) as counter:
        made = run_mirror(asked, settings, counter)
    if asked.json:
        _print(json.dumps(mirrored_as_json(made), ensure_ascii=False, indent=2))
    else:
        _say("\n".join(mirrored_in_words(made)))
    return DONE


def _setup(asked: argparse.Namespace) -> int:
    from server.setup import run_setup

    run_setup(asked, _say, _print)
    return DONE


def _doctor(asked: argparse.Namespace) -> int:
    from server.doctor import examine
    from skeleton.index.cache import Cache, cache_folder

    if asked.clear_cache:
        with closing(Cache(cache_folder(asked_settings(asked).cache))) as cache:
            cache.clear()
    colours = {True: Colour.GOOD, False: Colour.BAD}
    findings: list[Finding] = []
    for finding in examine(lambda: asked_settings(asked)):
        findings.append(finding)
        if not asked.json:  # one by one: to look at every language takes seconds
            _print(f" {finding.text}", before=coloured(finding.mark, colours[finding.works], sys.stdout))
    if asked.json:
        _print(json.dumps(msgspec.to_builtins(findings), ensure_ascii=False, indent=2))
    return DONE if all(finding.works for finding in findings) else FAILED


def _completion(asked: argparse.Namespace) -> int:
    _print(completion_script(command_line(), asked.shell))
    return DONE


def _summary(metadata: ContextMetadata) -> str:
    from skeleton.levels import CompressionLevel

    unread = {problem.path for problem in metadata.problems}.intersection(
        metadata.compression_summary[CompressionLevel.DROP]
    )
    listed = {level: len(paths) for level, paths in metadata.compression_summary.items()}
    listed[CompressionLevel.DROP] -= len(unread)  # the text counts what can be read
    levels = ", ".join(f"{level}: {count}" for level, count in listed.items())
    ceiling = ", no ceiling" if metadata.token_budget is None else f" of {metadata.token_budget:,}"
    others = f"; not read: {len(unread)}" if unread else ""
    return f"Files at {levels}{others}. Tokens: {metadata.tokens_used:,}{ceiling} ({metadata.encoding})."


def _print(text: str, *, before: str = "") -> None:
    text = before + harmless(text, sys.stdout)
    # Not `sys.stdout`: where Python runs unbuffered it writes what a pipe takes at once, and forgets the rest.
    with open(1, "wb", closefd=False) as output:
        output.write(_encoded(text if text.endswith("\n") else text + "\n"))


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _encoded(text: str) -> bytes:
    # File names need not be text: their bytes are printed as they are, as other commands print them.
    return text.encode("utf-8", "surrogateescape")
