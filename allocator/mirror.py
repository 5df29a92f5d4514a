"""Writes a folder of skeletons in the place of a folder of source, as the Qompressor seed does.

Files of code become L1 skeletons that keep their comments and docs, everything else that is text (configuration,
Markdown, `Dockerfile` and its like) is copied as it is, and the relative folders stay. The mirror is rebuilt as a whole
each time, by `workspace.files.replacing`. What is not text, or holds credentials by its name, is left out and named; secrets
inside the other files are taken out.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from skeleton import CompressionLevel
from skeleton.commented import commented_skeleton
from skeleton.languages.queries import Language
from skeleton.recognition import language_of
from skeleton.skeletonizer import skeletonize
from workspace.errors import InvalidArgumentError
from workspace.files.reading import read_file
from workspace.files.replacing import replacing
from workspace.files.scan import scan
from workspace.model import Problem
from workspace.paths import unshown
from workspace.secrets.redaction import RedactedFile, redacted_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from allocator.progress import Progress
    from workspace.files.reading import SourceFile
    from workspace.roots import Roots


AS_IT_IS = "Jenkinsfile"
"""The beginning of the names of files that are code and are copied as they are, for all of them matters (seed, section 2)."""


class MirrorLevel(StrEnum):
    """The levels at which a mirror can show a file of code."""

    L1 = "L1"
    """Signatures, types, comments and docs."""
    L2 = "L2"
    """Signatures and types."""


class Mirrored(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a finished mirror, and the files that it leaves out.

    Attributes:
        skeletons: files that became skeletons.
        copies: files that are as they were, those of code among them that no skeleton makes shorter.
        secrets: secrets that were taken out of files.
        bytes_before: bytes of the files that are in the mirror, as they are in the source.
        bytes_after: bytes of the mirror.
        problems: files that are not in it, and why.
    """

    skeletons: int
    copies: int
    secrets: int
    bytes_before: int
    bytes_after: int
    problems: tuple[Problem, ...]


def mirror(
    source: str,
    target: str,
    *,
    roots: Roots,
    level: MirrorLevel = MirrorLevel.L1,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    redact: bool = True,
    progress: Progress | None = None,
) -> Mirrored:
    """Builds the mirror of a folder.

    Args:
        source: the folder, inside a root.
        target: where the mirror shall be: nothing yet, an empty folder, or an earlier mirror that nobody has touched.
        roots: the folders that may be read.
        level: how much of a file of code is shown.
        include: globs that narrow the set of files.
        exclude: globs that are left out of it.
        redact: whether secrets are taken out of the files; those that are secret by name are never mirrored.
        progress: is told the steps done, the steps there are, and what is being done; what it raises ends the call.

    Raises:
        InvalidArgumentError: the source is no folder, the target lies inside it or holds it, or the target holds what no
            mirror wrote. The target is left as it is.
        OutsideRootsError: the source leads out of the roots.
        PathNotFoundError: there is nothing at the source.
    """
    base = roots.resolve(source)
    if not roots.is_folder(base):
        raise InvalidArgumentError(f"{source} is a file; a mirror is made of a folder.")
    place = Path(os.path.realpath(target))
    if place.is_relative_to(base) or base.is_relative_to(place):
        how = "is" if place == base else "lies in" if place.is_relative_to(base) else "holds"
        raise InvalidArgumentError(f"{target} {how} {source}; put the mirror beside its source.")
    found = scan(base, roots=roots, include=include, exclude=exclude)
    problems = list(found.problems)
    skeletons = copies = secrets = before = after = 0
    with replacing(place) as build:
        for done, file in enumerate(found.files):
            if progress is not None:
                progress(done, len(found.files), f"mirroring {file.path}")
            read = read_file(file, roots=roots)
            if isinstance(read, Problem):
                problems.append(read)
                continue
            safe = redacted_file(read) if redact else RedactedFile(file=read)
            secrets += safe.secrets
            text = _skeleton(safe.file, level)
            content = text or (safe.file.source if safe.secrets else read.raw)
            build.write(unshown(file.path), content)
            skeletons, copies = skeletons + (text is not None), copies + (text is None)
            before, after = before + len(read.raw), after + len(content)
    return Mirrored(
        skeletons=skeletons,
        copies=copies,
        secrets=secrets,
        bytes_before=before,
        bytes_after=after,
        problems=tuple(problems),
    )


def _skeleton(file: SourceFile, level: MirrorLevel) -> bytes | None:
    """Returns the skeleton of a file of code, None for what stays as it is."""
    language = language_of(file.path, file.source)
    if not isinstance(language, Language) or file.path.rpartition("/")[2].startswith(AS_IT_IS):
        return None
    made = (
        commented_skeleton(file.source, language)
        if level is MirrorLevel.L1
        else skeletonize(file.source, language, CompressionLevel.SKELETON)
    )
    return None if made.level is CompressionLevel.FULL else f"{made.text}\n".encode()
