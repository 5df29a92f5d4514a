"""Times how long an edit takes to show in the page of `view`: from the write to the end of the frame that shows it.

    python -m benchmarks.report.following .
    python -m benchmarks.report.following . --query "how is a budget spent"

A copy of the folder, as git has it, is edited some times, with a pause before each edit that is longer than that for
which a change is fresh.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAUSE = 3.0
"""Seconds between two edits."""

CHANGED = """(before) => new Promise((end) => {
    const look = () => document.getElementById("told").textContent === before ? setTimeout(look, 2)
        : requestAnimationFrame(() => setTimeout(end));
    look();
})"""


def edited(page: Page, file: Path, number: int) -> float:
    """Edits a file, and returns the milliseconds until the page shows that."""
    before = page.locator("#told").inner_text()
    text = file.read_text(encoding="utf-8")
    started = time.perf_counter()
    file.write_text(f"{text}\n\ndef added_{number}() -> int:\n    return {number}\n", encoding="utf-8")
    page.evaluate(CHANGED, before)
    return 1000 * (time.perf_counter() - started)


def main() -> int:
    """Measures what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--query", default="")
    parser.add_argument("--file", default="server/cli.py", help="what is edited (%(default)s)")
    parser.add_argument("--runs", type=int, default=9)
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("Chromium is not installed: apt-get install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        copy = Path(scratch) / "copy"
        subprocess.run(["git", "clone", "-q", asked.folder.resolve(), copy], check=True)
        command = [sys.executable, "-m", "fractal_context", "view", str(copy), "--no-open", "--budget", "8k"]
        with subprocess.Popen([*command, "--query", asked.query], stderr=subprocess.PIPE, text=True) as program:
            assert program.stderr is not None
            page = driver.chromium.launch(executable_path=chromium).new_page()
            page.goto(program.stderr.readline().split()[-1])
            page.locator("html[data-drawn]").wait_for(state="attached", timeout=300_000)
            times: list[float] = []
            for number in range(asked.runs + 1):
                time.sleep(PAUSE)  # an editor saves no file twice in a moment
                times.append(edited(page, copy / asked.file, number))
            program.terminate()
    del times[0]  # the first call after the first look is no case of its own
    print(f"files                {len(subprocess.check_output(['git', 'ls-files'], cwd=asked.folder).splitlines())}")
    print(f"edit shows ms, median {statistics.median(times):.0f}")
    print(f"edit shows ms, worst  {max(times):.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
