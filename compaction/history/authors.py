"""Chooses who writes the summary, and replaces what is no summary.

The host, an endpoint, the client's model, no model: `auto` takes the first that is there. Whoever it was, a text that
is no summary is replaced by the extractive one with a warning, or fails the call under `strict`; an error message never
becomes the memory of a conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from compaction.history.budget import Line, best_first, spend
from compaction.history.chapters import chapters
from compaction.history.endpoint import Endpoint, SummarizerError
from compaction.history.excerpts import at_length
from compaction.history.formats.base import compact_json
from compaction.history.messages import Text, ToolCall, ToolResult
from compaction.history.narrative import Material, named_once, offers
from compaction.history.once import lines_said
from compaction.history.options import CompactionOptions, Mode, Summarizer
from compaction.history.sections import LEFT_OUT, Section
from compaction.history.summary import (
    MOST_TOKENS,
    ModelAnswer,
    Rejection,
    judge,
    mark_unfounded,
    shorten,
    with_ledger,
)
from compaction.history.tasks import planned
from compaction.history.terms import names_in_play
from compaction.history.unshown import Request
from compaction.history.user_messages import Entry, Excerpt, Gap, Standing, Verbatim
from compaction.history.world import world

if TYPE_CHECKING:
    from compaction.history.fitting import Writer
    from compaction.history.redaction import Redactor
    from compaction.history.restored import RestoredFile
    from compaction.history.survey import Survey

Sample: TypeAlias = Callable[[str], str | ModelAnswer]
"""Asks the client's own model; raises `SummarizerError` when it gives no answer."""

Ask: TypeAlias = Callable[[Callable[[], str]], ModelAnswer]
"""Asks somebody; the prompt is made only if it is needed."""

_INSTEAD = "the extractive summary takes its place"
_SHOWN_UNFOUNDED = 8
_EXTRACT_SHARE, _EXTRACT_LEAST, _EXTRACT_MOST = 0.2, 1_200, 10_000
"""Tokens of an extractive summary: what earlier ones tell and a part of what it replaces besides, at least so many; in all."""

_SMALL_SHARE, _SMALL_MOST = 0.45, 2_400
"""The part that a summary of a small history may have, up to so many tokens, which a window holds easily."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A summary before it is fitted: the sections of a model, or None for the extractive one."""

    source: Summarizer
    sections: dict[Section, str] | None
    warnings: tuple[str, ...] = ()


def write_summary(
    found: Survey,
    options: CompactionOptions,
    *,
    prompt: Callable[[], str],
    endpoint: Endpoint | None,
    sample: Sample | None,
    count: Callable[[str], int],
) -> Written | Rejection:
    """Have the summary written by the first who is wanted and there; a rejection only under `strict`."""
    asked = _asked(options, endpoint, sample)
    extractive = Written(source=Summarizer.EXTRACTIVE, sections=None)
    if asked is None:
        if options.summarizer in {Summarizer.AUTO, Summarizer.EXTRACTIVE} or options.mode is Mode.EXTRACT:
            return extractive
        missing = f"the summarizer {options.summarizer.value!r} is not available"
        return (
            Rejection(reason=missing) if options.strict else replace(extractive, warnings=(f"{missing}; {_INSTEAD}",))
        )
    source, ask = asked
    try:
        answer = ask(prompt)
        judged = judge(answer)
    except SummarizerError as error:
        judged = Rejection(reason=str(error))
    if isinstance(judged, Rejection):
        if options.strict:
            return judged
        said = f"the summary by {source.value} cannot be used ({judged.reason}); {_INSTEAD}"
        return replace(extractive, warnings=(said,))
    marked, unfounded = mark_unfounded(judged, _corpus(found))
    shown = ", ".join(unfounded[:_SHOWN_UNFOUNDED])
    warnings = (f"the summary names what the history does not hold: {shown}",) if unfounded else ()
    short = shorten(marked, MOST_TOKENS, count)
    if short != marked:
        warnings = (*warnings, f"the summary was longer than {MOST_TOKENS} tokens and is shortened")
    return Written(source=source, sections=short, warnings=warnings)


def _asked(
    options: CompactionOptions, endpoint: Endpoint | None, sample: Sample | None
) -> tuple[Summarizer, Ask] | None:
    """The first summarizer that is both wanted and available, with the way to ask it."""
    given = options.summary
    available: dict[Summarizer, Ask] = {}
    if given is not None:
        available[Summarizer.HOST] = lambda _: ModelAnswer(text=given)
    if endpoint is not None:
        available[Summarizer.ENDPOINT] = lambda prompt: endpoint.summarize(prompt())
    if sample is not None:
        available[Summarizer.SAMPLING] = lambda prompt: _as_answer(sample(prompt()))
    if options.mode is Mode.EXTRACT:
        return None
    for source, ask in available.items():
        if options.summarizer in {Summarizer.AUTO, source}:
            return source, ask
    return None


