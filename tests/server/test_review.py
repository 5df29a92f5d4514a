"""`review`: what a diff touches, as a context and as a page; and the action that posts the page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
import yaml

from allocator import ContextEngine
from server.cli import DONE, WRONG_CALL, run
from server.review_command import MOST_LISTED, page
from tests.trees import git, make_repository, write_tree
from workspace.errors import InvalidArgumentError
from workspace.git.diff import Change, ChangeKind
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Generator

HOME = Path(__file__).resolve().parents[2]
ACTION = HOME / ".github/actions/review"
SHOP = """\
def price(cart):
    return sum(cart)


def total(carts):
    return sum(price(cart) for cart in carts)


def unrelated():
    return 0
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = make_repository(
        tmp_path / "shop",
        {
            "shop.py": SHOP,
            "tests/test_shop.py": "from shop import price\n\n\ndef test_price():\n    assert price([1]) == 1\n",
            "old name|`x`.py": "".join(f"OLD_{number} = {number}\n" for number in range(20)),
            "uv.lock": "a\n",
        },
    )
    git(folder, "branch", "-M", "main")
    git(folder, "checkout", "-q", "-b", "topic")
    (folder / "shop.py").write_text(
        SHOP.replace("price(cart):\n    return sum(cart)", "price(cart, tax=0):\n    return sum(cart) + tax")
    )
    (folder / "uv.lock").write_text("b\n")
    (folder / "old name|`x`.py").rename(folder / "new.py")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "tax")
    git(folder, "checkout", "-q", "main")
    (folder / "main_only.py").write_text("MAIN = 1\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "meanwhile")
    git(folder, "checkout", "-q", "topic")
    return folder


def printed(words: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    assert run(words) == DONE
    return capfd.readouterr().out


def test_changed_definitions_come_in_full_with_what_uses_them_and_their_tests(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = printed(["review", "main...topic", str(repository)], capfd)
    assert "⋮- def price(cart):" in text
    assert "def price(cart, tax=0):\n    return sum(cart) + tax\n" in text
    assert "def total(carts):" in text
    assert "price(cart) for cart" not in text
    assert "def test_price():" in text
    assert "def unrelated(): ..." in text  # of a file this small every signature is there
    assert "main_only" not in text
    assert "uv.lock [CHANGED] [+1 -1]" in text
    assert text == printed(["pack", str(repository), "--changed", "main...topic"], capfd)


def test_the_work_tree_is_reviewed_where_no_range_is_named(
    repository: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "added.py").write_text("def added():\n    return 1\n")
    monkeypatch.chdir(repository)
    text = printed(["review"], capfd)
    assert "+++ added.py [NEW]" in text
    assert "price" not in text
    made = json.loads(printed(["review", "--json", "--format", "markdown"], capfd))
    assert made["context"].startswith("### `worktree`: 1 file, ")
    assert made["metadata"]["changes"] == {"new": ["added.py"]}


def test_the_page_tells_of_every_file_and_folds_the_code_away(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = printed(["review", "main...topic", str(repository), "--format", "markdown", "--budget", "2k"], capfd)
    head, details, folded = text.partition("<details>")
    assert details
    assert head.splitlines() == [
        "### `main...topic`: 3 files, +3 -3",
        "",
        "| file | | lines |",
        "|---|---|---:|",
        "| `new.py` | renamed from ``  old name\\|`x`.py  ``".replace("``  ", "`` ").replace("  ``", " ``") + " |  |",
        "| `shop.py` | changed | +2 -2 |",
        "| `uv.lock` | changed | +1 -1 |",
        "",
    ]
    assert "## shop.py " in folded
    assert folded.rstrip().endswith("</details>")
    assert len(re.findall("^```", folded, re.MULTILINE)) % 2 == 0


def test_the_page_is_narrowed_as_the_context_is(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = [
        "review",
        "main...topic",
        str(repository),
        "--format",
        "markdown",
        "--exclude",
        "*.lock",
        "--include",
        "*.py",
    ]
    text = printed(words, capfd)
    assert "uv.lock" not in text
    assert "2 files, +2 -2" in text


def test_a_page_of_nothing_and_one_of_very_many_files_are_short() -> None:
    assert page("HEAD", [], "x") == "### `HEAD`: nothing changed\n"
    many = [Change(path=f"{number}.py", kind=ChangeKind.NEW) for number in range(MOST_LISTED + 9)]
    assert "| and 9 more | | |" in page("a..b", many, "x")


@pytest.mark.parametrize("wanted", ["nothing..there", "--output=x", "main..", "..", "main....topic"])
def test_a_range_that_names_no_commits_is_a_wrong_call(repository: Path, wanted: str) -> None:
    before = sorted(repository.iterdir())
    words = ["review", "--", wanted, str(repository)] if wanted.startswith("-") else ["review", wanted, str(repository)]
    code = run(words)
    assert code in ({WRONG_CALL} if wanted not in {"main..", ".."} else {WRONG_CALL, DONE})
    assert sorted(repository.iterdir()) == before


class GitHub(BaseHTTPRequestHandler):
    """The part of GitHub's interface that keeps the comments of a pull request."""

    comments: ClassVar[list[dict[str, Any]]] = []
    asked: ClassVar[list[str]] = []
    allowed: ClassVar[bool] = True

    def do_GET(self) -> None:
        page_number = int(self.path.rpartition("=")[2])
        self._answer(200, self.comments[(page_number - 1) * 100 : page_number * 100])

    def do_POST(self) -> None:
        comment = {"id": 1000 + len(self.comments), "user": {"type": "Bot"}, **self._read()}
        if self.allowed:
            self.comments.append(comment)
        self._answer(201 if self.allowed else 403, comment)

    def do_PATCH(self) -> None:
        number = int(self.path.rpartition("/")[2])
        (comment,) = (one for one in self.comments if one["id"] == number)
        comment |= self._read()
        self._answer(200, comment)

    def _read(self) -> dict[str, str]:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, code: int, value: object) -> None:
        self.asked.append(f"{self.command} {self.path.partition('?')[0]} {self.headers['Authorization']}")
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the argument there
        """Says nothing."""


@pytest.fixture
def github() -> Generator[str]:
    GitHub.comments[:] = [{"id": number, "body": "hello", "user": {"type": "User"}} for number in range(130)]
    GitHub.asked[:] = []
    GitHub.allowed = True
    with ThreadingHTTPServer(("127.0.0.1", 0), GitHub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def step(number: int, tmp_path: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs one step of the action in the shell that it names."""
    made = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"][number]
    named = {name: value for name, value in variables.items() if name.isupper()}
    assert made["env"].keys() <= named.keys() | {"PACKAGE"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", made["run"]],
        env=os.environ
        | named
        | {
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_ACTION_PATH": str(ACTION),
            "GITHUB_REPOSITORY": "o/r",
            "no_proxy": "*",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_action_makes_the_page_and_keeps_one_comment_current(repository: Path, github: str, tmp_path: Path) -> None:
    program = tmp_path / "fractal/bin/fractal-context"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{HOME}" exec "{sys.executable}" -m fractal_context "$@"\n')
    program.chmod(0o755)
    made = step(2, tmp_path, RANGE="main...topic", FOLDER=str(repository), BUDGET="2k")
    assert made.returncode == 0, made.stderr
    summary = tmp_path / "summary.md"
    given = {"TOKEN": "t", "NUMBER": "7", "GITHUB_API_URL": github, "GITHUB_STEP_SUMMARY": str(summary)}
    for _ in range(2):
        posted = step(3, tmp_path, **given)
        assert posted.returncode == 0, posted.stderr
    assert [asked.split()[0] for asked in GitHub.asked] == ["GET", "GET", "GET", "POST", "GET", "GET", "PATCH"]
    assert all(asked.endswith("Bearer t") for asked in GitHub.asked)
    (mine,) = (one for one in GitHub.comments if one["user"]["type"] == "Bot")
    assert "### `main...topic`: 3 files, +3 -3" in mine["body"]
    assert "### `main...topic`" in summary.read_text(encoding="utf-8")


def test_without_the_right_to_comment_the_job_goes_on(github: str, tmp_path: Path) -> None:
    GitHub.allowed = False
    (tmp_path / "review.md").write_text("### page\n" + "x\n" * 50_000)
    posted = step(3, tmp_path, TOKEN="t", NUMBER="7", GITHUB_API_URL=github, GITHUB_STEP_SUMMARY="")
    assert posted.returncode == 0, posted.stderr
    assert "::notice::" in posted.stdout


def test_a_page_that_github_would_not_take_is_cut(github: str, tmp_path: Path) -> None:
    (tmp_path / "review.md").write_text("### page\n```\n" + "x\n" * 50_000)
    assert step(3, tmp_path, TOKEN="t", NUMBER="7", GITHUB_API_URL=github, GITHUB_STEP_SUMMARY="").returncode == 0
    assert len(GitHub.comments[-1]["body"]) < 65_536
    assert GitHub.comments[-1]["body"].endswith("give a smaller budget.\n")


def test_no_step_of_the_action_has_text_of_a_pull_request_in_its_script() -> None:
    for path in (ACTION / "action.yml", HOME / ".github/workflows/review.yml"):
        text = path.read_text(encoding="utf-8")
        scripts = re.findall(r"^ *run: (?:\|\n)?(.*?)(?=^ *- |\Z)", text, re.MULTILINE | re.DOTALL)
        assert all("${{" not in script for script in scripts), path
        assert "pull_request_target" not in text


def test_a_folder_without_git_is_told_before_any_of_its_files_is_listed(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {f"src/part_{number}.py": "a = 1\n" for number in range(20)})
    engine = ContextEngine(Roots([root]))
    told: list[str] = []
    for path in (root, root / "src/part_1.py"):
        with pytest.raises(InvalidArgumentError, match="needs a work tree of git"):
            engine.get_context(str(path), changed="worktree", progress=lambda _, __, stage: told.append(stage))
    assert told == []
    assert run(["review", "worktree", str(root)]) == WRONG_CALL
