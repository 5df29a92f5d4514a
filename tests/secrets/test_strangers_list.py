"""A list of secrets and look-alikes that was written without a look at the detector: no secret leaves, the rest stays.

FRACTAL_CONTEXT_SEED draws other values; a failure names the seed.
"""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING

import pytest

from tests.secrets.made import Made, lookalikes, planted, shown
from workspace.secrets.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = int(os.environ.get("FRACTAL_CONTEXT_SEED") or 1)
SECRETS = planted(random.Random(SEED))
ALIKE = lookalikes(random.Random(SEED))


def missed(files: list[Made], changed: Callable[[str], str] = str) -> list[str]:
    """Names the files that still give secrets away, when their text stands inside another."""
    return [
        f"seed {SEED}: {made.path} ({made.kind}): {given_away}"
        for made in files
        if (given_away := shown(made, redact(changed(made.text), made.path)[0]))
    ]


def test_the_list_is_long_and_of_many_kinds() -> None:
    assert len({made.kind for made in SECRETS}) >= 200
    assert sum(len(made.drawn) for made in SECRETS) >= 380
    assert all(made.drawn for made in SECRETS)
    assert sum(len(made.text.splitlines()) for made in ALIKE) >= 320
    assert len({made.path for made in (*SECRETS, *ALIKE)}) == len(SECRETS) + len(ALIKE)


def test_no_secret_of_the_list_is_left() -> None:
    assert missed(SECRETS) == []


def test_what_only_looks_like_a_secret_stays_to_the_byte() -> None:
    changed = [
        f"seed {SEED}: {made.path}: {line!r} became {after!r}"
        for made in ALIKE
        for line, after in zip(made.text.split("\n"), redact(made.text, made.path)[0].split("\n"), strict=True)
        if line != after
    ]
    assert changed == []


def test_lines_stay_lines_and_what_was_taken_out_stays_out() -> None:
    for made in SECRETS:
        once, _ = redact(made.text, made.path)
        assert once.count("\n") == made.text.count("\n"), f"seed {SEED}: {made.path}"
        assert redact(once, made.path)[0] == once, f"seed {SEED}: {made.path}"


def test_settings_that_can_be_read_can_be_read_still() -> None:
    for made in SECRETS:
        if made.path.endswith((".json", ".ipynb")):
            json.loads(redact(made.text, made.path)[0])


@pytest.mark.parametrize("line_end", ["\r\n"])
def test_no_secret_is_left_with_the_line_ends_of_windows(line_end: str) -> None:
    assert missed(SECRETS, lambda text: text.replace("\n", line_end)) == []


def test_a_column_of_secrets_is_known_where_nothing_is_known_of_the_text() -> None:
    for made in SECRETS:
        if made.path.endswith((".csv", ".md")):
            assert shown(made, redact(made.text)[0]) == [], f"seed {SEED}: {made.path}"


ESCAPED_IS_ANOTHER_MATTER = ("split", "next line", "CSV", "UTF-16")
"""Kinds that are told by lines or by the extension: not all of these are found where a text stands inside a string."""


def test_no_secret_is_left_where_a_file_stands_in_the_arguments_of_a_call() -> None:
    files = [made for made in SECRETS if not any(word in made.kind for word in ESCAPED_IS_ANOTHER_MATTER)]

    assert len(files) > 190
    for made in files:
        assert shown(made, redact(json.dumps({"content": made.text}))[0]) == [], f"seed {SEED}: {made.path}"
        json.loads(redact(json.dumps({"content": made.text}))[0])


@pytest.mark.long
def test_no_secret_of_many_lists_is_left() -> None:
    for more in range(200):
        seed = SEED + more
        left = [made.path for made in planted(random.Random(seed)) if shown(made, redact(made.text, made.path)[0])]
        assert left == [], f"seed {seed}"
        assert [
            made.path for made in lookalikes(random.Random(seed)) if redact(made.text, made.path)[0] != made.text
        ] == [], f"seed {seed}"
