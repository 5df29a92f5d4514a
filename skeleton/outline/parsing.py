r"""Parses source text into a syntax tree, past the texts that a grammar stumbles over.

The grammars read C and its kin without a preprocessor, so a macro that stands where a declaration expects none
(`FOO_API int f(void);`) is an error to them, or worse, the name of what follows. A query file names such texts
(`; blank:`); they are replaced by spaces before parsing. Positions stay what they are, and whoever shows text takes it
from the source.
"""

from __future__ import annotations

import codecs
import re
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import tree_sitter

from skeleton.languages.plans import Blank
from skeleton.languages.queries import Language
from skeleton.outline.branches import untorn
from skeleton.outline.mending import weight
from skeleton.outline.rows import RETURNS, without_returns
from workspace.cancellation import CallCancelledError, stop_if_cancelled
from workspace.memory import share_is_spent

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_AGAIN = 4096
"""Bytes that the parser is handed at a time when it comes back, after it was handed all."""

_SHORT = 64
"""Bytes that who asks for the text of a node is handed at first; what is longer comes in steps that double."""

_INTERPOLATION = b'"${'
_DEEPEST_TEXTS = 400
_NESTED_TEXTS = re.compile(rb'(?:"\$\{[^"{}]{0,40}){%d}' % _DEEPEST_TEXTS)
"""So many texts in the expressions of texts end the process of a scanner that keeps them on a stack of a thousand bytes."""

_MOST_OPENED = 2000
_RUNS_OF_OPENED = re.compile(rb"<+")
_BESIDE_OPENED = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.?@: \t\r\n"
"""So many `<` behind each other, with names between them and nothing else, take some hundred megabytes of a parser that
keeps open whether each is an operator or a bracket, and in a single step. The memory grows with their square, and that
of several runs adds up."""

_LOOK_EACH = 16
"""The parser asks after a hundred steps of its own whether to go on, which is some microseconds; each so many times it is
told what is true."""

_LEAST_SECONDS = 2.5
_SECONDS_PER_MEGABYTE = 4.0
"""Of the processor, for one parse: twenty times what hand-written code needs. A busy machine changes nothing, as it would
if the clock on the wall decided: the same file is shown the same way whatever else runs."""

_FILE_SECONDS = 5.0
"""Likewise for all the parses of one file: of its cells, of what is embedded in it, and of its skeletons."""

_MOST_SECONDS = 8.0
"""No file takes longer than that, however large it is."""

_FREE = 0.02
"""Seconds on the wall after which the processor's are counted."""

_file = threading.local()

_APART = "apart"
"""The name of the last group of what is read as a text that belongs to nothing before it: a body."""

_AHEAD = "ahead"
"""The name of the last group of what is read as a text whose last character goes on."""

_NO_WORD = re.compile(rb"[^\w-]")
_VISIBLE = re.compile(rb"[^\\\r\n]|\\(?!\r?\n)")


class GrammarFailureError(Exception):
    """Raised when a grammar would not get to the end of a text in a reasonable time; the file is then plain text."""


class _Allowance:
    """So many seconds of the processor for this thread.

    They are counted from the first look behind `_FREE` seconds on: the clock of the processor is far dearer to ask than that
    of the wall, and most work is done before. What counts for a part of a file counts for the file.

    Args:
        seconds: how many.
        of: the allowance of all that this is a part of.
    """

    __slots__ = ("_begun", "_of", "_seconds", "_until")

    def __init__(self, seconds: float, of: _Allowance | None = None) -> None:
        self._seconds = seconds
        self._of = of
        self._begun = time.monotonic()
        self._until = 0.0

    @property
    def is_spent(self) -> bool:
        """Tells whether they are used up."""
        passed = time.monotonic() - self._begun
        if passed < _FREE:
            return False
        if not self._until:
            self.count_from(time.thread_time())
        # The wall's clock is never behind.
        return passed >= self._seconds and time.thread_time() >= self._until

    def count_from(self, now: float) -> None:
        """Begins to count, here and for what this is a part of, unless that has begun.

        Args:
            now: seconds of this thread's processor time.
        """
        if not self._until:
            self._until = now + self._seconds
        if self._of is not None:
            self._of.count_from(now)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._until - time.thread_time() if self._until else self._seconds


