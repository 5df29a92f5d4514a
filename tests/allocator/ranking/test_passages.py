from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from allocator.ranking.passages import AROUND, MOST_LINES, PassageFinder
from allocator.ranking.words import query_of

FILLER = [f"    step_{number} = total + {number}" for number in range(100)]


def passages(query: str, body: list[str]) -> tuple[tuple[int, ...], int]:
    """The lines of a body in their order, and how many of them the query is about."""
    found = PassageFinder(query_of(query).terms)(body)
    return tuple(found.order), found.telling


def with_lines(lines: dict[int, str]) -> list[str]:
    return [lines.get(number, line) for number, line in enumerate(FILLER)]


def test_a_line_that_the_query_names_comes_first_and_then_those_around_it() -> None:
    order, telling = passages("expire the session", with_lines({40: "    expire(session)"}))
    assert order[0] == 40
    assert set(order[: 2 * AROUND + 1]) == set(range(40 - AROUND, 40 + AROUND + 1))
    assert telling < 20


def test_words_are_read_as_the_ranking_reads_them() -> None:
    body = with_lines({20: "    refreshExpiredSessions();", 70: "    load_config(path)"})
    assert passages("expiring a session", body)[0][0] == 20
    assert passages("loadConfig fails", body)[0][0] == 70
    assert passages("error: 'could not read the socket'", with_lines({9: '    log("cannot read socket")'}))[0][0] == 9


def test_of_two_passages_the_one_that_says_more_comes_first() -> None:
    body = with_lines({10: "    cookie = 1", 80: "    secure_cookie(domain)", 81: "    check(domain, cookie)"})
    order, _ = passages("secure cookie of a domain", body)
    assert order[0] in {80, 81}
    assert order.index(81) < order.index(10) < 20


def test_a_word_on_every_line_tells_nothing() -> None:
    assert passages("total", FILLER)[1] == 0
    order, _ = passages("total of the refund", with_lines({55: "    total -= refund"}))
    assert order[0] == 55


def test_nothing_is_found_where_no_word_is_held() -> None:
    assert passages("kubernetes", FILLER) == (tuple(range(100)), 0)
    assert passages("", FILLER)[1] == 0
    assert passages("kubernetes", []) == ((), 0)


def test_lines_that_are_empty_are_in_no_passage() -> None:
    order, telling = passages("refund", with_lines({50: "    refund()", 49: "", 51: "   "}))
    assert not {49, 51} & set(order)
    assert telling == len(order[:telling])


def test_lines_behind_the_passages_follow_by_their_distance() -> None:
    order, telling = passages("refund", with_lines({50: "    refund()"}))
    rest = [abs(line - 50) for line in order[telling:]]
    assert rest == sorted(rest)


@given(st.lists(st.text("ab cookie_\t\r\x00é漢", max_size=30), max_size=60), st.text(max_size=60))
def test_every_line_that_says_something_stands_in_the_order_once(body: list[str], query: str) -> None:
    order, telling = passages(query + " cookie", body)
    assert sorted(order) == [number for number, line in enumerate(body) if line.strip()]
    assert 0 <= telling <= len(order)


def test_of_a_table_the_first_lines_are_read() -> None:
    body = [f"row {number}" for number in range(100_000)]
    body[17] = body[MOST_LINES + 5] = "refund"
    order, telling = passages("refund", body)
    assert order[0] == 17
    assert telling < 20
    assert len(order) == 100_000


def test_of_lines_without_end_none_is_read() -> None:
    assert passages("refund", ["refund " * 100_000, *FILLER])[1] == 0
