"""The line in which a manifest tells what a project is, and the names of READMEs."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from allocator.overview.manifests import manifest_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_DESCRIBED = 200
"""Characters of a description, after which no further sentence is told."""

LEAST_SAID = 24
"""Letters of what is a description and no word."""

BETWEEN = " · "
"""Between the name, the version and the description."""

GENERAL = frozenset({"about", "introduction", "overview"})
"""Titles that say nothing of a project."""

OF_NOTHING = frozenset({"monorepo", "repo", "root", "workspace", "workspaces"})
"""Names that manifests of a whole give it because they have to."""

_README = re.compile(r"readme(\.(md|rst|txt|markdown|adoc|org|rdoc))?$", re.IGNORECASE)


def is_readme(path: str) -> bool:
    """Tells whether a path is that of the README of the whole folder."""
    return "/" not in path and _README.fullmatch(path) is not None


def description(path: str, text: str) -> str:
    """The name, the version and the first sentences of the description that a manifest gives; "" where it gives none.

    Args:
        path: the manifest.
        text: its content.
    """
    found = manifest_of(path.rpartition("/")[2], text)
    name = "" if found.name in OF_NOTHING else found.name
    told = [" ".join(said.split()) for said in (name, found.version, _begun(found.sentences())) if said]
    return f"{path}: {BETWEEN.join(told)}" if told else ""


def not_said_before(lines: Sequence[str], described: str) -> Sequence[str]:
    """Returns the lines of a README without those before its first text that only say the name or the description again, or nothing.

    The description again is left out wherever it stands.

    Args:
        lines: all of them.
        described: what `description` gives.
    """
    said = {
        _plain(one) for part in described.partition(": ")[2].split(BETWEEN) for one in (part, part.rpartition("/")[2])
    }
    said = (said | GENERAL) - {""}
    again = next((at for at, line in enumerate(lines) if _plain(line) not in said), len(lines))
    long = {one for one in said if len(one) >= LEAST_SAID}
    return [line for line in lines[again:] if _plain(line) not in long]


def _plain(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text)).casefold()


def _begun(sentences: Sequence[str]) -> str:
    """The first sentence, and those behind it as long as all of them are no long text."""
    ends = accumulate(len(sentence) + 1 for sentence in sentences)
    return " ".join(
        one for at, (one, end) in enumerate(zip(sentences, ends, strict=True)) if not at or end <= MOST_DESCRIBED
    )
