from __future__ import annotations

import doctest
import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TypedDict, Unpack

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import allocator
import allocator.spend.adaptive
from allocator import ContextEngine, ContextResult, FormatName
from allocator.progress import Progress
from skeleton import CompressionLevel
from skeleton.index.code_index import CodeIndex
from skeleton.index.content import Content
from skeleton.index.facts import unreadable_grammar
from skeleton.index.workers import WORTH_STARTING_BYTES, Workers
from tests.allocator.rooms import lines_are_too_long
from tests.allocator.strategies import on_disk, trees
from tests.allocator.test_render import read_compact, read_plus
from tests.thoroughness import SHARE, is_thorough, share_of
from tests.trees import git, make_repository, write_tree
from workspace.errors import (
    BudgetTooSmallError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
)
from workspace.files.scan import scan
from workspace.model import ProblemKind
from workspace.roots import Roots
from workspace.tokens import token_counter

L0, L1, L2, L3 = CompressionLevel
count = token_counter().count
Tree = dict[str, str]
budgets = st.integers(64, 4000)
modes = st.sampled_from(["auto", "enabled", "disabled"])
formats = st.sampled_from([str(name) for name in FormatName])
few = settings(max_examples=share_of(60), deadline=None)

FUNCTION = (
    'def helper_{0}(first: int, second: str) -> dict[str, int]:\n    """Says what helper {0} does."""\n'
    + "".join(f"    value_{number} = first + {number} * len(second)\n" for number in range(12))
    + "    return {{}}\n\n\n"
)


def module(functions: int) -> str:
    return "".join(FUNCTION.format(number) for number in range(functions))


class Arguments(TypedDict, total=False):
    """The arguments of `get_context` besides a path."""

    token_budget: int | str | None
    skeleton: str
    include: Sequence[str]
    exclude: Sequence[str]
    min_level: str
    max_level: str
    format: str
    line_numbers: bool
    query: str
    focus: Sequence[str]
    progress: Progress


def served(folder: Path, path: str = ".", **arguments: Unpack[Arguments]) -> ContextResult:
    return ContextEngine(Roots([folder])).get_context(str(folder / path), **arguments)


def levels_of(result: ContextResult) -> dict[str, CompressionLevel]:
    return {path: level for level, paths in result.metadata.compression_summary.items() for path in paths}


def least_budget(folder: Path, budget: int, arguments: Arguments) -> int:
    """The budget that a refusal names, or the one given where it is enough."""
    try:
        served(folder, **{**arguments, "token_budget": budget})
    except BudgetTooSmallError as refusal:
        return refusal.minimum
    return budget


# The seed's own scenarios (the Fractal Protocol, section 4.2.1)


def test_three_files_fit_as_skeletons(tmp_path: Path) -> None:
    text = module(2)
    assert 370 < count(text) < 420
    write_tree(tmp_path, {f"src/{name}.py": text for name in ("main", "config", "utils")})
    result = served(tmp_path, token_budget=1000)
    for name in ("main", "config", "utils"):
        assert f"+++ src/{name}.py" in result.context
    assert "[SKELETON:" in result.context
    assert result.tokens_used <= 1000


def test_core_is_skeletonized_last(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "src/core.py": module(2),
            "tests/test_core.py": module(2),
            "docs/readme.md": "".join(f"## Part {number}\n\nMany words of prose.\n\n" for number in range(60)),
        },
    )
    result = served(tmp_path, token_budget=500)
    levels = levels_of(result)
    assert levels["src/core.py"] in {L0, L1}
    assert levels["docs/readme.md"] in {L2, L3}


# What is promised of every call


@pytest.mark.no_cover
@few
@given(trees, budgets, modes, formats, st.booleans())
def test_what_is_served_never_costs_more_than_the_budget(
    tree: Tree, budget: int, mode: str, layout: str, line_numbers: bool
) -> None:
    with on_disk(tree) as folder:
        result = served(folder, token_budget=budget, skeleton=mode, format=layout, line_numbers=line_numbers)
        assert result.tokens_used == count(result.context) + count(result.summary) <= budget
        assert count(f"{result.context}\n{result.summary}") <= budget
        assert result.metadata.tokens_used == result.tokens_used
        assert result.metadata.token_budget == budget
        assert sorted(levels_of(result)) == sorted(tree)
        assert result.summary == "" or budget >= 500
        if result.summary:
            assert json.loads(result.summary)["tokens_used"] == result.tokens_used
            assert count(result.summary) <= budget // 10
        if mode == "disabled":
            assert result.metadata.files_skeleton == 0


