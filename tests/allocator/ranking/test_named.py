"""Which definitions a query names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from allocator.ranking.corpus import Corpus, tiers_of
from allocator.ranking.named import AMONG_OTHERS, named
from allocator.ranking.words import query_of, within
from tests.allocator.ranking.code import CodeFile, names_by_weight, ranked_for

FILES = (
    CodeFile("src/table.h", "class Table {\n public:\n  void Add(int key);\n  void Clear();\n};\n"),
    CodeFile(
        "src/table.cc",
        '#include "table.h"\nvoid Table::Add(int key) {\n  put(key);\n}\nvoid Table::Clear() {\n  empty();\n}\n',
    ),
    CodeFile("src/batch.cc", "void Batch::Add(int key) {\n  put(key);\n}\n"),
    CodeFile(
        "web/routes.py",
        "def add_route(path):\n    return path\n\n\nclass Router:\n    def add(self, path):\n        return path\n",
    ),
    CodeFile("web/other.py", "def load(path):\n    return path\n"),
    CodeFile("web/third.py", "def load(path):\n    return open(path)\n"),
    CodeFile("tests/test_routes.py", "def add_route(path):\n    assert path\n"),
    CodeFile("web/shop.py", "class Shop:\n    def open_doors(self):\n        return 1\n"),
)


def found(query: str, files: Sequence[CodeFile] = FILES, project: str = "") -> list[tuple[str, str]]:
    arrays = Corpus().arrays(files, lambda places: [files[place].reading for place in places])
    units = named(arrays, tiers_of(files), within(query_of(query), project))
    return [(arrays.paths[int(arrays.file[unit])], arrays.words[int(arrays.name[unit])]) for unit in units]


@pytest.mark.parametrize(
    "query",
    ["Table::Add", "Table.Add", "`Table::Add()`", "how does Table::Add put a key in?", "fix Table#Add for large keys"],
)
def test_a_qualified_name_is_the_member_of_that_type_where_its_body_stands(query: str) -> None:
    assert found(query) == [("src/table.cc", "Add")]


@pytest.mark.parametrize(
    "query", ["add_route", "where is add_route called", "routes.add_route", "make `add_route` faster"]
)
def test_a_name_is_what_source_defines_and_not_what_tests_do(query: str) -> None:
    assert found(query) == [("web/routes.py", "add_route")]


def test_a_name_of_several_definitions_is_none_in_prose_and_all_where_nothing_else_is_asked() -> None:
    assert found("how does `load` read the path") == []
    assert found("load") == [("web/other.py", "load"), ("web/third.py", "load")]
    assert found("third.load") == [("web/third.py", "load")]


def test_words_of_prose_name_nothing() -> None:
    assert found("how does the router add and load a path") == []
    assert found("Batch Table") == []


def test_what_stands_in_another_type_than_is_said_is_not_meant() -> None:
    assert found("Shelf::Add") == []


def test_the_name_of_the_project_is_a_definition_only_where_it_is_all_that_is_asked() -> None:
    shop = (CodeFile("src/shop.py", "class MyShop:\n    def open_doors(self):\n        return 1\n"), *FILES)
    assert found("how does MyShop add a path", shop, "my-shop") == []
    assert found("how does MyShop add a path", shop) == [("src/shop.py", "MyShop")]
    assert found("MyShop", shop, "my-shop") == [("src/shop.py", "MyShop")]


ROUTES = (
    CodeFile("src/a_route.py", "class RouterOfRoutes:\n    def router(self, router):\n        return router\n" * 3),
    CodeFile("src/routing.py", "class Router:\n    def match(self, path):\n        return 1\n"),
    CodeFile("src/use_router.py", "def router_of(router):\n    Router(router)\n    return Router, router\n" * 3),
)


def test_a_name_alone_is_the_definition_that_it_names_and_comes_first() -> None:
    ranking = ranked_for(ROUTES, "Router")
    assert ROUTES[ranking.order[0]].path == "src/routing.py"
    assert names_by_weight(ROUTES, ranking)[0] == "src/routing.py::Router"


BATCHES = (
    CodeFile("src/links.ts", "export function batchLink(options) {\n  return gatherer(options);\n}\n"),
    CodeFile("src/gathering.ts", "export function gatherer(options) {\n  return options.all;\n}\n"),
    *(
        CodeFile(
            f"src/request_{n}.ts", f"export function batchOfRequests{n}(requests) {{\n  return requests.batch{n};\n}}\n"
        )
        for n in range(6)
    ),
)


def test_what_a_named_definition_calls_comes_near_it() -> None:
    ranking = ranked_for(BATCHES, "how does batchLink make a batch of many requests?")
    assert names_by_weight(BATCHES, ranking)[:2] == ["src/links.ts::batchLink", "src/gathering.ts::gatherer"]
    assert ranking.reasons is not None
    told = dict(ranking.reasons.of(1, 0).parts)
    assert told["named"] > 0


def test_what_is_to_be_done_is_not_only_about_what_its_text_names() -> None:
    ranking = ranked_for(BATCHES, "Fix batchLink where a batch is made of many requests")
    assert ranking.reasons is not None
    assert "named" not in dict(ranking.reasons.of(0, 0).parts)


def test_of_what_a_named_definition_calls_that_comes_nearest_which_the_question_is_about_as_well() -> None:
    links = CodeFile(
        "src/links.ts", "export function batchLink(options) {\n  is_list();\n  return batchGatherer(options);\n}\n"
    )
    lists = CodeFile("other/lists.ts", "export function is_list() {\n  return 1;\n}\n")
    gathering = CodeFile("src/gathering.ts", "export function batchGatherer(options) {\n  return options.all;\n}\n")
    files = (links, lists, gathering)
    ranking = ranked_for(files, "how does batchLink make a batch of many requests?")
    assert ranking.reasons is not None
    reasons = [ranking.reasons.of(at, 0) for at in (1, 2)]
    came = [one.weight * (1 - (1 - AMONG_OTHERS) * np.exp(-dict(one.parts)["named"])) for one in reasons]
    assert came[1] > 1.2 * came[0] > 0


@pytest.mark.parametrize(
    "query",
    ["who calls allOf?", "where is allOf used", "which code calls allOf", "what are the callers of allOf"],
)
def test_what_calls_a_named_definition_comes_near_it_where_that_is_asked(query: str) -> None:
    files = [CodeFile(one.path, one.text.replace("gatherer", "allOf")) for one in BATCHES]
    ranking = ranked_for(files, query)
    assert names_by_weight(files, ranking)[:2] == ["src/gathering.ts::allOf", "src/links.ts::batchLink"]
    of_caller, of_named = (ranking.definitions[at][0] for at in (0, 1))
    assert of_caller > of_named / 4


@pytest.mark.parametrize(
    "query",
    [
        "where is Links.allOf used",
        "where is links.List.allOf called? It fails.",
        "where in the code is allOf invoked",
        "how is allOf used",
        "how is Links.allOf used, and what for?",
        "all references to allOf",
    ],
)
def test_questions_ask_for_callers_in_many_words(query: str) -> None:
    assert query_of(query).wants_users


@pytest.mark.parametrize(
    "query",
    [
        "what does allOf call",
        "how is the path used by allOf",
        "use allOf",
        "where is the list that is used by allOf defined",
        "where is allOf. It is used",
        "how is allOf used to sort",
    ],
)
def test_other_questions_ask_for_no_callers(query: str) -> None:
    assert not query_of(query).wants_users
