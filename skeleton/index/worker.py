"""A worker: a process that works out facts, one batch at a time, until its input ends.

It is started by `skeleton.index.workers` and speaks with it through its standard streams: messages of a four-byte length and
that many bytes of MessagePack. It opens no file of the user's: what it is to parse is sent to it, and it knows nothing
but that. An interrupt from the terminal is the parent's business; when the parent is gone, so is the input, and the
worker ends. A worker of a Ray cluster (`skeleton.index.cluster`) works out its batches in the same way, and within the
same bounds.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import msgspec

from workspace.collecting import collect_less_often
from workspace.memory import SHARE_BYTES, bounded_growth, memory_share

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from skeleton.index.content import Content
    from skeleton.index.records import Aspect, Definitions

LENGTH_BYTES: Final = 4

TWIN: Final = (3, 4)
"""The descriptors of the pipes of a twin, to read from and to write to, until there is one."""

READY: Final = b""

IDLE_SECONDS: Final = 0.03
"""A worker that no batch comes to for so long loads what a later one may need."""

LONGEST_SECONDS: Final = 7.0
LONGEST_SECONDS_PER_MEGABYTE: Final = 4.0
"""Of the processor, for one file: more than what stops itself takes (`skeleton.outline.parsing`)."""


OUT_OF_MEMORY: Final = 12
"""The exit status of a worker that was refused memory: the system's number for it."""

_RESERVE: Final = 1.25
"""The memory that the system lets a worker take for one file, as a part of the share at which the work is stopped in
order."""


class Task(NamedTuple):
    """A file to work on.

    Attributes:
        path: the file, for its language and tier.
        raw: the bytes on disk.
        source: the text as UTF-8; None where it is `raw` itself.
        aspects: the numbers of the aspects asked for.
        redact: whether secrets are taken out first.
        sketch: the definitions of its sketch, encoded, where they are known.
    """

    path: str
    raw: bytes
    source: bytes | None
    aspects: tuple[int, ...]
    redact: bool = True
    sketch: bytes | None = None


class Batch(NamedTuple):
    """Tasks for one worker, the vocabulary that it counts with, and the bytes of memory that each of them may take.

    One without tasks has the worker load some languages and all else that levels take, and fork a twin where it can; the
    answer to that is the number of the twin's process, 0 for none.
    """

    encoding: str
    tasks: tuple[Task, ...]
    memory: int = SHARE_BYTES
    languages: tuple[str, ...] = ()


_FIRST: Final = Task(path="first.txt", raw=b"first\n", source=None, aspects=())
"""Worked out by every worker, so that what any file needs is loaded at no file's cost."""

Found = list[dict[int, bytes]]
"""For every task of a batch, in order, its aspects."""


def perform(batch: Batch) -> Found:
    """Works out what a batch asks for."""
    from skeleton.index.content import content_of
    from skeleton.index.records import Aspect, Definitions, read_record
    from skeleton.index.sketched import sketched

    found: Found = []
    for task in batch.tasks:
        source = task.raw if task.source is None else task.source
        content = content_of(task.raw, source, task.path, redact=task.redact)
        wanted = {Aspect(one) for one in task.aspects}
        sketch = read_record(task.sketch, Definitions)
        with memory_share(batch.memory):
            aspects = sketched(content.source, task.path, aspects=wanted, sketch=sketch, secrets=content.secrets)
            if aspects is None:
                aspects = _parsed(content, task.path, wanted, batch.encoding, sketch)
        found.append({int(aspect): value for aspect, value in aspects.items()})
    return found


def _parsed(
    content: Content, path: str, aspects: set[Aspect], encoding: str, sketch: Definitions | None
) -> dict[Aspect, bytes]:
    """Works out what takes a parser, which is loaded when it is first needed."""
    from skeleton.index.facts import derive
    from skeleton.recognition import language_of
    from workspace.tokens import token_counter

    language = language_of(path, content.source)
    return derive(content, language, aspects=aspects, counter=token_counter(encoding), sketch=sketch)


def serve(
    requests: BinaryIO,
    replies: BinaryIO,
    work: Callable[[Batch], Found] = perform,
    *,
    load: Callable[[], object] | None = None,
    has_twin: bool = False,
) -> None:
    """Answers batches until there are no more: each of their tasks by a message of its own.

    Args:
        requests: where batches come from; a pipe, where something is left to load.
        replies: where answers go.
        work: works out a batch.
        load: loads the vocabulary; called once, before the first batch that is counted, or when none comes for a while.
        has_twin: whether there are pipes for a twin.
    """
    while True:
        if load is not None and not select.select([requests], [], [], IDLE_SECONDS)[0]:
            load()
            load = None
        if (message := read_message(requests)) is None:
            return
        batch = msgspec.msgpack.decode(message, type=Batch)
        if load is not None and (not batch.tasks or _is_counted(batch)):
            load()  # here, as no file is to pay for it with its time and memory
            load = None
        if not batch.tasks:
            _load_languages(batch.languages)
            pid = _forked() if has_twin else 0
            if pid == 0 and has_twin:
                requests, replies = _twin_of(requests, replies)
            else:
                if has_twin:
                    _close_all(TWIN)
                write_message(replies, msgspec.msgpack.encode(max(pid, 0)))
            has_twin = False
            continue
        for answer in _answers(batch, work):
            write_message(replies, answer)


