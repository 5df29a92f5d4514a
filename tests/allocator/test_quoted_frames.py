"""Traces of another version, or of another machine: the line that they quote is meant, and folders of theirs are none."""

from __future__ import annotations

import pytest

from allocator import ContextEngine
from allocator.question.frames import framed
from allocator.show.views import FileViews
from allocator.spend.steps import Kind
from tests.allocator.test_frames import TREE, Shop
from tests.trees import write_tree
from workspace.files.scan import scan
from workspace.roots import Roots


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    folder = write_tree(tmp_path_factory.mktemp("quoted") / "shop", TREE).resolve()
    return Shop(ContextEngine(Roots([folder])), folder)


QUOTED = """Traceback (most recent call last):
  File "/srv/.venv/lib/python3.11/site-packages/shop/till.py", line {}, in {}
    {}
ValueError: no"""


@pytest.mark.parametrize(
    ("line", "function", "quoted", "found"),
    [
        (2, "closed", "value -= 3", 17),
        (16, "closed", "value -= 5", 19),
        (20, "opened", "return value", 10),
        (16, "closed", "value -= 99", 16),
    ],
)
def test_the_line_that_a_trace_quotes_is_meant_wherever_it_stands_now(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, line: int, function: str, quoted: str, found: int
) -> None:
    monkeypatch.setattr("allocator.question.frames.LARGE", 0)
    listed, _ = shop.engine.index.files(scan(shop.folder, roots=shop.engine.roots))
    files = [FileViews(file) for file in listed]
    (wish, *_) = (
        wish
        for wish in framed(QUOTED.format(line, function, quoted), files, str(shop.folder)).wishes
        if wish.kind is Kind.LINES
    )
    lines = sorted(files[wish.file].edits[wish.place].lines)
    assert files[wish.file].path == "src/shop/till.py"
    assert lines == list(range(max(1, found - 15), min(found + 15, len(files[wish.file].lines)) + 1))


@pytest.mark.parametrize(
    ("path", "left"),
    [
        ("/srv/.venv/lib/python3.11/site-packages/shop/till.py", "shop/till.py"),
        ("C:\\Python\\Lib\\shop\\till.py", "shop\\till.py"),
        ("src/shop/till.py", "src/shop/till.py"),
        ("/srv/.venv/lib/unheard/of.py", "/srv/.venv/lib/unheard/of.py"),
    ],
)
def test_the_folders_that_a_machine_keeps_files_in_are_no_words_of_a_query(shop: Shop, path: str, left: str) -> None:
    listed, _ = shop.engine.index.files(scan(shop.folder, roots=shop.engine.roots))
    words = framed(f'  File "{path}", line 14', [FileViews(file) for file in listed], str(shop.folder)).words
    assert words.split('"')[1].strip() == left
