"""Replicas inside this process: each with engines, a cache and connections of its own, over the same folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from allocator import ContextEngine
from allocator.question.handed import Records
from compaction.history.archive import Archive
from skeleton.index.cache import Cache
from skeleton.index.code_index import CodeIndex
from skeleton.index.layered import LayeredFacts
from skeleton.index.shown import Shown
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.cancellation import CancelToken, cancellable
from workspace.roots import Roots
from workspace.shared.address import read_address
from workspace.shared.shelf import SharedShelf
from workspace.shared.store import SharedStore
from workspace.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

PATIENT_SECONDS = 60.0
"""For what must come true; it only ever runs out on a failure."""


class Replica:
    """A replica.

    Args:
        root: the folder that it serves.
        state: its cache and its archive lie here.
        url: of the shared store; "" for none.
        key: of the shared store.

    Attributes:
        waited: seconds that each of its calls has waited for the store.
    """

    def __init__(self, root: Path, state: Path, url: str = "", *, key: bytes = b"") -> None:
        cache = Cache(state / "cache")
        self.store = SharedStore(read_address(url), key) if url else None
        if self.store is not None:
            self.store.start()
        near = Shelf(state / "snapshots")
        self.index = CodeIndex(
            Roots([root]),
            cache=cache if self.store is None else LayeredFacts(cache, self.store),
            stamps=cache,
            workers=Workers(0),
            shown=None if self.store is None else Shown(self.store),
        )
        records = Records(near if self.store is None else SharedShelf("snapshot", self.store, near))
        self.engine = ContextEngine(self.index.roots, index=self.index, records=records, shared=self.store)
        self.zoomer = Zoomer(self.index)
        self.archive = Archive(state / "histories.sqlite", elsewhere=self.store)
        self.waited: list[float] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.index.close()
        if self.store is not None:
            self.store.close()

    def context(self, **arguments: Any) -> tuple[str, str, str | None]:
        """Returns the text of a context, its snapshot and its next cursor."""
        token = CancelToken()
        with cancellable(token):
            result = self.engine.get_context(".", token_budget=600, **arguments)
        self.waited.append(token.waited)
        metadata = result.metadata.as_json()
        cursor = metadata.get("next_cursor")
        assert cursor is None or isinstance(cursor, str)
        return result.context + result.summary, str(metadata["snapshot"]), cursor

    def zoom(self, target: str) -> str:
        token = CancelToken()
        with cancellable(token):
            text = self.zoomer.zoom(target, ".", token_budget=500).text
        self.waited.append(token.waited)
        return text

    def written(self) -> None:
        """Waits until everything that was offered is in the store."""
        assert self.store is not None
        assert self.store.flush(PATIENT_SECONDS)


def project(folder: Path) -> Path:
    """Writes a project of thirty files and returns its folder."""
    files = {
        f"shop/part{number}.py": (
            f'"""Part {number} of the shop."""\n\nfrom shop import part{(number + 1) % 28}\n\n\n'
            f"class Part{number}:\n"
            f'    """What part {number} is."""\n\n'
            f"    def price(self, count: int) -> int:\n"
            f'        """The price of some."""\n        total = {number}\n'
            f"        for one in range(count):\n            total += one * {number}\n        return total\n\n\n"
            f"def sell_{number}(part: Part{number}) -> int:\n    return part.price({number})\n"
        )
        for number in range(28)
    }
    return write_tree(
        folder, {**files, "README.md": "# Shop\n\nSells parts.\n", "pyproject.toml": '[project]\nname = "shop"\n'}
    )


def conversation(replica: Replica, *, after: Replica | None = None) -> list[str]:
    """Makes the calls of a reader, of which some go on with what earlier ones gave, and returns all answers.

    Args:
        replica: answers.
        after: answers every call that goes on with another one; the same by default.
    """
    other = after or replica
    first, snapshot, cursor = replica.context()
    query, _, _ = replica.context(query="what is the price of part 7")
    assert cursor is not None
    page, _, next_cursor = other.context(cursor=cursor)
    assert next_cursor is not None
    more, _, _ = replica.context(cursor=next_cursor)
    since, _, _ = other.context(since=snapshot)
    return [first, query, page, more, since, other.zoom("sell_3"), replica.zoom("Part9.price")]