@pytest.mark.no_cover
@few
@given(trees, st.integers(600, 4000), st.sampled_from(["auto", "enabled"]), formats, st.booleans())
def test_at_least_95_percent_is_used_where_there_is_more_to_show(
    tree: Tree, budget: int, mode: str, layout: str, line_numbers: bool
) -> None:
    with on_disk(tree) as folder:
        result = served(folder, token_budget=budget, skeleton=mode, format=layout, line_numbers=line_numbers)
        if result.metadata.files_full < len(tree):
            assert result.tokens_used >= 0.95 * budget or lines_are_too_long(folder, result, budget)


@pytest.mark.no_cover
@few
@given(trees, budgets, st.integers(0, 2000), st.sampled_from(["auto", "enabled"]), formats)
def test_more_budget_never_shows_fewer_files(tree: Tree, budget: int, more: int, mode: str, layout: str) -> None:
    with on_disk(tree) as folder:
        little = served(folder, token_budget=budget, skeleton=mode, format=layout)
        much = served(folder, token_budget=budget + more, skeleton=mode, format=layout)
        assert much.metadata.files_dropped <= little.metadata.files_dropped


@pytest.mark.no_cover
@settings(few, max_examples=share_of(30))
@given(trees, budgets, modes, formats)
def test_the_same_files_give_the_same_bytes(tree: Tree, budget: int, mode: str, layout: str) -> None:
    with on_disk(tree) as folder, on_disk(dict(reversed(tree.items()))) as copy:
        assert served(folder, token_budget=budget, skeleton=mode, format=layout) == served(
            copy, token_budget=budget, skeleton=mode, format=layout
        )


@pytest.mark.no_cover
@settings(few, max_examples=share_of(45))
@given(trees)
def test_without_a_budget_everything_can_be_had_back(tree: Tree) -> None:
    assume(not any(" [" in path for path in tree))
    with on_disk(tree) as folder:
        assert read_plus(served(folder).context) == tree
        assert read_compact(served(folder, format="compact").context) == tree


@pytest.mark.no_cover
@settings(few, max_examples=share_of(45))
@given(
    trees,
    st.integers(64, 2000),
    st.sampled_from([L0, L1, L2, L3]),
    st.sampled_from([L0, L1, L2]),
    st.sampled_from(["auto", "enabled"]),
)
def test_no_file_leaves_the_levels_allowed(
    tree: Tree, budget: int, min_level: CompressionLevel, max_level: CompressionLevel, mode: str
) -> None:
    assume(max_level.depth <= min_level.depth)
    arguments: Arguments = {"min_level": min_level, "max_level": max_level, "skeleton": mode}
    with on_disk(tree) as folder:
        least = least_budget(folder, 64, arguments)
        assert least <= 64 or least_budget(folder, least - 1, arguments) == least
        result = served(folder, **{**arguments, "token_budget": max(budget, least)})
        without_skeleton = {problem.path for problem in result.metadata.problems if "max_level" in problem.detail}
        for path, level in levels_of(result).items():
            assert max_level.depth <= level.depth
            assert level.depth <= min_level.depth or (max_level is not L0 and path in without_skeleton)


# Single behaviours


def test_a_single_file_works(tmp_path: Path) -> None:
    write_tree(tmp_path, {"src/a.py": "x = 1\n", "src/b.py": "y = 2\n"})
    result = served(tmp_path, "src/a.py", token_budget=200)
    assert levels_of(result) == {"src/a.py": L0}
    assert "y = 2" not in result.context


@pytest.mark.parametrize("layout", FormatName)
def test_an_empty_folder_is_an_empty_clear_result(tmp_path: Path, layout: FormatName) -> None:
    result = served(tmp_path, token_budget=64, format=layout)
    assert "No files: the folder is empty or ignore rules leave all out." in result.context
    assert result.tokens_used <= 64
    assert levels_of(result) == {}


def test_a_repository_without_a_work_tree_is_said_to_be_one(tmp_path: Path) -> None:
    source = make_repository(tmp_path / "source", {"a.py": "x = 1\n"})
    git(tmp_path, "clone", "-q", "--bare", str(source), "bare")
    told = ContextEngine(Roots([tmp_path])).get_context(str(tmp_path / "bare"), token_budget=2000).context
    assert told.startswith("⋮ This folder is a repository without a work tree")
    told = ContextEngine(Roots([tmp_path])).get_context(str(source), token_budget=2000).context
    assert "work tree" not in told


