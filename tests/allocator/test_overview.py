"""A call that asks for nothing in particular: the whole folder first, coarse, and finer where it matters."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from allocator import ContextEngine
from allocator.overview.about import description
from allocator.overview.first_look import SIGNATURE
from allocator.overview.folders import MapFile, Sort, in_short
from allocator.overview.map_order import need_at
from allocator.overview.map_steps import GOES_ON, StepKind
from allocator.overview.namesakes import Named
from allocator.overview.treemap import TreeMap
from benchmarks.overview.asked import indented
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


def test_a_map_joins_folders_that_hold_nothing_else() -> None:
    files = [
        MapFile("a/b/c/x.py", 360, Sort.SOURCE),
        MapFile("a/b/c/test_x.py", 36, Sort.TEST),
        MapFile("y.py", 4, Sort.SOURCE),
    ]
    tree = TreeMap(files, [Named(0, "", "X"), Named(0, "X", "go")])
    assert tree.text(len(tree.steps)) == "a/b/c/ 2, 1 tests ~110\n  x.py: X(go)\n  test_x.py\ny.py\n"
    assert tree.text(0) == ""


def test_folders_with_source_come_before_those_without() -> None:
    files = [
        MapFile("docs/x.md", 36, Sort.PROSE),
        MapFile("lib/a/notes.md", 36, Sort.PROSE),
        MapFile("lib/b/x.py", 36, Sort.SOURCE),
        MapFile("lib/y.py", 36, Sort.SOURCE),
    ]
    tree = TreeMap(files, [])
    lines = [line.split()[0] for line in tree.text(len(tree.steps)).splitlines()]
    assert [line for line in lines if line.endswith("/")] == ["lib/", "b/", "a/", "docs/"]


def test_what_is_drawn_with_a_step_of_the_map_anyway_is_a_step_before_it() -> None:
    files = [MapFile(f"a/{folder}/x/{name}.py", 100, Sort.SOURCE) for folder in "bcd" for name in "xyz"]
    tree = TreeMap(files, [Named(at, "", f"Name{at}") for at in (7, 0, 3)])
    assert {step.kind for step in tree.steps} == {StepKind.FOLDER, StepKind.FILE, StepKind.NAME}
    assert len(tree.steps) == len({step[2:] for step in tree.steps})
    for count in range(1, len(tree.steps) + 1):
        before, after = (set(indented(tree.text(taken))) for taken in (count - 1, count))
        new = {place for place in after - before if "+" not in place and " " not in place}
        assert len(new) <= 1 or tree.steps[count - 1].kind is StepKind.FOLDER


def test_of_files_that_look_alike_a_few_are_named_before_all_others() -> None:
    alike = [
        *(f"ports/p{number:02}/port.c" for number in range(30)),
        *(f"steps/{number}_step.c" for number in range(100, 130)),
    ]
    files = [MapFile(path, 36, Sort.SOURCE) for path in (*alike, *(f"z/own_{number}.c" for number in range(30)))]
    tree = TreeMap(files, [])
    named = [files[step.at].path.partition("/")[0] for step in tree.steps if step.kind is StepKind.FILE]
    before = named[: len(named) - named[::-1].index("z")]
    assert before.count("z") == 30
    assert 12 <= before.count("steps") < 20
    assert 12 <= before.count("ports") < 20


def test_files_of_the_root_are_named_before_others_that_are_no_source() -> None:
    files = [MapFile(f"{at}/note.yml", 36, Sort.PROSE) for at in range(20)]
    files += [MapFile("Makefile", 36, Sort.PROSE), MapFile("a.c", 36, Sort.SOURCE), MapFile("x_test.c", 36, Sort.TEST)]
    named = [files[step.at].path for step in TreeMap(files, []).steps if step.kind is StepKind.FILE]
    assert named[0] == "a.c"
    assert set(named[1:3]) == {"Makefile", "x_test.c"}


def test_a_map_counts_the_files_that_it_does_not_name() -> None:
    files = [MapFile(f"a/{name}.py", 100, Sort.SOURCE) for name in "xyz"]
    tree = TreeMap(files, [Named(1, "", "Y")])
    first = [step.kind for step in tree.steps].index(StepKind.NAME) + 1
    assert tree.text(first) == "a/ 3 ~83\n  y.py: Y\n  +2\n"


def test_a_map_counts_what_it_does_not_name_of_every_folder_of_which_it_tells_something() -> None:
    files = [MapFile(f"a/{folder}/{name}.py", 100, Sort.SOURCE) for folder in ("b", "c/d", "e") for name in "xy"]
    files = sorted([*files, MapFile("a/z.py", 100, Sort.SOURCE), MapFile("q/z.py", 1, Sort.SOURCE)])
    tree = TreeMap(files, [])
    folders = {tree.steps[at].at: at for at in range(len(tree.steps)) if tree.steps[at].kind is StepKind.FOLDER}
    above, first, second, third, other = (folders[number] for number in range(5))
    assert tree.drawn([above]) == "a/ 7 ~190\n+1 folder\n"
    assert tree.drawn([above, first, other]) == "a/ 7 ~190: +1 +2 folders\n  b/ 2\nq/ 1 ~0\n"
    assert tree.drawn([above, first, second, third]) == "a/ 7 ~190: +1\n  b/ 2 c/d/ 2 e/ 2\n+1 folder\n"
    whole = tree.text(len(tree.steps))
    assert "folder" not in whole
    assert "+" not in whole


def test_a_step_that_begins_to_tell_of_a_folder_pays_for_what_is_counted_there() -> None:
    names = [f"{letter}{letter}" for letter in "abcdefgh"]
    files = [MapFile(f"src/{name}/{name}_{of}.py", 900, Sort.SOURCE) for name in names for of in "xy"]
    tree = TreeMap([*files, MapFile("src/z.py", 90, Sort.SOURCE)], [])
    inner = [step.price for step in tree.steps if step.kind is StepKind.FOLDER and step.at]
    assert inner[0] == max(inner)
    assert inner[-1] == min(inner)


@pytest.mark.parametrize(("count", "come_first"), [(180, True), (4000, False)])
def test_names_of_tests_stand_together_and_before_signatures_of_most_definitions_where_they_are_few(
    count: int, come_first: bool
) -> None:
    files = [MapFile("lib.py", 100, Sort.SOURCE), *(MapFile(f"t/test_{at}.py", 9, Sort.TEST) for at in range(count))]
    tests = [step for step in TreeMap(files, []).steps if step.kind is StepKind.FILE and step.at]
    assert (tests[-1].rank > need_at(100) / SIGNATURE) is come_first


@pytest.mark.parametrize(("each", "come_first"), [(3, True), (6, False)])
def test_all_folders_come_before_most_names_of_files_unless_files_are_very_many(each: int, come_first: bool) -> None:
    files = [MapFile(f"lib/{at}_part.py", 100, Sort.SOURCE) for at in range(90)]
    files += [MapFile(f"t/case_{at}/in_{at}_{of}.py", 9, Sort.TEST) for at in range(550) for of in range(each)]
    steps = TreeMap(files, []).steps
    last_folder = max(at for at, step in enumerate(steps) if step.kind is StepKind.FOLDER)
    last_source = max(at for at, step in enumerate(steps) if step.kind is StepKind.FILE and step.at < 90)
    assert (last_folder < last_source) is come_first


def test_of_folders_that_look_alike_a_few_stand_for_all_long_before_the_others() -> None:
    names = [f"lang{at // 10}{at % 10}" for at in range(90)]
    files = [MapFile(f"queries/{name}/{of}.scm", 90, Sort.SOURCE) for name in names for of in ("folds", "tags")]
    files.append(MapFile("queries/lang05/locals.scm", 90, Sort.SOURCE))
    tree = TreeMap(sorted(files), [])
    before_signatures = sum(step.rank > need_at(100) / SIGNATURE for step in tree.steps)
    above, first, example, second = tree.text(before_signatures).splitlines()
    told = re.findall(r"lang(\d\d)/ 2(?= |$)", f"{first} {second}")
    assert [*map(int, told)] == [at for at in range(len(told) + 1) if at != 5]
    assert 12 <= len(told) + 1 < 30
    assert (above, example) == (
        f"queries/ 181 ~4.5k: +{89 - len(told)} folders",
        "  lang05/ 3 ~75: {folds locals tags}.scm",
    )
    kinds = [step.kind for step in tree.steps[before_signatures:]]
    assert kinds == [StepKind.FOLDER] * (89 - len(told)) + [StepKind.FILE] * 178


@pytest.mark.parametrize(("name", "defines"), [("urls", True), ("part_{}", False)])
def test_folders_of_which_a_definition_is_named_or_that_look_alike_in_nothing_are_no_crowd(
    name: str, defines: bool
) -> None:
    files = [MapFile(f"apps/app{at}/{name.format(at)}.py", 90, Sort.SOURCE) for at in range(60)]
    tree = TreeMap(files, [Named(at, "", f"name_{at}") for at in range(60)] if defines else [])
    folders = [step for step in tree.steps if step.kind is StepKind.FOLDER]
    assert folders[-1].rank > need_at(100) / SIGNATURE


def test_names_of_all_source_files_come_before_most_of_what_is_defined_where_they_are_many() -> None:
    files = [MapFile(f"lib/part_{at}_of_many.py", 100, Sort.SOURCE) for at in range(2000)]
    tree = TreeMap(files, [Named(at % 100, "", f"name_{at}") for at in range(4000)])
    sources = [at for at, step in enumerate(tree.steps) if step.kind is StepKind.FILE]
    assert sum(step.price for step in tree.steps[: sources[-1]] if step.kind is StepKind.NAME) < 10_000


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
