"""Measures a plain installation: packages, bytes that are fetched, bytes on disk, seconds once they are fetched.

    python -m benchmarks.speed.installing

Builds the wheel of this tree, fetches it with all that it needs, and installs that into an environment of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
HEAVY = "torch"
LARGEST = 3


def ran(*words: str | Path) -> None:
    subprocess.run(words, cwd=REPOSITORY, check=True, stdout=subprocess.DEVNULL)


def megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as top:
        built, fetched, place = Path(top, "built"), Path(top, "fetched"), Path(top, "environment")
        ran(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", built)
        (wheel,) = built.glob("*.whl")
        ran(sys.executable, "-m", "pip", "download", "--quiet", "--dest", fetched, wheel)
        ran(sys.executable, "-m", "venv", "--without-pip", place)
        pip = (sys.executable, "-m", "pip", "--python", place, "install", "--quiet")
        began = time.perf_counter()
        ran(*pip, "--no-index", "--find-links", fetched, wheel)
        seconds = time.perf_counter() - began
        packages = sorted(fetched.iterdir())
        (site,) = place.rglob("site-packages")
        print(f"{len(packages)} packages, {megabytes(fetched):.0f} MB fetched, {megabytes(site):.0f} MB on disk")
        print(f"installed in {seconds:.0f} s once they were fetched")
        print(f"{HEAVY} is {'' if any(HEAVY in one.name for one in packages) else 'not '}among them")
        largest = sorted((one for one in site.iterdir() if one.is_dir()), key=megabytes, reverse=True)[:LARGEST]
        print("the largest:", ", ".join(f"{one.name} {megabytes(one):.0f} MB" for one in largest))


if __name__ == "__main__":
    main()
