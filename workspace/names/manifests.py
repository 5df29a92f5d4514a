"""Files by which a folder is a package of its own: the names that build tools give to what says so."""

from __future__ import annotations

from typing import Final

_NAMES: Final = frozenset(
    {
        "Cargo.toml",
        "Package.swift",
        "apps.py",
        "build.gradle",
        "build.gradle.kts",
        "composer.json",
        "go.mod",
        "mix.exs",
        "package.json",
        "pom.xml",
        "pubspec.yaml",
        "pyproject.toml",
        "setup.cfg",
        "setup.py",
    }
)
_ENDINGS: Final = (".csproj", ".fsproj", ".gemspec")


def begins_package(name: str) -> bool:
    """Tells whether the folder of a file is a package.

    Args:
        name: of the file, without its folder.
    """
    return name in _NAMES or name.endswith(_ENDINGS)
