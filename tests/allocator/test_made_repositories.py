"""All that reads git, over repositories made by chance: never a traceback, and nothing of theirs is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from allocator import ContextEngine
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.allocator.made_repositories import STATES, MadeRepository, make
from workspace.errors import FractalContextError, InvalidArgumentError
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

    from allocator import ContextResult

BUDGET = 3000
MANY = 570
"""Repositories of the long test, the same number of every state."""

FEW = len(STATES)


def asked(made: MadeRepository) -> None:
    """Asks everything about a repository; only a caller's mistake may be an error, and only where one can be."""
    roots = Roots([made.folder])
    index = CodeIndex(roots, workers=Workers(0))
    engine, zoomer = ContextEngine(roots, index=index), Zoomer(index)

    def context(query: str = "", changed: str = "", since: str = "") -> ContextResult:
        result = engine.get_context(".", token_budget=BUDGET, query=query, changed=changed, since=since)
        assert result.tokens_used <= BUDGET
        return result

    first = context()
    context(query="the first step of Second")
    for revision in made.revisions:
        try:
            context(changed=revision, query="first" if revision == "worktree" else "")
        except InvalidArgumentError as error:
            assert str(error)[-1] in ".?", error  # noqa: PT017 - other errors are not caught
    if first.metadata.snapshot:
        context(since=first.metadata.snapshot, query="third")
    for target in ("first", "Second.third", f"file={_any_file(made.folder)}"):
        try:
            zoomer.zoom(target, ".", token_budget=BUDGET)
        except FractalContextError:
            continue
    assert not made.trap.exists()
    index.close()


def _any_file(folder: Path) -> str:
    return next((path.name for path in sorted(folder.iterdir()) if path.is_file()), "none")


@pytest.mark.no_cover
@pytest.mark.parametrize("number", range(FEW), ids=list(STATES))
def test_a_repository_of_every_state_is_no_trouble(tmp_path: Path, number: int) -> None:
    asked(make(tmp_path, number))


@pytest.mark.long
@pytest.mark.parametrize("number", range(FEW, MANY))
def test_many_made_repositories_are_no_trouble(tmp_path: Path, number: int) -> None:
    asked(make(tmp_path, number))
