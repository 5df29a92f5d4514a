"""Zoom: the full text of a definition, read from disk at the time of the call.

A skeleton helps to find code; what is edited must be seen whole. A target names what to show (`spec/tools.md`, zoom):
`function=helper`, `class=Config`, `symbol=src/a.py::Config.load`, `file=src/a.py:10-40` or a bare name. The files are
read and parsed again at every call, so what is shown is what is on disk; files that do not hold the name as a word are
not parsed at all.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skeleton.languages import code_language_of
from skeleton.members import every_definition
from skeleton.outline import Definition
from skeleton.parsing import GrammarFailureError
from workspace.errors import (
    BudgetTooSmallError,
    InvalidArgumentError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.model import Problem
from workspace.reading import read_file
from workspace.redaction import RedactedFile, redacted_file
from workspace.roots import Roots
from workspace.scan import Scan, ScannedFile, scan
from workspace.secrets import is_sensitive
from workspace.tiers import tier_of
from workspace.tokens import DEFAULT_ENCODING, TokenCounter, token_counter

_CALLABLES: Final = frozenset({"function", "method", "constructor", "macro"})
_TYPES: Final = frozenset({"class", "struct", "interface", "trait", "enum", "type", "impl", "module"})

KINDS_OF: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("function", "fn", "method"), _CALLABLES),
    **dict.fromkeys(("class", "struct", "trait", "interface", "enum", "type", "impl"), _TYPES),
    "symbol": frozenset(),
}
"""The words before `=` that name definitions, and the kinds that they mean; none means any."""

_PLACES: Final = ("file", "lines", "module")
_RANGE = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?\Z")
_SEPARATORS = re.compile(r"::|#|->|\.")
SHOWN_MD5: Final = 8
"""Digits of a file's MD5 that a header shows: enough to tell that it changed, and four tokens instead of twenty."""
_COMMENT_MARKS: Final = (b"#", b"//", b"--", b"/*")
_MOST_LISTED: Final = 20
_MOST_SUGGESTED: Final = 8
_MOST_BYTES_FOR_SUGGESTIONS: Final = 8 << 20

Progress = Callable[[int, int, str], None]
"""Called with what is done, what there is to do, and a word for it; may raise to stop the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One thing that a target names.

    Attributes:
        path: the file, relative to the folder that was asked for.
        first_line, last_line: its lines in the file, 1-based.
        title: what the header calls it: `function Config.load`, or "" for lines of a file.
        target: a target that names this and nothing else.
        text: exactly what the file holds there, as text.
        md5: of the whole file as it is on disk, in hexadecimal.
        redacted: whether secrets were taken out of the text.
    """

    path: str
    first_line: int
    last_line: int
    title: str
    target: str
    text: str
    md5: str
    redacted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoomResult:
    """What `zoom` found.

    Attributes:
        text: what is served: a header line and the source, or, where that does not fit, a list of targets.
        matches: everything that the target names, best first.
        tokens: tokens of `text`.
    """

    text: str
    matches: tuple[Match, ...]
    tokens: int


def zoom(
    target: str,
    path: str,
    *,
    roots: Roots,
    token_budget: int | None = None,
    line_numbers: bool = False,
    encoding: str = DEFAULT_ENCODING,
    redact: bool = True,
    progress: Progress | None = None,
) -> ZoomResult:
    """The exact source of what a target names.

    Args:
        target: see the module.
        path: the folder (or file) to look in.
        roots: where reading is allowed.
        token_budget: the most tokens that the text may have; None for no limit.
        line_numbers: put the file's line number before each line.
        encoding: what tokens are counted in.
        redact: whether secrets are taken out; the header then says `[REDACTED]`.
        progress: told of every file that is looked at.

    Raises:
        InvalidArgumentError: the target is of no known form.
        PathNotFoundError: a file that the target names does not exist.
        UnreadableFileError: it cannot be read as text, or holds credentials by its nature.
        SymbolNotFoundError: no definition has the name; its suggestions do exist.
        OutsideRootsError: the path leads out of the roots.
    """
    word, name = _split(target)
    base = roots.resolve(path)
    counter = token_counter(encoding)
    reader = _Reader(roots=roots, redact=redact)
    if word in ("file", "lines"):
        matches = [_place(name, base, reader)]
    else:
        files = scan(base, roots=roots)
        matches = (
            _modules(name, files, reader) if word == "module" else _definitions(word, name, files, reader, progress)
        )
    text = _fitted(matches, counter, token_budget, line_numbers=line_numbers)
    return ZoomResult(text=text, matches=tuple(matches), tokens=counter.count(text))


