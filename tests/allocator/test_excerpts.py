from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine, FormatName
from allocator.ranking.passages import PassageFinder
from allocator.ranking.words import query_of
from allocator.show.edits import EditedSelection
from allocator.show.elision import Selection
from allocator.show.excerpts import BRIDGED, LEAST_LINES, LINES, Excerpts
from skeleton import CompressionLevel
from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer
from tests.allocator.files import file_of
from tests.allocator.test_shown_names import blocks
from tests.trees import write_tree
from workspace.roots import Roots

L0, L1, L2, _ = CompressionLevel
QUERY = "refund the voucher"
HIDDEN = re.compile(r"⋮ (\d+) (more )?lines?\Z")


def long_function(name: str = "settle", lines: int = 300, *, at: tuple[int, ...] = (140,), comment: str = "#") -> str:
    """A function of many lines, some of which say something else than the others."""
    body = [
        f"    account_{line % 7} = ledger[{line}] + amount_{line % 11}  {comment} entry {line}" for line in range(lines)
    ]
    for place in at:
        body[place] = f"    refund_voucher(voucher_{place})  {comment} gives it back"
    return "\n".join([f"def {name}(", "    ledger,", "    amount,", "):", f'    """Settles {name}."""', *body, ""])


def excerpt(source: str, place: int = 0, *, query: str = QUERY, most: int | None = None) -> tuple[int, ...]:
    return Excerpts(file_of(source), PassageFinder(query_of(query).terms)).lines(place, most)


def test_an_excerpt_is_the_signature_and_the_lines_that_the_query_is_about() -> None:
    lines = excerpt(long_function())
    assert lines[:4] == (1, 2, 3, 4)
    assert 146 in lines
    assert len(lines) <= LINES + 4 + 2 * BRIDGED


def test_more_lines_hold_those_of_fewer() -> None:
    excerpts = Excerpts(file_of(long_function(at=(20, 90, 250))), PassageFinder(query_of(QUERY).terms))
    parts = [set(excerpts.lines(0, most)) for most in range(1, excerpts.most(0) + 1)]
    assert all(fewer <= more for fewer, more in pairwise(parts))
    assert parts[-1] == set(range(1, 306))


@pytest.mark.parametrize(
    "source",
    [
        long_function(lines=LEAST_LINES - 2, at=(3,)),
        long_function(at=()),
        "class Config:\n" + "".join(f"    def refund_{n}(self):\n        return {n}\n" for n in range(60)),
        "def settle(): " + "; ".join(f"refund_{n}()" for n in range(500)) + "\n",
    ],
    ids=["short", "nothing is found", "it holds others", "one line"],
)
def test_of_these_no_excerpt_is_made(source: str) -> None:
    assert excerpt(source) == ()


def test_a_decorator_and_a_doc_comment_above_stay_as_the_signature_shows_them() -> None:
    source = '@app.route("/")\n' + long_function()
    file = file_of(source)
    lines = Excerpts(file, PassageFinder(query_of(QUERY).terms)).lines(0)
    shown = Selection(shown=frozenset({0}))
    with_excerpt = Selection(shown=frozenset({0}), excerpts=((0, lines),))
    before, after = file.selected(L2, shown), file.selected(L2, with_excerpt)
    assert before.lines[0] == after.lines[0] == '@app.route("/")'
    assert after.lines[1:5] == ("def settle(", "    ledger,", "    amount,", "):")


def test_docs_of_a_skeleton_stay_beside_an_excerpt() -> None:
    file = file_of(long_function())
    lines = Excerpts(file, PassageFinder(query_of(QUERY).terms)).lines(0)
    view = file.selected(L1, Selection(excerpts=((0, lines),)))
    assert '    """Settles settle."""' in view.lines
    assert any("refund_voucher" in line for line in view.lines)


DOC = """
    Refunds a voucher.

    For example::

        def settle(ledger):
            refund_voucher(ledger)

"""


def test_lines_of_a_doc_are_none_of_an_excerpt() -> None:
    doc = DOC + "".join(f"    Note {number} says nothing.\n" for number in range(40))
    code = long_function(lines=60, at=(40,)).replace("Settles settle.", f"{doc}    ")
    file = file_of(code)
    lines = Excerpts(file, PassageFinder(query_of(QUERY).terms)).lines(0)
    end = next(at for at, line in enumerate(file.lines, start=1) if '"""' in line and at > 5)
    assert lines[:4] == (1, 2, 3, 4)
    assert min(lines[4:]) > end
    assert any("refund_voucher(voucher_40)" in file.lines[line - 1] for line in lines)


