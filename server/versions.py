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


def installed_from() -> str:
    """Returns what an installer takes to install this product again as it was: a path, or an address with its commit.

    It is "" for one that came from an index of packages, or that runs from its source tree. PEP 610 tells of the record.
    """
    import json  # as above
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        record = json.loads(distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return ""
    url, kept = str(record.get("url", "")), record.get("vcs_info")
    if kept:
        return f"{kept['vcs']}+{url}@{kept['commit_id']}"
    parts = urlsplit(url)
    return url2pathname(parts.path) if parts.scheme == "file" else url


def part_versions() -> dict[str, str]:
    """Returns the version of every part by its name, Python first; "" for a part that is not installed."""
    import platform  # as above

    return {"python": platform.python_version()} | {part: distribution_version(part) for part in PARTS}
