"""The index: gives the facts of files; what is known is looked up, what is new is worked out once.

The way of a file: a stamp that is known and can be trusted stands for its content (`skeleton.index.known`), so an
unchanged file costs one look at its status. Otherwise it is read, and its content looked up in the cache; only what is new
there is parsed, in worker processes where there is enough of it (`skeleton.index.workers`), which may have begun before they
are asked (`skeleton.index.begun`). Sources are read a window at a time, so that memory does not grow with the code base.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from skeleton.index.begun import Begun
from skeleton.index.cache import Cache
from skeleton.index.counts import RememberedCounts
from skeleton.index.gathering import (
    WINDOW_BYTES,
    WINDOW_FILES,
    Gathering,
    Progress,
)
from skeleton.index.indexed import IndexedFile
from skeleton.index.known import KnownFiles
from skeleton.index.mixture import main_languages
from skeleton.index.records import (
    OF_SKETCH,
    Aspect,
    Definitions,
    Facts,
    decoded,
    encoded,
    read_record,
    worked_out_with,
)
from skeleton.index.salt import content_key, salt
from skeleton.index.shown import Shown
from skeleton.index.work import worked_out
from skeleton.index.workers import WORTH_SENDING_BYTES, WORTH_STARTING_BYTES, Parsers, Workers
from workspace.beside import Beside
from workspace.errors import FileChangedError
from workspace.files.reading import SourceFile, decode, read_file
from workspace.files.scan import ScannedFile, Stamp
from workspace.model import Problem
from workspace.names.sensitive import is_sensitive
from workspace.tokens import DEFAULT_ENCODING, token_counter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from skeleton.index.store import FactStore, Origins, StampStore
    from skeleton.outline.definitions import Definition
    from workspace.files.scan import Scan
    from workspace.roots import Roots

_Record = TypeVar("_Record")
_Other = TypeVar("_Other")

MOST_SECRETS: Final = 10_000
"""Contents of which it is remembered whether they hold secrets."""


class CodeIndex:
    """Facts about files, remembered between calls. It may be used by several threads.

    Args:
        roots: the folders that may be read.
        encoding: the vocabulary that tokens are counted in.
        cache: where facts are kept; in memory by default.
        stamps: where it is kept which content the files of this machine have; in memory by default.
        workers: what parses; the processes of `Workers` by default.
        redact: whether secrets are taken out of what is shown.
        shown: knows what was handed out; this process alone by default.
        origins: knows the contents of files that were never read; None for nobody.

    Attributes:
        counts: counts tokens, each text once.
        shown: knows with which content files were handed out last.
        losses: how often a file turned out not to be what it was known as.
    """

    def __init__(
        self,
        roots: Roots,
        *,
        encoding: str = DEFAULT_ENCODING,
        cache: FactStore | None = None,
        stamps: StampStore | None = None,
        workers: Parsers | None = None,
        redact: bool = True,
        shown: Shown | None = None,
        origins: Origins | None = None,
    ) -> None:
        self.roots = roots
        self.redact = redact
        self.shown = shown or Shown()
        self.encoding = encoding
        self.cache = cache or Cache(None)
        self.stamps = stamps or Cache(None)
        self._workers: Parsers = workers or Workers()
        self._salt = salt(encoding, redact=redact, memory=self._workers.memory)
        self.counts = RememberedCounts(token_counter(encoding), self.cache, self._salt)
        self.losses = 0
        self._known = KnownFiles(self.stamps, self.cache, self._salt, origins)
        self._secrets: dict[bytes, int] = {}
        self._later: list[Beside[None]] = []
        self._lock = threading.Lock()
        self._begun = Begun(self._workers, self.cache, encoding, redact=redact)

    def files(
        self,
        found: Scan,
        *,
        wanted: frozenset[Aspect] = frozenset(),
        likely: Callable[[], Sequence[ScannedFile]] | None = None,
        first: frozenset[Aspect] = frozenset(),
        begun: Callable[[], object] | None = None,
        progress: Progress | None = None,
    ) -> tuple[list[IndexedFile], list[Problem]]:
        """Returns the files of a scan, in its order, and what cannot be shown of it. Nothing is parsed.

        Args:
            found: the files.
            wanted: what the call is going to ask for, so that no file is parsed twice.
            likely: says which files it is going to be asked of, so that workers load while all are read; by default all.
            first: what it will ask of those first, of all of them: workers begin with it while others are read.
            begun: is called when workers have begun, before files are read: what it starts is in no worker's way.
            progress: is told of every file that is read; what it raises ends the call.
        """
        self._known.recall(found)
        entries = [self._known.entry(file) for file in found.files]
        ahead = None
        if wanted:
            expected, new = found.files, sum(file.size for file in found.files if not self._known.is_settled(file))
            is_much = new >= WORTH_STARTING_BYTES
            if likely is not None:
                expected = likely() if new >= WORTH_SENDING_BYTES else ()
                new = sum(file.size for file in expected if not self._known.is_settled(file)) or min(new, 1)
            if not self.cache.may_be_elsewhere:  # what others know is not worked out, so no worker takes the processor
                ahead = self._begun.reading(new, first, expected)
                if ahead is None and new >= WORTH_SENDING_BYTES:
                    self._workers.foresee(self.encoding, main_languages(expected))
                elif ahead is None and Aspect.TERMS in first:  # a question, which ranks all files before it shows any
                    self._begun.foresee_levels(found.files, entries)
            if is_much:  # what is found will be counted, and the vocabulary takes its time
                token_counter(self.encoding).load_soon()  # in a thread: after that nothing is forked
        if begun is not None:
            begun()
        try:
            return Gathering(self, self._known, found, wanted, ahead, progress).run(entries)
        except BaseException:
            if ahead is not None:
                ahead.give_up()
            raise

    def begin(self, files: Sequence[IndexedFile], aspect: Aspect) -> None:
        """Has idle workers begin with an aspect of some files, one by one, until the call asks for any.

        Args:
            files: those that it will come to; the likeliest first.
            aspect: what it will ask of them.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        self._begun.begin(files, aspect)

    def prepare(
        self, files: Sequence[IndexedFile], aspect: Aspect = Aspect.FACTS, *, progress: Progress | None = None
    ) -> None:
        """Sees to it that an aspect of many files is there, so that to load it for each of them is cheap.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        self._begun.end(files, aspect)
        here = self.cache.held(aspect, [*{file.key for file in files}])
        missing = [*{file.key: file for file in files if file.key not in here}.values()]
        for window, done in _windows(missing):
            self._work_out(window, aspect, partial(_tell, progress, len(files), len(here) + done))

    def load(
        self,
        files: Sequence[IndexedFile],
        aspect: Aspect,
        record: type[_Record],
        *,
        progress: Progress | None = None,
    ) -> list[_Record]:
        """Returns one aspect of many files, in their order; what was never asked for, or is lost, is worked out.

        Args:
            files: the files.
            aspect: what is wanted of them.
            record: its type.
            progress: is told how many are there; what it raises ends the call.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        self._begun.end(files, aspect)
        values = self.cache.read(aspect, [*{file.key for file in files}])
        found = {key: one for key, value in values.items() if (one := read_record(value, record)) is not None}
        missing = [*{file.key: file for file in files if file.key not in found}.values()]
        for window, done in _windows(missing):
            made = self._work_out(window, aspect, partial(_tell, progress, len(files), len(values) + done))
            found |= {file.key: decoded(one[aspect], record) for file, one in zip(window, made, strict=True)}
        return [found[file.key] for file in files]

    def each(
        self,
        files: Sequence[IndexedFile],
        wanted: tuple[tuple[Aspect, type[_Record]], tuple[Aspect, type[_Other]]],
        take: Callable[[bytes, _Record, _Other], None],
        *,
        progress: Progress | None = None,
    ) -> None:
        """Hands over two aspects of many files, by their keys, as they come to be known, while workers work out others.

        Args:
            files: the files; those of one key are handed over once.
            wanted: the aspects, which are worked out together, and their types.
            take: is given a key and what is known of it.
            progress: is told how many are there; what it raises ends the call.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        (aspect, record), (other, its_record) = wanted
        self._begun.end(files, aspect)
        by_key = {file.key: file for file in files}
        values, others = self.cache.read(aspect, [*by_key]), self.cache.read(other, [*by_key])
        known = deque(key for key in by_key if key in values and key in others)
        lost = [file for key, file in by_key.items() if key not in values or key not in others]
        total = len(by_key)

        def take_known() -> None:
            while known:
                key = known.popleft()
                one, another = read_record(values[key], record), read_record(others[key], its_record)
                if one is None or another is None:
                    lost.append(by_key[key])
                else:
                    take(key, one, another)

        def worked_out(window: Sequence[IndexedFile], place: int, found: dict[int, bytes]) -> None:
            take(window[place].key, decoded(found[aspect], record), decoded(found[other], its_record))

        def tick(before: int, done: int) -> None:
            take_known()  # now that workers are at work
            _tell(progress, total, before, done)

        while known or lost:
            if not lost:
                take_known()
            missing, lost[:] = [*lost], ()
            for window, done in _windows(missing):
                before = total - len(missing) + done
                self._work_out(window, aspect, partial(tick, before), also={other}, each=partial(worked_out, window))

    def held(self, files: Sequence[IndexedFile], aspect: Aspect, record: type[_Record]) -> dict[bytes, _Record]:
        """Returns one aspect of those files that it is known of, by key; nothing is worked out."""
        values = self.cache.read(aspect, [*{file.key for file in files}])
        return {key: one for key, value in values.items() if (one := read_record(value, record)) is not None}

    def kept(self, aspect: Aspect, key: bytes, record: type[_Record]) -> _Record | None:
        """Returns what was kept of many files together; None where nothing was.

        Args:
            aspect: what it is.
            key: stands for all of the files.
            record: its type.
        """
        return read_record(self.cache.read(aspect, [key]).get(key), record)

    def keep(self, aspect: Aspect, key: bytes, record: object) -> None:
        """Keeps what was worked out of many files together, for `kept`."""
        self.cache.write([(int(aspect), key, encoded(record))])

    def secrets(self, key: bytes) -> int | None:
        """Returns how many secrets a content holds; None where that is not known."""
        known = self._secrets.get(key)
        if known is None:
            facts = read_record(self.cache.read(Aspect.FACTS, [key]).get(key), Facts)
            known = None if facts is None else facts.secrets
        return known

    def note_secrets(self, key: bytes, secrets: int) -> None:
        """Remembers how many secrets a content holds, until very many are remembered."""
        if len(self._secrets) >= MOST_SECRETS:
            self._secrets.clear()
        self._secrets[key] = secrets

    def is_settled(self, file: ScannedFile) -> bool:
        """Tells whether all is known of a file, for as long as its status stays what it is."""
        return self._known.is_settled(file)

    def source(self, file: ScannedFile, key: bytes) -> SourceFile:
        """Reads a file that must still have the content of a key.

        Raises:
            FileChangedError: it has not.
        """
        read = read_file(file, roots=self.roots)
        if isinstance(read, Problem) or self.key(read) != key:
            self._known.forget(file)
            self.losses += 1
            raise FileChangedError(file.path)
        return read

    def key(self, read: SourceFile) -> bytes:
        """Returns what stands for a file's content, its name, and the version of all that works on it."""
        return content_key(read.raw, read.path, self._salt)

    def as_it_was(self, path: str, raw: bytes) -> tuple[bytes, tuple[Definition, ...]] | None:
        """Returns what a content of a file that is not on disk any more said, and every definition that it held.

        Args:
            path: what the file was called.
            raw: its bytes.

        Returns:
            The text as UTF-8 as it may be shown, and the definitions; None where it is no text or may not be shown.
        """
        from skeleton.index.content import content_of

        decoded_text = None if is_sensitive(path) else decode(raw)
        if decoded_text is None:
            return None
        source, encoding = decoded_text
        stamp = Stamp(mtime_ns=0, size=len(raw), inode=0, ctime_ns=0)
        file = SourceFile(path=path, raw=raw, source=source, encoding=encoding, stamp=stamp)
        key = content_key(raw, path, self._salt)
        record = read_record(self.cache.read(Aspect.SYMBOLS, [key]).get(key), Definitions)
        if record is None:
            (made,) = self._made([file], [Aspect.SYMBOLS], (), lambda _: None)
            self.cache.write((kind, key, value) for kind, value in made.items())
            record = decoded(made[Aspect.SYMBOLS], Definitions)
        return content_of(raw, source, path, redact=self.redact).source, record.definitions

    def later(self, work: Callable[[], None]) -> None:
        """Has something done that no call waits for, in a thread; `close` does."""
        with self._lock:
            self._later = [*(one for one in self._later if not one.has_ended), Beside(work)]

    def settle(self) -> None:
        """Waits until all is done that `later` was given."""
        for one in self._later:
            one.outcome()

    def close(self) -> None:
        """Ends the workers and gives the files of the stores back."""
        try:
            self.settle()
        finally:
            self._begun.close()
            self._workers.close()
            self.cache.close()
            self.stamps.close()

    def _made(
        self,
        files: Sequence[SourceFile],
        aspects: Sequence[Aspect],
        sketches: Sequence[bytes | None],
        tick: Callable[[int], None],
        each: Callable[[int, dict[int, bytes]], None] | None = None,
    ) -> list[dict[int, bytes]]:
        return worked_out(
            files,
            aspects,
            sketches,
            workers=self._workers,
            encoding=self.encoding,
            redact=self.redact,
            tick=tick,
            each=each,
        )

    def _work_out(
        self,
        files: Sequence[IndexedFile],
        aspect: Aspect,
        tick: Callable[[int], None],
        *,
        also: Iterable[Aspect] = (),
        each: Callable[[int, dict[int, bytes]], None] | None = None,
    ) -> list[dict[int, bytes]]:
        """Works out an aspect of some files, and all that comes with it."""
        aspects = {aspect, *also}.union(*(file.wanted & worked_out_with(aspect) for file in files))
        known = self.cache.read(Aspect.SKETCH, [*{file.key for file in files}]) if aspects < OF_SKETCH else {}
        sketches = [known.get(file.key) for file in files]
        made = self._made([file.as_read for file in files], sorted(aspects), sketches, tick, each)
        self.cache.write(
            (kind, file.key, value) for file, one in zip(files, made, strict=True) for kind, value in one.items()
        )
        return made


def _windows(files: Sequence[IndexedFile]) -> Iterator[tuple[Sequence[IndexedFile], int]]:
    """Parts files into as many as may be held in memory at once; each with the number of those before it."""
    size = start = 0
    for end, file in enumerate(files, start=1):
        size += file.basics.bytes
        if size > WINDOW_BYTES or end - start == WINDOW_FILES or end == len(files):
            yield files[start:end], start
            size, start = 0, end


def _tell(progress: Progress | None, total: int, before: int, done: int) -> None:
    if progress is not None:
        progress(min(before + done, total), total, f"parsing {total - before} files")
