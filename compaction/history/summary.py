"""Judges a text that a model wrote, before any of it becomes the summary.

Three things are checked. Is it a summary at all: not empty, not only a scratchpad, not an error message, not cut off.
Does it cite what exists: a path or identifier that stands nowhere in the history is marked. Does it leave out what the
ledger knows: the ledger's lines are put beside the model's words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compaction.history.ledger_text import appendix, failure_lines, file_lines, in_flight_lines, plan_lines
from compaction.history.once import lines_said, said
from compaction.history.sections import Section, read_model
from compaction.prose.sentences import names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compaction.history.ledger import Ledger

MOST_TOKENS = 20_000
"""A model's summary is cut to this; what it may take of the window is reserved for (`thresholds`)."""

UNFOUNDED = "[not in the history]"
_ANALYSIS = re.compile(r"<(?P<tag>analysis|thinking|scratchpad)>.*?(?:</(?P=tag)>|\Z)", re.DOTALL | re.IGNORECASE)
_OUTER = re.compile(
    r"<(?P<tag>summary|state_snapshot)>(?P<inner>.*?)(?P<end></(?P=tag)>|\Z)", re.DOTALL | re.IGNORECASE
)
_FENCED = re.compile(
    r"(?:[^\n#]{1,200}\n\s*)?(?:```|~~~)(?:markdown|md)?[ \t]*\n(?P<inner>.*)\n(?:```|~~~)\s*\Z", re.DOTALL
)
"""An answer that stands between fences as a whole, at most behind a line that announces it."""

_ERROR = re.compile(
    r"\s*(?:\{\s*\"?(?:type|error)\b|error\b|http \d{3}|\d{3} [A-Z]|rate limit|overloaded|internal server|"
    r"i(?:'m| am) (?:sorry|unable)|i cannot|i can't|sorry\b|api error|request (?:failed|timed out)|timeout)",
    re.IGNORECASE,
)
_ENOUGH_SECTIONS = 3
_LATE = (Section.PENDING, Section.CURRENT, Section.NEXT)
_SHORT = 60
_FILE_LINES, _ERROR_LINES = 40, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """The answer of a model.

    Attributes:
        truncated: the model or its server says that the answer was cut off.
    """

    text: str
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """The reason why a text is no summary; `truncated` tells the two failure statuses apart."""

    reason: str
    truncated: bool = False


def judge(answer: ModelAnswer) -> dict[Section, str] | Rejection:
    """The sections of a model's answer, without section 6, or why it cannot be used."""
    text = _ANALYSIS.sub("", answer.text).strip()
    if not text:
        only = "it holds only an analysis" if answer.text.strip() else "it is empty"
        return Rejection(reason=only, truncated=answer.truncated)
    if answer.truncated:
        return Rejection(reason="it was cut off", truncated=True)
    outer = _OUTER.search(text)
    if outer is not None:
        if not outer["end"]:
            return Rejection(reason=f"its <{outer['tag']}> is never closed: it was cut off", truncated=True)
        text = outer["inner"]
    found = read_model(text)
    if (fenced := _FENCED.match(text)) is not None:
        found = max(found, read_model(fenced["inner"]), key=len)
    found.pop(Section.USER_MESSAGES, None)
    written = [section for section, words in found.items() if words]
    if not written:
        error = _ERROR.match(text) is not None
        return Rejection(reason="it is an error message" if error else "it has none of the nine sections")
    if not any(section in found for section in _LATE):
        return Rejection(reason="it ends before section 7: it was cut off", truncated=True)
    if len(found) < _ENOUGH_SECTIONS:
        return Rejection(reason=f"it has {len(found)} of the nine sections")
    if sum(len(found[section]) for section in written) < _SHORT:
        return Rejection(reason="its sections say next to nothing")
    return found


def with_ledger(sections: Mapping[Section, str], ledger: Ledger, earlier_files: str = "") -> dict[Section, str]:
    """Put the ledger's lines under the model's words in sections 3, 4, 7 and 8, but for those that the model gives there."""
    additions = {
        Section.FILES: (file_lines(ledger, earlier_files), _FILE_LINES),
        Section.ERRORS: (failure_lines(ledger), _ERROR_LINES),
        Section.PENDING: (plan_lines(ledger), _FILE_LINES),
        Section.CURRENT: (in_flight_lines(ledger), _FILE_LINES),
    }
    made: dict[Section, str] = {}
    for section in Section:
        if section is Section.USER_MESSAGES:
            continue
        words = sections.get(section, "")
        lines, most = additions.get(section, ([], 0))
        given = set(lines_said(words))
        under = appendix([line for line in lines if said(line) not in given], most)
        made[section] = "\n\n".join(part for part in (words, under) if part)
    return made


def mark_unfounded(sections: Mapping[Section, str], history: str) -> tuple[dict[Section, str], tuple[str, ...]]:
    """Mark every path and identifier that the history does not hold; also gives their names."""
    unfounded: dict[str, None] = {}
    marked: dict[Section, str] = {}
    for section, text in sections.items():
        for name in dict.fromkeys(names(text)):
            if _is_checked(name) and _bare(name) not in history:
                unfounded[name] = None
                cited = re.compile(rf"(?<![\w/.`-])(`?){re.escape(name)}\1(?![\w/`-])")
                text = cited.sub(lambda match: f"{match[0]} {UNFOUNDED}", text, count=1)
        marked[section] = text
    return marked, tuple(unfounded)


def _bare(name: str) -> str:
    return name.removesuffix("()").removeprefix("./")


def _is_checked(name: str) -> bool:
    """Commands and plain words are no citation; constants in capitals may be common words."""
    return " " not in name and len(name) > 3 and not name.isupper() and not name.isdigit()


def shorten(sections: Mapping[Section, str], limit: int, count: Callable[[str], int]) -> dict[Section, str]:
    """Cut every section to its part of `limit` tokens, whole lines from its end first."""
    costs = {section: count(text) for section, text in sections.items()}
    total = sum(costs.values())
    if total <= limit:
        return dict(sections)
    return {section: _cut(text, max(12, limit * costs[section] // total), count) for section, text in sections.items()}


def _cut(text: str, room: int, count: Callable[[str], int]) -> str:
    if count(text) <= room:
        return text
    kept: list[str] = []
    used = 6
    for line in text.splitlines():
        cost = count(line) + 1
        if used + cost > room:
            if not kept:
                kept.append(line[: max(20, room * 2)])
            break
        kept.append(line)
        used += cost
    return "\n".join([*kept, "(shortened)"])
