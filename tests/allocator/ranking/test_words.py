from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocator.ranking.stems import haystack_of, needle_of, stem, terms_in
from allocator.ranking.vocabulary import Vocabulary
from allocator.ranking.words import LATEST, MOST_TERMS, MOST_WORDS, Kind, foremost_terms, query_of
from tests.thoroughness import share_of


@pytest.mark.parametrize(
    ("word", "terms"),
    [
        ("load", ("load",)),
        ("loadConfig", ("load", "config", "loadconfig")),
        ("load_config", ("load", "config", "loadconfig")),
        ("HTTPServer2", ("http", "serv", "httpserver2")),
        ("größe", ("gr", "öß", "größe")),
        ("設定", ("設定",)),
        ("_", ()),
    ],
)
def test_identifiers_are_taken_apart_and_kept_whole(word: str, terms: tuple[str, ...]) -> None:
    assert terms_in(word) == terms


@pytest.mark.parametrize(
    "family",
    [
        ("load", "loads", "loading", "loaded", "loader", "loaders"),
        ("query", "queries"),
        ("map", "mapped", "mapping", "maps"),
        ("validate", "validation", "validator", "validates", "validated"),
        ("class", "classes"),
        ("cache", "cached", "caches", "caching"),
    ],
)
def test_forms_of_a_word_have_one_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize("word", ["is", "us", "ing", "string", "status", "this", "bus"])
def test_short_words_and_false_endings_stay(word: str) -> None:
    assert stem(word) == word


def test_a_query_leaves_out_common_words_and_weighs_its_first_line_and_repetitions() -> None:
    query = query_of("Fix the parser\n\nThe lexer and the lexer; see src/lexer.py or `parse_all`.")
    assert set(query.terms) == {"fix", "pars", "lex", "see", "src", "py", "all", "parseall"}
    assert query.terms["pars"] > query.terms["lex"] > query.terms["src"] == 1
    assert query.subject == {"fix", "the", "pars"}
    assert query.points.paths == ("src/lexer.py",)


def test_a_long_query_is_cut_to_its_weightiest_words() -> None:
    text = "first line\n" + " ".join(f"word{chr(97 + a)}{chr(97 + b)}" for a in range(20) for b in range(20))
    query = query_of(text)
    assert len(query.terms) == MOST_TERMS
    assert {"first", "lin"} <= query.terms.keys()


@given(st.text(max_size=40))
def test_any_text_makes_a_query(text: str) -> None:
    query = query_of(text)
    assert all(weight > 0 for weight in query.terms.values())
    assert all(term for term in query.terms)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "Aa",
        "aB",
        "1a",
        "_",
        "a_",
        "-",
        "a-",
        ".",
        "a.",
        "/",
        "a/",
        "./",
        "a.b/",
        "é",
        "設",
        " ",
        "\n",
        "a\n",
        "'",
    ],
)
def test_a_long_text_of_anything_is_read_in_time_for_its_length(piece: str) -> None:
    query = query_of(piece * (share_of(300_000) // len(piece)))  # what takes the square of that never ends
    assert len(query.terms) <= MOST_TERMS


def test_a_query_says_what_of_it_is_not_looked_up() -> None:
    assert query_of("load the configuration").cut == ""
    many = " ".join(f"word{number}" for number in range(MOST_TERMS))
    assert query_of(many).cut == f"the {MOST_TERMS} terms of most weight of 247 are looked up"
    assert (
        f"{MOST_WORDS + 1:,} different words"
        in query_of(" ".join(f"w{number}" for number in range(MOST_WORDS + 1))).cut
    )


def test_words_that_no_file_can_hold_are_left_out() -> None:
    assert query_of(f"load {'x' * 65}").terms.keys() == {"load"}


_SPELT = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "retries",
                "retried",
                "applying",
                "Countries",
                "http_servers",
                "IOError",
                "classes",
                "sanitization",
                "rational",
                "parsers",
                "setUpAll",
                "__init__",
                "größe",
                "Σίγμας",
                "ΟΔΟΣ_ΟΔΟΣ",
                "\u212a\u212aing",
                "İstanbul_İ",
                "naïve_ßet",
                "stop_ped",
                "agreed",
                "es",
                "ies",
                "yy",
            ]
        ),
        st.text("aeyisdrgnXYZ_0éΣσςΑ", min_size=1, max_size=12),
    ),
    max_size=12,
)


@given(st.text("abcdefgilnosuvyz", max_size=90))
def test_a_word_of_one_part_is_read_like_one_behind_a_joint(word: str) -> None:
    assert terms_in(word) == terms_in(f"_{word}")


@given(_SPELT)
def test_what_a_text_is_about_is_found_in_its_haystack(words: list[str]) -> None:
    haystack = haystack_of(" ".join(words))
    terms = {term for word in words for term in terms_in(word)}
    assert all(needle_of(term) in haystack for term in terms)


@given(_SPELT, _SPELT)
def test_a_vocabulary_finds_the_words_that_are_about_a_term_and_no_others(first: list[str], more: list[str]) -> None:
    vocabulary = Vocabulary()
    for words in (first, more):
        vocabulary.numbered(words)
        for term in {term for word in (*first, *more, "absent") for term in terms_in(word)}:
            about = [number for number, word in enumerate(vocabulary.words) if term in terms_in(word)]
            assert list(vocabulary.having(term)) == about