def test_globs_that_match_nothing_say_so(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "x = 1\n"})
    result = served(tmp_path, token_budget=64, include=["*.rs"])
    assert result.context == "⋮ No files: the include and exclude globs, relative to `path`, leave none.\n"


def test_files_that_cannot_be_shown_are_named_and_cost_nothing_else(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "x = 1\n", "b.bin": b"\x00\x01\x02" * 100, ".env": "PASSWORD=hunter2\n"})
    result = served(tmp_path, token_budget=2000)
    assert levels_of(result) == {"a.py": L0, "b.bin": L3, ".env": L3}
    kinds = {problem.path: problem.kind for problem in result.metadata.problems}
    assert kinds == {"b.bin": ProblemKind.BINARY, ".env": ProblemKind.SENSITIVE}
    assert "hunter2" not in result.context + result.summary
    assert json.loads(result.summary)["problems"][0]["path"] in kinds


def test_where_nothing_can_be_shown_the_reasons_are_counted(tmp_path: Path) -> None:
    write_tree(tmp_path, {"b.png": b"\x89PNG\x00\x01", ".env": "PASSWORD=1\n", f"{'long/' * 20}a.py": "x = 1\n" * 50})
    result = served(tmp_path, token_budget=64)
    assert result.context == "⋮ No file is shown: 1 sensitive, 1 binary, 1 over the budget.\n"


