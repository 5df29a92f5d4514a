from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from allocator.show.summary import ContextMetadata, SummaryBeside, settled_summary, summary_text
from skeleton import CompressionLevel
from workspace.model import Problem, ProblemKind
from workspace.tokens import token_counter

count = token_counter().count
L0, L1, L2, L3 = CompressionLevel


def metadata(*, full: int = 2, dropped: int = 3, problems: int = 1, original: int = 3327) -> ContextMetadata:
    return ContextMetadata(
        files_full=full,
        files_skeleton=0,
        files_dropped=dropped,
        tokens_saved=0,
        compression_summary={
            L0: tuple(f"src/a{number}.py" for number in range(full)),
            L1: (),
            L2: (),
            L3: tuple(f"docs/b{number}.md" for number in range(dropped)),
        },
        token_budget=1000,
        tokens_used=0,
        tokens_original=original,
        encoding="o200k_base",
        snapshot="0123456789ab",
        problems=tuple(
            Problem(path=f"c{number}", kind=ProblemKind.BINARY, detail="a zero byte") for number in range(problems)
        ),
    )


def test_the_fields_are_those_of_the_contract() -> None:
    assert metadata(full=1, dropped=1).served(987).as_json() == {
        "files_full": 1,
        "files_skeleton": 0,
        "files_dropped": 1,
        "tokens_saved": 2340,
        "compression_summary": {"L0": ["src/a0.py"], "L1": [], "L2": [], "L3": ["docs/b0.md"]},
        "token_budget": 1000,
        "tokens_used": 987,
        "tokens_original": 3327,
        "encoding": "o200k_base",
        "snapshot": "0123456789ab",
        "next_cursor": None,
        "problems": [{"path": "c0", "kind": "binary", "detail": "a zero byte"}],
    }


def test_a_problem_without_a_detail_has_no_empty_one() -> None:
    problem = Problem(path="a", kind=ProblemKind.BINARY)
    assert replace(metadata(), problems=(problem,)).as_json()["problems"] == [{"path": "a", "kind": "binary"}]


def test_frames_that_cost_more_than_skeletons_save_are_no_saving() -> None:
    assert metadata(original=10).served(50).tokens_saved == 0


def test_a_summary_holds_snapshot_cursor_counts_and_what_can_be_acted_on() -> None:
    problems = (
        Problem(path="c.bin", kind=ProblemKind.BINARY),
        Problem(path="d.py", kind=ProblemKind.UNREADABLE, detail="permission denied"),
        Problem(path="query", kind=ProblemKind.CUT_QUERY, detail="the 64 terms of most weight are looked up"),
    )
    made = replace(metadata(), problems=problems, unmatched={"sesion": "session", "qwzx": ""}).served(500)
    assert json.loads(summary_text(made, None, count)) == {
        "snapshot": "0123456789ab",
        "next_cursor": None,
        "tokens_used": 500,
        "files_dropped": 3,
        "token_budget": 1000,
        "files_full": 2,
        "files_skeleton": 0,
        "tokens_original": 3327,
        "tokens_saved": 2827,
        "unmatched": {"sesion": "session", "qwzx": ""},
        "problems": [
            {"path": "query", "kind": "query cut", "detail": "the 64 terms of most weight are looked up"},
            {"path": "d.py", "kind": "unreadable", "detail": "permission denied"},
        ],
        "problems_more": {"binary": 1},
    }


def test_problems_that_do_not_fit_are_counted_by_their_kind() -> None:
    problems = tuple(Problem(path=f"c{n}.txt", kind=ProblemKind.SENSITIVE) for n in range(300))
    text = summary_text(replace(metadata(), problems=problems).served(500), 150, count)
    record = json.loads(text)
    assert 120 <= count(text) <= 150
    assert record["problems_more"]["sensitive"] == 300 - len(record["problems"])


def test_a_summary_takes_no_more_than_150_tokens_beside_8000() -> None:
    problems = tuple(Problem(path=f"c{n}.txt", kind=ProblemKind.SENSITIVE) for n in range(300))
    words = {f"word{number}": "nearest" for number in range(64)}
    beside = SummaryBeside(replace(metadata(), problems=problems, unmatched=words), count)
    assert [beside.limit(budget) for budget in (500, 1000, 8000, 60_000)] == [50, 100, 150, 1000]
    rooms = [budget - beside.room(budget) for budget in range(500, 20_000)]
    assert rooms == sorted(rooms)


def test_where_no_list_fits_the_counts_stay() -> None:
    record = json.loads(summary_text(metadata().served(500), 50, count))
    assert list(record)[:4] == ["snapshot", "next_cursor", "tokens_used", "files_dropped"]
    assert record["files_dropped"] == 3
    assert "problems" not in record


def test_where_not_even_the_counts_fit_there_is_no_summary() -> None:
    assert summary_text(metadata().served(500), 10, count) == ""
    made, text = settled_summary(metadata(), 500, 10, count)
    assert (made.tokens_used, text) == (500, "")


@given(
    st.integers(0, 60),
    st.integers(0, 300),
    st.integers(0, 12_000),
    st.none() | st.integers(0, 1500),
    st.integers(0, 13_000),
)
@example(0, 0, 940, None, 1940)
def test_the_tokens_used_are_true(full: int, dropped: int, context: int, limit: int | None, original: int) -> None:
    made, text = settled_summary(metadata(full=full, dropped=dropped, original=original), context, limit, count)
    assert made.tokens_used == context + count(text)
    assert made.tokens_saved == max(0, original - made.tokens_used)
    if limit is not None:
        assert count(text) <= limit
    if text:
        assert json.loads(text)["tokens_used"] == made.tokens_used


def test_two_numbers_that_would_each_make_the_other_true_are_parted() -> None:
    flips = [
        original
        for original in range(1040, 1080)
        if settled_summary(metadata(original=original), 0, None, count)[1].endswith(" ")
    ]
    assert flips
    for original in flips:
        made, text = settled_summary(metadata(original=original), 0, None, count)
        assert made.tokens_used == count(text)


def test_a_count_that_is_never_true_leaves_the_summary_out() -> None:
    def contrary(text: str | bytes) -> int:
        return json.loads(text)["tokens_used"] + 1

    made, text = settled_summary(metadata(), 40, None, contrary)
    assert (made.tokens_used, text) == (40, "")
