"""Two tenants of one server: neither sees what belongs to the other, nor whether it is there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import anyio
import pytest
from mcp.shared.exceptions import MCPError
from mcp.types import ErrorData, InputRequiredResult

from compaction.history import FormatName
from server.settings import read_settings
from server.tenants import key_of, read_tenants, settings_of
from tests.compaction.history.conversations import long_session, write
from tests.server.attempts import ATTEMPTS
from tests.server.test_http import HEADERS
from tests.server.test_protocol import texts
from tests.server.web import Served, get, listening, post, visiting
from tests.trees import git, make_repository
from workspace.errors import InvalidArgumentError
from workspace.git.revisions import Repository

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

TOKENS = {"a": "the-token-of-the-first", "b": "the-token-of-the-other"}
FILE, SYMBOL, MARK = "zebra_vault.py", "zebra_unlock", "stripes-and-hooves"
SOURCE = f'def {SYMBOL}():\n    """Open it."""\n    return "{MARK}"\n'
PADDING = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(40))


@dataclass(frozen=True, kw_only=True)
class House:
    """A server of two tenants.

    Attributes:
        served: its process.
        real: what truly is the second one's, by the places that an attempt has for it.
        absent: likewise what nobody has.
        place: where everything lies.
    """

    served: Served
    real: Mapping[str, str]
    absent: Mapping[str, str]
    place: Path

    def asked(self, method: str, params: dict[str, Any], **headers: str) -> str:
        """Returns the answer to the first tenant."""
        sent = HEADERS | {"Authorization": f"Bearer {TOKENS['a']}"} | headers
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = post(self.served.url, json=call, headers=sent)
        headers_told = sorted((name, value) for name, value in answer.headers.items() if name != "date")
        return f"{answer.status_code} {headers_told} {answer.text}"


def write_tenants(folder: Path) -> Path:
    lines = ["[repositories]"]
    lines += [f'"{name}" = "{place}"' for name, place in (("a/shop", "shop.git"), ("a/site", "site"))]
    lines += [f'"{name}" = "{place}"' for name, place in (("b/safe", "safe.git"), ("b/vault", "vault"))]
    for name, one in (("a", '"a/shop", "a/site"'), ("b", '"b/safe", "b/vault"')):
        digest = sha256(TOKENS[name].encode()).hexdigest()
        lines += [f"[tenants.{name}]", f'token-digests = ["{digest}"]', f"repositories = [{one}]"]
    (folder / "tenants.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "tenants.toml"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tenants")
    vault = make_repository(
        folder / "vault",
        {FILE: SOURCE, **{f"more{number}.py": PADDING for number in range(14)}, "session.jsonl": '{"role": "user"}\n'},
    )
    git(vault, "branch", "of-the-other")
    shop = make_repository(folder / "work", {"shop.py": "def price():\n    return 1\n", "more.py": PADDING})
    (shop / "outward").symlink_to(folder / "vault")
    (shop / "nowhere").symlink_to(folder / "vixen")
    git(shop, "add", "-A")
    theirs = git(vault, "rev-parse", "HEAD").decode().strip()
    for name, commit in (("sub", theirs), ("dub", "0" * 39 + "4")):
        git(shop, "update-index", "--add", "--cacheinfo", f"160000,{commit},{name}")
    git(shop, "commit", "-qm", "links")
    git(folder, "clone", "-q", "--bare", str(vault), "safe.git")
    git(folder, "clone", "-q", "--bare", str(shop), "shop.git")
    site = make_repository(folder / "site", {"page.py": "def page():\n    return 1\n", "in/deep.py": "deep = 1\n"})
    (site / "leak").symlink_to(folder / "vault")
    (site / "lack").symlink_to(folder / "vixen")
    for name, told in (("pointed", "vault/.git"), ("painted", "vixen/.git")):
        (site / name).mkdir()
        (site / name / "x.py").write_text("x = 1\n", encoding="utf-8")
        (site / name / ".git").write_text(f"gitdir: {folder / told}\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def house(place: Path) -> Generator[House]:
    variables = {"XDG_STATE_HOME": str(place / "state"), "FRACTAL_CONTEXT_CACHE": str(place / "cache")}
    flags = ["--tenants", str(write_tenants(place)), "--host", "0.0.0.0"]
    with listening(None, variables=variables, flags=flags, cwd=place) as served:
        commit, tree, blob = (
            git(place / "safe.git", "rev-parse", name).decode().strip()
            for name in ("main", "main^{tree}", f"main:{FILE}")
        )
        made = anyio.run(_things_of_the_other, served)
        real = {
            "repo": "b/safe",
            "bare": "safe.git",
            "vault": "vault",
            "file": FILE,
            "symbol": SYMBOL,
            "branch": "of-the-other",
        }
        real |= {"commit": commit, "short": commit[:10], "tree": tree, "blob": blob, **made, "letter": "b/"}
        real |= {
            "number": Repository(place / "safe.git").number,
            "link": "leak",
            "committed": "outward",
            "pointed": "pointed",
            "submodule": "sub",
            "kept": str(next(place.joinpath("cache", "tenants").iterdir())),
        }
        absent = {
            "repo": "c/void",
            "bare": "void.git",
            "vault": "vixen",
            "file": "zebra_vixen.py",
            "symbol": "zebra_unpack",
        }
        absent |= {"branch": "of-no-others", "commit": "0" * 39 + "1", "short": "000000000f", "tree": "0" * 39 + "2"}
        absent |= {
            "blob": "0" * 39 + "3",
            "snapshot": "abcdef" * 2,
            "cursor": "abcdef" * 2,
            "archive": "abcdef" * 4,
            "letter": "c/",
        }
        absent |= {"number": "0" * 16, "link": "lack", "committed": "nowhere", "pointed": "painted"}
        absent |= {"submodule": "dub", "kept": str(place / "cache" / "tenants" / "zebra")}
        for known in (real, absent):
            known |= {"folder": str(place / known["vault"]), "bare_path": str(place / known["bare"])}
            known |= {"percent": quote(known["repo"], safe=""), "upper": known["repo"].upper()}
            known |= {"snapshot_begins": known["snapshot"][:8], "archive_begins": known["archive"][:12]}
            known |= {"archive_upper": known["archive"].upper(), "state": str(place / "state" / "fractal-context")}
            known |= {"alike": known["repo"].replace("s", "\u0455"), "pattern": known["repo"][0] + "/*"}
        yield House(served=served, real=real, absent=absent, place=place)


async def _things_of_the_other(served: Served) -> dict[str, str]:
    """Has the second tenant ask, and returns the names of what it was given; what it sees is there."""
    async with visiting(served, token=TOKENS["b"]) as client:
        whole = await client.call_tool("get_context", {"path": "repo://b/safe"})
        assert MARK in texts(whole)[0]
        part = await client.call_tool("get_context", {"path": "repo://b/vault", "token_budget": 500})
        told = json.loads(texts(part)[1])
        said = [{"role": "user", "content": f"Guard the {MARK}."}, {"role": "assistant", "content": "Done."}]
        kept = await client.call_tool("compact_history", {"messages": said, "force": True})
        assert kept.structured_content is not None
        archive = kept.structured_content["archive_id"]
        back = await client.call_tool("compact_history", {"archive_id": archive})
        assert MARK in texts(back)[0]
        assert told["next_cursor"]
        return {"snapshot": json.loads(texts(whole)[1])["snapshot"], "cursor": told["next_cursor"], "archive": archive}


def _filled(params: dict[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    text = json.dumps(params)
    for name, meant in known.items():
        text = text.replace("{" + name + "}", json.dumps(meant)[1:-1])
    return json.loads(text)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_what_is_anothers_reads_as_what_is_not_there(house: House, name: str) -> None:
    method, params = ATTEMPTS[name]
    theirs, nobodys = (house.asked(method, _filled(params, known)) for known in (house.real, house.absent))
    for secret in (MARK, "def zebra", "more.py::step", "hooves", '"Guard'):
        assert secret not in theirs or secret in nobodys
    said = json.dumps(params).replace("{percent}", "{percent}{repo}")  # an answer tells what the percents mean
    said = said.replace("{folder}", "{folder}{vault}")  # and of a path its last name
    used = [key for key in house.real if "{" + key + "}" in said]
    for key in sorted(used, key=lambda key: -len(house.real[key])):
        theirs = theirs.replace(house.real[key], house.absent[key])
    if "messages" in said or ("query" in said and "{folder}" in said):  # what was asked for is counted and digested too
        theirs, nobodys = (re.sub(r"[0-9a-f]{8,}|\d+", "0", answer) for answer in (theirs, nobodys))
    assert theirs == nobodys


def test_there_are_sixty_attempts_at_least() -> None:
    assert len(ATTEMPTS) >= 110


A, B = (f"Bearer {TOKENS[name]}" for name in "ab")


@pytest.mark.parametrize(
    "authorization",
    [
        *([], [""], ["Bearer"], [TOKENS["b"]], [f"Basic {TOKENS['b']}"], [f"Bearer {TOKENS['b'][:-1]}"]),
        *(
            [B + "x"],
            [B.upper()],
            [f"Bearer {sha256(TOKENS['b'].encode()).hexdigest()}"],
            [A, B],
            [B, A],
            [f"{A}, {B}"],
        ),
        *([f"{A},{B}"], ["Bearer b"], ["Bearer *"], [f"Bearer\t{TOKENS['b']}"], [f'Bearer "{TOKENS["b"]}"']),
    ],
)
def test_no_form_of_a_token_but_the_token_opens_anything(house: House, authorization: list[str]) -> None:
    headers = [*HEADERS.items(), *(("Authorization", value) for value in authorization)]
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": _filled(ATTEMPTS["its name"][1], house.real)}
    answer = post(house.served.url, json=call, headers=headers)
    assert answer.status_code == 401
    assert answer.text == post(house.served.url, json=call, headers=HEADERS).text


@pytest.mark.parametrize(
    "headers",
    [
        *({"X-Tenant": "b"}, {"X-Forwarded-User": "b"}, {"X-Authorization": B}, {"Cookie": f"token={TOKENS['b']}"}),
        *({"Proxy-Authorization": B}, {"fractal_context.tenant": "b"}, {"fractal-context-tenant": "b"}),
        *({"Mcp-Session-Id": "b"}, {"X-Original-URL": "/b/mcp"}, {"Forwarded": "for=b"}),
    ],
)
def test_no_header_makes_one_tenant_another(house: House, headers: dict[str, str]) -> None:
    method, params = ATTEMPTS["its name"]
    asked = _filled(params, house.real)
    assert house.asked(method, asked, **headers) == house.asked(method, asked)


@pytest.mark.parametrize("suffix", ["?token={}", "?access_token={}", "/{}", "/../b/mcp", "?tenant=b"])
def test_no_address_makes_one_tenant_another(house: House, suffix: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": _filled(ATTEMPTS["its name"][1], house.real)}
    sent = HEADERS | {"Authorization": A}
    answer = post(house.served.url + suffix.format(TOKENS["b"]), json=call, headers=sent)
    assert MARK not in answer.text


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
def test_what_is_listed_names_nothing_of_the_other(house: House, method: str) -> None:
    listed = house.asked(method, {})
    for name in ("b/safe", "b/vault", SYMBOL, FILE, str(house.place)):
        assert name not in listed
    assert method != "resources/list" or "context://repo://a/shop" in listed


def test_no_answer_tells_where_anything_lies(house: House) -> None:
    for path in (
        "repo://a/shop",
        "repo://a/site",
        "repo://a/site@nope",
        "repo://a/shop:nope",
        "/nowhere",
        ".",
        "repo://x",
    ):
        for answer in (
            house.asked("tools/call", {"name": "get_context", "arguments": {"path": path}}),
            house.asked("tools/call", {"name": "zoom", "arguments": {"path": path, "target": "nothing_like_it"}}),
        ):
            assert str(house.place) not in answer
            assert "/dev/null" not in answer


async def test_the_state_of_a_call_of_the_other_is_as_good_as_any(house: House) -> None:
    said = write(FormatName.ANTHROPIC, *long_session())
    call = {"messages": said, "summarizer": "sampling"}
    async with visiting(house.served, token=TOKENS["b"], sampling=_unheard) as other:
        asked = await other.session.call_tool("compact_history", call, allow_input_required=True)
        assert isinstance(asked, InputRequiredResult)
        assert asked.request_state
    async with visiting(house.served, token=TOKENS["a"], sampling=_unheard) as first:
        own = await first.session.call_tool("compact_history", call, allow_input_required=True)
        assert isinstance(own, InputRequiredResult)
        assert own.request_state
        again = await first.session.call_tool("compact_history", call, request_state=own.request_state)
        assert not again.is_error
        refused: list[str] = []
        for state in (asked.request_state, own.request_state[:-8] + asked.request_state[-8:], "nobody's"):
            with pytest.raises(MCPError) as error:
                await first.session.call_tool("compact_history", call, request_state=state)
            refused.append(str(error.value))
        assert len({*refused}) == 1


async def _unheard(context: Any, params: Any) -> ErrorData:
    del context, params
    return ErrorData(code=-1, message="nobody is asked here")


async def test_completion_gives_the_names_of_the_tenants_own_definitions(house: House) -> None:
    def told(name: str, letters: str) -> str:
        ref = {"type": "ref/resource", "uri": "symbol://{+target}"}
        return house.asked("completion/complete", {"ref": ref, "argument": {"name": name, "value": letters}})

    assert '"price"' in told("target", "pri")
    assert '"values":[]' in told("target", SYMBOL[:5])


async def test_each_tenant_reads_what_is_its_own(house: House) -> None:
    async with visiting(house.served, token=TOKENS["a"]) as first, visiting(house.served, token=TOKENS["b"]) as other:
        assert "def price" in texts(await first.call_tool("get_context", {"path": "repo://a/shop"}))[0]
        assert "def page" in texts(await first.call_tool("get_context", {"path": "repo://a/site"}))[0]
        assert "def page" in texts(await first.call_tool("zoom", {"target": "page", "path": "repo://a/site@HEAD"}))[0]
        assert MARK in texts(await other.call_tool("get_context", {"path": "repo://b/vault"}))[0]
        whole = texts(await first.call_tool("get_context", {"path": "repo://a/shop"}))[1]
        again = await first.call_tool("get_context", {"path": "repo://a/shop", "since": json.loads(whole)["snapshot"]})
        assert not again.is_error


async def test_who_follows_what_is_anothers_hears_nothing(house: House) -> None:
    own, theirs = "context://repo://a/site", "context://repo://b/vault"
    async with (
        visiting(house.served, token=TOKENS["a"]) as client,
        client.listen(resource_subscriptions=[own, theirs]) as events,
    ):
        (house.place / "vault" / "new.py").write_text("def newer(): ...\n", encoding="utf-8")
        (house.place / "site" / "new.py").write_text("def newer(): ...\n", encoding="utf-8")
        heard = await anext(aiter(events))
        assert own in str(heard)
        assert theirs not in str(heard)


def test_what_is_kept_of_one_tenant_is_in_no_folder_of_the_other(house: House) -> None:
    kept = [{folder.name for folder in house.place.joinpath(kind).rglob("tenants/*")} for kind in ("cache", "state")]
    assert kept[1] <= kept[0]  # not everybody has an archive
    assert len(kept[0]) == 2
    assert not list(house.place.joinpath("cache").glob("snapshots/*"))


def test_the_same_content_of_two_tenants_is_kept_under_two_keys(place: Path) -> None:
    settings = read_settings(
        environ={}, tenants=str(write_tenants(place)), transport="streamable-http", cache=str(place / "other")
    )
    first, other = (settings_of(settings, tenant) for tenant in read_tenants(settings.tenants).values())
    assert len({first.cache, other.cache, settings.cache}) == len({first.store_key, other.store_key, ""}) == 3
    assert key_of(b"x", "a") != key_of(b"x", "b")
    assert "repo://b" not in repr(first.roots.resolve("repo://a/shop"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no tenant"),
        ("[tenants.a]\n", "needs"),
        ('[repositories]\n"../x" = "site"\n', "form"),
        ('[repositories]\n"x" = 3\n', "form"),
        ('[repositories]\n"x" = "nowhere"\n', "does not exist"),
        ("[tenant.a]\n", "tables"),
        ('[tenants.a]\ntokens = ["x"]\n', "has no"),
        ('[tenants.a]\ntoken-digests = ["x"]\nrepositories = []\n', "needs"),
        ('[repositories]\n"x" = "site"\n[tenants.a]\ntoken-digests = ["x"]\nrepositories = ["x"]\n', "SHA-256"),
        ('[repositories]\n"x" = "site"\n[tenants.a]\ntoken-files = ["x"]\nrepositories = ["x"]\n', "token file"),
        ('[repositories]\n"x" = "site"\n[tenants.a]\ntoken-files = ["short"]\nrepositories = ["x"]\n', "16"),
        ('[repositories]\n"x" = "site"\n[tenants.a]\nrepositories = ["y"]\n', "does not name"),
        ("tenants = 3\n", "no table"),
        ('[tenants.a]\nrepositories = "x"\n', "list"),
        ("[", "TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_at_the_start(place: Path, tmp_path: Path, text: str, word: str) -> None:
    make_repository(tmp_path / "site", {"a.py": "a = 1\n"})
    (tmp_path / "short").write_text("short", encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidArgumentError, match=word):
        read_settings(environ={}, tenants=str(tmp_path / "wrong.toml"), transport="streamable-http")


def test_tenants_need_a_server_over_http_and_no_other_token(place: Path) -> None:
    said = str(write_tenants(place))
    for transport, roots, repositories in (("stdio", [], []), ("sse", [str(place)], []), ("sse", [], [f"x={place}"])):
        with pytest.raises(InvalidArgumentError, match="tenants"):
            read_settings(environ={}, tenants=said, transport=transport, roots=roots, repositories=repositories)
    with pytest.raises(InvalidArgumentError, match="tenants"):
        read_settings(environ={"FRACTAL_CONTEXT_TOKEN": "x" * 20}, tenants=said, transport="sse")
    text = write_tenants(place).read_text(encoding="utf-8").replace(sha256(TOKENS["b"].encode()).hexdigest(), "")
    (place / "twice.toml").write_text(
        text.replace('[""]', f'["{sha256(TOKENS["a"].encode()).hexdigest()}"]'), encoding="utf-8"
    )
    with pytest.raises(InvalidArgumentError, match="same token"):
        read_settings(environ={}, tenants=str(place / "twice.toml"), transport="sse")


def test_the_log_of_the_server_holds_nothing_of_what_was_read(place: Path) -> None:
    variables = {"XDG_STATE_HOME": str(place / "state"), "FRACTAL_CONTEXT_LOG_LEVEL": "debug"}
    flags = ["--tenants", str(write_tenants(place)), "--cache", str(place / "cache"), "--workers", "2"]
    with listening(None, variables=variables, flags=flags, cwd=place) as served:
        sent = HEADERS | {"Authorization": B}
        for path in ("repo://b/safe", "repo://b/vault:nope"):
            params = {"name": "get_context", "arguments": {"path": path}}
            post(served.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers=sent)
        assert get(served.origin + "/health").json() == {"status": "ok"}
        served.process.terminate()
        assert served.process.stderr is not None
        logged = served.process.stderr.read()
    assert MARK not in logged
    assert TOKENS["b"] not in logged
