"""The one exception tree of fractal-context.

Exceptions are for a caller's mistakes; what is wrong with a *file* is a value (`workspace.model.Problem`), because a
broken file costs its own detail and never the call.

    FractalContextError
    ├── InvalidArgumentError      an argument is not of the form that the call takes
    │   └── BudgetTooSmallError   the token budget cannot hold what must be shown; names the least that can
    ├── OutsideRootsError         a path leads out of the allowed roots
    ├── PathNotFoundError         a path inside the roots does not exist
    ├── UnreadableFileError       the one file that was asked for cannot be read as text
    ├── RepositoryFetchError      a repository elsewhere cannot be fetched, or not within the limits
    ├── TimeLimitError            the call took longer than a call may take
    ├── SymbolNotFoundError       no definition has the name; carries names that exist
    └── FileChangedError          a file changed while a call was at work; the call is made again before anyone hears of it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class FractalContextError(Exception):
    """The base of every error a caller can mend.

    The message is one or two sentences: what happened, to what, and what to do next. It is shown to models and people
    as it is, so it never carries anything from outside the roots.
    """


class InvalidArgumentError(FractalContextError):
    """An argument is not of the form that the call takes."""


class BudgetTooSmallError(InvalidArgumentError):
    """The token budget cannot hold what must be shown.

    Attributes:
        minimum: the smallest budget, in tokens, with which the same call succeeds.
    """

    def __init__(self, message: str, *, minimum: int) -> None:
        super().__init__(message)
        self.minimum = minimum


class OutsideRootsError(FractalContextError):
    """A path leads out of the allowed roots."""


class PathNotFoundError(FractalContextError):
    """A path inside the allowed roots does not exist.

    Args:
        message: what happened.
        hint: gives the rest of the message, where it takes a look at the disk; asked only by who reads it.
    """

    def __init__(self, message: str, *, hint: Callable[[], str] | None = None) -> None:
        super().__init__(message)
        self._hint = hint

    def __str__(self) -> str:
        return super().__str__() + (self._hint() if self._hint is not None else "")


class UnreadableFileError(FractalContextError):
    """The one file that was asked for cannot be read as text."""


class RepositoryFetchError(FractalContextError):
    """A repository elsewhere cannot be fetched without a password, or not within the limits."""


class TimeLimitError(FractalContextError):
    """The call took longer than a call may take (the setting `time-limit`)."""


class SymbolNotFoundError(FractalContextError):
    """No definition has the name that was asked for.

    Attributes:
        suggestions: targets of definitions that do exist, closest first; each works when it is sent back.
    """

    def __init__(self, message: str, *, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


class FileChangedError(FractalContextError):
    """A file is not any more what it was a moment ago, in the same call; the call can be made again."""
