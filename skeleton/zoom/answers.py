"""The text that a zoom serves: a header and the source for each match, inside a budget of tokens."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from workspace.errors import (
    BudgetTooSmallError,
    FractalContextError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.wording import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workspace.tokens import TokenCounter

SHOWN_MD5: Final = 8
"""Digits of a file's MD5 that a header shows: enough to tell that it changed, and four tokens instead of twenty."""

_MOST_LISTED: Final = 20
MOST_WHOLE: Final = 5
"""Of more definitions than this that have a name, each has a line of a list."""

MOST_AMBIGUOUS: Final = 8000
"""Characters of several definitions (clauses are one) beyond which they are listed: one of them is meant, and the others only cost. No vocabulary is
loaded to tell."""

SEAM: Final = 1
"""Tokens kept free where two answers meet."""

_SHARE_OF_NOTES: Final = 3
"""Neighbours that are asked for have one part of so many of a budget that their definition does not fit."""

_LEAST_NOTES: Final = 2
"""A heading and a line below it; where nothing was found, the one line that says so stands alone."""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a target names.

    Attributes:
        path: the file, relative to the root.
        first_line, last_line: its lines in the file, 1-based.
        title: what the header calls it: `function Config.load`, or "" for lines of a file.
        target: a target that names this and nothing else.
        text: exactly what the file holds there, as text.
        md5: of the whole file as it is on disk, in hexadecimal; "" where that was not read whole.
        redacted: whether secrets were taken out of the text.
        changed: the file is not what this process showed last.
        broken: the file could not be parsed whole, and where this ends was told by indentation.
        signature: of a definition, on one line; "" for lines of a file.
        is_part: it is one with the next definition of its name, as an overload is with what it is of.
        rows: of what a notebook holds in strings, for each line how many lines of the file it stands below the first; else
            each has a line of its own.
        behind: the empty lines and comments between it and the definition that it is one with, where nothing else
            stands there; else "".
    """

    path: str
    first_line: int
    last_line: int
    title: str
    target: str
    text: str
    md5: str
    redacted: bool = False
    changed: bool = False
    broken: bool = False
    signature: str = ""
    is_part: bool = False
    rows: tuple[int, ...] = ()
    behind: str = ""

    def line(self, number: int) -> int:
        """The line of the file on which a line of the text stands, which is counted from 0."""
        return self.first_line + (self.rows[min(number, len(self.rows) - 1)] if self.rows else number)


class ZoomResult(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of `zoom`.

    Attributes:
        text: what is served: a header line and the source, or, where that does not fit, a list of targets.
        matches: what the target names, best first: all of it, unless it holds far too much (`skeleton.zoom.matches`).
        counter: counts tokens.
    """

    text: str
    matches: tuple[Match, ...]
    counter: TokenCounter

    @property
    def tokens(self) -> int:
        """Tokens of `text`, counted when they are asked for: that loads a vocabulary."""
        return self.counter.count(self.text)


