"""Fetches what the benchmarks of compaction and compression read: `python -m benchmarks.compaction.fetch CLONES`.

The sessions and documents belong to others and are not kept here: `questions.toml`, `compression/answers.toml` and the
benchmarks themselves name the public repositories that hold them, under which licence is said there and in the README. Each is
cloned as a mirror into `CLONES/OWNER+NAME`; one that is there already is fetched anew.
"""

from __future__ import annotations

import argparse
import subprocess
import tomllib
from pathlib import Path

SESSIONS = "entireio/cli"
"""Holds the sessions of `authors` and `after`, besides some of `questions.toml`."""


def repositories() -> list[str]:
    """Return the names of the repositories, `OWNER/NAME`, in their order."""
    here = Path(__file__).parent
    asked = tomllib.loads((here / "questions.toml").read_text("utf-8"))["session"]
    read = tomllib.loads((here.parent / "compression" / "answers.toml").read_text("utf-8"))["document"]
    return sorted({SESSIONS, *(str(entry["from"]) for entry in (*asked, *read))})


def fetch(name: str, clones: Path, source: str) -> bool:
    """Bring one repository here; False where git could not."""
    place = clones / name.replace("/", "+")
    command = (
        ["git", "-C", str(place), "remote", "update", "--prune"]
        if place.is_dir()
        else ["git", "clone", "--quiet", "--mirror", f"{source}/{name}", str(place)]
    )
    return subprocess.run(command, check=False).returncode == 0


def main() -> None:
    """Fetch all of them, and name those that could not be had."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clones", type=Path)
    options.add_argument("--source", default="https://github.com", help="where the repositories lie, as OWNER/NAME")
    given = options.parse_args()
    given.clones.mkdir(parents=True, exist_ok=True)
    missing = [name for name in repositories() if not fetch(name, given.clones, given.source)]
    for name in missing:
        print(f"{name} could not be fetched")
    print(f"{len(repositories()) - len(missing)} of {len(repositories())} repositories are in {given.clones}")


if __name__ == "__main__":
    main()
