"""The lines that a context shows, and the files that an issue of many languages is solved in, as benchmarks count them."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

from allocator import ContextEngine
from benchmarks.localisation.lines import shown
from benchmarks.localisation.sets import MULTI_FOLDER, MULTI_PUBLISHER, issues
from tests.trees import write_tree
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path

PATCH = """diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,1 +1,1 @@
-old
+new
diff --git a/src/lib.c b/src/lib.c
--- a/src/lib.c
+++ b/src/lib.c
@@ -4,2 +4,2 @@
 int a;
-int b;
+int c;
diff --git a/src/new.c b/src/new.c
--- /dev/null
+++ b/src/new.c
@@ -0,0 +1,1 @@
+int d;
"""


def test_the_lines_that_a_context_numbers_are_those_of_the_file(tmp_path: Path) -> None:
    source = "".join(f"def part_{number}():\n    return {number}\n\n\n" for number in range(300))
    root = write_tree(tmp_path, {"parts.py": source, "other.py": "X = 1\n"})
    text = ContextEngine(Roots([root])).get_context(
        str(root), query="part_17", token_budget=900, format="compact", line_numbers=True, summary=False
    )
    found = shown(text.context)
    lines = source.splitlines()
    assert ("parts.py", lines.index("def part_17():") + 1) in found
    assert ("parts.py", lines.index("    return 17") + 1) in found
    assert all(path != "parts.py" or lines[line - 1] for path, line in found)
    assert len(found) < len(lines) / 2


def test_an_issue_of_many_languages_is_looked_for_in_the_code_that_was_there(tmp_path: Path) -> None:
    told = {
        "org": "some",
        "repo": "where",
        "number": 3,
        "base": {"sha": "0" * 40},
        "resolved_issues": [{"title": "It breaks", "body": None}, {"title": "Here too", "body": "With b."}],
        "fix_patch": PATCH,
    }
    only_prose = {**told, "number": 4, "fix_patch": PATCH[: PATCH.index("diff --git a/src/lib.c")]}
    repository = write_tree(
        tmp_path / MULTI_PUBLISHER.replace("/", "+") / "repo",
        {
            f"{MULTI_FOLDER}/c/some__where_dataset.jsonl": f"{json.dumps(told)}\n{json.dumps(only_prose)}\n",
            f"{MULTI_FOLDER}/c/large_dataset.jsonl": "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
        },
    )
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", "-C", repository, *command], check=True)
    (issue,) = issues(tmp_path, "multi")
    assert (issue.name, issue.repository, issue.files) == ("some__where-3", "some/where", ("src/lib.c",))
    assert issue.text == "It breaks\n\n\nHere too\nWith b."
