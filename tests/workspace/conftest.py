from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.trees import GIT_ENVIRONMENT

if TYPE_CHECKING:
    from pathlib import Path

# No test is about speed: the first example of some loads a vocabulary.
settings.register_profile("workspace", deadline=None)
settings.load_profile("workspace")


@pytest.fixture(autouse=True)
def _git_knows_no_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in GIT_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