def _load_languages(names: Sequence[str]) -> None:
    """Loads the patterns of some languages; one that is broken is told of when a file of it comes."""
    from skeleton.languages.queries import Language, QueryFileError

    for name in names:
        with _bounded(0), suppress(QueryFileError):
            Language.named(name)


def _forked() -> int:
    """Forks this process; returns the number of the other one, 0 in that, and -1 where the system gives none."""
    try:
        return os.fork()
    except OSError:
        return -1


def _twin_of(requests: BinaryIO, replies: BinaryIO) -> tuple[BinaryIO, BinaryIO]:
    """Has a process that was forked off a worker hold its own pipes, and none of the worker's."""
    requests.close()
    replies.close()
    os.dup2(TWIN[0], 0)
    own = os.fdopen(os.dup(TWIN[0]), "rb"), os.fdopen(os.dup(TWIN[1]), "wb")
    _close_all(TWIN)
    return own


def _close_all(descriptors: Iterable[int]) -> None:
    for one in descriptors:
        os.close(one)


def perform_afar(message: bytes, salted: bytes) -> list[bytes]:
    """Works out an encoded batch in a process that others started, as on a machine of a cluster.

    Args:
        message: the batch.
        salted: the salt of whoever asks.

    Returns:
        The encoded answer to each of its tasks.

    Raises:
        AnotherVersionError: what is installed here would give other facts.
        MemoryError: a file takes more memory than it may.
    """
    from skeleton.index.salt import salt

    collect_less_often()
    batch = msgspec.msgpack.decode(message, type=Batch)
    redact = all(task.redact for task in batch.tasks)
    if salt(batch.encoding, redact=redact, memory=batch.memory) != salted:
        raise AnotherVersionError
    first_task(batch.encoding)
    if _is_counted(batch):
        load_for_levels(batch.encoding)
    return list(_answers(batch, perform))


class AnotherVersionError(Exception):
    """Raised when another version is installed on a machine than on the one that asks: its facts would be others."""


def _answers(batch: Batch, work: Callable[[Batch], Found]) -> Iterator[bytes]:
    """Gives the encoded answer to each task, each worked out within the bounds of time and memory."""
    for task in batch.tasks:
        with _bounded(len(task.raw)), bounded_growth(int(batch.memory * _RESERVE)):
            (found,) = work(batch._replace(tasks=(task,)))
            answer = msgspec.msgpack.encode(found)
        yield answer


def _is_counted(batch: Batch) -> bool:
    from skeleton.index.records import OF_LEVELS

    return any(not OF_LEVELS.isdisjoint(task.aspects) for task in batch.tasks)


@contextmanager
def _bounded(size: int) -> Generator[None]:
    """Has the system end this process should the block take far too long.

    A grammar may not come back from a single step, and then nothing in the process can stop it. What counts is the
    time of the processor, so that a busy machine changes nothing.
    """
    if not hasattr(signal, "setitimer"):  # a system without
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, LONGEST_SECONDS + LONGEST_SECONDS_PER_MEGABYTE * size / 1e6)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def read_message(stream: BinaryIO) -> bytes | None:
    """Reads one message; None at the end of the stream, also where it ends inside a message."""
    head = stream.read(LENGTH_BYTES)
    if len(head) < LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = stream.read(length)
    return body if len(body) == length else None


def write_message(stream: BinaryIO, body: bytes) -> None:
    """Writes one message."""
    stream.write(len(body).to_bytes(LENGTH_BYTES, "big"))
    stream.write(body)
    stream.flush()


def first_task(encoding: str) -> None:
    """Loads what every batch needs, by a task.

    Args:
        encoding: the vocabulary that will be counted with.
    """
    perform(Batch(encoding, (_FIRST,)))


def load_for_levels(encoding: str) -> None:
    """Loads what levels take, the parser and what tokens are counted with: half a second that a sketch does not need."""
    from workspace.tokens import token_counter

    import_module("skeleton.index.facts")
    token_counter(encoding).expect_many()


def main(encoding: str, *, has_twin: bool = False) -> None:
    """Serves the process that started this one; an empty message says that what every batch needs is loaded.

    Args:
        encoding: the vocabulary that it will count with.
        has_twin: whether there are pipes for a twin.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_less_often()
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is written to standard output is no message
    try:
        first_task(encoding)
        waits = os.name == "posix"  # elsewhere nobody can tell whether a pipe holds something
        if not waits:
            load_for_levels(encoding)
        write_message(replies, READY)
        loads = partial(load_for_levels, encoding) if waits else None
        serve(requests, replies, load=loads, has_twin=has_twin)
    except BrokenPipeError:
        os._exit(0)  # nobody waits for the answer any more
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    sys.exit(0)