def section_writer(found: Survey, written: Written, redactor: Redactor, count: Callable[[str], int]) -> Writer:
    """Returns the writer of the eight sections beside section 6, as often as fitting asks for it."""
    replaced = sum(found.weights[message.index] for message in found.summarised)
    known = sum(map(count, (*found.earlier.values(), *found.foreign)))
    usual = min(_EXTRACT_MOST, known + _usual(replaced - known))
    named, named_files = (
        names_in_play(found.transcript.messages, found.ledger.calls, redactor) if written.sections is None else ([], [])
    )
    quotable = {entry.number: redactor(entry.text)[0] for entry in found.entries if isinstance(entry, Verbatim)}
    plan = planned(found.ledger.calls, found.earlier.get(Section.PENDING, ""))
    state = world(found.ledger.calls, found.earlier.get(Section.CURRENT, "")).written()
    made: dict[frozenset[tuple[int, int]], list[Line]] = {}
    standing = _standing(found)
    of_files: dict[str, frozenset[str]] = {}

    def lines_of(file: RestoredFile) -> frozenset[str]:
        if file.text not in of_files:
            of_files[file.text] = frozenset(lines_said(file.text))
        return of_files[file.text]

    def write(
        limit: int | None, entries: Sequence[Entry], files: Sequence[RestoredFile], fills: bool
    ) -> dict[Section, str]:
        if written.sections is None:
            shown = {entry.number: entry.text for entry in entries if isinstance(entry, Verbatim | Excerpt)}
            requests = [
                Request(entry.number, entry.text, shown.get(entry.number, ""), quotable[entry.number])
                for entry in found.entries
                if isinstance(entry, Verbatim)
            ]
            material = Material(
                exchanges=found.exchanges,
                ledger=found.ledger,
                requests=requests,
                newest=max((entry.number for entry in found.entries if not isinstance(entry, Gap)), default=0),
                is_all_shown=all(isinstance(entry, Verbatim | Standing) for entry in entries),
                earlier=found.earlier,
                foreign=found.foreign,
                plan=plan,
                state=state,
                names=named,
                files=named_files,
            )
            lines = made.setdefault(frozenset((number, len(text)) for number, text in shown.items()), [])
            if not lines:
                lines += best_first(offers(material, count=count))
            sections = spend(
                lines,
                usual if limit is None else limit,
                count,
                shown=standing.union(
                    *(lines_said(entry.text) for entry in entries if isinstance(entry, Verbatim | Excerpt))
                ),
                in_files=frozenset[str]().union(*map(lines_of, files)),
                more=at_length(chapters(found.exchanges)) if fills and limit is not None else (),
            )
            sections[Section.FILES] = named_once(sections.get(Section.FILES, ""))
        else:
            sections = with_ledger(written.sections, found.ledger, found.earlier.get(Section.FILES, ""))
            if limit == 0:
                sections = {section: LEFT_OUT for section, text in sections.items() if text}
            elif limit is not None:
                sections = shorten(sections, limit, count)
        return {section: redactor(text)[0] for section, text in sections.items()}

    return write


def _usual(replaced: int) -> int:
    """The tokens of an extractive summary of so many new ones, where nothing else was asked for."""
    of_small = min(_SMALL_MOST, int(replaced * _SMALL_SHARE))
    return max(_EXTRACT_LEAST, of_small, int(replaced * _EXTRACT_SHARE))


def _standing(found: Survey) -> frozenset[str]:
    """Returns the lines of the messages that stay as they are."""
    stay = (*found.kept, *found.pending)
    texts = (block.text for message in stay for block in message.blocks if isinstance(block, Text))
    return frozenset(words for text in texts for words in lines_said(text))


def _corpus(found: Survey) -> str:
    """Everything that was said, called and answered: what a model's text may cite from."""
    parts: list[str] = []
    for message in found.transcript.messages:
        for block in message.blocks:
            match block:
                case Text(text=text) | ToolResult(text=text):
                    parts.append(text)
                case ToolCall():
                    parts += [block.name, compact_json(block.arguments), block.raw_arguments]
                case _:
                    pass
    return "\n".join(parts)


def _as_answer(given: str | ModelAnswer) -> ModelAnswer:
    return ModelAnswer(text=given) if isinstance(given, str) else given
