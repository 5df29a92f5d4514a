"""The map of a folder: what its lines say, and in which order they come."""

from __future__ import annotations

import re

import pytest

from allocator.overview.first_look import SIGNATURE
from allocator.overview.folders import MapFile, Sort
from allocator.overview.map_order import need_at
from allocator.overview.map_steps import StepKind
from allocator.overview.namesakes import Named
from allocator.overview.treemap import TreeMap
from benchmarks.overview.asked import indented


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
