"""Quotes of a query that the code holds as they are, a route, a variable, a key, a message, are shown where it does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from allocator import ContextEngine
from allocator.ranking.quotes import bare_messages_in, messages_in, quotes_in
from allocator.spend.needs import OVER_LINES
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


MUCH = {
    "web/Empty.tsx": "export const Shelf{0} = () => <p>The clerk keeps the receipts of month {0}</p>;\n",
    "web/Till.vue": "<p>The clerk keeps the coins of month {0}</p>\n",
    "web/help.html": "<p>Ask the other clerk of drawer {0}</p>\n",
    "till/messages.py": 'CLERK_{0} = "The clerk of the till keeps month {0}"\n',
    "till/say.js": 'const CLERK_{0} = "A voucher of month {0} is late";\n',
    "locale/de.txt": 'msgid "The clerk has the ledger of month {0}"\nmsgstr ""\n',
    "locale/en.json": '  "clerk{0}": "Press the key of the lower drawer in month {0}",\n',
}
PAGES = {
    "web/Empty.tsx": (
        "export const Empty = () => (\n  <Message>\n    There are no receipts in this\n    drawer, and it can&apos;t be"
        " <strong>shut</strong>\n    for now.\n  </Message>\n);\n"
    ),
    "web/Till.vue": "  <p>\n    Nobody has counted\n    the coins of {{ till.name }} yet\n  </p>\n",
    "web/help.html": '<p>Ask the clerk to <a href="/open">open the other\ndrawer</a>, please.</p>\n',
    "till/messages.py": 'CLOSED = (\n    "The till was closed "\n    "by somebody who is "\n    f"not {1} of the clerks"\n)\n',
    "till/say.js": 'const LATE = "It is too late to " +\n  "refund a voucher of " +\n  "yesterday";\n',
    "locale/de.txt": 'msgid ""\n"The month has no ledger "\n"that a clerk could write to"\nmsgstr ""\n',
    "locale/en.json": '  "drawer": {\n    "hold": "Press {{key}} to open the lower drawer at once"\n  },\n',
}


def long(path: str) -> str:
    """A text with much before and after what it says once."""
    before, after = ("".join(MUCH[path].format(number) for number in range(at, at + 150)) for at in (0, 150))
    text = before + PAGES[path] + after
    return f'{{\n{text}  "end": 1\n}}\n' if path.endswith(".json") else text


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (
            "There are no receipts in this drawer, and it can't be shut for now.",
            [
                "    There are no receipts in this",
                "    drawer, and it can&apos;t be <strong>shut</strong>",
                "    for now.",
            ],
        ),
        ("Nobody has counted the coins of", ["    Nobody has counted", "    the coins of {{ till.name }} yet"]),
        (
            'it says "Ask the clerk to open the other drawer, please." and no more',
            ['<p>Ask the clerk to <a href="/open">open the other', "drawer</a>, please.</p>"],
        ),
        ("The till was closed by somebody who is not 7 of the clerks", ['    f"not {1} of the clerks"']),
        ("It is too late to refund a voucher of yesterday", ['  "refund a voucher of " +', '  "yesterday";']),
        ("The month has no ledger that a clerk could write to", ['"that a clerk could write to"']),
        (
            "Press F4 to open the lower drawer at once",
            ['  "drawer": {', '    "hold": "Press {{key}} to open the lower drawer at once"'],
        ),
    ],
    ids=["jsx", "vue", "html", "python", "javascript", "gettext", "json"],
)
def test_a_text_is_found_as_a_screen_shows_it(tmp_path: Path, query: str, lines: list[str]) -> None:
    root = write_tree(tmp_path.resolve(), {path: long(path) for path in PAGES})
    context = (
        ContextEngine(Roots([root])).get_context(str(root), token_budget=400, query=query, format="compact").context
    )
    assert [line for line in lines if line not in context.splitlines()] == []


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("There are no receipts in this drawer, and it can't be shut for now.", "web/Empty.tsx"),
        ("Nobody has counted the coins of", "web/Till.vue"),
        ("Ask the clerk to open the other drawer, please.", "web/help.html"),
        ("The till was closed by somebody who is not 7 of the clerks", "till/messages.py"),
        ("It is too late to refund a voucher of yesterday", "till/say.js"),
        ("The month has no ledger that a clerk could write to", "locale/de.txt"),
        ("Press F4 to open the lower drawer at once", "locale/en.json"),
    ],
)
def test_a_text_may_go_on_below_and_hold_tags_and_entities(message: str, path: str) -> None:
    (_, *ways), *_ = bare_messages_in(message)
    assert any(re.search(way.pattern, PAGES[path], re.MULTILINE) for way in ways)


@pytest.mark.parametrize("languages", [("en",), tuple(f"l{number}" for number in range(50))], ids=["one", "many"])
def test_a_text_is_shown_in_the_page_whatever_translations_say_it(tmp_path: Path, languages: tuple[str, ...]) -> None:
    page = (
        long("web/Empty.tsx")
        + "export const Ask = () => (\n  <p>\n    Ask the clerk to open the\n    other drawer, please.\n  </p>\n);\n"
    )
    files = {"web/Empty.tsx": page + "const LAST = 1;\n" * 200}
    filler = "".join(f'  "key{number}": "The clerk of month {number}",\n' for number in range(200))
    files |= {
        f"locale/{language}.json": f'{{\n{filler}  "drawer": "Ask the clerk to open the other drawer, please."\n}}\n'
        for language in languages
    }
    root = write_tree(tmp_path.resolve(), files)
    query = "Ask the clerk to open the other drawer, please."
    context = (
        ContextEngine(Roots([root])).get_context(str(root), token_budget=400, query=query, format="compact").context
    )
    assert "    Ask the clerk to open the\n    other drawer, please." in context


@pytest.mark.parametrize("text", ["a <b " * 30_000, "Ask the clerk " * 20_000, "Ask " + "\n" * 200_000, "<a>" * 60_000])
def test_looking_for_a_text_over_lines_takes_no_longer_for_what_nearly_says_it(text: str) -> None:
    (*_, way), *_ = quotes_in('it says "Ask the clerk to open the other drawer"')
    assert way.pattern.startswith(OVER_LINES)
    assert re.search(way.pattern, text) is None
