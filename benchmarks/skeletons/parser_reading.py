"""Reads files with a language's own parser: a program for each language in `parsers/`, all with the same output.

    java benchmarks/skeletons/parsers/JavaReading.java                           a JDK (17 here)
    go run benchmarks/skeletons/parsers/go_reading.go                            Go (1.19 here)
    java -cp 'LIB/*' benchmarks/skeletons/parsers/KotlinReading.java             the Kotlin compiler (1.3 here) in LIB
    mono reading.exe                              NRefactory (C# 5 here), with what `mcs` makes of parsers/CSharpReading.cs

A program reads paths, one a line, and prints for each definition outside of bodies: path, role, kind, what it stands in,
name, line of the name, and where it begins and ends in bytes, parted by tabs; of a file that it cannot read `path -`.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.skeletons.corpus import CorpusFile
from benchmarks.skeletons.languages import LANGUAGES
from benchmarks.skeletons.references import Reference, Role

_FIELDS = 8


class ParserError(Exception):
    """A parser does not run; the message says how it was called and what it answered."""


class Parsed(NamedTuple):
    """One definition by a language's own parser; its span is a half-open range of bytes."""

    role: Role
    kind: str
    container: tuple[str, ...]
    name: str
    line: int
    start: int
    end: int

    @property
    def reference(self) -> Reference:
        """The definition that the measure of presence asks for."""
        return Reference(name=self.name, kind=self.kind, role=self.role, line=self.line, container=self.container)


def read_with_parser(command: str, files: Sequence[CorpusFile]) -> list[list[Parsed] | None]:
    """The definitions of each file by position; None of one that the parser cannot read.

    Args:
        command: what runs the parser, as a shell would read it.
        files: the files, of one language.

    Raises:
        ParserError: the command does not run, or answers something else.
    """
    paths = [str(file.absolute) for file in files]
    try:
        done = subprocess.run(
            shlex.split(command),
            input="".join(f"{path}\n" for path in paths),
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError) as error:
        told = str(getattr(error, "stderr", None) or error).strip()[-400:]
        raise ParserError(f"{command!r} does not run: {told}") from error
    found: dict[str, list[Parsed] | None] = {path: [] for path in paths}
    for line in done.stdout.splitlines():
        path, *fields = line.split("\t")
        if fields == ["-"] and path in found:
            found[path] = None
        elif len(fields) == _FIELDS - 1 and (known := found.get(path)) is not None:
            known.append(_parsed(fields))
        else:
            raise ParserError(f"{command!r} answered {line[:200]!r}, which is no line of a parser")
    return [None if known is None else sorted(known, key=lambda one: one.start) for known in found.values()]


def _parsed(fields: Sequence[str]) -> Parsed:
    role, kind, container, name, line, start, end = fields
    held = tuple(part for part in container.split(".") if part)
    return Parsed(Role(role), kind, held, name, int(line), int(start), int(end))


def commands(options: Sequence[str]) -> Mapping[str, str]:
    """The commands of `--parser LANGUAGE=COMMAND`, by language.

    Raises:
        ParserError: one names no language.
    """
    named: dict[str, str] = {}
    for option in options:
        language, _, command = option.partition("=")
        if language not in LANGUAGES or not command:
            raise ParserError(f"--parser {option!r} is not LANGUAGE=COMMAND, as in java='java JavaReading.java'")
        named[language] = command
    return named
