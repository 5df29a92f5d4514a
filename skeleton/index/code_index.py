"""The index: gives the facts of files; what is known is looked up, what is new is worked out once.

The way of a file: a stamp that is known and can be trusted stands for its content, so an unchanged file costs one look
at its status. Otherwise it is read, and its content looked up in the cache; only what is new there is parsed, in worker
processes where there is enough of it (`skeleton.index.workers`). Sources are read a window at a time, so that memory does not
grow with the code base.

A stamp can be trusted when the file had been left alone for a while before it was read: a write within the clock's
grain, of the same size, would not show. Stamps from the future are not trusted either.
"""

from __future__ import annotations

import os
import struct
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from skeleton.index.ahead import Keyed
from skeleton.index.cache import Cache
from skeleton.index.counts import RememberedCounts
from skeleton.index.gathering import (
    TOGETHER_BYTES,
    WINDOW_BYTES,
    WINDOW_FILES,
    Foreseen,
    Gathering,
    Progress,
    Reading,
)
from skeleton.index.indexed import Entry, IndexedFile
from skeleton.index.mixture import main_languages
from skeleton.index.records import (
    OF_LEVELS,
    OF_SKETCH,
    Aspect,
    Basics,
    Definitions,
    Facts,
    decoded,
    encoded,
    read_record,
)
from skeleton.index.salt import content_key, salt
from skeleton.index.shown import Shown
from skeleton.index.work import task_of, worked_out
from skeleton.index.workers import WORTH_SENDING_BYTES, WORTH_STARTING_BYTES, Parsers, Workers
from workspace.cancellation import stop_if_cancelled
from workspace.errors import FileChangedError
from workspace.files.reading import SourceFile, decode, read_file
from workspace.files.scan import ScannedFile, Stamp
from workspace.git.revisions import is_in_revision, lasting
from workspace.model import Problem, ProblemKind
from workspace.names.sensitive import is_sensitive
from workspace.tokens import DEFAULT_ENCODING, token_counter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from skeleton.index.ahead import Ahead
    from skeleton.index.store import FactStore, Origins, StampStore
    from skeleton.outline.definitions import Definition
    from workspace.files.scan import Scan
    from workspace.roots import Roots

_Record = TypeVar("_Record")

SETTLED_NS: Final = 2_000_000_000
"""A file that was last touched less than this before it was read may be written again without a new stamp; two seconds
are the coarsest clock of a file system in use."""

MOST_SECRETS: Final = 10_000
"""Contents of which it is remembered whether they hold secrets."""


BEGUN_FILES: Final = 4
"""Of what will be asked for a worker is sent so many files at a time, unless they are large: to take its answers and send it
more takes a moment of the process that is busy with the call."""

_TOGETHER: Final = (OF_SKETCH, OF_LEVELS | {Aspect.OUTLINE})
"""Groups of aspects that are worked out at once where a call wants more than one of them."""

_NO_TEXT: Final = b"no text".ljust(16, b"\0")
"""Stands in the place of a key for a file that is no text, of which nothing else is known."""