@pytest.mark.parametrize(
    "text",
    ["", "Fix the retries of connections\n\nIt is about HTTP.", " ".join(f"word{n} and other{n}" for n in range(90))],
)
def test_the_foremost_terms_are_those_of_a_query(text: str) -> None:
    assert foremost_terms(text) == query_of(text).terms.keys()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Config", Kind.QUESTION),
        ("Config.load", Kind.QUESTION),
        ("std::vector", Kind.QUESTION),
        ("where is the tax added?", Kind.QUESTION),
        ("how is a session renewed\nwhen the cookie is old?", Kind.QUESTION),
        ("session cookies and their renewal", Kind.QUESTION),
        ("reducing the size of images", Kind.QUESTION),
        ("fix", Kind.QUESTION),
        ("fix the renewal of cookies", Kind.PLAIN),
        ("Fixed the renewal of cookies", Kind.PLAIN),
        ("- Adds cookies", Kind.PLAIN),
        ("cookies: renew them in time", Kind.PLAIN),
        ("feat(cookies)!: renew them in time", Kind.PLAIN),
        ("Cookies are renewed\n\nThey were not.", Kind.PLAIN),
        ("cookies " * 30, Kind.PLAIN),
        ("Cookies are lost. " * 40, Kind.ISSUE),
        ("how are cookies kept? " * 40, Kind.ISSUE),
    ],
)
def test_queries_are_of_three_kinds(text: str, kind: Kind) -> None:
    assert query_of(text).kind is kind


def test_words_of_a_question_weigh_less_the_later_they_stand_and_those_of_a_message_alike() -> None:
    asked = query_of("upload streams and their retries").terms
    assert asked["upload"] > asked["stream"] > asked["retry"] > LATEST * asked["upload"]
    told = query_of("fix upload streams and their retries").terms
    assert len({told["upload"], told["stream"], told["retry"]}) == 1
    assert len({*query_of("upload streams and their retries", later=1.0).terms.values()}) == 1


def test_a_word_that_a_question_repeats_keeps_the_place_where_it_stands_first() -> None:
    terms = query_of("retries of uploads and of later retries").terms
    assert terms["retry"] > 1.5 * terms["upload"]


def test_however_long_a_question_is_its_last_word_keeps_a_share() -> None:
    terms = query_of(" ".join(f"alpha{chr(97 + at)}" for at in range(12))).terms
    assert min(terms.values()) > LATEST * max(terms.values())


LONG = "\nThey were there. " * 40
"""A text that is long enough to make an issue of any, and says nothing."""


@pytest.mark.parametrize(
    "code",
    [
        "```python\nport = 1\n```",
        "~~~\nport = 1\n~~~",
        "```\nport = 1",
        "    port = 1",
        "\tport = 1",
        ">>> port = 1",
        'File "port.py", line 3, in port',
        "- [ ] I know of ports.",
        "* [x] I know of ports.",
        "## Port",
        "**Port**",
        "<!-- port\n\nport -->",
        "<!-- port",
    ],
)
def test_code_and_forms_are_no_prose_of_an_issue(code: str) -> None:
    query = query_of(f"Cookies are lost\n{LONG}\n\n{code}")
    assert query.kind is Kind.ISSUE
    assert query.prose.keys() == {"cooky", "lost"}
    assert query.terms.keys() > query.prose.keys()


@pytest.mark.parametrize("prose", ["A `port` is open.", "```port``` is open.", "- port\n", "  ports\n", "**Port** 1"])
def test_code_in_a_sentence_is_prose_of_an_issue(prose: str) -> None:
    assert "port" in query_of(f"Cookies are lost\n{LONG}\n```\nx = 1\n```\n\n{prose}").prose


def test_the_first_line_of_an_issue_is_prose_and_weighs_more() -> None:
    prose = query_of(f"    cookies are lost\n{LONG}\nThey were in a jar.").prose
    assert prose["cooky"] == prose["lost"] > prose["jar"]


@pytest.mark.parametrize("text", ["Config.load", "Fix the renewal of cookies\n\nThey were not."])
def test_of_what_is_no_issue_prose_is_not_told(text: str) -> None:
    assert not query_of(text).prose


@pytest.mark.parametrize(
    "text", ["a copy to the same path is not refused", "why is a copy to the same path not refused?"]
)
def test_words_that_no_one_asks_about_count_in_names_alone(text: str) -> None:
    query = query_of(text)
    assert query.frame >= {"sam", "not"}
    assert query.terms["not"] < query.terms["refus"] / 2
    assert not query_of("not").frame


def test_the_verb_that_says_what_is_to_be_done_weighs_less_than_what_a_text_is_about() -> None:
    for text in ("Add a limit", "parser: add a limit"):
        terms = query_of(text).terms
        assert terms["add"] < terms["limit"], text
    assert query_of("Add a limit, added by default").terms["add"] > query_of("add").terms["add"] == 2.0
