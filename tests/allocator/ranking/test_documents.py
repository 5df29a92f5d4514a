"""Repositories of documents, and of configuration, told from those of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from allocator import ContextEngine
from tests.trees import write_tree
from workspace.roots import Roots

QUESTION = "how is a voucher refunded?"

LISTING = 'fn main() {\n    let voucher = till();\n    println!("{voucher}");\n}\n'

REFUND = "fn refund(voucher: u32) -> u32 {\n    voucher\n}\n"


def chapter(number: int, said: str = "") -> str:
    """A long chapter with listings beside it, which says one thing that others do not."""
    prose = "\n\n".join(
        f"Of the ledger of month {line} a till keeps what clerk {number} counted." for line in range(60)
    )
    return f"# Chapter {number}\n\n{prose}\n\n## Of month {number}\n\n{said}\n\n{prose}\n"


ANSWER = "A voucher is refunded by the till that took it,\nand by no other one."


def book(*, code: int) -> dict[str, str]:
    """Chapters, listings, and so many files of code."""
    files = {f"src/ch{number}.md": chapter(number, ANSWER if number == 7 else "") for number in range(12)}
    files |= {f"listings/listing-{number}/main.rs": LISTING for number in range(12)}
    body = "".join(f"    let drawer_{line} = ledger.count({line}).unwrap();\n" for line in range(200))
    files |= {
        f"tills/till_{number}.rs": f"pub fn count_{number}(ledger: &Ledger) {{\n{body}}}\n" for number in range(code)
    }
    return files | ({"tills/refund.rs": REFUND} if code else {})


def context_of(folder: Path, files: dict[str, str], query: str = QUESTION, budget: int = 1000) -> str:
    root = write_tree(folder.resolve(), files)
    return (
        ContextEngine(Roots([root])).get_context(str(root), token_budget=budget, query=query, format="compact").context
    )


@pytest.mark.parametrize("budget", [600, 1000, 3000])
def test_in_a_book_prose_answers_and_its_heading_stands_above(tmp_path: Path, budget: int) -> None:
    context = context_of(tmp_path, book(code=0), budget=budget)
    block = context.partition("+++ src/ch7.md")[2].partition("\n+++ ")[0]
    assert ANSWER in block
    assert "## Of month 7" in block


def test_in_a_repository_of_code_the_docs_come_after_it(tmp_path: Path) -> None:
    context = context_of(tmp_path, book(code=12), budget=600)
    assert "fn refund(voucher: u32)" in context
    assert ANSWER not in context


def test_large_docs_in_their_folder_make_no_book_of_code(tmp_path: Path) -> None:
    files = {path.replace("src/ch", "docs/ch"): text for path, text in book(code=4).items()}
    context = context_of(tmp_path, files, budget=600)
    assert "fn refund(voucher: u32)" in context
    assert ANSWER not in context


def test_translations_make_no_book_of_code(tmp_path: Path) -> None:
    files = {path: text for path, text in book(code=4).items() if not path.startswith("src/")}
    for language in ("de", "fr", "ja", "ko", "pt", "ru", "uk", "zh"):
        files |= {f"docs/{language}/guide/ch{number}.md": chapter(number) for number in range(3)}
    files |= {"docs/en/guide/ch1.md": chapter(1, ANSWER)}
    assert "fn refund(voucher: u32)" in context_of(tmp_path, files, budget=600)
    assert ANSWER not in context_of(tmp_path / "again", files, budget=600)


def test_of_charts_settings_answer_with_their_keys(tmp_path: Path) -> None:
    values = "".join(f"drawer{line}:\n  enabled: true\n  coins: {line}\n" for line in range(120))
    answer = (
        "till:\n  ledger:\n    # Vouchers that are refunded by this till, in days after they were sold.\n    good: 14\n"
    )
    files = {f"charts/chart{number}/values.yaml": values for number in range(9)}
    files |= {"charts/main/values.yaml": values + answer + values.replace("drawer", "shelf")}
    files |= {"hack/sync_refunds.py": "def refund(voucher):\n    return voucher\n\n\ndef vouchers():\n    return []\n"}
    files |= {"group_vars/tills": "".join(f"shelf{line}: {line}\n" for line in range(200)) + "scales: calibrated\n"}
    assert "scales: calibrated" in context_of(tmp_path, files, "are the scales calibrated?", 800)
    context = context_of(tmp_path, files, "how long is a voucher refunded by the till?", 800)
    block = context.partition("+++ charts/main/values.yaml")[2].partition("\n+++ ")[0]
    assert answer in block
    assert context.index("charts/main/values.yaml") >= 0
