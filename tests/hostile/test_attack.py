"""A running server, and what is made to hurt it: each group of cases leaves it sound."""

from __future__ import annotations

import pytest

from tests.hostile.attack import GROUPS, attack, faults


@pytest.mark.long
@pytest.mark.parametrize("name", [group.__name__ for group in GROUPS])
async def test_a_server_stands_what_is_made_to_hurt_it(name: str) -> None:
    groups = await attack([name], times=20_000)
    assert groups
    assert not list(faults(groups))
