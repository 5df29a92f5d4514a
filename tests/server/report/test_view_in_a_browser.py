"""The page of `view` in Chromium: what it asks and follows, and that no other page reads or steers it."""

from __future__ import annotations

import os
import shlex
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.server.report.conftest import CHROMIUM, QUERY, Shown
from tests.server.report.test_in_a_browser import PATIENCE, Told, levels_of
from tests.server.report.viewing import Viewed, viewing
from tests.trees import write_tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

expect.set_options(timeout=PATIENCE)

ATTACK = """async ([there, key]) => {
    const got = {};
    const tried = async (name, attempt) => {
        try { got[name] = await attempt(); } catch (error) { got[name] = String(error.name); }
    };
    const loaded = (name, attributes) => {
        const one = Object.assign(document.createElement(name), attributes);
        document.body.append(one);
        return new Promise((end) => { one.onload = () => end("loaded"); one.onerror = () => end("failed"); });
    };
    const body = JSON.stringify({ query: "TAKEN" });
    const bearer = { authorization: `Bearer ${key}` };
    await tried("page", async () => (await fetch(there)).text());
    await tried("record", async () => (await fetch(`${there}record`, { method: "POST", body, headers: bearer })).text());
    await tried("without a header", async () => (await fetch(`${there}record`, { method: "POST", body })).text());
    await tried("unread", async () => (await fetch(`${there}record`, { method: "POST", mode: "no-cors", body })).text());
    await tried("beacon", async () => String(navigator.sendBeacon(`${there}record`, body)));
    await tried("script", () => loaded("script", { src: there }));
    await tried("image", () => loaded("img", { src: there }));
    await tried("frame", async () => {
        const frame = document.createElement("iframe");
        frame.src = `${there}#${key}`;
        document.body.append(frame);
        await new Promise((end) => { frame.onload = end; });
        return frame.contentDocument ? "readable" : "closed";
    });
    await tried("window", async () => {
        const opened = open(`${there}#${key}`, "_blank");
        for (let turn = 0; turn < 200; turn += 1) {  // an empty page of this origin stands there at first
            if (!opened || !opened.document) { return "closed"; }
            await new Promise((end) => setTimeout(end, 50));
        }
        return "readable";
    });
    return got;
}"""


class Elsewhere:
    """A page of somebody else, on loopback as well."""

    def __init__(self) -> None:
        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>elsewhere</title><link rel=icon href=data:,>")

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the argument there
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.port = self.server.server_port


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Elsewhere]:
    other = Elsewhere()
    thread = threading.Thread(target=other.server.serve_forever)
    thread.start()
    yield other
    other.server.shutdown()
    thread.join()
    other.server.server_close()


@pytest.fixture(scope="module")
def viewed(shown: Shown) -> Iterator[Viewed]:
    with viewing(shown.folder, "--budget", "2500", "--query", QUERY) as served:
        yield served


def opened(browser: Browser, address: str) -> tuple[Page, Told]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    told = Told(page)
    page.goto(address)
    return page, told


@pytest.fixture
def page(browser: Browser, viewed: Viewed) -> Iterator[Page]:
    """The page, drawn; at the end nothing else was asked, and nothing was complained of."""
    page, told = opened(browser, viewed.address)
    page.locator("html[data-drawn]").wait_for(state="attached")
    yield page
    assert {request.split("/", 3)[2] for request in told.requests} == {f"127.0.0.1:{viewed.port}"}
    assert told.complaints == []
    assert page.evaluate("window.taken") is None
    page.context.close()


def enter(page: Page, field: str, text: str) -> None:
    page.get_by_label(field, exact=True).fill(text)
    page.keyboard.press("Enter")


def expect_levels(page: Page, shown: Shown, budget: int, **question: Any) -> None:
    result = shown.engine.get_context(
        str(shown.folder), token_budget=budget, format="compact", summary=False, **question
    )
    expect(page.locator("#used-told")).to_have_text(f"{result.tokens_used:,} tokens used")
    summary = result.metadata.compression_summary
    assert levels_of(page) == {path: level.value for level, paths in summary.items() for path in paths}


def test_the_budget_the_query_and_the_focus_are_asked_of_the_engines(page: Page, shown: Shown, viewed: Viewed) -> None:
    assert page.url == viewed.origin + "/"
    expect_levels(page, shown, 2500, query=QUERY)
    enter(page, "Tokens", "3k")
    expect_levels(page, shown, 3000, query=QUERY)
    enter(page, "Query", "step 7")
    expect_levels(page, shown, 3000, query="step 7")
    enter(page, "Focus", "src/settings.py, step_7_1")
    expect_levels(page, shown, 3000, query="step 7", focus=["src/settings.py", "step_7_1"])
    page.get_by_role("slider", name="Budget").fill("0")
    expect_levels(page, shown, 500, query="step 7", focus=["src/settings.py", "step_7_1"])
    expect(page.get_by_label("Tokens", exact=True)).to_have_value("500")
    page.reload()
    page.locator("html[data-drawn]").wait_for(state="attached")
    expect_levels(page, shown, 2500, query=QUERY)


