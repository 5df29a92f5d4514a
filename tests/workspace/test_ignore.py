from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.trees import git, write_tree
from workspace import Roots, scan
from workspace.files.globs import translate
from workspace.files.ignore import IgnoreTree, parse_rule, parse_rules, verdict

if TYPE_CHECKING:
    from pathlib import Path

FILES = [
    "a", "b", "ab", "abc", "a.py", "b.py", "a b", "a ", "foo", "foobar", "#a", "!a", "é", "é.py", "x]y", "-", "A",
    "d/a", "d/b", "d/a.py", "d/foo", "d/e/a", "d/e/b", "d/e/ab", "d/e/f/a", "d/e/f/a.py", "e/a", "e/d/a", "foo1/bar", "foo1/x/bar",
    "build/a", "build/d/b", "b*c", "a\\b",
]  # fmt: skip


def walked(folder: Path) -> set[str]:
    found = scan(folder, roots=Roots([folder]))
    assert not found.problems
    return {os.path.relpath(file.absolute, folder) for file in found.files}


def listed(folder: Path) -> set[str]:
    """Returns git's list of a folder, asked in a repository that is there for this question only."""
    git(folder, "init", "-q")
    names = git(folder, "ls-files", "-z", "--others", "--exclude-standard")
    shutil.rmtree(folder / ".git")
    return {os.fsdecode(name) for name in names.split(b"\0") if name}


def check_like_git(folder: Path, rules: dict[str, bytes]) -> None:
    write_tree(folder, dict.fromkeys(FILES, ""))
    write_tree(folder, {f"{place}.gitignore": content for place, content in rules.items()})
    assert walked(folder) == listed(folder)


@pytest.mark.parametrize(
    "rules",
    [
        {"": b"*.py\n!d/*.py\n"},
        {"": b"*\n!*/\n!*.py\n"},
        {"": b"/a\nd/b\n/d/e/\n"},
        {"": b"d/\n!d/a\n"},
        {"": b"d/*\n!d/e\n"},
        {"": b"**/e/a\n"},
        {"": b"d/**\n!d/e/\n!d/e/**\n"},
        {"": b"d/**/a\n"},
        {"": b"**/a\n!/a\n"},
        {"": b"**\n"},
        {"": b"foo**/bar\n"},
        {"": b"foo*/bar\n"},
        {"": b"d/e**\n"},
        {"": b"d**\\/f/a\n"},
        {"": b"d/**\\/a\n"},
        {"": b"*a*\n"},
        {"": b"[a-b]\n[[:upper:]]\n"},
        {"": b"[!a-b]\n"},
        {"": b"[^a]b\n"},
        {"": b"x[]]y\nx[!]]z\n"},
        {"": b"[-a]\n"},
        {"": b"[a\\-b]\n"},
        {"": b"[\\\\-b]\n"},
        {"": b"[[:alpha:]x\n[[:nope:]]\n[[:]\n[[::]]\n[a\n"},
        {"": b"[[:alpha]\n"},
        {"": b"[a-\\b]\n"},
        {"": b"[b-a]\n"},
        {"": b"?\n"},
        {"": b"??.py\n"},
        {"": "é*\n".encode()},
        {"": b"\\#a\n\\!a\n#b\n"},
        {"": b"a \n"},
        {"": b"a\\ \n"},
        {"": b"a b   \n"},
        {"": b"a\\\\b\n"},
        {"": b"b\\*c\n"},
        {"": b"a\\\n"},
        {"": b"foo\r\nd/e\r\n"},
        {"": b"\xef\xbb\xbffoo\n"},
        {"": b"/\n//\n!\n   \n\n"},
        {"": b"a.py"},
        {"": b"build\n", "build/": b"!a\n"},
        {"": b"a\n", "d/": b"!a\n", "d/e/": b"a\n"},
        {"d/": b"/a\ne/b\n*.py\n"},
        {"d/": b"*\n!.gitignore\n"},
        {"": b"d/e/\n", "d/": b"!e/\n"},
    ],
)
def test_ignore_files_mean_what_they_mean_to_git(tmp_path: Path, rules: dict[str, bytes]) -> None:
    check_like_git(tmp_path / "tree", rules)


atoms = st.sampled_from(
    [
        "a",
        "b",
        "foo",
        "d",
        "e",
        "*",
        "**",
        "?",
        "/",
        "/",
        "[ab]",
        "[!a]",
        ".py",
        "\\",
        "build",
        "[[:alnum:]]",
        " ",
        "é",
        "bar",
        "]",
        "[",
    ]
)
lines = st.tuples(
    st.sampled_from(["", "", "", "!", "/"]),
    st.lists(atoms, min_size=1, max_size=6).map("".join),
    st.sampled_from(["", "", "/"]),
).map("".join)
contents = st.lists(lines, max_size=5).map(lambda text: "\n".join(text).encode())


@pytest.mark.no_cover
@given(rules=st.dictionaries(st.sampled_from(["", "d/", "d/e/", "build/"]), contents, max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
def test_any_ignore_files_mean_what_they_mean_to_git(tmp_path: Path, rules: dict[str, bytes]) -> None:
    shutil.rmtree(tmp_path / "tree", ignore_errors=True)
    check_like_git(tmp_path / "tree", rules)


def test_a_glob_that_multiplies_stars_is_answered_at_once() -> None:
    name = b"a" * 250
    for bomb in (b"*a" * 200 + b"b", b"**/" * 100 + b"*a*a*a*a*a*a*b/c", b"a/" + b"*a*" * 100 + b"/**/b"):
        rule = parse_rule(bomb)
        assert rule is not None
        path = b"/".join([name] * 12)
        assert verdict((rule,), path, is_folder=False) is None


@pytest.mark.parametrize("unit", [b"?", b"*a", b"**/", b"*/", b"[a]", b"\\a", b"a**/", b"**a"])
def test_a_long_glob_is_read_at_once(unit: bytes) -> None:
    # Anything that grows with the square of this size would run for minutes.
    glob = translate(unit * (300_000 // len(unit)), across_folders=True)
    assert glob.regex is None or len(glob.regex) < 100


def test_a_long_run_of_spaces_in_an_ignore_file_is_read_at_once() -> None:
    assert len(parse_rules(b"x" + b" " * 1_000_000 + b"y" + b" " * 10)) == 1


def test_a_path_of_a_thousand_folders_is_answered() -> None:
    tree = IgnoreTree(lambda folder: b"secret\n" if not folder else b"", above="")
    deep = "d/" * 2000
    assert not tree.ignores(f"{deep}a", is_folder=False)
    assert tree.ignores(f"{deep}secret", is_folder=True)
    assert tree.ignores(f"secret/{deep}a", is_folder=False)
