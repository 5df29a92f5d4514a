"""Reads earlier summaries, ours and those of other hosts, as lines that a new summary may take over.

Of ours each exchange keeps the heading that it had, line by line; another's is taken by its own sections where it has them.
Both are offered in several lengths, so that compacting again forgets nothing that there is room for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compaction.history.budget import Line
from compaction.history.envelope import balanced, fenced_lines
from compaction.history.once import DETAIL
from compaction.history.sections import LEFT_OUT, Section, plain, read_model
from compaction.prose.choosing import choose
from compaction.prose.sentences import score, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

LAST, NOW, STATE = "### The last exchange", "### In flight", "### State of the world"
SAID = "- Said: "
"""The beginning of the agent's words on the way; those of one message are one line."""

_BEGINNINGS = ("### ", "- ", "Answer: ")
_SHORT, _MIDDLE = 70, 260
"""Tokens of an answer in its first two lengths; the third is all of it."""

_OLD_NOTE = re.compile(
    r"^- (?:In flight|Wait for|Go on with|\[[\w -]+\] |Done already: )|^None known|^\(left out to fit\)"
)

_OF_FOREIGN = {
    "": ((88.0, 400), (60.0, 1_500), (32.0, 0)),
    Section.REQUEST.value: ((88.0, 120), (60.0, 0)),
    Section.CONCEPTS.value: ((50.0, 60), (32.0, 0)),
    Section.FILES.value: ((64.0, 120), (50.0, 500), (30.0, 0)),
    Section.ERRORS.value: ((62.0, 80), (50.0, 300), (31.0, 0)),
    Section.SOLVING.value: ((62.0, 80), (50.0, 300), (31.0, 0)),
    Section.USER_MESSAGES.value: ((86.0, 150), (70.0, 0)),
    Section.CURRENT.value: ((72.0, 80), (55.0, 300), (33.0, 0)),
    Section.PENDING.value: ((82.0, 80), (56.0, 0)),
    Section.NEXT.value: ((66.0, 60), (40.0, 0)),
}
"""The worth of a section of another's summary in each length, in tokens (0: whole)."""


_TAG = re.compile(r"^[ \t]*</?(?:conversation_)?summary>[ \t]*$", re.MULTILINE)
"""A line that begins or ends what a host took for its summary."""


def carried(earlier: Mapping[Section, str], foreign: Sequence[str], *, count: Callable[[str], int]) -> Iterator[Line]:
    """Return what earlier summaries told of their exchanges.

    Args:
        earlier: the sections of one of ours, under whose headings it stays.
        foreign: the texts of others.
        count: counts tokens.
    """
    for place, text in enumerate(foreign):
        yield from _foreign(_TAG.sub("", text).strip(), place, count)
    for section in (Section.FILES, Section.ERRORS, Section.SOLVING):
        if earlier.get(section, "").startswith(LEFT_OUT):
            yield Line(section=section, text=f"{LEFT_OUT} before", worth=40.0, place=(-3_000_000,))
    order = 0
    for section in (Section.SOLVING, Section.ERRORS, Section.CURRENT):
        heading = ""
        for block in _blocks(earlier.get(section, "")):
            order += 1
            if block.startswith("### "):
                heading = block.replace(LAST, "### An earlier exchange")
                continue
            if heading in {STATE, NOW} or _OLD_NOTE.match(block):
                continue
            home = Section.ERRORS if section is Section.ERRORS else Section.SOLVING
            where = (-1_000_000, order)
            worth = 46 + min(10.0, score(" ".join(block.split())[:400]))
            if block.startswith(SAID):
                for number, sentence in enumerate(split(block.removeprefix(SAID))):
                    worth, text = 46 + min(10.0, score(sentence)), f"{SAID}{sentence}"
                    yield Line(section=home, text=text, worth=worth, place=(*where, number), heading=heading, lead=SAID)
                continue
            if block.startswith("- "):
                told, details, _ = block.partition(f"\n{DETAIL}")
                key = f"carried {order}"
                yield Line(section=home, text=told, worth=worth, place=where, key=key, heading=heading)
                if details:
                    yield Line(section=home, text=block, worth=worth - 16, place=where, key=key, heading=heading)
                continue
            yield from lengths(block, f"carried {order}", home, where, heading, (70.0, 52.0, 44.0), count)


