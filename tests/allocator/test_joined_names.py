"""File names that are written together on the map: which are, and that a reader can tell every one of them."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allocator import ContextEngine
from allocator.overview.folders import MapFile, Sort
from allocator.overview.joined import alone, parted, prices_of, written
from allocator.overview.map_steps import StepKind
from allocator.overview.namesakes import Named
from allocator.overview.treemap import TreeMap
from benchmarks.overview.asked import file_line, indented, spelled
from benchmarks.overview.growing import shown
from skeleton.zoom.zoomer import Zoomer
from tests.trees import write_tree
from workspace.errors import InvalidArgumentError, PathNotFoundError
from workspace.paths import from_word
from workspace.roots import Roots
from workspace.tokens import token_counter

if TYPE_CHECKING:
    from pathlib import Path

NAMES = st.text(alphabet="ab_-.TC{}()+, 1", min_size=1, max_size=9).filter(lambda name: name.strip(" .") == name)
"""Names of files with all signs that the notation gives a meaning."""


def joined(*names: str) -> str:
    return " ".join(written(names, parted(names)))


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (("conf.py", "test_app.py", "test_cli.py", "test_json.py"), "conf.py test_{app cli json}.py"),
        (("AppTest.kt", "CookieJarTest.kt", "UrlTest.kt"), "{App CookieJar Url}Test.kt"),
        (("app.h", "app.c", "zlib.c", "zlib.h", "zmalloc.c"), "{app zlib}.{c h} zmalloc.c"),
        (("bad.py", "good.py"), "bad.py good.py"),
        (("test_app.py", "test_app_1.py", "test"), "test_{app app_1}.py test"),
        ((".gitignore", ".gitattributes", "LICENSE", "Makefile"), ".gitignore .gitattributes LICENSE Makefile"),
    ],
)
def test_names_that_begin_and_end_alike_stand_in_braces(names: tuple[str, ...], line: str) -> None:
    assert joined(*names) == line


def test_what_is_written_of_some_names_stays_when_more_are_written() -> None:
    names = ("test_app.py", "test_app.txt", "test_cli.py", "test_cli.txt", "test_json.py")
    parts = parted(names)
    assert written(names[:1], parts) == ["test_app.py"]
    assert written(names[:3], parts) == ["test_app.{py txt}", "test_cli.py"]
    assert written(names, parts) == ["test_{app cli}.{py txt}", "test_json.py"]


@pytest.mark.parametrize("name", ["Running 'nvm ls' should display x", "'nvm alias' should not accept a hash"])
def test_a_name_with_escaped_signs_costs_what_it_takes(name: str) -> None:
    tokens = token_counter().count(alone(name))
    assert prices_of([name]) == [pytest.approx(tokens, rel=0.15)]


@pytest.mark.parametrize("odd", ["test_{a}.py", "test_a,b.py", "test_a\\n.py", "test_a:b.py", "test_'.py"])
def test_a_name_that_could_be_read_otherwise_is_written_by_itself(odd: str) -> None:
    names = (odd, "test_app.py", "test_cli.py", "test_json.py")
    assert written(names, parted(names)) == [odd, "test_{app cli json}.py"]


def test_blanks_in_a_name_are_escaped_where_blanks_part_names() -> None:
    assert joined("a b.py", "test_app.py", "test_cli.py", "test_json.py") == "a\\x20b.py test_{app cli json}.py"
    assert alone("an app.py") == "an\\x20app.py"
    assert prices_of(["a b.py"]) == prices_of(["a\\x20b.py"])


def test_braces_that_could_be_taken_for_several_names_are_escaped() -> None:
    assert alone("{{project.name}}.py") == "{{project.name}}.py"
    assert alone("test_{a b}.py") == "test_{a\\x20b}.py"
    assert joined("x{a", "b}y") == "x\\x7ba b\\x7dy"
    assert joined("}a{", "}b{") == "\\x7da\\x7b \\x7db\\x7b"


def test_a_bracket_that_could_be_taken_for_what_a_file_defines_is_escaped() -> None:
    assert [*map(alone, ("(app)", "a(1).py", "a(1)", "(b(1)"))] == ["(app)", "a(1).py", "a\\x281)", "(b\\x281)"]
    assert from_word("a\\x281)") == "a(1)"
    assert file_line(f"{alone('a(1)')}: b") == ("a\\x281)", "b")
    assert file_line("a(1).py(b operator()): c") == ("a(1).py", "b operator() c")


@given(st.lists(NAMES, unique=True, max_size=9), st.data())
def test_a_reader_can_tell_every_name_and_no_other(names: list[str], data: st.DataObject) -> None:
    some = [name for name in names if data.draw(st.booleans())]
    said = written(some, parted(tuple(names)))
    assert sorted(spelled(" ".join(said)).split()) == sorted(map(alone, some))
    assert sorted(from_word(alone(name)) for name in some) == sorted(some)


def test_folders_that_hold_files_of_the_same_names_share_a_line() -> None:
    files = [
        MapFile("lib.py", 360, Sort.SOURCE),
        *(MapFile(f"doc/bad-{at}/{name}", 360, Sort.PROSE) for at in ("key", "name") for name in ("bad.py", "good.py")),
        MapFile("doc/other/bad.py", 360, Sort.PROSE),
        *(MapFile(f"src/{at}/app.py", 360, Sort.SOURCE) for at in "ab"),
    ]
    tree = TreeMap(files, [Named(0, "", "Lib")])
    lines = tree.text(len(tree.steps)).splitlines()
    assert lines[3:] == [
        "doc/ 5 ~500",
        "  bad-{key name}/ 4 ~400: bad.py good.py",
        "  other/ 1 ~100: bad.py",
        "lib.py: Lib",
    ]
    assert lines[:3] == ["src/ 2 ~200", "  a/ 1 ~100: app.py", "  b/ 1 ~100: app.py"]


def test_the_folders_of_a_line_come_one_by_one_and_the_names_of_their_files_once_for_all() -> None:
    files = [MapFile(f"doc/{at}/{name}", 360, Sort.PROSE) for at in "abc" for name in ("bad.py", "good.py")]
    tree = TreeMap([*files, MapFile("lib.py", 360, Sort.SOURCE)], [])
    drawn = list(dict.fromkeys(tree.text(count) for count in range(len(tree.steps) + 1)))
    assert "doc/ 6 ~600: +1 folder\n  {a b}/ 4 ~400\n" in "\n".join(drawn)
    assert any("  {a b c}/ 6 ~600: bad.py +3\n" in text for text in drawn)
    assert sum(step.kind is StepKind.FILE for step in tree.steps) == 3
    told = {path for path in indented(drawn[-1]) if " " not in path}
    assert told == {"doc/", "doc/a/", "doc/b/", "doc/c/", "lib.py", *(file.path for file in files)}


def test_folders_that_hold_folders_of_the_same_names_share_a_line_and_what_lies_in_them_is_told_once() -> None:
    held = (
        "index.md",
        "api/a b/run.md",
        "api/guide.md",
        "faq/guide.md",
        "old/guide.md",
        "old/v1/guide.md",
        "old/v2/guide.md",
    )
    files = [MapFile(f"doc/{at}/{name}", 360, Sort.PROSE) for at in ("de", "fr", "ja") for name in held]
    files += [MapFile("doc/xx/index.md", 360, Sort.PROSE), MapFile("lib.py", 360, Sort.SOURCE)]
    files.sort()
    tree = TreeMap(files, [])
    drawn = list(dict.fromkeys(tree.text(count) for count in range(len(tree.steps) + 1)))
    assert drawn[-1].splitlines() == [
        "doc/ 22 ~2.2k",
        "  {de fr ja}/ 21 ~2.1k: index.md",
        "    api/ 6 ~600: guide.md",
        "      a\\x20b/ 3 ~300: run.md",
        "    faq/ 3 ~300: guide.md",
        "    old/ 9 ~900: guide.md",
        "      {v1 v2}/ 6 ~600: guide.md",
        "  xx/ 1 ~100: index.md",
        "lib.py",
    ]
    folders = {path[: at + 1] for path, *_ in files for at, sign in enumerate(path) if sign == "/"}
    assert {path for path in indented(drawn[-1]) if not path.startswith("+")} == folders | {file.path for file in files}
    read = [{path for path in indented(text) if path in folders or "." in path} for text in drawn]
    assert all(less <= more for less, more in itertools.pairwise(read))
    assert any("  {de fr ja}/ 21 ~2.1k: +3 +6 folders\n    api/" in text for text in drawn)


def test_folders_of_which_nothing_is_shown_share_a_line_and_leave_it_one_by_one() -> None:
    paths = (
        "src/lib/a/x.py",
        "src/lib/a/y.py",
        "src/lib/b/z.py",
        "src/lib/c d/v.py",
        "src/lib/c d/w.py",
        "src/web/e.py",
    )
    files = [MapFile(path, 360, Sort.SOURCE) for path in paths] + [MapFile("src/lib/t/t.py", 360, Sort.TEST)]
    tree = TreeMap(files, [Named(2, "", "Zed")])
    text = tree.drawn(at for at, step in enumerate(tree.steps) if step.kind is StepKind.FOLDER)
    assert text.splitlines() == [
        "src/ 7, 1 tests ~700",
        "  lib/ 6, 1 tests ~600",
        "    a/ 2 b/ 1 c\\x20d/ 2 t/ 1 tests",
        "  web/ 1",
    ]
    assert indented(text) == {
        "src/",
        "src/lib/",
        *(f"src/{at}/" for at in ("lib/a", "lib/b", "lib/c d", "lib/t", "web")),
    }
    text = tree.drawn(at for at, step in enumerate(tree.steps) if step.kind is not StepKind.FILE)
    assert "    a/ 2\n    b/ 1 ~100\n      z.py: Zed\n    c\\x20d/ 2 t/ 1 tests\n" in text
    assert all(shown(tree.text(count)) <= shown(tree.text(count + 1)) for count in range(len(tree.steps)))


@pytest.mark.parametrize("odd", ["a b", "{a", "a}", "a,b"])
def test_a_folder_with_a_name_that_could_be_read_otherwise_has_a_line_of_its_own(odd: str) -> None:
    files = [MapFile(f"doc/{at}/bad.py", 360, Sort.PROSE) for at in (odd, "c", "d")]
    tree = TreeMap([*files, MapFile("lib.py", 360, Sort.SOURCE)], [])
    lines = tree.text(len(tree.steps)).splitlines()
    assert f"  {alone(odd)}/ 1 ~100: bad.py" in lines
    assert "  {c d}/ 2 ~200: bad.py" in lines


def test_every_name_of_a_map_is_a_target(tmp_path: Path) -> None:
    paths = ["lib/app.py", "lib/cli.py", "lib/json_tools.py", "t/test_{a b}.py", "t/x{a", "t/{b c}/one.txt"]
    paths += [f"t/test_{name}.py" for name in ("app", "cli", "json")] + [
        f"d/bad-{at}/{of}.md" for at in "xy" for of in "pq"
    ]
    root = write_tree(tmp_path / "odd", dict.fromkeys(paths, "VALUE = 1\n"))
    engine = ContextEngine(Roots([root]))
    text = engine.folder_map(str(root), "")
    assert re.search(r"^t/ .*test_\{app cli json\}\.py", text, re.MULTILINE)
    assert "  bad-{x y}/ 4 ~11: p.md q.md" in text.splitlines()
    told = {path for path in indented(text) if "/" in path and not path.endswith("/") and "+" not in path}
    assert {"d/bad-x/p.md", "d/bad-x/q.md", "d/bad-y/p.md", "d/bad-y/q.md", "t/test_app.py", "lib/cli.py"} <= told
    zoomer = Zoomer(engine.index)
    for target in (*sorted(told & set(paths)), "t/test_{a\\x20b}.py", "t/x\\x7ba", "t/{b\\x20c}/one.txt"):
        assert "VALUE = 1" in zoomer.zoom(target, str(root)).text, target


FOLDERS = {f"d/bad-{at}/{of}.md": "text\n" for at in "xyz" for of in "pq"} | {"lib/app.py": "class App:\n    pass\n"}


def test_a_line_of_folders_is_a_target_for_the_map_of_each(tmp_path: Path) -> None:
    root = write_tree(tmp_path, FOLDERS)
    engine = ContextEngine(Roots([root]))
    headline, *told = engine.folder_map(str(root), "d/bad-{x z}/").splitlines()
    assert headline.startswith("4 files")
    assert told == ["d/ 4 ~6", "  bad-{x z}/ 4 ~6: p.md q.md"]
    assert engine.folder_map(str(root / "d"), "bad-{x z}/").splitlines()[1:] == told
    assert "lib/ 1 ~6" in engine.folder_map(str(root), "{d lib}/")
    part = engine.folder_map(str(root), "d/bad-{x z}/", token_budget=64)
    assert token_counter("o200k_base").count(part) <= 64


def test_of_a_line_of_folders_those_that_are_not_there_are_told(tmp_path: Path) -> None:
    root = write_tree(tmp_path, FOLDERS)
    engine = ContextEngine(Roots([root]))
    first, *rest = engine.folder_map(str(root), "d/{bad-x gone}/").splitlines()
    assert first == "'d/gone/' is no folder with files here; get_context shows the map of all folders."
    assert rest[1:] == ["d/bad-x/ 2 ~3: p.md q.md"]
    with pytest.raises(PathNotFoundError, match="'d/gone/' is no folder with files here"):
        engine.folder_map(str(root), "d/{gone lost}/")
    with pytest.raises(InvalidArgumentError, match="64 targets at once"):
        engine.folder_map(str(root), "d/{a b}{a b}{a b}{a b}{a b}{a b}/")


def test_a_folder_that_is_called_with_braces_is_itself(tmp_path: Path) -> None:
    root = write_tree(tmp_path, {"{a b}/one.md": "text\n", "a/two.md": "text\n", "b/three.md": "text\n"})
    assert "one.md" in ContextEngine(Roots([root])).folder_map(str(root), "{a b}/")


def test_names_with_blanks_are_targets_as_the_map_writes_them(tmp_path: Path) -> None:
    paths = ["my docs/first look.md", "my docs/a (1).md", "my docs/class one.py", "lib/{b c}/one.md", "lib/app.py"]
    root = write_tree(tmp_path, {path: f"class Of{at}:\n    pass\n" for at, path in enumerate(paths)})
    engine = ContextEngine(Roots([root]))
    zoomer = Zoomer(engine.index)
    text = engine.folder_map(str(root), "")
    assert "my\\x20docs/ 3" in text
    assert "class\\x20one.py: Of2" in text
    assert set(paths) <= indented(text)
    for at, path in enumerate(paths):
        folder, _, name = map(alone, path.rpartition("/"))
        for target in (f"{folder}/{name}", f"{folder}/{name}:1-2", name):
            assert f"Of{at}:" in zoomer.zoom(target, str(root)).text, target
        assert f"Of{at}:" in zoomer.zoom([f"{folder}/{name}"], str(root / path).rpartition("/")[0]).text
        assert path.rpartition("/")[2] in from_word(engine.folder_map(str(root), f"{folder}/"))
        shown = engine.get_context(str(root), token_budget=200, focus=[f"{folder}/{name}"], format="compact").context
        assert f"+++ {path}" in shown.partition(f"Of{at}:")[0]
    assert "class Of2" in zoomer.zoom("my\\x20docs/class\\x20one.py::Of2", str(root)).text
