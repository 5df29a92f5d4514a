"""Scores a sentence for somebody who has to go on with the work, by a table of signs.

A sentence is scored by what it holds, not by where it stands: prohibitions and duties, decisions with their reasons,
what failed, figures with their units, names of things, what is still to do. Small talk and announcements lose points.
There is no model and no randomness: equal text gives equal
scores on every machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workspace.cancellation import still_wanted
from workspace.stepping import matches

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One kind of evidence: what it looks like, and its points."""

    pattern: re.Pattern[str]
    points: float


def _sign(pattern: str, points: float) -> Sign:
    return Sign(pattern=re.compile(pattern, re.IGNORECASE), points=points)


CONSTRAINT = _sign(
    r"\b(?:never|must(?:n't)?|do not|don't|only|always|keep(?! (?:(?:this|that|it) )?in (?:mind|touch)\b)|avoid|without|required?|requires|not allowed|forbidden|"
    r"may not|should not|shouldn't|cannot|can't|no longer|at most|at least|unless|except(?:ions?)?|exempt(?:ed)?|(?:do|does|did|will|would)(?: not|n't) (?:apply|hold|count)|limit(?:ed)? to|"
    r"backwards?[- ]compatib\w+|untouched|unchanged|leave|(?:use|with|in) [^,.;:?!\n]{1,40}, not|"
    r"niemals|jamais|nunca|никогда|нельзя)\b|決して|禁止|必ず|必須|ないでください|てはいけ|てはならない|必须|务必|切勿|不能|不要|请勿|不得|절대|반드시",
    3.0,
)
DECISION = _sign(
    r"\b(?:decid\w+|cho(?:se|ose|osing)|instead(?: of)?|because|root cause|caused by|the cause|turns? out|the fix|"
    r"fixed by|(?:we|i)(?:'ll| will| am going to)? use|agreed|opt(?:ed|ing) for|reject\w*|settled|switch(?:ed|ing)? to|"
    r"rather than|so that|the reason|conclu\w+|therefore|trade-?off|went with|going with|rul(?:ed|ing) out|approach)\b",
    3.5,
)
PENDING = _sign(
    r"\b(?:to-?do|remain(?:s|ing)?|still (?:need|have|to|open|missing|pending)|not yet|follow-?up|later|afterwards|"
    r"left to do|pending|next(?: step)?|blocked|waiting (?:for|on)|outstanding|open question|after that|then we)\b",
    2.5,
)
FAILURE = _sign(
    r"\b(?:fail\w*|errors?|broke\w*|regress\w*|revert\w*|bugs?|flaky|crash\w*|timed? ?out|deadlock\w*|race|leak\w*|"
    r"wrong|doesn't work|did not work|didn't work|exception|conflict\w*|denied|missing|mismatch\w*|stale)\b",
    2.0,
)
FINDING = _sign(
    r"\b(?:found|measured?|confirm\w*|verified|result\w*|shows?|pass(?:es|ed)?|takes?|took|is now|are now|returns?|"
    r"means|depends on|lives in|defined in|configured|listens?|version|default|owner|deadline|due|stored|expects?)\b",
    1.5,
)
FIGURE = _sign(
    r"(?:(?<![\w.])|(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))(?:v?\d+(?:[.,:]\d+)*)(?:\s?(?:%|ms|s|sec|seconds|minutes|min|hours?|h|days?|kB|KB|MB|GB|KiB|MiB|GiB|"
    r"bytes|tokens|lines|rows|files|tests|requests|rps|qps|x|px))?(?:(?!\w)|(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))",
    1.5,
)
_SMALL_TALK = _sign(
    r"^(?:sure|great|perfect|excellent|okay|ok|thanks?|thank you|certainly|absolutely|of course|got it|understood|"
    r"sounds good|good (?:question|point|idea|news)|you're (?:absolutely )?right|happy to|no problem|alright|"
    r"i'd be happy|looks? good|nice|i apologize|sorry)\b",
    -3.5,
)
_ANNOUNCEMENT = _sign(
    r"^(?:now )?(?:let me|let's|i'll|i will|i'm going to|i am going to|now i|first,? (?:let me|i)|next,? (?:let me|i))\b",
    -2.0,
)
_NAME = re.compile(
    r"`[^`\n]+`|(?<![\w./-])(?:[\w.-]+/)+[\w.-]+|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b|"
    r"\b(?!REDACTED:)[A-Z][A-Z0-9_]{2,}\b|\b\w+\.(?:py|ts|tsx|js|rs|go|java|rb|c|h|cpp|cs|kt|sql|toml|ya?ml|json|md|sh|tf)\b|--[a-z][\w-]+"
)
_SIGNS = (CONSTRAINT, DECISION, PENDING, FAILURE, FINDING)
_NAME_POINTS, _MOST_NAMES = 0.8, 3
_LONGEST = 400
LOOKED_AT = 4_000
"""Characters of a sentence that its worth is read from."""

