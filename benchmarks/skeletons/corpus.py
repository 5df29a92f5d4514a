"""The repositories that are measured, and their files."""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.skeletons.languages import LANGUAGES, LanguageEntry

MANIFEST = Path(__file__).with_name("repositories.toml")
LARGEST = 1_000_000
"""Files above this many bytes are left out: they are data, or generated."""


class CorpusError(Exception):
    """A repository or language that was asked for is not there; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFile:
    """One file to measure: its place, its path for a reader, and its bytes."""

    absolute: Path
    path: str
    source: bytes

    @property
    def text(self) -> str:
        """The source as text; bytes that are not UTF-8 become replacement characters."""
        return self.source.decode("utf-8", "replace")


def manifest(path: Path = MANIFEST) -> Mapping[str, Sequence[str]]:
    """Public repositories (`owner/name`) by language."""
    with path.open("rb") as stream:
        content = tomllib.load(stream)
    unknown = sorted(set(content) - set(LANGUAGES))
    if unknown:
        raise CorpusError(f"{path.name} names unknown languages: {', '.join(unknown)}")
    return {language: tuple(entry["repositories"]) for language, entry in content.items()}


def repository(repos: Path, name: str) -> Path:
    """Returns the folder of a repository (`owner/name`); `owner` is only there to find it in public."""
    folder = repos / name.rsplit("/", 1)[-1]
    if not folder.is_dir():
        raise CorpusError(
            f"{folder} is not there: get {name} and put its files there, or leave it out with --repository"
        )
    return folder


def files_of(folder: Path, entry: LanguageEntry, *, most: int = 0) -> list[CorpusFile]:
    """The files of one language in a repository, by path: those that git tracks, not above `LARGEST` bytes.

    Args:
        folder: a git work tree.
        entry: the language; its file endings decide.
        most: take at most so many, evenly spread; 0 takes all.
    """
    listed = subprocess.run(["git", "-C", str(folder), "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode:
        raise CorpusError(f"{folder} is no git work tree: {listed.stderr.decode(errors='replace').strip()}")
    paths = sorted(path for path in listed.stdout.decode("utf-8", "replace").split("\0") if path.endswith(entry.files))
    files = [folder / path for path in paths]
    kept = [
        (path, file)
        for path, file in zip(paths, files, strict=True)
        if file.is_file() and not file.is_symlink() and 0 < file.stat().st_size <= LARGEST
    ]
    if most and len(kept) > most:
        kept = [kept[index * len(kept) // most] for index in range(most)]
    return [CorpusFile(absolute=file, path=f"{folder.name}/{path}", source=file.read_bytes()) for path, file in kept]