def fitted(
    matches: Sequence[Match],
    counter: TokenCounter,
    budget: int | None,
    *,
    line_numbers: bool,
    notes: Sequence[str] = (),
    left: int = 0,
    told: str = "",
    listed: Sequence[str] = (),
) -> str:
    """Returns what is served of some matches.

    Args:
        matches: best first.
        counter: counts tokens.
        budget: the most tokens; None for no limit.
        line_numbers: put the file's line number before each line.
        notes: lines about the matches, shown after the source as far as they fit.
        left: how many more matches there are; where there are any, all are listed.
        told: what stands in a line before all of it, of how the matches were found; "" for no line.
        listed: the lines that stand in the place of the notes below a list.

    Raises:
        BudgetTooSmallError: not one line fits.
    """
    if told:
        line = f"=== {told}\n"
        spent = 0 if budget is None else counter.count(line) + SEAM
        rest = None if budget is None else budget - spent
        try:
            return line + fitted(
                matches, counter, rest, line_numbers=line_numbers, notes=notes, left=left, listed=listed
            )
        except BudgetTooSmallError as error:
            raise BudgetTooSmallError(str(error), minimum=error.minimum + spent) from None
    if left:
        return with_notes(_list_in_budget(matches, left, counter, budget), listed, counter, budget)
    whole = "\n".join(_block(match, _body(match, line_numbers=line_numbers)) for match in _joined(matches))
    count = sum(not match.is_part for match in matches)
    if count > MOST_WHOLE or (count > 1 and len(whole) > MOST_AMBIGUOUS):
        return with_notes(_list_in_budget(matches, 0, counter, budget), listed, counter, budget)
    if budget is None or counter.fits(whole, budget):
        return with_notes(whole, notes, counter, budget)
    if len(matches) > 1:
        return with_notes(_list_in_budget(matches, 0, counter, budget), listed, counter, budget)
    (match,) = matches
    asked = counter.count("".join(f"{note}\n" for note in notes)) if notes else 0
    shorter = budget - min(asked, budget // _SHARE_OF_NOTES)
    if notes and counter.fits(_cut(match, _lines_of(match, line_numbers=line_numbers), 1), shorter):
        return with_notes(_as_much(match, counter, shorter, line_numbers=line_numbers), notes, counter, budget)
    return _as_much(match, counter, budget, line_numbers=line_numbers)


def _lines_of(match: Match, *, line_numbers: bool) -> list[str]:
    """The lines of a match. Nothing but a line feed ends one: a form feed or a separator of Unicode is a character like any other."""
    return re.findall(r"[^\n]*\n|[^\n]+", _body(match, line_numbers=line_numbers))


def _as_much(match: Match, counter: TokenCounter, budget: int, *, line_numbers: bool) -> str:
    """The beginning of a match that a budget holds, and where the rest is.

    Raises:
        BudgetTooSmallError: not one line fits.
    """
    lines = _lines_of(match, line_numbers=line_numbers)
    fits, too_many = 0, len(lines)
    while too_many - fits > 1:
        middle = (fits + too_many) // 2
        if counter.fits(_cut(match, lines, middle), budget):
            fits = middle
        else:
            too_many = middle
    text = _cut(match, lines, fits)
    if not fits:  # the same target would give the same answer for ever
        least = counter.count(_cut(match, lines, 1) if len(lines) > 1 else _block(match, "".join(lines)))
        told = f"{text.rstrip()} (token_budget: {least} or more)\n"
        text = told if counter.fits(told, budget) else text
    if not counter.fits(text, budget):
        tokens = counter.count(text)
        raise BudgetTooSmallError(
            f"Not one line of {match.target} fits into {budget} tokens; give at least {tokens}.", minimum=tokens
        )
    return text


def all_of(
    targets: Sequence[str],
    zoom: Callable[[str, int | None], ZoomResult],
    counter: TokenCounter,
    budget: int | None,
) -> ZoomResult:
    """Zooms into several targets, one after the other.

    Args:
        targets: what is asked for.
        zoom: gives the answer to one target within some tokens.
        counter: counts tokens.
        budget: the most tokens of all answers together; None for no limit.

    Raises:
        SymbolNotFoundError: no target has an answer, and one names nothing: the message says of each why, as far as the
            budget goes; so likewise the other errors of one target.
    """
    text, matches = "", list[Match]()
    errors: list[FractalContextError] = []
    for number, target in enumerate(targets):
        share = None if budget is None else (budget - counter.count(text) - SEAM) // (len(targets) - number)
        try:
            found = zoom(target, share)
        except (
            InvalidArgumentError,
            OutsideRootsError,
            PathNotFoundError,
            SymbolNotFoundError,
            UnreadableFileError,
        ) as error:
            errors.append(error)
            told = f"=== {target}: {error}\n"
            if share is not None and not counter.fits(told, share):
                continue
            text += told
        else:
            text += found.text if not text or text.endswith("\n") else f"\n{found.text}"
            matches += found.matches
    if len(errors) == len(targets):
        raise _error_of_all(errors, text.rstrip("\n"))
    return ZoomResult(text=text, matches=tuple(matches), counter=counter)


def _error_of_all(errors: Sequence[FractalContextError], told: str) -> FractalContextError:
    """The error of targets none of which has an answer; `told` says why each has none, as far as there is room."""
    missed = [error for error in errors if isinstance(error, SymbolNotFoundError)]
    if not told or len(errors) == 1 or any(isinstance(error, BudgetTooSmallError) for error in errors):
        return errors[0]
    if missed:
        suggestions = dict.fromkeys(one for error in missed for one in error.suggestions)
        return SymbolNotFoundError(told, suggestions=tuple(suggestions))
    return InvalidArgumentError(told)


def with_notes(whole: str, notes: Sequence[str], counter: TokenCounter, budget: int | None) -> str:
    """Returns a text with the lines below it that a budget holds; the rest of them is counted."""

    def shown(count: int) -> str:
        left = f"⋮ {len(notes) - count} more\n" if count < len(notes) else ""
        return "".join(f"{note}\n" for note in notes[:count]) + left

    def fits(count: int) -> bool:
        return budget is None or counter.fits(whole + shown(count), budget)

    if fits(len(notes)):
        return whole + shown(len(notes))
    fitting = bisect_left(range(_LEAST_NOTES, len(notes)), 1, key=lambda count: not fits(count))
    return whole + shown(_LEAST_NOTES + fitting - 1) if fitting else whole


def _cut(match: Match, lines: list[str], shown: int) -> str:
    rest = f"file={match.path}:{match.line(shown)}-{match.last_line}"
    return _block(match, "".join(lines[:shown])) + f"⋮ {number_of(len(lines) - shown, 'more line')}: {rest}\n"


def _list_in_budget(matches: Sequence[Match], left: int, counter: TokenCounter, budget: int | None) -> str:
    text = _listed(matches, len(matches) + left, counter, math.inf if budget is None else budget)
    if budget is not None and not counter.fits(text, budget):
        tokens = counter.count(text)
        raise BudgetTooSmallError(
            f"{len(matches) + left} definitions are meant, and not one fits into {budget} tokens; give at least"
            f" {tokens}.",
            minimum=tokens,
        )
    return text


def _listed(matches: Sequence[Match], count: int, counter: TokenCounter, budget: float) -> str:
    lines = [f"{count} definitions are meant; zoom one of them:\n"]
    titles = Counter(match.title for match in matches)
    for number, match in enumerate(matches):
        left = f"⋮ {count - number} more\n"
        size = number_of(match.last_line - match.first_line + 1, "line")
        told = f": {match.signature}" if match.signature and titles[match.title] > 1 else ""
        line = f"{match.target} ({match.title or 'file'}, {size}){told}\n"
        if number == _MOST_LISTED or not counter.fits("".join((*lines, line, left)), budget):
            return "".join((*lines, left))
        lines.append(line)
    if count > len(matches):
        lines.append(f"⋮ {count - len(matches)} more\n")
    return "".join(lines)


def _joined(matches: Sequence[Match]) -> list[Match]:
    """The same with the parts of a definition that stand directly behind each other below one header."""
    joined: list[Match] = []
    for match in matches:
        above = joined[-1] if joined else match
        is_next = above.last_line + above.behind.count("\n") == match.first_line
        if joined and above.behind and above.path == match.path and is_next:
            joined[-1] = replace(
                above,
                last_line=match.last_line,
                text=above.text + above.behind + match.text,
                redacted=above.redacted or match.redacted,
                broken=above.broken or match.broken,
                behind=match.behind,
            )
        else:
            joined.append(match)
    return joined


def _block(match: Match, body: str) -> str:
    title = f" {match.title}" if match.title else ""
    redacted = " [REDACTED]" if match.redacted else ""
    broken = " [SYNTAX-ERRORS]" if match.broken else ""
    changed = " [CHANGED since it was shown]" if match.changed else ""
    lines = " [lines of the notebook's JSON]" if match.rows else ""
    end = "" if body.endswith("\n") or not body else "\n"
    header = f"+++ {match.path}:{match.first_line}-{match.last_line}{title}"
    md5 = f" [md5:{match.md5[:SHOWN_MD5]}]" if match.md5 else ""
    header += f"{md5}{redacted}{broken}{changed}{lines}"
    return f"{header}\n{body}{end}"


def _body(match: Match, *, line_numbers: bool) -> str:
    if not line_numbers:
        return match.text
    lines = match.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return "".join(f"{match.line(number)} {line}\n" for number, line in enumerate(lines))
