"""Tenants over one shared store: whose content is known by whom shows neither in what is found nor in any name."""

from __future__ import annotations

from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from server.indexing import open_engines
from server.settings import read_settings
from server.sharing import close_shared, shared_store
from server.tenants import read_tenants, settings_of
from tests.fleet.replicas import PATIENT_SECONDS, project
from tests.trees import make_repository

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from tests.fleet.servers import StoreServer

QUERY = "what is the price of part 7"


@pytest.fixture(autouse=True)
def _ended() -> Generator[None]:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    yield
    close_shared()


def answered(folder: Path, name: str, store: StoreServer, state: Path) -> tuple[list[str], int]:
    """Has a server that begins answer one tenant; returns the texts, and how much it found in the shared store."""
    environ = {"FRACTAL_CONTEXT_STORE": store.url, "FRACTAL_CONTEXT_STORE_KEY": "a-key-for-tests-only"}
    house = str(folder / "tenants.toml")
    settings = read_settings(environ=environ, tenants=house, transport="streamable-http", cache=str(state), parsers="0")
    own = settings_of(settings, read_tenants(settings.tenants)[name])
    shared = shared_store(own)
    assert shared is not None
    engines = open_engines(own)
    with closing(engines.index):
        path = f"repo://{name}/code"
        made = [engines.context.get_context(path, token_budget=700, query=query) for query in ("", QUERY)]
        hits = shared.statistics().hits  # what comes after may find what this server has just noted
        texts = [*(one.context.replace(path, "") for one in made), engines.zoomer.zoom("sell_3", path).text]
        assert shared.flush(PATIENT_SECONDS)
    close_shared()
    return [text.replace(f"{name}/code", "") for text in texts], hits


def test_what_one_tenant_has_asked_is_no_quicker_for_the_other(tmp_path: Path, server: StoreServer) -> None:
    lines = ["[repositories]"]
    for name in "ab":
        make_repository(project(tmp_path / name), {})
        lines.append(f'"{name}/code" = "{name}"')
    for name in "ab":
        digest = sha256(f"token of {name}".encode()).hexdigest()
        lines += [f"[tenants.{name}]", f'token-digests = ["{digest}"]', f'repositories = ["{name}/code"]']
    (tmp_path / "tenants.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    theirs, _ = answered(tmp_path, "b", server, tmp_path / "one")
    names = {*server.names()}
    assert names
    first, hits = answered(tmp_path, "a", server, tmp_path / "two")
    assert (first, hits) == (theirs, 0)
    added = {*server.names()} - names
    assert {name.split(b":")[1] for name in added}.isdisjoint({name.split(b":")[1] for name in names})
    assert {name[-16:] for name in added}.isdisjoint({name[-16:] for name in names})
    assert not any(b"price" in name or b"code" in name or b"part" in name for name in names | added)
    again, hits = answered(tmp_path, "a", server, tmp_path / "three")
    assert again == first
    assert hits > 30
