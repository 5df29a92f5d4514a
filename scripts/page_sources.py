"""The digests of what the report page is bundled from; printed by `python -m scripts.page_sources`.

They are committed beside the bundle, so that a test can tell, without Node, that the bundle was made anew.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
PAGE = HOME / "page"


def digests() -> str:
    """Returns a line for each source, in order: its SHA-256 and its path."""
    sources = sorted(
        [*PAGE.glob("src/*"), PAGE / "package-lock.json", PAGE / "tsconfig.json", HOME / "scripts" / "page"]
    )
    return "".join(
        f"{hashlib.sha256(source.read_bytes()).hexdigest()}  {source.relative_to(HOME).as_posix()}\n"
        for source in sources
    )


if __name__ == "__main__":
    print(digests(), end="")  # noqa: T201 - its output
