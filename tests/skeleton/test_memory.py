"""The work on one file is bounded in memory: a file that needs more is shown as text, and says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.index.records import OF_LEVELS, OF_SKETCH, Facts, decoded
from skeleton.index.work import GRAMMAR_CRASH
from skeleton.index.worker import Task
from skeleton.index.worker_process import Death
from skeleton.index.workers import Workers
from skeleton.languages.queries import Language
from skeleton.outline.depth import DEEP, parted
from skeleton.outline.outlining import every_definition, outline
from skeleton.outline.parsing import parse
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.memory import SHARE_BYTES, bounded_growth, held_bytes, memory_share, share_is_spent
from workspace.roots import Roots
from workspace.tokens import DEFAULT_ENCODING

SMALL = 12 << 20
"""Bytes that are too few for what follows."""

WIDE = "".join(f"a{number}=1\n" for number in range(30_000))
"""A source whose tree takes a hundred times as many bytes as it has."""

pytestmark = pytest.mark.skipif(not held_bytes(), reason="the system says nothing of its processes")


@pytest.mark.no_cover
@pytest.mark.parametrize("count", [0, 1])
def test_a_file_that_takes_too_much_memory_is_shown_as_text_in_whatever_process(tmp_path: Path, count: int) -> None:
    root = write_tree(tmp_path, {"wide.py": WIDE, "fine.py": "def fine():\n    return 1\n"})
    index = CodeIndex(Roots([root]), workers=Workers(count, isolated=bool(count), memory=SMALL))
    try:
        result = ContextEngine(index.roots, index=index).get_context(str(root), token_budget=2000)
        (problem,) = result.metadata.problems
        assert problem.path == "wide.py"
        assert "memory" in problem.detail
        assert "def fine():" in result.context
        assert "a0=1" in result.context
        zoomer = Zoomer(index)
        assert zoomer.zoom("fine", str(root)).matches[0].path == "fine.py"
        assert zoomer.zoom("file=wide.py:3-4", str(root)).matches[0].text == "a2=1\na3=1\n"
    finally:
        index.close()


@pytest.mark.no_cover
def test_the_same_file_is_no_problem_where_there_is_room_enough() -> None:
    with memory_share(SHARE_BYTES):
        assert len(outline(WIDE.encode(), Language.named("python")).definitions) == WIDE.count("\n")


def test_a_worker_that_is_refused_memory_ends_and_says_so() -> None:
    pool = Workers(1, isolated=True, memory=1 << 20)
    deaths: dict[int, Death] = {}
    found: dict[int, dict[int, bytes]] = {}
    tasks = [
        Task(path, raw, None, tuple(sorted(map(int, OF_LEVELS | OF_SKETCH))))
        for path, raw in (("large.txt", b"some words\n" * 100_000), ("small.txt", b"some words\n"))
    ]
    try:
        pool.perform(tasks, DEFAULT_ENCODING, done=found.__setitem__, died=deaths.__setitem__, tick=lambda: None)
    finally:
        pool.close()
    assert deaths == {0: Death.MEMORY}
    assert decoded(found[1][0], Facts).unproven == ("", "")
    assert "memory" in GRAMMAR_CRASH[Death.MEMORY]


def test_a_share_counts_what_was_added_and_the_outer_stands() -> None:
    assert share_is_spent() == 0
    with memory_share(20 << 20):
        with memory_share(1):
            assert share_is_spent() == 0
        held = bytearray(os.urandom(1)) * (40 << 20)
    assert share_is_spent() == 0
    with memory_share(20 << 20):
        more = bytearray(os.urandom(1)) * (40 << 20)
        assert share_is_spent() == 20 << 20
    assert len(held) == len(more)


def test_the_system_keeps_a_bound_and_lifts_it_again() -> None:
    program = (
        "from workspace.memory import bounded_growth\n"
        "with bounded_growth(50 << 20):\n"
        "    try:\n        bytearray(200 << 20)\n    except MemoryError:\n        print('refused')\n"
        "print(len(bytearray(200 << 20)) >> 20)\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout == "refused\n200\n"


def test_the_bound_that_is_there_is_not_widened() -> None:
    with bounded_growth(SHARE_BYTES), pytest.raises(MemoryError):
        bytearray(4 * SHARE_BYTES)


def test_a_deep_tree_is_looked_through_in_parts_and_nothing_is_lost() -> None:
    deep = 400
    source = (b"const A = struct { fn f() void {}\n" * deep) + b"};" * deep + b"\n"
    language = Language.named("zig")
    _, tree = parse(source, language)
    assert len(parted(tree.root_node)) > deep // DEEP
    names = [one.name for one in every_definition(source, language)]
    assert names.count("f") == deep
    _, tree = parse(b"const A = struct { fn f() void {} };\n" * 50, language)
    assert parted(tree.root_node) == [tree.root_node]
