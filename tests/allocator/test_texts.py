"""Questions that text answers: files without definitions are shown by the lines that a query is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from allocator import ContextEngine
from allocator.ranking.passages import PassageFinder
from allocator.ranking.words import query_of
from allocator.show.excerpts import LEAST_LINES, LINES_OF_FILE, LONGEST, Excerpts
from tests.allocator.files import file_of
from tests.trees import write_tree
from workspace.roots import Roots

QUERY = "refund the voucher"


def settings(*said: tuple[int, str], lines: int = 300) -> str:
    """A long text, some lines of which say something else than the others."""
    told = dict(said)
    return "".join(
        f"{told.get(line, f'entry_{line} = ledger {line % 7} of the month')}\n" for line in range(1, lines + 1)
    )


def lines_of(text: str, path: str = "till.settings") -> tuple[int, ...]:
    return Excerpts(file_of(text, path), PassageFinder(query_of(QUERY).terms)).of_file()


def test_the_excerpt_of_a_text_is_the_lines_that_the_query_is_about() -> None:
    lines = lines_of(settings((140, "refund.voucher = yes"), (250, "# a voucher that nobody took")))
    assert {140, 250} <= set(lines)
    assert len(lines) <= LINES_OF_FILE + 2


@pytest.mark.parametrize(
    "text",
    [
        settings(),
        settings((3, "refund.voucher = yes"), lines=LEAST_LINES - 2),
        settings((140, "refund voucher " * LONGEST)),
        "",
    ],
    ids=["nothing is found", "short", "a line without end", "empty"],
)
def test_of_these_texts_no_line_is_chosen_for_the_query(text: str) -> None:
    assert not [line for line in lines_of(text) if "refund" in text.split("\n")[line - 1]]


def test_words_of_the_path_tell_no_line_from_another() -> None:
    text = settings((20, "voucher for entry"), (140, "the refund is given"))
    assert 140 in lines_of(text, "voucher/voucher.settings")
    assert 20 not in lines_of(text, "voucher/voucher.settings")
    assert 20 in lines_of(settings((20, "voucher for entry")), "voucher/voucher.settings")


def test_a_word_says_less_as_one_of_many_parts_of_a_name() -> None:
    text = settings((20, "entryLedgerMonthRefundPolicyOfAll"), (250, "refund: 3"))
    assert lines_of(text)[-1] >= 250
    finder = PassageFinder(query_of(QUERY).terms)
    assert finder(text.split("\n")).order[0] == 249


@pytest.fixture
def repository(tmp_path: Path) -> tuple[ContextEngine, str]:
    """Code that has nothing to do with the question, and settings that answer it."""
    code = "".join(f"def total_{n}(prices):\n    return sum(prices) + {n}\n\n\n" for n in range(30))
    files = {
        "scripts/total.py": code,
        "deploy/till.conf": settings((140, "voucher.refund = 14 days"), (141, "voucher.by = the till")),
        "deploy/small.conf": "# refunds of vouchers\nvoucher.refund = off\n",
        "deploy/other.conf": settings(),
    }
    root = write_tree(tmp_path.resolve(), files)
    return ContextEngine(Roots([root])), str(root)


@pytest.mark.parametrize("budget", [600, 800, 3000])
def test_what_a_text_answers_comes_before_code_that_has_little_to_do_with_it(
    repository: tuple[ContextEngine, str], budget: int
) -> None:
    engine, folder = repository
    result = engine.get_context(folder, token_budget=budget, query=QUERY, format="compact")
    assert result.tokens_used <= budget
    assert "voucher.refund = 14 days\nvoucher.by = the till" in result.context
    assert "voucher.refund = off" in result.context


def test_the_header_of_an_excerpt_says_so_and_marks_count_the_rest(repository: tuple[ContextEngine, str]) -> None:
    engine, folder = repository
    context = engine.get_context(folder, token_budget=700, query=QUERY, format="compact").context
    block = context.partition("+++ deploy/till.conf")[2].partition("\n+++ ")[0]
    assert block.startswith(" [SKELETON:L2] [PART]\n⋮ ")
    first, last = (int(count) for count in re.findall(r"^⋮ (\d+) ", block, re.MULTILINE))
    shown = [line for line in block.split("\n")[1:] if line and not line.startswith("⋮")]
    assert first + len(shown) + last == 300


def test_a_budget_that_holds_it_shows_a_text_whole(repository: tuple[ContextEngine, str]) -> None:
    engine, folder = repository
    context = engine.get_context(folder, token_budget=9000, query=QUERY, format="compact").context
    block = context.partition("+++ deploy/till.conf")[2].partition("\n+++ ")[0]
    assert (
        block.removeprefix("\n").split("\n")[:300] == (Path(folder) / "deploy/till.conf").read_text().split("\n")[:300]
    )


def test_without_a_query_the_ends_of_a_text_stand_for_it(repository: tuple[ContextEngine, str]) -> None:
    engine, folder = repository
    context = engine.get_context(folder, token_budget=3000, focus=["deploy/till.conf"], max_level="L1").context
    assert "voucher.refund = 14 days" not in context


def test_the_headings_and_keys_that_a_line_stands_in_are_shown_with_it() -> None:
    prose = "".join(f"## Section {part}\n\n" + "Of the ledger.\n\n" * 20 for part in range(20))
    text = (
        "# Till\n\n"
        + prose
        + "## Giving back\n\n"
        + "Of the month.\n\n" * 12
        + "A refund needs the voucher.\n\n"
        + prose
    )
    shown = [text.split("\n")[line - 1] for line in lines_of(text, "till.md")]
    assert shown[:2] == ["# Till", "## Giving back"]
    assert "A refund needs the voucher." in shown
    values = "".join(f"shelf{part}:\n  drawer:\n    coins: 3\n" for part in range(60))
    text = values + "till:\n  drawer:\n" + "    coin: 2\n" * 20 + "    voucher: 3\n" + values
    assert [text.split("\n")[line - 1] for line in lines_of(text, "till.yaml")][:2] == ["till:", "  drawer:"]


def test_a_section_whose_heading_the_query_says_comes_before_another_with_the_same_words() -> None:
    sections = {"Drawers": 0, "Voucher": 1, "Ledgers": 2}
    text = "".join(
        f"## {title}\n\n" + "Of the ledger.\n\n" * 20 + f"A refund is entry {number}.\n\n"
        for title, number in sections.items()
    )
    order = PassageFinder(query_of(QUERY).terms)(text.split("\n"), "till.md").order
    places = [text.split("\n").index(f"A refund is entry {number}.") for number in range(3)]
    assert order.index(places[1]) < min(order.index(places[0]), order.index(places[2]))


def test_of_prose_whole_paragraphs_are_shown() -> None:
    paragraph = [
        "The till keeps",
        "all that it took,",
        "and the refund",
        "of a voucher",
        "is written down",
        "by the clerk.",
    ]
    text = "# Till\n\n" + "Of the ledger.\n\n" * 30 + "\n".join(paragraph) + "\n\n" + "Of the month.\n\n" * 30
    shown = [text.split("\n")[line - 1] for line in lines_of(text, "till.md")]
    assert [line for line in shown if line in paragraph] == paragraph


def test_a_budget_that_holds_no_more_of_a_text_leaves_its_passages(tmp_path: Path) -> None:
    values = "".join(f"shelf{part}: {{drawer: {part}, coins: true}}\n" for part in range(400))
    files = {"values.yaml": values + "till:\n  refund: 14 days for a voucher\n" + values.replace("shelf", "table")}
    root = write_tree(tmp_path.resolve(), files)
    engine = ContextEngine(Roots([root]))
    for budget in range(300, 3000, 150):
        context = engine.get_context(str(root), token_budget=budget, query=QUERY, format="compact").context
        assert "till:\n  refund: 14 days for a voucher" in context, budget
