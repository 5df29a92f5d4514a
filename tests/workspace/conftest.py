from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.trees import GIT_ENVIRONMENT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _git_knows_no_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in GIT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
