from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import skeleton.index.counts
from skeleton.index.cache import Cache
from skeleton.index.counts import RememberedCounts
from skeleton.index.records import Aspect
from workspace.tokens import token_counter

SALT = b"salt"
REPOSITORY = Path(__file__).parents[2]

IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from skeleton.index.cache import Cache
from skeleton.index.counts import RememberedCounts
from workspace.tokens import token_counter
counts = RememberedCounts(token_counter(), Cache(Path(sys.argv[1])), b"salt")
print(counts.count(sys.argv[2]), token_counter().is_loaded)
"""


def counts_over(cache: Cache) -> RememberedCounts:
    return RememberedCounts(token_counter(), cache, SALT)


def in_another_process(folder: Path, text: str) -> str:
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(folder), text]
    return subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout.strip()


@given(st.lists(st.text(st.characters(exclude_categories=())) | st.binary(), max_size=4))
def test_counts_are_those_of_the_counter_however_often_they_are_asked_for(texts: list[str | bytes]) -> None:
    counts = counts_over(Cache(None))
    for text in (*texts, *texts):
        assert counts.count(text) == token_counter().count(text)


def test_what_another_process_counted_needs_no_vocabulary(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    counts = counts_over(cache)
    known = counts.count("def main():\n")
    counts.keep()
    cache.close()
    assert in_another_process(tmp_path, "def main():\n") == f"{known} False"
    assert in_another_process(tmp_path, "def other():\n") == f"{token_counter().count('def other():' + chr(10))} True"


def test_a_count_that_is_no_number_is_counted_anew(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    counts = counts_over(cache)
    counts.count("text")
    counts.keep()
    (key,) = counts._known  # pyright: ignore[reportPrivateUsage] - a damaged entry must lie under its key
    cache.write([(Aspect.COUNT, key, b"much")])
    cache.write([(Aspect.COUNT, key, b"too long")])
    cache.close()
    assert in_another_process(tmp_path, "text") == "1 True"


def test_what_was_counted_first_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skeleton.index.counts, "MOST_REMEMBERED", 10)
    counts = counts_over(Cache(None))
    for number in range(20):
        assert counts.count(f"{number}") == 1
        counts.keep()
    assert counts.count("0") == 1
