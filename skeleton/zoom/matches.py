"""Definitions that a target names, as they are served: each with its lines, its text and a target of its own.

The texts of definitions that stand in each other overlap, and a file may hold any number of one name. So there is an end
to what is taken out of files for one call; what is left is counted, and each of it has a target of its own still.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from skeleton.formats import holds_code
from skeleton.formats.json_strings import unquoted
from skeleton.languages.headers import comment_start_of
from skeleton.names.overloads import next_parts, signature_of
from skeleton.zoom.answers import Match
from skeleton.zoom.broken import whole_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from skeleton.index.code_index import CodeIndex
    from skeleton.index.indexed import IndexedFile
    from skeleton.outline.definitions import Definition

    Pair = tuple[IndexedFile, Definition]
    _CommentStarts = dict[str, re.Pattern[bytes] | None]

MOST_BYTES: Final = 8 << 20
"""Of source, in all the texts of one call after the first: twice the largest file."""

_MATCH_BYTES: Final = 512
"""The bytes that a match takes beside its text, about."""


def matches_of(found: Sequence[Pair], index: CodeIndex) -> tuple[list[Match], int]:
    """Returns what is served of some definitions, and how many are left out at the end because they hold too much.

    Args:
        found: the definitions and their files, best first; files are told apart by their paths.
        index: knows the files.
    """
    spans, ends = _affordable(found)
    kept = found[: len(spans)]
    first_lines = lines_at([(file, start) for (file, _), (start, _) in zip(kept, spans, strict=True)])
    targets = _targets(kept)
    following = next_parts(kept)
    comment_starts: _CommentStarts = {}
    changed = index.shown.changed([(file.place, file.key) for file, _ in kept])
    quoted = [
        unquoted(file.source, *span) if holds_code(file.path) else None
        for (file, _), span in zip(kept, spans, strict=True)
    ]
    matches = [
        Match(
            path=file.address,
            first_line=first,
            last_line=first + file.source.count(b"\n", start, end),
            title=f"{one.kind} {one.path}",
            target=target,
            text=code.text if code else file.source[start:end].decode("utf-8", "replace"),
            rows=code.rows if code else (),
            md5=file.basics.md5,
            redacted=file.shown.touches(start, end),
            changed=has_changed,
            broken=end != parsed,
            signature=signature_of(file, one),
            is_part=part is not None,
            behind=_behind((file, one), end, part, comment_starts),
        )
        for (file, one), (start, end), parsed, first, target, has_changed, part, code in zip(
            kept, spans, ends, first_lines, targets, changed, following, quoted, strict=True
        )
    ]
    return matches, len(found) - len(kept)


def _affordable(found: Sequence[Pair]) -> tuple[list[tuple[int, int]], list[int]]:
    """The spans of the first definitions, as many as may be taken out of their files, and where each ends by the parser.

    There is one in any case.
    """
    spans: list[tuple[int, int]] = []
    ends: list[int] = []
    comment_starts: _CommentStarts = {}
    left = MOST_BYTES
    for file, one in found:
        start, parsed = _span(file, one, comment_starts)
        end = whole_end(file, start, parsed)
        left -= end - start + _MATCH_BYTES
        if left < 0 and spans:
            break
        spans.append((start, end))
        ends.append(parsed)
    return spans, ends


def _behind(pair: Pair, end: int, following: Definition | None, comment_starts: _CommentStarts) -> str:
    """The text between the end of a definition and the next part of it, if that is empty lines and comments; else ""."""
    if following is None:
        return ""
    file, _ = pair
    between = file.source[end : _span(file, following, comment_starts)[0]]
    lines = [line for line in map(bytes.strip, between.splitlines()) if line]
    begins = comment_start_of(file.path, file.source) if lines else None
    is_one = not lines or (begins is not None and all(map(begins.match, lines)))
    return between.decode("utf-8", "replace") if is_one else ""


def _span(file: IndexedFile, one: Definition, comment_starts: _CommentStarts) -> tuple[int, int]:
    """A definition with its indentation, and with a comment on its last line."""
    source, start, end = file.source, one.start, one.end
    line_start = source.rfind(b"\n", 0, start) + 1
    if source[line_start:start].isspace():
        start = line_start
    end += source.startswith(b";", end)
    line_end = source.find(b"\n", end)
    rest = source[end : line_end if line_end >= 0 else len(source)]
    if not rest.strip():
        return start, end
    if file.path not in comment_starts:
        comment_starts[file.path] = comment_start_of(file.path, source)
    begins = comment_starts[file.path]
    return start, end + len(rest.rstrip()) if begins is not None and begins.match(rest.strip()) else end


def lines_at(places: Sequence[tuple[IndexedFile, int]]) -> list[int]:
    """Returns the line of each place in a file, from 1 on; each file is counted through once.

    Args:
        places: files, told apart by their paths, and offsets in bytes.
    """
    lines = [0] * len(places)
    path, at, line = "", 0, 1
    for number in sorted(range(len(places)), key=lambda number: (places[number][0].path, places[number][1])):
        file, start = places[number]
        if file.path != path:
            path, at, line = file.path, 0, 1
        line += file.source.count(b"\n", at, start)
        at = start
        lines[number] = line
    return lines


def _targets(found: Sequence[Pair]) -> list[str]:
    """Targets that name each definition and nothing else."""
    wanted: dict[str, set[str]] = {}
    files = {file.path: file for file, _ in found}
    for file, one in found:
        wanted.setdefault(file.path, set()).add(one.path)
    numbers = {path: _numbers(files[path].symbols, names) for path, names in wanted.items()}
    targets: list[str] = []
    for file, one in found:
        same = numbers[file.path][one.path]
        ordinal = f"~{same[one]}" if len(same) > 1 else ""
        targets.append(f"symbol={file.address}::{one.path}{ordinal}")
    return targets


def _numbers(symbols: Iterable[Definition], names: set[str]) -> dict[str, dict[Definition, int]]:
    """For each qualified name its definitions in a file, by position, from 1 on."""
    counts: Counter[str] = Counter()
    numbers: dict[str, dict[Definition, int]] = {name: {} for name in names}
    for one in symbols:
        path = one.path
        if path in names:
            counts[path] += 1
            numbers[path].setdefault(one, counts[path])
    return numbers
