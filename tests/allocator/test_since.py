"""Changes since an earlier result, outside of the definitions that are still there too: over real folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.allocator.config_tree import engine, git
from tests.trees import write_tree

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from allocator import ContextResult

SHOP = '''"""Doc."""
import os
import sys

LIMIT = 5

# a comment

class Cart:
    """A cart."""
    size = 3

    def total(self):
        return 1

    def other(self):
        return 2


def helper():
    return 3

if LIMIT:
    print(LIMIT)

def last():
    return 9
'''
HEAD = "+++ shop.py [SKELETON:L2] [CHANGED] [SHOWN:0/7]\n"
BY_NAME = "+++ [ALSO-CHANGED]\n"


def after(folder: Path, then: Mapping[str, str | bytes], **arguments: Any) -> list[ContextResult]:
    """The answers of `since` for a folder that was shown and then written to, and what it gives when it is asked again."""
    write_tree(folder, {"shop.py": SHOP, "other.py": "x = 1\n"})
    own = engine(folder)
    given: dict[str, Any] = {"format": "compact", "token_budget": 4000, **arguments}
    result = own.get_context(".", format="compact", token_budget=4000)
    write_tree(folder, then)
    results: list[ContextResult] = []
    for _ in range(2):
        result = own.get_context(".", since=result.metadata.snapshot, **given)
        results.append(result)
    return results


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("import os\n", "", '"""Doc."""\n⋮- 1 line went\nimport sys\n\n'),
        ("import sys\n", "import sys\nimport re\n", "⋮ 1 line\nimport os\nimport sys\nimport re\n\nLIMIT = 5\n"),
        ("LIMIT = 5", "LIMIT = 99", "⋮ 2 lines\nimport sys\n\n⋮- 1 line went\nLIMIT = 99\n\n# a comment\n"),
        ("# a comment", "# more", "⋮ 3 lines\nLIMIT = 5\n\n⋮- 1 line went\n# more\n\nclass Cart:\n"),
        (
            "if LIMIT",
            "if not LIMIT",
            "⋮ 5 definitions\n    return 3\n\n⋮- 1 line went\nif not LIMIT:\n    print(LIMIT)\n\n",
        ),
    ],
)
def test_since_shows_the_lines_that_changed_outside_of_definitions(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    first, again = after(tmp_path, {"shop.py": SHOP.replace(old, new)})
    assert first.context == HEAD + expected
    assert again.context.startswith("⋮ Nothing changed since")


@pytest.mark.parametrize(
    ("old", "new", "mark"),
    [
        ("    def other(self):\n        return 2\n", "", " [REMOVED:Cart.other]"),
        ("def helper():\n    return 3\n", "", " [REMOVED:helper]"),
        ("class Cart", "\n\n\nclass Cart", ""),
    ],
)
@pytest.mark.parametrize("budget", [64, 400, 4000, None])
def test_since_names_a_file_of_which_nothing_is_to_be_shown(
    tmp_path: Path, old: str, new: str, mark: str, budget: int | None
) -> None:
    first, again = after(tmp_path, {"shop.py": SHOP.replace(old, new)}, token_budget=budget)
    assert first.context == f"{BY_NAME}shop.py [CHANGED]{mark}\n"
    assert again.context.startswith("⋮ Nothing changed since")


def test_since_says_what_is_gone_above_what_is_new(tmp_path: Path) -> None:
    first, _ = after(tmp_path, {"shop.py": SHOP.replace("def helper", "def helped").replace("LIMIT = 5\n", "")})
    assert first.context.partition("\n")[0] == (
        "+++ shop.py [SKELETON:L2] [CHANGED] [REMOVED:helper] [SHOWN:1/6] [FULL:helped]"
    )
    assert "import sys\n⋮- 1 line went\n" in first.context
    assert "⋮ 4 definitions\ndef helped():\n    return 3\n" in first.context


@pytest.mark.parametrize("content", [b"\0\0", b"x" * (9 << 20)])
def test_since_names_a_file_that_cannot_be_read_as_text_any_more(tmp_path: Path, content: bytes) -> None:
    first, again = after(tmp_path, {"shop.py": content, "new.bin": b"\0"})
    kind = "binary" if b"\0" in content else "too large"
    assert first.context == f"{BY_NAME}new.bin [NEW] binary\nshop.py [CHANGED] {kind}\n"
    assert first.metadata.changes == {"new": ("new.bin",), "changed": ("shop.py",)}
    assert again.context.startswith("⋮ Nothing changed since")


def test_a_changed_file_for_which_there_was_no_room_is_told_the_next_time(tmp_path: Path) -> None:
    changed = {f"part_{number}.py": f"first = 1\nsecond = {number}\n" for number in range(4)}
    write_tree(tmp_path, dict.fromkeys(changed, "first = 1\n"))
    first, second = after(tmp_path, changed, token_budget=70)
    told = {path for path in changed if f"+++ {path} [" in first.context}
    assert "more file" in first.context
    assert 0 < len(told) < 4
    assert not any(path in second.context for path in told)
    assert any(f"+++ {path} [" in second.context for path in changed.keys() - told)


def test_lines_that_changed_and_have_no_room_are_counted(tmp_path: Path) -> None:
    then = SHOP.replace("import os\n", "import a_module_of_a_very_long_name_indeed\n" * 9)
    first, _ = after(tmp_path, {"shop.py": then}, token_budget=80)
    shown = first.context.count("import a_module")
    assert first.context.endswith(f"⋮ {11 - shown} more lines\n")  # with the two behind them
    assert 0 < shown < 9


def test_since_names_a_changed_file_whose_lines_max_level_keeps_out(tmp_path: Path) -> None:
    first, _ = after(tmp_path, {"shop.py": SHOP.replace("import os\n", "")}, max_level="L1")
    assert first.context.startswith(f"{BY_NAME}shop.py [CHANGED]\n")


def test_since_finds_a_line_that_changed_far_down_in_a_long_text(tmp_path: Path) -> None:
    text = "".join(f"line {number} of the words of a long text\n" for number in range(900))
    write_tree(tmp_path, {"long.txt": text})
    own = engine(tmp_path)
    before = own.get_context(".", format="compact", token_budget=1000)
    write_tree(tmp_path, {"long.txt": text.replace("line 700 of", "row 700 of")})
    result = own.get_context(".", format="compact", token_budget=1000, since=before.metadata.snapshot)
    assert "⋮- 1 line went\nrow 700 of the words of a long text\n" in result.context
    assert result.tokens_used < 200


def test_a_name_that_still_stands_in_a_broken_file_is_not_said_to_be_removed(tmp_path: Path) -> None:
    broken = SHOP.replace("        return 1\n", "<<<<<<< HEAD\n        return foo(1,\n=======\n        x(\n>>>>>>> b\n")
    first, _ = after(tmp_path, {"shop.py": broken})
    assert "return foo(1," in first.context
    assert "REMOVED" not in first.context


def test_what_little_is_shown_of_a_broken_file_is_marked(tmp_path: Path) -> None:
    broken = "class Cart:\n    def total(self, rate):\n        y = foo(self,\n        if rate:\n            y *= rate\n        return y\n"
    write_tree(tmp_path, {"a.py": f"{broken}\n    def other(self):\n        return 1\n\ndef tail():\n    return 2\n"})
    header = engine(tmp_path).get_context(".", format="compact", token_budget=64).context.partition("\n")[0]
    assert "[SHOWN:" in header
    assert "[SYNTAX-ERRORS]" in header


def test_what_changed_since_a_result_stands_beside_what_is_not_committed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write_tree(tmp_path, {"shop.py": SHOP.replace("import os\n", ""), "other.py": "x = 1\n"})
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    changed = SHOP.replace("import os\n", "").replace("return 3", "return 4")
    first, _ = after(tmp_path, {"shop.py": changed}, changed="worktree")
    assert '"""Doc."""\n⋮- 1 line went\nimport sys\n' in first.context
    assert "def helper():\n⋮-     return 3\n    return 4\n" in first.context