def closing_words(earlier: Mapping[Section, str]) -> str:
    """Return what the agent said last in one of our summaries, "" where it had not answered."""
    heading, words = "", ""
    for block in _blocks(earlier.get(Section.CURRENT, "")):
        heading = block if block.startswith("### ") else heading
        if heading.startswith(LAST) and not block.startswith(("### ", "- ")):
            words = block
    return words


def _foreign(text: str, place: int, count: Callable[[str], int]) -> Iterator[Line]:
    """Another's summary: by its own sections where it has them, the users' words and what was to do then first."""
    parts = read_model(text)
    told = {section.value: words for section, words in parts.items() if words} if len(parts) > 3 else {"": text}
    for number, (name, words) in enumerate(told.items()):
        shares = _OF_FOREIGN.get(name, _OF_FOREIGN[""])
        for worth, length in shares:
            whole = plain(balanced(words))
            shown = choose(whole, length, count=count) if length else whole
            if shown.strip():
                yield Line(
                    section=Section.SOLVING,
                    text=f"**{name}**\n{shown}" if name else shown,
                    worth=worth,
                    place=(-2_000_000, place, number),
                    key=f"foreign {place} {number}",
                    heading="### An earlier summary, not written here",
                )


def _blocks(text: str) -> Iterator[str]:
    """The headings, the lines with their details, and the answers of a section; an answer is what stands between the others."""
    block: list[str] = []
    for line, is_fenced in fenced_lines(text):
        begins = not is_fenced and line.startswith(_BEGINNINGS)
        goes_on = is_fenced or (
            line.startswith(DETAIL) if block[:1] and block[0].startswith("- ") else not _is_heading(block)
        )
        if block and (begins or not goes_on):
            yield from ["\n".join(block).strip()] if "".join(block).strip() else []
            block = []
        block.append(line)
    if "".join(block).strip():
        yield "\n".join(block).strip()


def _is_heading(block: Sequence[str]) -> bool:
    return bool(block) and block[0].startswith("### ")


_VERDICT = re.compile(
    r"Answer: [*_`\"']{0,3}(?:yes|no|yep|nope|да|нет|oui|non|ja|nein|sí|sim|não|네|아니요)\b[*_`\"']{0,3}\s?[,.:;!—–][^\n]{0,300}?(?:[.!](?=\s)|(?=\n|\Z))|"
    r"Answer: (?:はい|いいえ|是的|不是|可以)[、，。!！][^\n。]{0,200}(?:。|(?=\n|\Z))",
    re.IGNORECASE,
)
"""The sentence that says yes or no, which an answer that is told in short keeps whatever else it keeps."""


def lengths(
    text: str,
    key: str,
    section: Section,
    place: tuple[float, ...],
    heading: str,
    worths: tuple[float, float, float],
    count: Callable[[str], int],
) -> Iterator[Line]:
    """Return a text in short, at middle length and whole, as lines of one key with a worth for each."""
    verdict = _VERDICT.match(text)
    lead = verdict[0] if verdict is not None else ""
    for length, worth in zip((_SHORT, _MIDDLE, 0), worths, strict=True):
        shown = choose(text[len(lead) :], max(1, length - count(lead)), count=count) if length else text
        if length and lead:
            shown = f"{lead}\n\n{shown.lstrip()}".rstrip()
        elif length and not shown.startswith("Answer: ") and text.startswith("Answer: "):
            shown = f"Answer: {shown}"
        yield Line(section=section, text=shown, worth=worth, place=place, key=key, heading=heading)
        if shown == text:
            return
