"""Constants, which signatures alone leave out, are shown to who asks for them by name."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from allocator import ContextEngine
from allocator.show.elision import Selection
from skeleton import CompressionLevel
from tests.allocator.files import file_of
from tests.trees import write_tree
from workspace.roots import Roots

L2 = CompressionLevel.SKELETON

OPTIONS = "".join(f"OPTION_{number} = {number}\n" for number in range(60))
LIMITS = (
    f'"""Limits."""\n\n{OPTIONS}RETRY_LIMIT = 5\n{OPTIONS.replace("OPTION", "CHOICE")}\n\n'
    "def delay(n):\n    return n * 3\n"
)
TABLE = "CODES = {\n" + "".join(f'    "code_{number}": {number},\n' for number in range(300)) + "}\n"
RUST = (
    "pub struct Lexer;\n\nimpl Lexer {\n    pub const DEEPEST: usize = 64;\n\n"
    + "".join(
        f"    pub fn next_{number}(&self) -> usize {{\n        let all = [1, 2, 3];\n        all[{number}]\n    }}\n"
        for number in range(9)
    )
    + "}\n"
)
FILES = {
    "app/limits.py": LIMITS,
    "app/codes.py": f"{TABLE}\n\ndef code(name):\n    return CODES[name]\n",
    "app/lexer.rs": RUST,
    "tests/test_limits.py": "RETRY_LIMIT = 1\n\n\ndef test_delay():\n    assert delay(1)\n",
} | {
    f"app/part_{number:02}.py": f"def work_{number}(value):\n" + "    value += 1\n" * 9 + "    return value\n"
    for number in range(20)
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tree(tmp_path_factory.mktemp("constants").resolve(), FILES)


@pytest.fixture(scope="module")
def engine(folder: Path) -> ContextEngine:
    return ContextEngine(Roots([folder]))


def block(context: str, path: str) -> list[str]:
    return context[context.index(f"+++ {path}") :].split("\n+++ ")[0].split("\n")


@pytest.mark.parametrize("budget", [120, 200, 600, 1500])
@pytest.mark.parametrize("query", ["what is the default of RETRY_LIMIT", "raise the retry limit", "RETRY_LIMIT"])
def test_a_constant_that_a_query_names_is_shown(engine: ContextEngine, folder: Path, query: str, budget: int) -> None:
    result = engine.get_context(str(folder), token_budget=budget, query=query, format="compact")
    assert "RETRY_LIMIT = 5" in block(result.context, "app/limits.py")
    assert result.tokens_used <= budget


@pytest.mark.parametrize(
    "focus", ["app/limits.py::RETRY_LIMIT", "app/limits.py:63", "Lexer.DEEPEST", "app/lexer.rs::DEEPEST"]
)
def test_a_constant_that_a_focus_names_comes_first_and_whole(engine: ContextEngine, folder: Path, focus: str) -> None:
    result = engine.get_context(str(folder), token_budget=80, focus=focus, format="compact")
    header, *lines = result.context.split("\n")
    name, shown = ("Lexer.DEEPEST", "    pub const DEEPEST: usize = 64;")
    if "limits" in focus:
        name, shown = "RETRY_LIMIT", "RETRY_LIMIT = 5"
    assert f"FULL:{name}" in header
    assert shown in lines
    assert "OPTION_0 = 0" not in lines


def test_a_long_constant_is_shown_in_part_until_there_is_room_for_it(engine: ContextEngine, folder: Path) -> None:
    small, large = (
        block(
            engine.get_context(str(folder), token_budget=budget, query="CODES", format="compact").context,
            "app/codes.py",
        )
        for budget in (150, 6000)
    )
    assert any(line.startswith("CODES = ") for line in small)
    assert not any('"code_299"' in line for line in small)
    assert any('"code_0"' in line for line in large)
    assert any('"code_299"' in line for line in large)


@pytest.mark.parametrize("asked", [{"query": "signals of work"}, {"focus": "app/signals.py"}, {}])
@pytest.mark.parametrize("only_constants", [20, 300])
def test_no_block_is_a_header_alone(tmp_path: Path, asked: dict[str, Any], only_constants: int) -> None:
    signals = "".join(f"signal_{number} = object()\n" for number in range(only_constants))
    files = {f"app/part_{number}.py": FILES[f"app/part_{number:02}.py"] for number in range(8 if asked else 4)}
    root = write_tree(tmp_path.resolve(), {**files, "app/signals.py": signals, "app/empty.py": ""})
    engine = ContextEngine(Roots([root]))
    for budget in range(64, 1200, 37):
        context = engine.get_context(str(root), token_budget=budget, format="compact", **asked).context
        lines = [*context.split("\n"), ""]
        for line, following in pairwise(lines):
            if line.startswith("+++ ") and "empty.py" not in line:
                assert following, (budget, line)
                assert not following.startswith(("+++ ", "⋮ ")) or "[CUT]" in line, (budget, line)


def test_constants_that_a_file_is_needed_for_are_shown(tmp_path: Path) -> None:
    lines = "    if request.answer:\n        request.times += 1\n" * 4
    constants = f"{OPTIONS}RETRY_STATUS = [500, 502]\nRETRY_MOST = 3\n"
    files = {
        "app/settings.py": f"{constants}\n\ndef shown(name):\n    return name\n",
        "app/retry.py": f"def retry(request):\n{lines}    return request\n",
    }
    engine = ContextEngine(Roots([write_tree(tmp_path, FILES | files).resolve()]))
    query = "retry a request that was answered with a status of the server"
    context = engine.get_context(str(tmp_path.resolve()), token_budget=400, query=query, format="compact").context
    assert "RETRY_STATUS = [500, 502]" in context
    assert "OPTION_7" not in context


def test_without_a_name_constants_are_left_out_as_before(engine: ContextEngine, folder: Path) -> None:
    context = engine.get_context(str(folder), token_budget=700, query="work on the value", format="compact").context
    assert "RETRY_LIMIT" not in context
    assert "CODES = " not in context


def test_more_budget_never_loses_a_constant_of_a_focus(engine: ContextEngine, folder: Path) -> None:
    for budget in range(80, 3000, 97):
        result = engine.get_context(
            str(folder), token_budget=budget, focus="app/limits.py::RETRY_LIMIT", format="compact"
        )
        assert "RETRY_LIMIT = 5" in block(result.context, "app/limits.py"), budget
        assert result.tokens_used <= budget


def test_a_constant_stands_in_its_type_and_in_its_group() -> None:
    go = file_of("package a\n\nconst (\n\tA = 1\n\tB = 2\n)\n\nconst (\n\tC = 3\n)\n\nfunc f() {}\n", "a.go")
    second = Selection(shown=frozenset(), constants=frozenset({1}))
    assert go.selected(L2, second).lines == ("const (", "⋮ 1 definition", "\tB = 2", ")")
    whole = Selection(constants=frozenset({1}))
    assert go.selected(L2, whole).lines == ("package a", "const (", "⋮ 1 definition", "\tB = 2", ")", "func f();")
    rust = file_of(RUST, "a.rs")
    place = next(place for place, one in enumerate(rust.definitions) if one.name == "DEEPEST")
    view = rust.selected(L2, Selection(shown=frozenset(), constants=frozenset({place})))
    assert view.lines == ("impl Lexer {", "    pub const DEEPEST: usize = 64;", "⋮ 9 definitions", "}")
    assert view.marks == ("SHOWN:2/12",)
