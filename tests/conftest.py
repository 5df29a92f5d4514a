from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.thoroughness import SEARCHING

if TYPE_CHECKING:
    from collections.abc import Generator


# No test is about speed: the first example of some loads a vocabulary, and other programs run beside the tests. Nor does
# any fail by chance: the examples are the same each time, but in the long tests, which look for new ones.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("patient", PATIENT, derandomize=True)
settings.register_profile(SEARCHING, PATIENT)
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--long"):
        settings.load_profile(SEARCHING)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-corpus",
        action="store_true",
        help="write what the engine gives into tests/corpus/*.txt; read the difference before you commit it",
    )
    parser.addoption(
        "--rewrite-docs",
        action="store_true",
        help="write what the commands in docs/ print into the pages; read the difference before you commit it",
    )
    parser.addoption("--long", action="store_true", help="run what takes minutes as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes out what takes minutes, marked `long`, unless it is asked for."""
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Keeps the measuring of coverage out of the processes of a test that is itself not measured (`no_cover`)."""
    with pytest.MonkeyPatch.context() as patch:
        if item.get_closest_marker("no_cover"):
            for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
                patch.delenv(name)
        yield


@pytest.fixture(autouse=True, scope="session")
def _a_cache_of_the_tests_own(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRACTAL_CONTEXT_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
