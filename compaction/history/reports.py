"""Reads what a run of tests says of itself at its end: whether some failed.

The names of tests and what they print speak of errors where none happened, so the counts of the runner come before any other
words of its answer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Iterator

_FAILURES: Final = re.compile(
    r"(?<!\d)(?P<before>\d+) (?:tests? |suites? |examples? |specs? )?(?:failed|failing|failures?|errors?)\b|"
    r"\b(?:failed|failures|errors)(?:: {0,9}|=)(?P<behind>\d+)\b",
    re.IGNORECASE,
)
_SUMMARY: Final = re.compile(
    r"\b\d+ (?:passed|passing|failed|failing)\b|"
    r"^\W{0,9}(?:\[\w+\] )?(?:(?:Tests|Test Suites|Tests run|Tests passed):? {0,9}\d|test result: |\d+ (?:examples?|specs?|tests?), \d+ |"
    r"(?:Passed|Failed)! |\d+% tests passed|(?:Passed|Failed): \d|OK(?: \(|$)|FAILED \((?:failures|errors)=)",
    re.IGNORECASE,
)
_OF_GO: Final = re.compile(r"(?P<failed>FAIL)(?:$|\t)|ok {1,2}\t")
_ENDS, _LONGEST_LINE = 4_500, 400


def tests_failed(text: str) -> bool | None:
    """Return whether a run of tests says that some failed; None where it gives no such account."""
    told = list(_told(text[-_ENDS:]))
    return any(told) if told else None


def _told(text: str) -> Iterator[bool]:
    for line in still_wanted(text.split("\n")):
        if of_go := _OF_GO.match(line):
            yield of_go["failed"] is not None
        elif len(line) <= _LONGEST_LINE and _SUMMARY.search(line.rstrip()):
            yield any(int(found["before"] or found["behind"]) for found in _FAILURES.finditer(line))
