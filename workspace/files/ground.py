"""The two grounds that a place can lie on, the disk or a commit: both answer the same questions about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from workspace.git.revisions import revision_at

if TYPE_CHECKING:
    from workspace.git.revisions import Revision, Status


class Ground(Protocol):
    """Tells what lies at places."""

    def lstat(self, place: str, /) -> os.stat_result | Status:
        """Returns the status of what lies at a place, links not followed; raises OSError as the system does."""
        ...

    def real(self, place: str, /) -> str:
        """Returns a place with its links followed; raises OSError as the system does."""
        ...


class Disk:
    """The disk: the system's own answers."""

    def __init__(self) -> None:
        self.lstat = os.lstat  # asked of every file: no call of ours is between

    def real(self, place: str, /) -> str:
        """Returns a place with its links followed."""
        return os.path.realpath(place)


class Commit:
    """One commit: the answers of git's objects."""

    def __init__(self, revision: Revision) -> None:
        self._revision = revision

    def lstat(self, place: str) -> Status:
        """Returns the status of a file or folder of the commit."""
        return self._revision.lstat(place[len(self._revision.root) + 1 :].replace(os.sep, "/"))

    def real(self, place: str) -> str:
        """Returns a place of the commit with its links followed."""
        return self._revision.real(place)


def ground_of(place: str) -> Ground:
    """Returns what a place lies on."""
    found = revision_at(place)
    return Disk() if found is None else Commit(found[0])
