"""Resources that a client follows: who is told of what, over every transport, and who is not."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceUpdatedNotification

from server import updates
from server.app import build_server
from server.settings import read_settings
from tests.server.pipes import ERAS, RawServer
from tests.server.web import PATHS, listening, visiting

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder of three files with a function each."""
    folder = tmp_path / "shop"
    folder.mkdir()
    for name in "abc":
        edit(folder, name, 1)
    return folder


@pytest.fixture
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the roots looked at all the time."""
    monkeypatch.setattr(updates, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(updates, "REST", 0)


at_once = pytest.mark.usefixtures("_at_once")


def edit(folder: Path, name: str, value: int) -> None:
    (folder / f"{name}.py").write_text(f"def {name}():\n    return {value}\n", encoding="utf-8")


class Follower:
    """A client and what it was told of, in order."""

    def __init__(self, era: str) -> None:
        self.era = era
        self.told: list[str] = []
        self.heard = anyio.Event()
        self.client: Client

    async def hear(self, message: object) -> None:
        if self.era == "2025-11-25" and isinstance(message, ResourceUpdatedNotification):
            self.take(str(message.params.uri))

    def take(self, address: str) -> None:
        self.told.append(address)
        self.heard.set()
        self.heard = anyio.Event()

    @asynccontextmanager
    async def following(self, *addresses: str) -> AsyncGenerator[None]:
        """Follows some addresses, in the way of the era."""
        if self.era == "2025-11-25":
            for address in addresses:
                await self.client.subscribe_resource(address)  # pyright: ignore[reportDeprecated] - clients of that era
            yield
            for address in addresses:
                await self.client.unsubscribe_resource(address)  # pyright: ignore[reportDeprecated] - as above
            return
        async with self.client.listen(resource_subscriptions=addresses) as events, anyio.create_task_group() as tasks:

            async def hear() -> None:
                async for event in events:
                    assert isinstance(event, ResourceUpdated)
                    self.take(event.uri)

            tasks.start_soon(hear)
            yield
            tasks.cancel_scope.cancel()

    async def is_told(self, *addresses: str) -> None:
        """Waits until it was told of so many, and forgets them."""
        while len(self.told) < len(addresses):
            await self.heard.wait()
        assert self.told == list(addresses)
        self.told.clear()


@asynccontextmanager
async def near(folder: Path, era: str = "2026-07-28") -> AsyncGenerator[Follower]:
    """Gives the client of a server in this process."""
    follower = Follower(era)
    server = build_server(read_settings(roots=[str(folder)]))
    async with Client(server, mode=ERAS[era], message_handler=follower.hear) as follower.client:
        yield follower


@eras
@at_once
async def test_a_client_is_told_of_what_it_would_read_differently_and_of_nothing_else(shop: Path, era: str) -> None:
    async with near(shop, era) as follower, follower.following("symbol://a", "skeleton://a.py", "symbol://b"):
        edit(shop, "a", 2)
        await follower.is_told("symbol://a")  # its skeleton is what it was
        (shop / "a.py").touch()
        edit(shop, "c", 2)
        edit(shop, "b", 2)
        await follower.is_told("symbol://b")
        (shop / "a.py").write_text("def a(value):\n    return 2\n", encoding="utf-8")
        await follower.is_told("symbol://a", "skeleton://a.py")


@eras
@at_once
async def test_who_does_not_follow_any_more_hears_nothing(shop: Path, era: str) -> None:
    async with near(shop, era) as follower, near(shop, era) as other:
        async with other.following("symbol://c"), follower.following("symbol://b"):
            async with follower.following("symbol://a"):
                pass
            edit(shop, "a", 2)
            edit(shop, "b", 2)
            await follower.is_told("symbol://b")
        edit(shop, "b", 3)
        assert await nobody_looks()
        assert follower.told == other.told == []


async def nobody_looks() -> bool:
    """Waits until no task of this process looks at any roots."""
    await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == "updates of resources"))
    return True


@at_once
async def test_many_edits_in_a_row_are_told_of_once(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "LOOK_SECONDS", 0.2)
    async with near(shop) as follower, follower.following("context://.", "symbol://a"):
        for number in range(50):
            edit(shop, "a", number)
        await follower.is_told("context://.", "symbol://a")
        edit(shop, "a", 100)
        await follower.is_told("context://.", "symbol://a")


@at_once
async def test_edits_that_never_stop_are_told_of_too(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "LONGEST_WAIT", 0.05)
    async with near(shop) as follower, follower.following("symbol://a"):
        number = 1
        while not follower.told:
            edit(shop, "a", number := number + 1)
            await anyio.sleep(0.005)


@eras
@at_once
async def test_what_comes_and_goes_is_told_of(shop: Path, era: str) -> None:
    async with near(shop, era) as follower, follower.following("context://new", "symbol://a", "nonsense://x"):
        (shop / "new").mkdir()
        edit(shop / "new", "d", 1)
        await follower.is_told("context://new")
        (shop / "a.py").unlink()
        await follower.is_told("symbol://a")
        (shop / "new" / "d.py").unlink()
        (shop / "new").rmdir()
        await follower.is_told("context://new")


@eras
@at_once
async def test_too_many_are_refused_and_the_others_go_on(shop: Path, era: str) -> None:
    async with near(shop, era) as follower, follower.following("symbol://a"):
        with pytest.raises(MCPError, match="At most 64"):
            async with follower.following(*(f"symbol://a{number}" for number in range(64))):
                pass
        edit(shop, "a", 2)
        await follower.is_told("symbol://a")


@at_once
async def test_what_cannot_be_read_is_told_of_with_any_change(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.resources.as_unicode", None)  # so that to say why it is not there fails
    async with near(shop) as follower, follower.following("symbol://nowhere"):
        edit(shop, "b", 2)
        await follower.is_told("symbol://nowhere")


def test_a_server_over_a_pipe_tells_the_client_that_subscribed(shop: Path) -> None:
    with RawServer(shop) as server:
        server.initialize()
        assert server.answer_to(server.send("resources/subscribe", {"uri": "symbol://a"})) == {}
        edit(shop, "b", 2)
        edit(shop, "a", 2)
        message = server.receive()
        assert message["method"] == "notifications/resources/updated"
        assert message["params"] == {"uri": "symbol://a"}


@eras
@pytest.mark.parametrize("transport", PATHS)
async def test_a_server_over_http_tells_who_can_be_told(shop: Path, transport: str, era: str) -> None:
    with listening(shop, transport) as served:
        async with visiting(served, era=era) as client:
            can_be_told = era == "2026-07-28" or transport == "sse"  # else no connection outlives its answer
            assert client.server_capabilities.resources is not None
            assert client.server_capabilities.resources.subscribe is can_be_told
            if era == "2026-07-28":
                async with client.listen(resource_subscriptions=["symbol://a"]) as events:
                    edit(shop, "b", 2)
                    edit(shop, "a", 2)
                    assert await anext(aiter(events)) == ResourceUpdated(uri="symbol://a")


async def test_a_server_over_http_that_is_told_to_stop_ends_its_streams_without_a_word(shop: Path) -> None:
    with listening(shop) as served:
        async with (
            visiting(served) as client,
            client.listen(resource_subscriptions=["symbol://a"]) as one,
            client.listen(resource_subscriptions=["symbol://b"]) as other,
        ):
            served.process.terminate()
            assert [event async for event in one] == [event async for event in other] == []
        assert await anyio.to_thread.run_sync(served.process.wait) == 0
        assert served.process.stderr is not None
        assert served.process.stderr.read() == ""
