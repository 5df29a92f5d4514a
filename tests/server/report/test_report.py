"""The page as a file: what it holds, how large it is, and that its script is what its sources give."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from allocator.profile import LevelLines, NamedDefinition, Profile, ProfiledFile, ProfiledText, Purchase, budgets
from scripts.page_sources import digests
from server.report.page import LARGEST, report_page
from skeleton import CompressionLevel
from tests.server.pipes import REPOSITORY, forked_command
from tests.server.report.conftest import QUERY, Shown

if TYPE_CHECKING:
    from collections.abc import Mapping

ASSETS = REPOSITORY / "server" / "report" / "assets"


class Elements(HTMLParser):
    """The elements of a page, and what stands in its scripts and styles."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.started: list[str] = []
        self.held: dict[str, str] = {}
        self.policy = ""
        self.feed(page.decode("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.started.append(tag)
        told = dict(attrs)
        if told.get("http-equiv") == "Content-Security-Policy":
            self.policy = told["content"] or ""
        self._in = f"{tag} {told.get('id') or ''}".strip()

    def handle_data(self, data: str) -> None:
        if self.started and self._in in ("script", "script record", "style"):
            self.held[self._in] = self.held.get(self._in, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._in = f"after {tag}"


def record_of(page: bytes) -> Mapping[str, Any]:
    return json.loads(Elements(page).held["script record"])


def test_the_page_is_one_file_whose_policy_allows_its_one_script_and_style(shown: Shown) -> None:
    page = Elements(shown.page.read_bytes())
    for name in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(page.held[name].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in page.policy
    assert "default-src 'none'" in page.policy
    assert "unsafe" not in page.policy
    assert page.started.count("script") == 2
    assert {"link", "img", "iframe", "form", "object"}.isdisjoint(page.started)


def test_the_report_of_a_command_holds_what_the_command_buys(shown: Shown, tmp_path: Path) -> None:
    command = [*forked_command(), "pack", str(shown.folder), "--query", QUERY, "--budget", "2500"]
    target = tmp_path / "report.html"
    done = subprocess.run([*command, "--report", str(target)], capture_output=True, check=True)
    told = subprocess.run([*command, "--metadata"], capture_output=True, check=True)

    record, metadata = record_of(target.read_bytes()), json.loads(told.stdout)
    levels = dict.fromkeys((row[0] for row in record["files"]), 3)
    for _, _, moved in record["budgets"][: record["asked"] + 1]:
        levels |= {record["files"][file][0]: level for file, level, _ in moved}
    assert done.stdout == b""
    assert record["budgets"][record["asked"]][:2] == [2500, metadata["tokens_used"]]
    expected = {path: int(level[1]) for level, paths in metadata["compression_summary"].items() for path in paths}
    assert levels == expected
    assert record["question"] == [["query", QUERY]]


def test_the_row_of_budgets_holds_what_was_asked_for_and_goes_as_far_as_everything() -> None:
    listed = budgets(20_000, 8_000)
    assert listed == sorted(set(listed))
    assert 8_000 in listed
    assert listed[0] == 500
    assert 20_000 < listed[-1] < 50_000
    assert budgets(10**9, None)[-1] <= 200_000
    assert budgets(0, None) == [500]


def large(files: int) -> Profile:
    """A profile of many files with long texts that do not compress."""
    text = "".join(hashlib.sha256(str(line).encode()).hexdigest() + "\n" for line in range(60))

    def file(number: int) -> ProfiledFile:
        path = f"packages/component_{number % 40}/source/module_{number}.py"
        return ProfiledFile(
            path=path,
            language="python",
            tokens=(900, 400, 200),
            text=ProfiledText(
                source=text,
                skeletons={CompressionLevel.SKELETON: LevelLines(text="a\n", numbers=(1,))},
                definitions=[NamedDefinition(target=f"{path}::a", name="a", kind="function", line=1)],
            ),
        )

    purchases = [
        Purchase(
            budget=500 * (step + 1),
            tokens_used=400 * (step + 1),
            shown=dict.fromkeys(range(step, files, 3), (CompressionLevel.SKELETON, 200)),
        )
        for step in range(18)
    ]
    return Profile(
        files=[file(number) for number in range(files)],
        problems=[],
        purchases=purchases,
        asked=4,
        chosen=[],
        more_chosen=0,
        encoding="o200k_base",
    )


@pytest.mark.parametrize("files", [20, 2000])
def test_a_page_stays_below_its_size_and_leaves_out_the_texts_of_what_is_not_shown_first(files: int) -> None:
    profile = large(files)
    page = report_page(profile, title="large", version="1")
    held = {int(number) for number in record_of(page)["texts"]}
    assert len(page) <= LARGEST
    assert len(record_of(page)["files"]) == files
    if files == 20:
        assert len(held) == files
    else:
        assert 0 < len(held) < files
        assert held <= set(profile.purchases[profile.asked].shown)


def test_the_script_is_made_of_its_sources_as_they_are_now() -> None:
    said = (ASSETS / "SOURCES.txt").read_text(encoding="utf-8")
    assert said == digests(), "run scripts/page and commit what it writes into server/report/assets"
    assert "ISC" in (ASSETS / "LICENSES.txt").read_text(encoding="utf-8") or "Permission to use" in (
        ASSETS / "LICENSES.txt"
    ).read_text(encoding="utf-8")


@pytest.mark.long
def test_the_sources_give_the_same_bytes_again() -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    done = subprocess.run([REPOSITORY / "scripts" / "page", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