LONGEST_LINE = 20_000
"""Characters of a line in which names are looked for: no line that somebody wrote has more."""

_SENTENCE_END = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9`*/А-ЯЁΑ-ΩÀ-Þ])|(?<=[.!?؟।])\s+(?=[\u0590-\u1cff])|"
    r"(?<=[。！？])[”’」』）】》〉]*\s*(?=[^\s”’」』）】》〉。！？!?…，、*_~`\"'\])])"
)
"""Marks that may close what the sentence stands in belong to it; no sentence ends inside the text of a link or of an emphasis."""

_NUMBERED = re.compile(r"[\s*_>(]{0,12}(?:\d{1,4}|\.{0,4})\.")
"""The number of a heading or an item, or the dots of one that AsciiDoc numbers: what it numbers stands behind it."""

_ABBREVIATED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|Fig|No|Dr|Mr|Ms|St)\.$")
_LONGEST_ABBREVIATION = 7
_MARKUP_ONLY = re.compile(r"^[\W_]*$")
_LIST_MARK = re.compile(r"^(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")


def split(text: str) -> Iterator[str]:
    """The sentences and list items of a prose text; code between fences is left out, spaces are made single."""
    in_fence = False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith(("```", "~~~")):
            in_fence = not in_fence
        elif not in_fence and stripped and not _MARKUP_ONLY.match(stripped):
            yield from _split_line(_LIST_MARK.sub("", stripped.lstrip("#> ")))


def _split_line(line: str) -> Iterator[str]:
    for start, end in spans(line):
        yield " ".join(line[start:end].split())[:_LONGEST]


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yields the span of each sentence of a prose text; a line end is white space like any other."""
    start = 0
    for gap in matches(_SENTENCE_END, text):
        if _NUMBERED.fullmatch(text, start, gap.start()):
            continue
        if not _ABBREVIATED.search(text, max(start, gap.start() - _LONGEST_ABBREVIATION), gap.start()):
            yield start, gap.start() + len(gap[0].rstrip())
            start = gap.end()
    if start < len(text):
        yield start, len(text)


def score(sentence: str) -> float:
    """The points of a sentence, by its beginning if it is a long one; above 0 it says something that may be needed."""
    is_question = sentence.endswith("?")
    sentence = sentence[:LOOKED_AT]
    points = sum(sign.points for sign in _SIGNS if sign.pattern.search(sentence))
    figures = len(FIGURE.pattern.findall(sentence))
    names = len(set(_NAME.findall(sentence)))
    points += FIGURE.points * min(figures, 2) + _NAME_POINTS * min(names, _MOST_NAMES)
    if _SMALL_TALK.pattern.search(sentence):
        points += _SMALL_TALK.points
    if _ANNOUNCEMENT.pattern.search(sentence):
        points += _ANNOUNCEMENT.points
    return points - (1.0 if is_question else 0.0)


def names(text: str) -> Iterator[str]:
    """Identifiers, paths, constants and flags that a text mentions, without the ticks around them."""
    for line in still_wanted(text.split("\n")):
        for found in matches(_NAME, line[:LONGEST_LINE]):
            yield found[0].strip("`")


def fact_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yields the spans of figures with their units, identifiers, paths, constants and flags; some may overlap."""
    for pattern in (FIGURE.pattern, _NAME):
        for found in matches(pattern, text):
            yield found.span()


def is_small_talk(sentence: str) -> bool:
    """Tells whether nothing would be lost with a sentence."""
    return score(sentence) <= 0
