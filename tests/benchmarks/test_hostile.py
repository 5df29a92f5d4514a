"""The short form of what `benchmarks.hostile` measures: what a server leaves that is killed in the midst of its work."""

from __future__ import annotations

import pytest

from benchmarks.hostile.endings import endings


@pytest.mark.parametrize(("server", "by"), [("stdio", "SIGKILL"), ("sse", "SIGTERM")])
def test_a_server_that_ends_while_it_indexes_leaves_a_sound_cache_and_no_process(server: str, by: str) -> None:
    (ending,) = endings(files=150, servers={server: (by,)})
    assert ending.whole
    assert not ending.left
