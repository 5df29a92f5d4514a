"""Tells in section 1 what section 6 has no room for: sentences of the user's messages that do not stand there whole.

What must or must not be done comes before everything else that could be told, because the newest messages stand in section 6
in any case and an early rule stands nowhere else. A pasted log does not fill the section: lines that say the same but for
their figures are one line, and of each message a few are told.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from compaction.history.budget import Line
from compaction.history.pasted import parted
from compaction.history.sections import Section
from compaction.prose.choosing import without_figures
from compaction.prose.sentences import CONSTRAINT, LOOKED_AT, score, split
from workspace.cancellation import still_wanted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

_MOST_RULES, _MOST_OTHERS = 12, 12
"""Sentences that are told of one message."""

_MOST_PASTED = 1
"""Sentences that are told of what is pasted into one message."""

_FEW, _FEWER = 118.0, 6.0
_RULE, _LESS = 93.5, 0.05
"""The worth of the first rule and how much less each further one is worth: of a few before all else, then of all of them."""

_OTHER = 40.0
_ALIKE = 4
"""Sentences that differ in their figures alone are counted from so many on; rules of one message where it has too many."""


_TOLD: Final = re.compile(r"^- User message (?P<number>\d{1,9}): (?P<text>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Request:
    """A message of the user.

    Attributes:
        number: in section 6.
        shown: what of its text stands in section 6, all of it or its head and tail; "" for nothing.
        quotable: its text without secrets, for what is said of it elsewhere.
    """

    number: int
    text: str
    shown: str
    quotable: str


@dataclass(slots=True)
class _Saying:
    """Some sentences that say the same but for their figures.

    Attributes:
        place: the number of the message that says it first, and the place there.
        times: how often it is said.
        is_pasted: whether a program put it out, and the user pasted it.
    """

    text: str
    place: tuple[int, int]
    is_rule: bool
    times: int = 0
    is_pasted: bool = False


def unshown(requests: Sequence[Request], earlier: str = "") -> Iterator[Line]:
    """Return lines for section 1 on what the messages say that section 6 does not show.

    Args:
        requests: the messages whose text is known.
        earlier: section 1 of an earlier summary, which told the same of messages that an earlier compaction left out.
    """
    rules = 0
    told: Counter[tuple[int, int]] = Counter()
    sayings = _sayings([*_told(earlier, {request.number for request in requests}), *_said(requests)])
    for saying, points in sorted(sayings, key=lambda item: (-item[1], item[0].place)):
        number, _ = saying.place
        most = _MOST_PASTED if saying.is_pasted else _MOST_RULES if saying.is_rule else _MOST_OTHERS
        kind = number, 2 if saying.is_pasted else int(saying.is_rule)
        if told[kind] >= most:
            continue
        told[kind] += 1
        worth = max(_FEW - _FEWER * rules, _RULE - _LESS * rules) if saying.is_rule else _OTHER + points
        rules += saying.is_rule
        more = f" (+{saying.times - 1} like this)" if saying.times > 1 else ""
        text = f"- User message {number}: {saying.text}{more}"
        yield Line(section=Section.REQUEST, text=text, worth=worth, place=(1, *saying.place))


def _told(earlier: str, known: Collection[int]) -> Iterator[_Saying]:
    """Yield the sentences that an earlier summary told of messages whose text is not known any more."""
    for place, line in enumerate(_TOLD.finditer(earlier)):
        if int(line["number"]) not in known:
            is_rule = CONSTRAINT.pattern.search(line["text"][:LOOKED_AT]) is not None
            yield _Saying(line["text"], (int(line["number"]), place), is_rule, times=1)


def _sayings(said: Iterable[_Saying]) -> list[tuple[_Saying, float]]:
    """Return the sentences with their points, those that say the same as one, without those that nobody may need."""
    groups: dict[tuple[int, str], dict[str, _Saying]] = {}
    for saying in said:
        said_by = saying.place[0] if saying.is_rule else 0
        groups.setdefault((said_by, without_figures(saying.text)), {})[saying.text] = saying
    made: list[tuple[_Saying, float]] = []
    for group in still_wanted(groups.values()):
        alike = list(group.values())
        first = alike[0]
        if len(alike) >= (_MOST_RULES + 1 if first.is_rule else _ALIKE):
            first.times = sum(saying.times for saying in alike)
            alike = [first]
        made += [(saying, points) for saying in alike if (points := score(saying.text)) > 0]
    return made


def _said(requests: Sequence[Request]) -> Iterable[_Saying]:
    """Every sentence that section 6 does not show, once, where it is said first."""
    found: dict[str, _Saying] = {}
    for request in requests:
        if request.shown == request.text:
            continue
        stands = set(split(request.shown))
        own, pasted = parted(request.text)
        written = ((sentence, False) for sentence in split(own))
        put_out = ((sentence, True) for sentence in split(pasted))
        for place, (sentence, is_pasted) in enumerate(still_wanted(chain(written, put_out))):
            if sentence in stands:
                continue
            if sentence not in found:
                is_rule = not is_pasted and CONSTRAINT.pattern.search(sentence[:LOOKED_AT]) is not None
                found[sentence] = _Saying(sentence, (request.number, place), is_rule, is_pasted=is_pasted)
            found[sentence].times += 1
    return found.values()
