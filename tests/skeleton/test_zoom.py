from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skeleton.index.code_index import CodeIndex
from skeleton.index.workers import Workers
from skeleton.zoom.zoomer import Zoomer, ZoomResult, zoom
from workspace.errors import (
    BudgetTooSmallError,
    InvalidArgumentError,
    OutsideRootsError,
    PathNotFoundError,
    SymbolNotFoundError,
    UnreadableFileError,
)
from workspace.roots import Roots
from workspace.tokens import token_counter

CONFIG = '''\
"""Configuration."""
import json


class Config:
    """Application configuration."""

    debug: bool = False

    @classmethod
    def load(cls, path):
        """Load it."""
        def parse(text):
            return json.loads(text)
        return parse(path.read_text())  # may raise

    def save(self): pass


def helper(x):
    return x
'''

UTILS = """\
def helper(y):
    return y + 1


@overload
def both(a: int) -> int: ...
@overload
def both(a: str) -> str: ...
def both(a):
    return a
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "config.py").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "src" / "utils.py").write_text(UTILS, encoding="utf-8")
    (tmp_path / "tests" / "test_config.py").write_text("def test_load():\n    assert True\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    return tmp_path


def look(project: Path, target: str, budget: int | None = None, *, line_numbers: bool = False) -> ZoomResult:
    roots = Roots([project])
    return zoom(target, str(project), roots=roots, token_budget=budget, line_numbers=line_numbers)


def body(result: ZoomResult) -> str:
    (match,) = result.matches
    return match.text


@pytest.mark.parametrize(
    "target",
    [
        "method=load",
        "fn=load",
        "function=Config.load",
        "symbol=Config.load",
        "Config.load",
        "src/config.py::Config.load",
        "symbol=src/config.py::Config.load",
        "symbol=config.py::load",
        "Config::load",
        " method = load ",
    ],
)
def test_a_method_can_be_named_in_many_ways(project: Path, target: str) -> None:
    assert body(look(project, target)) == (
        "    @classmethod\n    def load(cls, path):\n"
        '        """Load it."""\n        def parse(text):\n            return json.loads(text)\n'
        "        return parse(path.read_text())  # may raise"
    )


def test_the_header_says_where_the_source_is(project: Path) -> None:
    text = look(project, "Config.load").text
    assert re.match(r"\+\+\+ src/config\.py:10-15 method Config\.load \[md5:[0-9a-f]{8}\]\n", text)


def test_what_is_local_to_a_function_is_found(project: Path) -> None:
    assert body(look(project, "load.parse")) == "        def parse(text):\n            return json.loads(text)"


@pytest.mark.parametrize("word", ["class", "struct", "type", "symbol"])
def test_a_class_is_given_whole(project: Path, word: str) -> None:
    text = body(look(project, f"{word}=Config"))
    assert text.startswith("class Config:\n")
    assert text.endswith("def save(self): pass")


def test_several_matches_are_all_given_when_they_fit(project: Path) -> None:
    result = look(project, "helper")
    assert [match.path for match in result.matches] == ["src/config.py", "src/utils.py"]
    assert result.text.count("+++ ") == 2


def test_several_matches_that_do_not_fit_are_listed_by_targets_that_work(project: Path) -> None:
    result = look(project, "both", 52)
    targets = re.findall(r"^\S+=\S+", result.text, re.MULTILINE)
    assert len(targets) >= 1
    assert result.tokens <= 52
    for target in targets:
        assert "both" in body(look(project, target))
    whole = look(project, "both")
    assert [look(project, match.target).matches for match in whole.matches] == [(match,) for match in whole.matches]
    assert [match.target for match in whole.matches] == [f"symbol=src/utils.py::both~{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", "def f(): return 1  # behind it"),
        ("a.ml", "let f x = x + 1 (* behind it *)"),
        ("a.hs", "f x = x + 1 {- behind it -}"),
        ("a.clj", "(defn f [x] x) ; behind it"),
        ("run", "#!/usr/bin/lua\nfunction f() return 1 end -- behind it"),
    ],
)
def test_a_comment_behind_the_last_line_comes_with_a_definition(tmp_path: Path, name: str, source: str) -> None:
    (tmp_path / name).write_text(f"{source}\n", encoding="utf-8")
    (match,) = zoom("symbol=f", str(tmp_path), roots=Roots([tmp_path])).matches
    assert match.text == source.rpartition("\n")[2]


def test_a_miss_suggests_targets_that_work(project: Path) -> None:
    with pytest.raises(SymbolNotFoundError) as caught:
        look(project, "method=Config.laod")
    assert "symbol=src/config.py::Config.load" in caught.value.suggestions
    for target in caught.value.suggestions:
        assert look(project, target).matches


def test_a_miss_without_anything_close_says_so(project: Path) -> None:
    with pytest.raises(SymbolNotFoundError, match="No name is close"):
        look(project, "zzzzzzzzzz")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("file=notes.txt", "one\ntwo\nthree\n"),
        ("file=notes.txt:2-3", "two\nthree\n"),
        ("lines=notes.txt:2", "two\n"),
        ("lines=notes.txt:2-99", "two\nthree\n"),
        ("module=notes", "one\ntwo\nthree\n"),
        ("file=src/utils.py:1-2", "def helper(y):\n    return y + 1\n"),
    ],
)
def test_files_and_lines_are_given_as_they_are(project: Path, target: str, expected: str) -> None:
    assert body(look(project, target)) == expected


def test_a_body_over_the_budget_is_cut_at_lines_and_the_rest_is_named(project: Path) -> None:
    (project / "long.py").write_text(
        "def long():\n" + "".join(f"    call_number({number})\n" for number in range(300)), encoding="utf-8"
    )
    whole = body(look(project, "long"))
    parts: list[str] = []
    target = "symbol=long"
    while target:
        result = look(project, target, 400)
        assert result.tokens <= 400
        lines = result.text.splitlines(keepends=True)
        rest = re.fullmatch(r"⋮ \d+ more lines: (file=\S+)\n", lines[-1])
        parts.extend(lines[1:-1] if rest else lines[1:])
        target = rest[1] if rest else ""
    assert "".join(parts).rstrip("\n") == whole


def rest_of(text: str) -> tuple[str, str]:
    """Returns the part of a body that a result shows, and the target that it names for the rest."""
    body = text.partition("\n")[2]
    shown, mark, rest = body.rpartition("⋮ ")
    found = re.fullmatch(r"\d+ more lines: (file=\S+)\n", rest)
    return (shown, found[1]) if mark and found else (body, "")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.lists(st.text("aü\t \f\x0b\x1c\x85\u2028'x1", max_size=60), min_size=1, max_size=60),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    st.booleans(),
    st.integers(100, 400),
)
def test_the_parts_of_a_body_add_up_to_it_byte_for_byte(
    tmp_path: Path, texts: list[str], ending: str, encoding: str, ended: bool, budget: int
) -> None:
    lines = [f"\tx = {text!r}  # ü" if encoding == "cp1252" else f"\tx = 'ü' # {text}" for text in texts]
    whole = ending.join(["def grüße():", *lines, "\treturn x"])
    (tmp_path / "odd.py").write_bytes((whole + (ending if ended else "")).encode(encoding, "replace"))
    given_whole = body(look(tmp_path, "grüße"))
    assert given_whole == whole.encode(encoding, "replace").decode(encoding)
    parts, target = "", "grüße"
    while target:
        result = look(tmp_path, target, budget)
        assert result.tokens <= budget
        part, target = rest_of(result.text)
        parts += part
    assert parts in (given_whole + "\n", given_whole + ending)
    numbered = look(tmp_path, "grüße", line_numbers=True).text.split("\n")[1:-1]
    assert [line.partition(" ")[0] for line in numbered] == [str(1 + number) for number in range(len(lines) + 2)]


@pytest.mark.parametrize("target", ["grüße", "file=odd.py", "lines=odd.py:1-2"])
def test_a_file_of_one_byte_for_each_character_comes_back_unharmed(project: Path, target: str) -> None:
    text = "def grüße():\r\n\treturn 'ü'"
    (project / "odd.py").write_bytes(text.encode("cp1252"))
    assert body(look(project, target)) == text


def test_what_is_suggested_fits_the_budget(project: Path) -> None:
    (project / "many.py").write_text("".join(f"def handle_request_{n}(): ...\n" for n in range(9)), encoding="utf-8")
    with pytest.raises(SymbolNotFoundError) as caught:
        look(project, "handle_request")
    assert len(caught.value.suggestions) == 8
    with pytest.raises(SymbolNotFoundError) as caught:
        look(project, "handle_request", 64)
    assert token_counter().count(str(caught.value)) <= 64
    assert 1 <= len(caught.value.suggestions) < 8
    with pytest.raises(SymbolNotFoundError) as caught:
        look(project, "handle_request" * 200, 64)
    assert token_counter().count(str(caught.value)) <= 64


def test_a_list_of_targets_that_does_not_fit_names_the_least_budget(project: Path) -> None:
    with pytest.raises(BudgetTooSmallError) as caught:
        look(project, "both", 5)
    assert look(project, "both", caught.value.minimum).tokens <= caught.value.minimum


def test_line_numbers_are_those_of_the_file(project: Path) -> None:
    assert look(project, "save", line_numbers=True).text.splitlines()[1] == "17     def save(self): pass"


def test_a_changed_file_is_read_again(project: Path) -> None:
    before = body(look(project, "save"))
    (project / "src" / "config.py").write_text(CONFIG.replace("save(self): pass", "save(self): 1"), encoding="utf-8")
    assert body(look(project, "save")) == before.replace("pass", "1")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings_and_line_ends_come_back_unharmed(project: Path, encoding: str) -> None:
    text = "def grüße():\r\n\treturn 'ü'\r\n\r\ndef last():\r\n\tpass"
    (project / "odd.py").write_bytes(text.encode(encoding))
    assert body(look(project, "grüße")) == "def grüße():\r\n\treturn 'ü'"
    assert body(look(project, "last")) == "def last():\r\n\tpass"
    assert body(look(project, "file=odd.py")) == text


def test_the_path_may_be_one_file(project: Path) -> None:
    result = zoom("helper", str(project / "src" / "utils.py"), roots=Roots([project]))
    assert [match.path for match in result.matches] == ["src/utils.py"]


def test_progress_is_told_and_may_stop_the_work(project: Path) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, total: int, word: str) -> None:
        raise StopError(f"{done} of {total}: {word}")

    with pytest.raises(StopError, match=r"0 of 4: notes\.txt"):
        zoom("helper", str(project), roots=Roots([project]), progress=stop)


@pytest.mark.parametrize(
    ("target", "error"),
    [
        ("", InvalidArgumentError),
        ("symbol=", InvalidArgumentError),
        ("a" * 1_000_000, InvalidArgumentError),
        (".'a" * 300_000, InvalidArgumentError),
        ("symbol=::", InvalidArgumentError),
        ("verb=run", InvalidArgumentError),
        ("file=nope.py", PathNotFoundError),
        ("file=src", InvalidArgumentError),
        ("src/", InvalidArgumentError),  # nothing of that name is proposed: it is what was asked for
        ("file=notes.txt:9-12", InvalidArgumentError),
        ("file=notes.txt:3-2", InvalidArgumentError),
        ("file=notes.txt:0", InvalidArgumentError),
        ("notes.txt:3-2", InvalidArgumentError),
        ("src/config.py:0", InvalidArgumentError),
        ("config.py:0-3", InvalidArgumentError),
        ("file=../outside.py", OutsideRootsError),
        ("file=.env", UnreadableFileError),
        ("module=nothing.like.it", SymbolNotFoundError),
    ],
)
def test_a_target_that_cannot_be_shown_is_a_clear_error(project: Path, target: str, error: type[Exception]) -> None:
    (project / ".env").write_text("TOKEN=abc\n", encoding="utf-8")
    with pytest.raises(error):
        look(project, target)


def test_a_budget_that_holds_not_one_line_names_the_least(project: Path) -> None:
    (project / "wide.py").write_text(f"def wide(): return '{'word ' * 200}'\n", encoding="utf-8")
    result = look(project, "wide", 64)
    assert result.text.count("\n") == 2
    told = re.fullmatch(r"⋮ 1 more line: (\S+) \(token_budget: (\d+) or more\)", result.text.splitlines()[1])
    assert told is not None, result.text
    assert "return" in look(project, told[1], int(told[2])).text
    assert "return" not in look(project, told[1], int(told[2]) - 20).text
    with pytest.raises(BudgetTooSmallError) as caught:
        look(project, "wide", 10)
    assert token_counter().count(look(project, "wide", caught.value.minimum).text) == caught.value.minimum


def ast_sources(source: str) -> dict[str, list[str]]:
    """Returns every function and class that `ast` finds in a file, by qualified name, in order."""
    lines = source.split("\n")
    sources: dict[str, list[str]] = defaultdict(list)

    def collect(node: ast.AST, path: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = (*path, child.name)
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                sources[".".join(inner)].append("\n".join(lines[first - 1 : child.end_lineno]).rstrip())
            collect(child, inner)

    collect(ast.parse(source), ())
    return sources


def without_last_comments(source: str) -> str:
    """A comment behind the last statement of a body belongs to it for a reader; `ast` does not see it."""
    return re.sub(r"(?:\n\s*#.*)+\Z", "", source)


@pytest.mark.no_cover
@pytest.mark.parametrize("package", ["logging", "json"])
def test_every_function_and_class_of_a_real_package_comes_back_byte_for_byte(package: str) -> None:
    folder = Path(str(importlib.import_module(package).__file__)).parent
    zoomer = Zoomer(CodeIndex(Roots([folder]), workers=Workers(0)))
    checked = 0
    for file in sorted(folder.glob("*.py")):
        for name, sources in ast_sources(file.read_text(encoding="utf-8")).items():
            result = zoomer.zoom(f"symbol={file.name}::{name}", str(folder))
            given = [match.text for match in result.matches if match.title.split()[1] == name]
            assert [without_last_comments(text) for text in given] == sources
            checked += len(sources)
    assert checked > 10
