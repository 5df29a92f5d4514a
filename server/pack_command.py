"""The command `pack`: its arguments, and the context that it prints."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, get_args

from server.choices import MaxLevel, MinLevel, OutputFormat, SkeletonMode
from server.places import query_of
from workspace.errors import InvalidArgumentError
from workspace.tokens import parse_budget

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from allocator import ContextEngine, ContextResult
    from allocator.progress import Progress
    from server.settings import Settings
    from workspace.files.scan import ScannedFile

LOOK_SECONDS = 0.5
"""The seconds between two looks of `--watch`; where the system tells of changes they cost next to nothing."""


def add_pack_command(commands: Any, parents: Sequence[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    """Adds the command to a parser's commands and returns its own parser, without a function to call."""
    pack: argparse.ArgumentParser = commands.add_parser(
        "pack", parents=parents, help="print the context of a folder or file"
    )
    pack.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        help="folder, one file, a repository elsewhere: github:owner/name, https://…@rev, or a commit: git:FOLDER@rev:PATH (the first root)",
    )
    pack.add_argument(
        "--skeleton",
        choices=get_args(SkeletonMode),
        default="auto",
        help="where skeletons may stand for files (%(default)s: as soon as a budget applies; enabled: without one too)",
    )
    asking = pack.add_mutually_exclusive_group()
    asking.add_argument(
        "--query",
        default="",
        metavar="TEXT",
        help="what the reader is about to do: an issue, a question; - reads it from standard input",
    )
    asking.add_argument("--query-file", type=Path, metavar="FILE", help="a file that holds the query")
    pack.add_argument(
        "--names",
        action="append",
        default=[],
        metavar="NAME",
        help="a symbol that is expected, exact or not; repeatable",
    )
    pack.add_argument(
        "--focus", action="append", default=[], metavar="NAME", help="show this path, glob or symbol first; repeatable"
    )
    pack.add_argument(
        "--changed", default="", metavar="REV", help="show what a diff touches: worktree, HEAD~1, main..topic"
    )
    pack.add_argument("--since", default="", metavar="SNAPSHOT", help="only what changed since an earlier result")
    pack.add_argument("--cursor", default="", metavar="CURSOR", help="go on where an earlier result stopped")
    pack.add_argument("--include", action="append", default=[], metavar="GLOB", help="only these files; repeatable")
    pack.add_argument("--exclude", action="append", default=[], metavar="GLOB", help="not these files; repeatable")
    pack.add_argument("--min-level", choices=get_args(MinLevel), default="L3", help="least detail (%(default)s)")
    pack.add_argument("--max-level", choices=get_args(MaxLevel), default="L0", help="most detail (%(default)s)")
    pack.add_argument("--format", choices=get_args(OutputFormat), default="compact", help="layout (%(default)s)")
    pack.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the context to FILE")
    pack.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write a page that shows what the budget bought, one file for any browser, instead of the context; with"
        " -o, beside it",
    )
    pack.add_argument(
        "--metadata",
        action="store_true",
        help="print the complete metadata as JSON instead of the context; with -o, beside it",
    )
    pack.add_argument(
        "--watch", action="store_true", help="go on, and write FILE of -o anew when the code changes; Ctrl-C ends it"
    )
    return pack


def leave_own_out(asked: argparse.Namespace, settings: Settings, place: str) -> None:
    """Leaves the files that the command writes out of what it reads: they are there from an earlier time.

    With a cursor or a snapshot the call goes on with the files of another, which are not narrowed.

    Raises:
        InvalidArgumentError: the file that is read would be written over.
    """
    own = [file.resolve() for file in (asked.output, asked.report) if file is not None and file.is_file()]
    if not own or asked.cursor or asked.since:
        return
    base = settings.roots.resolve(place)
    if base in own:
        raise InvalidArgumentError(f"{asked.path} is the file that is read; name another one to write.")
    _exclude(asked, base, own)


def changes_of(asked: argparse.Namespace, settings: Settings, place: str) -> Iterator[None]:
    """Yields each time that something below a place has changed since this was called, but for what the command writes.

    That is the file of `-o`, the report, and a file that standard output or standard error goes to. Where one lies in
    the folder it is left out of the context as well.

    Raises:
        InvalidArgumentError: no file is to be written.
    """
    from workspace.files.rescan import RememberedScans  # for `--watch` alone

    if asked.output is None:
        raise InvalidArgumentError("--watch writes the file of -o anew when the code changes; name one.")
    base = settings.roots.resolve(place)
    scans = RememberedScans(settings.roots)
    first = scans.scan(base).files
    output = asked.output.resolve()
    own = {output, _unfinished(output), *_streams(first)}
    if asked.report is not None:
        own.add(asked.report.resolve())
    _exclude(asked, base, own)

    def seen(files: Sequence[ScannedFile]) -> list[ScannedFile]:
        return [file for file in files if file.absolute not in own]

    def changes(known: list[ScannedFile]) -> Iterator[None]:
        while True:
            time.sleep(LOOK_SECONDS)
            found = seen(scans.scan(base).files)
            if found != known:
                yield
            known = found

    return changes(seen(first))


def _streams(files: Sequence[ScannedFile]) -> Iterator[Path]:
    """The files among some that standard output and standard error go to."""
    streams: list[os.stat_result] = []
    for number in (1, 2):
        with suppress(OSError):  # closed
            streams.append(os.fstat(number))
    streams = [stream for stream in streams if S_ISREG(stream.st_mode)]
    for file in files if streams else ():
        with suppress(OSError):  # gone since it was listed
            if any(os.path.samestat(file.absolute.stat(), stream) for stream in streams):
                yield file.absolute


def _exclude(asked: argparse.Namespace, base: Path, files: Iterable[Path]) -> None:
    """Adds those of some files that lie below a folder to what is excluded."""
    inside = sorted(one for one in files if one.is_relative_to(base) and one != base)
    globs = [f"/{_as_glob(one.relative_to(base).as_posix())}" for one in inside]
    asked.exclude = list(dict.fromkeys([*asked.exclude, *globs]))


def _as_glob(path: str) -> str:
    """The glob that matches one path and no other."""
    return re.sub(r"[\\*?\[\] ]", r"\\\g<0>", path)


def written(output: Path, content: bytes) -> None:
    """Writes a file that others read meanwhile: they find the old content or the new."""
    new = _unfinished(output.resolve())
    new.write_bytes(content)
    new.replace(output.resolve())


def _unfinished(output: Path) -> Path:
    return output.with_name(f".{output.name}.new")


def packed(
    asked: argparse.Namespace, settings: Settings, place: str, engine: ContextEngine, progress: Progress | None
) -> ContextResult:
    """Runs the command for parsed arguments; writes the report where one is asked for."""
    call: dict[str, Any] = {
        "token_budget": settings.default_budget if asked.budget is None else parse_budget(asked.budget),
        "skeleton": asked.skeleton,
        "query": query_of(asked),
        "names": asked.names,
        "focus": asked.focus,
        "changed": asked.changed,
        "since": asked.since,
        "cursor": asked.cursor,
        "include": asked.include,
        "exclude": asked.exclude,
        "min_level": asked.min_level,
        "max_level": asked.max_level,
        "format": asked.format,
        "line_numbers": asked.line_numbers,
        "progress": progress,
    }
    result = engine.get_context(place, summary=False, **call)
    if asked.report is not None:
        from server.report.command import write_report

        write_report(asked.report, engine, place, call)
    return result
