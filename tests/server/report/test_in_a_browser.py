"""The page in Chromium: what is seen, what keys and clicks do, and what no page may do."""

from __future__ import annotations

import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from skeleton.zoom.zoomer import Zoomer
from tests.server.report.conftest import ODD, QUERY, Shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Frame, Page

PATIENCE = 60_000
"""Milliseconds that anything may take to be seen."""

OPEN = "document.querySelector('dialog[open]') !== null"


class Told:
    """The requests of a page, and the messages of its console."""

    def __init__(self, page: Page) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))


class Heard:
    """A server of somebody else, and what it is asked for."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        heard = self.paths

        class Answering(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                heard.append(self.path)
                self.send_response(200)
                self.end_headers()

            do_POST = do_GET  # noqa: N815 - the name that http.server looks for

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the argument there
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"


@pytest.fixture
def heard() -> Iterator[Heard]:
    listening = Heard()
    thread = threading.Thread(target=listening.server.serve_forever)
    thread.start()
    yield listening
    listening.server.shutdown()
    thread.join()
    listening.server.server_close()


@pytest.fixture
def page(browser: Browser, shown: Shown) -> Iterator[Page]:
    """The page, drawn; at the end nothing was fetched and nothing was complained of."""
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    told = Told(opened)
    opened.goto(shown.page.as_uri())
    opened.wait_for_function("document.documentElement.dataset.drawn")
    yield opened
    assert told.requests == [shown.page.as_uri()]
    assert told.complaints == []
    assert opened.evaluate("window.taken") is None
    context.close()


def levels_of(page: Page | Frame) -> dict[str, str]:
    """The level that the map gives each file, by the file's path."""
    return page.evaluate(
        """() => {
            const cells = [...document.querySelectorAll("#map button[data-file]")];
            return Object.fromEntries(cells.map((cell) => [cell.dataset.path, cell.className.split(" ")[1]]));
        }"""
    )


def test_the_slider_gives_the_levels_of_get_context_at_every_budget(page: Page, shown: Shown) -> None:
    slider = page.get_by_role("slider", name="Budget")
    last = int(slider.get_attribute("max") or 0)
    seen: list[dict[str, str]] = []
    for place in range(last + 1):
        slider.fill(str(place))
        budget = int(page.locator("#budget-told").inner_text().replace(",", ""))
        result = shown.engine.get_context(
            str(shown.folder), token_budget=budget, query=QUERY, format="compact", summary=False
        )
        summary = result.metadata.compression_summary
        assert levels_of(page) == {path: level.value for level, paths in summary.items() for path in paths}
        assert page.locator("#used-told").inner_text() == f"{result.tokens_used:,} tokens used"
        seen.append(levels_of(page))
    assert last >= 9
    assert len({tuple(sorted(one.items())) for one in seen}) >= 5


