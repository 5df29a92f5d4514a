"""The view of a context as an MCP App: what a client is told, that others notice nothing, and a host that shows it."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.shared.exceptions import MCPError

from server.mcp_app import RECORD_URI, VIEW_URI
from tests.server.pipes import REPOSITORY, RawServer, connected
from tests.server.report.conftest import QUERY, Shown
from tests.server.report.test_in_a_browser import PATIENCE, levels_of
from tests.server.web import listening

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

BAD = {"error", "warning"}
"""Of what a console is told; the bridge tells it of each message as well."""

CALL: dict[str, Any] = {"path": ".", "token_budget": 2500, "query": QUERY}


def answered(folder: Path, capabilities: dict[str, Any]) -> list[bytes]:
    """Returns the answers to some requests of a client with such capabilities, byte for byte."""
    with RawServer(folder) as server:
        info = {"protocolVersion": "2025-11-25", "clientInfo": {"name": "test", "version": "1"}}
        server.answer_to(server.send("initialize", {**info, "capabilities": capabilities}))
        server.send("notifications/initialized", request=False)
        lines: list[bytes] = []
        assert server.process.stdout is not None
        for method, params in (
            ("tools/call", {"name": "get_context", "arguments": CALL}),
            ("resources/list", {}),
            ("resources/templates/list", {}),
            ("tools/list", {}),
        ):
            server.send(method, params)
            lines.append(server.process.stdout.readline())
        return lines


def test_a_client_without_the_extension_is_sent_the_same_bytes(shown: Shown) -> None:
    plain = answered(shown.folder, {})
    able = answered(shown.folder, {"extensions": {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}}})
    assert plain[:3] == able[:3]
    assert able[3].replace(f',"ui":{{"resourceUri":"{VIEW_URI}"}}'.encode(), b"") == plain[3] != able[3]
    result = json.loads(plain[0])["result"]
    assert "settings" in result["content"][0]["text"]
    assert result["_meta"].keys() == {"metadata"}
    assert b"ui://" not in b"".join(plain)


async def test_the_view_is_a_page_of_the_extension(shown: Shown) -> None:
    async with connected(shown.folder) as client:
        (page,) = (await client.read_resource(VIEW_URI)).contents
    assert page.mime_type == APP_MIME_TYPE
    assert "default-src 'none'" in page.text  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - it is one of text
    assert "connect-src" not in page.text  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType] - as above


async def test_the_record_of_a_view_is_that_of_the_report(shown: Shown) -> None:
    async with connected(shown.folder) as client:
        (told,) = (await client.read_resource(RECORD_URI + quote(json.dumps(CALL)))).contents
        record = json.loads(told.text)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType] - as above
        page = shown.page.read_text(encoding="utf-8")
        held = json.loads(page.partition('id="record">')[2].partition("</script>")[0])
        assert {**record, "version": "1"} == held

        for arguments, said in (
            ('{"token_budget": 3}', "too small"),
            ('{"path": "nowhere"}', "does not exist"),
            ("[]", "should be an object"),
        ):
            with pytest.raises(MCPError, match=said):
                await client.read_resource(RECORD_URI + quote(arguments))


@pytest.fixture
def hosting(tmp_path: Path) -> Iterator[str]:
    """A page that holds the extension's own host; its address."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    home = REPOSITORY / "page"
    if not (home / "node_modules" / "@modelcontextprotocol").is_dir():
        subprocess.run([npm, "ci", "--silent"], cwd=home, check=True)
    bundle = ["--bundle", "--format=iife", "--log-level=error", f"--outfile={tmp_path / 'host.js'}"]
    subprocess.run([home / "node_modules" / ".bin" / "esbuild", "host.ts", *bundle], cwd=home, check=True)
    (tmp_path / "index.html").write_text(
        "<!doctype html><link rel=icon href=data:,><script src=host.js></script>", encoding="utf-8"
    )

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the argument there
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.long
def test_the_view_is_drawn_by_a_host_of_the_extension(browser: Browser, shown: Shown, hosting: str) -> None:
    with listening(shown.folder, flags=["--allowed-origin", hosting]) as served:
        context = browser.new_context(viewport={"width": 1100, "height": 900})
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type in BAD else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(hosting)
        text = page.evaluate("([address, call]) => show(address, call)", [served.url, CALL])
        frame = page.frames[1]
        frame.locator("html[data-drawn]").wait_for(state="attached")
        expected = shown.engine.get_context(str(shown.folder), token_budget=2500, query=QUERY, format="compact")
        unsummed = shown.engine.get_context(
            str(shown.folder), token_budget=2500, query=QUERY, format="compact", summary=False
        )
        assert text == expected.context
        summary = unsummed.metadata.compression_summary
        assert levels_of(frame) == {path: level.value for level, paths in summary.items() for path in paths}
        assert frame.locator("#title").inner_text() == "a <b>project"
        assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
        assert frame.locator("#question").inner_text().startswith("query")
        height = page.locator("iframe").bounding_box()
        assert height is not None
        assert height["height"] > 600
        assert frame.evaluate(
            """() => [...document.querySelectorAll("#map button.cell")].every((cell) => {
                const { left, top, width, height } = cell.getBoundingClientRect();
                const there = document.elementFromPoint(left + width / 2, top + height / 2);
                return there === null || cell.contains(there);
            })"""
        )
        frame.locator("#map button[aria-label^='src/settings.py']").press("Enter")
        frame.locator("#source li").first.wait_for()
        assert complaints == []
        assert frame.evaluate("window.taken") is None
        context.close()
