"""The page of a compaction: what the command writes, and what is seen in Chromium."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import msgspec
import pytest

from compaction.history import Account, Became, CompactionResult, Status
from compaction.history.account import Before, Part
from compaction.history.messages import Side
from compaction.history.thresholds import thresholds
from scripts.sample_session import REQUESTS, sample_session
from server.report.compaction import compaction_page
from server.report.page import LARGEST
from tests.server.pipes import REPOSITORY, environment, forked_command
from tests.server.report.conftest import HOSTILE
from tests.server.report.test_in_a_browser import PATIENCE, Told
from tests.server.report.test_report import Elements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

ODD = f"\u202e{HOSTILE} 🦊 שלום"


class Compacted(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that was compacted, the page of it, and what else the command said."""

    folder: Path
    page: Path
    done: subprocess.CompletedProcess[str]


def compact(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*forked_command(), "compact", *arguments],
        cwd=folder,
        env=environment({"XDG_STATE_HOME": str(folder / "state")}),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def compacted(tmp_path_factory: pytest.TempPathFactory) -> Compacted:
    folder = tmp_path_factory.mktemp("conversation").resolve()
    shutil.copytree(REPOSITORY / "examples" / "shop", folder / "shop")
    history = sample_session(folder / "shop")
    history += [
        {"role": "user", "content": f"{ODD} is shown as it is."},
        {"role": "assistant", "content": ODD * 9},
        {"role": "user", "content": "Is it?"},
        {"role": "assistant", "content": "It is."},
    ]
    (folder / "<b>session.json").write_text(json.dumps(history), encoding="utf-8")
    flags = ["--path", "shop", "--keep-tail-tokens", "30", "--report", "page.html"]
    done = compact(folder, "<b>session.json", *flags)
    assert done.returncode == 0, done.stderr
    return Compacted(folder=folder, page=folder / "page.html", done=done)


@pytest.fixture
def page(browser: Browser, compacted: Compacted) -> Iterator[Page]:
    """The page, drawn; at the end nothing was fetched and nothing was complained of."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    told = Told(opened)
    opened.goto(compacted.page.as_uri())
    opened.locator("html[data-drawn]").wait_for(state="attached")
    yield opened
    assert told.requests == [compacted.page.as_uri()]
    assert told.complaints == []
    assert opened.evaluate("window.taken") is None
    context.close()


def test_the_command_writes_the_page_instead_of_the_messages(compacted: Compacted) -> None:
    elements = Elements(compacted.page.read_bytes())
    assert compacted.done.stdout == ""
    assert compacted.done.stderr.startswith("compacted. Tokens: ")
    assert "connect-src" not in elements.policy
    assert "default-src 'none'" in elements.policy
    assert elements.started.count("script") == 2


def test_without_a_file_the_report_is_json_as_ever(compacted: Compacted) -> None:
    for flags in (["--report"], ["--report", "-"]):
        made = json.loads(compact(compacted.folder, "<b>session.json", "--dry-run", *flags).stdout)
        assert made["status"] == "compacted"
        assert made["messages"]


def test_no_page_is_written_over_the_session_or_of_nothing(tmp_path: Path) -> None:
    short = '[{"role": "user", "content": "Hello."}]'
    (tmp_path / "session.json").write_text(short, encoding="utf-8")
    over = compact(tmp_path, "session.json", "--report", "session.json")
    assert over.returncode == 2
    assert "is the session file itself" in over.stderr
    nothing = compact(tmp_path, "session.json", "--report", "page.html")
    assert "noop_too_short" in nothing.stderr
    swallowed = compact(tmp_path, "--report", "session.json")
    assert swallowed.returncode == 2
    assert "Name the session file" in swallowed.stderr
    assert (tmp_path / "session.json").read_text(encoding="utf-8") == short
    assert not (tmp_path / "page.html").exists()


def test_a_page_stays_below_its_size_and_leaves_out_the_texts_of_what_matters_least() -> None:
    def noise(seed: int) -> str:
        return "".join(hashlib.sha256(f"{seed} {line}".encode()).hexdigest() + "\n" for line in range(40))

    def message(index: int) -> Before:
        became = Became.QUOTED if index % 10 == 0 else Became.SUMMARISED
        parts = (Part(kind="text", text=noise(index)),)
        return Before(index=index, side=Side.USER, tokens=900, became=became, words=(), exchange=1, parts=parts)

    account = Account(before=tuple(message(index) for index in range(2000)), after=(), words=())
    result = CompactionResult(status=Status.COMPACTED, thresholds=thresholds(200_000), messages=[])
    page = compaction_page(result, account, title="long", version="1", encoding="o200k_base", count=len)
    record = json.loads(Elements(page).held["script record"])
    held = {int(name[1:]) for name in record["texts"]}
    assert len(page) <= LARGEST
    assert len(record["before"]) == 2000
    assert set(range(0, 2000, 10)) < held
    assert len(held) < 2000
    assert 1999 in held
    assert 1 not in held


def test_the_users_words_are_told_with_the_place_where_they_stand(page: Page) -> None:
    rows = page.locator("#words li")
    assert rows.count() == len(REQUESTS) + 2
    assert "byte for byte in section 6" in rows.nth(1).inner_text()
    rows.nth(1).get_by_role("button").click()
    opened = page.locator("#before details[open]")
    opened.locator("pre").wait_for()
    assert opened.locator("mark").all_inner_texts() == [REQUESTS[1]]
    assert "The user's message 2." in opened.inner_text()
    opened.locator("button.target").click()
    page.get_by_text("Copied: fractal-context compact --restore").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith(" --recall 2")


def test_what_the_archive_is_said_to_hold_it_holds(page: Page, compacted: Compacted) -> None:
    command = page.locator("#archive button").inner_text().split()
    restored = compact(compacted.folder, *command[2:])
    assert restored.stdout == (compacted.folder / "<b>session.json").read_text(encoding="utf-8")
    recalled = compact(compacted.folder, *command[2:], "--recall", "2")
    assert REQUESTS[1] in recalled.stdout


def test_what_became_of_the_messages_adds_up_and_can_be_seen_alone(page: Page) -> None:
    shown = page.locator("#before > li:visible")
    everything = shown.count()
    fates = page.locator("#fates button")
    counted = 0
    for place in range(fates.count()):
        fates.nth(place).click()
        assert fates.nth(place).get_attribute("aria-pressed") == "true"
        assert f": {shown.count()} message" in fates.nth(place).inner_text()
        counted += shown.count()
        fates.nth(place).click()
    assert counted == everything == shown.count()
    assert fates.count() >= 4


def test_keys_alone_open_messages(page: Page) -> None:
    page.locator("#before summary").first.focus()
    page.keyboard.press("Enter")
    page.locator("#before details[open] pre").wait_for()
    page.locator("#strip-after button").first.focus()
    page.keyboard.press("Enter")
    page.locator("#after details[open] pre").wait_for()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button")]
            .filter((one) => !(one.getAttribute("aria-label") ?? one.textContent).trim()).map((one) => one.outerHTML)"""
    )
    assert nameless == []


def test_texts_that_are_markup_or_turn_the_text_around_are_shown_as_they_are_written(page: Page) -> None:
    assert page.get_by_role("heading", level=1).inner_text() == "<b>session.json"
    page.locator("#words button").nth(len(REQUESTS)).click()
    page.locator("#before details[open] pre").wait_for()
    shown = page.locator("#before details[open] pre").inner_text()
    assert shown == f"{ODD} is shown as it is.".replace("\u202e", "\\u202e")
    assert page.locator("main script, main img, main b").count() == 0
