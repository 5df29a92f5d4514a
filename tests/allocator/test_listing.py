"""The known facts of a folder's files are kept between calls, and looked up anew where they may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from allocator.listing import Listings
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from workspace.files.rescan import RememberedScans
from workspace.roots import Roots

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from allocator.listing import Gathered
    from skeleton.index.indexed import IndexedFile
    from workspace.files.scan import Scan, ScannedFile
    from workspace.model import Problem


class Noting(CodeIndex):
    """An index that notes which files it was asked for."""

    looked_up: Sequence[str] = ()

    def files(self, found: Scan, **how: Any) -> tuple[list[IndexedFile], list[Problem]]:
        self.looked_up = [file.path for file in found.files]
        return super().files(found, **how)


class Calls:
    """Calls about a folder, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        roots = Roots([folder])
        self.scans = RememberedScans(roots)
        self.index = Noting(roots, workers=Workers(0))
        self.listings = Listings(self.index, 4)

    def next(self) -> Gathered:
        """The files of another call."""
        self.index.looked_up = ()
        found = self.scans.scan(self.folder)
        return self.listings.of(found, frozenset(), likely=_all, first=frozenset(), progress=_nothing, is_kept=True)


def _all(files: Sequence[ScannedFile]) -> Sequence[ScannedFile]:
    return files


def _nothing(done: int, total: int, stage: str) -> None:
    """Nobody is told."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose files count as there for long, however new they are."""
    monkeypatch.setattr("skeleton.index.known.SETTLED_NS", 0)
    monkeypatch.setattr("workspace.files.rescan.SETTLED_NS", 0)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(f"def {name}():\n    return open_shop()\n", encoding="utf-8")
    (tmp_path / "d.bin").write_bytes(bytes(range(256)))
    return tmp_path


def test_while_no_file_changes_none_is_looked_up_and_calls_share_what_is_known(folder: Path) -> None:
    calls = Calls(folder)
    calls.next()
    calls.next()
    known = calls.next()
    assert calls.next().listing is known.listing
    assert calls.index.looked_up == ()
    assert [file.path for file in known.listing.files] == ["a.py", "b.py", "c.py"]
    assert known.listing.left_out == ["d.bin"]


def test_after_an_edit_that_file_alone_is_looked_up(folder: Path) -> None:
    calls = Calls(folder)
    before = [calls.next(), calls.next(), calls.next()][-1].listing
    (folder / "b.py").write_text("edited = True\n", encoding="utf-8")
    after = calls.next().listing
    assert calls.index.looked_up == ["b.py"]
    assert [one is other for one, other in zip(before.files, after.files, strict=True)] == [True, False, True]
    assert before.contents["b.py"] != after.contents["b.py"] == after.files[1].basics.md5


def test_what_a_call_read_is_not_kept_for_the_next_one(folder: Path) -> None:
    calls = Calls(folder)
    shared = [calls.next(), calls.next(), calls.next()][-1]
    first = shared.listing.files[0]
    assert shared.own(first) is not first
    assert shared.own(first).source == (folder / "a.py").read_bytes()


def test_a_file_that_may_change_again_unseen_is_looked_up_in_each_call(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(folder)
    known = [calls.next(), calls.next(), calls.next()][-1].listing
    monkeypatch.setattr("skeleton.index.known.SETTLED_NS", 1 << 62)
    (folder / "b.py").write_text("edited = True\n", encoding="utf-8")
    after = calls.next().listing
    again = calls.next().listing
    assert calls.index.looked_up == ["b.py"]
    assert again is after is not known


def test_a_file_that_is_not_what_it_was_known_as_has_all_looked_up(folder: Path) -> None:
    calls = Calls(folder)
    known = [calls.next(), calls.next(), calls.next()][-1].listing
    calls.index.losses += 1
    assert calls.next().listing is not known
    assert len(calls.index.looked_up) == 4


@pytest.mark.no_cover
def test_an_engine_that_shares_listings_answers_after_every_edit_as_a_new_one_does(folder: Path) -> None:
    for number in range(12):
        (folder / f"part{number}.py").write_text(f"def part_{number}():\n    return a() + {number}\n", encoding="utf-8")
    lasting = ContextEngine(Roots([folder]))
    asked: tuple[dict[str, Any], ...] = (
        {"token_budget": 700},
        {"token_budget": 900, "focus": ["part_3"]},
        {"token_budget": 900, "query": "what opens the shop of part 5"},
        {"token_budget": 900, "query": "what opens the shop of part 5", "format": "markdown"},
        {"token_budget": 900, "query": "what opens the shop of part 5", "line_numbers": True},
        {"token_budget": 900, "query": "what opens the shop", "focus": ["b"]},
        {"token_budget": 700, "include": ["*.py"]},
    )

    def answers(engine: ContextEngine) -> list[tuple[str, str]]:
        found = [engine.get_context(str(folder), **arguments) for arguments in asked]
        return [(one.context, one.summary) for one in found]

    edits: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: None,
        lambda: (folder / "b.py").write_text("def b():\n    return part_3() + open_shop()\n"),
        lambda: (folder / "part4.py").unlink(),
        lambda: (folder / "open.py").write_text("def open_shop():\n    return part_5()\n"),
        lambda: (folder / "open.py").write_text("# machine made, DO NOT EDIT\ndef open_shop():\n    return 1\n"),
        lambda: (folder / "open.py").rename(folder / "shop.py"),
        lambda: (folder / "c.py").write_bytes(bytes(range(256))),
    )
    for edit in edits:
        edit()
        assert answers(lasting) == answers(ContextEngine(lasting.roots))
