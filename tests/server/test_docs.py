"""The documentation against the program: nothing in it may have fallen behind."""

from __future__ import annotations

from server.options import settings_table
from tests.server.pipes import REPOSITORY

DOCS = REPOSITORY / "docs"


def test_the_table_of_settings_is_the_codes() -> None:
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    assert page.endswith(settings_table())