def parse(source: bytes, language: Language, within: tree_sitter.Range | None = None) -> tuple[bytes, tree_sitter.Tree]:
    """The text that was parsed, as long as the source, and its tree, which must outlive its nodes.

    A source with syntax errors is read once more, with what its language mends, and so where less of it is in errors then.

    Args:
        source: UTF-8.
        language: its language, or that of what is embedded in it.
        within: where the embedded text stands; all of it otherwise.

    Raises:
        GrammarFailureError: it took too long, as some grammars do on text that was made for it.
    """
    text = as_read(source, language)
    tree = tree_of(text, language, within)
    if not language.mends or not tree.root_node.has_error or within is not None:
        return text, tree
    other = text
    for reading, mend in language.mends:
        other = _replaced(mend, other, partial(_mended, reading))
    if other == text:
        return text, tree
    mended = tree_of(other, language)
    is_better = weight(mended.root_node, other, language) < weight(tree.root_node, text, language)
    return (other, mended) if is_better else (text, tree)


def as_read(source: bytes, language: Language) -> bytes:
    """The text that is parsed for a source: as long as it, with blanks for what the grammar does not know."""
    text = source if source.isascii() else _as_utf8(source)
    if b"\r\n" not in text:
        text = _without_stumbles(text, language)
    elif language.readings or language.blanks or language.blanks_returns:
        read = _without_stumbles(without_returns(text), language)
        text = read if language.blanks_returns else _with_returns(text, read)
    return text if language.conditions is None else untorn(text, language.conditions)


def _without_stumbles(text: bytes, language: Language) -> bytes:
    """The text with what its language reads otherwise, and blanks for what the grammar does not know."""
    for reading, blank in language.readings:
        text = _replaced(blank, text, partial(_read_as, reading))
    for blank in language.blanks:
        text = _replaced(blank, text, _blanked)
    return text


def _with_returns(text: bytes, read: bytes) -> bytes:
    """The text that was read without its carriage returns, with those that are not blanked: a grammar is told of them."""
    changed = bytearray(read)
    for match in RETURNS.finditer(text):
        start, end = match.span()
        if read[start:end] == b" %b\n" % match[1]:
            changed[start:end] = match[0]
    parsed = bytes(changed)
    return text if parsed == text else parsed


def tree_of(text: bytes, language: Language, within: tree_sitter.Range | None = None) -> tree_sitter.Tree:
    """The tree of what `as_read` gave, or of a part of it; arguments and errors are those of `parse`."""
    # Some grammars miss a line break at the end of a file.
    ended = text if text.endswith(b"\n") else text + b"\n"
    if within is None:  # a part is no worse than the whole, which was parsed before
        _stop_if_hostile(ended)
    parser = tree_sitter.Parser(language.grammar)
    file: _Allowance | None = getattr(_file, "allowance", None)
    if within is None or file is None:
        allowed = _Allowance(_seconds_for(ended), of=file)
    else:  # a part of a file has what the file has
        stop_if_late()
        allowed = file
    if within is not None:
        parser.included_ranges = [within]
    read = _Reader(ended, len(ended) if within is None else within.end_byte)
    given_up: list[CallCancelledError] = []
    asked = 0

    def is_too_late(_: int, __: bool) -> bool:
        nonlocal asked
        asked += 1
        if asked % _LOOK_EACH:
            return False
        try:
            stop_if_cancelled()
        except CallCancelledError as error:
            given_up.append(error)
        return bool(given_up) or allowed.is_spent or share_is_spent() > 0

    try:
        return parser.parse(read, progress_callback=is_too_late)
    except ValueError as error:  # what the binding raises for a parse that was stopped
        if given_up:
            raise given_up[0] from None
        stop_if_large()
        raise GrammarFailureError(f"the {language.name} grammar took too long") from error
    finally:
        read.parsed()


