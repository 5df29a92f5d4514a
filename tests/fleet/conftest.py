from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fleet.replicas import Replica, conversation, project
from tests.fleet.servers import StoreServer

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path


@pytest.fixture(scope="session")
def only_server() -> Generator[StoreServer]:
    with StoreServer() as server:
        yield server


@pytest.fixture
def server(only_server: StoreServer) -> StoreServer:
    """A server that runs and holds nothing."""
    only_server.ask("FLUSHALL")
    return only_server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return project(tmp_path / "project")


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The answers of a conversation where nothing is shared, over a project as each test has it."""
    folder = tmp_path_factory.mktemp("alone")
    with Replica(project(folder / "project"), folder / "state") as alone:
        return conversation(alone)
