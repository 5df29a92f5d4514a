from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.skeleton.desk import SHOP, Desk
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(write_tree(tmp_path, SHOP))
