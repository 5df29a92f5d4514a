"""The line in which a manifest tells what a project is, and the names of READMEs."""

from __future__ import annotations

import re

from allocator.overview.manifests import manifest_of

LONGEST_DESCRIPTION = 200
"""Characters of a description, after which no further sentence is told."""

_SENTENCES = re.compile(r"(?<=[^.A-Z][.!?])\s+(?=[A-Z])")
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
    told = [" ".join(said.split()) for said in (found.name, found.version, _begun(found.description)) if said]
    return f"{path}: {' · '.join(told)}" if told else ""


def _begun(text: str) -> str:
    """The first sentence of a description, and those behind it as long as all of them are no long text."""
    first, *others = _SENTENCES.split(text.strip())
    for sentence in others:
        if len(first) + len(sentence) >= LONGEST_DESCRIPTION:
            break
        first += f" {sentence}"
    return first
