"""The version of this product and of the parts that its results depend on."""

from __future__ import annotations

DISTRIBUTION = "fractal-context"
PARTS = ("mcp", "pydantic", "anyio", "tree-sitter", "tree-sitter-language-pack", "tiktoken")


def distribution_version(name: str = DISTRIBUTION) -> str:
    """Returns the version of an installed distribution, or "" where there is none: a source tree run as it is."""
    from importlib.metadata import PackageNotFoundError, version  # slow to load, and asked for by few calls

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def part_versions() -> dict[str, str]:
    """Returns the version of every part by its name, Python first; "" for a part that is not installed."""
    import platform  # as above

    return {"python": platform.python_version()} | {part: distribution_version(part) for part in PARTS}