def test_a_query_that_a_doc_alone_is_about_gives_no_excerpt() -> None:
    assert excerpt(long_function(at=()).replace("Settles settle.", f"{DOC}    ")) == ()


def test_lines_that_a_stack_trace_names_stand_among_those_of_an_excerpt() -> None:
    file = file_of(long_function())
    lines = Excerpts(file, PassageFinder(query_of(QUERY).terms)).lines(0)
    frame = frozenset(range(240, 245))
    chosen = EditedSelection(shown=frozenset({0}), excerpts=((0, lines),), exact=frame)
    view = file.selected(L2, chosen)
    assert frame | set(lines) <= set(view.numbers)
    numbers = dict(enumerate(view.numbers))
    for at, line in enumerate(view.lines):
        if found := HIDDEN.match(line):
            after = numbers.get(at + 1, len(file.lines) + 1)
            assert int(found[1]) == after - numbers[at - 1] - 1


@pytest.fixture
def shop(tmp_path: Path) -> tuple[ContextEngine, str]:
    """Files with a long function each, one of which the query is about."""
    files = {f"src/part_{number}.py": long_function(f"settle_{number}", at=()) for number in range(5)}
    files["src/till.py"] = (
        long_function("refund", at=(33, 140, 141)) + "\n\ndef total(prices):\n    return sum(prices)\n"
    )
    root = write_tree(tmp_path.resolve(), files)
    return ContextEngine(Roots([root])), str(root)


def check(text: str, layout: FormatName, files: dict[str, list[str]]) -> dict[str, set[int]]:
    """Holds the numbered lines of a context against their files, and the counts of lines left out between those of bodies.

    Returns:
        The numbers of the lines shown as they are.
    """
    exact: dict[str, set[int]] = {}
    for path, _, lines in blocks(text, layout):
        last, hidden = 0, 0
        for line in lines:
            if found := HIDDEN.match(line):
                hidden = 0 if found[2] else int(found[1])
            elif (numbered := re.match(r"(\d+)(?: (.*))?\Z", line)) and path in files:
                number = int(numbered[1])
                if hidden and last:
                    assert hidden == sum(bool(one.strip()) for one in files[path][last : number - 1]), (path, line)
                assert number > last
                if files[path][number - 1].rstrip() == (numbered[2] or "").rstrip():
                    exact.setdefault(path, set()).add(number)
                last, hidden = number, 0
    return exact


@pytest.mark.parametrize("layout", list(FormatName))
def test_in_every_format_an_excerpt_is_true_to_the_file(shop: tuple[ContextEngine, str], layout: FormatName) -> None:
    engine, folder = shop
    result = engine.get_context(folder, token_budget=1600, query=QUERY, format=layout, line_numbers=True)
    files = {
        str(place.relative_to(folder)): place.read_text(encoding="utf-8").split("\n")
        for place in Path(folder).rglob("*.py")
    }
    exact = check(result.context, layout, files)
    assert result.tokens_used <= 1600
    assert {1, 2, 3, 4, 39, 146, 147} <= exact["src/till.py"]
    assert len(exact["src/till.py"]) < 100
    assert re.search(r"⋮ \d+ more lines", result.context)


def test_the_name_of_an_excerpt_leads_to_all_of_it(shop: tuple[ContextEngine, str]) -> None:
    engine, folder = shop
    context = engine.get_context(folder, token_budget=1600, query=QUERY).context
    assert "refund_voucher(voucher_140)" in context
    whole = Zoomer(CodeIndex(Roots([Path(folder)]), workers=Workers(0))).zoom("src/till.py::refund", folder).text
    assert all(f"# entry {line}" in whole for line in (0, 100, 299))


@pytest.mark.parametrize("asked", [{}, {"max_level": "L1", "query": QUERY}])
def test_without_a_query_or_below_full_text_there_is_none(
    shop: tuple[ContextEngine, str], asked: dict[str, Any]
) -> None:
    engine, folder = shop
    context = engine.get_context(folder, token_budget=1600, **asked).context
    assert "refund_voucher" not in context