_STAMP = struct.Struct("<qqQq")


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
        self._origins = origins
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
        self._known: dict[str, Entry] = {}
        self._recalled: set[str] = set()
        self._secrets: dict[bytes, int] = {}
        self._spoiled: dict[str, tuple[Stamp, Problem]] = {}
        self._aheads: list[Ahead[Any]] = []
        self._lock = threading.Lock()

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
        self._recall(found)
        entries = [self.entry(file) for file in found.files]
        ahead = None
        if wanted:
            expected, new = found.files, sum(file.size for file in found.files if not self.is_settled(file))
            is_much = new >= WORTH_STARTING_BYTES
            if likely is not None:
                expected = likely() if new >= WORTH_SENDING_BYTES else ()
                new = sum(file.size for file in expected if not self.is_settled(file)) or min(new, 1)
            if not self.cache.may_be_elsewhere:  # what others know is not worked out, so no worker takes the processor
                ahead = self._begun(new, first, expected)
                if ahead is None and new >= WORTH_SENDING_BYTES:
                    self._workers.foresee(self.encoding, main_languages(expected))
                elif ahead is None and Aspect.TERMS in first:  # a question, which ranks all files before it shows any
                    self._foresee(found.files, entries)
            if is_much:  # what is found will be counted, and the vocabulary takes its time
                token_counter(self.encoding).load_soon()  # in a thread: after that nothing is forked
        if begun is not None:
            begun()
        try:
            return Gathering(self, found, wanted, ahead, progress).run(entries)
        except BaseException:
            if ahead is not None:
                ahead.give_up()
            raise

    def _foresee(self, files: Sequence[ScannedFile], entries: Sequence[Entry | None]) -> None:
        """Makes ready to render files that are known and were never shown, if there are many: to rank all takes a while."""
        known = [(file, entry.key) for file, entry in zip(files, entries, strict=True) if entry is not None]
        held = self.cache.held(Aspect.WEIGHTS, [key for _, key in known])
        left = [file for file, key in known if key not in held]
        if sum(file.size for file in left) >= WORTH_STARTING_BYTES:
            self._workers.foresee(self.encoding, main_languages(left))

    def _begun(self, new: int, first: frozenset[Aspect], files: Sequence[ScannedFile]) -> Foreseen | None:
        """Makes workers ready for so many new bytes, and has them begin where they are told what comes first."""
        if not first:
            self._workers.prepare(new, self.encoding)
            return None
        ahead = self._workers.begin(new, self.encoding, self._keep_found, main_languages(files))
        if ahead is None:
            return None
        with self._lock:
            self._aheads.append(ahead)
        return Foreseen(self, ahead, first, files)

    def _keep_found(self, found: Sequence[tuple[bytes, dict[int, bytes]]]) -> None:
        self.cache.write((kind, key, value) for key, aspects in found for kind, value in aspects.items())

    def begin(self, files: Sequence[IndexedFile], aspect: Aspect) -> None:
        """Has idle workers begin with an aspect of some files, one by one, until the call asks for any.

        Args:
            files: those that it will come to; the likeliest first.
            aspect: what it will ask of them.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        if self.cache.may_be_elsewhere:
            return
        tasks = self._tasks(files, aspect)
        size = sum(len(one.task.raw) for one in tasks)
        ahead = self._workers.begin(size, self.encoding, self._keep_found)
        if ahead is None:
            return
        with self._lock:
            self._aheads.append(ahead)
        together, size = list[Keyed](), 0
        for one in tasks:
            together.append(one)
            size += len(one.task.raw)
            if size > TOGETHER_BYTES or len(together) >= BEGUN_FILES:
                ahead.add(together)
                together, size = [], 0
        ahead.add(together)
        ahead.close()

    def _end_aheads(self, files: Sequence[IndexedFile], aspect: Aspect) -> None:
        """Ends what was begun ahead, before it is looked up what is known of some files; or has all of them worked out."""
        with self._lock:
            aheads, self._aheads = self._aheads, []
        for ahead in aheads:
            is_window = sum(file.basics.bytes for file in files) <= WINDOW_BYTES
            tasks = self._tasks(files, aspect) if is_window and aspect not in OF_SKETCH else ()
            ahead.finish(tasks, stop_if_cancelled) if tasks else ahead.end(stop_if_cancelled)

    def _tasks(self, files: Sequence[IndexedFile], aspect: Aspect) -> list[Keyed]:
        """The tasks that give an aspect of those of some files of which it is not known, and all that comes with it."""
        known = self.cache.held(aspect, [file.key for file in files])
        return [
            Keyed(
                key, task_of(file.as_read, sorted({aspect}.union(file.wanted & _together(aspect))), redact=self.redact)
            )
            for key, file in {file.key: file for file in files}.items()
            if key not in known
        ]

    def prepare(
        self, files: Sequence[IndexedFile], aspect: Aspect = Aspect.FACTS, *, progress: Progress | None = None
    ) -> None:
        """Sees to it that an aspect of many files is there, so that to load it for each of them is cheap.

        Raises:
            FileChangedError: a file had to be read again, and has changed.
        """
        self._end_aheads(files, aspect)
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
        self._end_aheads(files, aspect)
        values = self.cache.read(aspect, [*{file.key for file in files}])
        found = {key: one for key, value in values.items() if (one := read_record(value, record)) is not None}
        missing = [*{file.key: file for file in files if file.key not in found}.values()]
        for window, done in _windows(missing):
            made = self._work_out(window, aspect, partial(_tell, progress, len(files), len(values) + done))
            found |= {file.key: decoded(one[aspect], record) for file, one in zip(window, made, strict=True)}
        return [found[file.key] for file in files]

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
        return self.entry(file) is not None or self.known_problem(file) is not None

    def source(self, file: ScannedFile, key: bytes) -> SourceFile:
        """Reads a file that must still have the content of a key.

        Raises:
            FileChangedError: it has not.
        """
        read = read_file(file, roots=self.roots)
        if isinstance(read, Problem) or self.key(read) != key:
            self._known.pop(_place(file), None)
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

    def close(self) -> None:
        """Ends the workers and gives the files of the stores back."""
        for ahead in self._aheads:
            ahead.end()
        self._workers.close()
        self.cache.close()
        self.stamps.close()

    def learn(self, read: Sequence[Reading]) -> list[Entry]:
        """Returns what is known of files that were read, and keeps it."""
        basics = {one.key: one.basics for one in read}
        self.cache.write((int(Aspect.BASICS), key, encoded(known)) for key, known in basics.items())
        entries = [Entry(one.scanned.path, one.stamp, one.key, one.basics) for one in read]
        places = [_place(one.scanned) for one in read]
        self._known.update(zip(places, entries, strict=True))
        stamps = {
            place: (_packed(entry.stamp), entry.key)
            for place, entry in zip(places, entries, strict=True)
            if entry.stamp is not None
        }
        self.stamps.write_stamps(self._salt, stamps)
        return entries

    def trusted(self, stamp: Stamp, now: int) -> Stamp | None:
        """Returns a stamp that can be trusted, as the file had been left alone for a while; None for another.

        Args:
            stamp: of a file.
            now: nanoseconds, by the clock, before the file was read.
        """
        return stamp if now - max(stamp.mtime_ns, stamp.ctime_ns) >= SETTLED_NS else None

    def note_problems(self, problems: Sequence[tuple[ScannedFile, Problem]]) -> None:
        """Remembers why files cannot be shown, as long as their status stays what it is; that one is no text is kept."""
        kept: dict[str, tuple[bytes, bytes]] = {}
        for file, problem in problems:
            if self.trusted(file.stamp, time.time_ns()) is not None:
                self._spoiled[_place(file)] = (file.stamp, problem)
                if problem == _no_text(file):
                    kept[_place(file)] = (_packed(file.stamp), _NO_TEXT)
        self.stamps.write_stamps(self._salt, kept)

    def known_problem(self, file: ScannedFile) -> Problem | None:
        """Returns the reason why a file cannot be shown, if it is known; None otherwise."""
        stamp, problem = self._spoiled.get(_place(file), (None, None))
        return problem if problem is not None and stamp == file.stamp and problem.path == file.address else None

    def entry(self, file: ScannedFile) -> Entry | None:
        """Returns what is known of a file, if its status is what it was; None otherwise."""
        entry = self._known.get(_place(file))
        return entry if entry is not None and entry.stamp == file.stamp and entry.path == file.path else None

    def _recall(self, found: Scan) -> None:
        """Brings what the cache knows of a folder's files into memory; once for each folder."""
        folder = os.fspath(found.base)
        with self._lock:
            if folder in self._recalled or not found.files:
                return
            self._recalled.add(folder)
        stamps = self.stamps.stamps(self._salt, lasting(folder) if is_in_revision(folder) else folder)
        places = [_place(file) for file in found.files]
        keys = {
            place: (file, row[1])
            for place, file in zip(places, found.files, strict=True)
            if (row := stamps.get(place)) is not None and row[0] == _packed(file.stamp)
        }
        for place in [place for place, (_, key) in keys.items() if key == _NO_TEXT]:
            file, _ = keys.pop(place)
            self._spoiled[place] = (file.stamp, _no_text(file))
        told: dict[str, bytes] = {}
        if self._origins is not None and len(keys) < len(places):
            told = self._origins.keys(found, settled=time.time_ns() - SETTLED_NS)
        new = {
            at: (file, told[at])
            for at, file in zip(places, found.files, strict=True)
            if at in told and at not in keys and at not in self._spoiled
        }
        keys |= new
        values = self.cache.read(Aspect.BASICS, [*{key for _, key in keys.values()}])
        for place, (file, key) in keys.items():
            basics = read_record(values.get(key), Basics)
            if basics is not None:
                self._known[place] = Entry(file.path, file.stamp, key, basics)
        learnt = {place: (_packed(file.stamp), key) for place, (file, key) in new.items() if place in self._known}
        self.stamps.write_stamps(self._salt, learnt)
        gone = stamps.keys() - set(places)
        self.stamps.forget_stamps(self._salt, [path for path in gone if not os.path.lexists(path)])

    def _made(
        self,
        files: Sequence[SourceFile],
        aspects: Sequence[Aspect],
        sketches: Sequence[bytes | None],
        tick: Callable[[int], None],
    ) -> list[dict[int, bytes]]:
        return worked_out(
            files, aspects, sketches, workers=self._workers, encoding=self.encoding, redact=self.redact, tick=tick
        )

    def _work_out(
        self, files: Sequence[IndexedFile], aspect: Aspect, tick: Callable[[int], None]
    ) -> list[dict[int, bytes]]:
        """Works out an aspect of some files, and all that comes with it."""
        aspects = {aspect}.union(*(file.wanted & _together(aspect) for file in files))
        known = self.cache.read(Aspect.SKETCH, [*{file.key for file in files}]) if aspects < OF_SKETCH else {}
        sketches = [known.get(file.key) for file in files]
        made = self._made([file.as_read for file in files], sorted(aspects), sketches, tick)
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


def _together(aspect: Aspect) -> frozenset[Aspect]:
    """The aspects that are worked out at once with one, where a call wants them."""
    return next((group for group in _TOGETHER if aspect in group), frozenset[Aspect]())


def _tell(progress: Progress | None, total: int, before: int, done: int) -> None:
    if progress is not None:
        progress(min(before + done, total), total, f"parsing {total - before} files")


def _place(file: ScannedFile) -> str:
    """Returns the place under which the facts of a file are kept; all commits of a repository share one."""
    place = os.fspath(file.absolute)
    return lasting(place) if is_in_revision(place) else place


def _no_text(file: ScannedFile) -> Problem:
    """Returns the problem of a file that is no text, as `read_file` tells it."""
    return Problem(path=file.address, kind=ProblemKind.BINARY, detail=f"{file.size} bytes")


def _packed(stamp: Stamp) -> bytes:
    return _STAMP.pack(stamp.mtime_ns, stamp.size, stamp.inode, stamp.ctime_ns)
