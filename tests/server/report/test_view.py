"""The command `view`: who is answered, with what, and how it ends."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from server.report.record import record
from server.report.shell import as_json
from server.versions import distribution_version
from tests.server.pipes import EXIT_TIMEOUT, forked_command
from tests.server.report.conftest import QUERY, Shown
from tests.server.report.viewing import Viewed, viewing
from tests.server.web import get, options, post

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ANSWERS = ("record", "texts", "zoom", "changes")


@pytest.fixture(scope="module")
def viewed(shown: Shown) -> Iterator[Viewed]:
    with viewing(shown.folder, "--budget", "2500", "--query", QUERY) as served:
        yield served


def refused(viewed: Viewed, what: str, **headers: str) -> int:
    return post(f"{viewed.origin}/{what}", json={}, headers=viewed.headers | headers).status_code


def test_the_page_is_open_and_holds_neither_the_key_nor_anything_of_the_folder(viewed: Viewed) -> None:
    page = get(viewed.origin + "/")
    assert page.status_code == 200
    assert '<script type="application/json" id="record">null</script>' in page.text
    for word in (viewed.key, "settings.py", "a <b>project"):
        assert word not in page.text
    assert "connect-src 'self'" in page.text
    assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("what", ANSWERS)
def test_every_answer_needs_the_key_in_its_header(viewed: Viewed, what: str) -> None:
    address = f"{viewed.origin}/{what}"
    assert len(viewed.key) >= 43
    for given in ({}, {"Authorization": f"Bearer {viewed.key[:-1]}"}, {"Cookie": f"key={viewed.key}"}):
        assert post(address, json={}, headers=given).status_code == 401
    assert post(f"{address}?key={viewed.key}", json={}).status_code == 401
    assert get(address, headers=viewed.headers).status_code == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_another_host_and_another_page_are_refused_even_with_the_key(
    viewed: Viewed, headers: dict[str, str], status: int
) -> None:
    assert refused(viewed, "record", **headers) == status
    page = get(viewed.origin + "/", headers=headers)
    assert page.status_code == (200 if headers == {"Sec-Fetch-Site": "none"} else status)


def test_no_answer_lets_another_origin_read_it(viewed: Viewed) -> None:
    asking = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answers = [
        options(viewed.origin + "/record", headers=asking | {"Access-Control-Request-Headers": "authorization"}),
        get(viewed.origin + "/"),
        post(viewed.origin + "/record", json={}, headers=viewed.headers),
    ]
    assert answers[0].status_code == 403
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["x-frame-options"] == "DENY"


def test_a_record_is_that_of_a_report(viewed: Viewed, shown: Shown) -> None:
    for budget, query in ((2500, QUERY), (900, ""), (None, "settings")):
        profile = shown.engine.profile(
            str(shown.folder), token_budget=budget, query=query, format="compact", whole_row=False
        )
        expected = record(
            profile,
            title=shown.folder.name,
            version=distribution_version(),
            question=[("query", query)] if query else [],
        )
        said = "unlimited" if budget is None else str(budget)
        answer = viewed.asked("record", budget=said, query=query)
        stops = answer["record"].pop("stops")
        assert answer["record"] == json.loads(as_json(expected))
        assert answer["asked"] == {"budget": said, "query": query, "focus": []}
        assert (budget or 0) in stops


def test_what_a_question_leaves_out_is_what_the_command_was_given(viewed: Viewed) -> None:
    answer = viewed.asked("record")
    assert answer["asked"] == {"budget": "2500", "query": QUERY, "focus": []}
    assert answer["record"]["question"] == [["query", QUERY]]


def test_the_texts_are_those_of_the_report(viewed: Viewed, shown: Shown) -> None:
    page = shown.page.read_text(encoding="utf-8")
    all_texts = viewed.asked("texts")["texts"]
    one = viewed.asked("texts", path="src/settings.py")["texts"]
    assert len(all_texts) == 27
    assert one == {"src/settings.py": all_texts["src/settings.py"]}
    assert one["src/settings.py"] in page


def test_a_folder_is_zoomed_as_elsewhere(viewed: Viewed) -> None:
    for target in ("src/", "src", "file=src/"):
        headline, *lines = viewed.asked("zoom", target=target)["text"].splitlines()
        assert " files: " in headline
        assert any("settings.py" in line for line in lines)


@pytest.mark.parametrize(
    ("what", "question", "said"),
    [
        ("record", {"budget": "ten"}, "ten"),
        ("record", {"budget": "10"}, "too small"),
        ("record", {"focus": ["nothing_like_it"]}, "nothing_like_it"),
        ("texts", {"path": "../outside.py"}, "outside"),
        ("texts", {"path": "gone.py"}, "does not exist"),
        ("zoom", {"target": "Settings.lod"}, "Settings.load"),
    ],
)
def test_a_question_that_cannot_be_answered_is_told_why(
    viewed: Viewed, what: str, question: dict[str, Any], said: str
) -> None:
    answer = viewed.asked(what, **question)
    assert said in answer["error"]
    assert not {"record", "texts", "text"} & answer.keys()


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"budget": 5}', b'{"path": "x", "more": 1}'])
def test_a_question_of_another_form_is_refused(viewed: Viewed, body: bytes) -> None:
    answer = post(f"{viewed.origin}/record", content=body, headers=viewed.headers)
    assert answer.status_code == 400
    assert "not of its form" in answer.text


def test_an_edit_and_the_end_of_the_folder_are_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "a.py").write_text("def one():\n    return 1\n", encoding="utf-8")
    with viewing(folder) as viewed:
        first = viewed.asked("record")
        with viewed.heard() as versions:
            assert next(versions) == first["version"]

            (folder / "b.py").write_text("def two():\n    return 2\n", encoding="utf-8")
            assert next(versions) > first["version"]
            assert [row[0] for row in viewed.asked("record")["record"]["files"]] == ["a.py", "b.py"]
            assert sorted(path.name for path in folder.iterdir()) == ["a.py", "b.py"]

            shutil.rmtree(folder)
            assert next(versions) > first["version"]
            assert "does not exist" in viewed.asked("record")["error"]

            folder.mkdir()
            assert next(versions)
            (folder / "c.py").write_text("def three():\n    return 3\n", encoding="utf-8")
            assert next(versions)
            assert [row[0] for row in viewed.asked("record")["record"]["files"]] == ["c.py"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_while_a_page_listens(shown: Shown, number: signal.Signals) -> None:
    with viewing(shown.folder) as viewed:
        with viewed.heard() as versions:
            assert next(versions) == 1
            viewed.process.send_signal(number)
            assert list(versions) == []  # ended, not torn off
        viewed.process.wait(timeout=EXIT_TIMEOUT)
        assert viewed.process.returncode == 0
        assert viewed.process.stderr is not None
        assert viewed.process.stderr.read() == "Ctrl-C ends it.\n"


def test_what_cannot_be_shown_is_said_before_anything_is_served(shown: Shown, tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [*forked_command(), "view", "--no-open", *arguments],
            capture_output=True,
            text=True,
            timeout=EXIT_TIMEOUT,
            check=False,
        )
        assert done.returncode == 2
        assert done.stdout == ""
        return done.stderr

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port} cannot be listened on: Address already in use" in said(str(shown.folder), "--port", port)
    assert "does not exist" in said(str(tmp_path / "nowhere"))
    assert "many" in said(str(shown.folder), "--budget", "many")
    assert "a number from 0 to 65535, not '70000'" in said(str(shown.folder), "--port", "70000")
