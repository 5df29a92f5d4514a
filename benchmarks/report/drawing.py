"""Times the page of `pack --report`: to make it, and in Chromium to draw it and to move its slider.

    python -m benchmarks.report.drawing .
    python -m benchmarks.report.drawing --made 2000

`--made N` makes a repository of N files first. The time to draw is that from the beginning of the navigation to the end
of the frame that shows the map, the median of some fresh contexts of the browser; beside it the processor time that the
page's own thread took until then, which other programs on the machine move little.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from allocator import ContextEngine
from server.report.page import MOST_TEXT, report_page
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.roots import Roots

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from allocator.profile import Profile

DRAWN = """() => new Promise((end) => {
    const look = () => document.documentElement.dataset.drawn
        ? requestAnimationFrame(() => setTimeout(() => end(performance.now()))) : setTimeout(look, 1);
    look();
})"""

MOVED = """() => new Promise((end) => {
    const slider = document.getElementById("budget");
    const times = [];
    const move = (place) => {
        if (place > Number(slider.max)) return end(times);
        const from = performance.now();
        slider.value = String(place);
        slider.dispatchEvent(new Event("input"));
        requestAnimationFrame(() => setTimeout(() => { times.push(performance.now() - from); move(place + 1); }));
    };
    move(0);
})"""


def made(folder: Path, files: int) -> Path:
    """Makes a repository of so many modules in nested folders and returns it."""
    for number in range(files):
        place = folder / f"package_{number % 40:02}" / f"part_{number % 7}" / f"module_{number}.py"
        place.parent.mkdir(parents=True, exist_ok=True)
        body = "".join(
            f'class Thing{number}{letter}:\n    """Thing {letter} of {number}."""\n\n'
            f"    def step(self, value: int) -> int:\n        for n in range({number % 9 + 2}):\n            value += n * {number}\n"
            f"        return other_{(number * 7) % files}(value)\n\n\n"
            for letter in "abcd"[: number % 4 + 1]
        )
        place.write_text(
            f"{body}def other_{number}(value: int) -> int:\n    return value + {number}\n", encoding="utf-8"
        )
    return folder


def measured(folder: Path, query: str, browser: Browser, runs: int) -> dict[str, object]:
    """Makes the page of a folder twice and draws it some times; returns what is printed."""
    with tempfile.TemporaryDirectory() as scratch:
        roots = Roots([folder])
        cache = Cache(Path(scratch) / "cache")
        with closing(CodeIndex(roots, cache=cache, stamps=cache, workers=Workers(2))) as index:
            cold, _, _ = _made_page(folder, query, index)
            warm, page, profile = _made_page(folder, query, index)
        target = Path(scratch) / "report.html"
        target.write_bytes(page)
        drawn: list[float] = []
        worked: list[float] = []
        moved: list[float] = []
        for _ in range(runs):
            context = browser.new_context(viewport={"width": 1400, "height": 1000})
            shown = context.new_page()
            counting: Any = context.new_cdp_session(shown)  # its parameters have no types
            counting.send("Performance.enable", {"timeDomain": "threadTicks"})
            shown.goto(target.as_uri())
            drawn.append(shown.evaluate(DRAWN))
            metrics: list[dict[str, Any]] = counting.send("Performance.getMetrics")["metrics"]
            told: dict[str, float] = {one["name"]: one["value"] for one in metrics}
            worked.append(1000 * told["TaskDuration"])
            moved += shown.evaluate(MOVED)
            context.close()
        found = re.search(rb'"texts":(\{.*?\})', page)
        return {
            "folder": folder.name,
            "files": len(profile.files),
            "budgets": len(profile.purchases),
            "page KB": round(len(page) / 1000),
            "texts held": len(json.loads(found[1])) if found else 0,
            "made cold s": round(cold, 1),
            "made warm s": round(warm, 1),
            "drawn ms, median": round(statistics.median(drawn)),
            "drawn ms, worst": round(max(drawn)),
            "drawn CPU ms": round(statistics.median(worked)),
            "slider ms, median": round(statistics.median(moved), 1),
            "slider ms, worst": round(max(moved), 1),
        }


def _made_page(folder: Path, query: str, index: CodeIndex) -> tuple[float, bytes, Profile]:
    """Makes the page, and returns the seconds that took and what was made."""
    started = time.perf_counter()
    profile = ContextEngine(index.roots, index=index).profile(
        str(folder), token_budget=8000, query=query, format="compact", most_text=MOST_TEXT
    )
    page = report_page(profile, title=folder.name, version="")
    return time.perf_counter() - started, page, profile


def main() -> int:
    """Measures what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--made", type=int, action="append", default=[], metavar="N")
    parser.add_argument("--query", default="")
    parser.add_argument("--runs", type=int, default=7)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("Chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 1
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as scratch:
        browser = driver.chromium.launch(executable_path=chromium)
        folders = [folder.resolve() for folder in asked.folders]
        folders += [made(Path(scratch).resolve() / f"made_{files}", files) for files in asked.made]
        for folder in folders:
            for name, value in measured(folder, asked.query, browser, asked.runs).items():
                print(f"{name:20} {value}")
            print()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
