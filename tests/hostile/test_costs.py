"""The costs of hostile sources: all kinds of them in the long tests, a few in the usual ones."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from skeleton.formats import format_of
from skeleton.languages.headers import language_name_of
from tests.hostile.costs import SAMPLE
from tests.hostile.sources import HOSTILE_SOURCES
from tests.server.pipes import REPOSITORY, environment

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(*flags: str) -> subprocess.CompletedProcess[str]:
    """Makes the table of costs in a process of its own, which forks."""
    command: Sequence[str] = [sys.executable, "-m", "tests.hostile.costs", *flags]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=REPOSITORY, env=environment())


@pytest.mark.no_cover
@pytest.mark.timeout(600)
def test_a_few_hostile_sources_take_no_more_memory_than_their_size_explains() -> None:
    done = table("--sample", "--size", "10000")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == len(SAMPLE) + 3


@pytest.mark.long
def test_hostile_sources_of_all_kinds_take_no_more_memory_than_their_size_explains(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = table()
    with capsys.disabled():
        sys.stdout.write(f"\n{done.stdout}")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.no_cover
def test_the_kinds_are_many_and_each_is_of_a_language_or_format_that_is_known() -> None:
    assert len({(source.about, source.file) for source in HOSTILE_SOURCES}) == len(HOSTILE_SOURCES) > 40
    for source in HOSTILE_SOURCES:
        content = source.content(10_000)
        assert content
        assert language_name_of(source.file, content) is not None or format_of(source.file) is not None, source.file