def test_syntax_errors_are_marked_and_named(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": module(6) + "def broken(:\n    ((\n"})
    result = served(tmp_path, token_budget=500)
    assert "[SYNTAX-ERRORS]" in result.context.partition("\n")[0]
    assert [problem.kind for problem in result.metadata.problems] == [ProblemKind.SYNTAX_ERRORS]


def test_a_full_file_that_does_not_fit_whole_is_full_first_and_folded_after(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": module(12)})
    result = served(tmp_path, token_budget=900, line_numbers=True)
    header, *lines = result.context.splitlines()
    assert header.startswith("+++ a.py [SKELETON:L1] [FULL:1-")
    until = int(header.rpartition("-")[2].rstrip("]"))
    source = module(12).split("\n")
    assert lines[: until - 1] == [
        f"+ {number} {line}" if line else f"+ {number}" for number, line in enumerate(source[: until - 1], start=1)
    ]
    assert any("helper_11" in line for line in lines)
    assert result.tokens_used >= 0.95 * 900


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "asked", [{}, {"query": "what helper 3 does"}, {"focus": ["helper_2"]}, {"skeleton": "enabled"}]
)
def test_a_line_is_shown_whole_or_not_at_all(tmp_path: Path, asked: Arguments) -> None:
    tree = {"a.py": module(12), "b.py": module(3), "notes.md": "words of a long line " * 8 + "\n\nAnother one.\n"}
    write_tree(tmp_path, tree)
    lines = {line.rstrip() for text in tree.values() for line in text.split("\n")}
    for budget in range(150, 1200, 35 if is_thorough() else 35 * SHARE):
        arguments: Arguments = {**asked, "token_budget": budget, "format": "compact"}
        context = served(tmp_path, **arguments).context
        shown = [line for line in context.split("\n") if not line.startswith(("+++ ", "⋮"))]
        assert {line.removesuffix("...").rstrip() for line in shown} <= lines


def test_max_level_keeps_bodies_out_however_large_the_budget(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": module(3)})
    result = served(tmp_path, token_budget="100k", max_level="L1")
    assert levels_of(result) == {"a.py": L1}
    assert "value_3" not in result.context


def test_enabled_without_a_budget_serves_skeletons(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": module(3)})
    result = served(tmp_path, skeleton="enabled")
    assert levels_of(result) == {"a.py": L1}
    assert result.metadata.token_budget is None
    assert result.metadata.tokens_saved == max(0, result.metadata.tokens_original - result.tokens_used)


def test_a_snapshot_changes_with_any_content_any_path_and_what_is_shown(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "x = 1\n", "b.py": "y = 2\n"})
    first = served(tmp_path).metadata.snapshot
    assert served(tmp_path, format="compact").metadata.snapshot == first
    assert served(tmp_path, skeleton="enabled", max_level="L2").metadata.snapshot != first
    write_tree(tmp_path, {"b.py": "y = 3\n"})
    second = served(tmp_path).metadata.snapshot
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    third = served(tmp_path).metadata.snapshot
    assert len({first, second, third}) == 3


@pytest.mark.parametrize("budget", [None, 500])
def test_progress_only_grows_and_ends_at_its_total(tmp_path: Path, budget: int | None) -> None:
    write_tree(tmp_path, {f"{number}.py": module(2) for number in range(4)})
    said: list[tuple[int, int, str]] = []

    def note(done: int, total: int, message: str) -> None:
        said.append((done, total, message))

    served(tmp_path, token_budget=budget, progress=note)
    done = [step for step, _, _ in said]
    assert done == sorted(done)
    assert {total for _, total, _ in said} == {13}
    assert said[0] == (0, 13, "reading 0.py")
    assert said[-1] == (13, 13, "done")


@pytest.mark.parametrize("asked", [{"query": "helper"}, {"focus": ["1.py"]}, {}], ids=["query", "focus", "nothing"])
def test_a_call_can_be_given_up_while_files_are_parsed(tmp_path: Path, asked: Arguments) -> None:
    write_tree(tmp_path, {f"{number}.py": module(20) for number in range(4)})

    def give_up(done: int, total: int, message: str) -> None:
        if message.startswith("parsing"):
            raise TimeoutError(f"{done} of {total}")

    asked = {**asked, "token_budget": 1000, "progress": give_up}
    with pytest.raises(TimeoutError):
        served(tmp_path, **asked)


def test_what_progress_raises_ends_the_call(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.py": "x = 1\n"})

    def stop(done: int, total: int, message: str) -> None:
        raise InterruptedError(message)

    with pytest.raises(InterruptedError, match=r"reading a\.py"):
        served(tmp_path, progress=stop)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"format": "yaml"}, r"format is 'yaml'; it must be one of: plus, compact, xml, markdown, json\."),
        ({"skeleton": "always"}, "skeleton is 'always'"),
        ({"min_level": "L9"}, "min_level is 'L9'"),
        ({"max_level": "L3"}, "max_level L3 must show something"),
        ({"min_level": "L0", "max_level": "L2"}, "max_level L2"),
        ({"token_budget": "many"}, "many"),
        ({"token_budget": 10}, "64"),
    ],
)
def test_an_argument_of_the_wrong_form_is_refused(tmp_path: Path, arguments: Arguments, said: str) -> None:
    with pytest.raises(InvalidArgumentError, match=said):
        served(tmp_path, **arguments)


def test_paths_are_resolved_inside_the_roots(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    write_tree(tmp_path, {"inside/a.py": "x = 1\n", "secret.py": "y = 2\n"})
    with pytest.raises(OutsideRootsError):
        served(inside, "../secret.py")
    with pytest.raises(PathNotFoundError):
        served(inside, "b.py")


def test_the_examples_in_the_documentation_are_true() -> None:
    for documented in (allocator, allocator.spend.adaptive):
        tried = doctest.testmod(documented)
        assert tried.attempted > 0
        assert tried.failed == 0


@pytest.mark.no_cover
@pytest.mark.parametrize(("path", "started"), [("main.py", 1), ("tests/data/big.py", 0)])
def test_a_worker_loads_while_files_are_read_if_those_that_matter_are_large(
    tmp_path: Path, path: str, started: int
) -> None:
    small = {f"src/m{number}.py": FUNCTION.format(number) for number in range(30)}
    write_tree(tmp_path, small | {path: "# nothing but words\n" * (WORTH_STARTING_BYTES // 18)})
    seen: list[int] = []
    workers = Workers(1)
    with closing(CodeIndex(Roots([tmp_path]), workers=workers)) as index:

        def note(_: int, __: int, what: str) -> None:
            if what.startswith("reading"):
                seen.append(workers.started)

        ContextEngine(index.roots, index=index).get_context(str(tmp_path), token_budget=500, progress=note)
    assert set(seen) == {started}


def test_a_file_that_can_be_outlined_and_not_rendered_counts_as_text(tmp_path: Path) -> None:
    tree = write_tree(tmp_path, {f"part_{number}.py": module(2) for number in range(3)})
    engine = ContextEngine(Roots([tree]))
    engine.get_context(str(tree), query="helper 1", token_budget=400)
    index = engine.index
    files, _ = index.files(scan(tree, roots=index.roots))
    content = Content(files[0].source, files[0].source)
    for aspect, value in unreadable_grammar(content, "it took too much", counter=token_counter()).items():
        index.cache.write([(int(aspect), files[0].key, value)])  # as when a worker dies of it
    result = engine.get_context(str(tree), query="helper 1", token_budget=4000)
    assert "helper_1" in result.context
    assert "part_1.py" in result.context