def _stop_if_hostile(text: bytes) -> None:
    """Gives up on a text that ends the process of a scanner, or takes all the memory of a parser.

    Raises:
        GrammarFailureError: it is such a text.
    """
    if text.count(_INTERPOLATION) >= _DEEPEST_TEXTS and _NESTED_TEXTS.search(text):
        raise GrammarFailureError("texts are nested in each other too deep for it")
    if _opens_too_many(text):
        raise GrammarFailureError("too many `<` stand behind each other that nothing closes")


def _opens_too_many(text: bytes) -> bool:
    """Tells whether a parser would have to guess too long what the `<` of a text are; `<<` is an operator."""
    if text.count(b"<") < _MOST_OPENED:
        return False
    runs = _RUNS_OF_OPENED.findall(text.replace(b"<<", b";").translate(None, _BESIDE_OPENED))
    return sum(len(run) ** 2 for run in runs) > _MOST_OPENED**2


def _seconds_for(text: bytes) -> float:
    """Returns the seconds that a text may take to be parsed.

    Raises:
        GrammarFailureError: the file that it is part of has had all its time.
    """
    seconds = _LEAST_SECONDS + _SECONDS_PER_MEGABYTE * len(text) / 1e6
    stop_if_late()
    file: _Allowance | None = getattr(_file, "allowance", None)
    return seconds if file is None else min(seconds, file.left)


def stop_if_late() -> None:
    """Ends the work on a file that has had all its time, or all its memory.

    Raises:
        GrammarFailureError: it has.
        CallCancelledError: nobody waits for the file any more.
    """
    stop_if_cancelled()
    stop_if_large()
    file: _Allowance | None = getattr(_file, "allowance", None)
    if file is not None and file.is_spent:
        raise GrammarFailureError("the file took too long")


def stop_if_large() -> None:
    """Ends the work on a file for which this process took on all the memory that it may.

    Raises:
        GrammarFailureError: it has.
    """
    if share := share_is_spent():
        raise GrammarFailureError(f"the file took more than {share >> 20} MiB of memory")


@contextmanager
def in_time_for(text: bytes) -> Generator[None]:
    """Bounds the time of all parsing in this thread for one file, in however many pieces and turns that is done."""
    allowed = _FILE_SECONDS + _SECONDS_PER_MEGABYTE * len(text) / 1e6
    _file.allowance = _Allowance(min(allowed, _MOST_SECONDS))
    try:
        yield
    finally:
        del _file.allowance


def _as_utf8(source: bytes) -> bytes:
    """The same text where it is UTF-8; else with `?` for every byte that is not, on which the binding would crash."""
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("utf-8", _QUESTION_MARKS).encode()
    return source


