"""The source files that are copies of other people's code, though they lie among the project's own: they have a license of their own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from skeleton.languages.headers import language_name_of

if TYPE_CHECKING:
    from allocator.overview.grounds import Grounds
    from allocator.overview.packages import Packages

_LICENSE = re.compile(r"(?:[a-z\d][a-z\d-]*[-_.])?(?:licen[cs]e|copying)(?:[-_.][a-z\d-]+)?", re.IGNORECASE)
"""The name of a license: `LICENSE`, `license.txt`, `ORIGINAL-PUMP-LICENSE`."""

MOST_COPIED = 2
"""Copies that hold one in so many of all definitions or more are what the project is about."""


def copied(grounds: Grounds, packages: Packages) -> frozenset[int]:
    """Returns the source files below folders with a license and without a manifest, in a project that has a license at its root.

    Args:
        grounds: the files.
        packages: those of the files.
    """
    licensed = {
        folder
        for path in grounds.places
        for folder, _, name in [path.rpartition("/")]
        if _LICENSE.fullmatch(name) and not language_name_of(name)
    }
    licensed -= {one.folder for one in packages.largest if one.folder}
    if "" not in licensed:
        return frozenset()
    begins = tuple(f"{folder}/" for folder in licensed if folder)
    found = frozenset(file for file in grounds.voters if begins and grounds.files[file].path.startswith(begins))
    held = sum(len(grounds.surveys[file].names) for file in found)
    total = sum(len(grounds.surveys[file].names) for file in grounds.voters)
    return found if held * MOST_COPIED < total else frozenset()