def test_more_budget_shows_no_less_of_a_long_function(shop: tuple[ContextEngine, str]) -> None:
    engine, folder = shop
    text = (Path(folder) / "src/till.py").read_text(encoding="utf-8").split("\n")
    before: set[int] = set()
    for budget in range(300, 9000, 411):
        result = engine.get_context(folder, token_budget=budget, query=QUERY, format="compact", line_numbers=True)
        assert result.tokens_used <= budget
        now = check(result.context, FormatName.COMPACT, {"src/till.py": text}).get("src/till.py", set())
        assert {line for line in before - now if text[line - 1].strip()} == set(), budget
        before = now
    assert len(before) > 300


def test_an_excerpt_at_the_end_of_a_file_says_at_every_budget_what_follows(tmp_path: Path) -> None:
    source = "import logging\n\n\n" + long_function(lines=120, at=(60,))
    files = {f"m{number}.py": f"def other{number}():\n    return {number}\n" for number in range(12)}
    root = write_tree(tmp_path.resolve(), {**files, "till.py": source})
    engine = ContextEngine(Roots([root]))
    for budget in range(130, 260, 5):
        context = engine.get_context(str(root), token_budget=budget, query=QUERY, format="compact").context
        assert not re.search(r"SKELETON:(L\d)\] \[\1:", context), budget
        if "refund_voucher" in context:
            assert re.search(r"⋮ \d+ more lines\n", context), budget


HOSTILE = {
    "very long": "def refund():\n" + "    pay()\n" * 50_000 + "    voucher()\n" + "    pay()\n" * 50_000,
    "one line": "def refund(): " + "; ".join(f"voucher_{n}()" for n in range(4000)) + "\n",
    "windows": long_function("refund").replace("\n", "\r\n"),
    "on every line": long_function("refund", at=tuple(range(300))),
    "odd bytes": long_function("refund").encode().replace(b"entry 141", b"entr\xff\xfe 141 \x85\xe2\x80\xa8"),
    "fence": long_function("refund").replace("# entry 141", "# ``` ]]> +++ a ⋮ 3 lines"),
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_keep_the_budget(tmp_path: Path, source: str | bytes) -> None:
    files = {f"src/part_{number}.py": long_function(f"settle_{number}", at=()) for number in range(3)}
    root = write_tree(tmp_path.resolve(), {**files, "src/till.py": source})
    engine = ContextEngine(Roots([root]))
    for budget, layout in ((500, FormatName.JSON), (2000, FormatName.COMPACT)):
        result = engine.get_context(str(root), token_budget=budget, query=QUERY, format=layout, line_numbers=True)
        assert result.tokens_used <= budget
        assert "def refund" in result.context


def documented(number: int) -> str:
    doc = "\n".join(f" * Line {line} of what `give_{number}` says of itself at length." for line in range(20))
    return f"/**\n{doc}\n */\nexport function give_{number}(voucher) {{\n  return refund(voucher, {number});\n}}\n"


@pytest.fixture
def documented_shop(tmp_path: Path) -> tuple[ContextEngine, str]:
    """Ten short functions below long docs."""
    files = {"src/give.js": "\n".join(map(documented, range(10))), "src/other.js": "export const other = 1;\n" * 40}
    root = write_tree(tmp_path.resolve(), files)
    return ContextEngine(Roots([root])), str(root)


def test_code_comes_before_the_docs_above_it(documented_shop: tuple[ContextEngine, str]) -> None:
    engine, folder = documented_shop
    small, large = (
        engine.get_context(folder, token_budget=budget, query="refund a voucher").context for budget in (600, 2500)
    )
    assert sum(f"refund(voucher, {number})" in small for number in range(10)) == 10
    assert "Line 19 of what" not in small
    assert "⋮ 22 lines" in small
    assert "Line 19 of what" in large


def test_what_is_asked_for_by_name_comes_with_its_doc(documented_shop: tuple[ContextEngine, str]) -> None:
    engine, folder = documented_shop
    context = engine.get_context(
        folder, token_budget=900, query="refund a voucher", focus=["src/give.js::give_3"]
    ).context
    assert [number for number in range(10) if f"Line 19 of what `give_{number}` says" in context] == [3]
