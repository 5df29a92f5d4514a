"""Words the errors of the engines, for a model and for the command line alike."""

from __future__ import annotations

from workspace.errors import FractalContextError, SymbolNotFoundError


def told(error: FractalContextError) -> str:
    """Returns the error's message, with the targets that would work where the message itself does not name them."""
    words = str(error)
    suggestions = error.suggestions if isinstance(error, SymbolNotFoundError) else ()
    unnamed = [target for target in suggestions if target not in words]
    return f"{words} Targets that exist: {', '.join(unnamed)}." if unnamed else words