def test_what_cannot_be_answered_is_told_and_what_was_shown_stays(page: Page, shown: Shown) -> None:
    enter(page, "Tokens", "10")
    expect(page.get_by_role("alert")).to_contain_text("too small")
    expect_levels(page, shown, 2500, query=QUERY)
    enter(page, "Tokens", "2500")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_zoom_a_file_and_a_search_show_what_the_program_has(page: Page) -> None:
    enter(page, "Zoom", "Settings.load")
    expect(page.locator("#zoom-text")).to_contain_text("found[name] = value")
    page.keyboard.press("Escape")
    page.locator("#map button[aria-label^='src/settings.py']").click()
    expect(page.locator("#source")).to_contain_text("class Settings:")
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").fill("step_7_1")
    expect(page.locator("#found-count")).to_have_text("0 files, 1 definition")


def test_an_edit_shows_by_itself_and_what_is_open_stays_open(browser: Browser, tmp_path: Path) -> None:
    write_tree(tmp_path / "code", {f"src/part_{n}.py": f"def one_{n}():\n    return {n}\n" for n in range(3)})
    write_tree(tmp_path / "code", {"main.py": "import src\n"})
    with viewing(tmp_path / "code") as viewed:
        page, told = opened(browser, viewed.address)
        page.locator("#map button.folder").click(position={"x": 4, "y": 4})
        page.locator("#map button[aria-label^='src/part_1.py']").click()
        expect(page.locator("#source li")).to_have_count(2)

        (tmp_path / "code" / "src" / "part_1.py").write_text(
            "def other():\n    # new\n    return 5\n", encoding="utf-8"
        )
        expect(page.locator("#source li")).to_have_count(3)
        expect(page.locator("#crumbs [aria-current]")).to_have_text("src")

        (tmp_path / "code" / "src" / "part_1.py").unlink()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("#map button.cell")).to_have_count(2)
        assert told.complaints == []

        viewed.process.terminate()
        expect(page.get_by_role("alert")).to_contain_text("has ended")
        page.context.close()


def test_without_its_key_the_page_says_how_to_open_it(browser: Browser, viewed: Viewed) -> None:
    for address, said in ((viewed.origin, "behind the #"), (f"{viewed.origin}/#wrong", "needs its token")):
        page, _ = opened(browser, address)
        expect(page.get_by_role("alert")).to_contain_text(said)
        assert page.locator("#map button").count() == 0
        page.context.close()


def test_the_address_that_a_browser_is_given_opens_the_page_once(
    browser: Browser, shown: Shown, tmp_path: Path
) -> None:
    pipe = tmp_path / "address"
    os.mkfifo(pipe)
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\nprintf %s "$1" > {shlex.quote(str(pipe))}\n', encoding="utf-8")
    program.chmod(0o755)
    with viewing(shown.folder, browser=str(program)) as viewed:
        address = pipe.read_text(encoding="utf-8")
        assert viewed.key not in address
        wrong, _ = opened(browser, f"{viewed.origin}/#!{viewed.key}")
        expect(wrong.get_by_role("alert")).to_contain_text("opens the page once")
        page, told = opened(browser, address)
        page.locator("html[data-drawn]").wait_for(state="attached")
        page.reload()
        page.locator("html[data-drawn]").wait_for(state="attached")
        again, _ = opened(browser, address)
        expect(again.get_by_role("alert")).to_contain_text("opens the page once")
        assert told.complaints == []
        for one in (wrong, page, again):
            one.context.close()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "evil.example"])
def test_a_page_of_another_origin_reads_nothing_even_with_the_key(
    browser: Browser, viewed: Viewed, elsewhere: Elsewhere, name: str
) -> None:
    attacker = browser.browser_type.launch(
        executable_path=CHROMIUM, args=["--host-resolver-rules=MAP *.example 127.0.0.1"]
    )
    page, _ = opened(attacker, f"http://{name}:{elsewhere.port}/")
    got = page.evaluate(ATTACK, [f"{viewed.origin}/", viewed.key])
    windows = [one.content() for one in page.context.pages[1:]]
    attacker.close()
    assert got["page"] == got["record"] == got["without a header"] == "TypeError"
    assert got["unread"] in ("", "TypeError")
    assert got["script"] == got["image"] == "failed"
    assert got["frame"] in ("closed", "SecurityError")
    assert got["window"] in ("closed", "SecurityError")
    assert not [text for text in windows if "settings" in text]


def test_a_name_that_leads_to_loopback_opens_nothing(viewed: Viewed, browser: Browser) -> None:
    attacker = browser.browser_type.launch(
        executable_path=CHROMIUM, args=["--host-resolver-rules=MAP *.example 127.0.0.1"]
    )
    page, _ = opened(attacker, f"http://rebound.example:{viewed.port}/#{viewed.key}")
    said = page.content()
    statuses = page.evaluate(
        """async (key) => {
            const headers = { authorization: `Bearer ${key}` };
            const asked = (what) => fetch(what, { method: "POST", body: "{}", headers }).then((one) => one.status);
            return Promise.all(["/record", "/texts", "/zoom", "/changes"].map(asked));
        }""",
        viewed.key,
    )
    attacker.close()
    assert "Invalid Host header" in said
    assert statuses == [421] * 4