def _split(target: str) -> tuple[str, str]:
    word, equals, name = target.strip().partition("=")
    if not equals:
        word, name = "symbol", word
    word, name = word.strip().lower(), name.strip()
    if word not in KINDS_OF and word not in _PLACES:
        known = ", ".join((*KINDS_OF, *_PLACES))
        raise InvalidArgumentError(f"{word!r} is no kind of target; use one of {known}, as in function=load_config.")
    if not name:
        raise InvalidArgumentError(f"The target {target!r} names nothing; write for example {word}=load_config.")
    return word, name


# Files and lines


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reader:
    """Reads files as they may be shown."""

    roots: Roots
    redact: bool

    def read(self, file: ScannedFile, wanted: Callable[[bytes], bool] = lambda _: True) -> RedactedFile | None:
        """The file; None where it holds credentials by its name, is no text, or is not wanted for what it holds."""
        if is_sensitive(file.path):
            return None
        read = read_file(file, roots=self.roots)
        if isinstance(read, Problem) or not wanted(read.source):
            return None
        return redacted_file(read) if self.redact else RedactedFile(file=read)


def _place(name: str, base: Path, reader: _Reader) -> Match:
    roots = reader.roots
    first, last = 1, 0
    try:
        found = roots.resolve(name, base=base if base.is_dir() else base.parent)
    except PathNotFoundError:
        match = _RANGE.match(name)
        if match is None:
            raise
        found = roots.resolve(match["path"], base=base if base.is_dir() else base.parent)
        first, last = int(match["first"]), int(match["last"] or match["first"])
        if first < 1 or last < first:
            raise InvalidArgumentError(
                f"{name!r} is no range of lines; lines count from 1, as in src/a.py:10-40."
            ) from None
    if found.is_dir():
        raise InvalidArgumentError(f"{name!r} is a folder; zoom shows files, get_context shows folders.")
    listed = scan(found, roots=roots).files
    file = reader.read(listed[0]) if listed else None
    if file is None:
        raise UnreadableFileError(f"{name!r} cannot be shown: it is no text file, too large, or holds credentials.")
    shown = found.relative_to(base).as_posix() if base.is_dir() and found.is_relative_to(base) else file.file.path
    return _lines(file, shown, first, last)


def _lines(read: RedactedFile, path: str, first: int, last: int) -> Match:
    lines = read.file.source.split(b"\n")
    count = len(lines) - (lines[-1] == b"")
    if first > max(1, count):
        raise InvalidArgumentError(f"{path!r} has {count} lines; there is no line {first}.")
    last = min(last or count, count)
    text = b"\n".join(lines[first - 1 : last]) + (b"\n" if last < len(lines) else b"")
    start = sum(map(len, lines[: first - 1])) + first - 1
    return Match(
        path=path,
        first_line=first,
        last_line=last,
        title="",
        target=f"file={path}:{first}-{last}",
        text=text.decode("utf-8", "replace"),
        md5=read.file.md5,
        redacted=read.touches(start, start + len(text)),
    )