def _question_marks(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "?" * (error.end - error.start), error.end


_QUESTION_MARKS = "skeleton.question_marks"
codecs.register_error(_QUESTION_MARKS, _question_marks)


class _Reader:
    """Hands a text to the parser, and then to those who ask for the text of nodes.

    The binding (tree-sitter 0.26) never frees what it is handed while it parses, so that is one buffer, emptied when
    the parse is over; and it looks at every byte that it is handed for the text of a node, so that comes in small steps.
    """

    __slots__ = ("_buffer", "_end", "_next", "_step", "_text", "_was_read")

    def __init__(self, text: bytes, end: int) -> None:
        self._text = text
        self._end = end
        self._buffer: bytearray | None = bytearray()
        self._was_read = False
        self._next = -1
        self._step = _SHORT

    def __call__(self, offset: int, _: object) -> bytes | bytearray:
        buffer = self._buffer
        if buffer is None:
            self._step = self._step * 2 if offset == self._next else _SHORT
            self._next = offset + self._step
            return self._text[offset : self._next]
        buffer[:] = self._text[offset : offset + _AGAIN if self._was_read else self._end]
        self._was_read = True
        return buffer

    def parsed(self) -> None:
        """Everything is parsed; what follows are questions for texts."""
        if self._buffer is not None:
            self._buffer.clear()
            self._buffer = None


def _replaced(blank: Blank, text: bytes, replacement: Callable[[re.Match[bytes]], bytes]) -> bytes:
    """The text with every match replaced by what takes its place, of the same length."""
    if blank.needs and not any(map(text.__contains__, blank.needs)):
        return text
    if blank.after_break:
        return _after_breaks(blank.pattern, text, replacement)
    return blank.pattern.sub(replacement, text)


def _after_breaks(pattern: re.Pattern[bytes], text: bytes, replacement: Callable[[re.Match[bytes]], bytes]) -> bytes:
    """As `_replaced`, for a pattern that starts with the line break before its line."""
    broken = b"\n" + text
    match = pattern.search(broken)
    if match is None:
        return text
    pieces: list[bytes] = []
    done = 0
    while match is not None:
        blanked = replacement(match)
        start, end = match.span()
        pieces += broken[done:start], blanked[max(0, done - start) :]
        done = end
        # The break at the end of a match may be the one before the next.
        match = pattern.search(broken, end - 1 if broken.startswith(b"\n", end - 1) and end - start > 1 else end)
    pieces.append(broken[done:])
    return b"".join(pieces)[1:]


def _blanked(match: re.Match[bytes]) -> bytes:
    """The match with its last group replaced by spaces, or itself by form feeds, which belong to nothing.

    A named group is replaced by its name.
    """
    if "word" in match.re.groupindex:
        return _as_call(match)
    if match.re.groupindex:
        text = match[0]
        for word in match.re.groupindex:
            start, end = match.span(word)
            spelt = word.encode().lstrip(b"_").ljust(end - start)
            text = text[: start - match.start()] + spelt + text[end - match.start() :]
        return text
    if match.lastindex is None:
        return _VISIBLE.sub(b"\f", match[0])
    start, end = match.span(match.lastindex)
    start, end, text = start - match.start(), end - match.start(), match[0]
    return text[:start] + _VISIBLE.sub(b" ", text[start:end]) + text[end:]


def _read_as(reading: bytes, match: re.Match[bytes]) -> bytes:
    """The match with its last group ending in a text that the grammar knows, blanks before; as it is if too short."""
    start, end = match.span(match.lastindex or 0)
    start, end, text = start - match.start(), end - match.start(), match[0]
    if end - start < len(reading):
        return text
    if _AHEAD in match.re.groupindex:
        return text[:start] + reading + _VISIBLE.sub(reading[-1:], text[start + len(reading) : end]) + text[end:]
    blank = b"\f" if _APART in match.re.groupindex else b" "
    return text[:start] + _VISIBLE.sub(blank, text[start : end - len(reading)]) + reading + text[end:]


def _mended(reading: bytes, match: re.Match[bytes]) -> bytes:
    """As `_read_as`, but for what stands in a text that its line begins."""
    start = match.start(match.lastindex or 0)
    before = match.string[match.string.rfind(b"\n", 0, start) + 1 : start]
    return match[0] if before.count(b'"') % 2 else _read_as(reading, match)


def _as_call(match: re.Match[bytes]) -> bytes:
    """The match with its group `word` read as one word and its group `call`, if not empty, as brackets; blanks before."""
    if match["word"] is None:
        return match[0]
    start, end = (at - match.start() for at in match.span("word"))
    call = match["call"]
    word = _NO_WORD.sub(b"_", match["word"])
    brackets = b"()".ljust(len(call)) if call else b""
    return _VISIBLE.sub(b" ", match[0][:start]) + word + brackets + match[0][end + len(call) :]