def test_a_search_finds_files_and_definitions_and_dims_the_others(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("step_7_1")
    page.get_by_text("0 files, 1 definition").wait_for()
    assert page.locator("#map button.cell:not(.dim)").count() == 1

    page.get_by_role("searchbox").fill("settings")
    page.get_by_text("1 file, 2 definitions").wait_for()
    page.locator("#found .path").click()
    assert page.locator("#file-name").inner_text() == "src/settings.py"


def test_a_file_opens_its_skeleton_beside_its_source_and_a_click_copies_a_target(page: Page, shown: Shown) -> None:
    page.locator("#map button[aria-label^='src/settings.py']").click()
    page.locator("#source li").first.wait_for()

    source = page.locator("#source code").all_text_contents()
    skeleton = page.locator("#skeleton code").all_text_contents()
    page.locator("#skeleton button.definition", has_text="def load").click()
    page.get_by_text("Copied: src/settings.py::Settings.load").wait_for()
    target = page.evaluate("navigator.clipboard.readText()")

    assert "\n".join(source) + "\n" == (shown.folder / "src/settings.py").read_text(encoding="utf-8")
    assert len(skeleton) < len(source)
    zoomed = Zoomer(shown.engine.index).zoom(target, str(shown.folder)).text
    assert "def load(self, path: str)" in zoomed
    assert "return found" in zoomed
    assert "start" not in zoomed


def test_the_page_says_why_a_query_chose_what_it_shows(page: Page) -> None:
    first = page.locator("#chosen li").first
    told = first.inner_text()
    assert told.startswith("src/settings.py::Settings.load")
    assert "method, all of it" in told
    assert "spoken of by src/settings.py::start" in told
    assert "settings" in first.locator("mark").all_inner_texts()
    first.locator("button.target").click()
    page.get_by_text("Copied: src/settings.py::Settings.load").wait_for()


def test_keys_alone_go_everywhere(page: Page) -> None:
    page.locator("#map button[tabindex='0']").focus()
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert page.locator("#map button[tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert second != first
    assert page.locator("#map button[tabindex='0']").count() == 1

    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.file") is not None
    page.keyboard.press("Enter")
    page.wait_for_function(OPEN)
    page.keyboard.press("Escape")
    page.wait_for_function(f"!({OPEN})")

    page.locator("#map button.folder[aria-label^='src/:']").focus()
    page.keyboard.press("Enter")
    assert page.locator("#crumbs [aria-current]").inner_text() == "src"
    page.keyboard.press("Escape")
    assert page.locator("#crumbs li").count() == 1

    slider = page.get_by_role("slider", name="Budget")
    slider.focus()
    before = page.locator("#budget-told").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#budget-told").inner_text() != before
    assert "files at L0" in (slider.get_attribute("aria-valuetext") or "")


def test_everything_that_can_be_pressed_has_a_name(page: Page) -> None:
    page.locator("#all summary").click()
    page.locator("#largest button").first.click()
    page.locator("#source li").first.wait_for()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button")]
            .filter((one) => !(one.getAttribute("aria-label") ?? one.textContent).trim()).map((one) => one.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("#table tr").count() == len(levels_of(page))


def test_names_that_are_markup_or_turn_the_text_around_are_shown_as_they_are_written(page: Page) -> None:
    page.locator("#all summary").click()
    page.locator("#table th").first.wait_for()  # the table is made when its details are open
    names = page.locator("#table th").all_inner_texts()
    assert page.get_by_role("heading", level=1).inner_text() == "a <b>project"
    for path in ODD:
        assert path.replace("\u202e", "\\u202e") in names
    assert page.locator("#map script, #table script, #table img, #title b").count() == 0
    assert QUERY in page.locator("#question").inner_text()


def test_the_area_of_a_file_is_its_tokens_in_full_or_in_the_context(page: Page) -> None:
    everything = page.locator("#map button.cell").count()
    page.get_by_role("button", name="in the context", exact=True).click()
    in_context = page.locator("#map button.cell").count()
    assert in_context == everything - int(page.locator("#count-L3").inner_text())
    assert page.locator("#map button.L3").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser: Browser, shown: Shown, scheme: str) -> None:
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(shown.page.as_uri())
    page.wait_for_function("document.documentElement.dataset.drawn")
    contrasts = page.evaluate(
        """() => {
            const light = (colour) => {
                const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
                const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const probe = document.body.appendChild(document.createElement("p"));
            const shade = (name) => {
                probe.style.color = `var(--${name})`;
                return light(getComputedStyle(probe).color);
            };
            const pairs = [["L0", "L0-ink"], ["L1", "L1-ink"], ["L2", "L2-ink"], ["L3", "L3-ink"], ["told", "told-ink"], ["ground", "ink"],
                ["paper", "ink"], ["paper", "soft"], ["ground", "soft"], ["paper", "mark"]];
            return Object.fromEntries(pairs.map(([ground, ink]) => {
                const [low, high] = [shade(ground), shade(ink)].sort((one, other) => one - other);
                return [`${ink} on ${ground}`, (high + 0.05) / (low + 0.05)];
            }));
        }"""
    )
    page.close()
    assert {pair: ratio for pair, ratio in contrasts.items() if ratio < 4.5} == {}


def test_the_policy_lets_no_script_of_others_run_and_nothing_out(browser: Browser, shown: Shown, heard: Heard) -> None:
    page = browser.new_page()
    page.goto(shown.page.as_uri())
    page.evaluate(
        """async (there) => {
            const shown = (name, source) => {
                const one = document.createElement(name);
                one.src = source;
                document.body.append(one);
                return new Promise((end) => ["load", "error"].forEach((event) => one.addEventListener(event, end)));
            };
            const attempts = [
                () => fetch(there),
                () => shown("img", there),
                () => shown("iframe", there),
                () => navigator.sendBeacon(there, "taken"),
                () => { document.body.innerHTML += "<img src=x onerror='window.taken = 1'>"; },
                () => { document.body.append(Object.assign(document.createElement("script"), { text: "window.taken = 1" })); },
            ];
            for (const attempt of attempts) try { await attempt(); } catch { }
        }""",
        heard.address,
    )
    assert page.evaluate("window.taken") is None
    page.close()
    assert heard.paths == []
    with urllib.request.urlopen(heard.address) as answer:
        assert answer.status == 200
    assert heard.paths == ["/"]
