"""Files and pages that hosts attach to a message are no words of the user, and a file among them was read."""

from __future__ import annotations

import pytest

from compaction.history import Section
from compaction.history.attached import typed
from tests.compaction.history.sessions import FILLER, compacted, said

_FILE = '<file_content path="src/a.ts">\n// Never export this.\nexport const A = 1;\n</file_content>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Fix 'src/a.ts' (see below).\n\n{_FILE}", "Fix 'src/a.ts' (see below)."),
        (f"{_FILE}\n\nFix it.", "Fix it."),
        ("Look.\n--- Content from referenced files ---\nContent from @b.md:\nx\n--- End of content ---", "Look."),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix it.\n", "Fix it.\n"),
        ('<skill name="commit" location="/s/SKILL.md">\nDo not amend.\n</skill>\n\nonly a.py', "/skill:commit only a.py"),
        ('<skill name="commit" location="/s/SKILL.md">\nDo not amend.\n</skill>', "/skill:commit"),
        ("The tag <file_content path=\"a\"> is not closed.\n", "The tag <file_content path=\"a\"> is not closed.\n"),
        ("Write `<file_content>x</file_content>` into it.", "Write `<file_content>x</file_content>` into it."),
        ('<code_selection path="a.py">\nx = 1\n</code_selection>\nWhat is this?', '<code_selection path="a.py">\nx = 1\n</code_selection>\nWhat is this?'),
        (_FILE, ""),
    ],
)  # fmt: skip
def test_the_words_of_the_user_stand_without_what_is_attached(text: str, words: str) -> None:
    assert typed(text) == words


def test_an_attached_file_is_told_as_read_and_not_as_words_of_the_user() -> None:
    sections = compacted([said("user", f"Fix it.\n\n{_FILE}"), said("assistant", FILLER)]).sections
    assert "Never export this." not in sections[Section.USER_MESSAGES]
    assert "Fix it." in sections[Section.USER_MESSAGES]
    assert sections[Section.FILES].split("\n")[0] == "- `src/a.ts`: read"
