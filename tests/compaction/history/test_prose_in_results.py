"""Long prose in tool results: sentences go, where the option asks for it, instead of the middle."""

from __future__ import annotations

import pytest

from compaction.history import CompactionEngine, CompactionOptions, FormatName, Mode
from compaction.history.prose import reads_as_prose, shortened_prose
from tests.compaction.history.conversations import long_session, used, write

TALK = "Then they went on to speak of the weather, which had been fine for most of the week, as everybody agreed. "
RULE = "The port must stay 5433, because the other database listens on 5432. "
PAGE = f"{TALK * 40}\n\n{RULE}\n\n{TALK * 40}"
CODE = "for row in rows:\n    print(row); count(row)\n" * 200


def prompt(result: str, *, window: int, compress: bool) -> str:
    history = write(FormatName.ANTHROPIC, *long_session(), *used("n", "Fetch", {"url": "x"}, result))
    options = CompactionOptions(mode=Mode.PROMPT, context_window=window, compress_results=compress)
    return CompactionEngine().compact(history, options).prompt


def test_what_stands_in_the_middle_of_long_prose_survives_where_it_is_compressed() -> None:
    cut, compressed = (prompt(PAGE, window=200_000, compress=compress) for compress in (False, True))
    assert RULE.strip() not in cut
    assert RULE.strip() in compressed
    assert "its prose is shortened here only to fit" in compressed
    assert "characters are left out here only to fit" in cut


def test_code_in_results_is_cut_as_before() -> None:
    assert prompt(CODE, window=200_000, compress=True) == prompt(CODE, window=200_000, compress=False)
    assert shortened_prose(CODE, 600) == CODE
    assert shortened_prose(PAGE, 0) == PAGE


@pytest.mark.parametrize(("text", "expected"), [(PAGE, True), (CODE, False), ("", True), ("1 2 3\n" * 50, False)])
def test_prose_is_told_by_its_paragraphs(text: str, expected: bool) -> None:
    assert reads_as_prose(text) is expected
