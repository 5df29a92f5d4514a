"""The `doctor` command says what works and what does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from server.doctor import _git, examine  # pyright: ignore[reportPrivateUsage]
from server.settings import read_settings
from skeleton.languages.headers import QueryFileError
from skeleton.languages.queries import Language
from tests.server.pipes import cli


def test_doctor_says_what_works(tree: Path) -> None:
    done = cli("doctor", "--root", str(tree), cwd=tree)
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0, lines
    for part in (
        "fractal-context",
        "python",
        "mcp",
        "tree-sitter",
        "git",
        "languages",
        "vocabulary o200k_base",
        "roots",
    ):
        assert any(line.startswith(f"ok      {part}: ") for line in lines), (part, lines)
    assert f"ok      roots: {tree}" in lines
    assert f"ok      setting: root = {tree} (--root)" in lines
    assert any(line.startswith(f"ok      changes: {tree}: ") for line in lines)


def test_doctor_shows_the_cache_and_empties_it(tree: Path) -> None:
    assert cli("pack", str(tree), "--budget", "500", cwd=tree).returncode == 0
    shown = cli("doctor", cwd=tree).stdout.decode()
    assert re.search(r"cache: .*index-\d+\.sqlite3: [\d.]+ MB, [\d,]+ entries for [\d,]+ files", shown)
    emptied = cli("doctor", "--clear-cache", cwd=tree).stdout.decode()
    assert re.search(r"cache: .* 0 entries for 0 files, nothing looked up yet", emptied)


def test_doctor_tells_of_git_and_what_is_missing_without_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.match(r"\d+\.\d+", _git().words)
    monkeypatch.setenv("PATH", str(tree))
    assert re.match(r"git could not be started .*; folders are read without it; install it for `changed`", _git().words)


def test_doctor_fails_where_something_does_not_work(tree: Path) -> None:
    done = cli("doctor", "--root", str(tree / "nowhere"), cwd=tree)
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[-1].startswith("BROKEN  settings: ")


def test_doctor_tells_of_variables_that_are_slips_of_settings(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FRACTAL_CONTEXT_DEFUALT_BUDGET", "FRACTAL_CONTEXT_BUDGET", "FRACTAL_CONTEXT_TEST_SEED"):
        monkeypatch.setenv(name, "8k")
    monkeypatch.setenv("FRACTAL_CONTEXT_PARSERS", "1")
    told = [one for one in examine(lambda: read_settings(roots=[str(tree)])) if one.part == "variable"]
    assert [one.words for one in told] == [
        f"{name} is no setting, and nothing reads it. Did you mean `FRACTAL_CONTEXT_DEFAULT_BUDGET`?"
        for name in ("FRACTAL_CONTEXT_BUDGET", "FRACTAL_CONTEXT_DEFUALT_BUDGET")
    ]
    assert not any(one.works for one in told)


def test_doctor_tells_of_a_part_before_the_next_is_looked_at(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.doctor._languages", lambda: pytest.fail("asked too early"))
    told = examine(lambda: read_settings(roots=[str(tree)]))
    assert [next(told).part for _ in range(8)][-1] == "tiktoken"


def test_doctor_names_the_query_that_is_broken(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise QueryFileError(f"{name}.scm: unknown capture @nonsense")

    monkeypatch.setattr(Language, "named", broken)
    (finding,) = (
        finding for finding in examine(lambda: read_settings(roots=[str(tree)])) if finding.part == "languages"
    )
    assert not finding.works
    assert "python.scm: unknown capture" in finding.text


def test_the_readme_and_the_doctor_tell_as_many_languages_as_the_readme_lists(tree: Path) -> None:
    told = cli("doctor", cwd=tree).stdout.decode()
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^Languages with a query of their own: (.*)\.$", text, re.MULTILINE)
    number = len(listed.split(", "))
    assert f" for {number} languages." in text
    assert f"\nok      languages: {number} with grammars" in told
