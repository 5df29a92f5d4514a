"""The pictures of the documents, taken in Chromium of pages that are made anew.

python -m scripts.screenshots        writes docs/images/
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from allocator import ContextEngine
from compaction.history import Archive, CompactionEngine, CompactionOptions
from scripts.sample_session import sample_session
from server.report.compaction import write_page
from server.report.page import MOST_TEXT, report_page
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.roots import Roots

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOME = Path(__file__).resolve().parents[1]
IMAGES = HOME / "docs" / "images"
QUERY = "how does a budget become blocks of files?"
SHOWN = ["/allocator/", "/compaction/", "/server/*.py", "/skeleton/", "/workspace/"]
WIDE, SMALL = (1280, 960), (390, 844)


def main() -> int:
    """Takes the pictures; returns the exit code."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.stderr.write("Chromium is not installed: apt-get install chromium\n")
        return 1
    IMAGES.mkdir(exist_ok=True)
    roots = Roots([HOME])
    profile = ContextEngine(roots, index=CodeIndex(roots, workers=Workers(2))).profile(
        str(HOME), token_budget="24k", query=QUERY, format="compact", include=SHOWN, most_text=MOST_TEXT
    )
    question = [("query", QUERY), ("include", ", ".join(SHOWN))]
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as driver:
        page = Path(scratch) / "report.html"
        page.write_bytes(report_page(profile, title="fractal-context", version="0.1.0", question=question))
        browser = driver.chromium.launch(executable_path=chromium)
        taken(browser, page, "light", dark=False, size=WIDE)
        taken(browser, page, "dark", dark=True, size=WIDE)
        taken(browser, page, "small", dark=False, size=SMALL)
        taken(browser, page, "file", dark=False, size=WIDE, opened="allocator/spend/spending.py")
        conversation(browser, Path(scratch))
        browser.close()
    return 0


def conversation(browser: Browser, scratch: Path) -> None:
    """Takes the picture of a compaction's page.

    Args:
        browser: shows it.
        scratch: a folder for what is needed.
    """
    project = Path(shutil.copytree(HOME / "examples" / "shop", scratch / "shop"))
    history = sample_session(project)
    engine = CompactionEngine(archive=Archive(scratch / "archive.sqlite"))
    result, account = engine.compact_with_account(history, CompactionOptions(workspace=project, keep_tail_tokens=200))
    if account is None:
        raise RuntimeError(result.detail)
    page = scratch / "compaction.html"
    write_page(page, result, account, "session.jsonl", "o200k_base")
    shown = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]}, color_scheme="light")
    shown.goto(page.as_uri())
    shown.locator("#b5 summary").click()
    shown.locator("#a2 summary").click()
    shown.locator("#before pre").wait_for()
    shown.locator("#after pre").wait_for()
    shown.evaluate("scrollTo(0, 0)")
    shown.screenshot(path=IMAGES / "compaction.png")
    shown.close()


def taken(browser: Browser, page: Path, name: str, *, dark: bool, size: tuple[int, int], opened: str = "") -> None:
    """Takes one picture of the page.

    Args:
        browser: shows it.
        page: the file.
        name: of the picture.
        dark: whether the system asks for dark colours.
        size: of the window.
        opened: the file of the repository that is open.
    """
    width, height = size
    shown = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    shown.goto(page.as_uri())
    shown.wait_for_function("document.documentElement.dataset.drawn")
    if opened:
        shown.locator(f"#map button[aria-label^='{opened}']").click()
        shown.locator("#source li").first.wait_for()
    shown.screenshot(path=IMAGES / f"report-{name}.png", full_page=not opened)
    shown.close()


if __name__ == "__main__":
    sys.exit(main())
