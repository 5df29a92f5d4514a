"""A cache under work: files are edited and asked about, by two processes at once, and its file stays small."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from skeleton.index.pruning import size_on_disk
from tests.trees import write_tree

if TYPE_CHECKING:
    from pathlib import Path

MOST_OVER = 1.5
"""The part of its limit that the file may take, with all that lies beside it: 15 MB of 10 MB."""

MOST_OVER_OF_SMALL = 2.5
"""The same of a file so small that what waits to be merged weighs more in it; it takes 10 MB where nothing is pruned."""

SERVER = """
import sys
from pathlib import Path
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.pruning import size_on_disk
from skeleton.index.workers import Workers
from allocator import ContextEngine
from workspace.roots import Roots

folder, kept, limit, edits = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
roots = Roots([folder])
cache = Cache(kept, limit_bytes=limit)
engine = ContextEngine(roots, index=CodeIndex(roots, cache=cache, stamps=cache, workers=Workers(0)))
files = sorted(folder.glob("*.py"))
body = files[0].read_text(encoding="utf-8")
largest = 0
for edit in range(edits):
    files[edit % len(files)].write_text(body.replace("first", f"first_{sys.argv[5]}_{edit}"), encoding="utf-8")
    shown = engine.get_context(".", token_budget=2000, query="the first step" if edit % 2 else "")
    assert "def " in shown.context
    largest = max(largest, size_on_disk(cache.path) + cache.path.with_name(cache.path.name + "-shm").stat().st_size)
engine.index.close()
assert not cache.problem, cache.problem
print(largest)
"""


def edited(tmp_path: Path, *, limit: int, edits: int) -> tuple[list[int], Path]:
    """Has two processes edit and ask over one cache; gives the most that each saw it take, and its file."""
    functions = (
        f"def first_{number}(a, b):\n    '''First {number}.'''\n    return a + {number}\n" for number in range(60)
    )
    body = "\n\n".join(functions)
    folders = [write_tree(tmp_path / name, {f"m{number}.py": body for number in range(3)}) for name in ("x", "y")]
    kept = tmp_path / "cache"
    command = [sys.executable, "-c", SERVER]
    servers = [
        subprocess.Popen(
            [*command, str(folder), str(kept), str(limit), str(edits), folder.name], stdout=subprocess.PIPE
        )
        for folder in folders
    ]
    told = [server.communicate()[0] for server in servers]
    assert [server.returncode for server in servers] == [0, 0]
    (path,) = kept.glob("*.sqlite3")
    return [int(largest) for largest in told], path


@pytest.mark.no_cover
def test_two_servers_keep_a_small_cache_small(tmp_path: Path) -> None:
    largest, path = edited(tmp_path, limit=800_000, edits=30)
    assert max(largest) < 800_000 * MOST_OVER_OF_SMALL
    assert size_on_disk(path) > 0


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_an_hour_of_edits_by_two_servers_stays_under_fifteen_megabytes(tmp_path: Path) -> None:
    largest, path = edited(tmp_path, limit=10_000_000, edits=1500)
    sys.stdout.write(f"3000 edits: at most {max(largest) / 1e6:.1f} MB, {size_on_disk(path) / 1e6:.1f} MB at the end\n")
    assert 8_000_000 < max(largest) < 10_000_000 * MOST_OVER
