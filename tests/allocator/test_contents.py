"""The first look at a repository of documents tells its chapters by their titles, as a reader follows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from allocator import ContextEngine
from allocator.overview.contents import contents
from benchmarks.overview.growing import shown
from tests.trees import write_tree
from workspace.roots import Roots

PAGES = ("guide/opening.md", "guide/closing.md", "guide/README.md", "ledger.md")

SUMMARY = """\
# Summary

[Preface](ledger.md)

- [The `guide`](guide/README.md)
  - [Opening a till](guide/opening.md#keys)
  - [Closing it](guide/closing.md)
  - [Elsewhere](https://till.example/elsewhere.md)
  - [Not written yet]()
"""

NAV = """\
site_name: Till
nav:
  - ledger.md
  # Of the guide.
  - Guide:
      - guide/README.md
      - Opening a till: guide/opening.md
      - 'Closing it': "guide/closing.md"
theme: till
"""

SIDEBAR = """\
const nav = [{ text: 'Shop', link: '/shop' }]
export const sidebar: Theme['sidebar'] = {
  '/guide/': [
    { text: 'Ledger', link: '/ledger' },
    {
      text: 'Guide', // of tills
      items: [
        { text: 'All', link: '/guide/' },
        { text: 'Opening a till', link: '/guide/opening.html' },
        { link: '/guide/closing', text: "Closing it" }
      ]
    }
  ]
}
export default { title: 'No chapter', items: ['guide/closing'] }
"""

SIDEBARS = """\
module.exports = {
  docs: ['ledger', { type: 'category', label: 'Guide', items: ['guide/opening', 'guide/closing'] }],
};
"""

TREES = """\
Till
====

.. toctree::
   :maxdepth: 2
   :caption: Guide

   Opening a till <guide/opening>
   guide/closing

.. toctree::

   ledger
"""


@pytest.mark.parametrize(
    ("path", "text", "pages", "expected"),
    [
        ("src/SUMMARY.md", SUMMARY, "src/", ["Preface", "The guide", "-Opening a till", "-Closing it"]),
        ("mkdocs.yml", NAV, "docs/", ["ledger", "Guide", "-guide", "-Opening a till", "-Closing it"]),
        (".vitepress/config.ts", SIDEBAR, "src/", ["Ledger", "Guide", "-All", "-Opening a till", "-Closing it"]),
        ("sidebars.js", SIDEBARS, "docs/", ["ledger", "Guide", "-opening", "-closing"]),
        ("docs/index.rst", TREES, "docs/", ["Guide", "-Opening a till", "-closing", "-ledger"]),
    ],
)
def test_chapters_come_in_the_order_of_their_reader(path: str, text: str, pages: str, expected: list[str]) -> None:
    files = {path: text} | {f"{pages}{page}": "" for page in PAGES}
    paths = sorted(files)
    found = contents(paths, lambda place: files[paths[place]].encode())
    least = min(one.depth for one in found.chapters)
    assert [f"{'-' * (one.depth > least)}{one.title}" for one in found.chapters] == expected
    assert found.path == path
    assert {one.path for one in found.chapters if one.path} <= files.keys()


@pytest.mark.parametrize("text", ["", "nav:\n", "{[" * 9000, "text: '" * 9000, "[" * 9000 + "](" * 9000, "'a" * 9000])
@pytest.mark.parametrize("path", ["SUMMARY.md", "mkdocs.yml", "sidebars.ts", "docs/index.rst"])
def test_what_tells_no_order_is_passed_over(path: str, text: str) -> None:
    assert contents([path], lambda _: text.encode()).chapters == ()


def site(*, code: int) -> dict[str, str]:
    """A book with listings, and so many lines of a library."""
    chapter = "".join(f"## Of month {month}\n\nThe till keeps a ledger of what came in.\n\n" for month in range(30))
    files = {f"src/{page}": f"# Page {page}\n\n{chapter}" for page in PAGES} | {"src/SUMMARY.md": SUMMARY}
    files |= {f"listings/part{number}/main.rs": "fn main() {\n    till();\n}\n" for number in range(20)}
    lines = "".join(f"pub fn count_{line}(till: &Till) -> u32 {{\n    till.coins({line})\n}}\n" for line in range(code))
    return files | {"README.md": "# Till\n\nThe book of the till.\n", "lib/src/till.rs": lines or "fn one() {}\n"}


def look(folder: Path, files: dict[str, str], budget: int) -> str:
    root = write_tree(folder.resolve(), files)
    return ContextEngine(Roots([root])).get_context(str(root), token_budget=budget, format="compact").context


def test_a_book_is_told_by_its_contents(tmp_path: Path) -> None:
    text = look(tmp_path, site(code=0), 700)
    assert "contents, by src/SUMMARY.md, in src/: Preface = ledger.md; The guide = guide/README.md\n" in text
    assert "\nin The guide: Opening a till = guide/opening.md; Closing it = guide/closing.md\n" in text
    assert "5 source" in text


def test_code_with_docs_beside_it_is_told_as_before(tmp_path: Path) -> None:
    text = look(tmp_path, site(code=400), 700)
    assert "contents, " not in text
    assert "count_1" in text


def test_more_budget_shows_no_less_of_a_book(tmp_path: Path) -> None:
    files = site(code=0)
    before: set[str] = set()
    for budget in range(200, 3000, 100):
        lines = {line for line in look(tmp_path, files, budget).splitlines() if line.startswith(("contents", "in "))}
        assert all(any(line.startswith(one) for line in lines) for one in before)
        before = lines


def test_long_contents_fill_small_budgets_and_show_no_less_with_more(tmp_path: Path) -> None:
    names = [f"part-{part}/chapter-of-the-till-number-{number}.md" for part in range(8) for number in range(12)]
    summary = "".join(
        f"- [Part {name[5]}]({name})\n" if name.endswith("-0.md") else f"  - [How a till is counted]({name})\n"
        for name in names
    )
    text = "The till keeps a ledger of what came in.\n\n" * 20
    files = {f"src/{name}": f"# Chapter {name}\n\n{text}" for name in names} | {"src/SUMMARY.md": summary}
    root = write_tree(tmp_path.resolve(), files)
    engine = ContextEngine(Roots([root]))
    before: set[tuple[str, str]] = set()
    for budget in range(500, 3000, 50):
        found = engine.get_context(str(root), token_budget=budget, format="compact", line_numbers=True, summary=False)
        now = shown(found.context)
        assert before - now == set(), budget
        assert found.tokens_used >= 0.95 * budget
        before = now
