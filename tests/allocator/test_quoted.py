"""Quotes of a query that the code holds as they are, a route, a variable, a key, a message, are shown where it does."""

from __future__ import annotations

import re

import pytest

from allocator import ContextEngine
from allocator.ranking.quotes import bare_messages_in, messages_in, quotes_in
from tests.trees import write_tree
from workspace.roots import Roots

OTHERS = "".join(f'    app.get("/shelf/{number}", shelf_{number})\n' for number in range(60))
TREE = {
    "shop/routes.py": f'def add_routes(app):\n{OTHERS}    app.post("/till/:id/close", close)\n{OTHERS}    return app\n',
    "shop/keys.py": "".join(f'KEY_{number} = "shop.key{number}"\n' for number in range(90)) + 'LIMIT = "till.limit"\n',
    "shop/command.py": f"def options(add):\n{OTHERS.replace('app.get', 'add')}    add('no-receipt')\n{OTHERS}    return add\n",
    "shop/say.py": f'def say(out):\n{OTHERS.replace("app", "out")}    out.fail("The drawer is not shut")\n{OTHERS}\n',
    ".env.example": "".join(f"SHOP_OPTION_{number}=\n" for number in range(200)) + "SHOP_TILL_KEY=1\n",
    "tests/test_routes.py": 'def test_close(client):\n    assert client.post("/till/7/close")\n',
} | {f"shop/part_{number}.py": f"def till_{number}(key, limit):\n    return key + {number}\n" for number in range(12)}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> ContextEngine:
    return ContextEngine(Roots([write_tree(tmp_path_factory.mktemp("quoted") / "shop", TREE).resolve()]))


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("POST /api/v1/till/5/close gives 403", '    app.post("/till/:id/close", close)'),
        ("till.limit is ignored", 'LIMIT = "till.limit"'),
        ("--no-receipt prints one all the same", "    add('no-receipt')"),
        ('fails with "The drawer is not shut" at night', '    out.fail("The drawer is not shut")'),
        ("SHOP_TILL_KEY is not read", "SHOP_TILL_KEY=1"),
        ("The drawer is not shut", '    out.fail("The drawer is not shut")'),
        ("12:04 WARN till-3: The drawer is not shut", '    out.fail("The drawer is not shut")'),
        (
            f"{'It was late. ' * 60}\nshop.errors.TillError: The drawer is not shut",
            '    out.fail("The drawer is not shut")',
        ),
    ],
)
def test_what_a_query_quotes_is_shown_where_it_stands(engine: ContextEngine, query: str, line: str) -> None:
    context = engine.get_context(".", token_budget=320, query=query, format="compact").context
    assert line in context.splitlines()


@pytest.mark.parametrize(
    ("message", "line", "is_said"),
    [
        ("failed to open till.toml", 'Errorf("failed to open %s", name)', True),
        ("No receipt for coat/2 (#7) at all", 'f"No receipt for {name} (#{till}) at all"', True),
        ("the drawer of till is open", '"the drawer of #{till} is not open"', False),
        ("one of two and three", '"%s %s %s %s %s"', False),
    ],
)
def test_a_message_may_hold_values_in_the_place_of_which_code_has_names(message: str, line: str, is_said: bool) -> None:
    (_, *ways), *_ = quotes_in(f'it fails with "{message}"')
    assert any(re.search(way.pattern, line) for way in ways) is is_said
    assert set(ways[0].words) < set(re.findall(r"\w+", message))


@pytest.mark.parametrize(
    "text",
    [
        "Traceback (most recent call last):\n  x\nRuntimeError: page 27 was freed",
        'Exception in thread "main" java.lang.IllegalStateException: page 27 was freed\n\tat a.B.c(B.java:1)',
        "Caused by: shop.TillException: page 27 was freed",
        "Unhandled exception. System.InvalidOperationException: page 27 was freed",
        "panic: page 27 was freed\n\ngoroutine 1 [running]:",
        "thread 'main' panicked at src/main.rs:4:5:\npage 27 was freed",
        "lib/shop/till.rb:15:in 'Shop.close': page 27 was freed (Shop::TillError)",
        "** (Shop.TillError) page 27 was freed",
        "  what():  page 27 was freed",
        "error: page 27 was freed",
        "[till error]: page 27 was freed",
    ],
)
def test_messages_of_errors_are_quotes(text: str) -> None:
    ((as_it_is, *with_values),) = messages_in(text)
    assert re.search(as_it_is.pattern, "page 27 was freed")
    assert all(re.search(way.pattern, 'panic(Sprintf("page %d was freed", id))') for way in with_values)
    assert [way.words for way in with_values] == [("page", "was"), ("was", "freed")]


@pytest.mark.parametrize(
    "text", ["Fix the error: it is one", "KeyError: 'coat'", "http error 404", "it says till: not open"]
)
def test_what_no_error_said_is_no_message(text: str) -> None:
    assert messages_in(text) == []


@pytest.mark.parametrize(
    ("query", "line", "is_said"),
    [
        ("page 27 was freed", 'panic("page 27 was freed twice")', True),
        ("page 27 was freed", "<p>Sorry, page 27 was freed</p>", True),
        ("page 27 was freed", "freed: Page or page 27 was freed", True),
        ("page 27 was freed", "# page 27 was freed", False),
        ("page 27 was freed", "panic(Sprintf('page %d was freed', id))", True),
        ("page 27 was freed", "# page {id} was freed", False),
        ("2026-11-29 ERROR store: pages: page 27 was freed", 'panic("page 27 was freed")', True),
        ("page freed", 'panic("page freed.")', True),
        ("page freed", 'panic("page freed twice")', False),
    ],
)
def test_a_query_that_is_a_message_is_one_where_the_code_has_it_as_a_text(query: str, line: str, is_said: bool) -> None:
    ways = [way for ways in bare_messages_in(query) for way in ways]
    assert any(re.search(way.pattern, line) for way in ways) is is_said


@pytest.mark.parametrize("query", ["freed", "page 1", "one\ntwo three four", "page freed " * 20])
def test_one_word_several_lines_and_long_texts_are_no_message(query: str) -> None:
    assert bare_messages_in(query) == []


def test_what_is_no_quote_of_code_is_none() -> None:
    for text in ("It's and/or isn't, 10/12 of </textarea> e.g. in users' files", "see https://shop.org/till/12 (v1.2)"):
        assert all(not way.words for ways in quotes_in(text) for way in ways)
