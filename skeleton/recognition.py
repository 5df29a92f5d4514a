"""What a file is written in: a language of its own query, a format with an outline, or plain text."""

from __future__ import annotations

from skeleton.formats import TextFormat, format_of
from skeleton.languages.queries import Language, code_language_of


def language_of(path: str, source: bytes = b"") -> Language | TextFormat | None:
    """What a file is written in: by file name, extension, shebang and modeline; None is plain text.

    Raises:
        QueryFileError: the language's query file is broken.
    """
    return code_language_of(path, source) or format_of(path, source)
