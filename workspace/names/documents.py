"""Documents by their names, and how much they speak for a repository being one of documents: a book, a reference, a site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDINGS: Final = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".org", ".textile", ".tex")
"""The endings of their names, in lower case."""

BESIDE_CODE: Final = ("doc/", "docs/", "documentation/")
"""The beginnings of the paths of documents that most often tell of code beside them."""

SHARE_BESIDE_CODE: Final = 0.25
"""The part that such a document counts for."""


def is_document(path: str) -> bool:
    """Tell whether a file is a document, by its name."""
    return path.lower().endswith(ENDINGS)


def spoken_for(sizes: Iterable[tuple[str, float]]) -> float:
    """Return how much documents speak for a repository of documents, in the unit of their sizes.

    Of translations, which lie in folders of their own and are called like their original, the longest counts alone.

    Args:
        sizes: the path of each document, and its size.
    """
    titles: dict[str, float] = {}
    for path, size in sizes:
        title = "/".join(path.split("/")[-2:])
        share = SHARE_BESIDE_CODE if path.lower().startswith(BESIDE_CODE) else 1.0
        titles[title] = max(titles.get(title, 0.0), share * size)
    return sum(titles.values())
