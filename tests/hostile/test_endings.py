"""The remains of a server that is ended at work: in two ways in the usual tests, in all in the long ones."""

from __future__ import annotations

import pytest

from tests.hostile.endings import endings


@pytest.mark.no_cover
@pytest.mark.parametrize(("server", "by"), [("stdio", "SIGKILL"), ("sse", "SIGTERM")])
def test_a_server_that_ends_while_it_indexes_leaves_a_sound_cache_and_no_process(server: str, by: str) -> None:
    (ending,) = endings(files=150, servers={server: (by,)})
    assert ending.whole
    assert not ending.left


@pytest.mark.long
def test_servers_leave_a_sound_cache_and_no_process_however_they_end() -> None:
    for ending in endings():
        assert ending.whole, ending.row
        assert not ending.left, ending.row
