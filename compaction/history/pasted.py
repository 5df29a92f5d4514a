"""Parts what a user wrote from what stands in the message only because it was pasted or attached: logs, traces, files.

What a program put out says nothing of what the user wants, whatever words it uses: `Remove one of these versions` is advice of a
tool, and a comment in an attached file is no rule. In doubt a line is the user's.
"""

from __future__ import annotations

import re
from typing import Final

from compaction.history.attached import without_attached
from compaction.prose.kinds import is_code

_PUT_OUT: Final = re.compile(
    r"\s*(?:at (?:async )?[\w.$<>\[\] ]{1,200}[ (][^\n]*:\d+|File \"[^\"\n]+\", line \d|Traceback \(most recent|"
    r"(?:[\w.]{0,80}(?:Error|Exception)|fatal|panic|npm (?:ERR!|error|warn)|error\[\w+\]|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b)[:\s]|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|[✓✗✔✖×❯⎯└├│▲⨯●]|(?:GET|POST|PUT|PATCH|DELETE) /\S* \d{3}\b|"
    r"> \S+@\d|[\w.-]+@[\w.-]+[: ]\S{1,80} ?[%$#] |\d+ ?\| |PASS\b|FAIL\b|Test(?: Files|s| Suites):? +\d)"
)
"""The beginning of a line that a program put out: frames, errors with their names, times, levels, marks of test runs, prompts."""


def parted(text: str) -> tuple[str, str]:
    """Return the words of a user and what is pasted between them, without what is attached.

    Of a paragraph, everything from the first line on that a program put out is pasted; a paragraph of source code is.

    Args:
        text: of a message.
    """
    own: list[str] = []
    pasted: list[str] = []
    for paragraph in without_attached(text, "\n\n").split("\n\n"):
        lines = paragraph.split("\n")
        first = 0 if is_code(paragraph) else _first_put_out(lines)
        own.append("\n".join(lines[:first]))
        pasted.append("\n".join(lines[first:]))
    return "\n\n".join(own), "\n\n".join(pasted)


def _first_put_out(lines: list[str]) -> int:
    return next((place for place, line in enumerate(lines) if _PUT_OUT.match(line)), len(lines))
