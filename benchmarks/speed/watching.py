"""Times warm calls over many files, with every file looked at and with none, as the system tells of changes.

    python -m benchmarks.speed.watching [--files 10000] [--edits 100000]

Prints the memory of the process before and after many edits, half of them without a call, four times, before it has done
anything else; the median of the processor's time of warm calls of each kind both ways, side by side in one process, each
call about another definition; and whether each of a thousand edits was in the answer right after it.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from workspace.collecting import collect_less_often
from workspace.files import rescan
from workspace.files.watching import FolderWatch, UnwatchableError
from workspace.memory import held_bytes
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 24
IN_FOLDER = 25
ROUNDS = 15
CHECKED = 1000
MANY = 5000
"""Edits between two looks at memory."""
SETTLING_SECONDS = 2.5
"""Waited after writing, so that what is remembered of the files is trusted."""


class Engines:
    """The engines that answer, with their own memory of the folder."""

    def __init__(self, folder: Path, index: CodeIndex) -> None:
        self.folder = str(folder)
        self.context = ContextEngine(index.roots, index=index)
        self.zoomer = Zoomer(index)

    def zoom(self, number: int) -> str:
        """The source of one definition."""
        return self.zoomer.zoom(f"Thing{number}x4", self.folder).text

    def focus(self, number: int) -> str:
        """A context around a name."""
        return self.context.get_context(self.folder, token_budget=8000, focus=[f"Thing{number}x4"]).context

    def query(self, number: int) -> str:
        """A context for a question."""
        return self.context.get_context(
            self.folder, token_budget=8000, query=f"where does thing {number}x4 work"
        ).context

    def overview(self, number: int) -> str:
        """The first look, with another budget each time."""
        return self.context.get_context(self.folder, token_budget=8000 + number).context


class Unwatched:
    """In the place of the watch: every file is looked at in each call."""

    def __init__(self, base: str, _: object) -> None:
        raise UnwatchableError(f"{base} is not to be watched")


def made(folder: Path, files: int) -> list[Path]:
    """Makes small sources in many folders."""
    places: list[Path] = []
    for number in range(files):
        here, file = divmod(number, IN_FOLDER)
        place = folder / f"pkg{here // 20}" / f"mod{here}" / f"file{file}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(
            f'"""Module {here} {file}."""\n\n\nclass Thing{here}x{file}:\n    """A thing."""\n\n'
            f"    def work(self, a, b):\n        return helper{here * 7 % 400}(a + b)\n\n\n"
            f"def helper{here}(x):\n    return x * {file}\n",
            encoding="utf-8",
        )
        places.append(place)
    return places


def timed(call: Callable[[int], str], number: int) -> float:
    began = time.process_time()
    call(number)
    return (time.process_time() - began) * 1000


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--edits", type=int, default=100_000)
    asked = parser.parse_args(arguments)
    collect_less_often()  # as a server does
    with tempfile.TemporaryDirectory() as top:
        edited_often = Path(top).resolve() / "edited"
        remembered(edited_often, made(edited_often, asked.files), asked.edits)
        folder = Path(top).resolve() / "tree"
        places = made(folder, asked.files)
        index = CodeIndex(Roots([folder]), workers=Workers())
        engines = Engines(folder, index)
        time.sleep(SETTLING_SECONDS)  # what was touched later is read again
        compared(engines, Engines(folder, index))
        edited(engines, places)


def compared(watched: Engines, unwatched: Engines) -> None:
    """Says what warm calls take where the system tells of changes, and where every file is looked at."""
    for kind in ("zoom", "focus", "query", "overview"):
        own: Callable[[int], str] = getattr(watched, kind)
        other: Callable[[int], str] = getattr(unwatched, kind)
        for number in range(ROUNDS):
            own(number)
        rescan.FolderWatch = Unwatched  # pyright: ignore[reportAttributeAccessIssue]
        for number in range(ROUNDS):
            other(number)
        rescan.FolderWatch = FolderWatch
        assert own(0) == other(0)
        times = [(timed(own, number), timed(other, number)) for number in range(ROUNDS)]
        told, looked = (median(column) for column in zip(*times, strict=True))
        print(f"{kind:<9} told {told:7.1f} ms, all looked at {looked:7.1f} ms: {told / looked:.0%}")


def edited(engines: Engines, places: list[Path]) -> None:
    """Says how many edits were in the answer right after them, and what such an answer takes."""
    drawn = random.Random(SEED)
    late = 0
    taken: list[float] = []
    for number in range(CHECKED):
        place = drawn.choice(places)
        here, file = int(place.parent.name[3:]), int(place.stem[4:])
        place.write_text(f"class Thing{here}x{file}:\n    edit = {number}\n", encoding="utf-8")
        began = time.process_time()
        text = engines.zoomer.zoom(f"Thing{here}x{file}", engines.folder).text
        taken.append((time.process_time() - began) * 1000)
        late += f"edit = {number}\n" not in text
    print(f"{CHECKED} edits, each followed by a zoom at once: {late} answers without it, {median(taken):.1f} ms each")


def remembered(folder: Path, places: list[Path], edits: int) -> None:
    """Says what the process holds while there are many edits: first each heard of, then unheard until the queue is full."""
    drawn = random.Random(SEED)
    time.sleep(SETTLING_SECONDS)  # what was touched later is read again
    scan = rescan.RememberedScan(folder, Roots([folder]))
    assert scan.current() is not None
    assert scan.is_watched
    for turn in ("first", "second", "third", "fourth"):
        held: list[int] = []
        for number in range(edits):
            with drawn.choice(places).open("a", encoding="utf-8") as file:
                file.write("#")
            if number < edits // 2 and number % 50 == 0:
                assert scan.current() is not None
            if number % MANY == MANY - 1:
                held.append(held_bytes() >> 10)
        assert scan.current() is not None
        held.append(held_bytes() >> 10)
        half = held[len(held) // 2]
        print(f"{turn} {edits} edits: {held[0]:,} KiB after {MANY}, {half:,} after half, {held[-1]:,} at the end")


if __name__ == "__main__":
    main(sys.argv[1:])
