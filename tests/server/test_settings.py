"""Where the roots of a server come from."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from server.settings import DEFAULT_BUDGET, ROOTS_VARIABLE, read_settings
from workspace.errors import BudgetTooSmallError, InvalidArgumentError


def test_flags_win_over_the_environment_and_it_over_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flagged, exported, another, here = (tmp_path / name for name in ("flagged", "exported", "another", "here"))
    for folder in (flagged, exported, another, here):
        folder.mkdir()
    monkeypatch.chdir(here)
    environ = {ROOTS_VARIABLE: os.pathsep.join([str(exported), str(another), ""])}
    assert read_settings(roots=[str(flagged)], environ=environ).roots.paths == (flagged,)
    assert read_settings(environ=environ).roots.paths == (exported, another)
    assert read_settings(environ={}).roots.paths == (here,)
    assert read_settings(environ={ROOTS_VARIABLE: ""}).roots.paths == (here,)


def test_the_budget_may_be_given_in_every_form_of_a_call(tmp_path: Path) -> None:
    roots = [str(tmp_path)]
    assert read_settings(roots=roots).default_budget == DEFAULT_BUDGET
    assert read_settings(roots=roots, default_budget="8k").default_budget == 8000
    assert read_settings(roots=roots, default_budget="unlimited").default_budget is None


def test_wrong_settings_are_refused_when_the_server_starts(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError):
        read_settings(roots=[str(tmp_path / "nowhere")])
    with pytest.raises(BudgetTooSmallError):
        read_settings(roots=[str(tmp_path)], default_budget=10)
    with pytest.raises(InvalidArgumentError, match="o200k_base"):
        read_settings(roots=[str(tmp_path)], encoding="klingon")


def test_a_root_of_everything_is_allowed_but_not_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        settings = read_settings(roots=["/"])
    assert settings.roots.paths == (Path("/"),)
    assert "every file" in caplog.text
