"""A call that asks for nothing in particular: the whole folder first, coarse, and finer where it matters."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from allocator.overview.about import description
from allocator.overview.folders import MapFile, Sort, in_short
from allocator.overview.map_steps import GOES_ON, StepKind
from allocator.overview.treemap import TreeMap
from benchmarks.overview.growing import grown, shown
from skeleton import CompressionLevel
from tests.allocator.shop import make_shop, module, overview
from tests.thoroughness import SHARE, is_thorough
from tests.trees import write_tree
from workspace.errors import PathNotFoundError
from workspace.names.tiers import Tier, tier_of
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


count = token_counter().count

VERBS = ("clear", "open", "close", "read", "write", "find", "load", "save", "drop", "push", "pull", "send", "count")
"""Names that many things have."""

BUDGETS = (300, 500, 800, 1200, 2000, 3000, 4500, 7000, 10_000)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_shop(tmp_path / "shop")


def test_it_begins_with_what_the_project_says_it_is_and_where_to_begin(shop: Path) -> None:
    lines = overview(shop, 2000).context.splitlines()
    assert lines[0] == "+++ [OVERVIEW]"
    assert lines[1].startswith("37 files: 22 source")
    assert lines[2] == "pyproject.toml: shop · A shop."
    assert lines[3].startswith("README.md: Sells things to people")
    text = "\n".join(lines)
    assert "begin: shop = src/shop/cli.py::main" in text
    assert "main flow: main > make_order; make_order > make_basket" in text
    assert "tests: tests/ (10 files, 10 named like source)" in text
    assert re.search(r"read next: \S+::\S+", text)


def test_names_that_say_nothing_are_not_on_the_map(shop: Path) -> None:
    fields = "".join(f"    code_{number} = {number}\n" for number in range(40))
    source = f"T = 1\n__all__ = ['Codes']\n\n\nclass Codes:\n    def __init__(self) -> None:\n        pass\n\n{fields}"
    write_tree(shop, {"src/shop/codes.py": source})
    line = re.search(r"^  codes\.py: (.*)$", overview(shop, 3500).context, re.MULTILINE)
    assert line is not None
    assert re.fullmatch(r"Codes\((code_\d+ ?)+\)", line[1])


def test_every_folder_stands_with_its_counts(shop: Path) -> None:
    text = overview(shop, 2000).context
    for line in ("docs/guide/ 1", "src/shop/ 22", "  web/ 10", "tests/unit/ 10 tests", "vendor/lib/ 1"):
        assert re.search(rf"^{re.escape(line)} ~", text, re.MULTILINE), line


def test_files_are_named_with_what_they_define_the_most_used_first(shop: Path) -> None:
    text = overview(shop, 2000).context
    line = re.search(r"^  basket\.py: .*make_basket.*$", text, re.MULTILINE)
    assert line is not None
    assert "_hidden_basket" not in line[0].partition("make_basket")[0]


@pytest.mark.no_cover
@pytest.mark.parametrize("layout", ["plus", "compact", "xml", "markdown", "json"])
def test_no_budget_is_exceeded_and_nearly_all_of_it_is_used(shop: Path, layout: str) -> None:
    for budget in BUDGETS if layout == "plus" or is_thorough() else BUDGETS[::SHARE]:
        result = overview(shop, budget, layout)
        assert result.tokens_used == count(result.context) + count(result.summary) <= budget
        if result.metadata.compression_summary[CompressionLevel.DROP] and budget >= 2000:
            assert result.tokens_used >= 0.9 * budget


@pytest.mark.no_cover
def test_a_map_alone_keeps_to_its_budget(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    for budget in range(64, 700, 9):
        result = engine.get_context(str(shop), token_budget=budget, format="compact", summary=False)
        assert result.tokens_used == count(result.context) <= budget


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "budgets",
    [range(500, 1500, 9 if is_thorough() else 18), range(1500, 4500, 30 if is_thorough() else 60)],
    ids=["small", "all"],
)
def test_more_budget_never_shows_less(shop: Path, budgets: range) -> None:
    told = grown(shop, ContextEngine(Roots([shop])), budgets)
    assert told.budgets == len(budgets)
    assert not told.breaks
    assert told.least > (0.95 if budgets[0] < 1500 else 0.97)


def test_a_larger_budget_that_shows_less_is_seen() -> None:
    less = "+++ [OVERVIEW]\n9 files: 9 source. Below\nsrc/ 9 ~2k\n  a.py: Apple(core peel)\n  b.py c.py +6\n+++ src/a.py\n3 def core():\n⋮ 4 lines\n"
    more = less.replace("b.py c.py +6", "{b c d}.py +5").replace("+++ src/a", "+++ src/d.py\n1 x = 1\n+++ src/a")
    assert shown(less) < shown(more)
    assert {("src/c.py", ""), ("a.py", "peel"), ("src/a.py", "3")} <= shown(less)
    assert shown(less.replace("+6", "+6 +2 folders").replace("~2k", "~2k: +1 folder")) == shown(less)
    for gone in ("peel", "c d", "3 def core():", "9 source. "):
        assert not shown(less) <= shown(more.replace(gone, "", 1)), gone


def test_it_is_the_same_each_time_and_from_each_engine(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    first, again = (engine.get_context(str(shop), token_budget=3000) for _ in range(2))
    assert first.context == again.context == overview(shop, 3000, "plus").context


def test_a_change_inside_a_file_leaves_what_comes_before_it_as_it_was(shop: Path) -> None:
    before = overview(shop, 4000).context
    place = shop / "src/shop/web/voucher_view.py"
    place.write_text(place.read_text(encoding="utf-8").replace("value * 4", "value * 5"), encoding="utf-8")
    after = overview(shop, 4000).context
    until = before.find("+++ src/shop/web/voucher_view.py")
    assert before[:until] == after[:until]


@pytest.mark.no_cover
def test_an_engine_that_remembers_answers_after_every_edit_as_a_new_one_does(shop: Path) -> None:
    lasting = ContextEngine(Roots([shop]))
    asked: tuple[dict[str, Any], ...] = (
        {"token_budget": 2000},
        {"token_budget": 2000, "focus": ["make_order"]},
        {"token_budget": 2000, "query": "where is a basket made"},
        {"token_budget": 2000, "include": ["src/"]},
    )

    def answers(engine: ContextEngine) -> list[tuple[str, str]]:
        found = [engine.get_context(str(shop), **arguments) for arguments in asked]
        return [(one.context, one.summary) for one in found]

    edits: tuple[Callable[[], object], ...] = (
        lambda: None,
        lambda: (shop / "src/shop/order.py").write_text(module("order", uses="make_price")),
        lambda: (shop / "src/shop/stock.py").unlink(),
        lambda: (shop / "src/shop/extra.py").write_text(module("extra", uses="make_order")),
        lambda: (shop / "src/shop/extra.py").rename(shop / "src/shop/web/extra.py"),
        lambda: (shop / "README.md").write_text("# Other\n\nSells nothing.\n"),
    )
    for edit in edits:
        edit()
        assert answers(lasting) == answers(ContextEngine(lasting.roots, index=lasting.index))


def test_no_frame_is_empty_and_no_line_is_cut(shop: Path) -> None:
    source = {line for file in shop.rglob("*.py") for line in file.read_text(encoding="utf-8").splitlines()}
    for budget in BUDGETS:
        blocks = overview(shop, budget).context.split("\n+++ ")[1:]
        for block in blocks:
            _, *lines = block.splitlines()
            assert any(line.strip() and not line.lstrip().startswith("⋮") for line in lines), block
            assert not any(line.endswith("…") and line not in source for line in lines)


def test_the_last_line_says_what_is_not_shown_and_how_to_get_it(shop: Path) -> None:
    assert re.fullmatch(r"⋮ \d+ more files", overview(shop, 600).context.splitlines()[-1])
    result = overview(shop, 2500)
    last = result.context.splitlines()[-1]
    dropped = len(result.metadata.compression_summary[CompressionLevel.DROP])
    assert last.startswith(f"⋮ {dropped} of 37 files are not shown: zoom ")


def test_where_all_files_fit_they_are_shown_in_full_without_a_map(shop: Path) -> None:
    result = overview(shop, 60_000)
    assert result.metadata.files_full == 37
    assert "[OVERVIEW]" not in result.context
    assert not result.context.splitlines()[-1].startswith("⋮")


def test_build_scripts_and_copies_come_after_source(shop: Path) -> None:
    text = overview(shop, 2500).context
    assert "+++ src/shop/" in text
    assert "+++ gradlew.bat" not in text
    assert "+++ vendor/" not in text


def test_what_helps_tests_that_lie_together_counts_as_one_of_them(shop: Path) -> None:
    tests = {f"integration/flow{number}_test.py": "def test_it():\n    make_fixture(1)\n" for number in range(8)}
    helpers = {"integration/helpers/fixture.py": module("fixture"), "integration/server.py": module("server")}
    beside = {"src/go/pump.go": "package pump\n", **{f"src/go/pump{n}_test.go": "package pump\n" for n in range(5)}}
    text = overview(write_tree(shop, tests | helpers | beside), 2500).context
    assert re.search(r"^integration/ 10 tests ", text, re.MULTILINE)
    assert re.search(r"^ *go/ 6, 5 tests ", text, re.MULTILINE)
    assert "+++ integration/" not in text
    assert "tests/ (10 files, 10 named like source), integration/ (8 files)" in text


def test_a_folder_that_only_says_what_is_to_hold_is_none_of_tests(shop: Path) -> None:
    told = {f"packages/wire/spec/{name}/message.yml": "kind: message\n" for name in ("ask", "answer")}
    tried = {"lib/spec/data.yml": "kind: message\n", "lib/spec/wire_spec.rb": "describe Wire do\nend\n"}
    text = overview(write_tree(shop, told | tried), 4000).context
    assert re.search(r"^packages/wire/spec/ 2 ~", text, re.MULTILINE)
    assert re.search(r"^lib/spec/ 2 tests", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("number", "written"), [(7, "7"), (838, "840"), (6249, "6.2k"), (62_490, "62k"), (1_440_000, "1.4M"), (998, "1.0k")]
)
def test_sizes_have_two_digits(number: float, written: str) -> None:
    assert in_short(number) == written


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("package.json", '{"name": "n", "description": "d\\n e"}', "package.json: n · d e"),
        ("Cargo.toml", '[package]\nname = "n"\nversion.workspace = true\n', "Cargo.toml: n"),
        ("go.mod", "module example.com/n\n\ngo 1.22\n", "go.mod: example.com/n"),
        ("pom.xml", "<project><name>n</name><description>d</description></project>", "pom.xml: n · d"),
        (
            "mix.exs",
            '  @version "1.2"\n  def project, do: [app: :n, version: @version, description: "A d."]\n',
            "mix.exs: n · 1.2 · A d.",
        ),
        (
            "n.gemspec",
            "Gem::Specification.new do |s|\n  s.name = 'n'\n  s.version = N::VERSION\n  s.summary = \"It's d\"\nend\n",
            "n.gemspec: n · It's d",
        ),
        ("n.gemspec", "Gem::Specification.new 'n', version do |s|\n  s.summary = 'd'\nend\n", "n.gemspec: n · d"),
        (
            "pubspec.yaml",
            "name: n\ndescription: >-\n  A d\n  of it.\nversion: 1.0.0\n",
            "pubspec.yaml: n · 1.0.0 · A d of it.",
        ),
        ("pubspec.yaml", "name: 'n'\ndescription: d\n", "pubspec.yaml: n · d"),
        (
            "package.json",
            json.dumps({"description": f"It is {'so ' * 53}good. See https://a.b/c. {'It is tested. ' * 9}"}),
            f"package.json: It is {'so ' * 53}good. See https://a.b/c.",
        ),
        ("setup.cfg", "[metadata]\nname = n\n", "setup.cfg: n"),
        ("setup.cfg", "[tool]\nname = x\n[metadata]\nversion = attr: n.v\ndescription = d\n e\n", "setup.cfg: d e"),
        ("setup.cfg", "no section = there\n", ""),
        (
            "setup.py",
            "import re, setuptools\nNAME = 'n'\nsetuptools.setup(name=NAME, version=meta['v'], description=('a \\d '\n 'is ' + NAME))\n",
            "setup.py: n · a \\d is n",
        ),
        ("setup.py", "from distutils.core import setup\nif True:\n    setup(description='d', **more)\n", "setup.py: d"),
        ("setup.py", "print 'an older Python'\nsetup(name='n')\n", ""),
        ("setup.py", "setup(name=" + "(" * 50_000, ""),
        ("setup.py", "setup(name=" + "-" * 50_000 + "1)", ""),
        ("setup.py", "setup(name=" + "'n'+" * 20_000 + "'n')", ""),
        (
            "N.csproj",
            "<Description>$(Description)</Description><Description>Sends it; $(Description)</Description>",
            "N.csproj: Sends it",
        ),
        ("pyproject.toml", "not toml [", ""),
        ("package.json", "[]", ""),
        ("package.json", '{"name": "root", "private": true}', ""),
        ("package.json", '{"name": "monorepo", "description": "All of it."}', "package.json: All of it."),
    ],
)
def test_a_manifest_says_what_the_project_is(path: str, text: str, told: str) -> None:
    assert description(path, text) == told


def test_a_folder_of_the_map_can_be_drawn_by_itself(shop: Path) -> None:
    engine = ContextEngine(Roots([shop]))
    whole = engine.folder_map(str(shop), "src/shop/web/")
    assert whole.splitlines()[1].startswith("src/shop/web/ 10 ~1.")
    assert "make_voucher_view" in whole
    assert "ledger.py" not in whole
    part = engine.folder_map(str(shop), "src/", token_budget=200)
    assert count(part) <= 200
    assert part.splitlines()[-1] == "⋮ part of the map: raise token_budget, or zoom one of its folders"
    with pytest.raises(PathNotFoundError, match="is no folder with files here"):
        engine.folder_map(str(shop), "nowhere/")


@pytest.mark.parametrize(
    ("missed", "meant"),
    [
        ("SRC/", ". Did you mean: src/?"),
        ("SRC/Shop/", ". Did you mean: src/shop/?"),
        ("web/", ". Did you mean: src/shop/web/?"),
        ("src/shop/wep/", ". Did you mean: src/shop/web/, src/shop/?"),
        ("zzz/", "; get_context shows the map of all folders."),
    ],
)
def test_a_folder_that_is_not_there_is_answered_with_those_that_may_be_meant(
    tmp_path: Path, missed: str, meant: str
) -> None:
    write_tree(tmp_path, {"src/shop/web/a.py": "A = 1\n", "lib/b.py": "B = 1\n"})
    with pytest.raises(PathNotFoundError) as error:
        ContextEngine(Roots([tmp_path])).folder_map(".", missed)
    assert str(error.value) == f"{missed!r} is no folder with files here{meant}"


def test_the_map_of_one_file_counts_one(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/a.py": "A = 1\n", "lib/a.py": "A = 1\n", "lib/b.py": "B = 1\n"})
    engine = ContextEngine(Roots([tmp_path]))
    assert engine.folder_map(".", "src/").startswith("1 file: 1 source ")
    assert engine.folder_map(".", "lib/").startswith("2 files: 2 source ")


def test_without_a_summary_the_whole_budget_is_the_contexts(shop: Path) -> None:
    result = ContextEngine(Roots([shop])).get_context(str(shop), token_budget=2000, summary=False)
    assert result.summary == ""
    assert 1940 <= result.tokens_used == count(result.context) <= 2000


def test_the_source_sets_of_kotlin_tests_are_tests() -> None:
    assert tier_of("okhttp/src/jvmTest/kotlin/okhttp3/AutobahnTester.kt") is Tier.TESTS
    assert tier_of("src/latest/main.kt") is Tier.CORE


def test_a_list_at_the_beginning_grows_part_by_part() -> None:
    tree = TreeMap([], [], lines=["what it is", "uses: a > b", f"{GOES_ON}; c > d", f"{GOES_ON}; e > f", "more"])
    assert [tree.text(count) for count in range(1, 6)] == [
        "what it is\n",
        "what it is\nuses: a > b\n",
        "what it is\nuses: a > b; c > d\n",
        "what it is\nuses: a > b; c > d; e > f\n",
        "what it is\nuses: a > b; c > d; e > f\nmore\n",
    ]


def test_a_line_that_can_wait_comes_when_it_is_a_small_part_of_what_is_shown() -> None:
    files = [MapFile(f"src/{number:03}/name_{number}.py", 4000, Sort.SOURCE) for number in range(200)]
    said = " ".join(f"word{number}" for number in range(20))
    tree = TreeMap(files, [], lines=["what it is", said], urgent=(0, 1), patient=(1,))
    (at,) = (place for place, step in enumerate(tree.steps) if step.kind is StepKind.LINE and step.at == 1)
    before = sum(step.price for step in tree.steps[:at])
    assert 33 * tree.steps[at].price <= before <= 33 * tree.steps[at].price + 100
    assert [step.rank for step in tree.steps] == sorted((step.rank for step in tree.steps), reverse=True)
    few = TreeMap(files[:2], [], lines=["what it is", said], urgent=(0, 1), patient=(1,))
    assert few.steps[-1].kind is StepKind.LINE
    assert said in few.text(len(few.steps))


def test_bodies_of_small_methods_with_common_names_come_after_signatures(tmp_path: Path) -> None:
    methods = "".join(f"    def {name}(self):\n        return 1\n\n" for name in VERBS)
    used = "".join(f"    this.{name}()\n" for name in VERBS)
    tree = {f"part{number}/part{number}.py": f"def part{number}(this):\n{used}" for number in range(30)}
    tree["store/basket.py"] = f"class Basket:\n{methods}{methods.replace('def ', 'def un')}"
    text = overview(write_tree(tmp_path / "x", tree), 900).context
    assert "\nclass Basket:\n" in text
    assert "[FULL:" not in text