def _modules(name: str, files: Scan, reader: _Reader) -> list[Match]:
    """The files that a module name stands for: `pkg.mod` is `pkg/mod.py`, `pkg/mod/__init__.py` or `pkg/mod.rs`."""
    wanted = tuple(part for part in re.split(r"::|[./]", name) if part)
    matches: list[Match] = []
    for file in files.files:
        stem = file.path.rsplit(".", 1)[0].split("/")
        if stem[-1] in ("__init__", "mod", "index") and len(stem) > 1:
            stem.pop()
        if tuple(stem[-len(wanted) :]) == wanted and (read := reader.read(file)) is not None:
            matches.append(_lines(read, file.path, 1, 0))
    if not matches:
        stems = {file.path.rsplit(".", 1)[0].replace("/", "."): file.path for file in files.files}
        close = difflib.get_close_matches(".".join(wanted), stems, n=_MOST_SUGGESTED)
        raise _not_found("module", name, tuple(f"file={stems[stem]}" for stem in close))
    return sorted(matches, key=lambda match: (tier_of(match.path), match.path))


# Definitions


@dataclass(frozen=True, slots=True)
class _Parsed:
    read: RedactedFile
    path: str
    definitions: tuple[Definition, ...]


def _definitions(word: str, name: str, files: Scan, reader: _Reader, progress: Progress | None) -> list[Match]:
    listed, qualified = _split_path(name, files.files)
    wanted = _segments(qualified)
    if not wanted:
        raise InvalidArgumentError(f"The target {name!r} names no definition; write for example {word}=Config.load.")
    kinds = KINDS_OF[word]
    needle = wanted[-1].encode()
    found: list[tuple[tuple[object, ...], Match]] = []
    for parsed in _parsed(listed, reader, progress, lambda source: needle in source):
        for one in parsed.definitions:
            segments = _segments(one.path)
            if segments[-len(wanted) :] == wanted and (not kinds or one.kind in kinds):
                rank = (len(segments) - len(wanted), tier_of(parsed.path), parsed.path, one.start)
                found.append((rank, _match(parsed, one)))
    if not found:
        raise _not_found(word, name, _suggestions(wanted, kinds, listed, reader))
    return [match for _, match in sorted(found, key=lambda pair: pair[0])]


def _split_path(name: str, files: tuple[ScannedFile, ...]) -> tuple[tuple[ScannedFile, ...], str]:
    """The files that the part before `::` names, if it names any, and the rest."""
    path, separator, rest = name.partition("::")
    if separator and rest:
        path = path.removeprefix("./")
        named = tuple(file for file in files if file.path == path or file.path.endswith("/" + path))
        exact = tuple(file for file in named if file.path == path)
        if named:
            return exact or named, rest
    return files, name


def _segments(qualified: str) -> tuple[str, ...]:
    return tuple(part for part in _SEPARATORS.split(qualified) if part)


def _parsed(
    files: Iterable[ScannedFile], reader: _Reader, progress: Progress | None, wanted: Callable[[bytes], bool]
) -> Iterator[_Parsed]:
    listed = list(files)
    for number, file in enumerate(listed):
        if progress is not None:
            progress(number, len(listed), file.path)
        language = code_language_of(file.path)
        if language is None and "." in file.path.rsplit("/", 1)[-1]:
            continue
        read = reader.read(file, wanted)
        if read is None:
            continue
        source = read.file.source
        language = language or code_language_of(file.path, source)
        if language is None:
            continue
        try:
            yield _Parsed(read, file.path, every_definition(source, language))
        except GrammarFailureError:
            continue  # it has no definitions that could be named; its lines can


def _match(parsed: _Parsed, one: Definition) -> Match:
    source = parsed.read.file.source
    start, end = one.start, one.end
    line_start = source.rfind(b"\n", 0, start) + 1
    if source[line_start:start].isspace():
        start = line_start
    end = _end_of_line(source, end + source.startswith(b";", end))
    first = source.count(b"\n", 0, start) + 1
    last = first + source.count(b"\n", start, end)
    same = sum(other.path == one.path for other in parsed.definitions)
    return Match(
        path=parsed.path,
        first_line=first,
        last_line=last,
        title=f"{one.kind} {one.path}",
        target=f"symbol={parsed.path}::{one.path}" if same == 1 else f"lines={parsed.path}:{first}-{last}",
        text=source[start:end].decode("utf-8", "replace"),
        md5=parsed.read.file.md5,
        redacted=parsed.read.touches(start, end),
    )


