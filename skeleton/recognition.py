"""Recognizes the language of a file: one with a query of its own, a format with an outline, or plain text."""

from __future__ import annotations

from skeleton.formats import TextFormat, format_of
from skeleton.languages.queries import Language, code_language_of


def language_of(path: str, source: bytes = b"") -> Language | TextFormat | None:
    """Returns the language or format of a file: by file name, extension, shebang and modeline; None is plain text.

    Raises:
        QueryFileError: the language's query file is broken.
    """
    return code_language_of(path, source) or format_of(path, source)
