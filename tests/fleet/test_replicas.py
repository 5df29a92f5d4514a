"""Real HTTP servers behind a round-robin balancer: the bytes of one, whoever answers."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest

from tests.fleet.balancer import balancing
from tests.fleet.replicas import project
from tests.server.web import Served, listening, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp import Client

    from tests.fleet.servers import StoreServer

KEY = "a-key-for-tests-only"
HISTORY: list[dict[str, str]] = [
    {"role": role, "content": f"{number}. " + "We look at the prices of all parts and at what sells. " * 12}
    for number in range(60)
    for role in ("user", "assistant")
]
QUERIES = ("what is the price", "sell part 11", "where is Part3 sold", "README", "total of count")


class Reader:
    """Makes up calls, from a seed, of which some go on with what earlier answers gave."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.snapshots: list[str] = []
        self.cursors: list[str] = []
        self.archives: list[str] = []
        self.made: dict[str, int] = {}

    def calls(self, number: int, folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
        """Gives so many calls; every tenth or so follows an edit of a file."""
        for _ in range(number):
            if self._chance.random() < 0.1:
                place = folder / "shop" / f"part{self._chance.randrange(28)}.py"
                more = f"\n\ndef more_{self._chance.randrange(1000)}() -> int:\n    return {self._chance.random()}\n"
                place.write_text(place.read_text(encoding="utf-8") + more, encoding="utf-8")
            kind = self._chance.choice(("context", "query", "since", "cursor", "cursor", "zoom", "focus", "compact"))
            self.made[kind] = self.made.get(kind, 0) + 1
            yield self._call(kind)

    def _call(self, kind: str) -> tuple[str, dict[str, Any]]:
        budget = self._chance.choice((300, 600, 1200, "2k"))
        part = self._chance.randrange(28)
        match kind:
            case "query":
                return "get_context", {"query": self._chance.choice(QUERIES), "token_budget": budget}
            case "since" if self.snapshots:
                return "get_context", {"since": self._chance.choice(self.snapshots[-6:]), "token_budget": budget}
            case "cursor" if self.cursors:
                return "get_context", {"cursor": self._chance.choice(self.cursors[-6:]), "token_budget": budget}
            case "zoom":
                target = self._chance.choice(
                    (f"sell_{part}", f"Part{part}.price", f"file=shop/part{part}.py", "README")
                )
                return "zoom", {"target": target, "token_budget": budget}
            case "focus":
                return "get_context", {"focus": [f"shop/part{part}.py::sell_{part}"], "token_budget": budget}
            case "compact" if self.archives and self._chance.random() < 0.7:
                recall = str(self._chance.randrange(1, 8))
                return "compact_history", {"archive_id": self.archives[-1], "recall": recall, "target_tokens": 800}
            case "compact":
                return "compact_history", {"messages": HISTORY, "force": True, "summarizer": "extractive"}
            case _:
                return "get_context", {"path": self._chance.choice((".", "shop")), "token_budget": budget}

    def hears(self, answer: dict[str, Any]) -> None:
        """Remembers what an answer gives to go on with."""
        meta: dict[str, dict[str, Any]] = answer["meta"] or {}
        metadata = meta.get("metadata", {})
        structured: dict[str, Any] = answer["structured_content"] or {}
        if snapshot := metadata.get("snapshot"):
            self.snapshots.append(snapshot)
        if cursor := metadata.get("next_cursor"):
            self.cursors.append(cursor)
        if archive := structured.get("archive_id"):
            self.archives.append(archive)


async def answered(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    kept = {"metadata": result.meta["metadata"]} if result.meta and "metadata" in result.meta else None
    return result.model_copy(update={"meta": kept}).model_dump()


async def compare(folder: Path, tmp_path: Path, store: StoreServer, number: int, seed: int) -> None:
    def variables(name: str) -> dict[str, str]:
        # An answer names the archive from the home folder on; nothing but the store is common to two homes.
        return {"FRACTAL_CONTEXT_CACHE": str(tmp_path / name), "HOME": str(tmp_path / f"{name}-home")}

    shared = {"FRACTAL_CONTEXT_STORE": store.url, "FRACTAL_CONTEXT_STORE_KEY": KEY}
    reader = Reader(seed)
    async with AsyncExitStack() as stack:
        one = stack.enter_context(listening(folder, flags=["--parsers", "0"], variables=variables("alone")))
        replicas = [
            stack.enter_context(listening(folder, flags=["--parsers", "0"], variables=variables(name) | shared))
            for name in ("first", "second")
        ]
        origin, served = stack.enter_context(balancing([replica.origin for replica in replicas]))
        fleet = Served(process=replicas[0].process, transport="streamable-http", origin=origin)
        expected = await stack.enter_async_context(visiting(one))
        client = await stack.enter_async_context(visiting(fleet))
        for place, (tool, arguments) in enumerate(reader.calls(number, folder)):
            wanted = await answered(expected, tool, arguments)
            assert await answered(client, tool, arguments) == wanted, (place, tool, arguments)
            reader.hears(wanted)
    assert min(served) >= number // 2
    assert min(reader.made[kind] for kind in ("since", "cursor", "zoom", "compact")) >= number // 20


@pytest.mark.no_cover
async def test_two_replicas_behind_a_balancer_give_the_bytes_of_one(tmp_path: Path, server: StoreServer) -> None:
    await compare(project(tmp_path / "project"), tmp_path, server, 40, seed=3)


@pytest.mark.long
async def test_two_replicas_give_the_bytes_of_one_for_four_hundred_calls(tmp_path: Path, server: StoreServer) -> None:
    await compare(project(tmp_path / "project"), tmp_path, server, 400, seed=7)
