from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-corpus",
        action="store_true",
        help="write what the engine gives into tests/corpus/*.txt; read the difference before you commit it",
    )
