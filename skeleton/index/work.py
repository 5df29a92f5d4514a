"""Has aspects of files worked out by what parses, and answers for the files that ended it."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Final

from skeleton.index.records import OF_SKETCH
from skeleton.index.worker import Task
from skeleton.index.worker_process import Death
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from skeleton.index.records import Aspect
    from skeleton.index.workers import Parsers
    from workspace.files.reading import SourceFile

GRAMMAR_CRASH: Final[Mapping[Death, str]] = {
    Death.CRASH: "the grammar ended its process",
    Death.TIME: "the grammar took too long and its process was ended",
    Death.MEMORY: "the file took more memory than its process may have",
}
"""The words for a file whose worker died, by what the worker died of."""


def task_of(file: SourceFile, aspects: Iterable[Aspect], *, redact: bool, sketch: bytes | None = None) -> Task:
    """Returns the task to work out aspects of a file; the arguments are those of `worked_out`."""
    return Task(
        path=file.path,
        raw=file.raw,
        source=None if file.source is file.raw else file.source,
        aspects=tuple(map(int, aspects)),
        redact=redact,
        sketch=sketch,
    )


def worked_out(
    files: Sequence[SourceFile],
    aspects: Sequence[Aspect],
    sketches: Sequence[bytes | None] = (),
    *,
    workers: Parsers,
    encoding: str,
    redact: bool,
    tick: Callable[[int], None],
    each: Callable[[int, dict[int, bytes]], None] | None = None,
) -> list[dict[int, bytes]]:
    """Returns aspects of some files, encoded, by their numbers.

    Args:
        files: as they were read.
        aspects: what is wanted of each.
        sketches: those of the files that are known, encoded; none by default.
        workers: what parses.
        encoding: the vocabulary that tokens are counted in.
        redact: whether secrets are taken out of what is shown.
        tick: is told again and again how many files are done; what it raises ends the work.
        each: is given what was found of a file, by its place, as soon as it is there; in the calling thread.
    """
    made: list[dict[int, bytes]] = [{} for _ in files]
    finished = 0
    tasks = [
        task_of(file, aspects, redact=redact, sketch=sketch)
        for file, sketch in zip(files, sketches or repeat(None), strict=False)
    ]

    def done(index: int, found: dict[int, bytes]) -> None:
        nonlocal finished
        made[index] = found
        finished += 1
        if each is not None:
            each(index, found)

    def died(index: int, of: Death) -> None:
        from skeleton.index.content import content_of
        from skeleton.index.facts import unreadable_grammar
        from skeleton.index.sketched import patterns_for

        file = files[index]
        content = content_of(file.raw, file.source, file.path, redact=redact)
        plain = unreadable_grammar(content, GRAMMAR_CRASH[of], counter=token_counter(encoding))
        no_grammar_needed = patterns_for(file.path, content.source) is not None
        if no_grammar_needed and OF_SKETCH.isdisjoint(aspects):  # what a sketch says of it stays true
            plain = {aspect: value for aspect, value in plain.items() if aspect not in OF_SKETCH}
        made[index] = {int(aspect): value for aspect, value in plain.items()}
        if each is not None:
            each(index, made[index])

    workers.perform(tasks, encoding, done=done, died=died, tick=lambda: tick(finished))
    return made