def _end_of_line(source: bytes, end: int) -> int:
    """Past a comment on the last line, which is about that line."""
    line_end = source.find(b"\n", end)
    line_end = len(source) if line_end < 0 else line_end
    rest = source[end:line_end]
    return end + len(rest.rstrip()) if rest.lstrip().startswith(_COMMENT_MARKS) else end


def _suggestions(
    wanted: tuple[str, ...], kinds: frozenset[str], files: tuple[ScannedFile, ...], reader: _Reader
) -> tuple[str, ...]:
    """Targets of definitions with close names: by letters, then by a common part of the name."""
    lowered = wanted[-1].lower()
    targets: dict[str, dict[str, None]] = {}
    room = _MOST_BYTES_FOR_SUGGESTIONS
    by_tier = sorted(files, key=lambda file: (tier_of(file.path), file.path))
    for parsed in _parsed(by_tier, reader, None, lambda _: True):
        for one in parsed.definitions:
            if not kinds or one.kind in kinds:
                targets.setdefault(one.name.lower(), {})[f"symbol={parsed.path}::{one.path}"] = None
        room -= len(parsed.read.file.source)
        if room < 0:
            break
    close = difflib.get_close_matches(lowered, targets, n=_MOST_SUGGESTED, cutoff=0.6)
    close += [name for name in sorted(targets) if name not in close and (lowered in name or name in lowered)]
    return tuple(target for name in close for target in targets[name])[:_MOST_SUGGESTED]


def _not_found(word: str, name: str, suggestions: tuple[str, ...]) -> SymbolNotFoundError:
    hint = (
        f"Did you mean: {', '.join(suggestions)}?"
        if suggestions
        else "No name is close to it; get_context shows what there is."
    )
    return SymbolNotFoundError(f"Nothing is called {name!r} (target {word}=). {hint}", suggestions=suggestions)


# What is served


def _fitted(matches: list[Match], counter: TokenCounter, budget: int | None, *, line_numbers: bool) -> str:
    whole = "\n".join(_block(match, _body(match, line_numbers=line_numbers)) for match in matches)
    if budget is None or counter.count(whole) <= budget:
        return whole
    if len(matches) > 1:
        return _listed(matches, counter, budget)
    match = matches[0]
    lines = _body(match, line_numbers=line_numbers).splitlines(keepends=True)
    fits, too_many = 0, len(lines)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if counter.count(_cut(match, lines, middle)) <= budget:
            fits = middle
        else:
            too_many = middle
    text = _cut(match, lines, fits)
    if (tokens := counter.count(text)) > budget:
        raise BudgetTooSmallError(
            f"Not one line of {match.target} fits into {budget} tokens; give at least {tokens}.", minimum=tokens
        )
    return text


def _cut(match: Match, lines: list[str], shown: int) -> str:
    rest = f"file={match.path}:{match.first_line + shown}-{match.last_line}"
    return _block(match, "".join(lines[:shown])) + f"⋮ {len(lines) - shown} more lines: {rest}\n"


def _listed(matches: list[Match], counter: TokenCounter, budget: int) -> str:
    lines = [f"{len(matches)} definitions have that name; zoom one of them:\n"]
    for number, match in enumerate(matches):
        left = f"⋮ {len(matches) - number} more\n"
        line = f"{match.target} ({match.title or 'file'}, {match.last_line - match.first_line + 1} lines)\n"
        if number == _MOST_LISTED or counter.count("".join((*lines, line, left))) > budget:
            return "".join((*lines, left))
        lines.append(line)
    return "".join(lines)


def _block(match: Match, body: str) -> str:
    title = f" {match.title}" if match.title else ""
    end = "" if body.endswith("\n") or not body else "\n"
    marks = f"[md5:{match.md5[:SHOWN_MD5]}]" + (" [REDACTED]" if match.redacted else "")
    return f"+++ {match.path}:{match.first_line}-{match.last_line}{title} {marks}\n{body}{end}"


def _body(match: Match, *, line_numbers: bool) -> str:
    if not line_numbers:
        return match.text
    lines = match.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return "".join(f"{match.first_line + number} {line}\n" for number, line in enumerate(lines))
