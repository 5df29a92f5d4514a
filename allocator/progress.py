"""The progress of a call, in steps that a caller can show."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Is told the steps done, the steps there are, and what is being done. What it raises ends the call."""


class Stages:
    """The stages of a call, and how far it is in them; a caller is told.

    Args:
        progress: is told the steps done, the steps there are, and what is being done.
        files: the number of files; each is read, parsed, and weighed as skeletons where that is needed.
    """

    def __init__(self, progress: Progress | None, files: int) -> None:
        self._progress = progress
        self._files = files
        self._done = 0

    def indexing(self, done: int, _: int, message: str) -> None:
        """So many files are read, and this is being done."""
        self._report(done, message)

    def parsing(self, done: int, _: int, message: str) -> None:
        """So many of some files are parsed, and this is being done."""
        self._report(self._files + min(done, self._files), message)

    def skeletonizing(self, index: int, path: str) -> None:
        """The skeletons of the file at `index` are about to be made and weighed."""
        self._report(2 * self._files + index, f"skeletonizing {path}")

    def done(self) -> None:
        """The result is there."""
        self._report(3 * self._files + 1, "done")

    def _report(self, done: int, message: str) -> None:
        self._done = max(done, self._done)  # stages overlap, and nobody is told that work was undone
        if self._progress is not None:
            self._progress(self._done, 3 * self._files + 1, message)
