"""The lines of a definition that are docs and comments, in many languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from skeleton.index.code_index import CodeIndex
from skeleton.index.records import NO_USES
from skeleton.index.workers import Workers
from skeleton.languages.headers import comment_start_of
from skeleton.uses.remarks import Remarks
from tests.trees import write_tree
from workspace.files.scan import scan
from workspace.roots import Roots

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("name", "source", "docs", "comments"),
    [
        ("a.py", '# Above.\ndef f():\n    """One.\n\n    Two.\n    """\n    x = 1  # behind\n    # alone\n    return "# text"\n', {3, 4, 5, 6}, {8}),
        ("b.py", 'def f():\n    x = """\n    # text\n    """\n    return g(\n        "text",\n    )\n', set[int](), set[int]()),
        ("c.go", "// One.\n// Two.\nfunc f() int {\n\t// alone\n\treturn 1 // behind\n}\n", {1, 2}, {1, 2, 4}),
        ("D.java", "class D {\n  /**\n   * One.\n   */\n  int f() {\n    /* alone\n       still */\n    return 1;\n  }\n}\n", {2, 3, 4}, {2, 3, 4, 6, 7}),
        ("e.rb", "# One.\ndef f\n  # alone\n  <<~TEXT\n    # text\n  TEXT\nend\n", {1}, {1, 3}),
        ("f.ts", "/** One. */\nfunction f() {\n  // alone\n  return `\n  // text\n  `;\n}\n", {1}, {1, 3}),
    ],
)  # fmt: skip
def test_docs_and_comments_are_told_from_strings_and_code(
    tmp_path: Path, name: str, source: str, docs: set[int], comments: set[int]
) -> None:
    roots = Roots([write_tree(tmp_path, {name: source})])
    ((file,), _) = CodeIndex(roots, workers=Workers(0)).files(scan(tmp_path, roots=roots))
    (one,) = (one for one in file.symbols if one.name == "f")
    remarks = Remarks(file.source, file.uses, comment_start_of(name, file.source))
    assert remarks.docs(one) == docs
    assert remarks.comments(one) == comments


def test_a_line_of_another_version_is_a_comment_where_it_begins_as_one() -> None:
    remarks = Remarks(b"", NO_USES, comment_start_of("a.go", b""))
    assert remarks.is_comment("\t// So it was.")
    assert not remarks.is_comment("\tguard() // no")
